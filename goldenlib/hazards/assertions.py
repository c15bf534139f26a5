"""Assertions: the names by which promptfoo knows its checks, as they stand before a text in its sheets: "icontains: Rp50.000".

Rule: in a sheet of promptfoo each of them counts; in a phrase only those that nobody writes before a fact, as in "cost: Rp50.000".
Source: promptfoo's reference, "Assertions & metrics" and "CSV test files".
"""

from __future__ import annotations

import re
from typing import NamedTuple

from goldenlib.wordlists import WordLists

_NAMES = WordLists.of(__package__, "assertions")
_UNMISTAKABLE, _WORDS, _OLD_NAMES = _NAMES.words("unmistakable"), _NAMES.words("words"), _NAMES.table("old_names")
_WRITTEN = re.compile(
    rf"((?:not-)?(?:{'|'.join((*_UNMISTAKABLE, *_WORDS))})|{'|'.join(_OLD_NAMES)})(?:\([0-9.]+\))?(?::\s*(.*))?", re.DOTALL
)
_IN_PHRASE = re.compile(rf"(?:not-(?:{'|'.join((*_UNMISTAKABLE, *_WORDS))})|{'|'.join(_UNMISTAKABLE)})(?:\([0-9.]+\))? ?:")


class Assertion(NamedTuple):
    """A check of promptfoo: its name, and what stands behind the colon."""

    kind: str
    value: str


def read_assertion(text: str) -> Assertion:
    """Return what a cell of promptfoo's `__expected` means; without a name the answer has to be just that text.

    >>> read_assertion("contains: Rp75.000"), read_assertion("Rp75.000")
    (Assertion(kind='contains', value='Rp75.000'), Assertion(kind='equals', value='Rp75.000'))
    """
    text = text.strip()
    found = _WRITTEN.fullmatch(text)
    return Assertion(_OLD_NAMES.get(found[1], found[1]), found[2] or "") if found else Assertion("equals", text)


def assertion_before(folded: str) -> str:
    """Return the name of a check before a folded phrase, with its colon: no answer holds it. Empty where there is none.

    >>> assertion_before("icontains: rp50.000"), assertion_before("biaya: rp50.000")
    ('icontains:', '')
    """
    found = _IN_PHRASE.match(folded)
    return found[0] if found else ""
