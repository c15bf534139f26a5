"""The chatbot's own protocol: POST /api/orchestrate, answered by a stream of `event: content` frames (seed 001).

Rule: it fails closed. Only a stream that ended as it should is an answer (contract 3.1 to 3.4).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from goldenlib.answers import Event
from goldenlib.config.settings import Settings
from goldenlib.driving.target import LARGER, HttpTarget, Reply, asker
from goldenlib.folding import UNSEEN
from goldenlib.items import Item
from goldenlib.wire.completions import message_text
from goldenlib.wire.replies import UnreadableReply, load_json, looks_like_reply, read_reply
from goldenlib.wire.sse import ASK_FOR_STREAM, ERROR, SseParser, check_event_stream, reported_error
from goldenlib.wire.transport import CallFailed, Response

PATH = "/api/orchestrate"
CONTENT = "content"
UNNAMED = "message"  # the name of an event without one (HTML standard, 9.2.6)
# A stream may hold heartbeats and JSON around the text; past this many times the answer limit it is not an answer any more.
RAW_BYTES_PER_ANSWER_BYTE = 16
RAW_BYTES_ALLOWANCE = 16_000_000
MOST_SHOWN = 8  # names of events or keys in an error
# Events of data agents, besides the text.
_PARTS = ("sql", "rows", "decline")
# Numbers stay as they are written: 50.000 is fifty thousand here, and not 50.0.
_AS_WRITTEN: Mapping[str, Any] = {"strict": False, "parse_float": str, "parse_int": str, "parse_constant": str}
_FRAME = json.JSONDecoder(**_AS_WRITTEN, object_pairs_hook=lambda pairs: _once(pairs))
_PLAIN = json.JSONDecoder(**_AS_WRITTEN)
_NO_ERROR = (None, False, "", "0")
_NO_TEXT: tuple[Any, ...] = (None, "", [])
_LOOKS_LIKE_JSON = re.compile(r'\s*\{\s*"')
# An object that was wrapped once more: as a string or a list, behind another "data:", or as Python and JavaScript write it.
_WRAPPED = re.compile(rf"[\s{UNSEEN}]*(?:data:[\s{UNSEEN}]*)*[\[(\s]*\{{\s*(?:\"[^\"]*\"|'[^']*'|[A-Za-z_]\w*)\s*:")
_BEFORE = re.compile(rf"[\s{UNSEEN}]*")
_NUMBERS = re.compile(r"\s*\[[-+\d\s.,eE]*\]\s*")  # such as the reference [1], which is raw text
_BARE_VALUE = re.compile(r"\s*(?:null|true|false|undefined|NaN|None|-?\d+(?:\.\d+)?|\[.*\])\s*", re.DOTALL)
_WAY_OUT = "set chatbot_text_key to the key that holds the text"


class OrchestrateTarget(HttpTarget):
    """A chatbot behind /api/orchestrate. `url` is the base URL; `surface` is sent with each question."""

    def __init__(self, url: str, settings: Settings, *, surface: str, token: str | None = None) -> None:
        super().__init__(url + PATH, settings, token=token)
        self._surface = surface

    async def _attempt(self, item: Item, session_id: str, reply: Reply) -> None:
        body = {"surface": self._surface, "sessionId": session_id, "message": item.title, **asker(item)}
        async with self._endpoint.post(body, ASK_FOR_STREAM) as response:
            seen = await self._read(response, reply, item)
        if not seen and not reply.more:
            raise CallFailed(f"the answer is empty; no events came; expected: {CONTENT}")
        if CONTENT not in seen and not reply.more:
            unnamed = f" ({UNNAMED} is the name of an event without one)" if UNNAMED in seen else ""
            raise CallFailed(f"the answer is empty; events seen: {', '.join(name[:40] for name in seen)}; expected: {CONTENT}{unnamed}")

    async def _read(self, response: Response, reply: Reply, item: Item) -> Collection[str]:
        """Fill `reply` with what the stream says; return the names of its events, of very many the first."""
        check_event_stream(response)
        done_event = self._settings.chatbot_done_event
        parser = SseParser(self._max_frame_bytes, way_out=LARGER, signals=(ERROR, done_event or ERROR))
        frames = FrameReader(self._settings.chatbot_text_key)
        raw_bytes_left = self._settings.chatbot_max_answer_bytes * RAW_BYTES_PER_ANSWER_BYTE + RAW_BYTES_ALLOWANCE
        seen: dict[str, None] = {}
        async for chunk in response.pieces():
            raw_bytes_left -= len(chunk)
            if raw_bytes_left < 0:
                raise CallFailed("the stream goes on and on, far past the size of an answer")
            for event in parser.feed(chunk):
                if event.name == CONTENT:
                    seen[CONTENT] = None
                    reply.add(frames.text(event.data))
                    continue
                if event.name.strip().casefold() == ERROR or (event.name == UNNAMED and is_error_object(event.data)):
                    raise reported_error(event.data)
                if len(seen) < MOST_SHOWN:
                    seen[event.name] = None
                if item.is_data_question and event.name in _PARTS:
                    try:
                        reply.add_events(_events(event.name, event.data))
                    except UnreadableReply as error:
                        reply.add_unreadable(error, item)
                if event.name == done_event:
                    return seen
        if parser.inside_event:
            raise CallFailed("the stream ended inside an event", retryable=True)
        if done_event is not None:
            raise CallFailed(f"the stream ended without its '{done_event}' event", retryable=True)
        return seen


def _events(name: str, data: str) -> tuple[Event, ...]:
    """Return what a frame besides text holds: the value under its own name, raw SQL text, or an object with that and more keys."""
    try:
        value = load_json(data)
    except UnreadableReply:
        raise
    except ValueError:  # the frame came whole, and says something that cannot be read (contract 9.6)
        if name != "sql":
            raise UnreadableReply(f"the data of an event '{name}' is not JSON: {data[:80]!r}") from None
        value = data
    return read_reply(value if looks_like_reply(value) else {name: value})[1]


class FrameReader:
    """Reads the text out of the data of content frames: JSON object, JSON string, or raw text (contract 3.1).

    One reader reads one stream. Structure that it does not understand is an error, never text: a phrase could hide between two
    such frames.
    """

    def __init__(self, text_keys: tuple[str, ...]) -> None:
        self._text_keys = text_keys
        self._speaks_json = False
        self._speaks_strings = False
        self._was_no_json = ""

    def text(self, data: str) -> str:
        """Return the frame's text. Raises CallFailed for an error in it, for broken JSON, for more than one JSON value, and for
        JSON without text.

        What merely begins with a brace, and a bare number or null, is raw text as long as the stream speaks no JSON otherwise and
        the frame does not look like it.
        """
        if data.startswith("{"):
            return self._from_object(data)
        begins = data[_BEFORE.match(data).end() :][:1]  # type: ignore[union-attr]  # it matches what is not there too
        if begins == '"' and (data.startswith('"') or self._speaks_strings):
            return self._from_string(data.lstrip())
        if begins == "{":
            return self._from_object(_BEFORE.sub("", data, count=1))
        return self._from_list(data) if begins == "[" else self._from_raw(data)

    def _from_string(self, data: str) -> str:
        try:
            value, end = _FRAME.raw_decode(data)
        except ValueError:
            if self._speaks_strings or self._speaks_json:
                raise _broken(data) from None
            self._was_no_json = data
            return data
        rest = data[end:].lstrip()
        if rest.startswith("{") or (rest and self._speaks_json):
            raise _broken(data)
        if rest:
            self._was_no_json = data
            return data
        self._speaks_strings = True
        return _unwrapped(str(value))

    def _from_object(self, data: str) -> str:
        try:
            value = _decoded(data)
        except (ValueError, RecursionError):
            if self._speaks_json or _LOOKS_LIKE_JSON.match(data) or _WRAPPED.match(data):
                raise _broken(data) from None
            self._was_no_json = data
            return data
        if value.get(ERROR) not in _NO_ERROR or value.get("type") == ERROR:
            raise reported_error(data)
        key: str | None = None
        for wanted in self._text_keys:
            if value.get(wanted) not in _NO_TEXT:
                key = wanted
                break
        if key is None and not any(key in value for key in self._text_keys):
            other = ", or the target's kind to openai, whose frames have choices" if "choices" in value else ""
            raise CallFailed(f"a content frame holds no text under {_names(self._text_keys)}; {_seen(value)}; {_WAY_OUT}{other}")
        if self._was_no_json:
            raise _broken(self._was_no_json)
        self._speaks_json = True
        if key is None and (empty := next((key for key in self._text_keys if value.get(key) == []), None)):
            raise CallFailed(f"a content frame holds no text: {empty!r} is an empty list")
        return _as_text(key, value[key]) if key is not None else ""

    def _from_list(self, data: str) -> str:
        if _NUMBERS.fullmatch(data):
            return self._from_raw(data)
        try:
            _FRAME.decode(data)
        except (ValueError, RecursionError):
            return _unwrapped(data)
        raise CallFailed(f"a content frame is a JSON list, which is no text: {data[:80]!r}")

    def _from_raw(self, data: str) -> str:
        """Text as it stands; but `null` among JSON frames, and any bare value among objects, would hide what stands on both sides."""
        if _BARE_VALUE.fullmatch(data):
            if self._speaks_json or (self._speaks_strings and data.strip() == "null"):
                raise CallFailed(f"a content frame holds no text: it is {data[:80]} where others are JSON objects or strings")
            self._was_no_json = data
        return _unwrapped(data)


def _decoded(data: str) -> Any:
    """Return the one JSON object that the data begins with, as `decode` does, which looks for white space around it first.

    With as many keys as there are colons it has none twice; otherwise they are looked at one by one.
    """
    value, end = _PLAIN.raw_decode(data)
    if data.count(":") != len(value):
        value, end = _FRAME.raw_decode(data)
    if end < len(data) and data[end:].strip(" \t\n\r"):
        raise ValueError("more than one value")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object, unless a key stands in it twice: of two texts one would be lost unseen."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise CallFailed("a frame of the stream has a key twice")
    return value


def _unwrapped(text: str) -> str:
    """Return the text, unless it is an object that somebody wrapped: between two such frames a phrase could hide."""
    if _WRAPPED.match(text):
        raise CallFailed(f"a content frame holds an object where text is expected: {text[:80]!r}; send it as one JSON object")
    return text


def is_error_object(data: str) -> bool:
    """Whether the data of an event without a name is a JSON object that reports an error."""
    if not data.lstrip().startswith("{"):
        return False
    try:
        value = _FRAME.decode(data)
    except (ValueError, RecursionError):
        return False
    return bool(value.get(ERROR)) or value.get("type") == ERROR


def _as_text(key: str, part: Any) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, dict):
        raise CallFailed(f"a content frame holds no text: {key!r} is an object; {_seen(part)}; {_WAY_OUT}")
    if isinstance(part, bool):
        raise CallFailed(f"a content frame holds no text: {key!r} is {json.dumps(part)}")
    return message_text(part)


def _seen(value: Mapping[str, Any]) -> str:
    return f"it has {_names(list(value)[:MOST_SHOWN])}" if value else "it is empty"


def _names(keys: Iterable[str]) -> str:
    return ", ".join(f"'{key[:40]}'" for key in keys)


def _broken(data: str) -> CallFailed:
    return CallFailed(f"a content frame is broken JSON: {data[:80]!r}")
