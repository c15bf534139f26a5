"""Lists: several things named in one phrase, as a set of papers or of organs is: KTP dan NPWP; SIUP, NIB.

Rule: only what is named one by one elsewhere too; a fixed pair such as "hak dan kewajiban" is one fact.
"""

from __future__ import annotations

import re
from itertools import pairwise

from goldenlib.hazards.vocabulary import COUNTED, COUNTED_IN_FIGURES, LISTED

WORDS_BEFORE, WORDS_AFTER = 3, 2  # of a part, in which its name is looked for: "kartu tanda penduduk dan kartu keluarga"
_BETWEEN = re.compile(r" ?[,+&] ?| (?:dan|serta|maupun|beserta|and) ")
_SEMICOLON = re.compile(r"(?<!&amp)(?<!&nbsp)(?<!&lt)(?<!&gt); ?[\w(]")
# An amount, an age or a time, beside which another fact stands: "17 tahun dan cakap hukum", but not "25% ditempatkan dan disetor".
_AMOUNT = re.compile(rf"rp ?\d|\d%|\d(?: \([a-z -]{{3,60}}\))? (?:{'|'.join((*COUNTED, *COUNTED_IN_FIGURES))})\b")


def is_list(folded: str) -> bool:
    """Whether a phrase names several things that are told apart.

    >>> is_list("siup dan nib"), is_list("ktp, kk"), is_list("hak dan kewajiban"), is_list("jakarta, bandung")
    (True, True, False, False)
    """
    if _SEMICOLON.search(folded):
        return True
    parts = [part.split() for part in _BETWEEN.split(folded)]
    return not folded.startswith("antara ") and any(_are_two(first, second) for first, second in pairwise(parts))


def _are_two(first: list[str], second: list[str]) -> bool:
    """Whether what stands on either side of a comma or "dan" is told apart: two names, or an amount and another fact."""
    is_named = not LISTED.isdisjoint(first[-WORDS_BEFORE:])
    if _has_amount(first):
        return _is_another_fact(second)
    return is_named and (not LISTED.isdisjoint(second[:WORDS_AFTER]) or _has_amount(second))


def _has_amount(part: list[str]) -> bool:
    return _AMOUNT.search(" ".join(part)) is not None


def _is_another_fact(part: list[str]) -> bool:
    """Whether a part says something of its own: several words, and not a verb that goes on with the one before."""
    return len(part) >= WORDS_AFTER and not part[0].startswith(("di", "me", "ber", "ter")) and not part[0][0].isdigit()
