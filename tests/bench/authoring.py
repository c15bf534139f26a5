"""How quickly the author panel opens, and how fluid typing is: python -m tests.bench.authoring [ITEMS] [ANSWERS_PER_ITEM]

Opening is measured in a fresh process, imports included, up to the first whole answer to the page. Typing is the handler of an
edit, with the word list, all stored answers and all other items known.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

from goldenlib.storage import Store
from tests.bench.measuring import machine
from tests.builders import RUN_AT, a_result, a_run
from tests.storage.scenes import write

EDITS = 60
OPEN = """
import json, sys, time
started = time.perf_counter()
from goldenlib.workbench.panel import AuthorPanel
panel = AuthorPanel(sys.argv[1], store=sys.argv[2])
patch = panel.handler.handle({"action": "ready", "seq": 1})
took = {"s": time.perf_counter() - started, "cpu": time.process_time()}
print(json.dumps(took | { "rows": len(patch["list"]["rows"]), "kb": len(json.dumps(patch)) // 1000}))
"""


def make(folder: Path, items: int, answers: int) -> tuple[Path, Path]:
    """A set of so many items, and a store with so many answers to each."""
    lines = ["items:"]
    for number in range(items):
        lines += [
            f"  - id: item-{number:05d}",
            "    surface: public",
            f"    domain: domain-{number % 12}",
            f'    question: "Apa saja syarat mendirikan PT perorangan nomor {number}?"',
            "    expected:",
            f'      must_include: ["berusia paling rendah {17 + number % 9} tahun", "pernyataan pendirian {number}"]',
            '      must_not_include: ["harus memakai akta notaris"]',
            "      rubric: Jawaban menyebut bahwa pendiri cakap hukum.",
            "    verified: false",
        ]
    path, database = folder / "big.yaml", folder / "golden.db"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with Store.open(str(database)) as store:
        for week in range(answers):
            run_id, at = f"run-{week}", RUN_AT + timedelta(weeks=week)
            run = a_run(run_id=run_id, run_at=at, finished_at=None, set_name="big", series="big @ demo", is_demo=True)
            store.create_run(run)
            text = f"Pendiri berusia paling rendah 17 tahun. Cukup pernyataan pendirian {{}}, tidak wajib akta notaris, minggu {week}. "
            results = [
                a_result(f"item-{number:05d}", text.format(number) * 8, run_id=run_id, passed=(week + number) % 4 > 0)
                for number in range(items)
            ]
            write(store, run, results)
    return path, database


def opening(path: Path, database: Path) -> None:
    """Five fresh processes."""
    runs = []
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", OPEN, str(path), str(database)], capture_output=True, text=True, check=True)
        runs.append(json.loads(done.stdout.strip().splitlines()[-1]))
    seconds = sorted(run["s"] for run in runs)
    rows, size = runs[0]["rows"], runs[0]["kb"]
    cpu = statistics.median(run["cpu"] for run in runs)
    print(f"opening {rows} items, imports included: median {seconds[2]:.2f} s, slowest {seconds[-1]:.2f} s, CPU {cpu:.2f} s ({size} kB)")


def typing(path: Path, database: Path) -> None:
    """The handler of an edit, letter by letter, and of a new phrase."""
    from goldenlib.config.settings import load_settings
    from goldenlib.workbench.actions import handler_of
    from goldenlib.workbench.state import Workbench

    with Store.open(str(database)) as store:
        bench = Workbench(path, load_settings(environ={})[0], store=store)
        started = time.perf_counter()
        bench.learn()
        known = len(bench.memory.evidence) if bench.memory.evidence is not None else 0
        print(f"learning in the background: {time.perf_counter() - started:.1f} s ({known:,} stored answers)")
        handler = handler_of(bench)
        handler.handle({"action": "open", "key": "item-00500"})
        phrase = "tidak wajib akta notaris sama sekali menurut peraturan yang berlaku"
        edits = {"question": "expected.rubric", "phrase": "expected.must_not_include"}
        for name, field in edits.items():
            times = []
            for number in range(EDITS):
                text = phrase[: 2 + number]
                value: object = [text] if name == "phrase" else text
                start = time.perf_counter()
                patch = handler.handle({"action": "edit", "key": "item-00500", "path": field, "value": value, "seq": number})
                json.dumps(patch)
                times.append((time.perf_counter() - start) * 1000)
            median, worst = statistics.median(times), sorted(times)[int(EDITS * 0.95)]
            print(f"typing a {name}: median {median:.1f} ms, 95% below {worst:.1f} ms ({EDITS} edits)")
        bench.close()


def main(words: list[str]) -> None:
    items, answers = (int(word) for word in (words + ["1000", "10"][len(words) :]))
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        path, database = make(Path(folder), items, answers)
        opening(path, database)
        typing(path, database)


if __name__ == "__main__":
    main(sys.argv[1:])
