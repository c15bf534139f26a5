"""Folding: the one rule by which two texts count as the same for the fact gate (contract 4.1).

Rule: folding only ever equates texts that a reader cannot tell apart, letter case and line layout aside.
"""

from __future__ import annotations

import re
import unicodedata

# What nobody can see (Unicode 16, DerivedCoreProperties.txt and DerivedGeneralCategory.txt): the code points with the property
# Default_Ignorable_Code_Point and the format controls (Cf). Left out is what shows: signs that are drawn around figures
# (Prepended_Concatenation_Mark), what arranges hieroglyphs, and the override to right-to-left, which turns around what a reader sees.
UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202d\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_BLANK = "\N{BRAILLE PATTERN BLANK}"  # shows nothing and takes room, as white space does
MOST_MARKS = 30
_LONG_MARK_RUN = re.compile(rf"[^\w\s\x00-\x7f]{{{MOST_MARKS + 1},}}")  # marks are neither word characters nor white space
_INVISIBLE = re.compile(f"[{UNSEEN}]")
# Flags of regions are made of tag characters: a black flag, three to six letters and figures, and an end (UTS #51, annex C.1).
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
# A letter is followed by one variation selector at most; with several, any byte can be written (those of emoji are often doubled).
_HIDDEN = re.compile(f"(?P<flag>{_FLAG})|[\U000e0000-\U000e007f]+|[\U000e0100-\U000e01ef]{{2,}}|[{UNSEEN}]{{8,}}")


def hidden_text(text: str) -> str:
    """Return the first piece of a text in which something may be written that nobody can see; "" where there is none.

    That is a tag character, outside the flags of regions, which are made of them, two of the variation selectors that letters take, and
    eight unseen characters in a row.
    """
    found = () if text.isascii() else _HIDDEN.finditer(text)
    return next((piece[0] for piece in found if piece["flag"] is None), "")


def without_hidden_text(text: str) -> str:
    """Return the text without such pieces, for whoever is not a person and would read them all the same, such as a judge.

    >>> without_hidden_text("Berapa\\U000e0042\\U000e0059 biayanya?")
    'Berapa biayanya?'
    """
    return text if text.isascii() else _HIDDEN.sub(lambda piece: piece["flag"] or "", text)


def fold(text: str) -> str:
    """Return `text` in the form in which phrases are searched.

    What nobody can see is removed, the text is put in Unicode NFC, each run of white space (line
    breaks and no-break spaces too) becomes one space, leading and trailing space goes, and case is folded. There is no
    stemming, no word boundary, no synonym, and punctuation and markdown stay (seed 000, "Caveat"; contract 4.1).
    Folding twice changes nothing.

    >>> fold("Biaya Rp\\u00a050.000\\n PER  berkas")
    'biaya rp 50.000 per berkas'
    """
    # On ASCII, lower() is the same as all the rest, and faster.
    folded = text.lower() if text.isascii() else _nfc(_nfc(_INVISIBLE.sub("", text.replace(_BLANK, " "))).casefold())
    return " ".join(folded.split())


def _nfc(text: str) -> str:
    """Return the text in NFC, in time that grows with its length whatever it holds.

    Normalising sorts each run of combining marks, in time that grows with its square. Longer runs than any script has are
    cut, as the Stream-Safe Text Format does (UAX #15, section 13).
    """
    pieces = []
    done = 0
    for run in _LONG_MARK_RUN.finditer(text):
        for cut in range(run.start() + MOST_MARKS, run.end(), MOST_MARKS):
            pieces.append(text[done:cut])
            done = cut
    pieces.append(text[done:])
    return "".join(unicodedata.normalize("NFC", piece) for piece in pieces)


def fold_with_offsets(text: str) -> tuple[str, list[int]]:
    """Return the folded text and, for each of its characters, the index in `text` of the character it came from.

    Used to show the passage of an answer that holds a phrase. The list is as long as the folded text.
    """
    folded: list[str] = []
    offsets: list[int] = []
    for start, cluster in _clusters(text.replace(_BLANK, " ")):
        if cluster.isspace():
            if folded and folded[-1] != " ":
                folded.append(" ")
                offsets.append(start)
            continue
        piece = fold(cluster)
        folded.extend(piece)
        offsets.extend([start] * len(piece))
    if folded and folded[-1] == " ":
        folded.pop()
        offsets.pop()
    return "".join(folded), offsets


def _clusters(text: str) -> list[tuple[int, str]]:
    """Split into the smallest pieces that fold on their own: a character with the marks that compose with it."""
    starts: list[int] = []
    for index, char in enumerate(text):
        if not starts or char.isascii() or not _joins(text, starts[-1], index):
            starts.append(index)
    ends = [*starts[1:], len(text)] if starts else []
    return [(start, text[start:end]) for start, end in zip(starts, ends, strict=True)]


def _joins(text: str, start: int, index: int) -> bool:
    """Whether the character at `index` can change, or move into, the cluster that begins at `start`."""
    char = text[index]
    if text[start].isspace() or char.isspace():
        return False
    # A few Tibetan vowel signs count as letters (combining class 0) but decompose into marks, which are then reordered.
    if _INVISIBLE.match(char) or unicodedata.combining(unicodedata.normalize("NFD", char)[0]):
        return True
    visible = _INVISIBLE.sub("", text[start:index])
    return unicodedata.normalize("NFC", visible + char) != unicodedata.normalize("NFC", visible) + unicodedata.normalize("NFC", char)
