"""OpenAI-compatible chat completions as a target, streamed or not.

Rule: an answer is complete only with a finish_reason or [DONE]; private reasoning is never part of it (contract 3.3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldenlib.answers import Answer
from goldenlib.config.settings import Settings, TargetSettings
from goldenlib.driving.target import LARGER, HttpTarget, OnText, Reply
from goldenlib.items import Item
from goldenlib.wire.completions import PATH, Completion, read_completion, read_json
from goldenlib.wire.reasoning import without_drafts
from goldenlib.wire.sse import ASK_FOR_STREAM, ERROR, SseParser, StreamEvent, check_event_stream, is_heartbeat, reported_error
from goldenlib.wire.transport import CallFailed

DONE = "[DONE]"
Message = Mapping[str, str]


class OpenAITarget(HttpTarget):
    """A model behind an OpenAI-compatible endpoint. `target.url` ends in /v1."""

    def __init__(self, target: TargetSettings, settings: Settings, *, token: str | None = None) -> None:
        super().__init__(f"{target.url}{PATH}", settings, token=token)
        self._target = target

    async def _attempt(self, item: Item, session_id: str, reply: Reply) -> None:
        system = [{"role": "system", "content": self._target.system_prompt}] if self._target.system_prompt else []
        await self._converse([*system, {"role": "user", "content": item.title}], session_id, reply)

    async def complete(self, messages: Sequence[Message], session_id: str, on_text: OnText | None = None) -> Answer:
        """Return what the model says to messages that somebody else made."""
        return await self._collect(lambda reply: self._converse(messages, session_id, reply), on_text)

    async def _converse(self, messages: Sequence[Message], session_id: str, reply: Reply) -> None:
        body = {
            "model": self._target.model,
            "messages": list(messages),
            "stream": self._target.stream,
            "user": session_id,
        }
        if self._target.temperature is not None:
            body["temperature"] = self._target.temperature
        await (self._stream if self._target.stream else self._whole)(body, reply)
        reply.parts = [without_drafts(reply.text)]

    async def _stream(self, body: dict[str, Any], reply: Reply) -> None:
        parser = SseParser(self._max_frame_bytes, way_out=LARGER, signals=(ERROR,))
        async with self._endpoint.post(body, ASK_FOR_STREAM) as response:
            check_event_stream(response)
            async for chunk in response.pieces():
                for event in parser.feed(chunk):
                    _take_event(event, reply)
                if reply.complete:
                    return
        raise CallFailed("the stream ended without a finish_reason or [DONE]", retryable=True)

    async def _whole(self, body: dict[str, Any], reply: Reply) -> None:
        async with self._endpoint.post(body) as response:
            raw = await response.read(self._max_frame_bytes, LARGER)
        _take(read_completion(read_json(raw)), reply)
        if not reply.complete:
            raise CallFailed("the reply has no finish_reason")


def _take_event(event: StreamEvent, reply: Reply) -> None:
    data = event.data.strip()
    if event.name.strip().casefold() == ERROR:
        raise reported_error(event.data)
    if data == DONE:
        reply.complete = True
    elif not reply.complete and data and not is_heartbeat(event):
        _take(read_completion(read_json(event.data), "delta"), reply)


def _take(said: Completion, reply: Reply) -> None:
    reply.add(said.text)
    if said.refusal:
        raise CallFailed(f"the model refused: {said.refusal[:300]}")
    if said.is_unfinished:
        raise CallFailed(f"the answer is not finished (finish_reason: {said.finish_reason})")
    reply.complete = bool(said.finish_reason)
