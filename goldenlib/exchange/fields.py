"""Fields: what a column can hold, under which names, and where in an item it goes.

Rule: a name means one field only; names are compared without case, punctuation and spacing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from goldenlib.folding import fold


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


def _field(name: str, path: str = "", *others: str, form: Form = Form.TEXT) -> Field:
    return Field(name, tuple((path or name).split(".")), form, others)


# In the order of the columns of an export. The other names are what people write, in English and Indonesian.
FIELDS = (
    _field("id", "", "question id", "kode"),
    _field("surface", "", "permukaan", "kanal"),
    _field("domain", "", "bidang", "ranah"),
    _field("question", "", "pertanyaan", "soal"),
    _field("turns", "", "messages", "percakapan", "giliran", form=Form.LIST),
    _field("context", "", "konteks"),
    _field(
        "must_include",
        "expected.must_include",
        "harus disebut",
        "wajib disebut",
        "harus ada",
        "frasa wajib",
        "required phrases",
        form=Form.LIST,
    ),
    _field(
        "must_not_include",
        "expected.must_not_include",
        *("tidak boleh disebut", "dilarang disebut", "tidak boleh ada", "frasa terlarang", "forbidden phrases"),
        form=Form.LIST,
    ),
    _field("rubric", "expected.rubric", "rubrik"),
    _field("answer", "expected.answer", "golden answer", "ideal answer", "expected answer", "jawaban", "jawaban ideal"),
    _field("verified", "", "terverifikasi", "diverifikasi", form=Form.SWITCH),
    _field("review_by", "review.by", "reviewer", "reviewed by", "peninjau", "ditinjau oleh"),
    _field("review_at", "review.at", "reviewed at", "review date", "ditinjau pada", "tanggal tinjauan"),
    _field("review_source", "review.source", "source", "sumber", "dasar hukum"),
    _field("review_due", "review.due", "due", "tinjau ulang", "tinjau lagi"),
    _field("review_digest", "review.digest"),
    *(_field(f"review_{name}", f"review.{name}") for name in ("account", "lapsed", "withdrawn", "withdrawn_by", "reason")),
    _field("kind", "", "jenis"),
    _field("decline_type", "", "jenis penolakan"),
    _field("role", "", "peran"),
    _field("region", "", "wilayah"),
    _field("split", "", "bagian"),
    _field("traps", "", "jebakan", form=Form.LIST),
    _field("tags", "", "tag", "label", form=Form.LIST),
    _field("note", "", "notes", "catatan"),
    _field("sql", "expected.sql.golden", "golden sql"),
    _field("check_sql", "expected.sql.check", "sql check"),
    _field("order_matters", "expected.sql.order_matters", form=Form.SWITCH),
    _field("tolerance", "expected.sql.tolerance", form=Form.NUMBER),
    _field("absolute", "expected.sql.absolute", form=Form.NUMBER),
)
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
