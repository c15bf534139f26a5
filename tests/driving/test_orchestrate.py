"""The chatbot's own protocol, over a real socket: what is an answer, and what is an error with which reason."""

from __future__ import annotations

import asyncio
import gzip
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.driving.orchestrate import FrameReader, OrchestrateTarget
from goldenlib.wire.transport import CallFailed
from tests.builders import an_item
from tests.driving.asking import SESSION, ask, ask_and_look, quick
from tests.servers import End, Pause, Script, ScriptedServer, chunk, closed_port, content, head, reply, stream

KEY = "tok-0123456789"


def json_frames(*values: Any, event: str = "content") -> bytes:
    return b"".join(f"event: {event}\ndata: {json.dumps(value)}\n\n".encode() for value in values)


# --- the request ---


def test_the_question_goes_out_as_the_chatbot_expects_it() -> None:
    answer, server = ask_and_look(stream(content("Ya.")), token=KEY)
    (request,) = server.requests
    assert answer.text == "Ya."
    assert request.target == "/api/orchestrate"
    assert request.json == {"surface": "public", "sessionId": SESSION, "message": an_item().question}
    assert request.headers["accept"] == "text/event-stream"
    assert request.headers["authorization"] == f"Bearer {KEY}"


# --- answers ---


@pytest.mark.parametrize("text", ["0", "false", "null", "Tidak.", "{nama}", '"kutipan" dan lagi', "[1, 2]"])
def test_text_that_looks_like_nothing_is_an_answer(text: str) -> None:
    assert ask(stream(content(text))).text == text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ('{"delta": "a"}', "a"),
        ('{"content": "a"}', "a"),
        ('{"text": "a"}', "a"),
        ('{"text": "c", "delta": "a"}', "a"),  # the first of the keys
        ('{"delta": null, "content": "a"}', "a"),
        ('{"delta": ""}', ""),
        ('{"delta": null}', ""),
        ('  {"delta": "a"}\n', "a"),
        ('{"delta": "a\nb\tc"}', "a\nb\tc"),  # control characters, raw
        ('{"delta": 0}', "0"),
        ('{"delta": 50.000}', "50.000"),  # as it is written
        ('{"delta": 1e400}', "1e400"),
        ('{"delta": -5}', "-5"),
        ('{"delta": [{"type": "text", "text": "a"}, {"type": "thinking", "thinking": "b"}]}', "a"),
        ('{"delta": "a", "error": null}', "a"),
        ('{"delta": "a", "error": 0}', "a"),
        ('{"delta": "\\ud83d"}', "\ud83d"),
        ('"a\\nb"', "a\nb"),
        ('"a\nb"', "a\nb"),
        ('"0"', "0"),
        ('"a" b', '"a" b'),
        ('"a', '"a'),
        (' "a"', ' "a"'),  # a token of raw text
        ("a", "a"),
        (" a ", " a "),
        ("", ""),
        ("0", "0"),
        ("12.50", "12.50"),
        ("{", "{"),
        ("{1,} dan [a,]", "{1,} dan [a,]"),
        ("[1]", "[1]"),
        ("[1, 2.5]", "[1, 2.5]"),
        ("[a]", "[a]"),
        ("[DONE]", "[DONE]"),
        ("null", "null"),  # a word of a stream of raw text
    ],
)
def test_a_frame_holds_its_text(data: str, text: str) -> None:
    assert FrameReader(("delta", "content", "text")).text(data) == text


def test_the_key_of_the_text_can_be_set() -> None:
    assert ask(stream(json_frames({"delta": "no", "jawaban": "Ya."})), chatbot_text_key="jawaban").text == "Ya."


@pytest.mark.parametrize(
    "data",
    [
        '{"delta": "Biaya',
        '{"delta": "Biaya"}{"error": "x"}',
        '{"delta": "Biaya"} {"delta": "x"}',
        '{"delta": "Biaya"}\n{"delta": "x"}',
        '{ "jawaban": "a"',
        '{"delta": "a",}',
        '{"delta": ' + "[" * 100_000,
        '"Biaya"{"error": "upstream reset"}',
    ],
)
def test_a_frame_of_broken_json_or_of_several_values_is_an_error(data: str) -> None:
    with pytest.raises(CallFailed, match="broken JSON"):
        FrameReader(("delta",)).text(data)


def test_what_begins_with_a_brace_is_broken_json_once_the_stream_speaks_json() -> None:
    for frames in ([{"delta": "a"}, "{not json"], ["{not json", {"delta": "a"}]):
        data = [frame if isinstance(frame, str) else json.dumps(frame) for frame in frames]
        answer = ask(stream(content(*data)))
        assert "a content frame is broken JSON: '{not json'" in (answer.error or "")


@pytest.mark.parametrize(
    ("frame", "said"),
    [('{"delta":[]}', "'delta' is an empty list"), ('{"delta":[{"type":"markdown","text":"Rp75"}]}', "a part of type 'markdown'")],
)
def test_a_frame_of_unknown_structure_is_an_error_and_never_a_shorter_answer(frame: str, said: str) -> None:
    assert said in (ask(stream(content('{"delta":"Biaya "}', frame))).error or "")


def test_an_empty_list_hides_no_text_under_another_key() -> None:
    assert FrameReader(("delta", "content")).text('{"delta":[],"content":"Rp75"}') == "Rp75"


@pytest.mark.parametrize(
    ("frames", "keys"),
    [
        (['{"piece":"Rp75"}', '{"piece":".000"}'], "'piece'"),
        (['{"delta":"Biaya "}', '{"piece":"Rp75"}'], "'piece'"),
        (['{"Delta":"Rp75","id":1}'], "'Delta', 'id'"),
        (['{"choices":[{"delta":{"content":"Rp75"}}]}'], "'choices'"),
        (['{"message":{"content":"Rp75"}}'], "'message'"),
        (['{"delta":{"piece":"Rp75"}}'], "'delta' is an object; it has 'piece'"),
        (["{}"], "it is empty"),
    ],
)
def test_an_object_without_text_is_an_error_that_names_its_keys_and_the_setting(frames: list[str], keys: str) -> None:
    """fd-026, contract 3.1: raw JSON as the answer hides a phrase between two frames."""
    answer = ask(stream(content(*frames)))
    assert "piece" not in answer.text
    assert keys in str(answer.error)
    assert "chatbot_text_key" in str(answer.error)


def test_frames_of_another_protocol_name_the_target_that_speaks_it() -> None:
    assert "the target's kind to openai" in str(ask(stream(content('{"choices":[{"delta":{"content":"Rp75"}}]}'))).error)


def test_many_keys_are_a_bounded_message() -> None:
    assert len(str(ask(stream(content(json.dumps({"k" * 1_000 + str(n): n for n in range(100)})))).error)) < 700


@pytest.mark.parametrize("data", ['["Rp75"]', '["75"]', '[{"piece":"Rp75"}]', "[[1]]", "[null]", "[true]"])
def test_a_list_is_no_text(data: str) -> None:
    with pytest.raises(CallFailed, match="is a JSON list, which is no text"):
        FrameReader(("delta",)).text(data)


@pytest.mark.parametrize("value", ["null", "true", "12", "[1]", " null "])
def test_a_bare_value_among_objects_is_an_error(value: str) -> None:
    for frames in (['{"delta":"Rp75"}', value], [value, '{"delta":"Rp75"}']):
        assert ask(stream(content(*frames))).error is not None


@pytest.mark.parametrize(
    "frames", [['"Rp75"', "null"], ['"Rp75"', '".000'], ['{"delta":"Rp75"}', '".000'], ['{"delta":"Rp75"}', '"." 000']]
)
def test_a_broken_string_or_null_after_good_ones_is_an_error(frames: list[str]) -> None:
    answer = ask(stream(content(*frames)))
    assert (answer.text, answer.error is None) == ("Rp75", False)


def test_strings_with_a_blank_before_them_are_strings_among_strings() -> None:
    assert ask(stream(b'event: content\ndata: "Rp75"\n\nevent: content\ndata:  ".000"\n\n')).text == "Rp75.000"


@pytest.mark.parametrize("data", ['{"delta": true}', '{"delta": false}', '{"delta": {"text": "a"}}', '{"delta": [{"value": "a"}]}'])
def test_a_frame_whose_text_is_none_is_an_error(data: str) -> None:
    with pytest.raises(CallFailed, match="holds no text"):
        FrameReader(("delta",)).text(data)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('{"error": "upstream reset"}', "upstream reset"),
        ('{"error": {"message": "upstream reset"}}', "upstream reset"),
        ('{"delta": "a", "error": {"error": {"detail": "upstream reset"}}}', "upstream reset"),
        ('{"error": true}', "true"),
    ],
)
def test_a_content_frame_that_reports_an_error_is_one(data: str, said: str) -> None:
    with pytest.raises(CallFailed, match="the chatbot reported an error: ") as caught:
        FrameReader(("delta",)).text(data)
    assert said in str(caught.value)


@given(parts=st.lists(st.text(max_size=8), min_size=1, max_size=8))
def test_json_frames_give_back_the_text_that_was_put_in(parts: list[str]) -> None:
    frames = FrameReader(("delta",))
    assert [frames.text(json.dumps({"delta": part})) for part in parts] == parts


def test_halves_of_a_character_in_two_frames_are_joined() -> None:
    frames = [b'event: content\ndata: {"delta": "\\ud83d"}\n\n', b'event: content\ndata: {"delta": "\\ude80 siap"}\n\n']
    assert ask(stream(*frames)).text == "🚀 siap"


@pytest.mark.parametrize("half", ["\\ud83d", "\\ude80", "\\ude80\\ud83d"])
def test_half_a_character_is_an_error_and_can_be_stored(half: str) -> None:
    answer = ask(stream(f'event: content\ndata: {{"delta": "siap {half}"}}\n\n'.encode()))
    assert "half a character" in (answer.error or "")
    assert answer.text.encode().startswith(b"siap ?")


def test_other_events_are_not_the_answer() -> None:
    others = b"data: a\n\nevent: sources\ndata: b\n\nevent: Content\ndata: c\n\nevent: content \ndata: d\n\n"
    assert ask(stream(others, content("Ya."), others)).text == "Ya."


@pytest.mark.parametrize(
    "spelling", ["text/event-stream; charset=utf-8", "TEXT/EVENT-STREAM;CHARSET=UTF-8", "text/event-stream;charset=latin-1"]
)
def test_an_event_stream_by_any_spelling_is_one_and_is_utf8(spelling: str) -> None:
    assert ask(stream(content("é"), content_type=spelling)).text == "é"


def test_an_answer_that_ends_with_the_connection_is_complete() -> None:
    assert ask([head(version="1.0"), content("Ya"), content(", bisa."), End.CLOSE]).text == "Ya, bisa."


def test_pieces_are_handed_on_as_they_come() -> None:
    seen: list[str] = []

    async def main() -> None:
        async with (
            ScriptedServer(stream(content("a"), content("b"))) as server,
            OrchestrateTarget(server.url, quick(), surface="public") as target,
        ):
            await target.ask(an_item(), SESSION, seen.append)

    asyncio.run(main())
    assert seen == ["a", "b"]


def test_an_answer_tells_its_times() -> None:
    answer = ask(stream(Pause(0.05), content("a"), Pause(0.05), content("b")))
    assert answer.first_content_seconds is not None
    assert 0.05 <= answer.first_content_seconds < answer.seconds
    assert (answer.seconds >= 0.1, answer.attempts) == (True, 1)


# --- errors ---


@pytest.mark.parametrize("text", ["", " ", "\t", "\u00a0", "\u200b", "\u00ad\u2060 \ufeff", "\u3000"])
def test_an_answer_that_shows_nothing_is_an_error(text: str) -> None:
    answer = ask(stream(content(text)))
    assert (answer.error, answer.attempts) == ("the answer is empty", 1)


def test_a_draft_that_a_chatbot_shows_is_kept_as_it_is_shown() -> None:
    """fd-030: citizens see it, so that it can be forbidden; that it satisfies nothing is for the fact gate to say."""
    for text in ("<think>Rp75.000?</think>Tidak tahu.", "<think>Rp75.000?"):
        answer = ask(stream(content(text)))
        assert (answer.text, answer.error) == (text, None)


@pytest.mark.parametrize("pieces", [[], [b": ping\n\n" * 3], [b"data\n\n"]])
def test_a_stream_without_events_is_an_error(pieces: list[bytes]) -> None:
    assert str(ask(stream(*pieces)).error).startswith("the answer is empty")


@pytest.mark.parametrize(
    ("pieces", "seen"),
    [
        ([b'event: message\ndata: {"text":"halo"}\n\n'], "message; expected: content (message is the name of an event without one)"),
        ([b'data: {"text":"halo"}\n\n' * 3], "message; expected: content (message is the name of an event without one)"),
        ([b"event: done\ndata: x\n\n"], "done; expected: content"),
        ([b"event: Content\ndata: Ya.\n\nevent: token\ndata: Ya.\n\n"], "Content, token; expected: content"),
        ([b"data: {oops\n\n"], "message; expected: content (message is the name of an event without one)"),
        ([b'data: {"choices":[{"delta":{"content":"Ya."}}]}\n\ndata: [DONE]\n\n'], "message; expected: content (message is"),
    ],
)
def test_a_stream_without_content_names_the_events_it_has(pieces: list[bytes], seen: str) -> None:
    """fd-027, contract 3.1."""
    answer = ask(stream(*pieces))
    assert answer.text == ""
    assert str(answer.error).startswith(f"the answer is empty; events seen: {seen}")


def test_many_names_of_events_are_a_bounded_message() -> None:
    events = [f"event: {'x' * 200}{number}\ndata: y\n\n".encode() for number in range(500)]
    assert len(str(ask(stream(*events)).error)) < 500


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("data: model overloaded\n", "model overloaded"),
        ('data: {"message": "model overloaded"}\n', "model overloaded"),
        ('data: {"error": {"error": {"message": "model overloaded"}}}\n', "model overloaded"),
        ('data: {"code": 7}\n', '{"code": 7}'),
        ("data: " + "[" * 100_000 + "\n", "[" * 300),
        ("", "it does not say which"),  # the standard drops an event without data; an error counts even so
        ("data\n", "it does not say which"),
    ],
)
def test_an_error_event_is_an_error_whatever_came_before(data: str, said: str) -> None:
    answer = ask(stream(content("Biaya resmi"), f"event: error\n{data}\n".encode(), content(" gratis")))
    assert (answer.text, answer.error) == ("Biaya resmi", f"the chatbot reported an error: {said}")


@pytest.mark.parametrize(
    "frame",
    [
        'data: {"error": "upstream reset"}',
        'data: {"type": "error", "message": "upstream reset"}',
        "event: Error\ndata: upstream reset",
        "event: error \ndata: upstream reset",
        'event: content\ndata: {"type": "error", "message": "upstream reset"}',
    ],
)
def test_an_error_in_another_dress_is_an_error(frame: str) -> None:
    answer = ask(stream(content("Biaya resmi"), f"{frame}\n\n".encode(), content(" gratis")))
    assert answer.text == "Biaya resmi"
    assert "upstream reset" in str(answer.error)


def test_the_text_is_found_beside_an_empty_one() -> None:
    assert FrameReader(("delta", "content")).text('{"delta": "", "content": "lengkap"}') == "lengkap"


def test_an_error_event_is_not_asked_about_again() -> None:
    assert ask(stream(b"event: error\ndata: x\n\n")).attempts == 1


@pytest.mark.parametrize("tail", [b"event: content\ndata: Ya", b"event: content\ndata: Ya\n", b"event: content\n", b"eve"])
def test_an_end_inside_an_event_is_an_error(tail: bytes) -> None:
    answer = ask(stream(content("Biaya"), tail))
    assert (answer.text, answer.error) == ("Biaya", "the stream ended inside an event")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (reply("{}"), "wrong content type 'application/json', expected text/event-stream"),
        (reply("<html>", 200, "text/html"), "wrong content type 'text/html'"),
        (reply(content("a"), 200, "text/plain"), "wrong content type 'text/plain'"),
        (reply("", 204, None), "wrong content type ''"),
        (reply("<html><body>Maintenance</body></html>", 503, "text/html"), "HTTP 503: Maintenance"),
        (reply("", 302, Location="http://127.0.0.1:1/login"), "HTTP 302: redirects to http://127.0.0.1:1/login"),
        (reply('{"error": "no such surface"}', 400), "HTTP 400: no such surface"),
    ],
)
def test_a_reply_that_is_no_event_stream_is_an_error(script: Script, reason: str) -> None:
    answer = ask(script, chatbot_retries=0)
    assert answer.text == ""
    assert (answer.error or "").startswith(reason)


@pytest.mark.parametrize("settings", [{}, {"chatbot_done_event": "done"}])
def test_bad_utf8_is_an_error_with_what_came_before(settings: dict[str, Any]) -> None:
    answer = ask(stream(content("Biaya") + b"event: content\ndata: \xff\n\n", content("x")), **settings)
    assert (answer.text, answer.error) == ("Biaya", "bad UTF-8 in the stream: b'\\xff'")


@pytest.mark.parametrize("frames", [[content("12345678")] * 3, [content("1234567890" * 3)], [content("é" * 11)]])
def test_an_answer_over_the_limit_is_an_error_and_its_beginning_is_kept(frames: list[bytes]) -> None:
    answer = ask(stream(*frames), chatbot_max_answer_bytes=20)
    assert answer.error == "the answer has more than 20 bytes; chatbot_max_answer_bytes lets larger ones be read"
    assert 0 < len(answer.text) <= 20


def test_an_answer_at_the_limit_is_one() -> None:
    assert ask(stream(content("é" * 10)), chatbot_max_answer_bytes=20).text == "é" * 10


def test_a_line_without_end_is_an_error() -> None:
    answer = ask(stream(b"event: content\ndata: ", *[b"x" * 65_536] * 800), chatbot_max_answer_bytes=1_000)
    assert answer.error == "an event of more than 108,000 bytes; chatbot_max_answer_bytes lets larger ones be read"


def test_heartbeats_without_end_are_an_error() -> None:
    answer = ask(stream(*[(b": " + b"-" * 4_000 + b"\n\n") * 100] * 60), chatbot_max_answer_bytes=1_000)
    assert answer.error == "the stream goes on and on, far past the size of an answer"


def test_a_compressed_bomb_is_an_error() -> None:
    bomb = gzip.compress(b": " + b"x" * 100_000_000, compresslevel=1)
    answer = ask([head(Content_Encoding="gzip", Content_Length=str(len(bomb))) + bomb], chatbot_max_answer_bytes=1_000)
    assert answer.error == "an event of more than 108,000 bytes; chatbot_max_answer_bytes lets larger ones be read"


def test_a_compressed_stream_that_is_cut_off_between_events_is_an_error() -> None:
    whole = gzip.compress(content("Biaya") + content(" gratis"))
    answer = ask(reply(whole[:-9], 200, "text/event-stream", Content_Encoding="gzip"), chatbot_retries=0)
    assert answer.error == "the connection broke before the end of the compressed reply"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ([End.HANG], "no bytes for longer than the idle limit of 0.1 s"),
        (stream(End.HANG), "no bytes for longer than the idle limit of 0.1 s"),
        (stream(content("Biaya"), End.HANG), "no bytes for longer than the idle limit of 0.1 s"),
    ],
)
def test_a_stall_is_cut_and_not_asked_about_again(script: Script, reason: str) -> None:
    begun = time.monotonic()
    answer, server = ask_and_look(script, chatbot_idle_timeout_s=0.1, chatbot_timeout_s=20)
    assert time.monotonic() - begun < 10
    assert (answer.error, len(server.requests)) == (reason, 1)
    assert answer.text in ("", "Biaya")


def test_a_slow_drip_is_cut_by_the_deadline_and_what_came_is_kept() -> None:
    drip = [part for _ in range(100) for part in (b": ping\n\n", Pause(0.05))]
    answer, server = ask_and_look(stream(content("Biaya"), *drip), chatbot_idle_timeout_s=3, chatbot_timeout_s=0.4)
    assert (answer.text, answer.error, len(server.requests)) == ("Biaya", "no complete reply within 0.4 s", 1)


# --- completeness by a done event ---


def test_only_the_done_event_completes_an_answer_when_one_is_set() -> None:
    answer = ask(stream(content("Biaya")), chatbot_done_event="done")
    assert (answer.text, answer.error) == ("Biaya", "the stream ended without its 'done' event")


@pytest.mark.parametrize("done", [b"event: done\ndata: {}\n\n", b"event: done\ndata:\n\n", b"event: done\n\n"])
def test_the_done_event_completes_an_answer_at_once(done: bytes) -> None:
    begun = time.monotonic()
    for after in (content("x"), b"event: error\ndata: x\n\n", b"\xff\n\n", End.HANG, End.RESET):
        answer = ask(stream(content("Biaya") + done, after), chatbot_done_event="done", chatbot_idle_timeout_s=30, chatbot_timeout_s=30)
        assert (answer.text, answer.error) == ("Biaya", None)
    assert time.monotonic() - begun < 10


def test_a_done_event_before_any_content_is_an_empty_answer() -> None:
    assert ask(stream(b"event: done\ndata: x\n\n", content("Biaya")), chatbot_done_event="done").error == (
        "the answer is empty; events seen: done; expected: content"
    )


def test_without_one_set_a_done_event_means_nothing() -> None:
    assert ask(stream(content("a"), b"event: done\ndata: x\n\n", content("b"))).text == "ab"


# --- trying again ---


BROKEN_BEFORE_CONTENT: list[Script] = [
    [End.CLOSE],
    [End.RESET],
    [head(Transfer_Encoding="chunked"), End.CLOSE],
    stream(b": ping\n\n", Pause(0.02), End.RESET),
    stream(b"event: content\ndata: Bi", End.CLOSE),
    stream(b"event: content\ndata: Bi"),
    [head(version="1.0") + b": ping\n\n", Pause(0.02), End.RESET],
    reply("", 429),
    reply("", 502),
    reply("", 503, Retry_After="0"),
    reply("", 504),
]


@pytest.mark.parametrize("script", BROKEN_BEFORE_CONTENT)
def test_a_break_before_the_first_content_is_tried_again(script: Script) -> None:
    answer, server = ask_and_look(script, script, stream(content("Ya.")))
    assert (answer.text, answer.error, answer.attempts, len(server.requests)) == ("Ya.", None, 3, 3)
    assert {request.json["sessionId"] for request in server.requests} == {SESSION}


def test_attempts_are_bounded_and_counted_in_the_reason() -> None:
    answer, server = ask_and_look(reply("busy", 503))
    assert (answer.error, answer.attempts, len(server.requests)) == ("HTTP 503: busy (after 3 attempts)", 3, 3)


@pytest.mark.parametrize("ending", [End.CLOSE, End.RESET])
def test_a_break_after_content_is_not_tried_again(ending: End) -> None:
    answer, server = ask_and_look(stream(content("Biaya"), Pause(0.02), ending), stream(content("Ya.")))
    assert (answer.text, len(server.requests)) == ("Biaya", 1)
    assert answer.error == "the connection broke before the end of the reply"


def test_a_break_after_content_is_tried_again_when_configured() -> None:
    answer, server = ask_and_look(stream(content("Biaya"), End.CLOSE), stream(content("Ya.")), chatbot_retry_after_content=True)
    assert (answer.text, answer.error, len(server.requests)) == ("Ya.", None, 2)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 500])
def test_a_refusal_is_not_tried_again(status: int) -> None:
    answer, server = ask_and_look(reply("", status))
    assert (answer.error, answer.attempts, len(server.requests)) == (f"HTTP {status}", 1, 1)


def test_an_empty_answer_is_not_asked_for_again() -> None:
    assert len(ask_and_look(stream(content("")))[1].requests) == 1


def test_a_chatbot_that_is_down_is_an_error_after_all_attempts() -> None:
    async def main() -> None:
        async with OrchestrateTarget(f"http://127.0.0.1:{closed_port()}", quick(), surface="public") as target:
            answer = await target.ask(an_item(), SESSION)
            assert "no connection to http://127.0.0.1:" in (answer.error or "")
            assert answer.attempts == 3

    asyncio.run(main())


@pytest.mark.parametrize("race", [False, True], ids=["closed while idle", "closed as the next question comes"])
def test_a_server_that_closes_connections_between_items_costs_no_item(race: bool) -> None:
    first: Script = [*stream(content("Ya."))] if race else [*stream(content("Ya.")), Pause(0.02), End.CLOSE]

    async def main() -> list[str | None]:
        scripts = [first, [End.CLOSE], stream(content("Ya."))] if race else [first]
        async with ScriptedServer(*scripts) as server, OrchestrateTarget(server.url, quick(), surface="public") as target:
            one = await target.ask(an_item(), SESSION)
            await asyncio.sleep(0.05)
            two = await target.ask(an_item(), SESSION)
            return [one.error, two.error]

    assert asyncio.run(main()) == [None, None]


# --- many at once, and secrets ---


def test_no_more_questions_are_under_way_than_the_settings_say() -> None:
    most = 0

    async def main() -> None:
        nonlocal most
        async with (
            ScriptedServer(stream(Pause(0.01), content("Ya."))) as server,
            OrchestrateTarget(server.url, quick(golden_concurrency=3), surface="public") as target,
        ):
            asks = [asyncio.create_task(target.ask(an_item(), SESSION)) for _ in range(12)]
            await asyncio.gather(*asks)
            most = server.connections

    asyncio.run(main())
    assert most == 3


@pytest.mark.parametrize(
    "script",
    [
        reply(f'{{"error": "bad token {KEY}"}}', 401),
        reply("x" * 290 + KEY, 401),
        stream(f"event: error\ndata: bad token {KEY}\n\n".encode()),
        stream(content("{" + KEY), json_frames({"delta": "x"})),
    ],
)
def test_a_token_that_the_chatbot_echoes_is_in_no_error(script: Script) -> None:
    answer = ask(script, token=KEY)
    assert answer.error
    assert KEY[:9] not in answer.error
    assert "***" in answer.error


def test_a_token_that_the_chatbot_echoes_is_in_no_answer() -> None:
    assert ask(stream(content("token: tok-012", "3456789.")), token=KEY).text == "token: ***."


def test_a_chunk_of_any_size_is_an_answer() -> None:
    text = "é" * 400_000
    assert ask([head(Transfer_Encoding="chunked") + chunk(content(text)) + b"0\r\n\r\n"]).text == text


WRAPPED = {
    "JSON in a JSON string": ['data: "{\\"text\\": \\"Rp75\\"}"', 'data: "{\\"text\\": \\".000\\"}"'],
    "a doubled prefix": ['data: data: {"text": "Rp75"}', 'data: data: {"text": ".000"}'],
    "as Python writes it": ["data: {'text': 'Rp75'}", "data: {'text': '.000'}"],
    "as JavaScript writes it": ['data: {text: "Rp75"}', 'data: {text: ".000"}'],
    "lists of it": ['data: [{"text": "Rp75"}]\ndata: [{"text": ".000"}]'],
    "a list that goes on": ['data: [{"text": "Rp75"}', 'data: ,{"text": ".000"}]'],
    "undefined between": ['data: {"text": "Rp75"}', "data: undefined", 'data: {"text": ".000"}'],
    "a key twice": ['data: {"text": "Rp75.000", "text": "ok"}'],
}


@pytest.mark.parametrize("frames", WRAPPED.values(), ids=WRAPPED)
def test_an_object_that_was_wrapped_is_no_text(frames: list[str]) -> None:
    """fd-026: a forbidden phrase stood between two such frames."""
    answer = ask(stream(*(f"event: content\n{frame}\n\n".encode() for frame in frames)))
    assert answer.error is not None


@pytest.mark.parametrize("mark", ["\ufeff", "\u200b", " \u2060"])
def test_an_object_behind_what_nobody_sees_is_read(mark: str) -> None:
    frames = [f'event: content\ndata: {mark}{{"text": "{text}"}}\n\n'.encode() for text in ("Rp75", ".000")]
    assert ask(stream(*frames)).text == "Rp75.000"


@pytest.mark.parametrize("text", ["{", "{nama", "[1]", "(a: b)", "data: ya", "Jawaban: {1, 2}"])
def test_text_that_merely_looks_a_little_like_it_is_text(text: str) -> None:
    assert ask(stream(f"event: content\ndata: {text}\n\n".encode())).text == text
