"""Near misses: a phrase that is missing only because of how the answer writes it, not of what it says.

Rule: for explanations only. What is equated here would merge different facts if it ever decided a verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"
_DOUBLE_QUOTES = "“”„‟«»″"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032`\u00b4"
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_FULL_WIDTH = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_SAME = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_DOUBLE_QUOTES, '"'),
    **dict.fromkeys(_SINGLE_QUOTES, "'"),
    **_LIGATURES,
    **_FULL_WIDTH,
}
_WRITTEN_OTHERWISE = re.compile("[" + re.escape("".join(_SAME)) + "]")

# What is overlooked, in two steps, since a mark may stand between a currency sign and its figures. Each pattern begins
# with the class of its first characters, which is what makes it fast.
_MARKS = re.compile(
    r"[*_~\"'\[\]|](?:"
    r"(?<=[*_~])[*_~]*"  # emphasis
    r"|(?<=\])\([^()\s]*\)|(?<=\|) |)"  # links, cells of a table; quotes and code
)
_GAPS = re.compile(
    r"[., ](?:"
    r"(?<=\d.)(?=\d{3}(?!\d))"  # between groups of three digits
    r"|(?<=\brp.)[. ]*(?=\d)|(?<=\d,)-"  # Rp. 50.000,-
    r"|(?<= )(?=-)|(?<=- ))"  # around a dash
)

# A cheap look whether a text holds anything of the above.
_ANY_MARK = re.compile("[*_~\"'|\\[\\]" + re.escape("".join(_SAME)) + "]")
_ANY_GAP = re.compile(r"[0-9p][., ]+[0-9-]")


@dataclass(frozen=True, slots=True)
class Loosened:
    """A folded text without what near misses overlook; `places` are where its characters stand in the folded text."""

    text: str
    places: list[int]
    folded: str

    def find(self, phrase: Loosened) -> tuple[int, int] | None:
        """Return (start, end) in the folded text of the first place that says `phrase` but for its marks, or None.

        Marks right beside it are taken in: '**17** tahun', not '17** tahun'. Numbers are not cut, and neither are words
        where it was a mark that bounded the phrase: '50.000' is not near '150,000', nor '"PT"' near 'adaptor'.
        """
        at = self.text.find(phrase.text) if phrase.text else -1
        while at >= 0:
            end = at + len(phrase.text)
            if not (self._cuts(at, phrase, first=True) or self._cuts(end, phrase, first=False)):
                return self._with_marks(at, end)
            at = self.text.find(phrase.text, end)
        return None

    def _cuts(self, border: int, phrase: Loosened, *, first: bool) -> bool:
        """Whether a hit that begins (or ends) at `border` cuts through something that belongs together."""
        if not 0 < border < len(self.text):
            return False
        sides = self.text[border - 1], self.text[border]
        if all(side.isdigit() for side in sides):
            return True
        phrase_was_bounded = phrase.folded[0] != phrase.text[0] if first else phrase.folded[-1] != phrase.text[-1]
        return phrase_was_bounded and all(side.isalnum() for side in sides)

    def _with_marks(self, at: int, end: int) -> tuple[int, int]:
        start, stop = self.places[at], self.places[end - 1] + 1
        before = self.folded[self.places[at - 1] + 1 if at else 0 : start]
        after = self.folded[stop : self.places[end] if end < len(self.places) else len(self.folded)]
        return start - len(before.rpartition(" ")[2]), stop + len(after.partition(" ")[0])


def loosen(folded: str) -> Loosened:
    """Return a folded text without what near misses overlook."""
    whole = Loosened(folded, list(range(len(folded))), folded)
    spelled = _changed(whole, ((match, _SAME[match[0]]) for match in _WRITTEN_OTHERWISE.finditer(folded)))
    unmarked = _changed(spelled, ((match, "") for match in _MARKS.finditer(spelled.text) if not _is_a_sign(match)))
    return _changed(unmarked, ((match, "") for match in _GAPS.finditer(unmarked.text)))


def may_hide_a_phrase(folded: str) -> bool:
    """Whether the text holds anything that near misses overlook."""
    return bool(_ANY_MARK.search(folded) or _ANY_GAP.search(folded)) or " -" in folded or "- " in folded


def _is_a_sign(match: re.Match[str]) -> bool:
    """Whether marks of emphasis mean something of their own: snake_case, 2*3, 2**3."""
    if match[0][0] not in "*_~":
        return False
    text, start, end = match.string, match.start(), match.end()
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return (before.isdigit() and after.isdigit()) or (len(match[0]) == 1 and before.isalnum() and after.isalnum())


def _changed(loosened: Loosened, changes: Iterable[tuple[re.Match[str], str]]) -> Loosened:
    """Put the text together anew, with what was matched replaced; places follow."""
    texts: list[str] = []
    places: list[int] = []
    done = 0
    for match, replacement in changes:
        texts += (loosened.text[done : match.start()], replacement)
        places += loosened.places[done : match.start()]
        places += [loosened.places[match.start()]] * len(replacement)
        done = match.end()
    if not done:
        return loosened
    return Loosened("".join((*texts, loosened.text[done:])), places + loosened.places[done:], loosened.folded)
