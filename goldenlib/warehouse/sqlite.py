"""The SQLite side: a file opened read-only, which asks for leave before everything that a statement does.

Rule: what SQLite calls reading is allowed, and no function that reaches beyond the file. Runs inside the worker.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import DBAPIError

from goldenlib.warehouse.guards import Guard
from goldenlib.warehouse.results import FailureKind

_INTERRUPT_EVERY = 10_000  # steps of SQLite's machine
_READING = {"SQLITE_SELECT", "SQLITE_READ", "SQLITE_FUNCTION", "SQLITE_RECURSIVE"}
_READING_CODES = {getattr(sqlite3, name) for name in _READING}
_NO_FUNCTIONS = {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"}
# SQLite makes the table behind a table function when a statement first names it, and asks for leave to write a catalogue.
_TABLE_FUNCTIONS = ("json_each('[]')", "json_tree('[]')")


class SQLite(Guard):
    """A file that nobody can write to through this connection."""

    _deadline = 0.0

    def look(self, connection: Connection) -> None:
        """Look whether the file can be read. SQLite keeps texts, and reckons with them in UTC."""
        super().look(connection)
        self.time_zone = self.time_zone or "UTC"

    def engine(self) -> Engine:
        """Return the engine over the file."""
        return create_engine("sqlite://", creator=self._open)

    def begin(self, connection: Connection, deadline: float) -> None:
        """Let SQLite ask for leave from now on. Only now, since SQLAlchemy looks around when it connects."""
        self._deadline = deadline
        driver: Any = connection.connection.driver_connection
        driver.set_authorizer(_authorize)

    def kind_of(self, error: DBAPIError, text: str) -> FailureKind | None:
        """Return what an error says of the query."""
        if str(error.orig) == "interrupted":
            return FailureKind.TIMEOUT
        if "not authorized" in text or "prohibited" in text or "readonly database" in text:
            return FailureKind.REFUSED
        return super().kind_of(error, text)

    def _open(self) -> sqlite3.Connection:
        """A connection that cannot write and that stops at the deadline."""
        connection = sqlite3.connect(f"file:{quote(str(self.url.database))}?mode=ro", uri=True, check_same_thread=False)
        connection.execute("PRAGMA query_only = ON")
        for table in _TABLE_FUNCTIONS:
            with suppress(sqlite3.OperationalError):  # built without JSON
                connection.execute(f"SELECT 1 FROM {table}").close()
        connection.set_progress_handler(lambda: int(0 < self._deadline < time.monotonic()), _INTERRUPT_EVERY)
        return connection


def _authorize(action: int, first: str | None, second: str | None, *_rest: Any) -> int:
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _NO_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in _READING_CODES else sqlite3.SQLITE_DENY
