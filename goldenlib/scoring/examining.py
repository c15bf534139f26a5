"""Examining: what all scorers that an item calls for find, put together to its outcome.

Rule: one of them missing its verdict is an error, unless another one's definite fail decides already (contract 4.7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from goldenlib.answers import Answer, JudgeStatus, Result, Score
from goldenlib.items import Item
from goldenlib.scoring.facts import check_facts
from goldenlib.scoring.mishaps import check_shape
from goldenlib.scoring.outcome import NOTHING_TO_CHECK, ItemOutcome, conclude, unscorable
from goldenlib.scoring.scorer import Asking, Need, Opened, Recorded, Scorer
from goldenlib.scoring.scorers import SCORERS, scorers_of

MOST_OF_A_PROBLEM = 1_000  # characters


Examined = tuple[ItemOutcome, tuple[Score, ...]]


class Examiner:
    """Scores answers under their items' contracts, with what is opened.

    Of `scorers`, ours by default, it makes those that an item of `items` calls for.
    """

    def __init__(self, items: Iterable[Item], opened: Opened, scorers: Sequence[type[Scorer]] = ()) -> None:
        self._opened = opened
        wanted = list(items)
        self._scorers = [scorer(opened) for scorer in scorers or scorers_of() if any(map(scorer.applies, wanted))]

    async def check(self, item: Item) -> tuple[ItemOutcome, Score | None] | None:
        """Return why an item cannot be scored whatever is answered, so that nobody is to be asked; None when it can."""
        problem = await self._problem_of(item)
        if problem is not None:
            return unscorable(problem), problem
        if not any(scorer.is_of_contract and self._can_ask(scorer, item) for scorer in self._called(item)):
            return NOTHING_TO_CHECK, None
        return None

    async def examine(self, item: Item, answer: Answer, key: str) -> Examined:
        """Return the outcome of a complete answer, and the scores it rests on. `key` is the judge's idempotency key."""
        found = await self._score(item, answer, Asking(self._opened.judge, item, key))
        scores = tuple(chain(*found.values()))
        return conclude(*scores), scores

    async def examine_again(self, item: Item, then: Result) -> Examined:
        """Return the outcome of a stored, complete answer under today's contract, and its scores, without asking a judge again.

        What it said of the answer stands as it was; where only the judge could tell and was asked, so does the outcome.
        """
        assert then.answer is not None
        problem = await self._problem_of(item)
        if problem is not None:
            return unscorable(problem), (problem,)
        found = await self._score(item, then.answer, Recorded(then.scores))
        scores = tuple(chain(*found.values()))
        now = conclude(*scores) if any(found[scorer] for scorer in found if scorer.is_of_contract) else NOTHING_TO_CHECK
        if now.passed is None and then.judge_status is JudgeStatus.OK:
            reason = f"as the judge found in the run: {then.reason}"
            now = ItemOutcome(then.status, then.judge_status, then.passed, then.score, reason, then.word)
        return now, scores

    async def _score(self, item: Item, answer: Answer, asking: Asking) -> dict[Scorer, Sequence[Score]]:
        return {scorer: await _found_by(scorer, item, answer, asking) for scorer in self._called(item)}

    async def _problem_of(self, item: Item) -> Score | None:
        for scorer in self._called(item):
            if (problem := await scorer.check(item)) is not None:
                return problem
        return None

    def _called(self, item: Item) -> Iterator[Scorer]:
        return (scorer for scorer in self._scorers if scorer.applies(item))

    def _can_ask(self, scorer: Scorer, item: Item) -> bool:
        return self._opened.judge is not None or Need.JUDGE not in scorer.needs(item)


async def _found_by(scorer: Scorer, item: Item, answer: Answer, asking: Asking) -> Sequence[Score]:
    """Return the scores of a scorer. What one of somebody else's raises, or gives that is no scores, is a score without verdict."""
    if type(scorer) in SCORERS.ours.values():
        return await scorer.score(item, answer, asking)
    name = type(scorer).__name__
    try:
        found = tuple(await scorer.score(item, answer, asking))
        if all(isinstance(score, Score) for score in found):
            return found
        problem = "gave something else than scores"
    except Exception as error:
        problem = f"raised {type(error).__name__}: {error}"[:MOST_OF_A_PROBLEM]
    return (Score(name, None, None, f"the scorer {name} {problem}"),)


def examine_again_by_phrases(item: Item, then: Result) -> ItemOutcome:
    """Return what `Examiner.examine_again` does for an item of a chatbot, at once: for every key that an expert types."""
    assert then.answer is not None
    text = then.answer.text
    return conclude(check_facts(item.expected, text), Recorded(then.scores).said, check_shape(text))
