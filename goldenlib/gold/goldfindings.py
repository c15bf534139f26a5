"""Findings: what is said about a gold, and how bad it is.

Rule: a code means one thing for ever. An error keeps the gold from scoring; everything else is for a person to look at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from goldenlib.severity import Severity as Severity  # part of a finding
from goldenlib.warehouse import QueryResult

# Every code, with the severity it usually has. docs/gold-checks.md has a section for each; a test looks.
CODES: Mapping[str, Severity] = MappingProxyType(
    {
        "golden-sql-not-select": Severity.ERROR,
        "gold-fails-to-run": Severity.ERROR,
        "gold-empty": Severity.ERROR,
        "gold-has-null": Severity.ERROR,
        "limit-names-no-column": Severity.ERROR,
        "check-fails-to-run": Severity.ERROR,
        "check-disagrees": Severity.ERROR,
        "check-undecided": Severity.WARNING,
        "order-matters-without-order-by": Severity.ERROR,
        "order-by-without-order-matters": Severity.NOTE,
        "order-asked-for": Severity.WARNING,
        "ordered-with-tied-keys": Severity.WARNING,
        "limit-through-tie": Severity.WARNING,
        "numbers-sorted-as-text": Severity.WARNING,
        "limit-without-order": Severity.WARNING,
        "changes-between-runs": Severity.WARNING,
        "changes-with-row-order": Severity.WARNING,
        "changes-with-threads": Severity.WARNING,
        "rows-indistinct": Severity.WARNING,
        "whole-numbers-with-tolerance": Severity.NOTE,
        "rounding-disagrees-with-absolute": Severity.WARNING,
        "depends-on-today": Severity.WARNING,
        "open-period": Severity.WARNING,
        "month-asked-for": Severity.WARNING,
        "depends-on-time-zone": Severity.WARNING,
        "last-day-cut-off": Severity.WARNING,
        "filter-finds-nothing": Severity.WARNING,
        "count-of-else": Severity.WARNING,
        "joined-without-condition": Severity.WARNING,
        "same-gold-twice": Severity.NOTE,
        "note-missing": Severity.WARNING,
        "check-missing": Severity.NOTE,
        "forbidden-without-gold": Severity.WARNING,
        "decline-with-gold": Severity.WARNING,
    }
)


@dataclass(frozen=True, slots=True)
class GoldFinding:
    """One thing about a gold: a sentence, what shows it, and the way out.

    `sql` is the statement it is about, or the one that shows it; `rows` are the few rows that show it. Both may be empty.
    """

    item_id: str
    code: str
    severity: Severity
    message: str
    sql: str
    rows: tuple[tuple[Any, ...], ...]
    suggestion: str

    def to_json(self) -> dict[str, Any]:
        """Return the finding as `golden check --json` writes it; cells that JSON lacks are texts."""
        return {
            "item_id": self.item_id,
            "code": self.code,
            "severity": str(self.severity),
            "message": self.message,
            "sql": self.sql,
            "rows": [[_json_cell(cell) for cell in row] for row in self.rows],
            "suggestion": self.suggestion,
        }


@dataclass(frozen=True)
class GoldCheck:
    """What came of checking one gold: findings, worst first, and its result where it ran.

    An item without golden SQL has neither findings nor a result. `unavailable` is how the warehouse itself failed, or empty: a gold
    with an error for that may be a good one. `others` are the results of what else is right, where all of it ran.
    """

    item_id: str
    findings: tuple[GoldFinding, ...]
    result: QueryResult | None
    unavailable: str = ""
    others: tuple[QueryResult, ...] = ()

    @property
    def can_score(self) -> bool:
        """Whether nothing found keeps the gold from scoring."""
        return not any(finding.severity is Severity.ERROR for finding in self.findings)


def _json_cell(cell: Any) -> Any:
    if isinstance(cell, float) and (cell != cell or cell in (float("inf"), float("-inf"))):
        return str(cell)
    return cell if cell is None or isinstance(cell, bool | int | float | str) else str(cell)
