"""Describing: a warehouse's tables and columns as text, for the prompt of an agent that writes SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldenlib.warehouse.opening import WarehouseError
from goldenlib.warehouse.results import QueryFailed

if TYPE_CHECKING:
    from goldenlib.warehouse.querying import Warehouse

# Of what an engine keeps about itself, these are not the user's.
_STANDARD = """
    SELECT c.table_schema, c.table_name, c.column_name, c.data_type
    FROM information_schema.columns AS c
    WHERE c.table_schema NOT IN ('information_schema', 'pg_catalog', 'sys', 'mysql', 'performance_schema')
    ORDER BY c.table_schema, c.table_name, c.ordinal_position"""
# SQLite keeps what was written, and lets nobody else ask about columns here (`servers`).
_SQLITE = "SELECT sql FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name"
_DEFAULT_SCHEMAS = ("", "main", "public")


def describe_schema(warehouse: Warehouse) -> str:
    """Return every table with its columns and their types, one column a line, tables by their names; of SQLite, their CREATE TABLE.

    A table outside the default schema is written with its schema. Raises WarehouseError when the catalogue cannot be read.
    """
    is_sqlite = warehouse.dialect == "sqlite"
    found = warehouse.run(_SQLITE if is_sqlite else _STANDARD, trusted=True)
    if isinstance(found, QueryFailed):
        raise WarehouseError(f"{warehouse.shown}: its tables cannot be listed: {found.reason}")
    if is_sqlite:
        return "\n\n".join(str(written) for (written,) in found.tuples())
    tables: dict[str, list[str]] = {}
    for schema, table, column, kind in found.tuples():
        name = str(table) if schema in _DEFAULT_SCHEMAS else f"{schema}.{table}"
        tables.setdefault(name, []).append(f"  {column} {kind}")
    return "\n\n".join("\n".join([name, *columns]) for name, columns in tables.items())
