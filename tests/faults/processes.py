"""Runs as processes: the `golden` command in a folder of its own, and what its store holds, read from outside."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from click.testing import Result
from typer.testing import CliRunner

from goldenlib.cli import app

GOLDEN = (sys.executable, "-m", "goldenlib")
# Without what changes settings; and without PYTHONDONTWRITEBYTECODE, with which each start would compile all of it anew.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("GOLDEN_", "PYTHON"))}
RIGHT_ANSWER = "def ask(question):\n    return 'Pendiri harus WNI.'\n"
WAIT_S = 60


def environment_for(chatbot: str, judge: str, **settings: Any) -> dict[str, str]:
    """Settings as environment variables."""
    values = {"chatbot_url": chatbot, "judge_url": judge, "judge_model": "demo", "chatbot_retries": 0, "judge_retries": 0, **settings}
    return {f"GOLDEN_{name.upper()}": str(value) for name, value in values.items()}


def golden(folder: Path, *words: str, unset: Sequence[str] = (), **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    variables = {name: value for name, value in (CLEAN | environment).items() if name not in unset}
    return subprocess.run([*GOLDEN, *words], cwd=folder, env=variables, capture_output=True, encoding="utf-8", timeout=WAIT_S)


@contextmanager
def running(folder: Path, *words: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Start a command; whatever happens, it has ended afterwards."""
    process = subprocess.Popen(
        [*GOLDEN, *words], cwd=folder, env=CLEAN | environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=WAIT_S)


def ask_store(folder: Path, *words: str) -> Result:
    """Run a command that only reads the store, in this process, which costs nothing next to another one."""
    return CliRunner().invoke(app, [*words, "--store", str(folder / "golden.db")])


def gate(folder: Path, run_id: str = "r1") -> int:
    """The exit code of `golden gate`."""
    return ask_store(folder, "gate", run_id).exit_code


def most_memory(process: subprocess.Popen[Any]) -> int:
    """Wait for a process, and return the most memory in bytes that it had. (What wait4 tells includes this process, before exec.)"""
    most = 0
    deadline = time.monotonic() + WAIT_S
    while process.poll() is None and time.monotonic() < deadline:
        found = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{process.pid}/status").read_text(encoding="ascii", errors="replace"))
        most = int(found[1]) * 1024 if found else most
        time.sleep(0.01)
    return most


def last_line(output: str) -> str:
    return output.rstrip("\n").rsplit("\n", 1)[-1]


def write_set(folder: Path, items: Mapping[str, Mapping[str, Any]] | Sequence[str], name: str = "set.yaml") -> Path:
    """Write a golden set: ids with their keys, or ids alone, whose question is the id and whose answer must hold 'WNI'."""
    given = items if isinstance(items, Mapping) else {item_id: {} for item_id in items}
    usual = {"expected": {"must_include": ["WNI"]}, "verified": True}
    written = [{"id": item_id, "question": item_id} | usual | dict(keys) for item_id, keys in given.items()]
    path = folder / name
    path.write_text(json.dumps({"items": written}, indent=1, ensure_ascii=False), encoding="utf-8")  # JSON is YAML
    return path


def write_function(folder: Path, source: str = RIGHT_ANSWER, **settings: Any) -> Path:
    """Write a configuration that asks the function `ask` of `source`, without a judge unless `settings` has one."""
    (folder / "thebot.py").write_text(source, encoding="utf-8")
    block = {"targets": {"public": {"kind": "function", "callable": "thebot:ask"}}, "judge_url": "off", **settings}
    path = folder / "golden.yaml"
    path.write_text(json.dumps({"rag_quality": block}), encoding="utf-8")
    return path


def rows(folder: Path, columns: str = "item_id", where: str = "") -> list[Any]:
    """What `golden_results` holds now, read from outside; nothing while there is no such table."""
    path = folder / "golden.db"
    if not path.exists():
        return []
    with closing(sqlite3.connect(path, timeout=30)) as connection:
        try:
            found = connection.execute(f"SELECT {columns} FROM golden_results {where} ORDER BY item_id").fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" not in str(error):
                raise
            return []
    return [row[0] if len(row) == 1 else row for row in found]


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until the condition holds, while the process lives."""
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert process.poll() is None, f"ended with {process.returncode}: {process.stderr and process.stderr.read()}"
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)
