"""CSV: a result from a file, for the command line and for golds that are kept as files.

Rule: CSV has no types, so a column has the strictest type that all its cells spell exactly; everything else is text. An empty cell is
NULL. A code such as 007 or 1e3 is not a number. Cells may be divided by comma, semicolon or tab, as spreadsheets write them; where
no comma divides, one may be the point of a number (1,5).
"""

from __future__ import annotations

import csv
import io
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
_DECIMAL_COMMA = re.compile(r"-?(0|[1-9]\d*)(,\d+)?", re.ASCII)
# With points between thousands, as spreadsheets show numbers there; 1.234 alone may as well be a number below two.
_GROUPED_COMMA = re.compile(r"-?(0|[1-9]\d*|[1-9]\d{0,2}(\.\d{3})+)(,\d+)?", re.ASCII)
# Floats as Python and most databases print them; 1e3 without a sign is more often a code.
_FLOAT = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?(e[+-]\d{2,3})?|nan|-?inf", re.ASCII | re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d(:?\d\d)?)?", re.ASCII)
_BOOLEANS = {"true": True, "false": False}
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}


def read_csv_result(path: str | Path) -> pa.Table:
    """Return the rows of a CSV file with a header line, as `results_match` takes them.

    Integers, decimals (kept exactly), floats, true/false, ISO dates and timestamps are told from text column by column. Raises
    InputError with the lines of rows that have too many or too few cells, for a file that is not UTF-8 or has no header, and for one
    whose cells may be divided by two signs.
    """
    delimiter, header, rows = _read(Path(path))
    types = _TYPES if delimiter == "," else (*_TYPES[:1], *_WITH_COMMA, *_TYPES[1:])
    columns = [_typed([row[index] for row in rows], types) for index in range(len(header))]
    return pa.table(columns, names=header) if header else pa.table({})


def _read(path: Path) -> tuple[str, list[str], list[list[str]]]:
    """Return what divides the cells, the header and the rows, read by the sign that fits best."""
    text = _text(path)
    said = re.match(r"sep=([,;\t])\r?\n", text, re.IGNORECASE)  # a first line that Excel writes and obeys
    if said:
        return said[1], *_checked(path, *_split(path, text[said.end() :], said[1]), before=1)
    split = {delimiter: _split(path, text, delimiter) for delimiter in _DELIMITERS}
    dividing = [delimiter for delimiter in _DELIMITERS if len(split[delimiter][0]) > 1] or [","]
    fitting = [delimiter for delimiter in dividing if not _misfits(*split[delimiter])] or dividing[:1]
    if len(fitting) > 1:
        names = " or ".join(_DELIMITERS[delimiter] for delimiter in fitting)
        way_out = "put cells that hold such a sign in quotes, or say it in a first line 'sep=;'"
        raise InputError([Problem(str(path), f"the cells may be divided by {names}", line=1, way_out=way_out)])
    return fitting[0], *_checked(path, *split[fitting[0]])


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return file.read()
    except OSError as error:
        raise InputError([Problem(str(path), f"cannot be read: {error.strerror}")]) from None
    except UnicodeDecodeError as error:
        raise InputError([_no_csv(path, error)]) from None


def _no_csv(path: Path, error: Exception) -> Problem:
    return Problem(str(path), f"is not CSV in UTF-8: {error}", way_out="export it as CSV, UTF-8")


_Row = tuple[int, list[str]]  # the line that it ends in, and its cells


def _split(path: Path, text: str, delimiter: str) -> tuple[list[str], list[_Row], Problem | None]:
    """Return header and rows as one sign divides them, with what ended the reading."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter)
    header: list[str] = []
    rows: list[_Row] = []
    try:
        header = next(reader, [])
        # The csv module reads a line with one empty cell as no cell at all.
        rows.extend((reader.line_num, row or [""]) for row in reader if row or len(header) == 1)
    except csv.Error as error:
        return header, rows, _no_csv(path, error)
    return header, rows, None


def _misfits(header: list[str], rows: list[_Row], problem: Problem | None) -> bool:
    return problem is not None or any(len(cells) != len(header) for _, cells in rows)


def _checked(
    path: Path, header: list[str], rows: list[_Row], problem: Problem | None, before: int = 0
) -> tuple[list[str], list[list[str]]]:
    problems = [
        Problem(str(path), f"{len(cells)} cells, the header has {len(header)}", line=line + before)
        for line, cells in rows
        if len(cells) != len(header)
    ]
    problems += [problem] if problem is not None else []
    if not problems and not header:
        problems.append(Problem(str(path), "has no header line", way_out="write the names of the columns in the first line"))
    if problems:
        raise InputError(problems)
    return header, [cells for _, cells in rows]


def _typed(cells: Sequence[str], types: Sequence[_Type]) -> pa.Array:
    """Return cells with the first type that all of them spell."""
    written = [cell for cell in cells if cell]
    for is_of_type, read, make in types:
        if written and all(map(is_of_type, written)):
            try:
                return make([read(cell) if cell else None for cell in cells])
            except (ValueError, OverflowError, pa.ArrowException):  # 2026-02-30, or a number that no exact type holds
                continue
    return pa.array([cell or None for cell in cells], pa.string())


# Whether a cell spells the type, what it says, and the column of what all cells say.
_Type = tuple[Callable[[str], object], Callable[[str], Any], Callable[[list[Any]], pa.Array]]
_WITH_COMMA: tuple[_Type, ...] = (
    (_DECIMAL_COMMA.fullmatch, lambda cell: Decimal(cell.replace(",", ".")), pa.array),
    (_GROUPED_COMMA.fullmatch, lambda cell: Decimal(cell.replace(".", "").replace(",", ".")), lambda cells: _grouped(cells)),
)
_TYPES: tuple[_Type, ...] = (
    (_INTEGER.fullmatch, int, lambda cells: pa.array(cells, pa.int64())),
    (_DECIMAL.fullmatch, Decimal, pa.array),
    (_FLOAT.fullmatch, float, lambda cells: pa.array(cells, pa.float64())),
    (lambda cell: cell.lower() in _BOOLEANS, lambda cell: _BOOLEANS[cell.lower()], lambda cells: pa.array(cells, pa.bool_())),
    (_DATE.fullmatch, date.fromisoformat, lambda cells: pa.array(cells, pa.date32())),
    (_TIMESTAMP.fullmatch, datetime.fromisoformat, lambda cells: _timestamps(cells)),
)


def _grouped(cells: list[Decimal | None]) -> pa.Array:
    if not any(cell is not None and cell != cell.to_integral_value() for cell in cells):
        raise ValueError("without a comma anywhere, a point may be that of a number")
    return pa.array(cells)


def _timestamps(cells: list[datetime | None]) -> pa.Array:
    zoned = {cell.tzinfo is not None for cell in cells if cell is not None}
    if len(zoned) > 1:
        raise ValueError("with and without zone in one column")
    return pa.array(cells, pa.timestamp("us", "UTC" if zoned.pop() else None))
