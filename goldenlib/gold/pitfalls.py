"""Pitfalls: what SQL does in silence that its author did not mean: a filter that finds nothing, rows cut off or multiplied, chance.

Rule: told from what the query says, and where a table has to be asked, from what it holds; a query that may be meant so is a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from goldenlib.gold.goldfindings import GoldFinding, Severity
from goldenlib.gold.goldsubject import Gold
from goldenlib.gold.sqlreading import SqlReading
from goldenlib.warehouse import QueryResult
from goldenlib.wordlists import WordLists

_MOST_LITERALS = 12  # of a query, each of which is looked for in its table
_RANDOM_CLASSES = ("Rand", "Randn", "Uuid", "TableSample")
_RANDOM_NODES = tuple(getattr(exp, name) for name in _RANDOM_CLASSES if hasattr(exp, name))
_RANDOM_NAMES = WordLists.of(__package__, "names").set("random")
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def takes_nothing_at_random(gold: Gold) -> Iterator[GoldFinding]:
    """It is the same result when it is run again."""
    if gold.reading is None or gold.result is None:
        return
    chance = next((node for node in gold.reading.tree.walk() if _is_random(node)), None)
    way_out = "take no sample and no random number; say which rows are meant by a key"
    if chance is not None:
        message = f"the golden SQL draws at random: {gold.reading.sql(chance)}; its result is another one every time"
        yield gold.finding("changes-between-runs", message, way_out)
    elif gold.warehouse.dialect != "duckdb":  # DuckDB is run again with other threads
        other = gold.warehouse.run(gold.sql, trusted=True)
        match = gold.differs(other)
        if match is not None and isinstance(other, QueryResult):
            message = f"run a second time, the golden SQL gives another result: {match.reason}"
            yield gold.finding("changes-between-runs", message, way_out, rows=[*gold.rows[:1], *other.tuples(1)])


def same_in_any_time_zone(gold: Gold) -> Iterator[GoldFinding]:
    """The result does not hang on the time zone of the session, unless the zone was set."""
    if gold.result is None or gold.others is None:
        return
    other = gold.others.in_zone(gold.sql)
    match = gold.differs(other) if other is not None else None
    if match is None or not isinstance(other, QueryResult):
        return
    rows = [*gold.rows[:1], *other.tuples(1)]
    if match.first_difference is not None:
        rows = [gold.rows[match.first_difference.golden_row], other.tuples()[match.first_difference.answer_row]]
    own, zone = gold.warehouse.time_zone, gold.others.zone
    message = f"the golden SQL runs in the time zone {own}, and gives another result in {zone}: {match.reason}"
    way_out = "name the zone in the question and in the SQL, as AT TIME ZONE does, or set warehouse_time_zone to the one that is meant"
    severity = Severity.NOTE if gold.warehouse.zone_is_set else None
    yield gold.finding("depends-on-time-zone", message, way_out, rows=rows, severity=severity)


def limit_has_order(gold: Gold) -> Iterator[GoldFinding]:
    """A LIMIT that leaves rows out says which."""
    reading, result = gold.reading, gold.result
    if reading is None or result is None or reading.limit is None or reading.keys or result.row_count < max(1, reading.limit):
        return
    tree = reading.tree.copy()
    tree.set("limit", exp.Limit(expression=exp.Literal.number(reading.limit + 1)))
    more = gold.warehouse.run(reading.sql(tree), trusted=True)
    if isinstance(more, QueryResult) and more.row_count > reading.limit:
        message = f"LIMIT {reading.limit} leaves rows out, and no ORDER BY says which: those that are kept are chance"
        yield gold.finding("limit-without-order", message, "add ORDER BY up to a unique key, or ask for all rows", rows=more.tuples()[:2])


def filters_find_something(gold: Gold) -> Iterator[GoldFinding]:
    """Each text that a column is compared with stands in that column somewhere: a misspelt one counts nothing, in silence."""
    if gold.reading is None or gold.result is None:
        return
    is_zero = gold.result.row_count == 1 and all(_is_nothing(cell) for cell in gold.first_rows[0])
    asked = 0
    for scope in gold.reading.scopes:
        for column, text in _compared_texts(scope):
            table = _table_of(scope, column)
            if table is None or asked >= _MOST_LITERALS:
                continue
            asked += 1
            held = _held(gold.reading, table, column, text)
            outcome = gold.warehouse.run(held, trusted=True)
            if isinstance(outcome, QueryResult) and outcome.row_count == 0:
                shown = gold.reading.sql(column)
                message = f"{shown} is {text.name!r} in no row of {table.name}"
                message += ", and the golden result is nothing but zero" if is_zero else "; that part of the filter finds nothing"
                way_out = (
                    f"look how the values of {shown} are written (case, blanks, language); where none really has it, say so in the note"
                )
                severity = None if is_zero else Severity.NOTE
                yield gold.finding("filter-finds-nothing", message, way_out, severity=severity, rows=gold.first_rows[:1])
                return


def last_day_is_whole(gold: Gold) -> Iterator[GoldFinding]:
    """A moment is not bounded by the midnight with which the last day begins."""
    if gold.reading is None:
        return
    for scope in gold.reading.scopes:
        where = scope.expression.args.get("where") if isinstance(scope.expression, exp.Select) else None
        for column, day in _last_days(where):
            table = _table_of(scope, column)
            if table is None or not _has_times(gold, table, column):
                continue
            name = gold.reading.sql(column)
            message = f"{name} has a time of day, and is asked for up to {day}: all but the first moment of that day is left out"
            yield gold.finding("last-day-cut-off", message, f"write {name} < the day after {day}, or compare its date")
            return


def counts_what_it_says(gold: Gold) -> Iterator[GoldFinding]:
    """COUNT counts whatever is not NULL: a CASE with ELSE 0 is counted in every row."""
    for node in gold.reading.tree.find_all(exp.Count) if gold.reading is not None else ():
        counted = node.this
        case = (
            counted.args.get("default")
            if isinstance(counted, exp.Case)
            else counted.args.get("false")
            if isinstance(counted, exp.If)
            else None
        )
        if isinstance(case, exp.Literal | exp.Boolean) and gold.reading is not None:
            message = f"{gold.reading.sql(node)} counts every row: what ELSE gives is not NULL"
            yield gold.finding("count-of-else", message, "leave ELSE out, write SUM, or put the condition into a FILTER or WHERE")
            return


def tables_are_joined(gold: Gold) -> Iterator[GoldFinding]:
    """No table stands beside another one without a condition: each row would meet each row."""
    if gold.reading is None:
        return
    for scope in gold.reading.scopes:
        for join in scope.expression.args.get("joins") or () if isinstance(scope.expression, exp.Select) else ():
            name = join.this.alias_or_name
            if join.args.get("on") or join.args.get("using") or join.args.get("method") or not _is_many(scope, name):
                continue
            others = {other for other in scope.sources if other != name and _is_many(scope, other)}
            if not others or _is_bound(scope, name, others):
                continue
            is_meant = str(join.args.get("kind") or "").upper() == "CROSS"
            message = f"{name} stands beside {', '.join(sorted(others))} without a condition: every row of one meets every row of the other"
            way_out = (
                "say what joins them, in ON or in WHERE" if not is_meant else "fine where each pair is meant; else say what joins them"
            )
            yield gold.finding("joined-without-condition", message, way_out, severity=Severity.NOTE if is_meant else None)
            return


# --- reading ---


def _is_random(node: exp.Expr) -> bool:
    if isinstance(node, _RANDOM_NODES):
        return True
    return isinstance(node, exp.Anonymous) and node.name.casefold() in _RANDOM_NAMES


def _is_nothing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, int | float | Decimal) and cell == 0)


def _compared_texts(scope: Scope) -> Iterator[tuple[exp.Column, exp.Literal]]:
    """Give the columns that are to be a text, or one of several. What is not to be one may well be absent."""
    for node in scope.find_all(exp.EQ, exp.In):
        if node.find_ancestor(exp.Not) is not None:
            continue
        sides = (node.this, node.expression) if isinstance(node, exp.EQ) else (node.this, None)
        column = next((side for side in sides if isinstance(side, exp.Column)), None)
        texts: Iterable[Any] = node.expressions if isinstance(node, exp.In) else sides
        for text in texts:
            if column is not None and isinstance(text, exp.Literal) and text.is_string:
                yield column, text


def _table_of(scope: Scope, column: exp.Column) -> exp.Table | None:
    """Return the table of the warehouse that a column is of; None where that cannot be told."""
    tables = {name.casefold(): source for name, source in scope.sources.items()}
    source = tables.get(column.table.casefold()) if column.table else (next(iter(tables.values())) if len(tables) == 1 else None)
    return source if isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier) else None


def _asked_of(table: exp.Table) -> exp.Table:
    return exp.table_(table.this.copy(), table.args.get("db"), table.args.get("catalog"))


def _held(reading: SqlReading, table: exp.Table, column: exp.Column, text: exp.Literal) -> str:
    condition = exp.EQ(this=exp.Column(this=column.this.copy()), expression=text.copy())
    return reading.sql(exp.select(exp.Literal.number(1)).from_(_asked_of(table)).where(condition).limit(1))


def _last_days(where: exp.Expr | None) -> Iterator[tuple[exp.Column, str]]:
    """Give the columns that are bounded by a day without a time, the bound included."""
    for node in where.find_all(exp.Between, exp.LTE) if where is not None else ():
        column, bound = node.this, node.args.get("high") if isinstance(node, exp.Between) else node.expression
        while isinstance(bound, exp.Cast | exp.Paren):
            bound = bound.this
        if isinstance(column, exp.Column) and isinstance(bound, exp.Literal) and bound.is_string and _DAY.fullmatch(bound.name):
            yield column, bound.name


def _has_times(gold: Gold, table: exp.Table, column: exp.Column) -> bool:
    """Whether the newest value of a column is a moment within a day."""
    assert gold.reading is not None  # the column was read
    newest = exp.select(exp.Max(this=exp.Column(this=column.this.copy()))).from_(_asked_of(table))
    outcome = gold.warehouse.run(gold.reading.sql(newest), trusted=True)
    value = outcome.tuples()[0][0] if isinstance(outcome, QueryResult) and outcome.row_count == 1 else None
    if isinstance(value, str) and len(value) > len("2026-01-31"):  # SQLite has no moments
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return False
    return isinstance(value, datetime) and (value.hour, value.minute, value.second, value.microsecond) != (0, 0, 0, 0)


def _is_many(scope: Scope, name: str) -> bool:
    """Whether a source may have several rows: a table, or a query that is no total of one row."""
    source = scope.sources.get(name)
    if isinstance(source, exp.Table):
        return isinstance(source.this, exp.Identifier)
    query = source.expression if isinstance(source, Scope) else None
    if not isinstance(query, exp.Select) or not query.args.get("from_", query.args.get("from")):
        return False
    limit = query.args.get("limit")
    if limit is not None and limit.expression is not None and limit.expression.name == "1":
        return False
    return bool(query.args.get("group")) or not any(output.find(exp.AggFunc) for output in query.selects)


def _is_bound(scope: Scope, name: str, others: set[str]) -> bool:
    """Whether some condition of the query names a column of it together with one of the others, or a column of nobody knows whom."""
    where = scope.expression.args.get("where")
    ons = [join.args["on"] for join in scope.expression.args.get("joins") or () if join.args.get("on")]
    for condition in [*([where.this] if where is not None else []), *ons]:
        parts = condition.flatten() if isinstance(condition, exp.And) else [condition]
        for part in parts:
            named = {column.table for column in part.find_all(exp.Column)}
            if "" in named and len(list(part.find_all(exp.Column))) > 1:
                return True
            if name in named and named & others:
                return True
    return False
