"""A real llama.cpp server as judge gateway and as target: what real endpoints do on the wire is read as it is meant."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from goldenlib.answers import Answer, Score
from goldenlib.config.settings import Settings, TargetSettings
from goldenlib.driving.openai import OpenAITarget
from goldenlib.scoring.judge import Judge
from tests import small_model
from tests.builders import an_item

pytestmark = [pytest.mark.llm, pytest.mark.xdist_group("llm")]

ITEM = an_item(question="What is the capital of France?", must_include=(), rubric="The answer names Paris.")


@pytest.fixture(scope="session")
def model_url() -> Iterator[str]:
    """The base URL of the server, which runs in a process of its own for the session."""
    if missing := small_model.missing():
        reason = f"no small model here: {' and '.join(missing)} missing; make env-llm installs them"
        if os.environ.get("GOLDEN_REQUIRE_SYSTEM"):
            pytest.fail(reason)
        pytest.skip(reason)
    command = [sys.executable, str(Path(small_model.__file__))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        yield f"{server.stdout.readline().strip()}/v1"
        server.communicate(timeout=30)


def judged(url: str, answer: str = "Paris.", key: str = small_model.API_KEY, **settings: Any) -> Score:
    async def main() -> Score:
        limits = {"judge_timeout_s": 120, "judge_max_tokens": 60}
        given = Settings(**limits | {"judge_model": small_model.MODEL, "judge_api_key": SecretStr(key)} | settings)
        async with Judge(url, given) as judge:
            return await judge.score(ITEM, answer, "golden-run-1-a")

    return asyncio.run(main())


def asked(
    url: str, *, streamed: bool, question: str = "What is the capital of France?", key: str = small_model.API_KEY
) -> tuple[Answer, list[str]]:
    pieces: list[str] = []

    async def main() -> Answer:
        prompt = "Answer in one short sentence."
        endpoint = TargetSettings(kind="openai", url=url, model=small_model.MODEL, stream=streamed, system_prompt=prompt)
        async with OpenAITarget(endpoint, Settings(), token=key) as target:
            return await target.ask(an_item(question=question), "golden-run-1-a", pieces.append)

    return asyncio.run(main()), pieces


def test_a_verdict_in_the_schema_is_read_or_honestly_refused(model_url: str) -> None:
    score = judged(model_url, answer="Paris is the capital of France.")
    if score.passed is None:
        assert score.value is None
        assert score.reason.startswith("judge error: ")
        assert "not finished (finish_reason: length)" in score.reason or "not within 0 and 1" in score.reason
    else:
        reply = json.loads(score.raw[-1])
        assert score.value == pytest.approx(reply["correctness"])
        assert score.passed == (reply["passed"] and reply["correctness"] >= 0.7)


def test_a_wrong_key_is_an_error_at_once_and_in_no_message(model_url: str) -> None:
    begun = time.monotonic()
    score = judged(model_url, key="sk-another-key-for-tests")
    assert (score.passed, score.raw) == (None, ())
    assert score.reason.startswith("judge error: HTTP 401: ")
    assert "sk-another" not in score.reason
    answer, _ = asked(model_url, streamed=True, key="sk-another-key-for-tests")
    assert (answer.error or "").startswith("HTTP 401: ")
    assert answer.attempts == 1
    assert time.monotonic() - begun < 5


def test_a_prompt_that_is_too_long_is_an_error_in_the_words_of_the_server(model_url: str) -> None:
    score = judged(model_url, answer="Paris. " * 5_000)
    assert score.passed is None
    assert score.reason.startswith("judge error: HTTP 400: ")
    assert "context size" in score.reason
    for streamed in (True, False):
        answer, _ = asked(model_url, streamed=streamed, question="Paris? " * 5_000)
        assert (answer.error or "").startswith("HTTP 400: ")
        assert "context size" in (answer.error or "")


def test_a_verdict_that_is_cut_off_is_an_error_that_names_the_remedy(model_url: str) -> None:
    score = judged(model_url, judge_max_tokens=16)
    assert (score.passed, score.value, len(score.raw)) == (None, None, 2)
    assert score.reason == "judge error: the reply is not finished (finish_reason: length); raise judge_max_tokens (asked 2 times)"


def test_an_answer_is_read_streamed_and_in_one_piece(model_url: str) -> None:
    streamed, pieces = asked(model_url, streamed=True)
    whole, _ = asked(model_url, streamed=False)
    for answer in (streamed, whole):
        assert (answer.error, answer.attempts) == (None, 1)
        assert len(answer.text) > 5
    assert len(pieces) > 3
    assert "".join(pieces) == streamed.text
    assert streamed.first_content_seconds is not None
    assert streamed.first_content_seconds < streamed.seconds
