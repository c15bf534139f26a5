"""Answers in words against a golden result."""

from __future__ import annotations

from datetime import time, timedelta
from typing import Any

import pytest

from goldenlib.items import Item
from goldenlib.scoring.data.prose import compare_words, table_in


def an_item(question: str = "How many orders in 2025?") -> Item:
    return Item.model_validate({"id": "q", "question": question, "expected": {"sql": {"golden": "SELECT 1"}}})


@pytest.mark.parametrize("text", ["42", "There were 42 orders.", "There were 42 orders in 2025.", "Ada 42 pesanan."])
def test_the_one_figure_that_agrees_is_right(text: str) -> None:
    assert compare_words(an_item(), text, [(42,)]).agrees is True


@pytest.mark.parametrize("text", ["47", "Many.", "There were 420 orders.", ""])
def test_a_text_without_the_golden_figure_is_wrong(text: str) -> None:
    assert compare_words(an_item(), text, [(42,)]).agrees is False


def test_a_second_figure_leaves_it_open() -> None:
    said = compare_words(an_item(), "Between 42 and 47 orders.", [(42,)])
    assert said.agrees is None
    assert "also 47" in said.reason


@pytest.mark.parametrize(("text", "agrees"), [("NL", True), ("**nl**.", True), ("NL, not BE", None), ("BE", False)])
def test_a_golden_text_alone_is_right_and_among_others_open(text: str, agrees: bool | None) -> None:
    assert compare_words(an_item("Which country?"), text, [("NL",)]).agrees is agrees


def test_several_golden_values_are_wrong_when_one_is_missing_and_open_when_all_are_there() -> None:
    golden: list[tuple[Any, ...]] = [("AMER", 10), ("APAC", 20)]
    assert compare_words(an_item(), "AMER 10, APAC 21", golden).agrees is False
    assert compare_words(an_item(), "AMER 10, APAC 20", golden).agrees is None


def test_a_markdown_table_is_rows() -> None:
    text = "Here:\n\n| region | net |\n|:--|--:|\n| AMER | 1,000.50 |\n| **APAC** | 20 |\n\nThat is all."
    rows = table_in(text)
    assert rows == [("AMER", "1,000.50"), ("APAC", "20")]


@pytest.mark.parametrize("text", ["no table", "a | b", "| a |\n|---|\n", "| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| 2 |"])
def test_no_table_and_two_tables_are_no_rows(text: str) -> None:
    assert table_in(text) is None


# --- a list of values, for a golden result of one column ---


def an_item_with(**rule: Any) -> Item:
    return Item.model_validate({"id": "q", "question": "Which fees?", "expected": {"sql": {"golden": "SELECT 1", **rule}}})


FEES: list[tuple[Any, ...]] = [(1,), (2,), (2,), (30,)]


@pytest.mark.parametrize(
    "text", ["1, 2, 2, 30", "30\n2\n2\n1", "1,2,2,30", "[1, 2, 2, 30]", "1, 2, 2 and 30", "- 2\n- 1\n- 30\n- 2", "30; 2; 2; 1"]
)
def test_a_list_of_the_golden_values_in_any_order_is_right(text: str) -> None:
    assert compare_words(an_item_with(), text, FEES).agrees is True


@pytest.mark.parametrize("text", ["1, 2, 30", "1, 2, 2, 30, 31", "1, 2, -2, 30", "1, 2, 2, 30, 30", "1, 2, 2, 3"])
def test_a_list_with_a_value_missing_too_many_or_changed_is_wrong(text: str) -> None:
    said = compare_words(an_item_with(), text, FEES)
    assert said.agrees is False
    assert said.reason.startswith("answered with a list that does not match: ")


def test_a_list_is_compared_within_the_rule_of_the_item() -> None:
    golden: list[tuple[Any, ...]] = [(1000.0,), (2000.0,)]
    assert compare_words(an_item_with(), "2,000.4; 1,000.1", golden).agrees is True
    assert compare_words(an_item_with(tolerance=0, absolute=0), "2,000.4; 1,000.1", golden).agrees is False
    assert compare_words(an_item_with(order_matters=True), "2000, 1000", golden).agrees is False
    assert compare_words(an_item_with(order_matters=True), "1000, 2000", golden).agrees is True


def test_a_list_may_be_written_as_in_indonesian() -> None:
    assert compare_words(an_item_with(), "1.234,5; 2.000,25", [(2000.25,), (1234.5,)]).agrees is True


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("pens, Ink and art paper", True),
        ("Ink\nArt Paper\nPens", True),
        ("Pens, Ink, Art Paper, Glue", False),
        ("Pens, Ink", False),
        ("Pens, Ink and Art Paper, as you asked for", None),
        ("We sell Pens, Ink and Art Paper", None),
    ],
)
def test_a_list_of_texts_is_told_from_prose_by_its_length(text: str, agrees: bool | None) -> None:
    assert compare_words(an_item_with(), text, [("Pens",), ("Ink",), ("Art Paper",)]).agrees is agrees


def test_golden_texts_that_hold_a_comma_are_never_missed_in_a_list() -> None:
    golden: list[tuple[Any, ...]] = [("Heating, Plumbing",), ("Masonry",)]
    assert compare_words(an_item_with(), "Heating, Plumbing, Masonry", golden).agrees is None


@pytest.mark.parametrize(("text", "agrees"), [("42, 47", False), ("42 and 47", False), ("2025, 42", True), ("42 or 47", None)])
def test_a_list_of_two_figures_is_no_single_one(text: str, agrees: bool | None) -> None:
    assert compare_words(an_item(), text, [(42,)]).agrees is agrees


@pytest.mark.parametrize(("gold", "text"), [(1234567, "about 1 million"), (1234567, "1,2 juta"), (1076.5, "1k")])
def test_a_number_that_is_rounded_by_its_word_is_left_open(gold: float, text: str) -> None:
    said = compare_words(an_item(), text, [(gold,)])
    assert said.agrees is None
    assert "rounded; the rule of the question is narrower" in said.reason


def test_the_reason_quotes_what_was_said_and_not_the_gold() -> None:
    item = Item.model_validate({"id": "q", "question": "When did we open?", "expected": {"sql": {"golden": "SELECT 1"}}})
    assert compare_words(item, "In 2020.", [(2019,)]).reason == "says '2020', within tolerance of '2019'"


@pytest.mark.parametrize(
    ("text", "agrees"), [("44.48%", True), ("44.48 percent", True), ("0.4448", True), ("0.4448%", None), ("4.448%", False)]
)
def test_a_share_may_be_said_as_a_percentage(text: str, agrees: bool | None) -> None:
    assert compare_words(an_item("Which share is late?"), text, [(0.4448,)]).agrees is agrees


def test_a_line_that_nearly_is_a_tables_rule_is_read_at_once() -> None:
    assert table_in("| a |\n" + "- " * 50_000 + "x |\n| 1 |") is None


@pytest.mark.parametrize(
    ("text", "golden"),
    [
        ("12.5,7", [(12.5, 7)]),
        ("3.5,9", [(3.5, 9)]),
        ("```\n12.5,7\n```", [(12.5, 7)]),
        ("12,7", [(12, 7)]),
        ("1,234", [(1, 234)]),
        ("It is 12.5,7,1.25.", [(12.5, 7, 1.25)]),
    ],
)
def test_figures_that_commas_separate_are_said_or_open_and_never_missing(text: str, golden: list[tuple[Any, ...]]) -> None:
    """fd-067."""
    assert compare_words(an_item(), text, golden).agrees is None


def test_a_list_of_figures_without_blanks_is_rows() -> None:
    """fd-067."""
    assert compare_words(an_item(), "12.5,7", [(12.5,), (7,)]).agrees is True
    assert compare_words(an_item(), "12.5,8", [(12.5,), (7,)]).agrees is False
    assert compare_words(an_item(), "12.5,8", [(12.5, 7)]).agrees is False


@pytest.mark.parametrize("golden", [timedelta(hours=26), time(8, 30)])
def test_times_and_spans_in_words_are_open(golden: Any) -> None:
    """fd-066."""
    assert compare_words(an_item(), "It took 26 hours, until 8.30.", [(golden,)]).agrees is None
    assert compare_words(an_item(), "No idea.", [(golden,)]).agrees is False
