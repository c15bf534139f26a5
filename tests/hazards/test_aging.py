"""Figures that age, and items that nobody signed."""

from __future__ import annotations

import pytest

from goldenlib.hazards import Severity
from tests.hazards.contracts import a_contract, codes, found, severity_of

AGING = [
    "Rp150.000 per dokumen",
    "sebesar 50 ribu",
    "mulai 10 Juli 2026",
    "sejak November 2023",
    "saat ini gratis",
    "USD 100",
    "per 2026-07-10",
    "biaya 50rb",
    "Rp5jt per akta",
    "sejak 31-12-2025",
    "mulai 1 Jan 2026",
    "minggu ini",
    "PPN 12%",
    "bunga 6 persen per tahun",
    "lima juta rupiah",
    "UMP DKI Jakarta 2026",
    "mulai tahun 2026",
    "tahun depan",
]


@pytest.mark.parametrize("phrase", AGING)
def test_fees_dates_and_now_age(phrase: str) -> None:
    assert severity_of(a_contract([phrase]), "ages") is Severity.NOTE
    assert severity_of(a_contract([phrase], verified=True), "ages") is Severity.WARNING


@pytest.mark.parametrize("phrase", AGING)
def test_with_a_date_of_review_they_may(phrase: str) -> None:
    assert "ages" not in codes(a_contract([phrase], verified=True, review={"by": "Sari", "due": "2027-05-01"}))


@pytest.mark.parametrize(
    "phrase",
    ["berusia minimal 17 tahun", "paling lambat 60 hari", "Nomor 40 Tahun 2007", "satu orang", "Pasal 7 ayat (1)", "diajukan daring",
     "kuorum 50%", "paling sedikit 25 persen saham"],
)  # fmt: skip
def test_what_the_law_says_for_good_does_not_age(phrase: str) -> None:
    assert "ages" not in codes(a_contract([phrase], verified=True))


def test_a_question_about_now_ages() -> None:
    assert found(a_contract(["satu orang"], question="Berapa syaratnya saat ini?"), "ages")


@pytest.mark.parametrize("text", ["Menyebut biaya Rp50.000.", "Menyebut tarif yang berlaku saat ini.", "Berlaku sejak 10 Juli 2026."])
def test_what_only_the_judge_is_told_ages_too(text: str) -> None:
    for field in ("rubric", "answer"):
        finding = found(a_contract(["satu orang"], **{field: text}), "ages")[""]
        assert (finding.field, finding.severity) == (field, Severity.NOTE)


def test_one_reminder_is_enough_for_an_item() -> None:
    assert set(found(a_contract(["Rp50.000 per akta"], rubric="Menyebut biaya Rp50.000."), "ages")) == {"Rp50.000 per akta"}


def test_a_verified_item_without_a_signature_is_noted() -> None:
    assert severity_of(a_contract(["satu orang"], verified=True), "verified-without-review") is Severity.NOTE
    assert "verified-without-review" not in codes(a_contract(["satu orang"]))
    assert "verified-without-review" not in codes(a_contract(["satu orang"], verified=True, review={"by": "Sari"}))
