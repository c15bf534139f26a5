"""Echoes of the question, and refusals."""

from __future__ import annotations

import pytest

from goldenlib.hazards import Severity
from tests.hazards.contracts import CLEAN, a_contract, codes, found, severity_of

WARNING, NOTE = Severity.WARNING, Severity.NOTE


def test_a_required_phrase_in_the_question_costs_nothing() -> None:
    item = a_contract(["PT perorangan", CLEAN], question="Apa syarat PT  Perorangan?")
    assert list(found(item, "in-question")) == ["PT perorangan"]


def test_a_forbidden_phrase_in_the_question_fails_whoever_repeats_it() -> None:
    finding = found(a_contract(forbidden=["wajib akta notaris"], question="Apakah wajib akta notaris?"), "in-question")
    assert "repeats the question" in finding["wajib akta notaris"].message


def test_every_message_of_a_conversation_counts() -> None:
    item = a_contract(["legalisasi dokumen"], question="x").model_copy(
        update={"question": None, "turns": ("Halo", "Apa legalisasi dokumen?")}
    )
    assert "in-question" in codes(item)


def test_a_phrase_of_an_honest_refusal_is_found_in_both_lists() -> None:
    assert severity_of(a_contract(forbidden=["tidak dapat menjawab"]), "in-refusal") is WARNING
    assert severity_of(a_contract(["kantor wilayah"], rubric=""), "in-refusal") is WARNING
    assert severity_of(a_contract(["kantor wilayah"]), "in-refusal") is NOTE


@pytest.mark.parametrize(
    "phrase",
    [
        "tidak dapat saya jawab",
        "di luar pengetahuan saya",
        "mohon hubungi",
        "I'm afraid",
        "only a chatbot",
        "tidak dapat membantu",
        "belum bisa menjawab",
        "tidak punya informasi",
        "tidak ada data",
        "kurang yakin",
        "di luar topik",
        "hubungi petugas",
        "kunjungi situs resmi",
        "bukan penasihat hukum",
        "can't answer",
        "don't have information",
        "beyond my scope",
        "I'm not sure",
        "seek legal counsel",
        "I'm unable",
        "not legal advice",
        "tidak menemukan informasi",
        "tidak memiliki data",
        "di luar kemampuan saya",
        "tidak dapat memastikan",
        "I can't provide",
        "not able to help",
        "tidak tahu",
        "tidak bisa membantu",
        "tidak memiliki informasi",
        "penasihat hukum",
        "I don't know",
        "unable to",
        "legal advice",
    ],
)
def test_the_usual_ways_to_refuse_are_known(phrase: str) -> None:
    assert "in-refusal" in codes(a_contract(forbidden=[phrase]))


def test_refusals_are_known_in_english_too() -> None:
    assert "in-refusal" in codes(a_contract(forbidden=["I can't help with that"]))


def test_the_refusal_is_shown() -> None:
    evidence = found(a_contract(forbidden=["hubungi pusat bantuan"]), "in-refusal")["hubungi pusat bantuan"].evidence
    assert any("Silakan hubungi pusat bantuan" in line for line in evidence)


@pytest.mark.parametrize("kind", ["decline", "forbidden"])
def test_where_a_refusal_is_right_it_may_be_required(kind: str) -> None:
    item = a_contract(["tidak dapat menjawab"], kind=kind)
    assert not codes(item) & {"in-refusal", "passes-refusal", "passes-echo"}
