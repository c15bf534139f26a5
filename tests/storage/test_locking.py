"""The lock of a run on a server, whose connection can be lost: contract 5.3 holds all the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from threading import Thread

import psycopg
import pytest

from goldenlib.errors import RunConflictError, StoreError
from goldenlib.storage import Store
from tests.builders import a_result
from tests.conftest import RestartableServer
from tests.storage.scenes import a_new_run, decided

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("postgres")]

LOCKS = """FROM pg_locks WHERE locktype = 'advisory' AND granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)


def test_a_lock_that_a_restart_of_the_server_freed_is_taken_again(restartable_postgres: RestartableServer) -> None:
    """Two resumes drove one run side by side after a restart."""
    url = restartable_postgres.url
    with Store.open(url) as store, store.lock_run("run-1"), Store.open(url) as second:
        store.create_run(a_new_run())
        restartable_postgres.restart()
        with psycopg.connect(url, autocommit=True) as admin:
            until(lambda: admin.execute(f"SELECT count(*) {LOCKS}").fetchone() == (1,))
        with pytest.raises(RunConflictError, match="being driven by another process"):
            second.lock_run("run-1").__enter__()
        with store.writer(a_new_run()) as writer:
            writer.put(a_result("a"))
        assert [result.item_id for result in store.results("run-1")] == ["a"]


def test_a_server_that_is_away_gives_no_lock(restartable_postgres: RestartableServer) -> None:
    """field/tests C14: what went wrong is not taken for a lock."""
    with Store.open(restartable_postgres.url) as store:
        restartable_postgres.stop()
        with pytest.raises(StoreError, match=r"127\.0\.0\.1"):
            store.lock_run("run-1").__enter__()


@pytest.fixture
def taken_over(postgres_store_url: str) -> Iterator[Store]:
    """A store whose lock of run-1 was lost, and taken by another session at that moment."""
    with ExitStack() as stack:
        store = stack.enter_context(Store.open(postgres_store_url))
        store.create_run(a_new_run())
        stack.enter_context(store.lock_run("run-1"))
        admin = stack.enter_context(psycopg.connect(postgres_store_url, autocommit=True))
        other = stack.enter_context(psycopg.connect(postgres_store_url, autocommit=True))
        found = admin.execute(f"SELECT pid, classid::bigint << 32 | objid::bigint {LOCKS}").fetchall()
        assert len(found) == 1
        waiting = Thread(target=other.execute, args=[f"SELECT pg_advisory_lock({found[0][1]})"])  # in the server's queue, and next
        waiting.start()
        until(lambda: admin.execute(f"SELECT 1 {LOCKS.replace('granted', 'NOT granted')}").fetchone() is not None)
        admin.execute("SELECT pg_terminate_backend(%s)", [found[0][0]])
        waiting.join(20)
        yield store


def test_who_was_overtaken_stores_nothing_more_and_says_why(taken_over: Store) -> None:
    run = a_new_run()
    writer = taken_over.writer(run)
    deadline = time.monotonic() + 20
    while writer.failed is None and time.monotonic() < deadline:
        writer.put(a_result("a"))
        time.sleep(0.05)
    with pytest.raises(StoreError, match=r"the connection that held run 'run-1' was lost, and another process has taken the run up since"):
        writer.close()


def test_who_was_overtaken_decides_nothing(taken_over: Store) -> None:
    run = a_new_run()

    def refused() -> bool:
        try:
            taken_over.finish_run("run-1", finished_at=datetime.now(UTC), decision=decided(run, []))
        except StoreError:
            return True
        return False

    until(refused)
