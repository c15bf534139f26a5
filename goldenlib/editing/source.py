"""A golden set file that is open for editing: its text in pieces, one an item, and what became of it since it was read.

Rule: a SourceFile is a value. An edit gives a new one; all that no edit touched is the very text that was read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from goldenlib.editing.diffing import Hunk, changed_lines, hunks, unified
from goldenlib.editing.pieces import Piece, join_flow
from goldenlib.editing.refusals import EditError
from goldenlib.editing.rewriting import Shared
from goldenlib.editing.syntax import (
    ListSpan,
    Span,
    Syntax,
    column_of,
    parse,
)
from goldenlib.editing.values import as_plain, value_of
from goldenlib.errors import Problem

BOM = "\ufeff"


class Layout(NamedTuple):
    """How the list of items is written: in brackets or not, the column of its dashes, how much that is deeper than `items:`."""

    flow: bool
    column: int
    offset: int
    newline: str
    ends_with_comma: bool = False


class ItemText(NamedTuple):
    """An item's id (None where it has none) and its piece of the file."""

    id: str | None
    piece: Piece


@dataclass(frozen=True)
class SourceFile:
    """A YAML golden set file as it was read, with the edits made since. `read_source` makes one.

    Without items, `head` is the whole text. `is_new` is one that was not on the disk when it was read; saving makes it.
    """

    path: Path
    head: str
    items: tuple[ItemText, ...]
    tail: str
    layout: Layout
    shared: Shared
    has_bom: bool
    is_new: bool = False
    _as_read: SourceFile | None = None

    @property
    def as_read(self) -> SourceFile:
        """The file as it was read, without the edits."""
        return self._as_read or self

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the items, in order."""
        return tuple(item.id for item in self.items if item.id is not None)

    @cached_property
    def text(self) -> str:
        """The whole text, without a byte order mark."""
        pieces = [item.piece for item in self.items]
        if self.layout.flow:
            return self.head + join_flow(pieces, self.tail, self.layout.newline, ends_with_comma=self.layout.ends_with_comma)
        return "".join([self.head, *(part for piece in pieces for part in piece), self.tail])

    @cached_property
    def data(self) -> bytes:
        """The bytes of the file with the edits."""
        return (BOM * self.has_bom + self.text).encode()

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hex, of the bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def is_changed(self) -> bool:
        """Whether there are edits to save."""
        return self.text != self.as_read.text

    @cached_property
    def _hunks(self) -> Sequence[Hunk]:
        return hunks(self.as_read.blocks, self.blocks)

    @property
    def diff(self) -> str:
        """What the edits change, as a unified diff; empty when nothing."""
        return unified(self._hunks, str(self.path), is_new=self.is_new)

    @property
    def changed_lines(self) -> tuple[int, int] | None:
        """The first and the last line that the edits changed, counted from 1 in the edited text; None when there is none."""
        return changed_lines(self._hunks)

    @property
    def blocks(self) -> list[str]:
        """The text in order as head, items and tail, for comparing."""
        if self.layout.flow:
            return [self.text]
        return [self.head, *("".join(item.piece) for item in self.items), self.tail]

    def index(self, item_id: str) -> int:
        """Return at which index of `items` an item stands. Raises EditError when there is none, or more than one."""
        found = self._places.get(item_id, ())
        if len(found) == 1:
            return found[0]
        if not found:
            raise self.error(f"there is no item '{item_id}'", "choose one of the items of this file")
        lines = " and ".join(str(self.line_of(index)) for index in found)
        raise self.error(f"there are several items '{item_id}', in lines {lines}", "give each an id of its own in a text editor", item_id)

    @cached_property
    def _places(self) -> Mapping[str, list[int]]:
        places: dict[str, list[int]] = {}
        for index, item in enumerate(self.items):
            if item.id is not None:
                places.setdefault(item.id, []).append(index)
        return places

    def line_of(self, index: int) -> int:
        """Return the line, from 1, at which the piece of an item starts, comments above it included."""
        before = "".join(self.blocks[: index + 1]) + self.items[index].piece.gap if not self.layout.flow else self.head
        return len(before.replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    def values(self, item_id: str) -> Mapping[str, Any]:
        """Return what an item says: texts as typed, lists, mappings, None for an empty value, and flags as booleans."""
        values = as_plain(self.value_at(self.index(item_id)))
        return values if isinstance(values, dict) else {}

    def value_at(self, index: int) -> Any:
        """Return what the item at an index says, as `values.value_of` has it."""
        return value_of(self.region(index).item, self.shared.anchors)

    def region(self, index: int) -> Region:
        """Return the syntax of one item."""
        return region_of(self.items[index].piece.body, self.layout)

    def with_items(self, items: Sequence[ItemText], shared: Shared | None = None) -> SourceFile:
        """Return the file with other items, and the edits so far."""
        return replace(self, items=tuple(items), shared=shared or self.shared, _as_read=self.as_read)

    def saved(self) -> SourceFile:
        """Return the file as one that was just read as it now is."""
        return replace(self, is_new=False, _as_read=None)

    def error(self, message: str, way_out: str, item_id: str | None = None) -> EditError:
        """Return an error that concerns this file, or an item of it."""
        places = self._places.get(item_id or "", ())
        line = self.line_of(places[0]) if len(places) == 1 else None
        return EditError([Problem(str(self.path), message, line, item_id=item_id, way_out=way_out)])


class Region(NamedTuple):
    """The piece of one item, parsed: its text, the item, where its '-' ends (None in brackets), and anchors and aliases in it."""

    text: str
    item: Span
    mark: int | None
    syntax: Syntax


def region_of(text: str, layout: Layout) -> Region:
    """Return the syntax of an item's piece. Raises yaml.YAMLError when it is none."""
    syntax = parse(text)
    root = syntax.root
    if layout.flow and root is not None:
        return Region(text, root, None, syntax)
    if isinstance(root, ListSpan) and not root.flow and len(root.entries) == 1 and column_of(text, root.body) == layout.column:
        return Region(text, root.entries[0].value, root.entries[0].mark, syntax)
    raise yaml.YAMLError("not the lines of one item")
