"""A file as plain values: text as it was typed, aliases within bounds, and every problem with its place."""

from __future__ import annotations

import json
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldenlib.errors import InputError
from goldenlib.files.documents import MAX_BYTES, Document, find, read_document
from goldenlib.files.yamltext import compose_yaml
from tests.golden_files import write


def document(text: str) -> Document:
    return Document("f", text, compose_yaml(text, "f"))


def value(text: str) -> Any:
    read = document(text)
    assert not read.problems
    return read.value


def problems(text: str) -> list[str]:
    return [str(problem) for problem in document(text).problems]


# What YAML 1.1 or 1.2 would take for something else (contract 2.3; cases 129, 131, 133, 135).
TYPED = (
    *("no", "No", "yes", "Ya", "on", "off", "y", "n", "true", "FALSE"),
    *("07", "08", "012", "0o14", "0x1F", "0b1", "+1", "-0", "1_000", "1e3", "1.0", "50.000", "1.250.000", ".5", ".inf", "-.INF", ".NaN"),
    *("12:30", "1:30:00", "190:20:30", "2026-07-10", "2026-07-10 12:30:00", "2001-12-14t21:59:43.10-05:00"),
    *("=", "nULL", "NIL", "None", "~x", "-1", "17 tahun", "Rp 50.000"),
)


@pytest.mark.parametrize("text", TYPED)
def test_a_scalar_is_the_text_that_was_typed(text: str) -> None:
    assert value(f"[{text}, '{text}']") == [text, text]
    assert value(f"- {text}\n- a: {text}\n- {text}: b") == [text, {"a": text}, {text: "b"}]


@pytest.mark.parametrize("null", ["", "~", "null", "Null", "NULL", "!!null ~", "!!null"])
def test_a_plain_null_and_nothing_at_all_are_none(null: str) -> None:
    assert value(f"a: {null}\nb: {null}") == {"a": None, "b": None}


@pytest.mark.parametrize("text", ["~", "null", ""])
def test_a_null_in_quotes_or_tagged_as_text_is_text(text: str) -> None:
    assert value(f"['{text}', \"{text}\", !!str {text}]") == [text, text, text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: >\n  b\n  c\n\n  d\n", {"a": "b c\nd\n"}),
        ("a: |-\n  b\n  c\n", {"a": "b\nc"}),
        ("a: b\n  c\n", {"a": "b c"}),
        ('a: "b\\n\\t\\"c\\" \\u00e9 \\U0001F600"', {"a": 'b\n\t"c" é 😀'}),
        ("a: 'it''s'", {"a": "it's"}),
        ("'id ': a", {"id ": "a"}),
        ("? a\n: b", {"a": "b"}),
        ("1: a\ntrue: b\n~: c", {"1": "a", "true": "b", "~": "c"}),
        ("a: !!int 012\nb: !!bool no\nc: !!seq [d]", {"a": "012", "b": "no", "c": ["d"]}),
        ("a:\tb\n", {"a": "b"}),
        ("a: Apa! Benar ! ya\n", {"a": "Apa! Benar ! ya"}),
    ],
)  # fmt: skip
def test_text_in_every_style_is_read(text: str, expected: object) -> None:
    assert value(text) == expected


WORDS = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]))


@settings(deadline=None)
@given(st.recursive(WORDS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4), max_leaves=12))
def test_json_in_a_yaml_file_is_the_same_value(written: Any) -> None:
    assert value(json.dumps({"a": written}, ensure_ascii=False)) == {"a": written}


# --- anchors, aliases, merge keys ---


def test_an_override_of_a_merged_key_is_no_duplicate() -> None:
    assert value("base: &b {surface: public, verified: false}\nc:\n  <<: *b\n  verified: true")["c"] == {
        "surface": "public",
        "verified": "true",
    }
    assert value("base: &b {verified: false}\nc:\n  verified: true\n  <<: *b")["c"] == {"verified": "true"}


@pytest.mark.parametrize(
    ("merge", "expected"),
    [
        ("<<: [*one, *two]", {"a": "1", "b": "1", "c": "2"}),
        ("<<: [*two, *one]", {"a": "1", "b": "2", "c": "2"}),
        ("<<: *three", {"a": "1", "b": "1", "c": "3"}),
        ("<<: {a: x}", {"a": "x"}),
        ("<<: [{a: x}, *one]", {"a": "x", "b": "1"}),
        ("<<: *list", {"a": "1", "b": "1", "c": "2"}),
        ("'<<': x", {"<<": "x"}),
    ],
)
def test_merge_keys_bring_in_what_is_not_there_yet(merge: str, expected: object) -> None:
    anchors = "one: &one {a: 1, b: 1}\ntwo: &two {b: 2, c: 2}\nthree: &three {<<: *one, c: 3}\nlist: &list [*one, *two]\n"
    assert value(f"{anchors}here:\n  {merge}")["here"] == expected


@pytest.mark.parametrize("merged", ["x", "[x]", "", "[a: b, x]", "*list"])
def test_merging_what_holds_no_keys_is_refused(merged: str) -> None:
    assert problems(f"list: &list [x]\na:\n  <<: {merged}\n  b: c\n")[0].startswith(
        "f:3:3: '<<' takes over the keys of an anchored mapping"
    )


def test_two_merge_keys_in_one_mapping_are_refused() -> None:
    assert problems("a: &a {b: c}\nd:\n  <<: *a\n  <<: *a\n") == ["f:4:3: duplicate key '<<'; write <<: [*one, *two]"]


def test_anchors_stand_for_texts_and_lists() -> None:
    assert value("a: &t WNI\nb: &l [*t, x]\nc: *l\nd: *t") == {"a": "WNI", "b": ["WNI", "x"], "c": ["WNI", "x"], "d": "WNI"}


@pytest.mark.parametrize("text", ["a: &a [*a]", "&a {b: *a}", "a: &a {<<: *a}", "a: &a\n  b: &b {<<: *a}\n  <<: *b\n"])
def test_a_value_that_contains_itself_is_refused(text: str) -> None:
    read = document(text)
    assert "an alias (*name) stands inside the very value it repeats" in str(read.problems[0])
    assert find(read.root, "a", "nothing", 0) is None  # and looking something up in it comes to an end


def doubling(levels: int, pattern: str, last: str) -> str:
    lines = [f"x{level}: &x{level} {pattern.replace('*', f'*x{level - 1}')}\n" for level in range(1, levels + 1)]
    return f"x0: &x0 {{k: v}}\n{''.join(lines)}{last}"


@pytest.mark.parametrize(
    "text",
    [
        doubling(40, "[*, *]", "items: *x40"),
        doubling(40, "{a: *, b: *}", "items: *x40"),
        doubling(40, "{<<: [*, *]}", "items: *x40"),
        doubling(3_000, "[*]", "items: *x3000"),
        "a: &a [" + "x," * 2_000 + "]\nb: [" + "*a," * 2_000 + "]\n",
        "a: &a {" + ",".join(f"k{number}: v" for number in range(2_000)) + "}\nb: [" + "<<: *a," * 2_000 + "]\n",
    ],
    ids=["lists", "mappings", "merges", "a chain", "many aliases", "many merges"],
)
def test_aliases_that_expand_without_end_are_refused_at_once(text: str) -> None:
    start = time.process_time()
    tracemalloc.start()
    said = problems(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [line.split(": ", 1)[1] for line in said] == ["aliases (*name) add more than 1,000,000 values to the file; write the values out"]
    assert time.process_time() - start < 2
    assert peak < 200e6


def test_looking_up_a_missing_key_through_doubled_merges_comes_to_an_end() -> None:
    text = doubling(15, "{<<: [*, *]}", "")
    assert find(document(text).root, "x15", "nothing") is None


def test_ten_thousand_items_may_share_a_base() -> None:
    text = "x-base: &b {surface: public, domain: pt, verified: false, tags: [a, b, c]}\nitems:\n" + "- {<<: *b, id: a}\n" * 10_000
    assert len(value(text)["items"]) == 10_000


# --- what is refused, and where ---


def test_duplicate_keys_are_refused_at_every_depth() -> None:
    assert problems("a: 1\nb:\n  - c: {d: 1, e: 2, d: 3}\na: 2\n") == [
        "f:3:21: duplicate key 'd'; keep one of them",
        "f:4:1: duplicate key 'a'; keep one of them",
    ]
    assert problems("a: 1\n'a': 2\n\"\\x61\": 3") == [
        "f:2:1: duplicate key 'a'; keep one of them",
        "f:3:1: duplicate key 'a'; keep one of them",
    ]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("!!python/object/apply:os.system ['ls']", "!!python/object/apply:os.system"),
        ("!!python/name:os.system", "!!python/name:os.system"),
        ("!function print", "!function"),
        ("!include other.yaml", "!include"),
        ("!!binary aGk=", "!!binary"),
        ("!!timestamp 2026-07-10", "!!timestamp"),
        ("!!set {a}", "!!set"),
        ("!<tag:example.com,2000:x> y", "tag:example.com,2000:x"),
        ("! penting", "!"),
    ],
)
def test_tags_are_refused(value: str, shown: str) -> None:
    way_out = "a file holds only text, lists and keys; remove it, or put text that starts with '!' in quotes"
    assert problems(f"a: b\nc: {value}\n") == [f"f:2:4: the tag '{shown}' is not allowed; {way_out}"]


def test_a_tag_on_a_key_is_refused() -> None:
    assert problems("!x a: b")[0].startswith("f:1:1: the tag '!x' is not allowed")


@pytest.mark.parametrize("key", ["[a]", "{a: b}", "? [a, b]\n", "? {a: b}\n"])
def test_a_key_that_is_no_word_is_refused(key: str) -> None:
    assert (
        problems(f"{key}: b")[0].split(": ", 1)[1] == "a key that is a list or a mapping; a key is a word; put text with [ ] { } in quotes"
    )


@pytest.mark.parametrize("escape", ["\\0", "\\x1b[0m", "\\e", "\\b", "\\u0001", "\\x7f", "\\uffff"])
def test_a_control_character_is_refused_as_an_escape_too(escape: str) -> None:
    assert "which cannot be stored or shown" in problems(f'a: b\nc: "d {escape}"')[0]


@pytest.mark.parametrize("text", ['a: "b\\n\\t\\r\\u00a0\\u200b"', "a: b\u00a0c\u200bd\u00ad", "a: '\U0001f468\u200d\U0001f469'"])
def test_what_only_looks_unprintable_is_text(text: str) -> None:
    assert not problems(text)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("a: [Apa?, Siapa]", 5, "put text that ends in ? in quotes"),
        ("a: {b: Apa ini?}", 8, "put text that ends in ? in quotes"),
        ("a: [Apa? Siapa]", 5, "put text that holds ? in quotes"),
        ("a: [[x, y?]]", 9, "put text that ends in ? in quotes"),
        ("a: {b?: c}", 5, "put text that ends in ? in quotes"),
    ],
)
def test_a_question_mark_in_brackets_needs_quotes(text: str, column: int, words: str) -> None:
    """PyYAML's Python parser stops at it, its C parser does not (case 165)."""
    assert problems(text) == [f"f:1:{column}: {words}; other YAML readers stop at a question mark inside [ ] or {{ }}"]


@pytest.mark.parametrize("text", ["a: Apa?", "- Apa?", "a: ['Apa?', \"Siapa?\"]", "a: &q Apa?\nb: [*q]", "a: Apa? {b}"])
def test_a_question_mark_elsewhere_needs_none(text: str) -> None:
    assert not problems(text)


# --- bytes ---


def refusal(folder: Path, content: bytes, name: str = "set.yaml") -> str:
    path = write(folder, content, name)
    with pytest.raises(InputError) as caught:
        read_document(path)
    return str(caught.value).replace(f"{folder}/", "")


@pytest.mark.parametrize(
    ("content", "place", "words"),
    [
        (b"items:\r\n- id: a\r\n  question: Apa \x93wajib\x94 itu?\r\n", "3:17", "byte 0x93; in the Windows code page it is “"),
        (b"a: b\rc: \xe9t\xe9\r", "2:4", "byte 0xE9; in the Windows code page it is é"),
        ("a: é😀".encode() + b"\xff", "1:6", "byte 0xFF"),
        (b"a: \xed\xa0\x80", "1:4", "byte 0xED"),
        (b"a: \xc0\xaf", "1:4", "byte 0xC0"),
        (b"\xef\xbb\xbfa: \x81", "1:4", "byte 0x81"),
        ("a: b".encode("utf-16"), "1:1", "it looks like UTF-16"),
        ("a: b".encode("utf-16-be"), "1:1", "it looks like UTF-16"),
        ("a: b".encode("utf-32"), "1:1", "it looks like UTF-16"),
    ],
)
def test_what_is_not_utf8_is_refused_with_its_line(tmp_path: Path, content: bytes, place: str, words: str) -> None:
    for name in ("set.yaml", "set.json"):
        said = refusal(tmp_path, content, name)
        assert said.startswith(f"{name}:{place}: is not UTF-8")
        assert words in said


def test_a_byte_order_mark_at_the_start_is_nothing(tmp_path: Path) -> None:
    for name in ("set.yaml", "set.json"):
        read = read_document(write(tmp_path, b'\xef\xbb\xbf{"a": "b"}', name))
        assert read.value == {"a": "b"}
        assert read.place(read.root, ["a"]) == (1, 7)


def test_a_file_over_the_bound_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "set.yaml"
    with path.open("wb") as file:
        file.truncate(30_000_000)
    with pytest.raises(InputError, match="is larger than 20 MB; split it into one file per topic"):
        read_document(path)
    assert MAX_BYTES == 20_000_000


def test_a_line_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    assert len(read_document(write(tmp_path, "a: " + "x" * 10_000_000)).value["a"]) == 10_000_000


def test_a_missing_file_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no\.yaml: cannot be read \(No such file or directory\); give the path"):
        read_document(tmp_path / "no.yaml")


# --- places ---


def test_the_place_of_every_value_and_key_is_known() -> None:
    read = document("x-b: &b\n  role: staf\nitems:\n  - <<: *b\n    id: a\n    tags: [x, 'y']\n")
    items = find(read.root, "items")
    assert read.place(items, (0,)) == (4, 5)
    assert read.place(items, (0, "id")) == (5, 9)
    assert read.place(items, (0, "id"), key=True) == (5, 5)
    assert read.place(items, (0, "tags", 1)) == (6, 15)
    assert read.place(items, (0, "role")) == (2, 9)
    assert read.place(items, (0, "role"), key=True) == (2, 3)


def test_the_place_of_what_is_missing_is_that_of_the_last_part_that_exists() -> None:
    read = document("items:\n- id: a\n  expected: {rubric: r}\n")
    assert read.place(read.root, ("items", 0, "expected", "sql", "golden")) == (3, 13)
    assert read.place(read.root, ("items", 7)) == (2, 1)
    assert read.place(None, ("items",)) == (1, 1)


@pytest.mark.parametrize(
    ("text", "expected"), [("&b {c: d}", True), ("\n  &b\n  c: d", True), ("[&b c, &d e]", True), ("!!map &b {}", True), ("&b c", True)]
)
def test_a_value_that_is_there_to_be_repeated_is_recognised(text: str, expected: bool) -> None:
    read = document(f"a: {text}\n")
    assert read.holds_anchors(find(read.root, "a")) is expected


@pytest.mark.parametrize("text", ["b", "[&b c, d]", "'&b'", "[]", "{}", "", "[b, c]"])
def test_other_values_are_not(text: str) -> None:
    read = document(f"a: {text}\n")
    assert not read.holds_anchors(find(read.root, "a"))
