"""The DuckDB side: a database that can read its own file and nothing else, whatever SQL it is given.

Rule: closed before the first query, and locked so that no query can open it again. Runs inside the worker.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from goldenlib.warehouse.attributes import NO_CATALOGUE
from goldenlib.warehouse.pipe import DATA, write_frame
from goldenlib.warehouse.results import FailureKind, Limits, QueryStopped, visible
from goldenlib.warehouse.zones import is_offset

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

UTC_ZONE = "UTC"  # a file has no zone of its own, and that of the machine would make a gold of each machine
_ROWS_A_BATCH = 16_384
_CHUNK = 1 << 20
# PIVOT without a list of values is two statements to DuckDB: one that finds the values, and the SELECT.
_MAY_RUN = {"SELECT", "MULTI"}
_TIME_WITH_ZONE = "TIME WITH TIME ZONE"


class Duck:
    """An engine over a DuckDB file. Results leave as an Arrow stream."""

    catalogue = NO_CATALOGUE  # it calls nothing without brackets

    def __init__(self, path: str, limits: Limits, time_zone: str = "") -> None:
        self._limits = limits
        self.time_zone = time_zone or UTC_ZONE
        self._connection = open_locked(Path(path), limits, self.time_zone)

    def run(self, sql: str, out: BinaryIO) -> tuple[list[str], int]:
        """Write the result to `out` as it is made; return its columns and how many rows it has. Raises QueryStopped."""
        session = self._connection.cursor()  # what a query leaves in its session goes with it
        try:
            with self._limited(session):
                return self._stream(session, sql, out)
        finally:
            session.close()

    def _stream(self, session: DuckDBPyConnection, sql: str, out: BinaryIO) -> tuple[list[str], int]:
        import pyarrow

        statements = session.extract_statements(sql)
        kinds = [statement.type.name for statement in statements]
        if len(kinds) != 1 or kinds[0] not in _MAY_RUN:
            raise QueryStopped(FailureKind.REFUSED, f"DuckDB reads this as {' and '.join(kinds) or 'nothing'}; exactly one SELECT is run")
        relation = session.sql(statements[0])
        if relation is None:
            raise QueryStopped(FailureKind.REFUSED, "the statement gives no rows; exactly one SELECT is run")
        relation = _with_zones(relation)
        rows = size = 0
        batches = (
            relation.to_arrow_reader(_ROWS_A_BATCH) if hasattr(relation, "to_arrow_reader") else relation.fetch_arrow_reader(_ROWS_A_BATCH)
        )
        try:
            with _Frames(out) as sink, pyarrow.ipc.new_stream(sink, batches.schema) as writer:
                for batch in batches:
                    rows, size = rows + batch.num_rows, size + batch.nbytes
                    check_size(rows, size, self._limits)
                    writer.write_batch(batch)
        finally:
            batches.close()
        return list(batches.schema.names), rows

    @contextmanager
    def _limited(self, session: DuckDBPyConnection) -> Iterator[None]:
        """Interrupt what takes too long, and say in our words what DuckDB raised."""
        import duckdb

        timer = threading.Timer(self._limits.seconds, session.interrupt)
        timer.daemon = True
        timer.start()
        try:
            yield
        except MemoryError as error:
            raise too_much_memory(str(error), self._limits) from None
        except (duckdb.Error, OSError, ValueError, RuntimeError) as error:  # Arrow passes DuckDB's errors on as its own
            raise self._told(error) from None
        finally:
            timer.cancel()

    def _told(self, error: Exception) -> QueryStopped:
        text = str(error)
        if "INTERRUPT" in text or "Interrupted" in text:
            return timed_out(self._limits)
        if "Out of Memory" in text or "bad_alloc" in text or "malloc of size" in text:
            return too_much_memory(text, self._limits)
        if "Permission Error" in text or "read-only mode" in text:
            return QueryStopped(FailureKind.REFUSED, visible(text))
        return QueryStopped(FailureKind.SQL_ERROR, visible(text))


def _with_zones(relation: DuckDBPyRelation) -> DuckDBPyRelation:
    """Give times with a zone as text: Arrow has none, and 10:00+07 would become 10:00. By themselves in UTC, within a list as written."""
    types = [str(kind) for kind in relation.types]
    if not any(_TIME_WITH_ZONE in kind for kind in types):
        return relation
    cells = []
    for number, (name, kind) in enumerate(zip(relation.columns, types, strict=True), start=1):
        cell = f"#{number}"
        if kind == _TIME_WITH_ZONE:
            cell = f"({cell} AT TIME ZONE 'UTC')::VARCHAR"
        elif _TIME_WITH_ZONE in kind:
            cell = f"{cell}::{kind.replace(_TIME_WITH_ZONE, 'VARCHAR')}"
        quoted = name.replace('"', '""')
        cells.append(f'{cell} AS "{quoted}"')
    return relation.project(", ".join(cells))


def open_locked(path: Path, limits: Limits, time_zone: str = UTC_ZONE) -> DuckDBPyConnection:
    """Return a read-only connection without files, network, extensions, variables of ours, spilling or settings."""
    import duckdb

    _refuse_sqlite(path)
    connection = duckdb.connect(path, read_only=True, config={"threads": limits.threads, "autoload_known_extensions": "false"})
    connection.execute("SELECT count(*) FROM pg_timezone_names()")  # loads ICU while that is allowed
    for setting in (
        "autoinstall_known_extensions = false",
        "allow_community_extensions = false",
        "python_enable_replacements = false",
        f"memory_limit = '{limits.memory_mb}MiB'",
        "temp_directory = ''",
        f"GLOBAL TimeZone = '{'GMT' if is_offset(time_zone) else ''}{time_zone}'",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")
    return connection


def _refuse_sqlite(path: Path) -> None:
    """Say what DuckDB does not: it would look for an extension. In this process, where reading a file frees no lock of the user's."""
    with path.open("rb") as file:
        if file.read(16) == b"SQLite format 3\0":
            raise QueryStopped(FailureKind.UNAVAILABLE, f"it is a SQLite file; write it as sqlite:///{path}")


def check_size(rows: int, size: int, limits: Limits) -> None:
    """Stop a result that grows over its limit."""
    if rows > limits.rows:
        raise QueryStopped(FailureKind.TOO_MANY_ROWS, f"the result has more than {limits.rows:,} rows; aggregate, or add a LIMIT")
    if size > limits.bytes:
        raise QueryStopped(FailureKind.TOO_MUCH_MEMORY, f"the result is larger than {limits.bytes:,} bytes; select less")


def timed_out(limits: Limits) -> QueryStopped:
    """The outcome of a query that took too long."""
    return QueryStopped(FailureKind.TIMEOUT, f"the query was stopped after {limits.seconds:g} seconds")


def too_much_memory(text: str, limits: Limits) -> QueryStopped:
    """The outcome of a query that wanted too much memory."""
    return QueryStopped(
        FailureKind.TOO_MUCH_MEMORY, visible(f"the query needs more than {limits.memory_mb} MiB: {text or 'out of memory'}")
    )


class _Frames(io.BufferedWriter):
    """A file to Arrow, frames to the parent."""

    def __init__(self, out: BinaryIO) -> None:
        super().__init__(_RawFrames(out), _CHUNK)


class _RawFrames(io.RawIOBase):
    def __init__(self, out: BinaryIO) -> None:
        self._out = out

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        with memoryview(data) as view:  # type: ignore[arg-type]  # any buffer, as BufferedWriter and Arrow hand them over
            write_frame(self._out, DATA, view.cast("B"))
            return view.nbytes


def close_to_the_world(files: int) -> None:
    """Take from this process what no query needs: writing to files, core dumps, more open files than now. POSIX."""
    if sys.platform != "win32":
        import resource

        for limit, value in ((resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_NOFILE, files)):
            resource.setrlimit(limit, (value, value))


def bound_memory(mebibytes: int) -> None:
    """Let this process take so much more memory than it has now, counted in address space. Where that is not known, not at all."""
    if sys.platform != "win32":
        import resource

        try:
            with open("/proc/self/statm", encoding="ascii") as statm:
                now = int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            return
        limit = now + mebibytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
