"""Running: ask every item of a golden set, score what comes back, store it, decide.

Rule: this page is the story. Stages do not know one another; here they are put together. Wrong set-up is an exception
before the first call; what happens in a run is data, and one item's failure never loses the others.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from goldenlib.answers import Answer, Result, RunRecord, Score, series_of
from goldenlib.comparing.earlier import Earlier, compare
from goldenlib.config.hiding import Hider
from goldenlib.config.identity import RunOptions as RunOptions  # also read from here by whoever calls evaluate
from goldenlib.config.identity import checked_run_id, label_of, new_run_id, who_starts
from goldenlib.config.settings import Settings
from goldenlib.config.settingtypes import DEMO
from goldenlib.driving import Target, open_target
from goldenlib.errors import StoreError, TargetError
from goldenlib.gating import Policy, decide, decide_without_results
from goldenlib.gating.lines import plural, some
from goldenlib.items import GoldenSet, Item, Surface
from goldenlib.reporting.gathering import report_on
from goldenlib.reporting.report import Report
from goldenlib.resources import open_warehouse_for
from goldenlib.scoring import SCORER_VERSION
from goldenlib.scoring.examining import Examiner
from goldenlib.scoring.judge import Judge
from goldenlib.scoring.outcome import INTERNAL_SKIPPED, Outcome, failed_drive, undriven
from goldenlib.scoring.prompt import Framing, prompt_digest
from goldenlib.storage import ResultWriter, Store

if TYPE_CHECKING:
    from goldenlib.warehouse import Warehouse

_Returned = TypeVar("_Returned")

# Items are driven and judged at the same time, each endpoint at its own pace; so many more items are under way than one pace.
STAGES = 2
SEVERAL_TURNS = "skipped: scenarios of several turns are not driven by this version"


def evaluate(
    golden_set: GoldenSet,
    settings: Settings,
    store: Store,
    options: RunOptions | None = None,
    on_result: Callable[[Result], None] | None = None,
) -> Report:
    """Run the golden set and return the report, with its decision.

    Each result is stored when its item is done, and then handed to `on_result` (from another thread). Works the same in
    a script, a notebook and a test: the event loop has a thread of its own. On KeyboardInterrupt the rows so far are kept
    and the run stays unfinished, for `resume`.

    Raises SettingsError, TargetError or StoreError before anything is driven, and StoreError when the store gives up.
    """
    options = options or RunOptions()
    refuse_unaskable(golden_set, settings)
    run = describe_run(golden_set, settings, options)
    with store.lock_run(run.run_id):
        found = _in_own_loop(_run_items(golden_set, settings, store, run, options, on_result))
        return _finish(golden_set, settings, store, run.run_id, found)


@dataclass(frozen=True, slots=True)
class _Found:
    """What only the asking shows: what `_failing_today` finds, and what is to be known of how answers were judged."""

    failing_today: Collection[str]
    remarks: tuple[str, ...]


def _finish(golden_set: GoldenSet, settings: Settings, store: Store, run_id: str, found: _Found) -> Report:
    """Decide a run whose items are all done, store the decision, and return the report."""
    run = store.run(run_id)
    results = store.results(run_id)
    _check_complete(golden_set, results, store)
    comparison = compare(store, run, results, golden_set, found.failing_today)
    comparison = replace(comparison, remarks=(*comparison.remarks, *found.remarks))
    policy = Policy.from_settings(settings, allow_unverified=run.allow_unverified)
    decision = decide(run, results, comparison, policy)
    store.finish_run(run_id, finished_at=datetime.now(UTC), decision=decision)
    return report_on(store, store.run(run_id), results, decision, comparison, settings.golden_min_pass_rate)


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


def describe_run(golden_set: GoldenSet, settings: Settings, options: RunOptions) -> RunRecord:
    """Return the identity of the run to be: what is asked, of whom, with which configuration."""
    label = label_of(settings, options.label)
    judged = not settings.judge_is_off
    return RunRecord(
        run_id=checked_run_id(options.run_id) if options.run_id is not None else new_run_id(),
        run_at=datetime.now(UTC),
        set_name=golden_set.name,
        set_digest=golden_set.digest,
        set_size=len(golden_set.all_ids),
        series=series_of(golden_set.name, label, judged=judged),
        target=f"{DEMO} (degraded)" if settings.is_demo and settings.demo_degraded else label,
        judge_model=settings.judge_model if judged else None,
        judge_prompt_digest=prompt_digest(Framing.from_settings(settings)) if judged else None,
        scorer_version=SCORER_VERSION,
        settings=settings.without_secrets(),
        selection=golden_set.selection,
        all_item_ids=golden_set.all_ids,
        allow_unverified=options.allow_unverified,
        is_demo=settings.is_demo,
        started_by=who_starts(),
        selected=len(golden_set),
    )


async def _run_items(
    golden_set: GoldenSet,
    settings: Settings,
    store: Store,
    run: RunRecord,
    options: RunOptions,
    on_result: Callable[[Result], None] | None,
) -> _Found:
    """Ask and score every item that is not scored yet."""
    async with AsyncExitStack() as stack:
        if settings.needs_demo:
            from goldenlib.demo.serving import serve_demo  # a web server, which real runs need not load

            settings = await serve_demo(settings, stack)
        data = [item for item in golden_set if item.is_data_question]
        warehouse = await open_warehouse_for(data, settings, stack)
        targets = await _open_targets(settings, store, warehouse, stack)
        judge = None if settings.judge_is_off else await stack.enter_async_context(Judge(settings.judge_url, settings))
        examiner = Examiner(judge, warehouse, has_data_questions=bool(data))
        scored = _begin(store, run, golden_set, resume=options.resume)
        todo = [item for item in golden_set if item.id not in scored]
        conductor = _Conductor(run, targets, examiner, hider=Hider(settings), resumed=options.resume)
        with store.writer(run) as writer:
            await _work_off(todo, conductor, writer, settings.golden_concurrency * STAGES, on_result)
        return _Found(await _failing_today(data, store, run.run_id, examiner), judge.remarks if judge is not None else ())


async def _failing_today(questions: Sequence[Item], store: Store, run_id: str, examiner: Examiner) -> list[str]:
    """Return the questions whose contract has changed since they passed last, and whose answer of then fails it now (contract 6.5)."""
    if not questions:
        return []
    passes = Earlier.of(store, run_id).passes
    failing = []
    for item in questions:
        then = passes.get(item.id)
        if then is None or then.digest == item.digest:
            continue
        with suppress(Exception):  # what cannot be told leaves a regression, and the run goes on to its decision
            if await examiner.fails(item, then.answer):
                failing.append(item.id)
    return failing


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


def _begin(store: Store, run: RunRecord, golden_set: GoldenSet, *, resume: bool) -> frozenset[str]:
    """Enter the run and its contracts in the store and return the ids that are scored already."""
    store.keep_contracts({item.digest: item.contract for item in golden_set})
    if resume:
        return store.resume_run(run)
    store.create_run(run)
    return frozenset()


async def _open_targets(settings: Settings, store: Store, warehouse: Warehouse | None, stack: AsyncExitStack) -> dict[str, Target]:
    targets: dict[str, Target] = {}
    for surface in Surface:
        target = open_target(surface, settings, stored_answers=store.answers, warehouse=warehouse)
        if target is not None:
            targets[surface] = await stack.enter_async_context(target)
    return targets


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
    unaskable = [item.id for item in golden_set if settings.target_for(item.surface) is not None and why_not_driven(item, wired=True)]
    if unaskable:
        raise TargetError(
            f"{plural(len(unaskable), 'item')} of several turns cannot be asked of a target that takes one question: {some(unaskable)};"
            " choose the others with --select, or give a target that takes conversations; nothing was driven"
        )


def result_of(run: RunRecord, item: Item, outcome: Outcome, answer: Answer | None, scores: Iterable[Score | None]) -> Result:
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


def _in_own_loop(main: Coroutine[Any, Any, _Returned]) -> _Returned:
    """Run a coroutine to its end on a loop in a thread of its own and return what it returns; KeyboardInterrupt here cancels it there.

    An event tells of the end. Thread.join does not: interrupted, it takes the thread for ended (Python 3.11 and 3.12, bpo-45274).
    """
    loop = asyncio.new_event_loop()
    ended = threading.Event()
    failure: list[BaseException] = []
    task = loop.create_task(main)

    def run() -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_until_complete(task)
        except BaseException as error:  # handed to the caller's thread, below
            failure.append(error)
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
            ended.set()

    thread = threading.Thread(target=run, name="golden-run")
    try:
        thread.start()
        ended.wait()
    except KeyboardInterrupt:
        with suppress(RuntimeError):  # the loop ended at this very moment
            loop.call_soon_threadsafe(task.cancel)
        while thread.is_alive() and not ended.is_set():
            with suppress(KeyboardInterrupt):  # asked again while rows are still being stored, which ends by itself
                ended.wait()
        raise
    thread.join()
    if failure:
        raise _single(failure[0])
    return task.result()


def _single(error: BaseException) -> BaseException:
    """Unwrap a group that holds one exception, as a TaskGroup makes of the one that ended it."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
