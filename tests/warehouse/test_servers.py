"""Databases behind a SQLAlchemy URL: a real PostgreSQL server, and SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import make_url

from goldenlib.warehouse import FailureKind, Limits, QueryFailed, QueryResult, Warehouse, open_warehouse
from tests.conftest import reader_of
from tests.warehouse.conftest import LIMITS, MARGIN_S

REFUSED, TIMEOUT = {FailureKind.REFUSED}, {FailureKind.TIMEOUT}
NO_ROWS = {FailureKind.REFUSED, FailureKind.SQL_ERROR}
postgres = [pytest.mark.postgres, pytest.mark.xdist_group("postgres")]


@pytest.fixture(scope="module")
def schema_url(postgres_url: str) -> Iterator[str]:
    """A schema with a table of three rows; no test changes it, which is the point."""
    schema = f"golden_{uuid4().hex}"
    url = make_url(postgres_url).set(drivername="postgresql").update_query_dict({"options": f"-csearch_path={schema}"})
    shown = url.render_as_string(hide_password=False)
    with psycopg.connect(shown, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        connection.execute(
            "CREATE TABLE sales (id int PRIMARY KEY, region text, price numeric(10, 2), day date, moment timestamptz, more jsonb)"
        )
        connection.execute(
            "INSERT INTO sales SELECT i, chr(96 + i), i * 1.50, date '2025-01-30' + i, timestamptz '2025-06-01 07:00+07', '{\"a\": [1]}'"
            " FROM generate_series(1, 3) AS i"
        )
        connection.execute("CREATE SEQUENCE numbers")
        yield shown
        connection.execute("SET lock_timeout = '10s'")
        connection.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture(scope="module")
def reader_url(schema_url: str) -> Iterator[str]:
    schema = str(make_url(schema_url).query["options"]).partition("=")[2]
    with reader_of(schema_url, schema) as url:
        yield url


@pytest.fixture(scope="module")
def server(reader_url: str) -> Iterator[Warehouse]:
    with open_warehouse(reader_url, limits=LIMITS) as opened:
        yield opened


class TestPostgreSQL:
    pytestmark = postgres

    def test_rows_arrive_as_python_values(self, server: Warehouse) -> None:
        outcome = server.run("SELECT id, region, price, day, moment, more, ARRAY[1, 2] AS list, NULL AS id FROM sales WHERE id = 1")
        assert isinstance(outcome, QueryResult), outcome
        moment = datetime(2025, 6, 1, tzinfo=UTC)
        assert outcome.rows == [(1, "a", Decimal("1.50"), date(2025, 1, 31), moment, {"a": [1]}, [1, 2], None)]
        assert outcome.columns == ("id", "region", "price", "day", "moment", "more", "list", "id")
        assert outcome.row_count == 1

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT count(*) FROM sales;",
            "SELECT region FROM sales WHERE region LIKE '%a%' AND region NOT LIKE '%(x)s'",
            "WITH s AS (SELECT * FROM sales) SELECT DISTINCT ON (region) region, sum(price) OVER (ORDER BY id) FROM s ORDER BY region",
            "SELECT to_char(day, 'YYYY-MM'), date_trunc('month', day), extract(epoch FROM moment),"
            " moment AT TIME ZONE 'Asia/Jakarta' FROM sales",
            "SELECT g.n, s.id FROM generate_series(1, 2) AS g(n) CROSS JOIN LATERAL (SELECT id FROM sales LIMIT g.n) AS s",
            "SELECT more ->> 'a', jsonb_array_length(more -> 'a'), string_agg(region, ',' ORDER BY id) FROM sales GROUP BY more",
            "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY price), count(*) FILTER (WHERE id > 1) FROM sales",
            "VALUES (1, 'a'), (2, 'b')",
            "SELECT 1 AS n UNION SELECT 2 ORDER BY n FETCH FIRST 1 ROWS ONLY",
            "SELECT e'it''s; \\'fine' AS t, $$a;b$$ AS u -- the end",
        ],
    )
    def test_a_query_of_an_analyst_passes(self, server: Warehouse, sql: str) -> None:
        assert isinstance(server.run(sql), QueryResult), server.run(sql)

    HOSTILE = {  # noqa: RUF012 - a table for the parameters below, never changed
        "several statements": "SELECT 1; DROP TABLE sales",
        "read a file": "SELECT pg_read_file('/etc/passwd')",
        "read a file quoted": """SELECT pg_catalog."pg_read_file"('/etc/passwd')""",
        "list a folder": "SELECT * FROM pg_ls_dir('/etc')",
        "import a file": "SELECT lo_import('/etc/passwd')",
        "program": "COPY (SELECT 1) TO PROGRAM 'touch /tmp/golden-hostile'",
        "copy from a file": "COPY sales FROM '/etc/passwd'",
        "delete": "DELETE FROM sales",
        "cte with delete": "WITH gone AS (DELETE FROM sales RETURNING *) SELECT * FROM gone",
        "create": "CREATE TABLE t (a int)",
        "select into": "SELECT * INTO copied FROM sales",
        "do": "DO $$ BEGIN DELETE FROM sales; END $$",
        "setting": "SELECT set_config('statement_timeout', '0', false)",
        "write again": "SELECT set_config('transaction_read_only', 'off', true)",
        "set": "SET statement_timeout = 0",
        "commit": "COMMIT",
        "take a number": "SELECT nextval('numbers')",
        "lock rows": "SELECT * FROM sales FOR UPDATE",
        "call": "CALL something()",
        "explain": "EXPLAIN ANALYZE DELETE FROM sales",
        "sql in a text": "SELECT query_to_xml('SELECT 1', true, true, '')",
        "passwords": "SELECT * FROM pg_authid",
        "wait": "SELECT pg_sleep(60)",
        "end others": "SELECT pg_terminate_backend(pid) FROM pg_stat_activity",
    }

    @pytest.mark.parametrize("tries", HOSTILE)
    def test_an_attack_is_refused_by_reading(self, server: Warehouse, tries: str) -> None:
        outcome = server.run(self.HOSTILE[tries])
        assert isinstance(outcome, QueryFailed)
        assert outcome.kind == "refused"

    def test_without_the_check_the_server_changes_and_reads_nothing(self, server: Warehouse, schema_url: str) -> None:
        """Golden SQL, which is trusted with more: the server and the list of what leads out of it are all there is."""
        for tries, sql in self.HOSTILE.items():
            outcome = server.run(sql, trusted=True)
            assert isinstance(outcome, QueryFailed), (tries, outcome)
            assert "root:" not in str(outcome)
        assert not Path("/tmp/golden-hostile").exists()
        with psycopg.connect(schema_url) as connection:
            assert connection.execute("SELECT count(*), sum(price) FROM sales").fetchone() == (3, Decimal("9.00"))
            assert connection.execute("SELECT last_value, is_called FROM numbers").fetchone() == (1, False)
            assert connection.execute("SELECT to_regclass('t'), to_regclass('copied')").fetchone() == (None, None)

    RUNAWAY = (
        ("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r", {"timeout", "too_much_memory"}),
        ("SELECT count(*) FROM generate_series(1, 10000000) a, generate_series(1, 10000000) b", {"timeout"}),
        ("SELECT * FROM generate_series(1, 10000000) AS g", {"too_many_rows", "timeout"}),
        ("SELECT repeat('x', 10000) FROM generate_series(1, 10000) AS g", {"too_much_memory"}),
        ("SELECT repeat('x', 2000000000)", {"too_much_memory", "sql_error", "timeout"}),
        ("SELECT pg_sleep(0.01) FROM generate_series(1, 100000)", {"timeout"}),
    )

    def test_a_runaway_is_stopped_and_nothing_is_left_on_the_server(self, server: Warehouse, schema_url: str) -> None:
        for sql, kinds in self.RUNAWAY:
            outcome = server.run(sql, trusted=True)
            assert isinstance(outcome, QueryFailed), sql
            assert outcome.kind in kinds, (sql, outcome)
            assert outcome.seconds < LIMITS.seconds + MARGIN_S
        with psycopg.connect(schema_url) as connection:
            left = connection.execute(
                "SELECT query FROM pg_stat_activity WHERE application_name = 'goldenlib warehouse' AND state <> 'idle'"
                " AND now() - query_start > interval '3s'"
            ).fetchall()
        assert left == []

    def test_a_lock_of_others_is_a_timeout(self, server: Warehouse, schema_url: str) -> None:
        with psycopg.connect(schema_url) as connection:
            connection.execute("LOCK TABLE sales IN ACCESS EXCLUSIVE MODE")
            outcome = server.run("SELECT * FROM sales")
        assert isinstance(outcome, QueryFailed)
        assert outcome.kind == "timeout"

    def test_a_lost_connection_is_unavailable_or_made_again(self, server: Warehouse, schema_url: str) -> None:
        assert isinstance(server.run("SELECT 1"), QueryResult)
        with psycopg.connect(schema_url, autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'goldenlib warehouse'")
        assert isinstance(server.run("SELECT 1"), QueryResult)

    def test_a_login_with_few_rights_meets_the_servers_own_refusal(self, schema_url: str) -> None:
        url = make_url(schema_url)
        with psycopg.connect(schema_url, autocommit=True) as connection:
            connection.execute("CREATE ROLE golden_reader LOGIN")
            try:
                reader = url.set(username="golden_reader", drivername="postgresql").render_as_string(hide_password=False)
                with open_warehouse(reader, limits=LIMITS) as warehouse:
                    (schema,) = connection.execute("SELECT current_schema()").fetchone() or ("",)
                    outcome = warehouse.run(f"SELECT * FROM {schema}.sales")
                    assert isinstance(outcome, QueryFailed)
                    assert outcome.kind == "refused"
                    assert "permission denied" in outcome.reason
                    outcome = warehouse.run("SELECT * FROM nowhere")
                    assert isinstance(outcome, QueryFailed)
                    assert outcome.kind == "sql_error"
            finally:
                connection.execute("DROP ROLE golden_reader")


@pytest.fixture
def sqlite_file(tmp_path: Path) -> Path:
    path = tmp_path / "a b#c.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE sales (id INTEGER, region TEXT)")
        connection.execute("INSERT INTO sales VALUES (1, 'a'), (2, 'b')")
    connection.close()
    return path


class TestSQLite:
    def test_a_file_is_a_warehouse(self, sqlite_file: Path) -> None:
        with open_warehouse(f"sqlite:///{sqlite_file}", limits=LIMITS) as warehouse:
            outcome = warehouse.run("SELECT region, count(*) AS n, strftime('%Y', '2025-01-01') FROM sales GROUP BY region ORDER BY 1")
            assert isinstance(outcome, QueryResult), outcome
            assert outcome.rows == [("a", 1, "2025"), ("b", 1, "2025")]

    @pytest.mark.parametrize("trusted", [False, True])
    def test_attacks_change_nothing(self, sqlite_file: Path, trusted: bool) -> None:
        before = sqlite_file.read_bytes()
        with open_warehouse(f"sqlite:///{sqlite_file}", limits=Limits(seconds=1, rows=1000)) as warehouse:
            for sql, kinds in {
                "DELETE FROM sales": NO_ROWS,
                "SELECT 1; DELETE FROM sales": NO_ROWS,
                f"ATTACH '{sqlite_file.parent / 'out.db'}' AS o": NO_ROWS,
                "PRAGMA query_only = OFF": NO_ROWS,
                "SELECT * FROM pragma_database_list": NO_ROWS,
                "SELECT load_extension('x')": NO_ROWS,
                f"VACUUM INTO '{sqlite_file.parent / 'out.db'}'": NO_ROWS,
                "CREATE TEMP TABLE t (a)": NO_ROWS,
                "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r": TIMEOUT,
                "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r": {FailureKind.TOO_MANY_ROWS},
            }.items():
                outcome = warehouse.run(sql, trusted=trusted)
                assert isinstance(outcome, QueryFailed), sql
                assert outcome.kind in kinds, (sql, outcome)
        assert sqlite_file.read_bytes() == before
        assert [path.name for path in sqlite_file.parent.iterdir()] == [sqlite_file.name]
