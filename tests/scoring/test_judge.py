"""The judge behind its gateway, over a real socket: what is asked, in which format, how often, and what comes of it."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

import goldenlib.wire.transport
from goldenlib.answers import Score
from goldenlib.config.settings import Settings, load_settings
from goldenlib.errors import SettingsError
from goldenlib.scoring.judge import Judge
from goldenlib.scoring.prompt import VERDICT_SCHEMA, build_messages
from goldenlib.wire.pacing import Retries
from tests.builders import an_item
from tests.servers import End, Pause, Request, Script, ScriptedServer, closed_port, completion, head, reply, verdict

PATH = Path(__file__).parents[1] / "cases" / "judge.jsonl"
CASES: dict[int, dict[str, Any]] = {case["n"]: case for case in map(json.loads, PATH.read_text(encoding="utf-8").split("\n")[:-1])}
KEY = "sk-0123456789abcdef"
ITEM = an_item(must_include=(), rubric="Sebut usia.")
IDEMPOTENCY_KEY = "golden-run-1-pt-syarat"

GOOD = completion(verdict())
UNUSABLE = completion("Menurut saya benar.")


def settings(**changes: Any) -> Settings:
    return Settings(**{"judge_model": "qwen3", "golden_retry_wait_max_s": 0.01, "judge_timeout_s": 5} | changes)


def judge_by(*scripts: Script, answer: str = "Ya.", times: int = 1, **changes: Any) -> tuple[list[Score], list[Request]]:
    """The scores that a judge gives, one after the other, when its gateway replies by script; and what the gateway got."""

    async def main() -> tuple[list[Score], list[Request]]:
        async with ScriptedServer(*scripts) as server, Judge(f"{server.url}/v1", settings(**changes)) as judge:
            return [await judge.score(ITEM, answer, f"golden-run-1-item-{number}") for number in range(times)], server.requests

    return asyncio.run(main())


def score_by(*scripts: Script, **changes: Any) -> Score:
    return judge_by(*scripts, **changes)[0][0]


def formats_of(requests: list[Request]) -> list[str]:
    """The response formats that were asked for, in words."""

    def named(response_format: dict[str, Any] | None) -> str:
        if response_format is None:
            return "plain"
        return response_format["type"] + (" with schema" if "schema" in response_format else "")

    return [named(request.json.get("response_format")) for request in requests]


def keys_of(requests: list[Request]) -> list[str]:
    return [request.headers["idempotency-key"] for request in requests]


# --- the cases of tests/cases/judge.jsonl that are about more than one reply's text ---


@pytest.mark.parametrize("number", [n for n, case in CASES.items() if case["input"]["kind"] == "judge_raw"])
def test_case_is_scored_as_it_must_be(number: int) -> None:
    given, expected = CASES[number]["input"], CASES[number]["expect"]
    score = score_by(completion(given["content"], given["finish_reason"]), golden_pass_threshold=given["threshold"])
    outcome = {outcome["judge_status"]: outcome for outcome in expected.get("any_of", [expected])}
    if score.passed is None:
        assert "error" in outcome
        assert score.value is None
        assert expected.get("reason_contains", "") in score.reason
    else:
        assert (score.value, score.passed) == (outcome["ok"]["correctness"], outcome["ok"]["passed"])


def test_case_51_verdict_and_number_must_both_agree() -> None:
    given, expected = CASES[51]["input"], CASES[51]["expect"]
    scripts = [completion(verdict(**row)) for row in given["rows"]]
    scores, _ = judge_by(*scripts, times=len(scripts), golden_pass_threshold=given["threshold"])
    assert [score.passed for score in scores] == expected["item_passed"]


def test_case_73_a_rate_that_is_no_number_is_told_before_anything_is_driven() -> None:
    with pytest.raises(SettingsError, match="golden_min_pass_rate"):
        load_settings(overrides={"golden_min_pass_rate": CASES[73]["input"]["golden_min_pass_rate"]}, environ={})


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits of every Retries made in the test, which are not waited for."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        await asyncio.sleep(0)

    rng = random.Random(7)
    init: Callable[..., None] = Retries.__init__

    def made(self: Retries, most: int, longest_wait_s: float) -> None:
        init(self, most, longest_wait_s, sleep=sleep, jitter=rng.random)

    monkeypatch.setattr(Retries, "__init__", made)
    return waited


def gateway_replies(case: dict[str, Any]) -> list[Script]:
    def script(response: dict[str, Any]) -> Script:
        if "json_verdict" in response:
            return completion(verdict(**response["json_verdict"]))
        headers = {name.replace("-", "_"): value for name, value in response.get("headers", {}).items()}
        return reply(response.get("body", ""), response["status"], **headers)

    return [script(response) for response in case["input"]["responses"]]


def test_case_75_a_date_in_retry_after_is_waited_for(waits: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[75]

    class Frozen(goldenlib.wire.transport.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Frozen:
            return cls.fromisoformat(case["input"]["now"])

    monkeypatch.setattr(goldenlib.wire.transport, "datetime", Frozen)
    (score,), requests = judge_by(*gateway_replies(case), golden_retry_wait_max_s=60)
    least, most = case["expect"]["slept_s_between"]
    assert (score.passed, len(requests)) == (True, case["expect"]["calls"])
    assert [least <= wait <= most for wait in waits] == [True]


def test_case_77_a_fraction_in_retry_after_is_waited_for(waits: list[float]) -> None:
    case = CASES[77]
    (score,), requests = judge_by(*gateway_replies(case), golden_retry_wait_max_s=60)
    assert (score.passed, len(requests)) == (True, case["expect"]["calls"])
    assert [wait >= case["expect"]["slept_s_at_least"] for wait in waits] == [True]


def test_case_79_workers_back_off_apart_and_a_bad_request_fails_at_once(waits: list[float]) -> None:
    case = CASES[79]
    workers, (*refusals, good) = case["input"]["concurrency"], gateway_replies(case)

    async def main() -> list[Score]:
        scripts = [script for script in refusals for _ in range(workers)]
        async with ScriptedServer(*scripts, good) as server, Judge(f"{server.url}/v1", settings(golden_retry_wait_max_s=60)) as judge:
            return await asyncio.gather(*(judge.score(ITEM, "Ya.", f"golden-run-1-{number}") for number in range(workers)))

    assert [score.passed for score in asyncio.run(main())] == [True] * workers
    assert len(set(waits)) == len(waits) == workers * len(refusals)
    assert max(waits[:workers]) < min(waits[-workers:])
    waits.clear()
    for status in case["expect"]["no_retry_for"]:
        assert f"HTTP {status}" in score_by(reply("", status)).reason
    assert waits == []


def test_case_81_an_error_under_200_is_told_in_its_words() -> None:
    score = score_by(*gateway_replies(CASES[81]))
    assert score.passed is None
    assert CASES[81]["expect"]["reason_contains"] in score.reason


def test_case_87_a_judge_that_is_down_is_an_error_of_its_own() -> None:
    status = CASES[87]["input"]["items"][0]["judge_http"]
    score = score_by(reply("", status))
    assert (score.passed, score.value, score.reason) == (None, None, f"judge error: HTTP {status}")


# --- what is asked ---


def test_a_call_is_one_that_gateways_know() -> None:
    (score,), (request,) = judge_by(GOOD, judge_api_key=SecretStr(KEY), judge_max_tokens=300)
    assert score == Score("judge", 0.9, True, "ok", raw=(verdict(),))
    assert request.target == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["x-priority"] == "batch"
    assert request.headers["idempotency-key"] == "golden-run-1-item-0"
    assert request.json == {
        "model": "qwen3",
        "messages": build_messages(ITEM, "Ya."),
        "temperature": 0,
        "max_tokens": 300,
        "response_format": {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": VERDICT_SCHEMA}},
        "chat_template_kwargs": {"enable_thinking": False},
    }


def test_thinking_is_left_alone_when_configured() -> None:
    _, (request,) = judge_by(GOOD, judge_disable_thinking=False)
    assert "chat_template_kwargs" not in request.json


def test_without_a_key_none_is_sent() -> None:
    assert "authorization" not in judge_by(GOOD)[1][0].headers


def test_an_answer_of_a_megabyte_is_judged() -> None:
    (score,), (request,) = judge_by(GOOD, answer="é" * 500_000)
    assert score.passed
    assert "é" * 500_000 in request.json["messages"][1]["content"]


def test_the_key_of_an_item_with_letters_beyond_ascii_can_stand_in_a_header() -> None:
    async def main() -> list[str]:
        async with ScriptedServer(GOOD) as server, Judge(f"{server.url}/v1", settings()) as judge:
            for item_id in ("syarat-é", "syarat-e", "a%b"):
                assert (await judge.score(ITEM, "Ya.", f"golden-run-1-{item_id}")).passed
            return keys_of(server.requests)

    assert asyncio.run(main()) == ["golden-run-1-syarat-%C3%A9", "golden-run-1-syarat-e", "golden-run-1-a%b"]


# --- the threshold ---


@pytest.mark.parametrize(
    ("correctness", "threshold", "passed"),
    [
        ("0.7", "0.7", True),
        ("0.70", "0.7", True),
        ("7e-1", "0.7", True),
        ("0.69", "0.7", False),
        ("0.6999999999999999999999", "0.7", False),  # as written, though the same float
        ("0.30000000000000004", "0.3", True),  # 0.1 + 0.2
        ("0.3", "0.30000000000000004", False),
        ("0.1", "0.1", True),
        ("1", "1", True),
        ("0", "0", True),
        ("0.9", "1", False),
    ],
)
def test_the_threshold_is_inclusive_by_decimals_as_written(correctness: str, threshold: str, passed: bool) -> None:
    reply_text = f'{{"correctness": {correctness}, "passed": true, "reason": "ok"}}'
    score = score_by(completion(reply_text), golden_pass_threshold=threshold)
    assert (score.value, score.passed) == (float(Decimal(correctness)), passed)
    assert score.reason == ("ok" if passed else f"ok [correctness {Decimal(correctness)} < {threshold}]")


def test_a_judge_that_fails_an_answer_fails_it_whatever_the_number() -> None:
    score = score_by(completion(verdict(1.0, False, "salah")))
    assert (score.value, score.passed, score.reason) == (1.0, False, "salah")


# --- replies ---


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", "text/html", "text/event-stream", None])
def test_a_reply_is_read_whatever_its_content_type(content_type: str | None) -> None:
    (whole,) = GOOD
    assert isinstance(whole, bytes)
    assert score_by(reply(whole.partition(b"\r\n\r\n")[2], 200, content_type)).passed


@pytest.mark.parametrize("finish_reason", ["stop", "eos", "end_turn", "", None])
def test_a_finished_reply_counts_by_any_word_for_it(finish_reason: str | None) -> None:
    assert score_by(completion(verdict(), finish_reason)).passed


def test_a_reply_in_parts_is_read_without_its_reasoning() -> None:
    parts = [
        {"type": "thinking", "thinking": verdict(0.1, False)},
        {"type": "text", "text": verdict()[:9]},
        {"type": "text", "text": verdict()[9:]},
    ]
    (whole,) = reply(json.dumps({"choices": [{"message": {"content": parts}, "finish_reason": "stop"}]}))
    assert score_by([whole]) == Score("judge", 0.9, True, "ok", raw=(verdict(),))


UNUSABLE_REPLIES = {
    "prose": (UNUSABLE, "the reply holds no JSON object"),
    "cut off": (completion(verdict(), "length"), "raise judge_max_tokens"),
    "filtered": (completion(None, "content_filter"), "content_filter"),
    "empty": (completion(""), "the reply is empty"),
    "null": (completion(None), "the reply is empty"),
    "refused": (completion(None, refusal="I cannot."), "the judge refused: I cannot."),
    "no choices": (reply('{"choices": []}'), "without choices"),
    "error object": (reply('{"error": {"message": "model not loaded"}}'), "model not loaded"),
    "not JSON": (reply("<html>Login</html>", 200, "text/html"), "the reply is not JSON"),
    "not UTF-8": (reply(b'{"choices": "\xff"}'), "bad UTF-8"),
    "nested": (reply("[" * 100_000), "the reply is not JSON"),
    "no content": (reply("", 204, None), "the reply is not JSON"),
    "content of another shape": (completion(7), "a message holds no text"),  # type: ignore[arg-type]
    "a word for a number": (completion(verdict("BENAR")), "correctness is text, not a number"),
    "text for true": (completion(verdict(passed="true")), "passed is text, not true or false"),
    "beyond 1": (completion(verdict(90)), "correctness 90 is not within 0 and 1"),
}


@pytest.mark.parametrize(("script", "reason"), UNUSABLE_REPLIES.values(), ids=UNUSABLE_REPLIES)
def test_an_unusable_reply_is_asked_for_once_more_and_then_an_error(script: Script, reason: str) -> None:
    (score,), requests = judge_by(script)
    assert (score.value, score.passed, len(requests), len(score.raw)) == (None, None, 2, 2)
    assert score.reason.startswith("judge error: ")
    assert reason in score.reason
    assert score.reason.endswith("(asked 2 times)")


@pytest.mark.parametrize("script", [script for script, _ in UNUSABLE_REPLIES.values()], ids=UNUSABLE_REPLIES)
def test_a_usable_reply_the_second_time_counts(script: Script) -> None:
    (score,), requests = judge_by(script, GOOD)
    assert (score.value, score.passed, score.reason, len(requests)) == (0.9, True, "ok", 2)
    assert score.raw[-1] == verdict()


def test_what_the_judge_replied_is_kept_whatever_it_was() -> None:
    assert score_by(UNUSABLE, reply('{"error": "x"}')).raw == ("Menurut saya benar.", '{"error": "x"}')
    assert score_by(reply(b"\xff")).raw == ("\ufffd", "\ufffd")


def test_a_huge_reply_is_an_error_and_not_asked_for_again() -> None:
    (score,), requests = judge_by(completion("x" * 1_100_000))
    assert (score.reason, len(requests)) == ("judge error: the reply has more than 1,000,000 bytes", 1)


def test_a_long_or_missing_reason_is_made_readable() -> None:
    assert len(score_by(completion(verdict(reason="x" * 100_000))).reason) == 2_000
    assert score_by(completion(verdict(reason=" "))).reason == "the judge gave no reason"


def test_half_a_character_in_a_reply_can_be_stored() -> None:
    score = score_by(completion(verdict(reason="a\ud83d")))
    assert score.reason == "a?"
    assert all(text.encode() for text in score.raw)
    assert all(text.encode() for text in score_by(completion("\ud83d")).raw)


# --- formats ---


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize("refused", [0, 1, 2, 3])
def test_a_refused_format_steps_down_and_what_works_is_kept_for_the_run(refused: int, status: int) -> None:
    ladder = ["json_schema", "json_object with schema", "json_object", "plain"]
    scores, requests = judge_by(*[reply("", status)] * refused, GOOD, times=3)
    assert [score.passed for score in scores] == [True] * 3
    assert formats_of(requests) == [*ladder[: refused + 1], ladder[refused], ladder[refused]]


def test_a_changed_format_goes_out_under_a_new_key() -> None:
    _, requests = judge_by(reply("", 400), reply("", 422), GOOD, times=2)
    first, second, third, next_item = keys_of(requests)
    assert (first, next_item) == ("golden-run-1-item-0", "golden-run-1-item-1")
    assert len({first, second, third}) == 3
    assert all(key.startswith("golden-run-1-item-0-again-") for key in (second, third))


def test_a_refusal_of_all_formats_is_told_in_the_words_of_the_first() -> None:
    (score,), requests = judge_by(reply('{"error": "context too long"}', 400), reply("other", 422))
    assert score.reason == "judge error: HTTP 400: context too long"
    assert formats_of(requests) == ["json_schema", "json_object with schema", "json_object", "plain"]


def test_a_format_that_works_is_not_given_up_over_one_refusal() -> None:
    scores, requests = judge_by(GOOD, reply("too long", 400), GOOD, times=3)
    assert [score.passed for score in scores] == [True, None, True]
    assert scores[1].reason == "judge error: HTTP 400: too long"
    assert set(formats_of(requests)) == {"json_schema"}
    assert len(requests) == 3


@pytest.mark.parametrize("status", [401, 403, 404, 302])
def test_another_refusal_is_not_about_the_format(status: int) -> None:
    (score,), requests = judge_by(reply("", status))
    assert (score.reason, len(requests)) == (f"judge error: HTTP {status}", 1)


def test_first_calls_at_the_same_time_agree_on_a_format() -> None:
    slow_refusal, slow_success = [Pause(0.2), *reply("", 400)], [Pause(0.1), *GOOD]

    async def main() -> tuple[list[Score], list[str]]:
        scripts: list[Script] = [*[slow_refusal] * 6, slow_success]
        async with ScriptedServer(*scripts) as server, Judge(f"{server.url}/v1", settings()) as judge:
            scores = await asyncio.gather(*(judge.score(ITEM, "Ya.", f"golden-run-1-{number}") for number in range(6)))
            first = len(server.requests)
            await judge.score(ITEM, "Ya.", "golden-run-1-last")
            assert len(server.requests) == first + 1
            return scores, formats_of(server.requests)

    scores, formats = asyncio.run(main())
    assert all(score.passed for score in scores)
    assert formats == ["json_schema"] * 6 + ["json_object with schema"] * 7


@pytest.mark.parametrize("stray", [1, 2, 3])
def test_a_stray_500_is_retried_in_the_same_format_and_weakens_nothing(stray: int) -> None:
    """fd-035: one stray fault weakened the format for the whole run."""
    scores, requests = judge_by(*[reply("", 500)] * stray, GOOD, times=3, judge_retries=3)
    assert [score.passed for score in scores] == [True] * 3
    assert formats_of(requests) == ["json_schema"] * (stray + 3)


def test_a_format_that_always_gives_500_is_left_for_one_call_and_not_remembered() -> None:
    scores, requests = judge_by(*[reply("", 500)] * 2, GOOD, times=2, judge_retries=1)
    assert [score.passed for score in scores] == [True, True]
    assert formats_of(requests) == ["json_schema", "json_schema", "json_object with schema", "json_schema"]


@pytest.mark.parametrize("status", [400, 404, 422, 500, 501])
def test_a_format_that_is_refused_by_name_is_left_at_once(status: int) -> None:
    refusal = reply('{"error": {"message": "response_format type json_schema is not supported"}}', status)
    scores, requests = judge_by(refusal, GOOD, times=2)
    assert [score.passed for score in scores] == [True, True]
    assert formats_of(requests) == ["json_schema", "json_object with schema", "json_object with schema"]


# --- other parts of a request that a gateway names in its refusal ---

REFUSALS_BY_NAME = {
    "fd-032 chat_template_kwargs": (
        '{"error": {"message": "Unrecognized request argument supplied: chat_template_kwargs"}}',
        "chat_template_kwargs",
    ),
    "fd-032 in the manner of pydantic": (
        '{"detail": [{"type": "extra_forbidden", "loc": ["body", "chat_template_kwargs"], "msg": "Extra inputs are not permitted"}]}',
        "chat_template_kwargs",
    ),
    "fd-033 max_tokens": ('{"error": {"message": "max_tokens is not supported with this model, use max_completion_tokens"}}', "max_tokens"),
    "fd-034 temperature": ('{"error": {"message": "reasoning models take no temperature"}}', "temperature"),
    "fd-034 as a parameter": ('{"error": {"message": "Unsupported value", "param": "temperature"}}', "temperature"),
}


@pytest.mark.parametrize(("body", "part"), REFUSALS_BY_NAME.values(), ids=REFUSALS_BY_NAME)
@pytest.mark.parametrize("status", [400, 422])
def test_a_part_that_is_refused_by_name_is_left_out_for_the_run_and_nothing_else(body: str, part: str, status: int) -> None:
    scores, requests = judge_by(reply(body, status), GOOD, times=3)
    assert [score.passed for score in scores] == [True] * 3
    assert [part in request.json for request in requests] == [True, False, False, False]
    others = {"temperature", "chat_template_kwargs", "response_format"} - {part}
    assert all(others <= set(request.json) for request in requests)
    assert formats_of(requests) == ["json_schema"] * 4
    assert len(set(keys_of(requests))) == 4


def test_the_other_name_for_max_tokens_carries_the_same_number() -> None:
    _, requests = judge_by(reply('{"error": "use max_completion_tokens for max_tokens"}', 400), GOOD, judge_max_tokens=77)
    assert [request.json.get("max_completion_tokens") for request in requests] == [None, 77]


def test_several_parts_are_left_out_one_after_the_other() -> None:
    refusals = [
        reply(f'{{"error": "unsupported: {part}"}}', 400) for part in ("temperature", "max_tokens", "chat_template_kwargs", "json_schema")
    ]
    (score,), requests = judge_by(*refusals, GOOD)
    assert score.passed
    assert set(requests[-1].json) == {"model", "messages", "max_completion_tokens", "response_format"}
    assert formats_of(requests)[-1] == "json_object with schema"


def test_what_was_not_taken_is_said_to_who_reads_the_verdicts() -> None:
    async def remarks(*scripts: Script) -> tuple[str, ...]:
        async with ScriptedServer(*scripts) as server, Judge(f"{server.url}/v1", settings()) as judge:
            await judge.score(ITEM, "Ya.", "golden-run-1-a")
            return judge.remarks

    assert asyncio.run(remarks(GOOD)) == ()
    (said,) = asyncio.run(remarks(reply('{"error": "no temperature"}', 400), GOOD))
    assert said == "the judge: its gateway takes no temperature, so that the same answer may get another verdict another time"
    (said,) = asyncio.run(remarks(reply("", 400), reply("", 400), GOOD))
    assert said == "the judge: its gateway refuses stricter response formats than json_object"


def test_a_reply_that_stands_in_the_reasoning_says_where_and_what_to_do() -> None:
    """fd-037."""
    message = {"role": "assistant", "content": "", "reasoning_content": verdict()}
    body = json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
    reason = score_by(reply(body)).reason
    assert "the reply stands in reasoning_content and not in content" in reason
    assert "judge_disable_thinking" in reason
    assert "reasoning parser" in reason


def test_one_call_follows_what_another_has_found_to_work() -> None:
    async def main() -> list[str]:
        scripts: list[Script] = [reply("", 400), [Pause(0.4), *reply("", 400)], reply("", 400), GOOD]
        async with ScriptedServer(*scripts) as server, Judge(f"{server.url}/v1", settings()) as judge:
            scores = await asyncio.gather(*(judge.score(ITEM, "Ya.", f"golden-run-1-{number}") for number in range(2)))
            assert all(score.passed for score in scores)
            return formats_of(server.requests)

    assert asyncio.run(main()) == ["json_schema", "json_schema", "json_object with schema", "json_object", "json_object"]


# --- keys, attempts, failures ---


def test_attempts_that_failed_on_the_way_keep_their_key() -> None:
    scripts = [reply("", 429), reply("", 503), [head(content_type="application/json"), b'{"cho', Pause(0.02), End.RESET], GOOD]
    (score,), requests = judge_by(*scripts)
    assert (score.passed, keys_of(requests)) == (True, ["golden-run-1-item-0"] * 4)


def test_an_unusable_reply_is_asked_for_again_under_a_new_key_which_its_attempts_keep() -> None:
    (score,), requests = judge_by(UNUSABLE, reply("", 503), GOOD)
    first, second, third = keys_of(requests)
    assert score.passed
    assert first == "golden-run-1-item-0"
    assert second == third
    assert second.startswith("golden-run-1-item-0-again-")


def test_a_new_key_is_new_in_a_resumed_run_too_and_never_that_of_another_item() -> None:
    # 'a' asked twice must not meet the verdict of an item that is called 'a-2'
    again = {keys_of(judge_by(UNUSABLE, GOOD)[1])[1] for _ in range(3)}
    assert len(again) == 3


def test_attempts_are_bounded() -> None:
    (score,), requests = judge_by(reply("busy", 503), judge_retries=2)
    assert (score.reason, len(requests)) == ("judge error: HTTP 503: busy", 3)


def test_a_judge_that_is_down_is_an_error() -> None:
    async def main() -> Score:
        async with Judge(f"http://127.0.0.1:{closed_port()}/v1", settings()) as judge:
            return await judge.score(ITEM, "Ya.", IDEMPOTENCY_KEY)

    assert asyncio.run(main()).reason.startswith("judge error: no connection to http://127.0.0.1:")


def test_a_judge_that_hangs_is_cut_by_the_deadline() -> None:
    assert score_by([End.HANG], judge_timeout_s=0.2).reason == "judge error: no complete reply within 0.2 s"


# --- secrets ---


@pytest.mark.parametrize(
    "script",
    [
        reply(f'{{"error": {{"message": "Incorrect API key provided: {KEY}"}}}}', 401),
        reply("x" * 290 + KEY, 403),
        reply(f'{{"error": "key {KEY}"}}'),
        reply(f"<html>{KEY}"),
        completion(f"key {KEY}"),
        completion(verdict(reason=f"key {KEY}")),
        completion(verdict(correctness=f"key {KEY}")),
        completion(verdict(), f"length {KEY}"),
        completion(None, refusal=f"key {KEY}"),
        reply("", 307, Location=f"http://127.0.0.1/?key={KEY}"),
    ],
)
def test_a_key_that_the_gateway_echoes_is_nowhere(script: Script, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    score = score_by(script, judge_api_key=SecretStr(KEY))
    for text in (score.reason, *score.raw, caplog.text):
        assert KEY[:9] not in text
