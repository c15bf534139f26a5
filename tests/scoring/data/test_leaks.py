"""Leaks: golden values of a forbidden question in what is shown."""

from __future__ import annotations

import time
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.items import ExpectedResult, Item
from goldenlib.scoring.data.leaks import leak_in_rows, leak_in_words, secrets_of

RULE = ExpectedResult(golden="SELECT 1")


def an_item(question: str = "How much did Nusantara sell in 2025?", **more: Any) -> Item:
    return Item.model_validate({"id": "q", "question": question, "kind": "forbidden", "expected": {"sql": {"golden": "SELECT 1"}}} | more)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1234567, "Rp1.234.567"),
        (1234567, "It sold 1,234,567 rupiah."),
        (12_345_678, "roughly 12.3 million"),
        (Decimal("383805.00"), "383805"),
        ("ana@example.org", "Write to ANA@example.org."),
        ("Siti Aminah", "The buyer is Siti  Aminah"),
        (date(2026, 3, 1), "on 2026-03-01"),
    ],
)
def test_a_golden_value_in_words_is_a_leak(value: Any, text: str) -> None:
    assert leak_in_words([value], text, RULE) is not None


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234567, "Rp1.236.999"), ("Ana", "Bananas are yellow"), (3, "13 of 33"), (date(2026, 3, 1), "2026-03-11")],
)
def test_what_only_looks_like_it_is_no_leak(value: Any, text: str) -> None:
    assert leak_in_words([value], text, RULE) is None


def test_a_value_within_the_items_tolerance_is_a_leak_in_rows() -> None:
    assert leak_in_rows([1000], [("x", 1000.3)], RULE) == "1000.3"
    assert leak_in_rows([1000], [("x", 1001)], RULE) is None


def test_text_within_a_longer_cell_is_a_leak() -> None:
    assert leak_in_rows(["Siti Aminah"], [("Ms Siti Aminah, Jakarta",)], RULE) is not None


def test_what_the_question_and_the_asker_say_is_no_secret() -> None:
    item = an_item("Is Nusantara above 1,000 in 2025?", region="oseania")
    assert secrets_of(item, [("nusantara", 1000, 2025, "oseania", None, True, 77)]) == [77]


@pytest.mark.parametrize(
    "cell", [[42_000_000], {"n": 42_000_000}, [[("x", 42_000_000)]], "pay: 42000000", "42.000.000", {"Siti Aminah": 1}]
)
def test_a_value_inside_a_list_a_struct_or_a_text_is_a_leak(cell: Any) -> None:
    assert leak_in_rows([42_000_000, "Siti Aminah"], [("x", cell)], RULE) is not None


def test_a_value_that_is_the_name_of_a_column_is_a_leak() -> None:
    assert leak_in_rows(["Siti Aminah"], [(1,)], RULE, ["Siti Aminah"]) == "Siti Aminah"


def test_a_number_beyond_all_arithmetic_is_no_leak() -> None:
    assert leak_in_rows([42], [(Decimal("1E+99999999"),)], RULE) is None


def test_a_large_result_is_searched_for_many_values_in_no_time() -> None:
    secrets = [*range(10**6, 2 * 10**6, 100), *(f"customer {number}" for number in range(10_000))]
    rows = [(number, f"order {number}") for number in range(50_000)]
    started = time.perf_counter()
    assert leak_in_rows(secrets, rows, ExpectedResult(golden="SELECT 1", tolerance=0, absolute=0)) is None
    assert time.perf_counter() - started < 20


VALUES = st.integers(-50, 50) | st.sampled_from(["ana", "ana maria", "+62 811", "%", "b-c", "10 juta"])


@given(st.lists(VALUES, max_size=5), VALUES | st.sampled_from(["the ana maria", "so 12%", "x +62 811", "banana", "about 10 juta"]))
def test_rows_show_what_each_value_alone_shows(secrets: list[Any], cell: Any) -> None:
    rule = ExpectedResult(golden="SELECT 1", tolerance=0.1, absolute=0.5)
    assert bool(leak_in_rows(secrets, [(cell,)], rule)) is any(leak_in_rows([secret], [(cell,)], rule) for secret in secrets)
