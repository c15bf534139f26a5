"""Scoring: what one answer is worth under its item's contract. One module per scorer."""

from __future__ import annotations

# Part of a run's identity: raised when the fact gate, the verdict rules or the way they are combined change.
SCORER_VERSION = "1"
