"""Tables: what a file holds, as rows of cells that know their place, whatever form the file has.

Rule: a cell holds a text exactly as it was written, or says what it is instead; nothing is turned into text here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from goldenlib.errors import InputError, Problem
from goldenlib.exchange.itemfields import meant_by

MAX_BYTES = 20_000_000
MAX_ROWS = 50_000
MAX_COLUMNS = 1_000


@dataclass(frozen=True, slots=True)
class TableCell:
    """A text, or a list of texts as `entries`; or, in `wrong`, what it is instead: "is the number 50000".

    `truth` is what a boolean says, for the fields that are true or false.
    """

    text: str = ""
    entries: tuple[str, ...] | None = None
    wrong: str = ""
    way_out: str = ""
    truth: bool | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands in it."""
        return not (self.text.strip() or self.entries or self.wrong)


EMPTY = TableCell()


@dataclass(frozen=True, slots=True)
class TableRow:
    """The cells of one row; `line` counts from 1 in the file or sheet, the header's too."""

    line: int
    cells: Sequence[TableCell]

    def cell(self, column: int) -> TableCell:
        """Return the cell of a column, from 0; an empty one behind the end."""
        return self.cells[column] if column < len(self.cells) else EMPTY


@dataclass(frozen=True)
class ImportTable:
    """The rows of a file below the names of its columns.

    `what` says in words what was read; `notes` what was met on the way and does not hinder, `problems` what does; `on_grid`:
    places are those of a sheet, such as C7.
    """

    path: str
    what: str
    names: tuple[str, ...]
    header_line: int
    rows: tuple[TableRow, ...]
    notes: tuple[str, ...] = ()
    on_grid: bool = False
    problems: tuple[Problem, ...] = ()

    def place(self, line: int, column: int | None = None) -> str:
        """Return a place in words: C7, or line 7, 'rubric'."""
        if self.on_grid:
            return f"{letters(column)}{line}" if column is not None else f"row {line}"
        name = f", '{self.names[column]}'" if column is not None and column < len(self.names) else ""
        return f"line {line}{name}"

    def problem(
        self, message: str, way_out: str | None = None, *, line: int, column: int | None = None, item_id: str | None = None
    ) -> Problem:
        """Return a problem at a cell, or with a row."""
        if self.on_grid:
            return Problem(self.path, f"{self.place(line, column)}: {message}", item_id=item_id, way_out=way_out)
        name = f"'{self.names[column]}' " if column is not None and column < len(self.names) else ""
        return Problem(self.path, f"{name}{message}", line, item_id=item_id, way_out=way_out)


def letters(column: int) -> str:
    """Return a column, from 0, as sheets name it.

    >>> [letters(column) for column in (0, 25, 26, 701, 702)]
    ['A', 'Z', 'AA', 'ZZ', 'AAA']
    """
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def table_of(path: str, what: str, rows: Iterable[TableRow], notes: Sequence[str] = (), *, on_grid: bool = False) -> ImportTable:
    """Return the rows as a table: the first that is not empty holds the names, and empty ones below are left out and told.

    Raises InputError for a file without a header, with a text outside the named columns, or with a name that is no text.
    """
    filled: list[TableRow] = []
    empty: list[int] = []
    for row in rows:
        if all(cell.is_empty for cell in row.cells):
            empty.append(row.line)
        elif len(filled) > MAX_ROWS:
            raise InputError([Problem(path, f"has more than {MAX_ROWS:,} rows", way_out="split it into one file per topic")])
        else:
            filled.append(row)
    if not filled:
        raise InputError([Problem(path, "is empty", way_out="write the names of the columns in the first row: id, question, must_include")])
    header, *body = filled
    refuse_title(path, filled)
    width = max((number + 1 for number, cell in enumerate(header.cells) if not cell.is_empty), default=0)
    names = tuple(cell.text.strip() for cell in header.cells[:width])
    gaps = _gaps(filled) if on_grid else [str(line) for line in empty if line < filled[-1].line]
    passed = [f"empty rows passed over: {some(gaps)}"] if gaps else []
    table = ImportTable(path, what, names, header.line, tuple(body), (*notes, *passed), on_grid)
    problems = list(_outside(table, header))
    if not body:
        problems.append(Problem(path, "holds names of columns and no rows", way_out="write one question in each row below"))
    if problems:
        raise InputError(problems)
    return table


def refuse_title(path: str, rows: Sequence[TableRow]) -> None:
    """Raise InputError when the first row holds one text that is no name of a column, and the next several: that is a title."""
    texts = [[cell.text.strip() for cell in row.cells if not cell.is_empty] for row in rows[:2]]
    if [len(row) > 1 for row in texts] == [False, True] and texts[0][0] and meant_by(texts[0][0]) is None:
        message = f"row {rows[0].line} holds only '{texts[0][0][:60]}', and the first row must have the names of the columns"
        raise InputError([Problem(path, message, way_out=f"take out what stands above row {rows[1].line}, if the names stand there")])


def _gaps(rows: Sequence[TableRow]) -> list[str]:
    """Return the numbers of the rows between those given: a sheet need not write down an empty row."""
    pairs = [(row.line + 1, below.line - 1) for row, below in pairwise(rows) if below.line > row.line + 1]
    return [str(first) if first == last else f"{first} to {last}" for first, last in pairs]


def _outside(table: ImportTable, header: TableRow) -> Iterable[Problem]:
    for column, cell in enumerate(header.cells):
        if cell.wrong:
            yield table.problem(f"{cell.wrong} and must be the name of a column", cell.way_out, line=header.line, column=column)
    named = {column for column, name in enumerate(table.names) if name}
    for row in table.rows:
        for column, cell in enumerate(row.cells):
            if column not in named and not cell.is_empty:
                if column < len(header.cells) and header.cells[column].wrong:
                    continue
                message = f"holds something, but column {letters(column)} has no name in row {header.line}"
                yield table.problem(message, "name the column, or clear the cell", line=row.line, column=column)


def counted(number: int, noun: str) -> str:
    """Return a number with what it counts.

    >>> counted(1, "row"), counted(0, "row")
    ('1 row', '0 rows')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"


def some(parts: Iterable[str], at_most: int = 50) -> str:
    """Return the parts with commas between them; behind the first fifty, how many more there are."""
    listed = list(parts)
    more = f" and {len(listed) - at_most} more" if len(listed) > at_most else ""
    return ", ".join(listed[:at_most]) + more
