"""MySQL and MariaDB as warehouses: read-only, limited in time, without files. On a real MariaDB server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pymysql
import pytest
from sqlalchemy import make_url

from goldenlib.matching import results_match
from goldenlib.warehouse import QueryFailed, QueryResult, Warehouse, WarehouseError, check_select, describe_schema, open_warehouse
from tests.warehouse.conftest import LIMITS, MARGIN_S

pytestmark = [pytest.mark.mariadb, pytest.mark.xdist_group("mariadb")]

GRANT = "GRANT SELECT ON golden_shop.* TO golden_reader"


def connected(url: str) -> pymysql.Connection[Any]:
    made = make_url(url)
    return pymysql.connect(host=made.host, port=made.port or 3306, user=made.username, password=made.password or "", autocommit=True)


def tell(connection: pymysql.Connection[Any], *statements: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        return list(cursor.fetchall())


@pytest.fixture(scope="module")
def admin(mariadb_url: str) -> Iterator[pymysql.Connection[Any]]:
    """The administrator, and a database with a table of three rows that a reader may read."""
    with connected(mariadb_url) as connection:
        tell(
            connection,
            "CREATE DATABASE golden_shop",
            "CREATE TABLE golden_shop.sales (id INT PRIMARY KEY, region VARCHAR(20), price DECIMAL(10, 2), day DATE) ENGINE=InnoDB",
            "INSERT INTO golden_shop.sales VALUES (1, 'a', 1.5, '2025-01-31'), (2, 'b', 3, '2025-02-01'), (3, 'c', 4.5, '2025-02-02')",
            "CREATE FUNCTION golden_shop.fiscal_year(d DATE) RETURNS INT DETERMINISTIC RETURN year(d) + (month(d) > 6)",
            "CREATE USER golden_reader IDENTIFIED BY 'read-only-7'",
            GRANT,
            "GRANT EXECUTE ON golden_shop.* TO golden_reader",
        )
        try:
            yield connection
        finally:
            tell(connection, "DROP DATABASE golden_shop", "DROP USER golden_reader")


@pytest.fixture(scope="module")
def reader_url(admin: pymysql.Connection[Any], mariadb_url: str) -> str:
    url = make_url(mariadb_url).set(username="golden_reader", password="read-only-7", database="golden_shop")
    return url.render_as_string(hide_password=False)


@pytest.fixture(scope="module")
def server(reader_url: str) -> Iterator[Warehouse]:
    with open_warehouse(reader_url, limits=LIMITS) as opened:
        yield opened


class TestLogins:
    """fd-071, field/analyst 3."""

    @pytest.mark.parametrize(
        ("rights", "named"),
        [("FILE ON *.*", "FILE"), ("SUPER ON *.*", "SUPER"), ("ALL PRIVILEGES ON *.*", "ALL PRIVILEGES"), ("SELECT, FILE ON *.*", "FILE")],
    )
    def test_a_login_that_reaches_beyond_tables_is_refused(
        self, admin: pymysql.Connection[Any], reader_url: str, rights: str, named: str
    ) -> None:
        tell(admin, f"GRANT {rights} TO golden_reader")
        try:
            with pytest.raises(WarehouseError, match=rf"has the right {named}, .*; log in as a user that only reads.* GRANT SELECT ON"):
                open_warehouse(reader_url, limits=LIMITS)
        finally:
            tell(admin, "REVOKE ALL PRIVILEGES, GRANT OPTION FROM golden_reader", GRANT, "GRANT EXECUTE ON golden_shop.* TO golden_reader")

    def test_a_right_that_comes_by_a_role_counts(self, admin: pymysql.Connection[Any], reader_url: str) -> None:
        tell(admin, "CREATE ROLE golden_files", "GRANT FILE ON *.* TO golden_files", "GRANT golden_files TO golden_reader")
        tell(admin, "SET DEFAULT ROLE golden_files FOR golden_reader")
        try:
            with pytest.raises(WarehouseError, match="has the right FILE"):
                open_warehouse(reader_url, limits=LIMITS)
        finally:
            tell(admin, "DROP ROLE golden_files")

    def test_a_wrong_password_is_said_without_it(self, reader_url: str) -> None:
        with pytest.raises(WarehouseError, match="Access denied") as raised:
            open_warehouse(reader_url.replace("read-only-7", "hunter2"), limits=LIMITS)
        assert "hunter2" not in str(raised.value)


class TestQueries:
    """What an analyst writes passes, and gives what the server gives."""

    def test_rows_arrive_as_python_values(self, server: Warehouse) -> None:
        outcome = server.run("SELECT id, region, price, day, NULL AS nothing, 'a%sb' AS t, TIME '10:30:00' AS at FROM sales WHERE id = 1")
        assert isinstance(outcome, QueryResult), outcome
        assert outcome.rows == [(1, "a", Decimal("1.50"), date(2025, 1, 31), None, "a%sb", timedelta(hours=10, minutes=30))]

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT count(*) FROM sales;",
            "SELECT date_format(day, '%Y-%m'), sum(price) FROM sales GROUP BY 1 HAVING sum(price) > 1 ORDER BY 1 LIMIT 10",
            "SELECT year(day), month(day), quarter(day), week(day), weekday(day), last_day(day), dayname(day) FROM golden_shop.sales",
            "SELECT date_add(day, INTERVAL 1 MONTH), day - INTERVAL 1 DAY, datediff(day, '2025-01-01') FROM sales",
            "SELECT timestampdiff(MONTH, day, now()), 5 DIV 2, 5 MOD 2 FROM sales",
            "SELECT ifnull(region, 'x'), if(id > 1, 'b', 'a'), concat(region, '-', id), group_concat(region) FROM sales GROUP BY id",
            "SELECT str_to_date('01,5,2013', '%d,%m,%Y'), unix_timestamp(day), from_unixtime(0), truncate(1.25, 1) FROM sales",
            "SELECT id, rank() OVER (ORDER BY price DESC) FROM sales -- the ranking",
            "WITH s AS (SELECT * FROM sales) SELECT region FROM s UNION ALL SELECT 'z' ORDER BY 1 # the end",
            "SELECT json_extract('{\"a\": 1}', '$.a'), field('b', 'a', 'b'), convert_tz(now(), '+00:00', '+07:00')",
            "SELECT substring_index('a.b', '.', 1), find_in_set('b', 'a,b')",
            "SELECT 'it''s /* no comment', \"double\", `region`, 5--3 FROM sales /* all of it */",
            "SELECT curdate(), sysdate(), utc_timestamp(), rand() < 2, regexp_replace('abc', 'b', 'x'), soundex('a'), crc32('x')",
        ],
    )
    def test_a_query_of_an_analyst_passes(self, server: Warehouse, sql: str) -> None:
        assert isinstance(server.run(sql), QueryResult), server.run(sql)

    def test_what_the_golden_sql_calls_the_agent_may_call(self, server: Warehouse, reader_url: str) -> None:
        """fd-070."""
        sql = "SELECT golden_shop.fiscal_year(day), count(*) FROM sales GROUP BY 1"
        golden, refused, allowed = server.run(sql, trusted=True), server.run(sql), server.run(sql, allow_functions={"fiscal_year"})
        assert isinstance(refused, QueryFailed)
        assert "allow it with the setting warehouse_functions" in refused.reason
        assert isinstance(golden, QueryResult)
        assert isinstance(allowed, QueryResult)
        assert results_match(allowed.rows, golden.rows)
        with open_warehouse(reader_url, limits=LIMITS, allow_functions=["golden_shop.fiscal_year"]) as warehouse:
            assert isinstance(warehouse.run(sql), QueryResult)

    def test_the_schema_can_be_told(self, server: Warehouse) -> None:
        assert "golden_shop.sales\n  id int\n" in describe_schema(server)

    @pytest.mark.parametrize("value", ["TIME '800:00:00'", "x'ff'", "DATE '9999-12-31'", "1e308", "0.1 + 0e0", "b'101'", "uuid()", "'ä'"])
    def test_a_value_agrees_with_itself(self, server: Warehouse, value: str) -> None:
        """fd-074."""
        outcome = server.run(f"SELECT {value} AS n")
        assert isinstance(outcome, QueryResult), outcome
        assert results_match(outcome.rows, outcome.rows)


HOSTILE = {
    "a comment that runs": "SELECT 1 /*!50000 INTO OUTFILE '{out}' */",
    "a comment that runs on MariaDB": "SELECT 1 /*M! INTO OUTFILE '{out}' */",
    "a comment that runs in a text": "SELECT '/*! x */'",
    "a comment that runs after another": "SELECT 1 /* a */ /*!99999 + 1 */",
    "a comment that reads the catalogue": "SELECT * /*! FROM information_schema.TABLES */",
    "a hint": "SELECT /*+ SET_VAR(max_execution_time = 0) */ 1",
    "write a file": "SELECT * FROM sales INTO OUTFILE '{out}'",
    "dump a file": "SELECT region FROM sales LIMIT 1 INTO DUMPFILE '{out}'",
    "write a file behind a minus": "SELECT 1--1 INTO OUTFILE '{out}'",
    "write a file behind a comment in a comment": "SELECT 1 /* /* */ INTO OUTFILE '{out}' -- */",
    "write a file behind an escaped quote": "SELECT '\\' INTO OUTFILE ''{out}'' -- ' FROM nowhere",
    "read a file": "SELECT load_file('/etc/hostname')",
    "wait": "SELECT sleep(30)",
    "compute for long": "SELECT benchmark(1000000000, sha2('x', 512))",
    "take a lock": "SELECT get_lock('golden', 10)",
    "set a variable": "SELECT @x := 1",
    "read a variable": "SELECT @x",
    "read a setting": "SELECT @@datadir",
    "into a variable": "SELECT 1 INTO @x",
    "read the catalogue": "SELECT * FROM information_schema.tables",
    "read passwords": "SELECT * FROM mysql.user",
    "read passwords quoted": "SELECT * FROM `mysql`.`global_priv`",
    "who asks": "SELECT user(), current_user(), connection_id()",
    "the version": "SELECT version()",
    "two statements": "SELECT 1; DROP TABLE sales",
    "end the transaction": "SELECT 1; COMMIT; DELETE FROM sales",
    "delete": "DELETE FROM sales",
    "insert": "INSERT INTO sales VALUES (9, 'x', 1, NULL)",
    "create": "CREATE TABLE t (a INT)",
    "temporary": "CREATE TEMPORARY TABLE t (a INT)",
    "lock rows": "SELECT * FROM sales FOR UPDATE",
    "share rows": "SELECT * FROM sales LOCK IN SHARE MODE",
    "handler": "HANDLER sales OPEN",
    "load data": "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE sales",
    "set": "SET SESSION TRANSACTION READ WRITE",
    "call": "CALL something()",
    "show": "SHOW GRANTS",
    "kill": "KILL 1",
}


class TestHostile:
    """fd-071, field/analyst 3: refused by reading, and held by the server all the same."""

    @pytest.mark.parametrize("tries", HOSTILE)
    def test_an_attack_is_refused(self, server: Warehouse, tries: str, tmp_path: Path) -> None:
        outcome = server.run(HOSTILE[tries].replace("{out}", str(tmp_path / "out")))
        assert isinstance(outcome, QueryFailed), outcome
        assert outcome.kind in ("refused", "sql_error"), outcome
        assert not (tmp_path / "out").exists()

    def test_golden_sql_is_refused_what_leads_out(self, server: Warehouse, tmp_path: Path) -> None:
        for tries in (
            "a comment that runs",
            "a comment that runs on MariaDB",
            "write a file",
            "read a file",
            "take a lock",
            "delete",
            "call",
        ):
            outcome = server.run(HOSTILE[tries].replace("{out}", str(tmp_path / "out")), trusted=True)
            assert isinstance(outcome, QueryFailed), (tries, outcome)
            assert not (tmp_path / "out").exists()

    def test_the_session_itself_cannot_write(self, admin: pymysql.Connection[Any], mariadb_url: str) -> None:
        """The second layer: a login that may write, and a function that does, which the check is told to let through."""
        tell(
            admin,
            "CREATE USER golden_writer IDENTIFIED BY 'write-7'",
            "GRANT ALL PRIVILEGES ON golden_shop.* TO golden_writer",
            "CREATE FUNCTION golden_shop.sneak() RETURNS INT MODIFIES SQL DATA BEGIN DELETE FROM golden_shop.sales; RETURN 1; END",
        )
        url = make_url(mariadb_url).set(username="golden_writer", password="write-7", database="golden_shop")
        try:
            with open_warehouse(url.render_as_string(hide_password=False), limits=LIMITS) as warehouse:
                outcome = warehouse.run("SELECT golden_shop.sneak()", trusted=True)
            assert isinstance(outcome, QueryFailed)
            assert "READ ONLY transaction" in outcome.reason
            assert tell(admin, "SELECT count(*) FROM golden_shop.sales") == [(3,)]
        finally:
            tell(admin, "DROP USER golden_writer", "DROP FUNCTION golden_shop.sneak")

    RUNAWAY = (
        ("SELECT count(*) FROM seq_1_to_100000000 AS a, seq_1_to_100000000 AS b", {"timeout"}),
        ("SELECT a.seq FROM seq_1_to_100000000 AS a, seq_1_to_100 AS b", {"too_many_rows", "timeout", "too_much_memory"}),
        ("SELECT sleep(30)", {"timeout"}),
        ("SELECT sum(sha2(concat(a.seq, b.seq), 512)) FROM seq_1_to_1000000 AS a, seq_1_to_1000000 AS b", {"timeout"}),
    )

    def test_a_runaway_is_stopped_and_nothing_is_left_on_the_server(self, server: Warehouse, admin: pymysql.Connection[Any]) -> None:
        for sql, kinds in self.RUNAWAY:
            outcome = server.run(sql, trusted=True)
            assert isinstance(outcome, QueryFailed), (sql, outcome)
            assert outcome.kind in kinds, (sql, outcome)
            assert outcome.seconds < LIMITS.seconds + MARGIN_S
        deadline = time.monotonic() + MARGIN_S
        running = "SELECT info FROM information_schema.processlist WHERE user = 'golden_reader' AND command <> 'Sleep'"
        while tell(admin, running):
            assert time.monotonic() < deadline
        assert isinstance(server.run("SELECT count(*) FROM sales"), QueryResult)

    def test_a_lost_connection_is_made_again(self, server: Warehouse, admin: pymysql.Connection[Any]) -> None:
        assert isinstance(server.run("SELECT 1"), QueryResult)
        for (number,) in tell(admin, "SELECT id FROM information_schema.processlist WHERE user = 'golden_reader'"):
            tell(admin, f"KILL {number}")
        assert isinstance(server.run("SELECT 1"), QueryResult)

    def test_quotes_are_read_as_the_check_reads_them(self, admin: pymysql.Connection[Any], reader_url: str, tmp_path: Path) -> None:
        """A server that takes backslashes literally would see a statement where the check sees a text."""
        (before,) = tell(admin, "SELECT @@global.sql_mode")
        tell(admin, "SET GLOBAL sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,STRICT_TRANS_TABLES'")
        try:
            with open_warehouse(reader_url, limits=LIMITS) as warehouse:
                outcome = warehouse.run("SELECT '\\' AS a, version() AS b, ' x'")
                assert isinstance(outcome, QueryFailed)
                outcome = warehouse.run("SELECT '\\'' AS a, \"b\"")
                assert isinstance(outcome, QueryResult)
                assert outcome.rows == [("'", "b")]
        finally:
            tell(admin, f"SET GLOBAL sql_mode = '{before[0]}'")


@pytest.mark.parametrize("sql", ["SELECT 1 /*!50000 + 1 */", "SELECT 1 /*M!50000 + 1 */", "SELECT '/*!'"])
@pytest.mark.parametrize("dialect", ["mysql", "duckdb", "postgres", "sqlite", "clickhouse", "tsql"])
def test_a_comment_that_runs_is_refused_in_every_dialect(sql: str, dialect: str) -> None:
    """fd-071: comments that a server runs are refused (contract 9.5b)."""
    assert "a comment that a server runs" in str(check_select(sql, dialect))


class TestTimeZone:
    """fd-062: SQL runs in the zone of the server, or in the one that was asked for."""

    SQL = "SELECT CAST(FROM_UNIXTIME(1777579200) AS CHAR) AS moment"  # 2026-04-30 20:00 in UTC

    def test_is_the_one_asked_for_and_else_the_servers_own(self, reader_url: str) -> None:
        with open_warehouse(reader_url, limits=LIMITS, time_zone="+07:00") as warehouse:
            result = warehouse.run(self.SQL)
            assert isinstance(result, QueryResult)
            assert (result.tuples()[0][0], warehouse.time_zone) == ("2026-05-01 03:00:00", "+07:00")
        with open_warehouse(reader_url, limits=LIMITS) as warehouse:
            assert warehouse.time_zone[0] in "+-UEA"

    def test_a_name_that_the_server_does_not_know_is_told_with_the_way_out(self, reader_url: str) -> None:
        with pytest.raises(
            WarehouseError, match=r"does not know the time zone Asia/Jakarta; load its zones .*, or write the zone as an offset"
        ):
            open_warehouse(reader_url, limits=LIMITS, time_zone="Asia/Jakarta")
