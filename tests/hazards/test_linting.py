"""Linting: order, languages, acceptances, and the set as a whole."""

from __future__ import annotations

import dataclasses

import pytest
from pydantic import ValidationError

from goldenlib.files.loading import load_set
from goldenlib.hazards import CODES, Finding, OtherItems, Severity, StoredEvidence, WordList, lint_item, lint_set
from goldenlib.items import AcceptedHazard, Item
from tests.golden_files import an_item_text, problems_in, write
from tests.hazards.contracts import CLEAN, a_contract, codes, found, lint, stored

DENIED = "wajib akta notaris"


def accepting(code: str, phrase: str, required: tuple[str, ...] = (), forbidden: tuple[str, ...] = (DENIED,)) -> Item:
    accepted = {"code": code, "phrase": phrase, "reason": "sudah dilihat"}
    return a_contract(required, forbidden, accepted=[accepted])


def test_the_worst_comes_first() -> None:
    ranks = [finding.severity.rank for finding in lint(a_contract(["WNI", "5 tahun", DENIED], [DENIED]))]
    assert ranks == sorted(ranks)
    assert ranks[0] == Severity.ERROR.rank


def test_a_finding_has_the_json_fields_of_the_command() -> None:
    finding = lint(a_contract(forbidden=[DENIED]))[0]
    fields = ["item_id", "code", "severity", "field", "phrase", "message", "evidence", "suggestion"]
    assert list(finding.to_json()) == fields
    assert finding.to_json()["severity"] == "warning"
    assert finding.to_json()["field"] == "must_not_include"


def test_both_languages_find_the_same() -> None:
    item = a_contract(["WNI", "Rp50.000", "5 tahun"], [DENIED, "PT"], question="Apa syarat PT saat ini?")

    def without_sentences(finding: Finding) -> Finding:
        return dataclasses.replace(finding, message="", evidence=(), suggestion="")

    english, indonesian = (lint(item, language=language) for language in ("en", "id"))
    assert list(map(without_sentences, english)) == list(map(without_sentences, indonesian))
    assert all(one.message != other.message for one, other in zip(english, indonesian, strict=True))


def test_findings_are_told_in_indonesian_unless_asked_otherwise() -> None:
    assert "ada di dalam bantahannya sendiri" in lint_item(a_contract(forbidden=[DENIED]))[0].message


def test_a_language_that_is_not_offered_is_refused() -> None:
    with pytest.raises(ValueError, match="'nl'"):
        lint(a_contract([CLEAN]), language="nl")


def test_it_works_from_the_item_alone() -> None:
    assert "own-denial" in {finding.code for finding in lint_item(a_contract(forbidden=[DENIED]))}


# --- acceptances ---


def test_an_accepted_hazard_is_silent_for_its_phrase() -> None:
    assert codes(accepting("own-denial", " Wajib AKTA notaris")) == set()


def test_an_acceptance_silences_no_other_phrase_and_no_other_code() -> None:
    item = accepting("own-denial", DENIED, forbidden=(DENIED, "harus memakai materai"))
    assert list(found(item, "own-denial")) == ["harus memakai materai"]
    assert "edge-digits" in codes(accepting("own-denial", DENIED, ("5 tahun",)))


def test_a_hazard_of_the_whole_item_is_accepted_without_a_phrase() -> None:
    item = Item.model_validate(
        {
            "id": "a",
            "question": "Apa?",
            "expected": {"must_not_include": ["laba dibagi rata"]},
            "accepted": [{"code": "passes-empty", "reason": "r"}],
        }
    )
    assert codes(item) == set()


@pytest.mark.parametrize(
    ("code", "phrase"), [("own-denial", CLEAN), ("own-denial", "dihapus"), ("own-denail", DENIED), ("dead-phrase", "dihapus")]
)
def test_an_acceptance_that_silences_nothing_is_noted(code: str, phrase: str) -> None:
    notes = found(accepting(code, phrase), "unneeded-acceptance")
    assert list(notes) == [phrase]
    assert code in notes[phrase].message
    assert notes[phrase].severity is Severity.NOTE


@pytest.mark.parametrize("code", ["dead-phrase", "passes-other-answer", "cut-by-yaml"])
def test_what_could_not_be_looked_at_is_not_called_unneeded(code: str) -> None:
    phrase = "" if code == "passes-other-answer" else CLEAN
    assert "unneeded-acceptance" not in codes(accepting(code, phrase))


def test_what_was_looked_at_is() -> None:
    assert "unneeded-acceptance" in codes(accepting("flaky-phrase", CLEAN), evidence=StoredEvidence(stored("x")))
    assert "unneeded-acceptance" in {finding.code for finding in lint_set([accepting("cut-by-yaml", CLEAN)], source_hits={})}


def test_an_unneeded_acceptance_can_be_kept_with_a_reason() -> None:
    both = [{"code": code, "phrase": "dihapus", "reason": "nanti kembali"} for code in ("own-denial", "unneeded-acceptance")]
    assert codes(a_contract([CLEAN], accepted=both)) == set()


def test_an_acceptance_decides_no_verdict() -> None:
    assert accepting("own-denial", DENIED).digest == a_contract(forbidden=[DENIED]).digest


@pytest.mark.parametrize("reason", ["", "  "])
def test_an_acceptance_needs_a_reason(reason: str) -> None:
    with pytest.raises(ValidationError, match="is blank"):
        AcceptedHazard(code="own-denial", phrase=DENIED, reason=reason)


def test_acceptances_are_kept_in_the_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    text = an_item_text(
        f"expected: {{must_not_include: [{DENIED}]}}\naccepted:\n- code: own-denial\n  phrase: {DENIED}\n  reason: sudah dilihat"
    )
    (item,) = load_set(write(tmp_path, text))
    assert item.accepted == (AcceptedHazard(code="own-denial", phrase=DENIED, reason="sudah dilihat"),)


def test_a_blank_reason_in_a_file_is_refused_with_its_place(tmp_path) -> None:  # type: ignore[no-untyped-def]
    text = an_item_text("expected: {rubric: r}\naccepted:\n- code: own-denial\n  reason: ' '")
    (problem,) = problems_in(tmp_path, text)
    assert "accepted[0].reason is blank" in problem.message
    assert problem.line == 7


# --- the set ---


def test_a_set_is_linted_item_by_item_and_across() -> None:
    one = a_contract(["tanda tangan pejabat"], id="a", question="Apa itu apostille?", rubric="")
    two = a_contract(["contoh tanda tangan pejabat"], id="b", question="Apa itu spesimen?")
    found_in = [(finding.item_id, finding.code) for finding in lint_set([one, two])]
    assert found_in == [("a", "passes-other-answer")]


def test_prepared_others_give_the_same_as_a_list() -> None:
    others = [a_contract(["contoh tanda tangan pejabat"], id="b", question="Apa itu spesimen?")]
    item = a_contract(["tanda tangan pejabat"])
    assert lint(item, others=others) == lint(item, others=OtherItems(others))


def test_every_code_is_known_by_one_name() -> None:
    assert len(set(CODES)) == len(CODES)
    assert all(code == code.lower() and " " not in code for code in CODES)


def test_a_clean_item_has_no_findings() -> None:
    item = a_contract(["surat pernyataan pendirian", "diisi secara elektronik"], ["PT perorangan wajib akta notaris"])
    assert lint_item(item, words=WordList.load(), evidence=StoredEvidence(), others=[item]) == ()
