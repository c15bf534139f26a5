"""The MySQL and MariaDB side: transactions that only read, statements that the server ends in time, a login without files.

Rule: a login with a right that a read-only transaction does not bind is refused when the warehouse is opened. Runs inside the worker.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from goldenlib.warehouse.guards import CONNECT_TIMEOUT_S, Guard
from goldenlib.warehouse.results import FailureKind, QueryStopped
from goldenlib.warehouse.zones import zone_named

# Rights on the whole server. FILE reads and writes its files, for which a SELECT is enough; SUPER is not bound by read-only.
_BEYOND_TABLES = re.compile(r"\b(ALL PRIVILEGES|FILE|SUPER)\b")
_WAY_OUT = "log in as a user that only reads tables: CREATE USER golden_reader IDENTIFIED BY '...'; GRANT SELECT ON shop.* TO golden_reader"
# Of sql_mode: what lets the server read quotes and backslashes otherwise than the check does.
_OTHER_QUOTES = {"ANSI", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "DB2", "MAXDB", "MSSQL", "ORACLE", "POSTGRESQL"}
_TIMED_OUT, _REFUSED = {1969, 3024, 1317}, {1044, 1045, 1142, 1143, 1227, 1290, 1370, 1792}
_NO_MEMORY, _LOST = {1037, 1038, 1041}, {1040, 1053, 2002, 2003, 2005, 2006, 2013, 2055}


class MySQL(Guard):
    """A server whose transactions are read-only, and whose statements are limited in time."""

    def connect_arguments(self) -> Mapping[str, object]:
        """Return what pymysql is told; another driver has words of its own."""
        if self.url.get_driver_name() != "pymysql":
            return {}
        patience = int(self.limits.seconds) + CONNECT_TIMEOUT_S
        return {"connect_timeout": CONNECT_TIMEOUT_S, "read_timeout": patience, "write_timeout": patience, "local_infile": False}

    def look(self, connection: Connection) -> None:
        """Refuse a login that reaches beyond tables, and find what begins every transaction."""
        granted = [str(line) for (line,) in connection.exec_driver_sql("SHOW GRANTS")]
        version, modes = connection.exec_driver_sql("SELECT version(), @@session.sql_mode").one()
        is_mariadb = "mariadb" in str(version).lower()
        if is_mariadb and connection.exec_driver_sql("SELECT current_role()").scalar() is not None:
            granted += [str(line) for (line,) in connection.exec_driver_sql("SHOW GRANTS FOR CURRENT_ROLE")]
        for line in granted:
            rights, _, where = line.partition(" ON ")
            right = _BEYOND_TABLES.search(rights) if where.startswith("*.*") else None
            if right is not None:
                what = f"the login has the right {right[1]}, which reaches beyond tables and is not bound by a read-only transaction"
                raise QueryStopped(FailureKind.REFUSED, f"{what}; {_WAY_OUT}")
        kept = [mode for mode in str(modes).split(",") if mode.upper() not in _OTHER_QUOTES]
        limit = (
            f"max_statement_time = {self.limits.seconds}" if is_mariadb else f"max_execution_time = {int(self.limits.seconds * 1000) or 1}"
        )
        self.setup = self._zone(connection)
        self.setup += [f"SET SESSION {limit}", f"SET SESSION sql_mode = '{','.join(kept)}'", "SET SESSION TRANSACTION READ ONLY"]
        self.setup += ["START TRANSACTION READ ONLY"]

    def _zone(self, connection: Connection) -> list[str]:
        """Return what gives a session the zone that was asked for: nothing where the login's own is meant, which is noted."""
        if not self.time_zone:
            name, offset = connection.exec_driver_sql("SELECT @@session.time_zone, timestampdiff(SECOND, utc_timestamp(), now())").one()
            self.time_zone = zone_named(name if name != "SYSTEM" else "", offset)
            return []
        statement = f"SET SESSION time_zone = '{self.time_zone}'"
        try:
            connection.exec_driver_sql(statement)
        except DBAPIError:
            what = f"the server does not know the time zone {self.time_zone}"
            way_out = "load its zones with mysql_tzinfo_to_sql, or write the zone as an offset such as +07:00"
            raise QueryStopped(FailureKind.REFUSED, f"{what}; {way_out}") from None
        return [statement]

    def kind_of(self, error: DBAPIError, text: str) -> FailureKind | None:
        """Return what an error says of the query, by the server's number."""
        arguments = getattr(error.orig, "args", ())
        number = arguments[0] if arguments and isinstance(arguments[0], int) else None
        for kind, numbers in (
            (FailureKind.TIMEOUT, _TIMED_OUT),
            (FailureKind.REFUSED, _REFUSED),
            (FailureKind.TOO_MUCH_MEMORY, _NO_MEMORY),
            (FailureKind.UNAVAILABLE, _LOST),
        ):
            if number in numbers:
                return kind
        return super().kind_of(error, text)
