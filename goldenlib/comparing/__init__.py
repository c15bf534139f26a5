"""Comparing: what earlier runs say of a run; what flipped between two, and why; how an agent's SQL stands to the golden SQL as text.

Rule: everything is read from the store; nobody is asked, and nothing is decided or stored.
"""

from __future__ import annotations

from goldenlib.comparing.runpairs import RunComparison, RunFlip, compare_runs
from goldenlib.comparing.texts import TextComparison, compare_texts, same_query

__all__ = ["RunComparison", "RunFlip", "TextComparison", "compare_runs", "compare_texts", "same_query"]
