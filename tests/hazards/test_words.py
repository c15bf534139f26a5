"""The word list: built offline, and honest about being incomplete."""

from __future__ import annotations

import sys

import pytest

from goldenlib.hazards import WordList
from goldenlib.hazards.words import WordHits


@pytest.fixture
def own_list(monkeypatch: pytest.MonkeyPatch) -> WordList:
    """The list on a machine without wordfreq."""
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    return WordList.load.__wrapped__()  # type: ignore[attr-defined,no-any-return]  # past the cache, which holds the full list


def test_it_holds_indonesian_and_english_words_and_our_abbreviations() -> None:
    words = WordList.load()
    assert words.is_complete
    assert all(word in words for word in ("ketidakpastian", "memberikan", "certificate", "pkwtt"))
    assert "zzqqx" not in words


def test_it_is_read_once() -> None:
    assert WordList.load() is WordList.load()


def test_without_wordfreq_a_short_list_is_used_and_says_so(own_list: WordList) -> None:
    assert not own_list.is_complete
    assert {"kapten", "menciptakan"} <= set(own_list.inside("pt").words)
    assert "ketidakpastian" in own_list.inside("tidak").words
    assert "memberikan" in own_list.inside("ikan").words


def test_the_ends_of_words_can_be_asked_for() -> None:
    words = WordList.load()
    assert all(word.endswith("sk") for word in words.inside("sk", "end").words)
    assert all(word.startswith("sk") for word in words.inside("sk", "start").words)


def test_the_words_that_are_left_out_do_not_count() -> None:
    words = WordList.load()
    assert words.inside("tidak", "", ("setidaknya",)).count == words.inside("tidak").count - 1


def test_how_common_a_word_is_says_how_many_answers_are_hit() -> None:
    words = WordList.load()
    assert words.inside("an").chance() > 0.99
    assert words.inside("pkwt").chance() < 0.01
    assert WordHits(share=0.01).chance(1) == pytest.approx(0.01)


def test_words_of_the_other_language_weigh_little() -> None:
    words = WordList.load()
    assert words.inside("wni", "", (), "en").share > 3 * words.inside("wni").share
