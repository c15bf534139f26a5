"""History: what the store knows of earlier runs, put beside a run for the gate and the reports.

Rule: a stored answer is judged by today's contract only where the contract says so (6.5); otherwise it stands as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal

from goldenlib.answers import Result, RunRecord
from goldenlib.errors import StoreError
from goldenlib.gating import Baseline, Comparison, Decision, Policy, count
from goldenlib.items import Item, Split
from goldenlib.reporting.report import HeldOutScoring, HistoryMark, Report, SplitTotals, TrendPoint
from goldenlib.scoring.facts import check_facts
from goldenlib.settings import DEMO
from goldenlib.storage import SplitScoring, Store

MARKS = 8
TREND_RUNS = 20
_NAMED = 5
_REMARKED = 15


def compare(
    store: Store, run: RunRecord, results: Sequence[Result], items: Iterable[Item], failing_today: Collection[str] = ()
) -> Comparison:
    """Return what earlier runs of the series say about the items of `run`.

    `items` hold today's contracts; the stored answer of a baseline whose contract differs is put through today's fact gate.
    `failing_today` are items whose baseline answer is known to fail today's contract in other ways.
    """
    today = {item.id: item for item in items}
    stored = store.baselines(run.run_id)
    now = {result.item_id: result for result in results}
    baselines = {
        item_id: Baseline(
            result=baseline.result,
            judge_model=baseline.judge_model,
            judge_prompt_digest=baseline.judge_prompt_digest,
            fails_todays_facts=item_id in failing_today or _fails_today(baseline.result, now.get(item_id), today.get(item_id)),
        )
        for item_id, baseline in stored.items()
    }
    failed_before = [
        result.item_id
        for result in results
        if result.passed is False and result.item_id in baselines and baselines[result.item_id].result.passed is False
    ]
    return Comparison(
        baselines=baselines,
        failing_since=store.failing_since(run.run_id, failed_before),
        vanished=store.vanished(run.run_id),
        remarks=tuple(_review_remarks(today.values(), run.run_at.date())),
    )


def report_on(
    store: Store, run: RunRecord, results: Sequence[Result], decision: Decision, comparison: Comparison, min_pass_rate: Decimal
) -> Report:
    """Return the report of a decided run, with the history of its items and the trend of its series."""
    has_splits = any(result.split for result in results)
    scorings = {split: store.split_scorings(run.set_name, split) for split in Split} if has_splits else {}
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
        raise StoreError(f"run {run_id} did not finish, so there is no report; go on with it by golden run --resume --run-id {run_id}")
    baselines = {
        item_id: Baseline(then.result, then.judge_model, then.judge_prompt_digest) for item_id, then in store.baselines(run_id).items()
    }
    limit = Decimal(str(run.settings.get("golden_min_pass_rate", Policy().min_pass_rate)))
    return report_on(store, run, store.results(run_id), decision, Comparison(baselines), limit)


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


def _fails_today(then: Result, now: Result | None, item: Item | None) -> bool:
    if now is None or item is None or now.digest == then.digest or then.answer is None:
        return False
    score = check_facts(item.expected, then.answer.text)
    return score is not None and score.passed is False


def _review_remarks(items: Iterable[Item], today: date) -> Iterator[str]:
    for item in items:
        if item.changed_note:
            yield f"{item.id}: {item.changed_note}"
        elif item.review is not None and item.is_verified and item.review_is_due(today):
            yield f"{item.id}: its review was due on {item.review.due}"


def _warnings(store: Store, run: RunRecord, results: Sequence[Result]) -> tuple[str, ...]:
    warnings = list(store.warnings)
    unscorable = [result.item_id for result in results if any(score.axis == "gold" for score in result.scores)]
    if unscorable:
        named = ", ".join(unscorable[:_NAMED]) + (", ..." if len(unscorable) > _NAMED else "")
        questions = f"{len(unscorable)} of {len(results)} questions could not be scored, for their gold failed its check"
        warnings.append(f"{questions}: {named}; see golden check.")
    if run.settings.get("judge_url") == DEMO and not run.is_demo:
        warnings.append("The judge was the embedded demo's, which follows a rule and is no language model; set judge_url.")
    remarked = [f"{result.item_id}: {remark}" for result in results for remark in result.remarks]
    left_out = len(remarked) - _REMARKED
    more = [f"and {left_out} more such remarks: they stand at their items, in the page and in the JSON report"] if left_out > 0 else []
    return (*warnings, *remarked[:_REMARKED], *more)
