"""Faults of chatbot and judge in a run: the right status for the item that meets one, and nothing lost of the others.

Over real sockets, through `evaluate`, into a real store. Contract 3.3, 3.4, 4.4, 4.7 and 6.4; cases of tests/cases by number.
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from goldenlib.answers import JudgeStatus, Status
from goldenlib.gating import Outcome
from goldenlib.items import Surface
from goldenlib.storage import Store
from tests.faults.actors import RIGHT, Chatbot, JudgeServer, MadeWhenAsked, endless, on_stage
from tests.faults.scenes import FAULTY, HEALTHY, NAMES, WITHIN_S, play, played, settings_for, the_set
from tests.servers import End, Pause, Script, chunk, closed_port, completion, content, head, reply, stream, verdict

MEGABYTE = 1_000_000
BEGUN = content("Biaya resmi")
ENDLESS_HEAD = [head(Transfer_Encoding="chunked")]
WELL = stream(content(RIGHT))
BOMB = gzip.compress(content("x" * 999) * 1000) * 50  # gzip members may follow one another: 50 MB in 250 kB


@dataclass(frozen=True)
class Fault:
    """What the chatbot does to one question, and what must be said of its item."""

    replies: Sequence[Script]
    reason: str
    text: str = ""
    attempts: int = 1
    at_most: int = 0  # attempts, where their number depends on what else is under way
    settings: Mapping[str, Any] = field(default_factory=dict)


def later(seconds: float) -> str:
    """An HTTP date so many seconds from now."""
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


def refused(status: int, body: str = '{"error": {"message": "try later"}}', **headers: str) -> Script:
    return reply(body, status, **headers)


UNTIL_A_DATE = MadeWhenAsked(lambda: refused(429, Retry_After=later(2)))  # HTTP dates are whole seconds: between one and two

CHATBOT_FAULTS = {
    "reset before the answer": Fault([[End.RESET]], "the connection broke", attempts=3),
    "reset after the head": Fault([stream(End.RESET)], "the connection broke", attempts=3),
    "reset mid-stream": Fault([stream(BEGUN, Pause(0.05), End.RESET)], "the connection broke", "Biaya resmi"),
    "case 27: closed mid-stream": Fault([stream(BEGUN, b"event: content\ndata: wa", End.CLOSE)], "the connection broke", "Biaya resmi"),
    "ended inside an event": Fault([stream(BEGUN, b"event: content\ndata: wa")], "ended inside an event", "Biaya resmi"),
    "silent from the start": Fault([[End.HANG]], "idle limit of 0.5 s", settings={"chatbot_idle_timeout_s": 0.5}),
    "case 35: stall": Fault([stream(BEGUN, End.HANG)], "idle limit of 0.5 s", "Biaya resmi", settings={"chatbot_idle_timeout_s": 0.5}),
    "slow drip": Fault(
        [stream(*(step for _ in range(200) for step in (content("la"), Pause(0.1))))],
        "no complete reply within 1 s",
        "la",
        settings={"chatbot_timeout_s": 1},
    ),
    "heartbeats for ever": Fault(
        [stream(*(step for _ in range(200) for step in (b": ping\n\n", Pause(0.1))))],
        "no complete reply within 1 s",
        settings={"chatbot_timeout_s": 1},
    ),
    "429 for ever": Fault([refused(429, Retry_After="0")], "HTTP 429: try later (after 3 attempts)", attempts=3),
    "429 until tomorrow": Fault([refused(429, Retry_After=later(86_400))], "HTTP 429", attempts=3),
    "500": Fault([refused(500)], "HTTP 500: try later"),
    "503 for ever": Fault([refused(503)], "HTTP 503: try later (after 3 attempts)", attempts=3),
    "case 23: error event after text": Fault(
        [stream(BEGUN, b'event: error\ndata: {"message":"upstream timeout"}\n\n')], "upstream timeout", "Biaya resmi"
    ),
    "wrong content type": Fault([reply(f"<p>{RIGHT}</p>", content_type="text/html")], "text/html"),
    "no content type": Fault([reply(content(RIGHT), content_type=None)], "content type"),
    "bad UTF-8": Fault([stream(BEGUN, b"event: content\ndata: \xff\xfe WNI\n\n")], "UTF-8", "Biaya resmi"),
    "empty answer": Fault([stream(b": nothing to say\n\n")], "the answer is empty"),
    "blank answer": Fault([stream(content("  \u200b "))], "the answer is empty", "  \u200b "),
    "no done event": Fault([stream(BEGUN)], "without its 'done' event", "Biaya resmi", settings={"chatbot_done_event": "done"}),
    "never-ending answer": Fault([endless(ENDLESS_HEAD, chunk(content("x" * 9_999)))], "more than 1,000,000 bytes", "x"),
    "never-ending heartbeats": Fault([endless(ENDLESS_HEAD, chunk(b": " + b"x" * 99_997 + b"\n"))], "goes on and on"),
    "never-ending line": Fault([endless([*ENDLESS_HEAD, chunk(b"event: content\ndata: ")], chunk(b"x" * 99_999))], "8,100,000 bytes"),
    "50 MB answer": Fault([stream(*[content("x" * 49_999)] * 1000)], "more than 1,000,000 bytes", "x"),
    "50 MB in one frame": Fault([reply(content("x" * 50 * MEGABYTE), content_type="text/event-stream")], "8,100,000 bytes"),
    "gzip bomb": Fault(
        [reply(BOMB, content_type="text/event-stream", Content_Encoding="gzip")], "more than 1,000,000 bytes", "x"
    ),
    "gzip cut off": Fault(
        [reply(gzip.compress(content("x" * 999))[:-20], content_type="text/event-stream", Content_Encoding="gzip")],
        "broke before the end of the compressed reply (after 3 attempts)",
        attempts=3,
    ),
    "not HTTP": Fault([[b"SSH-2.0-OpenSSH_9.6\r\n", End.CLOSE]], "not HTTP"),
}


@pytest.mark.parametrize("fault", CHATBOT_FAULTS.values(), ids=CHATBOT_FAULTS.keys())
def test_a_fault_of_the_chatbot_is_an_error_of_its_item_alone(fault: Fault, tmp_path: Path) -> None:
    done = {"usual": stream(content(RIGHT), b"event: done\ndata: {}\n\n")}
    chatbot, judge = Chatbot({FAULTY: fault.replies}, **done), JudgeServer()
    run = play(tmp_path, chatbot, judge, **fault.settings)
    result = run.result(FAULTY)
    assert (result.status, result.judge_status, result.passed, result.score) == (Status.ERROR, JudgeStatus.SKIPPED, None, None)
    assert fault.reason in result.reason
    assert result.answer is not None
    assert result.answer.text.startswith(fault.text)
    assert set(result.answer.text) == set(fault.text)
    assert len(result.answer.text) <= MEGABYTE
    assert result.answer.attempts == chatbot.asked[FAULTY] == fault.attempts
    assert run.states == dict.fromkeys(HEALTHY, True) | {FAULTY: "error"}
    assert judge.asked == Counter(HEALTHY)  # each once, and the faulty one never
    assert run.stored == run.report.results
    assert run.report.decision.line == "PASS: 4 of 4 scored items passed (100 %), 4 of 5 driven items scored" == run.line_stored
    assert run.seconds < WITHIN_S


PASSING_FAULTS: dict[str, tuple[Script, Mapping[str, Any], float]] = {
    "reset": ([End.RESET], {}, 0),
    "closed without a reply": ([End.CLOSE], {}, 0),
    "reset after the head": (stream(End.RESET), {}, 0),
    "429, half a second": (refused(429, Retry_After="0.5"), {"golden_retry_wait_max_s": 5}, 0.5),
    "429, one second": (refused(429, Retry_After="1"), {"golden_retry_wait_max_s": 5}, 1),
    "429, until a date": (UNTIL_A_DATE, {"golden_retry_wait_max_s": 5}, 0.9),
    "429, an unreadable wait": (refused(429, Retry_After="soon"), {}, 0),
    "502": (refused(502), {}, 0),
    "503": (refused(503, Retry_After=later(-60)), {}, 0),
    "504": (refused(504, "<h1>Gateway</h1>"), {}, 0),
}


@pytest.mark.parametrize("fault", PASSING_FAULTS.values(), ids=PASSING_FAULTS.keys())
def test_a_fault_that_passes_costs_a_second_attempt_and_nothing_else(
    fault: tuple[Script, Mapping[str, Any], float], tmp_path: Path
) -> None:
    first, settings, wait_s = fault
    chatbot, judge = Chatbot({FAULTY: [first, WELL]}), JudgeServer()
    run = play(tmp_path, chatbot, judge, **settings)
    answer = run.result(FAULTY).answer
    assert answer is not None
    assert (answer.text, answer.attempts, chatbot.asked[FAULTY]) == (RIGHT, 2, 2)
    assert run.states == dict.fromkeys(NAMES, True)
    assert judge.asked == Counter(NAMES)
    assert run.report.decision.outcome is Outcome.PASS
    assert wait_s <= run.seconds < WITHIN_S


def test_a_refused_connection_is_an_error_of_the_items_behind_it(tmp_path: Path) -> None:
    chatbot, judge = Chatbot(), JudgeServer()
    down = {"kind": "orchestrate", "url": f"http://127.0.0.1:{closed_port()}"}
    run = play(tmp_path, chatbot, judge, the_set(surface=Surface.INTERNAL), targets={"public": "orchestrate", "internal": down})
    result = run.result(FAULTY)
    assert run.states == dict.fromkeys(HEALTHY, True) | {FAULTY: "error"}
    assert result.reason.startswith(f"no connection to {down['url']}")
    assert result.answer is not None
    assert result.answer.attempts == 3
    assert judge.asked == Counter(HEALTHY)


def test_no_error_hides_behind_a_required_share_of_scored_items(tmp_path: Path) -> None:
    run = play(tmp_path, Chatbot({FAULTY: [refused(500)]}), JudgeServer(), golden_min_scored_rate="0.9")
    decision = run.report.decision
    assert (decision.outcome, decision.exit_code) == (Outcome.ERROR, 3)
    assert decision.line == "ERROR: only 4 of 5 driven items scored (80 % < 90 %)"


def test_what_was_broken_is_asked_again_by_resume_and_only_that(tmp_path: Path) -> None:
    chatbot, judge = Chatbot({FAULTY: [stream(BEGUN, End.RESET), WELL]}), JudgeServer()
    with on_stage(chatbot, judge), Store.open(str(tmp_path / "golden.db")) as store:
        settings = settings_for(chatbot.url, judge.judge_url)
        assert played(store, the_set(), settings).states[FAULTY] == "error"
        run = played(store, the_set(), settings, resume=True)
    assert run.states == dict.fromkeys(NAMES, True)
    assert chatbot.asked == Counter(NAMES) + Counter([FAULTY])
    assert len(run.stored) == len(NAMES)


# --- the judge ---


GARBAGE = completion("I would say that this answer is correct.")
GRUMPY = completion(verdict(0.1, False, "wrong"))

JUDGE_FAULTS = {
    "reset": Fault([[End.RESET]], "the connection broke", attempts=3),
    "cut off": Fault([[head(200, "application/json", Content_Length="500") + b'{"choices"', End.CLOSE]], "broke", attempts=3),
    "silent": Fault([[End.HANG]], "no complete reply within 0.5 s", settings={"judge_timeout_s": 0.5}),
    "slow drip": Fault(
        [stream(*(step for _ in range(200) for step in (b" ", Pause(0.1))), content_type="application/json")],
        "no complete reply within 1 s",
        settings={"judge_timeout_s": 1},
    ),
    "429 for ever": Fault([refused(429, Retry_After="0")], "HTTP 429: try later", attempts=3),
    "503 for ever": Fault([refused(503)], "HTTP 503: try later", attempts=3),
    # Until any verdict has come, a 500 may mean that the response format is refused, and the next of four is tried.
    "500": Fault([refused(500)], "HTTP 500: try later", at_most=4),
    "wrong key": Fault([refused(401, '{"error": {"message": "Incorrect API key"}}')], "HTTP 401: Incorrect API key"),
    "no such model": Fault([refused(404, '{"error": {"message": "The model m does not exist"}}')], "HTTP 404: The model m does not exist"),
    "garbage twice": Fault([GARBAGE], "no JSON object", attempts=2),
    "nothing twice": Fault([completion("")], "the reply is empty", attempts=2),
    "cut short twice": Fault([completion(verdict(), "length")], "finish_reason: length", attempts=2),
    "a refusal": Fault([completion(None, refusal="I cannot judge that")], "the judge refused", attempts=2),
    "a number out of range": Fault([completion(verdict(correctness=7))], "not within 0 and 1", attempts=2),
    "text for a boolean": Fault([completion(verdict(passed="false"))], "not true or false", attempts=2),
    "two verdicts": Fault([completion(verdict() + verdict(0.1, False))], "2 JSON objects that differ", attempts=2),
    "no choices": Fault([reply('{"choices": []}')], "without choices", attempts=2),
    "a web page": Fault([reply("<html>welcome</html>", content_type="text/html")], "not JSON", attempts=2),
    "bad UTF-8": Fault([reply(b'{"choices": "\xff"}')], "UTF-8", attempts=2),
    "never-ending": Fault([endless([head(200, "application/json", Transfer_Encoding="chunked")], chunk(b" " * 99_999))], "1,000,000 bytes"),
    "gzip bomb": Fault([reply(gzip.compress(b" " * MEGABYTE) * 50, Content_Encoding="gzip")], "1,000,000 bytes"),
}


@pytest.mark.parametrize("fault", JUDGE_FAULTS.values(), ids=JUDGE_FAULTS.keys())
def test_a_fault_of_the_judge_is_an_error_of_its_item_alone(fault: Fault, tmp_path: Path) -> None:
    chatbot, judge = Chatbot(), JudgeServer({FAULTY: fault.replies})
    run = play(tmp_path, chatbot, judge, **fault.settings)
    result = run.result(FAULTY)
    assert (result.status, result.judge_status, result.passed, result.score) == (Status.ERROR, JudgeStatus.ERROR, None, None)
    assert fault.reason in result.reason
    assert result.answer is not None
    assert result.answer.text == RIGHT  # paid for, and kept
    assert fault.attempts <= judge.asked.pop(FAULTY) <= max(fault.attempts, fault.at_most)
    assert judge.asked == Counter(HEALTHY)
    assert chatbot.asked == Counter(NAMES)
    assert run.states == dict.fromkeys(HEALTHY, True) | {FAULTY: "error"}
    assert run.stored == run.report.results
    assert run.report.decision.line == "PASS: 4 of 4 scored items passed (100 %), 4 of 5 driven items scored" == run.line_stored
    assert run.seconds < WITHIN_S


@pytest.mark.parametrize("fault", JUDGE_FAULTS.values(), ids=JUDGE_FAULTS.keys())
def test_a_broken_fact_is_a_fail_whatever_becomes_of_the_judge(fault: Fault, tmp_path: Path) -> None:  # case 87
    chatbot = Chatbot({FAULTY: [stream(content("Anda WNI dan wajib akta notaris."))]})
    golden_set = the_set(must_include=("WNI",), must_not_include=("wajib akta notaris",))
    run = play(tmp_path, chatbot, JudgeServer({FAULTY: fault.replies}), golden_set, golden_min_pass_rate="0.9", **fault.settings)
    result = run.result(FAULTY)
    assert (result.status, result.judge_status, result.passed) == (Status.SCORED, JudgeStatus.ERROR, False)
    assert "wajib akta notaris" in result.reason
    assert fault.reason in result.reason
    assert run.report.decision.line == "BLOCK: pass rate 80 % (4/5) < 90 %, 5 of 5 driven items scored"


PASSING_JUDGE_FAULTS: dict[str, tuple[Script, Mapping[str, Any], float]] = {
    "503": (refused(503), {}, 0),
    "reset": ([End.RESET], {}, 0),
    "429 with a date": (UNTIL_A_DATE, {"golden_retry_wait_max_s": 5}, 0.9),
    "429 with seconds": (refused(429, Retry_After="1"), {"golden_retry_wait_max_s": 5}, 1),
    "garbage once": (GARBAGE, {}, 0),
    "a verdict cut short": (completion(verdict(), "length"), {}, 0),
}


@pytest.mark.parametrize("fault", PASSING_JUDGE_FAULTS.values(), ids=PASSING_JUDGE_FAULTS.keys())
def test_a_fault_of_the_judge_that_passes_costs_a_second_call_and_nothing_else(
    fault: tuple[Script, Mapping[str, Any], float], tmp_path: Path
) -> None:
    first, settings, wait_s = fault
    chatbot, judge = Chatbot(), JudgeServer({FAULTY: [first, GRUMPY]})
    run = play(tmp_path, chatbot, judge, **settings)
    assert run.states == dict.fromkeys(HEALTHY, True) | {FAULTY: False}
    assert judge.asked == Counter(NAMES) + Counter([FAULTY])
    assert chatbot.asked == Counter(NAMES)
    assert wait_s <= run.seconds < WITHIN_S


def test_a_new_try_after_garbage_goes_out_under_a_new_key(tmp_path: Path) -> None:
    judge = JudgeServer({FAULTY: [GARBAGE, GRUMPY]})
    play(tmp_path, Chatbot(), judge)
    keys = [request.headers["idempotency-key"] for request in judge.requests if judge.question_of(request) == FAULTY]
    assert keys[0] == f"golden-r1-{FAULTY}"
    assert keys[1].startswith(keys[0])
    assert len(set(keys)) == 2


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_gateway_that_takes_no_response_format_judges_all_the_same(status: int, tmp_path: Path) -> None:
    class Plain(JudgeServer):
        def script_for(self, request: Any) -> Script:
            usual = super().script_for(request)
            return refused(status, "response_format is not supported") if "response_format" in request.json else usual

    run = play(tmp_path, Chatbot(), Plain(), golden_concurrency=1)
    assert run.states == dict.fromkeys(NAMES, True)


def test_a_secret_that_is_repeated_by_those_it_was_shown_to_is_kept_nowhere(tmp_path: Path) -> None:
    secret = "sk-a-key-of-these-tests"
    environ = {"GOLDEN_JUDGE_API_KEY": secret, "GOLDEN_CHATBOT_TOKEN": secret}
    told = {"a": [refused(401, f'{{"error": "no such key: {secret}"}}')], "b": [stream(content(f"WNI, {secret}"))]}
    judge = JudgeServer({"c": [refused(401, f"no such key: {secret}")], "d": [completion(verdict(0.9, True, f"by {secret}"))]})
    chatbot = Chatbot(told)
    with on_stage(chatbot, judge), Store.open(str(tmp_path / "golden.db")) as store:
        run = played(store, the_set(), settings_for(chatbot.url, judge.judge_url, environ=environ))
    assert {request.headers["authorization"] for request in (*chatbot.requests, *judge.requests)} == {f"Bearer {secret}"}
    assert run.states == {"a": "error", "b": True, FAULTY: True, "c": "error", "d": True}
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert secret.encode() not in kept
    assert secret not in repr(run.report)
    assert "no such key: ***" in run.result("a").reason
    assert "no such key: ***" in run.result("c").reason


def test_with_the_judge_down_only_broken_facts_are_scored(tmp_path: Path) -> None:
    chatbot = Chatbot({FAULTY: [stream(content("siapa saja"))]})
    with on_stage(chatbot), Store.open(str(tmp_path / "golden.db")) as store:
        run = played(store, the_set(), settings_for(chatbot.url, f"http://127.0.0.1:{closed_port()}/v1"))
    assert run.states == dict.fromkeys(HEALTHY, "error") | {FAULTY: False}
    assert {result.judge_status for result in run.report.results} == {JudgeStatus.ERROR}
    assert run.report.decision.line == "BLOCK: pass rate 0 % (0/1) < 80 %, 1 of 5 driven items scored"


def test_with_the_judge_down_and_all_facts_right_nothing_is_decided(tmp_path: Path) -> None:
    chatbot = Chatbot()
    with on_stage(chatbot), Store.open(str(tmp_path / "golden.db")) as store:
        run = played(store, the_set(), settings_for(chatbot.url, f"http://127.0.0.1:{closed_port()}/v1"))
    assert run.states == dict.fromkeys(NAMES, "error")
    assert run.report.decision.line == "ERROR: nothing was scored: 5 errors and 0 skipped of 5 items"


def test_errors_in_between_are_neither_regression_nor_baseline(tmp_path: Path) -> None:
    wrong = stream(content("siapa saja"))
    chatbot, judge = Chatbot({FAULTY: [WELL, refused(500), WELL, wrong]}), JudgeServer({FAULTY: [completion(verdict()), GARBAGE]})
    with on_stage(chatbot, judge), Store.open(str(tmp_path / "golden.db")) as store:
        settings = settings_for(chatbot.url, judge.judge_url)
        runs = [played(store, the_set(), settings, f"r{number}").report.decision for number in range(1, 5)]
    assert [decision.outcome for decision in runs] == [Outcome.PASS, Outcome.PASS, Outcome.PASS, Outcome.BLOCK]
    (regression,) = runs[3].regressions
    assert (regression.item_id, regression.baseline_run_id, regression.gates) == (FAULTY, "r1", True)
