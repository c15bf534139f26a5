"""The scorer `result`."""

from __future__ import annotations

import pytest

from goldenlib.matching import MatchOutcome, ResultMatch, score_result


@pytest.mark.parametrize(
    ("outcome", "value", "passed"),
    [(MatchOutcome.MATCH, 1.0, True), (MatchOutcome.MISMATCH, 0.0, False), (MatchOutcome.UNDECIDED, None, None)],
)
def test_an_outcome_is_a_gating_score(outcome: MatchOutcome, value: float | None, passed: bool | None) -> None:
    score = score_result(ResultMatch(outcome, "the reason", 1, 1))
    assert (score.axis, score.value, score.passed, score.reason, score.gates) == ("result", value, passed, "the reason", True)


def test_only_a_match_is_true() -> None:
    assert [bool(ResultMatch(outcome, "", 1, 1)) for outcome in MatchOutcome] == [True, False, False]
