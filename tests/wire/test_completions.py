"""What a chat completion says, and to whom."""

from __future__ import annotations

import json
from typing import Any

import pytest

from goldenlib.wire.completions import Completion, message_text, read_completion, read_json
from goldenlib.wire.transport import CallFailed


def a_completion(content: Any = "Ya.", finish_reason: Any = "stop", **choice: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": {"content": content}, "finish_reason": finish_reason} | choice]}


def test_the_first_choice_is_read() -> None:
    value = a_completion()
    value["choices"] = [{"index": 1, "message": {"content": "no"}, "finish_reason": "length"}, *value["choices"]]
    assert read_completion(value) == Completion("Ya.", "stop")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Ya.", "Ya."),
        ("", ""),
        (None, ""),
        ([], ""),
        ([{"type": "text", "text": "Tidak "}, {"type": "output_text", "text": "perlu."}], "Tidak perlu."),
        ([{"type": "thinking", "thinking": "wajib?"}, {"type": "text", "text": "Tidak."}], "Tidak."),
        ([{"type": "reasoning", "text": "wajib?"}, {"type": "tool_use", "text": "x"}, {"text": "Tidak."}, "."], "Tidak.."),
        ([{"type": "text", "text": None}, {"type": "text"}, {"type": "image_url", "image_url": {}}], ""),
        ([{"type": "refusal", "refusal": "Tidak bisa."}, {"type": "redacted_thinking", "data": "x"}], "Tidak bisa."),
    ],
)
def test_the_text_of_a_message_is_what_is_meant_for_the_reader(content: Any, text: str) -> None:
    assert message_text(content) == text


@pytest.mark.parametrize("content", [0, True, {"text": "x"}, 1.5])
def test_a_message_of_another_shape_is_an_error(content: Any) -> None:
    with pytest.raises(CallFailed, match="holds no text"):
        message_text(content)


@pytest.mark.parametrize(
    "part",
    [
        *(None, 7, [], ["x"], {}, {"value": "x"}, {"type": "markdown", "text": "x"}, {"type": "text", "value": "x"}),
        *({"type": "text", "text": {"value": "x"}}, {"type": ["text"], "text": "x"}, {"type": None, "text": "x"}),
        {"type": "citation", "cited_text": "x"},
    ],
)
def test_a_part_of_unknown_structure_is_an_error_and_never_a_shorter_answer(part: Any) -> None:
    with pytest.raises(CallFailed, match="holds no text: a part"):
        message_text(["Ya, ", part])


def test_a_part_of_unknown_type_is_named() -> None:
    with pytest.raises(CallFailed, match="a part of type 'markdown' of it is an object with 'type', 'text'"):
        message_text([{"type": "markdown", "text": "x"}])


def test_reasoning_beside_the_content_is_not_read() -> None:
    message = {"content": "Ya.", "reasoning_content": "wajib?", "reasoning": "wajib?", "thinking": "wajib?"}
    assert read_completion(a_completion(message=message)) == Completion("Ya.", "stop")


def test_a_refusal_is_told_apart() -> None:
    assert read_completion(a_completion(message={"content": None, "refusal": "no"})) == Completion("", "stop", "no")


UNFINISHED = [
    "length",
    "max_tokens",
    "MAX_TOKENS",
    "model_length",
    "content_filter",
    "SAFETY",
    "tool_calls",
    "function_call",
    "error",
    "abort",
    "refusal",
]


@pytest.mark.parametrize("reason", UNFINISHED)
def test_an_end_that_is_none_is_unfinished(reason: str) -> None:
    assert read_completion(a_completion(finish_reason=reason)).is_unfinished


@pytest.mark.parametrize("reason", ["stop", "STOP", "eos", "eos_token", "end_turn", "stop_sequence", "completed", "", None])
def test_another_word_for_stop_is_finished(reason: str | None) -> None:
    assert not read_completion(a_completion(finish_reason=reason)).is_unfinished


def test_an_empty_finish_reason_is_none() -> None:  # some gateways send "" with every chunk
    assert read_completion({"choices": [{"delta": {"content": "a"}, "finish_reason": ""}]}, "delta").finish_reason == ""


@pytest.mark.parametrize("chunk", [{"choices": []}, {"choices": [], "usage": {}}, {"choices": [{"index": 1, "delta": {"content": "x"}}]}])
def test_a_chunk_without_the_first_choice_says_nothing(chunk: dict[str, Any]) -> None:
    assert read_completion(chunk, "delta") == Completion()


@pytest.mark.parametrize("delta", [None, {}, {"role": "assistant"}, {"content": None}, {"tool_calls": [{}]}])
def test_a_chunk_without_text_says_nothing(delta: Any) -> None:
    assert read_completion({"choices": [{"delta": delta}]}, "delta") == Completion()


@pytest.mark.parametrize(
    "value", [None, [], "x", 1, {}, {"delta": "x"}, *({"choices": x} for x in (None, {}, [], ["x"], [{"message": "x"}]))]
)
def test_anything_else_is_no_completion(value: Any) -> None:
    with pytest.raises(CallFailed, match="chat completion"):
        read_completion(value)


@pytest.mark.parametrize("part", ["message", "delta"])
def test_a_choice_with_its_text_elsewhere_is_an_error_and_not_silent(part: str) -> None:
    with pytest.raises(CallFailed, match=f"its choice has 'text' and no '{part}'"):
        read_completion({"choices": [{"index": 0, "text": "Rp75.000", "finish_reason": "stop"}]}, part)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("not loaded", "not loaded"),
        ({"message": "m"}, "m"),
        ({"error": {"message": "m"}}, "m"),
        ({"code": 7}, '{"code": 7}'),
        (["m"], '["m"]'),
    ],
)
def test_an_error_object_says_what_it_says(error: Any, said: str) -> None:
    with pytest.raises(CallFailed) as caught:
        read_completion({"error": error, "choices": []})
    assert str(caught.value) == f"the model reported an error: {said}"


@pytest.mark.parametrize("error", [None, "", {}, False])
def test_an_empty_error_is_none(error: Any) -> None:
    assert read_completion(a_completion() | {"error": error}).text == "Ya."


@pytest.mark.parametrize("raw", [b"\xef\xbb\xbf[1]", b"[1]", "[1]", b" [1]\r\n"])
def test_json_is_read_with_and_without_a_byte_order_mark(raw: bytes | str) -> None:
    assert read_json(raw) == [1]


@pytest.mark.parametrize("raw", [b"", b"{", b"<html>", "[" * 100_000, b"[1] [2]", "1" * 5_000, json.dumps("x") + "{"])
def test_what_is_no_json_is_an_error(raw: bytes | str) -> None:
    with pytest.raises(CallFailed, match="not JSON"):
        read_json(raw)


def test_bad_utf8_is_an_error() -> None:
    with pytest.raises(CallFailed, match="bad UTF-8"):
        read_json(b'"\xff"')
