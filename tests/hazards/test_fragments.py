"""Fragments: hits inside other words, numbers and codes."""

from __future__ import annotations

import pytest

from goldenlib.hazards import Severity, StoredEvidence, WordList
from tests.hazards.contracts import CLEAN, a_contract, codes, found, lint, severity_of, stored

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


# --- words ---


def test_a_forbidden_abbreviation_shows_the_real_words_it_hits() -> None:
    finding = found(a_contract(forbidden=["PT"]), "short-fragment")["PT"]
    assert finding.severity is WARNING
    assert "kapten" in finding.evidence[0]
    assert "menciptakan" in finding.message


def test_the_words_that_are_hit_come_most_common_first() -> None:
    words = WordList.load()
    shown = words.inside("tidak").words
    frequencies = [words.frequency(word) for word in shown if word in shown]
    assert frequencies == sorted(frequencies, reverse=True)


def test_tidak_is_found_inside_ketidakpastian() -> None:
    assert "ketidakpastian" in found(a_contract(forbidden=["tidak"]), "short-fragment")["tidak"].evidence[0]


def test_a_word_is_no_hit_in_itself() -> None:
    assert "short-fragment" not in codes(a_contract(["optik"]))
    assert "optik" not in WordList.load().inside("optik").words


def test_an_everyday_fragment_that_is_forbidden_can_never_pass() -> None:
    assert severity_of(a_contract(forbidden=["an"]), "short-fragment") is ERROR


def test_a_forbidden_abbreviation_that_the_question_is_about_can_never_pass() -> None:
    assert severity_of(a_contract(forbidden=["PT"], question="Apa syarat mendirikan PT?"), "short-fragment") is ERROR


def test_a_required_fragment_of_rare_words_is_only_a_note() -> None:
    assert severity_of(a_contract(["WNI"]), "short-fragment") is NOTE


def test_a_required_fragment_of_common_words_is_a_warning() -> None:
    assert severity_of(a_contract(["akta"]), "short-fragment") is WARNING
    assert "fakta" in found(a_contract(["akta"]), "short-fragment")["akta"].evidence[0]


def test_the_affixed_forms_of_a_required_word_are_no_hits() -> None:
    assert "short-fragment" not in codes(a_contract(["wajib"], question="Apa?"))


@pytest.mark.parametrize(
    ("word", "opposite"), [("official", "unofficial"), ("valid", "invalid"), ("legal", "ilegal"), ("aktif", "nonaktif")]
)
def test_a_required_word_inside_its_opposite_is_a_warning(word: str, opposite: str) -> None:
    finding = found(a_contract([word]), "short-fragment")[word]
    assert finding.severity is WARNING
    assert opposite in finding.message


@pytest.mark.parametrize("phrase", ["satu orang", "akta pendirian", "PT perorangan", "cakap hukum"])
def test_phrases_of_several_words_are_no_fragments(phrase: str) -> None:
    assert "short-fragment" not in codes(a_contract([phrase]))
    assert "short-fragment" not in codes(a_contract(forbidden=[phrase]))


def test_words_of_the_language_of_the_question_come_first() -> None:
    english = found(a_contract(forbidden=["pt"], question="What is the fee of a certificate?"), "short-fragment")["pt"]
    assert english.evidence[0].index("except") < english.evidence[0].index("menciptakan")


def test_without_a_word_list_short_phrases_are_still_found_and_it_says_so() -> None:
    finding = found(a_contract(forbidden=["PT"]), "short-fragment", words=None)["PT"]
    assert finding.severity is WARNING
    assert any("word list is not installed" in line for line in finding.evidence)


def test_what_stored_answers_say_is_shown() -> None:
    evidence = StoredEvidence([*stored("Kapten kapal itu.", item_id="b"), *stored("Tidak ada.", item_id="c", passed=False)])
    finding = found(a_contract(forbidden=["PT"]), "short-fragment", evidence=evidence)["PT"]
    assert "in 1 of 2 stored answers to all items; 1 of them passed" in finding.evidence


@pytest.mark.parametrize("word", ["tidak", "dapat", "gratis"])
def test_a_single_everyday_word_must_not_be_forbidden(word: str) -> None:
    assert severity_of(a_contract(forbidden=[word]), "common-word") is WARNING


def test_a_single_everyday_word_proves_nothing() -> None:
    assert severity_of(a_contract(["dapat"]), "common-word") is WARNING


def test_one_general_word_alone_is_a_weak_contract() -> None:
    assert severity_of(a_contract(["dokumen"], rubric=""), "common-word") is WARNING
    assert severity_of(a_contract(["dokumen"]), "common-word") is NOTE
    assert "common-word" not in codes(a_contract(["dokumen", CLEAN], rubric=""))


def test_a_word_of_the_trade_is_not_everyday() -> None:
    assert "common-word" not in codes(a_contract(["notaris", "apostille"]))


# --- numbers ---


@pytest.mark.parametrize(
    "phrase",
    [
        "5 tahun",
        "17 tahun",
        "Rp5",
        "Rp52",
        "Pasal 7",
        "17",
        "144",
        "1.5",
        "25%",
        "3 hari kerja",
        "1 Januari 2025",
        "1 Jan 2025",
        "8:00",
        "semester ke-2",
    ],
)
def test_a_number_at_the_edge_is_a_warning(phrase: str) -> None:
    assert severity_of(a_contract([phrase]), "edge-digits") is WARNING


@pytest.mark.parametrize("phrase", ["Rp50.000", "Pasal 109", "150 hari", "2017", "mencapai umur 19", "berusia 17"])
def test_a_number_that_is_rarely_part_of_another_is_a_note(phrase: str) -> None:
    assert severity_of(a_contract([phrase]), "edge-digits") is NOTE


@pytest.mark.parametrize(
    "phrase",
    [
        "berusia minimal 17 tahun", "paling lama 5 tahun", "60 (enam puluh) hari", "Rp50.000 per dokumen", "Pasal 7 ayat (1)",
        "Nomor 40 Tahun 2007", "10 Juli 2026", "021-5255049", "pukul 08.00 WIB", "3171234567890001", "e-KTP", "2020-2024",
        "11 Jan 2025", "18:00", "pukul 08.00", "Rp50.000,00", "31.12.2024", "...",
    ],
)  # fmt: skip
def test_a_number_that_is_bounded_is_no_hazard(phrase: str) -> None:
    assert "edge-digits" not in codes(a_contract([phrase]))


def test_the_longer_number_is_shown() -> None:
    assert "Rp50" in found(a_contract(["Rp5"]), "edge-digits")["Rp5"].message
    assert "2017" in found(a_contract(["17"]), "edge-digits")["17"].evidence[0]


def test_what_is_shown_really_contains_the_phrase() -> None:
    for phrase in ("5 tahun", "Rp5", "17", "1.5", "Rp50.000", "IDR 50,000", "50.000", "versi 1.5"):
        texts = found(a_contract([phrase]), "edge-digits")[phrase].evidence[0].removeprefix("also matches: ")
        assert all(phrase in text for text in texts.split(", "))


def test_a_forbidden_bare_number_is_a_warning_and_one_with_its_unit_a_note() -> None:
    assert severity_of(a_contract(forbidden=["256"]), "forbidden-number") is WARNING
    assert severity_of(a_contract(forbidden=["Rp100.000"]), "forbidden-number") is NOTE
    assert "forbidden-number" not in codes(a_contract(forbidden=["biayanya Rp100.000"]))
    assert "forbidden-number" not in codes(a_contract(["256"]))


# --- codes ---


def test_one_code_of_law_is_found_in_another() -> None:
    assert "KUHPERDATA" in found(a_contract(["menurut KUHP"]), "edge-code")["menurut KUHP"].message
    assert severity_of(a_contract(["menurut KUHP"]), "edge-code") is WARNING
    assert severity_of(a_contract(["Pasal 264 KUHP"]), "edge-code") is NOTE


@pytest.mark.parametrize("phrase", ["PKWT", "perjanjian PKWT"])
def test_pkwt_is_found_in_pkwtt(phrase: str) -> None:
    finding = found(a_contract([phrase]), "edge-code")[phrase]
    assert "PKWTT" in finding.message
    assert "perjanjian kerja waktu tidak tertentu" in finding.evidence[0]


@pytest.mark.parametrize("phrase", ["keputusan RUPS", "PKWT untuk pekerjaan musiman", "akta PT", "kerja waktu tertentu (PKWT)"])
def test_a_code_that_is_bounded_or_of_the_same_kind_is_no_hazard(phrase: str) -> None:
    assert "edge-code" not in codes(a_contract([phrase]))


@pytest.mark.parametrize(("phrase", "longer"), [("Kelas II", "Kelas III"), ("Pasal I", "Pasal II"), ("Bab V", "Bab VI")])
def test_a_roman_numeral_is_found_in_longer_ones(phrase: str, longer: str) -> None:
    finding = found(a_contract([phrase]), "edge-code")[phrase]
    assert finding.severity is WARNING
    assert longer in finding.message


@pytest.mark.parametrize("phrase", ["SIM A", "vitamin C", "golongan B"])
def test_a_single_letter_at_the_end_begins_other_words(phrase: str) -> None:
    finding = found(a_contract([phrase]), "edge-code")[phrase]
    assert finding.severity is WARNING
    assert f"{phrase}" in finding.message


@pytest.mark.parametrize(
    "phrase", ["Kelas III", "Bab IV", "Kelas II untuk umum", "Budi dan Ani", "what should i", "SIM A umum", "a & b", "ayat (2) huruf b"]
)
def test_a_roman_numeral_that_is_bounded_is_no_hazard(phrase: str) -> None:
    assert "edge-code" not in codes(a_contract([phrase]))


@pytest.mark.parametrize("phrase", ["-", "%", "...", "\u2013"])
def test_a_phrase_of_signs_alone_is_a_fragment(phrase: str) -> None:
    assert severity_of(a_contract(forbidden=[phrase]), "short-fragment") is WARNING
    assert severity_of(a_contract([phrase]), "short-fragment") is NOTE
    assert f"characters: {len(phrase)}" in found(a_contract([phrase]), "short-fragment")[phrase].message


def test_a_short_code_is_told_once() -> None:
    assert [finding.code for finding in lint(a_contract([CLEAN], ["UU"]))].count("edge-code") == 0
