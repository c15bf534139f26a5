"""Prose: an answer in words, compared with a golden result as far as that can be decided.

Rule: a golden value that is not in the text was not said; values that are there, alone, were; a list of values is rows. What lies
between is left to a judge, and without one it is undecided, neither right nor wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any

from goldenlib.folding import fold
from goldenlib.items import ExpectedResult, Item
from goldenlib.matching import MatchOutcome, results_match, score_result
from goldenlib.scoring.data.doubts import doubt_about
from goldenlib.scoring.data.enumerations import listed
from goldenlib.scoring.data.leaks import SearchedText, as_number
from goldenlib.scoring.data.numbers import Figure, figures, listed_apart
from goldenlib.scoring.data.valuespellings import may_say, says_yes, sure_dates_of

_SHOWN = 60
_AROUND = " .!,;:*_`'\""
_MOST_VALUES = 500
_MOST_FIGURES = 20
_SEPARATES = re.compile(r"[,;\n]|(?<!\w)(?:and|dan|&)(?!\w)", re.IGNORECASE)
_INTRODUCTION = re.compile(r"\A[^\n]*:[ \t]*\n(?=.*\n.*\S)")
_RULE_LINE = frozenset(" \t:|-")  # what the line below a table's head is made of


@dataclass(frozen=True, slots=True)
class ProseAgreement:
    """Whether the text says the golden result: True, False, or None when words alone cannot tell; and why."""

    agrees: bool | None
    reason: str


def compare_words(item: Item, text: str, golden: Sequence[tuple[Any, ...]]) -> ProseAgreement:
    """Return whether a text says the golden result of `item`, which has at least one row.

    Where the golden result is several rows of one column, a text that as a whole is a list of values is compared as those rows, in
    the golden order where that matters.
    """
    rule = item.expected.sql
    assert rule is not None  # only questions with a golden result come here
    if len(golden) > 1 and len(golden[0]) == 1 and (as_rows := _compare_list(text, [value for (value,) in golden], rule)) is not None:
        return as_rows
    values = list(dict.fromkeys(value for row in golden for value in row if value is not None))
    reworded = None
    searched = SearchedText.of(text)
    for value in values[:_MOST_VALUES]:
        if searched.find(value, rule) is None:
            if not _may_say(value, searched, item) and not _are_listed(values, text, rule):
                return ProseAgreement(False, f"answered in words that do not say {_shown(value)}")
            reworded = ProseAgreement(None, f"answered in words that may say {_shown(value)} in another way")
    if len(values) > 1 or len(golden) > 1:
        return ProseAgreement(
            None, f"answered in words that hold all {len(values)} golden values; which belongs to which, words alone cannot tell"
        )
    if not values:
        return ProseAgreement(None, "the golden result holds nothing but NULL, and the answer is in words")
    (value,) = values
    if isinstance(value, bool) and (yes := says_yes(fold(text).strip(_AROUND))) is not None:
        return ProseAgreement(yes is value, f"says {_shown(value)}" if yes is value else f"says the opposite of {_shown(value)}")
    if reworded is not None:
        return reworded
    number = as_number(value)
    if number is not None:
        return _compare_figures(item, text, number, rule)
    whole = fold(text).strip(_AROUND)
    is_the_day = type(value) is date and whole in sure_dates_of(value)
    if is_the_day or whole == fold(str(value)):
        return ProseAgreement(True, f"says {_shown(value)}")
    return ProseAgreement(None, f"answered in words that hold {_shown(value)}")


def _may_say(value: Any, text: SearchedText, item: Item) -> bool:
    """Whether a text may say a value that is not found in it as it is: in another spelling, grouping, unit, or without its sign."""
    question = " ".join(item.messages)
    if isinstance(value, time | timedelta):
        return any(char.isdigit() for char in text.folded)
    number = as_number(value)
    if number is not None:
        rule = item.expected.sql
        assert rule is not None
        told = figures(question)
        for figure in figures(text.grouped):
            if _is_told(figure, told):
                continue
            unit = figure.unit_after(text.grouped)
            sizes = (number, abs(number)) if number < 0 else (number,)
            if any(figure.agrees(size.scaleb(-unit), rule.tolerance, 0, rounded=True) for size in sizes) and number:
                return True
    return may_say(value, text.folded, fold(question))


def _are_listed(values: Sequence[Any], text: str, rule: ExpectedResult) -> bool:
    """Whether every golden value is said where the commas between digits separate figures: "12,7" may be a list of two."""
    apart = listed_apart(text)
    if apart == text or len(values) < 2:  # "0,042" is no list for 42
        return False
    searched = SearchedText.of(apart)
    return all(searched.find(value, rule) is not None for value in values[:_MOST_VALUES])


def _compare_figures(item: Item, text: str, value: Decimal, rule: ExpectedResult) -> ProseAgreement:
    """Compare the figures of a text, one of which at least rounds to the golden number, with that number."""
    question = " ".join(item.messages)
    told = figures(question)
    found = figures(text)
    saying = [figure for figure in found if figure.agrees(value, rule.tolerance, rule.absolute)]
    if not saying:
        rounded = next((figure.text for figure in found if figure.agrees(value, rule.tolerance, rule.absolute, rounded=True)), None)
        if rounded is None:
            return ProseAgreement(None, f"answered in words that may say {_shown(value)} in another way")
        return ProseAgreement(None, f"says {rounded!r}, which is {_shown(value)} rounded; the rule of the question is narrower")
    others = [figure.text for figure in found if figure not in saying and not _is_told(figure, told)]
    if not others and all(_may_be_a_share(figure, value, rule) for figure in saying):
        return ProseAgreement(
            None, f"says {saying[0].text!r} for {_shown(value)}; whether the golden number is a percentage, words cannot tell"
        )
    doubts = [doubt_about(figure, value, text, question) for figure in saying[:_MOST_FIGURES]]
    if not others and all(doubts):
        return ProseAgreement(None, f"says {saying[0].text!r} for {_shown(value)}, but words beside it leave that open: {doubts[0]!r}")
    if not others and len(saying) == 1 and fold(saying[0].text) != fold(text).strip(_AROUND) and _is_told(saying[0], told):
        return ProseAgreement(None, f"says {saying[0].text!r}, which the question says too")
    if not others:
        said = saying[0].text
        exactly = any(read == value for read, _ in saying[0].readings)
        return ProseAgreement(
            True, f"says {said!r}, and no other figure" if exactly else f"says {said!r}, within tolerance of {_shown(value)}"
        )
    if any(_read_figures(pieces) for pieces in listed(text) if len(pieces) > 1):
        return ProseAgreement(False, f"a list that holds {_shown(value)} and also {', '.join(others[:3])}")
    return ProseAgreement(None, f"answered in words that hold {_shown(value)} and also {', '.join(others[:3])}")


def _may_be_a_share(figure: Figure, value: Decimal, rule: ExpectedResult) -> bool:
    """Whether a percentage is the golden number as written, though that is so small that it may be a share, a hundred times as much."""
    share = figure.as_share
    return share is not None and abs(value) <= 1 and not share.agrees(value, rule.tolerance, rule.absolute)


def _compare_list(text: str, golden: Sequence[Any], rule: ExpectedResult) -> ProseAgreement | None:
    """Compare a list of values with the one golden column as rows; None where the text is no such list, or words cannot tell.

    Each way to read the text counts. Golden texts that hold what separates a list can be found in it, but not missed.
    """
    values = [fold(value) if isinstance(value, str) else value for value in golden]
    numeric = all(as_number(value) is not None for value in values)
    ways = [pieces for pieces in listed(_INTRODUCTION.sub("", text)) if len(pieces) > 1]
    readings = [rows for pieces in ways for rows in (_read_figures(pieces) if numeric else _read_texts(pieces, values))]
    matches = [
        results_match([(value,) for value in rows], [(value,) for value in values], rule.order_matters, rule.tolerance, rule.absolute)
        for rows in readings
    ]
    if any(match.outcome is MatchOutcome.MATCH for match in matches):
        return ProseAgreement(True, f"a list of the {len(values)} golden values, and nothing else")
    is_sure = None not in values and (numeric or not any(_SEPARATES.search(str(value)) for value in values))
    if not matches or not is_sure or any(match.outcome is not MatchOutcome.MISMATCH for match in matches):
        return None
    return ProseAgreement(False, f"answered with a list that {score_result(matches[0]).reason}")


def _read_figures(pieces: Sequence[str]) -> list[list[Decimal]]:
    """Return the numbers of a list that holds nothing else: as written in English, and in Indonesian where that differs."""
    read = [figures(piece) for piece in pieces]
    if any(len(found) != 1 or found[0].text != piece for found, piece in zip(read, pieces, strict=True)):
        return []
    readings = [found[0].readings for found in read]
    if any(slack for reading in readings for _, slack in reading):
        return []  # words of scale round
    ways = [[reading[index][0] for reading in readings] for index in (0, -1)]
    return ways if ways[0] != ways[1] else ways[:1]


def _read_texts(pieces: Sequence[str], golden: Sequence[Any]) -> list[list[str]]:
    """Return the texts of a list, unless one is longer in words than all golden values: that is prose."""
    longest = max(len(str(value).split()) for value in golden)
    return [list(pieces)] if all(len(piece.split()) <= longest for piece in pieces) else []


def table_in(text: str) -> list[tuple[str | None, ...]] | None:
    """Return the cells of the one Markdown table in a text, None where one is empty; None when there is no such table."""
    tables: list[list[list[str]]] = []
    lines = text.splitlines()
    for number, line in enumerate(lines[1:], start=1):
        if "|" in line and "-" in line and _RULE_LINE.issuperset(line) and "|" in lines[number - 1]:
            width = len(_cells(lines[number - 1]))
            rows = []
            for following in lines[number + 1 :]:
                if "|" not in following or not following.strip():
                    break
                rows.append(_cells(following))
            if all(len(row) == width for row in rows):
                tables.append(rows)
    if len(tables) != 1 or not tables[0]:
        return None
    return [tuple(cell or None for cell in row) for row in tables[0]]


def _cells(line: str) -> list[str]:
    return [re.sub(r"[*_`]{1,3}(.+?)[*_`]{1,3}", r"\1", cell.strip()) for cell in line.strip().strip("|").split("|")]


def _is_told(figure: Figure, told: Sequence[Figure]) -> bool:
    return any(_is_same(figure.readings, other.readings) for other in told)


def _is_same(readings: Sequence[tuple[Decimal, Decimal]], others: Sequence[tuple[Decimal, Decimal]]) -> bool:
    return bool({value for value, _ in readings} & {value for value, _ in others})


def _shown(value: Any) -> str:
    text = str(value)
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
