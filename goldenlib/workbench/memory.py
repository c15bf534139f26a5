"""Memory: what the store knows of the items: stored answers, and how each fared over the last runs.

Rule: it is only ever read, and a store that is not there or cannot be read leaves the panel without history, not without work.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from goldenlib.answers import Result
from goldenlib.hazards import StoredAnswer, StoredEvidence
from goldenlib.hazards.stored import ANSWERS_PER_ITEM
from goldenlib.storage import Store

MARKS = 8
RUNS_LOOKED_AT = 200


class Memory:
    """The stored answers to items of one series, read when asked for and kept."""

    def __init__(self, store: Store | None, set_name: str, label: str) -> None:
        self.store = store
        self.series = _series(store, set_name, label)
        self.evidence: StoredEvidence | None = None
        self._answers: dict[str, tuple[Result, ...]] = {}

    def answers(self, item_id: str) -> tuple[Result, ...]:
        """Return the last twenty results of an item that have an answer, newest first."""
        if self.store is None or not item_id:
            return ()
        if item_id not in self._answers:
            self._answers[item_id] = self.store.item_answers(item_id, ANSWERS_PER_ITEM, series=self.series)
        return self._answers[item_id]

    def complete_answers(self, item_id: str) -> tuple[Result, ...]:
        """Return those of them whose answer was finished, and can be scored."""
        return tuple(result for result in self.answers(item_id) if result.answer is not None and result.answer.is_complete)

    def known_marks(self, item_id: str) -> str | None:
        """Return the last results as letters, old to new: p passed, f failed, e not scored. None when not read yet."""
        if item_id not in self._answers:
            return None
        return "".join(_mark(result) for result in reversed(self._answers[item_id][:MARKS]))

    def read_all(self, item_ids: Iterable[str]) -> None:
        """Read the answers to all items, and make of them the evidence that hazards are looked for in."""
        if self.store is None:
            return
        found = [result for item_id in item_ids for result in self.answers(item_id)]
        self.evidence = StoredEvidence(
            StoredAnswer(result.item_id, result.answer.text, result.passed)
            for result in found
            if result.answer is not None and result.answer.is_complete
        )

    def forget(self, *item_ids: str) -> None:
        """Read the answers to these items again when next asked."""
        for item_id in item_ids:
            self._answers.pop(item_id, None)


def when(result: Result) -> str:
    """Return when a result came, to the minute, in UTC; the page tells it in the zone of who looks."""
    at: datetime | None = result.finished_at
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%MZ}" if at is not None else ""


def _mark(result: Result) -> str:
    return {True: "p", False: "f"}.get(result.passed, "e") if result.passed is not None and result.is_scored else "e"


def _series(store: Store | None, set_name: str, label: str) -> str | None:
    """The series of this set against the configured target, else that of the set's latest run, else all."""
    runs = store.runs(limit=RUNS_LOOKED_AT) if store is not None else ()
    of_set = [run.series for run in runs if run.set_name == set_name]
    wanted = f"{set_name} @ {label}"
    return next((series for series in of_set if series == wanted), of_set[0] if of_set else None)
