from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.answers import EvidenceKind
from goldenlib.reporting.passages import Span, counterpart, excerpt, find_spans, marked, plain, visible

ANY_TEXT = st.text(st.characters(categories=None))  # lone surrogates and controls too
PRESENT, FORBIDDEN, NEAR = EvidenceKind.PRESENT, EvidenceKind.FORBIDDEN, EvidenceKind.NEAR_MISS


def _spans(text: str, spans: tuple[Span, ...]) -> list[tuple[str, EvidenceKind | None]]:
    return [(text[span.start : span.end], span.kind) for span in spans]


def _brackets(text: str, spans: tuple[Span, ...], around: int = 40) -> str:
    return "".join(f"[{part.text}]" if part.kind else part.text for part in excerpt(text, spans, around=around))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "␛[2J"),
        ("a\x00b", "a␀b"),
        ("safe\u202egpj.exe", "safe⟦U+202E⟧gpj.exe"),
        ("a\rb", "a␍b"),
        ("\x9b31m", "⟦U+009B⟧31m"),
        ("\ud800", "⟦U+D800⟧"),
        ("\ufffe", "⟦U+FFFE⟧"),
        ("\U000e0041", "⟦U+E0041⟧"),
        ("\x7f", "␡"),
    ],
)
def test_active_characters_are_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_line_feeds_and_tabs_stay_and_crlf_is_one_line_feed() -> None:
    assert visible("a\r\nb\tc\n") == "a\nb\tc\n"


@given(ANY_TEXT)
def test_visible_text_can_be_encoded_and_holds_no_control(text: str) -> None:
    shown = visible(text)
    shown.encode("utf-8")
    assert not [char for char in shown if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") and char not in "\n\t"]


@given(ANY_TEXT)
def test_plain_text_is_one_line(text: str) -> None:
    assert len(plain(text).splitlines()) <= 1


@given(ANY_TEXT, st.integers(2, 50))
def test_plain_text_is_cut_to_its_limit(text: str, most: int) -> None:
    assert len(plain(text, most)) <= most


def test_a_phrase_is_found_by_the_fold_rule_and_marked_as_it_stands() -> None:
    text = "Biaya Rp\u00a050.000\n  PER  berkas."
    assert _spans(text, find_spans(text, required=["rp 50.000 per"])) == [("Rp\u00a050.000\n  PER", PRESENT)]


def test_every_place_of_a_phrase_is_found() -> None:
    text = "notaris, lalu notaris"
    assert [span.start for span in find_spans(text, required=["notaris"])] == [0, 14]


def test_a_forbidden_phrase_wins_over_a_required_one_within_it() -> None:
    text = "tidak wajib akta notaris"
    assert _spans(text, find_spans(text, required=["akta"], forbidden=["wajib akta notaris"])) == [("wajib akta notaris", FORBIDDEN)]


def test_a_phrase_at_the_end_does_not_take_the_space_behind_it() -> None:
    text = "satu orang \n"
    assert _spans(text, find_spans(text, required=["satu orang"])) == [("satu orang", PRESENT)]


def test_a_phrase_that_is_not_there_gives_no_span() -> None:
    assert find_spans("apa pun", required=["WNI"], forbidden=[""], near=["  "]) == ()


@given(ANY_TEXT, st.lists(ANY_TEXT, max_size=3), st.lists(ANY_TEXT, max_size=3))
def test_marking_keeps_the_whole_text(text: str, required: list[str], forbidden: list[str]) -> None:
    segments = marked(text, find_spans(text, required=required, forbidden=forbidden))
    # A mark may part CR from LF; then CR is shown instead of dropped.
    assert re.sub("\n|␍", "", "".join(segment.text for segment in segments)) == re.sub("\n|␍", "", visible(text))


@given(ANY_TEXT, st.lists(ANY_TEXT, max_size=3))
def test_spans_are_in_order_and_do_not_overlap(text: str, phrases: list[str]) -> None:
    spans = find_spans(text, required=phrases, forbidden=phrases[:1])
    assert all(before.end <= after.start for before, after in pairwise(spans))
    assert all(0 <= span.start < span.end <= len(text) for span in spans)


def test_an_excerpt_shows_whole_words_around_the_hit() -> None:
    text = "Untuk pendirian PT perorangan tidak wajib akta notaris karena cukup pernyataan."
    spans = find_spans(text, forbidden=["wajib akta notaris"])
    assert _brackets(text, spans, around=9) == "…tidak [wajib akta notaris] karena…"


def test_hits_close_together_share_one_passage() -> None:
    text = "Pembina, Pengurus, dan Pengawas"
    assert _brackets(text, find_spans(text, required=["Pembina", "Pengawas"])) == "[Pembina], Pengurus, dan [Pengawas]"


def test_hits_far_apart_are_joined_by_an_ellipsis() -> None:
    text = f"WNI {'kata ' * 40}notaris"
    assert _brackets(text, find_spans(text, required=["WNI", "notaris"]), around=6) == "[WNI] kata…kata [notaris]"


def test_an_excerpt_without_hits_is_the_beginning() -> None:
    assert _brackets("satu dua tiga empat", (), around=8) == "satu dua…"


def test_an_excerpt_is_on_one_line() -> None:
    assert _brackets("satu\n\n- dua\n", ()) == "satu - dua "


@given(ANY_TEXT, ANY_TEXT)
def test_an_excerpt_of_any_text_is_visible(text: str, phrase: str) -> None:
    assert "\n" not in _brackets(text, find_spans(text, required=[phrase]))


def test_the_counterpart_is_what_stands_in_the_same_place() -> None:
    then, now = "biaya apostille adalah Rp150.000 per dokumen", "saat ini biaya apostille adalah Rp100.000 per dokumen"
    place = counterpart(then, *_place(then, "Rp150.000"), now)
    assert place is not None
    assert now[slice(*place)] == "Rp100.000"


def test_the_counterpart_of_something_left_out_is_where_it_was() -> None:
    then, now = "Pembina, Pengurus, dan Pengawas adalah organ", "Pembina, Pengurus, adalah organ"
    place = counterpart(then, *_place(then, "dan Pengawas"), now)
    assert place is not None
    assert now[place[0] :].startswith("adalah")


def test_texts_without_common_words_have_no_counterpart() -> None:
    assert counterpart("satu dua tiga", 0, 4, "empat lima") is None


@given(ANY_TEXT, ANY_TEXT, st.integers(0, 20), st.integers(0, 20))
def test_a_counterpart_lies_within_the_other_text(text: str, other: str, start: int, length: int) -> None:
    place = counterpart(text, start, start + length, other)
    assert place is None or 0 <= place[0] <= place[1] <= len(other)


def _place(text: str, part: str) -> tuple[int, int]:
    return text.index(part), text.index(part) + len(part)
