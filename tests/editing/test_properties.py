"""For any file and any edit: the edited file loads as the edited set, and all that was not meant is the same, to the byte."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldenlib.editing import (
    DELETE,
    Choice,
    EditError,
    SourceFile,
    add_item,
    apply_choices,
    delete_item,
    merge,
    move_item,
    set_values,
)
from goldenlib.files.loading import load_set
from goldenlib.items import Item
from tests.editing.builders import a_source, changes
from tests.editing.strategies import files, full_texts, texts

# Files are large to draw, and the properties are about what is drawn; the deadline is that of pytest.
MANY = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))

TEXT_FIELDS = ("question", "domain", "note", "expected.rubric", "expected.answer")
REMOVABLE = ("domain", "note", "tags", "verified", "surface", "expected.rubric", "expected.must_not_include")


def _loaded(data: bytes) -> dict[str, Item]:
    """The items by id, as loading has them; the whole file is read by it and not by what is under test."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "golden.yaml"
        path.write_bytes(data)
        return {item.id: item for item in load_set(path)}


def _with(item: Item, values: dict[str, Any]) -> Item | None:
    """The item with the values, or None when there can be no such item."""
    written = item.model_dump()
    for path, value in values.items():
        *above, key = path.split(".")
        part = written
        for step in above:
            part = part[step]
        if value is DELETE:
            part.pop(key, None)
        else:
            part[key] = value
    try:
        return Item.model_validate(written)
    except ValueError:
        return None


def _values_now(source: SourceFile, item_id: str, paths: Any) -> dict[str, Any]:
    found = {}
    for path in paths:
        part: Any = source.values(item_id)
        for step in path.split("."):
            part = part.get(step, DELETE) if isinstance(part, dict) else DELETE
        found[path] = part
    return found


def _unless_repeated(edit: Callable[[], SourceFile]) -> SourceFile | None:
    """What the edit gives, or None where it is refused because an anchor ties it to something else."""
    try:
        return edit()
    except EditError as error:
        if not re.search(r"holds the anchor '&a\d+'|comes from '<<'|'\*a\d+.*' is an alias of an anchor that is not defined", str(error)):
            raise
        return None


@st.composite
def edits(draw: Any, item: Item) -> dict[str, Any]:
    """Values to be set: of a text, a flag, a list, several at once, or keys to be removed."""
    kind = draw(st.sampled_from(["text", "text", "flag", "list", "list", "remove", "several"]))
    if kind == "text":
        key = draw(st.sampled_from(TEXT_FIELDS))
        return {key: draw(full_texts if key == "question" else texts)}
    if kind == "flag":
        return {"verified": draw(st.booleans())}
    if kind == "remove":
        return {draw(st.sampled_from(REMOVABLE)): DELETE}
    if kind == "list":
        key = draw(st.sampled_from(["must_include", "must_not_include"]))
        return {f"expected.{key}": draw(changed_lists(list(getattr(item.expected, key))))}
    review = {"by": draw(full_texts), "source": draw(texts)}
    return {"domain": draw(texts), "expected.rubric": draw(texts), "tags": draw(st.lists(full_texts, max_size=2)), "review": review}


@st.composite
def changed_lists(draw: Any, values: list[str]) -> list[str]:
    """A list in another order, with an entry more, one less, one changed, or a new list."""
    kind = draw(st.sampled_from(["order", "more", "less", "changed", "new"]))
    if kind == "order":
        return list(draw(st.permutations(values)))
    if kind == "more":
        values.insert(draw(st.integers(0, len(values))), draw(full_texts))
    elif kind == "less" and values:
        del values[draw(st.integers(0, len(values) - 1))]
    elif kind == "changed" and values:
        values[draw(st.integers(0, len(values) - 1))] = draw(full_texts)
    elif kind == "new":
        values = draw(st.lists(full_texts, max_size=3))
    return values


def _lines_of(source: SourceFile, item_id: str) -> tuple[int, int]:
    """The first line of an item and the one below its last, counted from 0, as PyYAML sees them."""
    root = yaml.compose(source.text, yaml.CSafeLoader)
    listed = next(value for key, value in root.value if key.value == "items")
    index = source.ids.index(item_id)
    item, below = listed.value[index], listed.value[index + 1 :]
    end = item.end_mark.line + 1 if listed.flow_style else below[0].start_mark.line if below else listed.end_mark.line + 1
    return max(item.start_mark.line - 1, 0), end  # the '-' may stand on the line above


def _lines(text: str) -> list[str]:
    """The lines of YAML 1.2, which are fewer than those of Python."""
    return re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)


@MANY
@given(st.data())
def test_set_values_gives_the_edited_set_and_touches_only_the_lines_of_the_item(data: st.DataObject) -> None:
    raw = data.draw(files(anchors=True))
    source, before = a_source(raw), _loaded(raw)
    assert source.data == raw
    item = data.draw(st.sampled_from(list(before.values())))
    values = data.draw(edits(item))
    wanted = _with(item, values)
    if wanted is None:
        with pytest.raises(EditError):
            set_values(source, item.id, values)
        return

    edited = _unless_repeated(lambda: set_values(source, item.id, values))
    if edited is None:
        return
    assert _loaded(edited.data) == before | {item.id: wanted}
    assert set_values(edited, item.id, values) is edited
    first, end = _lines_of(source, item.id)
    old, new = _lines(source.text), _lines(edited.text)
    assert old[:first] == new[:first]
    assert old[end:] == new[len(new) - len(old[end:]) :]

    undone = _unless_repeated(lambda: set_values(edited, item.id, _values_now(source, item.id, values)))
    assert undone is None or _loaded(undone.data) == before


@MANY
@given(st.data())
def test_whole_items_are_added_moved_and_deleted_and_the_others_stay(data: st.DataObject) -> None:
    raw = data.draw(files(anchors=True))
    source, items = a_source(raw), _loaded(raw)
    order = list(items)
    item_id = data.draw(st.sampled_from(order))
    kind = data.draw(st.sampled_from(["add", "move", "delete"]))
    if kind == "add":
        new = {"id": "baru", "question": data.draw(full_texts), "expected": {"rubric": "r " + data.draw(texts)}, "note": data.draw(texts)}
        edited: SourceFile | None = add_item(source, new, after=item_id)
        items["baru"] = Item.model_validate(new)
        order.insert(order.index(item_id) + 1, "baru")
    elif kind == "move":
        order.remove(item_id)
        after = data.draw(st.sampled_from([None, *order]))
        edited = _unless_repeated(lambda: move_item(source, item_id, after))
        order.insert(order.index(after) + 1 if after is not None else 0, item_id)
    elif len(order) > 1:
        edited = _unless_repeated(lambda: delete_item(source, item_id))
        order.remove(item_id)
    else:
        return
    if edited is None:
        return
    loaded = _loaded(edited.data)
    assert list(loaded) == order
    assert loaded == {item_id: items[item_id] for item_id in order}
    if not source.layout.flow:
        others = [entry.piece.body.rstrip("\r\n") for entry in source.items if entry.id != item_id]
        assert all(body in edited.text for body in others)


@settings(MANY, max_examples=30)
@given(st.data())
def test_edits_in_a_row_come_out_as_one_by_one(data: st.DataObject) -> None:
    source = a_source(data.draw(files()))
    items = _loaded(source.data)
    edited = source
    for _ in range(data.draw(st.integers(2, 5))):
        item_id = data.draw(st.sampled_from(list(items)))
        values = data.draw(edits(items[item_id]))
        wanted = _with(items[item_id], values)
        if wanted is not None:
            edited = set_values(edited, item_id, values)
            items[item_id] = wanted
    assert _loaded(edited.data) == items
    assert edited.as_read is source or edited is source
    assert bool(edited.diff) == edited.is_changed


@settings(MANY, max_examples=30)
@given(st.data())
def test_merging_keeps_both_sides_and_asks_only_for_what_both_changed(data: st.DataObject) -> None:
    base = a_source(data.draw(files()))
    items = _loaded(base.data)
    sides = []
    for _ in range(2):
        item_id = data.draw(st.sampled_from(list(items)))
        values = {data.draw(st.sampled_from(["domain", "note", "expected.rubric"])): data.draw(full_texts)}
        sides.append((item_id, values, set_values(base, item_id, values)))
    (mine_id, mine_values, mine), (their_id, their_values, theirs) = sides
    result = merge(base, mine, theirs.saved())
    overlap = mine_id == their_id and mine_values.keys() == their_values.keys()
    assert len(result.conflicts) == (overlap and len({mine.text, theirs.text, base.text}) == 3)
    merged = apply_choices(result, {conflict.key: Choice.MINE for conflict in result.conflicts})
    expected = set_values(set_values(base, their_id, their_values), mine_id, mine_values)
    if base.text != mine.text or not overlap:
        assert _loaded(merged.data) == _loaded(expected.data)
    assert apply_choices(merge(base, base, theirs.saved())).data == theirs.data
    assert _loaded(apply_choices(merge(base, mine, base)).data) == _loaded(mine.data)


@MANY
@given(st.data())
def test_changing_a_quoted_text_and_back_restores_every_byte(data: st.DataObject) -> None:
    old, new = data.draw(full_texts), data.draw(full_texts)
    source = set_values(a_source("items:\n- id: a\n  question: \"x\"  # catatan\n  expected: {rubric: 'y'}\n"), "a", {"question": old})
    edited = set_values(source, "a", {"question": new})
    if "\n" not in old + new:
        assert set_values(edited, "a", {"question": old}).data == source.data
    assert edited.values("a")["question"] == new


def test_every_item_of_the_shipped_example_is_edited_in_its_own_lines() -> None:
    source = a_source((Path(__file__).parents[2] / "golden" / "example.yaml").read_bytes())
    for item_id in source.ids:
        assert changes(set_values(source, item_id, {"verified": True})) == ["-    verified: false", "+    verified: true"]
        phrases = source.values(item_id)["expected"].get("must_not_include", [])
        more = set_values(source, item_id, {"expected.must_not_include": [*phrases, "no"]})
        assert len(changes(more)) == (1 if phrases else 3)
        assert set_values(more, item_id, {"expected.must_not_include": phrases}).data == source.data
