"""The writer: takes results from a running event loop and stores each as soon as it is done.

Rule: a result that was paid for is not dropped because the database is busy. Rows wait and are tried again; what cannot be
stored in the end is an error that nobody can overlook.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import Connection, Executable, Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import SQLAlchemyError

from goldenlib.answers import Result
from goldenlib.errors import StoreError
from goldenlib.storage.connecting import Database
from goldenlib.storage.failures import is_transient
from goldenlib.storage.rows import RunPlace, answer_row, result_row
from goldenlib.storage.tables import golden_answers, golden_results

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

PATIENCE_S = 60.0
_FIRST_WAIT_S = 0.05
_LONGEST_WAIT_S = 2.0


@dataclass(frozen=True, slots=True)
class _Pending:
    result: Result
    result_row: dict[str, Any]
    answer_row: dict[str, Any]
    on_stored: Callable[[Result], None] | None


class ResultWriter:
    """Stores the results of one run on a thread of its own, as a context manager.

    Everything that waits is committed in one transaction, and a lone row at once. A row that is written again replaces
    the one before. `check_lock` raises StoreError when the run is another process's by now, and nothing more is stored then.
    """

    def __init__(
        self, database: Database, place: RunPlace, patience_s: float = PATIENCE_S, check_lock: Callable[[], None] | None = None
    ) -> None:
        self._database = database
        self._check_lock = check_lock
        self._place = place
        self._patience_s = patience_s
        self._queue: SimpleQueue[_Pending | None] = SimpleQueue()
        self._closing = Lock()
        self._closed = False
        self._failure: StoreError | None = None
        self._upsert_results = upsert(golden_results, database.engine.dialect.name)
        self._upsert_answers = upsert(golden_answers, database.engine.dialect.name)
        self._connection: Connection | None = None  # the thread's own
        self._thread = Thread(target=self._write_until_closed, name=f"golden-writer-{place.run_id}", daemon=True)
        self._thread.start()

    def put(self, result: Result, on_stored: Callable[[Result], None] | None = None) -> None:
        """Hand over a result; returns at once. `on_stored` is called on the writer's thread after the commit.

        Raises StoreError for a result that cannot be stored truthfully (a score of NaN, a time without a zone).
        """
        pending = _Pending(result, result_row(result, self._place), answer_row(result), on_stored)
        with self._closing:
            if self._closed:
                raise StoreError(f"the writer of run {self._place.run_id!r} is closed; open another with store.writer(run)")
            self._queue.put(pending)

    @property
    def failed(self) -> StoreError | None:
        """Why a row could not be stored, or None. A runner that sees one stops asking for further answers."""
        return self._failure

    def close(self) -> None:
        """Store what still waits, then stop. Raises StoreError when a row could not be stored."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()
        if self._failure is not None:
            raise self._failure

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self.close()
        except StoreError as failure:
            if error is None:
                raise
            error.add_note(f"besides, {failure}")

    def _write_until_closed(self) -> None:
        try:
            while (batch := self._next_batch()) is not None:
                self._store(batch)
        finally:
            self._disconnect()

    def _next_batch(self) -> list[_Pending] | None:
        """Wait for a row, then take all that wait. None when the writer was closed and nothing is left."""
        first = self._queue.get()
        if first is None:
            return None
        batch = [first]
        while True:
            try:
                following = self._queue.get_nowait()
            except Empty:
                return batch
            if following is None:
                self._queue.put(None)
                return batch
            batch.append(following)

    def _store(self, batch: Sequence[_Pending]) -> None:
        """Store a batch in one transaction. When the database refuses it for good, store its rows one by one."""
        try:
            self._commit_with_patience(batch)
        except Exception as error:  # kept, and raised by close(): this thread lives on for the rows to come
            if is_transient(error):
                self._patience_s = 0  # waiting did not help, and each of the rows to come would wait as long
                self._fail(self._explain(error, batch))
            elif len(batch) == 1:
                self._fail(self._explain(error, batch))
            else:
                for pending in batch:
                    self._store([pending])
            return
        for pending in batch:
            self._tell(pending)

    def _commit_with_patience(self, batch: Sequence[_Pending]) -> None:
        """Try again, less and less often, as long as that may help and patience lasts."""
        deadline = time.monotonic() + self._patience_s
        wait_s = _FIRST_WAIT_S
        while True:
            try:
                return self._commit(batch)
            except SQLAlchemyError as error:
                if not is_transient(error) or time.monotonic() + wait_s > deadline:
                    raise
            time.sleep(wait_s * random.uniform(0.5, 1))
            wait_s = min(wait_s * 2, _LONGEST_WAIT_S)

    def _commit(self, batch: Sequence[_Pending]) -> None:
        """Commit a batch on a connection that is kept, which halves the cost of a lone row; after an error on a new one."""
        if self._check_lock is not None:
            self._check_lock()
        if self._connection is None:
            self._connection = self._database.connect_to_write()
        try:
            with self._connection.begin():
                self._connection.execute(self._upsert_results, [pending.result_row for pending in batch])
                self._connection.execute(self._upsert_answers, [pending.answer_row for pending in batch])
        except SQLAlchemyError:
            self._disconnect()
            raise

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _tell(self, pending: _Pending) -> None:
        if pending.on_stored is None:
            return
        try:
            pending.on_stored(pending.result)
        except BaseException as error:  # kept, and raised by close(); an exit as well, which would end this thread and lose what waits
            self._fail(StoreError(f"item {pending.result.item_id!r} was stored, and telling so failed: {error!r}"))

    def _explain(self, error: Exception, batch: Sequence[_Pending]) -> StoreError:
        lost = f"item {batch[0].result.item_id!r}" if len(batch) == 1 else f"{len(batch)} items"
        if isinstance(error, SQLAlchemyError):
            return StoreError(f"{lost} could not be stored: {self._database.explain(error)}")
        if isinstance(error, StoreError):
            return StoreError(f"{lost} could not be stored: {error}")
        return StoreError(f"{lost} could not be stored: {self._database.shown}: {error}; look at the values of the result")

    def _fail(self, failure: StoreError) -> None:
        self._failure = self._failure or failure


def upsert(table: Table, dialect: str) -> Executable:
    """Return the statement that inserts rows of `table` and replaces those whose key is there (case 221)."""
    insert = _insert(table, dialect)
    key = [column.name for column in table.primary_key]
    changed = {column.name: insert.excluded[column.name] for column in table.columns if not column.primary_key}
    return insert.on_conflict_do_update(index_elements=key, set_=changed)


def insert_missing(table: Table, dialect: str) -> Executable:
    """Return the statement that inserts those rows of `table` whose key is not there yet."""
    return _insert(table, dialect).on_conflict_do_nothing()


def _insert(table: Table, dialect: str) -> sqlite.Insert | postgresql.Insert:
    if dialect == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # all its drivers' dialects, which a run into a file need not load

    return postgresql.insert(table)
