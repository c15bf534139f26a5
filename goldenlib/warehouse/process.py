"""The process: the parent's hold on a worker. It starts, asks, waits no longer than the limit, and ends it for certain.

Rule: whatever happens to the worker is the outcome of the query that it had; the next query gets a new worker.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from goldenlib.warehouse.pipe import DATA, HEADER, QUESTION, write_message
from goldenlib.warehouse.results import FailureKind, Limits, QueryStopped
from goldenlib.warehouse.zones import is_offset

START_TIMEOUT_S = 60.0
_LAST_WORD_S = 2.0  # the worker ends itself half a second after the limit; this is for one that cannot
_CHUNK = 1 << 20
# Isolated (-I), and with exactly the folders it is given to import from: neither the folder that the user works in nor PYTHONPATH.
_START = "import sys; sys.path[:] = sys.argv[1:]; from goldenlib.warehouse.worker import main; main()"
# What a worker gets of the environment: enough to run Python, and nothing that could be a secret.
_ENVIRONMENT = {"PATH", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "SYSTEMROOT"}
# What the drivers of servers also look for: certificates, password and service files, host names. Others are named by a setting.
_OF_DRIVERS = {
    "HOME",
    "USER",
    "LOGNAME",
    "HOSTALIASES",
    "RES_OPTIONS",
    "LOCALDOMAIN",
    "KRB5_CONFIG",
    "KRB5CCNAME",
    "APPDATA",
    "USERPROFILE",
}
_ANY_DRIVERS = ("LC_", "PG", "SSL_CERT_")


@dataclass(frozen=True, slots=True)
class WarehousePlace:
    """What a worker opens: which engine, the path or URL, what sqlglot calls its SQL, and functions that are allowed there."""

    engine: str
    address: str = field(repr=False)  # may hold a password
    dialect: str
    allow_functions: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()  # of the environment, which a driver needs beside the usual ones
    time_zone: str = ""  # of its sessions; empty for the one that the warehouse itself has
    unguarded: bool = False  # an engine that is not known to be read-only and to stop in time was chosen all the same


@dataclass(frozen=True, slots=True)
class WorkerReply:
    """The pieces of a result, and the message that ended it."""

    data: list[bytes]
    end: dict[str, Any]


class Worker:
    """A running worker process."""

    def __init__(self, place: WarehousePlace, limits: Limits) -> None:
        self._limits = limits
        command = [sys.executable, "-I", "-c", _START, *_import_path()]
        environment = _environment(place)
        # Its own session: it is not the terminal's to interrupt. Standard error goes nowhere, since a dying engine writes what it likes.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, start_new_session=True
        )
        try:
            self._send({**asdict(place), "limits": asdict(limits)})
            reply = self._receive(time.monotonic() + START_TIMEOUT_S)
        except BaseException:
            self.end()
            raise
        if "ready" not in reply.end:
            self.end()
            raise QueryStopped(FailureKind(reply.end["kind"]), reply.end["reason"])
        self.time_zone = str(reply.end["ready"])  # that of its sessions, as `zones.read_zone` takes it

    @property
    def pid(self) -> int:
        """The process id, for tests that look whether it is gone."""
        return self._process.pid

    def ask(self, sql: str, *, is_golden: bool, allow_functions: Collection[str] = ()) -> WorkerReply:
        """Return the reply to one query; `allow_functions` are allowed to it beside those of the place.

        Raises QueryStopped when the worker had to be ended, or ended; it is then no longer of use.
        """
        try:
            self._send({"sql": sql, "is_golden": is_golden, "allow_functions": sorted(allow_functions)})
            return self._receive(time.monotonic() + self._limits.seconds + _LAST_WORD_S)
        except BaseException:  # Ctrl-C too: an answer that nobody waits for must not reach the next query
            self.end()
            raise

    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def stop(self) -> None:
        """End the process, from any thread. Who waits for an answer is told so."""
        self._process.kill()

    def end(self) -> None:
        """End the process and wait until it is gone."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):  # what was not sent is not wanted any more
                    pipe.close()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            write_message(self._process.stdin, QUESTION, message)  # type: ignore[arg-type]  # Popen's pipes are binary files
        except BrokenPipeError:
            raise self._death() from None

    def _receive(self, deadline: float) -> WorkerReply:
        data: list[bytes] = []
        size = 0
        while True:
            kind, length = HEADER.unpack(self._read(HEADER.size, deadline))
            if kind == DATA:
                size += length
                if size > 2 * self._limits.bytes + _CHUNK:  # the worker counts cells; this is for one that miscounts
                    raise QueryStopped(FailureKind.TOO_MUCH_MEMORY, f"the result is larger than {self._limits.bytes:,} bytes; select less")
            payload = self._read(length, deadline)
            if kind != DATA:
                return WorkerReply(data, json.loads(payload))
            data.append(payload)

    def _read(self, length: int, deadline: float) -> bytes:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        parts = bytearray()
        with selectors.DefaultSelector() as waiting:
            waiting.register(descriptor, selectors.EVENT_READ)
            while len(parts) < length:
                if not waiting.select(max(0.0, deadline - time.monotonic())):
                    raise self._outlived()
                part = os.read(descriptor, min(_CHUNK, length - len(parts)))
                if not part:
                    raise self._death()
                parts += part
        return bytes(parts)

    def _outlived(self) -> QueryStopped:
        return QueryStopped(FailureKind.TIMEOUT, f"the query was stopped after {self._limits.seconds:g} seconds: its process was ended")

    def _death(self) -> QueryStopped:
        """Say what ended the worker, from its exit status."""
        try:
            status = self._process.wait(timeout=_LAST_WORD_S)
        except subprocess.TimeoutExpired:
            return QueryStopped(FailureKind.UNAVAILABLE, "the process of the warehouse does not answer")
        ended_by = signal.Signals(-status).name if status < 0 else ""
        if ended_by == "SIGALRM":
            return self._outlived()
        if ended_by in ("SIGABRT", "SIGKILL"):
            reason = f"the query ended its process ({ended_by}), as happens when {self._limits.memory_mb} MiB do not suffice"
            return QueryStopped(FailureKind.TOO_MUCH_MEMORY, reason)
        if ended_by:
            return QueryStopped(FailureKind.SQL_ERROR, f"the query crashed the database engine ({ended_by})")
        return QueryStopped(FailureKind.UNAVAILABLE, f"the process of the warehouse ended with status {status}")


def _environment(place: WarehousePlace) -> dict[str, str]:
    """What the worker needs and no more: it runs other people's SQL, and has no use for tokens."""
    needed = _ENVIRONMENT | set(place.variables) | (_OF_DRIVERS if place.engine == "server" else set())
    prefixes = _ANY_DRIVERS if place.engine == "server" else _ANY_DRIVERS[:1]
    zone = place.time_zone if place.time_zone and not is_offset(place.time_zone) else "UTC"
    return {name: value for name, value in os.environ.items() if name in needed or name.startswith(prefixes)} | {"TZ": zone}


def _import_path() -> list[str]:
    """Where this process imports from, for the worker: Python's own library first, and never the folder that the user works in.

    goldenlib's own home is kept wherever it lies, and then comes last: it may be a checkout in which a command runs.
    """
    library, home, here = Path(sysconfig.get_path("stdlib")), Path(__file__).parents[2], Path.cwd()
    found = list(dict.fromkeys(os.path.abspath(path) for path in sys.path if path))
    own = [path for path in found if _is_library(Path(path), library)]
    others = [path for path in found if path not in own and not _is_same(Path(path), here)]
    return [*own, *others, *([] if str(home) in others else [str(home)])]


def _is_library(path: Path, library: Path) -> bool:
    if {"site-packages", "dist-packages"} & set(path.parts):
        return False
    return path == library or library in path.parents or (path.suffix == ".zip" and path.name.startswith("python"))


def _is_same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:
        return False
