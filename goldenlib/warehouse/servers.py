"""The SQLAlchemy side: a database server, or SQLite, asked in a transaction that cannot write and is always rolled back.

Rule: what the engine itself can promise is asked of it for every query. Runs inside the worker.
"""

from __future__ import annotations

import sqlite3
import time
from typing import Any, BinaryIO
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from goldenlib.settings import mask_url
from goldenlib.warehouse.duck import check_size, timed_out, too_much_memory
from goldenlib.warehouse.frames import DATA, pack_rows, write_frame
from goldenlib.warehouse.results import FailureKind, Limits, QueryStopped, visible

_CONNECT_TIMEOUT_S = 10
_ROWS_A_BATCH = 1_000
_INTERRUPT_EVERY = 10_000  # steps of SQLite's machine
_READING = {"SQLITE_SELECT", "SQLITE_READ", "SQLITE_FUNCTION", "SQLITE_RECURSIVE"}
_READING_CODES = {getattr(sqlite3, name) for name in _READING}
_NO_FUNCTIONS = {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"}


class Server:
    """An engine over a SQLAlchemy URL. Results leave as pickled rows."""

    def __init__(self, url: str, limits: Limits) -> None:
        self._limits = limits
        self._url = make_url(url)
        self._secret = str(self._url.password or "")
        self._deadline = 0.0
        self._engine = self._connect()
        try:
            with self._engine.connect() as connection:
                self._setup = self._find_setup(connection)
        except SQLAlchemyError as error:
            raise QueryStopped(FailureKind.UNAVAILABLE, self._masked(error)) from None

    def run(self, sql: str, out: BinaryIO) -> tuple[list[str], int]:
        """Write the result to `out` in batches; return its columns and how many rows it has. Raises QueryStopped."""
        self._deadline = time.monotonic() + self._limits.seconds
        try:
            with self._engine.connect() as connection:  # leaving it rolls back
                self._close_sqlite(connection)
                for statement in self._setup:
                    connection.exec_driver_sql(statement)
                return self._stream(connection, sql, out)
        except MemoryError as error:
            raise too_much_memory(str(error), self._limits) from None
        except DBAPIError as error:
            raise self._told(error) from None
        except SQLAlchemyError as error:
            raise QueryStopped(FailureKind.SQL_ERROR, self._masked(error)) from None

    def _stream(self, connection: Connection, sql: str, out: BinaryIO) -> tuple[list[str], int]:
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
            if time.monotonic() > self._deadline:
                raise timed_out(self._limits)
            write_frame(out, DATA, packed)
        return [str(key) for key in result.keys()], rows  # noqa: SIM118 - a result is no dict

    def _connect(self) -> Engine:
        if self._url.get_backend_name() == "sqlite":
            return create_engine("sqlite://", creator=self._open_sqlite)
        if self._url.get_backend_name() == "postgresql":
            arguments = {"connect_timeout": _CONNECT_TIMEOUT_S, "application_name": "goldenlib warehouse"}
            given = {key: value for key, value in arguments.items() if key not in self._url.query}
            return create_engine(self._url, connect_args=given, pool_size=1, pool_pre_ping=True)
        return create_engine(self._url, pool_size=1, pool_pre_ping=True)

    def _open_sqlite(self) -> sqlite3.Connection:
        """A connection that cannot write and that stops at the deadline."""
        connection = sqlite3.connect(f"file:{quote(str(self._url.database))}?mode=ro", uri=True, check_same_thread=False)
        connection.execute("PRAGMA query_only = ON")
        connection.set_progress_handler(lambda: int(0 < self._deadline < time.monotonic()), _INTERRUPT_EVERY)
        return connection

    def _close_sqlite(self, connection: Connection) -> None:
        """Let SQLite ask for leave before everything a statement does. Only now, since SQLAlchemy looks around when it connects."""
        if self._url.get_backend_name() == "sqlite":
            driver: Any = connection.connection.driver_connection
            driver.set_authorizer(_authorize)

    def _find_setup(self, connection: Connection) -> list[str]:
        """Return the statements that begin every transaction."""
        if self._url.get_backend_name() != "postgresql":
            connection.exec_driver_sql("SELECT 1")
            return []
        version, is_superuser = connection.exec_driver_sql(
            "SELECT current_setting('server_version_num')::int, current_setting('is_superuser') = 'on'"
        ).one()
        milliseconds = max(1, int(self._limits.seconds * 1000))
        setup = ["SET TRANSACTION READ ONLY", f"SET LOCAL statement_timeout = {milliseconds}", "SET LOCAL TIME ZONE 'UTC'"]
        setup += [f"SET LOCAL idle_in_transaction_session_timeout = {milliseconds + 5000}", "SET LOCAL max_parallel_workers_per_gather = 0"]
        watch = "SET LOCAL client_connection_check_interval = 1000"  # a query whose process was ended ends too
        if version >= 140000 and _is_accepted(connection, watch):
            setup += [watch]
        if version >= 170000:
            setup += [f"SET LOCAL transaction_timeout = {milliseconds}"]
        if is_superuser:  # who may read the server's files; this role reads all tables and no file
            if version < 140000:
                reason = "the login is a superuser, who may read the server's files; log in as a role that only reads tables"
                raise QueryStopped(FailureKind.UNAVAILABLE, reason)
            setup += ["SET LOCAL ROLE pg_read_all_data"]
        return ["; ".join(setup)]

    def _told(self, error: DBAPIError) -> QueryStopped:
        text = self._masked(error)
        state = str(getattr(error.orig, "sqlstate", None) or "")
        if state in ("57014", "25P04") or str(error.orig) == "interrupted":
            return timed_out(self._limits)
        if state[:2] == "53" or "out of memory" in text:
            return too_much_memory(text, self._limits)
        if state in ("42501", "25006") or "not authorized" in text or "prohibited" in text or "readonly database" in text:
            return QueryStopped(FailureKind.REFUSED, text)
        is_lost = error.connection_invalidated or state[:2] == "08" or state[:3] == "57P"
        is_lost = is_lost or (not state and self._url.get_backend_name() == "postgresql" and "OperationalError" in type(error).__name__)
        return QueryStopped(FailureKind.UNAVAILABLE if is_lost else FailureKind.SQL_ERROR, text)

    def _masked(self, error: SQLAlchemyError) -> str:
        text = mask_url(str(getattr(error, "orig", None) or error))
        return visible(text.replace(self._secret, "***") if self._secret else text)


def _is_accepted(connection: Connection, statement: str) -> bool:
    """Whether the server takes a setting: not every platform has every one."""
    try:
        with connection.begin_nested():
            connection.exec_driver_sql(statement)
    except DBAPIError:
        return False
    return True


def _authorize(action: int, first: str | None, second: str | None, *_rest: Any) -> int:
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _NO_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in _READING_CODES else sqlite3.SQLITE_DENY
