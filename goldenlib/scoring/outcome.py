"""The outcome of an item: fact gate and judge together (contract 4.6, 4.7).

Rule: a violated fact gate is a definite fail; anything else needs the judge; what is missing is an error, never a guess. An error
message passes nothing by being silent of what is forbidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from goldenlib.answers import EvidenceKind, JudgeStatus, Score, Status

INTERNAL_SKIPPED = "internal items skipped (drive not wired)"
NOTHING_TO_CHECK_WITHOUT_JUDGE = "skipped: the item has only a rubric, and the judge is off"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an item came to. `word` is that in the words of the item's own scorer, where it has some.

    `fault` says that a shortcoming of goldenlib decided it: at a verified item that is never green (contract 6.4).
    """

    status: Status
    judge_status: JudgeStatus
    passed: bool | None
    score: float | None
    reason: str
    word: str = ""
    fault: bool = False


def conclude(facts: Score | None, judge: Score | None, mishap: Score | None = None) -> Outcome:
    """Return the outcome of a complete answer. `judge` is None when the run has no judge, `mishap` where it looks like an answer.

    passed = no violation and the judge passed it (which includes the threshold). A violation decides whatever became of
    the judge; without one, a judge without verdict makes the item an error. What looks like an error message is one too, where
    neither a judge nor a required phrase speaks for it.
    """
    scores = [score for score in (facts, judge, mishap) if score is not None]
    return remarked(_concluded(facts, judge, mishap), scores)


def remarked(outcome: Outcome, scores: Sequence[Score]) -> Outcome:
    """Return the outcome with the remarks of its scores in the reason, where they are not in it yet."""
    remarks = [remark for score in scores for remark in score.remarks if remark not in outcome.reason]
    return replace(outcome, reason=" · ".join((outcome.reason, *remarks))) if remarks else outcome


def _concluded(facts: Score | None, judge: Score | None, mishap: Score | None) -> Outcome:
    if judge is None:
        if facts is None:
            return Outcome(Status.SKIPPED, JudgeStatus.SKIPPED, None, None, NOTHING_TO_CHECK_WITHOUT_JUDGE)
        if mishap is not None and facts.passed and not any(part.kind is EvidenceKind.PRESENT for part in facts.evidence):
            return Outcome(Status.ERROR, JudgeStatus.SKIPPED, None, None, mishap.reason)
        return Outcome(Status.SCORED, JudgeStatus.SKIPPED, facts.passed, None, f"{facts.reason}; not judged")
    judge_status = JudgeStatus.ERROR if judge.passed is None else JudgeStatus.OK
    if facts is not None and not facts.passed:
        return Outcome(Status.SCORED, judge_status, False, judge.value, f"{facts.reason} · {_said(judge)}")
    if judge.passed is None:
        return Outcome(Status.ERROR, judge_status, None, None, judge.reason)
    reason = _said(judge) if facts is None or not judge.passed else facts.reason
    return Outcome(Status.SCORED, judge_status, judge.passed, judge.value, reason)


def undriven(reason: str) -> Outcome:
    """Return the outcome of an item that was not driven."""
    return Outcome(Status.SKIPPED, JudgeStatus.SKIPPED, None, None, reason)


def failed_drive(error: str) -> Outcome:
    """Return the outcome of an item whose answer did not come; it is not judged and not counted."""
    return Outcome(Status.ERROR, JudgeStatus.SKIPPED, None, None, error)


def _said(judge: Score) -> str:
    return judge.reason if judge.passed is None else f"judge: {judge.reason}"
