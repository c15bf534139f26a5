from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.answers import Evidence, EvidenceKind, JudgeStatus, Score, Status
from goldenlib.items import Expected
from goldenlib.scoring.facts import check_facts
from goldenlib.scoring.outcome import NOTHING_TO_CHECK_WITHOUT_JUDGE, ItemOutcome, conclude, failed_drive, undriven

HELD = Score("facts", 1.0, True, "all 2 facts are present")
VIOLATED = Score("facts", 0.5, False, "missing 'WNI'")
PASSED = Score("judge", 0.9, True, "correct")
FAILED = Score("judge", 0.4, False, "incomplete")
NO_VERDICT = Score("judge", None, None, "judge error: HTTP 503")

# facts, judge -> status, judge_status, passed, score, reason (contract 4.6, 4.7)
TABLE = [
    (HELD, PASSED, Status.SCORED, JudgeStatus.OK, True, 0.9, "all 2 facts are present"),
    (HELD, FAILED, Status.SCORED, JudgeStatus.OK, False, 0.4, "judge: incomplete"),
    (HELD, NO_VERDICT, Status.ERROR, JudgeStatus.ERROR, None, None, "judge error: HTTP 503"),
    (HELD, None, Status.SCORED, JudgeStatus.SKIPPED, True, None, "all 2 facts are present; not judged"),
    (VIOLATED, PASSED, Status.SCORED, JudgeStatus.OK, False, 0.9, "missing 'WNI' · judge: correct"),
    (VIOLATED, FAILED, Status.SCORED, JudgeStatus.OK, False, 0.4, "missing 'WNI' · judge: incomplete"),
    (VIOLATED, NO_VERDICT, Status.SCORED, JudgeStatus.ERROR, False, None, "missing 'WNI' · judge error: HTTP 503"),
    (VIOLATED, None, Status.SCORED, JudgeStatus.SKIPPED, False, None, "missing 'WNI'; not judged"),
    (None, PASSED, Status.SCORED, JudgeStatus.OK, True, 0.9, "judge: correct"),
    (None, FAILED, Status.SCORED, JudgeStatus.OK, False, 0.4, "judge: incomplete"),
    (None, NO_VERDICT, Status.ERROR, JudgeStatus.ERROR, None, None, "judge error: HTTP 503"),
    (None, None, Status.SKIPPED, JudgeStatus.SKIPPED, None, None, NOTHING_TO_CHECK_WITHOUT_JUDGE),
]


@pytest.mark.parametrize(("facts", "judge", "status", "judge_status", "passed", "score", "reason"), TABLE)
def test_facts_and_judge_come_to(
    facts: Score | None,
    judge: Score | None,
    status: Status,
    judge_status: JudgeStatus,
    passed: bool | None,
    score: float | None,
    reason: str,
) -> None:
    assert conclude(facts, judge) == ItemOutcome(status, judge_status, passed, score, reason)


@given(
    st.sampled_from([HELD, VIOLATED, None]),
    st.sampled_from([PASSED, FAILED, NO_VERDICT, None]),
    st.one_of(st.none(), st.floats(0, 1)),
)
def test_a_pass_needs_every_scorer_that_spoke(facts: Score | None, judge: Score | None, value: float | None) -> None:
    judge = replace(judge, value=value) if judge is not None and judge.passed is not None else judge
    outcome = conclude(facts, judge)
    if outcome.passed:
        assert facts is not VIOLATED
        assert judge is None or judge.passed
        assert facts is not None or judge is not None
    assert (outcome.passed is None) == (outcome.status is not Status.SCORED)
    assert outcome.reason


def test_a_broken_fact_is_a_fail_though_the_judge_is_down() -> None:
    case = _judge_case(87)["input"]["items"][0]
    outcome = conclude(check_facts(Expected(must_not_include=tuple(case["must_not_include"])), case["answer"]), NO_VERDICT)
    assert (outcome.status, outcome.passed, outcome.judge_status) == (Status.SCORED, False, JudgeStatus.ERROR)


def test_silence_does_not_pass_whatever_the_judge_says() -> None:  # facts.jsonl, case 122
    silent = check_facts(Expected(must_not_include=("wajib akta notaris",)), "")
    assert conclude(silent, Score("judge", 0.8, True, "fine")) == ItemOutcome(
        Status.SCORED, JudgeStatus.OK, False, 0.8, "the answer is empty · judge: fine"
    )


def test_an_item_that_was_not_driven_is_skipped() -> None:
    assert undriven("internal items skipped") == ItemOutcome(Status.SKIPPED, JudgeStatus.SKIPPED, None, None, "internal items skipped")


def test_a_failed_drive_is_an_error_and_not_judged() -> None:
    assert failed_drive("stream broke") == ItemOutcome(Status.ERROR, JudgeStatus.SKIPPED, None, None, "stream broke")


def _judge_case(number: int) -> Any:
    lines = (Path(__file__).parents[1] / "cases" / "judge.jsonl").read_text(encoding="utf-8").splitlines()
    return next(case for case in map(json.loads, lines) if case["n"] == number)


# --- answers that look like none (fd-028) ---

MISHAP = Score("mishap", None, None, "looks like an error message, not an answer: 'null'", gates=False)
NEAR = Score("facts", 1.0, True, "ok", evidence=(Evidence(EvidenceKind.NEAR_MISS, "wajib akta", "Anda **wajib** akta.", 5, 19),))


def test_an_error_message_passes_nothing_by_being_silent_of_what_is_forbidden() -> None:
    """fd-028: with phrases to forbid only and no judge it is an error, for nothing speaks for it."""
    outcome = conclude(check_facts(Expected(must_not_include=("Rp75.000",)), "null"), None, MISHAP)
    assert (outcome.status, outcome.passed, outcome.reason) == (Status.ERROR, None, MISHAP.reason)


@pytest.mark.parametrize(
    ("facts", "judge", "passed"), [(HELD, PASSED, True), (HELD, FAILED, False), (VIOLATED, None, False), (None, PASSED, True)]
)
def test_what_else_speaks_for_or_against_an_error_message_decides_with_a_remark(
    facts: Score | None, judge: Score | None, passed: bool
) -> None:
    outcome = conclude(facts, judge, MISHAP)
    assert (outcome.status, outcome.passed) == (Status.SCORED, passed)
    assert outcome.reason.endswith(f" · {MISHAP.reason}")


def test_a_required_phrase_speaks_for_an_error_message() -> None:
    outcome = conclude(check_facts(Expected(must_include=("502",)), "502 Bad Gateway"), None, MISHAP)
    assert (outcome.status, outcome.passed) == (Status.SCORED, True)


@pytest.mark.parametrize("judge", [PASSED, FAILED])
def test_what_an_answer_nearly_says_stands_in_the_reason_whoever_decides(judge: Score) -> None:
    """fd-042."""
    assert conclude(NEAR, judge).reason.count("nearly says 'wajib akta' - the answer has '**wajib** akta'") == 1


# --- words of the item's own scorer ---

OWN_PASSED = Score("results", 1.0, True, "the same", word="correct")


@pytest.mark.parametrize(
    ("other", "word"),
    [(Score("leaks", None, False, "tells a number"), "wrong"), (Score("leaks", None, None, "not read"), "error"), (None, "correct")],
)
def test_a_scorer_without_words_that_decides_is_told_in_those_of_the_items_own(other: Score | None, word: str) -> None:
    assert conclude(OWN_PASSED, other).word == word
