"""Spellings: the other ways in which words write a golden value: dates with the names of months, numbers in words, yes and no.

Rule: what is found here may be the value; nobody is right or wrong by it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from goldenlib.wordlists import WordLists

_WORDS, _COUNTING = WordLists.of(__package__, "numbers"), WordLists.of("goldenlib.languages", "counting")
_MONTHS = _WORDS.words("months")
COUNTED_ON_FINGERS = 20  # such numbers stand in any text in words
_YES, _NO = _WORDS.words("yes"), _WORDS.words("no")
_UNITS = (
    {word: number for number, word in enumerate(_COUNTING.words("counting", "en"))}
    | {word: 10 * tens for tens, word in enumerate(_COUNTING.words("tens"), 2)}
    | {word: number for number, word in enumerate(_COUNTING.words("counting", "id"))}
)
_ONE_OF = {"seratus": 100, "seribu": 1_000}
_TIMES = {"puluh": 10, "hundred": 100, "ratus": 100, "dozen": 12, "lusin": 12}
_LARGE = {"thousand": 10**3, "ribu": 10**3, "million": 10**6, "juta": 10**6, "billion": 10**9, "miliar": 10**9}
_FRACTIONS = {word: Decimal(part) for part, words in _WORDS.table("fractions").items() for word in words.split()}
_NONE = re.compile(r"\b(?:none|nil|nihil|kosong|tidak ada)\b(?=\W*$)|\b(?:zero|nol)\b|\b(?:no|tidak ada) (\w+)")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_WORD = re.compile(r"[^\W\d_]+|[½¼¾]")
_OUT_OF = re.compile(r"(\d{1,9})\s?(?:/|out of|in|of|dari)\s?(\d{1,9})")
_IN_A_NAME = re.compile(r"\b[a-z]{1,3}(\d{1,6})\b")  # Q1, FY2026
_POWER = re.compile(r"\d\s?[x\N{MULTIPLICATION SIGN}*]\s?10\s?(?:\^|[\N{SUPERSCRIPT TWO}\N{SUPERSCRIPT THREE}])")
_APART = re.compile(r"(?<=\d)[ _](?=\d{3}(?!\d))")


def dates_of(day: date) -> Iterator[str]:
    """Give the ways in which words write a date, folded: first the sure ones, then those that may be another day too.

    >>> list(dates_of(date(2026, 3, 1)))[:3]
    ['2026-03-01', '2026/03/01', '20260301']
    """
    yield from sure_dates_of(day)
    for first, second in ((day.day, day.month), (day.month, day.day)):
        for mark in "/.-":
            for year in (f"{day.year:04}", f"{day.year % 100:02}"):
                yield from (f"{first}{mark}{second}{mark}{year}", f"{first:02}{mark}{second:02}{mark}{year}")
        yield from (f"{first} {second} {day.year:04}", f"{first:02} {second:02} {day.year:04}")


def sure_dates_of(day: date) -> Iterator[str]:
    """Give the ways to write a date, folded, that are no other day."""
    year = f"{day.year:04}"
    yield from (f"{year}{mark}{day.month:02}{mark}{day.day:02}" for mark in ("-", "/", "", ".", " "))
    yield from (f"{year}{mark}{day.month}{mark}{day.day}" for mark in "-/. ")
    days = dict.fromkeys((f"{day.day}", f"{day.day:02}", f"{day.day}{_ending(day.day)}", *_in_words(day.day)))
    for month in _MONTHS[day.month - 1].split():
        for number in days:
            yield from (f"{number} {month} {year}", f"{number} {month}, {year}", f"{number} of {month} {year}", f"{number}-{month}-{year}")
            yield from (f"{month} {number}, {year}", f"{month} {number} {year}", f"{year} {month} {number}")


def may_say(value: Any, folded: str, question: str) -> bool:
    """Whether a folded text may say a value in another spelling than that of results: a date, a number or a yes in words, a name."""
    if isinstance(value, bool):
        return bool(set(_WORD.findall(folded)) & {*_YES, *_NO})
    if isinstance(value, date):
        is_month = value.day == 1 and any(_stands_without_day(spelling, folded) for spelling in _months(value))
        return is_month or any(stands_in(spelling, folded) for spelling in dates_of(value))
    if isinstance(value, str):
        month = re.fullmatch(r"(\d{4})-(\d\d)", value)
        if month is not None and 1 <= int(month[2]) <= 12:
            return any(_stands_without_day(spelling, folded) for spelling in _months(date(int(month[1]), int(month[2]), 1)))
        return bool(_letters(value)) and f" {_letters(value)} " in f" {_letters(folded)} "
    if isinstance(value, int | float | Decimal):
        return _may_say_number(Decimal(str(value)), folded, question)
    return False


def joined(text: str) -> str:
    """Return a text with the blanks and underscores taken out that may group digits: "1 234" and "1_234"."""
    return _APART.sub("", text)


def says_yes(folded: str) -> bool | None:
    """Return what a text that is only a yes or a no says, else None."""
    return True if folded in _YES else False if folded in _NO else None


def worded_numbers(folded: str) -> set[Decimal]:
    """Return the numbers that stand in a text in words.

    >>> sorted(worded_numbers("dua belas, not one hundred and five"))
    [Decimal('12'), Decimal('105')]
    """
    found: set[Decimal] = set()
    total, part, is_open = 0, 0, False
    for word in [*_WORD.findall(folded), "."]:
        if word in _FRACTIONS:
            found.add(_FRACTIONS[word])
        if word in _UNITS:
            part, is_open = part + _UNITS[word], True
        elif word in _ONE_OF:
            part, is_open = part + _ONE_OF[word], True
        elif word == "belas" and is_open:
            part += 10
        elif word in _TIMES and (is_open or word in ("dozen", "lusin")):
            times = _TIMES[word]
            few = part % times if times > 12 or times == 10 else part  # "seratus dua puluh" is 100 + 2 * 10
            part, is_open = part - few + (few or (0 if part else 1)) * times, True
        elif word in _LARGE and is_open:
            total, part = total + part * _LARGE[word], 0
        elif word != "and" and is_open:
            found.add(Decimal(total + part))
            total, part, is_open = 0, 0, False
    return found


def _may_say_number(value: Decimal, folded: str, question: str) -> bool:
    words = set(_WORD.findall(folded))
    if not any(char.isdigit() for char in _YEAR.sub("", folded)):  # who writes figures does not say "one" or "March" for the number
        if value == 0 and any(found[1] is None or found[1] in _WORD.findall(question) for found in _NONE.finditer(folded)):
            return True
        if value in (0, 1) and says_yes(folded.strip(" .!,")) is not None:
            return True
        if value in range(1, 13) and words & set(_names(int(value))):
            return True
    elif abs(value) <= COUNTED_ON_FINGERS:
        words = set()
    if words and value in worded_numbers(folded):
        return True
    if _POWER.search(folded) or any(int(digits) == value for digits in _IN_A_NAME.findall(folded)):
        return True
    shares = (Decimal(part[1]) / Decimal(part[2]) for part in _OUT_OF.finditer(folded) if int(part[2]))
    return any(abs(share * scale - value) <= abs(value) / 200 for share in shares for scale in (1, 100))


def _months(day: date) -> Iterator[str]:
    yield f"{day.year:04}-{day.month:02}"
    yield f"{day.month:02}/{day.year:04}"
    yield from (f"{month} {day.year}" for month in _MONTHS[day.month - 1].split())
    yield from _names(day.month)


def _names(month: int) -> list[str]:
    """Return the names of a month that are nothing else when they stand alone; "may" is not among them."""
    return [name for name in _MONTHS[month - 1].split() if len(name) > len("may") or name == "mei"]


def _stands_without_day(spelling: str, folded: str) -> bool:
    return re.search(rf"(?<![\w-])(?<!\d )(?<!\d of )(?<!(?:st|nd|rd|th) ){re.escape(spelling)}(?![\w-]| \d\d?(?!\d))", folded) is not None


def _in_words(day: int) -> Iterator[str]:
    """Give a day in words, in Indonesian and in English."""
    tens, ones = divmod(day, 10)
    digits, english = _COUNTING.words("counting", "id"), (_COUNTING.words("counting", "en"), _COUNTING.words("tens"))
    yield (
        digits[day]
        if day < len(digits)
        else f"{digits[ones]} belas"
        if tens == 1
        else f"{digits[tens]} puluh {digits[ones] if ones else ''}".strip()
    )
    yield english[0][day] if day < COUNTED_ON_FINGERS else f"{english[1][tens - 2]} {english[0][ones] if ones else ''}".strip()


def _ending(day: int) -> str:
    return "th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _letters(text: str) -> str:
    """Return a text without accents, marks and the ways to write "and"."""
    bare = "".join(mark for mark in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(mark))
    return " ".join(re.sub(r"[^\w]|_", " ", re.sub(r"['\N{RIGHT SINGLE QUOTATION MARK}]", "", bare.replace("&", " and "))).split())


def stands_in(spelling: str, folded: str) -> bool:
    """Whether a spelling stands in a folded text from word to word."""
    if spelling not in folded:
        return False
    before = r"(?<!\bpuluh[ -])(?<!\b(?:twenty|thirty)[ -])" if spelling.partition(" ")[0] in _UNITS else ""  # "dua puluh lima Maret"
    return re.search(rf"(?<!\w){before}{re.escape(spelling)}(?!\w)", folded) is not None
