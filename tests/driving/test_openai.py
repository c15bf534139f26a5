"""OpenAI-compatible endpoints as a target, over a real socket: streamed and not."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from tests.builders import an_item
from tests.driving.asking import SESSION, ask_model
from tests.servers import End, Pause, Script, completion, delta, head, reply, stream

DONE = b"data: [DONE]\n\n"


def body(*choices: dict[str, Any]) -> Script:
    return reply(json.dumps({"choices": list(choices)}))


# --- the request ---


@pytest.mark.parametrize("streamed", [True, False])
def test_the_question_goes_out_as_a_user_message(streamed: bool) -> None:
    script = stream(delta("Ya."), DONE) if streamed else completion("Ya.")
    answer, server = ask_model(script, streamed=streamed, system_prompt="Jawab singkat.")
    (request,) = server.requests
    assert (answer.text, answer.error) == ("Ya.", None)
    assert request.target == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer sk-abcdefgh"
    assert request.json == {
        "model": "m",
        "messages": [{"role": "system", "content": "Jawab singkat."}, {"role": "user", "content": an_item().question}],
        "stream": streamed,
        "user": SESSION,
    }


@pytest.mark.parametrize(("given", "sent"), [(None, None), (0, 0), (0.7, 0.7)])
def test_a_temperature_is_sent_only_where_one_is_configured(given: float | None, sent: float | None) -> None:
    """fd-031: the chatbot under test is asked as its users ask it."""
    _, server = ask_model(completion("Ya."), streamed=False, temperature=given)
    assert server.requests[0].json.get("temperature") == sent


def test_without_a_system_prompt_there_is_no_system_message() -> None:
    assert [message["role"] for message in ask_model(completion("Ya."), streamed=False)[1].requests[0].json["messages"]] == ["user"]


# --- streamed ---


@pytest.mark.parametrize(
    "end", [[delta(None, "stop"), DONE], [delta(None, "stop")], [DONE], [delta("", "stop") + DONE], [delta(None, "eos")]]
)
def test_a_finish_reason_or_done_completes_a_stream(end: list[bytes]) -> None:
    answer, _ = ask_model(stream(delta("", role="assistant"), delta("Ya"), b": ping\n\n", delta(", bisa."), *end))
    assert (answer.text, answer.error) == ("Ya, bisa.", None)


@pytest.mark.parametrize("end", [[], [End.CLOSE], [delta(None, "")], [b"data: [DONE]\n"]])
def test_a_stream_without_either_is_an_error(end: list[Any]) -> None:
    answer, server = ask_model(stream(delta("Ya"), Pause(0.02), *end))
    assert (answer.text, len(server.requests)) == ("Ya", 1)
    assert answer.error in ("the stream ended without a finish_reason or [DONE]", "the connection broke before the end of the reply")


@pytest.mark.parametrize("after", [[End.HANG], [End.RESET], [delta(" lagi"), DONE], [b"data: \xff\n\n"]])
def test_what_comes_after_the_end_of_an_answer_does_not_matter(after: list[Any]) -> None:
    begun = time.monotonic()
    script = stream(delta("Ya."), delta(None, "stop"), Pause(0.02), *after)
    answer, _ = ask_model(script, chatbot_idle_timeout_s=30, chatbot_timeout_s=30)
    assert (answer.text, answer.error) == ("Ya.", None)
    assert time.monotonic() - begun < 10


def test_an_error_beside_the_end_of_an_answer_does_matter() -> None:
    answer, _ = ask_model(stream(delta("Ya.") + b'event: error\ndata: {"message": "upstream reset"}\n\n' + DONE))
    assert answer.error == "the chatbot reported an error: upstream reset"


def test_private_reasoning_is_never_part_of_the_answer() -> None:
    chunks = [
        delta(None, delta={"reasoning_content": "wajib akta?"}),
        delta([{"type": "thinking", "thinking": "wajib akta?"}, {"type": "text", "text": "<think>wajib"}]),
        delta(" akta?</th"),
        delta("ink>Tidak perlu."),
    ]
    assert ask_model(stream(*chunks, DONE))[0].text == "Tidak perlu."


@pytest.mark.parametrize("streamed", [True, False])
def test_of_the_channels_of_a_reply_the_final_one_is_the_answer(streamed: bool) -> None:
    """fd-030."""
    text = "<|channel|>analysis<|message|>Mungkin Rp75.000?<|end|><|start|>assistant<|channel|>final<|message|>Saya tidak tahu."
    script = stream(*[delta(text[at : at + 7]) for at in range(0, len(text), 7)], DONE) if streamed else completion(text)
    assert ask_model(script, streamed=streamed)[0].text == "Saya tidak tahu."


def test_thinking_that_never_ends_is_an_empty_answer() -> None:
    answer, _ = ask_model(stream(delta("<think>wajib akta?"), delta(None, "stop"), DONE))
    assert (answer.text, answer.error) == ("", "the answer is empty")


@pytest.mark.parametrize("reason", ["length", "content_filter", "tool_calls", "function_call", "error"])
@pytest.mark.parametrize("streamed", [True, False])
def test_an_answer_that_is_not_finished_is_an_error_with_what_had_come(streamed: bool, reason: str) -> None:
    script = stream(delta("Biaya"), delta(None, reason), DONE) if streamed else completion("Biaya", reason)
    answer, server = ask_model(script, streamed=streamed)
    assert (answer.text, answer.error) == ("Biaya", f"the answer is not finished (finish_reason: {reason})")
    assert len(server.requests) == 1


@pytest.mark.parametrize("streamed", [True, False])
def test_tool_calls_alone_are_no_answer(streamed: bool) -> None:
    calls = {"content": None, "tool_calls": [{"function": {"name": "cari", "arguments": "{}"}}]}
    script = stream(delta(None, "tool_calls", delta=calls), DONE) if streamed else completion(None, "tool_calls", **calls)
    assert ask_model(script, streamed=streamed)[0].error == "the answer is not finished (finish_reason: tool_calls)"


@pytest.mark.parametrize("streamed", [True, False])
def test_a_refusal_is_an_error_in_its_words(streamed: bool) -> None:
    refusal = {"content": None, "refusal": "I cannot help with that."}
    script = stream(delta(None, delta=refusal), DONE) if streamed else completion(None, **refusal)
    assert ask_model(script, streamed=streamed)[0].error == "the model refused: I cannot help with that."


@pytest.mark.parametrize("streamed", [True, False])
def test_an_error_object_under_200_is_an_error(streamed: bool) -> None:
    error = {"error": {"message": "model not loaded", "code": 500}}
    script = stream(delta("Ya"), f"data: {json.dumps(error)}\n\n".encode(), DONE) if streamed else reply(json.dumps(error))
    assert ask_model(script, streamed=streamed)[0].error == "the model reported an error: model not loaded"


@pytest.mark.parametrize("streamed", [True, False])
def test_of_several_choices_the_first_is_the_answer(streamed: bool) -> None:
    if streamed:
        script = stream(delta("no", "length", index=1), delta("Ya."), delta("no", index=2), delta(None, "stop"), DONE)
    else:
        other = {"index": 1, "message": {"content": "no"}, "finish_reason": "length"}
        script = body(other, {"index": 0, "message": {"content": "Ya."}, "finish_reason": "stop"})
    assert ask_model(script, streamed=streamed)[0].text == "Ya."


def test_a_choice_of_another_index_does_not_complete_the_answer() -> None:
    assert ask_model(stream(delta("Ya."), delta(None, "stop", index=1)))[0].error == "the stream ended without a finish_reason or [DONE]"


def test_a_chunk_of_usage_is_passed_over() -> None:
    assert ask_model(stream(b'data: {"choices": [], "usage": {"total_tokens": 3}}\n\n', delta("Ya."), DONE))[0].text == "Ya."


HEARTBEATS = [
    b"event: keepalive\ndata: still here\n\n",
    b"event: ping\ndata: 2026-11-29 08:14:03\n\n",
    b'event: ping\ndata: {"type": "ping"}\n\n',
    b"event: Heartbeat\ndata: 1\n\n",
    b'data: {"type":"keepalive"}\n\n',
    b'data: {"type":"ping","at":1}\n\n',
    b'data: {"event":"heart-beat"}\n\n',
    b"data: \n\n",
    b"data:\n\n",
    b"data:\ndata:\n\n",
    b": ping\n\n",
]


@pytest.mark.parametrize("beat", HEARTBEATS)
def test_heartbeats_are_passed_over_and_the_answer_is_whole(beat: bytes) -> None:
    """fd-029."""
    answer, _ = ask_model(stream(beat, delta("Ya"), beat, beat + delta(", bisa."), beat, delta(None, "stop"), DONE))
    assert (answer.text, answer.error) == ("Ya, bisa.", None)


@pytest.mark.parametrize(
    "frame",
    [
        b'event: ping\ndata: {"error": {"message": "upstream reset"}}\n\n',
        b'data: {"type": "ping", "error": "upstream reset"}\n\n',
        b'data: {"type": "error", "message": "upstream reset"}\n\n',
        b"event: error\ndata: upstream reset\n\n",
        b"event: Error\ndata: upstream reset\n\n",
        b'event: token\ndata: {"text": "upstream reset"}\n\n',
        b"event: message\ndata: upstream reset\n\n",
    ],
)
def test_what_is_more_than_a_heartbeat_is_never_passed_over(frame: bytes) -> None:
    answer, _ = ask_model(stream(delta("Ya"), frame, delta(None, "stop"), DONE))
    assert (answer.text, answer.error is None) == ("Ya", False)


def test_a_chunk_by_the_name_of_a_heartbeat_is_a_chunk() -> None:
    assert ask_model(stream(b"event: ping\n" + delta("Ya."), DONE))[0].text == "Ya."


@pytest.mark.parametrize(
    "frame", [b"data: {not json\n\n", b'data: {"delta": "x"}\n\n', b"data: 1\n\n", b"data: " + b"[" * 50_000 + b"\n\n"]
)
def test_a_frame_that_is_no_chunk_is_an_error(frame: bytes) -> None:
    answer, _ = ask_model(stream(delta("Ya"), frame, DONE))
    assert answer.text == "Ya"
    assert "the reply is not" in (answer.error or "")


def test_halves_of_a_character_in_two_chunks_are_joined() -> None:
    assert ask_model(stream(delta("\ud83d"), delta("\ude80 siap"), DONE))[0].text == "🚀 siap"


def test_a_stream_of_another_content_type_is_an_error() -> None:
    assert "wrong content type 'application/json'" in (ask_model(completion("Ya."))[0].error or "")


# --- in one piece ---


@pytest.mark.parametrize("text", ["0", "false", "Ya."])
@pytest.mark.parametrize("content_type", ["application/json", "text/plain", None])
def test_a_whole_completion_is_an_answer_whatever_its_content_type(content_type: str | None, text: str) -> None:
    (whole,) = completion(text)
    assert isinstance(whole, bytes)
    script = reply(whole.partition(b"\r\n\r\n")[2], 200, content_type)
    assert ask_model(script, streamed=False)[0].text == text


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (completion("Ya.", None), "the reply has no finish_reason"),
        (completion("", "stop"), "the answer is empty"),
        (completion(None, "stop"), "the answer is empty"),
        (reply('{"choices": []}'), "the reply is a chat completion without choices"),
        (reply("{}"), "the reply is not a chat completion: an object with nothing in it"),
        (reply("<html>"), "the reply is not JSON: b'<html>'"),
        (reply(b'{"choices": [{"message": {"content": "\xff"}}]}'), "bad UTF-8 in the reply"),
        (reply("x" * 9_000_000), "the reply has more than 8,100,000 bytes; chatbot_max_answer_bytes lets larger ones be read"),
        (reply('{"error": "bad model"}', 404), "HTTP 404: bad model"),
        (
            [head(content_type="application/json"), b'{"choices"', Pause(0.02), End.RESET],
            "the connection broke before the end of the reply (after 3 attempts)",
        ),
    ],
)
def test_anything_else_is_an_error(script: Script, reason: str) -> None:
    assert ask_model(script, streamed=False)[0].error == reason


def test_an_answer_over_the_limit_is_an_error() -> None:
    answer, _ = ask_model(completion("x" * 30), streamed=False, chatbot_max_answer_bytes=20)
    assert (answer.text, answer.error) == ("x" * 20, "the answer has more than 20 bytes; chatbot_max_answer_bytes lets larger ones be read")


@pytest.mark.parametrize("streamed", [True, False])
def test_overload_is_tried_again(streamed: bool) -> None:
    last = stream(delta("Ya."), DONE) if streamed else completion("Ya.")
    answer, server = ask_model(reply("", 429), reply("", 503), last, streamed=streamed)
    assert (answer.text, answer.attempts, len(server.requests)) == ("Ya.", 3, 3)


@pytest.mark.parametrize("streamed", [True, False])
def test_a_key_that_is_echoed_is_in_no_error(streamed: bool) -> None:
    answer, server = ask_model(reply('{"error": {"message": "Incorrect API key provided: sk-abcdefgh"}}', 401), streamed=streamed)
    assert (answer.error, len(server.requests)) == ("HTTP 401: Incorrect API key provided: ***", 1)
