"""Columns: which field each column of a table means.

Rule: a column whose name is not known is a problem until somebody says what it means, or that it is to be left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from goldenlib.errors import InputError, Problem
from goldenlib.exchange.importtable import ImportTable, some
from goldenlib.exchange.itemfields import ALL_NAMES, BY_NAME, FIELDS, Form, Meant, meant_by, plain
from goldenlib.files.suggesting import did_you_mean


@dataclass(frozen=True, slots=True)
class MappedColumn:
    """A column that is used: its index in the table, and what it means."""

    index: int
    meant: Meant


@dataclass(frozen=True, slots=True)
class Profile:
    """What the columns of another tool mean: the field by the column's name.

    An id is kept under each of its names, for an item's history hangs on it; other columns are named as not mapped.
    """

    title: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Mapped:
    """The columns that are used, and in words what became of all of them."""

    columns: tuple[MappedColumn, ...]
    notes: tuple[str, ...]


def map_columns(table: ImportTable, given: Mapping[str, str], profile: Profile | None = None) -> Mapped:
    """Return what the columns mean: as `given` (name -> field, or nothing to leave it out), by the profile, or by their names.

    Raises InputError with every column that is unknown, or means what another means already.
    """
    asked = asked_columns(table, given)
    columns: list[MappedColumn] = []
    dropped: list[str] = []
    unmapped: list[str] = []
    problems: list[Problem] = []
    for index, name in enumerate(table.names):
        if not name:
            continue
        if index in asked:
            meant = asked[index]
        elif profile is not None:
            meant = _by_profile(name, profile)
        else:
            meant = meant_by(name)
        if meant is not None:
            columns.append(MappedColumn(index, meant))
        elif index in asked:
            dropped.append(name)
        elif profile is not None:
            unmapped.append(_with_count(table, index, name))
        else:
            problems.append(_unknown(table, index, name, is_first=not problems))
    problems += _clashes(table, columns) + _lacking(table, columns)
    if problems:
        raise InputError([*table.problems, *problems])
    used = [_told(table.names[column.index], column.meant) for column in columns]
    notes = [f"columns: {some(used)}"]
    notes += [f"left out as asked: {some(dropped)}"] if dropped else []
    notes += [f"not mapped, and lost: {some(unmapped)}"] if unmapped else []
    return Mapped(tuple(columns), tuple(notes))


def asked_columns(table: ImportTable, given: Mapping[str, str]) -> dict[int, Meant | None]:
    """Return what was asked for by index of the column; None for one to be left out. Raises InputError."""
    asked: dict[int, Meant | None] = {}
    problems: list[Problem] = []
    for name, field in given.items():
        places = [index for index, other in enumerate(table.names) if other == name.strip()]
        places = places or [index for index, other in enumerate(table.names) if other and plain(other) == plain(name)]
        meant = meant_by(field) if field.strip() else None
        if not places:
            near = did_you_mean(name, [other for other in table.names if other], 0.6)
            guess = f" (did you mean '{near}'?)" if near else ""
            way_out = f"the columns are {some(table.names)}"
            problems.append(Problem(table.path, f"--column: there is no column '{name}'{guess}", way_out=way_out))
        elif field.strip() and meant is None:
            near = did_you_mean(field, BY_NAME, 0.6)
            guess = f" (did you mean '{near}'?)" if near else ""
            way_out = f"the fields are {', '.join(BY_NAME)}"
            problems.append(Problem(table.path, f"--column: there is no field '{field}'{guess}", way_out=way_out))
        asked.update(dict.fromkeys(places, meant))
    if problems:
        raise InputError(problems)
    return asked


def _by_profile(name: str, profile: Profile) -> Meant | None:
    meant = meant_by(name)
    field = profile.names.get(name) or ("id" if meant is not None and meant.field.name == "id" else None)
    return Meant(BY_NAME[field]) if field else None


def _with_count(table: ImportTable, index: int, name: str) -> str:
    filled = sum(not row.cell(index).is_empty for row in table.rows)
    return f"{name} ({filled} of {len(table.rows)})"


def _unknown(table: ImportTable, index: int, name: str, *, is_first: bool) -> Problem:
    near = did_you_mean(plain(name), ALL_NAMES, 0.75)
    meant = meant_by(near) if near else None
    guess = (
        f" (did you mean '{near}'{'' if meant is None or near == plain(meant.field.name) else f', {meant.field.name}'}?)" if near else ""
    )
    way_out = f"say what it means with --column '{name}=FIELD', or leave it out with --column '{name}='"
    if is_first:
        way_out += f"; the fields are {', '.join(field.name for field in FIELDS)}"
    return table.problem(f"no field is called '{name}'{guess}", way_out, line=table.header_line, column=index if table.on_grid else None)


def _clashes(table: ImportTable, columns: Sequence[MappedColumn]) -> list[Problem]:
    """Return a problem for each column that means what one before it means. A list may stand in one column and in numbered ones."""
    first: dict[Meant, MappedColumn] = {}
    problems: list[Problem] = []
    for column in columns:
        other = first.setdefault(column.meant, column)
        if other is not column:
            names = f"the columns '{table.names[other.index]}' and '{table.names[column.index]}' both mean {_label(column.meant)}"
            way_out = f"leave one out with --column '{table.names[column.index]}='"
            if column.meant.field.form is Form.LIST:
                name = column.meant.field.name
                way_out += f", or name them {name}_1, {name}_2"
            problems.append(Problem(table.path, names, way_out=way_out))
    return problems


def _lacking(table: ImportTable, columns: Sequence[MappedColumn]) -> list[Problem]:
    """Return what no column holds and every item needs, told once and not for every row."""
    held = {column.meant.field.name for column in columns}
    problems: list[Problem] = []
    names = some(repr(name) for name in table.names if name)
    if not held & {"question", "turns"}:
        way_out = "call it question or pertanyaan, or say which it is with --column NAME=question"
        problems.append(Problem(table.path, f"no column holds the question, among {names}", way_out=way_out))
    if not held & {"must_include", "must_not_include", "rubric", "answer", "sql"}:
        way_out = "add must_include, must_not_include or rubric (harus disebut, tidak boleh disebut, rubrik)"
        problems.append(Problem(table.path, f"no column says what a right answer holds, among {names}", way_out=way_out))
    return problems


def _told(name: str, meant: Meant) -> str:
    return name if plain(name) == plain(_label(meant)) else f"'{name}' as {_label(meant)}"


def _label(meant: Meant) -> str:
    return meant.field.name if meant.number is None else f"{meant.field.name}_{meant.number}"
