"""Other ways: the same warehouse opened again, with another number of threads or in another time zone.

Rule: opened only when a query is run in it, and closed with whoever made it.
"""

from __future__ import annotations

import threading
from types import TracebackType

from goldenlib.warehouse import FailureKind, QueryFailed, QueryResult, Warehouse
from goldenlib.warehouse.results import QueryStopped

_ONE, _SEVERAL = 1, 4
_UTC = ("UTC", "Etc/UTC", "GMT", "+00:00")
_FAR = "Asia/Jakarta"
_HAVE_ZONES = ("duckdb", "postgres", "mysql")


class OtherWays:
    """Runs golden SQL in another way than the warehouse: with several threads where it has one, in another zone. Use it with `with`."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._opened: dict[str, Warehouse | QueryStopped] = {}
        self._lock = threading.Lock()
        self.threads = _ONE if warehouse.limits.threads > _ONE else _SEVERAL
        self.zone = _FAR if warehouse.time_zone in _UTC else _UTC[0]

    def with_threads(self, sql: str) -> QueryResult | QueryFailed | None:
        """Return the outcome with the other number of threads; None for a warehouse other than DuckDB, which decides that itself."""
        return self._run("threads", sql) if self._warehouse.dialect == "duckdb" else None

    def in_zone(self, sql: str) -> QueryResult | QueryFailed | None:
        """Return the outcome in the other time zone; None for a warehouse that has none."""
        return self._run("zone", sql) if self._warehouse.dialect in _HAVE_ZONES and self._warehouse.time_zone else None

    def _run(self, way: str, sql: str) -> QueryResult | QueryFailed:
        with self._lock:
            if way not in self._opened:
                self._opened[way] = self._open(way)
            other = self._opened[way]
        if isinstance(other, QueryStopped):
            return QueryFailed(FailureKind.UNAVAILABLE, other.reason)
        return other.run(sql, trusted=True)

    def _open(self, way: str) -> Warehouse | QueryStopped:
        try:
            return self._warehouse.again(threads=self.threads) if way == "threads" else self._warehouse.again(time_zone=self.zone)
        except QueryStopped as stopped:
            return stopped

    def __enter__(self) -> OtherWays:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for other in self._opened.values():
            if isinstance(other, Warehouse):
                other.close()
        self._opened.clear()
