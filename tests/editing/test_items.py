"""Adding, moving, deleting and renaming items: each goes with its comments, and the others stay as they are."""

from __future__ import annotations

import pytest

from goldenlib.editing import EditError, add_item, delete_item, move_item, rename_item, set_values
from goldenlib.items import Expected, Item, Review
from tests.editing.builders import a_source, an_item, changes

HEAD = "# kepala berkas\n\nitems:\n"
A = "# tentang a\n" + an_item("a") + "  # todo: periksa\n"
B = "# tentang b\n# dua baris\n" + an_item("b")
C = an_item("c")
HEADING = "# Bagian dua\n\n"


def test_an_item_moves_with_its_comments() -> None:
    source = a_source(f"{HEAD}{A}\n{B}\n{C}# akhir\n")
    assert move_item(source, "a", "b").text == f"{HEAD}{B}\n{A}\n{C}# akhir\n"
    assert move_item(source, "c", None).text == f"{HEAD}{C}\n{A}\n{B}# akhir\n"
    assert move_item(source, "a", "c").text == f"{HEAD}{B}\n{C}\n{A}# akhir\n"


@pytest.mark.parametrize("after", [None, "a", "d"])
def test_moving_back_restores_every_byte(after: str | None) -> None:
    source = a_source(f"{HEAD}{A}\n{B}\n{C}\n{an_item('d')}\n{HEADING}{an_item('e')}")
    assert move_item(move_item(source, "c", after), "c", "b").text == source.text
    assert move_item(move_item(source, "e", after), "e", "d" if after != "d" else "c").ids[-1] in ("d", "e")
    assert move_item(source, "c", "b") is source


def test_an_item_is_deleted_with_its_comments_and_one_gap() -> None:
    source = a_source(f"{HEAD}{A}\n{B}\n{C}# akhir\n")
    assert delete_item(source, "a").text == f"{HEAD}{B}\n{C}# akhir\n"
    assert delete_item(source, "b").text == f"{HEAD}{A}\n{C}# akhir\n"
    assert delete_item(source, "c").text == f"{HEAD}{A}\n{B}# akhir\n"


def test_a_heading_apart_from_the_item_below_stays() -> None:
    source = a_source(f"{HEAD}# Bagian satu\n\n{A}\n{HEADING}{B}\n{C}")
    assert delete_item(source, "a").text == f"{HEAD}# Bagian satu\n\n{HEADING}{B}\n{C}"
    assert delete_item(source, "b").text == f"{HEAD}# Bagian satu\n\n{A}\n{HEADING}{C}"
    assert move_item(source, "b", None).text == f"{HEAD}# Bagian satu\n\n{B}\n{A}\n{HEADING}{C}"


def test_the_only_item_cannot_be_deleted() -> None:
    with pytest.raises(EditError, match="item 'a': is the only item, and a set needs one; delete the file"):
        delete_item(a_source(f"items:\n{A}"), "a")


def test_a_new_item_looks_like_its_neighbours() -> None:
    text = (
        "items:\n  -   id: a\n      question: 'Apa?'\n      expected:\n          must_include:\n          - 'satu'\n          rubric: >\n"
        "             Panjang.\n      verified: false\n\n  -   id: b\n      question: 'Siapa?'\n      expected: {rubric: x}\n# akhir\n"
    )
    new = {"id": "c", "question": "no", "expected": {"must_include": ["dua", "tiga"], "rubric": "Kalimat.\n"}, "verified": False}
    added = (
        "\n  -   id: c\n      question: 'no'\n      expected:\n          must_include:\n          - 'dua'\n          - 'tiga'\n"
        "          rubric: >\n             Kalimat.\n      verified: false\n"
    )
    first, second = text.split("\n\n")
    assert add_item(a_source(text), new, after="a").text == f"{first}\n{added}\n{second}"
    assert delete_item(add_item(a_source(text), new, after="a"), "c").text == text


def test_a_new_item_goes_to_the_end_before_closing_comments() -> None:
    edited = add_item(a_source(f"{HEAD}{A}\n{B}# akhir\n...\n"), {"id": "z", "question": "Apa", "expected": {"rubric": "x"}})
    assert edited.text == f"{HEAD}{A}\n{B}\n{an_item('z', question='Apa')}# akhir\n...\n".replace("question: Apa\n", 'question: "Apa"\n')


def test_an_item_object_is_written_with_surface_and_verified() -> None:
    item = Item(id="z", question="Apa?", expected=Expected(must_include=("WNI",)), review=Review(by="Budi", at="2026-11-29"))
    edited = add_item(a_source(f"items:\n{an_item('a')}"), item)
    assert edited.values("z") == {
        "id": "z",
        "surface": "public",
        "question": "Apa?",
        "expected": {"must_include": ["WNI"]},
        "verified": False,
        "review": {"by": "Budi", "at": "2026-11-29"},
    }
    assert '\n    at: "2026-11-29"\n' in edited.text
    assert "\n  surface: public\n" in edited.text


def test_a_new_item_in_a_file_of_braces_is_in_braces() -> None:
    source = a_source("items:\n- {id: a, question: 'Apa?', expected: {rubric: x}}\n")
    edited = add_item(source, {"id": "b", "question": "Siapa?", "expected": {"rubric": "y\nz"}})
    assert edited.text.endswith("""\n\n- {id: b, question: 'Siapa?', expected: {rubric: "y\\nz"}}\n""")


@pytest.mark.parametrize("ending", ["", ","])
def test_items_in_one_list_in_brackets_are_edited_like_others(ending: str) -> None:  # case 163
    one, two = "{id: a, question: 'Apa?', expected: {rubric: x}}", "{id: b, question: 'Apa?', expected: {rubric: x}}"
    source = a_source(f"items: [{one}, {two}{ending}]\n")
    assert move_item(source, "b", None).text == f"items: [{two}, {one}{ending}]\n"
    assert delete_item(source, "a").text == f"items: [{two}{ending}]\n"
    three = two.replace("id: b", "id: c")
    assert (
        add_item(source, {"id": "c", "question": "Apa?", "expected": {"rubric": "x"}}, "a").text
        == f"items: [{one}, {three}, {two}{ending}]\n"
    )
    assert set_values(source, "b", {"question": "Siapa?"}).text == source.text.replace(
        "id: b, question: 'Apa?'", "id: b, question: 'Siapa?'"
    )


def test_a_file_without_a_final_line_break_stays_without() -> None:
    source = a_source(f"items:\n{an_item('a')}{an_item('b')}".removesuffix("\n"))
    assert move_item(source, "b", None).text == f"items:\n{an_item('b')}{an_item('a')}".removesuffix("\n")
    assert delete_item(source, "b").text == f"items:\n{an_item('a')}".removesuffix("\n")


def test_a_block_at_the_end_of_a_file_does_not_gain_a_line_break_by_moving() -> None:
    source = a_source(f"items:\n{an_item('a')}{an_item('b', note='|' + chr(10) + '    satu')}".removesuffix("\n"))
    edited = move_item(source, "b", None)
    assert edited.values("b")["note"] == source.values("b")["note"] == "satu"
    assert "note: |-\n    satu\n- id: a" in edited.text


def test_blank_lines_that_belong_to_a_text_stay_with_it() -> None:
    keeps = an_item("b", note="|+\n    satu\n\n")
    source = a_source(f"items:\n{an_item('a')}\n{keeps}{an_item('c')}\n{an_item('d')}")
    for edited in (move_item(source, "b", None), move_item(source, "a", "b"), delete_item(source, "c"), delete_item(source, "a")):
        assert edited.values("b") == source.values("b")


def test_renaming_changes_one_line_and_minds_other_ids() -> None:
    source = a_source(f"items:\n{A}{B}")
    assert changes(rename_item(source, "a", "a-baru")) == ["-- id: a", "+- id: a-baru"]
    assert rename_item(source, "a", "a-baru").ids == ("a-baru", "b")
    with pytest.raises(EditError, match="the id 'B' is taken by 'b'"):
        rename_item(source, "a", "B")


def test_a_copy_of_an_item_under_another_id_says_the_same() -> None:
    source = a_source(f"items:\n{an_item('a', verified='False', domain='012', note='')}")
    edited = add_item(source, {**source.values("a"), "id": "b"}, after="a")
    assert edited.values("b") == {"id": "b", "question": "Apa?", "expected": {"rubric": "x"}, "verified": False, "domain": "012"}
    assert '\n  domain: "012"\n' in edited.text


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"id": "a", "question": "x", "expected": {"rubric": "x"}}, "the id 'a' is taken by 'a' in line 4"),
        ({"id": "z", "question": "x"}, "item 'z': has nothing to check"),
        ({"question": "x", "expected": {"rubric": "x"}}, "has no 'id'"),
        ({"id": "z", "quetsion": "x", "expected": {"rubric": "x"}}, r"unknown key 'quetsion' \(did you mean 'question'\?\)"),
    ],
)
def test_an_item_that_would_not_load_is_not_added(item: dict[str, object], message: str) -> None:
    with pytest.raises(EditError, match=message):
        add_item(a_source(f"{HEAD}{A}"), item)


def test_edits_are_composed_and_shown_as_one_diff() -> None:
    source = a_source(f"{HEAD}{A}\n{B}\n{C}")
    edited = delete_item(move_item(set_values(source, "a", {"verified": True}), "a", None), "c")
    assert edited.as_read is source
    assert edited.diff == (
        '--- golden.yaml\n+++ golden.yaml\n@@ -5,10 +5,7 @@\n - id: a\n   question: "Apa?"\n   expected: {rubric: x}\n'
        '+  verified: true\n   # todo: periksa\n \n # tentang b\n # dua baris\n - id: b\n   question: "Apa?"\n   expected: {rubric: x}\n-\n'
    ) or changes(edited) == ["+  verified: true", "-", "-- id: c", '-  question: "Apa?"', "-  expected: {rubric: x}"]


def test_the_diff_of_a_missing_final_line_break_says_so() -> None:
    edited = set_values(a_source(f"items:\n{an_item()}  note: x"), "a", {"note": "z"})
    assert edited.diff.endswith("-  note: x\n\\ No newline at end of file\n+  note: z\n\\ No newline at end of file\n")
