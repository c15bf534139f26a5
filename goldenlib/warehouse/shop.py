"""The shop: a warehouse with fourteen traps, and 48 golden data questions about it (golden/shop).

Everything in it is invented; golden/shop/generator made it. Build it with `build_shop()`, show an agent `describe_shop(connection)`, and
ask it the questions of golden/shop/questions.toml; golden/shop/README.md says what is what.

Rule: what a role may not see is not in its shop at all, so no query can bring it back.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from goldenlib.errors import SettingsError
from goldenlib.files.shipped import shipped

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["SCOPES", "Scope", "build_shop", "describe_shop", "fill_shop", "narrow_shop", "shop_digest"]

REGIONS = ("nusantara", "semenanjung", "oseania")
_TABLES = """
    SELECT schema_name || '.' || table_name, coalesce(comment, '') FROM duckdb_tables()
    WHERE schema_name IN (SELECT unnest($schemas)) ORDER BY schema_name, table_name"""
_COLUMNS = """
    SELECT schema_name || '.' || table_name, column_name, data_type, coalesce(comment, '') FROM duckdb_columns()
    WHERE schema_name IN (SELECT unnest($schemas)) ORDER BY schema_name, table_name, column_index"""
_NAMES: dict[str, tuple[str, ...]] = {"analytics.dim_customer": ("full_name", "email", "phone")}
_COSTS: dict[str, tuple[str, ...]] = {"analytics.dim_product": ("unit_cost_idr",), "analytics.fct_order_lines": ("cost_idr",)}
_SALES = {
    "analytics.fct_orders": (
        *("gross_amount", "discount_amount", "vat_amount", "net_amount", "shipping_amount", "order_total"),
        *("gross_idr", "discount_idr", "vat_idr", "net_idr", "shipping_idr"),
    ),
    "analytics.fct_order_lines": ("gross_amount", "net_amount", "gross_idr", "discount_idr", "vat_idr", "net_idr", "cost_idr"),
    "analytics.dim_product": ("unit_cost_idr", "list_price_idr"),
}
# What a regional lead keeps of each table that has rows of all regions; children after their parents.
_OWN_ROWS = {
    "analytics.dim_country": "region = $region",
    "analytics.fx_month": "currency IN (SELECT currency FROM analytics.dim_country)",
    "analytics.dim_customer": "region = $region",
    "analytics.fct_orders": "region = $region",
    "analytics.fct_order_lines": "order_id IN (SELECT order_id FROM analytics.fct_orders)",
    "analytics.fct_refunds": "order_id IN (SELECT order_id FROM analytics.fct_orders)",
    "analytics.fct_sessions": "region = $region",
}


@dataclass(frozen=True, slots=True)
class Scope:
    """What a role may see: everything but the hidden columns; the old mart or not; all regions or one."""

    hidden: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sees_legacy: bool = False
    own_region_only: bool = False


SCOPES: Mapping[str, Scope] = MappingProxyType(
    {
        "analyst": Scope(_NAMES, sees_legacy=True),
        "finance": Scope(_NAMES, sees_legacy=True),
        "marketing": Scope(_NAMES | _COSTS),
        "regional_lead": Scope(_NAMES | _COSTS, own_region_only=True),
        "support": Scope(_SALES),
    }
)


def build_shop(path: Path | None = None) -> DuckDBPyConnection:
    """Return a connection to the shop: in memory, or in a new file at `path` and then read-only.

    Raises SettingsError where the extra `data` is not installed or something lies at `path` already; a file that is there
    is either a whole shop or none of ours.
    """
    try:
        import duckdb  # these two are an extra, and half a second
        import pyarrow.parquet  # noqa: F401 - fill_shop reads the tables with it
    except ImportError as error:
        raise SettingsError(f"the shop needs an extra: pip install 'goldenlib[data]' ({error})") from None
    if path is None:
        connection = duckdb.connect()
        fill_shop(connection)
        return connection
    if os.path.lexists(path):
        raise SettingsError(f"{path} exists; remove it, or open it with duckdb.connect({str(path)!r}, read_only=True)")
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".shop-") as folder:
        made = Path(folder) / "shop.duckdb"
        with duckdb.connect(made) as connection:
            fill_shop(connection)
        os.replace(made, path)
    return duckdb.connect(path, read_only=True)


def fill_shop(connection: DuckDBPyConnection) -> None:
    """Create the schemas `analytics` and `legacy` in an empty database and fill them."""
    from pyarrow import parquet

    folder = shipped("golden", "shop")
    connection.execute((folder / "schema.sql").read_text(encoding="utf-8"))
    for path in sorted((folder / "tables").glob("*.parquet")):
        connection.register("made", parquet.read_table(path))
        connection.execute(f"INSERT INTO {path.stem} SELECT * FROM made")
        connection.unregister("made")


def shop_digest(connection: DuckDBPyConnection) -> str:
    """Return the SHA-256, in hex, of all rows of all tables, in the order of their keys."""
    digest = hashlib.sha256()
    for path in sorted(shipped("golden", "shop", "tables").glob("*.parquet")):
        digest.update(path.stem.encode())
        rows = connection.execute(f"SELECT * FROM {path.stem} ORDER BY ALL")
        while batch := rows.fetchmany(10_000):
            digest.update("\n".join(map(repr, batch)).encode())
    return digest.hexdigest()


def describe_shop(connection: DuckDBPyConnection, *, schemas: Sequence[str] = ("analytics", "legacy"), with_comments: bool = True) -> str:
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


def narrow_shop(connection: DuckDBPyConnection, role: str, region: str | None = None) -> None:
    """Remove from a shop of one's own, made by `build_shop()`, all that the role may not see. There is no way back.

    Raises SettingsError for a role that is not known, or a regional lead without one of the regions.
    """
    scope = SCOPES.get(role)
    if scope is None:
        raise SettingsError(f"unknown role {role!r}; the roles are {', '.join(SCOPES)}")
    if scope.own_region_only and region not in REGIONS:
        raise SettingsError(f"{role} needs a region, not {region!r}; the regions are {', '.join(REGIONS)}")
    if not scope.sees_legacy:
        connection.execute("DROP SCHEMA legacy CASCADE")
    if scope.own_region_only:
        for table, own in _OWN_ROWS.items():
            connection.execute(f"DELETE FROM {table} WHERE NOT ({own})", {"region": region} if "$region" in own else {})
    for table, columns in scope.hidden.items():
        for column in columns:
            connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")


describe_schema = describe_shop  # as scripts of before call it
