"""False alarms: what is said about good phrases and about the shipped set."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldenlib.files.loading import load_set
from goldenlib.hazards import Severity, WordList, lint_set
from goldenlib.items import Item
from tests.hazards.contracts import RUBRIC, good_items

ROOT = Path(__file__).parents[2]
# What docs/hazards/README.md says: (phrases, phrases with an error or a warning), with a rubric and without.
MEASURED = {
    ("good_phrases.txt", RUBRIC): (231, 1),
    ("good_phrases.txt", ""): (231, 4),
    ("good_phrases_held_out.txt", RUBRIC): (77, 1),
    ("good_phrases_held_out.txt", ""): (77, 1),
    ("good_phrases_second_wave.txt", RUBRIC): (132, 1),
    ("good_phrases_second_wave.txt", ""): (132, 2),
    ("good_phrases_everyday.txt", RUBRIC): (55, 1),
    ("good_phrases_everyday.txt", ""): (55, 1),
}


def count(items: list[Item]) -> tuple[int, int]:
    """How many phrases there are, and about how many of them an error or warning is given."""
    findings = lint_set(items, words=WordList.load())
    flagged = {
        (finding.item_id, finding.field, finding.phrase) for finding in findings if finding.severity is not Severity.NOTE and finding.phrase
    }
    return sum(len(item.expected.must_include) + len(item.expected.must_not_include) for item in items), len(flagged)


@pytest.mark.parametrize(("name", "rubric"), MEASURED)
def test_good_phrases_are_let_be(name: str, rubric: str) -> None:
    phrases, flagged = count(good_items(name, rubric))
    assert (phrases, flagged) == MEASURED[name, rubric]
    assert flagged <= 0.02 * phrases


def test_there_are_enough_good_phrases() -> None:
    assert sum(phrases for (_, rubric), (phrases, _) in MEASURED.items() if rubric) >= 200


def test_good_phrases_are_no_errors() -> None:
    assert not [
        finding for finding in lint_set(good_items("good_phrases.txt", ""), words=WordList.load()) if finding.severity is Severity.ERROR
    ]


def test_the_documentation_says_what_was_measured() -> None:
    page = (ROOT / "docs" / "hazards" / "README.md").read_text(encoding="utf-8")
    for (name, rubric), (phrases, flagged) in MEASURED.items():
        row = f"| `{name}` | {'yes' if rubric else 'no'} | {phrases} | {flagged} | {flagged / phrases:.1%} |"
        assert row in page


def test_the_shipped_set_has_no_errors_and_no_warnings() -> None:
    golden_set = load_set(ROOT / "golden" / "example.yaml")
    findings = lint_set(golden_set, words=WordList.load())
    assert not [finding for finding in findings if finding.severity is Severity.ERROR]
    assert len([finding for finding in findings if finding.severity is Severity.WARNING]) == 0
    notes = len([finding for finding in findings if finding.severity is Severity.NOTE])
    page = (ROOT / "docs" / "hazards" / "README.md").read_text(encoding="utf-8")
    assert f"({len(golden_set)} items): no errors, no warnings, {notes} notes." in page
