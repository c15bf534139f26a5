"""Golds of a real PostgreSQL server: the checks speak its SQL."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from goldenlib.warehouse import Warehouse, open_warehouse
from tests.conftest import reader_of
from tests.gold.golds import PRODUCTS, found

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("postgres")]


@pytest.fixture(scope="module")
def server(postgres_url: str) -> Iterator[Warehouse]:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE sales (sold_on DATE, region TEXT, product TEXT, shelf TEXT, amount NUMERIC(12, 2))")
        connection.execute(
            """INSERT INTO sales VALUES ('2026-07-10', 'north', 'pens', '9', 70), ('2026-07-22', 'north', 'ink', '10', 50),
            ('2026-08-30', 'south', 'paper', '11', 50), ('2026-11-28', 'south', 'ink', '10', 60)"""
        )
        try:
            with reader_of(postgres_url) as url, open_warehouse(url) as opened:
                yield opened
        finally:
            connection.execute("DROP TABLE sales")


def test_a_clean_gold_gives_nothing(server: Warehouse) -> None:
    assert found(server, f"{PRODUCTS} ORDER BY sold DESC, product", order_matters=True, question="Rank the products.") == {}


@pytest.mark.parametrize(
    ("golden", "code"),
    [
        ("SELECT product FROM sales LIMIT 1", "changes-with-row-order"),
        ("SELECT string_agg(product, ',') FROM sales", "changes-with-row-order"),
        ("SELECT DISTINCT ON (region) region, product FROM sales", "changes-with-row-order"),
        (f"{PRODUCTS} ORDER BY sum(amount) DESC LIMIT 2", "limit-through-tie"),
        (f"{PRODUCTS} ORDER BY sum(amount) DESC FETCH FIRST 2 ROWS ONLY", "limit-through-tie"),
        ("SELECT sum(amount) FROM sales WHERE sold_on < now()", "depends-on-today"),
        ("SELECT sum(amount) FROM sales WHERE sold_on >= '2026-07-01'", "open-period"),
        ("SELECT IFNULL(sum(amount), 0) FROM sales", "gold-fails-to-run"),
        ("DELETE FROM sales", "golden-sql-not-select"),
    ],
)
def test_each_finding_is_the_one_of_a_duckdb_file(server: Warehouse, golden: str, code: str) -> None:
    assert found(server, golden).keys() == {code}


def test_numbers_that_are_text_are_told(server: Warehouse) -> None:
    golden = "SELECT DISTINCT shelf FROM sales ORDER BY shelf"
    finding = found(server, golden, order_matters=True, tolerance=0, absolute=0)["numbers-sorted-as-text"]
    assert "CAST(shelf AS BIGINT)" in finding.suggestion


def test_ties_of_rows_kept_with_the_last_one_are_no_finding(server: Warehouse) -> None:
    golden = f"{PRODUCTS} ORDER BY sum(amount) DESC FETCH FIRST 2 ROWS WITH TIES"
    assert "limit-through-tie" not in found(server, golden)


def test_a_gold_that_no_comparison_could_take_cannot_score(server: Warehouse) -> None:
    """fd-074: an unreadable golden result is ours, and found by the check; an agent's is its failure."""
    nested = "SELECT (repeat('[', 400) || repeat(']', 400))::json AS n"
    finding = found(server, nested)["gold-fails-to-run"]
    assert "its result cannot be read: RecursionError" in finding.message
