"""Authoring: what a person needs beside the SQL to say whether a gold is the right one."""

from __future__ import annotations

from collections.abc import Iterator

from goldenlib.folding import fold
from goldenlib.scoring.gold.findings import GoldFinding
from goldenlib.scoring.gold.subject import Gold


def note_names_definition(gold: Gold) -> Iterator[GoldFinding]:
    """The definition that the gold follows is written down."""
    if not fold(gold.item.note):
        way_out = "write in one sentence what is counted, from when to when, in which unit, and what is left out"
        message = "no note names the definition that the gold follows, so nobody can say whether it is right"
        yield gold.finding("note-missing", message, way_out, sql="")


def has_check_query(gold: Gold) -> Iterator[GoldFinding]:
    """A second query, written another way, gives the same result."""
    if gold.is_answer and gold.expected.check is None:
        way_out = (
            "add check_sql that reaches the same result another way: from other tables, by dates instead of a calendar, without the join"
        )
        yield gold.finding("check-missing", "no second query confirms the gold", way_out, sql="")
