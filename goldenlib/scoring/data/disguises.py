"""Disguises: the ways to show a golden value and yet not to write it: digits apart or glued to words, names turned around.

Rule: for leaks only. What is found here is the secret to a reader; no answer is right by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise, permutations
from typing import Self
from urllib.parse import unquote

from goldenlib.scoring.data.numbers import SCALES, Figure, figures
from goldenlib.scoring.markup import as_read
from goldenlib.wordlists import WordLists

_MOST_DIGITS = 60
_ESCAPED = re.compile(r"%[0-9a-f]{2}", re.IGNORECASE)
_GLUED = re.compile(r"(?<![\d.,])(?:[1-9]\d{0,2}(?:[.,]\d{3})+|[1-9]\d{4,59})(?!\d|[.,]\d)", re.ASCII)
_SCALED = rf"\d{{1,3}}(?:[.,]\d{{1,3}})?\s?(?:{'|'.join(sorted(SCALES, key=len, reverse=True))})"
_PARTS = re.compile(rf"(?<![\w.,]){_SCALED}(?:\s?(?:dan\s|and\s)?{_SCALED})+(?!\w)")
_PART = re.compile(r"(\d+(?:[.,]\d+)?)\s?([a-z]+)")
_POWER = re.compile(
    r"(?<![\w.,])(\d{1,15}(?:[.,]\d{1,15})?)\s?(?:[x\N{MULTIPLICATION SIGN}*\N{MIDDLE DOT}\N{DOT OPERATOR}]|\\times|\\cdot)\s?10\s?"
    r"(?:(?:\^|\*\*)\s?[{(]?(?P<plain>\d{1,2})|(?P<raised>[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,2}))"
)
_RAISED = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789")
_RUN = re.compile(r"(?<!\w)\d+(?:[\W_]{1,3}\d+)+(?!\w)", re.ASCII)
_APART = re.compile(r"[:;=(\[{\"'|]|[.,] ")  # what tells a number from the next
_LISTS = re.compile(r"[,;]\s")
_DIGIT_WORDS = {
    word: str(digit % 10)
    for language in ("id", "en")
    for digit, word in enumerate(WordLists.of(__package__, "numbers").words("figures", language))
}
_ONE = rf"(?:{'|'.join(_DIGIT_WORDS)}|\d)"
_SAID = re.compile(rf"(?<![^\W_]){_ONE}(?:[\W_]{{1,3}}{_ONE}){{3,59}}(?![^\W_])", re.ASCII)
_BETWEEN = re.compile(r"(?<=\d) ?(?:([/.-])|[\u2010-\u2015\u2212]) ?(?=\d)")
_BY_A_NAME = re.compile(r"(?<=\d)[/.,\u2010-\u2015_-]?(?=[a-z]{3})|(?<=[a-z])[/.,\u2010-\u2015_-]?(?=\d)")
_LETTERS = re.compile(r"[^\W\d_]+")
_SPELLED = re.compile(r"(?<![^\W_])[^\W\d_](?:[\W_]{1,3}[^\W\d_](?![^\W_]))+")
_SHORTEST, _MOST_WORDS = 6, 3  # letters of a name that are no chance, words of one that may be turned around


def disguised_figures(forms: Sequence[str]) -> Iterator[Figure]:
    """Give the figures of a text, given in its folded forms, that are no figures as they stand.

    >>> [int(figure.readings[0][0]) for figure in disguised_figures(["gaji4150000, 4jt150rb, (4)(1)(5)(0)"])]
    [4150000, 4150000, 4150]
    """
    for form in with_unescaped(forms):
        if form not in forms:
            yield from figures(form)
        for glued in _GLUED.finditer(form):
            if form[glued.start() - 1 : glued.start()].isalpha() or form[glued.end() : glued.end() + 1].isalpha():
                yield _figure(glued[0], re.sub(r"\D", "", glued[0]))
        for parts in _PARTS.finditer(form):
            powers = [SCALES[word] for _, word in _PART.findall(parts[0])]
            if all(larger > smaller for larger, smaller in pairwise(powers)):
                yield _figure(parts[0], sum(_decimal(part).scaleb(SCALES[word]) for part, word in _PART.findall(parts[0])))
        for power in _POWER.finditer(form):
            yield _figure(power[0], _decimal(power[1]).scaleb(int(power["plain"] or power["raised"].translate(_RAISED))))
        for run in _RUN.finditer(form):
            yield from (_figure(run[0], digits) for digits in _apart(run[0]))
        for said in _SAID.finditer(form):
            digits = [_DIGIT_WORDS.get(word, word) for word in re.findall(_ONE, said[0])]
            if not said[0].isdigit() and not _counts_up(digits):
                yield _figure(said[0], "".join(digits))


def with_dates_tidied(form: str) -> str:
    """Return a folded text with the marks within its dates as they are most often written.

    >>> with_dates_tidied("05 / 03 / 2026, 5/maret/2026, 5maret2026")
    '05/03/2026, 5 maret 2026, 5 maret 2026'
    """
    return _BY_A_NAME.sub(" ", _BETWEEN.sub(lambda mark: mark[1] or "-", form))


def with_unescaped(forms: Sequence[str]) -> Iterator[str]:
    """Give the forms of a text, and what they come to where they are escaped as in addresses: 4%2C150."""
    yield from forms
    if _ESCAPED.search(forms[0]):
        yield as_read(unquote(forms[0]))


def _apart(run: str) -> Iterator[str]:
    """Give the digits of each number in a run of digits that stand apart, always by the same mark."""
    pieces = re.split(r"(\D+)", run)
    groups, gaps = pieces[::2], pieces[1::2]
    first = 0
    for last in range(1, len(groups)):
        if last < len(gaps) and gaps[last] == gaps[first]:
            continue
        outside = (gaps[first - 1] if first else ":", gaps[last] if last < len(gaps) else ":")
        if all(_APART.search(mark) for mark in outside) and _is_one_number(groups[first : last + 1], gaps[first]):
            yield "".join(groups[first : last + 1])
        first = last


def _is_one_number(groups: Sequence[str], gap: str) -> bool:
    """Whether groups of digits may be one number that was taken apart, and are no list, date, decimal or span of years."""
    digits = sum(map(len, groups))
    sizes = [len(group) for group in groups]
    if groups[0].startswith("0") or digits > _MOST_DIGITS:
        return False
    is_list = _LISTS.search(gap) is not None
    if set(sizes) == {1}:
        return digits >= (5 if is_list else 4) and not _counts_up(groups)
    cut_off = any(group.startswith("0") for group in groups[1:])
    if digits < 6 or (is_list and not cut_off) or _is_date(groups) or all(re.fullmatch(r"(?:19|20)\d\d", group) for group in groups):
        return False
    if sizes[0] <= 3 and sizes[-1] == 3 and set(sizes[1:]) <= {2, 3}:
        return True
    return len(gap) == 1 and ((len(groups) == 2 and gap not in ".,:") or (len(groups) == 3 and cut_off and gap != ":"))


def _is_date(groups: Sequence[str]) -> bool:
    if sorted(map(len, groups)) not in ([1, 1, 4], [1, 2, 4], [2, 2, 4], [2, 2, 2]) or len(groups[1]) > 2:
        return False
    outer = min(int(groups[0]), int(groups[-1]))
    return 1 <= outer <= 31 and 1 <= int(groups[1]) <= 31


def _counts_up(digits: Sequence[str]) -> bool:
    return all(int(following) == int(digit) + 1 for digit, following in pairwise(digits))


def _decimal(written: str) -> Decimal:
    return Decimal(written.replace(",", "."))


def _figure(text: str, value: str | Decimal | int) -> Figure:
    return Figure(text, ((Decimal(value), Decimal(0)),))


def name_of(spelling: str) -> tuple[str, ...]:
    """Return the words of a folded name that is long enough to be no chance; nothing for what has other characters than letters."""
    words = tuple(_LETTERS.findall(spelling))
    is_name = re.fullmatch(r"[^\W\d_]+(?:[ .,'-]{1,2}[^\W\d_]+)*\.?", spelling) is not None
    return words if is_name and sum(map(len, words)) >= _SHORTEST else ()


@dataclass(frozen=True, slots=True)
class DisguisedWords:
    """The words of a text, made ready to be searched for names: its `forms`, the words in them, and those that were spelled out."""

    forms: tuple[str, ...]
    whole: frozenset[str]
    spelled: tuple[str, ...]

    @classmethod
    def of(cls, forms: Sequence[str]) -> Self:
        """Make a text, given in its folded forms, ready."""
        every = tuple(with_unescaped(forms))
        spelled = tuple("".join(_LETTERS.findall(run[0])) for form in every for run in _SPELLED.finditer(form))
        return cls(every, frozenset(word for form in every for word in _LETTERS.findall(form)), spelled)

    def find(self, name: Sequence[str]) -> str | None:
        """Return a name as it stands in the text, its words in any order, glued or spelled out; None where it does not."""
        if not name:
            return None
        orders = list(permutations(name)) if len(name) <= _MOST_WORDS else [tuple(name)]
        for glued in map("".join, orders):
            if (len(name) > 1 and glued in self.whole) or any(glued in run for run in self.spelled):
                return glued
        if len(name) == 1 or not self.whole.issuperset(name):
            return None
        in_order = r"(?:[^\w?!;]|_){1,4}(?:[^\W\d_]\.?[\W_]{1,2})?".join(map(re.escape, name))  # an initial may stand between
        turned = (r"(?:[^\w.?!:;/]|_){1,3}".join(map(re.escape, order)) for order in orders[1:])
        pattern = re.compile(rf"(?<![^\W_])(?:{'|'.join((in_order, *turned))})(?![^\W_])")
        return next((found[0] for form in self.forms if (found := pattern.search(form))), None)
