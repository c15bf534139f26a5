"""HTTP: what a failed call says and whether it is tried again, how long is waited, and how many calls run at once."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import ssl
import tracemalloc
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goldenlib.errors import TargetError
from goldenlib.wire.transport import CallFailed, Endpoint, is_storable, retry_after, storable, what_it_says
from tests.servers import End, Pause, Request, Script, ScriptedServer, chunk, closed_port, head, reply, stream

KEY = "sk-0123456789abcdef"
NOW = datetime(2026, 7, 10, 9, 0, 0, tzinfo=UTC)
# A certificate of our own for 127.0.0.1, which nobody has a reason to trust.
CERTIFICATE = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgDBup70+jxawe9ZNx
Mqt3wZ6N3SiE7Qc5VV1XZnEjIyShRANCAAQhnoxVGjFHlFYZg1sfnEHd3gg/blrn
9CdNNDmZMwgJWSF8SIy5diLxjHu1+DOWo+1N/CNPQnAZlUhtdNJ84XUV
-----END PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUb7lbr4rhK8vDJgrs6iOk/uKJYrkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyOTIxNDMwMFoYDzIxMjYxMTA1
MjE0MzAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQhnoxVGjFHlFYZg1sfnEHd3gg/blrn9CdNNDmZMwgJWSF8SIy5diLx
jHu1+DOWo+1N/CNPQnAZlUhtdNJ84XUVo2QwYjAdBgNVHQ4EFgQUJlrkZHzMZM5b
fmSDyfZ22Fw6RQswHwYDVR0jBBgwFoAUJlrkZHzMZM5bfmSDyfZ22Fw6RQswDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IQDGyvz9CKfwxfJpTteqiNV6NVEfONGTjFTA7RFjDGEIMQIgacOpDOZliW6oFazp
j+31umjxruREZCmm+Wr5QMjRPDc=
-----END CERTIFICATE-----
"""


async def call(endpoint: Endpoint, body: object = "x", most: int = 10_000) -> bytes:
    async with endpoint.post(body) as response:
        return await response.read(most)


def post_to(*scripts: Script, times: int = 1, most: int = 10_000, **options: Any) -> tuple[list[bytes], list[Request]]:
    """The bodies of so many calls, one after the other, and the requests that the server got."""

    async def main() -> tuple[list[bytes], list[Request]]:
        async with ScriptedServer(*scripts) as server, Endpoint(server.url, **({"total_s": 5} | options)) as endpoint:
            return [await call(endpoint, most=most) for _ in range(times)], server.requests

    return asyncio.run(main())


def failure_of(*scripts: Script, **options: Any) -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        post_to(*scripts, **options)
    return caught.value


def failure_at(url: str, total_s: float = 5) -> CallFailed:
    async def main() -> None:
        async with Endpoint(url, total_s=total_s) as endpoint:
            await call(endpoint)

    with pytest.raises(CallFailed) as caught:
        asyncio.run(main())
    return caught.value


# --- what goes out ---


def test_a_call_posts_json_with_the_token_as_bearer_and_asks_for_no_compression() -> None:
    _, (request,) = post_to(reply("{}"), token=f" {KEY}\n")
    assert (request.json, request.headers["content-type"]) == ("x", "application/json")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert (request.headers["accept-encoding"], request.headers["user-agent"]) == ("identity", "goldenlib")


def test_a_call_without_a_token_sends_none() -> None:
    _, (request,) = post_to(reply("{}"))
    assert "authorization" not in request.headers


def test_a_body_of_several_megabytes_goes_out_whole_and_without_a_warning() -> None:
    async def main() -> Any:
        async with ScriptedServer(reply("{}")) as server, Endpoint(server.url, total_s=5) as endpoint:
            await call(endpoint, {"answer": "é" * 2_000_000})
            return server.requests[0].json

    assert asyncio.run(main()) == {"answer": "é" * 2_000_000}


def test_proxies_of_the_environment_play_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{closed_port()}")
    assert post_to(reply("{}"))[0] == [b"{}"]


@pytest.mark.parametrize("url", ["http://127.0.0.1:99999", "http://[::1", f"http://{'a' * 64}.example"])
def test_an_address_that_cannot_be_called_is_told_before_any_call(url: str) -> None:
    with pytest.raises(TargetError, match="not an address that can be called"):
        Endpoint(url, total_s=1)


@pytest.mark.parametrize("token", ["line\nbreak", "caf\u00e9", "nul\0"])
def test_a_token_that_no_header_can_carry_is_told_before_any_call_and_not_shown(token: str) -> None:
    with pytest.raises(TargetError, match="cannot stand in an HTTP header") as caught:
        Endpoint("http://127.0.0.1", total_s=1, token=token)
    assert token not in str(caught.value)


# --- what comes back ---


@pytest.mark.parametrize("body", [b"", b"{}", b"\xff" * 9_999])
def test_a_body_comes_back_whole(body: bytes) -> None:
    assert post_to(reply(body))[0] == [body]


def test_a_body_over_the_limit_is_a_failure() -> None:
    failure = failure_of(stream(*[b"x" * 100] * 11), most=1_000)
    assert (str(failure), failure.retryable) == ("the reply has more than 1,000 bytes", False)


@pytest.mark.parametrize(
    "first",
    [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"],
)
def test_interim_replies_are_passed_over(first: bytes) -> None:
    assert post_to([first, *reply("{}")])[0] == [b"{}"]


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_body_without_a_length_ends_with_the_connection(version: str) -> None:
    assert post_to([head(version=version), b"a", b"b", End.CLOSE])[0] == [b"ab"]


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_reset_is_no_end_of_a_body_without_a_length(version: str) -> None:
    failure = failure_of([head(version=version), b"ab", Pause(0.02), End.RESET])
    assert (str(failure), failure.retryable) == ("the connection broke before the end of the reply", True)


def deflated(body: bytes, wbits: int) -> bytes:
    deflater = zlib.compressobj(wbits=wbits)
    return deflater.compress(body) + deflater.flush()


BODY = b"event: content\ndata: ya\n\n" * 20
COMPRESSED = {
    "gzip": ("gzip", gzip.compress(BODY)),
    "gzip in upper case": ("GZip", gzip.compress(BODY)),
    "x-gzip": ("x-gzip", gzip.compress(BODY)),
    "gzip of several members": ("gzip", gzip.compress(BODY[:100]) + gzip.compress(BODY[100:])),
    "gzip flushed in pieces": ("gzip", gzip.compress(BODY, compresslevel=0)),
    "zlib": ("deflate", zlib.compress(BODY)),
    "raw deflate": ("deflate", deflated(BODY, -15)),
    "not compressed": ("identity", BODY),
    "empty encoding": ("", BODY),
}


@pytest.mark.parametrize(("encoding", "body"), COMPRESSED.values(), ids=COMPRESSED)
def test_a_compressed_body_is_read_however_it_is_cut(encoding: str, body: bytes) -> None:
    assert post_to(reply(body, Content_Encoding=encoding))[0] == [BODY]
    assert post_to(stream(*(body[at : at + 1] for at in range(len(body))), Content_Encoding=encoding))[0] == [BODY]


@pytest.mark.parametrize("kept", [5, 12, -1, -8])
def test_a_compressed_body_that_was_cut_off_is_a_break(kept: int) -> None:
    failure = failure_of(reply(gzip.compress(BODY)[:kept], Content_Encoding="gzip"))
    assert (str(failure), failure.retryable) == ("the connection broke before the end of the compressed reply", True)


@pytest.mark.parametrize(
    "body",
    [b"not gzip at all", gzip.compress(BODY)[:-8] + b"\0" * 8, gzip.compress(BODY) + b"rest"],
    ids=["not gzip", "wrong sum", "more than gzip"],
)
def test_a_compressed_body_that_is_damaged_is_a_failure(body: bytes) -> None:
    failure = failure_of(reply(body, Content_Encoding="gzip"))
    assert "the compressed reply cannot be read" in str(failure)
    assert not failure.retryable


def test_an_encoding_that_was_not_asked_for_is_named() -> None:
    assert str(failure_of(reply(b"x", Content_Encoding="br"))) == "the reply is compressed as 'br', which was not asked for"


def test_a_compressed_bomb_ends_at_the_limit_in_little_memory() -> None:
    bomb = gzip.compress(bytes(300_000_000), compresslevel=1)
    tracemalloc.start()
    try:
        failure = failure_of(reply(bomb, Content_Encoding="gzip"), most=1_000_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "more than 1,000,000 bytes" in str(failure)
    assert peak < 25_000_000 + 2 * len(bomb)


# --- failed calls ---


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 409, 413, 422, 500, 501, 505, 525, 526, 527, 530, 101, 302, 304])
def test_a_refusal_is_final(status: int) -> None:
    failure = failure_of(reply("", status))
    assert (str(failure), failure.status, failure.retryable) == (f"HTTP {status}", status, False)


@pytest.mark.parametrize("status", [408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 529])
def test_what_passes_by_itself_is_worth_another_attempt(status: int) -> None:
    """fd-036, contract 3.4."""
    failure = failure_of(reply("", status, Retry_After="2"))
    assert (failure.status, failure.retryable, failure.retry_after) == (status, True, 2.0)


@pytest.mark.parametrize(
    ("body", "content_type", "said"),
    [
        ('{"error": {"message": "bad\\n  thing", "type": "t"}}', "application/json", "bad thing"),
        ('{"error": "bad thing"}', "application/json", "bad thing"),
        ('{"detail": [{"msg": "field required"}]}', "application/json", '[{"msg": "field required"}]'),
        ('{"message": "bad thing"}', "text/plain", "bad thing"),
        ('{"other": 1}', "application/json", '{"other": 1}'),
        ("<html><head><title>502 Bad Gateway</title></head>\n<body><hr>nginx</body></html>", "text/html", "502 Bad Gateway nginx"),
        ("busy", None, "busy"),
        ("[" * 100_000, "application/json", "[" * 300),
        ("x" * 100_000, None, "x" * 300),
    ],
)
def test_a_refusal_says_what_the_server_says(body: str, content_type: str | None, said: str) -> None:
    assert str(failure_of(reply(body, 500, content_type))) == f"HTTP 500: {said}"


def test_a_compressed_refusal_is_read() -> None:
    assert str(failure_of(reply(gzip.compress(b"busy"), 500, Content_Encoding="gzip"))) == "HTTP 500: busy"


def test_a_refusal_whose_text_never_ends_is_still_a_refusal() -> None:
    failure = failure_of([head(503, Content_Length="100") + b"busy", End.HANG], idle_s=0.1)
    assert (str(failure), failure.retryable) == ("HTTP 503: busy", True)


@pytest.mark.parametrize(
    ("location", "said"),
    [("http://u:p@127.0.0.1:1/new?token=abc#x", "http://127.0.0.1:1/new"), ("/login?next=x", "/login"), ("//[?x", "//[")],
)
def test_a_redirect_is_named_and_not_followed(location: str, said: str) -> None:
    assert str(failure_of(reply("", 307, Location=location))) == f"HTTP 307: redirects to {said}"


BROKEN = {
    "closed before the reply": [End.CLOSE],
    "reset before the reply": [End.RESET],
    "closed within the head": [b"HTTP/1.1 200 OK\r\nContent-", End.CLOSE],
    "closed before the length": [head(Content_Length="10") + b"abc", End.CLOSE],
    "reset before the length": [head(Content_Length="10") + b"abc", Pause(0.02), End.RESET],
    "closed within a chunk": [head(Transfer_Encoding="chunked") + b"a\r\nabc", End.CLOSE],
    "closed before the last chunk": [head(Transfer_Encoding="chunked") + chunk(b"abc"), End.CLOSE],
    "reset before the last chunk": [head(Transfer_Encoding="chunked") + chunk(b"abc"), Pause(0.02), End.RESET],
}


@pytest.mark.parametrize("script", BROKEN.values(), ids=BROKEN)
def test_a_break_is_worth_another_attempt(script: Script) -> None:
    failure = failure_of(script)
    assert str(failure).startswith("the connection broke")
    assert failure.retryable


NO_HTTP = {
    "no HTTP": [b"hello world\r\n\r\n", End.CLOSE],
    "HTTP/0.9": [b"<html></html>\n", End.CLOSE],
    "no status": [b"HTTP/1.1 abc OK\r\n\r\n"],
    "two lengths": [b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"],
    "a length that is none": [head(Content_Length="-1") + b"abc"],
    "a chunk size that is none": [head(Transfer_Encoding="chunked") + b"zz\r\nabc\r\n"],
    "a chunk size below zero": [head(Transfer_Encoding="chunked") + b"-5\r\nabc\r\n"],
    "a chunk size beyond all bounds": [head(Transfer_Encoding="chunked") + b"f" * 20 + b"\r\nabc\r\n"],
    "a chunk longer than its size": [head(Transfer_Encoding="chunked") + b"3\r\nabcdef\r\n0\r\n\r\n"],
    "a header without end": [head(X="y" * 20_000)],
    "too many headers": [head(**{f"X{number}": "y" for number in range(300)})],
    "a NUL in a header": [b"HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n"],
}


@pytest.mark.parametrize("script", NO_HTTP.values(), ids=NO_HTTP)
def test_what_is_not_http_is_a_failure_in_one_line(script: Script) -> None:
    message = str(failure_of(script))
    assert message.startswith("the reply is not HTTP that can be read: ")
    assert "\n" not in message


def test_a_refused_connection_is_worth_another_attempt() -> None:
    failure = failure_at(url := f"http://127.0.0.1:{closed_port()}")
    assert failure.retryable
    assert str(failure).startswith(f"no connection to {url}: ")


def test_a_name_that_cannot_be_resolved_is_worth_another_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    failure = failure_at("http://chatbot.example")
    assert failure.retryable
    assert "no connection to http://chatbot.example: " in str(failure)


def test_tls_to_a_plain_port_says_so() -> None:
    async def main() -> None:
        async def plain(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            writer.close()

        server = await asyncio.start_server(plain, "127.0.0.1", 0)
        async with server, Endpoint(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}", total_s=5) as endpoint:
            await call(endpoint)

    with pytest.raises(CallFailed, match=r"no connection to https://127\.0\.0\.1:\d+: .*SSL"):
        asyncio.run(main())


def test_a_certificate_that_cannot_be_trusted_is_final(tmp_path: Path) -> None:
    (tmp_path / "certificate.pem").write_text(CERTIFICATE)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate.pem")

    async def main() -> None:
        server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=context)
        async with server, Endpoint(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}", total_s=5) as endpoint:
            await call(endpoint)

    with pytest.raises(CallFailed, match="certificate verify failed: self-signed certificate") as caught:
        asyncio.run(main())
    assert not caught.value.retryable


@pytest.mark.parametrize("script", [[End.HANG], [head(Content_Length="9"), End.HANG], [head(Content_Length="9"), b"a", End.HANG]])
def test_silence_is_cut_by_the_idle_limit(script: Script) -> None:
    failure = failure_of(script, idle_s=0.1)
    assert (str(failure), failure.retryable) == ("no bytes for longer than the idle limit of 0.1 s", False)


def test_a_slow_drip_under_the_idle_limit_is_cut_by_the_deadline() -> None:
    failure = failure_of(stream(*[b"x", Pause(0.05)] * 100), idle_s=3, total_s=0.3)
    assert (str(failure), failure.retryable) == ("no complete reply within 0.3 s", False)


def test_a_server_that_never_accepts_is_cut_by_the_deadline() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        assert "no complete reply within 0.2 s" in str(failure_at(f"http://127.0.0.1:{listener.getsockname()[1]}", 0.2))


def test_an_idle_connection_that_the_server_closes_is_not_used_again() -> None:
    async def main() -> int:
        async with ScriptedServer([*reply("{}"), Pause(0.05), End.CLOSE]) as server, Endpoint(server.url, total_s=5) as endpoint:
            await call(endpoint)
            await asyncio.sleep(0.3)
            await call(endpoint)
            return server.connections

    assert asyncio.run(main()) == 2


def test_a_connection_is_used_again() -> None:
    assert {request.connection for request in post_to(reply("{}"), stream(b"x"), reply("", 200), times=4)[1]} == {1}


def test_the_connection_of_a_short_refusal_is_used_again() -> None:
    async def main() -> int:
        async with ScriptedServer(reply("busy", 429), reply("{}")) as server, Endpoint(server.url, total_s=5) as endpoint:
            with pytest.raises(CallFailed):
                await call(endpoint)
            await call(endpoint)
            return server.connections

    assert asyncio.run(main()) == 1


# --- secrets ---


def test_a_token_that_the_server_echoes_is_hidden() -> None:
    endpoint = Endpoint("http://127.0.0.1", total_s=1, token=KEY)
    assert endpoint.hide(f"key {KEY}, {KEY}!") == "key ***, ***!"
    assert endpoint.hide_in_message(f"key {KEY}, {KEY}!") == "key ***, ***!"


@pytest.mark.parametrize("kept", range(8, len(KEY)))
def test_a_token_that_was_cut_off_within_a_message_is_hidden(kept: int) -> None:
    assert Endpoint("http://127.0.0.1", total_s=1, token=KEY).hide_in_message(f"HTTP 401: {KEY[:kept]}") == "HTTP 401: ***"


def test_a_short_token_is_hidden_in_messages_and_does_not_change_answers() -> None:
    endpoint = Endpoint("http://127.0.0.1", total_s=1, token="pt")
    assert endpoint.hide_in_message("HTTP 401: pt") == "HTTP 401: ***"
    assert endpoint.hide("pt perorangan") == "pt perorangan"


def test_without_a_token_nothing_is_hidden() -> None:
    endpoint = Endpoint("http://127.0.0.1", total_s=1)
    assert (endpoint.hide("a"), endpoint.hide_in_message("a")) == ("a", "a")


# --- Retry-After ---


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("30", 30.0),
        (" 30 ", 30.0),
        ("0.493", 0.493),
        ("0", 0.0),
        ("-5", 0.0),
        ("Fri, 10 Jul 2026 09:00:30 GMT", 30.0),
        ("Friday, 10-Jul-26 09:00:30 GMT", 30.0),
        ("Fri Jul 10 09:00:30 2026", 30.0),
        ("Fri, 10 Jul 2026 08:00:00 GMT", 0.0),
        ("Fri, 10 Jul 2026 11:00:30 +0200", 30.0),
        ("soon", None),
        ("", None),
        ("nan", None),
        ("inf", None),
        ("1e400", None),
        ("30 seconds", None),
        ("Fri, 99 Jul 2026 09:00:30 GMT", None),
    ],
)
def test_retry_after_is_read_in_all_its_forms(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, NOW) == seconds


@given(header=st.text(max_size=40))
@example(header="Fri, 10 Jul 9999999 09:00:30 GMT")
@example(header="Mon, 01 Jan 0001 00:00:00 +2359")
def test_no_retry_after_is_a_crash_or_a_wait_below_zero(header: str) -> None:
    seconds = retry_after(header, NOW)
    assert seconds is None or 0 <= seconds < 1e12


# --- text ---


@pytest.mark.parametrize(("text", "expected"), [("", ""), ("é🚀", "é🚀"), ("a\ud83d", "a?"), ("\ude80\ud83d", "??")])
def test_half_characters_become_question_marks(text: str, expected: str) -> None:
    assert storable(text) == expected
    assert is_storable(text) is (text == expected)


@pytest.mark.parametrize("body", ["", "null", "0", "[]", '{"error": null, "message": ""}', '{"error": {"error": {"error": {}}}}', "x"])
def test_an_error_body_of_any_shape_says_something(body: str) -> None:
    assert isinstance(what_it_says(body), str)
    assert what_it_says(body) == body or json.loads(body)


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "SSL_CERT_DIR"])
@pytest.mark.parametrize("named", ["nowhere.pem", ""])
def test_certificates_that_are_not_there_are_told_before_the_first_call(variable: str, named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """field/ci-owner E: OpenSSL itself says nothing."""
    monkeypatch.setenv(variable, named)
    with pytest.raises(TargetError, match=f"{variable} names '{named}', which is not there"):
        Endpoint("https://chatbot.example", total_s=1)
    Endpoint("http://127.0.0.1", total_s=1)
