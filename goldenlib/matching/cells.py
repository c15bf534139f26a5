"""Cells: what one value of a result is, exactly, and when two of them agree (contract 9.2).

MatchRule: a value is never changed to fit another type. Only a boolean meets a number (exactly 0 or 1), a date its midnight timestamp
and its ISO spelling, a UUID its spelling. A timestamp with a zone is an instant; one without is none, and the two never agree.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from enum import IntEnum
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import numpy as np
import pyarrow as pa

from goldenlib.matching.arrowvalues import FOREVER, MICROSECONDS_A_DAY
from goldenlib.matching.tolerances import MatchRule, exact_value

Number: TypeAlias = "int | float | Decimal | Fraction"

EPOCH_ORDINAL = date(1970, 1, 1).toordinal()
WHOLE_FLOATS = 2**53  # every integer up to here is a float
DECIMAL_DIGITS = 15  # every decimal of so many digits comes back from its nearest float
_EPOCH = datetime(1970, 1, 1)
_UTC_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DECIMAL_EXPONENTS = 5_000  # beyond, the exact integer would fill the memory
_BOUNDLESS = Context(prec=1_000_000, Emax=MAX_EMAX, Emin=MIN_EMIN)
ENDLESS_DAYS = {"infinity": FOREVER, "-infinity": -FOREVER}  # SQL's dates before and after all others
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


class CellKind(IntEnum):
    """What a cell is. `CLASS` in `columns` says which kinds can meet."""

    NULL = 0
    NAN = 1
    INFINITY = 2
    NUMBER = 3
    BOOLEAN = 4
    TEXT = 5
    DATE_TEXT = 6  # text that is the exact ISO spelling of a date
    DATE = 7
    MIDNIGHT = 8  # a timestamp without zone, at midnight
    TIMESTAMP = 9
    INSTANT = 10  # a timestamp with zone
    TIME = 11
    DURATION = 12
    BYTES = 13
    NESTED = 14
    OTHER = 15


class Cell(NamedTuple):
    """A value made exact: two cells are equal when their values are the same thing.

    The key of a number is (nearest float, what is left of the exact value); of a date its day counted from 1970; of a moment,
    time or duration (microseconds, nanoseconds); of a list or struct its form and its cells.
    """

    kind: CellKind
    key: Hashable


def read_cell(value: Any) -> Cell:
    """Return the cell of any Python value a database driver may hand over. Text stays text here, whatever it spells."""
    reader = _READERS.get(type(value))
    if reader is not None:
        return reader(value)
    if type(value).__name__ in ("NaTType", "NAType"):  # how pandas writes NULL
        return _NULL
    for base, read in _BASES:
        if isinstance(value, base):
            return read(value)
    if isinstance(value, np.generic):
        return read_cell(value.item())
    return Cell(CellKind.OTHER, (type(value).__qualname__, value if isinstance(value, Hashable) else repr(value)))


def cells_agree(answer: Cell, golden: Cell, rule: MatchRule) -> bool:
    """Return whether an answer's cell agrees with a golden one."""
    if answer == golden:
        return True
    kinds = {answer.kind, golden.kind}
    if kinds == {CellKind.NUMBER}:
        return rule.within(exact_number(answer.key), exact_number(golden.key))
    if kinds == {CellKind.NUMBER, CellKind.BOOLEAN} or (
        CellKind.DATE in kinds and kinds <= {CellKind.DATE, CellKind.MIDNIGHT, CellKind.DATE_TEXT}
    ):
        return answer.key == golden.key
    return kinds == {CellKind.NESTED} and _nested_agree(answer.key, golden.key, rule)


def shape_of(cell: Cell) -> Hashable:
    """Return what must be equal for two cells to agree: everything but the size of numbers, and the way a day is written."""
    if cell.kind in (CellKind.NUMBER, CellKind.BOOLEAN):
        return CellKind.NUMBER
    if cell.kind in (CellKind.DATE, CellKind.MIDNIGHT, CellKind.DATE_TEXT):
        return (CellKind.DATE, cell.key)
    if cell.kind is CellKind.NESTED:
        key: Any = cell.key
        form, names, parts = key
        return (form, names, tuple(shape_of(part) for part in parts))
    return cell


def exact_number(key: Any) -> Fraction | int:
    """Return the exact value of a number cell's key."""
    nearest, rest = key
    value: Fraction | int = rest if math.isinf(nearest) else exact_value(nearest) + rest
    return value


def number_key(value: Number) -> tuple[float, Fraction | int]:
    """Return (nearest float, rest) of a finite number; the rest of a number beyond the floats is all of it."""
    if isinstance(value, float):
        return value + 0.0, 0  # + 0.0 makes -0.0 zero
    if isinstance(value, int) and -WHOLE_FLOATS <= value <= WHOLE_FLOATS:
        return float(value), 0
    exact = value if isinstance(value, int) else Fraction(value)
    try:
        nearest = float(exact)
    except OverflowError:
        return math.inf if value > 0 else -math.inf, exact
    return nearest + 0.0, exact - exact_value(nearest)


def iso_day(text: str) -> int | None:
    """Return the day, counted from 1970, that a text spells exactly as YYYY-MM-DD, or as infinity; None for other texts."""
    if text in ENDLESS_DAYS:
        return ENDLESS_DAYS[text]
    if not _ISO_DATE.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text).toordinal() - EPOCH_ORDINAL
    except ValueError:
        return None


def _nested_agree(answer: Any, golden: Any, rule: MatchRule) -> bool:
    (answer_form, answer_names, answer_parts), (form, names, parts) = answer, golden
    same_shape = (answer_form, answer_names, len(answer_parts)) == (form, names, len(parts))
    return same_shape and all(cells_agree(a, g, rule) for a, g in zip(answer_parts, parts, strict=True))


def _number(value: int | float) -> Cell:
    if isinstance(value, float) and not math.isfinite(value):
        return Cell(CellKind.NAN, 0) if math.isnan(value) else Cell(CellKind.INFINITY, 1 if value > 0 else -1)
    return Cell(CellKind.NUMBER, number_key(value))


def _decimal(value: Decimal) -> Cell:
    if not value.is_finite():
        return _NAN if value.is_nan() else Cell(CellKind.INFINITY, 1 if value > 0 else -1)
    if value and abs(value.adjusted()) > _DECIMAL_EXPONENTS:
        return Cell(CellKind.OTHER, ("Decimal", str(value.normalize(_BOUNDLESS))))
    return Cell(CellKind.NUMBER, number_key(value))


def _date(value: date) -> Cell:
    return Cell(CellKind.DATE, value.toordinal() - EPOCH_ORDINAL)


def _datetime(value: datetime) -> Cell:
    nanoseconds = getattr(value, "nanosecond", 0)  # of a pandas Timestamp
    if value.tzinfo is not None:
        return Cell(CellKind.INSTANT, (_microseconds(value - _UTC_EPOCH), nanoseconds))
    day, rest = divmod(_microseconds(value - _EPOCH), MICROSECONDS_A_DAY)
    if rest == 0 and nanoseconds == 0:
        return Cell(CellKind.MIDNIGHT, day)
    return Cell(CellKind.TIMESTAMP, (day * MICROSECONDS_A_DAY + rest, nanoseconds))


def _time(value: time) -> Cell:
    since_midnight = timedelta(hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond)
    offset = value.utcoffset()
    if offset is not None:
        return Cell(CellKind.OTHER, ("time with zone", _microseconds(since_midnight - offset) % MICROSECONDS_A_DAY))
    return Cell(CellKind.TIME, (_microseconds(since_midnight), 0))


def _duration(value: timedelta) -> Cell:
    return Cell(CellKind.DURATION, (_microseconds(value), getattr(value, "nanoseconds", 0)))


def _interval(value: Any) -> Cell:
    # Months count 30 days, as in DuckDB and PostgreSQL when they compare intervals.
    microseconds, nanoseconds = divmod(value.nanoseconds, 1000)
    return Cell(CellKind.DURATION, ((value.months * 30 + value.days) * MICROSECONDS_A_DAY + microseconds, nanoseconds))


def _numpy_datetime(value: np.datetime64) -> Cell:
    if np.isnat(value):
        return _NULL
    microseconds, nanoseconds = _numpy_microseconds(value - np.datetime64(0, "s"))
    day, rest = divmod(microseconds, MICROSECONDS_A_DAY)
    return Cell(CellKind.MIDNIGHT, day) if rest == nanoseconds == 0 else Cell(CellKind.TIMESTAMP, (microseconds, nanoseconds))


def _numpy_microseconds(value: np.timedelta64) -> tuple[int, int]:
    microseconds = value // np.timedelta64(1, "us")
    return int(microseconds), int((value - np.timedelta64(int(microseconds), "us")) // np.timedelta64(1, "ns"))


def _microseconds(value: timedelta) -> int:
    return (value.days * 86_400 + value.seconds) * 1_000_000 + value.microseconds


def _list(value: Any) -> Cell:
    return Cell(CellKind.NESTED, ("list", (), tuple(map(_part, value))))


def _struct(value: Mapping[Any, Any]) -> Cell:
    fields = sorted(((_part(name), _part(part)) for name, part in value.items()), key=lambda field: repr(field[0]))
    return Cell(CellKind.NESTED, ("struct", tuple(name for name, _ in fields), tuple(part for _, part in fields)))


def _part(value: Any) -> Cell:
    cell = read_cell(value)
    day = iso_day(str(cell.key)) if cell.kind is CellKind.TEXT else None
    return cell if day is None else Cell(CellKind.DATE_TEXT, day)


_NULL = Cell(CellKind.NULL, 0)
_NAN = Cell(CellKind.NAN, 0)
_READERS: dict[type, Callable[[Any], Cell]] = {
    type(None): lambda _: _NULL,
    bool: lambda value: Cell(CellKind.BOOLEAN, (float(value), 0)),
    int: _number,
    float: _number,
    str: lambda value: Cell(CellKind.TEXT, value),
    Decimal: _decimal,
    date: _date,
    datetime: _datetime,
    list: _list,
    tuple: _list,
    pa.MonthDayNano: _interval,
}
_BASES: tuple[tuple[Any, Callable[[Any], Cell]], ...] = (
    (bool, _READERS[bool]),
    (int, lambda value: _number(int(value))),
    (float, lambda value: _number(float(value))),
    (str, lambda value: Cell(CellKind.TEXT, str.__str__(value))),
    (Decimal, _decimal),
    (Fraction, lambda value: Cell(CellKind.NUMBER, number_key(value))),
    (datetime, _datetime),
    (date, _date),
    (time, _time),
    (timedelta, _duration),
    (UUID, lambda value: Cell(CellKind.TEXT, str(value))),
    ((bytes, bytearray, memoryview), lambda value: Cell(CellKind.BYTES, bytes(value))),
    (Mapping, _struct),
    ((list, tuple), _list),
    (np.datetime64, _numpy_datetime),
    (np.timedelta64, lambda value: _NULL if np.isnat(value) else Cell(CellKind.DURATION, _numpy_microseconds(value))),
    (np.ndarray, lambda value: _list(value.tolist()) if value.ndim else read_cell(value.item())),
)
