"""The scorer: what every way of scoring answers is to a run - which items it looks at, what it needs opened, and what it finds.

Rule: a scorer knows one axis and no other scorer. `examining` puts together what several find, by one rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from goldenlib.answers import JUDGE_AXIS, Answer, Score
from goldenlib.items import Expected, Item

if TYPE_CHECKING:
    from goldenlib.scoring.judge import Judge
    from goldenlib.warehouse import Warehouse


class Need(StrEnum):
    """What a scorer may need opened. A judge that is off leaves out who needs it; a warehouse that is not set refuses the run."""

    JUDGE = "judge"
    WAREHOUSE = "warehouse"


@dataclass(frozen=True, slots=True)
class Opened:
    """What is open for the scorers of a run. `judge` is None where it is off, `warehouse` where no item needs it."""

    judge: Judge | None = None
    warehouse: Warehouse | None = None


class Asking:
    """The judge, as the scorers of one answer ask it: each question under an idempotency key of its own (contract 4.3)."""

    def __init__(self, judge: Judge | None, item: Item, key: str) -> None:
        self._judge = judge
        self._item = item
        self._key = key
        self._calls = 0

    async def about_item(self, words: str) -> Score | None:
        """Return the judge's score of `words` under the item's contract; None without a judge.

        What a data question says of results and phrases is settled by comparing them: there the judge goes by rubric and ideal answer.
        """
        if self._item.is_data_question:
            return await self.about(self._item.expected.rubric, words)
        return await self._ask(self._item, words)

    async def about(self, rubric: str, words: str) -> Score | None:
        """Return the judge's score of `words` by a rubric, and by the item's ideal answer if it has one; None without a judge."""
        expected = Expected(rubric=rubric, answer=self._item.expected.answer)
        return await self._ask(self._item.model_copy(update={"expected": expected}), words)

    async def _ask(self, item: Item, words: str) -> Score | None:
        if self._judge is None:
            return None
        self._calls += 1
        key = self._key if self._calls == 1 else f"{self._key}-{self._calls}"
        return await self._judge.score(item, words, key)


class Recorded(Asking):
    """What the judge said of a stored answer, in place of asking it again."""

    def __init__(self, scores: Iterable[Score]) -> None:
        self.said = next((score for score in scores if score.axis == JUDGE_AXIS), None)

    async def about_item(self, words: str) -> Score | None:
        """Return what it said of the item, if it was asked."""
        return self.said

    async def about(self, rubric: str, words: str) -> Score | None:
        """Return None: which rubric of a scorer's own was put to it is not kept."""
        return None


class Scorer:
    """One way to score an answer. Make a subclass with `score`, and `applies` where it does not look at every item.

    A scorer is made once for a run, with what is open, when an item of the run calls for it; its methods run on one event loop, for
    many items at once. `is_of_contract` says that it checks what the expert wrote: an item to which no such scorer applies is skipped,
    whatever others say of it.
    """

    is_of_contract: ClassVar[bool] = False

    def __init__(self, opened: Opened) -> None:
        self.opened = opened

    @staticmethod
    def applies(item: Item) -> bool:
        """Whether the item calls for this scorer."""
        return True

    @staticmethod
    def needs(item: Item) -> frozenset[Need]:
        """What must be open to score the item."""
        return frozenset()

    async def check(self, item: Item) -> Score | None:
        """Return why the item cannot be scored, whatever is answered, so that nobody is to be asked; None when it can."""
        return None

    async def score(self, item: Item, answer: Answer, asking: Asking) -> Sequence[Score]:
        """Return the scores of a complete answer. A score without verdict (`passed` None) makes the item an error, never a fail."""
        raise NotImplementedError
