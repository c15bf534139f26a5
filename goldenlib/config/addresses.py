"""Addresses: URLs of stores, warehouses and servers, which may hold a password; masked, checked, and read.

Rule: no part of a password is shown, also where the address is written wrongly.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

from goldenlib.folding import UNSEEN

# What may be seen of a query: no driver's secrets are called so. Every other value is masked.
_HARMLESS = frozenset(
    {"application_name", "autocommit", "cache", "charset", "client_encoding", "connect_timeout", "database", "db", "dbname", "host"}
    | {"hostaddr", "immutable", "isolation_level", "keepalives", "lock_timeout", "mode", "options", "pool_size", "port", "role", "schema"}
    | {"search_path", "sslmode", "statement_timeout", "target_session_attrs", "timeout", "timezone", "uri", "user", "username", "warehouse"}
)
_PASSWORD = re.compile(r"(://[^:/@\s]*):[^\r\n]*@")
_SERVER = re.compile(r"(?i)[a-z][a-z0-9+.-]*://")
_QUERY = re.compile(r"(://[^\s?]*)(\?\S*)")
_IN_QUERY = re.compile(r"([?&;])([^=&;]*)(=?)([^&;]*)")
_SECRET_NAME = re.compile(r"(?i)pass|pwd|secret|token|key\Z")
_LONGEST = 8_000  # characters of a message
_FILE_URL = re.compile(r"(?i:sqlite|duckdb)(?:\+\w+)?://[^/?]*/([^?]*)")
_BESIDE = ("-wal", "-shm", "-journal", ".wal")
_OF_FILES = ("sqlite", "duckdb", "file")
_UNSEEN = re.compile(f"[{UNSEEN}]")
_UNEXPANDED = re.compile(r"\$\{|\$\(|\{\{|\A\$[A-Za-z_]|\A%\w+%")
_AT_IN_QUERY = re.compile(r"\?[^@]*=[^@]*@|\?\S*=\S*\s")  # or a blank, at which a value would seem to end
_LOGIN = re.compile(r"\A(?!/(?!/)|[.~])(?!.*://)[^@]*:[^@]+@")
_CONNECTION_WORDS = re.compile(
    r"(?i)(?:^|[\s;])(?:host|hostaddr|server|data source|dbname|database|user|username|uid|(?:ssl)?password|pwd|passfile|service)\s*="
)


def mask_url(url: str) -> str:
    """Return `url` with the password in it, and every value of its query but a few that are known to be harmless, replaced by ***.

    Also takes a message that holds a URL.

    >>> mask_url("postgresql://golden:hunter2@db.example/golden?sslmode=require&sslpassword=geheim")
    'postgresql://golden:***@db.example/golden?sslmode=require&sslpassword=***'
    """
    shown = url if len(url) <= _LONGEST else f"{url[:_LONGEST]}…"  # the patterns look ahead as far as a line goes
    return _QUERY.sub(lambda found: found[1] + _IN_QUERY.sub(_masked, found[2]), _PASSWORD.sub(r"\1:***@", shown))


def passwords_in(url: str) -> list[str]:
    """Return the passwords in a URL, as they are and as they are written there: that of the login, and what its query names so."""
    found = re.search(r"://[^:/@\s]*:([^\r\n]*)@", url)
    written = [found[1]] if found else []
    query = url.partition("?")[2] if _SERVER.match(url) else ""
    written += [value for _, name, _, value in _IN_QUERY.findall(f"?{query}") if _SECRET_NAME.search(name) and value]
    return list(dict.fromkeys(form for password in written for form in (unquote(password), password)))


def database_files(address: str) -> list[Path]:
    """Return the files of a SQLite or DuckDB database by its URL or path, those first that it is read from; none for a server.

    What begins with `file:` may be a URI or the name of a file: both are given. The others are what the engines keep beside a file.
    """
    named = address
    if _SERVER.match(address):
        found = _FILE_URL.match(address)
        if found is None:
            return []
        named = found[1]
    paths = [Path(named).expanduser()]
    if named.startswith("file:"):
        paths.insert(0, sqlite_path(named))
    return [*paths, *(Path(f"{path}{ending}") for path in paths for ending in _BESIDE)]


def sqlite_path(database: str) -> Path:
    """Return the file that SQLite opens for the database of a URL, also where that is a URI such as file:///srv/a%20b.db?mode=ro."""
    if not database.startswith("file:"):
        return Path(database)
    path = database.removeprefix("file:").partition("?")[0].partition("#")[0]
    if path.startswith("//"):  # an authority: empty, or localhost
        path = f"/{path[2:].partition('/')[2]}"
    return Path(unquote(path))


def why_unusable(address: str) -> str | None:
    """Return why the address of a store or warehouse cannot be told apart from its password, or None; the address is not shown.

    With an @ too many a driver takes a part of the password for the host, and tells it in its messages. A connection string of the
    form `host=... password=...`, or an address that lacks a part of its `://`, would be taken for the name of a file, and so would a
    variable that nobody put a value in: every run would then have an empty store of its own.
    """
    if not address.isprintable() or _UNSEEN.search(address):
        return "holds a line break or a character that cannot be seen; set it again, in visible characters"
    if _UNEXPANDED.search(address):
        return "is the name of a variable that was not replaced by its value; set the variable, or write the address itself"
    server = _SERVER.match(address)
    if server is None:
        if _CONNECTION_WORDS.search(address):
            return "is a connection string of words and values, not a URL or a path; write it as postgresql://user@host:5432/name"
        if _LOGIN.search(address):
            return (
                "looks like an address with a login, but does not begin with a kind and ://; write it as postgresql://user@host:5432/name"
            )
        return None
    if server[0].lower().startswith(_OF_FILES) and address[server.end() :].startswith("/"):
        return None  # the path of a file
    if address.count("@") > 1 or _AT_IN_QUERY.search(address):
        return (
            "holds two @, or one behind the host, so that a part of the password would be taken for something else;"
            " percent-encode the password (write %40 for @ in it)"
        )
    return None


def _masked(match: re.Match[str]) -> str:
    sign, name, equals, value = match.groups()
    if not equals:  # a bare word
        return f"{sign}***" if name and name != "***" else match[0]
    return match[0] if name.lower() in _HARMLESS or not value else f"{sign}{name}=***"
