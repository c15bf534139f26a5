"""Mutations: what wrong answers would score."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.folding import fold
from goldenlib.hazards import OtherItems, Severity, try_out
from goldenlib.hazards.subject import Subject
from goldenlib.items import Item
from goldenlib.scoring.facts import check_facts
from tests.hazards.contracts import CLEAN, a_contract, codes, found, lint, severity_of

WEAK = {"passes-empty", "passes-refusal", "passes-echo", "passes-denial", "passes-other-answer"}


def forbidding_only(rubric: str = "") -> Item:
    expected = {"must_not_include": ("PT perorangan wajib akta notaris",), "rubric": rubric}
    return Item.model_validate({"id": "a", "question": "Bagaimana?", "expected": expected})


def test_an_item_that_requires_nothing_passes_whoever_says_nothing() -> None:
    assert severity_of(forbidding_only(), "passes-empty") is Severity.WARNING
    assert severity_of(forbidding_only("Jawaban menyebut syarat."), "passes-empty") is Severity.NOTE


def test_an_item_with_a_rubric_only_is_the_judges() -> None:
    assert not codes(a_contract()) & WEAK


def test_an_item_that_a_refusal_passes_says_so_with_the_refusal() -> None:
    finding = found(a_contract(["kantor wilayah"], rubric=""), "passes-refusal")[""]
    assert finding.severity is Severity.WARNING
    assert "datang ke kantor wilayah" in finding.evidence[0]


def test_an_item_that_its_own_question_passes_says_so() -> None:
    question = "Apa beda legalisasi dan apostille?"
    item = a_contract(["legalisasi", "apostille"], question=question, rubric="")
    assert question in found(item, "passes-echo")[""].evidence[0]
    assert "passes-echo" not in codes(a_contract(["legalisasi", "berantai"], question=question, rubric=""))


def test_an_item_that_its_denial_passes_says_so() -> None:
    finding = found(a_contract(["berlaku di Belanda", "wajib meterai"], rubric=""), "passes-denial")[""]
    assert "tidak berlaku di belanda. tidak wajib meterai" in finding.evidence[0]


def test_a_thing_is_denied_where_the_question_asks_for_yes_or_no() -> None:
    asked = {"question": "Apakah PT perorangan perlu akta?", "rubric": ""}
    finding = found(a_contract(["akta notaris"], **asked), "passes-denial")[""]
    assert "tanpa akta notaris" in finding.evidence[0]
    assert "passes-denial" not in codes(a_contract(["akta notaris"], rubric=""))


def test_one_fact_that_a_denial_breaks_is_enough() -> None:
    assert "passes-denial" not in codes(a_contract(["berlaku di Belanda", "apostille cukup"], rubric=""))


def test_an_item_that_another_items_good_answer_passes_says_so() -> None:
    item = a_contract(["tanda tangan pejabat"], rubric="")
    other = a_contract(["contoh tanda tangan pejabat"], id="b", question="Apa itu spesimen?")
    unlike = a_contract(["kode pembayaran"], id="c", question="Bagaimana membayar?")
    finding = found(item, "passes-other-answer", others=[item, other, unlike])[""]
    assert "such as b" in finding.message
    assert "gets through: the answer to b (1 of 3 items)" in finding.evidence


def test_the_ideal_answer_of_another_item_counts() -> None:
    other = a_contract((), id="b", question="Apa itu spesimen?", answer="Contoh tanda tangan pejabat.")
    assert "passes-other-answer" in codes(a_contract(["tanda tangan pejabat"]), others=[other])


@pytest.mark.parametrize("change", [{"kind": "decline"}, {"question": "Bagaimana ketentuannya menurut peraturan?"}])
def test_answers_that_should_not_answer_or_answer_the_same_do_not_count(change: dict[str, str]) -> None:
    other = a_contract(["contoh tanda tangan pejabat"], **({"id": "b", "question": "Apa itu spesimen?"} | change))
    assert "passes-other-answer" not in codes(a_contract(["tanda tangan pejabat"]), others=[other])


def test_a_forbidden_phrase_keeps_another_answer_out() -> None:
    other = a_contract(["contoh tanda tangan pejabat"], id="b", question="Apa itu spesimen?")
    assert "passes-other-answer" not in codes(a_contract(["tanda tangan"], ["contoh tanda"]), others=[other])


def test_two_items_that_ask_the_same_are_told() -> None:
    other = a_contract([CLEAN], id="b", question="bagaimana ketentuannya  menurut peraturan?")
    assert found(a_contract([CLEAN]), "duplicate-question", others=[other])
    assert "duplicate-question" not in codes(a_contract([CLEAN], role="staf"), others=[other])


def test_wrong_answers_are_tried_out_for_the_panel() -> None:
    other = a_contract([CLEAN, "satu orang"], id="b", question="Siapa pendirinya?")
    tried = {mutation.kind: mutation for mutation in try_out(a_contract([CLEAN]), OtherItems([other]))}
    assert {kind: mutation.passed for kind, mutation in tried.items()} == {"empty": 0, "refusal": 0, "echo": 0, "denial": 1, "other": 1}
    assert tried["other"].tried == 1
    assert tried["other"].example == "b"


def test_an_item_that_only_forbids_lets_every_other_answer_through() -> None:
    others = OtherItems([a_contract([CLEAN], id=f"b{number}", question=f"Apa {number}?") for number in range(3)])
    assert next(mutation for mutation in try_out(forbidding_only(), others) if mutation.kind == "other").passed == 3


def test_the_empty_answer_passes_nothing() -> None:
    assert not Subject(forbidding_only()).passes("")


PHRASE = st.text(alphabet="ab tidkwj ß.İ", min_size=1, max_size=8).filter(lambda text: bool(fold(text)))


@given(st.lists(PHRASE, max_size=3), st.lists(PHRASE, max_size=3), st.text(alphabet="ab tidkwj ß.İ", max_size=30))
def test_what_passes_here_passes_the_fact_gate(required: list[str], forbidden: list[str], answer: str) -> None:
    item = Item.model_validate(
        {"id": "a", "question": "q", "expected": {"must_include": required, "must_not_include": forbidden, "rubric": "r"}}
    )
    score = check_facts(item.expected, answer)
    if score is not None:
        assert Subject(item).passes(fold(answer)) is score.passed


def test_the_score_of_a_wrong_answer_is_that_of_the_fact_gate() -> None:
    item = a_contract(["ketentuannya", CLEAN], ["kode pembayaran"])
    echo = next(mutation for mutation in try_out(item) if mutation.kind == "echo")
    score = check_facts(item.expected, f"Maaf, saya tidak punya informasi tentang {item.question}")
    assert score is not None
    assert echo.score == score.value == pytest.approx(2 / 3)


def test_every_finding_about_a_weak_contract_is_a_note_where_the_judge_has_a_rubric() -> None:
    item = a_contract(["legalisasi"], question="Apa itu legalisasi?")
    assert {finding.severity for finding in lint(item) if finding.code in WEAK} == {Severity.NOTE}
