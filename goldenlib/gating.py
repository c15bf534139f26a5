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
from goldenlib.flips import JUDGE, Baseline, Flip, Regression, find_regressions, says_the_same
from goldenlib.lines import exactly, meets, one_line, percent, plural, some
from goldenlib.settings import Settings

__all__ = [
    "JUDGE",
    "Baseline",
    "Comparison",
    "Decision",
    "Flip",
    "Outcome",
    "Policy",
    "Regression",
    "Totals",
    "count",
    "decide",
    "decide_without_results",
    "find_regressions",
    "line_head",
    "meets",
    "percent",
]


class Outcome(StrEnum):
    """What a run was decided to be."""

    PASS = "PASS"
    BLOCK = "BLOCK"
    ERROR = "ERROR"

    @property
    def exit_code(self) -> int:
        """0, 1 or 3 (contract 6.7; 2 is wrong use, 130 interrupted)."""
        return {Outcome.PASS: 0, Outcome.BLOCK: 1, Outcome.ERROR: 3}[self]


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
        notes=tuple(map(one_line, _notes(results, comparison, compared))),
    )


def decide_without_results(run: RunRecord, reason: str, unverified: Sequence[str]) -> Decision:
    """Return the decision on a run that came to no results, because its store or set could not be used: ERROR, never green."""
    totals = Totals(items=run.set_size, driven=0, scored=0, passed=0, errors=0, skipped=0)
    said = one_line(reason)
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


def line_head(run: RunRecord, outcome: Outcome) -> str:
    """Return what the decision line says before its colon: the outcome, and whether the run was partial."""
    return f"{outcome} (partial run: {one_line(run.selection)})" if run.selection else str(outcome)


def _reasons_for_error(totals: Totals, policy: Policy) -> list[str]:
    if totals.items == 0:
        return ["the run has no items"]
    if totals.scored == 0:
        errors = plural(totals.errors, "error")
        return [f"nothing was scored: {errors} and {totals.skipped} skipped of {plural(totals.items, 'item')}"]
    if not meets(totals.scored, totals.driven, policy.min_scored_rate):
        share = percent(Fraction(totals.scored, totals.driven), policy.min_scored_rate)
        return [f"only {_scored_of_driven(totals)} ({share} < {exactly(policy.min_scored_rate)})"]
    return []


def _reasons_to_block(totals: Totals, regressions: Sequence[Regression], unverified: Sequence[str], policy: Policy) -> list[str]:
    reasons = []
    if totals.pass_rate is not None and not meets(totals.passed, totals.scored, policy.min_pass_rate):
        rate, limit = percent(totals.pass_rate, policy.min_pass_rate), exactly(policy.min_pass_rate)
        reasons.append(f"pass rate {rate} ({totals.passed}/{totals.scored}) < {limit}, {_scored_of_driven(totals)}")
    gating = [regression.item_id for regression in regressions if regression.gates]
    if gating:
        reasons.append(f"{plural(len(gating), 'verified item')} regressed: {some(gating)}")
    if unverified and not policy.allow_unverified:
        reasons.append(
            f"{len(unverified)} of {plural(totals.items, 'item')} not verified by an expert"
            f" ({some(unverified, 5)}); --allow-unverified acknowledges that"
        )
    return reasons


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
    return f"{compared} of {plural(scored, 'scored item')} compared with earlier results"


def _verdicts_on_identical_answers(results: Sequence[Result], comparison: Comparison) -> tuple[int, int]:
    same = changed = 0
    for now in results:
        baseline = comparison.baselines.get(now.item_id)
        if baseline is None or not now.is_scored or now.digest != baseline.result.digest:
            continue
        if says_the_same(now, baseline.result):
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
        asides.append(f"not a quality verdict: {len(unverified)} of {plural(totals.items, 'item')} unverified")
    return f"{line_head(run, outcome)}: {said}" + (f" [{'; '.join(asides)}]" if asides else "")


def _all_well(totals: Totals, policy: Policy) -> str:
    rate = percent(totals.pass_rate, policy.min_pass_rate) if totals.pass_rate is not None else "not measured"
    return f"{totals.passed} of {plural(totals.scored, 'scored item')} passed ({rate}), {_scored_of_driven(totals)}"


def _scored_of_driven(totals: Totals) -> str:
    skipped = f", {totals.skipped} skipped" if totals.skipped else ""
    return f"{totals.scored} of {plural(totals.driven, 'driven item')} scored{skipped}"
