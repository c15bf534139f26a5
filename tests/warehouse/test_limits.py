"""Limits, and the process that keeps them: nothing is left running, whatever ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from goldenlib.errors import SettingsError
from goldenlib.warehouse import Limits, QueryFailed, QueryResult, Warehouse, open_warehouse
from tests.warehouse.conftest import LIMITS, MARGIN_S

ENDLESS = "SELECT sum(hash(a.i * b.i)) FROM range(1000000) a(i), range(1000000) b(i)"
HEEDS_NO_INTERRUPT = "SELECT lpad('x', 1000000000, 'y')"


@pytest.fixture(scope="module")
def opened(small_file: Path) -> Iterator[Warehouse]:
    with open_warehouse(small_file, limits=LIMITS) as warehouse:
        yield warehouse


def pid_of(warehouse: Warehouse) -> int:
    if not warehouse._idle or not warehouse._idle[0].is_alive():
        warehouse.run("SELECT 1")
    assert warehouse._idle
    return warehouse._idle[0].pid


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def is_gone_within(pid: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while is_running(pid) and time.monotonic() < deadline:
        threading.Event().wait(0.05)
    return not is_running(pid)


def test_rows_up_to_the_limit_are_a_result_and_one_more_is_not(opened: Warehouse) -> None:
    assert isinstance(opened.run(f"SELECT * FROM range({LIMITS.rows})"), QueryResult)
    outcome = opened.run(f"SELECT * FROM range({LIMITS.rows + 1})")
    assert isinstance(outcome, QueryFailed)
    assert (outcome.kind, outcome.reason) == ("too_many_rows", "the result has more than 20,000 rows; aggregate, or add a LIMIT")


def test_a_result_over_the_byte_limit_is_stopped(opened: Warehouse) -> None:
    outcome = opened.run("SELECT repeat('x', 1000) FROM range(10000)")
    assert isinstance(outcome, QueryFailed)
    assert (outcome.kind, outcome.reason) == ("too_much_memory", "the result is larger than 8,388,608 bytes; select less")


def test_golden_sql_has_the_same_limits(opened: Warehouse) -> None:
    for sql, kind in ((ENDLESS, "timeout"), ("SELECT * FROM range(20001)", "too_many_rows")):
        outcome = opened.run(sql, trusted=True)
        assert isinstance(outcome, QueryFailed)
        assert outcome.kind == kind


def test_a_query_that_heeds_the_interrupt_keeps_its_process(opened: Warehouse) -> None:
    pid = pid_of(opened)
    outcome = opened.run(ENDLESS)
    assert isinstance(outcome, QueryFailed)
    assert outcome.reason == "the query was stopped after 1 seconds"
    assert pid_of(opened) == pid


def test_a_query_that_does_not_is_ended_with_its_process_and_the_next_one_runs(small_file: Path) -> None:
    with open_warehouse(small_file, limits=Limits(seconds=1, memory_mb=3000)) as warehouse:
        pid = pid_of(warehouse)
        outcome = warehouse.run(HEEDS_NO_INTERRUPT)
        assert isinstance(outcome, QueryFailed)
        assert (outcome.kind, outcome.reason) == ("timeout", "the query was stopped after 1 seconds: its process was ended")
        assert outcome.seconds < LIMITS.seconds + MARGIN_S
        assert not is_running(pid)
        assert isinstance(warehouse.run("SELECT 1"), QueryResult)


def test_the_memory_of_the_process_is_bounded_whatever_the_engine_counts(opened: Warehouse) -> None:
    pid = pid_of(opened)
    soft = int(Path(f"/proc/{pid}/limits").read_text().partition("Max address space")[2].split()[0])
    size = int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    assert size < soft < size + 600 * 2**20


def test_a_worker_that_is_killed_is_an_outcome(opened: Warehouse) -> None:
    killer = threading.Timer(0.3, os.kill, (pid_of(opened), signal.SIGKILL))
    killer.start()
    outcome = opened.run(ENDLESS)
    killer.join()
    assert isinstance(outcome, QueryFailed)
    assert outcome.kind == "too_much_memory"
    assert "SIGKILL" in outcome.reason
    assert isinstance(opened.run("SELECT 1"), QueryResult)


def test_a_warehouse_that_went_away_is_unavailable(small_file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes(small_file.read_bytes())
    with open_warehouse(copy, limits=LIMITS) as warehouse:
        copy.unlink()
        pid = pid_of(warehouse)
        os.kill(pid, signal.SIGKILL)
        assert warehouse._idle
        warehouse._idle[0]._process.wait(10)  # the threads of a process may end after it
        outcome = warehouse.run("SELECT 1")
        assert isinstance(outcome, QueryFailed)
        assert outcome.kind == "unavailable"
        assert "cannot be opened again" in outcome.reason


def test_closing_leaves_no_process_no_thread_and_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "t.csv").write_text("a\n1\n")
    threads = threading.active_count()
    with open_warehouse(tmp_path / "data", limits=LIMITS) as warehouse:
        pid = pid_of(warehouse)
        warehouse.run(ENDLESS)
        warehouse.run("SELECT * FROM t")
        assert len(list(tmp_path.iterdir())) == 2
    assert not is_running(pid)
    assert threading.active_count() == threads
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
    with pytest.raises(ValueError, match="is closed; open it again"):
        warehouse.run("SELECT 1")
    warehouse.close()


def test_threads_may_share_a_warehouse(opened: Warehouse) -> None:
    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda n: opened.run(f"SELECT {n}"), range(40)))
    assert [outcome.tuples() for outcome in outcomes if isinstance(outcome, QueryResult)] == [[(n,)] for n in range(40)]


SCRIPT = textwrap.dedent(
    """
    import sys
    from goldenlib.warehouse import Limits, open_warehouse
    with open_warehouse(sys.argv[1], limits=Limits(seconds=float(sys.argv[2]), memory_mb=3000)) as warehouse:
        print(warehouse._idle[0].pid, flush=True)
        try:
            warehouse.run(sys.argv[3])
        except KeyboardInterrupt:
            print(warehouse.run("SELECT 1").tuples(), flush=True)
    """
)


def test_when_the_program_is_killed_its_query_ends_by_itself(small_file: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, str(small_file), "2", HEEDS_NO_INTERRUPT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        worker = int(program.stdout.readline())
        threading.Event().wait(0.5)
        program.kill()
    assert is_gone_within(worker, 2 + MARGIN_S)


def test_after_ctrl_c_the_next_query_gets_its_own_answer(small_file: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, str(small_file), "60", ENDLESS]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        worker = int(program.stdout.readline())
        threading.Event().wait(0.5)
        program.send_signal(signal.SIGINT)
        assert program.stdout.readline() == "[(1,)]\n"
    assert not is_running(worker)


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"seconds": float("nan")}, {"rows": -1}, {"memory_mb": 1.5}, {"threads": True}])
def test_a_limit_that_is_none_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingsError, match=f"limit {next(iter(wrong))} is "):
        Limits(**wrong)  # type: ignore[arg-type]  # wrong on purpose


def test_closing_ends_a_query_that_runs(small_file: Path) -> None:
    warehouse = open_warehouse(small_file, limits=Limits(seconds=60))
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(warehouse.run, ENDLESS)
        while not warehouse._busy:
            threading.Event().wait(0.01)
        started = time.monotonic()
        warehouse.close()
        assert isinstance(asked.result(), QueryFailed)
    assert time.monotonic() - started < MARGIN_S
