"""Numerals: numbers in words and with the scale words of everyday, of the very same number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.hazards.numerals import everyday, from_words, in_words


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "satu"), (11, "sebelas"), (17, "tujuh belas"), (60, "enam puluh"), (100, "seratus"), (125, "seratus dua puluh lima"),
        (1000, "seribu"), (1500, "seribu lima ratus"), (100_000, "seratus ribu"), (1_000_000, "satu juta"),
        (2_500_000, "dua juta lima ratus ribu"), (100_000_000_000, "seratus miliar"),
    ],
)  # fmt: skip
def test_a_number_is_put_in_words(number: int, words: str) -> None:
    assert in_words(number) == words


@pytest.mark.parametrize(("number", "words"), [(17, "seventeen"), (30, "thirty"), (25, "twenty-five"), (1000, "")])
def test_small_numbers_have_english_words(number: int, words: str) -> None:
    assert in_words(number, "en") == words


@pytest.mark.parametrize("number", [0, -1, 10**15])
def test_what_nobody_counts_has_no_words(number: int) -> None:
    assert in_words(number) == ""


@given(st.integers(1, 10**15 - 1))
def test_words_name_the_number_they_were_made_of(number: int) -> None:
    assert from_words(in_words(number).split()) == number


@pytest.mark.parametrize(
    ("digits", "said"),
    [
        ("2500000", "2,5 jt"), ("2500000", "2,5 juta"), ("100000000000", "100 milyar"), ("1000", "seribu"), ("1000000", "sejuta"),
        ("100000", "seratus ribu"), ("50000", "50rb"), ("1250000", "1,25 juta"), ("5000000000000", "5 trilyun"),
    ],
)  # fmt: skip
def test_round_numbers_are_said_shortly(digits: str, said: str) -> None:
    """fd-044, fd-045."""
    assert said in everyday(digits)


@pytest.mark.parametrize("digits", ["12408", "1234", "17", "500", "0", "000", "2024"])
def test_others_are_not(digits: str) -> None:
    assert everyday(digits) == () or digits == "2024"
    assert "2,024 ribu" not in everyday(digits)
