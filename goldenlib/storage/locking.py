"""The lock of a run: two processes must not drive the same run at once (contract 5.3).

Rule: the operating system or the server holds the lock, so that it ends with the process that took it, kill -9 included.
A server that restarts forgets it: it is taken again at once, and where another process was faster, this one stops.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from sqlalchemy import Connection, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from goldenlib.errors import RunConflictError, StoreError
from goldenlib.storage.connecting import Database

LOOKED_AT_EVERY_S = 0.5  # how long a restarted server may be without the lock: less than another process takes to start
_END_TIMEOUT_S = 5

# `SELECT` who holds an advisory lock of 64 bits, which the view shows as two numbers of 32.
_HOLDER = text(
    "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND (classid::bigint << 32 | objid::bigint) = :key"
)


@contextmanager
def locked(database: Database, run_id: str) -> Iterator[Callable[[], None]]:
    """Hold the lock of a run, and give a function that raises StoreError once another process has it.

    Raises RunConflictError at once when another process, or another caller in this one, holds it.
    """
    if database.path is not None:
        with _locked_beside(database.path, run_id):
            yield _always_held
    else:
        lock = _ServerLock(database, run_id)
        lock.take()
        try:
            yield lock.check
        finally:
            lock.give_back()


def _always_held() -> None:
    """The lock of a file does not get lost."""


def _taken(run_id: str) -> RunConflictError:
    return RunConflictError(f"run {run_id!r} is being driven by another process; wait until it has finished, or choose another --run-id")


@contextmanager
def _locked_beside(database: Path, run_id: str) -> Iterator[None]:
    """Lock a file beside the database. Its name is a digest, since a run id may hold what a file name may not."""
    digest = hashlib.sha256(run_id.encode(errors="surrogatepass")).hexdigest()[:16]
    file = database.resolve()  # the same lock for every link to the file
    path = file.with_name(f"{file.name}.run-{digest}.lock")
    lock = FileLock(path, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise _taken(run_id) from None
    except OSError as error:
        raise StoreError(f"{path}: the run cannot be locked ({error.strerror}); give yourself write permission on the folder") from None
    try:
        yield
    finally:
        # Removed while it is still held: whoever opened it before finds it gone and opens a new one (filelock looks).
        # Windows refuses to remove an open file; an empty file then stays behind and does no harm.
        with suppress(OSError):
            path.unlink()
        lock.release()


@dataclass(frozen=True, slots=True)
class _Session:
    """A session of the server. Its process id alone may be used again after a restart."""

    pid: int
    server_start: datetime


class _ServerLock:
    """An advisory lock on a connection of its own, which a thread looks after: the server frees it when the connection ends."""

    def __init__(self, database: Database, run_id: str) -> None:
        self._database = database
        self._run_id = run_id
        self._key = 0
        self._connection: Connection | None = None
        self._session: _Session | None = None
        self._lost = False
        self._ended = threading.Event()
        self._keeper = threading.Thread(target=self._keep, name="golden-lock", daemon=True)

    def take(self) -> None:
        try:
            taken = self._try()
        except SQLAlchemyError as error:
            raise self._database.explain(error) from None
        if not taken:
            raise _taken(self._run_id)
        self._keeper.start()

    def check(self) -> None:
        if self._lost:
            raise StoreError(
                f"{self._database.shown}: the connection that held run {self._run_id!r} was lost, and another process has taken the run"
                " up since; this one stops, and what it stored is kept"
            )

    def give_back(self) -> None:
        self._ended.set()
        self._keeper.join(_END_TIMEOUT_S)
        if self._connection is not None and not self._keeper.is_alive():
            with suppress(SQLAlchemyError):  # a connection that is lost holds no lock
                self._connection.execute(select(func.pg_advisory_unlock(self._key)))
            self._disconnect()

    def _keep(self) -> None:
        while not self._lost and not self._ended.wait(LOOKED_AT_EVERY_S):
            try:
                if self._connection is not None:
                    self._connection.execute(select(1))
                elif not self._try():
                    self._lost = self._is_anothers()
            except SQLAlchemyError:  # looked at again in a moment; a server that stays away ends the run by its writer
                self._disconnect()

    def _try(self) -> bool:
        """Take the lock on a new connection, which is kept when that succeeds."""
        with ExitStack() as stack:
            connection = stack.enter_context(self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT"))
            self._key = _key(f"{connection.scalar(select(func.current_schema()))}\n{self._run_id}")
            if not connection.scalar(select(func.pg_try_advisory_lock(self._key))):
                return False
            self._session = _session(connection, connection.scalar(select(func.pg_backend_pid())))
            self._connection = connection
            stack.pop_all()
            return True

    def _is_anothers(self) -> bool:
        """Whether somebody else holds the lock, and not our own session, whose end the server may not have seen yet."""
        with self._database.engine.connect() as connection:
            holders = {_session(connection, pid) for pid in connection.scalars(_HOLDER, {"key": self._key}).all()}
        return bool(holders - {self._session})

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError):
                connection.invalidate()  # never back into the pool: it may hold the lock still
            connection.close()


def _session(connection: Connection, pid: Any) -> _Session:
    return _Session(pid, connection.scalars(select(func.pg_postmaster_start_time())).one())


def _key(name: str) -> int:
    """A number of 64 bits with a sign, as PostgreSQL wants it."""
    return int.from_bytes(hashlib.sha256(name.encode(errors="surrogatepass")).digest()[:8], signed=True)
