"""Running: ask every item of a golden set, score what comes back, store it, decide.

Rule: this page is the story. Stages do not know one another; here they are put together. Wrong set-up is an exception
before the first call; what happens in a run is data, and one item's failure never loses the others.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from goldenlib.answers import Answer, Result, RunRecord, Score, series_of
from goldenlib.comparing.earlier import Earlier, compare
from goldenlib.comparing.rescoring import examined_today
from goldenlib.config.hiding import Hider
from goldenlib.config.identity import RunOptions as RunOptions  # also read from here by whoever calls evaluate
from goldenlib.config.identity import checked_run_id, label_of, new_run_id, who_starts
from goldenlib.config.settings import Settings
from goldenlib.config.settingtypes import DEMO
from goldenlib.driving import Target, naming_own
from goldenlib.errors import StoreError, TargetError
from goldenlib.gating import Policy, decide, decide_without_results
from goldenlib.gating.lines import plural, some
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Item, Surface
from goldenlib.loops import run_in_own_loop
from goldenlib.reporting.gathering import report_on
from goldenlib.reporting.report import Report
from goldenlib.resources import Own, open_resources
from goldenlib.scoring import SCORER_VERSION
from goldenlib.scoring.examining import Examiner
from goldenlib.scoring.outcome import INTERNAL_SKIPPED, ItemOutcome, failed_drive, undriven
from goldenlib.scoring.prompt import Framing, prompt_digest
from goldenlib.scoring.scorer import Scorer
from goldenlib.storage import ResultWriter, Store

# Items are driven and judged at the same time, each endpoint at its own pace; so many more items are under way than one pace.
STAGES = 2
SEVERAL_TURNS = "skipped: scenarios of several turns are not driven by this version"


def evaluate(
    golden_set: GoldenSet,
    settings: Settings,
    store: Store,
    options: RunOptions | None = None,
    on_result: Callable[[Result], None] | None = None,
    *,
    target: Target | Callable[..., Any] | None = None,
    scorers: Sequence[type[Scorer]] = (),
) -> Report:
    """Run the golden set and return the report, with its decision.

    `target` answers the public items in place of the configured one: a function from question to answer, or a Target. `scorers` score
    beside the others.
    Each result is stored when its item is done, and then handed to `on_result` (from another thread). Works the same in
    a script, a notebook and a test: the event loop has a thread of its own. On KeyboardInterrupt the rows so far are kept
    and the run stays unfinished, for `resume`.

    Raises SettingsError, TargetError or StoreError before anything is driven, and StoreError when the store gives up.
    """
    options = options or RunOptions()
    settings = naming_own(target, settings) if target is not None else settings
    own = Own(target, tuple(scorers))
    refuse_unaskable(golden_set, settings)
    run = describe_run(golden_set, settings, options, own.scorers)
    with store.lock_run(run.run_id):
        return run_in_own_loop(_run(golden_set, settings, store, run, options, own, on_result))


async def _run(
    golden_set: GoldenSet,
    settings: Settings,
    store: Store,
    run: RunRecord,
    options: RunOptions,
    own: Own,
    on_result: Callable[[Result], None] | None,
) -> Report:
    """Ask and score every item that is not scored yet, look back, and decide."""
    store.keep_contracts({item.digest: item.contract for item in golden_set})
    async with AsyncExitStack() as stack:
        resources = await open_resources(golden_set, settings, store, own, stack)
        examiner = Examiner(golden_set, resources.opened, resources.scorers)
        scored = store.resume_run(run) if options.resume else store.create_run(run)
        conductor = _Conductor(run, resources.targets, examiner, hider=Hider(settings), resumed=options.resume)
        with store.writer(run) as writer:
            todo = [item for item in golden_set if item.id not in scored]
            await _work_off(todo, conductor, writer, settings.golden_concurrency * STAGES, on_result)
        results = store.results(run.run_id)
        earlier = Earlier.of(store, run.run_id, {item.id: item.digest for item in golden_set})
        flipped = earlier.flipped(results)
        today = await examined_today(golden_set, {item_id: then for item_id, (then, _) in flipped.items()}, examiner)
    run = store.run(run.run_id)  # resumed, it keeps its time
    _check_complete(golden_set, results, store)
    comparison = compare(store, run, golden_set, earlier, flipped, today)
    comparison = replace(comparison, remarks=(*comparison.remarks, *resources.remarks))
    decision = decide(run, results, comparison, Policy.from_settings(settings, allow_unverified=run.allow_unverified))
    store.finish_run(run.run_id, finished_at=datetime.now(UTC), decision=decision)
    return report_on(store, store.run(run.run_id), results, decision, comparison)


def _check_complete(golden_set: GoldenSet, results: Sequence[Result], store: Store) -> None:
    """Raise StoreError unless every item has its result: a run is never decided on a part of what it was asked."""
    stored = {result.item_id for result in results}
    lost = [item.id for item in golden_set if item.id not in stored]
    if lost:
        raise StoreError(f"{store.name}: {len(lost)} of {len(golden_set)} results were not stored; go on with --resume")


def failed_report(golden_set: GoldenSet, settings: Settings, options: RunOptions, reason: str) -> Report:
    """Return the report of a run that came to nothing because the store could not be used: ERROR, never green."""
    run = describe_run(golden_set, settings, options)
    decision = decide_without_results(run, reason, [item.id for item in golden_set.unverified])
    return Report(run, (), decision, settings.golden_min_pass_rate)


def describe_run(golden_set: GoldenSet, settings: Settings, options: RunOptions, scorers: Sequence[type[Scorer]] = ()) -> RunRecord:
    """Return the identity of the run to be: what is asked, of whom, with which configuration."""
    label = label_of(settings, options.label)
    judged = not settings.judge_is_off
    return RunRecord(
        run_id=checked_run_id(options.run_id) if options.run_id is not None else new_run_id(),
        run_at=datetime.now(UTC),
        set_name=golden_set.name,
        set_digest=golden_set.digest,
        set_size=len(golden_set.all_ids),
        series=series_of(golden_set.name, label, judged=judged, experiment=options.experiment),
        target=f"{DEMO} (degraded)" if settings.is_demo and settings.demo_degraded else label,
        judge_model=settings.judge_model if judged else None,
        judge_prompt_digest=prompt_digest(Framing.from_settings(settings)) if judged else None,
        scorer_version="+".join((SCORER_VERSION, *settings.golden_scorers, *(scorer.__name__ for scorer in scorers))),
        settings=settings.without_secrets(),
        selection=golden_set.selection,
        all_item_ids=golden_set.all_ids,
        allow_unverified=options.allow_unverified,
        is_demo=settings.is_demo,
        experiment=options.experiment,
        repeat=options.repeat,
        started_by=who_starts(),
        selected=len(golden_set),
    )


async def _work_off(
    items: Sequence[Item],
    conductor: _Conductor,
    writer: ResultWriter,
    workers: int,
    on_result: Callable[[Result], None] | None,
) -> None:
    queue = iter(items)

    async def work() -> None:
        for item in queue:
            if writer.failed:
                return
            writer.put(await conductor.conduct(item), on_result)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(workers, len(items))):
            group.create_task(work())


class _Conductor:
    """Takes one item through driving and scoring to its result."""

    def __init__(self, run: RunRecord, targets: Mapping[str, Target], examiner: Examiner, *, hider: Hider, resumed: bool) -> None:
        self._run = run
        self._targets = targets
        self._examiner = examiner
        self._hider = hider
        self._resumed = resumed

    async def conduct(self, item: Item) -> Result:
        return self._hider.hide_in(await self._conducted(item))

    async def _conducted(self, item: Item) -> Result:
        try:
            return await self._conduct(item)
        except Exception as error:  # a fault of our own: stored as the item's error, so that the other items go on, and never green
            fault = replace(failed_drive(f"internal error: {type(error).__name__}: {error}"), fault=True)
            return result_of(self._run, item, fault, None, ())

    async def _conduct(self, item: Item) -> Result:
        target = self._targets.get(item.surface)
        reason = why_not_driven(item, wired=target is not None)
        if target is None or reason is not None:
            return result_of(self._run, item, undriven(reason or INTERNAL_SKIPPED), None, ())
        problem = await self._examiner.check(item)
        if problem is not None:
            return result_of(self._run, item, problem[0], None, (problem[1],))
        name = f"golden-{self._run.run_id}-{item.id}"
        answer = await target.ask(item, name)
        if answer.error is not None:
            return result_of(self._run, item, failed_drive(answer.error), answer, ())
        outcome, scores = await self._examiner.examine(item, answer, self._judge_key(name, answer))
        return result_of(self._run, item, outcome, answer, scores)

    def _judge_key(self, name: str, answer: Answer) -> str:
        """The idempotency key of contract 4.3. A resumed item has a new answer: a gateway must not replay the old verdict."""
        return f"{name}-{hashlib.sha256(answer.text.encode()).hexdigest()[:12]}" if self._resumed else name


def why_not_driven(item: Item, *, wired: bool) -> str | None:
    """Return why an item is skipped without asking anybody, or None when it is to be driven."""
    if not wired:
        return INTERNAL_SKIPPED if item.surface is Surface.INTERNAL else f"no target is wired for surface '{item.surface}'"
    return SEVERAL_TURNS if len(item.messages) > 1 else None


def refuse_unaskable(golden_set: GoldenSet, settings: Settings) -> None:
    """Raise TargetError for items that their target cannot be asked: skipped, they would leave the run green on the rest.

    Items of a surface that is not wired are another matter: that is said in every report, and meant (contract 3.5).
    """
    wired = {surface for surface in Surface if settings.target_for(surface) is not None}
    unaskable = [item.id for item in golden_set if item.surface in wired and why_not_driven(item, wired=True)]
    if unaskable:
        raise TargetError(
            f"{plural(len(unaskable), 'item')} of several turns cannot be asked of a target that takes one question: {some(unaskable)};"
            " choose the others with --select, or give a target that takes conversations; nothing was driven"
        )


def result_of(run: RunRecord, item: Item, outcome: ItemOutcome, answer: Answer | None, scores: Iterable[Score | None]) -> Result:
    """Return the row of an item: what it came to, with its answer and scores."""
    return Result(
        run_id=run.run_id,
        item_id=item.id,
        surface=item.surface,
        domain=item.domain,
        question=item.title,
        digest=item.digest,
        verified=item.is_verified,
        status=outcome.status,
        judge_status=outcome.judge_status,
        passed=outcome.passed,
        score=outcome.score,
        reason=outcome.reason,
        answer=answer,
        scores=tuple(score for score in scores if score is not None),
        finished_at=datetime.now(UTC),
        split=item.split or "",
        kind=item.kind,
        word=outcome.word,
        fault=outcome.fault,
        labels=item.labels,
    )
