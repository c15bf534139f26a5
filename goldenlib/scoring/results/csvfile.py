"""CSV: a result from a file, for the command line and for golds that are kept as files.

Rule: CSV has no types, so a column has the strictest type that all its cells spell exactly; everything else is text. An empty cell is
NULL. A code such as 007 or 1e3 is not a number.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa

from goldenlib.errors import InputError, Problem

_INTEGER = re.compile(r"-?(0|[1-9]\d*)", re.ASCII)
_DECIMAL = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?", re.ASCII)
# Floats as Python and most databases print them; 1e3 without a sign is more often a code.
_FLOAT = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?(e[+-]\d{2,3})?|nan|-?inf", re.ASCII | re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d(:?\d\d)?)?", re.ASCII)
_BOOLEANS = {"true": True, "false": False}


def read_csv_result(path: str | Path) -> pa.Table:
    """Return the rows of a CSV file with a header line, as `results_match` takes them.

    Integers, decimals (kept exactly), floats, true/false, ISO dates and timestamps are told from text column by column. Raises
    InputError with the lines of rows that have too many or too few cells, and for a file that is not UTF-8 or has no header.
    """
    header, rows = _read(Path(path))
    columns = [_typed([row[index] for row in rows]) for index in range(len(header))]
    return pa.table(columns, names=header) if header else pa.table({})


def _read(path: Path) -> tuple[list[str], list[list[str]]]:
    problems: list[Problem] = []
    rows: list[list[str]] = []
    header: list[str] = []
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = next(reader, [])
            for row in reader:
                if not row and len(header) == 1:
                    row = [""]  # the csv module reads a line with one empty cell as no cell at all
                if row and len(row) != len(header):
                    problems.append(Problem(str(path), f"{len(row)} cells, the header has {len(header)}", line=reader.line_num))
                elif row:
                    rows.append(row)
    except OSError as error:
        problems.append(Problem(str(path), f"cannot be read: {error.strerror}"))
    except (UnicodeDecodeError, csv.Error) as error:
        problems.append(Problem(str(path), f"is not CSV in UTF-8: {error}", way_out="export it as CSV, UTF-8"))
    if not problems and not header:
        problems.append(Problem(str(path), "has no header line", way_out="write the names of the columns in the first line"))
    if problems:
        raise InputError(problems)
    return header, rows


def _typed(cells: Sequence[str]) -> pa.Array:
    """Return cells with the first type that all of them spell."""
    written = [cell for cell in cells if cell]
    for is_of_type, read, make in _TYPES:
        if written and all(map(is_of_type, written)):
            try:
                return make([read(cell) if cell else None for cell in cells])
            except (ValueError, OverflowError, pa.ArrowException):  # 2026-02-30, or a number that no exact type holds
                continue
    return pa.array([cell or None for cell in cells], pa.string())


_TYPES: tuple[tuple[Callable[[str], object], Callable[[str], Any], Callable[[list[Any]], pa.Array]], ...] = (
    (_INTEGER.fullmatch, int, lambda cells: pa.array(cells, pa.int64())),
    (_DECIMAL.fullmatch, Decimal, pa.array),
    (_FLOAT.fullmatch, float, lambda cells: pa.array(cells, pa.float64())),
    (lambda cell: cell.lower() in _BOOLEANS, lambda cell: _BOOLEANS[cell.lower()], lambda cells: pa.array(cells, pa.bool_())),
    (_DATE.fullmatch, date.fromisoformat, lambda cells: pa.array(cells, pa.date32())),
    (_TIMESTAMP.fullmatch, datetime.fromisoformat, lambda cells: _timestamps(cells)),
)


def _timestamps(cells: list[datetime | None]) -> pa.Array:
    zoned = {cell.tzinfo is not None for cell in cells if cell is not None}
    if len(zoned) > 1:
        raise ValueError("with and without zone in one column")
    return pa.array(cells, pa.timestamp("us", "UTC" if zoned.pop() else None))
