"""promptfoo's sheets: each row -> a test, as promptfoo makes one of it.

Rule: as for its configurations: what stands below `__expected` is mapped or named, and nothing is run, rendered or fetched.
Source: promptfoo's reference, "CSV test files" and "Assertions & metrics".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from goldenlib.errors import InputError, Problem
from goldenlib.exchange.importtable import ImportTable, TableCell, TableRow, counted, some
from goldenlib.exchange.itemfields import meant_by
from goldenlib.exchange.mapping import asked_columns
from goldenlib.exchange.promptfoo import PREFIX, Test, table_of_tests
from goldenlib.hazards.assertions import read_assertion

_EXPECTED = re.compile(r"__expected\d*")
_METADATA = re.compile(r"__metadata:([^\[\]]+)(\[\])?")


def is_promptfoo_sheet(table: ImportTable) -> bool:
    """Whether a sheet looks like tests of promptfoo."""
    return any(_EXPECTED.fullmatch(name) for name in table.names)


def tests_in(table: ImportTable, given: Mapping[str, str]) -> ImportTable:
    """Return the tests of a sheet as a table of items. `given` says what further columns mean, as for other sheets.

    Raises InputError with each cell that holds no text, and when there is no test that could become an item.
    """
    asked = asked_columns(table, given)
    names = {index: name for index, name in enumerate(table.names) if name and asked.get(index, True) is not None}
    meant = {names[index]: field.field.name for index, field in asked.items() if field is not None}
    problems: list[Problem] = []
    tests = [Test(row.line, table.place(row.line), _test(table, row, names, meant, problems)) for row in table.rows]
    if table.problems or problems:
        raise InputError([*table.problems, *problems])
    lost = [index for index, name in names.items() if name.startswith("__") and not _is_mapped(name)]
    notes = [*table.notes, *([f"not mapped: {some(_with_count(table, index) for index in lost)}"] if lost else [])]
    return table_of_tests(table.path, f"promptfoo tests, {table.what}", tests, _question_column(names, meant), notes, _WAY_OUT)


_WAY_OUT = "say which column is the question with --column NAME=question; see also what was not mapped, below"


def _is_mapped(name: str) -> bool:
    return name == "__description" or bool(_EXPECTED.fullmatch(name) or _METADATA.fullmatch(name))


def _with_count(table: ImportTable, index: int) -> str:
    filled = sum(not row.cell(index).is_empty for row in table.rows)
    return f"{table.names[index]} ({filled} of {counted(len(table.rows), 'row')})"


def _question_column(names: Mapping[int, str], meant: Mapping[str, str]) -> str | None:
    """Return the column that holds the question: the only one, or the only one that is called so."""
    variables = [name for name in names.values() if not name.startswith("__") and name != "id" and name not in meant]
    called = [name for name in variables if (known := meant_by(name)) is not None and known.field.name == "question"]
    return variables[0] if len(variables) == 1 else called[0] if len(called) == 1 else None


def _test(table: ImportTable, row: TableRow, names: Mapping[int, str], meant: Mapping[str, str], problems: list[Problem]) -> dict[str, Any]:
    """Return a row as a test of a configuration."""
    test: dict[str, Any] = {"vars": {}, "assert": [], "metadata": {}}
    for name, text in _texts(table, row, names, problems):
        if name == "__description":
            test["description"] = text
        elif _EXPECTED.fullmatch(name):
            kind, value = read_assertion(text)
            test["assert"].append({"type": kind, "value": value or None})
        elif found := _METADATA.fullmatch(name):
            test["metadata"][found[1]] = text
        elif meant.get(name) == "question":
            test["vars"]["question"] = text
        elif name in meant:
            test["metadata"][PREFIX + meant[name]] = text
        elif not name.startswith("__"):
            test["vars"][name] = text
    return test


def _texts(table: ImportTable, row: TableRow, names: Mapping[int, str], problems: list[Problem]) -> Iterator[tuple[str, str]]:
    """Give the cells of a row that hold a text, by name of their column; what else stands in one is a problem."""
    for index, name in names.items():
        cell: TableCell = row.cell(index)
        if cell.wrong:
            problems.append(table.problem(cell.wrong, cell.way_out, line=row.line, column=index))
        elif cell.text.strip():
            yield name, cell.text
