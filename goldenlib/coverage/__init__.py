"""Coverage: what a golden set asks about in each split, and what is missing there (seed 002, "Cover declines and roles").

Start with `coverage_of`; `reporting.coverage` shows it, `nearduplicates` finds questions that ask almost the same on both sides of the
split.
"""

from __future__ import annotations

from goldenlib.coverage.counting import Coverage, Gap, GapKind, coverage_of
from goldenlib.coverage.nearduplicates import NearDuplicate

__all__ = ["Coverage", "Gap", "GapKind", "NearDuplicate", "coverage_of"]
