"""Cell reading: cells that have no type, of a Markdown table or of JSON, read by the types of the golden columns.

Rule: a column is read as a type only where each of its cells spells it, and stands for one golden column at a time. JSON has numbers and
booleans of its own: there, only what it has no type for is read, and in words everything is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo
from decimal import Decimal
from functools import partial
from itertools import islice, product
from typing import Any

import pyarrow as pa

from goldenlib.folding import fold
from goldenlib.matching import MatchOutcome, ResultMatch
from goldenlib.matching.arrowvalues import python_value
from goldenlib.scoring.data.numbers import figures
from goldenlib.scoring.data.valuespellings import says_yes, sure_dates_of
from goldenlib.warehouse.zones import day_of_midnight

Match = Callable[[Any, Any], ResultMatch]  # compares the rows of an answer with golden rows
Values = Sequence[Any]

_MOST_WAYS = 64  # ways to read all columns that are tried where one column was taken twice
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?\s?(Z|UTC|[+-]\d\d(:?\d\d)?)?", re.ASCII | re.IGNORECASE)
_ISO_SPAN = re.compile(
    r"(?P<sign>-)?P(?=.)(?:(?P<y>-?\d+)Y)?(?:(?P<mo>-?\d+)M)?(?:(?P<w>-?\d+)W)?(?:(?P<d>-?\d+)D)?"
    r"(?:T(?=.)(?:(?P<h>-?\d+)H)?(?:(?P<m>-?\d+)M)?(?:(?P<s>-?\d+(?:\.\d+)?)S)?)?",
    re.ASCII | re.IGNORECASE,
)
_UNITS = {"y": r"years?|yrs?", "mo": r"months?|mons?", "w": "weeks?", "d": "days?", "h": r"hours?|hrs?", "m": r"minutes?|mins?"}
_WORDED_SPAN = re.compile(
    "".join(rf"(?:(?P<{name}>[-+]?\d+)\s+(?:{words}),?\s*)?" for name, words in _UNITS.items())
    + r"(?:(?P<s>[-+]?\d+(?:\.\d+)?)\s+(?:seconds?|secs?)|(?P<clock>[-+]?\d+:\d\d(?::\d\d(?:\.\d{1,6})?)?))?",
    re.ASCII | re.IGNORECASE,
)
_SECONDS = re.compile(r"-?\d+(?:\.\d+)?(?:\s?s)?", re.ASCII)
_YEARS = (360, 365)  # days of a year: twelve months of thirty days, as DuckDB counts, or PostgreSQL's driver's


@dataclass(frozen=True, slots=True)
class Cells:
    """Rows of texts out of words. Their types are those of the golden columns that they stand for."""

    rows: list[tuple[str | None, ...]]


def match_read(rows: Any, golden: Any, match: Match, *, zone: tzinfo | None = None) -> ResultMatch:
    """Compare an answer's rows with the golden ones as they are; where they do not match, in every way that their cells can be read.

    `golden` is an Arrow table or rows. In `zone`, a moment that is midnight there is the day that begins with it.
    """
    is_words = isinstance(rows, Cells)
    untyped: Any = rows.rows if is_words else rows
    found = match(_rows_of([_guessed(column) for column in zip(*untyped, strict=True)]) if is_words else rows, golden)
    if found.outcome is not MatchOutcome.MISMATCH or not isinstance(untyped, list | pa.Table):
        return found
    read = _readings(untyped, _golden_types(golden), is_words=is_words) if isinstance(untyped, list) else None
    again = _match_readings(read, golden, match) if read is not None else None
    if again is None and zone is not None:
        wanted = _with_days(golden, zone)
        if read is not None:
            with_days = [[*ways, *(days for way in ways if (days := _days(way, zone)) is not None)] for ways in read.columns]
            again = _match_readings(replace(read, columns=with_days), golden if wanted is None else wanted, match)
        else:
            turned = _with_days(untyped, zone)
            is_other = turned is not None or wanted is not None
            again = match(untyped if turned is None else turned, golden if wanted is None else wanted) if is_other else None
    return again if again is not None and again.outcome is not MatchOutcome.MISMATCH else found


@dataclass(frozen=True, slots=True)
class _Readings:
    """The ways to read each column of an answer, the column as it is first. `doubtful` ways leave a match open: (column, way)."""

    columns: list[list[Values]]
    doubtful: frozenset[tuple[int, int]] = frozenset()

    def places(self) -> list[tuple[int, int]]:
        return [(column, way) for column, ways in enumerate(self.columns) for way in range(len(ways))]

    def rows(self, places: Sequence[tuple[int, int]]) -> list[tuple[Any, ...]]:
        return _rows_of([self.columns[column][way] for column, way in places])


def _match_readings(read: _Readings, golden: Any, match: Match) -> ResultMatch | None:
    """Return a match of some reading; None where there is none. First with all readings side by side, then one for each column."""
    places = read.places()
    found = match(read.rows(places), golden)
    if found.outcome is not MatchOutcome.MATCH:
        return None
    taken = [places[column.answer] for column in found.columns]
    if len({column for column, _ in taken}) < len(taken):  # one column was two golden ones at once
        every = product(*(range(len(ways)) for ways in read.columns))
        for ways in islice(every, _MOST_WAYS):
            places = list(enumerate(ways))
            found = match(read.rows(places), golden)
            if found.outcome is MatchOutcome.MATCH:
                taken = [places[column.answer] for column in found.columns]
                break
        else:
            return None
    lined_up = tuple(replace(column, answer=places[column.answer][0]) for column in found.columns)
    found = replace(found, columns=lined_up, extra_columns=len(read.columns) - len(lined_up))
    if any(place in read.doubtful for place in taken):
        reason = "the figures agree as percentages that are written so; whether the golden numbers are percentages, words cannot tell"
        return replace(found, outcome=MatchOutcome.UNDECIDED, reason=reason)
    return found


# --- types ---


def _golden_types(golden: Any) -> dict[type, list[Any]]:
    """Return the types of the golden columns, the values with those that are dates."""
    columns = golden.columns if isinstance(golden, pa.Table) else list(zip(*golden, strict=True))
    found: dict[type, list[Any]] = {}
    for column in columns:
        value = next((cell for cell in map(_python, column) if cell is not None), None)
        kind = next((kind for kind in _KINDS if isinstance(value, kind)), None)
        if kind is not None:
            found.setdefault(kind, []).extend(map(_python, column) if kind is date else ())
    return found


def _python(cell: Any) -> Any:
    return python_value(cell) if isinstance(cell, pa.Scalar) else cell


def _rows_of(columns: Sequence[Values]) -> list[tuple[Any, ...]]:
    return list(zip(*columns, strict=True))


# A boolean is an int and a datetime a date to Python: these come first.
_KINDS: tuple[type, ...] = (bool, datetime, date, time, timedelta, pa.MonthDayNano, Decimal, int, float, str)


def _readings(rows: Sequence[Sequence[Any]], types: Mapping[type, Values], *, is_words: bool) -> _Readings | None:
    if not rows:
        return None
    columns: list[list[Values]] = []
    doubtful = set()
    for number, cells in enumerate(zip(*rows, strict=True)):
        ways: list[Values] = [cells]
        for kind, days in types.items():
            ways += _as_type(cells, kind, days, is_words=is_words)
        if is_words and types.keys() & {Decimal, int, float}:
            numbers = _as_numbers(cells)
            doubtful |= {(number, len(ways) + way) for way in numbers.doubtful}
            ways += numbers.ways
        columns.append(ways)
    return _Readings(columns, frozenset(doubtful))


def _as_type(cells: Values, kind: type, days: Values, *, is_words: bool) -> Iterator[Values]:
    """Give a column as cells of a type, in each way that all of its cells can be read as it."""
    if kind in (timedelta, pa.MonthDayNano):
        yield from (read for year in _YEARS if (read := _all_read(cells, partial(_span, year=year))) is not None)
        return
    readers: Mapping[type, Callable[[Any], Any]] = {datetime: _moment, date: _moment, time: _time_of_day}
    if kind in readers and (read := _all_read(cells, readers[kind])) is not None:
        yield read
    if is_words and kind is bool and (read := _all_read(cells, lambda cell: says_yes(_bare(cell)))) is not None:
        yield read
    if is_words and kind is date:
        spelled = {spelling: day for day in set(days) if isinstance(day, date) for spelling in sure_dates_of(day)}
        if (read := _all_read(cells, lambda cell: spelled.get(_bare(cell)))) is not None:
            yield read


def _all_read(cells: Values, read: Callable[[Any], Any]) -> list[Any] | None:
    """Return all cells read, NULLs left; None where one cannot be, or there is nothing but NULL."""
    values: list[Any] = []
    for cell in cells:
        value = None if cell is None else read(cell)
        if cell is not None and value is None:
            return None
        values.append(value)
    return values if any(value is not None for value in values) else None


def _bare(cell: str) -> str:
    return fold(cell).strip(" .!*_`'\"")


def _moment(cell: Any) -> datetime | None:
    if not isinstance(cell, str) or not _TIMESTAMP.fullmatch(cell):
        return None
    try:
        return datetime.fromisoformat(re.sub(r"\s?UTC$", "Z", re.sub(r"\s(?=[-+Zz])", "", cell), flags=re.IGNORECASE))
    except ValueError:
        return None


def _time_of_day(cell: Any) -> time | None:
    try:
        return time.fromisoformat(cell) if isinstance(cell, str) and ":" in cell else None
    except ValueError:
        return None


def _span(cell: Any, year: int) -> timedelta | None:
    """Read a span of time: as ISO 8601, in words with a clock as databases print it, or in seconds."""
    if isinstance(cell, int | float | Decimal) and not isinstance(cell, bool):
        return _seconds(cell)
    if not isinstance(cell, str) or not (text := cell.strip()):
        return None
    if _SECONDS.fullmatch(text):
        return _seconds(text.rstrip("s "))
    found = _ISO_SPAN.fullmatch(text) or _WORDED_SPAN.fullmatch(text)
    if found is None:
        return None
    parts = {name: Decimal(part) for name, part in found.groupdict().items() if part and name not in ("sign", "clock")}
    days = {"y": year, "mo": 30, "w": 7, "d": 1}
    seconds = sum((parts.get(name, Decimal(0)) * size * 86_400 for name, size in days.items()), Decimal(0))
    seconds += sum((parts.get(name, Decimal(0)) * size for name, size in {"h": 3600, "m": 60, "s": 1}.items()), Decimal(0))
    groups = found.groupdict()
    if groups.get("clock"):
        clock = groups["clock"]
        hours, minutes, *rest = clock.lstrip("+-").split(":")
        span = Decimal(hours) * 3600 + Decimal(minutes) * 60 + Decimal(rest[0] if rest else 0)
        seconds += -span if clock.startswith("-") else span
    return _seconds(-seconds if groups.get("sign") else seconds)


def _seconds(number: Any) -> timedelta | None:
    try:
        return timedelta(microseconds=int((Decimal(str(number)) * 1_000_000).to_integral_value()))
    except (ArithmeticError, ValueError):
        return None


# --- numbers ---


@dataclass(frozen=True, slots=True)
class _ReadNumbers:
    ways: list[Values]
    doubtful: list[int]  # which ways are percentages as they are written, so small that they may be shares


def _as_numbers(cells: Values) -> _ReadNumbers:
    """Return a column of figures in each way that it can be read: in English and Indonesian writing, as percentages and their shares."""
    found = [None if cell is None else _one_figure(cell) for cell in cells]
    if any(cell is not None and figure is None for cell, figure in zip(cells, found, strict=True)) or not any(found):
        return _ReadNumbers([], [])
    are_shares = any(figure is not None and figure.as_share is not None for figure in found)
    ways: list[Values] = []
    doubtful = []
    for is_share in (False, True) if are_shares else (False,):
        for last in (0, -1):
            way = [None if figure is None else _reading(figure, last, is_share=is_share) for figure in found]
            if way in ways:
                continue
            if are_shares and not is_share and all(value is None or abs(value) <= 1 for value in way):
                doubtful.append(len(ways))
            ways.append(way)
    return _ReadNumbers(ways, doubtful)


def _reading(figure: Any, last: int, *, is_share: bool) -> Decimal:
    share = figure.as_share
    readings = figure.readings if share is None else share.readings if is_share else figure.readings[: len(figure.readings) // 2]
    value: Decimal = readings[last][0]
    return value


def _one_figure(cell: str) -> Any:
    found = figures(cell)
    return found[0] if len(found) == 1 and found[0].text == cell.strip() else None


def _guessed(cells: Values) -> Values:
    """Read a column by itself, as one would see it: numbers where every cell is one figure, else text."""
    read = _as_numbers(cells)
    return read.ways[0] if read.ways and not read.doubtful else cells


# --- days ---


def _with_days(rows: Any, zone: tzinfo) -> Any:
    """Return rows with those columns as days that hold nothing but moments that days begin with; None where there are none."""
    if isinstance(rows, pa.Table):
        turned = [_arrow_days(column, zone) if pa.types.is_timestamp(column.type) and column.type.tz else None for column in rows.columns]
        columns = [new if new is not None else old for new, old in zip(turned, rows.columns, strict=True)]
        return pa.table(columns, names=rows.column_names) if any(new is not None for new in turned) else None
    given = list(zip(*rows, strict=True))
    read = [_days(column, zone) for column in given]
    found = any(new is not None for new in read)
    return _rows_of([new if new is not None else old for new, old in zip(read, given, strict=True)]) if found else None


def _arrow_days(column: pa.ChunkedArray, zone: tzinfo) -> pa.ChunkedArray | None:
    encoded = column.combine_chunks().dictionary_encode()
    days = _days(map(python_value, encoded.dictionary), zone)
    return None if days is None else pa.chunked_array([pa.array(days, pa.date32()).take(encoded.indices)])


def _days(cells: Iterable[Any], zone: tzinfo) -> list[Any] | None:
    """Return moments as the days that begin with them; None where a cell is none, or no day begins with it."""
    known: dict[datetime, date] = {}
    days: list[Any] = []
    for cell in cells:
        if cell is not None and cell not in known:
            midnight = day_of_midnight(cell, zone) if isinstance(cell, datetime) and cell.tzinfo is not None else None
            if midnight is None:
                return None
            known[cell] = midnight.date()
        days.append(None if cell is None else known[cell])
    return days if known else None
