"""Numbers in words: the figures of a text, in English and in Indonesian writing.

Rule: one figure may be read in two ways (1.234 is a thousand in Jakarta); both count as said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from goldenlib.wordlists import WordLists

# A sign or its word, a currency, digits with points, commas or thin blanks between them (ordinary ones where there are two and more),
# not inside a word; an exponent, the word of scale, and the percent sign that may follow.
_FIGURE = re.compile(
    r"(?<![\w.,])(?P<sign>[-\N{MINUS SIGN}\N{EN DASH}+]\s?|(?:minus|negative|negatif)\s)?"
    r"(?:(?:rp|idr|usd|eur|sgd|myr|aud|nzd|us\$|s\$|[€$£])\.?\s?)?(?P<sign2>[-\N{MINUS SIGN}])?"
    r"(?P<digits>\d{1,3}(?: \d{3}){2,}|\d+(?:[.,'\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}]\d+)*)"
    r"(?:e(?P<exponent>[-+]?\d{1,2})\b)?"
    r"(?:\s?(?P<scale>hundred|ratus|k|rb|ribu|ribuan|thousands?|lakh|jt|juta|jutaan|mio|mn|m|millions?|crore|"
    r"miliar|milyar|bn|b|billions?|triliun|tn|t|trillions?)\b)?"
    r"(?P<percent>\s?%|\s(?:percent|per cent|persen)\b)?",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"(?:%|percent|per cent|persen)$", re.IGNORECASE)
_SMALL_UNIT = re.compile(
    r"\s?(?:(?P<_2>(?:cents?|sen|percentage points?|poin persen(?:tase)?)\b)|(?P<_3>‰|per ?mille?\b|permil\b)|"
    r"(?P<_4>(?:basis points?|bps)\b))",
    re.IGNORECASE,
)
_WORDS = WordLists.of(__package__, "numbers")
SCALES = _WORDS.numbers("scales")
_SCALES: dict[str, tuple[int, ...]] = {word: (power,) for word, power in SCALES.items()} | {
    word: tuple(map(int, powers.split())) for word, powers in _WORDS.table("scales_in_sentences").items()
}
_RUN_WITH_COMMAS = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)+(?![.,]?\d)", re.ASCII)
_COMMA = re.compile(r"(?<=\d),(?=\d)", re.ASCII)
_DASHES = "-\N{MINUS SIGN}\N{EN DASH}"
_LONGEST = 60  # digits; what is longer is no figure


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as a text has it. `readings` are its possible values, each with the slack of its rounding where a scale word says so.

    A percentage is read as it is written and as hundredths, in this order; a sign apart from its digits as a sign and as a dash.
    `start` is its place in the text.
    """

    text: str
    readings: tuple[tuple[Decimal, Decimal], ...]
    start: int = field(default=0, compare=False)

    @property
    def as_share(self) -> Figure | None:
        """A percentage read as hundredths alone; None for what is no percentage."""
        return Figure(self.text, self.readings[len(self.readings) // 2 :]) if _PERCENT.search(self.text) else None

    def unit_after(self, text: str) -> int:
        """Return the power of ten of the small unit that follows the figure in its text: -2 for cents, -4 for basis points, else 0."""
        found = _SMALL_UNIT.match(text, self.start + len(self.text))
        return next(-int(name[1:]) for name, unit in found.groupdict().items() if unit) if found else 0

    def agrees(self, value: Decimal, tolerance: float, absolute: float, *, rounded: bool = False) -> bool:
        """Whether one of the readings is the value within tolerance, or, with `rounded`, within the rounding that a scale word brings."""
        limit = Decimal(str(tolerance)) * abs(value) + Decimal(str(absolute))
        return any(abs(read - value) <= (max(limit, slack) if rounded else limit) for read, slack in self.readings)


def figures(text: str) -> list[Figure]:
    """Return the numbers that stand in a text, in order.

    >>> [figure.text for figure in figures("Rp1.234.567,89 in Q3, up 12%")]
    ['Rp1.234.567,89', '12%']
    """
    return list(_found(text))


@lru_cache(maxsize=16)  # an answer is searched for one golden value after the other
def _found(text: str) -> tuple[Figure, ...]:
    found = []
    for match in _FIGURE.finditer(text := _apart(text)):
        if len(match["digits"]) > _LONGEST or _is_in_a_word(text, match):
            continue
        signs = _signs(match)
        scales = _SCALES.get((match["scale"] or "").lower(), (0,))
        exponent = int(match["exponent"] or 0)
        readings = tuple(
            (sign * value.scaleb(scale + exponent), Decimal(5).scaleb(scale + exponent - places - 1) if scale else Decimal(0))
            for sign in signs
            for value, places in _values(match["digits"])
            for scale in scales
        )
        if match["percent"]:
            readings += tuple((value / 100, slack / 100) for value, slack in readings)
        if readings:
            found.append(Figure(match[0].strip(), readings, match.start()))
    return tuple(found)


def listed_apart(text: str) -> str:
    """Return a text of the same length in which commas between digits separate: "12,7" may be a list of two."""
    return _COMMA.sub(";", text)


def _apart(text: str) -> str:
    """Return the text with semicolons for the commas of digits that are no one number, as in "12.5,7" and "3,9,12"."""

    def told(match: re.Match[str]) -> str:
        return match[0] if len(match[0]) > _LONGEST or next(_values(match[0]), None) else match[0].replace(",", ";")

    return _RUN_WITH_COMMAS.sub(told, text) if "," in text else text


def _signs(match: re.Match[str]) -> tuple[int, ...]:
    """Return the signs a figure may have: "- 42" may be a dash before 42."""
    sign = (match["sign"] or match["sign2"] or "+").lower()
    if sign.strip() == "+":
        return (1,)
    return (-1, 1) if sign[0] in _DASHES and sign != sign.strip() else (-1,)


def _is_in_a_word(text: str, match: re.Match[str]) -> bool:
    following = text[match.end() : match.end() + 1]
    return following.isalpha() or following == "_"


def _values(digits: str) -> Iterator[tuple[Decimal, int]]:
    """Give the values that digits with separators may stand for, each with its decimal places."""
    plain = re.sub("[ '\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}]", "", digits)
    seen = set()
    for thousands, point in ((",", "."), (".", ",")):
        whole, found, fraction = plain.partition(point) if plain.count(point) <= 1 else (plain, "", "")
        groups = whole.split(thousands)
        if point in whole or thousands in fraction or not (len(groups) == 1 or _is_grouped(groups)):
            continue
        if found and not fraction:
            continue
        try:
            value = Decimal("".join(groups) + (f".{fraction}" if found else ""))
        except InvalidOperation:
            continue
        if value not in seen:
            seen.add(value)
            yield value, len(fraction)


def _is_grouped(groups: list[str]) -> bool:
    return 1 <= len(groups[0]) <= 3 and groups[0][0] != "0" and all(len(group) == 3 for group in groups[1:])
