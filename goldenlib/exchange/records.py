"""Records: a JSON or JSONL file of questions -> a table whose columns are the keys.

Rule: a value that is no text, and no list of texts, is told with its line, and never turned into one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from goldenlib.errors import InputError, Problem
from goldenlib.exchange.delimited import read_text
from goldenlib.exchange.importtable import EMPTY, MAX_COLUMNS, MAX_ROWS, ImportTable, TableCell, TableRow, some
from goldenlib.exchange.itemfields import meant_by
from goldenlib.files.documents import Document, find, read_document
from goldenlib.files.jsontext import compose_json

# Where the list of questions stands when the file is no list itself.
LIST_KEYS = ("questions", "items", "data", "examples", "goldens", "test_cases", "samples", "dataset", "pairs", "qa", "rows")


def read_records(path: Path) -> ImportTable:
    """Return the records of a JSON file, or of a JSONL file with one on each line. Raises InputError."""
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        return _table(str(path), "JSONL", _records_by_line(path), ())
    document = read_document(path)
    if document.problems:
        raise InputError(document.problems)
    return records_in(document)


def records_in(document: Document) -> ImportTable:
    """Return the records of a JSON document: a list, or the list under one of LIST_KEYS."""
    content, node, notes = document.value, document.root, []
    if isinstance(content, Mapping):
        if isinstance(content.get("cases"), list):
            raise InputError([Problem(document.path, "is a golden set already", way_out="run it as it is: golden validate, golden run")])
        key = next((key for key in LIST_KEYS if isinstance(content.get(key), list)), None)
        if key is None:
            message = f"holds no list of questions; its keys are {some(content, 10)}"
            raise InputError([Problem(document.path, message, 1, way_out='write [{"question": "...", "answer": "..."}]')])
        others = [other for other in content if other != key]
        notes = [f"not mapped, and lost, at the top of the file: {some(others, 20)}"] if others else []
        content, node = content[key], find(document.root, key)
    if not isinstance(content, list):
        raise InputError([Problem(document.path, "holds no list of questions", 1, way_out='write [{"question": "...", "answer": "..."}]')])
    records = [(document.place(node, (number,))[0], record) for number, record in enumerate(content)]
    return _table(document.path, "JSON", records, notes)


def table_of(path: Path, what: str, records: Iterable[Mapping[str, Any]]) -> ImportTable:
    """Return records as a table; what stands in for a line is the number of the record."""
    return _table(str(path), what, list(enumerate(records, start=1)), ())


def _records_by_line(path: Path) -> list[tuple[int, Any]]:
    text, _ = read_text(path)
    records: list[tuple[int, Any]] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            document = Document(str(path), line, compose_json(line, str(path)), is_json=True)
        except InputError as error:
            problems += [replace(problem, line=number) for problem in error.problems]
            continue
        problems += [replace(problem, line=number) for problem in document.problems]
        records.append((number, document.value))
    if problems:
        raise InputError(problems)
    return records


def _table(path: str, what: str, records: Sequence[tuple[int, Any]], notes: Sequence[str]) -> ImportTable:
    if not records:
        raise InputError([Problem(path, "holds no questions", way_out='write [{"question": "...", "answer": "..."}]')])
    if len(records) > MAX_ROWS:
        raise InputError([Problem(path, f"has more than {MAX_ROWS:,} records", way_out="split it into one file per topic")])
    problems = [
        Problem(path, "this record has no keys", line, way_out='write {"question": "...", "answer": "..."}')
        for line, record in records
        if not isinstance(record, Mapping)
    ]
    names = tuple(dict.fromkeys(key for _, record in records if isinstance(record, Mapping) for key in record))
    if len(names) > MAX_COLUMNS:
        problems.append(Problem(path, f"has more than {MAX_COLUMNS:,} different keys", way_out="write the keys of a question only"))
    if problems:
        raise InputError(problems)
    readers = [id_cell if (meant := meant_by(name)) and meant.field.name == "id" else cell_of for name in names]
    rows = tuple(
        TableRow(line, [read(record[name]) if name in record else EMPTY for name, read in zip(names, readers, strict=True)])
        for line, record in records
    )
    return ImportTable(path, what, names, 1, rows, tuple(notes))


def id_cell(value: Any) -> TableCell:
    """Return an id as a cell: a whole number, which other tools count with, is the name that its digits are."""
    return TableCell(str(value)) if isinstance(value, int) and not isinstance(value, bool) else cell_of(value)


def cell_of(value: Any) -> TableCell:
    """Return a value of JSON or YAML as a cell."""
    if value is None:
        return EMPTY
    if isinstance(value, str):
        return TableCell(value)
    if isinstance(value, bool):
        return TableCell(wrong=f"is the boolean {str(value).lower()}", way_out="put it in quotes", truth=value)
    if isinstance(value, list):
        if all(isinstance(part, str) for part in value):
            return TableCell(entries=tuple(value)) if value else EMPTY
        return TableCell(wrong="is a list that holds something else than texts", way_out="write each text in quotes, on its own")
    if isinstance(value, Mapping):
        return TableCell(wrong="is a mapping of keys to values", way_out="write a text")
    return TableCell(wrong=f"is the number {str(value)[:40]}", way_out="put it in quotes")
