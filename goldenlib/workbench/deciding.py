"""Deciding: two versions of a field, and the choice between them.

Rule: both are shown, and nothing is taken without being chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldenlib.editing import DELETE, ConflictError, FieldConflict
from goldenlib.reporting.passages import plain, visible
from goldenlib.workbench.handling import Handler, Message, Patch
from goldenlib.workbench.shown import as_dialog, is_shown


def met_conflict(handler: Handler, conflict: ConflictError, why: str) -> bool:
    """The file was changed by somebody else between looking and writing. Returns whether there is something to choose, which is shown."""
    if conflict.theirs is None:
        raise conflict  # it is no golden set now: there is nothing to choose from
    handler.dialog = conflict_dialog(handler, "changed") if handler.bench.conflicts else None
    handler.say(why, "warn")
    return handler.dialog is not None


def conflict_dialog(handler: Handler, why: str) -> Patch:
    """Both versions of what both sides changed."""
    keys = [one.item_id for one in handler.bench.conflicts]
    return as_dialog(handler, "conflict", keys, {"why": why, "conflicts": [_shown(one) for one in handler.bench.conflicts]})


def _shown(conflict: FieldConflict) -> Patch:
    versions = {"base": conflict.base, "mine": conflict.mine, "theirs": conflict.theirs}
    return {
        "id": plain(conflict.item_id),
        "field": ".".join(str(step) for step in conflict.field),
        **{name: _lines(value) for name, value in versions.items()},
    }


def _lines(value: Any) -> list[str] | None:
    """A version of a field as lines; None where it is not there."""
    if value is DELETE or value is None:
        return None
    if isinstance(value, list | tuple):
        return [visible(str(part)) for part in value]
    if isinstance(value, Mapping):
        return [f"{key}: {plain(str(part), 200)}" for key, part in value.items()]
    return visible(str(value)).splitlines()


def decide(handler: Handler, message: Message) -> Patch:
    """Settle the conflicts that are shown."""
    if "digest" in message and not is_shown(handler, message, "conflict"):
        handler.dialog = conflict_dialog(handler, "changed") if handler.bench.conflicts else None
        return handler.after_change()
    choices = {int(number): choice == "mine" for number, choice in dict(message["choices"]).items()}
    handler.bench.decide(choices)
    handler.dialog = conflict_dialog(handler, "changed") if handler.bench.conflicts else None
    if handler.dialog is None:
        handler.say("decided_note", "warn")
    return handler.after_change()
