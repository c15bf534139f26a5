from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.answers import Answer, Evidence, EvidenceKind, JudgeStatus, Result, RunRecord, Score, Status
from goldenlib.config.settings import Settings
from goldenlib.gating import (
    Baseline,
    Comparison,
    Decision,
    Flip,
    Outcome,
    Policy,
    Totals,
    decide,
    decide_without_results,
    line_head,
    meets,
    percent,
)
from goldenlib.items import Expected
from goldenlib.scoring.facts import check_facts
from goldenlib.scoring.outcome import conclude

CASES = {
    case["n"]: case
    for line in (Path(__file__).parents[1] / "cases" / "gate.jsonl").read_text(encoding="utf-8").splitlines()
    for case in [json.loads(line)]
}
RUN_AT = datetime(2026, 11, 29, 8, 14, 3, tzinfo=UTC)
LENIENT = Policy(Decimal(0), allow_unverified=True)
HOSTILE = "a\nPASS: all\r\u2028b\x1b[31m\u202e\ud800 c\x00"


OF_A_BASELINE = ("judge_model", "judge_prompt_digest", "fails_todays_facts", "lost", "changed", "pass_threshold")


def a_run(**changes: Any) -> RunRecord:
    run = RunRecord("now", RUN_AT, "ahu", "digest", 1, "ahu @ host", "host", "qwen", "prompt-1", "1")
    return replace(run, **changes)


def a_result(item_id: str = "a", outcome: str = "pass", text: str = "Pendiri WNI", score: float | None = None, **changes: Any) -> Result:
    """A result as the runner would store it: pass, fail (by the judge), broken (by a fact), error or skipped."""
    judged = {"pass": 0.9, "fail": 0.4, "broken": 0.9}.get(outcome) if score is None else score
    scores = (
        Score(
            "facts", 1.0, outcome != "broken", "says 'x'", evidence=(Evidence(EvidenceKind.FORBIDDEN, "x"),) if outcome == "broken" else ()
        ),
        Score("judge", judged, outcome != "fail", "the judge's reason"),
    )
    driven = outcome in ("pass", "fail", "broken")
    result = Result(
        run_id="now",
        item_id=item_id,
        surface="public",
        domain="",
        question="?",
        digest="d1",
        verified=True,
        status=Status.SCORED if driven else Status(outcome),
        judge_status=JudgeStatus.OK if driven else JudgeStatus.SKIPPED,
        passed=outcome == "pass" if driven else None,
        score=judged if driven else None,
        reason={"pass": "judge: right", "fail": "judge: wrong", "broken": "says 'x'"}.get(outcome, outcome),
        answer=Answer(text) if outcome != "skipped" else None,
        scores=scores if driven else (),
    )
    return replace(result, **changes)


def results_of(outcomes: dict[str, str], **changes: Any) -> list[Result]:
    return [a_result(item_id, outcome, **changes) for item_id, outcome in outcomes.items()]


def a_baseline(item_id: str = "a", outcome: str = "pass", run_id: str = "then", text: str = "before", **changes: Any) -> Baseline:
    """What an earlier run under the same judge says of an item; `changes` may name fields of the result or the baseline."""
    own: dict[str, Any] = {"judge_model": "qwen", "judge_prompt_digest": "prompt-1"}
    own |= {name: changes.pop(name) for name in OF_A_BASELINE if name in changes}
    result = a_result(item_id, outcome, text, run_id=run_id, **changes)
    return Baseline(result, **own)


def after(*baselines: Baseline, **changes: Any) -> Comparison:
    return Comparison({baseline.result.item_id: baseline for baseline in baselines}, **changes)


def decided(
    results: Sequence[Result], comparison: Comparison | None = None, policy: Policy = LENIENT, run: RunRecord | None = None
) -> Decision:
    return decide(run or a_run(), results, comparison or Comparison(), policy)


# --- 6.1 the pass rate ---


@pytest.mark.parametrize(
    ("passed", "scored", "limit", "expected"),
    [
        (*row, meets_limit)
        for row, meets_limit in zip(CASES[191]["input"]["pairs_passed_scored_limit"], CASES[191]["expect"]["meets"], strict=True)
    ],
)
def test_a_rate_equal_to_the_limit_passes_exactly(passed: int, scored: int, limit: float, expected: bool) -> None:  # case 191
    assert meets(passed, scored, Decimal(str(limit))) is expected
    results = [a_result(str(number), "pass" if number < passed else "fail") for number in range(scored)]
    outcome = decided(results, policy=Policy(Decimal(str(limit)))).outcome
    assert outcome is (Outcome.PASS if expected else Outcome.BLOCK)


def test_a_pass_rate_below_the_limit_blocks_and_the_display_agrees() -> None:  # case 193
    case = CASES[193]
    results = [a_result(str(number), "pass" if number < case["input"]["passed"] else "fail") for number in range(case["input"]["scored"])]
    decision = decided(results, policy=Policy(Decimal("0.8")))
    assert (decision.outcome, decision.exit_code) == (Outcome.BLOCK, 1)
    assert case["expect"]["display"] in decision.line
    assert decision.reasons == ("pass rate 79.7 % (47/59) < 80 %, 59 of 59 driven items scored",)
    assert round(float(decision.totals.pass_rate or 0), 4) == case["expect"]["pass_rate"]


@pytest.mark.parametrize("failures", [256, 512, 255, 1])
def test_the_exit_code_is_not_a_count(failures: int) -> None:  # case 207
    decision = decided([a_result(str(number), "fail") for number in range(failures)], policy=Policy())
    assert decision.exit_code == 1
    low, high = CASES[207]["expect"]["exit_code_range"]
    assert low <= decision.exit_code <= high


def test_errors_and_skips_are_not_in_the_denominator() -> None:
    decision = decided(results_of({"a": "pass", "b": "error", "c": "skipped", "d": "fail"}))
    totals = decision.totals
    assert (totals.items, totals.driven, totals.scored, totals.passed, totals.failed, totals.errors, totals.skipped) == (
        4,
        3,
        2,
        1,
        1,
        1,
        1,
    )
    assert totals.pass_rate == Fraction(1, 2)


def test_a_broken_fact_counts_though_the_judge_was_down() -> None:  # judge.jsonl, case 87
    down, up = Score("judge", None, None, "judge error: HTTP 503"), Score("judge", 0.9, True, "right")
    facts = check_facts(Expected(must_not_include=("wajib akta notaris",)), "Anda wajib akta notaris.")
    outcomes = {"a": conclude(facts, down), "b": conclude(None, up)}
    results = [
        a_result(item_id, status=outcome.status, judge_status=outcome.judge_status, passed=outcome.passed, score=outcome.score)
        for item_id, outcome in outcomes.items()
    ]
    decision = decided(results, policy=Policy(Decimal("0.8")))
    assert (decision.totals.scored, decision.totals.passed, decision.totals.pass_rate) == (2, 1, Fraction(1, 2))
    assert decision.exit_code == 1


@pytest.mark.parametrize(
    ("rate", "limit", "shown"),
    [
        (Fraction(47, 59), "0.8", "79.7 %"),
        (Fraction(4, 5), "0.8", "80 %"),
        (Fraction(79999, 100000), "0.8", "79.999 %"),
        (Fraction(80001, 100000), "0.8", "80.001 %"),
        (Fraction(79985, 100000), "0.7999", "79.98 %"),
        (Fraction(13, 16), "0.8125", "81.25 %"),
        (Fraction(1, 3), None, "33.3 %"),
        (Fraction(9999, 10000), None, "99.99 %"),
        (Fraction(1, 10000), None, "0.01 %"),
        (Fraction(0), "0.8", "0 %"),
        (Fraction(1), "1", "100 %"),
        (Fraction(1, 100), None, "1 %"),
    ],
)
def test_a_rate_is_shown_on_its_side_of_the_limit(rate: Fraction, limit: str | None, shown: str) -> None:
    assert percent(rate, Decimal(limit) if limit is not None else None) == shown


@given(st.integers(0, 3000), st.integers(1, 3000), st.decimals(0, 1, places=6))
def test_display_never_contradicts_the_verdict(passed: int, scored: int, limit: Decimal) -> None:
    passed = min(passed, scored)
    rate = Fraction(passed, scored)
    shown, bar = (Fraction(percent(value, limit).removesuffix(" %")) / 100 for value in (rate, Fraction(limit)))
    assert bar == Fraction(limit)
    assert (shown < bar) == (rate < Fraction(limit))
    assert (shown == bar) == (rate == Fraction(limit))
    assert (shown == 1) == (passed == scored)
    assert (shown == 0) == (passed == 0)


# --- 6.2 regressions ---


def test_broken_replies_count_as_failed_and_are_told_apart_in_the_line() -> None:
    """They were not counted, so that breakage raised the pass rate (contract 9.6)."""
    broken = [a_result(name, "fail", word="broken reply") for name in ("b", "c")]
    blocked = decided([a_result(name) for name in "adef"] + broken, policy=Policy())
    assert blocked.line.startswith("BLOCK: pass rate 66.7 % (4/6) < 80 %")
    assert "; 2 broken replies, counted as failed: b, c" in blocked.line
    passed = decided([a_result(name) for name in "adefghijk"] + broken[:1])
    assert passed.line.startswith("PASS: 9 of 10")
    assert "; 1 broken reply, counted as failed: b" in passed.line


def test_a_verified_item_that_passed_before_and_fails_now_blocks() -> None:
    decision = decided([a_result("a", "broken"), a_result("b")], after(a_baseline("a"), a_baseline("b")))
    assert (decision.outcome, decision.reasons) == (Outcome.BLOCK, ("1 verified item regressed: a",))
    (regression,) = decision.regressions
    assert (regression.item_id, regression.flip, regression.gates, regression.baseline_run_id) == ("a", Flip.REGRESSED, True, "then")
    assert regression.note == "says 'x'"


def test_a_filtered_run_in_between_keeps_the_baseline() -> None:  # case 195
    case = CASES[195]
    comparison = after(a_baseline("a", run_id="r2"), a_baseline("b", run_id="r1"))
    decision = decided(results_of(case["input"]["runs"][2]["results"]), comparison)
    assert [regression.item_id for regression in decision.regressions] == case["expect"]["regressed_in_r3"]
    assert decision.regressions[0].baseline_run_id == case["expect"]["baseline_of_b"]


def test_an_unverified_item_regresses_in_the_open_and_never_gates() -> None:
    decision = decided([a_result("a", "broken", verified=False)], after(a_baseline("a")))
    assert decision.outcome is Outcome.PASS
    assert [(regression.flip, regression.gates) for regression in decision.regressions] == [(Flip.UNVERIFIED, False)]


@pytest.mark.parametrize("outcome", ["error", "skipped"])
def test_an_item_that_was_not_scored_is_no_regression(outcome: str) -> None:
    decision = decided([a_result("a", outcome), a_result("b")], after(a_baseline("a")))
    assert (decision.outcome, decision.regressions) == (Outcome.PASS, ())


@pytest.mark.parametrize(("then", "now"), [("fail", "fail"), ("fail", "pass"), ("pass", "pass"), ("broken", "fail")])
def test_only_a_pass_that_became_a_fail_is_a_regression(then: str, now: str) -> None:
    assert decided([a_result("a", now)], after(a_baseline("a", then))).regressions == ()


def test_an_item_without_a_baseline_is_no_regression() -> None:
    assert decided([a_result("a", "fail")], after(a_baseline("b"))).regressions == ()


def test_a_corrected_question_does_not_reset_the_history() -> None:  # case 203: history hangs on the id
    runs = CASES[203]["input"]["runs"]
    comparison = after(a_baseline("a", run_id=runs[0]["run"], question=runs[0]["question"]))
    decision = decided([a_result("a", "fail", question=runs[1]["question"])], comparison)
    assert [regression.item_id for regression in decision.regressions] == CASES[203]["expect"]["regressed_in_r2"]
    assert decision.exit_code == 1


def test_a_flip_of_the_judge_alone_on_the_same_answer_says_so() -> None:  # judge.jsonl, case 83
    now, then = a_result("a", "fail", "Biaya Rp50.000", 0.68), a_baseline("a", "pass", text="Biaya Rp50.000", score=0.72)
    decision = decided([now], after(then))
    assert decision.exit_code == 1
    assert decision.regressions[0].note == "answer text unchanged, only the judge's score moved 0.72 -> 0.68; judge: wrong"


@pytest.mark.parametrize(
    ("now", "then", "note"),
    [
        ({"score": 0.9}, {"score": 0.9}, "answer text unchanged, only the judge's verdict changed; judge: wrong"),
        ({"score": 0.6999}, {"score": 0.7}, "answer text unchanged, only the judge's score moved 0.7 -> 0.6999; judge: wrong"),
        ({"score": 0}, {"score": 1}, "answer text unchanged, only the judge's score moved 1 -> 0; judge: wrong"),
        ({"digest": "d2"}, {}, "answer text unchanged, the contract changed and the judge's score moved 0.9 -> 0.4; judge: wrong"),
        ({"text": "lain"}, {}, "judge: wrong"),
    ],
)
def test_the_note_says_what_moved(now: dict[str, Any], then: dict[str, Any], note: str) -> None:
    decision = decided([a_result("a", "fail", **now)], after(a_baseline("a", **{"text": "Pendiri WNI"} | then)))
    assert decision.regressions[0].note == note


def test_a_broken_fact_on_the_same_answer_is_not_put_down_to_the_judge() -> None:
    decision = decided([a_result("a", "broken")], after(a_baseline("a", text="Pendiri WNI")))
    assert decision.regressions[0].note == "answer text unchanged; says 'x'"


# --- 6.3 unverified items, partial runs ---


def test_an_unverified_item_blocks_without_acknowledgement() -> None:
    results = [a_result("a"), a_result("b", verified=False)]
    decision = decided(results, policy=Policy(Decimal(0)))
    assert (decision.outcome, decision.unverified) == (Outcome.BLOCK, ("b",))
    assert decision.reasons == ("1 of 2 items not verified by an expert (b); --allow-unverified acknowledges that",)
    assert decided(results, policy=LENIENT).outcome is Outcome.PASS


@pytest.mark.parametrize("outcome", ["error", "skipped"])
def test_an_unverified_item_blocks_even_when_it_was_not_scored(outcome: str) -> None:
    assert decided([a_result("a"), a_result("b", outcome, verified=False)], policy=Policy(Decimal(0))).outcome is Outcome.BLOCK


def test_an_acknowledged_unverified_item_is_said_to_prove_nothing() -> None:
    line = decided([a_result("a"), a_result("b", verified=False)]).line
    assert line.endswith("[not a quality verdict: 1 of 2 items unverified]")


def test_many_ids_are_named_in_part() -> None:
    results = [a_result(f"i{number}", "broken", verified=number >= 7) for number in range(40)]
    decision = decided(results, after(*(a_baseline(f"i{number}") for number in range(40))), Policy(Decimal(0)))
    regressed, unverified = decision.reasons
    assert regressed.startswith("33 verified items regressed: i7, i8")
    assert regressed.endswith("i26 and 13 more")
    assert "(i0, i1, i2, i3, i4 and 2 more)" in unverified
    assert len(decision.regressions) == 40


@pytest.mark.parametrize(("outcome", "says"), [("pass", "PASS"), ("fail", "BLOCK"), ("error", "ERROR")])
def test_a_partial_run_says_so_in_its_line(outcome: str, says: str) -> None:
    decision = decided([a_result("a", outcome)], policy=Policy(), run=a_run(selection="--select 'pt-*'"))
    assert decision.line.startswith(f"{says} (partial run: --select 'pt-*'): ")


# --- 6.4 nothing scored, too little scored ---


@pytest.mark.parametrize("number", [187, 189])
def test_a_run_in_which_nothing_was_scored_is_an_error(number: int) -> None:
    results = results_of(CASES[number]["input"]["results"])
    decision = decided(results, policy=Policy(Decimal("0.8")))
    assert (decision.outcome, decision.exit_code, decision.totals.pass_rate) == (Outcome.ERROR, 3, None)
    assert decision.reasons[0].startswith("nothing was scored: ")
    assert " %" not in decision.line
    assert decision.notes == ("no items compared: nothing was scored",)


def test_nothing_scored_is_an_error_though_every_limit_is_zero() -> None:
    decision = decided([a_result("a", "error")])
    assert (decision.outcome, decision.reasons) == (Outcome.ERROR, ("nothing was scored: 1 error and 0 skipped of 1 item",))


def test_a_run_without_items_is_an_error() -> None:
    decision = decided([])
    assert (decision.outcome, decision.reasons, decision.notes) == (Outcome.ERROR, ("the run has no items",), ())


def test_too_few_scored_items_are_an_error() -> None:
    results = results_of({"a": "pass", "b": "error", "c": "error", "d": "skipped"})
    decision = decided(results, policy=Policy(Decimal(0), Decimal("0.5")))
    assert (decision.outcome, decision.reasons) == (Outcome.ERROR, ("only 1 of 3 driven items scored, 1 skipped (33.3 % < 50 %)",))


def test_a_scored_rate_equal_to_its_limit_is_no_error() -> None:
    assert decided(results_of({"a": "pass", "b": "error"}), policy=Policy(Decimal(0), Decimal("0.5"))).outcome is Outcome.PASS


def test_the_scored_rate_is_off_by_default() -> None:
    assert decided(results_of({"a": "pass"} | {str(number): "error" for number in range(99)}), policy=Policy()).outcome is Outcome.PASS


def test_how_many_were_scored_stands_beside_every_pass_rate() -> None:
    passing, failing = results_of({"a": "pass", "b": "error"}), results_of({"a": "fail", "b": "error"})
    for results in (passing, failing):
        assert "1 of 2 driven items scored" in decided(results, policy=Policy()).line


def test_error_wins_over_block_and_every_reason_is_kept() -> None:
    results = [a_result("a", "broken"), a_result("b", "error", verified=False), a_result("c", "error")]
    decision = decided(results, after(a_baseline("a")), Policy(Decimal("0.8"), Decimal("0.9")))
    assert (decision.outcome, decision.exit_code) == (Outcome.ERROR, 3)
    assert [reason.split()[0] for reason in decision.reasons] == ["only", "pass", "1", "1"]
    assert all(reason in decision.line for reason in decision.reasons)


def test_a_run_whose_store_cannot_be_used_is_an_error_in_one_line() -> None:
    decision = decide_without_results(a_run(selection="--split dev", set_size=3), "golden.db: disk full;\nfree some space", ["a"])
    assert (decision.outcome, decision.exit_code, decision.reasons) == (Outcome.ERROR, 3, ("golden.db: disk full; free some space",))
    assert decision.line == (
        "ERROR (partial run: --split dev): golden.db: disk full; free some space [not a quality verdict: 1 of 3 items unverified]"
    )
    assert (decision.totals, decision.unverified) == (Totals(3, driven=0, scored=0, passed=0, errors=0, skipped=0), ("a",))


# --- 6.5 comparability ---


def test_a_changed_contract_that_the_old_answer_fails_too_is_no_regression() -> None:
    decision = decided([a_result("a", "broken", digest="d2")], after(a_baseline("a", fails_todays_facts=True)))
    assert (decision.outcome, decision.regressions[0].flip) == (Outcome.PASS, Flip.CONTRACT_CHANGED)
    assert decision.regressions[0].note == "the contract changed: the baseline's answer fails it too; says 'x'"


def test_a_changed_contract_that_the_old_answer_keeps_is_a_regression() -> None:
    decision = decided([a_result("a", "broken", digest="d2")], after(a_baseline("a")))
    assert (decision.outcome, decision.regressions[0].flip) == (Outcome.BLOCK, Flip.REGRESSED)


def test_the_same_contract_cannot_have_changed() -> None:
    assert decided([a_result("a", "broken")], after(a_baseline("a", fails_todays_facts=True))).outcome is Outcome.BLOCK


@pytest.mark.parametrize("change", [{"judge_model": "llama"}, {"judge_prompt_digest": "prompt-0"}])
def test_a_flip_by_another_judge_alone_does_not_gate(change: dict[str, str]) -> None:
    decision = decided([a_result("a", "fail")], after(a_baseline("a", **change)))
    assert (decision.outcome, decision.regressions[0].flip) == (Outcome.PASS, Flip.JUDGE_CHANGED)
    assert decision.regressions[0].note == "the facts agree; the judge model or prompt differs from the baseline's; judge: wrong"


def test_another_judge_does_not_excuse_a_broken_fact() -> None:
    decision = decided([a_result("a", "broken")], after(a_baseline("a", judge_model="llama")))
    assert (decision.outcome, decision.regressions[0].flip) == (Outcome.BLOCK, Flip.REGRESSED)


def test_another_judge_does_not_excuse_what_any_other_scorer_found() -> None:
    silent = Score("facts", 0.0, False, "the answer is empty")  # no phrase to name
    decision = decided([a_result("a", "fail", scores=(silent,))], after(a_baseline("a", judge_model="llama")))
    assert decision.regressions[0].flip is Flip.REGRESSED


def test_a_score_that_does_not_gate_leaves_the_flip_to_the_judge() -> None:
    scores = (Score("length", 0.1, False, "long", gates=False), Score("judge", 0.4, False, "wrong"))
    decision = decided([a_result("a", "fail", scores=scores)], after(a_baseline("a", judge_model="llama")))
    assert decision.regressions[0].flip is Flip.JUDGE_CHANGED


def test_another_judge_excuses_what_a_judge_decided_whatever_the_axis() -> None:
    grounded = Score("groundedness", 0.1, False, "not grounded", by_judge=True)
    decision = decided([a_result("a", "fail", scores=(grounded,))], after(a_baseline("a", judge_model="llama")))
    assert decision.regressions[0].flip is Flip.JUDGE_CHANGED


def test_what_was_lost_of_both_contracts_is_a_regression_whatever_else_changed() -> None:  # fd-008
    then = a_baseline("a", fails_todays_facts=True, lost=("'Rp200.000'",), changed=("phrases",))
    decision = decided([a_result("a", "broken", digest="d2")], after(then))
    assert (decision.outcome, decision.regressions[0].flip) == (Outcome.BLOCK, Flip.REGRESSED)
    assert "in both contracts, and met by the baseline's answer: 'Rp200.000'" in decision.regressions[0].note


@pytest.mark.parametrize(
    ("outcome", "change"),
    [
        ("fail", {}),
        ("broken", {"fails_todays_facts": True}),
        ("fail", {"judge_model": "llama"}),
    ],
)
def test_every_flip_says_what_changed_in_the_contract(outcome: str, change: dict[str, Any]) -> None:  # fd-009
    then = a_baseline("a", changed=("question", "rubric"), **change)
    (regression,) = decided([a_result("a", outcome, digest="d2")], after(then)).regressions
    assert "the question and rubric changed since the baseline" in regression.note


@pytest.mark.parametrize(
    ("then", "now", "said"),
    [
        ("0.7", "0.9", "the threshold was raised from 0.7 to 0.9; answer text and score unchanged; judge: wrong"),
        ("0.9", "0.7", "the threshold was lowered from 0.9 to 0.7; answer text and score unchanged; judge: wrong"),
        ("0.7", "0.70", "answer text unchanged, only the judge's verdict changed; judge: wrong"),
    ],
)
def test_a_threshold_that_moved_is_said_and_excuses_nothing(then: str, now: str, said: str) -> None:  # fd-010
    baseline = a_baseline("a", text="sama", score=0.8, pass_threshold=Decimal(then))
    run = a_run(settings={"golden_pass_threshold": now})
    decision = decided([a_result("a", "fail", "sama", score=0.8)], after(baseline), run=run)
    assert (decision.outcome, decision.regressions[0].note) == (Outcome.BLOCK, said)


# --- 6.2a regressions that stand ---


HOLDING = Policy(Decimal(0), allow_unverified=True, hold_regressions=True)


def stood(*item_ids: str, since: str = "r2", failed: str = "broken", **changes: Any) -> Comparison:
    """What the store says of items that passed in r1 and failed from `since` on; `changes` are those of the last pass."""
    return Comparison(
        baselines={item_id: a_baseline(item_id, failed, run_id=since) for item_id in item_ids},
        failing_since=dict.fromkeys(item_ids, since),
        last_passes={item_id: a_baseline(item_id, run_id="r1", **changes) for item_id in item_ids},
    )


def test_a_regression_that_is_held_blocks_until_it_passes_again() -> None:  # fd-005
    decision = decided([a_result("a", "broken"), a_result("b")], stood("a"), HOLDING)
    assert decision.outcome is Outcome.BLOCK
    assert decision.reasons == ("1 verified item held until repaired or accepted: a still failing since r2",)
    assert [(item.item_id, item.since, item.passed_in, item.gates) for item in decision.standing] == [("a", "r2", "r1", True)]
    assert decided([a_result("a"), a_result("b")], stood("a"), HOLDING).outcome is Outcome.PASS


def test_a_regression_that_is_not_held_is_named_in_the_line() -> None:  # fd-006
    decision = decided([a_result("a", "broken"), a_result("b")], stood("a"))
    assert (decision.outcome, decision.reasons) == (Outcome.PASS, ())
    assert decision.line.endswith(", 2 of 2 driven items scored; 1 verified item still failing since r2: a")


def test_regressions_of_several_runs_are_named_each_with_its_own() -> None:
    both = replace(stood("a", "b"), failing_since={"a": "r2", "b": "r3"})
    line = decided(results_of({"a": "broken", "b": "fail"}), both).line
    assert line.endswith("; 2 verified items still failing since they regressed: a since r2, b since r3")


def test_many_regressions_that_stand_are_named_in_part() -> None:
    names = [f"i{number}" for number in range(30)]
    for policy in (LENIENT, HOLDING):
        assert "and 10 more" in decided(results_of(dict.fromkeys(names, "broken")), stood(*names), policy).line


@pytest.mark.parametrize("outcome", ["error", "skipped"])
def test_an_item_that_was_not_scored_has_not_passed_again(outcome: str) -> None:
    results = [a_result("a", outcome), a_result("b")]
    held = decided(results, stood("a"), HOLDING)
    assert held.reasons == ("1 verified item held until repaired or accepted: a failing since r2, not scored now",)
    assert "; 1 verified item failing before, and not scored now: a since r2" in decided(results, stood("a")).line


def test_an_item_that_never_passed_is_not_held() -> None:
    never = replace(stood("a"), last_passes={})
    assert decided([a_result("a", "broken")], never, HOLDING).outcome is Outcome.PASS


def test_an_unverified_item_is_not_held_and_one_that_was_verified_since_is() -> None:
    assert decided([a_result("a", "broken", verified=False)], stood("a"), HOLDING).outcome is Outcome.PASS
    since_verified = stood("a", verified=False)
    assert decided([a_result("a", "broken")], since_verified, HOLDING).outcome is Outcome.BLOCK


@pytest.mark.parametrize(
    ("outcome", "change", "flip"),
    [
        ("fail", {"judge_model": "llama"}, "judge changed"),
        ("broken", {"fails_todays_facts": True, "digest": "d0"}, "contract changed"),
    ],
)
def test_a_flip_that_was_excused_is_not_held_and_says_why(outcome: str, change: dict[str, Any], flip: str) -> None:
    decision = decided([a_result("a", outcome)], stood("a", failed=outcome, **change), HOLDING)
    assert (decision.outcome, decision.standing[0].flip) == (Outcome.PASS, flip)
    assert f"a: still failing since r2 ({flip})" in decision.notes
    assert "still failing" not in decision.line


def test_what_comes_to_an_excused_flip_is_held() -> None:
    """The judge changed and failed it; since then a fact is broken that held when the item passed last."""
    decision = decided([a_result("a", "broken")], stood("a", failed="fail", judge_model="llama"), HOLDING)
    assert (decision.outcome, decision.standing[0].flip) == (Outcome.BLOCK, Flip.REGRESSED)


def test_a_regression_that_somebody_accepted_blocks_no_more() -> None:
    accepted = replace(stood("a"), accepted={"a"})
    decision = decided([a_result("a", "broken")], accepted, HOLDING)
    assert decision.outcome is Outcome.PASS
    assert "a: still failing since r2 (accepted)" in decision.notes
    assert "still failing" not in decision.line
    again = decided([a_result("a", "broken")], replace(after(a_baseline("a")), accepted={"a"}), HOLDING)
    assert [(regression.flip, regression.gates) for regression in again.regressions] == [(Flip.ACCEPTED, False)]


# --- a fault of goldenlib itself ---


def test_a_fault_of_our_own_at_a_verified_item_is_never_green() -> None:  # field/security 1
    faulty = a_result("a", "error", fault=True, reason="internal error: KeyError: 'x'")
    decision = decided([faulty, a_result("b")], after(a_baseline("b")))
    assert decision.outcome is Outcome.ERROR
    assert decision.reasons == ("1 verified item not examined, by a fault of goldenlib itself: a (internal error: KeyError: 'x')",)
    assert decided([replace(faulty, verified=False), a_result("b")], after(a_baseline("b"))).outcome is Outcome.PASS


# --- 6.6, 6.7 line, notes, exit codes ---


@pytest.mark.parametrize(("outcome", "code"), [(Outcome.PASS, 0), (Outcome.BLOCK, 1), (Outcome.ERROR, 3)])
def test_exit_codes(outcome: Outcome, code: int) -> None:
    assert outcome.exit_code == code


def test_the_line_of_a_pass_gives_the_counts() -> None:
    decision = decided(results_of({"a": "pass", "b": "pass"}), after(a_baseline("a")))
    assert decision.line == "PASS: 2 of 2 scored items passed (100 %), 2 of 2 driven items scored"


def test_a_pass_that_compared_nothing_says_so_in_its_line() -> None:  # field/ci-owner C: an evicted store looked like any other
    line = decided(results_of({"a": "pass", "b": "pass"})).line
    assert line == "PASS: 2 of 2 scored items passed (100 %), 2 of 2 driven items scored; 0 of 2 items compared: no earlier results"


def test_a_pass_of_a_part_of_what_was_driven_says_but_only() -> None:  # field/ci-owner A7
    results = results_of({"a": "pass", "b": "error", "c": "error"})
    line = decided(results, after(a_baseline("a"))).line
    assert line == "PASS: 1 of 1 scored item passed (100 %), but only 1 of 3 driven items scored"


def test_demo_and_missing_judge_are_named_in_the_line() -> None:
    run = a_run(is_demo=True, judge_model=None)
    assert decided([a_result("a")], run=run).line.endswith(" [demo run; nothing was judged]")


def test_nothing_in_an_id_or_selection_breaks_the_line() -> None:
    results = [a_result(HOSTILE, "broken"), a_result(f"{HOSTILE} 2", verified=False)]
    comparison = after(a_baseline(HOSTILE), failing_since={}, vanished={HOSTILE: HOSTILE})
    run = a_run(selection=HOSTILE)
    decision = decide(run, results, comparison, Policy())
    for text in (decision.line, *decision.reasons, *decision.notes):
        assert text.isprintable()
    assert decision.line.startswith(f"{line_head(run, Outcome.BLOCK)}: ")
    assert all(reason in decision.line for reason in decision.reasons)
    assert "\\x1b[31m" in decision.line


def test_a_standing_failure_is_listed() -> None:  # case 197
    case = CASES[197]
    decision = decided([a_result("a", "fail")], after(a_baseline("a", "fail", run_id="r2"), failing_since={"a": "r2"}))
    assert [regression.item_id for regression in decision.regressions] == case["expect"]["regressed_in_r3"]
    assert case["expect"]["report_r3"] in decision.notes


def test_an_item_that_passes_again_is_no_standing_failure() -> None:
    notes = decided([a_result("a")], after(a_baseline("a", "fail"), failing_since={"a": "r2"})).notes
    assert not any("still failing" in note for note in notes)


def test_a_run_without_history_says_that_nothing_was_compared() -> None:  # case 199
    decision = decided([a_result("a", "fail")])
    assert (decision.compared, decision.notes) == (0, (CASES[199]["expect"]["report"],))


def test_compared_items_are_counted() -> None:
    decision = decided(results_of({"a": "pass", "b": "pass", "c": "error"}), after(a_baseline("a"), a_baseline("c")))
    assert (decision.compared, decision.notes) == (1, ("1 of 2 scored items compared with earlier results",))


def test_an_item_that_left_the_set_has_a_line_of_its_own() -> None:  # case 209
    decision = decided([a_result("a")], after(a_baseline("a"), vanished={"b": "r1"}))
    assert CASES[209]["expect"]["report_r2"] in decision.notes


def test_new_failing_and_newly_passing_items_are_named() -> None:  # fd-011
    decision = decided(results_of({"a": "fail", "b": "pass", "c": "pass"}), after(a_baseline("b", "fail"), a_baseline("c")))
    assert decision.notes[1:] == ("a: new, failing", "b: newly passing")


@pytest.mark.parametrize(
    ("scored", "limit", "said"),
    [
        (4, "0.9", "with 4 scored items 90 % means all of them"),
        (1, "0.5", "with 1 scored item 50 % means all of them"),
        (4, "0.75", None),
        (10, "0.9", None),
        (4, "1", None),
        (4, "0", None),
    ],
)
def test_a_limit_that_allows_no_failure_is_said(scored: int, limit: str, said: str | None) -> None:  # fd-012
    results = results_of({str(number): "pass" for number in range(scored)})
    notes = decided(results, after(*(a_baseline(str(number)) for number in range(scored))), Policy(Decimal(limit))).notes
    assert [note for note in notes if "means all" in note] == ([said] if said else [])


def test_verdicts_that_changed_on_identical_answers_are_counted() -> None:  # case 205
    case = CASES[205]["input"]
    ids = [str(number) for number in range(case["items"])]
    results = [a_result(item_id, "fail" if number < case["flips"] else "pass", "sama") for number, item_id in enumerate(ids)]
    decision = decided(results, after(*(a_baseline(item_id, text="sama") for item_id in ids)))
    assert CASES[205]["expect"]["report"] in decision.notes


@pytest.mark.parametrize("change", [{"text": "lain"}, {"digest": "d2"}, {"answer": None}])
def test_other_answers_or_contracts_are_not_counted_as_wobble(change: dict[str, Any]) -> None:
    notes = decided([a_result("a", "fail", "sama")], after(a_baseline("a", **{"text": "sama"} | change))).notes
    assert not any("identical" in note for note in notes)


def test_a_verdict_that_got_better_on_an_identical_answer_is_counted_too() -> None:
    notes = decided([a_result("a", "pass", "sama")], after(a_baseline("a", "fail", text="sama"))).notes
    assert "1 of 1 verdicts changed on identical answers" in notes


def test_every_case_of_the_gate_is_tested() -> None:
    tested = {187, 189, 191, 193, 195, 197, 199, 203, 205, 207, 209}
    assert set(CASES) == tested | {201}  # 201 is about loading


def test_a_policy_takes_its_limits_from_the_settings() -> None:
    settings = Settings(golden_min_pass_rate="0.9", golden_min_scored_rate="0.5", golden_hold_regressions=True)  # type: ignore[arg-type]  # read from text
    assert Policy.from_settings(settings, allow_unverified=True) == Policy(Decimal("0.9"), Decimal("0.5"), True, True)


# --- properties ---

ids = st.text(min_size=1, max_size=8)
outcomes = st.sampled_from(["pass", "fail", "broken", "error", "skipped"])
rates = st.sampled_from(["0", "0.2", "0.5", "0.8", "1"]).map(Decimal)
policies = st.builds(Policy, rates, rates, st.booleans())
runs = st.builds(
    a_run, selection=st.one_of(st.just(""), st.text(max_size=8)), is_demo=st.booleans(), judge_model=st.sampled_from(["qwen", None])
)


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[Result], Comparison]:
    names = draw(st.lists(ids, unique=True, max_size=8))
    texts, digests = st.sampled_from(["x", "y"]), st.sampled_from(["d1", "d2"])
    results = [a_result(name, draw(outcomes), draw(texts), verified=draw(st.booleans()), digest=draw(digests)) for name in names]
    scored = st.sampled_from(["pass", "fail", "broken"])
    baselines = [a_baseline(name, draw(scored), text="x", fails_todays_facts=draw(st.booleans())) for name in names if draw(st.booleans())]
    return results, after(*baselines, vanished=dict.fromkeys(draw(st.lists(ids, max_size=2)), "then"))


@given(histories(), policies, runs)
def test_a_pass_is_earned(history: tuple[list[Result], Comparison], policy: Policy, run: RunRecord) -> None:
    results, comparison = history
    decision = decide(run, results, comparison, policy)
    if decision.outcome is Outcome.PASS:
        assert decision.totals.scored > 0
        assert Fraction(decision.totals.passed, decision.totals.scored) >= Fraction(policy.min_pass_rate)
        assert Fraction(decision.totals.scored, decision.totals.driven) >= Fraction(policy.min_scored_rate)
        assert not any(regression.gates for regression in decision.regressions)
        assert policy.allow_unverified or all(result.verified for result in results)
        assert decision.reasons == ()
    else:
        assert decision.reasons


@given(histories(), policies, runs)
def test_the_line_says_all_in_one_line(history: tuple[list[Result], Comparison], policy: Policy, run: RunRecord) -> None:
    decision = decide(run, *history, policy)
    assert decision.exit_code == {"PASS": 0, "BLOCK": 1, "ERROR": 3}[decision.outcome]
    assert decision.line.startswith(str(decision.outcome))
    assert decision.line.isprintable()
    assert all(reason in decision.line for reason in decision.reasons)
    assert ("partial run" in decision.line) or not run.selection


@given(histories(), policies)
def test_only_verified_items_that_flipped_gate(history: tuple[list[Result], Comparison], policy: Policy) -> None:
    results, comparison = history
    by_id = {result.item_id: result for result in results}
    for regression in decide(a_run(), results, comparison, policy).regressions:
        now, then = by_id[regression.item_id], comparison.baselines[regression.item_id].result
        assert (now.is_scored, now.passed, then.is_scored, then.passed) == (True, False, True, True)
        assert now.verified or not regression.gates


@given(histories(), policies)
def test_the_counts_add_up(history: tuple[list[Result], Comparison], policy: Policy) -> None:
    totals = decide(a_run(), *history, policy).totals
    assert totals.items == totals.driven + totals.skipped
    assert totals.driven == totals.scored + totals.errors
    assert totals.scored == totals.passed + totals.failed
