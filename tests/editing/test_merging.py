"""Merging: what one side changed is taken, what both changed is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from goldenlib.editing import (
    DELETE,
    Choice,
    ConflictError,
    EditError,
    FieldConflict,
    SourceFile,
    add_item,
    apply_choices,
    delete_item,
    merge,
    move_item,
    read_source,
    save,
    set_values,
)
from goldenlib.editing.merging import ORDER
from tests.editing.builders import a_source, an_item, changes

Edit = Callable[[SourceFile], SourceFile]
TEXT = f"# kepala\nitems:\n# tentang a\n{an_item('a', note='satu', domain='pt')}{an_item('b')}{an_item('c')}"
NEW = {"id": "z", "question": "Baru?", "expected": {"rubric": "x"}}


def _set(item_id: str, **values: object) -> Edit:
    return lambda source: set_values(source, item_id, {key.replace("__", "."): value for key, value in values.items()})


def _merge(mine: Edit, theirs: Edit) -> tuple[list[FieldConflict], Callable[..., SourceFile]]:
    """The conflicts, and what makes the file when one choice is made for all of them."""
    base = a_source(TEXT)
    result = merge(base, mine(base), theirs(base).saved())

    def choose(choice: str = "theirs") -> SourceFile:
        return apply_choices(result, {conflict.key: Choice(choice) for conflict in result.conflicts})

    return list(result.conflicts), choose


def _nothing(source: SourceFile) -> SourceFile:
    return source


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (_set("a", note="dua"), _set("a", domain="cv")),
        (_set("a", note="dua"), _set("b", note="tiga")),
        (_set("a", note="dua"), _set("a", note="dua")),
        (_set("a", note=DELETE), _set("a", expected__rubric="y")),
        (_set("a", expected__must_include=["x"]), _set("a", expected__rubric="y")),
        (_set("a", question=DELETE, turns=["x", "y"]), _set("a", note="tiga")),
        (lambda source: delete_item(source, "b"), _set("a", note="dua")),
        (lambda source: move_item(source, "c", None), _set("c", note="dua")),
        (lambda source: move_item(source, "c", None), lambda source: delete_item(source, "b")),
        (lambda source: add_item(source, NEW, "a"), lambda source: delete_item(source, "a")),
        (lambda source: add_item(source, NEW, "a"), lambda source: move_item(source, "a", "c")),
        (lambda source: delete_item(source, "b"), lambda source: delete_item(source, "c")),
    ],
)
def test_changes_that_do_not_touch_one_another_are_both_kept(mine: Edit, theirs: Edit) -> None:
    conflicts, choose = _merge(mine, theirs)
    merged, one_after_the_other = choose(), theirs(mine(a_source(TEXT)))
    assert conflicts == []
    assert sorted(merged.ids) == sorted(one_after_the_other.ids)
    assert [merged.values(item_id) for item_id in merged.ids] == [one_after_the_other.values(item_id) for item_id in merged.ids]


@pytest.mark.parametrize(
    ("mine", "theirs", "ids"),
    [
        (lambda source: move_item(source, "c", None), _nothing, ("c", "a", "b")),
        (_nothing, lambda source: move_item(source, "c", None), ("c", "a", "b")),
        (lambda source: move_item(source, "c", None), lambda source: add_item(source, NEW, "a"), ("c", "a", "z", "b")),
        (lambda source: add_item(source, NEW, "b"), lambda source: move_item(source, "b", None), ("b", "z", "a", "c")),
        (lambda source: add_item(source, NEW, "b"), lambda source: delete_item(source, "b"), ("a", "z", "c")),
        (lambda source: delete_item(source, "b"), lambda source: delete_item(source, "b"), ("a", "c")),
    ],
)
def test_an_order_that_one_side_changed_is_kept_and_new_items_stay_with_their_neighbours(
    mine: Edit, theirs: Edit, ids: tuple[str, ...]
) -> None:
    conflicts, choose = _merge(mine, theirs)
    assert conflicts == []
    assert choose().ids == ids


def test_the_text_of_the_other_side_stays_comments_and_all() -> None:
    base = a_source(TEXT)
    theirs = a_source(TEXT.replace("# tentang a", "# tentang a, diperiksa").replace("note: satu", "note:   satu  # ya"))
    merged = apply_choices(merge(base, set_values(base, "a", {"domain": "cv"}), theirs))
    assert merged.text == theirs.text.replace("domain: pt", "domain: cv")
    assert merged.as_read is theirs


@pytest.mark.parametrize(("choice", "note"), [("mine", "dua"), ("theirs", "tiga")])
def test_a_field_that_both_changed_is_asked(choice: str, note: str) -> None:
    conflicts, choose = _merge(_set("a", note="dua", domain="cv"), _set("a", note="tiga", question="Siapa?"))
    assert conflicts == [FieldConflict("a", ("note",), "satu", "dua", "tiga")]
    merged = choose(choice)
    assert merged.values("a") == {"id": "a", "question": "Siapa?", "expected": {"rubric": "x"}, "note": note, "domain": "cv"}


def test_a_flag_in_a_conflict_is_a_boolean() -> None:
    conflicts, choose = _merge(_set("a", verified=True), _set("a", verified=False))
    assert conflicts == [FieldConflict("a", ("verified",), DELETE, True, False)]
    assert choose("mine").text == TEXT.replace("  domain: pt\n", "  domain: pt\n  verified: true\n")


def test_an_item_that_i_left_and_they_deleted_is_not_asked_in_a_file_with_anchors() -> None:
    base = a_source(f"x-base: &base {{domain: pt}}\n{TEXT}")
    result = merge(base, set_values(base, "a", {"note": "dua"}), delete_item(base, "b").saved())
    assert (result.conflicts, apply_choices(result).ids) == ((), ("a", "c"))


def test_a_list_is_one_field() -> None:
    conflicts, choose = _merge(_set("a", expected__must_include=["x", "y"]), _set("a", expected__must_include=["x", "z"]))
    assert conflicts == [FieldConflict("a", ("expected", "must_include"), DELETE, ["x", "y"], ["x", "z"])]
    assert str(conflicts[0]) == "item 'a': expected.must_include"
    assert choose("mine").values("a")["expected"]["must_include"] == ["x", "y"]


@pytest.mark.parametrize(("choice", "there"), [("mine", False), ("theirs", True)])
def test_an_item_that_i_deleted_and_they_changed_is_asked(choice: str, there: bool) -> None:
    conflicts, choose = _merge(lambda source: delete_item(source, "b"), _set("b", note="dua"))
    assert [(conflict.key, conflict.mine) for conflict in conflicts] == [(("b", ()), DELETE)]
    assert str(conflicts[0]) == "item 'b': the whole item"
    assert ("b" in choose(choice).ids) is there


@pytest.mark.parametrize(("choice", "there"), [("mine", True), ("theirs", False)])
def test_an_item_that_they_deleted_and_i_changed_is_asked(choice: str, there: bool) -> None:
    conflicts, choose = _merge(_set("a", note="dua"), lambda source: delete_item(source, "a"))
    assert [(conflict.key, conflict.theirs) for conflict in conflicts] == [(("a", ()), DELETE)]
    merged = choose(choice)
    assert ("a" in merged.ids) is there
    if there:
        assert merged.text == TEXT.replace("note: satu", "note: dua")


@pytest.mark.parametrize(("choice", "question"), [("mine", "Baru?"), ("theirs", "Lain?")])
def test_an_item_that_both_added_is_asked_field_by_field(choice: str, question: str) -> None:
    conflicts, choose = _merge(lambda source: add_item(source, NEW), lambda source: add_item(source, {**NEW, "question": "Lain?"}))
    assert [conflict.key for conflict in conflicts] == [("z", ("question",))]
    assert choose(choice).values("z")["question"] == question


@pytest.mark.parametrize(("choice", "ids"), [("mine", ("c", "a", "b")), ("theirs", ("b", "a", "c"))])
def test_an_order_that_both_changed_is_asked(choice: str, ids: tuple[str, ...]) -> None:
    conflicts, choose = _merge(lambda source: move_item(source, "c", None), lambda source: move_item(source, "b", None))
    assert conflicts == [FieldConflict("", ORDER, ("a", "b", "c"), ("c", "a", "b"), ("b", "a", "c"))]
    assert str(conflicts[0]) == "the order of the items"
    assert choose(choice).ids == ids


def test_a_conflict_without_a_choice_is_refused_by_name() -> None:
    base = a_source(TEXT)
    result = merge(base, set_values(base, "a", {"note": "dua"}), set_values(base, "a", {"note": "tiga"}).saved())
    with pytest.raises(EditError, match=r"golden\.yaml: item 'a': note: both versions changed it; choose which version to keep"):
        apply_choices(result)


def test_fields_that_do_not_fit_together_are_refused() -> None:
    base = a_source(TEXT)
    mine, theirs = set_values(base, "a", {"question": DELETE, "turns": ["x"]}), set_values(base, "a", {"question": "Siapa?"}).saved()
    result = merge(base, mine, theirs)
    with pytest.raises(EditError, match="has both 'question' and 'turns'; keep one of them"):
        apply_choices(result, {("a", ("question",)): Choice.THEIRS})
    assert apply_choices(result, {("a", ("question",)): Choice.MINE}).values("a")["turns"] == ["x"]


def test_a_change_of_mine_that_cannot_be_written_is_told_and_not_left_out() -> None:
    """field/tests C12: I removed a key that they moved under '<<'."""
    base = a_source(f"x-base: &base {{domain: pt}}\nitems:\n{an_item('a', domain='pt')}{an_item('b')}")
    theirs = a_source(base.text.replace("  domain: pt\n", "  <<: *base\n"))
    with pytest.raises(EditError, match=r"item 'a': domain comes from '<<' and cannot be removed here.*; choose other versions"):
        apply_choices(merge(base, set_values(base, "a", {"domain": DELETE}), theirs))


def test_a_mapping_that_loses_all_its_keys_goes() -> None:
    base = set_values(a_source(TEXT), "a", {"review": {"by": "Budi"}}).saved()
    merged = apply_choices(merge(base, set_values(base, "a", {"review": DELETE}), set_values(base, "a", {"note": "dua"}).saved()))
    assert "review" not in merged.values("a")


def test_a_merged_file_can_be_saved(tmp_path: Path) -> None:
    path = tmp_path / "golden.yaml"
    path.write_text(TEXT, encoding="utf-8")
    mine = set_values(read_source(path), "a", {"note": "dua"})
    save(set_values(read_source(path), "b", {"question": "Siapa?"}))
    with pytest.raises(ConflictError) as caught:
        save(mine)
    conflict = caught.value
    assert conflict.theirs is not None
    merged = apply_choices(merge(conflict.base, conflict.mine, conflict.theirs))
    assert changes(merged) == ["-  note: satu", "+  note: dua"]
    save(merged)
    assert path.read_text(encoding="utf-8") == TEXT.replace("note: satu", "note: dua").replace(
        an_item("b"), an_item("b", question='"Siapa?"')
    )
