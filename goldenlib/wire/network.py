"""The network of an office: proxies named by the environment, and authorities of its own that sign certificates.

Rule: nothing of it is used unless the configuration says so, except SSL_CERT_FILE, which Python itself reads; what cannot be used is
refused before anything is asked.
"""

from __future__ import annotations

import ipaddress
import os
import ssl
from dataclasses import dataclass
from typing import Self
from urllib.request import getproxies_environment, proxy_bypass_environment  # type: ignore[attr-defined]  # not in typeshed

from yarl import URL

from goldenlib.config.settings import Settings
from goldenlib.errors import TargetError

_TRUST = "set ca_file, or SSL_CERT_FILE, to the file of its certificates where an authority of your own signed it"


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy, and the environment variable that names it."""

    url: URL
    variable: str

    def __str__(self) -> str:
        """How it is shown: without what it is logged in with."""
        shown = self.url.with_user(None) if self.url.user is None else self.url.with_password(None).with_user("***")
        return f"the proxy {shown} ({self.variable})"


@dataclass(frozen=True, slots=True)
class Network:
    """How calls go out.

    `trust_env` lets the proxies of the environment be asked; `ca_file` is a PEM file of authorities that are trusted beside the usual ones.
    """

    trust_env: bool = False
    ca_file: str | None = None

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Take it out of a run's settings."""
        return cls(settings.trust_env, settings.ca_file)

    def proxy_for(self, address: URL) -> Proxy | None:
        """Return the proxy for calls to an address, or None. Raises TargetError for one that cannot be used."""
        return _proxy_of_environment(address) if self.trust_env else None

    def certificates(self, address: URL) -> ssl.SSLContext | bool:
        """Return what certificates are checked with: True is the usual. Raises TargetError for files that cannot be used."""
        if address.scheme == "https":
            _check_environment()
        if self.ca_file is None:
            return True
        context = ssl.create_default_context()
        try:
            context.load_verify_locations(self.ca_file)
        except OSError as error:  # ssl.SSLError is one
            why = "holds no certificate in PEM form" if isinstance(error, ssl.SSLError) else f"cannot be read ({error.strerror})"
            raise TargetError(f"ca_file: {self.ca_file}: {why}; name the file of certificates that your authority gives out") from None
        return context

    def way_out(self, error: Exception, address: URL) -> str:
        """Return what may help after a connection that failed, as the end of a sentence; or an empty text."""
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"; {_TRUST}"
        if self.trust_env:
            return ""
        try:
            proxy = _proxy_of_environment(address)
        except TargetError:
            return ""
        return f"; {proxy.variable} names a proxy, which is asked with trust_env: true only" if proxy is not None else ""


DIRECT = Network()


def _proxy_of_environment(address: URL) -> Proxy | None:
    """Return the proxy that the environment names for an address. Calls to this machine itself go through none."""
    proxies = getproxies_environment()
    named = next((kind for kind in (address.scheme, "all") if proxies.get(kind)), None)
    host = address.host or ""
    if named is None or _is_loopback(host) or proxy_bypass_environment(f"{host}:{address.port}", proxies):
        return None
    variable = next((name for name in (f"{named}_proxy", f"{named}_PROXY".upper()) if os.environ.get(name)), f"{named}_proxy".upper())
    text = proxies[named]
    try:
        url = URL(text if "://" in text else f"http://{text}")
    except ValueError:
        url = URL()
    if url.scheme not in ("http", "https") or not url.host:
        raise TargetError(f"{variable} names no http:// or https:// proxy; correct it, or leave trust_env out")
    return Proxy(url, variable)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.casefold() == "localhost"


def _check_environment() -> None:
    """Refuse a file or folder of certificates that is not there: OpenSSL says nothing, and then trusts nobody or somebody else."""
    for variable, is_there in (("SSL_CERT_FILE", os.path.isfile), ("SSL_CERT_DIR", os.path.isdir)):
        named = os.environ.get(variable)
        if named is not None and not is_there(named):
            raise TargetError(f"{variable} names {named!r}, which is not there; correct it, or unset it to trust the usual authorities")
