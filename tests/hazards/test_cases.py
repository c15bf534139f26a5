"""The `lint` fields of the cases from public bug reports, and the kind of hazard behind each."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from goldenlib.hazards import Finding, Severity, lint_source
from tests.hazards.contracts import a_contract, lint

CASES = Path(__file__).parents[1] / "cases"

# case -> the phrase and the code that say what the case's `lint` says
EXPECTED = {
    88: [("wajib akta notaris", "own-denial")],
    90: [("wajib akta notaris", "forbidden-in-required")],
    92: [("PT perorangan", "in-question")],
    94: [("5 tahun", "edge-digits"), ("Rp52", "edge-digits")],
    96: [("resmi", "required-in-forbidden"), ("resmi", "required-denied")],
    98: [("SIN", "short-fragment")],
    100: [("penerima", "missing-from-own-answer")],
    104: [("ikan", "short-fragment")],
    106: [("sk-", "short-fragment")],
    114: [("1.5", "edge-digits")],
    126: [("144", "edge-digits")],
    128: [("256", "forbidden-number")],
}


def cases(name: str) -> dict[int, dict[str, Any]]:
    lines = (CASES / name).read_text(encoding="utf-8").splitlines()
    return {case["n"]: case for case in map(json.loads, lines)}


FACTS, YAML = cases("facts.jsonl"), cases("yaml.jsonl")


def lint_case(number: int) -> tuple[Finding, ...]:
    given = FACTS[number]["input"]
    changes = {"question": given["question"]} if "question" in given else {}
    required, forbidden = given.get("must_include", ()), given.get("must_not_include", ())
    return lint(a_contract(required, forbidden, rubric="", answer=given.get("reference_answer", ""), **changes))


def test_every_case_with_a_lint_field_is_looked_at() -> None:
    assert {number for number, case in FACTS.items() if "lint" in case["expect"]} == set(EXPECTED)


def _lines(name: str, ids: Iterable[str]) -> list[dict[str, Any]]:
    lines = (CASES / name).read_text(encoding="utf-8").splitlines()
    return [case for case in map(json.loads, lines) if case["id"] in ids]


# What people ran into in use: case -> phrase, code, and words of the finding.
FOUND = {
    "fd-044": [("Rp2.500.000", "currency-form", ["Rp2,5 juta", "2,5 jt"])],
    "fd-045": [("Rp100.000.000.000", "currency-form", ["100 miliar", "100 milyar"])],
    "fd-046": [("badan hukum", "required-denied", ["bukan badan hukum"])],
    "fd-047": [("telah disahkan", "required-denied", ["belum"])],
    "fd-048": [("SIUP dan NIB", "list-in-phrase", []), ("KTP, KK", "list-in-phrase", [])],
    "fd-049": [
        ("Menkumham", "near-synonym", ["Menteri Hukum dan HAM", "Menteri Hukum"]),
        ("minimal 2 orang", "near-synonym", ["paling sedikit"]),
        ("selambat-lambatnya 60 hari", "near-synonym", ["paling lambat", "paling lama"]),
    ],
    "fd-050": [("wajib notaris", "looks-cut", ["wajib akta notaris"])],
}


@pytest.mark.parametrize("case", _lines("found.jsonl", FOUND))
def test_a_case_from_use_is_found(case: dict[str, Any]) -> None:
    given = case["input"]
    changes = {"question": given["question"]} if "question" in given else {}
    findings = {(finding.phrase, finding.code): finding for finding in lint(a_contract(given["must_include"], **changes))}
    for phrase, code, words in FOUND[case["id"]]:
        finding = findings[phrase, code]
        assert all(word in " ".join((finding.message, *finding.evidence)) for word in words)


@pytest.mark.parametrize("number", EXPECTED)
def test_the_hazard_of_the_case_is_found(number: int) -> None:
    worst = {(finding.phrase, finding.code): finding.severity for finding in lint_case(number)}
    assert set(EXPECTED[number]) <= set(worst)
    assert all(worst[key] is not Severity.NOTE for key in EXPECTED[number])


def test_case_90_is_an_error_and_names_both_phrases() -> None:
    error = next(finding for finding in lint_case(90) if finding.severity is Severity.ERROR)
    assert all(phrase in error.message for phrase in FACTS[90]["expect"]["phrases"])


def test_case_98_shows_the_words_of_its_reason() -> None:
    finding = next(finding for finding in lint_case(98) if finding.code == "short-fragment")
    assert " asing" in finding.evidence[0]


def test_case_102_names_the_other_word_without_calling_it_wrong() -> None:
    finding = next(finding for finding in lint_case(102) if finding.code == "near-synonym")
    assert finding.severity is Severity.NOTE
    assert "usia" in finding.message


def test_case_104_shows_the_word_that_is_hit() -> None:
    finding = next(finding for finding in lint_case(104) if finding.code == "short-fragment")
    assert "memberikan" in finding.evidence[0]


def test_case_106_counts_only_words_that_end_before_the_dash() -> None:
    finding = next(finding for finding in lint_case(106) if finding.code == "short-fragment")
    assert "risk" in finding.evidence[0]
    assert "skin" not in finding.evidence[0]


def test_case_114_names_the_longer_number() -> None:
    assert "1.500" in next(finding for finding in lint_case(114) if finding.code == "edge-digits").message


def test_case_120_signs_are_part_of_the_phrase_and_no_fragment() -> None:
    assert not [finding for finding in lint_case(120) if finding.severity is not Severity.NOTE]


@pytest.mark.parametrize(("number", "code"), [(139, "comma-in-list"), (141, "cut-by-yaml")])
def test_the_raw_text_shows_what_the_loaded_item_cannot(number: int, code: str) -> None:
    findings = lint_source(YAML[number]["input"]["text"], language="en")
    assert [(finding.code, finding.severity) for finding in findings] == [(code, Severity.WARNING)]
    assert findings[0].line == 1


def test_case_139_asks_whether_two_were_meant() -> None:
    assert "Were two meant?" in lint_source(YAML[139]["input"]["text"], language="en")[0].message


def test_case_141_shows_what_is_lost() -> None:
    assert "#2 dan biayanya?" in lint_source(YAML[141]["input"]["text"], language="en")[0].message
