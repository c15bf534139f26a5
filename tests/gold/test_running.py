"""What keeps a gold from scoring: it does not run, gives nothing, holds NULL, or its check query says otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from goldenlib.gold import Severity, blocking_check, check_gold, check_golds
from goldenlib.items import Item
from goldenlib.warehouse import QueryFailed, QueryResult, Warehouse, open_warehouse
from tests.gold.golds import PRODUCTS, TODAY, a_gold, found

TOTAL = "SELECT sum(amount) FROM sales"


class Counting:
    """A warehouse that writes down what it is asked."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse, self.asked = warehouse, list[str]()

    def run(self, sql: str, *, trusted: bool = False) -> QueryResult | QueryFailed:
        self.asked.append(sql)
        return self.warehouse.run(sql, trusted=trusted)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.warehouse, name)


def test_a_clean_gold_gives_nothing_and_its_result(warehouse: Warehouse) -> None:
    checked = check_gold(a_gold(TOTAL, "SELECT sum(amount) FROM sales WHERE units > 0"), warehouse, today=TODAY)
    assert checked.findings == ()
    assert checked.can_score
    assert checked.result is not None
    assert checked.result.tuples() == [(240,)]


def test_the_blocking_check_runs_gold_and_check_query_once_each(warehouse: Warehouse) -> None:
    counting: Any = Counting(warehouse)
    check = "SELECT sum(amount) FROM sales WHERE units > 0"
    assert blocking_check(a_gold(TOTAL, check), counting).can_score
    assert counting.asked == [TOTAL, check]


@pytest.mark.parametrize(
    ("golden", "changes"),
    [
        ("SELECT sum(amount FROM sales", {}),
        ('SELECT DATE_DIFF(min(sold_on), max(sold_on), "day") FROM sales', {}),
        ("SELECT region FROM sales WHERE region = 'east'", {}),
        ("SELECT discount FROM sales", {}),
        ("SELECT product FROM sales", {"order_matters": True}),
        ("SELECT product FROM sales LIMIT 1", {"check": "SELECT 'paper'"}),
        ("SELECT product FROM sales LIMIT 1", {"check": "SELECT"}),
        ("SELECT year(sold_on) FROM sales", {"note": ""}),
        (PRODUCTS, {}),
    ],
)
def test_the_blocking_check_decides_as_the_whole_check_does(warehouse: Warehouse, golden: str, changes: dict[str, Any]) -> None:
    item = a_gold(golden, **changes)
    whole, blocking = check_gold(item, warehouse, today=TODAY), blocking_check(item, warehouse)
    assert blocking.can_score is whole.can_score
    errors = [finding.code for finding in whole.findings if finding.severity is Severity.ERROR]
    assert [finding.code for finding in blocking.findings if finding.severity is Severity.ERROR] == errors


def test_what_is_not_one_select_is_not_run(warehouse: Warehouse) -> None:
    counting: Any = Counting(warehouse)
    checked = blocking_check(a_gold("SELECT 1; SELECT 2"), counting)
    assert [finding.code for finding in checked.findings] == ["golden-sql-not-select"]
    assert counting.asked == []


@pytest.mark.parametrize("golden", ["SHOW TABLES", "DESCRIBE sales", "DELETE FROM sales", "SET threads = 8", "COPY sales TO 'x.csv'"])
def test_a_statement_that_does_not_select_is_named_so(warehouse: Warehouse, golden: str) -> None:
    checked = blocking_check(a_gold(golden), warehouse)
    assert [finding.code for finding in checked.findings] == ["golden-sql-not-select"]


@pytest.mark.parametrize(
    "golden",
    [
        f"{TOTAL};",
        f"-- the total\n{TOTAL} -- of all",
        "FROM sales SELECT sum(amount)",
        f"({TOTAL})",
        "SELECT 1 AS one UNION ALL SELECT 2",
        "WITH s AS (SELECT * FROM sales) SELECT sum(amount) FROM s",
        "SELECT getvariable('nothing') IS NULL",  # an agent may not ask that; golden SQL is trusted with what it calls
        "PIVOT sales ON region IN ('north', 'south') USING sum(amount) GROUP BY product",
    ],
)
def test_every_form_of_one_select_runs(warehouse: Warehouse, golden: str) -> None:
    assert not {"golden-sql-not-select", "gold-fails-to-run"} & found(warehouse, golden).keys()


def test_a_failure_says_why(warehouse: Warehouse) -> None:
    finding = found(warehouse, "SELECT amout FROM sales")["gold-fails-to-run"]
    assert "amout" in finding.message
    assert finding.severity is Severity.ERROR


def test_the_spelling_that_is_suggested_runs(warehouse: Warehouse) -> None:
    finding = found(warehouse, 'SELECT DATE_DIFF(min(sold_on), max(sold_on), "day") FROM sales')["gold-fails-to-run"]
    assert "DATE_DIFF('day', MIN(sold_on), MAX(sold_on))" in finding.suggestion
    outcome = warehouse.run(finding.sql, trusted=True)
    assert isinstance(outcome, QueryResult)
    assert outcome.tuples() == [(141,)]


def test_another_dialect_is_named_when_its_reading_runs(warehouse: Warehouse) -> None:
    finding = found(warehouse, "SELECT SAFE_DIVIDE(SUM(amount), 2) FROM sales")["gold-fails-to-run"]
    assert "read as BigQuery's SQL and written for DuckDB it runs" in finding.suggestion
    assert isinstance(warehouse.run(finding.sql, trusted=True), QueryResult)


def test_no_spelling_is_suggested_where_none_runs(warehouse: Warehouse) -> None:
    finding = found(warehouse, 'SELECT DATE_DIFF(opened, closed, "day") FROM shops')["gold-fails-to-run"]
    assert "shown" not in finding.suggestion


def test_the_acme_gold_that_fails_is_found_with_its_spelling(tmp_path: Path) -> None:
    (tmp_path / "claim.csv").write_text(
        "claim_open_date,claim_close_date\n2019-01-01,2019-01-31\n2019-02-01,2019-02-11\n", encoding="utf-8"
    )
    with open_warehouse(tmp_path) as claims:
        finding = found(claims, 'select avg(DATE_DIFF(claim_open_date, claim_close_date, "day"))\nfrom claim')["gold-fails-to-run"]
        outcome = claims.run(finding.sql, trusted=True)
    assert isinstance(outcome, QueryResult)
    assert outcome.tuples() == [(20.0,)]


def test_null_is_told_with_its_row_and_column(warehouse: Warehouse) -> None:
    finding = found(warehouse, "SELECT product, max(discount) AS most FROM sales WHERE product <> 'ink' GROUP BY product ORDER BY ALL")[
        "gold-has-null"
    ]
    assert finding.message == "row 2 of the golden result has NULL in the column most"
    assert finding.rows == (("pens", None),)


def test_not_a_number_is_as_good_as_null(warehouse: Warehouse) -> None:
    assert "NaN" in found(warehouse, "SELECT 'nan'::DOUBLE AS share")["gold-has-null"].message


def test_the_gold_of_a_forbidden_question_may_hold_null(warehouse: Warehouse) -> None:
    golden = "SELECT product, max(discount) FROM sales GROUP BY product"
    assert found(warehouse, golden, kind="forbidden") == {}


def test_the_gold_of_a_forbidden_question_is_empty_when_all_is_null(warehouse: Warehouse) -> None:
    assert found(warehouse, "SELECT max(discount) FROM sales WHERE product = 'pens'", kind="forbidden").keys() == {"gold-empty"}


def test_a_check_query_that_disagrees_is_told_with_the_difference(warehouse: Warehouse) -> None:
    finding = found(warehouse, PRODUCTS, PRODUCTS.replace("sum(amount)", "sum(amount) + (product = 'ink')::INTEGER"))["check-disagrees"]
    assert "golden 50.00, answer 51.00" in finding.message
    assert finding.rows == (("ink", 50), ("ink", 51))


def test_a_check_query_may_differ_within_the_tolerance(warehouse: Warehouse) -> None:
    assert found(warehouse, TOTAL, "SELECT sum(amount) + 0.1 FROM sales") == {}


def test_a_check_query_in_another_order_of_tied_rows_agrees(warehouse: Warehouse) -> None:
    ordered = f"{PRODUCTS} ORDER BY sold DESC"
    codes = found(warehouse, f"{ordered}, product", f"{ordered}, product DESC", order_matters=True).keys()
    assert codes == {"check-disagrees"}
    codes = found(warehouse, ordered, f"{ordered}, product DESC", order_matters=True).keys()
    assert codes == {"ordered-with-tied-keys"}


def test_an_undecided_check_query_does_not_block(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    from goldenlib.gold import goldsubject
    from goldenlib.matching import results_match

    monkeypatch.setattr(goldsubject, "results_match", lambda *rows, **rule: results_match(*rows, **rule, budget=0))
    checked = check_gold(a_gold(PRODUCTS, PRODUCTS), warehouse, today=TODAY)
    assert [finding.code for finding in checked.findings] == ["check-undecided"]
    assert checked.can_score


def test_an_item_without_golden_sql_is_not_checked(warehouse: Warehouse) -> None:
    item = Item.model_validate({"id": "vague", "question": "Who are our best customers?", "kind": "decline", "decline_type": "ambiguous"})
    assert check_gold(item, warehouse).findings == ()
    assert blocking_check(item, warehouse).can_score
    assert check_golds([item, a_gold(TOTAL)], warehouse).checks[0].item_id == "sales"


def test_a_runaway_gold_ends_at_the_limit(tables: Path) -> None:
    from goldenlib.warehouse import Limits

    with open_warehouse(tables, limits=Limits(seconds=0.5)) as impatient:
        finding = found(impatient, "SELECT count(*) FROM ledger AS a, ledger AS b WHERE a.amount + b.id % 7 > 3")["gold-fails-to-run"]
    assert "0.5 seconds" in finding.message
    assert "higher limit" in finding.suggestion
