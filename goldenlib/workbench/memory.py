"""Memory: what the store knows of the items: stored answers, and how each fared over the last runs.

Rule: what counts is an answer to this question, by this target, in a run of this set. An id alone says nothing: other sets have it too,
other targets and the demo answered under it, and it may have asked something else. The store is only ever read, and one that is not
there or cannot be read leaves the panel without history, not without work.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from goldenlib.answers import Result, series_of
from goldenlib.folding import fold
from goldenlib.hazards import StoredEvidence, evidence_of
from goldenlib.hazards.stored import ANSWERS_PER_ITEM
from goldenlib.storage import Store

MARKS = 8


class Memory:
    """The stored answers to items of one set by one target, judged or not, read when asked for and kept."""

    def __init__(self, store: Store | None, path: Path, label: str) -> None:
        set_name = path.stem
        self.store = store
        self.names = (set_name, path.absolute().parent.name)  # that the set is run under, by itself and with its folder
        self.series = tuple(series_of(set_name, label, judged=judged) for judged in (True, False))
        self.evidence: StoredEvidence | None = None
        self._answers: dict[str, tuple[Result, ...]] = {}

    def answers(self, item_id: str, question: str) -> tuple[Result, ...]:
        """Return those of the last twenty results of an item that have an answer to this question, newest first."""
        return _to(question, self._read(item_id))

    def _read(self, item_id: str) -> tuple[Result, ...]:
        if self.store is None or not item_id:
            return ()
        if item_id not in self._answers:
            self._answers[item_id] = self.store.item_answers(item_id, ANSWERS_PER_ITEM, series=self.series)
        return self._answers[item_id]

    def known_marks(self, item_id: str, question: str) -> str | None:
        """Return the last results as letters, old to new: p passed, f failed, e not scored. None when not read yet."""
        if item_id not in self._answers:
            return None
        return "".join(_mark(result) for result in reversed(_to(question, self._answers[item_id])[:MARKS]))

    def read_all(self, item_ids: Iterable[str]) -> None:
        """Read the answers to all items, and make of them the evidence that hazards are looked for in."""
        if self.store is None:
            return
        self.evidence = evidence_of(result for item_id in item_ids for result in self._read(item_id))

    def renamed(self, old: str, new: str) -> None:
        """Read the answers anew to an item that has another id."""
        for item_id in (old, new):
            self._answers.pop(item_id, None)
        self._read(new)


def complete(results: Iterable[Result]) -> tuple[Result, ...]:
    """Return those whose answer was finished, and can be scored."""
    return tuple(result for result in results if result.answer is not None and result.answer.is_complete)


def when(result: Result) -> str:
    """Return when a result came, to the minute, in UTC; the page tells it in the zone of who looks."""
    at: datetime | None = result.finished_at
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%MZ}" if at is not None else ""


def _mark(result: Result) -> str:
    return {True: "p", False: "f"}.get(result.passed, "e") if result.passed is not None and result.is_scored else "e"


def _to(question: str, results: Iterable[Result]) -> tuple[Result, ...]:
    """Those of the results in which this was asked, to the fact gate's eye."""
    asked = fold(question)
    return tuple(result for result in results if fold(result.question) == asked)
