"""The YAML parser's complaints in plain words, with the place of the mistake."""

from __future__ import annotations

import time

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from goldenlib.errors import GoldenError, InputError
from goldenlib.files.yamltext import MAX_DEPTH, PLAIN, compose_yaml


def refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        compose_yaml(text, "f")
    return str(caught.value)


def scalars(text: str) -> list[str]:
    """All scalars of a document of flat lists and mappings, in order."""
    root = compose_yaml(text, "f")
    assert root is not None
    waiting, found = [root], []
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, yaml.ScalarNode):
            found.append(node.value)
        else:
            parts = node.value if isinstance(node, yaml.SequenceNode) else [part for pair in node.value for part in pair]
            waiting = [*parts, *waiting]
    return found


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a:\n\t- b\n", "f:2:1", "a tab where YAML wants spaces; indent with spaces"),
        ("- a: b\n-\tc: d\n", "f:2:2", "a tab"),
        ('a: "b"\n\tc: d\n', "f:2:1", "a tab"),
        ("a:\n  b: c\n\td: e\n", "f:3:1", "a tab"),
        ("a: |\n\tb\n", "f:2:1", "a tab"),
        ("a: Apa: itu\n", "f:1:7", "a ': ' where no key can stand; put text that holds ': ' in quotes"),
        ("- a: b\n   c: d\n", "f:2:5", "line the key up"),
        ('a: b\nc: "d\ne: f\n', "f:2:4", "the quote that opens here is never closed"),
        ("a: 'b\n---\nc'\n", "f:1:4", "not closed before the '---'"),
        ("a: [b, c\nd: e\n", "f:2:2", "the list that opens in line 1 lacks a ',' or ']'"),
        ("a: {b: c\nd: e\n", "f:2:2", "the braces that open in line 1 lack a ',' or '}'"),
        ("a: @b\n", "f:1:4", "text cannot start with '@'; put the text in quotes"),
        ("a: `b`\n", "f:1:4", "text cannot start with '`'"),
        ("a: %b\n", "f:1:4", "text cannot start with '%'"),
        ("a: ,b\n", "f:1:4", "text cannot start with ','"),
        ("a: ]\n", "f:1:4", "text cannot start with ']'"),
        ("a: ? b\n", "f:1:4", "text cannot start with '? '"),
        ("a: *tebal\n", "f:1:4", "'*tebal' is an alias of an anchor that is not defined above"),
        ("a: **tebal**\n", "f:1:4", "text that starts with '*' is read as an alias; put the text in quotes"),
        ("a: & b\n", "f:1:4", "text that starts with '&' is read as an anchor"),
        ("a: &x b\nc: &x d\n", "f:2:4", "the anchor '&x' is defined twice, first in line 1"),
        ("a: !e!b c\n", "f:1:4", "tags are not allowed"),
        ("a: !,b\n", "f:1:4", "tags are not allowed"),
        ("a:\n  - b\n - c\n", "f:3:2", "does not line up"),
        ("- a: b\nc: d\n", "f:2:1", "does not line up with the list above"),
        ("a: b\nc\nd: e\n", "f:2:1", "this line has no ': '"),
        ('a: "C:\\dokumen"\n', "f:1:7", "'\\d' means nothing in double quotes"),
        ('a: "\\ud83d"\n', "f:1:7", "not the code of one character"),
        ("a: 'ma'af'\n", "f:1:8", "text after the closing quote; put the whole text in one pair of quotes"),
        ('a: "b" c\n', "f:1:8", "text after the closing quote"),
        ("a: |b\n", "f:1:4", "text on the line of '|' or '>'"),
        ("a: - b\n", "f:1:4", "a '- ' where no list entry can stand"),
        ("%a\nb: c\n", "f:1:1", "a line that starts with '%'"),
        ("%YAML 3.0\n---\na: b\n", "f:1:1", "this version of YAML is not known"),
        ("a: b\n---\nc: d\n", "f:2:1", "a second document starts here"),
        ("a: b\n---\n", "f:2:1", "a second document starts here"),
        ("a: b\n...\nc: d\n", "f:3:1", "text after the end of the document"),
        ("a: b\n\ufeffc: d\n", "f:2:1", "a byte order mark (U+FEFF) inside the file"),
        ("a: b\x00c\n", "f:1:5", "control character U+0000"),
        ("a: b\nc: \x1b[0m\n", "f:2:4", "control character U+001B"),
        ("a: b\x7f\n", "f:1:5", "control character U+007F"),
    ],
)
def test_a_mistake_is_told_in_plain_words_at_its_place(text: str, place: str, words: str) -> None:
    said = refusal(text)
    assert said.startswith(f"{place}: ")
    assert words in said


def test_every_line_with_a_control_character_is_named() -> None:
    assert [line.split(": ")[0] for line in refusal("a: b\x01\x02\r\nc: d\re: \x1b\n").splitlines()] == ["f:1:5", "f:3:4"]


@pytest.mark.parametrize(
    "text", ["[" * 10_000, "- " * 100_000, "{a: " * 10_000, "? " * 100_000, "[" * 5_000_000], ids=lambda text: text[:4]
)
def test_nesting_without_end_is_refused_at_once(text: str) -> None:
    start = time.process_time()
    assert f"more than {MAX_DEPTH} levels" in refusal(text)
    assert time.process_time() - start < 2


def test_nesting_up_to_the_limit_is_read() -> None:
    assert compose_yaml("[" * MAX_DEPTH + "]" * MAX_DEPTH, "f") is not None


@pytest.mark.parametrize("char", ["\x85", "\u2028", "\u2029"])
def test_a_line_separator_from_a_word_processor_is_an_ordinary_character(char: str) -> None:
    assert scalars(f"- a{char}b\n- 'c{char}d'\n- |\n  e{char}f\n- &x g{char}h\n- *x\n") == [
        f"a{char}b",
        f"c{char}d",
        f"e{char}f\n",
        f"g{char}h",
        f"g{char}h",
    ]


def test_lines_are_counted_as_an_editor_counts_them() -> None:
    assert refusal("a: x\u2028y\u2029z\x85\r\nb: 😀 c\rd: @e\n").startswith("f:3:4: ")
    assert refusal('a: "😀" b\n').startswith("f:1:8: ")


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_all_line_ends_are_line_ends(line_end: str) -> None:
    assert scalars(f"a: b{line_end}c:{line_end}- d{line_end}") == ["a", "b", "c", "d"]


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "   "])
def test_a_file_with_nothing_in_it_has_no_root(text: str) -> None:
    assert compose_yaml(text, "f") is None


def test_a_node_says_how_its_text_was_written() -> None:
    root = compose_yaml("[a, 'b', \"c\", !!str d, {e: f}]", "f")
    assert root is not None
    assert [getattr(node, "style", None) for node in root.value] == [PLAIN, "'", '"', PLAIN, None]
    assert [node.tag for node in root.value] == [None, None, None, "tag:yaml.org,2002:str", None]


def test_without_the_c_parser_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "__with_libyaml__", False)
    with pytest.raises(GoldenError, match=r"without its C parser .* install it from a wheel"):
        compose_yaml("a: b", "f")


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])) | st.text("ab:-[]{},?&*!|>'\"%@`#\\ \t\n\r\x85\u2028\ufeff\x00~<", max_size=40))
def test_any_text_is_read_or_refused_with_a_place_inside_it(text: str) -> None:
    try:
        compose_yaml(text, "f")
    except InputError as error:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for problem in error.problems:
            assert problem.way_out
            assert problem.line is not None
            assert problem.column is not None
            assert 1 <= problem.line <= len(lines) + 1
            assert 1 <= problem.column <= max(map(len, lines)) + 2
