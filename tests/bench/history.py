"""How long the look-up of baselines takes over a long history: python -m tests.bench.history [ROWS...]."""

from __future__ import annotations

import sqlite3
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from goldenlib.answers import RunRecord
from goldenlib.storage import Store
from tests.bench.measuring import machine

ITEMS = 500
START = datetime(2020, 1, 1, tzinfo=UTC)
RESULT = """
    INSERT INTO golden_results (run_id, item_id, run_at, run_seq, series, surface, domain, question_preview, answer_preview, score,
        passed, reason, status, judge_status, verified, digest, seconds, baseline_for)
    VALUES (?, ?, ?, ?, ?, 'public', 'pt', ?, ?, 0.9, 1, ?, 'scored', 'ok', 1, ?, 1.0, ?)
"""


def a_run(number: int) -> RunRecord:
    return RunRecord(
        run_id=f"run-{number:06d}",
        run_at=START + timedelta(hours=number),
        set_name="ahu",
        set_digest="d" * 64,
        set_size=ITEMS,
        series="ahu @ chatbot.staging",
        target="chatbot.staging",
        judge_model="judge",
        judge_prompt_digest="p" * 64,
        scorer_version="1",
    )


def fill(path: Path, rows: int) -> str:
    """Fill a store with `rows` results in runs of 500 items, and return the id of the last run."""
    runs = rows // ITEMS
    with Store.open(str(path)) as store:
        store.create_run(a_run(0))
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous=OFF")
    template = database.execute("SELECT * FROM golden_runs").fetchone()
    names = [column[1] for column in database.execute("PRAGMA table_info(golden_runs)")]
    question, answer, reason = "Apa saja syarat mendirikan PT perorangan? " * 4, "Pendiri harus WNI. " * 10, "all 3 facts are present"
    with database:
        for number in range(runs):
            at = (START + timedelta(hours=number)).isoformat(timespec="microseconds")
            if number:
                row = dict(zip(names, template, strict=True)) | {"run_seq": number + 1, "run_id": f"run-{number:06d}", "run_at": at}
                database.execute(f"INSERT INTO golden_runs VALUES ({','.join('?' * len(row))})", list(row.values()))
            baseline_for = "" if number < runs // 2 else None  # as if the later half had never finished: all of it is to be passed over
            key = (f"run-{number:06d}", at, number + 1)
            database.executemany(
                RESULT,
                (
                    (key[0], f"item-{i:05d}", *key[1:], "ahu @ chatbot.staging", question, answer, reason, "d" * 64, baseline_for)
                    for i in range(ITEMS)
                ),
            )
    database.close()
    return f"run-{runs - 1:06d}"


def main(sizes: list[int]) -> None:
    print(machine())
    for rows in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "golden.db"
            last = fill(path, rows)
            with Store.open(str(path)) as store:
                times = []
                for _ in range(15):
                    started = time.perf_counter()
                    found = store.baselines(last, with_answers=False)
                    times.append(time.perf_counter() - started)
                assert len(found) == ITEMS
            size = path.stat().st_size / 1e9
        median, best = statistics.median(times) * 1000, min(times) * 1000
        print(f"baselines of {ITEMS} items over {rows:,} rows ({size:.1f} GB): median {median:.1f} ms, best {best:.1f} ms")


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [1_000_000])
