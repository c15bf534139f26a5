"""Threads: the same DuckDB warehouse a second time, with another number of threads.

Rule: opened only when a query is run in it, and closed with whoever made it.
"""

from __future__ import annotations

from dataclasses import replace
from types import TracebackType

from goldenlib.warehouse import FailureKind, QueryFailed, QueryResult, Warehouse
from goldenlib.warehouse.results import QueryStopped

_ONE, _SEVERAL = 1, 4


class OtherThreads:
    """Runs golden SQL with several threads where the warehouse has one, and with one where it has several. Use it with `with`."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._other: Warehouse | None = None
        self.threads = _ONE if warehouse.limits.threads > _ONE else _SEVERAL

    def run(self, sql: str) -> QueryResult | QueryFailed | None:
        """Return the outcome with the other number of threads; None for a warehouse other than DuckDB, which decides that itself."""
        if self._warehouse.dialect != "duckdb":
            return None
        try:
            if self._other is None:
                self._other = self._open()
        except QueryStopped as stopped:
            return QueryFailed(FailureKind.UNAVAILABLE, stopped.reason)
        return self._other.run(sql, trusted=True)

    def _open(self) -> Warehouse:
        # The same place, which only the warehouse itself knows: what was built for it is not built again.
        warehouse = self._warehouse
        return Warehouse(warehouse._place, replace(warehouse.limits, threads=self.threads), shown=warehouse.shown)

    def __enter__(self) -> OtherThreads:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._other is not None:
            self._other.close()
            self._other = None
