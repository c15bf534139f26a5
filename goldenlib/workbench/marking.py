"""Marking: an answer with its phrases shown, and which answers held which phrase.

Rule: an answer is text from outside. It leaves here as segments with every active character made visible, never as markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from goldenlib.answers import EvidenceKind
from goldenlib.folding import fold
from goldenlib.items import Expected
from goldenlib.reporting.passages import find_spans, marked, visible
from goldenlib.scoring.facts import check_facts
from goldenlib.workbench.pagestate import PhraseCount, Pieces, ShownViolation

MOST_SHOWN = 20_000  # characters of an answer
_KINDS = {EvidenceKind.PRESENT: "present", EvidenceKind.FORBIDDEN: "forbidden", EvidenceKind.NEAR_MISS: "near"}
_TOKEN = re.compile(r"\s+|[\w\-]+|[^\w\s]")


def segments(text: str, expected: Expected) -> Pieces:
    """Return the answer as [text, kind] pairs; kind is present, forbidden, or empty."""
    return [list(part) for part in _segments(text[:MOST_SHOWN], expected.must_include, expected.must_not_include)] + (
        [["…", ""]] if len(text) > MOST_SHOWN else []
    )


@lru_cache(256)
def _segments(text: str, required: tuple[str, ...], forbidden: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    spans = find_spans(text, required=required, forbidden=forbidden)
    return tuple((part.text, _KINDS.get(part.kind, "") if part.kind is not None else "") for part in marked(text, spans))


def findings(text: str, expected: Expected) -> list[ShownViolation]:
    """Return the required phrases that an answer lacks, each with the passage that nearly says it, and forbidden ones it has."""
    score = check_facts(expected, text)
    if score is None:
        return []
    near = {part.phrase: visible(part.passage[part.start : part.end]) for part in score.evidence if part.kind is EvidenceKind.NEAR_MISS}
    return [
        {"kind": str(part.kind), "phrase": visible(part.phrase), "near": near.get(part.phrase, "")}
        for part in score.evidence
        if part.kind in (EvidenceKind.MISSING, EvidenceKind.FORBIDDEN)
    ]


def phrase_table(texts: Sequence[str], expected: Expected) -> list[PhraseCount]:
    """Return for each phrase how many of the answers hold it."""
    folded = [fold(text) for text in texts]
    phrases = [(phrase, False) for phrase in expected.must_include] + [(phrase, True) for phrase in expected.must_not_include]
    return [
        {
            "phrase": visible(phrase),
            "forbidden": forbidden,
            "found": sum(fold(phrase) in text for text in folded),
            "total": len(folded),
        }
        for phrase, forbidden in phrases
    ]


def word_diff(old: str, new: str) -> Pieces:
    """Return `new` against `old`, word by word, as [text, sign] pairs; the sign is +, - or empty."""
    before, after = _tokens(old), _tokens(new)
    pieces: Pieces = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(["".join(after[j1:j2]), ""])
            continue
        if i2 > i1:
            pieces.append(["".join(before[i1:i2]), "-"])
        if j2 > j1:
            pieces.append(["".join(after[j1:j2]), "+"])
    return pieces


def shortened(texts: Iterable[str], most: int = 160) -> list[str]:
    """Return texts on one line each, cut."""
    lines = (" ".join(visible(text).split()) for text in texts)
    return [line if len(line) <= most else f"{line[: most - 1]}…" for line in lines]


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(visible(text[:MOST_SHOWN]))
