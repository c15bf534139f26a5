"""Guarding: texts that a spreadsheet would take for a formula, kept as texts.

Rule: a guard can be taken away again without loss, so that a round trip gives back the very text (CSV injection, OWASP).
"""

from __future__ import annotations

import re

# Full-width signs too: some sheets take them for the plain ones.
_FORMULA = "[=+\\-@\t\r\n＝＋－＠]"  # noqa: RUF001 - the signs that are meant
_WOULD_START = re.compile(f"'*{_FORMULA}")
_GUARDED = re.compile(f"'+{_FORMULA}")


def starts_formula(text: str) -> bool:
    """Whether a sheet may take the text for a formula."""
    return re.match(_FORMULA, text) is not None


def guarded(text: str) -> str:
    """Return a text with an apostrophe before it where it could be a formula, or could be taken for a guarded one.

    >>> [guarded(text) for text in ("=1+1", "'=1", "WNI", "'sekali")]
    ["'=1+1", "''=1", 'WNI', "'sekali"]
    """
    return "'" + text if _WOULD_START.match(text) else text


def unguarded(text: str) -> str:
    """Return the text that `guarded` was given.

    >>> [unguarded(text) for text in ("'=1+1", "''=1", "WNI", "'sekali")]
    ['=1+1', "'=1", 'WNI', "'sekali"]
    """
    return text[1:] if _GUARDED.match(text) else text
