"""Merging: two versions of a file that were made from the same one become one, field by field.

Rule: what only one side changed is taken; what both changed, differently, is for a person to choose. Nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any

from goldenlib.editing.changing import delete_item, insert_item, move_item, with_value
from goldenlib.editing.refusals import EditError, Unwanted
from goldenlib.editing.source import SourceFile
from goldenlib.editing.values import DELETE, Path, as_plain, changed
from goldenlib.errors import Problem
from goldenlib.files.checking import label

# The field of a conflict about the order of the items, which is one of the file: its item_id is empty.
ORDER: Path = ("order",)


class Choice(StrEnum):
    """Whose version of a field is kept."""

    MINE = "mine"
    THEIRS = "theirs"


@dataclass(frozen=True)
class FieldConflict:
    """A field that both sides changed, with its three values as `SourceFile.values` has them; DELETE is one that is not there.

    `field` is a path in the item; an empty one stands for the whole item, which one side deleted and the other changed.
    """

    item_id: str
    field: Path
    base: Any
    mine: Any
    theirs: Any

    @property
    def key(self) -> tuple[str, Path]:
        """What a choice is made for."""
        return self.item_id, self.field

    def __str__(self) -> str:
        what = label(self.field) or "the whole item"
        return f"item '{self.item_id}': {what}" if self.item_id else "the order of the items"


@dataclass(frozen=True)
class MergeResult:
    """Two versions put together, as far as that goes without asking: what is taken of mine, on top of theirs."""

    mine: SourceFile
    theirs: SourceFile
    changes: Mapping[str, Mapping[Path, Any]]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    takes_my_order: bool
    conflicts: tuple[FieldConflict, ...]


def merge(base: SourceFile, mine: SourceFile, theirs: SourceFile) -> MergeResult:
    """Put `mine` and `theirs`, both made from `base`, together.

    A list, such as must_include, is one field. Items are told apart by their ids, so that a renamed one counts as deleted and
    added. `apply_choices` makes the file; there the text of `theirs` is kept, comments and all.
    """
    conflicts: list[FieldConflict] = []
    changes: dict[str, dict[Path, Any]] = {}
    removed: list[str] = []
    versions = _Versions(base, mine, theirs)
    for item_id in dict.fromkeys((*theirs.ids, *mine.ids)):
        if versions.is_mine_as_base(item_id):
            continue
        was, ours, others = versions.values(item_id)
        if item_id in versions.theirs and item_id in versions.mine:
            changes[item_id] = _merged_fields(item_id, was, ours, others, conflicts)
        elif item_id in versions.base and was != (others if ours is DELETE else ours):
            conflicts.append(_conflict(item_id, (), was, ours, others))
        elif item_id in versions.base and ours is DELETE:
            removed.append(item_id)
    added = tuple(item_id for item_id in mine.ids if item_id not in versions.base and item_id not in versions.theirs)
    takes_my_order = _merge_order(versions, conflicts)
    return MergeResult(
        mine, theirs, {key: value for key, value in changes.items() if value}, added, tuple(removed), takes_my_order, tuple(conflicts)
    )


def apply_choices(result: MergeResult, choices: Mapping[tuple[str, Path], Choice] | None = None) -> SourceFile:
    """Return `theirs` with what was taken of mine and what was chosen; it can be saved over `theirs`.

    `choices` holds one for the `key` of each conflict. Raises EditError when one is missing, or when fields that were changed
    apart do not fit together.
    """
    chosen = dict(choices or {})
    open_ones = [conflict for conflict in result.conflicts if conflict.key not in chosen]
    if open_ones:
        path, way_out = str(result.theirs.path), "choose which version to keep"
        raise EditError([Problem(path, f"{conflict}: both versions changed it", way_out=way_out) for conflict in open_ones])
    my_conflicts = [conflict for conflict in result.conflicts if chosen[conflict.key] == Choice.MINE]
    merged = _with_fields(result, my_conflicts)
    whole = [conflict for conflict in my_conflicts if conflict.item_id and not conflict.field]
    for item_id in (*result.added, *(conflict.item_id for conflict in whole if conflict.mine is not DELETE)):
        merged = _with_mine(merged, result.mine, item_id)
    for item_id in (*result.removed, *(conflict.item_id for conflict in whole if conflict.mine is DELETE)):
        merged = delete_item(merged, item_id)
    if result.takes_my_order or any(conflict.field == ORDER and not conflict.item_id for conflict in my_conflicts):
        merged = _in_order_of(merged, result.mine.ids)
    return merged


class _Versions:
    """The three versions, and what an item says in each; DELETE where it is not there."""

    def __init__(self, base: SourceFile, mine: SourceFile, theirs: SourceFile) -> None:
        self.base, self.mine, self.theirs = set(base.ids), set(mine.ids), set(theirs.ids)
        self.orders = [source.ids for source in (base, mine, theirs)]
        self._sources = (base, mine, theirs)
        self._text_decides = not (base.shared.anchors or mine.shared.anchors)

    def is_mine_as_base(self, item_id: str) -> bool:
        """Whether I left the item as it was, so that theirs counts, whatever it is."""
        base, mine, _ = self._sources
        if item_id not in self.base or item_id not in self.mine:
            return item_id not in self.base and item_id not in self.mine
        ours, was = mine.items[mine.index(item_id)].piece.body, base.items[base.index(item_id)].piece.body
        return self._text_decides and ours == was

    def values(self, item_id: str) -> list[Any]:
        return [
            source.values(item_id) if item_id in ids else DELETE
            for source, ids in zip(self._sources, (self.base, self.mine, self.theirs), strict=True)
        ]


def _merged_fields(item_id: str, was: Any, ours: Any, others: Any, conflicts: list[FieldConflict]) -> dict[Path, Any]:
    """Return the fields to be taken of mine; add those that both sides changed to `conflicts`."""
    old, my, their = (_fields({} if values is DELETE else values) for values in (was, ours, others))
    taken: dict[Path, Any] = {}
    for path in dict.fromkeys((*my, *their, *old)):
        before, mine, theirs = (fields.get(path, DELETE) for fields in (old, my, their))
        if mine in (before, theirs):
            continue
        if theirs == before:
            taken[path] = mine
        else:
            conflicts.append(_conflict(item_id, path, before, mine, theirs))
    return taken


def _conflict(item_id: str, path: Path, *values: Any) -> FieldConflict:
    base, mine, theirs = (as_plain(value, str(path[-1]) if path else "") for value in values)
    return FieldConflict(item_id, path, base, mine, theirs)


def _fields(values: Mapping[str, Any], path: Path = ()) -> dict[Path, Any]:
    """Return the values by path; those of mappings on their own, lists as one."""
    fields: dict[Path, Any] = {}
    for key, value in values.items():
        if isinstance(value, dict) and value:
            fields |= _fields(value, (*path, key))
        else:
            fields[(*path, key)] = value
    return fields


def _merge_order(versions: _Versions, conflicts: list[FieldConflict]) -> bool:
    """Return whether my order of the items that all three versions have is to be taken; or add a conflict."""
    everywhere = versions.base & versions.mine & versions.theirs
    was, ours, others = ([item_id for item_id in order if item_id in everywhere] for order in versions.orders)
    if ours in (was, others):
        return False
    if others == was:
        return True
    conflicts.append(FieldConflict("", ORDER, tuple(was), tuple(ours), tuple(others)))
    return False


# --- making the file ---


def _with_fields(result: MergeResult, my_conflicts: Iterable[FieldConflict]) -> SourceFile:
    fields: dict[str, dict[Path, Any]] = {item_id: dict(changes) for item_id, changes in result.changes.items()}
    for conflict in my_conflicts:
        if conflict.item_id and conflict.field:
            fields.setdefault(conflict.item_id, {})[conflict.field] = conflict.mine
    merged = result.theirs
    for item_id, changes in fields.items():
        index = merged.index(item_id)
        wanted = merged.value_at(index)
        try:
            for path, value in sorted(changes.items(), key=lambda change: change[1] is not DELETE):  # room first, then what goes there
                wanted = changed(wanted, path, value)
            merged = with_value(merged, index, _without_empty(wanted, changes))
        except Unwanted as error:
            raise merged.error(str(error), "choose other versions of its fields", item_id) from None
    return merged


def _without_empty(value: Any, changes: Iterable[Path]) -> Any:
    """Return the value without the mappings that lost their last key by the changes."""
    for path in changes:
        for length in range(len(path) - 1, 0, -1):
            part = value
            for step in path[:length]:
                part = part.get(step) if isinstance(part, dict) else None
            if part == {}:
                value = changed(value, path[:length], DELETE)
    return value


def _with_mine(merged: SourceFile, mine: SourceFile, item_id: str) -> SourceFile:
    """Return the file with an item of mine, behind the nearest of those that stand above it in mine."""
    index = mine.index(item_id)
    there = set(merged.ids)
    above = next((other for other in reversed(mine.ids[: mine.ids.index(item_id)]) if other in there), None)
    has_anchors = bool(mine.shared.anchors or merged.shared.anchors)
    body = mine.items[index].piece.body if mine.layout == merged.layout and not has_anchors else None
    return insert_item(merged, merged.index(above) + 1 if above is not None else 0, mine.value_at(index), body)


def _in_order_of(merged: SourceFile, ids: Sequence[str]) -> SourceFile:
    """Return the file with as few items as possible moved, so that those of `ids` come in that order."""
    there = set(merged.ids)
    wanted = [item_id for item_id in ids if item_id in there]
    known = set(wanted)
    now = [item_id for item_id in merged.ids if item_id in known]
    blocks = SequenceMatcher(None, now, wanted, autojunk=False).get_matching_blocks()
    staying = {item_id for block in blocks for item_id in wanted[block.b : block.b + block.size]}
    for number, item_id in enumerate(wanted):
        if item_id not in staying:
            merged = move_item(merged, item_id, wanted[number - 1] if number else None)
    return merged
