"""The process: the parent's hold on a worker. It starts, asks, waits no longer than the limit, and ends it for certain.

Rule: whatever happens to the worker is the outcome of the query that it had; the next query gets a new worker.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from goldenlib.warehouse.frames import DATA, HEADER, QUESTION, write_message
from goldenlib.warehouse.results import FailureKind, Limits, QueryStopped

START_TIMEOUT_S = 60.0
_LAST_WORD_S = 2.0  # the worker ends itself half a second after the limit; this is for one that cannot
_CHUNK = 1 << 20
# What a worker over a file gets of the environment: enough to run Python, and nothing that could be a secret.
_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "SYSTEMROOT")


@dataclass(frozen=True, slots=True)
class Place:
    """What a worker opens: which engine, the path or URL, what sqlglot calls its SQL, and functions that are allowed there."""

    engine: str
    address: str = field(repr=False)  # may hold a password
    dialect: str
    allow_functions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """The pieces of a result, and the message that ended it."""

    data: list[bytes]
    end: dict[str, Any]


class Worker:
    """A running worker process."""

    def __init__(self, place: Place, limits: Limits) -> None:
        self._limits = limits
        command = [sys.executable, "-m", "goldenlib.warehouse.worker"]
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

    @property
    def pid(self) -> int:
        """The process id, for tests that look whether it is gone."""
        return self._process.pid

    def ask(self, sql: str, *, check: bool) -> Reply:
        """Return the reply to one query. Raises QueryStopped when the worker had to be ended, or ended; it is then no longer of use."""
        try:
            self._send({"sql": sql, "check": check})
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

    def _receive(self, deadline: float) -> Reply:
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
                return Reply(data, json.loads(payload))
            data.append(payload)

    def _read(self, length: int, deadline: float) -> bytes:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        waiting = select.poll()
        waiting.register(descriptor, select.POLLIN)
        parts = bytearray()
        while len(parts) < length:
            if not waiting.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise QueryStopped(
                    FailureKind.TIMEOUT, f"the query was stopped after {self._limits.seconds:g} seconds: its process was ended"
                )
            part = os.read(descriptor, min(_CHUNK, length - len(parts)))
            if not part:
                raise self._death()
            parts += part
        return bytes(parts)

    def _death(self) -> QueryStopped:
        """Say what ended the worker, from its exit status."""
        try:
            status = self._process.wait(timeout=_LAST_WORD_S)
        except subprocess.TimeoutExpired:
            return QueryStopped(FailureKind.UNAVAILABLE, "the process of the warehouse does not answer")
        if status == -signal.SIGALRM:
            return QueryStopped(FailureKind.TIMEOUT, f"the query was stopped after {self._limits.seconds:g} seconds: its process was ended")
        if status in (-signal.SIGABRT, -signal.SIGKILL):
            reason = (
                f"the query ended its process ({signal.Signals(-status).name}), as happens when {self._limits.memory_mb} MiB do not suffice"
            )
            return QueryStopped(FailureKind.TOO_MUCH_MEMORY, reason)
        if status < 0:
            return QueryStopped(FailureKind.SQL_ERROR, f"the query crashed the database engine ({signal.Signals(-status).name})")
        return QueryStopped(FailureKind.UNAVAILABLE, f"the process of the warehouse ended with status {status}")


def _environment(place: Place) -> dict[str, str]:
    """A server's driver may need the user's environment (certificates, password files); a file needs none of it."""
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ} if place.engine == "duckdb" else dict(os.environ)
    paths = [path or os.getcwd() for path in sys.path]
    return {**kept, "PYTHONPATH": os.pathsep.join(paths), "TZ": "UTC"}
