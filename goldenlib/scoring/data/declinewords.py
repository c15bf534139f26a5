"""Wording: how declines are worded in Indonesian and English: the patterns of wording.yaml, compiled.

Rule: searched in folded text, from word to word. The lists were drawn up by hand; a decline that they miss is left to the judge.
"""

from __future__ import annotations

import re

from goldenlib.wordlists import WordLists

AMBIGUOUS, UNANSWERABLE, FORBIDDEN = "ambiguous", "unanswerable", "forbidden"
MONTHS = (
    r"(?:jan(?:uary|uari)?|feb(?:ruary|ruari)?|mar(?:ch|et)?|apr(?:il)?|may(?= \d{4})|mei|june?|juni|july?|juli|aug(?:ust)?|agu(?:stus)?|"
    r"sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cs](?:ember)?)\b"
)


def _compiled(line: str) -> re.Pattern[str]:
    words = re.escape(line).replace(r"\ ", " ").replace(r"\(", "(?:").replace(r"\)", ")").replace(r"\|", "|").replace(r"\?", "?")
    words = words.replace(r" \* ", r" (?:[\w'-]+,? ){0,6}").removesuffix(r" \*").replace(r"\+", r"\w*")
    return re.compile(rf"\b{words}\b")


_WORDING = WordLists.of(__package__, "wording")
PATTERNS = tuple((kind, _compiled(line)) for kind in (FORBIDDEN, UNANSWERABLE, AMBIGUOUS) for line in _WORDING.words(kind)) + tuple(
    ("", _compiled(line)) for line in _WORDING.words("no_reason")
)
OFFERS = tuple(map(_compiled, _WORDING.words("offers")))
