"""Plain JSON over HTTP as a target: one POST with the question, one JSON reply.

Rule: the protocol of the smallest data agent. The reply is text, or an object as `replies.read_reply` takes it; anything else is an
error, and no answer.
"""

from __future__ import annotations

from goldenlib.config.settings import Settings
from goldenlib.driving.target import LARGER, HttpTarget, Reply, asker
from goldenlib.items import Item
from goldenlib.wire.replies import UnreadableReply, load_json, read_reply
from goldenlib.wire.transport import CallFailed, message_of


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
            value = load_json(raw.decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise CallFailed("bad UTF-8 in the reply") from None
        except UnreadableReply as error:
            return reply.add_unreadable(error, item)
        except ValueError:
            raise CallFailed(f"the reply is not JSON: {raw[:80]!r}") from None
        if isinstance(value, str):
            reply.add(value)
            return None
        if not isinstance(value, dict):
            raise CallFailed("the reply is neither text nor an object with sql, rows, decline or answer")
        if value.get("error"):
            raise CallFailed(f"the agent reported an error: {message_of(value)[:300]}")
        try:
            text, events = read_reply(value)
        except UnreadableReply as error:
            return reply.add_unreadable(error, item)
        except ValueError as error:
            raise CallFailed(f"the reply cannot be read: {error}") from None
        reply.add(text)
        reply.add_events(events)
        return None
