"""Proxies of the environment and certificates of one's own, tried on a real proxy and a real TLS server on loopback."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from yarl import URL

from goldenlib.config.settings import Settings
from goldenlib.errors import TargetError
from goldenlib.wire.network import Network
from goldenlib.wire.transport import CallFailed, Endpoint
from tests.proxies import CERTIFICATE, proxy
from tests.servers import closed_port

REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"


@pytest.fixture(autouse=True)
def _no_proxies_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    path = tmp_path / "office.pem"
    path.write_text(CERTIFICATE)
    return path


@asynccontextmanager
async def chatbot(certificate: Path | None = None) -> AsyncIterator[int]:
    """A server that answers every request; give its port. With a certificate it speaks TLS."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(REPLY)
        writer.close()
        await writer.wait_closed()

    context = None
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def ask(url: str, network: Network, token: str | None = None) -> bytes:
    async with Endpoint(url, total_s=5, network=network, token=token) as endpoint, endpoint.post("x") as response:
        return await response.read(100)


def asked_through(monkeypatch: pytest.MonkeyPatch, variable: str, *, scheme: str = "http", certificate: Path | None = None) -> list[str]:
    """What a proxy that a variable names was asked, while a chatbot of another machine was called."""

    async def main() -> list[str]:
        async with chatbot(certificate) as port, proxy() as through:
            monkeypatch.setenv(variable, through.url.replace("http://", "http://sari:hunter2@"))
            network = Network(trust_env=True, ca_file=str(certificate) if certificate is not None else None)
            assert await ask(f"{scheme}://chatbot.test:{port}", network, token="k3y") == b"{}"
            return through.asked

    return asyncio.run(main())


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_a_plain_call_goes_through_the_proxy_with_its_login(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """fd-039."""
    (asked,) = asked_through(monkeypatch, variable)
    assert asked.startswith("POST http://chatbot.test:")
    assert "Proxy-Authorization: Basic c2FyaTpodW50ZXIy" in asked
    assert "Authorization: Bearer k3y" in asked


def test_an_encrypted_call_goes_through_the_proxy_which_sees_no_token(monkeypatch: pytest.MonkeyPatch, certificate: Path) -> None:
    (asked,) = asked_through(monkeypatch, "HTTPS_PROXY", scheme="https", certificate=certificate)
    assert asked.startswith("CONNECT chatbot.test:")
    assert "k3y" not in asked


def test_the_certificates_of_ones_own_authority_are_trusted_beside_the_usual_ones(certificate: Path) -> None:
    """fd-040."""
    usual = ssl.create_default_context().cert_store_stats()["x509_ca"]
    context = Network(ca_file=str(certificate)).certificates(URL("https://chatbot.test"))
    assert isinstance(context, ssl.SSLContext)
    assert context.cert_store_stats()["x509_ca"] == usual + 1


def test_an_untrusted_certificate_names_both_ways_out(certificate: Path) -> None:
    """fd-040."""

    async def main() -> None:
        async with chatbot(certificate) as port:
            await ask(f"https://127.0.0.1:{port}", Network())

    with pytest.raises(CallFailed, match=r"certificate verify failed.*; set ca_file, or SSL_CERT_FILE, to the file of its certificates"):
        asyncio.run(main())


@pytest.mark.parametrize("excluded", ["chatbot.test", ".test", "*", "other.example, chatbot.test"])
def test_a_host_that_is_excluded_is_called_directly(excluded: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.office:3128")
    monkeypatch.setenv("NO_PROXY", excluded)
    assert Network(trust_env=True).proxy_for(URL("https://chatbot.test")) is None
    assert Network(trust_env=True).proxy_for(URL("https://chatbot.example")) is None or excluded != "*"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_this_machine_itself_is_called_directly(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.office:3128")
    assert Network(trust_env=True).proxy_for(URL(f"http://{host}:8000")) is None


def test_without_trust_env_no_proxy_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.office:3128")
    assert Network().proxy_for(URL("https://chatbot.example")) is None


def failure(url: str, network: Network) -> str:
    with pytest.raises(CallFailed) as caught:
        asyncio.run(ask(url, network))
    return str(caught.value)


def test_a_proxy_that_is_down_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """fd-039."""
    monkeypatch.setenv("HTTPS_PROXY", f"sari:hunter2@127.0.0.1:{(port := closed_port())}")
    told = failure("https://chatbot.example", Network(trust_env=True))
    assert told.startswith("no connection to https://chatbot.example: ")
    assert told.endswith(f" (through the proxy http://***@127.0.0.1:{port} (HTTPS_PROXY))")


@pytest.mark.parametrize(("scheme", "variable"), [("http", "HTTP_PROXY"), ("https", "HTTPS_PROXY")])
def test_a_proxy_that_refuses_is_named(scheme: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with proxy(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n") as through:
            monkeypatch.setenv(variable, through.url)
            await ask(f"{scheme}://chatbot.test", Network(trust_env=True))

    with pytest.raises(CallFailed, match=rf"HTTP 407.* \(through the proxy http://127\.0\.0\.1:\d+ \({variable}\)\)"):
        asyncio.run(main())


def test_a_call_that_fails_beside_a_proxy_says_how_it_would_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.office:3128")
    told = failure(f"http://127.0.0.2.nip.invalid:{closed_port()}", Network())
    assert told.endswith("; HTTP_PROXY names a proxy, which is asked with trust_env: true only")


@pytest.mark.parametrize("named", ["socks5://proxy.office:1080", "http://", "ftp://x"])
def test_a_proxy_that_cannot_be_used_is_told_before_the_first_call(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", named)
    with pytest.raises(TargetError, match=r"HTTPS_PROXY names no http:// or https:// proxy; correct it, or leave trust_env out"):
        Endpoint("https://chatbot.example", total_s=1, network=Network(trust_env=True))


@pytest.mark.parametrize(
    ("content", "why"), [(None, "cannot be read (No such file"), ("no certificate\n", "holds no certificate in PEM form")]
)
def test_a_ca_file_that_cannot_be_used_is_told_before_the_first_call(content: str | None, why: str, tmp_path: Path) -> None:
    path = tmp_path / "office.pem"
    if content is not None:
        path.write_text(content)
    with pytest.raises(TargetError) as caught:
        Endpoint("https://chatbot.example", total_s=1, network=Network(ca_file=str(path)))
    assert str(caught.value).startswith(f"ca_file: {path}: {why}")


def test_it_comes_out_of_the_settings() -> None:
    assert Network.from_settings(Settings(trust_env=True, ca_file="office.pem")) == Network(True, "office.pem")
