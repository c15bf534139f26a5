"""Answers in words against a golden result."""

from __future__ import annotations

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
    assert rows is not None
    assert [(name, float(net)) for name, net in rows] == [("AMER", 1000.5), ("APAC", 20.0)]


@pytest.mark.parametrize("text", ["no table", "a | b", "| a |\n|---|\n", "| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| 2 |"])
def test_no_table_and_two_tables_are_no_rows(text: str) -> None:
    assert table_in(text) is None
