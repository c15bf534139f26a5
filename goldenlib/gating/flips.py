"""Flips: items that passed before and fail now, and why each of them is, or is not, a regression that gates.

Rule: pure, as the gate is. Only what is certainly not the answer's doing excuses a flip (contract 6.5).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from goldenlib.answers import Result, RunRecord
from goldenlib.gating.lines import listed, number


class Flip(StrEnum):
    """Why an item that passed before and fails now does or does not gate."""

    REGRESSED = "regressed"
    UNVERIFIED = "not verified"
    CONTRACT_CHANGED = "contract changed"
    JUDGE_CHANGED = "judge changed"
    ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class Baseline:
    """An earlier scored result of an item, and what is needed to compare with it.

    `fails_todays_facts` says whether its stored answer would fail the fact gate of today's contract; `lost` names what stands in both
    contracts, held in that answer and is violated now; `changed` names the parts of the contract that are others now (contract 6.5).
    `passed_under_todays` says that the item has passed under today's very contract before, and `passed_by_todays_judge` that it did so by
    today's judge: then neither a change that was taken back nor a judge that came back excuses a fail.
    """

    result: Result
    judge_model: str | None = None
    judge_prompt_digest: str | None = None
    fails_todays_facts: bool = False
    lost: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    pass_threshold: Decimal | None = None
    passed_under_todays: bool = False
    passed_by_todays_judge: bool = False


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


@dataclass(frozen=True, slots=True)
class Standing:
    """An item that passed once and has failed since, in every run that scored it.

    `flip` is what it is today, measured against the run in which it passed last. `is_scored` tells whether it was scored in this run too;
    if not, nobody has seen it pass either. `gates` says that it blocks (`golden_hold_regressions`).
    """

    item_id: str
    since: str
    passed_in: str
    flip: Flip
    is_scored: bool = True
    gates: bool = False


def find_regressions(
    run: RunRecord, results: Sequence[Result], baselines: Mapping[str, Baseline], accepted: Collection[str] = ()
) -> list[Regression]:
    """Return the items that passed in their baseline and fail now, both scored, in the order of `results`.

    `accepted` are items whose failing somebody lets stand.
    """
    regressions = []
    for now in results:
        baseline = baselines.get(now.item_id)
        if baseline is None or not (now.is_scored and now.passed is False and baseline.result.passed is True):
            continue
        flip = _why(_judge_of(run), now, baseline, accepted)
        regressions.append(Regression(now.item_id, flip, baseline.result.run_id, _note(flip, run, now, baseline)))
    return regressions


def find_standing(
    run: RunRecord,
    results: Iterable[Result],
    baselines: Mapping[str, Baseline],
    last_passes: Mapping[str, Baseline],
    failing_since: Mapping[str, str],
    accepted: Collection[str] = (),
) -> Iterator[Standing]:
    """Give the items that passed once, failed in their baseline, and have not passed now.

    Each is measured by the rules of a regression against its last pass: a flip that was excused then is excused now, unless something
    came to it that is not. An item without a score in this run stands as it did: an error neither passes nor clears it (contract 6.2a).
    """
    for now in results:
        baseline, passed = baselines.get(now.item_id), last_passes.get(now.item_id)
        if baseline is None or passed is None or baseline.result.passed is not False or (now.is_scored and now.passed):
            continue
        failing, judge = now, _judge_of(run)
        if not now.is_scored:
            failing = replace(baseline.result, digest=now.digest, verified=now.verified)
            judge = _judge_of(baseline)
        flip = _why(judge, failing, passed, accepted)
        yield Standing(now.item_id, failing_since[now.item_id], passed.result.run_id, flip, now.is_scored)


def _judge_of(run: RunRecord | Baseline) -> tuple[str | None, str | None]:
    return run.judge_model, run.judge_prompt_digest


def _why(judge_now: tuple[str | None, str | None], now: Result, baseline: Baseline, accepted: Collection[str]) -> Flip:
    contract_changed = now.digest != baseline.result.digest and not baseline.passed_under_todays
    if contract_changed and baseline.fails_todays_facts and not baseline.lost:
        return Flip.CONTRACT_CHANGED
    judge_changed = judge_now != _judge_of(baseline) and not baseline.passed_by_todays_judge
    if judge_changed and _rests_on_judge(now):
        return Flip.JUDGE_CHANGED
    if now.item_id in accepted:
        return Flip.ACCEPTED
    return Flip.REGRESSED if now.verified else Flip.UNVERIFIED


def _rests_on_judge(result: Result) -> bool:
    """Whether the judge alone failed the item: nothing that can be checked without one is wrong with its answer."""
    return all(score.by_judge for score in result.scores if score.gates and score.passed is False)


def _note(flip: Flip, run: RunRecord, now: Result, baseline: Baseline) -> str:
    parts = {
        Flip.CONTRACT_CHANGED: ["the contract changed: the baseline's answer fails it too"],
        Flip.JUDGE_CHANGED: ["the facts agree; the judge model or prompt differs from the baseline's"],
    }.get(flip, [])
    if baseline.changed:
        parts.append(f"the {listed(baseline.changed)} changed since the baseline")
    if flip in (Flip.REGRESSED, Flip.UNVERIFIED) and _came_back(run, now, baseline):
        parts.append("it passed under this very contract before" + (", by this judge" if baseline.passed_by_todays_judge else ""))
    if baseline.fails_todays_facts and baseline.lost:
        parts.append(f"in both contracts, and met by the baseline's answer: {', '.join(baseline.lost)}")
    threshold = _threshold_moved(run, baseline)
    if threshold:
        parts.append(threshold)
    if says_the_same(now, baseline.result):
        parts.append(_what_moved(now, baseline.result, by_threshold=bool(threshold)))
    return "; ".join((*parts, _what_fails(now)))


def _came_back(run: RunRecord, now: Result, baseline: Baseline) -> bool:
    """Whether contract or judge are others than the baseline's, and once were as they are now."""
    if now.digest != baseline.result.digest:
        return baseline.passed_under_todays
    return baseline.passed_by_todays_judge and _judge_of(run) != _judge_of(baseline) and _rests_on_judge(now)


def _threshold_moved(run: RunRecord, baseline: Baseline) -> str:
    """How the least correctness for a pass moved since the baseline; empty when it did not, or is not known of both."""
    then, now = baseline.pass_threshold, run.pass_threshold
    if then is None or now is None or then == now or run.judge_is_off:
        return ""
    return f"the threshold was {'raised' if now > then else 'lowered'} from {then} to {now}"


def _what_fails(now: Result) -> str:
    """The phrases that fail the item, without their passages, which reports show beside; else the result's own reason."""
    phrases = [f"missing '{phrase}'" for phrase in now.missing] + [f"says '{phrase}'" for phrase in now.forbidden]
    return "; ".join(phrases) or now.reason


def _what_moved(now: Result, then: Result, *, by_threshold: bool) -> str:
    """What led to another verdict on the same answer."""
    if not _rests_on_judge(now):
        return "answer unchanged" if now.answer is not None and now.answer.events else "answer text unchanged"
    scores = f"{number(then.score)} -> {number(now.score)}"
    if by_threshold:
        return "answer text and score unchanged" if then.score == now.score else f"answer text unchanged, the judge's score moved {scores}"
    moved = f"score moved {scores}" if then.score != now.score else "verdict changed"
    return f"answer text unchanged, {'only' if now.digest == then.digest else 'the contract changed and'} the judge's {moved}"


def says_the_same(now: Result, then: Result) -> bool:
    """Whether both answers are the same, text and parts."""
    if now.answer is None or then.answer is None:
        return False
    return (now.answer.text, now.answer.events) == (then.answer.text, then.answer.events)
