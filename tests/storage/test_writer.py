"""The writer: rows are committed as they come, again when the database was busy, and never lost in silence."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, current_thread
from typing import Any

import psycopg
import pytest
from sqlalchemy import event, text

from goldenlib.answers import Answer, Result
from goldenlib.errors import RunNotFoundError, StoreError
from goldenlib.storage import ResultWriter, Store
from goldenlib.storage.connecting import Database, connect
from goldenlib.storage.rows import RunPlace
from tests.builders import RUN_AT, a_result
from tests.storage.scenes import a_new_run, child, ended, line, outcome, tell, write


def ids(store: Store) -> list[str]:
    return [result.item_id for result in store.results("run-1")]


@pytest.fixture
def run(store: Store) -> Any:
    created = a_new_run()
    store.create_run(created)
    return created


def test_a_lone_row_is_stored_at_once(store: Store, run: Any) -> None:
    stored = Event()
    with store.writer(run) as writer:
        writer.put(a_result("a"), lambda _: stored.set())
        assert stored.wait(10)
        assert ids(store) == ["a"]


def test_what_another_process_drives_by_now_is_not_stored_and_said_so(store: Store, run: Any) -> None:
    def gone() -> None:
        raise StoreError("another process drives the run")

    place = RunPlace(run.run_id, run.series, run.run_at, 1)
    writer = ResultWriter(store._database, place, patience_s=0, check_lock=gone)
    writer.put(a_result("a", run_id=run.run_id))
    with pytest.raises(StoreError, match=r"^item 'a' could not be stored: another process drives the run$"):
        writer.close()
    assert ids(store) == []


def test_told_after_the_commit_on_the_writers_thread(store: Store, run: Any) -> None:
    seen: list[tuple[str, list[str], str]] = []

    def look(result: Result) -> None:
        seen.append((result.item_id, ids(store), current_thread().name))

    with store.writer(run) as writer:
        writer.put(a_result("a"), look)
    assert seen == [("a", ["a"], "golden-writer-run-1")]


def test_closing_stores_what_still_waits(store: Store, run: Any) -> None:
    told: list[str] = []
    with store.writer(run) as writer:
        for number in range(500):
            writer.put(a_result(f"item-{number:03d}"), lambda result: told.append(result.item_id))
    assert ids(store) == told == [f"item-{number:03d}" for number in range(500)]


def test_what_waits_goes_into_one_transaction(store: Store, run: Any) -> None:
    commits: list[int] = []
    event.listen(store._database.engine, "commit", lambda _: commits.append(1))
    hold, released = Event(), Event()

    def wait(_: Result) -> None:
        hold.set()
        released.wait(10)

    with store.writer(run) as writer:
        writer.put(a_result("first"), wait)
        hold.wait(10)
        for number in range(100):
            writer.put(a_result(f"item-{number:03d}"))
        released.set()
    assert len(commits) == 2
    assert len(ids(store)) == 101


def test_a_row_written_again_replaces_the_one_before(store: Store, run: Any) -> None:
    first, second = outcome("run-1", "a", "pass"), outcome("run-1", "a", "error")
    with store.writer(run) as writer:
        writer.put(first)
        writer.put(second)
    assert store.results("run-1") == (second,)
    write(store, run, [first])
    assert store.results("run-1") == (first,)


def test_works_from_a_running_event_loop(store: Store, run: Any) -> None:
    async def drive() -> list[str]:
        loop, told = asyncio.get_running_loop(), asyncio.Queue[str]()
        with store.writer(run) as writer:
            for item_id in "abc":
                writer.put(a_result(item_id), lambda result: loop.call_soon_threadsafe(told.put_nowait, result.item_id))
            return [await told.get() for _ in range(3)]

    assert asyncio.run(drive()) == ["a", "b", "c"]


def test_a_run_that_was_not_created_has_no_writer(store: Store) -> None:
    with pytest.raises(RunNotFoundError):
        store.writer(a_new_run("run-9"))


def test_nothing_can_be_put_after_closing(store: Store, run: Any) -> None:
    writer = store.writer(run)
    writer.close()
    writer.close()
    with pytest.raises(StoreError, match=r"the writer of run 'run-1' is closed; open another"):
        writer.put(a_result("a"))


def test_rows_of_a_resumed_run_keep_its_place(store: Store) -> None:
    store.create_run(a_new_run(hour=0))
    later = a_new_run(hour=9)
    store.resume_run(later)
    write(store, later, [a_result("a")])
    with store._database.reads() as connection:
        assert connection.scalar(text("SELECT count(*) FROM golden_results r JOIN golden_runs USING (run_id, run_at, run_seq)")) == 1


class TestFailing:
    """A row that could not be stored is told by `failed` and raised by `close`; the others are kept."""

    def test_a_row_that_the_database_refuses_does_not_take_the_others_along(self, store: Store, run: Any) -> None:
        hold, released = Event(), Event()

        def wait(_: Result) -> None:
            hold.set()
            released.wait(10)

        writer = store.writer(run)
        writer.put(a_result("first"), wait)
        hold.wait(10)
        for item_id, attempts in (("a", 1), ("bad", 2**70), ("b", 1)):
            writer.put(a_result(item_id, answer=Answer("x", attempts=attempts)))
        released.set()
        with pytest.raises(StoreError, match=r"^item 'bad' could not be stored: "):
            writer.close()
        assert ids(store) == ["a", "b", "first"]

    def test_is_seen_before_closing(self, store: Store, run: Any) -> None:
        with store._database.writes() as connection:
            connection.execute(text("DROP TABLE golden_answers"))
        writer = store.writer(run)
        assert writer.failed is None
        writer.put(a_result("a"))
        while not writer.failed:
            time.sleep(0.001)
        with pytest.raises(StoreError, match=r"^item 'a' could not be stored: .*golden_answers"):
            writer.close()

    def test_does_not_hide_what_went_wrong_before(self, store: Store, run: Any) -> None:
        def interrupted() -> None:
            with store.writer(run) as writer:
                writer.put(a_result("a", answer=Answer("x", attempts=2**70)))
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt) as interrupt:
            interrupted()
        assert interrupt.value.__notes__[0].startswith("besides, item 'a' could not be stored: ")

    def test_of_whoever_is_told_keeps_the_row_and_is_told(self, store: Store, run: Any) -> None:
        def fail(_: Result) -> None:
            raise ValueError("the listener fell over")

        writer = store.writer(run)
        writer.put(a_result("a"), fail)
        writer.put(a_result("b"))
        with pytest.raises(StoreError, match=r"item 'a' was stored, and telling so failed: ValueError\('the listener fell over'\)"):
            writer.close()
        assert ids(store) == ["a", "b"]


class TestBusySqlite:
    """Another process holds the file's write lock."""

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        with Store.open(str(tmp_path / "golden.db")) as store:
            store.create_run(a_new_run())
        return tmp_path / "golden.db"

    @pytest.fixture
    def impatient(self, path: Path) -> Iterator[Database]:
        """The database with SQLite's own waiting cut to nothing, so that each try comes back busy."""
        database = connect(str(path))
        event.listen(database.engine, "connect", lambda connection, _: connection.execute("PRAGMA busy_timeout = 1"))
        yield database
        database.close()

    def place(self) -> RunPlace:
        return RunPlace("run-1", "ahu @ chatbot.staging", RUN_AT, 1)

    def test_rows_are_tried_again_until_they_are_stored(self, path: Path, impatient: Database) -> None:
        refused = Event()
        event.listen(impatient.engine, "handle_error", lambda _: refused.set())
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with ResultWriter(impatient, self.place()) as writer:
                writer.put(a_result("a"))
                writer.put(a_result("b"))
                assert refused.wait(10)
                other.execute("COMMIT")
        with Store.open(str(path)) as store:
            assert ids(store) == ["a", "b"]

    def test_patience_ends_with_an_error_that_says_what_to_do(self, path: Path, impatient: Database) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writer = ResultWriter(impatient, self.place(), patience_s=0.1)
            writer.put(a_result("a"))
            with pytest.raises(StoreError, match=r"item 'a' could not be stored: .*golden.db: is locked by another process .*; wait until"):
                writer.close()

    def test_when_patience_has_ended_the_rows_to_come_are_tried_once(self, path: Path, impatient: Database) -> None:
        refusals: list[int] = []
        event.listen(impatient.engine, "handle_error", lambda _: refusals.append(1))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writer = ResultWriter(impatient, self.place(), patience_s=0.3)
            writer.put(a_result("a"))
            while not writer.failed:
                time.sleep(0.001)
            assert len(refusals) > 1
            refusals.clear()
            writer.put(a_result("b"))
            with pytest.raises(StoreError, match="item 'a' could not be stored"):
                writer.close()
        assert len(refusals) == 1

    def test_a_lock_of_another_process_is_waited_for(self, path: Path) -> None:
        stored = Event()
        with child("hold_file", str(path)) as other, Store.open(str(path)) as store:
            assert line(other) == "locked"
            with store.writer(a_new_run()) as writer:
                writer.put(a_result("a"), lambda _: stored.set())
                assert not stored.wait(0.5)
                tell(other)
            assert ended(other) == 0
            assert ids(store) == ["a"]


@pytest.mark.postgres
@pytest.mark.xdist_group("postgres")
def test_a_dropped_connection_is_opened_again(postgres_store_url: str) -> None:
    with Store.open(postgres_store_url + "&application_name=to-be-dropped") as store:
        store.create_run(a_new_run())
        first = Event()
        with store.writer(a_new_run()) as writer:
            writer.put(a_result("a"), lambda _: first.set())
            assert first.wait(10)
            with psycopg.connect(postgres_store_url, autocommit=True) as admin:
                dropped = admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'to-be-dropped'")
                assert dropped.rowcount >= 1
            writer.put(a_result("b"))
        assert ids(store) == ["a", "b"]
