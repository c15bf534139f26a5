"""Scenes for store tests: runs with a few results, written through the store itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from goldenlib.answers import Result, RunRecord
from goldenlib.gating import Comparison, Decision, Policy, decide
from goldenlib.storage import Store
from tests.builders import RUN_AT, a_result, a_run, a_skip, an_error

ROOT = Path(__file__).parents[2]


def a_new_run(run_id: str = "run-1", *, hour: float = 0, **changes: Any) -> RunRecord:
    """A run that has not finished, started so many hours after the first."""
    unfinished: dict[str, Any] = {"run_id": run_id, "run_at": RUN_AT + timedelta(hours=hour), "finished_at": None}
    return a_run(**unfinished | changes)


def outcome(run_id: str, item_id: str, word: str, **changes: Any) -> Result:
    """A result that passed, failed, ended in an error or was skipped."""
    if word == "error":
        return an_error(item_id, run_id=run_id, **changes)
    if word == "skip":
        return a_skip(item_id, run_id=run_id, **changes)
    return a_result(item_id, run_id=run_id, missing=() if word == "pass" else ("WNI",), **changes)


def write(store: Store, run: RunRecord, results: Sequence[Result]) -> None:
    """Store results of a run that was created."""
    with store.writer(run) as writer:
        for result in results:
            writer.put(result)


def decided(run: RunRecord, results: Sequence[Result]) -> Decision:
    """The gate's decision without any history."""
    return decide(run, results, Comparison(), Policy())


def play(store: Store, run_id: str, outcomes: Mapping[str, str], *, hour: float, finish: bool = True, **changes: Any) -> RunRecord:
    """Create a run, store one result for each item, and finish it."""
    run = a_new_run(run_id, hour=hour, **{"all_item_ids": tuple(outcomes)} | changes)
    store.create_run(run)
    results = [outcome(run_id, item_id, word) for item_id, word in outcomes.items()]
    write(store, run, results)
    if finish:
        store.finish_run(run_id, finished_at=run.run_at + timedelta(minutes=1), decision=decided(run, results))
    return run


def baseline_runs(store: Store, run_id: str) -> dict[str, str]:
    """Which run is the baseline of each item that has one."""
    return {item_id: baseline.result.run_id for item_id, baseline in store.baselines(run_id).items()}


def child(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    """Start a command of tests/storage/child.py in a process of its own; it takes and gives lines."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "tests.storage.child", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        **options,
    )


def line(process: subprocess.Popen[str]) -> str:
    """The next line that the child says, or '' when it ended."""
    assert process.stdout is not None
    return process.stdout.readline().rstrip("\n")


def tell(process: subprocess.Popen[str], text: str = "go") -> None:
    """Send the child a line."""
    assert process.stdin is not None
    process.stdin.write(text + "\n")
    process.stdin.flush()


def ended(process: subprocess.Popen[str]) -> int:
    """Wait for the child's end and return its exit code; its pipes are closed."""
    process.communicate(timeout=60)
    return process.returncode
