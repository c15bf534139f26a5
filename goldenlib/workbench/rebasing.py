"""Rebasing: the file changed under a draft. What only one side changed is taken; the rest is for a person to choose.

Rule: the same as `editing.merging`, on the values of one item; drafts need not be fit for saving, so no file is made of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from goldenlib.editing import DELETE, FieldConflict
from goldenlib.workbench.drafts import Draft
from goldenlib.workbench.fields import Values, changes

WHOLE: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rebased:
    """A draft on top of the new file (None when nothing of it is left), and what both sides changed."""

    draft: Draft | None
    conflicts: tuple[FieldConflict, ...] = ()


def rebase(draft: Draft, theirs: Values | None) -> Rebased:
    """Put a draft on top of what the file says now; None when the item is no longer there. Conflicts are left as mine."""
    if draft.base is None:
        return Rebased(draft)
    if theirs is None:
        if draft.deleted:
            return Rebased(None)
        return Rebased(draft, (FieldConflict(draft.key, WHOLE, draft.base, dict(draft.values), DELETE),))
    if theirs == draft.base:
        return Rebased(draft)
    if draft.deleted:
        return Rebased(replace(draft, base=theirs), (FieldConflict(draft.key, WHOLE, draft.base, DELETE, dict(theirs)),))
    mine, others = changes(draft.base, draft.values), changes(draft.base, theirs)
    conflicts = tuple(
        FieldConflict(draft.key, path, at_path(draft.base, path), at_path(draft.values, path), at_path(theirs, path))
        for path in mine
        if path in others and mine[path] != others[path]
    )
    values: Mapping[str, Any] = theirs
    for path, new in mine.items():
        values = put(values, path, new)
    rebased = replace(draft, values=values, base=theirs)
    return Rebased(rebased if rebased.changes_something else None, conflicts)


def choose(draft: Draft, conflict: FieldConflict, *, mine: bool) -> Draft | None:
    """Return the draft with one conflict decided; None when nothing of it is left."""
    if conflict.field == WHOLE:
        if mine:
            return replace(draft, base=None, after=None) if conflict.theirs is DELETE else draft
        return None
    value = conflict.mine if mine else conflict.theirs
    return replace(draft, values=put(draft.values, tuple(map(str, conflict.field)), value))


def put(values: Values, path: tuple[str, ...], new: Any) -> dict[str, Any]:
    """Return a copy with the part at `path` set, or taken away by DELETE."""
    copy, key = dict(values), path[0]
    if len(path) > 1:
        inner = copy.get(key)
        new = put(inner if isinstance(inner, Mapping) else {}, path[1:], new)
        new = new or DELETE
    if new is DELETE:
        copy.pop(key, None)
    else:
        copy[key] = new
    return copy


def at_path(values: Values, path: tuple[str, ...]) -> Any:
    """Return what stands at a path; DELETE where nothing does."""
    found: Any = values
    for key in path:
        if not isinstance(found, Mapping) or key not in found:
            return DELETE
        found = found[key]
    return found
