"""Every case of tests/cases/sse.jsonl: what went wrong elsewhere on the wire, and must not here.

The bytes go over a real socket, in the chunks of the case. Whole runs (what is scored, counted and judged) are tested with running.
"""

from __future__ import annotations

import ast
import gzip
import json
import time
from pathlib import Path
from typing import Any

import pytest

from goldenlib.answers import Answer
from goldenlib.folding import fold
from goldenlib.wire.sse import SseParser
from tests.driving.asking import ask, ask_model
from tests.servers import End, Pause, reply, stream

PATH = Path(__file__).parents[1] / "cases" / "sse.jsonl"
CASES: dict[int, dict[str, Any]] = {case["n"]: case for case in map(json.loads, PATH.read_text(encoding="utf-8").split("\n")[:-1])}
ON_THE_WIRE = [number for number, case in CASES.items() if case["input"]["kind"] == "sse_bytes"]
SPEED_UP = 10  # of the times in a timing case


def chunks_of(case: dict[str, Any]) -> list[bytes]:
    return [ast.literal_eval(f"b'''{chunk}'''") for chunk in case["input"]["chunks"]]


def drive(case: dict[str, Any]) -> Answer:
    given = case["input"]
    broken = given.get("end", "").startswith("transport error")
    script = stream(*chunks_of(case), *([End.CLOSE] if broken else []))
    if given.get("shape") == "openai stream":
        return ask_model(script)[0]
    return ask(script, chatbot_text_key=(given["payload"].split()[-1],)) if "payload" in given else ask(script)


def named(number: int) -> str:
    return f"{number} {CASES[number]['source']}"


@pytest.mark.parametrize("number", ON_THE_WIRE, ids=named)
def test_case_has_its_status_answer_and_reason(number: int) -> None:
    case = CASES[number]
    expected, answer = case["expect"], drive(case)
    assert answer.is_complete is (expected["status"] == "ok"), answer.error
    if "answer" in expected:
        assert answer.text == expected["answer"]
    if "answer_preview" in expected:
        assert answer.text == expected["answer_preview"]
    assert expected.get("reason_contains", "") in (answer.error or "")
    for unwanted in expected.get("must_not_contain", []):
        assert unwanted not in answer.text
    for phrase, hits in expected.get("forbidden_hits_for", {}).items():
        assert fold(answer.text).count(fold(phrase)) == hits
    answer.text.encode()  # stored_ok: no half characters


@pytest.mark.parametrize("number", [number for number in ON_THE_WIRE if "events" in CASES[number]["expect"]], ids=named)
def test_case_has_its_events_however_it_is_cut(number: int) -> None:
    chunks, expected = chunks_of(CASES[number]), CASES[number]["expect"]
    whole = b"".join(chunks)
    for cut in (chunks, [whole], [whole[at : at + 1] for at in range(len(whole))]):
        parser = SseParser()
        assert [list(event) for chunk in cut for event in parser.feed(chunk)] == expected["events"]


def test_case_33_a_compressed_stream_is_read() -> None:
    given = CASES[33]["input"]
    body = given["body_is"].removeprefix("gzip of '").removesuffix("'").encode().decode("unicode_escape").encode()
    headers = {"Content_Encoding": given["headers"]["content-encoding"]}
    for script in (
        reply(gzip.compress(body), given["status"], given["headers"]["content-type"], **headers),
        stream(*(bytes([byte]) for byte in gzip.compress(body)), **headers),
    ):
        assert ask(script).text == CASES[33]["expect"]["answer"]


def test_case_35_a_stalled_stream_is_cut_by_the_idle_limit() -> None:
    given, expected = CASES[35]["input"], CASES[35]["expect"]
    begun = time.monotonic()
    answer = ask(
        stream(given["script"][0][1].encode().decode("unicode_escape").encode(), End.HANG),
        chatbot_idle_timeout_s=given["idle_timeout_s"] / SPEED_UP,
        chatbot_timeout_s=given["total_timeout_s"] / SPEED_UP,
    )
    assert time.monotonic() - begun < expected["ends_within_s"]
    assert (answer.text, answer.is_complete) == ("Biaya", False)
    assert "no bytes for longer than the idle limit of 0.2 s" in (answer.error or "")


def test_every_case_is_tested() -> None:
    assert {*ON_THE_WIRE, 33, 35} == set(CASES)


def test_heartbeats_of_a_stalled_model_keep_a_stream_alive() -> None:  # case 3, its twin in time
    beats = [part for _ in range(4) for part in (b": ping\n\n", Pause(0.15))]
    assert ask(stream(*beats, b"event: content\ndata: Ya\n\n"), chatbot_idle_timeout_s=0.5).text == "Ya"
