"""Keys: which golden columns a sorted gold is sorted by (contract 9.5).

Rule: all keys or none. Columns that are only some of the keys would make ties of rows that are none.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from goldenlib.gold.sqlreading import SqlReading


def sort_keys(sql: str, dialect: str, columns: Sequence[str]) -> tuple[int, ...] | None:
    """Return the golden columns that a query is sorted by, first key first; None when it is not sorted or a key is no column of it.

    `columns` are the names of its result. A key is a column by position, by output name, or as the expression of an output.
    What is returned is what `results_match` takes as `tied_on`.

    >>> sort_keys("SELECT name, sum(x) AS total FROM t GROUP BY name ORDER BY total DESC, 1", "duckdb", ["name", "total"])
    (1, 0)
    """
    reading = SqlReading.of(sql, dialect)
    return keys_of(reading, columns) if reading is not None else None


def keys_of(reading: SqlReading, columns: Sequence[str]) -> tuple[int, ...] | None:
    """Return the same for a query that was read."""
    if not reading.keys:
        return None
    if _is_all(reading.keys):
        return tuple(range(len(columns)))
    found = []
    for key in reading.keys:
        index = column_of(key, reading, columns)
        if index is None:
            return None
        found.append(index)
    return tuple(dict.fromkeys(found))


def column_of(key: exp.Expr, reading: SqlReading, columns: Sequence[str]) -> int | None:
    """Return the output column that one sort key is, or None. Rows tie on a number turned negative when they tie on the number."""
    while isinstance(key, exp.Paren) or (isinstance(key, exp.Neg) and not isinstance(key.this, exp.Literal)):
        key = key.this
    if isinstance(key, exp.Literal):
        is_position = not key.is_string and key.name.isdigit() and 1 <= int(key.name) <= len(columns)
        return int(key.name) - 1 if is_position else None
    names = [name.casefold() for name in columns]
    is_bare = isinstance(key, exp.Column) and not key.table
    if is_bare and names.count(key.name.casefold()) == 1:
        return names.index(key.name.casefold())  # an output's name goes before a table's column of that name
    for index in range(len(columns)):
        output = reading.output_at(index, len(columns))
        if output is not None and _are_same(key, output):
            return index
    if isinstance(key, exp.Column) and names.count(key.name.casefold()) == 1 and _has_one_table(reading):
        index = names.index(key.name.casefold())
        return index if reading.output_at(index, len(columns)) is None and not isinstance(reading.tree, exp.SetOperation) else None
    return None


def _is_all(keys: Sequence[exp.Expr]) -> bool:
    """Whether this is DuckDB's ORDER BY ALL."""
    return len(keys) == 1 and isinstance(keys[0], exp.Var) and keys[0].name.upper() == "ALL"


def _are_same(key: exp.Expr, output: exp.Expr) -> bool:
    """Whether both are the same expression. A column without its table is the only one of its name, or the query would not run."""
    if isinstance(key, exp.Column) and isinstance(output, exp.Column):
        same_name = key.name.casefold() == output.name.casefold()
        return same_name and (not key.table or not output.table or key.table.casefold() == output.table.casefold())
    return key == output and not any(_is_random(node) for node in key.find_all(exp.Func))


def _is_random(node: exp.Expr) -> bool:
    return isinstance(node, exp.Rand | exp.Randn | exp.Uuid) or node.name.casefold() in ("random", "gen_random_uuid", "nextval")


def _has_one_table(reading: SqlReading) -> bool:
    return isinstance(reading.tree, exp.Select) and not reading.tree.args.get("joins") and len(reading.scopes) == 1
