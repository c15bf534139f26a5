"""The scorer `result`: a comparison of results as a score of the item."""

from __future__ import annotations

from goldenlib.answers import Score
from goldenlib.matching.differences import MatchOutcome, ResultMatch

AXIS = "result"
_PASSED = {MatchOutcome.MATCH: True, MatchOutcome.MISMATCH: False, MatchOutcome.UNDECIDED: None}


def score_result(match: ResultMatch) -> Score:
    """Return the gating score of a comparison: 1 for a match, 0 for a mismatch, and neither passed nor failed when undecided."""
    passed = _PASSED[match.outcome]
    return Score(AXIS, None if passed is None else float(passed), passed, match.reason)
