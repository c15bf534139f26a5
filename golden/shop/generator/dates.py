"""Dates: the calendar of the shop, with its fiscal year of whole weeks.

Rule: a fiscal year starts on the Monday nearest 1 April and is named after the year it starts in; its quarters are three
periods of 4, 4 and 5 weeks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

_PERIOD_OF_WEEK = tuple(period for period in range(1, 13) for _ in range(5 if period % 3 == 0 else 4))
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class FiscalDay:
    """Where a day lies in the fiscal calendar; all numbers from 1."""

    year: int
    quarter: int
    period: int
    week: int


def fiscal_start(year: int) -> date:
    """Return the first day of a fiscal year.

    >>> fiscal_start(2025).isoformat()
    '2025-03-31'
    """
    april = date(year, 4, 1)
    back = april.weekday()
    return april - timedelta(days=back) if back <= 3 else april + timedelta(days=7 - back)


def fiscal_day(day: date) -> FiscalDay:
    """Return where a day lies. A 53rd week, where a year has one, belongs to period 12."""
    year = day.year if day >= fiscal_start(day.year) else day.year - 1
    week = (day - fiscal_start(year)).days // 7
    period = _PERIOD_OF_WEEK[min(week, len(_PERIOD_OF_WEEK) - 1)]
    return FiscalDay(year, (period + 2) // 3, period, week + 1)


def days(first: date, last: date) -> Iterator[date]:
    """Give every day from `first` to `last`."""
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)
