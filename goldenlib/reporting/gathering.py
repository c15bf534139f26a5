"""Gathering: a run's report, put together from its results, its decision and what the store knows of its items and its series.

Rule: a stored run is shown as it was decided, whatever finished since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from goldenlib.answers import Result, RunRecord
from goldenlib.config.settingtypes import DEMO
from goldenlib.errors import StoreError
from goldenlib.gating import Baseline, Comparison, Decision, Policy, count
from goldenlib.gating.lines import one_line, plural, some
from goldenlib.items import Split
from goldenlib.reporting.report import HeldOutScoring, HistoryMark, Report, SplitTotals, TrendPoint
from goldenlib.storage import Acceptance, SplitScoring, Store, StoredBaseline

MARKS = 8
TREND_RUNS = 20
_NAMED = 5
_REMARKED = 15


def report_on(store: Store, run: RunRecord, results: Sequence[Result], decision: Decision, comparison: Comparison) -> Report:
    """Return the report of a decided run, with the history of its items and the trend of its series."""
    has_splits = any(result.split for result in results)
    scorings = {split: store.split_scorings(run.run_id, split) for split in Split} if has_splits else {}
    return Report(
        run=run,
        results=tuple(results),
        decision=decision,
        min_pass_rate=Policy().min_pass_rate if run.min_pass_rate is None else run.min_pass_rate,
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
    return report_on(store, run, store.results(run_id), decision, Comparison(baselines))


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
            words = Counter((result.passed, result.word) for result in of_split if result.word and result.is_scored)
            ordered = sorted(words.items(), key=lambda found: (not found[0][0], -found[1], found[0][1]))
            yield SplitTotals(split, totals.items, totals.scored, totals.passed, {word: number for (_, word), number in ordered})
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
