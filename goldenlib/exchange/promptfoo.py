"""promptfoo: the tests of a configuration -> a table, with all that has no counterpart here named, test by test.

Rule: nothing is run, rendered or fetched: a value that is a template, a script or a file is not read but named.
Source of what the assertions mean: promptfoo's reference, "Assertions & metrics" and "Test case configuration".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from goldenlib.errors import InputError, Problem
from goldenlib.exchange.importtable import EMPTY, ImportTable, TableCell, TableRow, some
from goldenlib.exchange.itemfields import BY_NAME, FIELDS, Form
from goldenlib.exchange.records import cell_of, id_cell
from goldenlib.files.documents import Document, find

# Assertion -> the field that means the same.
ONE_PHRASE = {
    "icontains": "must_include",
    "contains": "must_include",
    "not-icontains": "must_not_include",
    "not-contains": "must_not_include",
}
ALL_PHRASES = {"icontains-all": "must_include", "contains-all": "must_include"}
RUBRIC = "llm-rubric"
# Keys of our own in a test's metadata, behind which stand the fields that promptfoo has no place for.
PREFIX = "golden_"
FILE_REFERENCES = ("file://", "package:")
_TEMPLATE = re.compile(r"\{\{|\{%|\{#")
_VARIABLE = re.compile(r"\{\{-?\s*([A-Za-z_]\w*)\s*-?\}\}")
_RAW = re.compile(r"\{% raw %\}(.*)\{% endraw %\}", re.DOTALL)
_CASE_SENSITIVE = ("contains", "contains-all", "not-contains")


def is_promptfoo(content: object) -> bool:
    """Whether a document looks like a promptfoo configuration."""
    return isinstance(content, Mapping) and "tests" in content and bool({"prompts", "providers", "targets", "defaultTest"} & content.keys())


def escaped_template(text: str) -> str | None:
    """Return a text that promptfoo renders as that text; None where it has no form for it.

    >>> escaped_template("WNI"), escaped_template("{{nama}}"), escaped_template("file://x")
    ('WNI', '{% raw %}{{nama}}{% endraw %}', None)
    """
    if text.startswith(FILE_REFERENCES) or "endraw" in text:
        return None
    return f"{{% raw %}}{text}{{% endraw %}}" if _TEMPLATE.search(text) else text


def read_promptfoo(document: Document) -> ImportTable:
    """Return the tests of a configuration as a table. Raises InputError when there is none that could become an item."""
    if document.problems:
        raise InputError(document.problems)
    content = document.value
    tests = content.get("tests") if isinstance(content, Mapping) else None
    if not isinstance(tests, list):
        what = "its tests stand in another file, which is not read" if isinstance(tests, str) else "has no list of tests"
        raise InputError([Problem(document.path, what, way_out="write the tests into the configuration itself, below 'tests:'")])
    notes: list[str] = []
    others = [key for key in content if key not in ("tests", "prompts", "description")]
    if others:
        notes.append(f"not mapped, at the top of the file: {some(_with_checks(key, content[key]) for key in others)}")
    variable, told = _prompt_variable(content.get("prompts"))
    notes += told
    lines = [document.place(find(document.root, "tests"), (number,))[0] for number in range(len(tests))]
    listed = [Test(line, f"test {number} (line {line})", test) for number, (line, test) in enumerate(zip(lines, tests, strict=True), 1)]
    return table_of_tests(document.path, "promptfoo configuration", listed, variable, notes, "see what was not mapped, below")


class Test(NamedTuple):
    """A test as it is written, with the line it starts in and its name in words."""

    line: int
    name: str
    written: Any


def table_of_tests(path: str, what: str, tests: Iterable[Test], variable: str | None, notes: Sequence[str], way_out: str) -> ImportTable:
    """Return tests as a table of items; `variable` holds the question where there is no vars.question.

    Raises InputError with the notes when no test could become an item; `way_out` says what to do then.
    """
    reader = _Tests(variable)
    rows = []
    for line, name, test in tests:
        cells = reader.cells(test, name)
        if cells is not None:
            rows.append(TableRow(line, [cells.get(field.name, EMPTY) for field in FIELDS]))
    told = (*notes, *reader.notes)
    if not rows:
        problem = Problem(path, "none of its tests could be mapped", way_out=way_out)
        raise InputError([problem, *(Problem(path, note) for note in told)])
    return ImportTable(path, what, tuple(field.name for field in FIELDS), 1, tuple(rows), told)


def _with_checks(key: str, value: Any) -> str:
    """Return the name of a part that is not mapped, with the assertions in it: they check every test there, and none here."""
    written = _listed(value.get("assert")) if isinstance(value, Mapping) else []
    checks = [str(check.get("type")) for check in written if isinstance(check, Mapping)]
    return f"{key} (with {some(checks)})" if checks else key


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value] if value is not None else []


def _prompt_variable(prompts: Any) -> tuple[str | None, list[str]]:
    """Return the one variable that the prompts hold, and what is told of the prompts."""
    listed = _listed(prompts)
    texts = [prompt for prompt in listed if isinstance(prompt, str) and not prompt.startswith(FILE_REFERENCES)]
    names = {name for text in texts for name in _VARIABLE.findall(text)}
    told = []
    if any(not _VARIABLE.fullmatch(text.strip()) for text in texts):
        told.append("the prompts' own words are not mapped: questions are put to the chatbot as they are")
    if len(texts) < len(listed):
        told.append("prompts in other files, or made of several messages, were not read")
    return (names.pop() if len(names) == 1 and len(texts) == len(listed) else None), told


class _Tests:
    """Reads one test after the other; `notes` holds what was not mapped."""

    def __init__(self, variable: str | None) -> None:
        self.notes: list[str] = []
        self._variable = variable
        self._name = ""
        self._vars: Mapping[str, Any] = {}

    def cells(self, test: Any, name: str) -> dict[str, TableCell] | None:
        """Return the cells of a test by field; None, and a note, when it cannot be an item."""
        self._name = name
        if not isinstance(test, Mapping):
            self._lose("is no test with keys (a file or a generator is not read)")
            return None
        written = test.get("vars")
        self._vars = written if isinstance(written, Mapping) else {}
        question = self._question()
        if question is None:
            return None
        cells = {"question": TableCell(question)} | self._metadata(test)
        found: dict[str, list[str]] = {"must_include": [], "must_not_include": [], "rubric": []}
        for assertion in self._assertions(test):
            self._assertion(assertion, found)
        cells |= {field: TableCell(entries=tuple(found[field])) for field in ("must_include", "must_not_include") if found[field]}
        if found["rubric"]:
            cells["rubric"] = TableCell("\n".join(found["rubric"]))
        lost = [key for key in test if key not in ("id", "vars", "assert", "description", "metadata")]
        if lost:
            self._lose(f"{some(lost)} {'is' if len(lost) == 1 else 'are'} not mapped")
        if not {"must_include", "must_not_include", "rubric", "answer", "sql"} & cells.keys():
            self._lose("left out: it has nothing that could be checked here")
            return None
        return cells

    def _lose(self, what: str) -> None:
        self.notes.append(f"{self._name}: {what}")

    def _question(self) -> str | None:
        name = "question" if "question" in self._vars else self._variable
        if name is None or name not in self._vars:
            self._lose(f"left out: it has no vars.{name or 'question'}, and which of its variables is the question is not guessed")
            return None
        text, wrong = self._rendered(self._vars[name])
        if text is None:
            self._lose(f"left out: vars.{name} {wrong}")
        lost = [other for other in self._vars if other not in (name, "id")]
        if lost and text is not None:
            self._lose(f"variables not mapped: {some(lost)}")
        return text

    def _metadata(self, test: Mapping[str, Any]) -> dict[str, TableCell]:
        """Return what our own export put into the metadata, and the description as a note where it says more than the id."""
        written = test.get("metadata")
        metadata = written if isinstance(written, Mapping) else {}
        cells: dict[str, TableCell] = {}
        lost = []
        for key, value in metadata.items():
            field = BY_NAME.get(str(key).removeprefix(PREFIX)) if str(key).startswith(PREFIX) else None
            if field is None:
                lost.extend([str(key)] * (key != "id"))
            else:
                one_of_list = field.form is Form.LIST and isinstance(value, str)
                cells[field.name] = TableCell(entries=(value,)) if one_of_list else cell_of(value)
        if lost:
            self._lose(f"metadata not mapped: {some(lost)}")
        written_id = next((place["id"] for place in (test, metadata, self._vars) if place.get("id")), None)
        if written_id is not None and "id" not in cells:
            cells["id"] = id_cell(written_id)
        description = test.get("description")
        if isinstance(description, str) and description and f"{PREFIX}id" not in metadata:
            cells["note"] = TableCell(description)
        return cells

    def _assertions(self, test: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        written = test.get("assert")
        for assertion in _listed(written):
            if isinstance(assertion, Mapping) and isinstance(assertion.get("type"), str):
                yield assertion
            else:
                self._lose("an assertion without a type (a template or a file) is not mapped")

    def _assertion(self, assertion: Mapping[str, Any], found: dict[str, list[str]]) -> None:
        """Map one assertion, or say why not. What it is about decides: a weight of 0 never fails, a transform asks of another text."""
        kind = assertion["type"]
        field = ONE_PHRASE.get(kind) or ALL_PHRASES.get(kind) or ("rubric" if kind == RUBRIC else None)
        if field is None:
            self._lose(_with_checks(f"'{kind}'", assertion) + " is not mapped")
            return
        if "transform" in assertion:
            self._lose(f"'{kind}' is not mapped: it checks a transformed answer")
            return
        if str(assertion.get("weight", "1")).strip() in ("0", "0.0"):
            self._lose(f"'{kind}' is not mapped: it has the weight 0 and never fails")
            return
        values, wrong = self._values(kind, assertion.get("value"))
        if wrong:
            self._lose(f"'{kind}' is not mapped: its value {wrong}")
            return
        found[field].extend(values)
        if kind in _CASE_SENSITIVE:
            self._lose(f"'{kind}' is mapped, but case counts there and not here: {some(repr(value) for value in values)}")
        if lost := [key for key in assertion if key not in ("type", "value")]:
            self._lose(f"'{kind}' is mapped without its {some(lost)}")

    def _values(self, kind: str, value: Any) -> tuple[list[str], str]:
        """Return the phrases of an assertion, or what is wrong with them."""
        parts: Sequence[Any] = [value]
        if kind in ALL_PHRASES:
            if isinstance(value, str) and '"' in value:
                return [], "is a text with quotes in it; write a list"
            parts = [part.strip() for part in value.split(",")] if isinstance(value, str) else value if isinstance(value, list) else [value]
        values = []
        for part in parts:
            text, wrong = self._rendered(part)
            if text is None:
                return [], wrong
            values.append(text)
        if kind in ALL_PHRASES and isinstance(value, str) and len(values) > 1:
            self._lose(f"'{kind}': the text was divided at its commas, as promptfoo does: {some(repr(text) for text in values)}")
        return values, "" if values else "is empty"

    def _rendered(self, value: Any) -> tuple[str | None, str]:
        """Return a text with the test's variables filled in, or what is wrong with it."""
        if not isinstance(value, str):
            return None, "is empty" if value is None else "is a list" if isinstance(value, list) else "is no text"
        if raw := _RAW.fullmatch(value):
            return (raw[1], "") if "endraw" not in raw[1] else (None, "is a template")
        if value.startswith(FILE_REFERENCES):
            return None, "stands in a file, which is not read"
        if not value.strip():
            return None, "is empty"
        if not _TEMPLATE.search(value):
            return value, ""
        for name in _VARIABLE.findall(value):
            part = self._vars.get(name)
            if not isinstance(part, str) or _TEMPLATE.search(part) or part.startswith(FILE_REFERENCES):
                return None, "is a template"
        filled = _VARIABLE.sub(lambda found: str(self._vars[found[1]]), value)
        left = _VARIABLE.sub("", value)
        return (None, "is a template") if _TEMPLATE.search(left) else (filled, "")
