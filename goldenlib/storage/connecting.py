"""Connecting: from a URL or a file path to a database that can be read and written in transactions.

Rule: whatever the driver raises leaves here as a StoreError that names the store without its password, and the way out.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from goldenlib.config.addresses import mask_url, sqlite_path, why_unusable
from goldenlib.errors import StoreError
from goldenlib.storage.failures import diagnose
from goldenlib.storage.mounts import MOUNTS, network_filesystem

BUSY_TIMEOUT_S = 30.0
_CONNECT_TIMEOUT_S = 10
_POSTGRESQL = "postgresql+psycopg"
_READ, _WRITE = "read", "write"


@dataclass(frozen=True)
class Database:
    """A database that was connected to. `shown` names it in messages, without a password; `path` is None for a server."""

    engine: Engine
    shown: str
    path: Path | None = None
    secrets: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    place: tuple[int, int] | None = None  # which file on which device stands at `path`, once that is known
    folder: tempfile.TemporaryDirectory[str] | None = None  # what a copy lies in

    def check_in_place(self) -> None:
        """Raise StoreError when the file that was opened no longer stands at its path: what was stored in it is lost.

        Connections that are open keep working on a file that was removed, and say nothing.
        """
        if self.place is not None and _place(self.path) != self.place:
            raise StoreError(
                f"{self.shown}: was removed or replaced while it was in use, so that nothing stored since is there;"
                " leave the file alone while a run is under way, and run again"
            )

    @contextmanager
    def reads(self) -> Iterator[Connection]:
        """Give a connection in a transaction that sees one state of the store."""
        try:
            with self.engine.connect().execution_options(golden_access=_READ) as connection:
                yield connection
        except SQLAlchemyError as error:
            raise self.explain(error) from None  # the driver's own text may hold the password

    @contextmanager
    def writes(self) -> Iterator[Connection]:
        """Give a connection in a transaction that is committed at the end, or rolled back on any exception."""
        try:
            with self.connect_to_write() as connection, connection.begin():
                yield connection
        except SQLAlchemyError as error:
            raise self.explain(error) from None

    def connect_to_write(self) -> Connection:
        """Return a connection whose transactions take the write lock at their start; the driver's exceptions pass through."""
        return self.engine.connect().execution_options(golden_access=_WRITE)

    def explain(self, error: SQLAlchemyError) -> StoreError:
        """Say what is wrong with the store and the way out."""
        own = getattr(error, "orig", None)
        if isinstance(own, StoreError):  # raised while SQLAlchemy prepared the statement
            return own
        problem, way_out = diagnose(error)
        for secret in self.secrets:
            problem = problem.replace(secret, "***")
        return StoreError(f"{self.shown}: {mask_url(problem)}; {way_out}")

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()
        if self.folder is not None:
            self.folder.cleanup()


def connect(url_or_path: str) -> Database:
    """Return the database behind a SQLAlchemy URL or the path of a SQLite file. Nothing is read or written yet.

    `postgresql://` means the psycopg driver. Raises StoreError for databases and drivers that goldenlib does not store
    in, for an in-memory SQLite, and for a folder that does not exist.
    """
    if problem := why_unusable(url_or_path):
        raise StoreError(f"the store's address {problem}")
    shown = mask_url(url_or_path)
    url = _url(url_or_path, shown)
    backend = url.get_backend_name()
    if backend == "sqlite" and url.drivername in ("sqlite", "sqlite+pysqlite"):
        return _connect_sqlite(url, shown)
    if url.drivername in ("postgres", "postgresql", _POSTGRESQL):
        return _connect_postgresql(url.set(drivername=_POSTGRESQL), shown)
    raise StoreError(
        f"{shown}: goldenlib does not store in {url.drivername};"
        " use the path of a SQLite file (golden.db) or a PostgreSQL URL (postgresql://user@host/name)"
    )


def copied(database: Database) -> Database:
    """Return a copy of a SQLite store in a folder of its own, under the name of the original. Raises StoreError when there is no room."""
    folder = tempfile.TemporaryDirectory(prefix="golden-")
    path = Path(folder.name) / "golden.db"
    try:
        with closing(sqlite3.connect(f"{database.path.as_uri()}?mode=ro", uri=True)) as source, closing(sqlite3.connect(path)) as copy:  # type: ignore[union-attr]  # it has a path
            source.backup(copy)
    except sqlite3.Error as error:
        folder.cleanup()
        raise database.explain(DBAPIError(None, None, error)) from None
    warning = (
        f"{database.shown}: is a store of an older version; it is left as it is, and what is read is a copy that was brought up to date"
    )
    return replace(connect(str(path)), shown=database.shown, folder=folder, warnings=(warning,))


def begin_privately(database: Database) -> None:
    """Make the file of a SQLite store that is not there yet, for its owner alone to read: it will hold every answer.

    SQLite gives its other files the same mode. A file that is there keeps the mode that its owner gave it.
    """
    if database.path is not None and not database.engine.url.query.get("uri"):  # which says by itself whether it may be made
        with suppress(OSError):  # what cannot be made is told by the database, with the way out
            os.close(os.open(database.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def prefer_wal(database: Database, mounts: Path = MOUNTS) -> Database:
    """Switch a SQLite file to write-ahead logging; where that is not possible, `warnings` of the result says so.

    The pragma does not raise when it cannot switch: it answers with the mode in force, and that is read (case 213). On a
    file system of a network it says yes, and then damages files that two machines use, since its index is shared memory
    (SQLite, "Write-Ahead Logging"): there the mount is looked at, and it is not asked for.
    """
    if database.path is None:
        return database
    network = network_filesystem(database.path, mounts)
    try:
        mode = _journal_mode(database.engine, "WAL" if network is None else "DELETE")
    except SQLAlchemyError as error:
        raise database.explain(error) from None
    except sqlite3.Error as error:
        raise database.explain(DBAPIError(None, None, error)) from None
    database.engine.dispose()  # connections set `synchronous` by the mode that they find
    database = replace(database, place=_place(database.path))
    if mode == "wal" and network is None:
        return database
    why = "not possible" if network is None else f"not safe on {network}, a file system of a network, and not used"
    warning = (
        f"{database.shown}: write-ahead logging is {why} here (journal mode is {mode!r}), so that readers and"
        " writers wait for one another; put the file on a local disk, or use PostgreSQL"
    )
    return replace(database, warnings=(*database.warnings, warning))


def _place(path: Path | None) -> tuple[int, int] | None:
    """Which file stands at a path; None where there is none."""
    try:
        found = path.stat() if path is not None else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found is not None else None


def _url(url_or_path: str, shown: str) -> URL:
    if "://" not in url_or_path:
        if url_or_path in ("", ":memory:"):
            return URL.create("sqlite", database=":memory:")
        return URL.create("sqlite", database=str(Path(url_or_path).expanduser()))
    try:
        return make_url(url_or_path)
    except (SQLAlchemyError, ValueError):
        raise StoreError(f"{shown}: is not a database URL; write it as postgresql://user@host:5432/name") from None


def _connect_sqlite(url: URL, shown: str) -> Database:
    name = url.database or ":memory:"
    if ":memory:" in name or "mode=memory" in name or url.query.get("mode") == "memory":
        raise StoreError(
            f"{shown}: an in-memory database is gone when the process ends, and a run is resumed, gated and reported from"
            " other processes; give a file, such as golden.db"
        )
    is_uri = name.startswith("file:")
    path = sqlite_path(name).absolute()
    if path.is_dir():
        raise StoreError(f"{shown}: is a folder; give a file in it, such as {path / 'golden.db'}")
    if not path.parent.is_dir():
        raise StoreError(f"{shown}: the folder {path.parent} does not exist; create it (mkdir -p {path.parent}), or correct the path")
    if not is_uri:
        url = url.set(database=str(path))  # a later change of the working folder must not lead to another file
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_S}, hide_parameters=True)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return Database(engine, shown, path)


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    try:
        connection.isolation_level = None  # BEGIN is ours, see _begin_sqlite
        connection.execute("PRAGMA foreign_keys = ON")
        (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
        if mode == "wal":  # there a crash of the machine can lose the last commits, and never damages the file
            connection.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error:
        connection.close()
        raise


def _begin_sqlite(connection: Connection) -> None:
    """Begin by ourselves: sqlite3 would not begin before DDL or SELECT.

    Writers take the write lock at the start. A transaction that only later wants to write is refused at once, without
    any waiting, when another one wrote in between.
    """
    access = connection.get_execution_options().get("golden_access")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if access == _WRITE else "BEGIN")


def _journal_mode(engine: Engine, wanted: str) -> str:
    """Ask for a mode and return the one in force. Two processes that ask at once are not made to wait by SQLite."""
    with engine.connect() as connection:
        raw: Any = connection.connection.driver_connection
        deadline = time.monotonic() + BUSY_TIMEOUT_S
        while True:
            try:
                return str(raw.execute(f"PRAGMA journal_mode = {wanted}").fetchone()[0])
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    return str(raw.execute("PRAGMA journal_mode").fetchone()[0])
                time.sleep(0.01)


def _connect_postgresql(url: URL, shown: str) -> Database:
    defaults = {"connect_timeout": _CONNECT_TIMEOUT_S, "application_name": "goldenlib"}
    arguments = {key: value for key, value in defaults.items() if key not in url.query}
    try:
        engine = create_engine(url, connect_args=arguments, hide_parameters=True, pool_pre_ping=True)
    except ImportError:
        raise StoreError(f"{shown}: needs the PostgreSQL driver; install it with pip install 'goldenlib[postgres]'") from None
    except SQLAlchemyError as error:
        raise StoreError(f"{shown}: {diagnose(error)[0]}; write the URL as postgresql://user@host:5432/name") from None
    event.listen(engine, "begin", _begin_postgresql)
    password = str(url.password or url.query.get("password") or "")
    return Database(engine, shown, None, (password,) if password else ())


def _begin_postgresql(connection: Connection) -> None:
    """Keep the planner to the indexes when reading.

    Each of our queries walks an index from one run. While a table has no fresh statistics, the planner would rather read
    the whole of it for a hash join, and compiling the query takes longer than running it. For this transaction only, so
    that a pooler does not hand the settings to others.
    """
    if connection.get_execution_options().get("golden_access") == _READ:
        connection.exec_driver_sql("SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off")
