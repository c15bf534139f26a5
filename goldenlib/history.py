"""History: what the store knows of earlier runs, put beside a run for the gate and the reports.

Rule: a stored answer is judged by today's contract only where the contract says so (6.5); otherwise it stands as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from goldenlib.answers import Result, RunRecord
from goldenlib.contracts import changed_parts, fails_facts, lost_since
from goldenlib.errors import StoreError
from goldenlib.flips import pass_threshold
from goldenlib.gating import Baseline, Comparison, Decision, Policy, count
from goldenlib.items import Item, Split
from goldenlib.lines import one_line, plural, some
from goldenlib.reporting.report import HeldOutScoring, HistoryMark, Report, SplitTotals, TrendPoint
from goldenlib.settingtypes import DEMO
from goldenlib.storage import Acceptance, FailingRow, SplitScoring, Store, StoredBaseline

MARKS = 8
TREND_RUNS = 20
_NAMED = 5
_REMARKED = 15


@dataclass(frozen=True)
class Earlier:
    """What the store has of the items of a run: their baselines, and where those failed, since when and the result before that."""

    baselines: Mapping[str, StoredBaseline]
    failing: Mapping[str, FailingRow]
    last_passes: Mapping[str, StoredBaseline]

    @classmethod
    def of(cls, store: Store, run_id: str) -> Earlier:
        """Look back from a run."""
        baselines = store.baselines(run_id)
        failing = store.failing_rows(run_id, [item_id for item_id, then in baselines.items() if then.result.passed is False])
        passed_in = {item_id: row.passed_in for item_id, row in failing.items() if row.passed_in is not None}
        return cls(baselines, failing, store.results_at(passed_in))

    @property
    def passes(self) -> dict[str, Result]:
        """The last pass of each item that ever passed."""
        passed = {item_id: then.result for item_id, then in self.baselines.items() if then.result.passed}
        return passed | {item_id: then.result for item_id, then in self.last_passes.items()}


def compare(
    store: Store,
    run: RunRecord,
    results: Sequence[Result],
    items: Iterable[Item],
    failing_today: Collection[str] = (),
    earlier: Earlier | None = None,
) -> Comparison:
    """Return what earlier runs of the series say about the items of `run`.

    `items` hold today's contracts; the stored answer of a baseline whose contract differs is put through today's fact gate.
    `failing_today` are items whose last passing answer is known to fail today's contract in other ways.
    """
    today = {item.id: item for item in items}
    earlier = earlier or Earlier.of(store, run.run_id)
    then = _Then(store, {result.item_id: result for result in results}, today, failing_today, earlier)
    return Comparison(
        baselines={item_id: then.baseline(stored) for item_id, stored in earlier.baselines.items()},
        failing_since={item_id: row.since for item_id, row in earlier.failing.items()},
        last_passes={item_id: then.baseline(stored) for item_id, stored in earlier.last_passes.items()},
        accepted=frozenset(store.acceptances(run.run_id)),
        vanished=store.vanished(run.run_id),
        remarks=tuple(_review_remarks(today.values(), run.run_at.date())),
    )


class _Then:
    """Earlier results, put beside those of today where an item passed then and does not now."""

    def __init__(
        self,
        store: Store,
        now: Mapping[str, Result],
        today: Mapping[str, Item],
        failing_today: Collection[str],
        earlier: Earlier,
    ) -> None:
        self._now, self._today, self._failing_today, self._failed_last = now, today, failing_today, earlier.baselines
        flipped = [then for then in earlier.passes.values() if self._failing(then) is not None]
        self._contracts = store.contracts({then.digest for then in flipped})
        self._runs = {run_id: store.run(run_id) for run_id in {then.run_id for then in flipped}}

    def baseline(self, stored: StoredBaseline) -> Baseline:
        then = stored.result
        now, item = self._failing(then), self._today.get(then.item_id)
        plain = Baseline(then, stored.judge_model, stored.judge_prompt_digest)
        if now is None or item is None:
            return plain
        was = self._contracts.get(then.digest)
        return replace(
            plain,
            fails_todays_facts=then.item_id in self._failing_today or fails_facts(then, item),
            lost=lost_since(then, was, now, item),
            changed=changed_parts(then, was, item),
            pass_threshold=pass_threshold(self._runs[then.run_id]),
        )

    def _failing(self, then: Result) -> Result | None:
        """The failing that a pass is to be held against: that of now, or the last one where now nothing was scored; else None."""
        now = self._now.get(then.item_id)
        if now is None or not then.passed:
            return None
        if now.is_scored:
            return now if now.passed is False else None
        last = self._failed_last[then.item_id].result
        return last if last.passed is False else None


def report_on(
    store: Store, run: RunRecord, results: Sequence[Result], decision: Decision, comparison: Comparison, min_pass_rate: Decimal
) -> Report:
    """Return the report of a decided run, with the history of its items and the trend of its series."""
    has_splits = any(result.split for result in results)
    scorings = {split: store.split_scorings(run.run_id, split) for split in Split} if has_splits else {}
    return Report(
        run=run,
        results=tuple(results),
        decision=decision,
        min_pass_rate=min_pass_rate,
        baselines=comparison.baselines,
        history={
            item_id: tuple(HistoryMark(mark.run_id, mark.run_at, mark.passed) for mark in marks)
            for item_id, marks in store.history(run.run_id, limit=MARKS).items()
        },
        warnings=_warnings(store, run, results),
        accepted=tuple(_accepted_words(each) for each in _in_order(store.acceptances(run.run_id), results)),
        splits=tuple(_splits(run, results, scorings)),
        held_out=tuple(
            HeldOutScoring(past.run_id, past.run_at, past.started_by, past.series, past.passed, past.scored)
            for past in scorings.get(Split.TEST, ())
        ),
        trend=tuple(TrendPoint(past.run_id, past.run_at, past.passed, past.scored) for past in store.trend(run.run_id, limit=TREND_RUNS)),
    )


def stored_report(store: Store, run_id: str) -> Report:
    """Return the report of a stored run as it was decided. Raises StoreError for a run that did not finish."""
    run = store.run(run_id)
    decision = store.decision(run_id)
    if decision is None:
        told = f"run {run_id} did not finish, so there is no report (unfinished, {_stored_of(run, store.results(run_id))})"
        raise StoreError(f"{told}; go on with it by golden run --resume --run-id {run_id}")
    then = _decided_by(store, run_id, decision)
    baselines = {item_id: Baseline(stored.result, stored.judge_model, stored.judge_prompt_digest) for item_id, stored in then.items()}
    limit = Decimal(str(run.settings.get("golden_min_pass_rate", Policy().min_pass_rate)))
    return report_on(store, run, store.results(run_id), decision, Comparison(baselines), limit)


def _decided_by(store: Store, run_id: str, decision: Decision) -> dict[str, StoredBaseline]:
    """Return the baselines of a decided run: for its regressions those that it was decided by, whatever finished since."""
    found = store.baselines(run_id)
    then = {regression.item_id: regression.baseline_run_id for regression in decision.regressions}
    other = {item_id: then_id for item_id, then_id in then.items() if item_id not in found or found[item_id].result.run_id != then_id}
    return found | store.results_at(other)


def _splits(run: RunRecord, results: Sequence[Result], scorings: Mapping[Split, Sequence[SplitScoring]]) -> Iterator[SplitTotals]:
    """Give the splits side by side: those of this run, and of the others the last finished run of the series that scored them."""
    for split, past_runs in scorings.items():
        of_split = [result for result in results if result.split == split]
        if of_split:
            totals = count(of_split)
            words = Counter(result.word for result in of_split if result.word and result.is_scored)
            yield SplitTotals(split, totals.items, totals.scored, totals.passed, words)
            continue
        earlier = [past for past in past_runs if past.series == run.series and past.is_finished]
        for past in earlier[-1:]:
            yield SplitTotals(split, past.items, past.scored, past.passed, past.words, past.run_id, past.run_at)


def _accepted_words(acceptance: Acceptance) -> str:
    on = f"{acceptance.at:%Y-%m-%d}"
    return one_line(f"{acceptance.item_id}: failing, which {acceptance.by} let stand in {acceptance.run_id} on {on}: {acceptance.reason}")


def _in_order(accepted: Mapping[str, Acceptance], results: Iterable[Result]) -> Iterator[Acceptance]:
    """What was accepted of items that have not passed, in the order of the set."""
    for result in results:
        if result.item_id in accepted and result.passed is not True:
            yield accepted[result.item_id]


def _stored_of(run: RunRecord, results: Sequence[Result]) -> str:
    planned = run.planned
    return f"{len(results)} so far" if planned is None else f"{len(results)} of {planned}"


def _review_remarks(items: Iterable[Item], today: date) -> Iterator[str]:
    for item in items:
        if item.changed_note:
            yield f"{item.id}: {item.changed_note}"
        elif item.review is not None and item.is_verified and item.review_is_due(today):
            yield f"{item.id}: its review was due on {item.review.due}"


def _moved(store: Store, run: RunRecord) -> Iterator[str]:
    """What was held out and is no more: whoever tunes on it now has seen how it was scored (seed 002, "Hold out a test split")."""
    moved = store.moved_out(run.run_id, Split.TEST)
    if moved:
        told = [f"{item.item_id} (scored {plural(item.runs, 'time')} since {item.since:%Y-%m-%d})" for item in moved]
        yield f"{plural(len(moved), 'item')} of the test split {'is' if len(moved) == 1 else 'are'} in it no more: {some(told, _NAMED)}."


def _warnings(store: Store, run: RunRecord, results: Sequence[Result]) -> tuple[str, ...]:
    warnings = list(store.warnings)
    if (last := store.clock_went_back(run.run_id)) is not None:
        began, earlier = (f"{at:%Y-%m-%d %H:%M:%S} UTC" for at in (run.run_at, last[1]))
        told = f"this run began at {began}, and {last[0]}, which was created before it, at {earlier}"
        warnings.append(f"The clock went back: {told}. Runs are compared in the order of their creation; set the clock right.")
    unscorable = [result.item_id for result in results if any(score.axis == "gold" for score in result.scores)]
    if unscorable:
        named = ", ".join(unscorable[:_NAMED]) + (", ..." if len(unscorable) > _NAMED else "")
        questions = f"{len(unscorable)} of {len(results)} questions could not be scored, for their gold failed its check"
        warnings.append(f"{questions}: {named}; see golden check.")
    warnings += _moved(store, run)
    if run.settings.get("judge_url") == DEMO and not run.is_demo:
        warnings.append("The judge was the embedded demo's, which follows a rule and is no language model; set judge_url.")
    remarked = [f"{result.item_id}: {remark}" for result in results for remark in result.remarks]
    left_out = len(remarked) - _REMARKED
    more = [f"and {left_out} more such remarks: they stand at their items, in the page and in the JSON report"] if left_out > 0 else []
    return (*warnings, *remarked[:_REMARKED], *more)
