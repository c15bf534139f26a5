"""Figures in words, in English and Indonesian writing."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.scoring.data.numbers import figures


def values(text: str) -> list[set[Decimal]]:
    return [{value for value, _ in figure.readings} for figure in figures(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Rp1.234.567,89", "1234567.89"),
        ("1,234,567.89", "1234567.89"),
        ("1\u00a0234,5", "1234.5"),
        ("1 400 000 000", "1400000000"),
        ("1.4e9", "1400000000"),
        ("50 ribu", "50000"),
        ("Rp 12,5 juta", "12500000"),
        ("3.5 million", "3500000"),
        ("2 miliar", "2000000000"),
        ("-5", "-5"),
        ("(12)", "12"),
        ("net sales were 1234.", "1234"),
        ("12%", "12"),
    ],
)
def test_a_figure_is_read_as_it_is_meant(text: str, value: str) -> None:
    assert any(Decimal(value) in found for found in values(text))


def test_a_point_before_three_digits_may_stand_for_thousands() -> None:
    assert values("1.234") == [{Decimal("1.234"), Decimal(1234)}]


@pytest.mark.parametrize("text", ["PT2x", "v2b", "abc", "shop_17_x", ""])
def test_digits_inside_a_word_are_no_figure(text: str) -> None:
    assert values(text) == []


def test_a_scale_word_brings_the_slack_of_its_rounding() -> None:
    (figure,) = figures("about 12.3 million")
    assert figure.agrees(Decimal(12_345_678), 0, 0, rounded=True)
    assert not figure.agrees(Decimal(12_345_678), 0, 0)
    assert not figure.agrees(Decimal(12_400_000), 0, 0, rounded=True)


@pytest.mark.parametrize("text", ["44.48%", "44.48 %", "44,48 persen", "44.48 percent"])
def test_a_percentage_is_read_as_written_and_as_hundredths(text: str) -> None:
    assert values(text) == [{Decimal("44.48"), Decimal("0.4448")}]


@given(st.integers(min_value=0, max_value=10**15), st.sampled_from([",", "."]))
def test_grouped_whole_numbers_are_found_in_either_writing(number: int, separator: str) -> None:
    assert Decimal(number) in values(f"total {number:,} x".replace(",", separator))[0]


def test_two_numbers_side_by_side_are_two_figures() -> None:
    assert values("from 2025 123 orders and 12 345") == [{Decimal(2025)}, {Decimal(123)}, {Decimal(12)}, {Decimal(345)}]


@given(st.text(max_size=80))
def test_any_text_can_be_searched(text: str) -> None:
    assert all(figure.text for figure in figures(text))
