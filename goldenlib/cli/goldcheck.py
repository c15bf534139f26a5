"""`golden check`: whether the golds of golden set files can be trusted, as text or JSON.

Rule: exit code 0 when all golds can score, 1 when one cannot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from goldenlib.cilogs import json_text
from goldenlib.errors import SettingsError
from goldenlib.gold.goldfindings import CODES, GoldFinding, Severity
from goldenlib.gold.goldreport import GoldReport, shown_row
from goldenlib.gold.golds import check_golds
from goldenlib.golden_set import GoldenSet
from goldenlib.warehouse import Warehouse

_MARKS = {Severity.ERROR: "✗", Severity.WARNING: "▲", Severity.NOTE: "·"}
_MANY, _NAMED = 10, 3  # golds that share a warning before it is summed, and items that a sum names


class CheckOutput(NamedTuple):
    """What `golden check` prints, and the code it exits with."""

    text: str
    exit_code: int


@dataclass(frozen=True)
class Wanted:
    """Which findings are shown: of these codes (all where none is named), at least so bad, notes each by itself or summed."""

    codes: tuple[str, ...] = ()
    severity: Severity = Severity.NOTE
    notes: bool = False

    def __post_init__(self) -> None:
        if strangers := [code for code in self.codes if code not in CODES]:
            raise SettingsError(f"{strangers[0]!r} is no code of a gold check; the codes are: {', '.join(CODES)}")

    def shows(self, finding: GoldFinding) -> bool:
        """Whether a finding is one of these."""
        return (not self.codes or finding.code in self.codes) and finding.severity.rank <= self.severity.rank


def run_check(golden_set: GoldenSet, warehouse: Warehouse, *, as_json: bool = False, wanted: Wanted | None = None) -> CheckOutput:
    """Return what is found about the golds of a set, as text or as JSON (`GoldReport.to_json`). The exit code is that of all findings."""
    report = check_golds(golden_set, warehouse)
    wanted = wanted or Wanted()
    shown = report.only(wanted.shows)
    exit_code = int(bool(report.cannot_score))
    if as_json:
        return CheckOutput(json_text(shown.to_json()), exit_code)
    return CheckOutput("\n".join([*_lines(shown, golden_set, _summed(shown, wanted)), report.summary]), exit_code)


def _summed(report: GoldReport, wanted: Wanted) -> set[str]:
    """Return the codes that are counted and not shown one by one: of notes, and of warnings that most golds have."""
    if wanted.notes or wanted.codes:
        return set()
    count = Counter(finding.code for finding in report.findings)
    many = max(_MANY, len(report.checks) // 2)
    return {
        finding.code
        for finding in report.findings
        if finding.severity is Severity.NOTE or (finding.severity is Severity.WARNING and count[finding.code] > many)
    }


def _lines(report: GoldReport, golden_set: GoldenSet, summed: set[str]) -> Iterator[str]:
    written = {
        item.id: {sql.strip() for sql in (item.expected.sql.golden, *item.expected.sql.others, item.expected.sql.check or "")}
        for item in golden_set
        if item.expected.sql
    }
    told = [finding for finding in report.findings if not _is_summed(finding, summed)]
    by_item = {check.item_id: [finding for finding in told if finding.item_id == check.item_id] for check in report.checks}
    for item_id, findings in sorted(by_item.items(), key=lambda one: min((finding.severity.rank for finding in one[1]), default=0)):
        if not findings:
            continue
        origin = golden_set.origins.get(item_id)
        yield f"{item_id}  ({origin.path}:{origin.line})" if origin is not None else item_id
        for finding in findings:
            yield from _finding_lines(finding, written.get(item_id, set()))
        yield ""
    yield from _sums([finding for finding in report.findings if _is_summed(finding, summed)])


def _is_summed(finding: GoldFinding, summed: set[str]) -> bool:
    return finding.code in summed and finding.severity is not Severity.ERROR


def _sums(findings: Sequence[GoldFinding]) -> Iterator[str]:
    """One line for each code and severity, with the first items that have it."""
    groups: dict[tuple[Severity, str], list[str]] = {}
    for finding in findings:
        groups.setdefault((finding.severity, finding.code), []).append(finding.item_id)
    for (severity, code), items in sorted(groups.items(), key=lambda group: (group[0][0].rank, -len(group[1]))):
        more = f", and {len(items) - _NAMED} more" if len(items) > _NAMED else ""
        yield f"{_MARKS[severity]} {severity}, {code}: {len(items)} ({', '.join(items[:_NAMED])}{more})"
    if groups:
        yield "  → --notes shows each of them, --code CODE those of one code"
        yield ""


def _finding_lines(finding: GoldFinding, written: set[str]) -> Iterator[str]:
    """The lines of a finding, without the SQL that the reader has in the file."""
    yield f"  {_MARKS[finding.severity]} {finding.severity}, {finding.code}: {finding.message}"
    yield from (f"      {shown_row(row)}" for row in finding.rows)
    if finding.sql not in written:
        yield from (f"      {line}" for line in finding.sql.splitlines())
    yield f"      → {finding.suggestion}"
