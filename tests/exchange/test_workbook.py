"""XLSX: texts exactly, everything else told with its cell, and files that mean harm."""

from __future__ import annotations

import datetime
import zipfile
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from goldenlib.cli.exchanging import run_import
from goldenlib.exchange.sheetxml import escaped, unescaped
from tests.exchange.sheets import GOOD, HEADER, MAIN, a_book, a_csv, a_raw_book, imported, refused, relations, row


@pytest.mark.parametrize(
    ("value", "number_format", "told"),
    [
        (50000, "General", "C2: is the number 50000; format the column as text"),
        (0.5, "0%", "C2: is the number 0.5; format the column as text"),
        (datetime.date(2026, 11, 29), "yyyy-mm-dd", "C2: is the date 2026-11-29; format the column as text"),
        (datetime.datetime(2026, 11, 29, 12, 30), "yyyy-mm-dd hh:mm", "C2: is the date 2026-11-29 12:30:00; format the column as text"),
        (datetime.time(8, 30), "hh:mm", "C2: is the time 08:30:00; format the column as text"),
        (True, "General", "C2: is the boolean TRUE; format the column as text"),
        ("=A1&B1", "General", "C2: is the formula =A1&B1; copy it and paste it as values only"),
        ("#N/A", "General", "C2: holds the error #N/A; mend it, or clear the cell"),
    ],
)
def test_what_is_no_text_is_told_with_its_cell(tmp_path: Path, value: Any, number_format: str, told: str) -> None:
    path = a_book(tmp_path, HEADER, ("a", "Apa?", value))
    book = load_workbook(path)
    book.active["C2"].number_format = number_format
    book.save(path)
    assert refused(path).startswith(f"soal.xlsx: {told}")


def test_texts_are_taken_exactly(tmp_path: Path) -> None:
    texts = ("012", "50.000", "2026-11-29", " spasi ", "a\u2028b", "😀", "TRUE", "x005F_")
    path = a_book(tmp_path, (*HEADER, "tags", "note"), ("a", "Apa?\nSiapa?", "x", "\n".join(texts), "  "))
    item = imported(path)[0].items[0]
    assert (item.question, item.tags, item.note) == ("Apa?\nSiapa?", texts, "  ")


def test_problems_in_columns_that_are_left_out_do_not_matter(tmp_path: Path) -> None:
    path = a_book(tmp_path, ("No", *HEADER), (1, "a", "Apa?", "WNI"), (2, "b", "Siapa?", "KTP"))
    assert len(imported(path, No="")[0]) == 2


def test_a_boolean_is_one_only_where_true_or_false_is_asked_for(tmp_path: Path) -> None:
    golden_set, _ = imported(a_book(tmp_path, (*HEADER, "terverifikasi", "peninjau"), ("a", "Apa?", "WNI", True, "Budi")))
    assert golden_set.items[0].note == "Imported as reviewed by Budi; not signed, so not verified."


def test_merged_cells_hidden_sheets_and_empty_rows_are_named(tmp_path: Path) -> None:
    path = a_book(tmp_path, HEADER, ("a", "Apa?", "WNI"), (), ("b", "Siapa?", "KTP"), Rahasia=[["x"]])
    book = load_workbook(path)
    book["Rahasia"].sheet_state = "hidden"
    book.active.row_dimensions[4].hidden = True
    book.active.column_dimensions["C"].hidden = True
    book.save(path)
    _, text = imported(path)
    assert "sheets not read: 'Rahasia' (hidden)" in text
    assert "empty rows passed over: 3" in text
    assert "hidden rows, read too: 4" in text
    assert "hidden columns, read too: C" in text
    book.active.merge_cells("C4:C5")
    book.active["B2"].value = 7
    book.save(path)
    told = refused(path)
    assert "soal.xlsx: C4:C5: these cells are merged" in told
    assert "B2: is the number 7" in told


def test_a_title_above_the_names_is_told_as_what_it_is(tmp_path: Path) -> None:
    message = "row 1 holds only 'Daftar soal', and the first row must have the names of the columns; take out what stands above row 3"
    path = a_book(tmp_path, ("Daftar soal",), (), HEADER, ("a", "Apa?", "WNI"))
    assert refused(path).splitlines()[0] == f"soal.xlsx: {message}, if the names stand there"
    assert message in refused(a_csv(tmp_path, "Daftar soal,,\n\nid,question,must_include\na,Apa?,WNI\n"))


def test_which_of_several_sheets_is_meant_is_asked_for(tmp_path: Path) -> None:
    path = a_book(tmp_path, HEADER, ("a", "Apa?", "WNI"), Lain=[HEADER, ("b", "Siapa?", "KTP")], Kosong=[])
    assert "has 2 sheets that hold something; choose one with --sheet: 'Sheet', 'Lain', 'Kosong'" in refused(path)
    assert imported(path, sheet="lain")[0].items[0].id == "b"
    assert "there is no sheet 'Soal'; choose one of 'Sheet'" in refused(path, sheet="Soal")


def test_a_cell_outside_the_named_columns_is_refused(tmp_path: Path) -> None:
    told = refused(a_book(tmp_path, HEADER, ("a", "Apa?", "WNI", None, "lepas")))
    assert told.startswith("soal.xlsx: E2: holds something, but column E has no name in row 1; name the column, or clear the cell")


def test_problems_of_an_item_are_told_with_its_cell(tmp_path: Path) -> None:
    told = refused(a_book(tmp_path, (*HEADER, "surface"), ("a", "Apa?", "WNI", "publik"), ("a", None, "WNI")))
    assert "soal.xlsx: item 'a': D2: is the text 'publik'; write 'public' or 'internal'" in told
    assert "soal.xlsx: item 'a': B3: has no question; write what a citizen would ask" in told
    assert "soal.xlsx: item 'a': A3: the id 'a' is taken by row 2" in told


@pytest.mark.parametrize("text", ["_x0041_", "__x0041_x0042_", "a\rb\r\n", "_x005F_", "x005F_", "_x", "_x00_x0041_"])
def test_escapes_of_excel_are_undone(text: str) -> None:
    assert unescaped(escaped(text)) == text


def test_rich_text_is_read_without_its_hints(tmp_path: Path) -> None:
    runs = '<c t="inlineStr"><is><r><t>Apa </t></r><r><rPr><b/></rPr><t>itu?</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is></c>'
    rows = row(1, "question", "rubric") + f'<row>{runs}<c t="str"><v>r_x000D_</v></c></row>'
    item = imported(a_raw_book(tmp_path, rows))[0].items[0]
    assert (item.question, item.expected.rubric) == ("Apa itu?", "r\r")


def test_shared_formulas_and_formulas_with_a_stored_text_are_formulas(tmp_path: Path) -> None:
    rows = row(1, *HEADER) + '<row><c t="str"><f>A1</f><v>a</v></c><c t="str"><f t="shared" si="0"/><v>b</v></c></row>'
    told = refused(a_raw_book(tmp_path, rows))
    assert "A2: is the formula =A1" in told
    assert "B2: is the formula one shared with other cells" in told


def test_macros_links_and_comments_are_not_read_and_said(tmp_path: Path) -> None:
    parts = {"xl/vbaProject.bin": b"MZ", "xl/externalLinks/externalLink1.xml": "<x/>", "xl/comments1.xml": "<x/>"}
    _, text = imported(a_raw_book(tmp_path, GOOD, parts=parts))
    assert "not read, and never run: macros, links to other workbooks, cell comments" in text


@pytest.mark.parametrize(
    ("target", "more"), [("file:///etc/passwd", ' TargetMode="External"'), ("../../../etc/passwd", ""), ("/etc/passwd", "")]
)
def test_parts_outside_the_file_are_never_opened(tmp_path: Path, target: str, more: str) -> None:
    outside = relations(("r1", "worksheet", target), more=more)
    told = refused(a_raw_book(tmp_path, GOOD, parts={"xl/_rels/workbook.xml.rels": outside}))
    assert "cannot be read as an XLSX workbook" in told or "has no visible sheet" in told


def test_a_zip_bomb_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldenlib.exchange.workbook.MAX_PART_BYTES", 1_000_000)
    shared = relations(("r1", "worksheet", "sheet.xml"), ("r2", "sharedStrings", "s.xml"))
    bomb = b"<sst><si><t>" + b" " * 10_000_000 + b"</t></si></sst>"
    path = a_raw_book(tmp_path, GOOD, parts={"xl/_rels/workbook.xml.rels": shared, "xl/s.xml": bomb})
    assert path.stat().st_size < 50_000
    assert "unpacks to more than 1 MB" in refused(path)


def test_a_document_type_is_refused(tmp_path: Path) -> None:
    head = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    assert "document type declaration" in refused(a_raw_book(tmp_path, GOOD, head=head))


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ('<row r="9999999"><c><v>1</v></c></row>', "it has a row 9999999"),
        ('<row><c r="XFD1" t="str"><v>x</v></c></row>', "XFD1 holds something; only 1000 columns are read"),
        ('<row><c t="s"><v>7</v></c></row>', "refers to a text that is not there"),
        ("<row><c>" * 60, "nested too deep"),
        ("<row>", "it is damaged"),
    ],
)
def test_sheets_that_make_no_sense_are_refused(tmp_path: Path, cells: str, told: str) -> None:
    assert told in refused(a_raw_book(tmp_path, cells), sheet="S")


def test_a_sheet_of_formatted_but_empty_cells_takes_no_memory(tmp_path: Path) -> None:
    empty = "".join(f'<row r="{line}"><c r="XFD{line}" s="0"/></row>' for line in range(3, 30_000))
    assert len(imported(a_raw_book(tmp_path, GOOD + empty))[0]) == 1


def test_a_sheet_with_too_many_rows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldenlib.exchange.sheetxml.MAX_ROWS", 100)
    assert "more than 100 rows" in refused(a_raw_book(tmp_path, "".join(row(line, "x") for line in range(1, 200))))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "it is an old .xls file, or protected with a password"),
        (b"id,question\n", "it is no zip file"),
        (b"PK\x03\x04" + b"\0" * 100, "it is no zip file"),
        (b"", "it is no zip file"),
    ],
)
def test_what_is_no_workbook_is_refused_with_a_way_out(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "soal.xlsx"
    path.write_bytes(data)
    assert f"soal.xlsx: cannot be read as an XLSX workbook: {told}; save it from the spreadsheet as .xlsx" in refused(path)


def test_damaged_bytes_anywhere_are_refused_or_read_but_never_crash(tmp_path: Path) -> None:
    good = a_book(tmp_path, HEADER, ("a", "Apa?", "WNI")).read_bytes()
    for at in range(0, len(good), 211):
        path = tmp_path / "rusak.xlsx"
        path.write_bytes(good[:at] + bytes([good[at] ^ 0x55]) + good[at + 1 :])
        text, code = run_import(path, None, format=None, sheet=None, columns={})
        assert code in (0, 2)
        assert text


def test_a_chart_sheet_or_no_sheet_is_no_table(tmp_path: Path) -> None:
    book = Workbook()
    book.save(tmp_path / "soal.xlsx")
    assert "has no visible sheet that holds something" in refused(tmp_path / "soal.xlsx")
    path = tmp_path / "kosong.xlsx"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("xl/workbook.xml", f'<workbook xmlns="{MAIN}"><sheets/></workbook>')
    assert "has no visible sheet" in refused(path)
