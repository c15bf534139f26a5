"""HTTP to chatbots and judges: one endpoint, and its failed calls.

Rule: a call either ends well or raises CallFailed, which says whether trying again may help (contract 3.4).
"""

from __future__ import annotations

import asyncio
import io
import json
import re
import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
from yarl import URL

from goldenlib.config.hiding import hide, hide_in_message
from goldenlib.errors import TargetError
from goldenlib.wire.network import DIRECT, Network

CONNECT_TIMEOUT_S = 10.0
# Statuses that pass by themselves: those of HTTP, those of proxies before a server that does not answer (520 to 524), and overload (529).
RETRIED_STATUSES = frozenset({408, 425, 429, 502, 503, 504, *range(520, 525), 529})
ERROR_BODY_BYTES, ERROR_BODY_S = 16_000, 2.0
INFLATED_AT_ONCE = 256 * 1024
AT_ONCE = 2**20
_TAG = re.compile(r"<[^<>]*>")
# Answers and verdicts are small and streamed: compressing them only delays them. What comes compressed is read all the same.
HEADERS = {"User-Agent": "goldenlib", "Accept-Encoding": "identity", "Content-Type": "application/json"}


class CallFailed(Exception):  # named for the outcome that it is: caught, and turned into data
    """A call that brought no usable reply: what happened, and whether another attempt may help."""

    def __init__(self, message: str, *, retryable: bool = False, status: int | None = None, retry_after: float | None = None) -> None:
        self.message = message
        self.retryable = retryable
        self.status = status
        self.retry_after = retry_after
        super().__init__(message)

    def __str__(self) -> str:
        return self.message


def retry_after(header: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds that a Retry-After header asks for: a number or an HTTP date (RFC 9110, 10.2.3); None if unreadable.

    What lies in the past asks for 0 seconds.

    >>> retry_after("0.493")
    0.493
    """
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            at = parsedate_to_datetime(header)
            seconds = (at.replace(tzinfo=at.tzinfo or UTC) - (now or datetime.now(UTC))).total_seconds()
        except (ValueError, OverflowError):
            return None
    return max(0.0, seconds) if -1e12 < seconds < 1e12 else None


class Endpoint:
    """One address that is posted to many times. Open it with `async with`.

    Every call must end within `total_s`, with no silence longer than `idle_s`. Connections are reused and not limited here
    (see Pace). Redirects are not followed; cookies play no part, proxies where `network` says so. `token` goes out as Bearer
    and is kept out of what is written down by `hide`. Raises TargetError for an address, token or network that cannot be used.
    """

    def __init__(
        self, url: str, *, total_s: float, idle_s: float | None = None, token: str | None = None, network: Network = DIRECT
    ) -> None:
        self.url = url
        self._address = _address(url)
        self._network = network
        self._proxy = network.proxy_for(self._address)
        self._certificates = network.certificates(self._address)
        self._token = _header_token(token)
        self._timeout = aiohttp.ClientTimeout(total=total_s, connect=min(CONNECT_TIMEOUT_S, total_s), sock_read=idle_s)

    async def __aenter__(self) -> Endpoint:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ssl=self._certificates),
            proxy=self._proxy.url if self._proxy is not None else None,
            timeout=self._timeout,
            headers=HEADERS | ({"Authorization": f"Bearer {self._token}"} if self._token else {}),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,  # aiohttp takes a gzip stream that was cut off for a whole one
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    def hide(self, text: str) -> str:
        """Return an answer or reply without the token, should the server have put it there."""
        return hide(text, self._token)

    def hide_in_message(self, text: str) -> str:
        """Return what is said about a failure without the token or the beginning of it."""
        return hide_in_message(text, self._token)

    @asynccontextmanager
    async def post(self, body: object, headers: Mapping[str, str] | None = None) -> AsyncIterator[Response]:
        """POST `body` as JSON and give the response when its status is 2xx; every failure on the way becomes CallFailed.

        Failures while the caller reads the body are translated too. Whether a break while reading is worth another attempt
        is for the caller to say, who knows what had come by then; here it counts as retryable.
        """
        encoded = json.dumps(body).encode()
        data = encoded if len(encoded) <= AT_ONCE else io.BytesIO(encoded)  # aiohttp warns of larger ones, unless they come out of a file
        try:
            async with self._session.post(self._address, data=data, headers=headers, allow_redirects=False) as response:
                if not 200 <= response.status < 300:
                    raise self._on_the_way(await _refusal(response))
                yield Response(response)
        except (aiohttp.ClientError, aiohttp.http_exceptions.HttpProcessingError, TimeoutError) as error:
            raise self._on_the_way(self._failure(error)) from error

    def _on_the_way(self, failure: CallFailed) -> CallFailed:
        """Name the proxy in a failure: it may be its doing."""
        if self._proxy is not None:
            failure.message += f" (through {self._proxy})"
        return failure

    def _failure(self, error: Exception) -> CallFailed:
        timeout = self._timeout
        match error:
            case aiohttp.SocketTimeoutError():
                return CallFailed(f"no bytes for longer than the idle limit of {timeout.sock_read:g} s")
            case aiohttp.ConnectionTimeoutError():
                return CallFailed(f"no connection to {self.url} within {timeout.connect:g} s", retryable=True)
            case TimeoutError():
                return CallFailed(f"no complete reply within {timeout.total:g} s")
            case aiohttp.ClientConnectorCertificateError():
                way_out = self._network.way_out(error.certificate_error, self._address)
                return CallFailed(f"no connection to {self.url}: {error.certificate_error}{way_out}")
            case aiohttp.ClientConnectorError():
                way_out = self._network.way_out(error.os_error, self._address)
                return CallFailed(f"no connection to {self.url}: {error.os_error}{way_out}", retryable=True)
            case aiohttp.ClientHttpProxyError():
                return CallFailed(f"no connection to {self.url}: HTTP {error.status} {error.message}".rstrip(), status=error.status)
            case aiohttp.ClientPayloadError():
                return CallFailed("the connection broke before the end of the reply", retryable=True)
            case aiohttp.ClientConnectionError():
                return CallFailed(f"the connection broke: {_in_a_line(error) or type(error).__name__}", retryable=True)
        said = error.message if isinstance(error, aiohttp.ClientResponseError) else error
        return CallFailed(f"the reply is not HTTP that can be read: {_in_a_line(said)}")


class Response:
    """The reply to a call that was not refused. Only its body is still to come."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response
        self.content_type = response.content_type if "Content-Type" in response.headers else ""

    def pieces(self) -> AsyncIterator[bytes]:
        """The body as it comes, decompressed, in pieces of any size."""
        headers = self._response.headers
        encoding = headers.get("Content-Encoding", "identity").strip().lower()
        has_end = "Content-Length" in headers or "chunked" in headers.get("Transfer-Encoding", "").lower()
        raw = self._response.content.iter_any() if has_end else self._until_closed()
        if encoding in ("identity", ""):
            return raw
        if encoding in ("gzip", "x-gzip", "deflate"):
            return _inflated(raw, encoding)
        raise CallFailed(f"the reply is compressed as {encoding!r}, which was not asked for")

    async def _until_closed(self) -> AsyncIterator[bytes]:
        """The body of a reply that ends with its connection. aiohttp takes a reset for that end; here it is a break."""
        connection = self._response.connection
        protocol = connection.protocol if connection is not None else None
        async for data in self._response.content.iter_any():
            yield data
        if protocol is not None and isinstance(protocol.exception(), aiohttp.ClientOSError):
            raise CallFailed("the connection broke before the end of the reply", retryable=True)

    async def read(self, most: int, way_out: str = "") -> bytes:
        """Return the whole body, or raise CallFailed when it has more than `most` bytes, and say the way out of that."""
        body = bytearray()
        async for piece in self.pieces():
            body += piece
            if len(body) > most:
                raise CallFailed(f"the reply has more than {most:,} bytes{way_out}")
        return bytes(body)


async def _inflated(raw: AsyncIterator[bytes], encoding: str) -> AsyncIterator[bytes]:
    """Undo gzip or deflate, in pieces of bounded size however far they expand. A stream that was cut off is a break."""
    inflater: Any = None
    try:
        async for data in raw:
            while data:
                if inflater is None or inflater.eof:  # members may follow one another (RFC 1952, 2.2)
                    inflater = zlib.decompressobj(_window(encoding, data[0]))
                if piece := inflater.decompress(data, INFLATED_AT_ONCE):
                    yield piece
                data = inflater.unconsumed_tail or inflater.unused_data
    except zlib.error as error:
        raise CallFailed(f"the compressed reply cannot be read: {error}") from None
    if inflater is not None and not inflater.eof:
        raise CallFailed("the connection broke before the end of the compressed reply", retryable=True)


def _window(encoding: str, first_byte: int) -> int:
    """zlib's wbits for an encoding: some servers send raw deflate for `deflate`, where zlib is meant (RFC 9110, 8.4.1.2)."""
    if encoding != "deflate":
        return zlib.MAX_WBITS | 16
    return zlib.MAX_WBITS if first_byte & 0x0F == 8 else -zlib.MAX_WBITS


async def _refusal(response: aiohttp.ClientResponse) -> CallFailed:
    body = bytearray()
    try:
        async with asyncio.timeout(ERROR_BODY_S):
            async for piece in Response(response).pieces():
                body += piece
                if len(body) > ERROR_BODY_BYTES:
                    break
    except (aiohttp.ClientError, TimeoutError, CallFailed):
        pass  # the status says enough
    text = body.decode("utf-8", "replace")
    said = _in_a_line(_TAG.sub(" ", text) if response.content_type == "text/html" else what_it_says(text))
    if "Location" in response.headers:
        said = f"redirects to {_shown_address(response.headers['Location'])}"
    return CallFailed(
        f"HTTP {response.status}" + (f": {said}" if said else ""),
        retryable=response.status in RETRIED_STATUSES,
        status=response.status,
        retry_after=retry_after(response.headers.get("Retry-After")),
    )


def what_it_says(body: str) -> str:
    """Return the message in an error body: that of a JSON error object, however nested, or the text as it is."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return body
    return message_of(value) or body


def message_of(value: Any) -> str:
    """Return the message of an error that was reported as JSON, with the parameter that it is about where that is told apart."""
    about = ""
    for _ in range(8):
        if not isinstance(value, dict):
            break
        about = value["param"] if isinstance(value.get("param"), str) else about
        value = next((value[key] for key in ("message", "error", "detail", "msg") if value.get(key)), json.dumps(value))
    said = value if isinstance(value, str) else json.dumps(value)
    return said if about in said else f"{said} (parameter: {about})"


def _in_a_line(said: object) -> str:
    return " ".join(str(said).split())[:300]


def _address(url: str) -> URL:
    try:
        address = URL(url)
        (address.raw_host or "").encode("idna")
    except (ValueError, UnicodeError) as error:
        raise TargetError(f"{url}: is not an address that can be called: {error}") from None
    return address


def _shown_address(location: str) -> str:
    """An address without what may be secret in it: user, password, query."""
    try:
        return str(URL(location).with_user(None).with_query(None).with_fragment(None))
    except ValueError:
        return re.sub(r"[?#@].*", "", location)


def _header_token(token: str | None) -> str:
    token = (token or "").strip()  # files that secrets are kept in often end in a line break
    if not (token.isascii() and token.isprintable()):
        raise TargetError("a token holds characters that cannot stand in an HTTP header; set it again, in printable ASCII")
    return token


def is_storable(text: str) -> bool:
    """Whether the text can be written as UTF-8: no half of a character stands alone in it."""
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def storable(text: str) -> str:
    """Return the text with ? for each half of a character, so that it can be written down."""
    return text if is_storable(text) else text.encode("utf-8", "replace").decode()
