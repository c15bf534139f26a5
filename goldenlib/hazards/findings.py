"""Findings: what the linter says about an item, first without words and then in the expert's language.

Rule: a rule finds a `Hit`, which holds facts only; `sentences` makes the sentences. So both languages find the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as made
from typing import Any

from goldenlib.severity import Severity as Severity  # part of a finding

REQUIRED, FORBIDDEN = "must_include", "must_not_include"


@dataclass(frozen=True, slots=True)
class Finding:
    """One hazard of an item, told in one language.

    `field` is the key it concerns (must_include, question, ...), `phrase` the text of the item as its author wrote it, empty
    for the item as a whole. `evidence` are lines of facts: the words that are hit, the answers that would fail. `line` and
    `column` count from 1 and are None where only the item is known.
    """

    item_id: str
    code: str
    severity: Severity
    field: str
    phrase: str
    message: str
    evidence: tuple[str, ...]
    suggestion: str
    line: int | None = None
    column: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the finding as `golden lint --json` writes it."""
        return {
            "item_id": self.item_id,
            "code": self.code,
            "severity": str(self.severity),
            "field": self.field,
            "phrase": self.phrase,
            "message": self.message,
            "evidence": list(self.evidence),
            "suggestion": self.suggestion,
        }


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of evidence: the name of its wording, and what fills the gaps."""

    name: str
    values: Mapping[str, object] = made(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule found. `variant` chooses among the wordings of its code; `values` fill the gaps in it."""

    severity: Severity
    field: str
    phrase: str = ""
    variant: str = ""
    values: Mapping[str, object] = made(default_factory=dict)
    evidence: tuple[Fact, ...] = ()
    place: tuple[int, int] | None = None
