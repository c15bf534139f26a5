"""Examining: all scorers that an item calls for, put together to its outcome.

Rule: which scorers an item calls for is read from its contract. One of them missing its verdict is an error, unless another one's
definite fail decides already (contract 4.7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldenlib.answers import Answer, JudgeStatus, Score, Status
from goldenlib.folding import fold
from goldenlib.items import Expected, Item
from goldenlib.scoring.facts import check_facts
from goldenlib.scoring.judge import Judge
from goldenlib.scoring.mishaps import check_shape
from goldenlib.scoring.outcome import NOTHING_TO_CHECK_WITHOUT_JUDGE, Outcome, conclude, remarked
from goldenlib.wire.drafts import without_drafts

if TYPE_CHECKING:
    from goldenlib.warehouse import Warehouse


class Examiner:
    """Scores answers under their items' contracts. `judge` is None in a run without one, `warehouse` where no item needs it."""

    def __init__(self, judge: Judge | None, warehouse: Warehouse | None, *, has_data_questions: bool) -> None:
        self._judge = judge
        self._data = None
        if has_data_questions:
            from goldenlib.scoring.data import DataScorer  # needs the data extra, which other runs need not load

            self._data = DataScorer(warehouse)

    async def check(self, item: Item) -> tuple[Outcome, Score | None] | None:
        """Return why an item cannot be scored whatever is answered, so that nobody is to be asked; None when it can."""
        if self._data is not None and item.is_data_question:
            problem = await self._data.check_gold(item)
            return (_unscorable(problem), problem) if problem is not None else None
        if self._judge is None and not (item.expected.must_include or item.expected.must_not_include):
            return Outcome(Status.SKIPPED, JudgeStatus.SKIPPED, None, None, NOTHING_TO_CHECK_WITHOUT_JUDGE), None
        return None

    async def examine(self, item: Item, answer: Answer, key: str) -> tuple[Outcome, tuple[Score, ...]]:
        """Return the outcome of a complete answer, and the scores it rests on. `key` is the judge's idempotency key."""
        facts, mishap = check_facts(item.expected, answer.text), check_shape(answer.text)
        if self._data is None or not item.is_data_question:
            judged = await self._judge.score(item, _judged_words(answer.text), key) if self._judge is not None else None
            return conclude(facts, judged, mishap), _present(facts, judged, mishap)
        asked = _Asked(self._judge, item, key)
        scores = [*await self._data.score(item, answer, asked.about), *_present(facts)]
        if item.expected.rubric or item.expected.answer:
            scores += _present(await asked.about(item.expected.rubric, _judged_words(answer.text)))
        scores += _present(mishap)
        return remarked(_combined(scores, asked.status), scores), tuple(scores)

    async def rescore(self, item: Item, answer: Answer) -> Outcome:
        """Return the outcome of a stored answer to a data question under today's contract, without asking a judge."""
        problem = await self.check(item)
        if problem is not None:
            return problem[0]
        assert self._data is not None  # made with data questions
        scores = [*await self._data.score(item, answer, _ask_nobody), *_present(check_facts(item.expected, answer.text))]
        return _combined(scores, JudgeStatus.SKIPPED)

    async def fails(self, item: Item, answer: Answer | None) -> bool:
        """Whether a stored answer to a data question fails today's contract for certain."""
        return answer is not None and answer.is_complete and (await self.rescore(item, answer)).passed is False


async def _ask_nobody(_rubric: str, _words: str) -> None:
    return None


class _Asked:
    """The judge as data questions ask it: with a rubric of their own, and remembering what became of it."""

    def __init__(self, judge: Judge | None, item: Item, key: str) -> None:
        self._judge = judge
        self._item = item
        self._key = key
        self._calls = 0
        self.status = JudgeStatus.SKIPPED

    async def about(self, rubric: str, words: str) -> Score | None:
        if self._judge is None:
            return None
        self._calls += 1
        expected = Expected(rubric=rubric, answer=self._item.expected.answer)
        key = self._key if self._calls == 1 else f"{self._key}-{self._calls}"
        score = await self._judge.score(self._item.model_copy(update={"expected": expected}), words, key)
        if self.status is not JudgeStatus.ERROR:
            self.status = JudgeStatus.ERROR if score.passed is None else JudgeStatus.OK
        return score


def _combined(scores: list[Score], judge_status: JudgeStatus) -> Outcome:
    """Return the outcome of several gating scores: a definite fail first, then what is missing, then a pass."""
    decisive = next(
        (score for wanted in (False, None) for score in scores if score.gates and score.passed is wanted),
        scores[0],
    )
    status = Status.ERROR if decisive.passed is None else Status.SCORED
    value = decisive.value if decisive.passed is not None else None
    word = decisive.word or {False: "wrong", None: "error"}.get(decisive.passed, "")
    return Outcome(status, judge_status, decisive.passed, value, decisive.reason, word, fault=decisive.given_up)


def _judged_words(text: str) -> str:
    """Return what the judge is asked about: the answer without its drafts, or all of it where it is nothing else."""
    said = without_drafts(text)
    return said if fold(said) else text


def _unscorable(problem: Score) -> Outcome:
    return Outcome(Status.ERROR, JudgeStatus.SKIPPED, None, None, problem.reason, problem.word)


def _present(*scores: Score | None) -> tuple[Score, ...]:
    return tuple(score for score in scores if score is not None)
