"""Setting values of an item: only what is meant changes, in the style that stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldenlib.editing import DELETE, EditError, read_source, save, set_values
from goldenlib.files.loading import load_set
from tests.editing.builders import a_source, an_item, changes

LIST_ITEM = """items:
- id: a
  question: "Apa?"
  expected:
    must_include:
      # tentang satu
      - "satu"   # catatan satu

      # tentang dua
      - dua
      # - tiga
    must_not_include: []
  verified: false
"""


def test_one_flag_is_a_diff_of_one_line() -> None:  # case 155
    question = "Apa saja syarat mendirikan PT perorangan menurut peraturan yang berlaku saat ini di Indonesia dan berapa biayanya?"
    source = a_source(
        f'items:\n- id: a   # periksa lagi\n  question: "{question}"\n  expected: {{must_include: [\'WNI\', "no"]}}\n  verified: false\n'
    )
    edited = set_values(source, "a", {"verified": True})
    assert changes(edited) == ["-  verified: false", "+  verified: true"]
    assert edited.changed_lines == (5, 5)


def test_windows_line_ends_stay() -> None:  # case 157; an item that loads, which that of the case does not
    source = a_source(b"items:\r\n- id: a\r\n  question: Apa\r\n  expected: {rubric: x}\r\n  verified: false\r\n")
    edited = set_values(source, "a", {"verified": True})
    assert edited.data == b"items:\r\n- id: a\r\n  question: Apa\r\n  expected: {rubric: x}\r\n  verified: true\r\n"


def test_an_item_that_was_wrong_before_can_be_changed_all_the_same() -> None:  # case 157 as it stands
    edited = set_values(a_source(b"items:\r\n- id: a\r\n  verified: false\r\n"), "a", {"verified": True})
    assert edited.data == b"items:\r\n- id: a\r\n  verified: true\r\n"


def test_added_lines_end_like_those_around_them() -> None:
    source = a_source("items:\r\n" + an_item("a", verified="false").replace("\n", "\r\n") + "# LF from here\n" + an_item("b"))
    edited = set_values(source, "a", {"note": "satu\ndua"})
    assert b"  note: |-\r\n    satu\r\n    dua\r\n# LF" in edited.data
    assert set_values(source, "b", {"note": "x"}).data.endswith(b"\n  note: x\n")


@pytest.mark.parametrize(
    ("old", "new", "written"),
    [
        ("'satu'", "dua", "'dua'"),
        ("'satu'", "it's", "'it''s'"),
        ("'satu'", "a\tb", '"a\\tb"'),
        ('"satu"', 'dua "x" \\', '"dua \\"x\\" \\\\"'),
        ("satu", "dua", "dua"),
        ("satu", "no", '"no"'),
        ("satu", "a: b", '"a: b"'),
        ("", "dua", "dua"),
        ("~", "dua", "dua"),
        ('"a\\nb"', "a\nc", '"a\\nc"'),
        ("!!str satu", "dua", "!!str dua"),
        ("&x satu", "dua", "&x dua"),
        ("&x", "dua", "&x dua"),
        ("'satu\n    dua'", "tiga", "'tiga'"),
        ("satu\n    dua", "tiga", "tiga"),
    ],
)
def test_a_text_keeps_its_quotes_if_they_can_hold_it(old: str, new: str, written: str) -> None:
    edited = set_values(a_source(f"items:\n{an_item(note=old)}"), "a", {"note": new})
    assert edited.text == f"items:\n{an_item(note=written)}"


@pytest.mark.parametrize(
    ("old", "new", "written"),
    [
        (">\n    satu\n    dua", "tiga\n", ">\n    tiga"),
        (">   # catatan\n      satu", "tiga", ">-   # catatan\n      tiga"),
        ("|\n   satu\n   dua", "satu\ntiga\n", "|\n   satu\n   tiga"),
        ("|\n    satu", " tiga\nx\n", "|2\n     tiga\n    x"),
        ("|3\n      satu", "dua\n", "|\n     dua"),
        ("|+\n    satu\n", "satu\n\ndua\n\n", "|+\n    satu\n\n    dua"),
        ("|\n    satu", "tiga ", '"tiga "'),
        ("|", "tiga\n", "|\n    tiga"),
        ("satu", "dua\ntiga", "|-\n    dua\n    tiga"),
        ("satu  # catatan", "dua\ntiga\n", "|  # catatan\n    dua\n    tiga"),
        ("", "dua\ntiga\n", "|\n    dua\n    tiga"),
    ],
)
def test_a_block_stays_a_block_with_its_indentation(old: str, new: str, written: str) -> None:
    edited = set_values(a_source(f"items:\n{an_item(note=old)}\n# ekor\n"), "a", {"note": new})
    assert edited.text == f"items:\n{an_item(note=written)}\n# ekor\n"
    assert edited.values("a")["note"] == new


def test_only_the_changed_line_of_a_folded_text_is_folded_anew() -> None:
    rubric = ">\n    Jawaban menyebut bahwa pendiri adalah WNI,\n    bahwa usianya 17 tahun,\n    dan bahwa akta tidak perlu."
    source = a_source(f"items:\n{an_item(note=rubric)}")
    edited = set_values(source, "a", {"note": source.values("a")["note"].replace("17", "21")})
    assert changes(edited) == ["-    bahwa usianya 17 tahun,", "+    bahwa usianya 21 tahun,"]


@pytest.mark.parametrize(("written", "value", "expected"), [("False", True, "True"), ("FALSE", True, "TRUE"), ("true", False, "false")])
def test_a_flag_keeps_its_case(written: str, value: bool, expected: str) -> None:
    edited = set_values(a_source(f"items:\n{an_item(verified=written)}"), "a", {"verified": value})
    assert edited.text == f"items:\n{an_item(verified=expected)}"


def test_a_number_is_written_as_one() -> None:
    source = a_source(f"items:\n{an_item(expected='{sql: {golden: select 1, tolerance: 0.1}}')}")
    edited = set_values(source, "a", {"expected.sql.tolerance": 0.00001})
    assert "tolerance: 0.00001}" in edited.text
    assert set_values(edited, "a", {"expected.sql.tolerance": 1e-5}) is edited


@pytest.mark.parametrize("value", [True, "Apa?", ["x"], {"rubric": "x"}])
def test_setting_what_is_there_gives_the_same_file(value: object) -> None:
    source = a_source("items:\n- {id: a, question: Apa, expected: {rubric: x, must_include: [x]}, verified: TRUE, note: 'Apa?'}\n")
    path = {True: "verified", "Apa?": "note"}.get(value) if not isinstance(value, list | dict) else None
    where = path or ("expected.must_include" if isinstance(value, list) else "expected")
    kept = {"rubric": "x", "must_include": ["x"]} if where == "expected" else value
    assert set_values(source, "a", {where: kept}) is source


# --- keys ---


def test_a_missing_key_goes_to_its_natural_place() -> None:
    source = a_source(f"items:\n{an_item(verified='false')}")
    edited = set_values(source, "a", {"domain": "pt", "review.by": "Budi", "expected.must_include": ["satu"], "context": "x"})
    assert edited.text == (
        'items:\n- id: a\n  domain: pt\n  question: "Apa?"\n  context: x\n'
        "  expected: {must_include: [satu], rubric: x}\n  verified: false\n"
        "  review:\n    by: Budi\n"
    )


def test_an_item_without_expected_gets_one() -> None:
    source = a_source("items:\n- id: a\n  question: Apa\n  verified: false\n")
    edited = set_values(source, "a", {("expected", "must_include"): ["satu"]})
    assert edited.text == "items:\n- id: a\n  question: Apa\n  expected:\n    must_include:\n    - satu\n  verified: false\n"


def test_a_removed_key_goes_with_its_comments_and_no_others() -> None:
    text = (
        "items:\n- id: a\n  # di atas soal\n  question: Apa\n  # milik catatan\n  note: x  # juga\n    # lebih dalam\n"
        "  # milik expected\n  expected: {rubric: x}\n"
    )
    edited = set_values(a_source(text), "a", {"note": DELETE})
    assert edited.text == text.replace("  # milik catatan\n  note: x  # juga\n    # lebih dalam\n", "")


@pytest.mark.parametrize("ending", ["", "\n", "\n# akhir"])
def test_the_last_key_of_a_file_can_be_removed_and_added(ending: str) -> None:
    source = a_source(f"items:\n{an_item()}  note: x{ending}")
    removed = set_values(source, "a", {"note": None})
    assert removed.text == f"items:\n{an_item()}".removesuffix("" if ending else "\n") + ending.removeprefix("\n")
    assert set_values(removed, "a", {"note": "x"}).text == source.text


def test_the_first_key_can_be_removed_and_the_next_takes_its_place_behind_the_dash() -> None:
    source = a_source("items:\n- surface: public\n  # nomor\n  id: a\n  question: Apa\n  expected: {rubric: x}\n")
    assert set_values(source, "a", {"surface": DELETE}).text == "items:\n- # nomor\n  id: a\n  question: Apa\n  expected: {rubric: x}\n"


def test_a_key_is_added_before_the_first_one_behind_a_dash() -> None:
    source = a_source("items:\n- question: Apa\n  expected: {rubric: x}\n  id: a\n")
    edited = set_values(source, "a", {"expected": {"rubric": "x", "must_include": ["y"]}, "question": DELETE, "turns": ["satu", "dua"]})
    assert edited.values("a") == {"expected": {"rubric": "x", "must_include": ["y"]}, "id": "a", "turns": ["satu", "dua"]}


def test_a_mapping_that_loses_all_keys_becomes_empty_braces() -> None:
    source = a_source("items:\n- id: a\n  question: Apa\n  expected:  # mutlak\n    rubric: x\n    # sisa\n  context: y\n")
    with pytest.raises(EditError, match="has nothing to check"):
        set_values(source, "a", {"expected.rubric": DELETE})
    edited = set_values(a_source(source.text.replace("  expected", "  bogus")), "a", {"bogus.rubric": DELETE})
    assert changes(edited) == ["-  bogus:  # mutlak", "-    rubric: x", "+  bogus: {}  # mutlak"]


# --- lists ---


@pytest.mark.parametrize(
    ("phrases", "expected"),
    [
        (["satu", "tiga"], ["-      - dua", "+      - tiga"]),
        (["no", "dua"], ['-      - "satu"   # catatan satu', '+      - "no"   # catatan satu']),
        (["satu", "dua", "tiga"], ["+", "+      - tiga"]),
        (["satu", "dua", "a: b"], ["+", '+      - "a: b"']),
        (["nol", "satu", "dua"], ["+      - nol", "+"]),
        (["satu"], ["-", "-      # tentang dua", "-      - dua"]),
        (["dua"], ["-      # tentang satu", '-      - "satu"   # catatan satu', "-"]),
    ],
)
def test_an_edit_of_a_block_list_touches_only_its_entry_and_the_comments_of_that(phrases: list[str], expected: list[str]) -> None:
    assert changes(set_values(a_source(LIST_ITEM), "a", {"expected.must_include": phrases})) == expected


def test_comments_move_with_their_entries() -> None:
    edited = set_values(a_source(LIST_ITEM), "a", {"expected.must_include": ["dua", "satu"]})
    assert '      # tentang dua\n      - dua\n\n      # tentang satu\n      - "satu"   # catatan satu\n      # - tiga\n' in edited.text


def test_a_list_is_emptied_and_filled_in_the_style_of_its_neighbour() -> None:
    edited = set_values(a_source(LIST_ITEM), "a", {"expected.must_include": [], "expected.must_not_include": ["x"]})
    assert "    must_include: []\n" in edited.text
    assert "    must_not_include:\n      - x\n" in edited.text
    flow = a_source(f"items:\n{an_item(expected='{must_include: [satu], must_not_include: []}')}")
    assert "must_not_include: [x]}" in set_values(flow, "a", {"expected.must_not_include": ["x"]}).text
    assert "must_include: []," in set_values(flow, "a", {"expected.must_include": [], "expected.rubric": "x"}).text


def test_an_entry_is_set_added_and_removed_by_its_index() -> None:
    source = a_source(LIST_ITEM)
    assert set_values(source, "a", {"expected.must_include[1]": "tiga"}).values("a")["expected"]["must_include"] == ["satu", "tiga"]
    assert set_values(source, "a", {("expected", "must_include", 2): "tiga"}).values("a")["expected"]["must_include"] == [
        "satu",
        "dua",
        "tiga",
    ]
    assert set_values(source, "a", {"expected.must_include[0]": DELETE}).values("a")["expected"]["must_include"] == ["dua"]
    with pytest.raises(EditError, match=r"there is no entry 5; the list has 2"):
        set_values(source, "a", {"expected.must_include[5]": "x"})


@pytest.mark.parametrize(
    "path", ["", ".", "expected.must_include[-1]", "expected.must_include[]", "expected..rubric", "expected.must_include[0", ()]
)
def test_a_path_that_is_none_is_refused_and_no_part_of_it_followed(path: str | tuple[()]) -> None:
    with pytest.raises(EditError, match=r"path to (a|the) value|no path to a value"):
        set_values(a_source(LIST_ITEM), "a", {path: DELETE})


@pytest.mark.parametrize("indexes", [(0, 1), (1, 0)])
def test_entries_that_are_deleted_together_are_those_of_the_list_as_it_was(indexes: tuple[int, int]) -> None:
    source = a_source(f"items:\n{an_item(expected='{must_include: [satu, dua, tiga]}')}")
    edited = set_values(source, "a", {f"expected.must_include[{index}]": DELETE for index in indexes})
    assert edited.values("a")["expected"]["must_include"] == ["tiga"]


@pytest.mark.parametrize(
    ("phrases", "written"),
    [
        (["a", "b", "c"], "[a,  'b' , \"c\"]"),
        (["b", "a", "c"], "['b' ,  a, \"c\"]"),
        (["a", "c"], '[a,  "c"]'),
        (["c"], '["c"]'),
        (["a", "b", "c", "d"], '[a,  \'b\' , "c", "d"]'),
        (["a", "it's", "c"], "[a,  'it''s' , \"c\"]"),
        (["a, b", "b", "c"], '["a, b",  \'b\' , "c"]'),
    ],
)
def test_a_list_in_brackets_stays_in_brackets(phrases: list[str], written: str) -> None:
    source = a_source("items:\n" + an_item(tags="[a,  'b' , \"c\"]"))
    assert set_values(source, "a", {"tags": phrases}).text == "items:\n" + an_item(tags=written)


def test_comments_in_brackets_stay_with_their_entries() -> None:
    text = "items:\n" + an_item(tags="[  # semua\n    a,  # satu\n    # di atas b\n    b   # dua\n  ]")
    edited = set_values(a_source(text), "a", {"tags": ["b", "c", "a"]})
    assert edited.text == "items:\n" + an_item(tags="[  # semua\n    # di atas b\n    b,   # dua\n    c,\n    a  # satu\n  ]")


def test_an_item_in_braces_stays_in_one_line() -> None:
    source = a_source("items:\n- { id: a, question: 'Apa?',  expected: {rubric: x} } # catatan\n")
    edited = set_values(source, "a", {"verified": False, "note": "satu\ndua", "question": "Siapa, apa?"})
    line = """- { id: a, question: 'Siapa, apa?',  expected: {rubric: x},  verified: false,  note: "satu\\ndua" } # catatan"""
    assert edited.text == f"items:\n{line}\n"


# --- refusals ---


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"note": "a\x1bb"}, r"item 'a': the text 'a\\x1bb' holds the control character U\+001B; remove it"),
        ({"note": "\ud83d"}, r"holds the control character U\+D83D"),
        ({"expected.must_include": [" "]}, r"item 'a': expected.must_include\[0\] is blank; write the text, or remove the entry"),
        ({"expected.must_inlcude": ["x"]}, r"unknown key 'must_inlcude' \(did you mean 'must_include'\?\)"),
        ({"verified": "true"}, r"verified is the text 'true'; write true or false, without quotes"),
        ({"surface": "publik"}, r"surface is the text 'publik'; write 'public' or 'internal'"),
        ({"id": "b"}, r"the id 'b' is taken by 'b' in line 5; choose another"),
        ({"id": "B"}, r"the id 'B' is taken by 'b'"),
        ({"id": "a b"}, r"holds white space"),
        ({"note": b"x"}, r"b'x' is no text, list or mapping; give a text"),
        ({"question.text": "x"}, r"'text' cannot be set, since there are no keys"),
        ({"question": None}, r"has no question"),
    ],
)
def test_what_would_not_load_is_refused_with_the_way_out(values: dict[str, object], message: str) -> None:
    source = a_source(f"items:\n{an_item('a')}{an_item('b')}")
    with pytest.raises(EditError, match=message):
        set_values(source, "a", values)


def test_an_item_that_is_not_there_or_twice_is_refused() -> None:
    source = a_source(f"items:\n{an_item('a')}{an_item('b')}{an_item('b')}")
    with pytest.raises(EditError, match=r"golden.yaml: item 'c'|there is no item 'c'; choose one of the items of this file"):
        set_values(source, "c", {"note": "x"})
    with pytest.raises(EditError, match=r"there are several items 'b', in lines 5 and 8; give each an id of its own"):
        set_values(source, "b", {"note": "x"})


@pytest.mark.parametrize(
    ("item", "message"),
    [("- ? id\n  : a\n  note: x\n", "unusual form of YAML"), ("- id: a\n  note: x\n  note: y\n", "given the key 'note' twice")],
)
def test_an_item_in_a_form_that_cannot_be_changed_safely_is_refused(item: str, message: str) -> None:
    with pytest.raises(EditError, match=message):
        set_values(a_source(f"items:\n{item}"), "a", {"note": "z"})


def test_a_problem_that_was_there_before_does_not_hinder() -> None:
    source = a_source(f"items:\n{an_item(surface='publik')}")
    edited = set_values(source, "a", {"note": "x"})
    assert edited.values("a")["note"] == "x"


def test_the_text_around_an_edit_stays_with_markers_tabs_and_blanks() -> None:
    text = (
        "\ufeff%YAML 1.1\n# kepala\t\n---\nx-lain: {a: [1, 2]}\nitems:   \n\n  #\ttab\n"
        + "  ".join(["", *an_item().splitlines(True)])
        + "   \n...\n"
    )
    edited = set_values(a_source(text), "a", {"question": "Siapa?"})
    assert edited.data.decode() == text.replace("Apa?", "Siapa?")


@pytest.mark.parametrize(
    ("text", "end"), [("satu\ndua\n", "note: |\n      satu\n      dua\n"), ("satu\ndua", "note: |-\n      satu\n      dua")]
)
def test_a_block_that_ends_a_file_without_a_last_line_break_closes_its_own(tmp_path: Path, text: str, end: str) -> None:
    path = tmp_path / "golden.yaml"
    path.write_text("items:\n  - id: a\n    question: Apa?\n    expected: {must_include: [x]}\n    note: satu", encoding="utf-8")
    edited = set_values(read_source(path), "a", {"note": text})
    assert edited.data.decode().endswith(end)
    save(edited)
    assert load_set(path).items[0].note == text
