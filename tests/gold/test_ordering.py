"""Order: keys that are read from the SQL, ties, and numbers that sort as text."""

from __future__ import annotations

import pytest

from goldenlib.gold import Severity, sort_keys
from goldenlib.warehouse import Warehouse
from tests.gold.golds import PRODUCTS, found

NUMBERS = "SELECT shelf, sum(units) AS packs FROM sales GROUP BY shelf"
EXACT = {"tolerance": 0, "absolute": 0}


@pytest.mark.parametrize(
    ("sql", "columns", "keys"),
    [
        ("SELECT name, sum(x) AS total FROM t GROUP BY name ORDER BY total DESC, name", "name total", (1, 0)),
        ("SELECT name, sum(x) FROM t GROUP BY name ORDER BY 2 DESC", "name sum(x)", (1,)),
        ("SELECT name, sum(x) FROM t GROUP BY name ORDER BY sum(x) DESC NULLS LAST", "name sum(x)", (1,)),
        ("SELECT c.name, x FROM t JOIN c USING (id) ORDER BY c.name", "name x", (0,)),
        ("SELECT c.name AS country FROM t JOIN c USING (id) ORDER BY name", "country", (0,)),
        ("SELECT Name FROM t ORDER BY NAME", "Name", (0,)),
        ("SELECT a, b FROM t UNION ALL SELECT c, d FROM u ORDER BY 2, a", "a b", (1, 0)),
        ("SELECT * FROM t ORDER BY t.b", "a b", (1,)),
        ("SELECT *, x + 1 AS more FROM t ORDER BY x + 1", "a x more", (2,)),
        ("FROM t SELECT a, b ORDER BY ALL", "a b", (0, 1)),
        ("(SELECT a FROM t ORDER BY a LIMIT 3)", "a", (0,)),
        ("WITH s AS (SELECT a FROM t ORDER BY a) SELECT a FROM s", "a", None),
        ("SELECT a FROM t", "a", None),
        ("SELECT a FROM t ORDER BY b", "a", None),
        ("SELECT a FROM t ORDER BY a, b", "a", None),  # some of the keys would make ties of rows that are none
        ("SELECT lower(t.name) AS name FROM t ORDER BY t.name", "name", None),  # the table's column, not the output
        ("SELECT a.* FROM a JOIN b USING (id) ORDER BY b.name", "name id", None),
        ("SELECT x AS a, y AS a FROM t ORDER BY a", "a a", None),
        ("SELECT a FROM t ORDER BY a + 1", "a", None),
        ("SELECT a FROM t ORDER BY 7", "a", None),
        ("SELECT random() AS a FROM t ORDER BY random()", "a", None),
        ("SELEC a", "a", None),
        ("DELETE FROM t", "a", None),
    ],
)
def test_the_columns_a_gold_is_sorted_by_are_read_from_its_sql(sql: str, columns: str, keys: tuple[int, ...] | None) -> None:
    assert sort_keys(sql, "duckdb", columns.split()) == keys


def test_an_order_by_in_a_subquery_is_no_order(warehouse: Warehouse) -> None:
    assert "order-matters-without-order-by" in found(warehouse, f"SELECT * FROM ({PRODUCTS} ORDER BY sold)", order_matters=True)


def test_the_gold_of_a_forbidden_question_needs_no_order(warehouse: Warehouse) -> None:
    assert found(warehouse, PRODUCTS, order_matters=True, kind="forbidden") == {}


def test_one_row_has_an_order(warehouse: Warehouse) -> None:
    assert found(warehouse, "SELECT sum(amount) FROM sales", order_matters=True) == {}


@pytest.mark.parametrize(
    "question",
    [
        "Rank the products on sales.",
        "Sales by product, from highest to lowest?",
        "Which products sold best? Sort by sales.",
        "List them in descending order.",
        "Urutkan produk menurut penjualan.",
        "Bagaimana peringkat produk kita?",
        "Produk dari yang terlaris sampai yang paling sepi?",
    ],
)
def test_a_question_that_asks_for_an_order_gets_a_warning_where_none_is_compared(warehouse: Warehouse, question: str) -> None:
    finding = found(warehouse, f"{PRODUCTS} ORDER BY sold DESC, product", question=question)["order-by-without-order-matters"]
    assert finding.severity is Severity.WARNING


@pytest.mark.parametrize(
    "question",
    [
        "How many orders did each product have?",
        "Which sort of product sold?",
        "What must we do in order to sell more ink?",
        "Barang apa yang terjual?",
    ],
)
def test_other_questions_get_a_note_at_most(warehouse: Warehouse, question: str) -> None:
    finding = found(warehouse, f"{PRODUCTS} ORDER BY sold DESC, product", question=question)["order-by-without-order-matters"]
    assert finding.severity is Severity.NOTE


def test_an_order_by_that_a_limit_needs_is_no_finding(warehouse: Warehouse) -> None:
    assert found(warehouse, f"{PRODUCTS} ORDER BY sold DESC LIMIT 1", question="Which product sold best?") == {}


def test_tied_rows_are_a_note_where_the_result_holds_the_keys(warehouse: Warehouse) -> None:
    finding = found(warehouse, f"{PRODUCTS} ORDER BY sold DESC", order_matters=True)["ordered-with-tied-keys"]
    assert finding.severity is Severity.NOTE
    assert {row[0] for row in finding.rows} == {"ink", "paper"}


def test_tied_rows_are_a_warning_where_the_result_lacks_the_keys(warehouse: Warehouse) -> None:
    golden = "SELECT product FROM sales WHERE sold_on < '2026-10-01' GROUP BY product ORDER BY sum(amount) DESC"
    finding = found(warehouse, golden, order_matters=True)["ordered-with-tied-keys"]
    assert finding.severity is Severity.WARNING
    assert "50" in finding.message


def test_keys_that_are_no_columns_and_do_not_tie_are_no_finding(warehouse: Warehouse) -> None:
    golden = "SELECT sum(amount) FROM sales GROUP BY month(sold_on) ORDER BY month(sold_on)"
    assert found(warehouse, golden, order_matters=True) == {}


def test_a_limit_through_a_tie_shows_the_row_kept_and_the_row_left_out(warehouse: Warehouse) -> None:
    finding = found(warehouse, f"{PRODUCTS} ORDER BY sold DESC LIMIT 2")["limit-through-tie"]
    assert {row[0] for row in finding.rows} == {"ink", "paper"}
    assert "rows 2 and 3" in finding.message


def test_a_limit_is_seen_to_cut_a_tie_by_keys_outside_the_result(warehouse: Warehouse) -> None:
    golden = "SELECT product FROM sales WHERE sold_on < '2026-10-01' GROUP BY product ORDER BY sum(amount) DESC LIMIT 2"
    assert found(warehouse, golden).keys() == {"limit-through-tie"}


def test_a_tie_between_rows_that_match_one_another_is_no_finding(warehouse: Warehouse) -> None:
    golden = "SELECT sum(amount) AS sold FROM sales WHERE sold_on < '2026-10-01' GROUP BY product ORDER BY sold DESC LIMIT 2"
    assert found(warehouse, golden) == {}


@pytest.mark.parametrize("limit", ["LIMIT 1", "LIMIT 3", "LIMIT 100", "LIMIT 0 OFFSET 9"])
def test_a_limit_beside_the_tie_is_no_finding(warehouse: Warehouse, limit: str) -> None:
    assert "limit-through-tie" not in found(warehouse, f"{PRODUCTS} ORDER BY sold DESC {limit}")


def test_an_offset_moves_the_limit(warehouse: Warehouse) -> None:
    golden = f"{PRODUCTS} ORDER BY sold DESC LIMIT 1 OFFSET 1"
    assert found(warehouse, golden).keys() == {"limit-through-tie"}


def test_numbers_that_are_text_are_told_also_behind_a_limit(warehouse: Warehouse) -> None:
    finding = found(warehouse, f"{NUMBERS} ORDER BY shelf DESC LIMIT 1", **EXACT)["numbers-sorted-as-text"]
    assert "CAST(shelf AS BIGINT)" in finding.suggestion


@pytest.mark.parametrize(
    "order",
    ["shelf::INTEGER", "packs", "lpad(shelf, 2, '0')", "product"],
)
def test_what_sorts_right_is_no_finding(warehouse: Warehouse, order: str) -> None:
    golden = f"SELECT shelf, product, sum(units) AS packs FROM sales GROUP BY shelf, product ORDER BY {order}"
    assert "numbers-sorted-as-text" not in found(warehouse, golden, order_matters=True, **EXACT)


def test_years_and_iso_days_as_text_sort_right(warehouse: Warehouse) -> None:
    golden = "SELECT DISTINCT strftime(sold_on, '%Y-%m') AS month FROM sales ORDER BY month"
    assert found(warehouse, golden, order_matters=True) == {}


def test_ties_are_found_in_sqlite_too(sqlite_warehouse: Warehouse) -> None:
    codes = found(sqlite_warehouse, f"{PRODUCTS} ORDER BY sum(amount) DESC LIMIT 2").keys()
    assert codes == {"limit-through-tie"}


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("Sales by product, highest first?", True),
        ("Sales by product, starting with the largest.", True),
        ("Penjualan per produk, mulai dari yang tertinggi", True),
        ("Penjualan per produk, yang terbesar lebih dahulu", True),
        ("Rank the products on sales.", True),
        ("Which product did we sell first?", False),
        ("What did each product sell?", False),
    ],
)
def test_an_order_that_is_asked_for_is_in_the_gold(warehouse: Warehouse, question: str, is_told: bool) -> None:
    assert ("order-asked-for" in found(warehouse, PRODUCTS, question=question)) is is_told
    assert "order-asked-for" not in found(warehouse, f"{PRODUCTS} ORDER BY 2 DESC, 1", question=question, order_matters=True)
