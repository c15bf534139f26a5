"""A scripted HTTP server over a real socket: it sends exactly the bytes it is told to, with pauses, resets and closes.

A reply is a list of steps, sent in order. The n-th request gets the n-th reply, whatever connection it comes on, and the last
reply again when there are no more. Afterwards the connection stays open for the next request, unless a step ended it.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Any, Self

from goldenlib.workbench.asking import Background


class End(Enum):
    """How a reply ends the connection."""

    CLOSE = "close"  # an ordinary end (FIN)
    RESET = "reset"  # the way of a crashed process (RST)
    HANG = "hang"  # silence, until the client goes away


@dataclass(frozen=True)
class Pause:
    """Seconds of silence."""

    seconds: float


Step = bytes | Pause | End
Script = Sequence[Step]
RESET_AFTER = Pause(0.02)  # time for the client to read what came before


@dataclass(frozen=True)
class Request:
    """What a client sent. Header names are in lower case; `connection` counts from 1."""

    target: str
    headers: dict[str, str]
    body: bytes
    connection: int

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class ScriptedServer:
    """Serves scripts on a loopback port; keeps the requests it got. Open it with `async with`."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = scripts
        self._writers: list[asyncio.StreamWriter] = []
        self.requests: list[Request] = []
        self.connections = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0, limit=2**26)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        await self._server.wait_closed()
        await asyncio.sleep(0)

    def script_for(self, request: Request) -> Script:
        """Return the reply to a request that was just noted. By their order here; a subclass may look at what was asked."""
        return self._scripts[min(len(self.requests), len(self._scripts)) - 1]

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.append(writer)
        connection = self.connections
        try:
            while (request := await _read(reader, connection)) is not None:
                self.requests.append(request)
                if not await _play(self.script_for(request), reader, writer):
                    break
        except ConnectionError:
            pass  # the client left
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader, connection: int) -> Request | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip("\r\n").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
    except asyncio.IncompleteReadError:
        return None
    return Request(first.split(" ")[1], headers, body, connection)


async def _play(script: Script, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Send the steps; return whether the connection may be used again."""
    for step in script:
        if isinstance(step, bytes):
            writer.write(step)
            await writer.drain()
            await asyncio.sleep(0)  # the client reads each piece by itself
        elif isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
        elif step is End.HANG:
            await reader.read()
            return False
        else:
            if step is End.RESET:
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()
            return False
    return True


def head(status: int = 200, content_type: str | None = "text/event-stream", *, version: str = "1.1", **headers: str) -> bytes:
    """The head of a reply. Header names are written with _ for -."""
    lines = [f"HTTP/{version} {status} Reason"]
    if content_type is not None:
        lines.append(f"Content-Type: {content_type}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "\r\n"]).encode("latin-1")


def reply(body: bytes | str = b"", status: int = 200, content_type: str | None = "application/json", **headers: str) -> Script:
    """A whole reply with its length."""
    content = body.encode() if isinstance(body, str) else body
    return [head(status, content_type, Content_Length=str(len(content)), **headers) + content]


def chunk(data: bytes) -> bytes:
    """A piece of a body in the chunked encoding."""
    return b"%x\r\n%b\r\n" % (len(data), data) if data else b""


def stream(*pieces: bytes | Pause | End, content_type: str = "text/event-stream", **headers: str) -> Script:
    """A whole streamed reply; each piece leaves by itself. One that is ended by a step of the pieces is not whole."""
    steps: list[Step] = [head(200, content_type, Transfer_Encoding="chunked", **headers)]
    steps += [chunk(piece) if isinstance(piece, bytes) else piece for piece in pieces]
    ended = any(isinstance(piece, End) for piece in pieces)
    return steps if ended else [*steps, b"0\r\n\r\n"]


def content(*texts: str) -> bytes:
    """Content frames of the orchestrate protocol, as raw text."""
    return b"".join(f"event: content\ndata: {text}\n\n".encode() for text in texts)


def completion(text: str | None, finish_reason: str | None = "stop", **message: Any) -> Script:
    """A whole chat completion."""
    choice = {"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", "content": text, **message}}
    return reply(json.dumps({"id": "c", "object": "chat.completion", "choices": [choice]}))


def delta(text: Any, finish_reason: str | None = None, **choice: Any) -> bytes:
    """One frame of a streamed chat completion."""
    value = {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish_reason} | choice]}
    return f"data: {json.dumps(value)}\n\n".encode()


def verdict(correctness: Any = 0.9, passed: Any = True, reason: Any = "ok") -> str:
    """A judge's verdict as JSON."""
    return json.dumps({"correctness": correctness, "passed": passed, "reason": reason})


def closed_port() -> int:
    """A loopback port at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def serving(server: ScriptedServer) -> Iterator[str]:
    """Run a scripted server on a loop of its own, for as long as the block."""
    background = Background("scripted")
    background.start(server.__aenter__()).result(timeout=10)
    try:
        yield server.url
    finally:
        background.start(server.__aexit__(None, None, None)).result(timeout=10)
        background.close()
