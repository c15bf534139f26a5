"""Stability: whether a gold is the same when nothing but the machine's way to it is another.

Rule: only a difference that the gold's own rule sees is told, and it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from goldenlib.gold.goldfindings import GoldFinding
from goldenlib.gold.goldsubject import Gold
from goldenlib.gold.sqlreading import UNREADABLE, SqlReading, base_tables, scopes_of
from goldenlib.warehouse import QueryResult

_ALL = 9_223_372_036_854_775_807  # a LIMIT that keeps all, with which no engine drops the ORDER BY of a subquery
_WAY_OUT = (
    "say which rows are meant, with an ORDER BY up to a unique key in LIMIT, first, string_agg, arg_max and window functions; "
    "sums of floating-point numbers need a tolerance, or DECIMAL"
)


def same_in_any_row_order(gold: Gold) -> Iterator[GoldFinding]:
    """The result does not hang on the order in which tables are read: a table has none."""
    if gold.reading is None or gold.result is None:
        return
    turned = _read_backwards(gold.reading)
    if turned is None:
        return
    other = gold.warehouse.run(turned, trusted=True)
    match = gold.differs(other)
    if match is None or not isinstance(other, QueryResult):
        return
    # Written anew by sqlglot, the query must still be this one before its result says anything.
    again = gold.warehouse.run(gold.reading.sql(), trusted=True)
    if not isinstance(again, QueryResult) or not gold.compare(again.rows):
        return
    rows = [*gold.rows[:1], *other.tuples(1)]
    if match.first_difference is not None:
        rows = [gold.rows[match.first_difference.golden_row], other.tuples()[match.first_difference.answer_row]]
    message = f"with its tables read backwards, the golden SQL gives another result: {match.reason}"
    yield gold.finding("changes-with-row-order", message, _WAY_OUT, sql=turned, rows=rows)


def same_with_any_threads(gold: Gold) -> Iterator[GoldFinding]:
    """The result is the same on one thread and on several, where the engine is DuckDB."""
    if gold.result is None or gold.others is None:
        return
    other = gold.others.with_threads(gold.sql)
    match = gold.differs(other) if other is not None else None
    if match is None or not isinstance(other, QueryResult):
        return
    rows = [*gold.rows[:1], *other.tuples(1)]
    threads = f"{gold.others.threads} thread{'s' if gold.others.threads > 1 else ''}"
    message = f"run again with {threads}, the golden SQL gives another result: {match.reason}"
    yield gold.finding("changes-with-threads", message, f"take no sample and no random number; {_WAY_OUT}", rows=rows)


def _read_backwards(reading: SqlReading) -> str | None:
    """Return the query over the same tables, each read from its last row to its first; None where it reads none."""
    tree = reading.tree.copy()
    tables = [(name, table) for _, name, table in base_tables(scopes_of(tree)) if not _has_more(table)]
    for name, table in tables:
        plain = table.copy()
        plain.set("alias", None)
        backwards = exp.Ordered(this=exp.Window(this=exp.RowNumber()), desc=True)
        turned = exp.select("*").from_(plain).limit(_ALL)
        turned.set("order", exp.Order(expressions=[backwards]))
        alias = table.args.get("alias")
        named = alias.copy() if alias is not None else exp.TableAlias(this=exp.to_identifier(name, quoted=table.this.args.get("quoted")))
        table.replace(exp.Subquery(this=turned, alias=named))
    try:
        return reading.sql(tree) if tables else None
    except UNREADABLE:
        return None


def _has_more(table: exp.Table) -> bool:
    """Whether more hangs on a table than its name and alias, such as a sample, a pivot or a join in brackets."""
    return any(value for part, value in table.args.items() if part not in ("this", "db", "catalog", "alias"))
