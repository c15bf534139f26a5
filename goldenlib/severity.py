"""Severity: how bad a finding is, about a contract or about a gold."""

from __future__ import annotations

from enum import StrEnum


class Severity(StrEnum):
    """How bad it is. ERROR: what was found decides a verdict wrongly, or keeps it from being given; WARNING: it likely does; NOTE: look."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Severity).index(self)
