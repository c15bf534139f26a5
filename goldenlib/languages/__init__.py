"""Languages: what is said in English, said in the reader's language.

Rule: what a library, a run or a judge says is kept in English, which machines and logs read; it is put into another language where a
person reads it. What is not in the list stays as it is, since a sentence half understood is worse than one in English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any

from goldenlib.wordlists import WordLists

Translate = Callable[[str], str]


class Language(StrEnum):
    """The languages that people are spoken to in."""

    INDONESIAN = "id"
    ENGLISH = "en"


LONGEST = 4_000  # characters of a text that is looked at; what is longer is an answer or a page, not a sentence
_GAP = re.compile(r"\{(\w+)\}")
_NUMBER = r"\d[\d.,]*(?: %)?"
_DECIMAL = re.compile(r"\d+\.\d+(?: %)?")
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}) UTC)?")
_JOINTS = (" \N{MIDDLE DOT} ", "; ")  # what the gate and the scorers put between findings


def translator(language: Language | str) -> Translate:
    """Return what puts an English sentence of goldenlib into a language; for English it changes nothing."""
    return _unchanged if Language(language) is Language.ENGLISH else _Sentences.of(Language(language)).translate


def sentences(language: Language | str) -> Mapping[str, str]:
    """Return a language's list: English sentences, with their gaps, and how they read."""
    said: Mapping[str, str] = WordLists.of(__name__, Language(language)).raw()
    return said


def texts(of: str, language: Language | str) -> Mapping[str, Any]:
    """Return the texts of a part of goldenlib, "workbench" or "hazards", in a language: what its file holds.

    Raises ValueError for a language that is not offered.
    """
    said: Mapping[str, Any] = WordLists.of(__name__, f"{of}.{Language(language)}").raw()
    return said


def date_in_words(when: datetime, language: Language | str = Language.ENGLISH) -> str:
    """Write the day of a time as people say it, in UTC.

    >>> at = datetime(2026, 12, 1, 4, tzinfo=UTC)
    >>> date_in_words(at), date_in_words(at, Language.INDONESIAN)
    ('1 December 2026', '1 Desember 2026')
    """
    months = WordLists.of(__name__, "counting").words("months", Language(language))
    at = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    return f"{at.day} {months[at.month - 1].capitalize()} {at.year}"


def _unchanged(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A sentence with gaps: how it is recognised, and how it reads.

    A gap of one letter takes a number, any other any text. Text in a gap named in capitals is put into the language in its turn. `(s)` is
    the plural that may be there.
    """

    regex: re.Pattern[str]
    said: str
    weight: int

    @classmethod
    def of(cls, english: str, said: str) -> _Pattern:
        pieces = _GAP.split(english)
        seen: set[str] = set()
        regex = "".join(_gap(piece, seen) if index % 2 else re.escape(piece).replace(r"\(s\)", "s?") for index, piece in enumerate(pieces))
        return cls(re.compile(regex, re.DOTALL), said, sum(map(len, pieces[::2])))


def _gap(name: str, seen: set[str]) -> str:
    if name in seen:
        return f"(?P={name})"
    seen.add(name)
    return f"(?P<{name}>{_NUMBER if len(name) == 1 else '.+?'})"


class _Sentences:
    """One language's list: whole sentences, and those with gaps by the word that they begin with, the most telling first."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._whole: dict[str, str] = {}
        self._patterns: dict[str, list[_Pattern]] = {}
        for english, said in sentences(language).items():
            if _GAP.search(english) or "(s)" in english:
                self._patterns.setdefault(_first_word(english), []).append(_Pattern.of(english, said))
            else:
                self._whole[english] = said
        self._begin_with_a_gap = self._patterns.pop("", [])
        for group in (*self._patterns.values(), self._begin_with_a_gap):
            group += self._begin_with_a_gap if group is not self._begin_with_a_gap else []
            group.sort(key=lambda pattern: -pattern.weight)
        self.translate = lru_cache(maxsize=4096)(self._translate)

    @staticmethod
    @cache
    def of(language: Language) -> _Sentences:
        return _Sentences(language)

    def _translate(self, text: str) -> str:
        """The text in this language: as a sentence, or part by part where it is several; what is unknown stays as it is."""
        if len(text) > LONGEST:
            return text
        if text in self._whole:
            return self._whole[text]
        split = [(joint, text.split(joint)) for joint in _JOINTS if joint in text]
        for joint, parts in split:
            known = [self._known(part) for part in parts]
            if None not in known:
                return joint.join(part for part in known if part is not None)
        said = self._known(text)
        if said is not None:
            return said
        return next((joint.join(map(self._translate, parts)) for joint, parts in split), text)

    def _known(self, text: str) -> str | None:
        """What the list has for the text as one sentence."""
        if text in self._whole:
            return self._whole[text]
        if _DECIMAL.fullmatch(text):
            return text.replace(".", ",")
        if (date := _DATE.fullmatch(text)) and (said := self._date(text)):
            return said + (f" pukul {date[4]}.{date[5]} UTC" if date[4] else "")
        for pattern in self._patterns.get(_first_word(text), self._begin_with_a_gap):
            match = pattern.regex.fullmatch(text)
            if match:
                return self._said(pattern, match)
        return None

    def _date(self, text: str) -> str:
        with suppress(ValueError):  # no day, though written like one
            return date_in_words(datetime.fromisoformat(text[:10]), self._language)
        return ""

    def _said(self, pattern: _Pattern, match: re.Match[str]) -> str:
        return _GAP.sub(lambda gap: self._filled(gap[1], match[gap[1]]), pattern.said)

    def _filled(self, name: str, text: str) -> str:
        return self._translate(text) if name.isupper() else text.replace(".", ",") if _DECIMAL.fullmatch(text) else text


def _first_word(text: str) -> str:
    """The word that a sentence begins with; empty where it begins with a gap, or with one in the word."""
    word = text.split(" ", 1)[0]
    return "" if _GAP.search(word) or "(s)" in word else word
