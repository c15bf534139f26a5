"""What an analyst writes passes, and gives what DuckDB gives."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
import pytest

from goldenlib.files.shipped import shipped
from goldenlib.warehouse import QueryFailed, QueryResult, Warehouse, check_select, open_warehouse

QUERIES = [
    "SELECT 1",
    "SELECT 1;",
    "  -- the total\nSELECT sum(amount) /* all; of it */ FROM sales ;; ",
    "SELECT 'DROP TABLE sales; --' AS words",
    "SELECT $$it's; fine$$ AS words",
    "FROM sales SELECT region WHERE amount > 10",
    "FROM sales",
    "TABLE sales",
    "VALUES (1, 'a'), (2, 'b')",
    "SELECT * FROM (VALUES (1, 'a')) AS v(n, t)",
    "WITH s AS (SELECT * FROM sales), t AS (SELECT region, sum(amount) AS total FROM s GROUP BY ALL) SELECT * FROM t ORDER BY ALL",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT sum(n) FROM r",
    "(SELECT 1 AS a) UNION (SELECT 2) ORDER BY a",
    "SELECT id FROM sales EXCEPT SELECT id FROM sales WHERE id > 2 ORDER BY id",
    "SELECT id FROM sales INTERSECT SELECT 3",
    "SELECT id, region FROM sales UNION ALL BY NAME SELECT 'x' AS region ORDER BY ALL",
    "SELECT region, (SELECT max(amount) FROM sales AS o WHERE o.region = s.region) AS best FROM sales AS s ORDER BY ALL",
    "SELECT * FROM sales WHERE id IN (SELECT id FROM sales WHERE amount > 20) AND EXISTS (SELECT 1) ORDER BY id",
    "SELECT s.id, l.more FROM sales AS s, LATERAL (SELECT s.amount + 1 AS more) AS l ORDER BY ALL",
    "SELECT unnest([1, 2, 3]) AS n",
    "SELECT s.id, u.n FROM sales AS s, unnest([1, 2]) AS u(n) ORDER BY ALL",
    "SELECT id, row_number() OVER (PARTITION BY region ORDER BY id) AS place FROM sales QUALIFY place = 1 ORDER BY id",
    "SELECT id, sum(amount) OVER w, lag(amount) OVER w FROM sales WINDOW w AS (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
    "SELECT region, count(*) FILTER (WHERE amount > 10), count(DISTINCT id), string_agg(id::VARCHAR, ',' ORDER BY id) FROM sales"
    " GROUP BY ROLLUP (region) ORDER BY ALL",
    "SELECT median(amount), quantile_cont(amount, 0.9), arg_max(region, amount), mode(region), stddev(amount), list(id ORDER BY id)"
    " FROM sales",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) FROM sales",
    "SELECT date_trunc('month', day), day + INTERVAL 1 DAY, extract(year FROM day), date_diff('day', DATE '2025-01-01', day),"
    " strftime(day, '%Y-%m'), monthname(day), last_day(day), make_date(2025, 1, 31), day::TIMESTAMP, epoch(day) FROM sales ORDER BY ALL",
    "SELECT upper('a'), 'b'.upper(), lpad('1', 3, '0'), split_part('a-b', '-', 2), regexp_replace('abc', 'b', ''), concat_ws(',', 1, 2),"
    " substring('abc' FROM 2), trim(BOTH 'x' FROM 'xax'), position('b' IN 'ab'), format('{}', 1), 'a' LIKE 'A%', 'a' ILIKE 'A%'",
    "SELECT round(1.25, 1), 7 // 2, 7 % 2, 2 ** 3, abs(-1), greatest(1, 2), coalesce(NULL, 1), nullif(1, 1), if(true, 1, 2),"
    " try_cast('x' AS INTEGER)",
    "SELECT CASE WHEN amount > 10 THEN 'high' ELSE 'low' END AS level, count(*) FROM sales GROUP BY 1 ORDER BY 1",
    "SELECT * FROM (PIVOT sales ON region IN ('a', 'b') USING sum(amount) GROUP BY day) ORDER BY ALL",
    "PIVOT sales ON region USING sum(amount) GROUP BY day",
    "UNPIVOT (SELECT 1 AS a, 2 AS b) ON a, b INTO NAME name VALUE value",
    "SELECT {'a': 1, 'b': 'x'}.a, MAP {'k': 2}['k'], [1, 2, 3][2:3], list_transform([1, 2], lambda x: x * 2), [x * 2 FOR x IN [1, 2]]",
    "SELECT * EXCLUDE (day) REPLACE (amount + 1 AS amount) FROM sales ORDER BY id LIMIT 2 OFFSET 1",
    "SELECT sum(COLUMNS('id|amount')) FROM sales",
    "SELECT a.id FROM sales AS a ASOF JOIN sales AS b ON a.id >= b.id ORDER BY ALL",
    "SELECT a.id FROM sales AS a SEMI JOIN (SELECT 3 AS id) AS b USING (id)",
    "SELECT json_extract('{\"a\": [1]}', '$.a[0]'), '{\"a\": 2}'::JSON ->> 'a', to_json([1])",
    "SELECT i FROM range(3) AS r(i) UNION ALL SELECT i FROM generate_series(1, 2) AS g(i)",
    'SELECT "id" AS "read_csv", "region" AS "a.csv" FROM "sales" ORDER BY ALL',
    "SELECT id FROM small.main.sales ORDER BY id",
]  # fmt: skip


@pytest.fixture
def shop() -> Iterator[Warehouse]:
    with open_warehouse("shop") as opened:
        yield opened


@pytest.mark.parametrize("sql", QUERIES)
def test_a_query_of_an_analyst_gives_what_duckdb_gives(small: Warehouse, small_file: Path, sql: str) -> None:
    outcome = small.run(sql)
    assert isinstance(outcome, QueryResult), outcome
    with duckdb.connect(small_file, read_only=True) as connection:
        expected = connection.sql(sql).to_arrow_table()
    assert isinstance(outcome.rows, pyarrow.Table)
    assert outcome.rows.to_pylist() == expected.to_pylist()
    assert outcome.columns == tuple(expected.column_names)
    assert outcome.row_count == expected.num_rows


def _shop_sql() -> list[tuple[str, str]]:
    questions = tomllib.loads(shipped("golden", "shop", "questions.toml").read_text(encoding="utf-8"))["questions"]
    return [(f"{q['question_id']}.{key}", q[key]) for q in questions for key in ("golden_sql", "check_sql") if q.get(key)]


def test_all_sql_of_the_shop_runs_as_an_agents_sql_too(shop: Warehouse) -> None:
    for name, sql in _shop_sql():
        asked, golden = shop.run(sql), shop.run(sql, trusted=True)
        assert isinstance(asked, QueryResult), (name, asked)
        assert isinstance(golden, QueryResult), (name, golden)
        assert asked.row_count > 0
        assert asked.rows.equals(golden.rows), name  # type: ignore[union-attr]


def test_the_rows_are_what_results_match_takes(small: Warehouse) -> None:
    outcome = small.run("SELECT id, region, amount * 1.50 AS price, day, day::TIMESTAMPTZ AS moment FROM sales WHERE id = 1")
    assert isinstance(outcome, QueryResult)
    assert outcome.tuples() == [(1, "b", Decimal("15.00"), date(2025, 1, 31), datetime(2025, 1, 31, tzinfo=UTC))]
    assert outcome.seconds > 0


def test_names_of_columns_may_repeat_and_no_rows_are_a_result(small: Warehouse) -> None:
    outcome = small.run("SELECT id, id FROM sales WHERE false")
    assert isinstance(outcome, QueryResult)
    assert (outcome.columns, outcome.row_count, outcome.tuples()) == (("id", "id"), 0, [])


def test_times_are_told_in_utc_wherever_the_program_runs(small: Warehouse) -> None:
    outcome = small.run("SELECT TIMESTAMPTZ '2025-06-01 00:00:00+07' ::VARCHAR AS told")
    assert isinstance(outcome, QueryResult)
    assert outcome.tuples() == [("2025-05-31 17:00:00+00",)]


def test_a_function_of_the_warehouse_can_be_allowed(small_file: Path) -> None:
    with open_warehouse(small_file, allow_functions=["Doubled"]) as warehouse:
        outcome = warehouse.run("SELECT doubled(21)")
        assert isinstance(outcome, QueryResult)
        assert outcome.tuples() == [(42,)]


def test_an_unknown_function_is_refused_with_the_way_out(small: Warehouse) -> None:
    outcome = small.run("SELECT doubled(21)")
    assert isinstance(outcome, QueryFailed)
    assert outcome.reason == (
        "the function doubled is not on the list of functions that are allowed;"
        " leave it out, or allow it with the setting warehouse_functions"
    )


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT nothing FROM sales", 'Referenced column "nothing" not found'),
        ("SELECT * FROM nowhere", "nowhere does not exist"),
        ("SELEC 1", "does not parse"),
        ("SELECT FROM WHERE", "does not parse|Parser Error"),
        ("", "there is no SQL"),
        ("-- nothing", "there are 0 statements"),
        ("SELECT 'a'::INTEGER", "Could not convert string 'a'"),
        ("SELECT ? + 1", "parameters"),
        ("SELECT error('one\x1b[31m\u202etwo')", r"one\\x1b\[31m\\u202etwo"),
    ],
)
def test_a_mistake_is_an_outcome_with_the_engines_reason(small: Warehouse, sql: str, reason: str) -> None:
    outcome = small.run(sql)
    assert isinstance(outcome, QueryFailed)
    assert outcome.kind in ("sql_error", "refused")
    assert re.search(reason, outcome.reason), outcome.reason


def test_the_check_returns_the_statement_without_its_semicolon() -> None:
    assert check_select(" SELECT 1 ; ") == "SELECT 1"


def test_forty_brackets_are_not_too_many() -> None:
    assert isinstance(check_select(f"SELECT {'(' * 40}1{')' * 40}"), str)


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT '10:00:00+07'::TIMETZ a, 1 AS b, '03:00:00+00'::TIMETZ AS a", [("03:00:00+00", 1, "03:00:00+00")]),
        ("SELECT '23:30:00+00'::TIMETZ a, '00:30:00+01'::TIMETZ b", [("23:30:00+00", "23:30:00+00")]),
        ("SELECT ['10:00:00+07'::TIMETZ] a, {'x': '10:00:00+00'::TIMETZ} b", [(["10:00:00+07"], {"x": "10:00:00+00"})]),
    ],
)
def test_a_time_with_a_zone_keeps_its_zone(small: Warehouse, sql: str, rows: list[Any]) -> None:
    """10:00+07 came as 10:00, and agreed with 10:00+00."""
    found = small.run(sql)
    assert isinstance(found, QueryResult)
    assert [tuple(row) for row in found.tuples(9)] == rows
