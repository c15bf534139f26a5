"""Lines: counts and ids in one line of visible text."""

from __future__ import annotations

import pytest

from goldenlib.gating.lines import listed, one_line, some


@pytest.mark.parametrize(
    ("words", "said"), [(["question"], "question"), (["question", "kind"], "question and kind"), (["a", "b", "c"], "a, b and c"), ([], "")]
)
def test_words_are_listed_as_a_sentence_does(words: list[str], said: str) -> None:
    assert listed(words) == said


def test_names_beyond_the_most_are_counted() -> None:
    assert some(["a", "b", "c\n"], 3) == "a, b, c"
    assert some(["a", "b", "c"], 2) == "a, b and 1 more"


def test_letters_of_every_language_stay_what_they_are() -> None:
    assert one_line("bea-cukai-ñ  東京") == "bea-cukai-ñ 東京"


def test_nothing_breaks_a_line() -> None:
    assert one_line("a\nPASS: all\x1b[31m\u202e") == "a PASS: all\\x1b[31m\\u202e"
