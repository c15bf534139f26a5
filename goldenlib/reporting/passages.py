"""Passages: texts from outside made visible, and the places in an answer that speak for a finding.

Rule: a text keeps what it says and loses what it could do. Nothing here is markup; each report escapes in its own way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from goldenlib.answers import EvidenceKind
from goldenlib.folding import fold, fold_with_offsets

# Control characters, bidi controls, line separators, surrogates, interlinear and tag characters, noncharacters:
# all that moves a cursor, turns text around, hides in it, or may not stand in XML 1.0. Tab and line feed stay.
_ACTIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
_WORD = re.compile(r"\S+")
_CONTEXT_WORDS = 6
_MOST_WORDS = 4000


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a text, from `start` up to and without `end`, and what it shows there; `kind` None marks nothing."""

    start: int
    end: int
    kind: EvidenceKind | None
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of visible text; `kind` is None for text that is not marked."""

    text: str
    kind: EvidenceKind | None = None
    phrase: str = ""


def visible(text: str) -> str:
    """Return `text` with every active character shown instead of obeyed; line feeds and tabs stay.

    CR LF becomes LF. What comes out is legal in XML 1.0 and can be encoded in UTF-8.

    >>> visible("\\x1b[31mred\\u202e")
    '␛[31mred⟦U+202E⟧'
    """
    if not _ACTIVE.search(text):
        return text
    return _ACTIVE.sub(_shown, text.replace("\r\n", "\n"))


def plain(text: str, most: int | None = None) -> str:
    """Return `text` on one line, visible, with white space runs as one space; cut with … after `most` characters."""
    line = " ".join(visible(text).split())
    return line if most is None or len(line) <= most else f"{line[: most - 1].rstrip()}…"


def find_spans(text: str, *, required: Iterable[str] = (), forbidden: Iterable[str] = (), near: Iterable[str] = ()) -> tuple[Span, ...]:
    """Return where the phrases stand in `text`, in order and without overlap, by the fold rule of contract 4.1.

    Where phrases overlap, forbidden ones win over required ones, these over near misses, and the earlier and longer hit
    over the later and shorter.
    """
    kinds = ((EvidenceKind.FORBIDDEN, forbidden), (EvidenceKind.PRESENT, required), (EvidenceKind.NEAR_MISS, near))
    wanted = [(kind, phrase) for kind, phrases in kinds for phrase in dict.fromkeys(phrases) if fold(phrase)]
    if not text or not wanted:
        return ()
    folded, offsets = fold_with_offsets(text)
    spans: list[Span] = []
    for kind, _ in kinds:
        hits = [hit for of_kind, phrase in wanted if of_kind is kind for hit in _hits(text, folded, offsets, kind, phrase)]
        for hit in sorted(hits, key=lambda span: (span.start, -span.end)):
            if not any(hit.start < other.end and other.start < hit.end for other in spans):
                spans.append(hit)
    return tuple(sorted(spans, key=lambda span: span.start))


def marked(text: str, spans: Sequence[Span]) -> tuple[Segment, ...]:
    """Return the whole text in segments, the spans marked."""
    segments: list[Segment] = []
    position = 0
    for span in spans:
        segments += _unmarked(text[position : span.start])
        segments.append(Segment(visible(text[span.start : span.end]), span.kind, span.phrase))
        position = span.end
    return (*segments, *_unmarked(text[position:]))


def excerpt(text: str, spans: Sequence[Span] = (), *, around: int = 40, most: int = 3) -> tuple[Segment, ...]:
    """Return short passages around the first `most` spans, on one line, joined by "…".

    Without spans, the beginning of the text.

    >>> text = "Pendirian PT perorangan tidak wajib akta notaris."
    >>> [segment.text for segment in excerpt(text, find_spans(text, forbidden=["wajib akta"]), around=9)]
    ['…', 'tidak ', 'wajib akta', ' notaris.']
    """
    shown = list(spans)[:most]
    windows = _windows(text, [(span.start, span.end) for span in shown] or [(0, 0)], around)
    segments: list[Segment] = []
    for start, end in windows:
        if start > 0:
            segments.append(Segment("…"))
        inside = [Span(s.start - start, s.end - start, s.kind, s.phrase) for s in shown if start <= s.start and s.end <= end]
        segments += marked(text[start:end], inside)
    if windows[-1][1] < len(text.rstrip()):
        segments.append(Segment("…"))
    return _on_one_line(segments)


def counterpart(text: str, start: int, end: int, other: str) -> tuple[int, int] | None:
    """Return the place in `other` that stands where `start` to `end` stands in `text`; None when the texts have too little in common.

    Found by lining up the words of both texts, so that "Rp150.000" in one answer leads to "Rp100.000" in the next.
    """
    here, there = list(_WORD.finditer(text)), list(_WORD.finditer(other))
    inside = [index for index, word in enumerate(here) if word.start() < end and word.end() > start]
    if not inside or not there or max(len(here), len(there)) > _MOST_WORDS:
        return None
    first, last = inside[0], inside[-1]
    matcher = SequenceMatcher(None, [fold(word[0]) for word in here], [fold(word[0]) for word in there], autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    near = [block for block in blocks if block.a <= last + _CONTEXT_WORDS and block.a + block.size > first - _CONTEXT_WORDS]
    if not near:
        return None
    low = max((block.b + min(block.size, first - block.a) for block in blocks if block.a < first), default=0)
    high = min((block.b + max(0, last + 1 - block.a) for block in blocks if block.a + block.size > last + 1), default=len(there))
    low, high = min(low, len(there) - 1), max(min(high, low + last - first + 1 + _CONTEXT_WORDS), low)
    return there[low].start(), there[high - 1].end() if high > low else there[low].start()


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟦U+{code:04X}⟧"


def _hits(text: str, folded: str, offsets: Sequence[int], kind: EvidenceKind, phrase: str) -> Iterator[Span]:
    needle = fold(phrase)
    found = folded.find(needle)
    while found >= 0:
        start, end = offsets[found], _end(text, offsets, found + len(needle) - 1)
        yield Span(start, end, kind, phrase)
        found = folded.find(needle, found + len(needle))


def _end(text: str, offsets: Sequence[int], last: int) -> int:
    """Where the piece of text ends that the folded character `last` came from."""
    for following in range(last + 1, len(offsets)):
        if offsets[following] > offsets[last]:
            return offsets[following]
    return len(text.rstrip())


def _windows(text: str, places: Sequence[tuple[int, int]], around: int) -> list[tuple[int, int]]:
    """Widen places to whole words about `around` characters further on both sides; windows that meet become one."""
    windows: list[tuple[int, int]] = []
    for start, end in places:
        low, high = _word_start(text, max(0, start - around), start), _word_end(text, min(len(text), end + around), end)
        if windows and low <= windows[-1][1] + 1:
            windows[-1] = (windows[-1][0], max(high, windows[-1][1]))
        else:
            windows.append((low, high))
    return windows


def _word_start(text: str, index: int, latest: int) -> int:
    if index == 0 or text[index - 1].isspace():
        return index
    for place in range(index, latest):
        if text[place].isspace():
            return place + 1
    return index


def _word_end(text: str, index: int, earliest: int) -> int:
    if index == len(text) or text[index].isspace():
        return index
    for place in range(index, earliest, -1):
        if text[place - 1].isspace():
            return place - 1
    return index


def _unmarked(text: str) -> list[Segment]:
    return [Segment(visible(text))] if text else []


def _on_one_line(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    flat = (Segment(re.sub(r"\s+", " ", segment.text), segment.kind, segment.phrase) for segment in segments)
    return tuple(segment for segment in flat if segment.text)
