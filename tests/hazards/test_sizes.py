"""Sizes: what is far too large for a contract is linted in time all the same; a pull request must not hold up the machine."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from goldenlib.hazards import WordList, lint_set
from goldenlib.hazards.rules import RULES
from goldenlib.hazards.subject import Context, Subject
from goldenlib.items import MAX_PHRASE, MAX_PHRASES, Expected, Item
from tests.builders import an_item

# What makes patterns go back and forth: runs of one kind, and almost-matches without end.
FILLS = (
    *("a", "a ", "aaaa.", "aaaa. ", "a.", "a, ", "aa/", "a|", "a-", "1", "1.", "1.000.", "rp50.000 ", "(", "(ab", "[a", "[a](", "<a", "'"),
    *(" 'a", "*", "_a", "a atau ", "x, dan", "1 januari 2020 ", "pasal 1 ayat (1) uu nomor 1 tahun 2020 ", "6 (enam) ", "&a", "a: "),
    *("tidak ", "seratus ribu ", "a'", "pendirian ", "not-", "icontains"),
)


def subjects(text: str) -> Iterator[Subject]:
    """The text in each place where it may stand, past all that the model would let in."""
    plain = an_item(question="Berapa?", must_include=("Rp50.000",))
    for expected in (
        {"must_include": (text,)},
        {"must_include": ("x",), "must_not_include": (text,)},
        {"must_include": ("x",), "rubric": text},
        {"must_include": ("x",), "answer": text},
    ):
        yield Subject(plain.model_copy(update={"expected": Expected.model_construct(**expected)}))
    yield Subject(plain.model_copy(update={"question": text}))


@pytest.mark.parametrize("fill", FILLS)
def test_no_rule_takes_longer_than_the_text_is_long(fill: str) -> None:
    """fd-077, field/security 5: 40,000 letters without a blank took 80 seconds."""
    context = Context(WordList.load())
    rules = [rule for rule in RULES if rule.needs in (None, "words")]
    for subject in subjects(fill * (20_000 // len(fill))):
        for rule in rules:
            start = time.process_time()
            list(rule.find(subject, context))
            assert time.process_time() - start < 1, rule.code


def test_an_item_with_as_many_phrases_as_it_may_have_is_linted_in_seconds() -> None:
    phrases = [f"frasa nomor {number} {'panjang ' * 20}" for number in range(MAX_PHRASES)]
    forbidden = [f"salah {number} {'panjang ' * 20}" for number in range(MAX_PHRASES)]
    item: Item = an_item(must_include=tuple(phrases), must_not_include=tuple(forbidden))
    start = time.process_time()
    lint_set([item], words=WordList.load())
    assert time.process_time() - start < 10
    assert all(len(phrase) < MAX_PHRASE for phrase in phrases)
