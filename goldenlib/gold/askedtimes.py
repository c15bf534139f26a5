"""Asked times: whether the time that a question names - a month, a quarter, a half of a year - is that of its golden SQL.

Rule: only what the SQL compares with a month, a quarter, a year or a date counts; a bare number says nothing of time. What it takes from
elsewhere - a calendar of its own, another query's dates, today - is not guessed at, and nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from goldenlib.gold.goldfindings import GoldFinding
from goldenlib.gold.goldsubject import Gold
from goldenlib.wordlists import WordLists

_COUNTING = WordLists.of("goldenlib.languages", "counting")
_ENGLISH = _COUNTING.words("months", "en")
_MONTHS = {word: number for language in ("en", "id") for number, word in enumerate(_COUNTING.words("months", language), start=1)}
_PLACES = {word: number for words in _COUNTING.groups("places") for number, word in enumerate(words, start=1)}
_PLACE = "|".join(sorted(_PLACES, key=len, reverse=True))
_YEAR = r"(?:,?\s+(?:of\s+|tahun\s+)?(\d{4})\b)?"
_NAMED_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})\b{_YEAR}", re.IGNORECASE)
_PART_OF_YEAR = re.compile(
    rf"\b(?:(?:(?P<q>Q)|(?P<h>H))(?P<n>[1-4])|(?P<en>{_PLACE})\s+(?P<what>quarter|half)|(?P<teil>kuartal|triwulan|semester)\s+(?P<id>{_PLACE}))\b{_YEAR}",
    re.IGNORECASE,
)
_MAY_BE_NO_MONTH = ("may", "march")  # unless a year follows, or what stands before a time
_BEFORE_A_TIME = re.compile(
    r"\b(?:in|of|during|since|until|through|to|from|for|by|and|before|after|between|di|pada|bulan|selama|sejak|hingga|sampai|dari|dan|antara"
    r"|sebelum|sesudah|untuk)\s+$",
    re.IGNORECASE,
)
_BOUND = re.compile(r"\b(?:since|until|before|after|sejak|hingga|sampai|sebelum|sesudah|setelah)\s+$", re.IGNORECASE)
_YEAR_AND_MONTH = re.compile(r"(\d{4})-?(0[1-9]|1[0-2])(?!\d{3})")
# What may keep a query within a time that its text does not say: calendars with periods of their own, today, intervals.
_ELSEWHERE = re.compile(
    r"fiscal|fiskal|period|week|minggu|current|now\b|today|interval|getdate|sysdate|localtime|\$\d|(?<![:\w])[:@][a-z]\w*|\?", re.IGNORECASE
)
_PARTS = (
    ("month", re.compile(r"(?<![a-z])(?:month|bulan)(?![a-z])|'%m'|'mm'|'mon'")),  # `months_active` is none
    ("quarter", re.compile(r"(?<![a-z])(?:quarter|kuartal|triwulan)(?![a-z])|'q'")),
    ("year", re.compile(r"(?<![a-z])(?:year|tahun)(?![a-z])|'%y'|'yyyy'")),
)
_NAMED_AS_DATE = re.compile(r"month|bulan|date|day|tanggal|time|ym\b")  # what a number such as 202503 has to be compared with, to be a time
_JOINED = re.compile(r"\s*(?:[-\u2013,&]|and|to|until|through|dan|hingga|sampai|s/d)\s*\Z", re.IGNORECASE)
_COMPARED = (exp.EQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between, exp.In)


@dataclass(frozen=True, slots=True)
class _AskedTime:
    """A time that a question names: its words, its first and last month, and its year, if it has one.

    `is_sure` tells it from a name, `is_bound` says that what is asked for begins or ends there; `start` and `end` are its place.
    """

    words: str
    first: int
    last: int
    year: int | None
    is_sure: bool
    is_bound: bool
    start: int
    end: int


@dataclass(slots=True)
class _ToldTimes:
    """What a query says of time: the months of its dates, the months and years that it compares with, and whether it names any time.

    Of an end that is not within, `days` has the month before, and `written` the one that stands there.
    """

    days: list[tuple[int, int]] = field(default_factory=list)
    written: list[tuple[int, int]] = field(default_factory=list)
    months: set[int] = field(default_factory=set)
    years: list[int] = field(default_factory=list)
    names_time: bool = False

    def holds(self, month: int, year: int | None) -> bool:
        """Whether a month may be within what it says; without anything said of months, whether its year is."""
        if year is not None and self.years and not min(self.years) <= year <= max(self.years):
            return False
        if month in self.months:
            return True
        if not self.days:
            return False
        first, last = min(self.days), max(self.days)
        return any(first <= (of, month) <= last for of in (range(first[0], last[0] + 1) if year is None else (year,)))

    def holds_any(self, asked: _AskedTime) -> bool:
        """Whether any month of a time that is asked for may be within what it says."""
        months = range(asked.first, asked.last + 1)
        is_there = asked.is_bound and any(month in months and asked.year in (None, year) for year, month in self.written)
        return is_there or any(self.holds(month, asked.year) for month in months)


def _groups(asked: list[_AskedTime], question: str) -> list[list[_AskedTime]]:
    """The times that are asked for together, as in "March and April"; each group by itself may be what is meant."""
    groups: list[list[_AskedTime]] = []
    for time in sorted(asked, key=lambda time: time.start):
        if groups and _JOINED.match(question[groups[-1][-1].end : time.start]):
            groups[-1].append(time)
        else:
            groups.append([time])
    return groups


def asked_time_is_there(gold: Gold) -> Iterator[GoldFinding]:
    """The month, or the part of a year, that a question names is among the times that the golden SQL compares with."""
    asked = list(_asked(gold.question))
    if not asked or gold.reading is None or not gold.is_answer or _ELSEWHERE.search(gold.reading.sql()):
        return
    told = _told(gold.reading.tree)
    if told.days or told.months:
        missed = [[time for time in group if not told.holds_any(time)] for group in _groups(asked, gold.question)]
        if not all(missed):
            return
        message = f"the question asks about {missed[0][0].words}, and the dates of the golden SQL are of {_span(told)}"
    elif not told.names_time and any(time.is_sure for time in asked):
        message = f"the question asks about {asked[0].words}, and the golden SQL says nothing of a time" + _years(told)
    else:
        return
    way_out = "put the time that is asked for into the SQL, or name in the question the one that is meant"
    yield gold.finding("month-asked-for", message, way_out)


def _asked(question: str) -> Iterator[_AskedTime]:
    """Give the times that are named in a question."""
    for found in _NAMED_MONTH.finditer(question):
        is_sure = found[2] is not None or _BEFORE_A_TIME.search(question[: found.start()]) is not None
        if found[1].casefold() in _MAY_BE_NO_MONTH and not (found[2] or (is_sure and found[1].istitle())):
            continue
        number = _MONTHS[found[1].casefold()]
        yield _AskedTime(
            _with_year(_ENGLISH[number - 1].capitalize(), found[2]),
            number,
            number,
            _number(found[2]),
            is_sure,
            _is_bound(question, found),
            *found.span(),
        )
    for found in _PART_OF_YEAR.finditer(question):
        place = int(found["n"]) if found["n"] else _PLACES[(found["en"] or found["id"]).casefold()]
        is_quarter = bool(found["q"]) or (found["what"] or found["teil"] or "").casefold() in ("quarter", "kuartal", "triwulan")
        length = 3 if is_quarter else 6
        year = found[found.re.groups]
        if place * length <= 12 and (year or not found["h"]):  # H2 alone is hydrogen, or a grade
            name = _with_year(f"{'Q' if is_quarter else 'half '}{place}", year)
            yield _AskedTime(name, (place - 1) * length + 1, place * length, _number(year), True, _is_bound(question, found), *found.span())


def _is_bound(question: str, found: re.Match[str]) -> bool:
    return _BOUND.search(question[: found.start()]) is not None


def _told(tree: exp.Query) -> _ToldTimes:
    told = _ToldTimes()
    for literal in tree.find_all(exp.Literal):
        found = _YEAR_AND_MONTH.match(literal.name)
        comparison, side = _comparison_of(literal)
        is_date = literal.is_string or (comparison is not None and _NAMED_AS_DATE.search(comparison.sql().casefold()))
        if found and is_date:
            year, month = int(found[1]), int(found[2])
            told.written.append((year, month))
            is_beyond = (
                isinstance(comparison, exp.LT | exp.GT)
                and side is comparison.args["expression" if isinstance(comparison, exp.LT) else "this"]
            )
            if is_beyond and _is_first_day(literal.name):  # what is before the first of July ends in June
                year, month = (year, month - 1) if month > 1 else (year - 1, 12)
            told.days.append((year, month))
        told.months |= {_MONTHS[word] for word in re.findall(r"[a-z]+", literal.name.casefold()) if word in _MONTHS}
    for comparison in tree.find_all(*_COMPARED):
        numbers = [int(literal.name) for literal in comparison.find_all(exp.Literal) if literal.name.isdigit() and len(literal.name) <= 4]
        text = comparison.sql().casefold()
        part = next((name for name, pattern in _PARTS if pattern.search(text)), None)
        if part == "month":
            told.months |= _within(comparison, [number for number in numbers if 1 <= number <= 12], 12)
        elif part == "quarter":
            quarters = _within(comparison, [number for number in numbers if 1 <= number <= 4], 4)
            told.months |= {month for quarter in quarters for month in range(3 * quarter - 2, 3 * quarter + 1)}
        elif part == "year":
            told.years += [number for number in numbers if 1000 <= number <= 9999]
    told.names_time = any(pattern.search(tree.sql().casefold()) for _, pattern in _PARTS[:2])
    return told


def _comparison_of(literal: exp.Expr) -> tuple[exp.Expr | None, exp.Expr]:
    """The comparison that a literal stands in, or None, and the side of it that holds the literal."""
    side = literal
    while side.parent is not None and not isinstance(side.parent, _COMPARED):
        side = side.parent
    return side.parent, side


def _is_first_day(text: str) -> bool:
    """Whether a date is the first of its month, at midnight if it has a time."""
    return re.fullmatch(r"\d{4}-\d{2}(?:-01(?:[ T]00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?)?", text) is not None


def _within(comparison: exp.Expr, numbers: list[int], most: int) -> set[int]:
    """The numbers that a comparison lets through."""
    if not numbers or isinstance(comparison, exp.EQ | exp.In):
        return set(numbers)
    if isinstance(comparison, exp.Between):
        return set(range(min(numbers), max(numbers) + 1))
    return set(range(1, most + 1))  # one end of a range, whose other end another comparison may say


def _span(told: _ToldTimes) -> str:
    if told.days:
        return " and ".join(dict.fromkeys(f"{year}-{month:02}" for year, month in (min(told.days), max(told.days))))
    named = " and ".join(_ENGLISH[month - 1].capitalize() for month in sorted(told.months)[:3])
    return named + (f" {min(told.years)}" if told.years else "")


def _years(told: _ToldTimes) -> str:
    return f" but the year {min(told.years)}" if told.years else ""


def _with_year(name: str, year: str | None) -> str:
    return f"{name} {year}" if year else name


def _number(year: str | None) -> int | None:
    return int(year) if year else None
