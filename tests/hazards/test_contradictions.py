"""Contradictions within one contract."""

from __future__ import annotations

import pytest

from goldenlib.hazards import Severity
from tests.hazards.contracts import a_contract, codes, found, severity_of

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


def test_the_same_phrase_in_both_lists_can_never_pass() -> None:
    assert severity_of(a_contract(["Surat Pernyataan"], ["surat  pernyataan"]), "in-both-lists") is ERROR


@pytest.mark.parametrize(
    ("required", "forbidden"),
    [
        ("Rp50.000", "Rp 50.000"),
        ("10 Juli 2026", "2026-07-10"),
        ("umur", "usia"),
        ("WNI", "warga negara Indonesia"),
        ("30 hari", "tiga puluh hari"),
        ("30%", "30 persen"),
        ("e-KTP", "e\u2011KTP"),
        ("UU 40/2007", "UU No. 40 Tahun 2007"),
    ],
)
def test_the_same_fact_in_two_spellings_must_not_stand_in_both_lists(required: str, forbidden: str) -> None:
    finding = found(a_contract([required], [forbidden]), "in-both-lists")[forbidden]
    assert finding.severity is WARNING
    assert required in finding.message


@pytest.mark.parametrize(("required", "forbidden"), [("Rp50.000", "Rp500.000"), ("umur", "biaya"), ("1,5", "1.500")])
def test_different_facts_may_stand_in_the_two_lists(required: str, forbidden: str) -> None:
    assert "in-both-lists" not in codes(a_contract([required], [forbidden]))


def test_the_new_name_of_an_office_may_be_required_and_the_old_one_forbidden() -> None:
    assert "in-both-lists" not in codes(a_contract(["Kementerian Hukum"], ["Kemenkumham"]))


def test_a_limit_in_both_words_says_the_same() -> None:
    assert found(a_contract(["minimal 2 orang"], ["paling sedikit 2 orang"]), "in-both-lists")


def test_a_forbidden_phrase_inside_a_required_one_can_never_pass() -> None:
    item = a_contract(["tidak wajib akta notaris"], ["wajib akta notaris"])
    assert found(item, "forbidden-in-required")["wajib akta notaris"].severity is ERROR
    assert "in-both-lists" not in codes(item)


def test_a_required_phrase_inside_a_forbidden_one_proves_nothing() -> None:
    item = a_contract(["laman resmi"], ["bukan laman resmi"])
    assert found(item, "required-in-forbidden")["laman resmi"].severity is WARNING


def test_a_phrase_twice_in_a_list_is_told_once() -> None:
    item = a_contract(["cakap hukum", "Cakap  Hukum"])
    assert list(found(item, "duplicate-phrase")) == ["Cakap  Hukum"]
    assert "contained-phrase" not in codes(item)


@pytest.mark.parametrize(
    ("first", "second"), [("17 tahun", "tujuh belas tahun"), ("WNI", "warga negara Indonesia"), ("Rp50.000", "Rp 50 ribu")]
)
def test_one_fact_required_in_two_spellings_is_no_choice(first: str, second: str) -> None:
    finding = found(a_contract([first, second]), "duplicate-phrase")[second]
    assert finding.severity is WARNING
    assert first in finding.message
    assert "duplicate-phrase" not in codes(a_contract(forbidden=[first, second]))


def test_a_spelling_that_holds_the_other_is_required_for_nothing_new() -> None:
    assert "duplicate-phrase" not in codes(a_contract(["gratis", "gratis selamanya"]))


def test_the_shorter_of_two_required_phrases_is_no_use() -> None:
    assert found(a_contract(["warga negara", "warga negara Indonesia"]), "contained-phrase")["warga negara"].severity is NOTE


def test_of_two_forbidden_phrases_the_longer_is_no_use() -> None:
    finding = found(a_contract(forbidden=["laba dibagi", "laba dibagi rata"]), "contained-phrase")["laba dibagi"]
    assert "already forbids" in finding.message


def test_the_own_answer_must_satisfy_the_contract() -> None:
    item = a_contract(["penerima"], ["akta notaris"], answer="Mereka berhak menerima, tanpa akta notaris.")
    assert list(found(item, "missing-from-own-answer")) == ["penerima"]
    assert list(found(item, "forbidden-in-own-answer")) == ["akta notaris"]


def test_without_an_own_answer_nothing_is_missing_from_it() -> None:
    assert not codes(a_contract(["penerima bantuan"])) & {"missing-from-own-answer", "forbidden-in-own-answer"}


def test_sides_of_a_fact_that_do_not_meet_are_no_contradiction() -> None:
    item = a_contract(["tidak wajib akta notaris"], ["PT perorangan wajib akta notaris"])
    assert not codes(item) & {"forbidden-in-required", "required-in-forbidden", "in-both-lists"}
