"""XLSX: one sheet of a workbook -> rows of cells, read as the XML that it is.

Rule: only texts are texts. A number, a date, a boolean, an error or a formula is told with its cell, and never turned into a
text, for what the sheet shows is not what it holds: 50000 may stand there as 50.000. Nothing is calculated, no link followed
and no macro looked at, and whatever a small file unpacks to, reading it is bounded. (Why not by openpyxl: docs/decisions/0008.)
"""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from goldenlib.errors import InputError, Problem
from goldenlib.exchange.delimited import read_bytes
from goldenlib.exchange.importtable import ImportTable, TableRow, some, table_of
from goldenlib.exchange.sheetxml import Broken, SheetReader, read_relations, read_sheet_names, read_styles, read_texts

MAX_PART_BYTES = 50_000_000
MAX_PARTS = 5_000
_OLD_FORMAT = b"\xd0\xcf\x11\xe0"
# What else a workbook may hold, and what is done with it: nothing.
_UNREAD = (
    ("vbaProject.bin", "macros"),
    ("externalLinks/", "links to other workbooks"),
    ("omments", "cell comments"),
    ("media/", "pictures"),
)


class Sheet(NamedTuple):
    """A sheet of a workbook: its name, whether it is hidden, and the part that holds it."""

    name: str
    hidden: bool
    part: str


def read_workbook(path: Path, wanted: str | None = None) -> ImportTable:
    """Return the table in one sheet: the one of that name, or the only visible one that holds something.

    Raises InputError when the file is no workbook, unpacks to too much, or leaves open which sheet is meant.
    """
    package = _Package(path)
    try:
        sheets = package.sheets()
        sheet, others = _chosen(package, sheets, wanted)
        reader = package.read(sheet)
        rows = list(reader.rows())
    except (Broken, zipfile.BadZipFile, zlib.error, KeyError, EOFError, NotImplementedError, OSError, ValueError) as error:
        reason = str(error) if isinstance(error, Broken) else "it is damaged"
        raise InputError([_no_workbook(path, reason)]) from None
    table = table_of(str(path), f"XLSX, sheet '{sheet.name}'", rows, [*others, *reader.notes(), *package.unread()], on_grid=True)
    return replace(table, problems=_merged_problems(table, reader.merged))


def _no_workbook(path: Path, reason: str) -> Problem:
    return Problem(
        str(path), f"cannot be read as an XLSX workbook: {reason}", way_out="save it from the spreadsheet as .xlsx, or as CSV UTF-8"
    )


def _chosen(package: _Package, sheets: Sequence[Sheet], wanted: str | None) -> tuple[Sheet, list[str]]:
    """Return the sheet to read, and what is told of the others."""
    shown = ", ".join(f"'{sheet.name}'{' (hidden)' * sheet.hidden}" for sheet in sheets)
    if wanted is not None:
        found = [sheet for sheet in sheets if sheet.name == wanted] or [s for s in sheets if s.name.casefold() == wanted.strip().casefold()]
        if len(found) != 1:
            raise InputError([Problem(str(package.path), f"there is no sheet '{wanted}'", way_out=f"choose one of {shown}")])
        filled = found
    else:
        filled = [sheet for sheet in sheets if not sheet.hidden and package.holds_something(sheet)]
    if len(filled) > 1:
        message = f"has {len(filled)} sheets that hold something"
        raise InputError([Problem(str(package.path), message, way_out=f"choose one with --sheet: {shown}")])
    if not filled:
        raise InputError(
            [Problem(str(package.path), "has no visible sheet that holds something", way_out=f"choose one with --sheet: {shown}")]
        )
    passed = [f"'{sheet.name}'{' (hidden)' * sheet.hidden}" for sheet in sheets if sheet is not filled[0]]
    return filled[0], [f"sheets not read: {some(passed)}"] if passed else []


def _merged_problems(table: ImportTable, merged: Sequence[str]) -> tuple[Problem, ...]:
    message = "these cells are merged, so that only the first of them holds a text"
    way_out = "take the merge apart, and write the text into each cell it is meant for"
    return tuple(Problem(table.path, f"{cells}: {message}", way_out=way_out) for cells in merged)


class _Package:
    """The zip file of a workbook, read part by part within bounds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        data = read_bytes(path)
        if data.startswith(_OLD_FORMAT):
            raise InputError([_no_workbook(path, "it is an old .xls file, or protected with a password")])
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
            raise InputError([_no_workbook(path, "it is no zip file")]) from None
        self._names = {name.lstrip("/").casefold(): name for name in self._zip.namelist()}
        if len(self._names) > MAX_PARTS:
            raise InputError([_no_workbook(path, f"it holds more than {MAX_PARTS:,} files")])
        root = self._related("")
        self._main = next((target for kind, target in root.values() if kind == "officeDocument"), "xl/workbook.xml")
        if self._main.casefold() not in self._names:
            raise InputError([_no_workbook(path, "it holds no workbook")])
        self._relations = self._related(self._main)

    def sheets(self) -> list[Sheet]:
        """Return the sheets in order; charts are none."""
        names = read_sheet_names(self._chunks(self._main))
        kinds = self._relations
        return [Sheet(name, hidden, kinds[key][1]) for name, hidden, key in names if key in kinds and kinds[key][0] == "worksheet"]

    def read(self, sheet: Sheet) -> SheetReader:
        """Return a reader of one sheet."""
        parts = dict(self._relations.values())
        texts = read_texts(self._chunks(parts["sharedStrings"])) if "sharedStrings" in parts else []
        dates = read_styles(self._chunks(parts["styles"])) if "styles" in parts else frozenset()
        return SheetReader(self._chunks(sheet.part), texts, dates, since_1904=self._since_1904())

    def _since_1904(self) -> bool:
        return re.search(rb"""date1904=["'](1|true)["']""", b"".join(self._chunks(self._main))) is not None

    def holds_something(self, sheet: Sheet) -> bool:
        """Whether any cell of a sheet holds something; texts are not looked at."""
        return any(isinstance(row, TableRow) for row in SheetReader(self._chunks(sheet.part), None, frozenset()).rows())

    def unread(self) -> list[str]:
        """Return what the workbook holds besides its sheets."""
        found = [words for mark, words in _UNREAD if any(mark.casefold() in name for name in self._names)]
        return [f"not read, and never run: {', '.join(found)}"] if found else []

    def _related(self, part: str) -> Mapping[str, tuple[str, str]]:
        """Return the kind and the part of what a part refers to, by key; nothing outside the file is among them."""
        folder, name = posixpath.split(part)
        relations = posixpath.join(folder, "_rels", f"{name}.rels")
        if relations.casefold() not in self._names:
            return {}
        try:
            return {
                key: (kind, (target if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))).lstrip("/"))
                for key, kind, target in read_relations(self._chunks(relations))
            }
        except (Broken, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            raise InputError([_no_workbook(self.path, f"it is damaged ({error})")]) from None

    def _chunks(self, part: str) -> Iterator[bytes]:
        """Give the bytes of a part, unpacked, as long as they are not too many, whatever the file says about their number."""
        read = 0
        try:
            with self._zip.open(self._names[part.casefold()]) as file:
                while chunk := file.read(1 << 16):
                    read += len(chunk)
                    if read > MAX_PART_BYTES:
                        raise Broken(f"'{part}' unpacks to more than {MAX_PART_BYTES // 1_000_000} MB")
                    yield chunk
        except RuntimeError:  # what zipfile raises for a password
            raise Broken("it is protected with a password") from None
