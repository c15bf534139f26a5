"""JSON as nodes: the values of the json module, with places."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldenlib.errors import InputError
from goldenlib.files.documents import Document, find
from goldenlib.files.jsontext import compose_json


def document(text: str) -> Document:
    return Document("f", text, compose_json(text, "f"), is_json=True)


def refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        compose_json(text, "f")
    return str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@settings(deadline=None)
@given(JSON, st.booleans(), st.sampled_from([None, 2, "\t", "\r"]))
def test_values_are_those_of_the_json_module(written: Any, ensure_ascii: bool, indent: Any) -> None:
    assert document(json.dumps(written, ensure_ascii=ensure_ascii, indent=indent)).value == written


@settings(deadline=None)
@given(JSON, st.sampled_from(["\n", "\r\n", "\r"]))
def test_every_place_points_at_its_value(written: Any, line_end: str) -> None:
    text = json.dumps({"a": [0, written]}, indent=1).replace("\n", line_end)
    read = document(text)
    line, column = read.place(find(read.root, "a"), [1])
    rest = text.split(line_end)[line - 1][column - 1 :]
    assert rest.startswith(json.dumps(written, indent=1).split("\n")[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r'{"a": "\ud83d\ude00 \/ \u00e9 \n"}', {"a": "😀 / é \n"}),
        ('{\n\t"a" :\t[ ]\r\n}', {"a": []}),
        ('{"a":{"b":[1,-0.5,2e3,true,false,null,""]}}', {"a": {"b": [1, -0.5, 2000.0, True, False, None, ""]}}),
        ('{"<<": {"b": 1}, "a": "Apa?"}', {"<<": {"b": 1}, "a": "Apa?"}),
        ('{"a": "~", "b": "null", "c": ["d\u2028e\ufeff"]}', {"a": "~", "b": "null", "c": ["d\u2028e\ufeff"]}),
        ('"text"', "text"),
        ("", None),
        (" \n", None),
        ('{"' + "k" * 2000 + '": 1}', {"k" * 2000: 1}),
    ],
)
def test_json_that_yaml_would_read_otherwise_is_json(text: str, expected: object) -> None:
    read = document(text)
    assert read.value == expected
    assert not read.problems


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("{'a': 1}", "1:2", "a key must stand in double quotes"),
        ("{a: 1}", "1:2", "a key must stand in double quotes"),
        ('{"a": no}', "1:7", "texts stand in double quotes"),
        ('{"a": 012}', "1:8", "a comma or a closing bracket is missing before this"),
        ('{\n  "a": 1\r  "b": 2\r\n}', "3:3", "a comma or a closing bracket is missing before this"),
        ('{"a" 1}', "1:6", "a ':' is missing"),
        ('{"a": "b', "1:7", "the text that opens here is never closed"),
        ('{"a": "b\nc"}', "1:9", "a line break, tab or control character inside a text"),
        ('{"a": "\\d"}', "1:8", "write '\\\\' for a backslash"),
        ('{"a": "\\u12"}', "1:9", "\\u needs four hex digits"),
        ('{"a": 1} x', "1:10", "text after the end"),
        ('{"a": 1}\n{"b": 2}', "2:1", "text after the end"),
        ('{"a": // why\n 1}', "1:7", "a value is missing or not JSON"),
        ('{"a": NaN}', "1:7", "NaN is not JSON"),
        ('[1,\n -Infinity]', "2:2", "-Infinity is not JSON"),
        ("[" + "1" * 5000 + "]", "1:2", "a number of more than 1000 characters"),
        ("[" * 10_000, "1:101", "more than 100 levels"),
        ('{"a":' * 10_000, "1:501", "more than 100 levels"),
        ("[" * 101 + "]" * 101, "1:101", "more than 100 levels"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_at_its_place(text: str, place: str, words: str) -> None:
    said = refusal(text)
    assert said.startswith(f"f:{place}: ")
    assert words in said


@pytest.mark.parametrize("text", ['{"a": 1,}', '{"a": [1,]}'])
def test_a_comma_too_many_is_told(text: str) -> None:
    """Since Python 3.13 the json module names it, and points at the comma itself."""
    assert re.match(r"f:1:\d+: .*(comma .* last entry)", refusal(text))


def test_duplicate_keys_and_half_characters_are_problems() -> None:
    read = document('{"a": {"b": 1, "b": 2},\n "c": "\\ud83d", "d": "\\u0000"}')
    assert [str(problem) for problem in read.problems] == [
        "f:1:16: duplicate key 'b'; keep one of them",
        "f:2:7: an escape stands for U+D83D, which cannot be stored or shown; remove it",
        "f:2:22: an escape stands for U+0000, which cannot be stored or shown; remove it",
    ]
