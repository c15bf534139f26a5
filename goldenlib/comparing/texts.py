"""Texts: an agent's SQL and the golden SQL as text, shown for what it is and never as a score (seed 002, "Compare results").

Rule: same text, same text once normalized, same result: three answers to three questions. Only the last says whether the agent was right:
two queries may be written differently and agree, or differ in one word and not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from goldenlib.answers import EventKind, Result
from goldenlib.items import Item


@dataclass(frozen=True, slots=True)
class TextComparison:
    """One question: whether the agent's SQL is the golden one to the letter, or once both are normalized (None where one of them cannot
    be parsed), and whether the results matched in the run (None where that was not decided)."""

    item_id: str
    golden: str
    answer: str
    same_text: bool
    same_normalized: bool | None
    same_result: bool | None


def compare_texts(items: Iterable[Item], results: Iterable[Result], dialect: str = "duckdb") -> tuple[TextComparison, ...]:
    """Return the comparison for every question with golden SQL whose agent answered with SQL, of several queries with the last.

    `dialect` is sqlglot's name of it.
    """
    golden = {item.id: item.expected.sql.golden for item in items if item.expected.sql is not None}
    found = []
    for result in results:
        queries = result.answer.of_kind(EventKind.QUERY) if result.answer is not None else ()
        if queries and result.item_id in golden and result.kind == "answer":
            answer = queries[-1]
            same_text, same_normalized = same_query(answer, golden[result.item_id], dialect)
            found.append(TextComparison(result.item_id, golden[result.item_id], answer, same_text, same_normalized, result.passed))
    return tuple(found)


def same_query(one: str, other: str, dialect: str = "duckdb") -> tuple[bool, bool | None]:
    """Return whether two queries are the same text, and the same once sqlglot has parsed and normalized both (None when it cannot).

    >>> same_query("select A from t", "SELECT a FROM t")
    (False, True)
    """
    normal, other_normal = normalized(one, dialect), normalized(other, dialect)
    return one.strip() == other.strip(), None if normal is None or other_normal is None else normal == other_normal


def normalized(sql: str, dialect: str = "duckdb") -> str | None:
    """Return SQL as sqlglot writes it, names in one case, without comments; None when it cannot be parsed."""
    import sqlglot  # an extra
    from sqlglot.errors import SqlglotError
    from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

    try:
        parsed = sqlglot.parse_one(sql, read=dialect)
        return normalize_identifiers(parsed, dialect=dialect).sql(dialect=dialect, comments=False)
    except (SqlglotError, RecursionError):
        return None
