"""Importing: a file of any of the forms -> items, and in words what became of all that stands in it.

Rule: the form follows from the file's name and its keys, and is said; where that is not clear it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from goldenlib.errors import GoldenError, InputError, Problem
from goldenlib.exchange.building import build_items
from goldenlib.exchange.delimited import read_delimited
from goldenlib.exchange.importtable import ImportTable, counted
from goldenlib.exchange.itemfields import BY_NAME
from goldenlib.exchange.mapping import Profile, map_columns
from goldenlib.exchange.promptfoo import is_promptfoo, read_promptfoo
from goldenlib.exchange.promptfoosheet import is_promptfoo_sheet, tests_in
from goldenlib.exchange.records import read_records, records_in, table_of
from goldenlib.exchange.reviews import Reviews
from goldenlib.exchange.workbook import read_workbook
from goldenlib.files.documents import read_document
from goldenlib.files.loading import load_set
from goldenlib.files.suggesting import did_you_mean
from goldenlib.items import Item
from goldenlib.plugins import Choices


class Format(StrEnum):
    """The forms that are read; `csv`, `xlsx` and `promptfoo` are written too."""

    CSV = "csv"
    XLSX = "xlsx"
    PROMPTFOO = "promptfoo"
    DEEPEVAL = "deepeval"
    RAGAS = "ragas"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Imported:
    """The items of a file, and what is to be told: what was read, and what was not."""

    items: tuple[Item, ...]
    notes: tuple[str, ...]


DEEPEVAL = Profile("DeepEval goldens", {"input": "question", "expected_output": "answer", "context": "context", "comments": "note"})
RAGAS = Profile(
    "ragas test set",
    {
        "user_input": "question",
        "question": "question",
        "reference": "answer",
        "ground_truth": "answer",
        "ground_truths": "answer",
        "reference_contexts": "context",
    },
)
# In a sheet these hold the text of a Python list, which is not read.
_LISTS = ("context", "ground_truths", "reference_contexts")
_OF_RAGAS = frozenset(("user_input", "reference", "ground_truth", "ground_truths", "reference_contexts"))
_SHEETS = {".csv": Format.CSV, ".tsv": Format.CSV, ".txt": Format.CSV, ".xlsx": Format.XLSX, ".xlsm": Format.XLSX}
_RECORDS = (".json", ".jsonl", ".ndjson")


# By form, what reads a file to records: mappings of questions, with keys that `columns` knows. Ours read to cells with their places
# instead; a package adds its own by an entry point of the group goldenlib.importers.
IMPORTERS: Choices[Callable[[Path], ImportTable | Iterable[Mapping[str, Any]]]] = Choices(
    "importer",
    {
        Format.CSV: read_delimited,
        Format.XLSX: lambda path: read_workbook(path, None),
        Format.PROMPTFOO: lambda path: read_promptfoo(read_document(path)),
        Format.DEEPEVAL: read_records,
        Format.RAGAS: read_records,
        Format.JSON: read_records,
    },
)


def read_items(path: Path, *, format: str | None, sheet: str | None, columns: Mapping[str, str]) -> Imported:
    """Return the items of a file. Raises InputError with every problem, and GoldenError for a form that is not known."""
    wanted = _wanted(format)
    if wanted is None and path.suffix.lower() == ".toml":
        return _read_questions(path, sheet, columns)
    table, found = _read_by(format, path) if format is not None and wanted is None else _read(path, wanted, sheet, columns)
    if sheet is not None and "XLSX" not in table.what:
        raise GoldenError(f"--sheet: {path} has no sheets; leave it out")
    profile = {Format.DEEPEVAL: DEEPEVAL, Format.RAGAS: RAGAS}.get(found) if found is not None else None
    if profile is not None and table.what.startswith(("CSV", "XLSX")):
        profile = replace(profile, names={name: field for name, field in profile.names.items() if name not in _LISTS})
    read = f"read {path}: {profile.title + ', ' if profile else ''}{table.what}; {counted(len(table.rows), 'row')}"
    if found is Format.PROMPTFOO:
        if columns and not table.what.startswith("promptfoo tests"):
            raise GoldenError("--column: a promptfoo configuration has no columns; leave it out")
        mapped = map_columns(table, {}, Profile("promptfoo", {name: name for name in BY_NAME}))
        mapping_notes: tuple[str, ...] = ()
    else:
        mapped = map_columns(table, columns, profile)
        mapping_notes = mapped.notes
    built = build_items(table, mapped.columns)
    return Imported(tuple(built.items), (read, *table.notes, *mapping_notes, *built.notes))


def _read_questions(path: Path, sheet: str | None, columns: Mapping[str, str]) -> Imported:
    """Return the questions of a TOML file (seed 002), which runs as it is and is imported to be edited as YAML."""
    if sheet is not None or columns:
        raise GoldenError(f"{'--sheet' if sheet is not None else '--column'}: a question file in TOML has none; leave it out")
    read, reviews = load_set(path), Reviews()
    items = tuple(reviews.settled(item, f"line {read.origins[item.id].line}") for item in read)
    return Imported(items, (f"read {path}: questions in TOML; {counted(len(items), 'question')}", *reviews.notes))


def known_format(name: str, known: tuple[Format, ...]) -> Format:
    """Return the form of that name. Raises GoldenError."""
    if name.lower() in known:
        return Format(name.lower())
    near = did_you_mean(name, known)
    guess = f" (did you mean '{near}'?)" if near else ""
    raise GoldenError(f"--format: there is no format '{name}'{guess}; choose {', '.join(known)}")


def _wanted(name: str | None) -> Format | None:
    """The form of ours that is asked for; None where none is, or one of a package's."""
    if name is None or (name not in IMPORTERS.ours and name in IMPORTERS):
        return None
    return Format.CSV if name.lower() == "tsv" else known_format(name, tuple(Format))


def _read_by(name: str, path: Path) -> tuple[ImportTable, Format | None]:
    """Read a file by the importer of a package. Raises InputError for what it cannot read."""
    try:
        read = IMPORTERS[name](path)
        return (read if isinstance(read, ImportTable) else table_of(path, name, read)), None
    except GoldenError:
        raise
    except Exception as error:
        told = f"cannot be read as {name}: {type(error).__name__}: {error}"
        raise InputError([Problem(str(path), told, way_out="ask whoever made that importer")]) from error


def _read(path: Path, wanted: Format | None, sheet: str | None, columns: Mapping[str, str]) -> tuple[ImportTable, Format]:
    suffix = path.suffix.lower()
    tabular = (Format.DEEPEVAL, Format.RAGAS, Format.PROMPTFOO, None)
    if wanted is Format.XLSX or (wanted in tabular and _SHEETS.get(suffix) is Format.XLSX):
        table = read_workbook(path, sheet)
    elif wanted is Format.CSV or (wanted in tabular and _SHEETS.get(suffix) is Format.CSV):
        table = read_delimited(path)
    elif wanted is Format.PROMPTFOO:
        return read_promptfoo(read_document(path)), wanted
    elif suffix in (".yaml", ".yml") and wanted is None:
        return _read_yaml(path), Format.PROMPTFOO
    elif suffix in _RECORDS or wanted is not None:
        return _read_records(path, wanted)
    else:
        message = f"'{suffix}' is no form that can be imported" if suffix else "has no ending that says what it is"
        way_out = "save it as .xlsx or CSV UTF-8, or say what it is with --format"
        raise InputError([Problem(str(path), message, way_out=way_out)])
    if wanted is Format.PROMPTFOO or (wanted is None and is_promptfoo_sheet(table)):
        return tests_in(table, columns), Format.PROMPTFOO
    return table, wanted if wanted is not None else Format.RAGAS if _of_ragas(table) else Format.CSV


def _read_yaml(path: Path) -> ImportTable:
    document = read_document(path)
    if isinstance(document.value, dict) and "items" in document.value:
        raise InputError([Problem(str(path), "is a golden set already", way_out="run it as it is: golden validate, golden run")])
    return read_promptfoo(document)


def _read_records(path: Path, wanted: Format | None) -> tuple[ImportTable, Format]:
    if wanted is None and path.suffix.lower() == ".json":
        document = read_document(path)
        if is_promptfoo(document.value):
            return read_promptfoo(document), Format.PROMPTFOO
        if document.problems:
            raise InputError(document.problems)
        table = records_in(document)
    else:
        table = read_records(path)
    if wanted is not None:
        return table, wanted
    if _of_ragas(table):
        return table, Format.RAGAS
    return table, Format.DEEPEVAL if "input" in table.names and "question" not in table.names else Format.JSON


def _of_ragas(table: ImportTable) -> bool:
    return bool(_OF_RAGAS & set(table.names)) and bool({"user_input", "question"} & set(table.names))
