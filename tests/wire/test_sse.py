"""The event stream parser, on bytes."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, repeat
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goldenlib.wire.sse import SseParser, StreamError, StreamEvent, is_heartbeat


class Parsed(NamedTuple):
    events: list[tuple[str, str]]
    error: str | None
    inside_event: bool


def parse(chunks: Iterable[bytes], max_event_bytes: int = 1_000, signals: Sequence[str] = ()) -> Parsed:
    parser = SseParser(max_event_bytes, signals)
    events: list[tuple[str, str]] = []
    try:
        for chunk in chunks:
            events.extend(map(tuple, parser.feed(chunk)))  # type: ignore[arg-type]  # a StreamEvent is a tuple of name and data
    except StreamError as error:
        return Parsed(events, str(error), parser.inside_event)
    return Parsed(events, None, parser.inside_event)


def events(*chunks: bytes) -> list[tuple[str, str]]:
    parsed = parse(chunks)
    assert parsed.error is None
    return parsed.events


def by_the_standard(stream: bytes) -> list[tuple[str, str]]:
    """The events of a whole stream, by the steps of the HTML standard (9.2.6) as they are written there."""
    text = stream.decode().removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    found, data, name = [], "", ""
    for line in text.split("\n")[:-1]:
        if line == "":
            if data:
                found.append((name or "message", data.removesuffix("\n")))
            data = name = ""
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            data += value + "\n"
        elif field == "event":
            name = value
    return found


PIECES = [b"\n", b"\r", b"\r\n", b"data", b"data:", b"data: ", b"event: content", b"event:", b"id: 1", b"retry: 5", b": ping"]
PIECES += [b":", b" ", b"a", b"\xc3", b"\xa9", b"\xe2\x80\xa8", b"\xc2\x85", b"\x0b", b"\x0c"]
PIECES += [b"\x00", b"\xef\xbb\xbf", b"\xf0\x9f\x9a\x80", b"\xff"]
STREAMS = st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join)


@given(stream=STREAMS, cuts=st.lists(st.integers(0, 200), max_size=12), limit=st.sampled_from([5, 20, 1_000]))
@example(stream=b"\xef\xbb\xbfdata: a\r\n\r\ndata: b\r\r", cuts=[1, 2, 4, 10, 11, 12, 13], limit=1_000)
def test_chunks_cut_anywhere_give_the_same_events_and_the_same_error(stream: bytes, cuts: list[int], limit: int) -> None:
    edges = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    chunks = [stream[start:end] for start, end in pairwise(edges)]
    whole = parse([stream], limit, signals=["error"])
    cut = parse(chunks, limit, signals=["error"])
    bytewise = parse((stream[at : at + 1] for at in range(len(stream))), limit, signals=["error"])
    assert cut[:2] == bytewise[:2] == whole[:2]
    if whole.error is None:
        assert cut.inside_event == bytewise.inside_event == whole.inside_event


@given(stream=STREAMS)
def test_a_stream_of_good_utf8_gives_the_events_of_the_standard(stream: bytes) -> None:
    try:
        expected = by_the_standard(stream)
    except UnicodeDecodeError:
        return
    assert events(stream) == expected


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"])
def test_only_lf_cr_and_crlf_end_a_line(end: str) -> None:
    assert events(f"data: Pasal 7{end}ayat 1\n\n".encode()) == [("message", f"Pasal 7{end}ayat 1")]


@pytest.mark.parametrize("cut", range(1, 8))
def test_a_byte_order_mark_is_dropped_wherever_it_is_cut(cut: int) -> None:
    stream = b"\xef\xbb\xbfdata: x\n\n"
    assert events(stream[:cut], stream[cut:]) == [("message", "x")]


def test_only_the_first_byte_order_mark_is_dropped() -> None:
    assert events(b"\xef\xbb\xbf", b"\xef\xbb\xbfdata: x\n\ndata: \xef\xbb\xbfy\n\n") == [("message", "\ufeffy")]


def test_cr_at_the_end_of_a_chunk_and_lf_after_it_are_one_line_end() -> None:
    assert events(b"data: a\r", b"\ndata: b\r", b"", b"\n\r", b"\n") == [("message", "a\nb")]


def test_cr_at_the_end_of_a_chunk_ends_the_line_at_once() -> None:
    assert events(b"data: a\r\r") == [("message", "a")]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"data\n\n", [("message", "")]),  # a field without a colon has an empty value
        (b"data\ndata\n\n", [("message", "\n")]),
        (b"data: a \t\n\n", [("message", "a \t")]),  # spaces at the end belong to the value
        (b"data : a\n\n", []),  # 'data ' is another field
        (b"Data: a\nDATA: b\n\n", []),  # names are case-sensitive
        (b"event: Content\ndata: a\n\n", [("Content", "a")]),
        (b"unknown: 1\ndata: a\n\n", [("message", "a")]),
        (b"id: 1\x002\nretry: ten\nretry: 10\ndata: a\n\n", [("message", "a")]),
        (b"event: content\n\ndata: a\n\n", [("message", "a")]),  # a name without data does not outlive the blank line
        (b"data: a\n\n\n\n\ndata: b\n\n", [("message", "a"), ("message", "b")]),
        (b": data: x\n:\n\n", []),
        (b"data:: a\n\n", [("message", ": a")]),
        (b"event: content\ndata: \xf0\x9f\x9a\x80\n\n", [("content", "\U0001f680")]),
    ],
)
def test_fields_are_read_by_the_standard(stream: bytes, expected: list[tuple[str, str]]) -> None:
    assert events(stream) == expected


@pytest.mark.parametrize("bad", [b"\xff", b"\xc3(", b"\xed\xa0\xbd", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\xe2\x80"])
def test_bad_utf8_in_data_is_an_error_and_the_events_before_it_are_kept(bad: bytes) -> None:
    parsed = parse([b"data: ok\n\ndata: " + bad + b"\n\n"])
    assert parsed.events == [("message", "ok")]
    assert "bad UTF-8" in (parsed.error or "")


def test_bad_utf8_in_what_is_ignored_is_ignored() -> None:
    assert events(b": \xff\xfe\n\nid: \xff\nunknown: \xff\ndata: a\n\n") == [("message", "a")]


@pytest.mark.parametrize(
    ("stream", "inside"),
    [
        (b"", False),
        (b"data: a\n\n", False),
        (b"data: a\n", True),
        (b"event: error\n", True),
        (b"da", True),
        (b": pin", False),
        (b": ping\n", False),
        (b"id: 1\n", False),
        (b"data: a\n\n\xef", True),
        (b"\xef\xbb", True),
    ],
)
def test_the_parser_knows_whether_the_stream_stands_inside_an_event(stream: bytes, inside: bool) -> None:
    assert parse([stream]).inside_event is inside


def test_a_signal_counts_without_data_too() -> None:
    stream = b"event: error\n\nevent: other\n\nevent: error\ndata: x\n\n"
    assert parse([stream]).events == [("error", "x")]
    assert parse([stream], signals=["error"]).events == [("error", ""), ("error", "x")]


@pytest.mark.parametrize("chunk", [1_000, 64 * 1024])
def test_a_line_without_end_is_an_error_in_little_memory_and_time(chunk: int) -> None:
    fed = 0

    def endless() -> Iterator[bytes]:
        nonlocal fed
        yield b"data: "
        while True:
            fed += chunk
            yield b"x" * chunk

    begun = time.process_time()
    assert parse(endless(), max_event_bytes=2_000_000) == ([], "an event of more than 2,000,000 bytes", True)
    assert fed <= 2_000_000 + chunk
    assert time.process_time() - begun < 2


def test_many_lines_of_one_event_count_together() -> None:
    parsed = parse([b"data: a\n\n", *repeat(b"data: 12345\n", 50)], max_event_bytes=100)
    assert parsed == ([("message", "a")], "an event of more than 100 bytes", True)


def test_a_chunk_of_nothing_between_the_two_halves_of_a_line_end_changes_nothing() -> None:
    assert events(b"data: a\r", b"", b"\ndata: b\r\n\r\n") == [("message", "a\nb")]


@pytest.mark.parametrize(
    ("event", "beats"),
    [
        (StreamEvent("ping", "{}"), True),
        (StreamEvent("ping", '{"error": "reset"}'), False),
        (StreamEvent("ping", "now"), True),
        (StreamEvent("message", '{"type": "ping"}'), True),
        (StreamEvent("message", '{"event": "ping"}'), True),
        (StreamEvent("message", '{"type": "content"}'), False),
        (StreamEvent("message", "ping"), True),
        (StreamEvent("message", ": keep-alive"), True),
        (StreamEvent("message", "null"), True),
        (StreamEvent("message", '{"object": "keep-alive"}'), True),
        (StreamEvent("message", '{"heartbeat": true}'), True),
        (StreamEvent("message", "pinggir"), False),
    ],
)
def test_a_heartbeat_is_one_by_its_name_or_by_the_type_in_its_data(event: StreamEvent, beats: bool) -> None:
    assert is_heartbeat(event) is beats


def test_a_stream_of_nothing_but_line_ends_stands_in_no_event() -> None:
    assert parse([b"\n"]) == parse([b"\r\n"]) == ([], None, False)


@pytest.mark.parametrize(("more", "error"), [("", None), ("x", "an event of more than 20 bytes")])
def test_an_event_at_the_limit_is_one(more: str, error: str | None) -> None:
    assert parse([b"data:", b"1234567890\ndata:", f"1234567890{more}\n\n".encode()], max_event_bytes=20).error == error


def test_events_within_the_limit_go_on_for_ever() -> None:
    parser = SseParser(max_event_bytes=20)
    assert sum(len(list(parser.feed(b": ping\ndata: 12345\n\n"))) for _ in range(1_000)) == 1_000


def test_an_event_is_a_pair_of_name_and_data() -> None:
    assert list(SseParser().feed(b"event: content\ndata: a\n\n")) == [StreamEvent("content", "a")]
