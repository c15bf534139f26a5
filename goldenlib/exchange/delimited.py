"""CSV and TSV: bytes -> rows of texts, exactly as they stand there.

Rule: a file that can be read in two ways is refused, with the line. No code page is guessed, no quote repaired, no cell
shifted (case 161).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from goldenlib.errors import InputError, Problem
from goldenlib.exchange.guarding import unguarded
from goldenlib.exchange.importtable import MAX_BYTES, MAX_COLUMNS, ImportTable, TableCell, TableRow, counted, refuse_title, some, table_of
from goldenlib.exchange.itemfields import meant_by

DELIMITERS: Mapping[str, str] = {",": "comma", ";": "semicolon", "\t": "tab"}
_BREAK = re.compile(r"\r\n|\n|\r")
_QUOTED = re.compile(r'"((?:[^"]++|"")*+)"')
_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)


def read_delimited(path: Path) -> ImportTable:
    """Return the table in a CSV or TSV file. Raises InputError with every row that cannot be read."""
    text, encoding = read_text(path)
    delimiter, text, first_line = _delimiter(text, str(path))
    records = list(parse(text, delimiter, first_line))
    filled = [record for record in records if record.fault or any(cell.strip() for cell in record.cells)]
    refuse_title(
        str(path), [TableRow(record.line, [TableCell(cell) for cell in record.cells]) for record in filled[:2] if not record.fault]
    )
    width = _width(filled[0].cells) if filled else 0
    problems = [_refused(record, width, str(path)) for record in filled if record.fault or not _fits(record.cells, width)]
    if width > MAX_COLUMNS:
        problems.append(Problem(str(path), f"has more than {MAX_COLUMNS:,} columns", way_out="split it into several files"))
    if problems:
        raise InputError(problems)
    rows = [TableRow(record.line, [TableCell(unguarded(cell)) for cell in record.cells]) for record in records]
    guards = [f"line {record.line}" for record in records for cell in record.cells if cell != unguarded(cell)]
    lost = f"{counted(len(guards), 'cell')} lost the apostrophe that guards against formulas, '=… was read as =…"
    notes = [f"{lost}: {some(dict.fromkeys(guards))}"] if guards else []
    return table_of(str(path), f"CSV, {encoding}, cells divided by {DELIMITERS[delimiter]}", rows, notes)


# --- text ---


def read_text(path: Path) -> tuple[str, str]:
    """Return the text of a file and the name of its encoding: UTF-8, or UTF-16 where a byte order mark says so."""
    data = read_bytes(path)
    bom, encoding, name = next((row for row in _ENCODINGS if data.startswith(row[0])), (b"", "utf-8", "UTF-8"))
    try:
        text = data[len(bom) :].decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError([_undecodable(error, name, str(path))]) from None
    if "\0" in text:
        message = "holds NUL characters (it may be UTF-16 without a byte order mark, or no text at all)"
        raise InputError([Problem(str(path), message, text.count("\n", 0, text.index("\0")) + 1, way_out=_SAVE_AS)])
    return text, name


_SAVE_AS = "save it from Excel as 'CSV UTF-8 (Comma delimited)', or as .xlsx, and import that"


def read_bytes(path: Path, limit: int = MAX_BYTES) -> bytes:
    """Return the bytes of a file of bounded size. Raises InputError."""
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        why = getattr(error, "strerror", None) or error
        raise InputError([Problem(str(path), f"cannot be read ({why})", way_out="give the path of the file to import")]) from None
    if len(data) > limit:
        raise InputError([Problem(str(path), f"is larger than {limit // 1_000_000} MB", way_out="split it into one file per topic")])
    return data


def _undecodable(error: UnicodeDecodeError, name: str, path: str) -> Problem:
    before = error.object[: error.start].decode("utf-16-le" if name == "UTF-16" else "utf-8", "replace")
    byte = error.object[error.start : error.start + 1]
    meant = byte.decode("cp1252", "ignore")
    in_windows = f"; in the Windows code page it is {meant}" if name == "UTF-8" and meant and meant.isprintable() else ""
    return Problem(path, f"is not {name}: byte 0x{byte.hex().upper()}{in_windows}", len(_BREAK.findall(before)) + 1, way_out=_SAVE_AS)


# --- the delimiter ---


def _delimiter(text: str, path: str) -> tuple[str, str, int]:
    """Return what divides the cells, as the header shows, and the text from the header on with its line number.

    A first line `sep=;`, which Excel writes and obeys, says it.
    """
    said = re.match(r"sep=([,;\t])(?:\r\n|\n|\r)", text, re.IGNORECASE)
    if said:
        return said[1], text[said.end() :], 2
    start = re.match(r"(?:[ \t]*(?:\r\n|\n|\r))*", text)
    lines = start[0] if start else ""
    headers = {delimiter: next(parse(text[len(lines) :], delimiter), None) for delimiter in DELIMITERS}
    found = [delimiter for delimiter, header in headers.items() if header and len(header.cells) > 1]
    if len(found) > 1:
        known = {delimiter: _known(headers[delimiter]) for delimiter in found}
        found = [delimiter for delimiter in found if known[delimiter] == max(known.values())]
    if len(found) > 1:
        names = " or ".join(DELIMITERS[delimiter] for delimiter in found)
        message = f"the names of the columns may be divided by {names}"
        raise InputError([Problem(path, message, 1, way_out="put names that hold such a character in quotes, or import it as .xlsx")])
    return (found or [","])[0], text[len(lines) :], len(_BREAK.findall(lines)) + 1


def _known(header: Record | None) -> int:
    return sum(meant_by(name) is not None for name in header.cells) if header else 0


# --- rows ---


class Record(NamedTuple):
    """One row as it was read: the line on which it starts, its cells, and what is wrong with its quotes; `is_open` when they
    swallow the rest."""

    line: int
    cells: Sequence[str]
    fault: str = ""
    is_open: bool = False


def parse(text: str, delimiter: str, line: int = 1) -> Iterator[Record]:
    """Give the rows of RFC 4180 text, white space and line breaks inside quotes kept; `line` is that of the first.

    >>> [record.cells for record in parse('a,"b ""c"",\\nd"\\r\\n', ",")]
    [['a', 'b "c",\\nd']]
    """
    rest = re.compile(rf"[^\r\n{delimiter}]*+")
    at = 0
    while at < len(text):
        start, fault = line, ""
        cells: list[str] = []
        while True:
            if text.startswith('"', at):
                quoted = _QUOTED.match(text, at)
                if quoted is None:
                    yield Record(start, [*cells, text[at + 1 :]], f"the quote that opens in line {line} is never closed", True)
                    return
                value = quoted[1].replace('""', '"')
                line += len(_BREAK.findall(quoted[0]))
                at = quoted.end()
                behind = rest.match(text, at)
                tail = behind[0] if behind else ""
                fault = fault or ("stray quote" if tail else "")
                value += tail
            else:
                unquoted = rest.match(text, at)
                tail = value = unquoted[0] if unquoted else ""
                fault = fault or ("stray quote" if '"' in value else "")
            at += len(tail)
            cells.append(value)
            if not text.startswith(delimiter, at):
                break
            at += 1
        ending = _BREAK.match(text, at)
        if ending:
            at, line = ending.end(), line + 1
        yield Record(start, cells, fault)


def _refused(record: Record, width: int, path: str) -> Problem:
    counts = "" if _fits(record.cells, width) else f"{counted(len(record.cells), 'column')} where the header has {width}"
    if record.fault:
        message = f"{record.fault}; {counts}" if counts and not record.is_open else record.fault
        return Problem(path, message, record.line, way_out="put the whole cell in quotes, and write each quote inside it twice")
    fewer = len(record.cells) < width
    way_out = "write the missing cells, empty ones too" if fewer else "put cells that hold the delimiter in quotes"
    return Problem(path, counts, record.line, way_out=way_out)


def _width(header: Sequence[str]) -> int:
    return max((number + 1 for number, name in enumerate(header) if name.strip()), default=0)


def _fits(cells: Sequence[str], width: int) -> bool:
    """Whether a row has the cells of the header; more are no loss as long as they are empty."""
    return len(cells) >= width and not any(cell.strip() for cell in cells[width:])
