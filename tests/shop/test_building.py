"""The shop is the same everywhere, and its catalogue says what an agent has to know."""

from __future__ import annotations

import doctest
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from pyarrow import parquet

from goldenlib.errors import SettingsError
from goldenlib.warehouse.shop import build_shop, describe_shop, shop_digest
from tests.shop.generator import FOLDER, TABLES, module

pytestmark = pytest.mark.xdist_group("shop")

# Another value means another shop: golden results and baseline then have to be looked at anew.
DIGEST = "bc5c544d3fc639b4c6dcced9740a5b25eed6e805c9281b43d4d941928c0502c8"
FIRST_DAY, LAST_DAY, LAST_REFUND_DAY = (getattr(module("facts"), name) for name in ("FIRST_DAY", "LAST_DAY", "LAST_REFUND_DAY"))
fiscal_day, fiscal_start = module("dates").fiscal_day, module("dates").fiscal_start


def test_made_again_the_tables_are_the_same_whatever_time_zone_locale_and_hash_seed(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "generator", ignore=shutil.ignore_patterns("__pycache__"))
    elsewhere = os.environ | {"TZ": "America/St_Johns", "LC_ALL": "C", "PYTHONHASHSEED": "7"}
    subprocess.run([sys.executable, "-W", "error", "generator"], cwd=tmp_path, check=True, env=elsewhere)
    assert (tmp_path / "schema.sql").read_bytes() == (FOLDER.parent / "schema.sql").read_bytes()
    for table in TABLES:
        made, kept = (parquet.read_table(folder / "tables" / f"{table.name}.parquet") for folder in (tmp_path, FOLDER.parent))
        assert made.equals(kept), table.name


@pytest.mark.parametrize("threads", [1, 2])
def test_a_file_holds_the_same_rows_read_with_any_number_of_threads(threads: int, shop: duckdb.DuckDBPyConnection) -> None:
    shop.execute(f"PRAGMA threads={threads}")
    assert shop_digest(shop) == DIGEST


def test_a_shop_in_a_file_is_read_only(shop: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.InvalidInputException, match="read-only"):
        shop.execute("DELETE FROM analytics.fct_orders")


def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    there = tmp_path / "mine.duckdb"
    there.write_text("mine")
    with pytest.raises(SettingsError, match="exists; remove it"):
        build_shop(there)
    assert there.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [there]


def test_without_duckdb_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(SettingsError, match=r"pip install 'goldenlib\[data\]'"):
        build_shop()


def test_the_schema_is_described_with_every_table_column_and_comment(shop: duckdb.DuckDBPyConnection) -> None:
    described = describe_shop(shop)
    for table in TABLES:
        block = next(block for block in described.split("\n\n") if block.startswith(f"{table.name}  -- "))
        name, *columns = block.strip().split("\n")
        assert name == f"{table.name}  -- {table.comment}"
        assert [line.split()[0] for line in columns] == [column.name for column in table.columns]
        assert all(line.endswith(f"  -- {column.comment}") for line, column in zip(columns, table.columns, strict=True))


def test_a_schema_can_be_described_by_its_names_alone(shop: duckdb.DuckDBPyConnection) -> None:
    described = describe_shop(shop, schemas=["legacy"], with_comments=False)
    assert described.startswith("legacy.customers\n  customer_no INTEGER\n")
    assert "--" not in described
    assert "analytics" not in described


def test_the_lines_of_an_order_add_up_to_the_order(shop: duckdb.DuckDBPyConnection) -> None:
    apart = """
        SELECT count(*) FROM analytics.fct_orders AS o
        JOIN (SELECT order_id, sum(gross_amount) AS gross_amount, sum(net_amount) AS net_amount, sum(gross_idr) AS gross_idr,
                     sum(discount_idr) AS discount_idr, sum(vat_idr) AS vat_idr, sum(net_idr) AS net_idr
              FROM analytics.fct_order_lines GROUP BY order_id) AS l USING (order_id)
        WHERE (o.gross_amount, o.net_amount, o.gross_idr, o.discount_idr, o.vat_idr, o.net_idr)
           <> (l.gross_amount, l.net_amount, l.gross_idr, l.discount_idr, l.vat_idr, l.net_idr)
           OR o.net_idr <> o.gross_idr - o.discount_idr - o.vat_idr
           OR o.order_total <> o.net_amount + o.vat_amount + o.shipping_amount"""
    assert shop.execute(apart).fetchall() == [(0,)]


def test_nothing_refers_to_what_is_not_there(shop: duckdb.DuckDBPyConnection) -> None:
    for child, column, parent in (
        ("fct_orders", "customer_id", "dim_customer"),
        ("fct_orders", "country_code", "dim_country"),
        ("fct_order_lines", "order_id", "fct_orders"),
        ("fct_order_lines", "product_id", "dim_product"),
        ("fct_refunds", "order_id", "fct_orders"),
        ("fct_sessions", "order_id", "fct_orders"),
    ):
        lost = f"SELECT count(*) FROM analytics.{child} WHERE {column} NOT IN (SELECT {column} FROM analytics.{parent})"
        assert shop.execute(lost).fetchall() == [(0,)], child


def test_no_refund_exceeds_its_order_precedes_it_or_belongs_to_an_unconfirmed_one(shop: duckdb.DuckDBPyConnection) -> None:
    wrong = """
        SELECT count(*) FROM (SELECT order_id, sum(refund_amount) AS refunded, min(refunded_on) AS first, max(refunded_on) AS last
                              FROM analytics.fct_refunds GROUP BY order_id)
        JOIN analytics.fct_orders AS o USING (order_id)
        WHERE refunded > gross_amount - discount_amount OR first <= business_date OR last > $closed OR status = 'cancelled' OR is_test"""
    assert shop.execute(wrong, {"closed": LAST_REFUND_DAY}).fetchall() == [(0,)]


def test_every_day_of_trade_has_orders(shop: duckdb.DuckDBPyConnection) -> None:
    found = shop.execute(
        "SELECT min(business_date), max(business_date), count(DISTINCT business_date) FROM analytics.fct_orders"
    ).fetchall()
    assert found == [(FIRST_DAY, LAST_DAY, (LAST_DAY - FIRST_DAY).days + 1)]


@pytest.mark.parametrize("year", range(2015, 2040))
def test_a_fiscal_year_is_whole_weeks_from_the_monday_nearest_april(year: int) -> None:
    start, end = fiscal_start(year), fiscal_start(year + 1)
    assert start.weekday() == 0
    assert abs((start - start.replace(month=4, day=1)).days) <= 3
    assert (end - start).days in (364, 371)
    assert (fiscal_day(start).year, fiscal_day(start).week) == (year, 1)
    last = fiscal_day(end.fromordinal(end.toordinal() - 1))
    assert (last.year, last.quarter, last.period) == (year, 4, 12)


def test_the_periods_of_a_quarter_have_four_four_and_five_weeks(shop: duckdb.DuckDBPyConnection) -> None:
    weeks = "SELECT count(*) // 7 FROM analytics.dim_date WHERE fiscal_year = 2025 GROUP BY fiscal_period ORDER BY fiscal_period"
    assert [row[0] for row in shop.execute(weeks).fetchall()] == [4, 4, 5] * 4


@pytest.mark.parametrize("name", ["dice", "dates"])
def test_the_examples_in_the_code_hold(name: str) -> None:
    assert doctest.testmod(module(name)).failed == 0
