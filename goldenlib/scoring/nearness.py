"""Near misses: a phrase that is missing only because of how the answer writes it, not of what it says.

Rule: for explanations only. What is equated here would merge different facts if it ever decided a verdict.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from html.entities import html5

from goldenlib.folding import fold
from goldenlib.scoring.markup import COLOUR, ENTITY, ESCAPE, REFERENCE, SUPERSCRIPTS, TAG, shown_for

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"
_DOUBLE_QUOTES = "“”„‟«»″"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032`\u00b4"
_SAME = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_DOUBLE_QUOTES, '"'),
    **dict.fromkeys(_SINGLE_QUOTES, "'"),
}
_WRITTEN_OTHERWISE = re.compile(r"[^\x00-\x7f]|`")
_SAME_SHAPES = ("<font>", "<wide>", "<narrow>", "<circle>", "<compat>")  # a superscript says something else
_DRAWN_ON = (
    "\u0305\u0320\u0331-\u0338\u033f\u0347\u035f\u20d0-\u20ff\ufe20-\ufe2f"  # lines under, over and through letters, and around them
)
_BY_FOLDED_NAME = {folded: html5[name] for name in html5 if (folded := name.lower()) not in html5}

# What does not show as it stands: control characters, the directional overrides, and markup.
_UNSHOWN = re.compile(
    rf"{COLOUR.pattern}|[\x00-\x1f\x7f-\x9f\u202d\u202e{_DRAWN_ON}]+"
    rf"|{REFERENCE.pattern}|{TAG.pattern}|{ENTITY.pattern}|{ESCAPE.pattern}",
    re.IGNORECASE,
)

_MAY_BE_UNSHOWN = re.compile(rf"[\x00-\x1f\x7f-\x9f\u202d\u202e{_DRAWN_ON}<&\\\[\u3010" + SUPERSCRIPTS + "]")

# What is overlooked, in two steps, since a mark may stand between a currency sign and its figures. Each pattern begins
# with the class of its first characters, which is what makes it fast.
_MARKS = re.compile(
    r"[*_~\"'\[\]|{}=](?:"
    r"(?<=[*_~])[*_~]*|(?<==)=+"  # emphasis, highlights
    r"|(?<=\])\([^()\s]*\)|(?<=\|) |(?<!=))"  # links, cells of a table; quotes, code, braces of a formula
)
_GROUPING = "\u00b7\u2027\u2219\u22c5\u30fb\u066b\u066c_"  # signs between groups of digits alone
_GAPS = re.compile(
    rf"[., {_GROUPING}](?:"
    r"(?<=\d.)(?=\d{3}(?!\d))"  # between groups of three digits
    r"|(?<=\brp.)[. ]*(?=\d)|(?<=\d,)-"  # Rp. 50.000,-
    r"|(?<= )(?=-)|(?<=- )"  # around a dash
    r"|(?<=  ))"  # what stood between two blanks is gone
)

# What is overlooked last, where words end on both sides: whether there is a blank, a dash or none between two words (and not
# between two figures, or before one), and what begins a line: quoted, numbered, a heading or an entry of a list.
_JOINTS = re.compile(
    r"[ \d>#\u2022\u2023\u25cf\u25aa\u25e6-](?:"
    r"(?<= )(?:\d{1,2}[.)](?= ))?(?:(?<!\d )|(?!\d))"
    r"|(?<=\d)(?<![^ ].)(?:\d?[.)](?= ))"
    r"|(?<=-)(?:(?<=[^\W\d_]-)|(?=[^\W\d_]))"
    r"|(?<=>)(?<![^ >].)(?=[ >]{0,8}[^\W\d_])"
    r"|(?<=\#)(?<![^ ].)\#*(?= )"
    r"|(?<=[\u2022\u2023\u25cf\u25aa\u25e6]))"
)

# What holds letters or figures that it does not show.
_NOT_BARE = re.compile("[<&\\\\\\[\u3010\x1b\x9b" + SUPERSCRIPTS + "]|[0-9][.)] ")
_NO_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Loosened:
    """A folded text without what near misses overlook; `places` are where its characters stand in the folded text."""

    text: str
    places: list[int]
    folded: str
    is_joined: bool = False

    def find(self, phrase: Loosened) -> tuple[int, int] | None:
        """Return (start, end) in the folded text of the first place that says `phrase` but for its marks, or None.

        Marks right beside it are taken in: '**17** tahun', not '17** tahun'. Numbers are not cut, and neither are words
        where it was a mark that bounded the phrase: '50.000' is not near '150,000', nor '"PT"' near 'adaptor'. In a joined text no
        word is cut.
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
        if self.is_joined and self.places[border] == self.places[border - 1] + 1 and all(side.isalnum() for side in sides):
            return True
        phrase_was_bounded = phrase.folded[0] != phrase.text[0] if first else phrase.folded[-1] != phrase.text[-1]
        return phrase_was_bounded and all(side.isalnum() for side in sides)

    def _with_marks(self, at: int, end: int) -> tuple[int, int]:
        start, stop = self.places[at], self.places[end - 1] + 1
        before = self.folded[self.places[at - 1] + 1 if at else 0 : start]
        if at and self.text[at - 1] == " " != self.folded[self.places[at - 1]]:  # a tag that ends a line
            before = ""
        after = self.folded[stop : self.places[end] if end < len(self.places) else len(self.folded)]
        return start - len(before.rpartition(" ")[2]), stop + len(after.partition(" ")[0])


def loosen(folded: str) -> Loosened:
    """Return a folded text without what near misses overlook."""
    whole = Loosened(folded, list(range(len(folded))), folded)
    hidden = _UNSHOWN.finditer(folded) if _MAY_BE_UNSHOWN.search(folded) else ()
    shown = _changed(whole, ((match, _shown(match[0])) for match in hidden))
    spelled = _changed(shown, ((match, _same(match[0])) for match in _WRITTEN_OTHERWISE.finditer(shown.text)))
    unmarked = _changed(spelled, ((match, "") for match in _MARKS.finditer(spelled.text) if not _is_a_sign(match)))
    return _changed(unmarked, ((match, "") for match in _GAPS.finditer(unmarked.text)))


def join(loosened: Loosened) -> Loosened:
    """Return a loosened text without what joins its words and begins its lines."""
    joints = ((match, "") for match in _JOINTS.finditer(loosened.text) if not _is_minus(match, loosened))
    return replace(_changed(loosened, joints), is_joined=True)


def bare(folded: str) -> str | None:
    """Return the letters and figures of a folded text alone, or None where it holds others than it shows.

    Near misses have the same ones, so that this tells fast that there is none.
    """
    if _NOT_BARE.search(folded):
        return None
    return _NO_LETTER.sub("", folded if folded.isascii() else _WRITTEN_OTHERWISE.sub(lambda char: _same(char[0]), folded))


def _shown(markup: str) -> str:
    """What a piece of markup, or what looks like it, comes to on a page, folded."""
    if markup.startswith("<"):
        return shown_for(markup)
    if markup.startswith("&"):
        char = _BY_FOLDED_NAME.get(markup[1:]) or html.unescape(markup)
        return " " if char.isspace() else fold(char)
    return ""


@lru_cache(maxsize=4096)
def _same(char: str) -> str:
    """What a character is but for its shape: quotes and dashes, ligatures, letters and figures of other widths, weights and scripts."""
    if char in _SAME:
        return _SAME[char]
    digit = unicodedata.decimal(char, None)
    if digit is not None:
        return str(digit)
    if not unicodedata.decomposition(char).startswith(_SAME_SHAPES):
        return char
    plain = fold(unicodedata.normalize("NFKC", char))
    return plain if plain.isalnum() or (plain.isascii() and len(plain) == 1) else char


def _is_a_sign(match: re.Match[str]) -> bool:
    """Whether marks of emphasis mean something of their own: snake_case, 2*3, 2**3."""
    if match[0][0] not in "*_~":
        return False
    text, start, end = match.string, match.start(), match.end()
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return (before.isdigit() and after.isdigit()) or (len(match[0]) == 1 and before.isalnum() and after.isalnum())


def _is_minus(match: re.Match[str], loosened: Loosened) -> bool:
    """Whether a dash is the sign of a figure: a blank stands before it, and none behind it."""
    place = loosened.places[match.start()]
    around = loosened.folded[place - 1 : place + 2]
    return match[0] == "-" and place > 0 and around[0] == " " and around[2:].isdigit()


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
