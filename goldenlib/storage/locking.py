"""The lock of a run: two processes must not drive the same run at once (contract 5.3).

Rule: the operating system or the server holds the lock, so that it ends with the process that took it, kill -9 included.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from goldenlib.errors import RunConflictError, StoreError
from goldenlib.storage.connecting import Database


@contextmanager
def locked(database: Database, run_id: str) -> Iterator[None]:
    """Hold the lock of a run. Raises RunConflictError at once when another process, or another caller in this one, holds it."""
    held = _locked_beside(database.path, run_id) if database.path is not None else _locked_on_server(database, run_id)
    with held:
        yield


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


@contextmanager
def _locked_on_server(database: Database, run_id: str) -> Iterator[None]:
    """Lock on a connection of its own. The server frees the lock when the connection ends, however that comes."""
    try:
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            schema = connection.scalar(select(func.current_schema()))
            key = _key(f"{schema}\n{run_id}")
            if not connection.scalar(select(func.pg_try_advisory_lock(key))):
                raise _taken(run_id)
            try:
                yield
            finally:
                with suppress(SQLAlchemyError):  # a connection that is lost holds no lock
                    connection.execute(select(func.pg_advisory_unlock(key)))
    except SQLAlchemyError as error:
        raise database.explain(error) from None


def _key(name: str) -> int:
    """A number of 64 bits with a sign, as PostgreSQL wants it."""
    return int.from_bytes(hashlib.sha256(name.encode(errors="surrogatepass")).digest()[:8], signed=True)
