"""Stored evidence: what earlier answers say about a phrase.

Rule: an answer counts as containing a phrase exactly when the fact gate would find it there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from goldenlib.answers import Result
from goldenlib.folding import fold
from goldenlib.hazards.textindex import CACHED_PHRASES, TextIndex
from goldenlib.hazards.vocabulary import AFTER_NEGATOR, NEGATORS

ANSWERS_PER_ITEM = 20
_PASSAGE_MARGIN = 30


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """One complete answer to an item from an earlier run.

    `passed` is None where the item was not scored, `question` where it is not known what the item asked then.
    """

    item_id: str
    text: str
    passed: bool | None = None
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Occurrences:
    """In how many of `total` answers a phrase occurs, and how many of those passed."""

    found: int
    passed: int
    total: int


class StoredEvidence:
    """Stored answers, to be asked about phrases. Give each item's answers newest first."""

    def __init__(self, answers: Iterable[StoredAnswer] = ()) -> None:
        given = tuple(answers)
        self._index = TextIndex(fold(answer.text) for answer in given)
        self._passed = [answer.passed is True for answer in given]
        by_item: defaultdict[str, list[StoredAnswer]] = defaultdict(list)
        for answer, folded in zip(given, self._index.texts, strict=True):
            question = fold(answer.question) if answer.question is not None else None
            by_item[answer.item_id].append(StoredAnswer(answer.item_id, folded, answer.passed, question))
        self._by_item = {item_id: tuple(some) for item_id, some in by_item.items()}
        self.occurrences = lru_cache(CACHED_PHRASES)(self._occurrences)

    def __len__(self) -> int:
        return len(self._passed)

    def answers_to(self, item_id: str, folded_question: str) -> tuple[StoredAnswer, ...]:
        """Return the stored answers to one item and this question, folded, newest first, the last twenty (ANSWERS_PER_ITEM)."""
        there = self._by_item.get(item_id, ())
        return tuple(answer for answer in there if answer.question in (None, folded_question))[:ANSWERS_PER_ITEM]

    def _occurrences(self, folded_phrase: str) -> Occurrences:
        """Return in how many answers to any item a folded phrase occurs."""
        found = self._index.containing(folded_phrase)
        return Occurrences(len(found), sum(self._passed[number] for number in found), len(self))


def occurrences_in(answers: Sequence[StoredAnswer], folded_phrase: str) -> Occurrences:
    """Return in how many of the answers a folded phrase occurs."""
    found = [answer for answer in answers if folded_phrase in answer.text]
    return Occurrences(len(found), sum(answer.passed is True for answer in found), len(answers))


def denials_in(answers: Sequence[StoredAnswer], folded_phrase: str) -> tuple[int, str]:
    """Return in how many of the answers a phrase stands right behind a denial, and the first such passage."""
    count, passage = 0, ""
    for answer in answers:
        if folded_phrase in answer.text and (found := _denial_of(folded_phrase).search(answer.text)):
            count += 1
            if not passage:
                start, end = max(0, found.start() - _PASSAGE_MARGIN), found.end() + _PASSAGE_MARGIN
                passage = f"{'…' * (start > 0)}{answer.text[start:end]}{'…' * (end < len(answer.text))}"
    return count, passage


@lru_cache(CACHED_PHRASES)
def _denial_of(folded_phrase: str) -> re.Pattern[str]:
    """The phrase behind a denial with at most four small words between: "tidak lagi perlu [akta notaris]"."""
    denials, between = "|".join(sorted(NEGATORS)).replace("'", "['\u2019]"), "|".join(sorted(AFTER_NEGATOR))
    marks = "[*_\"'\u2018\u201c]*"
    return re.compile(rf"(?<!\w)(?:{denials}|bebas){marks} (?:(?:{between}) ){{0,4}}{marks}{re.escape(folded_phrase)}")


class AnswerSource(Protocol):
    """What stored answers are read from; `goldenlib.storage.Store` is one."""

    def item_answers(self, item_id: str, limit: int = 20, *, series: str | None = None) -> tuple[Result, ...]:
        """Return the stored results of an item that have an answer, newest first."""


def read_evidence(source: AnswerSource, item_ids: Iterable[str]) -> StoredEvidence:
    """Return the last complete answers to the items."""
    return evidence_of(result for item_id in item_ids for result in source.item_answers(item_id, ANSWERS_PER_ITEM))


def evidence_of(results: Iterable[Result]) -> StoredEvidence:
    """Return what the complete answers among some results say."""
    return StoredEvidence(
        StoredAnswer(result.item_id, result.answer.text, result.passed, result.question)
        for result in results
        if result.answer is not None and result.answer.is_complete
    )
