"""The SQLAlchemy side: a database server, or SQLite, asked in a transaction that cannot write and is always rolled back.

Rule: what the engine itself can promise is asked of it for every query (`guards`). Runs inside the worker.
"""

from __future__ import annotations

import re
import time
from typing import BinaryIO

from sqlalchemy import Connection, make_url
from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError

from goldenlib.config.settings import mask_url
from goldenlib.warehouse.attributes import Catalogue
from goldenlib.warehouse.duck import check_size, timed_out, too_much_memory
from goldenlib.warehouse.guards import guard_of
from goldenlib.warehouse.pipe import DATA, pack_rows, write_frame
from goldenlib.warehouse.results import FailureKind, Limits, QueryStopped, visible

_ROWS_A_BATCH = 1_000
_TOLD_APART_BY = 8  # characters of a password


class Server:
    """An engine over a SQLAlchemy URL. Results leave as pickled rows."""

    def __init__(self, url: str, limits: Limits, time_zone: str = "") -> None:
        self._limits = limits
        made = make_url(url)
        self._secret = str(made.password or "")
        self._guard = guard_of(made, limits, time_zone)
        try:
            self._engine = self._guard.engine()
            with self._engine.connect() as connection:
                self._guard.look(connection)
        except NoSuchModuleError as error:
            raise QueryStopped(FailureKind.UNAVAILABLE, f"{self._masked(error)}; install the SQLAlchemy dialect of this database") from None
        except SQLAlchemyError as error:
            raise QueryStopped(FailureKind.UNAVAILABLE, self._masked(error)) from None

    @property
    def time_zone(self) -> str:
        """The time zone of its sessions; empty where nobody knows."""
        return self._guard.time_zone

    @property
    def catalogue(self) -> Catalogue:
        """What the server says of functions that are called without brackets."""
        return self._guard.catalogue

    def run(self, sql: str, out: BinaryIO) -> tuple[list[str], int]:
        """Write the result to `out` in batches; return its columns and how many rows it has. Raises QueryStopped."""
        deadline = time.monotonic() + self._limits.seconds
        try:
            with self._engine.connect() as connection:  # leaving it rolls back
                self._guard.begin(connection, deadline)
                try:
                    return self._stream(connection, sql, out, deadline)
                except QueryStopped:
                    connection.invalidate()  # rows that nobody wants are still on their way
                    raise
        except MemoryError as error:
            raise too_much_memory(str(error), self._limits) from None
        except DBAPIError as error:
            raise self._told(error) from None
        except SQLAlchemyError as error:
            raise QueryStopped(FailureKind.SQL_ERROR, self._masked(error)) from None

    def _stream(self, connection: Connection, sql: str, out: BinaryIO, deadline: float) -> tuple[list[str], int]:
        # A server-side cursor, so that the rows of a runaway query stay where they are; without parameters, so that % is itself.
        options = {"stream_results": True, "max_row_buffer": _ROWS_A_BATCH, "no_parameters": True}
        result = connection.exec_driver_sql(sql, execution_options=options)
        if not result.returns_rows:
            raise QueryStopped(FailureKind.REFUSED, "the statement gives no rows; exactly one SELECT is run")
        rows = size = 0
        for batch in result.partitions(_ROWS_A_BATCH):
            packed = pack_rows(batch)
            rows, size = rows + len(batch), size + len(packed)
            check_size(rows, size, self._limits)
            if time.monotonic() > deadline:
                raise timed_out(self._limits)
            write_frame(out, DATA, packed)
        return [str(key) for key in result.keys()], rows  # noqa: SIM118 - a result is no dict

    def _told(self, error: DBAPIError) -> QueryStopped:
        text = self._masked(error)
        kind = self._guard.kind_of(error, text)
        if kind is FailureKind.TIMEOUT:
            return timed_out(self._limits)
        if kind is FailureKind.TOO_MUCH_MEMORY:
            return too_much_memory(text, self._limits)
        return QueryStopped(kind or FailureKind.SQL_ERROR, text)

    def _masked(self, error: SQLAlchemyError) -> str:
        text = mask_url(str(getattr(error, "orig", None) or error))
        # A short password stands in ordinary words too: it is hidden where it stands alone, and its letters are not told by the others.
        secret = re.escape(self._secret) if len(self._secret) >= _TOLD_APART_BY else rf"(?<!\w){re.escape(self._secret)}(?!\w)"
        return visible(re.sub(secret, "***", text) if self._secret else text)
