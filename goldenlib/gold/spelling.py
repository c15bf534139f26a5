"""Spelling: SQL of another dialect, written so that it runs here.

Rule: nothing is suggested that was not run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sqlglot
from sqlglot import exp

from goldenlib.gold.sqlreading import UNREADABLE
from goldenlib.warehouse import FailureKind, QueryResult, Warehouse
from goldenlib.wordlists import WordLists

_SHOWN_NAMES = WordLists.of(__package__, "names").table("dialects")  # each is read, written in the warehouse's dialect, and tried
_UNITS = {"microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"}


@dataclass(frozen=True)
class Spelling:
    """A spelling that runs in the warehouse, and the sentence that offers it."""

    sql: str
    suggestion: str


def find_spelling(sql: str, warehouse: Warehouse) -> Spelling | None:
    """Return a spelling of a query that failed which runs in this warehouse, or None.

    First each part is kept in the order it was written in; only then is the text read as another dialect's.
    """
    tried = {sql}
    for candidate in _candidates(sql, warehouse.dialect):
        if candidate.sql in tried:
            continue
        tried.add(candidate.sql)
        outcome = warehouse.run(candidate.sql, trusted=True)
        if isinstance(outcome, QueryResult):
            return candidate
        if outcome.kind is not FailureKind.SQL_ERROR:
            return None  # too slow or too large to go on trying
    return None


def _candidates(sql: str, dialect: str) -> Iterator[Spelling]:
    here = _SHOWN_NAMES.get(dialect, dialect)
    if dialect == "duckdb":
        yield from _unit_first(sql)
    for other in _SHOWN_NAMES:
        if other == dialect:
            continue
        try:
            written = sqlglot.transpile(sql, read=other, write=dialect, pretty=True)
        except UNREADABLE:
            continue
        if len(written) == 1:
            yield Spelling(
                written[0], f"read as {_SHOWN_NAMES[other]}'s SQL and written for {here} it runs, as shown; check that it means the same"
            )


def _unit_first(sql: str) -> Iterator[Spelling]:
    """DATE_DIFF(start, end, "day") as DuckDB has it: the unit first and as a text, the dates in the order they were written in."""
    try:
        tree = sqlglot.parse_one(sql)
    except UNREADABLE:
        return
    written = []
    for node in list(tree.find_all(exp.DateDiff, exp.Anonymous)):
        arguments = _arguments(node)
        units = [part for part in arguments if part.name.casefold() in _UNITS and not part.find(exp.Func)]
        if len(arguments) == 3 and len(units) == 1:
            dates = [part.copy() for part in arguments if part is not units[0]]
            new = exp.Anonymous(this="date_diff", expressions=[exp.Literal.string(units[0].name.lower()), *dates])
            written.append(new.sql(dialect="duckdb"))
            node.replace(new)
    if written:
        yield Spelling(
            tree.sql(dialect="duckdb", pretty=True),
            f"DuckDB spells it {', '.join(dict.fromkeys(written))}, with which it runs as shown; "
            "it counts from the first date to the second, so look at the sign",
        )


def _arguments(node: exp.Expr) -> list[exp.Expr]:
    """The arguments of a function that counts between two dates, in the order the generic dialect reads them."""
    if isinstance(node, exp.Anonymous):
        return list(node.expressions) if node.name.casefold() in ("date_diff", "datediff", "timestampdiff") else []
    return [part for part in (node.this, node.expression, node.args.get("unit")) if part is not None]
