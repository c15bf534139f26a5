"""Every case of tests/cases/store.jsonl: what went wrong elsewhere, and must not here."""

from __future__ import annotations

import json
import re
import sqlite3
from dataclasses import replace
from datetime import datetime
from math import nan
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import text

from goldenlib.errors import RunConflictError, StoreError
from goldenlib.storage import Store
from tests.builders import RUN_AT, a_result
from tests.storage.scenes import a_new_run, baseline_runs, child, decided, ended, line, outcome, play, tell, write

PATH = Path(__file__).parents[1] / "cases" / "store.jsonl"
CASES: dict[int, dict[str, Any]] = {case["n"]: case for case in map(json.loads, PATH.read_text(encoding="utf-8").split("\n")[:-1])}


def play_at(store: Store, run_id: str, run_at: datetime) -> None:
    run = replace(a_new_run(run_id), run_at=run_at)
    store.create_run(run)
    results = [outcome(run_id, "a", "pass")]
    write(store, run, results)
    store.finish_run(run_id, finished_at=run_at, decision=decided(run, results))


def most_recent(store: Store) -> str:
    """Which run the store takes for the latest, by a run that comes after all."""
    play(store, "after-all", {"a": "pass"}, hour=1_000_000)
    (run_id,) = set(baseline_runs(store, "after-all").values())
    assert [mark.run_id for mark in store.history("after-all")["a"]][-2] == run_id
    return run_id


def test_every_case_has_a_test() -> None:
    assert sorted(CASES) == sorted(int(found[1]) for name in globals() if (found := re.match(r"test_case_(\d+)", name)))


def test_case_211_a_locked_database_is_waited_for(tmp_path: Path) -> None:
    path, stored = tmp_path / "golden.db", Event()
    with Store.open(str(path)) as store:
        store.create_run(a_new_run())
        with child("hold_file", str(path)) as writer_a:
            assert line(writer_a) == "locked"
            with store.writer(a_new_run()) as writer_b:
                writer_b.put(a_result("b"), lambda _: stored.set())
                assert not stored.wait(1)
                assert writer_b.failed is None
                tell(writer_a)
            assert ended(writer_a) == 0
        assert [result.item_id for result in store.results("run-1")] == ["b"]


def test_case_213_where_wal_is_not_possible_the_store_says_so(tmp_path: Path) -> None:
    url = f"sqlite:///file:{tmp_path}/golden.db?vfs=unix-dotfile&uri=true"  # locks by a file, as on some network disks: no WAL
    with Store.open(url) as store:
        (warning,) = store.warnings
        assert "write-ahead logging is not possible here (journal mode is 'delete')" in warning
        assert "put the file on a local disk, or use PostgreSQL" in warning
        run = play(store, "run-1", {"a": "pass"}, hour=0)
        assert store.run("run-1").run_at == run.run_at
        with store._database.reads() as connection:
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # NORMAL is safe with WAL only


def test_case_215_order_is_not_by_text(store: Store) -> None:
    for moment in reversed(CASES[215]["input"]["run_at"]):  # as they came about: runs are in the order of their creation (contract 1)
        play_at(store, moment, datetime.fromisoformat(moment))
    assert most_recent(store) == CASES[215]["expect"]["most_recent"]


def test_case_217_times_are_stored_in_one_form(store: Store) -> None:
    for moment in reversed(CASES[217]["input"]["run_at"]):
        play_at(store, moment, datetime.fromisoformat(f"{moment}+00:00"))
    assert most_recent(store) == CASES[217]["expect"]["most_recent"]
    if store._database.path is not None:
        with sqlite3.connect(store._database.path) as connection:
            times = [row[0] for row in connection.execute("SELECT run_at FROM golden_runs ORDER BY run_at")]
        connection.close()
        assert times[:2] == ["2026-07-10T01:00:00.000000+00:00", "2026-07-10T09:00:00.000000+00:00"]


def test_case_219_a_time_without_zone_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="has no time zone; give one"):
        play_at(store, "laptop", datetime.fromisoformat("2026-07-10T16:00:00"))
    play_at(store, "laptop", datetime.fromisoformat("2026-07-10T16:00:00+07:00"))
    play_at(store, "ci", datetime.fromisoformat("2026-07-10T10:00:00+00:00"))
    assert most_recent(store) == "ci"


def test_case_221_a_row_is_replaced_and_a_run_id_is_taken_once(store: Store) -> None:
    run = play(store, "r1", {"a": "pass"}, hour=0)
    with pytest.raises(RunConflictError, match="run 'r1' exists already"):
        store.create_run(run)
    write(store, run, [outcome("r1", "a", "fail")])
    (result,) = store.results("r1")
    assert result == outcome("r1", "a", "fail")


def test_case_223_a_score_of_nan_is_refused(store: Store) -> None:
    store.create_run(a_new_run())
    said = "score of item 'a' in run 'run-1' is nan; a score is a finite number"
    with store.writer(a_new_run()) as writer, pytest.raises(StoreError, match=said):
        writer.put(a_result("a", score=nan))
    with store._database.reads() as connection:
        assert connection.scalar(text("SELECT count(*) FROM golden_results")) == 0


def test_case_225_equal_times_are_ordered_by_creation(store: Store) -> None:
    for run_id in ("z-first", "a-second", "m-third"):
        play_at(store, run_id, RUN_AT)
    assert baseline_runs(store, "m-third") == {"a": "a-second"}
    assert baseline_runs(store, "a-second") == {"a": "z-first"}
    assert baseline_runs(store, "z-first") == {}
    assert [run.run_id for run in store.runs()] == ["m-third", "a-second", "z-first"]
    assert {most_recent(store)} == {"m-third"}
