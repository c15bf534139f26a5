"""Querying: a warehouse that is open, and the one way to ask it.

Rule: a query has an outcome. Only wrong use of this class raises.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from types import TracebackType

from goldenlib.warehouse.frames import unpack_rows
from goldenlib.warehouse.process import Place, Reply, Worker
from goldenlib.warehouse.results import FailureKind, Limits, QueryFailed, QueryResult, QueryStopped, Rows, visible


class Warehouse:
    """An open warehouse; from `open_warehouse`. Threads may share it, and wait for one another.

    `shown` names it in reports, without a password; `dialect` is what sqlglot calls its SQL. Close it, or use it with `with`.
    """

    def __init__(self, place: Place, limits: Limits, *, shown: str, clean_up: Callable[[], None] | None = None) -> None:
        self.limits, self.shown, self.dialect = limits, shown, place.dialect
        self._place = place
        self._clean_up = clean_up
        self._lock = threading.Lock()
        self._worker: Worker | None = Worker(place, limits)
        self._is_open = True

    def run(self, sql: str, *, trusted: bool = False, allow_functions: Collection[str] = ()) -> QueryResult | QueryFailed:
        """Return the rows of one SELECT, or why there are none.

        Golden SQL is `trusted`: it is refused only for what leads out of the database. An agent's SQL calls what is known to compute, and
        `allow_functions`: what the golden SQL of its question calls. Both run read-only, within the limits, in the worker.
        Raises ValueError when the warehouse is closed.
        """
        with self._lock:
            if not self._is_open:
                raise ValueError(f"{self.shown}: the warehouse is closed; open it again with open_warehouse")
            started = time.perf_counter()
            try:
                worker = self._running()
                reply = worker.ask(sql, is_golden=trusted, allow_functions=allow_functions)
                outcome = _outcome(reply, self._place.engine, started)
                if isinstance(outcome, QueryFailed) and outcome.kind == FailureKind.TOO_MUCH_MEMORY:
                    worker.end()  # the next query gets a process that has all its memory
                return outcome
            except QueryStopped as stopped:
                return QueryFailed(stopped.kind, stopped.reason, time.perf_counter() - started)

    def close(self) -> None:
        """End the worker and remove what was made for it; a query that runs is ended too. A second time does nothing."""
        self._is_open = False
        if (running := self._worker) is not None:
            running.stop()  # who has the lock gets its answer: the process is gone
        with self._lock:
            worker, self._worker = self._worker, None
            if worker is not None:
                worker.end()
            clean_up, self._clean_up = self._clean_up, None
            if clean_up is not None:
                clean_up()

    def __enter__(self) -> Warehouse:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _running(self) -> Worker:
        """The worker, a new one when the last query ended it."""
        if self._worker is not None and not self._worker.is_alive():
            self._worker.end()
            self._worker = None
        if self._worker is None:
            try:
                self._worker = Worker(self._place, self.limits)
            except QueryStopped as stopped:
                raise QueryStopped(FailureKind.UNAVAILABLE, f"{self.shown} cannot be opened again: {stopped.reason}") from None
        return self._worker


def _outcome(reply: Reply, engine: str, started: float) -> QueryResult | QueryFailed:
    if "kind" in reply.end:
        return QueryFailed(FailureKind(reply.end["kind"]), reply.end["reason"], time.perf_counter() - started)
    columns, row_count = tuple(reply.end["columns"]), int(reply.end["row_count"])
    try:
        rows = _arrow_table(reply.data) if engine == "duckdb" else [row for piece in reply.data for row in unpack_rows(piece)]
    except MemoryError:
        raise
    except Exception as error:  # what a query gave is its own outcome, whatever unpacking it raises
        reason = visible(f"its result cannot be read: {type(error).__name__}: {error}")
        return QueryFailed(FailureKind.SQL_ERROR, reason, time.perf_counter() - started)
    return QueryResult(columns, rows, row_count, time.perf_counter() - started)


def _arrow_table(pieces: list[bytes]) -> Rows:
    import pyarrow  # an extra, and a quarter of a second

    with pyarrow.ipc.open_stream(pyarrow.BufferReader(b"".join(pieces))) as stream:
        return stream.read_all()
