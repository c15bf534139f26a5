"""Echoes: phrases that an answer holds without knowing anything: those of the question, and those of a refusal.

Rule: a refusal that repeats the question must neither collect facts nor fail for the question's own words.
"""

from __future__ import annotations

from collections.abc import Iterator

from goldenlib.folding import fold
from goldenlib.hazards.findings import Fact, Hit, Severity
from goldenlib.hazards.subject import Context, Subject
from goldenlib.hazards.vocabulary import REFUSAL_SENTENCES, REFUSALS

_FOLDED_REFUSALS = tuple((refusal, fold(refusal)) for refusal in (*REFUSALS, *REFUSAL_SENTENCES))
_ALL_REFUSALS = "\n".join(folded for _, folded in _FOLDED_REFUSALS)


def in_question(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A phrase that stands in the question (case 92)."""
    for phrase in subject.phrases:
        if any(phrase.folded in message for message in subject.messages):
            yield phrase.hit(Severity.WARNING)


def in_refusal(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A phrase that an honest "I cannot help" contains."""
    for phrase in subject.phrases:
        if phrase.folded not in _ALL_REFUSALS or (phrase.is_required and not subject.wants_an_answer):
            continue  # where a refusal is right, it should satisfy the phrase
        refusal = next((text for text, folded in _FOLDED_REFUSALS if phrase.folded in folded), None)
        if refusal is not None:
            severity = subject.weak() if phrase.is_required else Severity.WARNING
            yield phrase.hit(severity, Fact("refusal", {"text": refusal}))
