"""The table of scorers: every axis that goldenlib scores by, in the order in which their findings are told.

Rule: what an item calls for is read from its contract here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from goldenlib.answers import Answer, Score
from goldenlib.errors import SettingsError
from goldenlib.folding import fold
from goldenlib.items import Item
from goldenlib.plugins import Choices, installed
from goldenlib.scoring.facts import check_facts
from goldenlib.scoring.mishaps import check_shape
from goldenlib.scoring.scorer import Asking, Need, Opened, Scorer
from goldenlib.wire.reasoning import without_drafts


class DataQuestions(Scorer):
    """Results, declines and leaks of data questions. What it stands on needs the extra `data`, which other runs need not load."""

    is_of_contract = True

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        from goldenlib.scoring.data import DataScorer

        self._scorer = DataScorer(opened.warehouse)

    @staticmethod
    def applies(item: Item) -> bool:
        """Whether the item is a data question."""
        return item.is_data_question

    @staticmethod
    def needs(item: Item) -> frozenset[Need]:
        """Return the warehouse, where there is golden SQL to run."""
        return frozenset((Need.WAREHOUSE,)) if item.expected.sql is not None else frozenset()

    async def check(self, item: Item) -> Score | None:
        """Return why its gold cannot score."""
        return await self._scorer.check_gold(item)

    async def score(self, item: Item, answer: Answer, asking: Asking) -> Sequence[Score]:
        """Return what the results, or the decline, come to."""
        return await self._scorer.score(item, answer, asking.about)


class Facts(Scorer):
    """The fact gate: required and forbidden phrases."""

    is_of_contract = True

    @staticmethod
    def applies(item: Item) -> bool:
        """Whether the item has phrases."""
        return bool(item.expected.must_include or item.expected.must_not_include)

    async def score(self, item: Item, answer: Answer, asking: Asking) -> Sequence[Score]:
        """Return the finding of the fact gate."""
        return present(check_facts(item.expected, answer.text))


class Judged(Scorer):
    """The judge, asked about the whole answer: of every item of a chatbot, and of data questions with a rubric or an ideal answer."""

    is_of_contract = True

    @staticmethod
    def applies(item: Item) -> bool:
        """Whether there is anything to ask about that no other scorer settles."""
        return not item.is_data_question or bool(item.expected.rubric or item.expected.answer)

    @staticmethod
    def needs(item: Item) -> frozenset[Need]:
        """Return the judge."""
        return frozenset((Need.JUDGE,))

    async def score(self, item: Item, answer: Answer, asking: Asking) -> Sequence[Score]:
        """Return the judge's verdict on the answer without its drafts, or on all of it where it is nothing else."""
        said = without_drafts(answer.text)
        words = said if fold(said) else answer.text
        return present(await asking.about_item(words))


class Mishaps(Scorer):
    """What looks like an error message and not like an answer. It decides nothing by itself."""

    async def score(self, item: Item, answer: Answer, asking: Asking) -> Sequence[Score]:
        """Return the finding about the shape of the answer."""
        return present(check_shape(answer.text))


# By name, in the order in which their findings are told; a package adds its own by an entry point of the group goldenlib.scorers.
SCORERS: Choices[type[Scorer]] = Choices("scorer", {"data": DataQuestions, "facts": Facts, "judge": Judged, "mishaps": Mishaps})


def scorers_of(names: Iterable[str] = ()) -> tuple[type[Scorer], ...]:
    """Return our scorers, and those of installed packages that are named. Raises SettingsError for a name that nobody offers."""
    ours = tuple(SCORERS.ours.values())
    for name in names:
        if name not in SCORERS:
            offered = ", ".join(installed("scorer")) or "none"
            raise SettingsError(f"golden_scorers: no installed package offers a scorer {name!r} (those offered: {offered}); install it")
    return (*ours, *(SCORERS[name] for name in names if name not in SCORERS.ours))


def present(*scores: Score | None) -> tuple[Score, ...]:
    """Return the scores that there are."""
    return tuple(score for score in scores if score is not None)
