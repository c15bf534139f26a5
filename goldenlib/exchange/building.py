"""Building: the rows of a table -> items, or every problem with its cell.

Rule: a text is taken as it stands. What an item may hold is said by the models of `items`; this module says where it is wrong.
A row with nothing to check is left out and named, like a test of promptfoo: one gap does not hold up a file.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from goldenlib.editing.scalars import unwritable
from goldenlib.errors import InputError, Problem
from goldenlib.exchange.importtable import ImportTable, TableCell, TableRow, counted, some
from goldenlib.exchange.itemfields import BY_NAME, Field, Form, put
from goldenlib.exchange.mapping import MappedColumn
from goldenlib.exchange.reviews import Reviews
from goldenlib.files.suggesting import did_you_mean
from goldenlib.folding import fold
from goldenlib.hazards.assertions import assertion_before
from goldenlib.items import Item

_BREAK = re.compile(r"\r\n|\n|\r")
_BULLET = re.compile(r"\s*(?:(?:[-*+\u2013\u2014·]|\(?(?:[0-9]{1,2}|[a-z])[.)])\s+|[•‣▪●○◦✓✔]\s*)\S", re.IGNORECASE)
_SEPARATED = re.compile(r"[;|]|, [^,]*, ")  # what may be several phrases
_MOST_HINTS = 50
# A value that the model takes in place of one that was refused, to find out what else is wrong with the row.
_STAND_INS: Mapping[Form, Any] = {Form.TEXT: "x", Form.LIST: ["x"], Form.SWITCH: False, Form.NUMBER: 0}
_WAY_OUT_OF_NOTHING = "fill must_include, must_not_include or rubric"
_CHOICES = frozenset(("surface", "kind", "decline_type", "split", "review_at", "review_due", "review_lapsed", "review_withdrawn"))


@dataclass
class Built:
    """The items of a table, and what is to be told of them."""

    items: list[Item] = field(default_factory=list)
    made_ids: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    reviews: Reviews = field(default_factory=Reviews)
    hints: list[str] = field(default_factory=list)
    joined: list[str] = field(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """Return what happened, in words."""
        told = (
            (self.made_ids, "id", "made from the question, the same at every import as long as it is not reworded"),
            (self.left_out, "row", f"left out, with nothing to check; {_WAY_OUT_OF_NOTHING}"),
            (self.joined, "list", "of texts, put together with an empty line between them"),
        )
        notes = [f"{counted(len(parts), noun)} {words}: {some(parts)}" for parts, noun, words in told if parts]
        more = len(self.hints) - _MOST_HINTS
        notes += self.reviews.notes
        return [*notes, *self.hints[:_MOST_HINTS], *([f"and {counted(more, 'more cell')} worth a look"] if more > 0 else [])]


def build_items(table: ImportTable, columns: Sequence[MappedColumn]) -> Built:
    """Return the items. Raises InputError with every problem of every row."""
    built = Built()
    problems = list(table.problems)
    nothing: list[Problem] = []
    first: dict[str, _RowReading] = {}
    for row in table.rows:
        reading = _RowReading(table, row, columns)
        item = reading.item(built)
        problems += reading.problems
        if reading.has_nothing_to_check and not reading.problems:
            built.left_out.append(reading.name)
            nothing.append(reading.nothing_to_check)
            continue
        if reading.id:
            known = first.setdefault(_look(reading.id), reading)
            if known is not reading:
                problems.append(reading.duplicate(known))
        if item is not None:
            built.items.append(built.reviews.settled(item, table.place(row.line)))
            built.made_ids.extend([reading.name] * reading.made_id)
    if problems or not built.items:
        raise InputError(problems or nothing)
    return built


def made_id(question: str) -> str:
    """Return an id for a question: its first words, and a hash that tells it from others that start so.

    >>> made_id("Apa saja syarat mendirikan PT perorangan?")
    'apa-saja-syarat-mendirikan-pt-15b494'
    """
    folded = fold(question)
    words = re.findall(r"[^\W_]+", folded)[:5]
    return "-".join([*(word[:20] for word in words), hashlib.sha256(folded.encode("utf-8", "replace")).hexdigest()[:6]])


def _look(item_id: str) -> str:
    """Return an id as it is told apart from others (case 201)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", item_id).casefold())


class _RowReading:
    """One row on its way to an item."""

    def __init__(self, table: ImportTable, row: TableRow, columns: Sequence[MappedColumn]) -> None:
        self.id = ""
        self.made_id = False
        self.has_nothing_to_check = False
        self.problems: list[Problem] = []
        self._table = table
        self._row = row
        self._columns = columns
        self._values: dict[str, Any] = {}
        self._refused: set[str] = set()
        self._places: dict[tuple[str, int], int] = {}

    def item(self, built: Built) -> Item | None:
        """Return the item, or None with its problems."""
        for column in sorted(self._columns, key=lambda column: column.meant.number or 0):
            self._take(column, built)
        self._identify()
        self._check_parts()
        try:
            item = Item.model_validate(self._values)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                self._explain(detail)
            return None
        return item if not self.problems else None

    @property
    def name(self) -> str:
        """The id of the row with its place, or its place."""
        place = self._table.place(self._row.line)
        return f"{self.id} ({place})" if self.id else place

    @property
    def nothing_to_check(self) -> Problem:
        """The problem that nothing stands in the row that an answer could be checked against."""
        return self._problem("has nothing to check", _WAY_OUT_OF_NOTHING, "must_include")

    def duplicate(self, other: _RowReading) -> Problem:
        """Return the problem that the row has the id of one above."""
        where = self._table.place(other._row.line)
        if self.made_id and other.made_id:
            return self._problem(f"asks the same question as {where}", "take one of them out, or give each an id", "question")
        return self._problem(f"the id '{self.id}' is taken by {where}, or differs from it only by case", "give it an id of its own", "id")

    # --- cells ---

    def _take(self, column: MappedColumn, built: Built) -> None:
        field, cell = column.meant.field, self._row.cell(column.index)
        texts = (cell.text,) if cell.entries is None else cell.entries
        if cell.wrong and not (field.form is Form.SWITCH and cell.truth is not None):
            self._refuse(column, cell.wrong, cell.way_out)
        elif bad := next((wrong for text in texts if (wrong := unwritable(text))), None):
            self._refuse(column, bad, "remove it")
        elif field.form is Form.LIST:
            self._add_entries(column, cell, built)
        elif field.form is Form.SWITCH:
            self._switch(column, cell)
        elif len(texts) > 1 and field.name != "context":
            self._refuse(column, "is a list of several texts", "write one text")
        elif texts and texts[0]:
            put(self._values, field.path, "\n\n".join(texts))
            if len(texts) > 1:
                built.joined.append(self._table.place(self._row.line, column.index))

    def _add_entries(self, column: MappedColumn, cell: TableCell, built: Built) -> None:
        name, path = column.meant.field.name, column.meant.field.path
        if cell.entries is not None:
            entries = list(cell.entries)
        elif column.meant.number is not None:
            entries = [cell.text]
        else:
            entries = _BREAK.split(cell.text)
            if any(_BULLET.match(entry) for entry in entries):
                built.hints.append(f"{self._place(column)} has bullets or numbers, which are kept as part of the phrases")
            elif len(entries) == 1 and _SEPARATED.search(entries[0]):
                built.hints.append(f"{self._place(column)} is taken as one phrase (several would stand on a line each)")
        entries = [entry for entry in entries if fold(entry)]
        if not entries:
            return
        if dead := next((name for entry in entries if (name := assertion_before(fold(entry)))), ""):
            way_out = "write what follows alone, or import promptfoo's own file with --format promptfoo"
            self._refuse(column, f"begins with '{dead}', promptfoo's name of a check, which no answer holds", way_out)
            return
        whole = self._get(path) or []
        for number in range(len(whole), len(whole) + len(entries)):
            self._places[name, number] = column.index
        put(self._values, path, [*whole, *entries])

    def _switch(self, column: MappedColumn, cell: TableCell) -> None:
        word = cell.text.strip().casefold()
        if cell.truth is not None or word in ("true", "false"):
            put(self._values, column.meant.field.path, cell.truth if cell.truth is not None else word == "true")
        elif word:
            self._refuse(column, f"is the text '{cell.text.strip()[:40]}'", "write true or false")

    def _refuse(self, column: MappedColumn, message: str, way_out: str) -> None:
        field = column.meant.field
        self.problems.append(self._table.problem(message, way_out or None, line=self._row.line, column=column.index))
        self._refused.add(field.name)
        if field.name not in _CHOICES and field.form is not Form.SWITCH:
            put(self._values, field.path, _STAND_INS[field.form])

    def _place(self, column: MappedColumn) -> str:
        return self._table.place(self._row.line, column.index)

    def _get(self, path: tuple[str, ...]) -> Any:
        value: Any = self._values
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        return value

    # --- the item ---

    def _identify(self) -> None:
        question = self._values.get("question") or next(iter(self._values.get("turns", ())), "")
        if self._values.get("id") and "id" not in self._refused:
            self.id = self._values["id"]
        elif "id" not in self._values and fold(question) and "question" not in self._refused:
            self.id = self._values["id"] = made_id(question)
            self.made_id = True
        else:
            self._values.setdefault("id", "x")

    def _check_parts(self) -> None:
        """Refuse what belongs to a review or to SQL that is not there."""
        review = self._values.get("review", {})
        if review and not review.get("by"):
            way_out = "fill review_by, or keep the text as a note with --column NAME=note"
            self.problems.append(self._problem("is given, but nobody who reviewed", way_out, _name_in("review", review)))
            review["by"] = "x"
        sql = self._values.get("expected", {}).get("sql", {})
        if sql and not sql.get("golden"):
            message = "is given, but no sql that it would belong to"
            self.problems.append(self._problem(message, "fill sql, or clear the cell", _name_in("expected.sql", sql)))
            sql["golden"] = "x"

    def _explain(self, detail: ErrorDetails) -> None:
        where = detail["loc"]
        if not where:
            self.problems.extend(self._gaps(str(detail.get("ctx", {}).get("error", ""))))
            return
        field = _field_at(where)
        number = where[-1] if isinstance(where[-1], int) else None
        told = _EXPLANATIONS.get(detail["type"], "cannot be {value}; see docs/exchange.md").format(
            value=f"the text '{str(detail['input'])[:60]}'", choices=detail.get("ctx", {}).get("expected", ""), rule=_rule(detail)
        )
        if detail["type"] == "enum":
            near = did_you_mean(str(detail["input"]), re.findall("'([^']*)'", detail.get("ctx", {}).get("expected", "")), 0.6)
            told += f" (did you mean '{near}'?)" if near else ""
        message, _, way_out = told.partition("; ")
        if detail["type"] == "missing":
            message, way_out = f"has no {field.name if field else where[-1]}", "fill that cell"
        if field is None or field.name not in self._refused:
            self.problems.append(self._problem(message, way_out, field.name if field else "id", number))

    def _gaps(self, lines: str) -> Iterator[Problem]:
        """Give what is missing from the row as a whole, in the words of a sheet."""
        for line in lines.split("\n"):
            message, _, way_out = line.partition("; ")
            if message.startswith("has nothing to check"):
                self.has_nothing_to_check = True
                continue
            name = "question"
            if message.startswith("has no question"):
                way_out = "write what a citizen would ask"
            elif message.startswith("has both"):
                way_out = "clear one of them"
            elif message.startswith("has a decline_type"):
                name, way_out = "decline_type", "write decline under kind, or clear decline_type"
            yield self._problem(message, way_out, name)

    def _problem(self, message: str, way_out: str, name: str, number: int | None = None) -> Problem:
        """Return a problem at the cell of a field, or with the row where no column holds it."""
        index = self._places.get((name, number)) if number is not None else None
        if index is None:
            index = next((column.index for column in self._columns if column.meant.field.name == name), None)
        return self._table.problem(message, way_out or None, line=self._row.line, column=index, item_id=self.id or None)


_EXPLANATIONS = {
    "enum": "is {value}; write {choices}",
    "value_error": "{rule}",
    "float_parsing": "is {value} and must be a number; write digits, such as 0.0005",
    "finite_number": "is {value} and must be a finite number; write digits, such as 0.0005",
    "greater_than_equal": "is {value}; write a number of at least 0",
}


def _name_in(path: str, values: Mapping[str, Any]) -> str:
    """Return the field of the first value that stands under a path."""
    return next(field.name for field in BY_NAME.values() if ".".join(field.path) == f"{path}.{next(iter(values))}")


def _rule(detail: ErrorDetails) -> str:
    return str(detail.get("ctx", {}).get("error", "")).split("\n")[0]


def _field_at(where: Sequence[int | str]) -> Field | None:
    path = tuple(step for step in where if isinstance(step, str))
    return next((field for field in BY_NAME.values() if field.path == path), None)
