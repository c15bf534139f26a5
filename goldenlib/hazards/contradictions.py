"""Contradictions: phrases of one item that stand in each other's way, and an expected answer that breaks its own contract.

Rule: what can be told from the item alone, without guessing what an answer may say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from goldenlib.hazards import spellings
from goldenlib.hazards.findings import Hit, Severity
from goldenlib.hazards.subject import Context, Phrase, Subject
from goldenlib.hazards.textindex import Lines

_FEW = 8  # phrases are compared one by one; more are searched as one text


def in_both_lists(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A phrase that is required and forbidden, in the same spelling or in another one for the same amount, date or word."""
    required = {phrase.folded: phrase for phrase in subject.required}
    spelled = {variant: phrase for phrase in subject.required if subject.forbidden for variant in _spellings(phrase)}
    for phrase in subject.forbidden:
        if phrase.folded in required:
            yield phrase.hit(Severity.ERROR, other=required[phrase.folded].text)
        elif other := next((spelled[variant] for variant in _spellings(phrase) if variant in spelled), None):
            yield phrase.hit(Severity.WARNING, variant="spelling", other=other.text)


def forbidden_in_required(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A forbidden phrase that is part of a required one: no answer can pass."""
    yield from (phrase.hit(Severity.ERROR, other=other.text) for phrase, other in _inside(subject.forbidden, subject.required))


def required_in_forbidden(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A required phrase that is part of a forbidden one: an answer with the wrong claim satisfies it."""
    yield from (phrase.hit(Severity.WARNING, other=other.text) for phrase, other in _inside(subject.required, subject.forbidden))


def duplicate_phrase(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A phrase that stands in the same list twice, to the fact gate; and a fact required in two spellings, which is no choice."""
    for phrases in subject.written:
        first: dict[str, Phrase] = {}
        for phrase in phrases:
            other = first.setdefault(phrase.folded, phrase)
            if other is not phrase:
                yield phrase.hit(Severity.WARNING, other=other.text)
    spelled: dict[str, Phrase] = {}
    for phrase in subject.required if len(subject.required) > 1 else ():
        variants = _spellings(phrase)
        if same := next((spelled[variant] for variant in variants if variant in spelled), None):
            yield phrase.hit(Severity.WARNING, variant="spelling", other=same.text)
        spelled.update(dict.fromkeys(variants, phrase))


def contained_phrase(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A phrase inside another of the same list: one of them decides nothing."""
    for phrases in (subject.required, subject.forbidden):
        for _, pairs in groupby(_inside(phrases, phrases), key=lambda pair: pair[0].folded):
            phrase, other = next(pairs)
            yield phrase.hit(Severity.NOTE, other=other.text)


def missing_from_own_answer(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A required phrase that the item's own expected answer lacks (case 100)."""
    for phrase in subject.required:
        if subject.answer and phrase.folded not in subject.answer:
            yield phrase.hit(Severity.WARNING)


def forbidden_in_own_answer(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A forbidden phrase that the item's own expected answer holds."""
    for phrase in subject.forbidden:
        if phrase.folded in subject.answer:
            yield phrase.hit(Severity.WARNING)


def _inside(phrases: Sequence[Phrase], others: Sequence[Phrase]) -> Iterator[tuple[Phrase, Phrase]]:
    """Give each phrase with each of the others that it is a part of."""
    lines = Lines(other.folded for other in others) if len(others) > _FEW else None
    for phrase in phrases:
        if lines is None:
            around = [other for other in others if phrase.folded in other.folded]
        else:
            around = [others[number] for number in lines.holding(phrase.folded)]
        yield from ((phrase, other) for other in around if other.folded != phrase.folded)


def _spellings(phrase: Phrase) -> tuple[str, ...]:
    return phrase.folded, spellings.plain(phrase.folded), *spellings.all_spellings(phrase.folded)
