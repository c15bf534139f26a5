"""Reviewing: an expert's signature under an item, bound to its digest (contract 2.5).

Rule: a signature is for what the expert saw. Any later change of the contract takes it away by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from goldenlib.folding import fold
from goldenlib.workbench.fields import Values, build

GOOD_FOR_DAYS = 365


@dataclass(frozen=True, slots=True)
class Signature:
    """Who signs, on what grounds, and until when."""

    by: str
    source: str = ""
    due: str = ""


def problems_of(signature: Signature, today: date) -> dict[str, str]:
    """Return what is wrong with a signature: the name of a wording by field."""
    found = {}
    if not fold(signature.by):
        found["by"] = "problem_no_name"
    if signature.due:
        try:
            if date.fromisoformat(signature.due) <= today:
                found["due"] = "problem_due_past"
        except ValueError:
            found["due"] = "problem_due_form"
    return found


def signed(values: Values, signature: Signature, today: date, account: str = "") -> dict[str, Any]:
    """Return the values of an item with `verified: true` and the review. Raises ValueError for an item that is not complete."""
    item = build(values)
    if item is None:
        raise ValueError("an item that is not complete cannot be signed")
    review = {"by": signature.by.strip(), "account": account, "at": today.isoformat()}
    review |= {"source": signature.source.strip(), "due": signature.due, "digest": item.digest}
    return {**values, "verified": True, "review": {key: value for key, value in review.items() if value}}
