"""Aging: what is right today and will not stay so.

Rule: a figure that ages needs a date by which somebody looks at it again (`review.due`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from goldenlib.folding import fold
from goldenlib.hazards.findings import Hit, Severity
from goldenlib.hazards.subject import Context, Subject
from goldenlib.hazards.vocabulary import MONTHS_EN, MONTHS_ID, MONTHS_SHORT, NOWADAYS

LOOKED_AT, LOOKED_AT_TEXT = 500, 5000  # letters of a phrase, and of a rubric or an answer

_MONEY = re.compile(
    r"\b(?:rp\.?|idr|usd|us\$|eur) ?\d|[$\u20ac] ?\d"
    r"|\b\d[\d.,]* ?(?:ribu|rb|juta|jt|miliar|milyar|triliun)\b|\b\d[\d.,]* (?:rupiah|dollars)\b"
    r"|\b(?:ribu|juta|miliar|triliun) rupiah\b|\b(?:ump|umr)\b[^.]{0,30}\d"
    r"|\b(?:ppn|pph|tarif|bunga|iuran)\b[^.]{0,30}\b\d[\d.,]* ?(?:%|persen)"
)
_MONTH = "|".join(sorted({*MONTHS_ID, *MONTHS_EN, *(rf"{short}\.?" for short in MONTHS_SHORT)}))
_DATE = re.compile(
    rf"\b(?:{_MONTH}) (?:\d{{1,2}}, )?\d{{4}}\b|\b\d{{4}}-\d\d-\d\d\b|\bmulai (?:tahun )?20\d\d\b|\b\d{{1,2}}([/.-])\d{{1,2}}\1\d{{4}}\b"
)
_NOW = re.compile(rf"\b(?:{'|'.join(map(re.escape, NOWADAYS))})\b")


def ages(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A fee, a date or a "now" in an item that nobody is to look at again; worse where the item gates releases."""
    review = subject.item.review
    if review is not None and review.due:
        return
    severity = Severity.WARNING if subject.item.is_verified else Severity.NOTE
    aging = [(phrase, what) for phrase in subject.phrases if (what := _aging(phrase.folded))]
    for phrase, what in aging:
        yield phrase.hit(severity, variant=what)
    if not aging:
        yield from _in_other_texts(subject)
    for written, folded in zip(subject.item.messages, subject.messages, strict=True):
        if found := _NOW.search(folded):
            field = "question" if subject.item.question is not None else "turns"
            yield Hit(Severity.NOTE, field, written, "question", {"word": found[0]})


def verified_without_review(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A verified item without a signature: nobody can see who verified it, when and on what grounds (contract 2.5)."""
    if subject.item.verified and subject.item.review is None:
        yield Hit(Severity.NOTE, "verified")


def _in_other_texts(subject: Subject) -> Iterator[Hit]:
    """What ages in the texts that the judge gets. Told where no phrase says so already: one date is the remedy for all."""
    expected = subject.item.expected
    for field, text in (("rubric", expected.rubric), ("answer", expected.answer)):
        folded = fold(text[:LOOKED_AT_TEXT])
        if found := _MONEY.search(folded) or _DATE.search(folded) or _NOW.search(folded):
            words = folded[found.start() :].split(" ")[: len(found[0].split(" "))]
            yield Hit(Severity.NOTE, field, "", "text", {"part": field, "word": " ".join(words).rstrip(".,;:")})


def _aging(folded: str) -> str:
    """What ages in a phrase: fee, date or now; empty for nothing."""
    folded = folded[:LOOKED_AT]
    if _MONEY.search(folded):
        return "fee"
    if _DATE.search(folded):
        return "date"
    return "now" if _NOW.search(folded) else ""
