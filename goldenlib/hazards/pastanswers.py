"""History: what stored answers to an item say about its phrases.

Rule: only answers to this very item are evidence of how its phrases work; fewer than five say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from goldenlib.hazards.findings import Fact, Hit, Severity
from goldenlib.hazards.stored import occurrences_in
from goldenlib.hazards.subject import Context, Subject

ENOUGH, ENOUGH_FOR_DEAD = 5, 10
RELIABLE = 0.9  # a required phrase that is present in fewer answers comes and goes


def flaky_phrase(subject: Subject, context: Context) -> Iterator[Hit]:
    """A required phrase that is in some of the last answers and not in others."""
    answers = context.answers_to(subject)
    for phrase in subject.required if len(answers) >= ENOUGH else ():
        seen = occurrences_in(answers, phrase.folded)
        if 0 < seen.found < RELIABLE * seen.total:
            yield phrase.hit(Severity.WARNING, found=seen.found, total=seen.total)


def never_present(subject: Subject, context: Context) -> Iterator[Hit]:
    """A required phrase that none of the last answers holds."""
    answers = context.answers_to(subject)
    for phrase in subject.required if len(answers) >= ENOUGH else ():
        if not occurrences_in(answers, phrase.folded).found:
            yield phrase.hit(Severity.WARNING, total=len(answers))


def fails_passed_answers(subject: Subject, context: Context) -> Iterator[Hit]:
    """A phrase that would fail answers which passed."""
    passed = [answer for answer in context.answers_to(subject) if answer.passed]
    for phrase in subject.phrases if passed else ():
        held = occurrences_in(passed, phrase.folded).found
        failing = len(passed) - held if phrase.is_required else held
        if failing:
            yield phrase.hit(Severity.WARNING, count=failing, total=len(passed))


def dead_phrase(subject: Subject, context: Context) -> Iterator[Hit]:
    """A phrase that has never failed an answer, not even those that failed."""
    answers = context.answers_to(subject)
    if len(answers) < ENOUGH_FOR_DEAD:
        return
    failed = sum(answer.passed is False for answer in answers)
    for phrase in subject.phrases:
        held = occurrences_in(answers, phrase.folded).found
        if held == (len(answers) if phrase.is_required else 0):
            yield phrase.hit(Severity.NOTE, Fact("failed-answers", {"count": failed, "total": len(answers)}), total=len(answers))
