"""Why workbooks are not read by openpyxl (docs/decisions/0008): what it gives otherwise, shown beside what is read here.

Where one of these fails because openpyxl has changed, the decision is to be thought over.
"""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.reader.strings import read_string_table
from openpyxl.worksheet.worksheet import Worksheet

from goldenlib.exchange.sheetxml import read_texts
from goldenlib.exchange.workbook import read_workbook
from tests.exchange.sheets import HEADER, MAIN, refused

COLUMNS = "".join(f'<c t="inlineStr"><is><t>{name}</t></is></c>' for name in HEADER)

GOOD = '<row><c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><t>Apa?</t></is></c><c t="inlineStr"><is><t>WNI</t></is></c></row>'


def a_whole_book(folder: Path, cells: str) -> Path:
    """A workbook with all the parts that openpyxl wants, and these rows below the names of the columns."""
    written = BytesIO()
    Workbook().save(written)
    path = folder / "soal.xlsx"
    with zipfile.ZipFile(written) as parts, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name in parts.namelist():
            sheet = f'<worksheet xmlns="{MAIN}"><sheetData><row>{COLUMNS}</row>{cells}</sheetData></worksheet>'
            package.writestr(name, sheet if name == "xl/worksheets/sheet1.xml" else parts.read(name))
    return path


def by_openpyxl(path: Path) -> Worksheet:
    return load_workbook(BytesIO(path.read_bytes())).worksheets[0]


def test_it_leaves_a_carriage_return_as_its_escape(tmp_path: Path) -> None:
    path = a_whole_book(tmp_path, '<row><c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><t>b_x000D_</t></is></c></row>')
    assert by_openpyxl(path)["B2"].value == "b_x000D_"
    assert read_workbook(path).rows[0].cells[1].text == "b\r"


def test_it_drops_letters_of_shared_texts() -> None:
    shared = f'<sst xmlns="{MAIN}"><si><t>Apa itu x005F_?</t></si></sst>'.encode()
    assert read_string_table(BytesIO(shared)) == ["Apa itu ?"]
    assert read_texts([shared]) == ["Apa itu x005F_?"]


def test_it_tells_a_number_otherwise_than_it_stands_there(tmp_path: Path) -> None:
    path = a_whole_book(tmp_path, "<row><c><v>1</v></c><c><v>12345678901234567890.50</v></c></row>")
    assert by_openpyxl(path)["B2"].value != "12345678901234567890.50"
    assert "B2: is the number 12345678901234567890.50" in refused(path)


def test_it_makes_an_object_of_each_empty_cell(tmp_path: Path) -> None:
    """A file of 129 kB with three million of them took 1,061 MB, and takes 1 MB here."""
    path = a_whole_book(tmp_path, GOOD + ("<row>" + '<c s="0"/>' * 900 + "</row>") * 50)
    assert len(by_openpyxl(path)._cells) > 45_000
    assert len(read_workbook(path).rows) == 1


def test_it_ends_in_errors_of_many_kinds(tmp_path: Path) -> None:
    path = a_whole_book(tmp_path, '<row><c t="s"><v>7</v></c></row>')
    with pytest.raises(IndexError):
        by_openpyxl(path)
    assert "refers to a text that is not there" in refused(path)


def test_merged_cells_are_the_same_in_both(tmp_path: Path) -> None:
    book = Workbook()
    book.worksheets[0].append(HEADER)
    book.worksheets[0].append(["a", "Apa?"])
    book.worksheets[0].merge_cells("A2:A3")
    book.save(path := tmp_path / "soal.xlsx")
    assert [str(cells) for cells in by_openpyxl(path).merged_cells.ranges] == ["A2:A3"]
    assert "A2:A3: these cells are merged" in refused(path)
