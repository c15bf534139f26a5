"""Measuring whole processes: wall, CPU and peak memory, by the operating system's own accounts."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Figures:
    """One finished process: seconds of wall and CPU (user and system), peak memory in MB, and its last line."""

    wall: float
    cpu: float
    peak_mb: float
    last_line: str


@dataclass(frozen=True)
class Medians:
    """The medians of several runs."""

    wall: float
    cpu: float
    peak_mb: float

    @classmethod
    def of(cls, runs: Sequence[Figures]) -> Medians:
        return cls(*(statistics.median(getattr(run, name) for run in runs) for name in ("wall", "cpu", "peak_mb")))


def measure(command: Sequence[str], allowed: frozenset[int] = frozenset({0}), **environment: str) -> Figures:
    """Run a command to its end and return its figures. Raises when its exit code is not among those allowed."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=os.environ | environment)
    assert process.stdout is not None
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    if process.returncode not in allowed:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{output[-2000:]}")
    lines = output.strip().splitlines()
    return Figures(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, lines[-1] if lines else "")


def in_turn(commands: Mapping[str, Sequence[str]], runs: int) -> dict[str, Medians]:
    """Measure the commands A B A B ... and return their medians; the machine's drift falls on all of them alike."""
    figures: dict[str, list[Figures]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            figures[name].append(measure(command))
    return {name: Medians.of(done) for name, done in figures.items()}


@dataclass(frozen=True)
class LoadServer:
    """A load server that runs: its base URL, and its counters."""

    url: str

    def stats(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.url}/stats") as reply:  # loopback
            return dict(json.load(reply))

    def reset(self) -> None:
        urllib.request.urlopen(urllib.request.Request(f"{self.url}/stats/reset", method="POST")).close()  # loopback


@contextlib.contextmanager
def load_server(*options: str) -> Iterator[LoadServer]:
    """Run the load server on a free loopback port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, str(HERE / "load_server.py"), "--port", str(port), "--max-seconds", "900", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield LoadServer(f"http://127.0.0.1:{port}")
    finally:
        process.terminate()
        process.wait()


def machine() -> str:
    """Describe the machine in a line."""
    model = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), "?"
    )
    memory = int(Path("/proc/meminfo").read_text().split()[1]) // 1024 // 1024
    return f"{os.cpu_count()} cores ({model}), {memory} GiB, Python {sys.version.split()[0]}, load average {os.getloadavg()[0]:.1f}"
