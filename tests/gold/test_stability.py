"""Stability: golds that change with the order of rows or the number of threads, and those that do not."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from goldenlib.warehouse import Limits, Warehouse, open_warehouse
from tests.gold.golds import PRODUCTS, found

CHANGE = {
    "a LIMIT without ORDER BY": "SELECT product FROM sales LIMIT 1",
    "first": "SELECT first(product) FROM sales",
    "any_value in a CTE": "WITH s AS (SELECT any_value(product) AS p FROM sales GROUP BY region) SELECT p FROM s",
    "string_agg without ORDER BY": "SELECT region, string_agg(product, ', ') FROM sales GROUP BY region",
    "a list": "SELECT list(product) FROM sales",
    "arg_max with a tie": "SELECT arg_max(product, sold) FROM (SELECT product, amount AS sold FROM sales WHERE sold_on < '2026-10-01')",
    "row_number with a tie": "SELECT product FROM sales WHERE sold_on < '2026-10-01' QUALIFY row_number() OVER (ORDER BY amount DESC) = 1",
    "an inner LIMIT through a tie": f"SELECT sum(length(product)) FROM ({PRODUCTS} ORDER BY sold DESC LIMIT 2)",
    "DISTINCT ON without ORDER BY": "SELECT DISTINCT ON (region) region, product FROM sales",
}
STAY = {
    "a sum": "SELECT sum(amount) FROM sales",
    "groups without ORDER BY": PRODUCTS,
    "first in an order": "SELECT first(product ORDER BY sold_on) FROM sales",
    "string_agg in an order": "SELECT region, string_agg(product, ', ' ORDER BY product) FROM sales GROUP BY region",
    "arg_max of a unique value": "SELECT arg_max(product, sold_on) FROM sales",
    "a LIMIT in a total order": "SELECT product FROM sales ORDER BY sold_on DESC LIMIT 2",
    "joins, CTEs and correlated subqueries": """
        WITH s AS (SELECT * FROM sales AS x WHERE amount = (SELECT max(amount) FROM sales AS y WHERE y.product = x.product))
        SELECT s.product, count(*) AS n FROM s JOIN sales AS o USING (product) WHERE o.region IN (SELECT region FROM sales)
        GROUP BY ALL""",
    "a schema and an alias of its own": "SELECT sum(s.amount) FROM main.sales AS s",
    "a row number nobody depends on": "SELECT count(*) FROM (SELECT row_number() OVER () AS n FROM sales)",
    "no table": "SELECT 1 AS one",
}


@pytest.mark.parametrize("golden", CHANGE.values(), ids=CHANGE)
def test_what_comes_first_is_told_to_change(warehouse: Warehouse, golden: str) -> None:
    assert found(warehouse, golden, tolerance=0, absolute=0).keys() == {"changes-with-row-order"}


@pytest.mark.parametrize("golden", STAY.values(), ids=STAY)
def test_what_does_not_hang_on_order_is_no_finding(warehouse: Warehouse, golden: str) -> None:
    assert found(warehouse, golden, tolerance=0, absolute=0) == {}


def test_a_difference_that_the_rule_lets_pass_is_no_finding(warehouse: Warehouse) -> None:
    golden = "SELECT first(amount) FROM sales"
    assert found(warehouse, golden).keys() == {"changes-with-row-order"}
    assert found(warehouse, golden, tolerance=1.0) == {}


def test_the_query_that_shows_the_change_can_be_run(warehouse: Warehouse) -> None:
    finding = found(warehouse, "SELECT first(product) FROM sales")["changes-with-row-order"]
    assert finding.rows == (("pens",), ("ink",))
    assert warehouse.run(finding.sql, trusted=True).tuples() == [("ink",)]  # type: ignore[union-attr]  # it runs


def test_a_random_number_changes_from_run_to_run(warehouse: Warehouse) -> None:
    assert found(warehouse, "SELECT random() AS draw", tolerance=0, absolute=0).keys() == {"changes-between-runs"}


def test_a_warehouse_of_several_threads_is_compared_with_one(tmp_path: Path) -> None:
    path = tmp_path / "big.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("CREATE MACRO draw() AS random()")  # nothing in the SQL says so
        connection.execute("CREATE TABLE big AS SELECT i AS id, i % 7 AS part FROM range(600000) AS r(i)")
    with open_warehouse(path, limits=Limits(threads=4)) as several:
        finding = found(several, "SELECT draw() AS draw", tolerance=0, absolute=0)["changes-with-threads"]
        assert "with 1 thread," in finding.message
        assert found(several, "SELECT part, count(*), min(id) FROM big GROUP BY part", tolerance=0, absolute=0) == {}


def test_another_order_is_told_in_sqlite_too(sqlite_warehouse: Warehouse) -> None:
    assert found(sqlite_warehouse, "SELECT product FROM sales LIMIT 1").keys() == {"changes-with-row-order"}
    assert found(sqlite_warehouse, "SELECT group_concat(product) FROM sales").keys() == {"changes-with-row-order"}
    assert found(sqlite_warehouse, PRODUCTS, tolerance=0, absolute=0) == {}
