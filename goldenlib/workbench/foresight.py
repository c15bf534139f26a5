"""Flips: what an edit would have done to the stored answers of its item.

Rule: nobody is asked. Phrases are searched anew under both contracts; what a judge said stands as it was (see `rescoring`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from goldenlib.answers import Result
from goldenlib.items import Item
from goldenlib.scoring.examining import examine_again_by_phrases as again
from goldenlib.scoring.outcome import ItemOutcome


@dataclass(frozen=True, slots=True)
class EditFlip:
    """One stored answer whose verdict would be another."""

    result: Result
    then: ItemOutcome
    now: ItemOutcome


@dataclass(frozen=True, slots=True)
class Flips:
    """How many stored answers were scored again, and which would change."""

    total: int
    flipped: tuple[EditFlip, ...]

    @property
    def to_pass(self) -> int:
        """How many would pass."""
        return sum(flip.now.passed is True for flip in self.flipped)

    @property
    def to_fail(self) -> int:
        """How many would fail."""
        return sum(flip.now.passed is False for flip in self.flipped)


def flips_of(saved: Item, edited: Item, answers: Sequence[Result]) -> Flips:
    """Return which of an item's stored answers would come out otherwise under the edited contract than under the saved one."""
    if saved.digest == edited.digest:
        return Flips(len(answers), ())
    pairs = ((result, again(saved, result), again(edited, result)) for result in answers)
    changed = (EditFlip(result, then, now) for result, then, now in pairs if (then.status, then.passed) != (now.status, now.passed))
    return Flips(len(answers), tuple(changed))
