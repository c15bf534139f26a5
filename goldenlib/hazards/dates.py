"""Dates: the first date of a phrase and the other ways to write it.

Rule: what is no day of a calendar is no date, and a month alone is written in one way.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from goldenlib.hazards.vocabulary import MONTHS_EN, MONTHS_ID, MONTHS_SHORT

_MONTH = "|".join((*MONTHS_ID, *MONTHS_EN, *(rf"{short}\.?" for short in MONTHS_SHORT)))
_DAY_MONTH = re.compile(rf"(?<![\w.,/-])(\d{{1,2}}) ({_MONTH.replace('|may|', '|')})(?!\w| \d)")
_SPELLED_DATE = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)? ({_MONTH}) (\d{{4}})\b")
_ENGLISH_DATE = re.compile(rf"\b({_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b")
_ISO_DATE = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
_NUMERIC_DATE = re.compile(r"\b(\d{1,2})([/.-])(\d{1,2})\2(\d{4})\b")


class WrittenDate(NamedTuple):
    """A date as it stands in a text, with the forms it may have. `is_odd` when it is written as regulations do not."""

    found: re.Match[str]
    forms: tuple[str, ...]
    is_odd: bool = False


def first_date(folded: str) -> WrittenDate | None:
    """Return the first date with a year, else the first day of a year, 31 desember."""
    for pattern, read in _DATES:
        if found := pattern.search(folded):
            year, month, day = read(found)
            if 1 <= month <= 12 and 1 <= day <= 31:
                forms = (
                    f"{day} {MONTHS_ID[month - 1]} {year}",
                    f"{day:02}/{month:02}/{year}",
                    f"{day:02}-{month:02}-{year}",
                    f"{year}-{month:02}-{day:02}",
                    f"{MONTHS_EN[month - 1]} {day}, {year}",
                )
                is_odd = pattern in (_ISO_DATE, _NUMERIC_DATE) or not set(MONTHS_ID + MONTHS_EN).intersection(found.groups())
                return WrittenDate(found, forms, is_odd)
    return _without_year(folded)


def _without_year(folded: str) -> WrittenDate | None:
    found = _DAY_MONTH.search(folded)
    if found is None or not 1 <= int(found[1]) <= 31:
        return None
    day, month = int(found[1]), _month(found[2])
    short = next((name for name, number in MONTHS_SHORT.items() if number == month), MONTHS_ID[month - 1])
    forms = (f"{day} {MONTHS_ID[month - 1]}", f"{day} {short}", f"{day:02}/{month:02}", f"{day:02}-{month:02}")
    return WrittenDate(found, (*forms, f"{MONTHS_EN[month - 1]} {day}"))


def _month(name: str) -> int:
    short = MONTHS_SHORT.get(name.rstrip("."))
    return short if short is not None else (MONTHS_ID.index(name) if name in MONTHS_ID else MONTHS_EN.index(name)) + 1


def _spelled_date(found: re.Match[str]) -> tuple[int, int, int]:
    return int(found[3]), _month(found[2]), int(found[1])


def _english_date(found: re.Match[str]) -> tuple[int, int, int]:
    return int(found[3]), _month(found[1]), int(found[2])


def _iso_date(found: re.Match[str]) -> tuple[int, int, int]:
    return int(found[1]), int(found[2]), int(found[3])


def _numeric_date(found: re.Match[str]) -> tuple[int, int, int]:
    return int(found[4]), int(found[3]), int(found[1])


_DATES = ((_SPELLED_DATE, _spelled_date), (_ENGLISH_DATE, _english_date), (_ISO_DATE, _iso_date), (_NUMERIC_DATE, _numeric_date))
