"""A proxy as offices have one: it answers CONNECT, or passes a plain request on, and remembers what it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

# Of a server called chatbot.test, signed by itself; the key protects nothing.
CERTIFICATE = """\
-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIDYT41ah7yEClCga/juIT65l0LzZ4hD90XMmZI0hyHjZoAoGCCqGSM49
AwEHoUQDQgAEkPj8Bmm1jxJijtvJUTUQC+KquYodtq1dfC5EoZMdBfdif3inwF4K
5WTFG3Vo9n8L+n95D1CqW8KgYV8e96Qt1w==
-----END EC PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
MIIBuDCCAV6gAwIBAgIUdFC91iS6lwtVomyHyd+WDKij5/IwCgYIKoZIzj0EAwIw
JDEiMCAGA1UEAwwZQW4gb2ZmaWNlJ3Mgb3duIGF1dGhvcml0eTAgFw0yNjEyMDEw
ODEyMzZaGA8yMTI2MTEwNzA4MTIzNlowJDEiMCAGA1UEAwwZQW4gb2ZmaWNlJ3Mg
b3duIGF1dGhvcml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJD4/AZptY8S
Yo7byVE1EAviqrmKHbatXXwuRKGTHQX3Yn94p8BeCuVkxRt1aPZ/C/p/eQ9QqlvC
oGFfHvekLdejbDBqMB0GA1UdDgQWBBSW8ADlUe/VSWxLe/XKLwWdIpO3mTAfBgNV
HSMEGDAWgBSW8ADlUe/VSWxLe/XKLwWdIpO3mTAXBgNVHREEEDAOggxjaGF0Ym90
LnRlc3QwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiB93DrcHmO3
Pspa7RqZ+lVZttjCCJQuBZkZN75F0GbttwIhAIKWBUdKtlxgAvzgF65xMnnQLNOp
i1V2Zy/+2sCixcBM
-----END CERTIFICATE-----
"""


@dataclass
class Proxy:
    """One that listens; `asked` holds the first line and the headers of each request."""

    url: str = ""
    asked: list[str] = field(default_factory=list)


@asynccontextmanager
async def proxy(refusal: bytes = b"") -> AsyncIterator[Proxy]:
    """Serve a proxy; with a `refusal`, that is its answer to everything."""
    served, talks = Proxy(), set[asyncio.Task[None]]()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.add(asyncio.current_task())  # type: ignore[arg-type]  # it runs in one
        with suppress(ConnectionError):
            await talk(reader, writer)
        await _close(writer)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        served.asked.append(request.decode())
        if refusal:
            writer.write(refusal)
            await writer.drain()
            return
        method, target, _ = request.decode().split(" ", 2)
        port = (target if method == "CONNECT" else target.split("/")[2]).rpartition(":")[2]
        there, back = await asyncio.open_connection("127.0.0.1", int(port))
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            back.write(request)
        await asyncio.gather(_pass(reader, back), _pass(there, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        served.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield served
        await asyncio.wait_for(asyncio.gather(*talks), 5)


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
    await _close(writer)


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()
