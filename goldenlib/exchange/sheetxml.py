"""The XML inside a workbook: names of sheets, shared texts, which formats are dates, and the cells of a sheet.

Rule: it is read as a stream of tags. A document type, which is where XML attacks begin, is refused; so is what is too deep.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from xml.parsers import expat

from goldenlib.exchange.importtable import EMPTY, MAX_COLUMNS, MAX_ROWS, TableCell, TableRow, letters, some

MAX_DEPTH = 64
# The last row that a sheet has, and how many cells are kept, empty ones to the left of a full one too.
_MOST_LINES = 1_048_576
_MOST_CELLS = 2_000_000
AS_TEXT = "format the column as text, and type it again as it should be"
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
# The built-in formats that are dates (ECMA-376 18.8.30), with those of East Asia.
_DATE_FORMATS = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))


class Broken(Exception):
    """The file is no workbook that could be read. The message says why."""


Attributes = Mapping[str, str]


class Tags:
    """What is done with tags and the text between them; names come without their namespaces."""

    def start(self, name: str, attributes: Attributes) -> None:
        """Take an opening tag."""

    def end(self, name: str) -> None:
        """Take a closing tag."""

    def text(self, data: str) -> None:
        """Take a piece of text."""


def walk(chunks: Iterable[bytes], tags: Tags) -> Iterator[None]:
    """Feed XML to `tags`, giving way after each chunk. Raises Broken when it is no XML, or has a document type."""
    parser = expat.ParserCreate(namespace_separator=" ")
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise Broken("its tags are nested too deep")
        tags.start(name.rpartition(" ")[2], {key.rpartition(" ")[2]: value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        tags.end(name.rpartition(" ")[2])

    def refuse(*_: object) -> None:
        raise Broken("it holds a document type declaration, which no spreadsheet writes")

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, tags.text
    parser.StartDoctypeDeclHandler = refuse
    parser.buffer_text = True
    try:
        for chunk in chunks:
            parser.Parse(chunk, False)
            yield
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise Broken(f"it is damaged ({error})") from None


def _walk_through(chunks: Iterable[bytes], start: Callable[[str, Attributes], None]) -> None:
    for _ in walk(chunks, _SheetOpening(start)):
        pass


class _SheetOpening(Tags):
    """For parts of which only the opening tags matter."""

    def __init__(self, take: Callable[[str, Attributes], None]) -> None:
        self._take = take

    def start(self, name: str, attributes: Attributes) -> None:
        self._take(name, attributes)


def unescaped(text: str) -> str:
    """Return the text that stands in a cell: characters that XML cannot hold are written there as _x000D_."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def escaped(text: str) -> str:
    """Return a text as it is written into a cell.

    >>> escaped("a\\r\\n_x0041_"), unescaped(escaped("_x0041_"))
    ('a_x000D_\\n_x005F_x0041_', '_x0041_')
    """
    return re.sub(r"_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", text).replace("\r", "_x000D_")


# --- small parts ---


def read_relations(chunks: Iterable[bytes]) -> list[tuple[str, str, str]]:
    """Return key, kind and target of what a part refers to within the file."""
    found: list[tuple[str, str, str]] = []

    def start(name: str, attributes: Attributes) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            found.append((attributes.get("Id", ""), attributes.get("Type", "").rpartition("/")[2], attributes.get("Target", "")))

    _walk_through(chunks, start)
    return found


def read_sheet_names(chunks: Iterable[bytes]) -> list[tuple[str, bool, str]]:
    """Return name, whether it is hidden, and relation of each sheet, in order."""
    found: list[tuple[str, bool, str]] = []

    def start(name: str, attributes: Attributes) -> None:
        if name == "sheet":
            found.append((attributes.get("name", ""), attributes.get("state", "visible") != "visible", attributes.get("id", "")))

    _walk_through(chunks, start)
    return found


def read_styles(chunks: Iterable[bytes]) -> frozenset[int]:
    """Return the numbers of the cell styles that show a number as a date."""
    dates: set[int] = set()
    custom: set[int] = set()
    inside, count = False, 0

    def start(name: str, attributes: Attributes) -> None:
        nonlocal inside, count
        number = attributes.get("numFmtId", "")
        if name == "numFmt" and number.isdigit() and _shows_date(attributes.get("formatCode", "")):
            custom.add(int(number))
        elif name in ("cellXfs", "cellStyles", "dxfs"):
            inside = name == "cellXfs"
        elif name == "xf" and inside:
            if number.isdigit() and (int(number) in _DATE_FORMATS or int(number) in custom):
                dates.add(count)
            count += 1

    _walk_through(chunks, start)
    return frozenset(dates)


def _shows_date(code: str) -> bool:
    return re.search(r"[dmyhs]", re.sub(r'"[^"]*"|\[[^\]]*\]|\\.|General', "", code), re.IGNORECASE) is not None


class _Texts(Tags):
    """Puts the runs of a text together; phonetic hints are no part of it."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self._runs: list[str] = []
        self._in_text = False
        self._hint = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "rPh":
            self._hint += 1
        elif name == "t":
            self._in_text = not self._hint
        elif name == "si":
            self._runs = []

    def end(self, name: str) -> None:
        if name == "rPh":
            self._hint -= 1
        elif name == "t":
            self._in_text = False
        elif name == "si":
            self.done.append(unescaped("".join(self._runs)))

    def text(self, data: str) -> None:
        if self._in_text:
            self._runs.append(data)


def read_texts(chunks: Iterable[bytes]) -> list[str]:
    """Return the shared texts, in order."""
    texts = _Texts()
    for _ in walk(chunks, texts):
        pass
    return texts.done


# --- the cells ---


class SheetReader(Tags):
    """Reads the rows of a sheet; `merged` and `notes` are known when all rows have been read.

    Without `texts`, cells that refer to a shared text count as empty texts. `dates` are the styles that show dates.
    """

    def __init__(self, chunks: Iterable[bytes], texts: Sequence[str] | None, dates: frozenset[int], *, since_1904: bool = False) -> None:
        self.merged: list[str] = []
        self._chunks = chunks
        self._texts = texts
        self._dates = dates
        self._epoch = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)
        self._hidden_rows: list[int] = []
        self._hidden_columns: list[str] = []
        self._done: list[TableRow] = []
        self._cells: dict[int, TableCell] = {}
        self._line = self._column = self._count = 0
        self._kind = self._collecting = ""
        self._style = 0
        self._parts: dict[str, list[str]] = {}
        self._hint = 0

    def rows(self) -> Iterator[TableRow]:
        """Give the rows that hold something, in the order of the file."""
        given = 0
        for _ in walk(self._chunks, self):
            given += len(self._done)
            if given > MAX_ROWS + 1:
                raise Broken(f"the sheet has more than {MAX_ROWS:,} rows; split it into one file per topic")
            yield from self._done
            self._done = []
        yield from self._done

    def notes(self) -> list[str]:
        """Return what is hidden and was read all the same."""
        rows = f"hidden rows, read too: {some(map(str, self._hidden_rows))}"
        columns = f"hidden columns, read too: {some(self._hidden_columns)}"
        return [rows] * bool(self._hidden_rows) + [columns] * bool(self._hidden_columns)

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "row":
            number = attributes.get("r", "")
            self._line = int(number) if number.isdigit() else self._line + 1
            if self._line > _MOST_LINES:
                raise Broken(f"it has a row {self._line}, and a sheet ends at {_MOST_LINES}")
            self._cells, self._column = {}, 0
            if attributes.get("hidden") in ("1", "true"):
                self._hidden_rows.append(self._line)
        elif name == "c":
            self._column = _column(attributes.get("r", ""), self._column)
            self._kind = attributes.get("t", "n")
            style = attributes.get("s", "")
            self._style = int(style) if style.isdigit() else 0
            self._parts = {}
        elif name == "rPh":
            self._hint += 1
        elif name in ("v", "t", "f"):
            self._collecting = name if not self._hint else ""
            if self._collecting:
                self._parts.setdefault(name, [])
        elif name == "mergeCell":
            self.merged.append(attributes.get("ref", ""))
        elif name == "col" and attributes.get("hidden") in ("1", "true"):
            self._hidden_columns.append(_span(attributes))

    def text(self, data: str) -> None:
        if self._collecting:
            self._parts[self._collecting].append(data)

    def end(self, name: str) -> None:
        if name in ("v", "t", "f"):
            self._collecting = ""
        elif name == "rPh":
            self._hint -= 1
        elif name == "c":
            cell = self._cell()
            if cell is not None:
                if self._column > MAX_COLUMNS:
                    raise Broken(f"{letters(self._column - 1)}{self._line} holds something; only {MAX_COLUMNS} columns are read")
                self._cells[self._column - 1] = cell
        elif name == "row" and self._cells:
            self._count += max(self._cells) + 1
            if self._count > _MOST_CELLS:
                raise Broken(f"it has more than {_MOST_CELLS:,} cells; split it into one file per topic")
            self._done.append(TableRow(self._line, [self._cells.get(column, EMPTY) for column in range(max(self._cells) + 1)]))

    def _cell(self) -> TableCell | None:
        """Return what the cell holds; None where it is empty, however it is formatted."""
        value = "".join(self._parts.get("v", ()))
        if "f" in self._parts:
            formula = "".join(self._parts["f"])
            shown = f"={formula[:60]}{'…' * (len(formula) > 60)}" if formula else "one shared with other cells"
            return TableCell(wrong=f"is the formula {shown}", way_out="copy it and paste it as values only, in a column formatted as text")
        if self._kind == "inlineStr":
            return _text_cell(unescaped("".join(self._parts.get("t", ()))))
        if not value:
            return None
        if self._kind == "s":
            return self._shared(value)
        if self._kind == "str":
            return _text_cell(unescaped(value))
        return self._no_text(value)

    def _shared(self, value: str) -> TableCell | None:
        if self._texts is None:
            return TableCell("?")
        if not value.isdigit() or int(value) >= len(self._texts):
            raise Broken(f"the cell {letters(self._column - 1)}{self._line} refers to a text that is not there")
        return _text_cell(self._texts[int(value)])

    def _no_text(self, value: str) -> TableCell:
        if self._kind == "b":
            truth = value.strip() in ("1", "true")
            return TableCell(wrong=f"is the boolean {str(truth).upper()}", way_out=AS_TEXT, truth=truth)
        if self._kind == "e":
            return TableCell(wrong=f"holds the error {value[:40]}", way_out="mend it, or clear the cell")
        if self._kind == "d":
            return TableCell(wrong=f"is the date {value[:40]}", way_out=AS_TEXT)
        if self._style in self._dates and (date := self._date(value)):
            return TableCell(wrong=f"is the {date}", way_out=AS_TEXT)
        return TableCell(wrong=f"is the number {value[:40]}", way_out=AS_TEXT)

    def _date(self, value: str) -> str | None:
        try:
            moment = self._epoch + timedelta(days=float(value))
        except (ValueError, OverflowError):
            return None
        moment = (moment + timedelta(milliseconds=500)).replace(microsecond=0)
        if 0 < float(value) < 1:
            return f"time {moment.time().isoformat()}"
        return f"date {moment.date().isoformat() if float(value).is_integer() else moment.isoformat(' ')}"


def _text_cell(text: str) -> TableCell | None:
    return TableCell(text) if text else None


def _column(reference: str, before: int) -> int:
    """Return the column, from 1, that a reference such as C7 names, or the next one."""
    found = re.match(r"[A-Za-z]{1,3}(?=[0-9]|$)", reference)
    if not found:
        return before + 1
    column = 0
    for letter in found[0].upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return column


def _span(attributes: Attributes) -> str:
    first, last = attributes.get("min", ""), attributes.get("max", "")
    if not (first.isdigit() and last.isdigit()):
        return "?"
    start, end = letters(int(first) - 1), letters(int(last) - 1)
    return start if start == end else f"{start} to {end}"
