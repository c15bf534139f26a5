"""Rescoring: a run's stored answers under today's contracts, without asking anybody.

Rule: phrases are searched anew; a judge's verdict stands as it was given, and is said to be of the earlier contract where
the contract has changed since. Data questions need their warehouse; without it they are named and left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from goldenlib.answers import JudgeStatus, Result, RunRecord, Score, Status
from goldenlib.cilogs import json_text
from goldenlib.config.settings import Settings
from goldenlib.items import GoldenSet, Item
from goldenlib.resources import open_warehouse_for
from goldenlib.scoring.examining import Examiner
from goldenlib.scoring.facts import check_facts
from goldenlib.scoring.judge import AXIS as JUDGE
from goldenlib.scoring.mishaps import check_shape
from goldenlib.scoring.outcome import Outcome, conclude
from goldenlib.storage import Store


@dataclass(frozen=True, slots=True)
class Rescored:
    """One item: what it was in the run, and what it would be under today's contract."""

    item: Item
    then: Result
    now: Outcome
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
    answered: Mapping[str, Result] = {
        item_id: result for item_id, result in stored.items() if result.answer is not None and result.answer.is_complete
    }
    asked = [item for item in golden_set if item.id in answered]
    again = asyncio.run(_rescore_data([item for item in asked if item.is_data_question], answered, settings))
    known = [
        again[item.id] if item.is_data_question else rescore_result(item, answered[item.id]) for item in asked if _is_known(item, again)
    ]
    return RescoredRun(
        run=run,
        items=tuple(known),
        not_fetched=tuple(item.id for item in asked if not _is_known(item, again)),
        absent=tuple(item.id for item in golden_set if item.id not in answered),
        dropped=tuple(item_id for item_id in stored if item_id not in set(golden_set.all_ids)),
    )


def rescore_result(item: Item, then: Result) -> Rescored:
    """Return what a stored result with a complete answer would be under the contract of `item`."""
    if then.answer is None:
        raise ValueError(f"result of '{then.item_id}' in run {then.run_id} has no answer to be scored")
    judged = _judge_score(then.scores)
    text = then.answer.text
    return Rescored(item, then, conclude(check_facts(item.expected, text), judged, check_shape(text)), item.digest != then.digest)


async def _rescore_data(items: Sequence[Item], answered: Mapping[str, Result], settings: Settings | None) -> dict[str, Rescored]:
    """Return the data questions scored again; those with golden SQL only where the settings name a warehouse."""
    async with AsyncExitStack() as stack:
        warehouse = await open_warehouse_for(items, settings, stack) if settings is not None and settings.warehouse else None
        examiner = Examiner(None, warehouse, has_data_questions=bool(items))
        can_score = [item for item in items if warehouse is not None or item.expected.sql is None]
        return {item.id: await _rescored(item, answered[item.id], examiner) for item in can_score}


async def _rescored(item: Item, then: Result, examiner: Examiner) -> Rescored:
    assert then.answer is not None  # only answered items come here
    now = await examiner.rescore(item, then.answer)
    if now.passed is None and then.judge_status is JudgeStatus.OK:  # only the judge could tell, and it has been asked
        now = Outcome(then.status, then.judge_status, then.passed, then.score, f"as the judge found in the run: {then.reason}", then.word)
    return Rescored(item, then, now, item.digest != then.digest)


def _is_known(item: Item, again: Mapping[str, Rescored]) -> bool:
    return not item.is_data_question or item.id in again


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


def _judge_score(scores: Iterable[Score]) -> Score | None:
    return next((score for score in scores if score.axis == JUDGE), None)
