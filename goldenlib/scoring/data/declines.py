"""Declines: whether an agent declined, why, and how one can tell.

Rule: the target's own signal first, then wording in Indonesian and English; a judge is asked only where both leave it open. What was
recognised by is part of every reason.
"""

from __future__ import annotations

from dataclasses import dataclass

from goldenlib.folding import fold
from goldenlib.scoring.data.replies import AgentReply
from goldenlib.scoring.data.wording import AMBIGUOUS, FORBIDDEN, PATTERNS, UNANSWERABLE

TYPES = {AMBIGUOUS: "asks what is meant", UNANSWERABLE: "says that the data is not there", FORBIDDEN: "refuses to show it"}
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Decline:
    """A decline that was recognised: of which types (none when it gives no reason), and by what."""

    types: frozenset[str]
    by: str


def recognise_decline(reply: AgentReply) -> Decline | None:
    """Return the decline in a reply, or None. A query or rows are an answer, whatever is said beside them, unless the target signals."""
    if reply.signal is not None:
        if reply.signal.type:
            return Decline(frozenset((reply.signal.type,)), f"by the agent's own signal of type {reply.signal.type}")
        worded = _by_wording(reply.words)
        by = "by the agent's own signal" + (f" and its words {worded.by}" if worded and worded.types else "")
        return Decline(worded.types if worded else frozenset(), by)
    if reply.sql is not None or reply.rows is not None:
        return None
    worded = _by_wording(reply.words)
    return None if worded is None else Decline(worded.types, f"by its words {worded.by}")


def _by_wording(text: str) -> Decline | None:
    folded = fold(text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    hits = [(kind, found[0].strip()) for kind, pattern in PATTERNS if (found := pattern.search(folded))]
    if not hits:
        return None
    shown = ", ".join(f"'{words}'" for words in list(dict.fromkeys(words for _, words in hits))[:_SHOWN])
    return Decline(frozenset(kind for kind, _ in hits if kind), shown)
