"""Querying: a warehouse that is open, and the one way to ask it.

Rule: a query has an outcome. Only wrong use of this class raises.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType

from goldenlib.warehouse.pipe import unpack_rows
from goldenlib.warehouse.process import WarehousePlace, Worker, WorkerReply
from goldenlib.warehouse.results import FailureKind, Limits, QueryFailed, QueryResult, QueryStopped, Rows, visible


class Warehouse:
    """An open warehouse; from `open_warehouse`. Threads may share it: as many queries as `concurrency` run at once, the others wait.

    `shown` names it in reports, without a password; `dialect` is what sqlglot calls its SQL, `time_zone` the zone that it runs in, or
    empty where nobody knows; `zone_is_set` says that it was chosen. Close it, or use it with `with`.
    """

    def __init__(
        self, place: WarehousePlace, limits: Limits, *, shown: str, clean_up: Callable[[], None] | None = None, concurrency: int = 1
    ) -> None:
        self.limits, self.shown, self.dialect, self.concurrency = limits, shown, place.dialect, concurrency
        self._place = place
        self._clean_up = clean_up
        self._turns = threading.BoundedSemaphore(concurrency)
        self._lock = threading.Lock()  # over the two lists of workers
        first = Worker(place, limits)
        self.time_zone, self.zone_is_set = first.time_zone, bool(place.time_zone)
        self._idle, self._busy = [first], list[Worker]()  # the last one used is the next: more are started only when they are needed
        self._is_open = True

    def run(self, sql: str, *, trusted: bool = False, allow_functions: Collection[str] = ()) -> QueryResult | QueryFailed:
        """Return the rows of one SELECT, or why there are none.

        Golden SQL is `trusted`: it is refused only for what leads out of the database. An agent's SQL calls what is known to compute, and
        `allow_functions`: what the golden SQL of its question calls. Both run read-only, within the limits, in a worker.
        Raises ValueError when the warehouse is closed.
        """
        with self._turns:
            started = time.perf_counter()
            try:
                with self._lent() as worker:
                    reply = worker.ask(sql, is_golden=trusted, allow_functions=allow_functions)
                    outcome = _outcome(reply, self._place.engine, started)
                    if isinstance(outcome, QueryFailed) and outcome.kind == FailureKind.TOO_MUCH_MEMORY:
                        worker.end()  # the next query gets a process that has all its memory
                    return outcome
            except QueryStopped as stopped:
                return QueryFailed(stopped.kind, stopped.reason, time.perf_counter() - started)

    def again(self, *, threads: int | None = None, time_zone: str | None = None) -> Warehouse:
        """Return the same place opened once more, with another number of threads or in another time zone.

        What was built for this warehouse is not built again, and goes with this one. Raises QueryStopped when it cannot be opened.
        """
        limits = self.limits if threads is None else replace(self.limits, threads=threads)
        place = self._place if time_zone is None else replace(self._place, time_zone=time_zone)
        return Warehouse(place, limits, shown=self.shown, concurrency=self.concurrency)

    def close(self) -> None:
        """End the workers and remove what was made for them; queries that run are ended too. A second time does nothing."""
        with self._lock:
            self._is_open = False
            idle, self._idle = self._idle, []
            for running in self._busy:
                running.stop()  # who waits for it gets its answer: the process is gone
        for worker in idle:
            worker.end()
        for _ in range(self.concurrency):  # until every query has had its answer
            self._turns.acquire()
        self._turns.release(self.concurrency)
        clean_up, self._clean_up = self._clean_up, None
        if clean_up is not None:
            clean_up()

    def __enter__(self) -> Warehouse:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _lent(self) -> Iterator[Worker]:
        """Lend a worker for one query; a new one where none is idle, or the last query ended it."""
        worker = self._taken() or self._started()
        try:
            yield worker
        finally:
            with self._lock:
                self._busy.remove(worker)
                is_kept = self._is_open and worker.is_alive()
                if is_kept:
                    self._idle.append(worker)
            if not is_kept:
                worker.end()

    def _taken(self) -> Worker | None:
        while True:
            with self._lock:
                if not self._is_open:
                    raise ValueError(f"{self.shown}: the warehouse is closed; open it again with open_warehouse")
                if not self._idle:
                    return None
                worker = self._idle.pop()
                if worker.is_alive():
                    self._busy.append(worker)
                    return worker
            worker.end()

    def _started(self) -> Worker:
        try:
            worker = Worker(self._place, self.limits)
        except QueryStopped as stopped:
            raise QueryStopped(FailureKind.UNAVAILABLE, f"{self.shown} cannot be opened again: {stopped.reason}") from None
        with self._lock:
            self._busy.append(worker)
            if not self._is_open:
                worker.stop()
        return worker


def _outcome(reply: WorkerReply, engine: str, started: float) -> QueryResult | QueryFailed:
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
