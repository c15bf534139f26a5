"""Changing: set values of an item; add, move, delete and rename items.

Rule: a function here returns a new SourceFile, or raises and changes nothing. No edit adds a problem that loading would refuse.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import yaml

from goldenlib.editing.beginning import opening_of
from goldenlib.editing.pieces import Piece, closed_line, settled, usual_gap, with_inserted, with_removed
from goldenlib.editing.reading import parse_source
from goldenlib.editing.refusals import Damaged, EditError, Unwanted
from goldenlib.editing.rendering import Renderer
from goldenlib.editing.rewriting import Rewriting, Shared, TextPlace, apply, lost_anchor
from goldenlib.editing.source import BOM, ItemText, Region, SourceFile, region_of
from goldenlib.editing.surroundings import Example, Surroundings
from goldenlib.editing.syntax import AliasSpan, MappingSpan, Syntax, parse, within
from goldenlib.editing.values import DELETE, Path, as_wanted, changed, path_of, same
from goldenlib.editing.verifying import problems_of, verify
from goldenlib.errors import GoldenError, Problem
from goldenlib.files.documents import Step
from goldenlib.items import Item

_NEIGHBOURS = (0, -1, 1, -2, 2)


def set_values(source: SourceFile, item_id: str, values: Mapping[str | Sequence[Step], Any]) -> SourceFile:
    """Return the file with parts of an item changed.

    A key of `values` is a path: "expected.must_include", "expected.must_include[0]" or ("expected", "must_include", 0). A value
    is a text, a bool, a number, a list or a mapping; DELETE, or None, takes the part away. Indexes are those of the list as it
    is before any is taken away. Missing keys are added at their natural place. What says the value already is not touched.

    Raises EditError when there is no such item or path, when a value cannot be written or would not load, or when the change would
    change another item as well, through an anchor.
    """
    index = source.index(item_id)
    try:
        wanted = source.value_at(index)
        for path, new in sorted(((path_of(where), new) for where, new in values.items()), key=_entries_last):
            wanted = changed(wanted, path, new)
        return with_value(source, index, wanted)
    except Unwanted as error:
        raise _refused(source, str(error), item_id) from None


def rename_item(source: SourceFile, item_id: str, new_id: str) -> SourceFile:
    """Return the file with an item under another id. Its history in the store stays with the old one."""
    return set_values(source, item_id, {"id": new_id})


def add_item(source: SourceFile, item: Item | Mapping[str, Any], after: str | None = None) -> SourceFile:
    """Return the file with a new item behind the item `after`, or at the end; it is written in the style of its neighbours.

    In a file without items it becomes the first one: `items:` is written at the end, or the one that is there completed.
    """
    index = source.index(after) + 1 if after is not None else len(source.items)
    return insert_item(source, index, _as_item(item))


def delete_item(source: SourceFile, item_id: str) -> SourceFile:
    """Return the file without an item and the comments that belong to it. The only one stays: loading refuses a set without items."""
    index = source.index(item_id)
    if len(source.items) == 1:
        raise _refused(source, "is the only item, and a set needs one; delete the file, or add another item first", item_id)
    region = source.region(index)
    if lost := lost_anchor(region.item, source.shared):
        raise _refused(source, f"holds the anchor '&{lost}', and '*{lost}' repeats it elsewhere; write the value out there first", item_id)
    pieces = with_removed([entry.piece for entry in source.items], index)
    order = [number for number in range(len(source.items)) if number != index]
    edited = _arranged(source, [source.items[number].id for number in order], pieces)
    edited = edited.with_items(edited.items, _shared(source, region.syntax, None))
    return _verified(source, edited, order, [index], item_id)


def move_item(source: SourceFile, item_id: str, after: str | None) -> SourceFile:
    """Return the file with an item, and the comments that belong to it, right behind the item `after`, or with None first."""
    old = source.index(item_id)
    order = [index for index in range(len(source.items)) if index != old]
    if after == item_id:
        raise _refused(source, "cannot stand behind itself; choose another item", item_id)
    new = order.index(source.index(after)) + 1 if after is not None else 0
    if new == old:
        return source
    order.insert(new, old)
    pieces = [entry.piece for entry in source.items]
    gap = usual_gap(pieces, old, _default_gap(source))
    pieces = with_inserted(with_removed(pieces, old), new, pieces[old], gap)
    edited = _arranged(source, [source.items[index].id for index in order], pieces)
    return _verified(source, edited, order, [old, new], item_id)


# --- values ---


def _entries_last(change: tuple[Path, Any]) -> tuple[bool, int]:
    """Order changes so that list entries go last, from the end of the list on: the others keep their indexes until then."""
    (*_, step), new = change
    return (True, -step) if isinstance(step, int) and (new is DELETE or new is None) else (False, 0)


def with_value(source: SourceFile, index: int, wanted: Any) -> SourceFile:
    """Return the file with all that an item says, in the form in which `SourceFile.values` gives it. Raises Unwanted."""
    before = source.region(index)
    if same(before.item, wanted, source.shared.anchors):
        return source
    new_id = _new_id(source, wanted, index)
    why = ""
    for may_block in (True, False):
        text = _rewritten(source, index, before, wanted, may_block=may_block)
        try:
            return _replaced(source, index, text, new_id, wanted)
        except Damaged as error:
            why = str(error).partition("; ")[0]
    raise Unwanted(f"the change cannot be written here without touching something else ({why}); make it in a text editor")


def _rewritten(source: SourceFile, index: int, region: Region, wanted: Any, *, may_block: bool) -> str:
    renderer = Renderer(_surroundings(source, index), may_block=may_block)
    place = TextPlace((), region.mark, source.layout.column, source.layout.flow)
    return apply(region.text, Rewriting(region.text, renderer, source.shared).splices(region.item, wanted, place))


def _replaced(source: SourceFile, index: int, text: str, new_id: str | None, wanted: Any) -> SourceFile:
    """Return the file with other text for an item. Raises Damaged unless that says what is wanted."""
    before, old = source.items[index], source.region(index)
    try:
        region = region_of(text, source.layout)
    except yaml.YAMLError as error:
        raise Damaged(str(error)) from None
    items = list(source.items)
    items[index] = ItemText(new_id, before.piece._replace(body=text))
    edited = source.with_items(items, _shared(source, old.syntax, region.syntax))
    whole = _ties(old.syntax) != _ties(region.syntax)
    expected = {index: wanted} if not whole else {number: source.value_at(number) for number in range(len(items))} | {index: wanted}
    verify(edited, expected, whole=whole)
    _refuse_problems(edited, index, problems_of(source, old))
    return edited


def _ties(syntax: Syntax) -> list[tuple[str | None, bool]]:
    """Return the anchors of an item and its aliases in the order of the text: an alias holds only below its anchor."""
    spans = within(syntax.root) if syntax.root is not None else ()
    names = [(span.name, True) if isinstance(span, AliasSpan) else (span.anchor, False) for span in spans]
    return [tie for tie in names if tie[0] is not None]


def _surroundings(source: SourceFile, index: int) -> Surroundings:
    """Return the items near an index as examples, the item itself first."""
    examples = []
    for step in _NEIGHBOURS:
        if 0 <= index + step < len(source.items):
            region = source.region(index + step)
            if isinstance(region.item, MappingSpan):
                examples.append(Example(region.text, region.item))
    text = source.items[min(index, len(source.items) - 1)].piece.body if source.items else ""
    newline = "\r\n" if "\r\n" in text else "\n" if "\n" in text else "\r" if "\r" in text else source.layout.newline
    return Surroundings(tuple(examples), newline, source.layout.offset)


def _new_id(source: SourceFile, wanted: Any, index: int | None) -> str | None:
    """Return the id that is wanted. Raises Unwanted when another item has it, or one that looks the same (case 201)."""
    new_id = wanted.get("id") if isinstance(wanted, dict) else None
    if not isinstance(new_id, str):
        return None
    if index is not None and source.items[index].id == new_id:
        return source.items[index].id
    for number, other in enumerate(source.items):
        if number != index and other.id is not None and _folded(other.id) == _folded(new_id):
            raise Unwanted(f"the id '{new_id}' is taken by '{other.id}' in line {source.line_of(number)}; choose another")
    return str(new_id)


def _folded(item_id: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", item_id).casefold())


def _refuse_problems(edited: SourceFile, index: int, before: Sequence[Problem]) -> None:
    """Raise EditError for problems that the item did not have before."""
    known = {problem.message for problem in before}
    item_id = edited.items[index].id
    problems = [problem for problem in problems_of(edited, edited.region(index)) if problem.message not in known]
    if problems:
        raise EditError([edited.error(problem.message, problem.way_out or "", item_id).problems[0] for problem in problems])


# --- whole items ---


def insert_item(source: SourceFile, index: int, values: Mapping[str, Any], body: str | None = None) -> SourceFile:
    """Return the file with a new item at an index; `body` is its piece where that is written already. Raises EditError."""
    try:
        wanted = as_wanted(values)
        new_id = _new_id(source, wanted, None)
    except Unwanted as error:
        raise _refused(source, str(error), None) from None
    for may_block in (None, True, False):
        if may_block is None and body is None:
            continue
        text = body or "" if may_block is None else _rendered(source, index, wanted, may_block=may_block)
        try:
            edited = _with_piece(source, index, text, new_id, wanted) if source.items else _begun(source, text, wanted)
        except Damaged:
            continue
        _refuse_problems(edited, index, ())
        return edited
    raise _refused(source, "the item cannot be written here; add it in a text editor", new_id)


def _with_piece(source: SourceFile, index: int, text: str, new_id: str | None, wanted: Any) -> SourceFile:
    """Return the file with the lines of a new item among the others. Raises Damaged unless they say what is wanted."""
    ids = [entry.id for entry in source.items]
    pieces = with_inserted([entry.piece for entry in source.items], index, Piece("", text), _default_gap(source))
    edited = _arranged(source, [*ids[:index], new_id, *ids[index:]], pieces)
    _verify_arranged(source, edited, [*range(index), None, *range(index, len(ids))], [index], wanted)
    return edited


def _begun(source: SourceFile, text: str, wanted: Any) -> SourceFile:
    """Return a file without items with the lines of its first one. Raises Damaged unless they say what is wanted."""
    opening = opening_of(source.text, parse(source.text).root)
    if opening is None:
        raise Damaged("there is no place for a list of items")
    whole = (BOM * source.has_bom + opening.head + closed_line(text, source.layout.newline) + opening.tail).encode()
    try:
        begun = parse_source(source.path, whole)
    except GoldenError as error:
        raise Damaged(str(error)) from None
    if len(begun.items) != 1 or not same(begun.region(0).item, wanted, begun.shared.anchors):
        raise Damaged("the item does not say what was wanted")
    return replace(source.with_items(begun.items, begun.shared), head=begun.head, tail=begun.tail, layout=begun.layout)


def _as_item(item: Item | Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(item, Item):
        return {"id": item.id, "surface": item.surface, **item.model_dump(exclude_defaults=True), "verified": item.verified}
    return item


def _default_gap(source: SourceFile) -> str:
    """Return what keeps two items apart where the file does not show it: a blank line, or a blank behind the comma."""
    return " " if source.layout.flow else source.layout.newline


def _rendered(source: SourceFile, index: int, wanted: dict[str, Any], *, may_block: bool) -> str:
    """Return the lines of a new item, or its text in brackets."""
    near = max(index - 1, 0)
    around = _surroundings(source, near)
    renderer = Renderer(around, may_block=may_block)
    if source.layout.flow:
        return renderer.flow(wanted, ())
    gap = _dash_gap(source.region(near)) if source.items else " "
    return "".join(line + around.newline for line in renderer.entry(wanted, (), source.layout.column, gap))


def _dash_gap(region: Region) -> str:
    """Return what stands between the '-' of an item and its first key, where that is blanks; a blank elsewhere."""
    gap = region.text[region.mark : region.item.start]
    return gap if gap and not gap.strip(" ") and isinstance(region.item, MappingSpan) and region.item.start == region.item.body else " "


def _arranged(source: SourceFile, ids: Sequence[str | None], pieces: Sequence[Piece]) -> SourceFile:
    tail = source.tail
    if not source.layout.flow:
        ends_open = not tail and not source.text.endswith(("\n", "\r"))
        pieces = settled(pieces, source.layout.newline, ends_open=ends_open)
        tail = pieces[-1].aside + tail  # a heading that has no item below it any more
        pieces[-1] = pieces[-1]._replace(aside="")
    items = [ItemText(item_id, piece) for item_id, piece in zip(ids, pieces, strict=True)]
    return replace(source.with_items(items), tail=tail)


def _verified(source: SourceFile, edited: SourceFile, origins: Sequence[int], changed_at: Sequence[int], item_id: str) -> SourceFile:
    try:
        _verify_arranged(source, edited, origins, changed_at)
    except Damaged as error:
        message = f"cannot be taken from its place without changing what is around it ({error}); do it in a text editor"
        raise _refused(source, message, item_id) from None
    return edited


def _verify_arranged(
    source: SourceFile, edited: SourceFile, origins: Sequence[int | None], changed_at: Sequence[int], new: Any = None
) -> None:
    """Raise Damaged unless every item says what it said before, and the one without an origin what is wanted.

    Away from the places that changed, items stand between the same neighbours as before and are not parsed again, unless
    anchors tie them together.
    """
    whole = bool(source.shared.anchors) or source.layout.flow
    near = {place + step for place in changed_at for step in (-1, 0, 1)}
    expected = {
        index: source.value_at(origin) if origin is not None else new for index, origin in enumerate(origins) if whole or index in near
    }
    verify(edited, expected, whole=whole)


def _shared(source: SourceFile, old: Syntax, new: Syntax | None) -> Shared:
    """Return the anchors of the file after the text of an item changed."""
    if not (old.anchors or old.uses or (new and (new.anchors or new.uses))):
        return source.shared
    anchors = {name: span for name, span in source.shared.anchors.items() if name not in old.anchors}
    uses = {name: count - old.uses.get(name, 0) for name, count in source.shared.uses.items()}
    for name, count in (new.uses if new else {}).items():
        uses[name] = uses.get(name, 0) + count
    return Shared({**anchors, **(new.anchors if new else {})}, uses)


def _refused(source: SourceFile, message: str, item_id: str | None) -> EditError:
    what, _, way_out = message.partition("; ")
    return source.error(what, way_out, item_id)
