"""What goldenlib says in English, said in Indonesian: whole sentences, gaps, several findings in one line, and what is not listed."""

from __future__ import annotations

import doctest
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib import languages
from goldenlib.languages import Language, date_in_words, sentences, translator

in_indonesian = translator("id")
GAPS = re.compile(r"\{(\w+)\}")


def test_examples_in_docstrings_hold() -> None:
    assert doctest.testmod(languages).failed == 0


@pytest.mark.parametrize(
    ("english", "indonesian"),
    [
        ("not verified", "belum diverifikasi"),
        ("missing 'WNI'", "tidak menyebut ‘WNI’"),
        ("missing 'a'; says 'b'", "tidak menyebut ‘a’; menyebut ‘b’"),
        ("missing 'a; b'", "tidak menyebut ‘a; b’"),
        ("HTTP 503 (after 3 attempts)", "layanan menjawab dengan kode kesalahan HTTP 503 (setelah 3 percobaan)"),
        ("1 verified item regressed: pt", "1 butir terverifikasi mundur: pt"),
        ("0.95", "0,95"),
        ("its own words", "its own words"),
        ("2026-12-01 04:15 UTC", "1 Desember 2026 pukul 04.15 UTC"),
        ("2026-13-41", "2026-13-41"),
        ("demo judge, a rule and no language model: 2 of 3 required facts are stated", None),
    ],
)
def test_a_sentence_with_gaps_is_said_in_indonesian_and_an_unknown_one_stays(english: str, indonesian: str | None) -> None:
    expected = indonesian or "juri peragaan, sebuah aturan dan bukan model bahasa: 2 dari 3 fakta wajib disebut"
    assert in_indonesian(english) == expected


def test_a_known_finding_is_said_beside_an_unknown_one() -> None:
    assert in_indonesian("missing 'a' · judge: Kurang lengkap; hmm") == "tidak menyebut ‘a’ · juri: Kurang lengkap; hmm"


@given(st.text())
def test_any_text_has_a_translation_and_english_is_left_alone(text: str) -> None:
    assert isinstance(in_indonesian(text), str)
    assert translator(Language.ENGLISH)(text) == text


@pytest.mark.parametrize(("english", "indonesian"), list(sentences("id").items()))
def test_a_sentence_keeps_its_gaps(english: str, indonesian: str) -> None:
    assert set(GAPS.findall(english)) >= set(GAPS.findall(indonesian))
    assert set(GAPS.findall(english)) - set(GAPS.findall(indonesian)) <= ({"s", "what", "n"} if "[Errno" in english else {"s", "what"})
    text_gaps = [name for name in GAPS.findall(english) if len(name) > 1]
    assert len(text_gaps) <= 3, "a sentence with many gaps takes long to recognise"


def test_a_long_answer_is_no_sentence_and_is_not_looked_at() -> None:
    text = "missing '" + "x" * languages.LONGEST + "'"
    assert in_indonesian(text) == text


def test_the_day_is_that_of_utc() -> None:
    assert date_in_words(datetime.fromisoformat("2026-12-02T03:00:00+07:00"), "id") == "1 Desember 2026"
    assert date_in_words(datetime(2026, 12, 1), "en") == date_in_words(datetime(2026, 12, 1, tzinfo=UTC))  # as stores give them
