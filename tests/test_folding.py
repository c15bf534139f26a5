"""Folding: which texts count as the same, and where a folded character came from."""

from __future__ import annotations

import time
import unicodedata

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from goldenlib.folding import fold, fold_with_offsets

# Where Unicode is difficult: marks that reorder and compose, letters that grow when folded, Hangul, blanks, invisible ones.
MARKS = [chr(number) for number in range(0x300, 0x370)] + list(
    "\u0591\u05c1\u093c\u09be\u0bd7\u0f71\u0f72\u0f73\u0f75\u0f81\u1ce8\u3099\u309a\U000112ea"
)
LETTERS = list("aAeEiIſßẞİŉǰΐΰﬁﬃςΣΩÅÅé가각ᄀ깍\u09c7\u0bc6\u1025\u1e9a\u1fb7\u1ff2\u1f28Ꭰꭰ日😀")
BLANKS = list(" \t\n\r\x0b\x0c\x1c\x1f\x85\u00a0\u1680\u2003\u2028\u2029\u202f\u3000\u2800")
# What nobody can see, by the properties in the Unicode data of another library, and what of these shows all the same.
UNSEEN_PROPERTY = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cf}]")
SHOWS = regex.compile(r"[\p{Prepended_Concatenation_Mark}\U00013430-\U0001343f\u202e]")
UNSEEN = [char for char in map(chr, range(0x110000)) if UNSEEN_PROPERTY.match(char) and not SHOWS.match(char)]
INVISIBLE = [
    *"\u00ad\u034f\u061c\u115f\u17b4\u180b\u180e\u200b\u200d\u200f\u202a\u2060\u2066\u206a\u3164\ufe0f\ufeff\uffa0\ufff9\U0001d173\U000e0061"
]
UNSEEN_SET = frozenset(UNSEEN)
TEXTS = st.text(st.sampled_from(MARKS + LETTERS + BLANKS + INVISIBLE) | st.characters(exclude_categories=["Cs"]), max_size=12)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Biaya Rp50.000", "biaya\u00a0Rp50.000"[:5] + " RP50.000"),
        ("17 tahun", "17\n  tahun"),
        ("17 tahun", " 17\u2009\u00a0tahun\u2028"),
        ("perseroan", "per\u00adse\u200bro\ufeffan"),
        ("café", "cafe\u0301"),
        ("café", "cafe\u200d\u0301"),
        ("각", "\u1100\u1161\u11a8"),
        ("STRASSE", "straße"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("Å", "\u212b"),
    ],
)
def test_texts_that_a_reader_cannot_tell_apart_fold_to_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("17 tahun", "17tahun"),
        ("17", "١٧"),
        ("**17** tahun", "17 tahun"),
        ("Rp50.000", "Rp50,000"),
        ("“akta”", '"akta"'),
        ("non-aktif", "non–aktif"),
        ("cafe", "café"),
        ("ﬁ", "f"),
        ("²", "2"),
        ("a\u202eb", "ab"),
    ],
)
def test_texts_that_differ_on_the_page_stay_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    "answer", ["akta\u2066 notaris\u2069", "akta \ufe0fnotaris", "akta\u206a notaris", "akta\U000e0061 notaris", "akta\u2800notaris"]
)
def test_what_nobody_sees_does_not_hide_a_phrase(answer: str) -> None:
    """fd-041."""
    assert fold(answer) == "akta notaris"


def test_what_nobody_sees_is_what_the_properties_of_unicode_say() -> None:
    """fd-041, contract 4.1: by property, not by a list; the property is that of another library's Unicode data."""
    assert len(UNSEEN) > 4_000
    assert fold("".join(f"a{char}" for char in UNSEEN)) == "a" * len(UNSEEN)
    seen = [char for char in map(chr, range(0x20, 0x110000)) if not (char.isspace() or char == "\u2800" or 0xD800 <= ord(char) < 0xE000)]
    assert [char for char in seen if fold(char) == ""] == UNSEEN


@settings(deadline=None)
@given(st.lists(st.sampled_from(["akta", "é", "ß", " ", "\n", "👩", "1", "\u20e3", *UNSEEN[:40], *UNSEEN[-40:], *INVISIBLE]), max_size=20))
def test_a_text_with_what_nobody_sees_folds_to_what_one_sees(parts: list[str]) -> None:
    assert fold("".join(parts)) == fold("".join(part for part in parts if part not in UNSEEN_SET))


@pytest.mark.parametrize("marks", [30, 31, 60, 61, 62, 90, 91, 200])
@pytest.mark.parametrize("mark", ["─", "\u0301", "🚀", "—"])
def test_a_phrase_is_found_on_either_side_of_and_within_a_run_of_marks(marks: int, mark: str) -> None:
    """field/tests C1: everything before a run of more than 30 marks could vanish unseen."""
    rule = mark * marks
    folded = fold(f"biaya Rp75.000 {rule} akta ñ {rule}\n{rule} wajib notaris")
    assert folded.startswith("biaya rp75.000 ")
    assert "akta ñ" in folded
    assert folded.endswith(" wajib notaris")
    assert unicodedata.normalize("NFD", folded).count(mark) == 3 * marks


@settings(deadline=None)
@given(TEXTS)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@settings(deadline=None)
@given(TEXTS)
def test_the_unicode_form_of_a_text_makes_no_difference(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text)) == fold(text)


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_a_folded_text_has_single_spaces_inside_only(before: str, after: str) -> None:
    folded = fold(f"{before} \n\u00a0{after}")
    assert folded == " ".join(folded.split())


@settings(deadline=None)
@given(TEXTS)
@example("\U000112ea\u0f75\u1ce8a")  # vowel signs that count as letters and decompose into marks
@example("\u1ff2\u1f28\u0f73\u0340")
@example("a\u200b\u0301 \u200b\u0301")
def test_offsets_belong_to_the_folded_text(text: str) -> None:
    folded, offsets = fold_with_offsets(text)
    assert folded == fold(text)
    assert len(offsets) == len(folded)
    assert offsets == sorted(offsets)
    assert all(0 <= offset < len(text) for offset in offsets)


@settings(deadline=None)
@given(TEXTS)
def test_an_offset_points_at_the_characters_that_made_the_folded_one(text: str) -> None:
    """The text from one offset to the next folds to just the characters that share the first offset."""
    folded, offsets = fold_with_offsets(text)
    starts = sorted(set(offsets))
    for start, end in zip(starts, [*starts[1:], len(text)], strict=False):
        made = "".join(char for char, offset in zip(folded, offsets, strict=True) if offset == start)
        assert fold(text[start:end]) == made.strip() or made == " "


def test_a_passage_can_be_cut_out_by_its_offsets() -> None:
    text = "Pendiri  BERUSIA\u00a0minimal\n17 ta\u00adhun, dan WNI."
    folded, offsets = fold_with_offsets(text)
    start = folded.index(fold("berusia minimal 17 tahun"))
    end = start + len("berusia minimal 17 tahun")
    assert text[offsets[start] : offsets[end]] == "BERUSIA\u00a0minimal\n17 ta\u00adhun"


@pytest.mark.parametrize("piece", ["\u200b", "\u0301", "가", "漢", "a\u200b", "\u09be", " "])
def test_the_cost_of_offsets_grows_with_the_length_only(piece: str) -> None:
    start = time.process_time()
    fold_with_offsets("a" + piece * (100_000 // len(piece)))
    assert time.process_time() - start < 5
