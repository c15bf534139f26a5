"""Flips: items that passed before and fail now, and why each of them is, or is not, a regression that gates.

Rule: pure, as the gate is. Only what is certainly not the answer's doing excuses a flip (contract 6.5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from goldenlib.answers import Result, RunRecord
from goldenlib.lines import number

JUDGE = "judge"  # the axis of the judge's scores


class Flip(StrEnum):
    """Why an item that passed before and fails now does or does not gate."""

    REGRESSED = "regressed"
    UNVERIFIED = "not verified"
    CONTRACT_CHANGED = "contract changed"
    JUDGE_CHANGED = "judge changed"


@dataclass(frozen=True, slots=True)
class Baseline:
    """An item's most recent earlier scored result in the series, and what is needed to compare with it.

    `fails_todays_facts` says whether its stored answer would fail the fact gate of today's contract (contract 6.5).
    """

    result: Result
    judge_model: str | None = None
    judge_prompt_digest: str | None = None
    fails_todays_facts: bool = False


@dataclass(frozen=True, slots=True)
class Regression:
    """An item that passed in its baseline and fails now, both scored."""

    item_id: str
    flip: Flip
    baseline_run_id: str
    note: str

    @property
    def gates(self) -> bool:
        """Whether it blocks."""
        return self.flip is Flip.REGRESSED


def find_regressions(run: RunRecord, results: Sequence[Result], baselines: Mapping[str, Baseline]) -> list[Regression]:
    """Return the items that passed in their baseline and fail now, both scored, in the order of `results`."""
    regressions = []
    for now in results:
        baseline = baselines.get(now.item_id)
        if baseline is None or not (now.is_scored and now.passed is False and baseline.result.passed is True):
            continue
        flip = _why(run, now, baseline)
        regressions.append(Regression(now.item_id, flip, baseline.result.run_id, _note(flip, now, baseline)))
    return regressions


def _why(run: RunRecord, now: Result, baseline: Baseline) -> Flip:
    if now.digest != baseline.result.digest and baseline.fails_todays_facts:
        return Flip.CONTRACT_CHANGED
    judge_then, judge_now = (baseline.judge_model, baseline.judge_prompt_digest), (run.judge_model, run.judge_prompt_digest)
    if judge_then != judge_now and _rests_on_judge(now):
        return Flip.JUDGE_CHANGED
    return Flip.REGRESSED if now.verified else Flip.UNVERIFIED


def _rests_on_judge(result: Result) -> bool:
    """Whether the judge alone failed the item: nothing that can be checked without one is wrong with its answer."""
    failed = (score.axis for score in result.scores if score.gates and score.passed is False)
    return all(axis == JUDGE for axis in failed)


def _note(flip: Flip, now: Result, baseline: Baseline) -> str:
    parts = {
        Flip.CONTRACT_CHANGED: ["the contract changed: the baseline's answer fails it too"],
        Flip.JUDGE_CHANGED: ["the facts agree; the judge model or prompt differs from the baseline's"],
    }.get(flip, [])
    if says_the_same(now, baseline.result):
        parts.append(_what_moved(now, baseline.result))
    return "; ".join((*parts, _what_fails(now)))


def _what_fails(now: Result) -> str:
    """The phrases that fail the item, without their passages, which reports show beside; else the result's own reason."""
    phrases = [f"missing '{phrase}'" for phrase in now.missing] + [f"says '{phrase}'" for phrase in now.forbidden]
    return "; ".join(phrases) or now.reason


def _what_moved(now: Result, then: Result) -> str:
    """What led to another verdict on the same answer."""
    if not _rests_on_judge(now):
        return "answer unchanged" if now.answer is not None and now.answer.parts else "answer text unchanged"
    scores = f"{number(then.score)} -> {number(now.score)}"
    moved = f"score moved {scores}" if then.score != now.score else "verdict changed"
    return f"answer text unchanged, {'only' if now.digest == then.digest else 'the contract changed and'} the judge's {moved}"


def says_the_same(now: Result, then: Result) -> bool:
    """Whether both answers are the same, text and parts."""
    if now.answer is None or then.answer is None:
        return False
    return (now.answer.text, now.answer.parts) == (then.answer.text, then.answer.parts)
