"""Exactness: whether the gold's tolerance can tell apart what has to be told apart.

MatchRule: judged by the cells as `results_match` reads them, with the gold's own rule.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from decimal import Decimal

from sqlglot import exp

from goldenlib.folding import fold
from goldenlib.gold.goldfindings import GoldFinding, Severity
from goldenlib.gold.goldsubject import Gold, Row
from goldenlib.items import Item
from goldenlib.matching.cells import Cell, CellKind, cells_agree, exact_number, read_cell, shape_of
from goldenlib.matching.tolerances import MatchRule

_MOST_STEPS = 200_000
_YEARS = range(1900, 2101)
_YEAR_NAMES = ("year", "tahun")
_YEAR_WORDS = frozenset((*_YEAR_NAMES, "years"))
_WORD = re.compile(r"\w+")
_LABEL_NAMES = ("id", "identifier", "key", "code", "number", "no", "nomor", "kode")


def rows_are_distinct(gold: Gold) -> Iterator[GoldFinding]:
    """No two different rows of the gold are equal under its tolerance, as the years 2024 and 2025 are at 0.05 percent."""
    if not gold.is_answer or len(gold.first_rows) < 2 or _rule(gold).is_exact or gold.expected.tolerances or gold.expected.absolutes:
        return
    pair = _indistinct(gold.first_rows, _rule(gold))
    if pair is None:
        return
    rule = gold.expected
    message = f"two rows of the gold are equal under its own rule (tolerance {rule.tolerance:g}, absolute {rule.absolute:g})"
    if gold.order_matters:
        severity, way_out = Severity.NOTE, "fine where they are amounts that happen to be near; for labels such as years set tolerance = 0"
    else:
        severity, way_out = (
            Severity.WARNING,
            "set tolerance = 0 and absolute = 0 for whole numbers, or select the label that tells the rows apart",
        )
    yield gold.finding("rows-indistinct", message, way_out, severity=severity, rows=pair)


def whole_numbers_are_exact(gold: Gold) -> Iterator[GoldFinding]:
    """A year, a number that is a label, or a count is not compared with a slack of a whole unit."""
    if not gold.is_answer or gold.result is None or gold.reading is None or _rule(gold).is_exact:
        return
    columns = gold.result.columns
    for index, name in enumerate(columns):
        values = [row[index] for row in gold.first_rows]
        if not values or not all(type(value) is int for value in values):
            continue
        largest, rule = max(values, key=abs), gold.expected.loosest([name])
        slack = rule.tolerance * abs(largest) + rule.absolute
        what = _whole(gold.reading.output_at(index, len(columns)), name, values, asks_year=_asks_year(gold.item))
        if slack < 1 or what is None:
            continue
        message = f"{name} holds {what}, and the rule lets {largest} be {largest + int(slack)}"
        severity = Severity.NOTE if what == "a count" else Severity.WARNING
        way_out = (
            "set tolerance = 0 and absolute = 0; where the gold holds rounded amounts too, ask for the two apart or give the label as text"
        )
        yield gold.finding("whole-numbers-with-tolerance", message, way_out, severity=severity)
        return


def _rule(gold: Gold) -> MatchRule:
    loosest = gold.expected.loosest(gold.columns)
    return MatchRule.read(loosest.tolerance, loosest.absolute)


def _indistinct(rows: Sequence[Row], rule: MatchRule) -> tuple[Row, Row] | None:
    """Return two rows that differ and agree, or None when there are none (or too many to go through)."""
    alike: dict[Hashable, list[tuple[list[Cell], Row]]] = defaultdict(list)
    for row in rows:
        cells = [read_cell(cell) for cell in row]
        alike[tuple(shape_of(cell) for cell in cells)].append((cells, row))
    steps = _MOST_STEPS
    for group in alike.values():
        number = next((place for place, cell in enumerate(group[0][0]) if cell.kind is CellKind.NUMBER), None)
        if number is None or len(group) < 2:
            continue
        if not all(cells[number].kind is CellKind.NUMBER for cells, _ in group):
            continue
        group.sort(key=lambda one: exact_number(one[0][number].key))
        for place, (cells, row) in enumerate(group):
            for others, other in group[place + 1 :]:
                steps -= 1
                if steps < 0 or not _agree(cells[number], others[number], rule):
                    break
                if cells != others and all(_agree(a, b, rule) for a, b in zip(cells, others, strict=True)):
                    return row, other
    return None


def _agree(one: Cell, other: Cell, rule: MatchRule) -> bool:
    return cells_agree(one, other, rule) or cells_agree(other, one, rule)


def _asks_year(item: Item) -> bool:
    return any(word in _YEAR_WORDS for word in _WORD.findall(fold(" ".join(item.messages))))


def _whole(output: exp.Expr | None, name: str, values: Sequence[int], *, asks_year: bool) -> str | None:
    """What a column of whole numbers is, if that is something to be compared exactly."""
    while isinstance(output, exp.Cast | exp.Paren):
        output = output.this
    named = name.casefold()
    says_year = isinstance(output, exp.Year) or (isinstance(output, exp.Extract) and output.name.upper() == "YEAR")
    says_year = says_year or any(named == word or named.endswith(f"_{word}") or named.startswith(f"{word}(") for word in _YEAR_NAMES)
    says_year = says_year or (asks_year and isinstance(output, exp.Column | exp.Min | exp.Max))
    if says_year and all(value in _YEARS for value in values):
        return "a year"
    if isinstance(output, exp.Column) and any(named == word or named.endswith(f"_{word}") for word in _LABEL_NAMES):
        return "a label"
    return "a count" if isinstance(output, exp.Count | exp.CountIf) else None


def decimals_of(value: object) -> int | None:
    """Return how many decimals a number shows: of a float, those it prints; None for what is no finite number.

    >>> decimals_of(0.25), decimals_of(Decimal("3.00")), decimals_of(7)
    (2, 0, 0)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not number.is_finite():
        return None
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else None
