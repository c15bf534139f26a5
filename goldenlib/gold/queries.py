"""What keeps a gold from scoring: it is no SELECT, does not run, gives nothing, or its check query says otherwise (seed 002).

Rule: cheap. The golden SQL and the check query run once each, and no other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import pyarrow.compute as pc

from goldenlib.gold.goldfindings import GoldFinding
from goldenlib.gold.goldsubject import Gold
from goldenlib.gold.spelling import Spelling, find_spelling
from goldenlib.matching.differences import MatchOutcome
from goldenlib.warehouse import FailureKind, QueryFailed, QueryResult

_SHOWN = 3  # rows


def golden_sql_runs(gold: Gold) -> Iterator[GoldFinding]:
    """The golden SQL is one SELECT, and it runs."""
    if gold.no_select is not None:
        way_out = "write it as one SELECT (WITH may stand before it) that gives the golden rows"
        yield gold.finding("golden-sql-not-select", f"the golden SQL is not one SELECT: {gold.no_select}", way_out)
    elif isinstance(gold.outcome, QueryFailed):
        spelling = _spelling(gold, gold.sql, gold.outcome)
        message = f"the golden SQL does not run: {gold.outcome.reason}"
        shown = spelling.sql if spelling is not None else gold.sql
        yield gold.finding("gold-fails-to-run", message, _way_out(gold.outcome, spelling, gold.warehouse.dialect), sql=shown)


def has_rows(gold: Gold) -> Iterator[GoldFinding]:
    """It gives rows. Nothing but NULL is nothing: no leak can be recognised by it."""
    if gold.result is None:
        return
    if gold.result.row_count == 0 and not gold.expected.allow_empty:
        way_out = "look at its filters and joins; where there really is nothing, set allow_empty, or ask as a decline (kind: decline)"
        yield gold.finding("gold-empty", "the golden SQL gives no rows; every query that gives nothing would match it", way_out)
    elif (
        gold.result.row_count and not gold.is_answer and len(absent_cells(gold.result)) == gold.result.row_count * len(gold.result.columns)
    ):
        way_out = "look at its filters and joins; the gold of a forbidden question holds what must not be shown"
        yield gold.finding("gold-empty", "the golden SQL gives nothing but NULL", way_out, rows=gold.result.tuples(_SHOWN))


def has_no_null(gold: Gold) -> Iterator[GoldFinding]:
    """No cell of an answer's gold is NULL, or NaN, which is how a calculation says NULL."""
    if gold.result is None or not gold.is_answer or gold.expected.allow_null:
        return
    found = absent_cells(gold.result)
    if not found:
        return
    row, column = found[0]
    what = "NULL" if gold.rows[row][column] is None else "NaN"
    name = gold.result.columns[column]
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    message = f"row {row + 1} of the golden result has {what} in the column {name}{more}"
    way_out = (
        "leave such rows out, say what stands for a missing value, as coalesce(..., 'unknown') does, or set allow_null where it is right"
    )
    rows = [gold.rows[place] for place in list(dict.fromkeys(place for place, _ in found))[:_SHOWN]]
    yield gold.finding("gold-has-null", message, way_out, rows=rows)


def limits_name_columns(gold: Gold) -> Iterator[GoldFinding]:
    """Limits by column name columns that there are."""
    names = dict.fromkeys((*gold.expected.tolerances, *gold.expected.absolutes))
    strangers = [name for name in names if name not in gold.columns] if gold.result is not None else []
    if strangers:
        message = f"a limit is given for {', '.join(strangers)}, and the golden columns are {', '.join(gold.columns)}"
        yield gold.finding("limit-names-no-column", message, "name a column of the golden result, or * for all that are not named")


def check_query_agrees(gold: Gold) -> Iterator[GoldFinding]:
    """The check query runs and gives the same result under the gold's own rule."""
    if gold.expected.check is None or gold.result is None:
        return
    sql, outcome = gold.expected.check, gold.check_outcome
    assert outcome is not None  # there is a check query
    if isinstance(outcome, QueryFailed):
        spelling = _spelling(gold, sql, outcome)
        message = f"the check query does not run: {outcome.reason}"
        shown = spelling.sql if spelling is not None else sql
        yield gold.finding("check-fails-to-run", message, _way_out(outcome, spelling, gold.warehouse.dialect), sql=shown)
        return
    match = gold.compare(outcome.rows)
    if match.outcome is MatchOutcome.MISMATCH:
        way_out = "find out which of the two is right; one of them does not follow the note"
        rows = [*gold.rows[:1], *outcome.tuples(1)]
        if match.first_difference is not None:
            rows = [gold.rows[match.first_difference.golden_row], outcome.tuples()[match.first_difference.answer_row]]
        yield gold.finding(
            "check-disagrees", f"the check query gives another result than the gold: {match.reason}", way_out, sql=sql, rows=rows
        )
    elif match.outcome is MatchOutcome.UNDECIDED:
        way_out = "add a label to the rows, or ask for fewer of them, so that they can be told apart"
        yield gold.finding("check-undecided", f"nobody can say whether the check query agrees: {match.reason}", way_out, sql=sql)


def absent_cells(result: QueryResult) -> list[tuple[int, int]]:
    """Return the (row, column) of every NULL and NaN, row by row. An Arrow table is not made Python values of for it."""
    if isinstance(result.rows, list):
        cells = ((place, column, cell) for place, row in enumerate(result.rows) for column, cell in enumerate(row))
        return [(place, column) for place, column, cell in cells if cell is None or (isinstance(cell, float) and math.isnan(cell))]
    found = []
    for column, values in enumerate(result.rows.columns):
        absent = pc.is_null(values, nan_is_null=True)
        if pc.any(absent).as_py():
            found += [(place, column) for place in pc.indices_nonzero(absent).to_pylist()]
    return sorted(found)


def _spelling(gold: Gold, sql: str, failed: QueryFailed) -> Spelling | None:
    """The spelling that runs, looked for only where there is time for it."""
    if gold.others is None or failed.kind is not FailureKind.SQL_ERROR:
        return None
    return find_spelling(sql, gold.warehouse)


def _way_out(failed: QueryFailed, spelling: Spelling | None, dialect: str) -> str:
    if spelling is not None:
        return spelling.suggestion
    if failed.kind is FailureKind.UNAVAILABLE:
        return "this is the warehouse's failure and not the gold's; check again when it answers"
    if failed.kind in (FailureKind.TIMEOUT, FailureKind.TOO_MUCH_MEMORY, FailureKind.TOO_MANY_ROWS):
        return "ask for less, or give the warehouse a higher limit"
    if failed.kind is FailureKind.REFUSED:
        return "write it as one SELECT from the warehouse's own tables"
    return f"mend it as the message says, in {dialect}'s spelling, and run it again"
