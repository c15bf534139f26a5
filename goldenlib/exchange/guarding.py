"""Guarding: texts that a spreadsheet would take for a formula, kept as texts.

Rule: a guard can be taken away again without loss, so that a round trip gives back the very text (CSV injection, OWASP). A sheet
that divides by semicolon or tab, as Excel does in Indonesia, heeds neither our commas nor the quotes around a cell, so a cell of
it begins behind each semicolon, tab and line break inside of ours: the guard stands there too.
"""

from __future__ import annotations

import re

# Small and full-width signs too: some sheets take them for the plain ones.
_SIGNS = "=+\\-@\t\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b"
# What a sheet may pass over before a formula: quotes, blanks, and what nobody can see.
_PASSED = "[\"'\u00ad\u200b-\u200f\u2060\ufeff]|[^\\S\t\r\n]"
_BEGINS = f"(?:{_PASSED})*+[{_SIGNS}\r\n]"
# Behind a mark that ends our text, the end of our own quotes would begin the cell.
_BEGINS_INSIDE = f"(?:{_PASSED})*+(?:[{_SIGNS}]|\\Z)"
_UNGUARDED = re.compile(f"\\A(?={_BEGINS})|(?<=[;\t\r\n])(?={_BEGINS_INSIDE})")
_GUARD = re.compile(f"\\A'(?={_BEGINS})|(?<=[;\t\r\n])'(?={_BEGINS_INSIDE})")


def starts_formula(text: str) -> bool:
    """Whether a sheet may take the text for a formula."""
    return re.match(f"[{_SIGNS}\r\n]", text) is not None


def guarded(text: str) -> str:
    """Return a text with an apostrophe wherever a cell could begin that is a formula, or could be taken for a guarded one.

    >>> [guarded(text) for text in ("=1+1", "'=1", "WNI", "'sekali", "a;=1")]
    ["'=1+1", "''=1", 'WNI', "'sekali", "a;'=1"]
    """
    return _UNGUARDED.sub("'", text)


def unguarded(text: str) -> str:
    """Return the text that `guarded` was given; one that it cannot have given, as it stands.

    >>> [unguarded(text) for text in ("'=1+1", "''=1", "WNI", "'sekali", "a;'=1", "a;'=1;=2")]
    ['=1+1', "'=1", 'WNI', "'sekali", 'a;=1', "a;'=1;=2"]
    """
    plain = _GUARD.sub("", text)
    return plain if guarded(plain) == text else text
