"""The warehouse that golden and agents' SQL asks: opened read-only, asked in a process that can be stopped.

Start with `open_warehouse`; `Warehouse.run` answers with rows or with why there are none. Three layers, each enough alone for most attacks:
`refusing` refuses by reading the SQL, `duck` and the `guards` of servers could not do it, `process` ends what does not end by itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldenlib.warehouse.describing import describe_schema
    from goldenlib.warehouse.opening import WarehouseError, open_configured, open_warehouse
    from goldenlib.warehouse.querying import Warehouse
    from goldenlib.warehouse.refusing import Refusal, check_select
    from goldenlib.warehouse.results import FailureKind, Limits, QueryFailed, QueryResult

__all__ = [
    "FailureKind",
    "Limits",
    "QueryFailed",
    "QueryResult",
    "Refusal",
    "Warehouse",
    "WarehouseError",
    "check_select",
    "describe_schema",
    "open_configured",
    "open_warehouse",
]

# Imported when first asked for: the worker is a module of this package too, and must not import what only the parent needs.
_HOMES = {
    "Refusal": "refusing",
    "check_select": "refusing",
    "describe_schema": "describing",
    "WarehouseError": "opening",
    "open_configured": "opening",
    "open_warehouse": "opening",
    "Warehouse": "querying",
    "FailureKind": "results",
    "Limits": "results",
    "QueryFailed": "results",
    "QueryResult": "results",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
