"""Suggesting: the known name that a misspelt one was meant to be.

Rule: a suggestion is for people to read; nothing is ever taken for what it may have been meant to be.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str], cutoff: float = 0.8) -> str | None:
    """Return the known name that `name` was probably meant to be, or None. Case, dashes and blanks make no difference.

    `cutoff` is the least similarity, from 0 to 1 (difflib's ratio).

    >>> did_you_mean("must_inlcude", ["must_include", "must_not_include"]), did_you_mean("colour", ["must_include"])
    ('must_include', None)
    """
    names = {_plain(other): other for other in known}
    plain = _plain(name)
    letters = sorted(plain)
    turned = next((other for other in names if len(other) == len(plain) and sorted(other) == letters), None)  # in another order
    if turned is not None:
        return names[turned]
    matches = difflib.get_close_matches(plain, [other for other in names if _may_match(plain, other, cutoff)], n=1, cutoff=cutoff)
    return names[matches[0]] if matches else None


def _may_match(name: str, other: str, cutoff: float) -> bool:
    """Whether the letters of two names allow such a likeness; much faster than to compare them."""
    shared = min(sum(letter in name for letter in other), len(name))
    return 2 * shared >= cutoff * (len(name) + len(other))


def _plain(name: str) -> str:
    return name.strip().casefold().replace("-", "_").replace(" ", "_")
