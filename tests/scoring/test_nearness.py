from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goldenlib.answers import EvidenceKind
from goldenlib.folding import fold
from goldenlib.items import Expected
from goldenlib.scoring.facts import check_facts
from goldenlib.scoring.nearness import bare, join, loosen


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
    # what groups digits in the phrase alone, and is not in the answer at all
    ("biaya Rp75000 ya", "Rp75.000", "rp75000"),
    ("Rp1000000", "Rp1.000.000", "rp1000000"),
    ("Rp1.000.000", "Rp1000000", "rp1.000.000"),
    ("suratmenyurat", "surat menyurat", "suratmenyurat"),
    ("Rp75\u00b7000", "Rp75.000", "rp75\u00b7000"),
    ("Rp75_000", "Rp75.000", "rp75_000"),
    ("Rp75{.}000", "Rp75.000", "rp75{.}000"),
    ("Rp75<img src=x>.000", "Rp75.000", "rp75<img src=x>.000"),
    ("Rp75<x-y>.000</x-y>", "Rp75.000", "rp75<x-y>.000</x-y>"),
    # references of characters whose names have capitals, and those that nobody sees
    ("akta no&ZeroWidthSpace;taris", "akta notaris", "akta no&zerowidthspace;taris"),
    ("akta no&#8203;taris", "akta notaris", "akta no&#8203;taris"),
    ("akta&NonBreakingSpace;notaris", "akta notaris", "akta&nonbreakingspace;notaris"),
    ("akta no\u2800taris", "akta notaris", "akta no taris"),
    # highlights, letters of other shapes, lines drawn through and under, colours of a terminal
    ("akta ==notaris==", "akta notaris", "akta ==notaris=="),
    ("wajib \U0001d5ef\U0001d5ee\U0001d606\U0001d5ee\U0001d5ff", "wajib bayar", "wajib \U0001d5ef\U0001d5ee\U0001d606\U0001d5ee\U0001d5ff"),
    ("wajib \u24d1ayar", "wajib bayar", "wajib \u24d1ayar"),
    ("Rp\u0667\u0665\u066c\u0660\u0660\u0660", "Rp75.000", "rp\u0667\u0665\u066c\u0660\u0660\u0660"),
    ("no\u0332t\u0332aris", "notaris", "no\u0332t\u0332aris"),
    ("no\u0336taris", "notaris", "no\u0336taris"),
    ("no\x1b[31mtaris", "notaris", "no\x1b[31mtaris"),
    ("no\x1b]8;;http://x.example\x07taris", "notaris", "no\x1b]8;;http://x.example\x07taris"),
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
    ("a=b", "ab"),
    ("10\u2076", "106"),
    ("Rp175000", "Rp75.000"),
    ("Rp750001", "Rp75.000"),
    ("Rp75.500", "Rp75.000"),
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


@pytest.mark.parametrize(("answer", "phrase"), [row[:2] for row in NEAR])
def test_a_near_miss_is_remarked_on_whether_the_phrase_is_required_or_forbidden(answer: str, phrase: str) -> None:
    """Contract 4.1."""
    for expected in (Expected(must_include=(phrase,)), Expected(must_not_include=(phrase,))):
        score = check_facts(expected, answer)
        assert score is not None
        assert any(part.kind is EvidenceKind.NEAR_MISS for part in score.evidence)


def test_plain_prose_is_told_apart_by_its_letters_alone() -> None:
    assert bare(fold("Pendiri harus WNI, berusia minimal 17 tahun, dan hanya satu orang; lihat pasal 153A.")) is not None


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
    "\x1b[",
    "\x1b]",
    "=",
    "{",
    "\u0332",
    "\U0001d5ef",
    "75_000",
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
