from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goldenlib.folding import fold
from goldenlib.scoring.nearness import bare, join, loosen, may_hide_a_phrase


def near(answer: str, phrase: str) -> str | None:
    """The words of the folded answer that come near the phrase."""
    folded = fold(answer)
    loosened, wanted = loosen(folded), loosen(fold(phrase))
    span = loosened.find(wanted) or join(loosened).find(join(wanted))
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
    # markup, as it comes where nobody made a page of it (fd-042)
    ("akta <b>notaris</b>", "akta notaris", "akta <b>notaris</b>"),
    ("akta <b>no</b>taris", "akta notaris", "akta <b>no</b>taris"),
    ("<li>akta</li><li>notaris</li>", "akta notaris", "akta</li><li>notaris"),
    ("akta <!-- x --> notaris", "akta notaris", "akta <!-- x --> notaris"),
    ("akta&nbsp;notaris", "akta notaris", "akta&nbsp;notaris"),
    ("akta&#160;notaris", "akta notaris", "akta&#160;notaris"),
    ("akta no&shy;taris", "akta notaris", "akta no&shy;taris"),
    ("PT &amp; CV", "PT & CV", "pt &amp; cv"),
    ("sewa &quot;tanah&quot; negara", "sewa tanah negara", "sewa &quot;tanah&quot; negara"),
    ("akta<br>notaris", "akta notaris", "akta<br>notaris"),
    ("akta<br/>\nnotaris", "akta notaris", "akta<br/> notaris"),
    ("akta\\\nnotaris", "akta notaris", "akta\\ notaris"),
    ("Rp50\\.000", "Rp50.000", "rp50\\.000"),
    ("akta\\_notaris", "akta_notaris", "akta\\_notaris"),
    ("akta[^2] notaris", "akta notaris", "akta[^2] notaris"),
    ("akta [1] notaris", "akta notaris", "akta [1] notaris"),
    ("akta[1][2] notaris", "akta notaris", "akta[1][2] notaris"),
    ("akta\u30104:0\u2020sumber\u3011 notaris", "akta notaris", "akta\u30104:0\u2020sumber\u3011 notaris"),
    ("akta\u00b2 notaris", "akta notaris", "akta\u00b2 notaris"),
    ("akta<sup>2</sup> notaris", "akta notaris", "akta<sup>2</sup> notaris"),
    ("akta\x00 notaris", "akta notaris", "akta\x00 notaris"),
    ("akta \u202enotaris\u202c", "akta notaris", "akta \u202enotaris"),
    # what begins a line, and what ends one
    ("> akta\n> notaris", "akta notaris", "akta > notaris"),
    (">> akta\n>> notaris", "akta notaris", "akta >> notaris"),
    ("1. akta\n2. notaris", "akta notaris", "akta 2. notaris"),
    ("a) akta\n2) notaris", "akta notaris", "akta 2) notaris"),
    ("- akta\n- notaris", "akta notaris", "akta - notaris"),
    ("* akta\n* notaris", "akta notaris", "akta * notaris"),
    ("\u2022 akta\n\u2022 notaris", "akta notaris", "akta \u2022 notaris"),
    ("## akta\n## notaris", "akta notaris", "akta ## notaris"),
    ("akta no-\ntaris", "akta notaris", "akta no- taris"),
    ("akta no\u2010\ntaris", "akta notaris", "akta no\u2010 taris"),
    # a dash that is there or not (fd-043)
    ("surat menyurat", "surat-menyurat", "surat menyurat"),
    ("surat-menyurat", "surat menyurat", "surat-menyurat"),
    ("nonaktif", "non-aktif", "nonaktif"),
    ("non-aktif", "nonaktif", "non-aktif"),
    ("on-line", "online", "on-line"),
    ("e-mail", "email", "e-mail"),
    ("layanan on–line", "layanan online", "layanan on–line"),
    ("surat-menyurat secara online", "surat menyurat secara on-line", "surat-menyurat secara online"),
    ("ke-2", "ke 2", "ke-2"),
    ("akta akta", "akta-akta", "akta akta"),
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
    # where a dash or a blank keeps figures or words apart
    ("2020-2024", "20202024"),
    ("17 18", "1718"),
    ("-5 persen", "5-5 persen"),
    ("suhu -5", "suhu5"),
    ("100 m\u00b2 tanah", "100 m tanah"),
    ("5 km\u00b2 lahan", "5 km lahan"),
    ("suhu -5", "suhu 5"),
    ("usia > 17", "usia 17"),
    ("dapat-lah anda", "pt-a"),
    ("rapi - kandang", "rap-ikan"),
    ("a < b dan c > d", "a d"),
    ("AT&T", "ATT"),
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
    assert may_hide_a_phrase(fold(answer)) or words == fold(phrase) or "-" in phrase


def test_plain_prose_is_not_looked_at_closely() -> None:
    assert not may_hide_a_phrase(fold("Pendiri harus WNI, berusia minimal 17 tahun, dan hanya satu orang; lihat pasal 153A."))


marked = st.text(st.sampled_from("ab 0>#<&;\\\x0019.,-*_~`'\"|[]()“”’–ﬁ１rp\u2011"), max_size=40)


@given(marked)
def test_each_character_keeps_its_place(text: str) -> None:
    folded = fold(text)
    for loosened in (loosen(folded), join(loosen(folded))):
        assert len(loosened.places) == len(loosened.text)
        assert loosened.places == sorted(loosened.places)
        assert all(0 <= place < len(folded) for place in loosened.places)


@given(marked, marked)
def test_a_near_miss_is_in_the_answer_and_says_the_phrase_but_for_its_marks(answer: str, phrase: str) -> None:
    words = near(answer, phrase)
    if words is not None:
        assert words in fold(answer)
        assert join(loosen(fold(phrase))).text in join(loosen(fold(answer))).text or loosen(fold(phrase)).text in loosen(fold(answer)).text


@given(marked, marked)
@example("2. a", "a")
def test_a_near_miss_has_the_same_letters(answer: str, phrase: str) -> None:
    letters, wanted = bare(fold(answer)), bare(fold(phrase))
    if letters is not None and wanted is not None and wanted not in letters:
        assert near(answer, phrase) is None


@given(marked)
@example("a - b")
def test_what_cannot_hide_a_phrase_is_left_as_it_is(text: str) -> None:
    folded = fold(text)
    if not may_hide_a_phrase(folded):
        assert loosen(folded).text == folded


UNITS = [
    "&amp;",
    "&",
    "<a ",
    "<!--",
    "<a<",
    "[^",
    "\u3010",
    "\\",
    "1. ",
    "> ",
    ">",
    "# ",
    "#",
    "- ",
    "-",
    "a-b ",
    "1-",
    "\x00",
    "&#1",
    "\u2022 ",
    " 1)",
    "[1]",
    " ",
]


@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_the_cost_of_a_closer_look_grows_with_the_length_only(unit: str) -> None:
    def seconds(length: int) -> float:
        text = unit * (length // len(unit)) + "x"
        started = time.process_time()
        join(loosen(text)).find(join(loosen("zzz")))
        return time.process_time() - started

    assert min(seconds(20_000) for _ in range(2)) < 1
    assert seconds(40_000) < 2
