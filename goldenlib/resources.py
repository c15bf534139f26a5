"""Resources: what a run or a rescoring needs opened, in one place, by what its items' scorers and targets need.

Rule: what is missing is told before anybody is asked, with the setting that names it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from goldenlib.config.settings import Settings
from goldenlib.driving import Target, open_target
from goldenlib.errors import SettingsError
from goldenlib.items import Item, Surface
from goldenlib.scoring.judge import Judge
from goldenlib.scoring.scorer import Need, Opened, Scorer
from goldenlib.scoring.scorers import scorers_of
from goldenlib.storage import Store

if TYPE_CHECKING:
    from goldenlib.warehouse import Warehouse


@dataclass(frozen=True, slots=True)
class Own:
    """What the caller of a run brings along: a target for public items in place of the configured one, and scorers beside the others."""

    target: Target | Callable[..., Any] | None = None
    scorers: tuple[type[Scorer], ...] = ()


@dataclass(frozen=True, slots=True)
class Resources:
    """What is open for a run: the targets by surface, its scorers, and what they need."""

    targets: Mapping[str, Target]
    scorers: tuple[type[Scorer], ...]
    opened: Opened

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is to be known of how answers were judged."""
        return self.opened.judge.remarks if self.opened.judge is not None else ()


async def open_resources(items: Iterable[Item], settings: Settings, store: Store, own: Own, stack: AsyncExitStack) -> Resources:
    """Open what asking and scoring `items` needs; `stack` closes it. Raises SettingsError and TargetError for what cannot be opened."""
    scorers = (*scorers_of(settings.golden_scorers), *own.scorers)
    if settings.needs_demo:
        from goldenlib.demo.demoservers import serve_demo  # a web server, which real runs need not load

        settings = await serve_demo(settings, stack)
    warehouse = await open_warehouse_for(items, settings, stack, scorers)
    targets: dict[str, Target] = {}
    for surface in Surface:
        brought = own.target if surface is Surface.PUBLIC else None
        target = open_target(surface, settings, stored_answers=store.answers, warehouse=warehouse, brought=brought)
        if target is not None:
            targets[surface] = await stack.enter_async_context(target)
    judge = None if settings.judge_is_off else await stack.enter_async_context(Judge(settings.judge_url, settings))
    return Resources(targets, scorers, Opened(judge, warehouse))


def needs_warehouse(item: Item, scorers: Iterable[type[Scorer]]) -> bool:
    """Whether a scorer of the item needs the warehouse."""
    return any(Need.WAREHOUSE in scorer.needs(item) for scorer in scorers if scorer.applies(item))


async def open_warehouse_for(
    items: Iterable[Item], settings: Settings, stack: AsyncExitStack, scorers: Sequence[type[Scorer]]
) -> Warehouse | None:
    """Open the warehouse that golden results come from, if a scorer of any item needs one or a target describes it."""
    wanted = any(needs_warehouse(item, scorers) for item in items)
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
