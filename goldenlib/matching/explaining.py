"""Explaining: a comparison's outcome in a sentence, with the places that show it.

Rule: the sentence is for people who know the data and not the code; values are shown as they stand in the results.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from goldenlib.matching.comparison import TableComparison
from goldenlib.matching.differences import Difference, LinedUpColumn, MatchOutcome, ResultMatch
from goldenlib.matching.guessing import columns_to_blame, guess_reason
from goldenlib.matching.lining import LiningUp
from goldenlib.matching.nearest import Nearest, find_nearest
from goldenlib.matching.resulttables import ResultTable

_SHOWN_ROWS = 5
_LABELS = 2
_LONGEST_VALUE, _LONGEST_INTEGER = 80, 256
BOTH_EMPTY = "matches: both results are empty"


def explain_match(comparison: TableComparison, found: LiningUp) -> ResultMatch:
    """Return a match with its lining-up."""
    golden, answer = comparison.golden, comparison.answer
    columns = _lined_up(golden, answer, enumerate(found.columns))
    extra = len(answer.columns) - len(golden.columns)
    another = comparison.has_another(found)
    parts = [f"matches: {_count(golden.rows, 'row')}, {_count(len(columns), 'column')} lined up"]
    if extra:
        parts.append(f"{_count(extra, 'extra column')} ignored")
    if another:
        parts.append("the columns can be lined up in another way too, so the match may be chance")
    return ResultMatch(MatchOutcome.MATCH, "; ".join(parts), golden.rows, answer.rows, columns, extra, another)


def explain_undecided(golden: ResultTable, answer: ResultTable, budget: int) -> ResultMatch:
    """Return an outcome that says nothing about the answer."""
    reason = (
        f"undecided: {budget:,} steps were not enough to try the ways in which columns and rows can be lined up; the answer may be "
        "right or wrong. Give a larger budget, or a golden result with fewer columns that look alike"
    )
    return ResultMatch(MatchOutcome.UNDECIDED, reason, golden.rows, answer.rows)


def explain_mismatch(comparison: TableComparison, order_matters: bool) -> ResultMatch:
    """Return a mismatch with the nearest pairing and a guess."""
    golden, answer = comparison.golden, comparison.answer
    blamed = columns_to_blame(comparison)
    nearest = find_nearest(comparison, blamed, by_place=order_matters)
    guess = guess_reason(comparison, nearest, blamed, order_matters, lambda column: _column_name(golden, column))
    difference = _first_difference(comparison, nearest)
    missing, extra = (None if rows is None else rows.tolist() for rows in (nearest.missing, nearest.extra))
    parts = [*_about_counts(golden, answer), *_about_rows(golden, answer, missing, extra), *_about_difference(golden, difference, nearest)]
    if guess is not None:
        parts.append(f"guess: {guess}")
    return ResultMatch(
        MatchOutcome.MISMATCH,
        "does not match: " + ("; ".join(parts) or "no lining-up of the columns fits all rows"),
        golden.rows,
        answer.rows,
        _lined_up(golden, answer, nearest.columns),
        max(0, len(answer.columns) - len(golden.columns)),
        missing_rows=None if missing is None else len(missing),
        extra_rows=None if extra is None else len(extra),
        missing=tuple(golden.row(row) for row in (missing or [])[:_SHOWN_ROWS]),
        extra=tuple(answer.row(row) for row in (extra or [])[:_SHOWN_ROWS]),
        first_difference=difference,
        guess=guess,
    )


def _lined_up(golden: ResultTable, answer: ResultTable, columns: Any) -> tuple[LinedUpColumn, ...]:
    return tuple(LinedUpColumn(j, k, golden.names[j], answer.names[k]) for j, k in columns)


def _first_difference(comparison: TableComparison, nearest: Nearest) -> Difference | None:
    if nearest.changed is None or not len(nearest.changed[0]):
        return None
    golden_row, answer_row = nearest.changed[0][:1], nearest.changed[1][:1]
    for j, k in nearest.columns:
        if not comparison.agreement(comparison.golden_columns[j], comparison.answer_columns[k], golden_row, answer_row).all():
            rows = int(golden_row[0]), int(answer_row[0])
            return Difference(*rows, j, k, comparison.golden.value(rows[0], j), comparison.answer.value(rows[1], k))
    return None


def _about_counts(golden: ResultTable, answer: ResultTable) -> list[str]:
    parts = []
    if golden.rows != answer.rows:
        parts.append(f"the answer has {_count(answer.rows, 'row')}, the golden result {_count(golden.rows, 'row')}")
    if len(answer.columns) < len(golden.columns) and answer.rows:
        parts.append(f"the answer has {_count(len(answer.columns), 'column')}, the golden result {_count(len(golden.columns), 'column')}")
    return parts


def _about_rows(golden: ResultTable, answer: ResultTable, missing: Sequence[int] | None, extra: Sequence[int] | None) -> list[str]:
    parts = []
    for rows, table, words in ((missing, golden, "missing"), (extra, answer, "too many")):
        if rows:
            parts.append(f"{_count(len(rows), 'row')} {words}, first {_shown(table.row(rows[0]))}")
    return parts


def _about_difference(golden: ResultTable, difference: Difference | None, nearest: Nearest) -> list[str]:
    if difference is None:
        return []
    row = f"row {difference.golden_row + 1}{_label(golden, difference)}"
    where = f"{_column_name(golden, difference.golden_column)} in {row}"
    others = len(nearest.changed[0]) - 1 if nearest.changed is not None else 0
    more = f" (and {_count(others, 'more row')})" if others else ""
    return [f"{where}: golden {_shown(difference.golden)}, answer {_shown(difference.answer)}{more}"]


def _label(golden: ResultTable, difference: Difference) -> str:
    """What names the row: its texts and dates, the first two of them; rows in any order have no number that a reader could look up."""
    cells = [value for column, value in enumerate(golden.row(difference.golden_row)) if column != difference.golden_column]
    named = [value for value in cells if isinstance(value, str | date)][:_LABELS]
    return f" ({', '.join(map(_shown, named))})" if named else ""


def _column_name(golden: ResultTable, column: int) -> str:
    return golden.names[column] or f"column {column + 1}"


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))})"
    if isinstance(value, int) and value.bit_length() > _LONGEST_INTEGER:  # Python refuses to write very long ones
        return f"an integer of {value.bit_length():,} bits"
    if isinstance(value, bool):
        return str(value).lower()
    text = "NULL" if value is None else repr(value) if isinstance(value, (str, bytes, bool, int, float, list, dict)) else str(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"
