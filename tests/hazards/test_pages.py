"""The pages of docs/hazards: one for every code, whose examples are true, and wording for every code in both languages."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path

import pytest

from goldenlib.files.loading import load_set
from goldenlib.hazards import CODES, Finding, Severity, StoredAnswer, StoredEvidence, WordList, lint_set
from goldenlib.hazards.fileplaces import source_hits
from goldenlib.languages import Language, texts

INDONESIAN, ENGLISH = (texts("hazards", language) for language in Language)
DOCS = Path(__file__).parents[2] / "docs" / "hazards"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(code: str, language: str) -> list[str]:
    return [text for name, text in _BLOCK.findall((DOCS / f"{code}.md").read_text(encoding="utf-8")) if name == language]


def lint_example(code: str, number: int, folder: Path) -> tuple[Finding, ...]:
    """What is found in the bad (0) or the good (1) example of a page, with its stored answers where it has some."""
    text = blocks(code, "yaml")[number]
    path = folder / "set.yaml"
    path.write_text(text, encoding="utf-8")
    answers = [StoredAnswer(*answer) for block in blocks(code, "json") for answer in json.loads(block)]
    evidence = StoredEvidence(answers) if answers else None
    return lint_set(load_set(path), words=WordList.load(), evidence=evidence, language="en", source_hits=source_hits(text))


def test_there_is_a_page_for_every_code_and_no_other() -> None:
    assert {page.stem for page in DOCS.glob("*.md")} - {"README"} == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_page_has_a_bad_and_a_good_example(code: str) -> None:
    text = (DOCS / f"{code}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {code}\n")
    assert text.index("## Buruk · Bad") < text.index("## Baik · Good")
    assert len(blocks(code, "yaml")) == 2


@pytest.mark.parametrize("code", CODES)
def test_the_bad_example_really_is_one(code: str, tmp_path: Path) -> None:
    assert code in {finding.code for finding in lint_example(code, 0, tmp_path)}


@pytest.mark.parametrize("code", CODES)
def test_the_good_example_is_clean(code: str, tmp_path: Path) -> None:
    findings = lint_example(code, 1, tmp_path)
    assert code not in {finding.code for finding in findings}
    assert not [finding for finding in findings if finding.severity is not Severity.NOTE]


@pytest.mark.parametrize("code", CODES)
def test_the_index_leads_to_the_page(code: str) -> None:
    assert f"[{code}]({code}.md)" in (DOCS / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_worded_in_both_languages_alike(code: str) -> None:
    indonesian, english = INDONESIAN["codes"][code], ENGLISH["codes"][code]
    assert indonesian.keys() == english.keys()
    for variant in indonesian:
        assert _gaps(indonesian[variant]) == _gaps(english[variant])


def _gaps(said: dict[str, str]) -> set[str]:
    return {name for text in said.values() for _, name, _, _ in string.Formatter().parse(text) if name}


def test_no_wording_is_left_over() -> None:
    assert set(INDONESIAN["codes"]) == set(ENGLISH["codes"]) == set(CODES)
    assert set(INDONESIAN["facts"]) == set(ENGLISH["facts"])
    for name, text in INDONESIAN["facts"].items():
        assert set(re.findall(r"{(\w+)}", text)) == set(re.findall(r"{(\w+)}", ENGLISH["facts"][name]))
