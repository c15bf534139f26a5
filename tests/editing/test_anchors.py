"""Anchors, aliases and merge keys: an edit of one item never changes another through them."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from goldenlib.editing import DELETE, EditError, SourceFile, delete_item, move_item, set_values
from goldenlib.errors import InputError
from goldenlib.files.loading import load_set
from tests.editing.builders import a_source, changes

TEXT = """x-base: &base {surface: public, verified: false}
x-expected: &expected
  must_include: [satu]
  rubric: r
x-item: &item {id: d, question: Apa, expected: {rubric: x}}
items:
  - <<: *base
    id: a
    question: &q "Apa?"
    domain: &own pt
    expected: *expected
  - id: b
    question: *q
    expected:
      <<: *expected
      must_include:
        - dua
        - &tiga tiga
  - id: c
    question: Tiga
    expected:
      must_include: [*tiga, x, *q]
  - *item
"""


@pytest.fixture
def source() -> SourceFile:
    return a_source(TEXT)


@pytest.mark.parametrize(
    ("item_id", "values", "expected"),
    [
        ("a", {"surface": "internal"}, ["+    surface: internal"]),
        ("a", {"verified": True}, ["+    verified: true"]),
        ("a", {"domain": "cv"}, ["-    domain: &own pt", "+    domain: &own cv"]),
        ("b", {"question": "Siapa?"}, ["-    question: *q", '+    question: "Siapa?"']),
        ("b", {"expected.rubric": "s"}, ["+      rubric: s"]),
        ("b", {"expected.must_include": ["empat", "tiga"]}, ["-        - dua", "+        - empat"]),
        ("c", {"expected.must_include[0]": "empat"}, ["-      must_include: [*tiga, x, *q]", "+      must_include: [empat, x, *q]"]),
        ("c", {"expected.must_include": ["Apa?", "x"]}, ["-      must_include: [*tiga, x, *q]", "+      must_include: [*q, x]"]),
        ("d", {"note": "z"}, ["-  - *item", "+  - id: d", "+    question: Apa", "+    expected:", "+      rubric: x", "+    note: z"]),
        (
            "a",
            {"expected.rubric": "s"},
            ["-    expected: *expected", "+    expected:", "+      must_include:", "+        - satu", "+      rubric: s"],
        ),
    ],
)
def test_an_alias_or_merged_value_gives_way_to_a_value_of_its_own(
    source: SourceFile, item_id: str, values: dict[str, object], expected: list[str]
) -> None:
    edited = set_values(source, item_id, values)
    assert changes(edited) == expected
    for other in set(source.ids) - {item_id}:
        assert edited.values(other) == source.values(other)


def test_setting_what_an_alias_or_merge_says_changes_nothing(source: SourceFile) -> None:
    assert set_values(source, "b", {"question": "Apa?", "expected.rubric": "r"}) is source


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"question": "Siapa?"},
            r"item 'a': question holds the anchor '&q', and '\*q' repeats it elsewhere; write the value out there first",
        ),
        ({"question": DELETE, "turns": ["x"]}, r"question holds the anchor '&q'"),
        ({"surface": DELETE}, r"surface comes from '<<' and cannot be removed here; change the mapping that is merged"),
    ],
)
def test_what_others_repeat_cannot_be_changed_or_removed(source: SourceFile, values: dict[str, object], message: str) -> None:
    with pytest.raises(EditError, match=message):
        set_values(source, "a", values)


def test_an_entry_that_others_repeat_can_be_moved_but_not_removed(source: SourceFile) -> None:
    edited = set_values(source, "b", {"expected.must_include": ["tiga", "dua"]})
    assert edited.values("c") == source.values("c")
    with pytest.raises(EditError, match=r"expected.must_include\[1\] holds the anchor '&tiga'"):
        set_values(source, "b", {"expected.must_include": ["dua"]})


@pytest.mark.parametrize(
    "listed", ["[&x 'no', *x, *x, satu]", "[satu, &x 'no', *x, *x]", "\n    - &x 'no'\n    - *x  # lagi\n    - *x\n    - satu"]
)
@pytest.mark.parametrize("wanted", sorted(set(permutations(["no", "no", "no", "satu"]))))
def test_a_list_is_put_in_any_order_with_its_anchor_above_what_repeats_it(tmp_path: Path, listed: str, wanted: tuple[str, ...]) -> None:
    """An anchor behind its alias was saved as a file that nobody could open."""
    source = a_source(f"items:\n- id: a\n  question: Apa?\n  expected:\n    must_include: {listed}\n")
    (path := tmp_path / "golden.yaml").write_bytes(set_values(source, "a", {"expected.must_include": list(wanted)}).data)
    assert load_set(path).items[0].expected.must_include == wanted


POINTS = "{id: p1, text: &t Satu, weight: 1}, {id: p2, text: *t, weight: 1}"


@pytest.mark.parametrize("points", [f"[{POINTS}]", "\n    - {id: p1, text: &t Satu}\n    - {id: p2, text: *t}"])
def test_an_anchor_that_would_stand_below_what_repeats_it_is_refused_with_the_reason(points: str) -> None:
    source = a_source(f"items:\n- id: a\n  turns: ['Apa?']\n  expected:\n    points: {points}\n")
    wanted = source.values("a")["expected"]["points"][::-1]
    with pytest.raises(EditError, match=r"cannot be written here .*'\*t.*' is an alias of an anchor .*text editor"):
        set_values(source, "a", {"expected.points": wanted})


def test_an_anchor_can_be_changed_when_nothing_repeats_it_any_more(source: SourceFile) -> None:
    edited = set_values(set_values(source, "b", {"question": "B?"}), "c", {"expected.must_include": ["x"]})
    assert set_values(edited, "a", {"question": "A?"}).values("a")["question"] == "A?"
    assert delete_item(edited, "a").ids == ("b", "c", "d")


def test_items_cannot_be_moved_or_deleted_away_from_those_that_repeat_them(source: SourceFile) -> None:
    with pytest.raises(EditError, match=r"item 'a': holds the anchor '&q'"):
        delete_item(source, "a")
    with pytest.raises(
        EditError, match=r"item 'a': cannot be taken from its place .*'\*q' is an alias of an anchor that is not defined above"
    ):
        move_item(source, "a", "b")
    assert move_item(source, "d", None).ids == ("d", "a", "b", "c")
    assert delete_item(source, "c").ids == ("a", "b", "d")


@pytest.mark.parametrize("items", ["&x [*x]", "[{id: a, question: &q [*q], expected: {rubric: x}}]"])
def test_a_file_whose_aliases_have_no_end_is_not_opened(items: str) -> None:
    with pytest.raises(InputError, match="stands inside the very value it repeats"):
        a_source(f"items: {items}\n")
