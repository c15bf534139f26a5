"""CSV and TSV: what is read exactly, what is refused, and where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.exchange.sheets import a_csv, imported, refused

CASES = Path(__file__).parent.parent / "cases" / "yaml.jsonl"
GOOD = "id,question,must_include\na,Apa?,WNI\n"


def test_stray_quotes_and_shifted_cells_are_refused_by_line(tmp_path: Path) -> None:
    """Case 161: Python's csv module takes this row, and loses half of the answer."""
    case = next(case for line in CASES.read_text(encoding="utf-8").splitlines() if (case := json.loads(line))["n"] == 161)
    told = refused(a_csv(tmp_path, case["input"]["csv"]))
    assert told.startswith("soal.csv:2: stray quote; 6 columns where the header has 4")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ('a,Apa "itu"?,WNI\n', "soal.csv:2: stray quote; put the whole cell in quotes, and write each quote inside it twice"),
        ("a,Apa?,WNI, KTP\n", "soal.csv:2: 4 columns where the header has 3; put cells that hold the delimiter in quotes"),
        ("a,Apa?\n", "soal.csv:2: 2 columns where the header has 3; write the missing cells, empty ones too"),
        ('a,"satu\ndua",x\nb,"Apa?,WNI\nc,Apa?,x\n', "soal.csv:4: the quote that opens in line 4 is never closed"),
    ],
)
def test_rows_that_could_be_read_in_two_ways_are_refused(tmp_path: Path, rows: str, message: str) -> None:
    assert refused(a_csv(tmp_path, "id,question,must_include\n" + rows)).startswith(message)


def test_all_bad_rows_are_told_at_once(tmp_path: Path) -> None:
    told = refused(a_csv(tmp_path, 'id,question,must_include\na,"x"y,z\nb,Apa?,x\nc,d\n'))
    assert [line.split(":")[1] for line in told.splitlines()[:-1]] == ["2", "4"]


def test_empty_cells_behind_the_header_are_no_loss(tmp_path: Path) -> None:
    golden_set, _ = imported(a_csv(tmp_path, "id,question,must_include,\na,Apa?,WNI,,\n"))
    assert golden_set.items[0].expected.must_include == ("WNI",)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (GOOD.encode(), "UTF-8, cells divided by comma"),
        (b"\xef\xbb\xbf" + GOOD.encode(), "UTF-8, cells divided by comma"),
        (GOOD.encode("utf-16"), "UTF-16, cells divided by comma"),
        (b"\xfe\xff" + GOOD.encode("utf-16-be"), "UTF-16, cells divided by comma"),
        (GOOD.replace(",", ";").encode(), "cells divided by semicolon"),
        (GOOD.replace(",", "\t").encode(), "cells divided by tab"),
        (b"sep=;\r\n" + GOOD.replace(",", ";").replace("\n", "\r\n").encode(), "cells divided by semicolon"),
        (GOOD.replace("\n", "\r").encode(), "cells divided by comma"),
    ],
)
def test_encoding_and_delimiter_follow_from_the_file_and_are_said(tmp_path: Path, content: bytes, told: str) -> None:
    golden_set, text = imported(a_csv(tmp_path, content))
    assert told in text
    assert golden_set.items[0].question == "Apa?"


def test_the_delimiter_is_that_of_the_header_only(tmp_path: Path) -> None:
    golden_set, _ = imported(a_csv(tmp_path, "id;question;must_include\na;Apa, siapa, di mana?;satu, dua\n"))
    assert golden_set.items[0].expected.must_include == ("satu, dua",)


def test_a_header_that_may_be_divided_in_two_ways_is_refused(tmp_path: Path) -> None:
    told = refused(a_csv(tmp_path, "satu;dua,tiga\n1;2,3\n"))
    assert "may be divided by comma or semicolon" in told


def test_a_windows_code_page_is_refused_with_its_line_and_never_guessed(tmp_path: Path) -> None:
    told = refused(a_csv(tmp_path, b"id,question,must_include\r\na,Apa \x93wajib\x94 itu?,WNI\r\n"))
    assert told.startswith("soal.csv:2: is not UTF-8: byte 0x93; in the Windows code page it is \u201c; save it from Excel as 'CSV UTF-8")


def test_utf_16_without_a_mark_is_refused(tmp_path: Path) -> None:
    assert "may be UTF-16 without a byte order mark" in refused(a_csv(tmp_path, GOOD.encode("utf-16-le")))


def test_text_is_taken_as_it_stands(tmp_path: Path) -> None:
    rows = 'id,question,must_include_1,must_include_2,note\r\na,"Apa ""itu""\r\n=?","  012 ","x\n","50.000"\r\n'
    item = imported(a_csv(tmp_path, rows))[0].items[0]
    assert (item.question, item.expected.must_include, item.note) == ('Apa "itu"\r\n=?', ("  012 ", "x\n"), "50.000")


def test_empty_rows_are_passed_over_and_named(tmp_path: Path) -> None:
    golden_set, text = imported(a_csv(tmp_path, "\nid,question,must_include\na,Apa?,WNI\n,,\n\nb,Siapa?,KTP\n\n"))
    assert len(golden_set) == 2
    assert "empty rows passed over: 4, 5" in text


@pytest.mark.parametrize("content", ["", "\n\n", "id,question,must_include\n"])
def test_a_file_without_rows_is_refused(tmp_path: Path, content: str) -> None:
    assert "soal.csv" in refused(a_csv(tmp_path, content))


def test_guards_are_taken_away_and_said(tmp_path: Path) -> None:
    golden_set, text = imported(a_csv(tmp_path, "id,question,must_include\na,'=1+1 itu apa?,'sekali\n"))
    assert golden_set.items[0].question == "=1+1 itu apa?"
    assert golden_set.items[0].expected.must_include == ("'sekali",)
    assert "1 cell lost the apostrophe" in text


def test_a_large_file_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldenlib.exchange.importtable.MAX_ROWS", 100)
    rows = "".join(f"a{number},Apa?,WNI\n" for number in range(101))
    assert "more than 100 rows; split it" in refused(a_csv(tmp_path, "id,question,must_include\n" + rows))
