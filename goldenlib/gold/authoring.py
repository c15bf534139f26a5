"""Authoring: what a person needs beside the SQL to say whether a gold is the right one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from goldenlib.folding import fold
from goldenlib.gold.goldfindings import CODES, GoldFinding
from goldenlib.gold.goldsubject import Gold
from goldenlib.gold.sqlreading import SqlReading
from goldenlib.items import Item, Kind
from goldenlib.warehouse import QueryResult


def note_names_definition(gold: Gold) -> Iterator[GoldFinding]:
    """The definition that the gold follows is written down."""
    if not fold(gold.item.note):
        way_out = "write in one sentence what is counted, from when to when, in which unit, and what is left out"
        message = "no note names the definition that the gold follows, so nobody can say whether it is right"
        yield gold.finding("note-missing", message, way_out, sql="")


def decline_has_no_gold(gold: Gold) -> Iterator[GoldFinding]:
    """A question that is to be declined has no result."""
    if gold.item.kind is Kind.DECLINE:
        way_out = "set kind to answer, or remove golden_sql; what the warehouse does hold can stand in the note"
        yield gold.finding(
            "decline-with-gold", "it is to be declined, and has a golden result all the same; nothing looks at that", way_out
        )


def leak_can_be_seen(item: Item) -> tuple[GoldFinding, ...]:
    """The values that a forbidden question must not show are known. For an item without golden SQL."""
    if item.kind is not Kind.FORBIDDEN or not item.is_data_question:
        return ()
    message = "it is forbidden, and no golden SQL gives what must not be shown: a refusal that shows it all the same would pass"
    way_out = "add golden_sql with the values that its asker may not see"
    return (GoldFinding(item.id, "forbidden-without-gold", CODES["forbidden-without-gold"], message, "", (), way_out),)


def has_check_query(gold: Gold) -> Iterator[GoldFinding]:
    """A second query, written another way, gives the same result."""
    if gold.is_answer and gold.expected.check is None:
        way_out = (
            "add check_sql that reaches the same result another way: from other tables, by dates instead of a calendar, without the join"
        )
        yield gold.finding("check-missing", "no second query confirms the gold", way_out, sql="")


def golds_that_stand_twice(items: Iterable[Item], dialect: str, results: Mapping[str, QueryResult]) -> dict[str, list[GoldFinding]]:
    """Return a note by item for each golden SQL that an earlier question of the same asker has too: both ask one thing.

    So do two whose golden results are the same and whose questions are nearly so: "per year" and "in each year". `results` are by item.
    """
    first: dict[tuple[str, ...], str] = {}
    of_result: dict[tuple[str, ...], list[Item]] = {}
    found: dict[str, list[GoldFinding]] = {}
    for item in items:
        if item.expected.sql is None or item.kind is Kind.DECLINE:
            continue
        sql = item.expected.sql.golden
        reading = SqlReading.of(sql, dialect)
        plain = reading.tree.sql(dialect=dialect, normalize=True, comments=False) if reading is not None else " ".join(sql.split())
        other = first.setdefault((plain, item.kind, item.role, item.region), item.id)
        if other != item.id:
            found[item.id] = [_asked_twice(item, f"its golden SQL is that of '{other}'")]
            continue
        result = results.get(item.id)
        if result is None or not 1 < result.row_count <= _MOST_ROWS:  # one row is often that of another question too
            continue
        asker = (item.kind, item.role, item.region)
        earlier = of_result.setdefault((*asker, *sorted(map(repr, result.tuples()))), [])
        near = next((one for one in earlier[:_MOST_COMPARED] if _asks_nearly(one, item)), None)
        if near is not None:
            found[item.id] = [_asked_twice(item, f"its golden result is that of '{near.id}', and the question nearly the same")]
        earlier.append(item)
    return found


def _asked_twice(item: Item, why: str) -> GoldFinding:
    code, sql = "same-gold-twice", item.expected.sql.golden.strip() if item.expected.sql is not None else ""
    way_out = "fine where two wordings are tried on purpose; else keep one of them"
    return GoldFinding(item.id, code, CODES[code], f"{why}: one thing is asked twice, and counts twice", sql, (), way_out)


_MOST_ROWS = 1_000  # of a result that is compared with others
_MOST_COMPARED = 20  # questions of the same result; who has more has another trouble
_NEARLY = 0.35  # of the words of both together
_WORDS = re.compile(r"\w+")


def _asks_nearly(one: Item, other: Item) -> bool:
    """Whether two questions share so many of their words, and all their figures."""
    words, others = (set(_WORDS.findall(fold(item.title))) for item in (one, other))
    figures = {word for word in words ^ others if word[:1].isdigit()}
    return not figures and len(words & others) >= _NEARLY * len(words | others)
