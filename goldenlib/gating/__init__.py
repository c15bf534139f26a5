"""Gating: results and baselines come in, a decision with all its reasons comes out.

Where to read on: `decision` is the gate, `flips` says which of the items that fail now regressed, `lines` how rates and counts are written.
"""

from __future__ import annotations

from goldenlib.gating.decision import Comparison, Decision, Outcome, Policy, Totals, count, decide, decide_without_results, line_head
from goldenlib.gating.flips import Baseline, Flip, Regression, Standing, find_regressions
from goldenlib.gating.lines import meets, percent

__all__ = [
    "Baseline",
    "Comparison",
    "Decision",
    "Flip",
    "Outcome",
    "Policy",
    "Regression",
    "Standing",
    "Totals",
    "count",
    "decide",
    "decide_without_results",
    "find_regressions",
    "line_head",
    "meets",
    "percent",
]
