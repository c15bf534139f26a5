"""Mutations: wrong answers that are tried out on a contract, to see whether it would notice.

Rule: the fact gate alone is tried. Where a rubric stands beside it, the judge may still notice, and a finding is only a note.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from goldenlib.folding import fold
from goldenlib.hazards.denials import DenialShape, denials, shape_of
from goldenlib.hazards.findings import Fact, Hit, Severity
from goldenlib.hazards.others import OtherItems
from goldenlib.hazards.subject import Context, Subject
from goldenlib.hazards.vocabulary import ECHOES, REFUSALS
from goldenlib.items import Item

SHOWN_OTHERS = 3
SHOWN_LENGTH = 160
_DENIED = (DenialShape.MODAL, DenialShape.VERB, DenialShape.NOUN)
_NOTHING_SAID = "Terima kasih atas pertanyaan Anda."
_FOLDED_REFUSALS = tuple((text, fold(text)) for text in REFUSALS)
_FOLDED_ECHOES = tuple((echo, fold(echo)) for echo in ECHOES)
_ALL_REFUSALS = "\n".join(folded for _, folded in _FOLDED_REFUSALS)


@dataclass(frozen=True, slots=True)
class Mutation:
    """One kind of wrong answer: how many were tried, how many the fact gate lets through, and one of those.

    `kind` is empty, refusal, echo, denial or other. `score` is the best share of phrases that hold, as the fact gate scores it.
    """

    kind: str
    tried: int
    passed: int
    score: float
    example: str = ""


def try_out(item: Item, others: OtherItems | None = None) -> tuple[Mutation, ...]:
    """Return what the fact gate would make of wrong answers to an item: is the contract strong enough to notice?"""
    subject = Subject(item)
    answers = {
        "empty": [""],
        "refusal": list(REFUSALS),
        "echo": [_echo(subject, echo) for echo in ECHOES],
        "denial": [_denial(subject)] if subject.required else [],
    }
    tried = [_try(subject, kind, texts) for kind, texts in answers.items()]
    if others is not None:
        passing = _other_items(subject, others)
        tried.append(Mutation("other", len(others), len(passing), 1.0 if passing else 0.0, passing[0] if passing else ""))
    return tuple(tried)


def passes_empty(subject: Subject, _context: Context) -> Iterator[Hit]:
    """An item that requires nothing: an answer that says nothing passes."""
    if not subject.required and subject.forbidden and subject.passes(fold(_NOTHING_SAID)):
        yield Hit(subject.weak(), "must_include", evidence=(Fact("example-answer", {"text": _NOTHING_SAID}),))


def passes_refusal(subject: Subject, _context: Context) -> Iterator[Hit]:
    """An item that a refusal passes although it wants an answer."""
    if subject.required and subject.wants_an_answer and subject.required[0].folded in _ALL_REFUSALS:
        text = next((text for text, folded in _FOLDED_REFUSALS if subject.passes(folded)), None)
        if text is not None:
            yield Hit(subject.weak(), "must_include", evidence=(Fact("example-answer", {"text": text}),))


def passes_echo(subject: Subject, _context: Context) -> Iterator[Hit]:
    """An item that its own question passes."""
    if subject.required and subject.wants_an_answer:
        asked = " ".join(subject.messages)
        echo = next((echo for echo, folded in _FOLDED_ECHOES if subject.passes(f"{folded} {asked}")), None)
        if echo is not None:
            yield Hit(subject.weak(), "must_include", evidence=(Fact("example-answer", {"text": _shortened(_echo(subject, echo))}),))


def passes_denial(subject: Subject, _context: Context) -> Iterator[Hit]:
    """An item that an answer passes which denies each of its facts."""
    shapes = _DENIED if subject.is_polar else (DenialShape.MODAL,)  # who is asked for yes or no denies a thing as well
    if subject.required and all(shape_of(phrase.folded) in shapes for phrase in subject.required):
        text = _denial(subject)
        if subject.passes(fold(text)):
            yield Hit(subject.weak(), "must_include", evidence=(Fact("example-answer", {"text": _shortened(text)}),))


def passes_other_answer(subject: Subject, context: Context) -> Iterator[Hit]:
    """An item that a good answer to another question passes."""
    if context.others is not None and subject.required and (passing := _other_items(subject, context.others)):
        shown = ", ".join(passing[:SHOWN_OTHERS]) + (", …" if len(passing) > SHOWN_OTHERS else "")
        facts = (Fact("other-items", {"ids": shown, "count": len(passing), "total": len(context.others)}),)
        yield Hit(subject.weak(), "must_include", evidence=facts, values={"count": len(passing), "first": passing[0]})


def duplicate_question(subject: Subject, context: Context) -> Iterator[Hit]:
    """A question that another item asks too."""
    if context.others is not None and (same := context.others.same_question(subject.item)):
        field = "question" if subject.item.question is not None else "turns"
        yield Hit(Severity.WARNING, field, subject.item.title, values={"other": same[0]})


def _other_items(subject: Subject, others: OtherItems) -> tuple[str, ...]:
    if not subject.wants_an_answer:
        return ()
    return others.answered_by(subject.item, [phrase.folded for phrase in subject.required], [phrase.folded for phrase in subject.forbidden])


def _echo(subject: Subject, echo: str) -> str:
    return " ".join((echo, *subject.item.messages))


def _denial(subject: Subject) -> str:
    """An answer that denies each required phrase as people would; where that breaks the phrase, the phrase is gone."""
    return ". ".join(denials(phrase.folded, subject.language)[0] for phrase in subject.required if shape_of(phrase.folded) in _DENIED)


def _try(subject: Subject, kind: str, texts: list[str]) -> Mutation:
    passing = [text for text in texts if subject.passes(fold(text))]
    best = max((_share(subject, fold(text)) for text in texts), default=0.0)
    return Mutation(kind, len(texts), len(passing), best, passing[0] if passing else "")


def _share(subject: Subject, folded: str) -> float:
    """The share of phrases that hold, as `scoring.facts` counts them; an empty answer has none."""
    holds = {(phrase.field, phrase.text): (phrase.folded in folded) is phrase.is_required for phrase in chain(*subject.written)}
    return sum(holds.values()) / len(holds) if folded and holds else 0.0


def _shortened(text: str) -> str:
    return text if len(text) <= SHOWN_LENGTH else text[: SHOWN_LENGTH - 1] + "…"
