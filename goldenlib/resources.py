"""Resources: what a run or a rescoring needs opened, and who is told where it is missing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from goldenlib.config.settings import Settings
from goldenlib.errors import SettingsError
from goldenlib.items import Item

if TYPE_CHECKING:
    from goldenlib.warehouse import Warehouse


async def open_warehouse_for(questions: Sequence[Item], settings: Settings, stack: AsyncExitStack) -> Warehouse | None:
    """Open the warehouse that golden results come from, if any question has one or a target describes it."""
    wanted = any(item.expected.sql is not None for item in questions)
    if settings.warehouse is None:
        if wanted:
            raise SettingsError(
                "the set has golden results, and no warehouse to get them from;"
                " set warehouse in the configuration ('warehouse: file.duckdb' under rag_quality), or GOLDEN_WAREHOUSE"
            )
        return None
    if not wanted and not settings.describes_warehouse:
        return None
    from goldenlib.warehouse import open_configured  # an extra, which other runs need not have

    warehouse = await asyncio.to_thread(open_configured, settings)
    stack.callback(warehouse.close)
    return warehouse
