"""Standing: whether the signature under an item holds for what its draft says.

Rule: an edit of what decides the verdict ends a signature, whether it was bound to a digest or not; when the text is again the
signed one, it holds again. `verified` and `review` of a draft always come from here, never from what somebody typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from goldenlib.workbench.drafts import Draft
from goldenlib.workbench.fields import Values, build, value_at

SIGNATURE = ("verified", "review")


def is_signed(values: Values | None) -> bool:
    """Whether the values say that the item is verified; not whether that still holds."""
    return values is not None and str(values.get("verified")).casefold() == "true" and not _has_ended(values)


def settled(draft: Draft, before: Values | None, today: date) -> Draft:
    """Return the draft with the signature that its text deserves: that of the file, that of `before`, or an ended one.

    `before` are values with a signature that may hold again: those of the draft until now, or those that undo goes back to.
    """
    base, new = draft.base, draft.values
    if base is not None and draft.withdrawn is not None and is_signed(base):
        return _with(draft, _ended(base, draft.withdrawn))
    if base is not None and is_signed(base) and (_same_contract(base, new) or _fits(base, new)):
        return _with(draft, base)
    is_over = base is not None and bool(value_at(base, "review.withdrawn"))
    if before is not None and is_signed(before) and not is_over and _holds(before, new):
        return _with(draft, before)
    signed = base if base is not None else before
    if signed is not None and is_signed(signed):
        return _with(draft, _ended(signed, {"lapsed": today.isoformat()}))
    return _with(draft, base) if base is not None else draft


def withdrawal(today: date, account: str, reason: str) -> dict[str, str]:
    """Return what a review says whose signature is taken back; who signed stays on record."""
    told = {"withdrawn": today.isoformat(), "withdrawn_by": account, "reason": " ".join(reason.split())}
    return {name: text for name, text in told.items() if text}


def without_signature(draft: Draft) -> Draft:
    """Return the draft with the signature of its base, so that two versions are compared without it."""
    return _with(draft, draft.base) if draft.base is not None else draft


def same_signature(one: Values | None, other: Values | None) -> bool:
    """Whether two versions of an item bear the same signature, or neither does."""
    return all((one or {}).get(name) == (other or {}).get(name) for name in SIGNATURE)


def _with(draft: Draft, given: Values) -> Draft:
    kept = {name: value for name, value in draft.values.items() if name not in SIGNATURE}
    return replace(draft, values=kept | {name: given[name] for name in SIGNATURE if name in given})


def _ended(values: Values, how: Mapping[str, str]) -> dict[str, Any]:
    review = values.get("review")
    return {"verified": False, **({"review": {**review, **how}} if isinstance(review, Mapping) else {})}


def _has_ended(values: Values) -> bool:
    return bool(value_at(values, "review.lapsed") or value_at(values, "review.withdrawn"))


def _holds(signed: Values, new: Values) -> bool:
    """Whether a signature is for this text: by its digest, or for want of one because nothing changed."""
    return _fits(signed, new) or (not value_at(signed, "review.digest") and _same_contract(signed, new))


def _fits(signed: Values, new: Values) -> bool:
    """Whether a signature is for exactly this text."""
    item = build({name: value for name, value in new.items() if name not in SIGNATURE})
    return item is not None and value_at(signed, "review.digest") == item.digest


def _same_contract(one: Values, other: Values) -> bool:
    """Whether two versions decide alike; an item that does not load is like itself only."""
    first, second = (build({name: value for name, value in values.items() if name not in SIGNATURE}) for values in (one, other))
    if first is None or second is None:
        return first is second and one == other
    return first.digest == second.digest
