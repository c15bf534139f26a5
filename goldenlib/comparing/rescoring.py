"""Rescoring: a run's stored answers under today's contracts, without asking anybody.

Rule: phrases are searched anew; a judge's verdict stands as it was given, and is said to be of the earlier contract where
the contract has changed since. Data questions need their warehouse; without it they are named and left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass

from goldenlib.answers import Result, RunRecord, Status
from goldenlib.cilogs import json_text
from goldenlib.config.settings import Settings
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Item
from goldenlib.resources import needs_warehouse, open_warehouse_for
from goldenlib.scoring.examining import Examined, Examiner
from goldenlib.scoring.outcome import ItemOutcome
from goldenlib.scoring.scorer import Opened
from goldenlib.scoring.scorers import scorers_of
from goldenlib.storage import Store


@dataclass(frozen=True, slots=True)
class Rescored:
    """One item: what it was in the run, and what it would be under today's contract."""

    item: Item
    then: Result
    now: ItemOutcome
    contract_changed: bool

    @property
    def flips(self) -> bool:
        """Whether the verdict, or whether there is one at all, would be another."""
        return (self.then.status, self.then.passed) != (self.now.status, self.now.passed)


@dataclass(frozen=True, slots=True)
class RescoredRun:
    """A run scored again.

    `absent` are items of the set without a stored answer, `dropped` items of the run no longer in the set, `not_fetched` data
    questions whose golden result there was no warehouse to get from.
    """

    run: RunRecord
    items: tuple[Rescored, ...]
    absent: tuple[str, ...]
    dropped: tuple[str, ...]
    not_fetched: tuple[str, ...] = ()

    @property
    def scored(self) -> int:
        """How many items would have a verdict."""
        return sum(item.now.status is Status.SCORED for item in self.items)

    @property
    def passed(self) -> int:
        """How many would pass."""
        return sum(item.now.passed is True for item in self.items)

    @property
    def flipped(self) -> tuple[Rescored, ...]:
        """The items whose verdict would be another."""
        return tuple(item for item in self.items if item.flips)


def rescore(store: Store, run_id: str, golden_set: GoldenSet, settings: Settings | None = None) -> RescoredRun:
    """Return a stored run's answers scored under the contracts of `golden_set`.

    `settings` name the warehouse, if data questions are to be scored again. Raises RunNotFoundError and WarehouseError.
    """
    run = store.run(run_id)
    stored = {result.item_id: result for result in store.results(run_id)}
    answered = {item_id: result for item_id, result in stored.items() if result.answer is not None and result.answer.is_complete}
    again = asyncio.run(_rescore([(item, answered[item.id]) for item in golden_set if item.id in answered], settings))
    in_set = set(golden_set.all_ids)
    return RescoredRun(
        run=run,
        items=tuple(rescored for rescored in again if isinstance(rescored, Rescored)),
        not_fetched=tuple(item.id for item in again if isinstance(item, Item)),
        absent=tuple(item.id for item in golden_set if item.id not in answered),
        dropped=tuple(item_id for item_id in stored if item_id not in in_set),
    )


async def _rescore(answered: Sequence[tuple[Item, Result]], settings: Settings | None) -> list[Rescored | Item]:
    """Return each item scored again, or the item itself where its golden result is in a warehouse that `settings` do not name."""
    async with AsyncExitStack() as stack:
        items = [item for item, _ in answered]
        scorers = scorers_of(settings.golden_scorers if settings is not None else ())
        warehouse = await open_warehouse_for(items, settings, stack, scorers) if settings is not None and settings.warehouse else None
        known = {item.id: item for item in items if warehouse is not None or not needs_warehouse(item, scorers)}
        examiner = Examiner(known.values(), Opened(None, warehouse), scorers)
        return [
            Rescored(item, then, (await examiner.examine_again(item, then))[0], item.digest != then.digest) if item.id in known else item
            for item, then in answered
        ]


async def examined_today(items: Iterable[Item], passes: Mapping[str, Result], examiner: Examiner) -> dict[str, Examined]:
    """Return what the answers of `passes`, by id, come to today, of the items whose contract has changed since (contract 6.5)."""
    found = {}
    for item in items:
        then = passes.get(item.id)
        if then is None or then.digest == item.digest or then.answer is None or not then.answer.is_complete:
            continue
        with suppress(Exception):  # what cannot be told leaves a regression, and the run goes on to its decision
            found[item.id] = await examiner.examine_again(item, then)
    return found


def as_json(rescored: RescoredRun) -> str:
    """Return the rescored run for machines."""
    value = {
        "run_id": rescored.run.run_id,
        "scored": rescored.scored,
        "passed": rescored.passed,
        "flipped": [item.item.id for item in rescored.flipped],
        "absent": list(rescored.absent),
        "dropped": list(rescored.dropped),
        "not_fetched": list(rescored.not_fetched),
        "results": [
            {
                "item_id": item.item.id,
                "contract_changed": item.contract_changed,
                "passed_then": item.then.passed,
                "passed_now": item.now.passed,
                "status_now": str(item.now.status),
                "reason": item.now.reason,
            }
            for item in rescored.items
        ],
    }
    return json_text(value) + "\n"
