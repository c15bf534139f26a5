"""Exporting: items -> the bytes of a CSV, XLSX or promptfoo file, and in words what they do not carry.

Rule: importing the file gives the same items again, apart from what is named; a text that the form cannot hold is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from goldenlib.editing.rendering import Renderer
from goldenlib.editing.scalars import unwritable
from goldenlib.editing.surroundings import Surroundings
from goldenlib.editing.values import as_wanted
from goldenlib.errors import GoldenError, InputError, Problem
from goldenlib.exchange.guarding import guarded, starts_formula
from goldenlib.exchange.importtable import MAX_COLUMNS, counted, letters, some
from goldenlib.exchange.itemfields import FIELDS, Field, Form, take
from goldenlib.exchange.promptfoo import PREFIX, RUBRIC, escaped_template
from goldenlib.exchange.reviews import is_signed
from goldenlib.exchange.sheetxml import escaped
from goldenlib.items import ELSEWHERE, Item

# What Excel takes for a cell, in units of UTF-16, and the columns that an export has even when they are empty.
MAX_CELL = 32_767
_ALWAYS = (
    *("id", "surface", "domain", "question", "must_include", "must_not_include", "rubric"),
    *("verified", "review_by", "review_at", "review_source"),
)
_WIDE = {"question": 45, "must_include": 35, "must_not_include": 35, "rubric": 60, "answer": 60, "note": 40, "context": 40, "id": 28}
_LOOKS_LIKE_NUMBER = re.compile(r"[+-]?[0-9][0-9.,:/-]*(?:[eE][0-9]+)?%?")


@dataclass(frozen=True, slots=True)
class Exported:
    """The bytes of a file, how many items it holds, and in words what it does not carry."""

    data: bytes
    count: int
    notes: tuple[str, ...]


# --- sheets ---


def as_csv(items: Sequence[Item], path: str) -> Exported:
    """Return CSV for Excel: UTF-8 with a byte order mark, lines ending in CRLF, texts that could be formulas guarded."""
    rows, notes = _rows(items, path, longest=None)
    lines = (",".join(_quoted(guarded(cell)) for cell in row) for row in rows)
    guards = sum(cell != guarded(cell) for row in rows for cell in row)
    if guards:
        notes.append(f"an apostrophe before {counted(guards, 'text')} that a sheet could take for a formula; importing takes it away")
    if any(_LOOKS_LIKE_NUMBER.fullmatch(cell) for row in rows[1:] for cell in row):
        notes.append("some cells look like numbers or dates, which Excel changes when it opens a CSV; an .xlsx keeps them")
    return Exported(("\ufeff" + "".join(line + "\r\n" for line in lines)).encode(), len(items), tuple(notes))


def as_workbook(items: Sequence[Item], path: str) -> Exported:
    """Return a workbook with one sheet of texts: header frozen, columns wide enough, lines wrapped, nothing a formula."""
    try:
        from openpyxl import Workbook  # an extra: only those who export to XLSX need it
        from openpyxl.styles import Alignment, Font
    except ImportError:
        raise GoldenError("writing .xlsx needs openpyxl: pip install 'goldenlib[sheets]'; or export to .csv") from None
    rows, notes = _rows(items, path, longest=MAX_CELL)
    workbook = Workbook()
    sheet = workbook.active
    sheet.title = "golden set"
    sheet.freeze_panes = "B2"
    for column, name in enumerate(rows[0]):
        dimension = sheet.column_dimensions[letters(column)]
        dimension.width = _WIDE.get(re.sub(r"_\d+$", "", name), 16)
        dimension.number_format = "@"  # what is typed into empty cells stays text too
    bold, wrapped = Font(bold=True), Alignment(wrap_text=True, vertical="top")
    for line, row in enumerate(rows, start=1):
        for column, text in enumerate(row, start=1):
            cell = sheet.cell(line, column)
            if text:
                cell.value = escaped(text)
                cell.data_type = "s"  # a text, also where it begins with '=' or is called '#N/A'
            cell.number_format, cell.alignment = "@", wrapped
            if line == 1:
                cell.font = bold
            if starts_formula(text):
                cell.quotePrefix = True
    buffer = BytesIO()
    workbook.save(buffer)
    return Exported(buffer.getvalue(), len(items), tuple(notes))


def _rows(items: Sequence[Item], path: str, *, longest: int | None) -> tuple[list[list[str]], list[str]]:
    """Return the header and the rows, and what they do not carry. Raises InputError for texts that no cell can hold."""
    values = [_by_field(item) for item in items]
    notes = _not_carried(items, [left for _, left in values])
    written = [fields for fields, _ in values]
    columns = [column for field in FIELDS for column in _columns(field, written, longest)]
    rows = [[name for name, _, _ in columns]]
    problems: list[Problem] = []
    for item, fields in zip(items, written, strict=True):
        row = [_cell(fields.get(field.name), number) for _, field, number in columns]
        problems += _unholdable(item, row, rows[0], path, longest)
        rows.append(row)
    if len(columns) > MAX_COLUMNS:
        problems.append(Problem(path, f"would have {len(columns)} columns", way_out="take line breaks out of the phrases of long lists"))
    if problems:
        raise InputError(problems)
    return rows, notes


def _by_field(item: Item) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what an item says by field, and what is left that no field holds."""
    left: dict[str, Any] = {**item.model_dump(exclude_defaults=True), "surface": item.surface, "verified": item.verified}
    taken = {field.name: take(left, field.path) for field in FIELDS}
    for name, value in taken.items():  # several golden SQL, and limits by column: a cell holds one
        if isinstance(value, list) and name == "sql":
            taken[name], left["golden SQL beyond the first"] = value[0], value[1:]
        elif isinstance(value, dict) and name in ("tolerance", "absolute"):
            taken[name], left[f"{name} by column"] = value.get(ELSEWHERE), value
    return {name: value for name, value in taken.items() if value not in (None, "", ())}, left


def _not_carried(items: Sequence[Item], left: Sequence[Mapping[str, Any]]) -> list[str]:
    lost = [f"{item.id} ({', '.join(parts)})" for item, parts in zip(items, left, strict=True) if parts]
    unsigned = [item.id for item in items if (item.verified or item.review) and not is_signed(item)]
    notes = [f"not carried: {some(lost)}"] if lost else []
    if unsigned:
        notes.append(f"not signed as they are (review.digest), so that importing makes them unverified: {some(unsigned)}")
    return notes


def _columns(field: Field, written: Sequence[Mapping[str, Any]], longest: int | None) -> Iterator[tuple[str, Field, int | None]]:
    """Give the columns of a field: one, or for a list whose texts do not fit on a line each, one for each entry."""
    used = [fields[field.name] for fields in written if field.name in fields]
    if not used and field.name not in _ALWAYS:
        return
    if field.form is Form.LIST and any(_needs_columns(value, longest) for value in used):
        yield from ((f"{field.name}_{number + 1}", field, number) for number in range(max(map(len, used))))
    else:
        yield field.name, field, None


def _needs_columns(entries: Sequence[str], longest: int | None) -> bool:
    has_breaks = any("\n" in entry or "\r" in entry for entry in entries)
    return has_breaks or (longest is not None and _units("\n".join(entries)) > longest)


def _cell(value: Any, number: int | None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list):
        return "\n".join(value) if number is None else value[number] if number < len(value) else ""
    return repr(value) if isinstance(value, float) else str(value)


def _unholdable(item: Item, row: Sequence[str], names: Sequence[str], path: str, longest: int | None) -> Iterator[Problem]:
    for text, name in zip(row, names, strict=True):
        if wrong := unwritable(text):
            yield Problem(path, f"{name} {wrong}, which no sheet can hold", item_id=item.id, way_out="remove it from the item")
        elif longest is not None and _units(escaped(text)) > longest:
            message = f"{name} is longer than the {longest:,} characters of a cell"
            yield Problem(path, message, item_id=item.id, way_out="export to .csv, or shorten it")


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _quoted(text: str) -> str:
    needs = re.search(r'[",;\t\r\n]', text) or text != text.strip()
    return '"' + text.replace('"', '""') + '"' if needs else text


# --- promptfoo ---

_HEAD = """\
# A golden set as promptfoo tests. Add under 'providers:' the chatbot to be tested; rubrics need a grader too.
# icontains looks at letters in any case as golden does, but takes each blank and line break as it is.
"""


def as_promptfoo(items: Sequence[Item], path: str) -> Exported:
    """Return a promptfoo configuration: phrases as icontains, rubrics as llm-rubric, the rest as metadata."""
    tests: list[dict[str, Any]] = []
    left_out: list[str] = []
    unchecked: list[str] = []
    lost: list[Mapping[str, Any]] = []
    for item in items:
        test, reason = _test(item)
        if test is None:
            left_out.append(f"{item.id} ({reason})")
            continue
        tests.append(test)
        fields, left = _by_field(item)
        lost.append(left)
        if names := [name for name in ("answer", "sql", "kind") if name in fields]:
            unchecked.append(f"{item.id} ({', '.join(names)})")
    if not tests:
        raise InputError([Problem(path, f"no item can be a promptfoo test: {some(left_out)}", way_out="export to .xlsx")])
    content = {"prompts": ["{{question}}"], "tests": tests}
    lines = Renderer(Surroundings((), "\n"), may_block=False).pairs(as_wanted(content), ("promptfoo",), 0)
    kept = [item for item in items if item.id in {test["description"] for test in tests}]
    notes = _not_carried(kept, lost)
    notes += [f"left out: {some(left_out)}"] if left_out else []
    notes += [f"carried as metadata, which promptfoo does not check: {some(unchecked)}"] if unchecked else []
    return Exported((_HEAD + "\n".join(lines) + "\n").encode(), len(tests), tuple(notes))


def _test(item: Item) -> tuple[dict[str, Any] | None, str]:
    """Return an item as a test, or why it cannot be one."""
    if item.question is None:
        return None, "several messages"
    expected = item.expected
    wanted = [("icontains", phrase) for phrase in expected.must_include]
    wanted += [("not-icontains", phrase) for phrase in expected.must_not_include]
    wanted += [(RUBRIC, expected.rubric)] if expected.rubric.strip() else []
    if not wanted:
        return None, "nothing that promptfoo could check"
    texts = [escaped_template(text) for text in (item.question, *(text for _, text in wanted))]
    if None in texts:
        return None, "a text that promptfoo would take for a file or template"
    native = ("question", "must_include", "must_not_include", *(("rubric",) if expected.rubric.strip() else ()))
    fields = {name: value for name, value in _by_field(item)[0].items() if name not in native}
    return {
        "description": item.id,
        "vars": {"question": texts[0]},
        "assert": [{"type": kind, "value": text} for (kind, _), text in zip(wanted, texts[1:], strict=True)],
        "metadata": {PREFIX + name: list(value) if isinstance(value, tuple) else _cell(value, None) for name, value in fields.items()},
    }, ""
