"""The guides for experts: what they recommend is what the workbench does not warn of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from goldenlib.files.loading import load_set
from goldenlib.hazards import Severity, WordList, lint_item, lint_set
from goldenlib.items import Expected, Item

DOCS = Path(__file__).parents[2] / "docs"
WORDS = WordList.load()


def guide(language: str) -> str:
    return (DOCS / f"sme-guide.{language}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["id", "en"])
def test_the_first_example_has_no_warnings(tmp_path: Path, language: str) -> None:
    path = tmp_path / "guide.yaml"
    path.write_text(re.findall(r"```yaml\n(.*?)```", guide(language), re.DOTALL)[0], encoding="utf-8")
    findings = lint_set(load_set(path), words=WORDS)
    assert [finding.message for finding in findings if finding.severity is not Severity.NOTE] == []


def better_phrases() -> list[str]:
    """The phrases in the last column of the tables of phrases."""
    rows = [line.split("|")[1:-1] for language in ("id", "en") for line in guide(language).splitlines() if line.count("|") == 4]
    return sorted({phrase for _, _, better in rows for phrase in re.findall(r"`([^`]+)`", better)})


@pytest.mark.parametrize("phrase", better_phrases())
def test_a_phrase_that_the_guide_calls_better_is_not_warned_of(phrase: str) -> None:
    forbidden = "harus" in phrase
    expected = Expected(
        must_include=("pernyataan pendirian",) if forbidden else (phrase,), must_not_include=(phrase,) if forbidden else (), rubric="-"
    )
    item = Item(id="guide", question="Apa yang diatur?", expected=expected)
    findings = lint_item(item, words=WORDS)
    assert [finding.message for finding in findings if finding.phrase == phrase and finding.severity is not Severity.NOTE] == []
