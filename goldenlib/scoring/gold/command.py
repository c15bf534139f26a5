"""`golden check`: whether the golds of golden set files can be trusted, as text or JSON.

Rule: exit code 0 when all golds can score, 1 when one cannot.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from goldenlib.cilogs import json_text
from goldenlib.items import GoldenSet
from goldenlib.scoring.gold.checking import check_golds
from goldenlib.scoring.gold.findings import GoldFinding, Severity
from goldenlib.scoring.gold.report import GoldReport, shown_row
from goldenlib.warehouse import Warehouse

_MARKS = {Severity.ERROR: "✗", Severity.WARNING: "▲", Severity.NOTE: "·"}


class CheckOutput(NamedTuple):
    """What `golden check` prints, and the code it exits with."""

    text: str
    exit_code: int


def run_check(golden_set: GoldenSet, warehouse: Warehouse, *, as_json: bool = False) -> CheckOutput:
    """Return what is found about the golds of a set, as text or as JSON (`GoldReport.to_json`)."""
    report = check_golds(golden_set, warehouse)
    exit_code = int(bool(report.cannot_score))
    if as_json:
        return CheckOutput(json_text(report.to_json()), exit_code)
    return CheckOutput("\n".join([*_lines(report, golden_set), report.summary]), exit_code)


def _lines(report: GoldReport, golden_set: GoldenSet) -> Iterator[str]:
    written = {
        item.id: {sql.strip() for sql in (item.expected.sql.golden, *item.expected.sql.others, item.expected.sql.check or "")}
        for item in golden_set
        if item.expected.sql
    }
    for check in report.checks:
        if not check.findings:
            continue
        origin = golden_set.origins.get(check.item_id)
        yield f"{check.item_id}  ({origin.path}:{origin.line})" if origin is not None else check.item_id
        for finding in check.findings:
            yield from _finding_lines(finding, written.get(check.item_id, set()))
        yield ""


def _finding_lines(finding: GoldFinding, written: set[str]) -> Iterator[str]:
    """The lines of a finding, without the SQL that the reader has in the file."""
    yield f"  {_MARKS[finding.severity]} {finding.severity}, {finding.code}: {finding.message}"
    yield from (f"      {shown_row(row)}" for row in finding.rows)
    if finding.sql not in written:
        yield from (f"      {line}" for line in finding.sql.splitlines())
    yield f"      → {finding.suggestion}"
