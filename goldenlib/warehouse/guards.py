"""Guards: what is asked of a database engine itself, so that it only reads and stops in time, whatever SQL it is given.

Rule: one class for each engine that can promise both; opened, it refuses a login that could do more. `GUARDS` is the table of them:
every other engine is used only when that was chosen with open eyes (contract 9.5b). Runs inside the worker.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import URL, Connection, Engine, create_engine
from sqlalchemy.exc import DBAPIError

from goldenlib.warehouse.attributes import NO_CATALOGUE, Catalogue
from goldenlib.warehouse.results import FailureKind, Limits

CONNECT_TIMEOUT_S = 10


class Guard:
    """What a worker asks of an engine; this one asks for nothing, and is for engines that nothing is known of."""

    dialect = ""

    def __init__(self, url: URL, limits: Limits, time_zone: str = "") -> None:
        self.url, self.limits = url, limits
        self.time_zone = time_zone  # the one that was asked for; `look` finds the engine's own where none was
        self.setup: list[str] = []  # statements that begin every transaction
        self.catalogue: Catalogue = NO_CATALOGUE

    def engine(self) -> Engine:
        """Return the engine, which connects when it is first used."""
        given = {name: value for name, value in self.connect_arguments().items() if name not in self.url.query}
        return create_engine(self.url, connect_args=given, pool_size=1, pool_pre_ping=True)

    def connect_arguments(self) -> Mapping[str, object]:
        """Return what the driver is told when it connects, unless the URL says otherwise."""
        return {}

    def look(self, connection: Connection) -> None:
        """Look at the server once: find `setup` and `catalogue`. Raises QueryStopped for a login that could do more than read."""
        connection.exec_driver_sql("SELECT 1")

    def begin(self, connection: Connection, deadline: float) -> None:
        """Begin a transaction that only reads, and that ends at the deadline (of time.monotonic)."""
        for statement in self.setup:
            connection.exec_driver_sql(statement)

    def kind_of(self, error: DBAPIError, text: str) -> FailureKind | None:
        """Return what an error of the driver says of the query; None where it says nothing beyond its text."""
        return FailureKind.UNAVAILABLE if error.connection_invalidated else None


def guard_of(url: URL, limits: Limits, time_zone: str = "") -> Guard:
    """Return the guard of an engine."""
    from goldenlib.warehouse.mysql import MySQL
    from goldenlib.warehouse.postgresql import PostgreSQL
    from goldenlib.warehouse.sqlite import SQLite

    known: dict[str, type[Guard]] = {"sqlite": SQLite, "postgresql": PostgreSQL, "mysql": MySQL, "mariadb": MySQL}
    return known.get(url.get_backend_name(), Guard)(url, limits, time_zone)
