"""Sentences of agents around a golden number: what leaves it open, and what does not."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from goldenlib.items import Item
from goldenlib.scoring.data.prose import ProseAgreement, compare_words


def said(text: str, golden: Any, question: str) -> ProseAgreement:
    item = Item.model_validate({"id": "q", "question": question, "expected": {"sql": {"golden": "SELECT 1"}}})
    return compare_words(item, text, [(golden,)])


@pytest.mark.parametrize(
    "text",
    [
        "More than 42 orders.",
        "At least 42.",
        "Lebih dari 42 pesanan.",
        "Kurang dari 42",
        "setidaknya 42",
        "almost 42",
        "> 42",
        "≥42",
        "42+",
        "42 or more",
        "It is not 42.",
        "Bukan 42.",
        "I don’t think there were 42 orders.",
        "I could not find 42 orders.",
        "The total is wrong: 42.",
        "Was it 42?",
        "42 dozen",
        "42 lusin",
        "42 (in thousands)",
        "42 (dalam ribuan)",
        "42½",
        "10 of them: see row 42",
        "Sales fell by 42.",
        "Pesanan turun 42.",
    ],
)
def test_words_beside_the_golden_number_leave_it_open(text: str) -> None:
    assert said(text, 42, "How many orders?").agrees is None


def test_the_reason_quotes_the_words_that_leave_it_open() -> None:
    assert said("More than 42 orders.", 42, "How many orders?").reason.endswith("words beside it leave that open: 'more than'")


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("42 hours", "How many days?"),
        ("42 minggu", "Berapa hari?"),
        ("42 USD", "How much in EUR?"),
        ("$42", "How much in EUR?"),
        ("42 dolar", "How much in IDR?"),
        ("Rp42", "How much in EUR?"),
        ("42 g", "What is the weight in kg?"),
    ],
)
def test_another_unit_than_the_one_asked_for_leaves_it_open(text: str, question: str) -> None:
    assert said(text, 42, question).agrees is None


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("There were 42 orders that were not cancelled.", "How many orders were not cancelled?"),
        ("There were 42 orders. This does not include cancelled ones.", "How many orders?"),
        ("Ada 42 pesanan (tidak termasuk yang dibatalkan).", "Berapa pesanan?"),
        ("Not counting returns, there were 42.", "How many orders?"),
        ("42 payments were declined.", "How many payments were declined?"),
        ("Sales dropped by 42 euros.", "How much did sales drop?"),
        ("Sales declined, and 42 units were sold.", "How many units?"),
        ("Over the whole period we had 42 customers.", "How many customers?"),
        ("42 orders. Would you like a breakdown?", "How many orders?"),
        ("Orders - 42", "How many orders?"),
        ("- 42 orders", "How many orders?"),
        ("No problem: 42 orders.", "How many orders?"),
        ("ID 42", "Which id?"),
        ("42 minutes", "How many minutes per day?"),
        ("42 hari", "Berapa hari?"),
        ("€42.00", "How much in EUR?"),
        ("42 m", "What is the length in metres?"),
    ],
)
def test_other_words_and_those_of_the_question_do_not(text: str, question: str) -> None:
    assert said(text, 42, question).agrees is True


@pytest.mark.parametrize("text", ["minus 350.25", "-€350.25", "negatif 350,25", "\N{EN DASH}350.25", "-350.25"])
def test_a_sign_counts_however_it_is_written(text: str) -> None:
    assert said(text, Decimal("-350.25"), "Net revenue?").agrees is True
    assert said(text, Decimal("350.25"), "Net revenue?").agrees is False


@pytest.mark.parametrize("text", ["(350.25)", "a loss of 350.25", "rugi 350,25"])
def test_a_negative_number_said_without_its_sign_is_open(text: str) -> None:
    assert said(text, Decimal("-350.25"), "Net revenue?").agrees is None


@pytest.mark.parametrize(("text", "golden"), [("0.500", 500), ("0,042", 42), ("42 hundred", 42), ("42 crore", 42), ("42 thousands", 42)])
def test_a_number_of_another_size_is_wrong(text: str, golden: int) -> None:
    assert said(text, golden, "How many?").agrees is False


def test_a_number_that_only_repeats_the_question_is_open() -> None:
    assert said("In 2025 there were many.", 2025, "How many orders in 2025?").agrees is None
    assert said("2025", 2025, "How many orders in 2025?").agrees is True
