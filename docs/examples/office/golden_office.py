"""A target, a scorer, a report, an importer and a warehouse of one's own. Each is a few lines, and named in pyproject.toml."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from goldenlib import Answer, Asking, Item, Report, Score, Scorer, Wiring


class Office:
    """A target, chosen by `targets: {public: {kind: office}}`: here a table in memory, elsewhere a connection to your system."""

    def __init__(self, wiring: Wiring) -> None:
        self.greeting = str(wiring.target.options.get("greeting", "Baik."))

    async def __aenter__(self) -> Office:
        return self

    async def __aexit__(self, *error: object) -> None:
        return None

    async def ask(self, item: Item, session_id: str, on_text: object = None) -> Answer:
        """Answer the question. What fails is an Answer with `error`, never an exception that ends the run."""
        if "akta" not in item.question.casefold():
            return Answer(error="the office knows nothing of this")
        return Answer(f"{self.greeting} PT perorangan tidak memerlukan akta notaris.")


class Brevity(Scorer):
    """A scorer, chosen by `golden_scorers: [brevity]`: an answer of more than forty words fails."""

    async def score(self, item: Item, answer: Answer, asking: Asking) -> Sequence[Score]:
        """Return one score of an axis of its own."""
        words = len(answer.text.split())
        return [Score("brevity", None, words <= 40, f"{words} words" + (" are too many" if words > 40 else ""))]


def as_csv(report: Report) -> str:
    """Return a report, chosen by `--report csv=report.csv`: a line for each item."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["item", "status", "passed", "reason"])
    rows.writerows([result.item_id, result.status, result.passed, result.reason] for result in report.results)
    return text.getvalue()


def read_lines(path: Path) -> Iterator[dict[str, str]]:
    """Give the questions of a text file, chosen by `golden import notes.txt --format lines`: `question | phrase` on each line."""
    for line in path.read_text(encoding="utf-8").splitlines():
        question, _, phrase = line.partition("|")
        yield {"question": question.strip(), "must_include": phrase.strip()}


def build_register(path: Path) -> None:
    """Make a warehouse, chosen by `warehouse: register`: a DuckDB file at the path that is given, read-only from then on."""
    import duckdb

    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE companies AS SELECT * FROM (VALUES ('PT Satu', 2024), ('PT Dua', 2025)) AS t(name, founded)")
