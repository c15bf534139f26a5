"""Plain JSON over HTTP as a target: one POST with the question, one JSON reply.

Rule: the protocol of the smallest data agent. The reply is text, or an object as `replies.read_reply` takes it; anything else is a
broken reply: to a data question the agent's failure (contract 9.6), else no answer.
"""

from __future__ import annotations

from goldenlib.answers import Event
from goldenlib.config.settings import Settings
from goldenlib.driving.target import LARGER, HttpTarget, Reply, asker, why_no_answer
from goldenlib.items import Item
from goldenlib.wire.replies import UnreadableReply, load_json, read_reply
from goldenlib.wire.transport import message_of


class JsonTarget(HttpTarget):
    """An agent at `url`, which is posted {surface, sessionId, question} and, of data questions, the role and region that ask."""

    def __init__(self, url: str, settings: Settings, *, surface: str, token: str | None = None) -> None:
        super().__init__(url, settings, token=token)
        self._surface = surface

    async def _attempt(self, item: Item, session_id: str, reply: Reply) -> None:
        body = {"surface": self._surface, "sessionId": session_id, "question": item.title, **asker(item)}
        async with self._endpoint.post(body) as response:
            raw = await response.read(self._max_frame_bytes, LARGER)
        try:
            text, events = _read(raw)
        except UnreadableReply as error:
            return reply.add_unreadable(error, item)
        reply.add(text)
        reply.add_events(events)
        return None


def _read(raw: bytes) -> tuple[str, tuple[Event, ...]]:
    """Return what a reply that came whole says. Raises UnreadableReply where it says nothing that can be scored."""
    try:
        value = load_json(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UnreadableReply("bad UTF-8 in the reply") from None
    except UnreadableReply:
        raise
    except ValueError:
        raise UnreadableReply(f"the reply is not JSON: {raw[:80]!r}") from None
    if not isinstance(value, str | dict):
        raise UnreadableReply("the reply is neither text nor an object with sql, rows, decline or answer")
    if isinstance(value, dict) and value.get("error"):
        raise UnreadableReply(f"the agent reported an error: {message_of(value)[:300]}")
    try:
        text, events = read_reply(value) if isinstance(value, dict) else (value, ())
    except UnreadableReply:
        raise
    except ValueError as error:
        raise UnreadableReply(str(error)) from None
    if not events and (problem := why_no_answer(text)):
        raise UnreadableReply(problem)
    return text, events
