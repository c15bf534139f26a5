"""The report: the checks of all golds of a set, counted, and shown in a notebook.

Rule: every text in it is escaped; a golden set is no page of ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup, escape

from goldenlib.gold.goldfindings import GoldCheck, GoldFinding, Severity

_STYLE = Markup(
    "<style>.gold.gold :is(td,th){text-align:left;vertical-align:top}.gold pre{white-space:pre-wrap;margin:.3em 0}"
    ".gold .error{color:#b3261e;font-weight:600}.gold .warning{color:#8a5300}</style>"
)
_CELL = 60  # characters of a cell that are shown


@dataclass(frozen=True)
class GoldReport:
    """The checks of a set's golds, in its order. `warehouse` names it without a password."""

    name: str
    warehouse: str
    checks: tuple[GoldCheck, ...]

    @property
    def findings(self) -> tuple[GoldFinding, ...]:
        """All findings, item by item, each item's worst first."""
        return tuple(finding for check in self.checks for finding in check.findings)

    def only(self, is_shown: Callable[[GoldFinding], bool]) -> GoldReport:
        """Return the report with some of its findings."""
        return replace(self, checks=tuple(replace(check, findings=tuple(filter(is_shown, check.findings))) for check in self.checks))

    @property
    def cannot_score(self) -> tuple[str, ...]:
        """The ids of the items whose gold cannot score."""
        return tuple(check.item_id for check in self.checks if not check.can_score)

    @property
    def counts(self) -> dict[Severity, int]:
        """How many findings there are of each severity."""
        count = Counter(finding.severity for finding in self.findings)
        return {severity: count[severity] for severity in Severity}

    @property
    def summary(self) -> str:
        """How many golds were checked and how many of them cannot score, in one line."""
        golds = f"{len(self.checks)} gold{'s' if len(self.checks) != 1 else ''} checked on {self.warehouse}"
        blocked = len(self.cannot_score)
        blocking = f"{blocked} cannot score" if blocked else "all can score"
        counts = ", ".join(f"{count} {severity}{'s' if count != 1 else ''}" for severity, count in self.counts.items())
        return f"{golds}, {blocking if self.checks else 'none has golden SQL'}: {counts}"

    def to_json(self) -> dict[str, Any]:
        """Return the report as `golden check --json` writes it."""
        return {
            "set": self.name,
            "warehouse": self.warehouse,
            "checked": len(self.checks),
            "cannot_score": list(self.cannot_score),
            "counts": {str(severity): count for severity, count in self.counts.items()},
            "findings": [finding.to_json() for finding in self.findings],
        }

    def _repr_html_(self) -> str:
        rows = [_html_row(finding) for finding in sorted(self.findings, key=lambda finding: finding.severity.rank)]
        head = Markup("<tr><th>item</th><th>severity</th><th>code</th><th>what was found</th></tr>")
        table = Markup("<table>{}{}</table>").format(head, Markup("").join(rows)) if rows else Markup("<p>Nothing was found.</p>")
        return str(_STYLE + Markup('<div class="gold"><p>{}</p>{}</div>').format(self.summary, table))


def shown_row(row: tuple[Any, ...]) -> str:
    """Return a row as one line, long cells cut."""
    cells = ["NULL" if cell is None else str(cell) for cell in row]
    return " | ".join(cell if len(cell) <= _CELL else f"{cell[: _CELL - 3]}..." for cell in cells)


def _html_row(finding: GoldFinding) -> Markup:
    rows = Markup("<br>").join(escape(shown_row(row)) for row in finding.rows)
    sql = Markup("<details><summary>SQL</summary><pre>{}</pre></details>").format(finding.sql) if finding.sql else Markup("")
    told = Markup("{}{}<br>→ {}{}").format(
        finding.message, Markup("<br><code>{}</code>").format(rows) if rows else "", finding.suggestion, sql
    )
    return Markup('<tr><td>{}</td><td class="{}">{}</td><td>{}</td><td>{}</td></tr>').format(
        finding.item_id, str(finding.severity), str(finding.severity), finding.code, told
    )
