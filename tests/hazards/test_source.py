"""The raw text: what YAML took from it."""

from __future__ import annotations

import pytest

from goldenlib.hazards import Severity, lint_source
from goldenlib.hazards.fileplaces import source_hits

WARNING, NOTE = Severity.WARNING, Severity.NOTE


def a_file(body: str, more: str = "") -> str:
    return f"items:\n- id: a\n{body}{more}"


@pytest.mark.parametrize(
    ("body", "lost"),
    [
        ("  question: Apa arti formulir nomor #2 dan biayanya?\n", "#2 dan biayanya?"),
        ("  question: Apa arti formulir # 2?\n", "# 2?"),
        ("  expected:\n    must_include:\n      - formulir nomor #2\n", "#2"),
        ("  expected:\n    must_not_include:\n    - isi nomor # dua\n", "# dua"),
        ("  expected: {rubric: r}\n  note: lihat formulir #3   \r\n", "#3"),
        ("  question:\n    Apa arti\n    formulir nomor #2?\n", "#2?"),
    ],
)
def test_text_behind_a_hash_is_lost(body: str, lost: str) -> None:
    (finding,) = lint_source(a_file(body), language="en")
    assert (finding.item_id, finding.code, finding.severity) == ("a", "cut-by-yaml", WARNING)
    assert lost in finding.message


@pytest.mark.parametrize(
    "body",
    [
        "  question: Apa syarat pendirian PT?   # tanyakan lagi ke Bu Sari\n",
        '  question: "Apa arti formulir nomor #2?"\n',
        "  question: 'Apa?' #2\n",
        "  expected:\n    must_include:\n      - WNI  # sesuai Pasal 5\n      - satu orang\n",
        "  expected:\n    rubric: >\n      Jawaban menyebut #2.\n",
        "  surface: public #2\n  domain: x #y\n",
        "  question: Apa itu C#?\n",
        "  # question: Apa #2\n  question: Apa?\n",
    ],
)
def test_remarks_and_quoted_text_are_no_hazard(body: str) -> None:
    assert lint_source(a_file(body)) == ()


@pytest.mark.parametrize(
    ("entries", "severity"),
    [
        ("[tarif turun, karena nilai naik]", WARNING),
        ("[Pembina, Pengurus, dan Pengawas]", WARNING),
        ("[Rp1,5 miliar]", WARNING),
        ("[Pasal 7, ayat (1)]", WARNING),
        ("[PT Maju, Tbk.]", WARNING),
        ("[Budi Santoso, S.H.]", WARNING),
        ("[July 10, 2026]", WARNING),
        ("[Jakarta, 10 Juli 2026]", NOTE),
        ("[akta dibuat oleh notaris, setelah nama perseroan disetujui]", NOTE),
    ],
)
def test_a_comma_that_may_have_split_a_phrase_is_asked_about(entries: str, severity: Severity) -> None:
    findings = lint_source(a_file(f"  expected:\n    must_include: {entries}\n"))
    assert [(finding.code, finding.severity) for finding in findings] == [("comma-in-list", severity)]


@pytest.mark.parametrize(
    "entries",
    [
        '["tarif turun", "karena nilai naik"]',
        "[WNI, satu orang]",
        "[cakap hukum, warga negara]",
        "[]",
        "[danau]",
        "[uang muka, tahun 2026]",
        "[KTP, SH]",
    ],
)
def test_lists_that_are_meant_are_no_hazard(entries: str) -> None:
    assert lint_source(a_file(f"  expected:\n    must_include: {entries}\n")) == ()


def test_a_message_that_a_comma_split_is_asked_about() -> None:
    findings = lint_source(a_file("  turns: [Halo, saya mau bertanya]\n"))
    assert [(finding.code, finding.severity) for finding in findings] == [("comma-in-list", NOTE)]
    assert lint_source(a_file("  turns: [Halo, Apa syaratnya]\n")) == ()


def test_a_block_list_has_no_commas_to_ask_about() -> None:
    assert lint_source(a_file("  expected:\n    must_include:\n    - tarif turun, karena nilai naik\n")) == ()


def test_the_place_is_that_of_the_text() -> None:
    finding = lint_source(a_file("  expected:\n    must_include: [tarif turun, karena naik]\n"), language="en")[0]
    assert (finding.line, finding.column) == (4, 33)
    assert "line 4, column 33" in finding.evidence


def test_the_whole_text_is_suggested_in_quotes() -> None:
    assert '"Rp1,5 miliar"' in lint_source(a_file("  expected:\n    must_include: [Rp1,5 miliar]\n"))[0].suggestion


def test_an_acceptance_silences_the_phrase_in_its_item_only() -> None:
    accepted = "  accepted:\n  - {code: cut-by-yaml, phrase: formulir nomor, reason: memang begitu}\n"
    body = "  question: formulir nomor #2\n"
    assert lint_source(a_file(body, accepted)) == ()
    other = "- id: b\n  question: formulir nomor #2\n"
    assert [finding.item_id for finding in lint_source(a_file(body, accepted + other))] == ["b"]


@pytest.mark.parametrize("text", ["", "a: [", "\tx", "items:\n- a: &a [*a]\n", "- - -\n", "x: y", "\x1b", "? [a]\n: b\n"])
def test_text_that_is_no_set_has_no_hazards(text: str) -> None:
    assert lint_source(text) == ()


def test_bytes_are_read_as_the_loader_reads_them() -> None:
    assert source_hits(b"\xef\xbb\xbfquestion: nomor #2\n") == source_hits("question: nomor #2\n")
    assert lint_source(b"question: \xff nomor #2\n")
