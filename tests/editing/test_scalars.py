"""Texts as YAML: whatever is written comes back as the same text, to every reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.editing.scalars import DOUBLE, FOLDED, LITERAL, SINGLE, AsTyped, Wish, can_be_plain, fold, write
from goldenlib.files.yamltext import PLAIN
from tests.editing.builders import read_by_all
from tests.editing.strategies import TRICKY, texts

STYLES = st.sampled_from([PLAIN, SINGLE, DOUBLE, LITERAL, FOLDED])


def _as_value(text: str, wish: Wish) -> str:
    written = write(text, wish)
    return "\n".join([f"- {written.inline}", *written.lines]) + "\n"


@pytest.mark.parametrize("style", [PLAIN, SINGLE, DOUBLE, LITERAL, FOLDED])
@pytest.mark.parametrize("text", TRICKY, ids=ascii)
def test_a_tricky_text_comes_back_from_every_reader(text: str, style: str) -> None:  # case 159
    for in_flow in (False, True):
        written = _as_value(text, Wish(style, in_flow=in_flow))
        document = written.replace("- ", "- [", 1).removesuffix("\n") + "]\n" if in_flow else written
        for reader, value in read_by_all(document).items():
            assert value == [[text]] if in_flow else [text], (reader, document)


@given(texts, STYLES, st.booleans(), st.integers(1, 9))
def test_any_text_comes_back_from_every_reader(text: str, style: str, had_breaks: bool, indent: int) -> None:
    document = _as_value(text, Wish(style, indent=indent, width=30, had_breaks=had_breaks))
    for reader, value in read_by_all(document).items():
        assert value == [text], (reader, document)


@given(st.lists(st.sampled_from(["satu", "dua", "tiga empat", "", "- x", "#", "a: b"]), max_size=12), st.integers(20, 40), st.data())
def test_a_folded_text_comes_back_whatever_lines_stood_there_before(words: list[str], width: int, data: st.DataObject) -> None:
    text = "\n".join(words).strip() or "x"
    old = data.draw(st.lists(st.sampled_from(["satu", "satu dua", "tiga", "", "- x #"]), max_size=6))
    document = "- >-\n" + "".join(f"  {line}\n" for line in fold(text, width, tuple(old)))
    assert read_by_all(document)["PyYAML, C"] == [text]


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "NO",
        "y",
        "off",
        "null",
        "~",
        "012",
        "1e3",
        "12:30",
        "1_000",
        "+1",
        ".5",
        "0x1F",
        "2026-07-10",
        "=",
        "<<",
        "17",
        "",
        " a",
        "a ",
    ],
)
def test_what_some_reader_takes_for_something_else_is_quoted(text: str) -> None:
    assert not can_be_plain(text)
    assert write(text, Wish(PLAIN)).inline == f'"{text}"'


@pytest.mark.parametrize(
    "text", ["satu orang", "17 tahun", "Rp1 miliar", "WNI", "1.250.000 rupiah", "dan/atau", "it's", "a#b", "http://x.id/a"]
)
def test_what_is_text_to_every_reader_needs_no_quotes(text: str) -> None:
    assert write(text, Wish(PLAIN)).inline == text


def test_a_question_mark_or_comma_is_quoted_in_brackets_only() -> None:
    assert write("Apa, siapa?", Wish(PLAIN)).inline == "Apa, siapa?"
    assert write("Apa, siapa?", Wish(PLAIN, in_flow=True)).inline == '"Apa, siapa?"'


@pytest.mark.parametrize(
    ("value", "written"), [(True, "true"), (False, "false"), (3, "3"), (0.00001, "0.00001"), (AsTyped("false"), "false")]
)
def test_a_boolean_a_number_and_what_was_typed_plain_stand_without_quotes(value: bool | float | str, written: str) -> None:
    assert write(value, Wish(DOUBLE)).inline == written


def test_a_long_text_becomes_a_folded_block_where_nothing_speaks_against_it() -> None:
    written = write("kata " * 40 + "akhir", Wish(PLAIN, width=40))
    assert written.inline == ">-"
    assert all(len(line) <= 40 for line in written.lines)


def test_text_of_several_lines_becomes_a_literal_block() -> None:
    assert write("satu\ndua\n", Wish(DOUBLE)) == ("|", ("  satu", "  dua"))


@pytest.mark.parametrize(("text", "header"), [("a", "|-"), ("a\n", "|"), ("a\n\n", "|+"), (" a\nb", "|2-")])
def test_a_block_says_how_it_ends_and_how_deep_it_is(text: str, header: str) -> None:
    assert write(text, Wish(LITERAL)).inline == header


@pytest.mark.parametrize("text", ["a \nb", "\ta\nb", "a\n \nb", "\na", "a\r\nb", "a\n\u2028", "a\n\x85"])
def test_what_an_editor_or_reader_would_lose_in_a_block_is_escaped_in_quotes(text: str) -> None:
    assert write(text, Wish(LITERAL)).inline.startswith('"')


def test_lines_of_a_paragraph_that_still_fit_are_not_folded_anew() -> None:
    old = ("satu dua tiga", "empat lima enam", "tujuh")
    assert fold("satu dua tiga empat LIMA enam tujuh", 20, old) == ["satu dua tiga", "empat LIMA enam", "tujuh"]
