"""A gold as the tests write it, and the codes that are found about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from goldenlib.gold import GoldFinding, check_gold
from goldenlib.gold.otherways import OtherWays
from goldenlib.items import Item
from goldenlib.warehouse import Warehouse

TODAY = date(2026, 11, 29)
PRODUCTS = "SELECT product, sum(amount) AS sold FROM sales WHERE sold_on < '2026-10-01' GROUP BY product"

_SHARED: dict[Warehouse, OtherWays] = {}  # a process for each takes longer than a check


@contextmanager
def shared(warehouse: Warehouse) -> Iterator[Warehouse]:
    """Give the warehouse, with its other threads open for all checks of the tests."""
    with OtherWays(warehouse) as others:
        _SHARED[warehouse] = others
        yield warehouse
        del _SHARED[warehouse]


def a_gold(golden: str, check: str | None = None, **changes: Any) -> Item:
    """A data question with a note; order_matters, tolerance and absolute go to the rule, everything else to the item."""
    rule = {key: changes.pop(key) for key in ("order_matters", "tolerance", "absolute") if key in changes}
    written = {"id": "sales", "question": "What did we sell?", "note": "Sales by the day of sale."}
    return Item.model_validate(written | {"expected": {"sql": {"golden": golden, "check": check} | rule}} | changes)


def found(warehouse: Warehouse, golden: str, check: str | None = None, **changes: Any) -> dict[str, GoldFinding]:
    """What is found about a gold on 29 November 2026, by code, without the note that a check query is missing."""
    checked = check_gold(a_gold(golden, check, **changes), warehouse, today=TODAY, others=_SHARED.get(warehouse))
    codes = [finding.code for finding in checked.findings]
    assert len(set(codes)) == len(codes), "one finding a code"
    return {finding.code: finding for finding in checked.findings if finding.code != "check-missing"}
