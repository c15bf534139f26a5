"""Server-sent events from bytes, by the WHATWG rules, and strict where those are lenient.

Rule: only LF, CR and CRLF end a line (not U+2028 or U+0085, at which str.splitlines cuts), UTF-8 is joined across
chunks, and bad UTF-8 is an error instead of a replacement character (contract 3.2, 3.3; HTML standard, 9.2.6).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from goldenlib.wire.transport import CallFailed, Response, what_it_says

EVENT_STREAM = "text/event-stream"
ASK_FOR_STREAM = {"Accept": EVENT_STREAM}
ERROR = "error"
_HEARTBEAT = re.compile(r"\s*(?:ping|pong|heart[ _-]?beat|keep[ _-]?alive|no-?op|tick|comment)\s*", re.IGNORECASE)
BOM = b"\xef\xbb\xbf"


class StreamEvent(NamedTuple):
    """One dispatched event. `name` is "message" where the stream named none."""

    name: str
    data: str


class StreamError(CallFailed):
    """The bytes are not an event stream that can be trusted."""


class SseParser:
    """Turns chunks of bytes, cut anywhere, into events.

    A line, or the data of an event, of more than `max_event_bytes` raises StreamError, which ends in `way_out`, so that a line without
    end does not fill the memory. The standard drops events without data; those named in `signals` count even so, for an `event: error`
    must not be lost over a missing data line.
    """

    def __init__(self, max_event_bytes: int = 8_000_000, signals: Collection[str] = (), way_out: str = "") -> None:
        self._max_event_bytes = max_event_bytes
        self._way_out = way_out
        self._signals = signals
        self._tail = bytearray()  # the line that has begun
        self._at_start = True
        self._after_cr = False
        self._name = ""
        self._data: list[str] = []
        self._data_bytes = 0
        self._has_fields = False

    def feed(self, chunk: bytes) -> Iterator[StreamEvent]:
        """Give the events that `chunk` completes, in order. Raises StreamError where the stream goes bad, after what came before."""
        most = self._max_event_bytes
        for line in self._lines(chunk):
            field, _, value = line.partition(b":")
            if field == b"data":
                self._data.append(_text(value))
                self._data_bytes += len(value)
                self._has_fields = True
            elif field == b"event":
                self._name = _text(value)
                self._has_fields = True
            elif not line:
                if self._data or self._name in self._signals:
                    yield StreamEvent(self._name or "message", self._data[0] if len(self._data) == 1 else "\n".join(self._data))
                self._name, self._data, self._data_bytes, self._has_fields = "", [], 0, False
            if len(line) > most or self._data_bytes > most:
                raise self._too_large()
        if len(self._tail) > most:
            raise self._too_large()

    @property
    def inside_event(self) -> bool:
        """Whether the stream stands inside an event; if it ends here, that event is lost (it is never dispatched)."""
        return self._has_fields or (bool(self._tail) and not self._tail.startswith(b":"))

    def _lines(self, chunk: bytes) -> list[bytes]:
        """Return the lines that `chunk` completes, without their ends; keep what has begun."""
        if self._after_cr and chunk:
            self._after_cr = False
            chunk = chunk.removeprefix(b"\n")
        if self._at_start:
            chunk = bytes(self._tail) + chunk
            self._tail.clear()
            if len(chunk) < len(BOM) and BOM.startswith(chunk):
                self._tail += chunk
                return []
            self._at_start = False
            chunk = chunk.removeprefix(BOM)
        if b"\r" in chunk:
            self._after_cr = chunk.endswith(b"\r")
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        lines = chunk.split(b"\n")
        begun = lines.pop()
        if lines and self._tail:
            lines[0] = bytes(self._tail) + lines[0]
            self._tail.clear()
        self._tail += begun
        return lines

    def _too_large(self) -> StreamError:
        return StreamError(f"an event of more than {self._max_event_bytes:,} bytes{self._way_out}")


def _text(value: bytes) -> str:
    try:
        return value.removeprefix(b" ").decode()
    except UnicodeDecodeError as error:
        raise StreamError(f"bad UTF-8 in the stream: {error.object[error.start : error.end]!r}") from None


def check_event_stream(response: Response) -> None:
    """Raise CallFailed unless the response is an event stream."""
    if response.content_type != EVENT_STREAM:
        raise CallFailed(f"wrong content type '{response.content_type}', expected {EVENT_STREAM}")


def is_heartbeat(event: StreamEvent) -> bool:
    """Whether an event only keeps the connection open, by its name or by the `type` in its data.

    What carries more than that - an error, a choice of a completion - is none, whatever it calls itself.
    """
    if '"choices"' in event.data:
        return False
    try:
        value = json.loads(event.data)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        named = [str(value[key]) for key in ("type", "event", "object") if key in value] or (list(value) if len(value) == 1 else [])
        return not value.get(ERROR) and any(map(_HEARTBEAT.fullmatch, (event.name, *named)))
    said = event.data.strip().lstrip(":")
    return any(map(_HEARTBEAT.fullmatch, (event.name, said))) or said == "null"


def reported_error(data: str) -> CallFailed:
    """Return the failure that an error event or frame reports, in its own words."""
    return CallFailed(f"the chatbot reported an error: {what_it_says(data)[:300] or 'it does not say which'}")
