"""Loading: golden set files -> GoldenSet, or every problem in them with file, line and column.

Rule: nothing is driven while anything is wrong with a file, and nothing that a file says is ever run (contract 2).
"""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from yaml.nodes import Node

from goldenlib.errors import InputError, Problem
from goldenlib.files.blanks import with_odd_blanks
from goldenlib.files.checking import MOST_GUESSED, RawItem, check_item, explain_unknown, kind_of, near_name
from goldenlib.files.documents import Document, collector_paused, find, read_document
from goldenlib.files.shipped import find as find_shipped
from goldenlib.folding import fold
from goldenlib.golden_set import GoldenSet, Origin
from goldenlib.items import Item, Kind, Split

ALL_SPLITS = "all"
SUFFIXES = (".yaml", ".yml", ".json", ".toml")
# The keys of a case in the JSON form of seed 004 that are parts of `expected`, and where they belong in an item.
LIFTED = {
    "golden_answer": ("expected", "answer"),
    "must_include": ("expected", "must_include"),
    "must_not_include": ("expected", "must_not_include"),
    "rubric": ("expected", "rubric"),
}
# The same of a question in the TOML of seed 002.
OF_A_QUESTION = {
    "question_id": ("id",),
    "golden_sql": ("expected", "sql", "golden"),
    "check_sql": ("expected", "sql", "check"),
    "order_matters": ("expected", "sql", "order_matters"),
    "tolerance": ("expected", "sql", "tolerance"),
    "absolute": ("expected", "sql", "absolute"),
    "allow_empty": ("expected", "sql", "allow_empty"),
    "allow_null": ("expected", "sql", "allow_null"),
}


def load_set(
    paths: str | Path | Sequence[str | Path],
    *,
    select: Sequence[str] = (),
    split: str | None = None,
    name: str | None = None,
    hold_out: bool = False,
) -> GoldenSet:
    """Return the items of the files, in order, as one golden set.

    A path is a file, or a folder that stands for the .yaml, .yml, .json and .toml files directly in it, in order of their names;
    shipped ones (`golden/example.yaml`) are found from anywhere. A .json file holds either the keys of the YAML form (`items`) or
    `{role, cases: [...]}` as in seed 004, a .toml file `items` or `questions` as in seed 002.

    `select` keeps the items of which id, domain, a tag or the split fits one of the globs (in any case); `split` keeps
    those of that split, or all with `all`. Both together keep what fits both. With `hold_out`, a set that has both splits is cut
    down to dev unless `select` or `split` says what is wanted: what is tuned on is not what is held out (seed 002). `name` is that
    of the set; without it, it is made of the names of the files and folders.

    A case of seed 004 without an `id` gets one from its role (or the file's name) and a hash of its folded question: it
    stays the same when cases are added or moved, and changes when the question or the role is reworded.

    Raises InputError with all problems of all files, in order; nothing is loaded by half.
    """
    given = [find_shipped(path) for path in ([paths] if isinstance(paths, str | Path) else paths)]
    with collector_paused():
        whole = _load_whole(given, name or "+".join(_name_of(path) for path in given))
    globs = [select] if isinstance(select, str) else select
    if hold_out and not globs and split is None and {item.split for item in whole} >= set(Split):
        split = Split.DEV
    return _select(whole, globs, None if split == ALL_SPLITS else split)


def _load_whole(paths: Sequence[Path], name: str) -> GoldenSet:
    problems: list[Problem] = []
    raw_items = [raw for file in _files(paths, problems) for raw in _read_items(file, problems)]
    items = [item for raw in raw_items if (item := check_item(raw, problems))]
    problems.extend(_look_alikes(raw_items))
    if problems:
        raise InputError(_in_order(with_odd_blanks(problems), raw_items))
    origins = {raw.values["id"]: Origin(raw.document.path, *raw.document.place(raw.node)) for raw in raw_items}
    return GoldenSet(name, tuple(items), all_ids=tuple(item.id for item in items), origins=origins)


# --- files ---


def _files(paths: Sequence[Path], problems: list[Problem]) -> list[Path]:
    if not paths:
        problems.append(Problem("golden set", "no file is given", way_out="give the path of a golden set file or folder"))
    files: list[Path] = []
    for path in paths:
        files.extend(_files_in(path, problems) if path.is_dir() else [path])
    first: dict[str, int] = {}
    again = [file for number, file in enumerate(files) if first.setdefault(os.path.realpath(file), number) != number]
    problems.extend(Problem(str(file), "is given twice", way_out="name each file once") for file in again)
    return [files[number] for number in first.values() if _is_readable_form(files[number], problems)]


def _files_in(folder: Path, problems: list[Problem]) -> list[Path]:
    try:
        names = sorted(entry.name for entry in folder.iterdir() if entry.is_file())
    except OSError as error:
        problems.append(Problem(str(folder), f"cannot be read ({error.strerror})", way_out="give a folder of golden set files"))
        return []
    files = [folder / name for name in names if _is_set_file(name)]
    if not files:
        problems.append(Problem(str(folder), "holds no golden set", way_out=f"put a {', '.join(SUFFIXES)} file directly into it"))
    return files


def _is_set_file(name: str) -> bool:
    lowered = name.lower()
    return lowered.endswith(SUFFIXES) and not lowered.startswith((".", "config.")) and not lowered.endswith(".schema.json")


def _is_readable_form(file: Path, problems: list[Problem]) -> bool:
    suffix = file.suffix.lower()
    if suffix in SUFFIXES or not suffix:  # without one: a pipe, such as <(command), which holds YAML
        return True
    what = f"'{suffix}' is not the form of a golden set"
    problems.append(Problem(str(file), what, way_out=f"write the items in a {', '.join(SUFFIXES)} file"))
    return False


def _name_of(path: Path) -> str:
    path = Path(os.path.abspath(path))  # a link keeps its own name
    return (path.name if path.is_dir() else path.stem) or "golden"


# --- the forms ---


def _read_items(file: Path, problems: list[Problem]) -> list[RawItem]:
    try:
        document = read_document(file)
    except InputError as error:
        problems.extend(error.problems)
        return []
    problems.extend(document.problems)
    content = document.value
    if not isinstance(content, dict):
        if not document.problems:
            problems.append(_no_mapping(document))
        return []
    if document.is_json and "items" not in content and any(near_name(key, ("role", "cases")) for key in content):
        return _cases(document, content, problems)
    if file.suffix.lower() == ".toml" and "items" not in content:
        return _questions(document, content, problems)
    _check_top(document, content, {"items"}, problems)
    return [RawItem(document, node, values) for values, node in _entries(document, "items", problems)]


def _no_mapping(document: Document) -> Problem:
    if document.value is None:
        return document.problem(document.root, "holds no items", "write 'items:' and below it a list of questions")
    way_out = (
        "put 'items:' in the first line, above the list" if isinstance(document.value, list) else "write 'items:' and a list of questions"
    )
    return document.problem(document.root, f"the file is {kind_of(document.value)} and not a golden set", way_out)


def _check_top(document: Document, content: Mapping[str, Any], known: set[str], problems: list[Problem]) -> None:
    """Refuse unknown keys at the top of a file, except those that start with x- or only hold anchors, and lists left out."""
    wanted = next(name for name in ("cases", "questions", "items") if name in known)
    meant = False
    strangers = 0
    for key in content:
        if key in known or key.startswith("x-"):
            continue
        strangers += 1
        guess = strangers <= MOST_GUESSED
        near = near_name(key, known) if guess else None
        if near or not document.holds_anchors(find(document.root, key)):
            allowed = {*known, "x-..."}
            unknown = explain_unknown(key, allowed, {}) if near else explain_unknown(key, allowed, guess=guess)
            problems.append(document.problem(document.root, unknown.message, unknown.way_out, where=(key,), key=True))
            meant = meant or near == wanted
    if wanted not in content and not meant:
        problems.append(document.problem(None, f"has no '{wanted}'", _list_of(document, wanted)))


def _entries(document: Document, key: str, problems: list[Problem]) -> Iterator[tuple[dict[str, Any], Node]]:
    """Give the mappings of the list at `key`, each with its node; what else stands there is a problem."""
    entries = document.value.get(key)
    if not entries and key in document.value:
        problems.append(document.problem(document.root, f"'{key}' holds nothing", _first_entry(document, key), where=(key,), key=True))
    elif entries and not isinstance(entries, list):
        way_out = _each_entry(document, key)
        problems.append(document.problem(document.root, f"'{key}' is {kind_of(entries)} and must be a list", way_out, where=(key,)))
    listed = find(document.root, key)
    for number, entry in enumerate(entries if isinstance(entries, list) else ()):
        node = find(listed, number)
        if isinstance(entry, dict) and node is not None:
            yield entry, node
        else:
            way_out = "an item holds keys: id, question, expected"
            problems.append(document.problem(listed, f"{key}[{number}] is {kind_of(entry)} and not an item", way_out, where=(number,)))


def _is_toml(document: Document) -> bool:
    return Path(document.path).suffix.lower() == ".toml"


def _list_of(document: Document, key: str) -> str:
    """How a file says that a list of questions begins, in its own form."""
    return (
        f"write [[{key}]] and below it the keys of a question" if _is_toml(document) else f"write '{key}:' and below it a list of questions"
    )


def _each_entry(document: Document, key: str) -> str:
    return f"start each item with a line [[{key}]]" if _is_toml(document) else "start each item with '- id: ...'"


def _first_entry(document: Document, key: str) -> str:
    return f"a set needs at least one item: {_list_of(document, key)}" if _is_toml(document) else "a set needs at least one item"


def _cases(document: Document, content: Mapping[str, Any], problems: list[Problem]) -> list[RawItem]:
    """Return the cases of seed 004 as items."""
    _check_top(document, content, {"role", "cases"}, problems)
    role = content.get("role")
    if role is not None and not isinstance(role, str):
        problems.append(document.problem(document.root, f"role is {kind_of(role)} and must be text", "put it in quotes", where=("role",)))
        role = None
    raw_items: list[RawItem] = []
    for case, node in _entries(document, "cases", problems):
        if "expected" in case:
            way_out = "in 'cases' the keys of expected stand beside 'question'"
            problems.append(document.problem(node, "misplaced key 'expected'", way_out, where=("expected",), key=True))
        values = {key: value for key, value in case.items() if key not in LIFTED and key != "expected"}
        values["expected"] = {LIFTED[key][-1]: value for key, value in case.items() if key in LIFTED}
        if role is not None:
            values.setdefault("role", role)
        if values.get("id") is None:
            values["id"] = _made_id(role or Path(document.path).stem, case.get("question"), len(raw_items))
        raw_items.append(RawItem(document, node, values, LIFTED))
    return raw_items


def _questions(document: Document, content: Mapping[str, Any], problems: list[Problem]) -> list[RawItem]:
    """Return the questions of seed 002 as items. Empty texts are absent: TOML has no null. A rule without golden SQL rules nothing."""
    _check_top(document, content, {"questions"}, problems)
    raw_items: list[RawItem] = []
    for question, node in _entries(document, "questions", problems):
        written = {key: value for key, value in question.items() if value != "" or key == "question"}
        values = {key: value for key, value in written.items() if key not in OF_A_QUESTION}
        values |= {path[0]: written[key] for key, path in OF_A_QUESTION.items() if len(path) == 1 and key in written}
        result = {path[-1]: written[key] for key, path in OF_A_QUESTION.items() if len(path) > 1 and key in written}
        raw = RawItem(document, node, values, OF_A_QUESTION)
        if "id" in written and "question_id" in written:
            problems.append(raw.problem("has both 'id' and 'question_id'", "keep one of them", where=("id",), key=True))
        if "golden_sql" in written:
            values["expected"] = {"sql": result}
        elif "check_sql" in written or written.get("kind", Kind.ANSWER) == Kind.ANSWER:
            if not any(near_name(key, ("golden_sql",)) for key in written.keys() - {"check_sql"}):
                problems.append(raw.problem("has no 'golden_sql'", "add the SQL that gives the golden result, or set kind to decline"))
            values["expected"] = {"sql": {"golden": "SELECT 1"}}  # so that everything else about the question is checked too
        raw_items.append(raw)
    return raw_items


def _made_id(start: str, question: object, number: int) -> str:
    slug = "-".join(re.findall(r"\w+", fold(start))) or "case"
    hashed = hashlib.sha256(fold(question).encode("utf-8", "replace")).hexdigest()[:10] if isinstance(question, str) else str(number)
    return f"{slug}-{hashed}"


# --- the set as a whole ---


def _look_alikes(raw_items: Iterable[RawItem]) -> Iterator[Problem]:
    """Give a problem for each id that stands before, exactly or told apart only by case or Unicode form.

    Such ids would share files, or split an item's history (case 201).
    """
    first: dict[str, RawItem] = {}
    for raw in raw_items:
        if raw.id is None:
            continue
        plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", raw.id).casefold())
        other = first.setdefault(plain, raw)
        if other is raw:
            continue
        there = ":".join(map(str, (other.document.path, *other.document.place(other.node, other.path_in_file(("id",))))))
        if other.id != raw.id:
            message = f"differs from '{other.id}' ({there}) only by case or Unicode form"
            yield raw.problem(message, "give it an id of its own", where=("id",))
        elif raw.lifted and find(raw.node, *raw.path_in_file(("id",))) is None:
            yield raw.problem(f"asks the same question as {there}", "remove one of them, or give each an 'id'", where=("question",))
        else:
            yield raw.problem(f"duplicate id '{raw.id}', used before at {there}", "give it an id of its own", where=("id",))


class _ItemSpan(NamedTuple):
    """Where an item begins and ends, in lines and columns from 1."""

    path: str
    start: tuple[int, int]
    end: tuple[int, int]
    item_id: str | None


def _in_order(problems: Sequence[Problem], raw_items: Sequence[RawItem]) -> list[Problem]:
    """Return the problems by file and place, each with the id of the item it lies in."""
    files = {path: number for number, path in enumerate(dict.fromkeys(problem.path for problem in problems))}
    spans = sorted((_span(raw) for raw in raw_items), key=lambda span: span[:2])
    named = [replace(problem, item_id=_id_at(problem, spans)) if problem.item_id is None else problem for problem in problems]
    return sorted(dict.fromkeys(named), key=lambda problem: (files[problem.path], problem.line or 0, problem.column or 0))


def _span(raw: RawItem) -> _ItemSpan:
    start, end = raw.node.start_mark, raw.node.end_mark
    return _ItemSpan(raw.document.path, (start.line + 1, start.column + 1), (end.line + 1, end.column + 1), raw.id)


def _id_at(problem: Problem, spans: Sequence[_ItemSpan]) -> str | None:
    place = (problem.line or 0, problem.column or 0)
    before = bisect_right(spans, (problem.path, place), key=lambda span: span[:2])
    span = spans[before - 1] if before else None
    return span.item_id if span is not None and span.path == problem.path and place < span.end else None


def _select(whole: GoldenSet, globs: Sequence[str], split: str | None) -> GoldenSet:
    if split is not None and split not in list(Split):
        raise InputError([Problem(whole.name, f"there is no split '{split}'", way_out=f"choose {', '.join(Split)} or {ALL_SPLITS}")])
    wanted = [glob.casefold() for glob in globs]
    kept = tuple(item for item in whole.items if split in (None, item.split) and (not wanted or _fits(item, wanted)))
    if len(kept) == len(whole):
        return whole
    words = ", ".join([f"select {' or '.join(globs)}"] * bool(globs) + [f"split {split}"] * (split is not None))
    if not kept:
        split_less = split is not None and not any(item.split for item in whole.items)
        way_out = "no item of this set has a split; leave the split out" if split_less else f"choose from {_offer(whole.items)}"
        raise InputError([Problem(whole.name, f"{words}: fits no item", way_out=way_out)])
    return replace(whole, items=kept, selection=words)


def _fits(item: Item, globs: Sequence[str]) -> bool:
    names = [name.casefold() for name in (item.id, item.domain, *item.tags, item.split or "") if name]
    return any(fnmatchcase(name, glob) for glob in globs for name in names)


def _offer(items: Iterable[Item], at_most: int = 10) -> str:
    """Return in words what can be selected: domains, tags and splits, of each the first ten by name."""
    found = {
        "domains": {item.domain for item in items if item.domain},
        "tags": {tag for item in items for tag in item.tags},
        "splits": {str(item.split) for item in items if item.split},
    }
    parts = [f"{kind} {', '.join(sorted(names)[:at_most])}{', …' * (len(names) > at_most)}" for kind, names in found.items() if names]
    return "; ".join(parts) or f"the ids, such as {next(iter(items)).id}"
