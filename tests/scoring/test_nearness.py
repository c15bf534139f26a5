from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goldenlib.folding import fold
from goldenlib.scoring.nearness import loosen, may_hide_a_phrase


def near(answer: str, phrase: str) -> str | None:
    """The words of the folded answer that come near the phrase."""
    folded = fold(answer)
    span = loosen(folded).find(loosen(fold(phrase)))
    return None if span is None else folded[slice(*span)]


NEAR = [
    # emphasis, which is shown with its marks
    ("minimal **17** tahun", "17 tahun", "**17** tahun"),
    ("berusia minimal **17 tahun** dan", "berusia minimal 17 tahun", "berusia minimal **17 tahun**"),
    ("_satu_ orang", "satu orang", "_satu_ orang"),
    ("***tidak*** ~~wajib~~ akta", "tidak wajib akta", "***tidak*** ~~wajib~~ akta"),
    ("`17` tahun", "17 tahun", "`17` tahun"),
    ("PT**Perorangan**", "PTPerorangan", "pt**perorangan**"),
    ("lihat [17 tahun](https://x.example/a_b) ya", "lihat 17 tahun ya", "lihat [17 tahun](https://x.example/a_b) ya"),
    ("| biaya | Rp50.000 |", "biaya Rp50.000", "biaya | rp50.000"),
    # quotes and dashes
    ("“wajib” akta", '"wajib" akta', "“wajib” akta"),
    ("kata \u2018wajib\u2019", "kata 'wajib'", "kata \u2018wajib\u2019"),
    ("Jum\u2019at", "Jum'at", "jum\u2019at"),
    ('"wajib" akta', "wajib akta", '"wajib" akta'),
    ("e\u2011KTP", "e-KTP", "e\u2011ktp"),
    ("2020–2024", "2020-2024", "2020–2024"),
    ("2020 — 2024", "2020-2024", "2020 — 2024"),
    ("2020-2024", "2020 \u2212 2024", "2020-2024"),
    # figures
    ("Rp50,000", "Rp50.000", "rp50,000"),
    ("Rp 50 000 saja", "Rp50.000", "rp 50 000"),
    ("Rp\u00a050.000", "Rp50.000", "rp 50.000"),
    ("Rp. 50.000,-", "Rp50.000", "rp. 50.000,-"),
    ("Rp 1.500.000", "Rp1,500,000", "rp 1.500.000"),
    ("CHF 50'000", "CHF 50.000", "chf 50'000"),
    ("**Rp** 50.000", "Rp50.000", "**rp** 50.000"),
    ("Rp**50**.000", "Rp50.000", "rp**50**.000"),
    # other shapes of the same letters
    ("１７ tahun", "17 tahun", "１７ tahun"),
    ("**Notiﬁkasi** dikirim", "notifikasi dikirim", "**notifikasi** dikirim"),
    # marks in the phrase itself
    ("tidak wajib akta", "**tidak** wajib akta", "tidak wajib akta"),
    ('kata "PT" saja', "“PT”", '"pt"'),
]
NOT_NEAR = [
    # a number of its own, not the end or the beginning of another
    ("Rp150,000", "50.000"),
    ("Rp50,000,000", "Rp50.000"),
    ("1,5 persen", "1.5 persen"),
    ("1,5", "15"),
    ("1.50", "150"),
    ("1.5000", "15000"),
    # signs that mean something
    ("snake_case", "snakecase"),
    ("2*3", "23"),
    ("2**3", "23"),
    ("10²", "102"),
    ("C", "C#"),
    ("nama", "N/A"),
    # a phrase that is bounded by a mark is not found inside a word
    ("adaptor", '"PT"'),
    ("kapten", "*pt*"),
    # nothing but marks
    ("**tebal**", "__"),
    ("apa saja", '""'),
    # other words
    ("Rp50.000", "Rp55.000"),
    ("WNI", "WNA"),
    ("50 ribu", "50.000"),
    ("", "a"),
]


@pytest.mark.parametrize(("answer", "phrase", "words"), NEAR)
def test_what_differs_in_its_marks_only_is_near(answer: str, phrase: str, words: str) -> None:
    assert near(answer, phrase) == words


@pytest.mark.parametrize(("answer", "phrase"), NOT_NEAR)
def test_what_says_something_else_is_not_near(answer: str, phrase: str) -> None:
    assert near(answer, phrase) is None


def test_a_place_that_cuts_a_number_does_not_hide_a_later_one() -> None:
    assert near("Rp150,000 atau Rp 50,000", "50.000") == "50,000"


@pytest.mark.parametrize(("answer", "phrase", "words"), [row for row in NEAR if fold(row[1]) == loosen(fold(row[1])).text])
def test_an_answer_with_a_near_miss_is_looked_at_closely(answer: str, phrase: str, words: str) -> None:
    assert may_hide_a_phrase(fold(answer)) or words == fold(phrase)


def test_plain_prose_is_not_looked_at_closely() -> None:
    assert not may_hide_a_phrase(fold("Pendiri harus WNI, berusia minimal 17 tahun, dan hanya satu orang; lihat pasal 153A."))


marked = st.text(st.sampled_from("ab 019.,-*_~`'\"|[]()“”’–ﬁ１rp\u2011"), max_size=40)


@given(marked)
def test_each_character_keeps_its_place(text: str) -> None:
    folded = fold(text)
    loosened = loosen(folded)
    assert len(loosened.places) == len(loosened.text)
    assert loosened.places == sorted(loosened.places)
    assert all(0 <= place < len(folded) for place in loosened.places)


@given(marked, marked)
def test_a_near_miss_is_in_the_answer_and_says_the_phrase_but_for_its_marks(answer: str, phrase: str) -> None:
    words = near(answer, phrase)
    if words is not None:
        assert words in fold(answer)
        assert loosen(fold(phrase)).text in loosen(fold(answer)).text


@given(marked)
@example("a - b")
def test_what_cannot_hide_a_phrase_is_left_as_it_is(text: str) -> None:
    folded = fold(text)
    if not may_hide_a_phrase(folded):
        assert loosen(folded).text == folded
