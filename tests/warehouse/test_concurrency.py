"""Several queries at once, each in a process of its own."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from goldenlib.warehouse import FailureKind, Limits, QueryFailed, QueryResult, Warehouse, open_warehouse

# Busy for about as long as the limit lets it; whoever waits for it waits for a process of his own.
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Warehouse]:
    sqlite3.connect(tmp_path / "a.db").close()
    with open_warehouse(f"sqlite:///{tmp_path}/a.db", limits=Limits(seconds=1.0, memory_mb=256), concurrency=3) as opened:
        yield opened


def test_as_many_queries_run_at_once_as_the_warehouse_was_given(three: Warehouse) -> None:
    started = time.monotonic()
    with ThreadPoolExecutor(6) as threads:
        outcomes = list(threads.map(three.run, [ENDLESS] * 6))
    assert all(isinstance(outcome, QueryFailed) and outcome.kind is FailureKind.TIMEOUT for outcome in outcomes)
    assert time.monotonic() - started < 6 * 1.0  # one after the other would take longer than that
    assert len(three._idle) <= 3


def test_one_query_after_the_other_starts_no_second_process(three: Warehouse) -> None:
    pid = three._idle[0].pid
    assert all(isinstance(three.run("SELECT 1"), QueryResult) for _ in range(3))
    assert [worker.pid for worker in three._idle] == [pid]


def test_a_process_that_ends_takes_no_other_query_with_it(three: Warehouse) -> None:
    with ThreadPoolExecutor(2) as threads:
        slow = threads.submit(three.run, ENDLESS)
        while not three._busy:
            time.sleep(0.01)
        (busy,) = three._busy
        other = three.run("SELECT 2")
        busy.stop()
        assert isinstance(slow.result(), QueryFailed)
    assert isinstance(other, QueryResult)
    assert isinstance(three.run("SELECT 1"), QueryResult)


def test_closing_ends_every_process_and_answers_who_waits(three: Warehouse) -> None:
    outcomes: list[object] = []

    def ask() -> None:
        try:
            outcomes.append(three.run(ENDLESS))
        except ValueError as error:
            outcomes.append(error)

    asking = [threading.Thread(target=ask) for _ in range(4)]
    for thread in asking:
        thread.start()
    deadline = time.monotonic() + 10
    while not three._busy and time.monotonic() < deadline:
        time.sleep(0.01)
    running = list(three._busy)
    three.close()
    for thread in asking:
        thread.join(10)
    assert len(outcomes) == 4
    assert not any(worker.is_alive() for worker in running)


@pytest.mark.parametrize(("zone", "day"), [("", "2026-04-30"), ("Asia/Jakarta", "2026-05-01"), ("+07:00", "2026-05-01")])
def test_a_duckdb_file_has_utc_or_the_zone_that_was_asked_for(small_file: Path, zone: str, day: str) -> None:
    """fd-062."""
    with open_warehouse(small_file, limits=Limits(seconds=5), time_zone=zone) as warehouse:
        result = warehouse.run("SELECT CAST(CAST(TIMESTAMPTZ '2026-04-30 20:00:00+00' AS DATE) AS VARCHAR)")
        assert isinstance(result, QueryResult)
        assert result.tuples() == [(day,)]
        assert warehouse.time_zone == (zone or "UTC")
