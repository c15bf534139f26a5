"""Functions that SQL may call, and why others are refused.

Rule: for an agent's SQL a list of what is allowed: functions that compute from their arguments and rows. What is not on it is refused,
whatever it does; the patterns only say why. Functions that sqlglot knows by a class of its own are taken for pure, unless a pattern
says otherwise: a new release of sqlglot may know more of them, and the engine is closed in any case. What golden SQL calls is allowed
too, and what a setting names; but what leads out of the database is refused to everyone.
"""

from __future__ import annotations

import re
from functools import cache

from goldenlib.wordlists import WordLists

_NOT_LISTED = "is not on the list of functions that are allowed; leave it out, or allow it with the setting warehouse_functions"


def table_functions() -> frozenset[str]:
    """Return the functions that may stand where a table is expected."""
    return _listed("table_functions")


def why_never(name: str, dialect: str) -> str | None:
    """Return why nobody may call a function, golden SQL neither, in words that follow its name; None when somebody may."""
    if dialect == "clickhouse" and name in _listed("clickhouse_tables"):
        return "leads out of the database"
    return next((why for pattern, why in _reasons("leads_out", "$") if pattern.match(name)), None)


def why_refused(name: str, dialect: str, *, known_to_parser: bool) -> str | None:
    """Return why an agent's SQL may not call a function, in words that follow its name; None when it may."""
    if dialect in _listed("by_dialect") and name in _listed("by_dialect", dialect):
        return None
    for pattern, why in _reasons("reasons", ""):
        if pattern.match(name):
            return why
    is_pure = known_to_parser or name in _listed("pure")
    return None if is_pure else _NOT_LISTED


@cache
def _listed(*keys: str) -> frozenset[str]:
    return WordLists.of(__package__, "functions").set(*keys)


@cache
def _reasons(kind: str, end: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The patterns of names with what they say; `end` is what follows the name."""
    lists = WordLists.of(__package__, "functions")
    return tuple((re.compile(f"(?:{lists.pattern(kind, why)}){end}"), why) for why in lists.words(kind))
