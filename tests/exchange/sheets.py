"""Spreadsheets for tests: CSV as bytes, workbooks by openpyxl or part by part, and what importing says of them."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from goldenlib.cli.exchanging import run_import
from goldenlib.files.loading import load_set
from goldenlib.golden_set import GoldenSet

HEADER = ("id", "question", "must_include")
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def a_csv(folder: Path, content: str | bytes, name: str = "soal.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def a_book(folder: Path, *rows: Sequence[Any], name: str = "soal.xlsx", **sheets: Sequence[Sequence[Any]]) -> Path:
    """A workbook by openpyxl, with further sheets by name."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    for title, more in sheets.items():
        other = book.create_sheet(title)
        for row in more:
            other.append(row)
    path = folder / name
    book.save(path)
    return path


def a_raw_book(folder: Path, cells: str, *, parts: Mapping[str, str | bytes] | None = None, head: str = "", tail: str = "") -> Path:
    """A workbook whose one sheet holds these rows of XML; `parts` are added, or replace others."""
    sheets = '<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets>'
    written: dict[str, str | bytes] = {
        "_rels/.rels": relations(("r1", "officeDocument", "/xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}">{sheets}</workbook>',
        "xl/_rels/workbook.xml.rels": relations(("r1", "worksheet", "sheet.xml")),
        "xl/sheet.xml": f'{head}<worksheet xmlns="{MAIN}"><sheetData>{cells}</sheetData>{tail}</worksheet>',
    }
    path = folder / "raw.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in (written | dict(parts or {})).items():
            package.writestr(name, content)
    return path


def relations(*parts: tuple[str, str, str], more: str = "") -> str:
    """The part that says what another part refers to: key, kind and target of each."""
    written = "".join(f'<Relationship Id="{key}" Type="{RELATIONS}/{kind}" Target="{target}"{more}/>' for key, kind, target in parts)
    return f"<Relationships>{written}</Relationships>"


def row(line: int, *texts: str) -> str:
    cells = "".join(f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>' for text in texts)
    return f'<row r="{line}">{cells}</row>'


GOOD = row(1, *HEADER) + row(2, "a", "Apa?", "WNI")


def imported(path: Path, *, format: str | None = None, sheet: str | None = None, **columns: str) -> tuple[GoldenSet, str]:
    """The set that importing makes of the file, and what it says."""
    target = path.parent / "imported.yaml"
    text, code = run_import(path, target, format=format, sheet=sheet, columns=columns, force=True)
    assert code == 0, text
    return load_set(target), text


def refused(path: Path, *, format: str | None = None, sheet: str | None = None, columns: Mapping[str, str] | None = None) -> str:
    """What importing says of a file that it refuses; nothing is written."""
    target = path.parent / "refused.yaml"
    text, code = run_import(path, target, format=format, sheet=sheet, columns=columns or {})
    assert code == 2, text
    assert not target.exists()
    assert "nothing was written" in text
    return text.replace(f"{path.parent}/", "")
