"""Several processes, kill -9, a full disk: at most the items in flight are lost (contract 5.3)."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from goldenlib.errors import RunConflictError
from goldenlib.storage import Store
from goldenlib.storage.migrations import VERSION
from tests.storage.child import LARGEST_BURST
from tests.storage.scenes import a_new_run, child, ended, line, outcome, tell, write

KILLS = 8
BURSTS_BEFORE = 2
ITEMS = KILLS * (BURSTS_BEFORE + 1) * LARGEST_BURST + 10


def test_kill_9_at_any_moment_loses_no_committed_row(store: Store, store_url: str) -> None:
    chance = random.Random(20261129)
    committed: set[str] = set()
    for kill in range(KILLS):
        with child("drive", store_url, "run-1", str(ITEMS), str(kill)) as driver:
            for _ in range(chance.randint(0, BURSTS_BEFORE)):
                tell(driver)
                committed.update(iter(lambda: line(driver), "burst"))
            tell(driver)
            time.sleep(chance.uniform(0, 0.005))  # somewhere within the burst
            driver.kill()
            assert ended(driver) == -signal.SIGKILL
        assert_kept(store, committed)
        wait_until_free(store)
    with child("drive", store_url, "run-1", str(ITEMS), "99") as driver:
        driver.communicate("go\n" * ITEMS, timeout=60)
        assert driver.returncode == 0
    results = store.results("run-1")
    assert [result.item_id for result in results] == [f"item-{number:03d}" for number in range(ITEMS)]
    assert all(result == outcome("run-1", result.item_id, "pass") for result in results)


def assert_kept(store: Store, committed: set[str]) -> None:
    assert "" not in committed
    if committed:
        assert committed <= store.resume_run(a_new_run())
        assert_no_row_is_half_there(store)


def assert_no_row_is_half_there(store: Store) -> None:
    results = len(store.results("run-1"))
    with store._database.reads() as connection:
        counts = [connection.scalar(text(f"SELECT count(*) FROM {table}")) for table in ("golden_results", "golden_answers")]
    assert counts == [results, results]


def wait_until_free(store: Store) -> None:
    """The operating system frees the lock of a killed process at once; a server when it sees the connection gone."""
    for _ in range(500):
        try:
            with store.lock_run("run-1"):
                return
        except RunConflictError:
            time.sleep(0.01)
    raise AssertionError("the lock outlived its process")


def test_processes_may_open_an_empty_store_and_write_at_once(store_url: str) -> None:
    writers = [child("write", store_url, f"run-{number}", "150") for number in range(3)]
    try:
        for writer in writers:
            assert line(writer) == "ready"
        for writer in writers:
            tell(writer)
        assert [line(writer) for writer in writers] == ["done"] * 3
    finally:
        codes = [ended(writer) for writer in writers]
    assert codes == [0, 0, 0]
    with Store.open(store_url) as store:
        assert [len(store.results(f"run-{number}")) for number in range(3)] == [150] * 3
        with store._database.reads() as connection:
            assert sorted(connection.scalars(text("SELECT version FROM golden_schema"))) == list(range(1, VERSION + 1))


def test_a_full_disk_is_told_and_keeps_what_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "golden.db"
    with child("fill", str(path), "run-1", "1000000") as writer:
        *stored, last = iter(lambda: line(writer), "")
        assert ended(writer) == 0
    assert last.startswith("full item")
    assert "could not be stored" in last
    assert "go on with --resume; what was stored is kept" in last
    assert stored
    with Store.open(str(path)) as store:
        assert store.resume_run(a_new_run()) == set(stored)
        write(store, a_new_run(), [outcome("run-1", "one-more", "pass")])
        assert len(store.results("run-1")) == len(stored) + 1


def test_a_reader_is_not_stopped_by_a_writer(tmp_path: Path) -> None:
    path = str(tmp_path / "golden.db")
    with Store.open(path) as store:
        store.create_run(a_new_run())
        with child("hold_file", path) as writer:
            assert line(writer) == "locked"
            assert store.run("run-1").run_id == "run-1"
            tell(writer)
            assert ended(writer) == 0


@pytest.mark.parametrize("kill", [False, True])
def test_the_lock_of_a_run_ends_with_its_process(store: Store, store_url: str, kill: bool) -> None:
    with child("hold_run", store_url, "run-1") as holder:
        assert line(holder) == "locked"
        with pytest.raises(RunConflictError), store.lock_run("run-1"):
            pass
        if kill:
            holder.kill()
        ended(holder)
    wait_until_free(store)
