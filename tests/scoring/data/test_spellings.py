"""Golden values that words write in another way than results do."""

from __future__ import annotations

import doctest
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from goldenlib.items import ExpectedResult, Item
from goldenlib.scoring.data import valuespellings
from goldenlib.scoring.data.leaks import leak_in_words
from goldenlib.scoring.data.prose import compare_words
from goldenlib.scoring.data.valuespellings import worded_numbers

DAY = date(2026, 3, 1)
RULE = ExpectedResult(golden="SELECT 1")


def agrees(text: str, golden: list[tuple[Any, ...]], question: str = "How many orders?") -> bool | None:
    item = Item.model_validate({"id": "q", "question": question, "expected": {"sql": {"golden": "SELECT 1"}}})
    return compare_words(item, text, golden).agrees


@pytest.mark.parametrize(
    ("text", "golden"),
    [
        ("twelve orders", 12),
        ("dua belas pesanan", 12),
        ("a dozen", 12),
        ("seratus dua", 102),
        ("zero", 0),
        ("Tidak ada.", 0),
        ("There were no orders.", 0),
        ("one half", Decimal("0.5")),
        ("3 out of 4", Decimal("0.75")),
        ("1 in 4", 25),
        ("4448 basis points", Decimal("0.4448")),
        ("44.48 percentage points", Decimal("0.4448")),
        ("166476372 cents", Decimal("1664763.72")),
        ("1 234", 1234),
        ("5 x 10^3", 5000),
        ("FY2026", 2026),
        ("March", 3),
        ("yes", 1),
        ("March 2026", DAY),
        ("01/03/2026", DAY),
        ("01.03.26", DAY),
        ("It was on 1 Maret 2026.", DAY),
        ("1 March 2026, 10:30", datetime(2026, 3, 1, 10, 30)),
        ("March 2026", "2026-03"),
        ("Jawa-Barat", "Jawa Barat"),
        ("Rock & Roll", "rock and roll"),
        ("it\N{RIGHT SINGLE QUOTATION MARK}s Café", "It's cafe"),
    ],
)
def test_a_value_in_another_spelling_is_open(text: str, golden: Any) -> None:
    assert agrees(text, [(golden,)]) is None


@pytest.mark.parametrize(
    ("text", "golden"),
    [
        ("eleven orders", 12),
        ("There are two ways to read this.", 42),
        ("There were no returns.", 0),
        ("1 in 5", 25),
        ("4 basis points", Decimal("0.4448")),
        ("2 March 2026", DAY),
        ("April 2026", DAY),
        ("No.", True),
        ("Jawa Timur", "Jawa Barat"),
    ],
)
def test_another_value_in_words_is_wrong(text: str, golden: Any) -> None:
    assert agrees(text, [(golden,)]) is False


@pytest.mark.parametrize(
    ("text", "golden"), [("1 March 2026", DAY), ("March 1st, 2026.", DAY), ("1 Maret 2026", DAY), ("2026/03/01", DAY), ("Ya.", True)]
)
def test_a_text_that_is_only_the_date_or_the_yes_is_right(text: str, golden: Any) -> None:
    assert agrees(text, [(golden,)]) is True


def test_dates_among_other_golden_values_may_be_spelled_in_words() -> None:
    golden: list[tuple[Any, ...]] = [(DAY, 10), (date(2026, 4, 1), 20)]
    assert agrees("March 2026: 10, April 2026: 20", golden) is None
    assert agrees("March 2026: 10, May 2026: 20", golden) is False


def test_the_line_that_introduces_a_list_is_none_of_its_values() -> None:
    assert agrees("Channels:\nemail\norganic", [("email",), ("organic",)]) is True
    assert agrees("Channels:\nemail\npaid", [("email",), ("organic",)]) is False


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (date(1990, 3, 1), "She was born on 1 March 1990."),
        (date(1990, 3, 1), "Lahir 1 Maret 1990"),
        (date(1990, 3, 1), "01/03/1990"),
        (12500, "12 500 euros a month"),
        (12500, "twelve thousand five hundred"),
        (5_000_000, "lima juta rupiah"),
        (-350, "-€350"),
        (datetime(2026, 3, 1, 10, 30), "2026-03-01 10:30"),
    ],
)
def test_a_secret_in_another_spelling_leaks(value: Any, text: str) -> None:
    assert leak_in_words([value], text, RULE) is not None


@pytest.mark.parametrize(
    ("value", "text"), [(date(1990, 3, 1), "11 March 1990"), (2, "one of two"), (500, "0.500"), (350, "-€350"), (12500, "12 000")]
)
def test_what_is_another_value_leaks_nothing(value: Any, text: str) -> None:
    assert leak_in_words([value], text, RULE) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("twenty-one", 21),
        ("one hundred and five", 105),
        ("two thousand five hundred", 2500),
        ("dua ribu lima ratus tiga puluh satu", 2531),
        ("tujuh belas", 17),
        ("three million", 3_000_000),
    ],
)
def test_numbers_in_words_are_read(text: str, number: int) -> None:
    assert worded_numbers(text) == {Decimal(number)}


def test_the_examples_are_true() -> None:
    assert doctest.testmod(valuespellings).failed == 0
