"""Folding: which texts count as the same, and where a folded character came from."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from goldenlib.folding import INVISIBLE, fold, fold_with_offsets

# Where Unicode is difficult: marks that reorder and compose, letters that grow when folded, Hangul, blanks, invisible ones.
MARKS = [chr(number) for number in range(0x300, 0x370)] + list(
    "\u0591\u05c1\u093c\u09be\u0bd7\u0f71\u0f72\u0f73\u0f75\u0f81\u1ce8\u3099\u309a\U000112ea"
)
LETTERS = list("aAeEiIſßẞİŉǰΐΰﬁﬃςΣΩÅÅé가각ᄀ깍\u09c7\u0bc6\u1025\u1e9a\u1fb7\u1ff2\u1f28Ꭰꭰ日😀")
BLANKS = list(" \t\n\r\x0b\x0c\x1c\x1f\x85\u00a0\u1680\u2003\u2028\u2029\u202f\u3000")
TEXTS = st.text(st.sampled_from(MARKS + LETTERS + BLANKS + list(INVISIBLE)) | st.characters(exclude_categories=["Cs"]), max_size=12)


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
