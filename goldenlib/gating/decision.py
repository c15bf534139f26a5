"""The gate: from a run's results and their baselines to PASS, BLOCK or ERROR, with every reason.

Rule: pure and total. Report, stored decision, exit code and last line all come from `decide` (contract 6.6), an error
is never a pass or a fail, and nothing scored is never green.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from goldenlib.answers import BROKEN_REPLY, Result, RunRecord, Status
from goldenlib.config.settings import Settings
from goldenlib.gating.flips import Baseline, Flip, Regression, Standing, find_regressions, find_standing, says_the_same
from goldenlib.gating.lines import exactly, meets, one_line, percent, plural, some

_REASON = 200  # characters of the first fault in a reason


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
    """The limits a run is held to. Rates are decimals as written.

    `hold_regressions` lets a verified item that regressed block until it passes again or somebody accepts it (contract 6.2a).
    """

    min_pass_rate: Decimal = Decimal("0.8")
    min_scored_rate: Decimal = Decimal("0")
    allow_unverified: bool = False
    hold_regressions: bool = False

    @classmethod
    def from_settings(cls, settings: Settings, *, allow_unverified: bool) -> Policy:
        """Take the limits out of a run's settings."""
        return cls(settings.golden_min_pass_rate, settings.golden_min_scored_rate, allow_unverified, settings.golden_hold_regressions)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What earlier runs of the series say about the items of this one.

    `failing_since` gives, for items whose baseline failed, the first run of the unbroken row of failures, and `last_passes` the result
    before that, for those that ever passed. `accepted` are items whose failing somebody lets stand. `vanished` gives, for items scored in
    the last full run and no longer in the set, that run. `remarks` are sentences about the items' reviews, which go into the notes.
    """

    baselines: Mapping[str, Baseline] = field(default_factory=dict)
    failing_since: Mapping[str, str] = field(default_factory=dict)
    last_passes: Mapping[str, Baseline] = field(default_factory=dict)
    accepted: Collection[str] = ()
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
    standing: tuple[Standing, ...] = ()

    @property
    def exit_code(self) -> int:
        """The exit code of `golden run` and `golden gate`."""
        return self.outcome.exit_code


def decide(run: RunRecord, results: Sequence[Result], comparison: Comparison, policy: Policy) -> Decision:
    """Decide a run by the rules of contract section 6.

    ERROR when nothing was scored, too few of the driven items were, or goldenlib itself failed at a verified one; BLOCK when the pass
    rate is below the limit, a verified item regressed or is held, or an item is unverified and that was not acknowledged; PASS
    otherwise. ERROR wins over BLOCK; all reasons are kept whichever wins.
    """
    totals = count(results)
    regressions = tuple(find_regressions(run, results, comparison.baselines, comparison.accepted))
    standing = tuple(_standing(run, results, comparison, policy))
    unverified = tuple(result.item_id for result in results if not result.verified)
    errors = [*_reasons_for_error(totals, policy), *_faults(results)]
    blocks = _reasons_to_block(totals, regressions, standing, unverified, policy)
    outcome = Outcome.ERROR if errors else Outcome.BLOCK if blocks else Outcome.PASS
    reasons = (*errors, *blocks)
    compared = sum(result.is_scored and result.item_id in comparison.baselines for result in results)
    said = reasons or (_all_well(totals, policy), *_nothing_compared(totals, compared))
    return Decision(
        outcome=outcome,
        line=_line(run, outcome, "; ".join((*said, *_broken(results), *_not_held(standing))), totals, unverified),
        reasons=reasons,
        totals=totals,
        regressions=regressions,
        unverified=unverified,
        compared=compared,
        notes=tuple(map(one_line, _notes(results, comparison, compared, standing, policy))),
        standing=standing,
    )


def _standing(run: RunRecord, results: Sequence[Result], comparison: Comparison, policy: Policy) -> Iterator[Standing]:
    """The items that have failed since they passed once, those that are held marked."""
    earlier = (comparison.baselines, comparison.last_passes, comparison.failing_since, comparison.accepted)
    for item in find_standing(run, results, *earlier):
        yield replace(item, gates=policy.hold_regressions and item.flip is Flip.REGRESSED)


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


def _faults(results: Sequence[Result]) -> Iterator[str]:
    """What is wrong with goldenlib itself says nothing about a verified item, and nothing good about the run."""
    faults = [result for result in results if result.fault and result.verified]
    if faults:
        named, reason = some([result.item_id for result in faults]), one_line(faults[0].reason)[:_REASON]
        yield f"{plural(len(faults), 'verified item')} not examined, by a fault of goldenlib itself: {named} ({reason})"


def _broken(results: Sequence[Result]) -> Iterator[str]:
    """What came and said nothing that can be scored: a failure of the target, and another one than a wrong answer (contract 9.6)."""
    items = [result.item_id for result in results if result.is_scored and result.word == BROKEN_REPLY]
    if items:
        replies = "1 broken reply" if len(items) == 1 else f"{len(items)} broken replies"
        yield f"{replies}, counted as failed: {some(items)}"


def _reasons_to_block(
    totals: Totals, regressions: Sequence[Regression], standing: Sequence[Standing], unverified: Sequence[str], policy: Policy
) -> list[str]:
    reasons = []
    if totals.pass_rate is not None and not meets(totals.passed, totals.scored, policy.min_pass_rate):
        rate, limit = percent(totals.pass_rate, policy.min_pass_rate), exactly(policy.min_pass_rate)
        reasons.append(f"pass rate {rate} ({totals.passed}/{totals.scored}) < {limit}, {_scored_of_driven(totals)}")
    gating = [regression.item_id for regression in regressions if regression.gates]
    if gating:
        reasons.append(f"{plural(len(gating), 'verified item')} regressed: {some(gating)}")
    held = [_still_failing(item) for item in standing if item.gates]
    if held:
        reasons.append(f"{plural(len(held), 'verified item')} held until repaired or accepted: {some(held)}")
    if unverified and not policy.allow_unverified:
        reasons.append(
            f"{len(unverified)} of {plural(totals.items, 'item')} not verified by an expert"
            f" ({some(unverified, 5)}); --allow-unverified acknowledges that"
        )
    return reasons


def _still_failing(item: Standing) -> str:
    return (
        f"{item.item_id} still failing since {item.since}"
        if item.is_scored
        else f"{item.item_id} failing since {item.since}, not scored now"
    )


def _not_held(standing: Sequence[Standing]) -> Iterator[str]:
    """What the line says of verified items that have failed since they regressed and do not block (contract 6.2a)."""
    items = [item for item in standing if item.flip is Flip.REGRESSED and not item.gates]
    failing = [item for item in items if item.is_scored]
    since = {item.since for item in failing}
    if len(since) == 1:
        count_of, named = plural(len(failing), "verified item"), some([item.item_id for item in failing])
        yield f"{count_of} still failing since {one_line(since.pop())}: {named}"
    elif failing:
        named = some([f"{item.item_id} since {item.since}" for item in failing])
        yield f"{len(failing)} verified items still failing since they regressed: {named}"
    unseen = [f"{item.item_id} since {item.since}" for item in items if not item.is_scored]
    if unseen:
        yield f"{plural(len(unseen), 'verified item')} failing before, and not scored now: {some(unseen)}"


def _notes(results: Sequence[Result], comparison: Comparison, compared: int, standing: Sequence[Standing], policy: Policy) -> list[str]:
    scored = [result for result in results if result.is_scored]
    notes = [_compared_note(len(scored), compared)] if results else []
    notes += _small_set(len(scored), policy)
    notes += _new_and_repaired(scored, comparison)
    excused = {item.item_id: f" ({item.flip})" for item in standing if item.flip not in (Flip.REGRESSED, Flip.UNVERIFIED)}
    notes += [
        f"{result.item_id}: still failing since {comparison.failing_since[result.item_id]}{excused.get(result.item_id, '')}"
        for result in scored
        if result.passed is False and result.item_id in comparison.failing_since
    ]
    notes += [f"{item_id}: was scored in {run_id}, not in this set any more" for item_id, run_id in comparison.vanished.items()]
    notes += comparison.remarks
    same, changed = _verdicts_on_identical_answers(results, comparison)
    if changed:
        notes.append(f"{changed} of {same} verdicts changed on identical answers")
    return notes


def _small_set(scored: int, policy: Policy) -> Iterator[str]:
    """That not one failure is allowed, where the limit does not say so itself."""
    limit = policy.min_pass_rate
    if scored and 0 < limit < 1 and not meets(scored - 1, scored, limit):
        yield f"with {plural(scored, 'scored item')} {exactly(limit)} means all of them"


def _new_and_repaired(scored: Sequence[Result], comparison: Comparison) -> Iterator[str]:
    """What people look for first: items that fail and were never compared, and those that pass again. Nothing where all is new."""
    for result in scored if comparison.baselines else ():
        baseline = comparison.baselines.get(result.item_id)
        if baseline is None and result.passed is False:
            yield f"{result.item_id}: new, failing"
        elif baseline is not None and result.passed and baseline.result.passed is False:
            yield f"{result.item_id}: newly passing"


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
    but = "but only " if totals.scored < totals.driven else ""
    return f"{totals.passed} of {plural(totals.scored, 'scored item')} passed ({rate}), {but}{_scored_of_driven(totals)}"


def _nothing_compared(totals: Totals, compared: int) -> Iterator[str]:
    """A pass that had nothing to compare with does not look like one that had."""
    if not compared:
        yield _compared_note(totals.scored, compared)


def _scored_of_driven(totals: Totals) -> str:
    skipped = f", {totals.skipped} skipped" if totals.skipped else ""
    return f"{totals.scored} of {plural(totals.driven, 'driven item')} scored{skipped}"
