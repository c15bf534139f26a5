"""Aging: what is right today and will not stay so.

Rule: a figure that ages needs a date by which somebody looks at it again (`review.due`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from goldenlib.hazards.findings import Hit, Severity
from goldenlib.hazards.subject import Context, Subject
from goldenlib.hazards.vocabulary import MONTHS_EN, MONTHS_ID, NOWADAYS

LOOKED_AT = 500  # letters of a phrase

_MONEY = re.compile(r"\b(?:rp\.?|idr|usd|us\$) ?\d|\$ ?\d|\b\d[\d.,]* (?:ribu|juta|miliar|triliun)\b|\b\d[\d.,]* (?:rupiah|dollars)\b")
_MONTH = "|".join(sorted({*MONTHS_ID, *MONTHS_EN}))
_DATE = re.compile(rf"\b(?:{_MONTH}) (?:\d{{1,2}}, )?\d{{4}}\b|\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}/\d{{1,2}}/\d{{4}}\b")
_NOW = re.compile(rf"\b(?:{'|'.join(map(re.escape, NOWADAYS))})\b")


def ages(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A fee, a date or a "now" in an item that nobody is to look at again; worse where the item gates releases."""
    review = subject.item.review
    if review is not None and review.due:
        return
    severity = Severity.WARNING if subject.item.is_verified else Severity.NOTE
    for phrase in subject.phrases:
        if what := _aging(phrase.folded):
            yield phrase.hit(severity, variant=what)
    for written, folded in zip(subject.item.messages, subject.messages, strict=True):
        if found := _NOW.search(folded):
            field = "question" if subject.item.question is not None else "turns"
            yield Hit(Severity.NOTE, field, written, "question", {"word": found[0]})


def verified_without_review(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A verified item without a signature: nobody can see who verified it, when and on what grounds (contract 2.5)."""
    if subject.item.verified and subject.item.review is None:
        yield Hit(Severity.NOTE, "verified")


def _aging(folded: str) -> str:
    """What ages in a phrase: fee, date or now; empty for nothing."""
    folded = folded[:LOOKED_AT]
    if _MONEY.search(folded):
        return "fee"
    if _DATE.search(folded):
        return "date"
    return "now" if _NOW.search(folded) else ""
