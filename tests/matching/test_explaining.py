"""What a comparison says: the nearest lining-up and pairing, and a guess at what went wrong."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from goldenlib.matching import Difference, results_match

REVENUE = [("AMER", 51762.14, 118), ("APAC", 35296.93, 97), ("EMEA", 63023.76, 151), ("LATAM", 8120.55, 20)]


def changed(column: int, change: Any) -> list[tuple[Any, ...]]:
    return [(*row[:column], change(row[column]), *row[column + 1 :]) for row in REVENUE]


GUESSES: list[tuple[str, Any, Any, str]] = [
    ("thousands", changed(1, lambda x: x / 1000), REVENUE, "column 2 looks in thousands"),
    ("rounded thousands", changed(1, lambda x: round(x / 1000, 1)), REVENUE, "column 2 looks in thousands"),
    ("millions", changed(1, lambda x: x / 1e6), REVENUE, "column 2 looks in millions"),
    ("cents", changed(1, lambda x: x * 100), REVENUE, "column 2 looks a hundred times too large, as a percentage for a fraction"),
    ("lone number in thousands", [(63.02,)], [(63023.76,)], "column 1 looks in thousands"),
    ("rounded", changed(1, lambda x: round(x, -3)), REVENUE, "column 2 looks rounded to thousands"),
    ("rounded to hundreds", changed(1, lambda x: round(x, -2)), REVENUE, "column 2 looks rounded to hundreds"),
    ("cut off", [(0.12,), (0.35,)], [(0.129,), (0.356,)], "column 1 looks cut off to two decimals"),
    ("sign", changed(1, lambda x: -x), REVENUE, "column 2 has the opposite sign"),
    ("one column off", changed(2, lambda x: x + 50 if x == 97 else x), REVENUE, "only column 3 is off"),
    ("swapped cells", [*REVENUE[:3], ("LATAM", 20, 8120.55)], REVENUE, "the values of column 2 and column 3 are swapped in 1 row"),
    (
        "scrambled column",
        [(a, x, b) for (a, x, _), (_, _, b) in zip(REVENUE, REVENUE[1:] + REVENUE[:1], strict=True)],
        REVENUE,
        "column 3 holds the right values, but in other rows",
    ),
    (
        "scrambled key",
        [(a, x) for (a, _, _), (_, x, _) in zip(REVENUE, REVENUE[1:] + REVENUE[:1], strict=True)],
        [row[:2] for row in REVENUE],
        "column 1 and column 2 hold the right values, but not in the same rows",
    ),
    ("one row missing", REVENUE[:3], REVENUE, "what is there is right: a filter or an inner join may drop rows, or a LIMIT cuts them off"),
    ("filter missing", [*REVENUE, ("test", 1.0, 1)], REVENUE, "all golden rows are there, with others: a filter may be missing"),
    (
        "fan-out",
        [row for row in REVENUE for _ in range(2)],
        REVENUE,
        "rows come several times: a join that multiplies rows, or a missing DISTINCT",
    ),
    ("distinct", REVENUE, REVENUE * 2, "rows that should come several times come once: a DISTINCT or GROUP BY too many"),
    (
        "other multiplicities",
        [REVENUE[0], REVENUE[1], REVENUE[1]],
        [REVENUE[0], REVENUE[0], REVENUE[1]],
        "the same rows, but not equally often: duplicates come from a join that multiplies rows or a missing DISTINCT",
    ),
    ("empty", [], REVENUE, "the answer is empty: a filter or a join may leave nothing"),
    ("column left out", [row[:2] for row in REVENUE], REVENUE, "column 3 may be left out"),
    ("case", changed(0, str.lower), REVENUE, "column 1 differs only by upper and lower case or blanks"),
    ("blanks", changed(0, lambda x: x + " "), REVENUE, "column 1 differs only by blanks"),
    ("numbers as text", changed(1, str), REVENUE, "column 2 is text where the golden result has another type"),
    ("text as numbers", REVENUE, changed(1, str), "column 2 should be text"),
    ("null", changed(2, lambda _: None), REVENUE, "column 3 is NULL"),
    ("zero for null", changed(2, lambda _: 0), changed(2, lambda _: None), "column 3 should be NULL and is not"),
    ("nothing alike", [("x", -1, 0.5)], [("y", 77, 10**6)], None),
]


@pytest.mark.parametrize(("answer", "golden", "guess"), [case[1:] for case in GUESSES], ids=[case[0] for case in GUESSES])
def test_a_mismatch_comes_with_a_guess(answer: Any, golden: Any, guess: str | None) -> None:
    match = results_match(answer, golden)
    assert not match
    assert match.guess == guess
    assert (f"guess: {guess}" in match.reason) is (guess is not None)


def test_the_right_rows_in_another_order_are_told() -> None:
    match = results_match(REVENUE[::-1], REVENUE, order_matters=True)
    assert match.guess == "the rows are right, but in another order"
    assert match.first_difference == Difference(0, 0, 0, 0, "AMER", "LATAM")


def test_the_first_differing_cell_is_in_the_nearest_rows() -> None:
    answer = [("EMEA", 63023.76), ("AMER", 99.0), ("APAC", 35296.93)]
    golden = [("APAC", 35296.93), ("AMER", 51762.14), ("EMEA", 63023.76)]
    match = results_match(answer, golden)
    assert match.first_difference == Difference(1, 1, 1, 1, 51762.14, 99.0)
    assert (match.missing_rows, match.extra_rows) == (0, 0)
    assert match.reason.startswith("does not match: column 2 in row 2 ('AMER'): golden 51762.14, answer 99.0")


def test_rows_without_partner_are_counted_and_shown() -> None:
    golden = [(f"r{number}", float(number)) for number in range(20)]
    match = results_match([*golden[8:], ("x", 0.5)], golden)
    assert (match.missing_rows, match.extra_rows) == (8, 1)
    assert match.missing == tuple(golden[:5])
    assert match.extra == (("x", 0.5),)
    assert "the answer has 13 rows, the golden result 20 rows" in match.reason
    assert "8 rows missing, first ('r0', 0.0)" in match.reason


def test_columns_are_called_by_their_golden_names() -> None:
    match = results_match([{"a": "NL", "b": 0.005}], [{"country": "NL", "revenue": 5}])
    assert match.guess == "revenue looks in thousands"
    assert match.reason.startswith("does not match: revenue in row 1 ('NL'): golden 5, answer 0.005")


def test_values_are_shown_as_people_write_them_and_cut() -> None:
    match = results_match([(Decimal("1.50"), date(2026, 3, 1), None, "x" * 200)], [(Decimal("9.00"), date(2026, 3, 1), None, "x" * 200)])
    assert "golden 9.00, answer 1.50" in match.reason
    match = results_match([], [(date(2026, 3, 1), None, "x" * 200)])
    assert "first (2026-03-01, NULL, 'xxx" in match.reason
    assert len(match.reason) < 300


def test_integers_too_long_to_write_are_described() -> None:
    assert "an integer of 20,001 bits" in results_match([(1,)], [(2**20_000,)]).reason


def test_names_help_to_find_the_nearest_columns() -> None:
    answer = [{"n": 1, "total": 63.0}, {"n": 2, "total": 35.3}]
    golden = [{"total": 63023.76, "x": 1}, {"total": 35296.93, "x": 2}]
    assert [(column.golden_name, column.answer_name) for column in results_match(answer, golden).columns] == [
        ("total", "total"),
        ("x", "n"),
    ]


def test_a_long_mismatch_is_explained_too() -> None:
    rng = np.random.default_rng(1)
    golden = [(number, float(value)) for number, value in enumerate(np.round(rng.uniform(0, 1e4, 3000), 2))]
    match = results_match([(number, value / 1000) for number, value in golden], golden)
    assert match.guess == "column 2 looks in thousands"
    match = results_match(golden[:-10], golden)
    assert match.missing_rows == 10
    match = results_match([(number, golden[number - 7][1]) for number, _ in golden], golden)
    assert match.guess == "column 1 and column 2 hold the right values, but not in the same rows"
