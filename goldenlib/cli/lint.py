"""`golden lint`: the hazards of golden set files, as text or JSON.

Rule: exit code 0 when nothing is in error, 1 when an item can never pass or never fail; files that do not load are refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from goldenlib.cilogs import json_text
from goldenlib.files.loading import load_set
from goldenlib.golden_set import GoldenSet
from goldenlib.hazards.fileplaces import source_hits
from goldenlib.hazards.findings import Finding, Severity
from goldenlib.hazards.linting import Found, lint_set
from goldenlib.hazards.sentences import FindingWording
from goldenlib.hazards.stored import AnswerSource, read_evidence
from goldenlib.hazards.words import WordList
from goldenlib.languages import Language

_MARKS = {Severity.ERROR: "✗", Severity.WARNING: "▲", Severity.NOTE: "·"}


class LintOutput(NamedTuple):
    """What `golden lint` prints, and the code it exits with."""

    text: str
    exit_code: int


def run_lint(
    paths: Sequence[str | Path],
    *,
    as_json: bool = False,
    language: Language | str = Language.INDONESIAN,
    store: AnswerSource | None = None,
) -> LintOutput:
    """Return the hazards of golden set files or folders, as text or as JSON `{"findings": [...]}`.

    With a store, what its answers say is told too. Raises InputError for files that do not load.
    """
    golden_set = load_set(paths)
    words, wording = WordList.load(), FindingWording.of(language)
    evidence = read_evidence(store, golden_set.all_ids) if store is not None else None
    findings = lint_set(golden_set, words=words, evidence=evidence, language=language, source_hits=_read_sources(golden_set))
    exit_code = int(any(finding.severity is Severity.ERROR for finding in findings))
    notes = () if words.is_complete else (wording.no_words,)
    if as_json:
        content = {"findings": [finding.to_json() for finding in findings]} | ({"notes": list(notes)} if notes else {})
        return LintOutput(json_text(content), exit_code)
    lines = [*_lines(findings, golden_set, wording), *notes, _totals(findings, golden_set, wording)]
    return LintOutput("\n".join(lines), exit_code)


def _read_sources(golden_set: GoldenSet) -> Mapping[str, Sequence[Found]]:
    """Return what the raw text of the set's YAML files shows, by item id."""
    paths = dict.fromkeys(Path(origin.path) for origin in golden_set.origins.values())
    hits: dict[str, Sequence[Found]] = {}
    for path in paths:
        if path.suffix.lower() != ".json" and path.is_file():
            hits.update(source_hits(path.read_bytes()))
    return hits


def _lines(findings: Sequence[Finding], golden_set: GoldenSet, wording: FindingWording) -> Iterator[str]:
    for item_id, group in groupby(findings, key=lambda finding: finding.item_id):
        origin = golden_set.origins.get(item_id)
        yield f"{item_id}  ({origin.path}:{origin.line})" if origin is not None else item_id
        for finding in group:
            yield f"  {_MARKS[finding.severity]} {wording.severity(finding.severity)}, {finding.code}, {finding.field}: {finding.message}"
            yield from (f"      {fact}" for fact in finding.evidence)
            yield f"      → {finding.suggestion}"
        yield ""


def _totals(findings: Sequence[Finding], golden_set: GoldenSet, wording: FindingWording) -> str:
    if not findings:
        return wording.nothing
    count = Counter(finding.severity for finding in findings)
    return wording.totals.format(
        errors=count[Severity.ERROR], warnings=count[Severity.WARNING], notes=count[Severity.NOTE], items=len(golden_set)
    )
