"""The outcome of an item: what all its scores come to (contract 4.6, 4.7).

Rule: a definite fail decides; anything else needs every scorer that gates; what is missing is an error, never a guess. An error
message passes nothing by being silent of what is forbidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from goldenlib.answers import EvidenceKind, JudgeStatus, Score, Status

INTERNAL_SKIPPED = "internal items skipped (drive not wired)"
NOTHING_TO_CHECK_WITHOUT_JUDGE = "skipped: the item has only a rubric, and the judge is off"
# What an outcome is called where its own scorer speaks in words, and what decided did not.
_WORDS = {False: "wrong", None: "error"}


@dataclass(frozen=True, slots=True)
class ItemOutcome:
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


NOTHING_TO_CHECK = ItemOutcome(Status.SKIPPED, JudgeStatus.SKIPPED, None, None, NOTHING_TO_CHECK_WITHOUT_JUDGE)


def conclude(*found: Score | None) -> ItemOutcome:
    """Return the outcome of a complete answer from the scores of all scorers, in the order of their table.

    A definite fail of one that gates decides, whatever became of the others; then one without verdict, which makes the item an error;
    else it passed. What looks like an error message is one too, where neither a judge, a required phrase nor a result speaks for it.
    The number and the word are those of the scorer that decided; phrases have neither, so beside them the number is the judge's.
    """
    scores = [score for score in found if score is not None]
    gating = [score for score in scores if score.gates]
    if not gating:
        return NOTHING_TO_CHECK
    decisive = next((score for wanted in (False, None) for score in gating if score.passed is wanted), gating[0])
    mishap = next((score for score in scores if not score.gates and score.value is None and score.passed is None), None)
    if mishap is not None and decisive.passed and not any(map(_speaks_for_it, gating)):
        decisive = mishap
    judged = [score for score in gating if score.by_judge]
    in_words = any(score.word for score in gating)
    value = decisive if in_words else next(iter(judged), None)
    outcome = ItemOutcome(
        status=Status.ERROR if decisive.passed is None else Status.SCORED,
        judge_status=_judge_status(judged),
        passed=decisive.passed,
        score=value.value if value is not None and decisive.passed is not None else None,
        reason=decisive.reason if in_words or decisive.passed is None else _told(decisive, judged),
        word=(decisive.word or _WORDS.get(decisive.passed, "")) if in_words else "",
        fault=decisive.given_up,
    )
    return _remarked(outcome, scores)


def _speaks_for_it(score: Score) -> bool:
    return score.by_judge or bool(score.word) or any(part.kind is EvidenceKind.PRESENT for part in score.evidence)


def _judge_status(judged: Sequence[Score]) -> JudgeStatus:
    if not judged:
        return JudgeStatus.SKIPPED
    return JudgeStatus.ERROR if any(score.passed is None for score in judged) else JudgeStatus.OK


def _told(decisive: Score, judged: Sequence[Score]) -> str:
    """The reason of an item without words of its own: of its phrases, and what the judge said where that adds to it."""
    if decisive.by_judge:
        return _said(decisive)
    if not judged:
        return f"{decisive.reason}; not judged"
    return " · ".join((decisive.reason, *map(_said, judged))) if decisive.passed is False else decisive.reason


def _said(judge: Score) -> str:
    return judge.reason if judge.passed is None else f"judge: {judge.reason}"


def _remarked(outcome: ItemOutcome, scores: Iterable[Score]) -> ItemOutcome:
    """Return the outcome with the remarks of its scores in the reason, where they are not in it yet."""
    remarks = [remark for score in scores for remark in score.remarks if remark not in outcome.reason]
    return replace(outcome, reason=" · ".join((outcome.reason, *remarks))) if remarks else outcome


def unscorable(problem: Score) -> ItemOutcome:
    """Return the outcome of an item that could not be scored whatever was answered."""
    return ItemOutcome(Status.ERROR, JudgeStatus.SKIPPED, None, None, problem.reason, problem.word)


def undriven(reason: str) -> ItemOutcome:
    """Return the outcome of an item that was not driven."""
    return ItemOutcome(Status.SKIPPED, JudgeStatus.SKIPPED, None, None, reason)


def failed_drive(error: str) -> ItemOutcome:
    """Return the outcome of an item whose answer did not come; it is not judged and not counted."""
    return ItemOutcome(Status.ERROR, JudgeStatus.SKIPPED, None, None, error)
