"""Editing one field of a 10,000-item file: python -m tests.bench.editing. The limit is 0.5 s for edit, diff and saving."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from goldenlib.editing import SourceFile, add_item, delete_item, move_item, read_source, save, set_values
from tests.bench.measuring import machine

T = TypeVar("T")
ITEMS = 10_000
ITEM = """  # item {n}, checked by nobody
  - id: item-{n:05d}
    surface: public
    domain: badan-hukum-pt
    question: "Apa saja syarat mendirikan PT perorangan nomor {n}?"
    expected:
      must_include:
        - "berusia paling rendah {n} tahun"
        - pernyataan pendirian
      must_not_include: ["wajib memakai akta notaris"]
      rubric: >
        Jawaban menyebut bahwa pendiri adalah warga negara Indonesia yang cakap hukum,
        dan bahwa akta notaris tidak diperlukan.
    verified: false

"""


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def one_field(source: SourceFile, number: int) -> tuple[SourceFile, dict[str, float]]:
    """Change one field, show the diff and save; return the saved file and the seconds of each step."""
    item_id = f"item-{number:05d}"
    editing, edited = _timed(lambda: set_values(source, item_id, {"verified": True}))
    showing, _ = _timed(lambda: edited.diff)
    saving, saved = _timed(lambda: save(edited))
    return saved, {"edit and verify": editing, "diff": showing, "save": saving, "together": editing + showing + saving}


def whole_items(source: SourceFile) -> dict[str, float]:
    """Return the seconds of adding, moving and deleting an item, each with its diff."""
    new = {"id": "baru", "question": "Apa?", "expected": {"rubric": "x"}}
    edits: dict[str, Callable[[], str]] = {
        "add": lambda: add_item(source, new, after="item-05000").diff,
        "move to the front": lambda: move_item(source, "item-05000", None).diff,
        "delete": lambda: delete_item(source, "item-05000").diff,
    }
    return {name: _timed(edit)[0] for name, edit in edits.items()}


def main() -> None:
    """Print the figures: medians of five edits at different places."""
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "golden.yaml"
        path.write_text("items:\n" + "".join(ITEM.format(n=number) for number in range(ITEMS)), encoding="utf-8")
        reading, source = _timed(lambda: read_source(path))
        print(f"{ITEMS:,} items, {path.stat().st_size / 1e6:.1f} MB: opened in {reading:.2f} s")
        figures = []
        for number in (0, 2500, 5000, 7500, ITEMS - 1):
            source, seconds = one_field(source, number)
            figures.append(seconds)
        for step in figures[0]:
            values = [seconds[step] for seconds in figures]
            print(f"  one field, {step}: {statistics.median(values) * 1000:.0f} ms (most {max(values) * 1000:.0f} ms)")
        for name, taken in whole_items(source).items():
            print(f"  {name}, with diff: {taken * 1000:.0f} ms")


if __name__ == "__main__":
    main()
