"""Spellings: how amounts, numbers, dates and words may be written otherwise."""

from __future__ import annotations

import pytest

from goldenlib.hazards import WordList, spellings


@pytest.mark.parametrize(
    ("phrase", "other"),
    [
        ("rp50.000", "rp 50.000"),
        ("rp50.000", "50 ribu rupiah"),
        ("rp1 miliar", "rp1.000.000.000"),
        ("rp1,5 miliar", "rp1.500.000.000"),
        ("50 juta", "rp50.000.000"),
        ("usd 100", "usd100"),
        ("rp50,000", "rp 50,000"),
        ("idr 50,000", "rp50.000"),
        ("rp50.000,00", "rp50.000"),
        ("50rb", "rp50.000"),
        ("500 jt", "500 juta"),
        ("rp5jt", "5 juta rupiah"),
        ("rp1,5m", "rp1.500.000.000"),
    ],
)
def test_an_amount_is_spelled_in_other_ways(phrase: str, other: str) -> None:
    assert other in spellings.currency(phrase).variants


def test_a_decimal_comma_is_never_taken_for_a_group() -> None:
    assert not any("15" in variant for variant in spellings.currency("rp1,5").variants)
    assert not any("1.500 " in variant for variant in spellings.currency("rp1,5 miliar").variants)


def test_a_number_is_spelled_in_other_ways() -> None:
    assert spellings.grouped("12.408 berkas").variants == ("12408 berkas", "12,408 berkas")


def test_a_date_is_spelled_in_other_ways() -> None:
    variants = spellings.dated("sejak 10 juli 2026").variants
    assert {"sejak 10/07/2026", "sejak 2026-07-10", "sejak july 10, 2026"} <= set(variants)


@pytest.mark.parametrize(
    "phrase", ["2026-07-10", "10/07/2026", "10-07-2026", "july 10, 2026", "10 july 2026", "10 jul 2026", "jul. 10th, 2026"]
)
def test_every_date_can_be_spelled_as_regulations_do(phrase: str) -> None:
    assert "10 juli 2026" in spellings.dated(phrase).variants


def test_a_doubled_number_is_told_apart() -> None:
    assert spellings.doubled("60 (enam puluh) hari").variants == ("60 hari", "enam puluh hari")


@pytest.mark.parametrize(
    ("phrase", "other"),
    [
        ("usia tujuh belas tahun", "usia 17 tahun"), ("seratus dua puluh lima hari", "125 hari"),
        ("lima puluh ribu rupiah", "50.000 rupiah"),
        ("dua ratus lima puluh juta rupiah", "rp250.000.000"), ("sebelas orang", "11 (sebelas) orang"), ("thirty days", "30 days"),
        ("lima (5) tahun", "5 tahun"), ("twenty one years", "21 years"), ("dua persen", "2 persen"),
    ],
)  # fmt: skip
def test_a_number_in_words_is_spelled_in_figures(phrase: str, other: str) -> None:
    assert other in spellings.doubled(phrase).variants


@pytest.mark.parametrize(
    ("phrase", "other"),
    [
        ("uu nomor 40 tahun 2007", "uu no. 40 tahun 2007"), ("uu 40/2007", "uu nomor 40 tahun 2007"),
        ("pasal 7 ayat (1)", "pasal 7 ayat 1"),
        ("pasal 7 ayat 1", "pasal 7 ayat (1)"), ("pp no 8 tahun 2021", "pp 8/2021"),
    ],
)  # fmt: skip
def test_a_regulation_is_cited_in_other_ways(phrase: str, other: str) -> None:
    assert other in spellings.cited(phrase).variants


@pytest.mark.parametrize(
    ("phrase", "other"), [("3-5 hari", "3 sampai 5 hari"), ("3 s.d. 5 hari", "3-5 hari"), ("2020-2024", "2020\u20132024")]
)
def test_a_range_is_spelled_in_other_ways(phrase: str, other: str) -> None:
    assert other in spellings.ranged(phrase).variants


def test_an_abbreviation_and_its_long_form_know_each_other() -> None:
    assert spellings.synonyms("wni").variants == ("warga negara indonesia",)
    assert spellings.synonyms("warga negara indonesia").variants == ("wni",)


def test_forms_are_real_words_the_most_common_first() -> None:
    words = WordList.load()
    variants = spellings.affixed("mendirikan", words).variants
    frequencies = [words.frequency(variant) for variant in variants]
    assert all(variant in words for variant in variants)
    assert frequencies == sorted(frequencies, reverse=True)


@pytest.mark.parametrize(
    ("word", "form"),
    [("kepemilikan", "memiliki"), ("keterlambatan", "terlambat"), ("perpanjangan", "diperpanjang"), ("memperpanjang", "perpanjangan")],
)
def test_two_prefixes_are_taken_apart(word: str, form: str) -> None:
    assert form in spellings.affixed(word, WordList.load()).variants


def test_no_stemming_of_what_only_looks_affixed() -> None:
    assert "ikan" not in spellings.affixed("memberikan", WordList.load()).variants


@pytest.mark.parametrize(
    "spell",
    [spellings.currency, spellings.grouped, spellings.dated, spellings.doubled, spellings.synonyms, spellings.cited, spellings.ranged],
)
@pytest.mark.parametrize(
    "phrase",
    ["rp" + "1" * 5000, "1." * 500, "(" * 50, "99 juli 0000", "0", "rp", "000", "ribu", "belas ratus juta orang", "satu " * 99],
    ids=lambda it: it[:8],
)
def test_odd_numbers_are_let_be(spell: spellings.Spelling, phrase: str) -> None:
    assert phrase not in spell(phrase).variants
