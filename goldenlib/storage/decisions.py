"""Decisions as a run's row keeps them, so that report, exit code and last line can be given again as they were (contract 6.6)."""

from __future__ import annotations

import json
from dataclasses import asdict

from goldenlib.gating import Decision, Flip, Outcome, Regression, Standing, Totals


def decision_text(decision: Decision) -> str:
    """Return a decision as JSON."""
    return json.dumps(asdict(decision), separators=(",", ":"))


def decision_from(text: str) -> Decision:
    """Return the decision that `decision_text` wrote."""
    values = json.loads(text)
    return Decision(
        outcome=Outcome(values["outcome"]),
        line=values["line"],
        reasons=tuple(values["reasons"]),
        totals=Totals(**values["totals"]),
        regressions=tuple(Regression(**{**regression, "flip": Flip(regression["flip"])}) for regression in values["regressions"]),
        unverified=tuple(values["unverified"]),
        compared=values["compared"],
        notes=tuple(values["notes"]),
        standing=tuple(Standing(**{**item, "flip": Flip(item["flip"])}) for item in values.get("standing", ())),  # not in old stores
    )
