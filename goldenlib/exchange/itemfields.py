"""Fields: what a column can hold, under which names, and where in an item it goes.

Rule: a name means one field only; names are compared without case, punctuation and spacing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from goldenlib.folding import fold
from goldenlib.wordlists import WordLists


class Form(StrEnum):
    """What stands in the cells of a field."""

    TEXT = "text"
    LIST = "list"
    SWITCH = "true or false"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Field:
    """A part of an item that stands in one column, or as a list in several: its name, its path in `Item`, its other names."""

    name: str
    path: tuple[str, ...]
    form: Form = Form.TEXT
    others: tuple[str, ...] = ()


def _read_fields() -> Iterator[Field]:
    for name, told in WordLists.of(__package__, "columns").raw("fields").items():
        path, form = told.get("path", name).split("."), Form(told.get("form", Form.TEXT))
        yield Field(name, tuple(path), form, tuple(told.get("names", ())))


FIELDS = tuple(_read_fields())  # in the order of the columns of an export
BY_NAME: Mapping[str, Field] = {field.name: field for field in FIELDS}


def plain(name: str) -> str:
    """Return a name as it is compared.

    >>> plain(" Must-Include_1 "), plain("Harus  disebut:")
    ('must include 1', 'harus disebut')
    """
    return " ".join(re.findall(r"[^\W_]+", fold(name)))


_BY_ANY_NAME = {plain(name): field for field in FIELDS for name in (field.name, *field.others)}
ALL_NAMES = tuple(_BY_ANY_NAME)


class Meant(NamedTuple):
    """The field that a name means; with a number, one entry of a list field."""

    field: Field
    number: int | None = None


def meant_by(name: str) -> Meant | None:
    """Return what a column's name means, or None where it is not known.

    >>> [(meant.field.name, meant.number) for meant in (meant_by("Pertanyaan"), meant_by("must_include_2")) if meant]
    [('question', None), ('must_include', 2)]
    """
    wanted = plain(name)
    if field := _BY_ANY_NAME.get(wanted):
        return Meant(field)
    numbered = re.fullmatch(r"(.*\D) ?([0-9]{1,4})", wanted)
    field = _BY_ANY_NAME.get(numbered[1].strip()) if numbered else None
    return Meant(field, int(numbered[2])) if numbered and field and field.form is Form.LIST else None


def put(values: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Set the value at a path, making the mappings on the way."""
    for step in path[:-1]:
        values = values.setdefault(step, {})
    values[path[-1]] = value


def take(values: dict[str, Any], path: tuple[str, ...]) -> Any:
    """Remove and return the value at a path, with the mappings that are empty then; None where there is none."""
    if len(path) == 1:
        return values.pop(path[0], None)
    inner = values.get(path[0])
    if not isinstance(inner, dict):
        return None
    value = take(inner, path[1:])
    if not inner:
        del values[path[0]]
    return value
