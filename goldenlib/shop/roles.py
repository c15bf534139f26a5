"""Roles: what each of the five may see, and a shop narrowed to it.

Rule: what a role may not see is not in its shop at all, so no query can bring it back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from goldenlib.errors import SettingsError
from goldenlib.shop.facts import REGIONS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

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
