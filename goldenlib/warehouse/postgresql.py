"""The PostgreSQL side: transactions that only read and end in time, as a login that cannot become more than a reader.

Rule: a login that PostgreSQL itself would not hold is refused when the warehouse is opened. Runs inside the worker.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from goldenlib.warehouse.attributes import Catalogue
from goldenlib.warehouse.functions import why_never, why_refused
from goldenlib.warehouse.guards import CONNECT_TIMEOUT_S, Guard
from goldenlib.warehouse.results import FailureKind, QueryStopped
from goldenlib.warehouse.zones import is_offset, zone_named

# Whoever may become another role may become what that one may: all that the login belongs to counts. Roles that make roles could, before
# PostgreSQL 16, grant themselves any but a superuser; those that were found beyond tables reach files of the server and programs on it.
_ROLES = """
    SELECT r.rolname, r.rolsuper, r.rolcreaterole, r.rolname = session_user FROM pg_catalog.pg_roles AS r
    WHERE (r.rolsuper OR r.rolcreaterole OR r.rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'))
      AND pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER')
    ORDER BY r.rolsuper DESC, r.rolname = session_user DESC, r.rolname"""
_WAY_OUT = (
    "log in as a role that only reads tables: CREATE ROLE golden_reader LOGIN PASSWORD '...';"
    " GRANT USAGE ON SCHEMA public TO golden_reader; GRANT SELECT ON ALL TABLES IN SCHEMA public TO golden_reader"
)
_FUNCTIONS = """
    SELECT DISTINCT lower(p.proname), n.nspname = 'pg_catalog' FROM pg_catalog.pg_proc AS p
    JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    WHERE p.pronargs >= 1 AND p.pronargs - p.pronargdefaults <= 1 AND p.prokind IN ('f', 'w')"""
_COLUMNS = """
    SELECT DISTINCT lower(c.relname), lower(a.attname) FROM pg_catalog.pg_attribute AS a
    JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'v', 'm', 'f', 'p', 'c')
      AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')"""
# Types that Python holds only in part: years beyond 9999, infinity, spans of a million years, integers of ten thousand digits.
_NARROW_IN_PYTHON = ("date", "time", "timetz", "timestamp", "timestamptz", "interval", "json", "jsonb")


class PostgreSQL(Guard):
    """A server whose transactions are read-only and limited in time."""

    def connect_arguments(self) -> Mapping[str, object]:
        """Return what psycopg is told."""
        given: dict[str, object] = {"connect_timeout": CONNECT_TIMEOUT_S, "application_name": "goldenlib warehouse"}
        return given | ({"context": _Tolerant()} if self.url.get_driver_name() == "psycopg" else {})

    def look(self, connection: Connection) -> None:
        """Refuse a superuser and whoever may become one; find what begins every transaction, and what is called without brackets."""
        _refuse_powerful(connection)
        (version,) = connection.exec_driver_sql("SELECT current_setting('server_version_num')::int").one()
        milliseconds = max(1, int(self.limits.seconds * 1000))
        setup = ["SET TRANSACTION READ ONLY", f"SET LOCAL statement_timeout = {milliseconds}", *self._zone(connection)]
        setup += [f"SET LOCAL idle_in_transaction_session_timeout = {milliseconds + 5000}", "SET LOCAL max_parallel_workers_per_gather = 0"]
        setup += ["SET LOCAL standard_conforming_strings = on"]  # as the check reads them
        watch = "SET LOCAL client_connection_check_interval = 1000"  # a query whose process was ended ends too
        if version >= 140000 and _is_accepted(connection, watch):
            setup += [watch]
        if version >= 170000:
            setup += [f"SET LOCAL transaction_timeout = {milliseconds}"]
        self.setup = ["; ".join(setup)]
        self.catalogue = _catalogue(connection)

    def _zone(self, connection: Connection) -> list[str]:
        """Return what gives a session the zone that was asked for: nothing where the login's own is meant, which is noted."""
        if self.time_zone:  # as text, an offset would be read as POSIX does, with its sign turned
            zone = f"INTERVAL '{self.time_zone}' HOUR TO MINUTE" if is_offset(self.time_zone) else f"'{self.time_zone}'"
            return [f"SET LOCAL TIME ZONE {zone}"]
        name, offset = connection.exec_driver_sql("SELECT current_setting('TimeZone'), extract(timezone FROM now())::int").one()
        self.time_zone = zone_named(name, offset)
        return []

    def kind_of(self, error: DBAPIError, text: str) -> FailureKind | None:
        """Return what an error says of the query."""
        state = str(getattr(error.orig, "sqlstate", None) or "")
        if state in ("57014", "25P04"):
            return FailureKind.TIMEOUT
        if state[:2] == "53" or "out of memory" in text:
            return FailureKind.TOO_MUCH_MEMORY
        if state in ("42501", "25006"):
            return FailureKind.REFUSED
        if state[:2] == "08" or state[:3] == "57P" or (not state and "OperationalError" in type(error).__name__):
            return FailureKind.UNAVAILABLE
        return super().kind_of(error, text)


def _refuse_powerful(connection: Connection) -> None:
    """Refuse a login that can leave a read-only transaction, or reach beyond tables within it."""
    found = connection.exec_driver_sql(_ROLES).first()
    if found is None:
        return
    name, is_superuser, makes_roles, is_login = found
    if is_superuser:
        what = "is a superuser, whom nothing holds to reading" if is_login else f"belongs to the superuser '{name}', which it can become"
    elif makes_roles:
        what = "may make roles and grant them (CREATEROLE)" if is_login else f"belongs to '{name}', which may make roles (CREATEROLE)"
    else:
        what = f"belongs to '{name}', and so reaches files or programs of the server"
    raise QueryStopped(FailureKind.REFUSED, f"the login {what}; {_WAY_OUT}")


def _catalogue(connection: Connection) -> Catalogue:
    functions = {}
    for name, is_built_in in connection.exec_driver_sql(_FUNCTIONS):
        why = why_never(name, "postgres") or why_refused(name, "postgres", known_to_parser=is_built_in)
        if why is not None:
            functions[name] = why
    columns: dict[str, set[str]] = {}
    for table, column in connection.exec_driver_sql(_COLUMNS):
        if column in functions:
            columns.setdefault(table, set()).add(column)
    return Catalogue(functions, columns)


def _is_accepted(connection: Connection, statement: str) -> bool:
    """Whether the server takes a setting: not every platform has every one."""
    try:
        with connection.begin_nested():
            connection.exec_driver_sql(statement)
    except DBAPIError:
        return False
    return True


class _Tolerant:
    """Tells psycopg to hand over as text what Python cannot hold: a value that cannot be read is still a value (contract 9.6)."""

    connection = None

    def __init__(self) -> None:
        import psycopg
        from psycopg.adapt import AdaptersMap, PyFormat

        self.adapters = AdaptersMap(psycopg.adapters)
        for name in _NARROW_IN_PYTHON:
            kind = psycopg.adapters.types[name]
            loader = psycopg.adapters.get_loader(kind.oid, PyFormat.as_pq(PyFormat.TEXT))
            if loader is not None:
                self.adapters.register_loader(kind.oid, _tolerant(loader))


def _tolerant(strict: Any) -> Any:
    from psycopg.adapt import Loader

    class Tolerant(Loader):
        """Loads what Python holds, and the rest as the text that it came as; a midnight without zone as its date."""

        def __init__(self, oid: int, context: Any = None) -> None:
            super().__init__(oid, context)
            self._load = strict(oid, context).load

        def load(self, data: Any) -> Any:
            """Return the value of what came."""
            try:
                return self._load(data)
            except (ArithmeticError, ValueError, RecursionError, _data_error()):
                return _as_date(bytes(data).decode(errors="replace"))

    return Tolerant


def _data_error() -> type[Exception]:
    import psycopg

    return psycopg.DataError


def _as_date(text: str) -> str:
    return text.replace(" 00:00:00", "", 1) if text.endswith((" 00:00:00", " 00:00:00 BC")) else text
