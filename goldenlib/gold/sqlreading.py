"""Reading: what the text of a query says about its result, found by parsing it.

Rule: what sqlglot does not read is not guessed at; the checks that need it then find nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, traverse_scope

from goldenlib.warehouse import FailureKind, Refusal, check_select
from goldenlib.warehouse.refusing import called_functions

# What sqlglot raises, or stumbles over, on some texts.
UNREADABLE = (SqlglotError, ValueError, TypeError, AttributeError, KeyError, IndexError, AssertionError, RecursionError)


@dataclass(frozen=True)
class SqlReading:
    """One query that was parsed: `tree` as it stands, never changed."""

    tree: exp.Query
    dialect: str

    @classmethod
    def of(cls, sql: str, dialect: str) -> SqlReading | None:
        """Return the reading of one query; None when this is no query that sqlglot reads."""
        if isinstance(_select(sql, dialect), Refusal):
            return None
        tree: Any = sqlglot.parse_one(sql, dialect=dialect)
        while isinstance(tree, exp.Subquery) and not any(tree.args.get(part) for part in ("order", "limit", "offset", "with_", "with")):
            tree = tree.this
        return cls(tree, dialect) if isinstance(tree, exp.Query) else None

    @cached_property
    def keys(self) -> tuple[exp.Expr, ...]:
        """What the outermost query is sorted by, in order; empty when it is not sorted."""
        order = self.tree.args.get("order")
        return tuple(key.this if isinstance(key, exp.Ordered) else key for key in order.expressions) if order is not None else ()

    @cached_property
    def limit(self) -> int | None:
        """How many rows the outermost query keeps, where a number says so; rows that tie with the last one are not kept."""
        limit = self.tree.args.get("limit")
        if isinstance(limit, exp.Limit):
            count = limit.expression
        elif isinstance(limit, exp.Fetch):
            options = limit.args.get("limit_options")
            if options is not None and (options.args.get("with_ties") or options.args.get("percent")):
                return None
            count = limit.args.get("count")
        else:
            return None
        return int(count.name) if isinstance(count, exp.Literal) and not count.is_string and count.name.isdigit() else None

    @cached_property
    def outputs(self) -> tuple[exp.Expr, ...]:
        """What the outermost query selects, column by column; of a UNION, what its first part does."""
        return tuple(self.tree.selects)

    def output_at(self, index: int, columns: int) -> exp.Expr | None:
        """Return the expression of an output column, without its alias; None where a star stands for it."""
        stars = [place for place, output in enumerate(self.outputs) if output.is_star]
        if not stars or index < stars[0]:
            place = index
        elif columns - index < len(self.outputs) - stars[-1]:
            place = len(self.outputs) - (columns - index)
        else:
            return None
        return self.outputs[place].unalias() if place < len(self.outputs) and not isinstance(self.tree, exp.SetOperation) else None

    @cached_property
    def scopes(self) -> tuple[Scope, ...]:
        """Every SELECT in it with the tables it reads; empty where sqlglot cannot tell."""
        return tuple(scopes_of(self.tree))

    def sql(self, tree: exp.Expr | None = None) -> str:
        """Return a tree, or this one, as text of the same dialect."""
        return (tree or self.tree).sql(dialect=self.dialect, pretty=True)


def scopes_of(tree: exp.Expr) -> list[Scope]:
    """Return the scopes of a query, or none where sqlglot cannot tell them."""
    try:
        return list(traverse_scope(tree))
    except UNREADABLE:
        return []


def base_tables(scopes: Sequence[Scope]) -> Iterator[tuple[Scope, str, exp.Table]]:
    """Give the tables of the warehouse that are read, with the scope and the name they go by in it. CTEs are none."""
    seen = set()
    for scope in scopes:
        for name, source in scope.sources.items():
            if isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier) and id(source) not in seen:
                seen.add(id(source))
                yield scope, name, source


def why_no_select(sql: str, dialect: str) -> str | None:
    """Return why this is not one SELECT, in words; None when it is one, or when sqlglot cannot read it at all.

    Golden SQL is trusted with what it calls, so functions are no reason.
    """
    read = _select(sql, dialect)
    if not isinstance(read, Refusal) or read.kind != FailureKind.REFUSED or "one SELECT" not in read.reason:
        return None
    return read.reason


def _select(sql: str, dialect: str) -> str | Refusal:
    """Return the statement as `check_select` does, whatever functions it calls."""
    read = check_select(sql, dialect)
    return check_select(sql, dialect, allow_functions=called_functions(sql, dialect)) if isinstance(read, Refusal) else read
