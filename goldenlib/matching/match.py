"""results_match: whether an answer's rows are the golden rows (contract 9, seed 002).

MatchRule: complete. MATCH means that a lining-up of columns and a pairing of rows exists, MISMATCH that none does; a search that was given
up is UNDECIDED, which says nothing about the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from goldenlib.matching.budget import DEFAULT_BUDGET, Budget
from goldenlib.matching.comparison import TableComparison
from goldenlib.matching.differences import LinedUpColumn, MatchOutcome, ResultMatch
from goldenlib.matching.encoding import encode
from goldenlib.matching.explaining import BOTH_EMPTY, explain_match, explain_mismatch, explain_undecided
from goldenlib.matching.resulttables import read_table
from goldenlib.matching.tolerances import DEFAULT_ABSOLUTE, DEFAULT_TOLERANCE, MatchRule

_MANY_ROWS = 50_000


def results_match(
    rows: Any,
    golden: Any,
    order_matters: bool = False,
    tolerance: float | Sequence[float] = DEFAULT_TOLERANCE,
    absolute: float | Sequence[float] = DEFAULT_ABSOLUTE,
    *,
    tied_on: Sequence[int] | None = None,
    budget: int = DEFAULT_BUDGET,
) -> ResultMatch:
    """Compare an answer's rows with the golden rows.

    Rows match when the golden columns can be lined up with answer columns (names and order ignored, extra columns allowed) and the
    rows paired one to one (in the given order with `order_matters`) so that all cells agree: numbers when
    |answer - golden| <= tolerance * |golden| + absolute, decided exactly; everything else when it is the same thing (`cells`). Each
    limit is one number, or a list of one for each golden column. Both results may be rows (tuples, lists, dicts), an Arrow table, a
    DuckDB relation or a DataFrame. Two empty results match.

    `tied_on` are the golden columns that an ordered result is sorted by: golden rows that follow one another and are equal in these
    may come in any order. `budget` is in steps of about one cell; when it is spent the outcome is UNDECIDED, which is false but does
    not mean wrong. Raises ValueError for limits that are not finite or below 0, and for rows of different lengths.

    >>> str(results_match([(35297, "APAC"), (51762, "AMER")], [("AMER", 51762.14), ("APAC", 35296.93)]).outcome)
    'match'
    """
    rules = _rules(tolerance, absolute)
    if type(budget) is not int or budget < 0:
        raise ValueError(f"budget must be a number of steps, 0 or more, not {budget!r}; leave it out for {DEFAULT_BUDGET:,}")
    if not order_matters and _are_the_same_rows(rows, golden):
        return _same_rows(golden)
    golden_table, answer_table = read_table(golden, "golden"), read_table(rows, "answer")
    _check_ties(tied_on, len(golden_table.columns), golden_table.rows)
    if golden_table.rows == answer_table.rows == 0:
        return ResultMatch(MatchOutcome.MATCH, BOTH_EMPTY, 0, 0)
    if not isinstance(rules, MatchRule) and len(rules) != len(golden_table.columns):
        raise ValueError(f"limits for {len(rules)} columns, and there are {len(golden_table.columns)} golden ones; give one for each")
    comparison = TableComparison.of(golden_table, answer_table, rules, order_matters, tied_on)
    found, is_undecided = comparison.line_up(Budget(budget))
    if found is not None:
        return explain_match(comparison, found)
    if is_undecided:
        return explain_undecided(golden_table, answer_table, budget)
    return explain_mismatch(comparison, order_matters)


def _rules(tolerance: float | Sequence[float], absolute: float | Sequence[float]) -> MatchRule | list[MatchRule]:
    """Return the rule of all golden columns, or one for each of them."""
    lists = [limit for limit in (tolerance, absolute) if isinstance(limit, list | tuple)]
    if not lists:
        return MatchRule.read(tolerance, absolute)
    both = [limit if isinstance(limit, list | tuple) else [limit] * len(lists[0]) for limit in (tolerance, absolute)]
    return [MatchRule.read(*limits) for limits in zip(*both, strict=True)]


def why_unreadable(rows: Any) -> str | None:
    """Return why no comparison could take these rows, in words; None when one can."""
    try:
        encode(read_table(rows, "golden"), read_table([], "answer"))
    except MemoryError:
        raise
    except Exception as error:  # whatever a value does when it is looked at is told as a fault of the rows
        return f"its result cannot be read: {type(error).__name__}: {error}"
    return None


def _check_ties(tied_on: Sequence[int] | None, columns: int, rows: int) -> None:
    if tied_on is None or not rows:
        return
    for index in tied_on:
        if type(index) is not int or not 0 <= index < columns:
            raise ValueError(f"tied_on names golden column {index!r}; the golden columns are 0 to {columns - 1}")


def _are_the_same_rows(rows: Any, golden: Any) -> bool:
    """Return whether two long lists hold the very same row objects, in any order, so that there is nothing to compare."""
    if not isinstance(rows, list) or not isinstance(golden, list) or len(rows) != len(golden) or len(rows) < _MANY_ROWS:
        return False
    places = np.fromiter(map(id, golden), np.int64, len(golden))
    places.sort()
    some = np.array([id(row) for row in rows[:: len(rows) // 100]])
    if not (places[np.searchsorted(places, some).clip(max=len(places) - 1)] == some).all():
        return False
    others = np.fromiter(map(id, rows), np.int64, len(rows))
    others.sort()
    return bool(np.array_equal(places, others))


def _same_rows(golden: list[Any]) -> ResultMatch:
    table = read_table(golden[:1], "golden")
    columns = tuple(LinedUpColumn(index, index, name, name) for index, name in enumerate(table.names))
    reason = f"matches: {len(golden):,} rows, the same on both sides"
    return ResultMatch(MatchOutcome.MATCH, reason, len(golden), len(golden), columns)
