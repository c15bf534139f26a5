"""Listing: a text that as a whole is a list of values, taken apart.

Rule: a comma between digits may separate or not, and so may "and"; every way to read the text is given, none is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from goldenlib.folding import fold

# Each looks no further than the next mark, or a hundred characters: stray marks cost no time.
_EMPHASIS = (
    re.compile(r"(\*{1,3})(?=[^\s*])([^*\n]+)(?<=\S)\1"),
    re.compile(r"(`{1,3})([^`\n]+)\1"),
    re.compile(r"(?<!\w)(_{1,3})(?=[^\s_])(.{1,100}?)(?<=[^\s_])\1(?!\w)"),
)
_MINUS = re.compile("[\N{MINUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}\N{SMALL HYPHEN-MINUS}]|\N{EN DASH}(?=\\s?[\\d.])")
_BULLET = re.compile(r"\s*[-*•]\s+")
_ORDINAL = re.compile(r"\s*(\d{1,6})[.)]\s+")
_SURE, _EVERY = re.compile(r";|,(?!\d)|(?<!\d),"), re.compile(r"[;,]")
_AND = re.compile(r"\s+(?:and|dan|&)\s+")
_FIRST_AND = re.compile(r"^(?:and|dan|&)\s+")
_QUOTES = "\"'\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}"


def listed(text: str) -> list[list[str]]:
    """Return the ways to read a text as a list of values, each a list of bare values; a list of one where nothing separates.

    >>> listed("5, 12 and 36")
    [['5', '12 and 36'], ['5', '12', '36']]
    >>> listed("1,234")
    [['1,234'], ['1', '234']]
    """
    lines = _without_marks([line for line in _without_brackets(plain(text)).splitlines() if line.strip()])
    ways: list[list[str]] = []
    for separator in (_SURE, _EVERY):
        pieces = _bare(piece for line in lines for piece in separator.split(line))
        joined = _bare(part for piece in pieces for part in _AND.split(_FIRST_AND.sub("", piece)))
        for way in (pieces, joined):
            if way and way not in ways:
                ways.append(way)
    return ways


def plain(text: str) -> str:
    """Return a text without code fences and Markdown emphasis, with a plain minus sign; lines stay."""
    shown = _MINUS.sub("-", text.strip())
    if shown.startswith("```") and shown.endswith("```") and "\n" in shown:
        shown = shown[shown.index("\n") : -3]
    for pattern in _EMPHASIS:
        shown = pattern.sub(r"\2", shown)
    return shown.strip()


def bare(text: str) -> str:
    """Return a text folded, without quotes around it and punctuation after it."""
    return fold(text).strip(f" {_QUOTES}").rstrip(f" .,;:!?{_QUOTES}")


def _bare(pieces: Iterable[str]) -> list[str]:
    return [value for piece in pieces if (value := bare(piece))]


def _without_brackets(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == "[" and text[-1] == "]" else text


def _without_marks(lines: list[str]) -> list[str]:
    """Take bullets away, or numbers from 1, that all of several lines begin with."""
    if len(lines) < 2:
        return lines
    if all(map(_BULLET.match, lines)):
        return [_BULLET.sub("", line, count=1) for line in lines]
    numbers = [found and int(found[1]) for found in map(_ORDINAL.match, lines)]
    return [_ORDINAL.sub("", line, count=1) for line in lines] if numbers == list(range(1, len(lines) + 1)) else lines
