"""Authoring: what a person needs beside the SQL to say whether a gold is the right one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from goldenlib.folding import fold
from goldenlib.gold.findings import CODES, GoldFinding
from goldenlib.gold.reading import SqlReading
from goldenlib.gold.subject import Gold
from goldenlib.items import Item, Kind


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


def golds_that_stand_twice(items: Iterable[Item], dialect: str) -> dict[str, list[GoldFinding]]:
    """Return a note by item for each golden SQL that an earlier question of the same asker has too: both ask one thing."""
    first: dict[tuple[str, ...], str] = {}
    found: dict[str, list[GoldFinding]] = {}
    for item in items:
        if item.expected.sql is None or item.kind is Kind.DECLINE:
            continue
        sql = item.expected.sql.golden
        reading = SqlReading.of(sql, dialect)
        plain = reading.tree.sql(dialect=dialect, normalize=True, comments=False) if reading is not None else " ".join(sql.split())
        other = first.setdefault((plain, item.kind, item.role, item.region), item.id)
        if other != item.id:
            message = f"its golden SQL is that of '{other}': one thing is asked twice, and counts twice"
            way_out = "fine where two wordings are tried on purpose; else keep one of them"
            found[item.id] = [GoldFinding(item.id, "same-gold-twice", CODES["same-gold-twice"], message, sql.strip(), (), way_out)]
    return found
