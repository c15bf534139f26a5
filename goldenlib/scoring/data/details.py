"""Details: what an engineer wants to see beside a verdict: the definition, the golden SQL, and the first rows of both results.

Rule: of a question that its asker may not have answered, no golden value is written down beside the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from goldenlib.items import Item
from goldenlib.matching.arrowvalues import python_rows
from goldenlib.warehouse import QueryResult

ROWS, WIDTH = 10, 60
_MOST_SQL = 4_000


def details_of(item: Item, golden: QueryResult, rows: Any = None) -> tuple[tuple[str, str], ...]:
    """Return titles and texts for a question with a golden result; `rows` are those of the answer, where it has some."""
    sql = item.expected.sql.golden.strip() if item.expected.sql is not None else ""
    found = [("definition", item.note), ("golden query", sql[:_MOST_SQL])]
    found.append(("golden result", table_text(golden.columns, golden.tuples(ROWS), golden.row_count)))
    if isinstance(rows, pa.Table):
        found.append(("answer's result", table_text(rows.column_names, python_rows(rows, ROWS), rows.num_rows)))
    elif rows is not None:
        found.append(("answer's result", table_text((), rows[:ROWS], len(rows))))
    return tuple((title, text) for title, text in found if text)


def asked_by(item: Item) -> tuple[tuple[str, str], ...]:
    """Return who asks a question, and the traps that it tests, as far as it says so."""
    asker = ", ".join(part for part in (item.role, f"region {item.region}" if item.region else "") if part)
    return tuple((title, text) for title, text in (("asked by", asker), ("traps", ", ".join(item.traps))) if text)


def table_text(columns: Sequence[str], rows: Sequence[Sequence[Any]], total: int) -> str:
    """Return rows as lines of text with columns lined up, and how many rows are left out."""
    cells = [[_cell(value) for value in row] for row in rows]
    lines = [list(columns), *cells] if columns else cells
    if not lines:
        return "no rows"
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    texts = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    more = total - len(rows)
    return "\n".join(texts + ([f"... and {more:,} more rows"] if more > 0 else []))


def _cell(value: Any) -> str:
    text = "NULL" if value is None else str(value).lower() if isinstance(value, bool) else " ".join(str(value).split())
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
