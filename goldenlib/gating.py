"""The gate: from a run's results and their baselines to PASS, BLOCK or ERROR, with every reason.

Rule: pure and total. Report, stored decision, exit code and last line all come from `decide` (contract 6.6), an error
is never a pass or a fail, and nothing scored is never green.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from goldenlib.answers import Result, RunRecord, Status
from goldenlib.settings import Settings

JUDGE = "judge"  # the axis of the judge's scores
MOST_NAMED = 20  # ids in one reason; the reports list all


class Outcome(StrEnum):
    """What a run was decided to be."""

    PASS = "PASS"
    BLOCK = "BLOCK"
    ERROR = "ERROR"

    @property
    def exit_code(self) -> int:
        """0, 1 or 3 (contract 6.7; 2 is wrong use, 130 interrupted)."""
        return {Outcome.PASS: 0, Outcome.BLOCK: 1, Outcome.ERROR: 3}[self]


class Flip(StrEnum):
    """Why an item that passed before and fails now does or does not gate."""

    REGRESSED = "regressed"
    UNVERIFIED = "not verified"
    CONTRACT_CHANGED = "contract changed"
    JUDGE_CHANGED = "judge changed"


@dataclass(frozen=True, slots=True)
class Policy:
    """The limits a run is held to. Rates are decimals as written."""

    min_pass_rate: Decimal = Decimal("0.8")
    min_scored_rate: Decimal = Decimal("0")
    allow_unverified: bool = False

    @classmethod
    def from_settings(cls, settings: Settings, *, allow_unverified: bool) -> Policy:
        """Take the limits out of a run's settings."""
        return cls(settings.golden_min_pass_rate, settings.golden_min_scored_rate, allow_unverified)


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
class Comparison:
    """What earlier runs of the series say about the items of this one.

    `failing_since` gives, for items whose baseline failed too, the first run of the unbroken row of failures.
    `vanished` gives, for items scored in the last full run and no longer in the set, that run. `remarks` are sentences about
    the items' reviews, which go into the notes.
    """

    baselines: Mapping[str, Baseline] = field(default_factory=dict)
    failing_since: Mapping[str, str] = field(default_factory=dict)
    vanished: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


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
class Totals:
    """Counts of a run. `driven` leaves out skipped items, `scored` also those that ended in an error."""

    items: int
    driven: int
    scored: int
    passed: int
    errors: int
    skipped: int

    @property
    def failed(self) -> int:
        """Scored items that did not pass."""
        return self.scored - self.passed

    @property
    def pass_rate(self) -> Fraction | None:
        """passed / scored, exactly; None when nothing was scored, which is not 0 and not 1."""
        return Fraction(self.passed, self.scored) if self.scored else None


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided of a run and why. `line` is the last line of every output.

    `line`, `reasons` and `notes` are one line each, of visible characters, whatever the ids hold.
    """

    outcome: Outcome
    line: str
    reasons: tuple[str, ...]
    totals: Totals
    regressions: tuple[Regression, ...] = ()
    unverified: tuple[str, ...] = ()
    compared: int = 0
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """The exit code of `golden run` and `golden gate`."""
        return self.outcome.exit_code


def decide(run: RunRecord, results: Sequence[Result], comparison: Comparison, policy: Policy) -> Decision:
    """Decide a run by the rules of contract section 6.

    ERROR when nothing was scored or too few of the driven items were; BLOCK when the pass rate is below the limit, a
    verified item regressed, or an item is unverified and that was not acknowledged; PASS otherwise. ERROR wins over
    BLOCK; all reasons are kept whichever wins.
    """
    totals = count(results)
    regressions = tuple(find_regressions(run, results, comparison.baselines))
    unverified = tuple(result.item_id for result in results if not result.verified)
    errors = _reasons_for_error(totals, policy)
    blocks = _reasons_to_block(totals, regressions, unverified, policy)
    outcome = Outcome.ERROR if errors else Outcome.BLOCK if blocks else Outcome.PASS
    reasons = (*errors, *blocks)
    compared = sum(result.is_scored and result.item_id in comparison.baselines for result in results)
    return Decision(
        outcome=outcome,
        line=_line(run, outcome, "; ".join(reasons) or _all_well(totals, policy), totals, unverified),
        reasons=reasons,
        totals=totals,
        regressions=regressions,
        unverified=unverified,
        compared=compared,
        notes=tuple(map(_one_line, _notes(results, comparison, compared))),
    )


def decide_without_results(run: RunRecord, reason: str, unverified: Sequence[str]) -> Decision:
    """Return the decision on a run that came to no results, because its store or set could not be used: ERROR, never green."""
    totals = Totals(items=run.set_size, driven=0, scored=0, passed=0, errors=0, skipped=0)
    said = _one_line(reason)
    return Decision(Outcome.ERROR, _line(run, Outcome.ERROR, said, totals, unverified), (said,), totals, unverified=tuple(unverified))


def count(results: Sequence[Result]) -> Totals:
    """Count the results of a run by what became of them."""
    skipped = sum(result.status is Status.SKIPPED for result in results)
    return Totals(
        items=len(results),
        driven=len(results) - skipped,
        scored=sum(result.is_scored for result in results),
        passed=sum(result.is_scored and result.passed is True for result in results),
        errors=sum(result.status is Status.ERROR for result in results),
        skipped=skipped,
    )


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


def meets(passed: int, scored: int, limit: Decimal) -> bool:
    """Whether passed / scored reaches the limit; equal passes. Exact on the counts, no binary noise."""
    return Fraction(passed, scored) >= Fraction(limit)


def percent(rate: Fraction, limit: Decimal | None = None) -> str:
    """Write a rate as '79.7 %', with as many decimals as it takes to stand on its own side of the limit, of 0 and of 100 %.

    >>> percent(Fraction(47, 59)), percent(Fraction(7999, 10000), Decimal("0.8")), percent(Fraction(9999, 10000))
    ('79.7 %', '79.99 %', '99.99 %')
    """
    borders = (Fraction(0), Fraction(1), *([Fraction(limit)] if limit is not None else []))
    decimals = 1
    while any(_side(round(rate * 100, decimals) / 100, border) != _side(rate, border) for border in borders):
        decimals += 1
    whole, rest = divmod(int(round(rate * 100, decimals) * 10**decimals), 10**decimals)
    return f"{whole}.{rest:0{decimals}}".rstrip("0").rstrip(".") + " %"


def line_head(run: RunRecord, outcome: Outcome) -> str:
    """Return what the decision line says before its colon: the outcome, and whether the run was partial."""
    return f"{outcome} (partial run: {_one_line(run.selection)})" if run.selection else str(outcome)


def _side(rate: Fraction, border: Fraction) -> int:
    return (rate > border) - (rate < border)


def _reasons_for_error(totals: Totals, policy: Policy) -> list[str]:
    if totals.items == 0:
        return ["the run has no items"]
    if totals.scored == 0:
        errors = _plural(totals.errors, "error")
        return [f"nothing was scored: {errors} and {totals.skipped} skipped of {_plural(totals.items, 'item')}"]
    if not meets(totals.scored, totals.driven, policy.min_scored_rate):
        share = percent(Fraction(totals.scored, totals.driven), policy.min_scored_rate)
        return [f"only {_scored_of_driven(totals)} ({share} < {_exactly(policy.min_scored_rate)})"]
    return []


def _reasons_to_block(totals: Totals, regressions: Sequence[Regression], unverified: Sequence[str], policy: Policy) -> list[str]:
    reasons = []
    if totals.pass_rate is not None and not meets(totals.passed, totals.scored, policy.min_pass_rate):
        rate, limit = percent(totals.pass_rate, policy.min_pass_rate), _exactly(policy.min_pass_rate)
        reasons.append(f"pass rate {rate} ({totals.passed}/{totals.scored}) < {limit}, {_scored_of_driven(totals)}")
    gating = [regression.item_id for regression in regressions if regression.gates]
    if gating:
        reasons.append(f"{_plural(len(gating), 'verified item')} regressed: {_some(gating)}")
    if unverified and not policy.allow_unverified:
        reasons.append(
            f"{len(unverified)} of {_plural(totals.items, 'item')} not verified by an expert"
            f" ({_some(unverified, 5)}); --allow-unverified acknowledges that"
        )
    return reasons


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
    if _says_the_same(now, baseline.result):
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
    scores = f"{_number(then.score)} -> {_number(now.score)}"
    moved = f"score moved {scores}" if then.score != now.score else "verdict changed"
    return f"answer text unchanged, {'only' if now.digest == then.digest else 'the contract changed and'} the judge's {moved}"


def _says_the_same(now: Result, then: Result) -> bool:
    if now.answer is None or then.answer is None:
        return False
    return (now.answer.text, now.answer.parts) == (then.answer.text, then.answer.parts)


def _notes(results: Sequence[Result], comparison: Comparison, compared: int) -> list[str]:
    notes = [_compared_note(sum(result.is_scored for result in results), compared)] if results else []
    notes += [
        f"{result.item_id}: still failing since {comparison.failing_since[result.item_id]}"
        for result in results
        if result.is_scored and result.passed is False and result.item_id in comparison.failing_since
    ]
    notes += [f"{item_id}: was scored in {run_id}, not in this set any more" for item_id, run_id in comparison.vanished.items()]
    notes += comparison.remarks
    same, changed = _verdicts_on_identical_answers(results, comparison)
    if changed:
        notes.append(f"{changed} of {same} verdicts changed on identical answers")
    return notes


def _compared_note(scored: int, compared: int) -> str:
    if not scored:
        return "no items compared: nothing was scored"
    if not compared:
        return f"0 of {scored} items compared: no earlier results"
    return f"{compared} of {_plural(scored, 'scored item')} compared with earlier results"


def _verdicts_on_identical_answers(results: Sequence[Result], comparison: Comparison) -> tuple[int, int]:
    same = changed = 0
    for now in results:
        baseline = comparison.baselines.get(now.item_id)
        if baseline is None or not now.is_scored or now.digest != baseline.result.digest:
            continue
        if _says_the_same(now, baseline.result):
            same += 1
            changed += now.passed is not baseline.result.passed
    return same, changed


def _line(run: RunRecord, outcome: Outcome, said: str, totals: Totals, unverified: Sequence[str]) -> str:
    asides = []
    if run.is_demo:
        asides.append("demo run")
    if run.judge_is_off:
        asides.append("nothing was judged")
    if unverified:
        asides.append(f"not a quality verdict: {len(unverified)} of {_plural(totals.items, 'item')} unverified")
    return f"{line_head(run, outcome)}: {said}" + (f" [{'; '.join(asides)}]" if asides else "")


def _all_well(totals: Totals, policy: Policy) -> str:
    rate = percent(totals.pass_rate, policy.min_pass_rate) if totals.pass_rate is not None else "not measured"
    return f"{totals.passed} of {_plural(totals.scored, 'scored item')} passed ({rate}), {_scored_of_driven(totals)}"


def _scored_of_driven(totals: Totals) -> str:
    skipped = f", {totals.skipped} skipped" if totals.skipped else ""
    return f"{totals.scored} of {_plural(totals.driven, 'driven item')} scored{skipped}"


def _exactly(limit: Decimal) -> str:
    return percent(Fraction(limit), limit)


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _some(names: Sequence[str], most: int = MOST_NAMED) -> str:
    shown = ", ".join(map(_one_line, names[:most]))
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _one_line(text: str) -> str:
    """The text with white space as single spaces, and what cannot be seen written as an escape."""
    line = " ".join(text.split())
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in line)


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.10g}"
