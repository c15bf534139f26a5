"""Rescoring: a run's stored answers under today's contracts, without asking anybody.

Rule: phrases are searched anew; a judge's verdict stands as it was given, and is said to be of the earlier contract where
the contract has changed since. Results of data questions are not fetched again: their verdicts stand too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from goldenlib.answers import Result, RunRecord, Score, Status
from goldenlib.items import GoldenSet, Item
from goldenlib.scoring.facts import check_facts
from goldenlib.scoring.judge import AXIS as JUDGE
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
    """A run scored again. `absent` are items of the set without a stored answer, `dropped` items of the run no longer in the set."""

    run: RunRecord
    items: tuple[Rescored, ...]
    absent: tuple[str, ...]
    dropped: tuple[str, ...]

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


def rescore_run(store: Store, run_id: str, golden_set: GoldenSet) -> RescoredRun:
    """Return a stored run's answers scored under the contracts of `golden_set`. Raises RunNotFoundError."""
    run = store.run(run_id)
    stored = {result.item_id: result for result in store.results(run_id)}
    answered: Mapping[str, Result] = {
        item_id: result for item_id, result in stored.items() if result.answer is not None and result.answer.is_complete
    }
    return RescoredRun(
        run=run,
        items=tuple(rescore(item, answered[item.id]) for item in golden_set if item.id in answered),
        absent=tuple(item.id for item in golden_set if item.id not in answered),
        dropped=tuple(item_id for item_id in stored if item_id not in set(golden_set.all_ids)),
    )


def rescore(item: Item, then: Result) -> Rescored:
    """Return what a stored result with a complete answer would be under the contract of `item`."""
    if then.answer is None:
        raise ValueError(f"result of '{then.item_id}' in run {then.run_id} has no answer to be scored")
    if item.is_data_question:  # its golden result would have to be fetched again; what was found stands
        reason = f"as it was scored in the run: {then.reason}"
        stands = Outcome(then.status, then.judge_status, then.passed, then.score, reason, then.word)
        return Rescored(item, then, stands, item.digest != then.digest)
    judged = _judge_score(then.scores)
    return Rescored(item, then, conclude(check_facts(item.expected, then.answer.text), judged), item.digest != then.digest)


def as_json(rescored: RescoredRun) -> str:
    """Return the rescored run for machines."""
    value = {
        "run_id": rescored.run.run_id,
        "scored": rescored.scored,
        "passed": rescored.passed,
        "flipped": [item.item.id for item in rescored.flipped],
        "absent": list(rescored.absent),
        "dropped": list(rescored.dropped),
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
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _judge_score(scores: Iterable[Score]) -> Score | None:
    return next((score for score in scores if score.axis == JUDGE), None)
