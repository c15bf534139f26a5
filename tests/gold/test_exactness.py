"""Exactness: rows and whole numbers that the gold's own rule cannot tell apart, and slack that does not fit the rounding."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from goldenlib.gold import Severity
from goldenlib.warehouse import Warehouse
from tests.gold.golds import found

EXACT = {"tolerance": 0, "absolute": 0}


def values(*rows: str, columns: str = "a, b") -> str:
    return f"SELECT * FROM (VALUES {', '.join(rows)}) AS t({columns})"


def test_years_are_indistinct_under_the_default_rule_and_the_pair_is_shown(warehouse: Warehouse) -> None:
    finding = found(warehouse, values("(2023)", "(2024)", columns="opened"))["rows-indistinct"]
    assert set(finding.rows) == {(2023,), (2024,)}
    assert "tolerance = 0" in finding.suggestion


@pytest.mark.parametrize(
    "golden",
    [
        values("('north', 2023)", "('south', 2024)"),  # told apart by their label
        values("(100.0, 5)", "(101.0, 5)"),
        values("(2024, 1)", "(2024, 1)"),  # the same row twice
        values("(2024, 10)", "(2025, 20)"),
    ],
)
def test_rows_that_can_be_told_apart_are_no_finding(warehouse: Warehouse, golden: str) -> None:
    assert "rows-indistinct" not in found(warehouse, golden)


def test_two_rows_are_compared_by_all_their_numbers(warehouse: Warehouse) -> None:
    golden = values("(1000.0, 7.0, 'x')", "(1000.1, 900.0, 'x')", "(1000.2, 7.001, 'x')", columns="a, b, c")
    assert {row[0] for row in found(warehouse, golden)["rows-indistinct"].rows} == {Decimal("1000.0"), Decimal("1000.2")}


def test_amounts_of_an_ordered_gold_that_happen_to_be_near_are_a_note(warehouse: Warehouse) -> None:
    golden = values("(1, 50000.00)", "(2, 50001.00)").replace("SELECT *", "SELECT b") + " ORDER BY a"
    assert found(warehouse, golden, order_matters=True)["rows-indistinct"].severity is Severity.NOTE


def test_an_exact_rule_tells_everything_apart(warehouse: Warehouse) -> None:
    assert found(warehouse, values("(2023)", "(2024)", columns="opened"), **EXACT) == {}


@pytest.mark.parametrize(
    ("golden", "severity"),
    [
        ("SELECT max(year(sold_on)) AS year FROM sales", Severity.WARNING),
        ("SELECT 2025 AS tahun, 'north' AS region", Severity.WARNING),
        ("SELECT policy_number FROM (SELECT 31003000336 AS policy_number)", Severity.WARNING),
        ("SELECT count(*) AS n FROM ledger", Severity.NOTE),
    ],
)
def test_a_whole_number_that_may_be_off_by_one_is_told(warehouse: Warehouse, golden: str, severity: Severity) -> None:
    assert found(warehouse, golden)["whole-numbers-with-tolerance"].severity is severity


@pytest.mark.parametrize(
    ("golden", "changes"),
    [
        ("SELECT count(*) AS n FROM sales", {}),  # six: the slack is less than one
        ("SELECT sum(units) * 10000 AS packs FROM sales", {}),  # an amount
        ("SELECT count(*) AS n FROM ledger", EXACT),
        ("SELECT 2024.5 AS year", {}),
        ("SELECT '31003000336' AS policy_number", {}),
        ("SELECT 5000000 AS year", {}),
    ],
)
def test_other_whole_numbers_are_no_finding(warehouse: Warehouse, golden: str, changes: dict[str, Any]) -> None:
    assert found(warehouse, golden, **changes) == {}


@pytest.mark.parametrize(
    ("golden", "absolute", "wanted"),
    [
        ("SELECT round(0.123456, 4) AS share", 0.005, "0.00005"),
        ("SELECT round(0.123456, 4)::DOUBLE AS share", 0.0005, "0.00005"),
        ("SELECT CAST(0.123456 AS DECIMAL(10, 3)) AS share", 0.005, "0.0005"),
        ("SELECT round(50.46, 1) AS percent", 0.005, "0.05"),
        ("SELECT round(12.3) AS days", 0.005, "0.5"),
        ("SELECT round(123456.0, -3) AS revenue", 0.5, "500"),
        ("SELECT 0.1156 AS share", 0.005, "0.00005"),
    ],
)
def test_a_slack_that_does_not_fit_the_rounding_is_told_with_the_one_that_does(
    warehouse: Warehouse, golden: str, absolute: float, wanted: str
) -> None:
    finding = found(warehouse, golden, absolute=absolute)["rounding-disagrees-with-absolute"]
    assert f"absolute = {wanted}," in finding.suggestion


@pytest.mark.parametrize(
    ("golden", "absolute"),
    [
        ("SELECT round(0.123456, 4) AS share", 0.00005),
        ("SELECT round(51762.14, 2) AS revenue", 0.005),
        ("SELECT round(51762.14) AS revenue", 0.005),  # the tolerance lets 25 pass anyway
        ("SELECT round(51762.14, 2) AS revenue", 0.5),  # and is far more than half a unit
        ("SELECT sum(amount) AS revenue FROM sales", 0.005),
        ("SELECT 2.5 AS price", 0.005),
        ("SELECT avg(amount) AS revenue FROM sales", 0.005),
        ("SELECT sum(units) AS packs FROM sales", 0.005),
        ("SELECT 'pens' AS product", 0.005),
        ("SELECT 0.0 AS nothing", 0.005),
    ],
)
def test_a_slack_that_fits_or_decides_nothing_is_no_finding(warehouse: Warehouse, golden: str, absolute: float) -> None:
    assert found(warehouse, golden, absolute=absolute) == {}


def test_a_share_that_is_not_rounded_is_to_be_rounded(warehouse: Warehouse) -> None:
    finding = found(warehouse, "SELECT 1 / 7 AS share")["rounding-disagrees-with-absolute"]
    assert finding.suggestion.startswith("round it to a place that the note states")


def test_a_column_of_years_is_known_by_the_question_when_its_name_does_not_say_so(warehouse: Warehouse) -> None:
    golden = "SELECT opened FROM (SELECT 2019 AS opened)"
    assert "whole-numbers-with-tolerance" in found(warehouse, golden, question="In which year did the shop open?")
    assert "whole-numbers-with-tolerance" not in found(warehouse, golden, question="How many steps are there?")


def test_a_total_that_looks_like_a_year_is_none(warehouse: Warehouse) -> None:
    golden = "SELECT sum(units) + 2000 AS units FROM sales"
    assert "whole-numbers-with-tolerance" not in found(warehouse, golden, question="How many units in the year 2026?")
