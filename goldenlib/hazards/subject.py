"""The subject of a lint: one item made ready, and what is known beside it.

Rule: rules look at folded texts only, so that phrases which the fact gate cannot tell apart get the same findings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from goldenlib.folding import fold
from goldenlib.hazards.findings import FORBIDDEN, REQUIRED, Fact, Hit, Severity
from goldenlib.hazards.others import OtherItems
from goldenlib.hazards.stored import StoredAnswer, StoredEvidence
from goldenlib.hazards.vocabulary import ASKING_EN, ENGLISH, POLAR_STARTS, POLAR_WORDS
from goldenlib.hazards.words import WordList
from goldenlib.items import Item, Kind

# "Apa itu yayasan?", "Notaris itu siapa?", "Apa status hukum CV?": what something is, which a wrong answer denies with "bukan".
_WHAT_IT_IS = re.compile(
    r"\b(?:apa|siapa|siapakah) (?:itu|artinya|arti|maksud)\b|\byang dimaksud\b|\b(?:itu|adalah) (?:apa|siapa)\b"
    r"|\b(?:pengertian|definisi|status|statusnya|kedudukan|bentuk|berbentuk|sifat|kekuatan|tergolong|berstatus)\b"
    r"|\btermasuk (?:apa|badan|jenis|kategori)\b"
    r"|^(?:siapa|siapakah) [\w ]{1,40} itu\b|^(?:what|who) (?:is|are) an? |\bstatus of\b"
)
_COMPARES = re.compile(r"\b(?:beda|bedanya|perbedaan|perbedaannya|difference|versus)\b|\batau (?:bukan|tidak|belum)\b")
_WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")


@dataclass(frozen=True)
class Phrase:
    """One phrase of an item: as written, folded, and under which key it stands."""

    text: str
    folded: str
    field: str

    @property
    def is_required(self) -> bool:
        """Whether it must appear; else it must not."""
        return self.field == REQUIRED

    @cached_property
    def words(self) -> list[str]:
        """Its folded words, without punctuation."""
        return words_of(self.folded)

    def written(self, start: int, end: int) -> str:
        """A part of the folded phrase with its letters as written, where they stand in the same places."""
        line = " ".join(self.text.split())
        return (line if len(line) == len(self.folded) else self.folded)[start:end]

    def hit(self, severity: Severity, *evidence: Fact, variant: str = "", **values: object) -> Hit:
        """Return a hit on this phrase. Without a `variant` it is worded by the list that the phrase stands in."""
        return Hit(severity, self.field, self.text, variant or ("required" if self.is_required else "forbidden"), values, evidence)


class Subject:
    """One item, folded once for all rules. Of phrases that are the same to the fact gate, `required` and `forbidden` hold the first."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.written = (
            [Phrase(text, fold(text), REQUIRED) for text in item.expected.must_include],
            [Phrase(text, fold(text), FORBIDDEN) for text in item.expected.must_not_include],
        )
        self.required, self.forbidden = map(_unique, self.written)
        self.phrases = self.required + self.forbidden
        self.messages = tuple(fold(message) for message in item.messages)
        self.answer = fold(item.expected.answer)
        self.helps_the_judge = bool(self.answer or fold(item.expected.rubric) or item.expected.sql)

    @property
    def wants_an_answer(self) -> bool:
        """Whether a right answer answers; else it declines, and a refusal is right."""
        return self.item.kind is Kind.ANSWER

    @cached_property
    def language(self) -> str:
        """The language of the question, "en" or "id"."""
        words = words_of(self.messages[0])
        return "en" if len(ENGLISH.intersection(words)) + len(ASKING_EN.intersection(words)) > 1 else "id"

    @cached_property
    def is_polar(self) -> bool:
        """Whether the question can be answered with yes or no."""
        for message in self.messages:
            words = words_of(message)
            if words and (words[0] in POLAR_STARTS or POLAR_WORDS & set(words)):
                return True
        return False

    @cached_property
    def compares(self) -> bool:
        """Whether the question asks for a difference, or for one of two."""
        return any(_COMPARES.search(message) for message in self.messages)

    @cached_property
    def asks_what_it_is(self) -> bool:
        """Whether the question asks what or who something is, or which status it has."""
        return any(_WHAT_IT_IS.search(message) for message in self.messages)

    def weak(self) -> Severity:
        """How bad it is when the fact gate lets a wrong answer through: the judge still has the rubric, if there is one."""
        return Severity.NOTE if self.helps_the_judge else Severity.WARNING

    def passes(self, folded_answer: str) -> bool:
        """Whether the fact gate would let an answer through (contract 4.1)."""
        return (
            bool(folded_answer)
            and all(phrase.folded in folded_answer for phrase in self.required)
            and not any(phrase.folded in folded_answer for phrase in self.forbidden)
        )


@dataclass(frozen=True, slots=True)
class Context:
    """What is known beside the item; each part may be absent."""

    words: WordList | None = None
    evidence: StoredEvidence | None = None
    others: OtherItems | None = None

    def answers_to(self, subject: Subject) -> Sequence[StoredAnswer]:
        """The stored answers to the question of the item, newest first; none without a store."""
        return self.evidence.answers_to(subject.item.id, subject.messages[0]) if self.evidence is not None else ()


def _unique(phrases: Sequence[Phrase]) -> tuple[Phrase, ...]:
    first: dict[str, Phrase] = {}
    for phrase in phrases:
        first.setdefault(phrase.folded, phrase)
    return tuple(first.values())


def words_of(folded: str) -> list[str]:
    """Return the words of a folded text, without punctuation; hyphens and apostrophes inside a word stay.

    >>> words_of("paling lambat 6 (enam) bulan, e-KTP")
    ['paling', 'lambat', '6', 'enam', 'bulan', 'e-KTP']
    """
    return _WORD.findall(folded)
