"""Periods: golds that ask for today, and for a time that is not over."""

from __future__ import annotations

import pytest

from goldenlib.warehouse import Warehouse
from tests.gold.golds import found

SUM = "SELECT sum(amount) FROM sales"


@pytest.mark.parametrize(
    "condition",
    ["sold_on > current_date - 30", "sold_on < today()", "sold_on < now()", "sold_on < get_current_timestamp()", "sold_on < 'today'::DATE"],
)
def test_a_gold_that_asks_what_day_it_is_is_told(warehouse: Warehouse, condition: str) -> None:
    assert "depends-on-today" in found(warehouse, f"SELECT count(*) FROM sales WHERE {condition} OR units > 0")


def test_today_is_found_anywhere_in_the_query(warehouse: Warehouse) -> None:
    golden = f"WITH s AS (SELECT *, date_diff('day', sold_on, today()) AS age FROM sales) {SUM.replace('sales', 's')} WHERE age > 100"
    assert found(warehouse, golden).keys() == {"depends-on-today"}


def test_a_check_query_that_asks_for_today_is_told_too(warehouse: Warehouse) -> None:
    check = f"{SUM} WHERE sold_on <= current_date"
    finding = found(warehouse, SUM, check)["depends-on-today"]
    assert finding.message.startswith("the check query asks for today: CURRENT_DATE")
    assert finding.sql == check


@pytest.mark.parametrize(
    "golden", ["SELECT coalesce(region, 'today') FROM sales LIMIT 0", "SELECT 'now' AS word", f"{SUM} WHERE region <> 'now'"]
)
def test_the_word_alone_is_not_today(warehouse: Warehouse, golden: str) -> None:
    assert "depends-on-today" not in found(warehouse, golden)


def test_sqlite_asks_for_now_by_a_text(sqlite_warehouse: Warehouse) -> None:
    finding = found(sqlite_warehouse, f"{SUM} WHERE sold_on < date('now')")["depends-on-today"]
    assert "DATE('now')" in finding.message


@pytest.mark.parametrize(
    "condition",
    [
        "sold_on >= DATE '2026-07-01'",
        "sold_on > '2026-07-01' AND region = 'south'",
        "DATE '2026-07-01' <= sold_on",
        "sold_on BETWEEN DATE '2026-07-01' AND DATE '2026-12-31'",
        "sold_on >= DATE '2026-07-01' AND sold_on < DATE '2027-01-01'",
        "sold_on::DATE BETWEEN '2026-10-01' AND '2026-11-29'",  # today is not over
        "year(sold_on) = 2026",
        "sold_on >= DATE '2026-07-01' AND sold_on IS NOT NULL AND sold_on <> DATE '2026-07-10' AND round(amount) > 1",
        "extract(year FROM sold_on) = 2026",
    ],
)
def test_a_period_that_is_not_over_is_told_with_the_newest_day(warehouse: Warehouse, condition: str) -> None:
    finding = found(warehouse, f"SELECT sum(s.amount) FROM sales AS s WHERE {condition}")["open-period"]
    assert "the newest there is 2026-11-28" in finding.message


@pytest.mark.parametrize(
    "condition",
    [
        "sold_on < DATE '2026-10-01'",
        "sold_on BETWEEN DATE '2026-07-01' AND DATE '2026-11-28'",
        "sold_on >= DATE '2026-07-01' AND sold_on < DATE '2026-11-01'",
        "sold_on >= DATE '2026-07-01' AND month(sold_on) < 9 AND sold_on <= (SELECT DATE '2026-09-30')",
        "sold_on >= DATE '2026-07-01' OR region = 'north'",
        "sold_on IN (DATE '2026-07-10', DATE '2026-11-28')",
        "sold_on = DATE '2026-11-28'",
        "year(sold_on) = 2025 OR units > 0",
        "year(sold_on) = 2026 AND quarter(sold_on) = 3",
        "strftime(sold_on, '%m') < '09' AND sold_on >= DATE '2026-01-01'",
        "shelf >= '10'",
        "units >= 3",
        "region >= 'north'",
    ],
)
def test_a_period_that_is_over_and_other_conditions_are_no_finding(warehouse: Warehouse, condition: str) -> None:
    assert found(warehouse, f"SELECT sum(amount) FROM sales WHERE {condition}") == {}


def test_in_a_table_that_stands_still_no_period_is_open(warehouse: Warehouse) -> None:
    frozen = "(SELECT DATE '2025-01-01' + i::INTEGER AS day FROM range(100) AS r(i))"
    assert found(warehouse, f"SELECT count(*) FROM {frozen} WHERE day >= DATE '2025-02-01'") == {}


def test_an_open_period_in_a_subquery_is_told(warehouse: Warehouse) -> None:
    golden = "SELECT count(*) FROM (SELECT region FROM sales WHERE sold_on >= DATE '2026-07-01' GROUP BY region)"
    assert found(warehouse, golden).keys() == {"open-period"}


def test_days_that_are_text_are_read_in_sqlite(sqlite_warehouse: Warehouse) -> None:
    assert found(sqlite_warehouse, f"{SUM} WHERE sold_on >= '2026-07-01'").keys() == {"open-period"}
    assert found(sqlite_warehouse, f"{SUM} WHERE sold_on BETWEEN '2026-07-01' AND '2026-09-30'") == {}


AUGUST = "SELECT sum(amount) FROM sales WHERE sold_on BETWEEN '2026-08-01' AND '2026-08-31'"


@pytest.mark.parametrize(
    ("question", "golden", "is_told"),
    [
        ("What did we sell in July 2026?", AUGUST, True),
        ("What did we sell in August 2025?", AUGUST, True),
        ("Berapa penjualan bulan Juli?", AUGUST, True),
        ("What did we sell in March?", AUGUST, True),
        ("What did we sell in August 2026?", AUGUST, False),
        ("Berapa penjualan bulan Agustus 2026?", AUGUST, False),
        ("What may we sell on the march?", AUGUST, False),  # no months
        ("What did we sell from July to September 2026?", AUGUST.replace("08-01", "07-01").replace("08-31", "09-30"), False),
        ("What did we sell in August 2026?", AUGUST.replace("08-01", "07-01").replace("08-31", "09-30"), False),  # spanned
        ("What did we sell in July 2026?", "SELECT sum(amount) FROM sales WHERE sold_on > '2026-01-01' AND month(sold_on) = 7", False),
        ("What did we sell in July?", "SELECT sum(amount) FROM sales WHERE month(sold_on) = 7", False),
        # field/analyst 10: a gold that names no time at all, or another number, year or quarter
        ("What did we sell in July?", "SELECT sum(amount) FROM sales", True),
        ("Berapa penjualan pada bulan Juli 2026?", "SELECT sum(amount) FROM sales WHERE amount > 7", True),
        ("What did we sell in July 2026?", "SELECT sum(amount) FROM sales WHERE year(sold_on) = 2026", True),
        ("What did we sell in July 2026?", "SELECT sum(amount) FROM sales WHERE month(sold_on) = 7 AND year(sold_on) = 2025", True),
        ("What did we sell in July 2026?", "SELECT sum(amount) FROM sales WHERE month(sold_on) = 7 AND year(sold_on) = 2026", False),
        ("What did we sell in July 2026?", "SELECT sum(amount) FROM sales WHERE strftime(sold_on, '%Y-%m') = '2026-06'", True),
        ("What did we sell in July 2026?", "SELECT sum(amount) FROM sales WHERE strftime(sold_on, '%m') = '07'", False),
        ("What did we sell in Q2 2026?", AUGUST, True),
        ("What did we sell in Q3 2026?", AUGUST, False),
        ("What did we sell in the second quarter of 2026?", AUGUST, True),
        ("Berapa penjualan triwulan III 2026?", AUGUST, False),
        ("Berapa penjualan kuartal pertama 2026?", "SELECT sum(amount) FROM sales WHERE quarter(sold_on) = 2", True),
        ("Berapa penjualan kuartal pertama 2026?", "SELECT sum(amount) FROM sales WHERE quarter(sold_on) = 1", False),
        ("Berapa penjualan semester II 2026?", AUGUST, False),
        ("What did we sell in the first half of 2026?", AUGUST, True),
        ("What did we sell per month since July?", "SELECT month(sold_on), sum(amount) FROM sales GROUP BY 1", False),  # no way to tell
        ("What did we sell in July?", "SELECT sum(amount) FROM sales WHERE sold_on > current_date - INTERVAL 30 DAY", False),
        ("What did we sell in June 2026?", "SELECT sum(amount) FROM sales WHERE sold_on >= '2026-06-01' AND sold_on < '2026-07-01'", False),
        ("What did we sell in July 2026?", "SELECT sum(amount) FROM sales WHERE sold_on >= '2026-06-01' AND sold_on < '2026-07-01'", True),
        (
            "What did we sell in January 2026?",
            "SELECT sum(amount) FROM sales WHERE sold_on >= '2025-12-01' AND '2026-01-01' > sold_on",
            True,
        ),
        ("What did we sell in July 2026?", "SELECT sum(amount) FROM sales WHERE amount < 202607", True),  # a number, and no month
        ("What did we sell in March?", "SELECT count(*) FROM (SELECT 4 AS months_active FROM sales) WHERE months_active > 3", True),
        ("What did we sell in March and April?", "SELECT sum(amount) FROM sales WHERE month(sold_on) = 3", True),
        ("What did we sell in March and April?", "SELECT sum(amount) FROM sales WHERE month(sold_on) IN (3, 4)", False),
        ("Berapa penjualan Maret, bukan seperti tahun lalu bulan April?", "SELECT sum(amount) FROM sales WHERE month(sold_on) = 3", False),
        ("Berapa pelanggan lulusan S1?", "SELECT count(*) FROM sales", False),
        ("How much hydrogen of grade H2 did we sell?", "SELECT sum(amount) FROM sales", False),
        ("What did we sell in H2 2026?", "SELECT sum(amount) FROM sales", True),
        ("How many customers are called August?", "SELECT count(*) FROM sales", False),
        ("What did April's customers buy?", "SELECT count(*) FROM sales", False),
    ],
)
def test_a_time_that_is_asked_for_is_in_the_gold(warehouse: Warehouse, question: str, golden: str, is_told: bool) -> None:
    assert ("month-asked-for" in found(warehouse, golden, question=question)) is is_told
