"""Lists: several things named in one phrase, as a set of papers or of organs is: KTP dan NPWP; SIUP, NIB.

Rule: only what is named one by one elsewhere too; a fixed pair such as "hak dan kewajiban" is one fact.
"""

from __future__ import annotations

import re
from itertools import pairwise

from goldenlib.hazards.terms import LISTED

WORDS_BEFORE, WORDS_AFTER = 3, 2  # of a part, in which its name is looked for: "kartu tanda penduduk dan kartu keluarga"
_BETWEEN = re.compile(r" ?[,+&] ?| (?:dan|serta|maupun|beserta|and) ")
_SEMICOLON = re.compile(r"(?<!&amp)(?<!&nbsp)(?<!&lt)(?<!&gt); ?[\w(]")


def is_list(folded: str) -> bool:
    """Whether a phrase names several things that are told apart.

    >>> is_list("siup dan nib"), is_list("ktp, kk"), is_list("hak dan kewajiban"), is_list("jakarta, bandung")
    (True, True, False, False)
    """
    if _SEMICOLON.search(folded):
        return True
    parts = [part.split() for part in _BETWEEN.split(folded)]
    return any(
        not LISTED.isdisjoint(first[-WORDS_BEFORE:]) and not LISTED.isdisjoint(second[:WORDS_AFTER]) for first, second in pairwise(parts)
    )
