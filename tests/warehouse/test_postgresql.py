"""What a login of PostgreSQL may be, and what SQL may call there without looking like a call. On a real server."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import psycopg
import pytest
from sqlalchemy import make_url

from goldenlib.matching import results_match
from goldenlib.warehouse import QueryFailed, QueryResult, Warehouse, WarehouseError, open_warehouse
from goldenlib.warehouse.zones import day_of_midnight, read_zone
from tests.conftest import reader_of
from tests.warehouse.conftest import LIMITS

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("postgres")]


@pytest.fixture(scope="module")
def admin(postgres_url: str) -> Iterator[psycopg.Connection]:
    """A schema with a table, two functions and a type of its own, made by the superuser."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA guarded")
        connection.execute("CREATE TYPE guarded.place AS (city text, fiscal_year int)")
        connection.execute("CREATE TABLE guarded.sales (id int, day date, version text, spot guarded.place)")
        connection.execute("INSERT INTO guarded.sales VALUES (1, '2026-02-01', 'v1', ROW('Kupang', 2026)), (2, '2026-08-01', 'v2', NULL)")
        connection.execute(
            "CREATE FUNCTION guarded.fiscal_year(d date) RETURNS int LANGUAGE sql AS 'SELECT extract(year FROM d + 184)::int'"
        )
        connection.execute("CREATE FUNCTION guarded.told(s guarded.sales) RETURNS text LANGUAGE sql AS 'SELECT s.version'")
        try:
            yield connection
        finally:
            connection.execute("DROP SCHEMA guarded CASCADE")


@pytest.fixture(scope="module")
def server(admin: psycopg.Connection, postgres_url: str) -> Iterator[Warehouse]:
    with reader_of(postgres_url, "guarded") as url, open_warehouse(url, limits=LIMITS) as opened:
        yield opened


class TestLogins:
    """fd-080, field/security 4: a role can be left, so that it must not lead anywhere."""

    WAY_OUT = r"log in as a role that only reads tables: CREATE ROLE golden_reader .* GRANT SELECT ON ALL TABLES"

    def test_a_superuser_is_refused_with_the_grants_to_use_instead(self, postgres_url: str) -> None:
        with pytest.raises(WarehouseError, match=f"the login is a superuser, .*; {self.WAY_OUT}"):
            open_warehouse(postgres_url, limits=LIMITS)

    @pytest.mark.parametrize("through", ["", "by another role", "without inheriting"])
    def test_a_login_that_can_become_a_superuser_is_refused(self, admin: psycopg.Connection, postgres_url: str, through: str) -> None:
        admin.execute("CREATE ROLE golden_boss SUPERUSER")
        admin.execute("CREATE ROLE golden_between")
        try:
            with reader_of(postgres_url, "guarded") as url:
                name = make_url(url).username
                if through == "by another role":
                    admin.execute(f"GRANT golden_boss TO golden_between; GRANT golden_between TO {name}")
                else:
                    admin.execute(f"GRANT golden_boss TO {name}")
                if through == "without inheriting":
                    admin.execute(f"ALTER ROLE {name} NOINHERIT")
                with pytest.raises(WarehouseError, match=f"belongs to the superuser 'golden_boss', which it can become; {self.WAY_OUT}"):
                    open_warehouse(url, limits=LIMITS)
        finally:
            admin.execute("DROP ROLE golden_boss, golden_between")

    @pytest.mark.parametrize("role", ["pg_read_server_files", "pg_write_server_files", "pg_execute_server_program"])
    def test_a_login_that_reaches_files_or_programs_is_refused(self, admin: psycopg.Connection, postgres_url: str, role: str) -> None:
        with reader_of(postgres_url, "guarded") as url:
            admin.execute(f"GRANT {role} TO {make_url(url).username}")
            with pytest.raises(WarehouseError, match=f"belongs to '{role}', and so reaches files or programs"):
                open_warehouse(url, limits=LIMITS)

    @pytest.mark.parametrize("through", ["", "by another role"])
    def test_a_login_that_makes_roles_is_refused(self, admin: psycopg.Connection, postgres_url: str, through: str) -> None:
        admin.execute("CREATE ROLE golden_clerk CREATEROLE")
        try:
            with reader_of(postgres_url, "guarded") as url:
                name = make_url(url).username
                admin.execute(f"GRANT golden_clerk TO {name}" if through else f"ALTER ROLE {name} CREATEROLE")
                said = r"belongs to 'golden_clerk', which may make roles" if through else r"the login may make roles and grant them"
                with pytest.raises(WarehouseError, match=rf"{said} .*; {self.WAY_OUT}"):
                    open_warehouse(url, limits=LIMITS)
        finally:
            admin.execute("DROP ROLE golden_clerk")

    @pytest.mark.parametrize("role", ["pg_read_all_data", "pg_monitor"])
    def test_a_login_that_reads_more_is_a_reader(self, admin: psycopg.Connection, postgres_url: str, role: str) -> None:
        with reader_of(postgres_url, "guarded") as url:
            admin.execute(f"GRANT {role} TO {make_url(url).username}")
            open_warehouse(url, limits=LIMITS).close()


class TestGolds:
    """field/security 4: golden SQL is trusted with what it calls, but not with what leads out of the database."""

    @pytest.mark.parametrize(
        "sql",
        [
            "WITH s AS MATERIALIZED (SELECT set_config('role', 'none', true) r) SELECT count(*) FROM s",
            "SELECT pg_catalog.set_config('transaction_read_only', 'off', true)",
            "SELECT \"set_config\"('role', 'none', true)",
            "SELECT U&\"set\\005fconfig\"('role', 'none', true)",
            "SELECT U&\"set!005fconfig\" UESCAPE '!' ('role', 'none', true)",
            "SELECT query_to_xml('select 1', true, true, '')",
            "SELECT * FROM dblink('host=x', 'select 1') AS t(a int)",
            "SELECT dblink_exec('host=x', 'drop table t')",
            "SELECT table_to_xml('guarded.sales', true, true, '')",
            "SELECT lo_export(1, '/tmp/golden-hostile')",
            "SELECT lo_from_bytea(0, 'x')",
            "SELECT pg_read_file('/etc/passwd')",
            "SELECT * FROM pg_ls_dir('/etc')",
            "COPY (SELECT 1) TO PROGRAM 'touch /tmp/golden-hostile'",
            "SELECT pg_terminate_backend(1)",
            "SELECT pg_advisory_lock(1)",
            "SELECT nextval('numbers')",
            "SELECT * FROM pg_authid",
            "SELECT 1; COMMIT; DROP TABLE guarded.sales",
            # What sqlglot does not read, and PostgreSQL does.
            "SELECT set_config('a.b', '1', true) FROM guarded.sales WHERE ARRAY[id]::regclass[] IS NULL",
            "SELECT \"set_config\" /* ( */ ('a.b', '1', true) FROM guarded.sales WHERE ARRAY[id]::regclass[] IS NULL",
        ],
    )
    def test_what_leads_out_is_refused_to_golden_sql_too(self, server: Warehouse, sql: str) -> None:
        outcome = server.run(sql, trusted=True)
        assert isinstance(outcome, QueryFailed), outcome
        assert outcome.kind == "refused", outcome

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT guarded.fiscal_year(day), count(*) FROM guarded.sales GROUP BY 1",
            "SELECT version(), current_setting('server_version')",
            "SELECT count(*) FROM pg_catalog.pg_tables",
            "SELECT pg_sleep(0.001)",
            "SELECT day OPERATOR(pg_catalog.>) date '2026-01-01' FROM guarded.sales",
            "SELECT import_duty FROM (SELECT 1 AS import_duty) AS t",
            "SELECT xpath('/a/text()', '<a>1</a>'::xml)::text[]",
        ],
    )
    def test_golden_sql_calls_what_it_likes(self, server: Warehouse, sql: str) -> None:
        assert isinstance(server.run(sql, trusted=True), QueryResult), server.run(sql, trusted=True)


class TestAttributes:
    """field/security 10: `t.f` calls f, casts look names up, and names without brackets tell who asks."""

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT x.pg_column_size FROM guarded.sales AS x",
            "SELECT x.version FROM (SELECT 1 AS n) AS x WHERE x.pg_typeof IS NULL OR x.pg_column_size > 0",
            "SELECT (x).told FROM guarded.sales AS x",
            "SELECT x.told FROM guarded.sales AS x",
            "SELECT sales.told FROM guarded.sales",
            "SELECT guarded.sales.told FROM guarded.sales",
            "SELECT (x.day).fiscal_year FROM (SELECT day FROM guarded.sales) AS x WHERE (x).told <> ''",
            "SELECT y.told FROM (SELECT 'a' AS told) AS t, guarded.sales AS y",
            "SELECT id FROM guarded.sales AS x ORDER BY x.told",
            "SELECT id FROM guarded.sales AS x WHERE EXISTS (SELECT 1 WHERE x.told = 'v1')",
            "SELECT (ROW(1, 2)).pg_column_size",
            "SELECT ((SELECT x FROM guarded.sales AS x LIMIT 1)).told",
            'SELECT "x"."told" FROM guarded.sales AS "x"',
            "SELECT 'pg_authid'::regclass",
            "SELECT CAST('pg_read_file' AS regproc)",
            "SELECT regclass 'pg_authid'",
            "SELECT 'pg_authid'::pg_catalog.regclass::oid",
            "SELECT 'x'::\"regrole\"",
            "SELECT * FROM current_user",
            "SELECT * FROM session_user AS u",
            "SELECT current_user",
            "SELECT user",
            "SELECT current_role, 1",
            "SELECT current_catalog",
            "SELECT current_schema",
        ],
    )
    def test_an_agent_calls_nothing_by_the_way_it_is_written(self, server: Warehouse, sql: str) -> None:
        outcome = server.run(sql)
        assert isinstance(outcome, QueryFailed), outcome
        assert outcome.kind == "refused", outcome

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT s.id, s.day, s.version FROM guarded.sales AS s",
            "SELECT version FROM guarded.sales",
            "SELECT (s.spot).city, (s.spot).fiscal_year FROM guarded.sales AS s",
            "SELECT t.fiscal_year FROM (SELECT extract(year FROM day) AS fiscal_year FROM guarded.sales) AS t",
            "WITH t AS (SELECT 2026 AS fiscal_year), u AS (SELECT * FROM t) SELECT u.fiscal_year FROM u",
            "WITH t(told) AS (SELECT 1 UNION SELECT 2) SELECT t.told FROM t ORDER BY t.told",
            "SELECT v.told FROM (VALUES (1), (2)) AS v(told)",
            "SELECT g.told FROM generate_series(1, 3) AS g(told)",
            "SELECT told.told FROM generate_series(1, 3) AS told",
            "SELECT s.id FROM guarded.sales AS s WHERE EXISTS (SELECT 1 FROM (SELECT 1 AS told) AS t WHERE t.told = s.id)",
            "SELECT x.host, x.user FROM (SELECT 'a' AS host, 'b' AS \"user\") AS x",
            'SELECT "user" FROM (SELECT 1 AS "user") AS u',
            "SELECT x.date, x.name, x.width FROM (SELECT day AS date, 'a' AS name, 1 AS width FROM guarded.sales) AS x",
            "SELECT s.day::timestamp::date, '2026-01-01'::date FROM guarded.sales AS s",
        ],
    )
    def test_a_column_is_a_column_whatever_its_name(self, server: Warehouse, sql: str) -> None:
        assert isinstance(server.run(sql), QueryResult), server.run(sql)

    def test_what_the_golden_sql_calls_may_be_called_in_either_way(self, server: Warehouse) -> None:
        for sql in ("SELECT x.pg_column_size FROM guarded.sales AS x", "SELECT guarded.told(x) FROM guarded.sales AS x"):
            assert isinstance(server.run(sql, allow_functions={"told", "pg_column_size"}), QueryResult)


class TestValues:
    """fd-074: what Python cannot hold is a value all the same."""

    @pytest.mark.parametrize(
        "value",
        [
            "date 'infinity'",
            "date '-infinity'",
            "date '250000-01-01'",
            "date '0044-03-15 BC'",
            "timestamp 'infinity'",
            "timestamp '250000-01-01 10:30'",
            "timestamptz '-infinity'",
            "timestamptz '0001-01-01 00:00:00+00'",
            "timestamptz '9999-12-31 23:59:59-12'",
            "interval '170000 years'",
            "time '24:00'",
            "timetz '24:00+05'",
            "numeric 'NaN'",
            "numeric 'infinity'",
            "1e100000::numeric",
            "1e-1000::numeric",
            "('[' || repeat('9', 5000) || ']')::json",
            "(repeat('[', 300) || repeat(']', 300))::jsonb",
            "'{\"a\": 1e999}'::jsonb",
            "ARRAY[date 'infinity', NULL]",
            "daterange('2026-01-01', 'infinity')",
            "B'101'",
            "point(1, 2)",
            "'\\x00ff'::bytea",
            "ROW(date 'infinity', 1)",
            "float8 'NaN'",
            "inet '10.0.0.1'",
        ],
    )
    def test_agrees_with_itself_and_with_nothing_else(self, server: Warehouse, value: str) -> None:
        outcome = server.run(f"SELECT {value} AS n")
        assert isinstance(outcome, QueryResult), outcome
        assert results_match(outcome.rows, outcome.rows)
        assert not results_match(outcome.rows, [(1,)])
        assert not results_match([(1,)], outcome.rows)
        assert str(outcome.tuples())

    def test_infinity_is_the_same_day_as_a_date_and_as_a_timestamp(self, server: Warehouse) -> None:
        day, moment = server.run("SELECT date 'infinity'"), server.run("SELECT timestamp 'infinity'")
        assert isinstance(day, QueryResult)
        assert isinstance(moment, QueryResult)
        assert results_match(day.rows, moment.rows)


class TestTimeZone:
    """fd-062, fd-063: SQL runs in the zone of the login, or in the one that was asked for."""

    SQL = "SELECT TIMESTAMPTZ '2026-04-30 20:00:00+00'::date::text AS d, date_trunc('month', DATE '2026-05-01') AS m"

    @pytest.mark.parametrize(
        ("own", "asked", "day", "seen"),
        [
            ("Asia/Jakarta", "", "2026-05-01", "Asia/Jakarta"),
            ("Asia/Jakarta", "UTC", "2026-04-30", "UTC"),
            ("UTC", "+07:00", "2026-05-01", "+07:00"),
            ("UTC", "Asia/Makassar", "2026-05-01", "Asia/Makassar"),
            ("America/New_York", "-03:00", "2026-04-30", "-03:00"),
        ],
    )
    def test_is_the_logins_own_or_the_one_asked_for(
        self, admin: psycopg.Connection, postgres_url: str, own: str, asked: str, day: str, seen: str
    ) -> None:
        with reader_of(postgres_url, "guarded") as url:
            admin.execute(f"ALTER ROLE {make_url(url).username} SET timezone = '{own}'")
            with open_warehouse(url, limits=LIMITS, time_zone=asked) as warehouse:
                result = warehouse.run(self.SQL)
                assert isinstance(result, QueryResult)
                assert (result.tuples()[0][0], warehouse.time_zone) == (day, seen)
                month = result.tuples()[0][1]
                zone = read_zone(warehouse.time_zone)
                assert zone is not None
                assert day_of_midnight(month, zone) == datetime(2026, 5, 1)

    def test_a_zone_that_is_none_is_told_before_the_first_query(self, postgres_url: str) -> None:
        with (
            reader_of(postgres_url, "guarded") as url,
            pytest.raises(WarehouseError, match="'Jakarta' is not a time zone; write a name such as"),
        ):
            open_warehouse(url, limits=LIMITS, time_zone="Jakarta")
