"""The store: every run, result and answer, in a SQLite file or in PostgreSQL.

Rule: one code path for both engines. A row is there when its item is done, and what was decided is what was stored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, func, select, update
from sqlalchemy.exc import IntegrityError

from goldenlib.answers import Answer, Result, RunRecord, Status
from goldenlib.errors import AcceptanceError, RunConflictError, RunNotFoundError, StoreError
from goldenlib.gating import Decision
from goldenlib.storage import history, renaming, splits
from goldenlib.storage.connecting import Database, begin_privately, connect, prefer_wal
from goldenlib.storage.decisions import decision_from, decision_text
from goldenlib.storage.locking import locked
from goldenlib.storage.migrations import migrate, older_as_copy, refuse_empty, refuse_foreign
from goldenlib.storage.resuming import differences
from goldenlib.storage.rows import (
    Acceptance,
    FailingRow,
    ResultMark,
    RunPlace,
    RunSummary,
    StoredBaseline,
    baseline_for,
    json_list,
    result_from,
    run_from,
    run_row,
)
from goldenlib.storage.splits import MovedItem, SplitScoring
from goldenlib.storage.tables import golden_acceptances, golden_contracts, golden_results, golden_runs, storable, utc
from goldenlib.storage.tabular import TabularReading, count_where
from goldenlib.storage.writer import ResultWriter, insert_missing

_COUNTS = ("items", "scored", "passed", "errors", "skipped")
_SUMMARY = tuple(name for name in RunSummary.__dataclass_fields__ if name not in _COUNTS)
_NEWEST_FIRST = golden_runs.c.run_seq.desc()
_NOT_FINISHED = {
    "finished_at": None,
    "decision": None,
    "exit_code": None,
    "decision_line": None,
    "reasons": json_list(()),
    "decision_json": None,
}
_SHOWN_IDS = 5


class Store(TabularReading):
    """A place where runs are kept. Open it with `Store.open`, and use it as a context manager.

    Every method raises StoreError, with the way out, when the database cannot be used. Safe to use from several threads.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._locks: dict[str, Callable[[], None]] = {}  # of the runs that are driven through this store

    @classmethod
    def open(cls, url_or_path: str) -> Self:
        """Open a store and bring its tables up to date; an empty file or schema becomes a store.

        Takes the path of a SQLite file or a SQLAlchemy URL of SQLite or PostgreSQL. Raises StoreError for a store of a
        newer version, which is left as it is.
        """
        return cls._open(connect(url_or_path))

    @classmethod
    def open_existing(cls, url_or_path: str, *, to_write: bool = False) -> Self:
        """Open a store that is there; a SQLite one of an older version, unless `to_write`, as a copy (`migrations.older_as_copy`).

        Raises StoreError where there is none, and makes none.
        """
        database = connect(url_or_path)
        if database.path is not None and not database.path.exists():
            raise StoreError(f"{database.shown}: does not exist; correct --store, or make a first run with golden run")
        return cls._open(database if to_write else older_as_copy(database), refuse_empty)

    @classmethod
    def _open(cls, database: Database, check: Callable[[Database], int] = refuse_foreign) -> Self:
        try:
            begin_privately(database)
            check(database)
            database = prefer_wal(database)
            migrate(database)
        except BaseException:
            database.close()
            raise
        return cls(database)

    @property
    def name(self) -> str:
        """The path or URL that was opened, without a password."""
        return self._database.shown

    @property
    def warnings(self) -> tuple[str, ...]:
        """What people should know about this store, such as that write-ahead logging is not possible."""
        return self._database.warnings

    def close(self) -> None:
        """Close every connection."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def create_run(self, run: RunRecord) -> frozenset[str]:
        """Store the identity of a new run and return the ids of its scored items, none. Raises RunConflictError when the id is taken."""
        row = run_row(run)
        with self._database.writes() as connection:
            try:
                connection.execute(golden_runs.insert(), row)
            except IntegrityError:
                raise RunConflictError(
                    f"{self.name}: run {run.run_id!r} exists already; go on with it by --resume, or choose another --run-id"
                ) from None
        return frozenset()

    def resume_run(self, run: RunRecord) -> frozenset[str]:
        """Take a stored run up again and return the ids of the items that are scored already.

        The stored `run_at` stays, and its place among the runs of its series. A decision is cleared until the run finishes again; what
        it had scored when it finished before stays a baseline, and what it scores now becomes one then. Raises RunNotFoundError when
        there is none, and RunConflictError naming everything that differs when the run was started with other parameters.
        """
        row = run_row(run)
        with self._database.writes() as connection:
            stored = run_from(self._run_row(connection, run.run_id))
            if different := differences(stored, row):
                raise RunConflictError(
                    f"{self.name}: run {run.run_id!r} was started with other parameters: {'; '.join(different)};"
                    " resume it with the same ones, or choose another --run-id"
                )
            connection.execute(update(golden_runs).where(golden_runs.c.run_id == run.run_id).values(_NOT_FINISHED))
            scored = select(golden_results.c.item_id).where(
                golden_results.c.run_id == run.run_id, golden_results.c.status == Status.SCORED.value
            )
            return frozenset(connection.scalars(scored))

    @contextmanager
    def lock_run(self, run_id: str) -> Iterator[None]:
        """Hold the right to drive a run, across processes; it ends with the process, kill -9 included.

        Entering raises RunConflictError at once when another process holds it. On PostgreSQL the lock needs its connection: after
        a server restart it is taken again at once, and when another process was faster, the run's writer fails. A pooler that
        shares connections between clients does not keep it.
        """
        with locked(self._database, run_id) as check:
            self._locks[run_id] = check
            try:
                yield
            finally:
                del self._locks[run_id]

    def writer(self, run: RunRecord) -> ResultWriter:
        """Return the writer of a run's results, a context manager. The run must have been created."""
        with self._database.reads() as connection:
            place = _place(self._run_row(connection, run.run_id))
        return ResultWriter(self._database, place, check_lock=self._locks.get(run.run_id))

    def finish_run(self, run_id: str, *, finished_at: datetime, decision: Decision) -> None:
        """Store when the run finished and what was decided; from now on later runs compare with it (contract 1).

        Raises StoreError when that went into a file that was removed, or when another process drives the run now.
        """
        if run_id in self._locks:
            self._locks[run_id]()
        values = {
            "finished_at": utc(finished_at, "finished_at"),
            "decision": decision.outcome.value,
            "exit_code": decision.exit_code,
            "decision_line": storable(decision.line),
            "reasons": json_list(decision.reasons),
            "decision_json": decision_text(decision),
        }
        with self._database.writes() as connection:
            run = self._run_row(connection, run_id)
            connection.execute(update(golden_runs).where(golden_runs.c.run_id == run.run_id).values(values))
            _make_baselines(connection, run.run_id, baseline_for(run.selection))
        self._database.check_in_place()

    def decision(self, run_id: str) -> Decision | None:
        """Return what was decided of a run, as it was decided; None for a run that did not finish."""
        with self._database.reads() as connection:
            stored = self._run_row(connection, run_id).decision_json
        return decision_from(stored) if stored is not None else None

    def run(self, run_id: str) -> RunRecord:
        """Return a run. Raises RunNotFoundError naming the latest runs."""
        with self._database.reads() as connection:
            return run_from(self._run_row(connection, run_id))

    def latest_run(self, finished_only: bool = False) -> RunRecord:
        """Return the run created last, of those that are no part of an experiment. Raises RunNotFoundError when there is none."""
        query = select(golden_runs).where(golden_runs.c.experiment.is_(None)).order_by(_NEWEST_FIRST).limit(1)
        if finished_only:
            query = query.where(golden_runs.c.finished_at.is_not(None))
        with self._database.reads() as connection:
            row = connection.execute(query).first()
        if row is None:
            raise RunNotFoundError(f"{self.name}: holds no {'finished ' if finished_only else ''}runs yet; make one with golden run")
        return run_from(row)

    def runs(self, limit: int = 50, series: str | None = None) -> tuple[RunSummary, ...]:
        """Return the latest runs with their counts, newest first, without those of experiments; of one series when it is given."""
        query = select(*_summary_columns()).order_by(_NEWEST_FIRST).limit(limit)
        of_series = golden_runs.c.experiment.is_(None) if series is None else golden_runs.c.series == storable(series)
        query = query.where(of_series)
        with self._database.reads() as connection:
            return _summaries(connection, connection.execute(query).all())

    def trend(self, run_id: str, limit: int = 20) -> tuple[RunSummary, ...]:
        """Return the last finished runs of the series over the same selection, old to new, ending with this run."""
        with self._database.reads() as connection:
            run = self._run_row(connection, run_id)
            earlier = (
                select(*_summary_columns())
                .where(golden_runs.c.series == run.series, golden_runs.c.selection == run.selection)
                .where(golden_runs.c.finished_at.is_not(None), history.before(golden_runs, _place(run)))
                .order_by(_NEWEST_FIRST)
                .limit(limit - 1)
            )
            rows = connection.execute(earlier).all()
            return _summaries(connection, [*reversed(rows), run])

    def results(self, run_id: str) -> tuple[Result, ...]:
        """Return the results of a run with their answers, in the order of the set."""
        with self._database.reads() as connection:
            run = run_from(self._run_row(connection, run_id))
            found = [result_from(row) for row in connection.execute(history.results_query(run_id))]
        order = {item_id: number for number, item_id in enumerate(run.all_item_ids)}
        return tuple(sorted(found, key=lambda result: (order.get(result.item_id, len(order)), result.item_id)))

    def answers(self, run_id: str) -> dict[str, Answer]:
        """Return the answers of a run by item, of those items that were driven."""
        return {result.item_id: result.answer for result in self.results(run_id) if result.answer is not None}

    def baselines(self, run_id: str, with_answers: bool = True) -> dict[str, StoredBaseline]:
        """Return, for each item of a run, its most recent earlier scored result in a finished run of the series (contract 1).

        Earlier is by the order in which runs were created in the store. A partial run compares with whole runs and with those of its
        own selection, a whole run with whole runs alone (contract 6.3). Without answers, the results have no `answer` and no
        `scores`, and their `question` is cut.
        """
        with self._database.reads() as connection:
            return history.baselines(connection, self._place_of(connection, run_id), with_answers=with_answers)

    def history(self, run_id: str, limit: int = 8) -> dict[str, tuple[ResultMark, ...]]:
        """Return, for each item of a run, its last results in the series, old to new, ending with this run."""
        with self._database.reads() as connection:
            return history.history(connection, self._place_of(connection, run_id), limit)

    def failing_rows(self, run_id: str, item_ids: Iterable[str]) -> dict[str, FailingRow]:
        """Return, for those of the items whose baseline failed, the unbroken row of failures before this run (case 197)."""
        with self._database.reads() as connection:
            return history.failing_rows(connection, self._place_of(connection, run_id), list(item_ids))

    def results_at(self, runs: Mapping[str, str]) -> dict[str, StoredBaseline]:
        """Return, by item, its result in the run that `runs` gives for it, with the judge of that run."""
        with self._database.reads() as connection:
            return history.results_at(connection, [(run_id, item_id) for item_id, run_id in runs.items()])

    def clock_went_back(self, run_id: str) -> tuple[str, datetime] | None:
        """Return the run created last before this one, and its `run_at`, if that is later than this run's own; else None."""
        with self._database.reads() as connection:
            place = self._place_of(connection, run_id)
            last = history.created_before(connection, place)
        return last if last is not None and last[1] > place.run_at else None

    def keep_contracts(self, contracts: Mapping[str, str]) -> None:
        """Keep what decides the verdicts of items, by digest. Those that are there already stay as they are."""
        rows = [{"digest": storable(digest), "contract": storable(contract)} for digest, contract in contracts.items()]
        if rows:
            with self._database.writes() as connection:
                connection.execute(insert_missing(golden_contracts, connection.dialect.name), rows)

    def contracts(self, digests: Iterable[str]) -> dict[str, Any]:
        """Return the contracts that are kept of these digests, each as the object that its JSON is."""
        with self._database.reads() as connection:
            return {digest: json.loads(contract) for digest, contract in history.contracts(connection, list(digests))}

    def earlier_passes(self, run_id: str, digests: Mapping[str, str]) -> list[tuple[str, str | None, str | None]]:
        """Return, for items that passed under contracts of these digests before a run, the judges of those passes.

        `digests` are by item. Each entry is an item with model and prompt digest of a judge.
        """
        with self._database.reads() as connection:
            return list(history.earlier_passes(connection, self._place_of(connection, run_id), digests))

    def passed_after(self, run_id: str, item_id: str) -> str | None:
        """Return the first finished run after this one in which an item passed; None when there is none."""
        with self._database.reads() as connection:
            return history.passed_after(connection, self._place_of(connection, run_id), item_id)

    def keep_acceptance(self, acceptance: Acceptance) -> None:
        """Keep that somebody lets a regression stand. Raises AcceptanceError when that was done before: what is recorded stays."""
        row = {
            "run_id": storable(acceptance.run_id),
            "item_id": storable(acceptance.item_id),
            "accepted_by": storable(acceptance.by),
            "reason": storable(acceptance.reason),
            "accepted_at": acceptance.at,
        }
        with self._database.writes() as connection:
            try:
                connection.execute(golden_acceptances.insert(), row)
            except IntegrityError:
                raise AcceptanceError(
                    f"item {acceptance.item_id!r} of run {acceptance.run_id!r} was accepted already; see golden show"
                ) from None

    def acceptances(self, run_id: str) -> dict[str, Acceptance]:
        """Return, by item, the failures that somebody lets stand in a run: accepted there or earlier, and not passed since."""
        with self._database.reads() as connection:
            return history.acceptances(connection, self._place_of(connection, run_id))

    def vanished(self, run_id: str) -> dict[str, str]:
        """Return the items that the last whole run of the series scored and that are no longer in the set (case 209)."""
        with self._database.reads() as connection:
            run = self._run_row(connection, run_id)
            return history.vanished(connection, _place(run), run_from(run).all_item_ids)

    def scored_under(self, run_id: str, digests: Collection[str]) -> list[tuple[str, str, str]]:
        """Return what was scored under contracts of these digests in the last whole runs before a run: item, run, digest, old to new."""
        with self._database.reads() as connection:
            return history.scored_under(connection, self._place_of(connection, run_id), digests)

    def split_scorings(self, run_id: str, split: str) -> tuple[SplitScoring, ...]:
        """Return the runs in which items of a split of a run's set were scored, oldest first: who, when and how often.

        The set is that of the same name, and whatever asked one of the run's questions.
        """
        with self._database.reads() as connection:
            return splits.split_scorings(connection, run_id, self._run_row(connection, run_id).set_name, split)

    def moved_out(self, run_id: str, split: str) -> tuple[MovedItem, ...]:
        """Return the items of a run that were scored in a split before, and stand there no more."""
        with self._database.reads() as connection:
            return splits.moved_out(connection, run_id, self._run_row(connection, run_id).set_name, split)

    def item_answers(self, item_id: str, limit: int = 20, *, series: str | Collection[str] | None = None) -> tuple[Result, ...]:
        """Return the stored results of an item that have an answer, newest first; of one series or some when they are given."""
        with self._database.reads() as connection:
            return history.item_answers(connection, item_id, limit=limit, series=(series,) if isinstance(series, str) else series)

    def history_size(self, item_id: str, *, of_sets: Collection[str]) -> tuple[int, int]:
        """Return how many results an item has in runs of sets of these names, over how many runs."""
        with self._database.reads() as connection:
            return renaming.history_size(connection, item_id, of_sets)

    def rename_item(self, old: str, new: str, *, of_sets: Collection[str]) -> int:
        """Give the results of item `old`, in runs of sets of these names, to `new` and return how many.

        Raises StoreError when `new` has some already.
        """
        with self._database.writes() as connection:
            return renaming.rename_item(connection, old, new, of_sets)

    def _place_of(self, connection: Connection, run_id: str) -> RunPlace:
        return _place(self._run_row(connection, run_id))

    def _run_row(self, connection: Connection, run_id: str) -> Any:
        row = connection.execute(select(golden_runs).where(golden_runs.c.run_id == storable(run_id))).first()
        if row is None:
            raise self._not_found(connection, run_id)
        return row

    def _not_found(self, connection: Connection, run_id: str) -> RunNotFoundError:
        latest = list(connection.scalars(select(golden_runs.c.run_id).order_by(_NEWEST_FIRST).limit(_SHOWN_IDS)))
        there = f"the latest are {', '.join(latest)}" if latest else "it holds no runs yet"
        return RunNotFoundError(f"{self.name}: there is no run {run_id!r}; {there}")


def _place(run: Any) -> RunPlace:
    return RunPlace(run.run_id, run.series, run.run_at, run.run_seq, run.selection)


def _make_baselines(connection: Connection, run_id: str, which: str) -> None:
    """Let the scored results of a run be baselines for the runs that `which` names."""
    scored = golden_results.c.status == Status.SCORED.value
    connection.execute(update(golden_results).where(golden_results.c.run_id == run_id, scored).values(baseline_for=which))


def _summary_columns() -> list[Any]:
    return [golden_runs.c[name] for name in _SUMMARY]


def _summaries(connection: Connection, runs: Sequence[Any]) -> tuple[RunSummary, ...]:
    results = golden_results.c
    counts = (
        select(
            results.run_id,
            func.count().label("items"),
            count_where(results.status == Status.SCORED.value).label("scored"),
            count_where((results.status == Status.SCORED.value) & results.passed).label("passed"),
            count_where(results.status == Status.ERROR.value).label("errors"),
            count_where(results.status == Status.SKIPPED.value).label("skipped"),
        )
        .where(results.run_id.in_([run.run_id for run in runs]))
        .group_by(results.run_id)
    )
    counted = {row.run_id: {name: getattr(row, name) for name in _COUNTS} for row in connection.execute(counts)}
    summaries = (RunSummary(**{name: getattr(run, name) for name in _SUMMARY}) for run in runs)
    return tuple(replace(summary, **counted.get(summary.run_id, {})) for summary in summaries)
