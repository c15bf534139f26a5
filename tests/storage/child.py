"""What other processes do to a store in the tests. Each command says a line when it has done its part."""

from __future__ import annotations

import random
import resource
import sqlite3
import sys
import time
from threading import Event

from goldenlib.errors import StoreError
from goldenlib.storage import Store
from tests.storage.scenes import a_new_run, outcome

LARGEST_BURST = 12


def drive(url: str, run_id: str, items: str, seed: str) -> None:
    """Drive a run, or resume it, a burst of rows for each line that comes; each id is said once its row is committed."""
    chance = random.Random(int(seed))
    ids = [f"item-{number:03d}" for number in range(int(items))]
    run = a_new_run(run_id, all_item_ids=tuple(ids))
    with Store.open(url) as store, store.lock_run(run_id):
        if not store.runs():
            store.create_run(run)
        scored = store.resume_run(run)
        todo = [item_id for item_id in ids if item_id not in scored]
        with store.writer(run) as writer:
            while todo and sys.stdin.readline():
                burst = [todo.pop() for _ in range(min(len(todo), chance.randint(1, LARGEST_BURST)))]
                last = Event()
                for item_id in burst:
                    writer.put(outcome(run_id, item_id, "pass"), lambda result: print(result.item_id, flush=True))
                writer.put(outcome(run_id, burst[-1], "pass"), lambda _, last=last: last.set())
                last.wait()
                print("burst", flush=True)


def write(url: str, run_id: str, items: str) -> None:
    """Wait for a line, then open the store and write a run as fast as it goes."""
    print("ready", flush=True)
    sys.stdin.readline()
    run = a_new_run(run_id)
    with Store.open(url) as store:
        store.create_run(run)
        with store.writer(run) as writer:
            for number in range(int(items)):
                writer.put(outcome(run_id, f"item-{number:03d}", "pass"))
    print("done", flush=True)


def hold_run(url: str, run_id: str) -> None:
    """Hold the lock of a run until a line comes."""
    with Store.open(url) as store, store.lock_run(run_id):
        print("locked", flush=True)
        sys.stdin.readline()


def hold_file(path: str) -> None:
    """Hold SQLite's write lock until a line comes."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    print("locked", flush=True)
    sys.stdin.readline()
    connection.execute("COMMIT")
    connection.close()


def fill(url: str, run_id: str, bytes_: str) -> None:
    """Write rows until the file may not grow any more; say each stored id, then 'full' and what the store said."""
    run = a_new_run(run_id)
    with Store.open(url) as store:
        store.create_run(run)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(bytes_), resource.RLIM_INFINITY))
        try:
            with store.writer(run) as writer:
                for number in range(100_000):
                    if writer.failed:
                        break
                    result = outcome(run_id, f"item-{number:05d}", "pass", text="x" * 2000)
                    writer.put(result, lambda stored: print(stored.item_id, flush=True))
                    time.sleep(0)  # lets the writer's thread run
        except StoreError as error:
            print("full", error, flush=True)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


if __name__ == "__main__":
    {"drive": drive, "write": write, "hold_run": hold_run, "hold_file": hold_file, "fill": fill}[sys.argv[1]](*sys.argv[2:])
