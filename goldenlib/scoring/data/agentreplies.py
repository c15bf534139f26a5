"""Replies: what an agent answered a data question with, from the events of its answer or out of its text.

Rule: what the target said by its protocol counts first. Only an answer without events is searched for a query or rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from goldenlib.answers import Answer, Event, EventKind
from goldenlib.wire.reasoning import without_drafts
from goldenlib.wire.replies import UnreadableReply, extract_sql, load_json, looks_like_reply, read_decline, read_reply, read_rows

_OBJECT = re.compile(r"\s*\{\s*\"")
_FENCED = re.compile(r"\s*```\w*\s*\n(.*)\n\s*```\s*", re.DOTALL)
Rows = list[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Signal:
    """The target's own word that it declines, with its type (or "") and message."""

    type: str
    message: str


@dataclass(frozen=True, slots=True)
class AgentReply:
    """A query, rows, words, or a decline by the target's own signal; several of them, or none but words.

    `drafts` is the whole text where reasoning markup stood in it, which `text` is without.
    """

    text: str
    sql: str | None = None
    rows: Rows | None = None
    columns: tuple[str, ...] = ()
    signal: Signal | None = None
    drafts: str = ""

    @property
    def shown(self) -> str:
        """Everything that is shown to the asker in words: what is said, and the drafts around it."""
        return "\n".join(part for part in (self.words, self.drafts) if part)

    @property
    def words(self) -> str:
        """Everything that is said to the asker in words: the message of a decline, and the text without the query."""
        said = self.text if self.sql is None or self.rows is not None else self.text.replace(self.sql, " ")
        return "\n".join(part for part in (self.signal.message if self.signal else "", said) if part.strip())


def read_agent_reply(answer: Answer) -> AgentReply:
    """Return what an answer holds. Text that is a reply in JSON, or that holds a query, is read as such.

    Raises UnreadableReply where a reply holds what cannot be read.
    """
    text, events = without_drafts(answer.text), answer.events
    drafts = answer.text if text != answer.text else ""
    if not events:
        text, events = _from_text(text)
    content = _by_kind(events)
    decline = content.get(EventKind.DECLINE)
    columns, rows = read_rows(content[EventKind.ROWS]) if EventKind.ROWS in content else (None, None)
    return AgentReply(
        text=text,
        sql=content.get(EventKind.QUERY),
        rows=rows,
        columns=tuple(columns or ()),
        signal=Signal(*read_decline(decline)) if decline is not None else None,
        drafts=drafts,
    )


def _by_kind(events: Iterable[Event]) -> dict[str, str]:
    """The contents by kind: of two queries, or two results, none is the answer more than the other."""
    content: dict[str, str] = {}
    for event in events:
        if event.kind in content and event.kind in tuple(EventKind):
            raise UnreadableReply(f"the answer has two parts of kind '{event.kind}'")
        content[event.kind] = event.content
    return content


def _from_text(text: str) -> tuple[str, tuple[Event, ...]]:
    fenced = _FENCED.fullmatch(text)
    value: Any = None
    try:
        value = load_json(fenced[1] if fenced else text)
        if looks_like_reply(value):
            return read_reply(value)
    except ValueError as error:
        if value is None and isinstance(error, UnreadableReply) and _OBJECT.match(fenced[1] if fenced else text):
            raise  # an object, in which a key stands twice or that is nested too deeply
        if looks_like_reply(value) and any(name in value for name in ("sql", "rows", "decline")):
            raise  # it speaks the protocol, and says something that cannot be read
    sql = extract_sql(text)
    return text, (Event(EventKind.QUERY, sql),) if sql is not None else ()
