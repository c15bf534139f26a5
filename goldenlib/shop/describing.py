"""Describing: the catalogue as text, for the prompt of an agent that writes SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_TABLES = """
    SELECT schema_name || '.' || table_name, coalesce(comment, '') FROM duckdb_tables()
    WHERE schema_name IN (SELECT unnest($schemas)) ORDER BY schema_name, table_name"""
_COLUMNS = """
    SELECT schema_name || '.' || table_name, column_name, data_type, coalesce(comment, '') FROM duckdb_columns()
    WHERE schema_name IN (SELECT unnest($schemas)) ORDER BY schema_name, table_name, column_index"""


def describe_schema(connection: DuckDBPyConnection, *, schemas: Sequence[str] = ("analytics", "legacy"), with_comments: bool = True) -> str:
    """Return every table with its columns, types and comments, one column a line, tables by their names.

    What the connection does not hold is not described, so a shop that was narrowed to a role shows only what that role may see.
    """
    wanted = {"schemas": list(schemas)}
    columns: dict[str, list[str]] = {}
    for table, name, kind, comment in connection.execute(_COLUMNS, wanted).fetchall():
        about = f"  -- {comment}" if comment and with_comments else ""
        columns.setdefault(table, []).append(f"  {name} {kind}{about}")
    parts = []
    for table, comment in connection.execute(_TABLES, wanted).fetchall():
        about = f"  -- {comment}" if comment and with_comments else ""
        parts.append("\n".join([f"{table}{about}", *columns[table]]))
    return "\n\n".join(parts) + "\n"
