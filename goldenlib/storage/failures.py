"""Failures of a database: whether waiting may help, and what to tell the person.

Rule: by the engine's own codes where there are any, never by words of a message alone.
"""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

_SQLITE_TRANSIENT = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
# Serialization, deadlock, lock not available, shutting down or starting up, too many connections; class 08 is connections.
_POSTGRESQL_TRANSIENT = {"40001", "40P01", "55P03", "57P01", "57P02", "57P03", "53300"}

_ELSEWHERE = "or choose another store with --store"
_SQLITE_WORDS = {
    sqlite3.SQLITE_BUSY: ("is locked by another process", "wait until that has finished, or find what holds the file open"),
    sqlite3.SQLITE_LOCKED: ("is locked by another process", "wait until that has finished, or find what holds the file open"),
    sqlite3.SQLITE_READONLY: ("may only be read", f"give yourself write permission on the file and its folder, {_ELSEWHERE}"),
    sqlite3.SQLITE_FULL: ("the disk is full", "make room and go on with --resume; what was stored is kept"),
    sqlite3.SQLITE_IOERR: ("the disk refused", "check free space, quota and the disk, then go on with --resume; what was stored is kept"),
    sqlite3.SQLITE_NOTADB: ("is not a SQLite database", "give the path of a golden store, or of a file that does not exist yet"),
    sqlite3.SQLITE_CORRUPT: ("is damaged", f"restore it from a backup, {_ELSEWHERE}"),
    sqlite3.SQLITE_CANTOPEN: ("cannot be opened", f"check that it is a file in a folder you may write to, {_ELSEWHERE}"),
    sqlite3.SQLITE_PERM: ("access is denied", f"ask for permission on the file and its folder, {_ELSEWHERE}"),
}
_POSTGRESQL_WORDS = {
    "28": ("the server refused the login", "check user and password in GOLDEN_STORE"),
    "3D": ("there is no such database", "create it (createdb NAME), or correct the name in the URL"),
    "3F": ("there is no such schema", "create it (CREATE SCHEMA name), or correct search_path in the URL"),
    "42501": ("permission is denied", "ask for the right to create tables and to write in this schema (GRANT)"),
    "53100": ("the server's disk is full", "make room on it and go on with --resume; what was stored is kept"),
    "53300": ("the server has no connection left", "try again later, or raise its max_connections"),
    "25006": ("may only be read", f"connect to the primary server, {_ELSEWHERE}"),
}


def is_transient(error: Exception) -> bool:
    """Whether the same statement may work a moment later: locked, shutting down, connection dropped, server restarting."""
    if isinstance(error, PoolTimeoutError):
        return True
    if not isinstance(error, DBAPIError):
        return False
    if isinstance(error.orig, sqlite3.Error):
        return _sqlite_code(error.orig) in _SQLITE_TRANSIENT
    state = _sqlstate(error)
    if state is None:  # psycopg gives no code when it could not connect or lost the connection
        return error.connection_invalidated or type(error.orig).__name__ == "OperationalError"
    return state in _POSTGRESQL_TRANSIENT or state.startswith("08")


def diagnose(error: SQLAlchemyError) -> tuple[str, str]:
    """Return what is wrong and the way out, as parts of a sentence. What the driver said stands in brackets."""
    if isinstance(error, NoSuchModuleError):
        return "no such kind of database", "goldenlib stores in SQLite (a file path) or PostgreSQL (postgresql://...)"
    original = error.orig if isinstance(error, DBAPIError) else None
    said = " ".join(str(original or error).split())
    what, way_out = _words(error, original)
    return f"{what} ({said})", way_out


def _words(error: SQLAlchemyError, original: BaseException | None) -> tuple[str, str]:
    unknown = ("the database refused", f"check the store and its server, {_ELSEWHERE}")
    if isinstance(original, sqlite3.Error):
        return _SQLITE_WORDS.get(_sqlite_code(original), unknown)
    state = _sqlstate(error)
    if state is None:
        if type(original).__name__ == "OperationalError":
            way_out = "check host, port, name, password and database in the URL, and that the server runs"
            return "there is no connection to the server", way_out
        return unknown
    return _POSTGRESQL_WORDS.get(state) or _POSTGRESQL_WORDS.get(state[:2]) or unknown


def _sqlite_code(error: sqlite3.Error) -> int:
    """The primary result code; -1 where the driver raised by itself."""
    return getattr(error, "sqlite_errorcode", -1) & 0xFF


def _sqlstate(error: SQLAlchemyError) -> str | None:
    return getattr(error.orig, "sqlstate", None) if isinstance(error, DBAPIError) else None
