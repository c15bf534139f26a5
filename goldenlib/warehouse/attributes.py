"""Attributes: PostgreSQL calls a function without brackets where a row has no column of that name: `t.f` is `f(t)`.

Rule: what is written like a column and is the name of a function that may not be called has to be a column, of the very table or
subquery that it is written behind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlglot.optimizer.scope import Scope


@dataclass(frozen=True)
class Catalogue:
    """What a warehouse says of itself: the functions that take one argument and are not allowed, and where columns have their names.

    `columns` are the names of columns by the name of their table, lower case, only those that are such functions too.
    """

    functions: Mapping[str, str] = field(default_factory=dict)  # and why not
    columns: Mapping[str, Collection[str]] = field(default_factory=dict)


NO_CATALOGUE = Catalogue()


def called_without_brackets(statement: Any, catalogue: Catalogue) -> Iterator[str]:
    """Give the names of functions that a statement calls, or may call, by writing them behind a row."""
    from sqlglot import exp

    if not catalogue.functions:
        return
    scopes: list[Scope] | None = None
    for node in statement.find_all(exp.Column, exp.Dot):
        if isinstance(node, exp.Dot):
            part = node.expression
            name = part.name.lower() if isinstance(part, exp.Identifier) else ""
            if name in catalogue.functions and not any(name in columns for columns in catalogue.columns.values()):
                yield name
        elif node.table and node.name.lower() in catalogue.functions:
            scopes = _scopes(statement) if scopes is None else scopes
            if not _is_column(node, scopes, catalogue):
                yield node.name.lower()


def _scopes(statement: Any) -> list[Scope]:
    from sqlglot.errors import SqlglotError
    from sqlglot.optimizer.scope import traverse_scope

    try:
        return list(traverse_scope(statement))
    except (SqlglotError, ValueError, TypeError, AttributeError, KeyError, IndexError, AssertionError):
        return []


def _is_column(column: Any, scopes: list[Scope], catalogue: Catalogue) -> bool:
    for scope in scopes:
        if any(column is other for other in scope.columns):
            around: Scope | None = scope
            while around is not None and column.table not in around.sources:
                around = around.parent
            return around is not None and _gives(around.sources[column.table], column.name.lower(), scopes, catalogue)
    return False


def _gives(source: Any, name: str, scopes: list[Scope], catalogue: Catalogue, depth: int = 0) -> bool:
    """Whether a table or a subquery has a column of that name."""
    from sqlglot import exp

    if depth > _DEEPEST:
        return False
    if isinstance(source, exp.Table):
        if not isinstance(source.this, exp.Identifier):
            return name in {source.alias.lower(), *map(str.lower, source.alias_column_names)}  # a function, whose column is named like it
        return name in {*map(str.lower, source.alias_column_names), *catalogue.columns.get(source.name.lower(), ())}
    query = source.expression
    if name in map(str.lower, getattr(query.parent, "alias_column_names", ())):
        return True
    while isinstance(query, exp.SetOperation | exp.Subquery):  # its columns are those of its first part
        query = query.this
    if name in map(str.lower, getattr(query, "named_selects", ())):
        return True
    if not any(selected.is_star for selected in getattr(query, "selects", ())):
        return False
    inner = [part for scope in scopes if scope.expression is query for part in scope.sources.values()]
    return any(_gives(part, name, scopes, catalogue, depth + 1) for part in inner)


_DEEPEST = 20  # subqueries within one another that are followed
