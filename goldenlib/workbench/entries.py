"""Entries: a golden set file read for authoring, however wrong some of its items are.

Rule: a file that can be edited can be opened; what loading would refuse is told beside the item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from goldenlib.editing import SourceFile, read_source
from goldenlib.errors import InputError
from goldenlib.files.loading import load_set
from goldenlib.items import Item
from goldenlib.workbench.fields import build


@dataclass(frozen=True, slots=True)
class Entry:
    """An item in the file; `item` is None when it would not load, and `problems` say why."""

    item_id: str
    item: Item | None
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldenFile:
    """A file open for authoring: its text, and its items in order by id. `problems` concern no item that can be named."""

    source: SourceFile
    entries: Mapping[str, Entry]
    problems: tuple[str, ...] = ()


def read_golden_file(path: Path) -> GoldenFile:
    """Read a file, or begin one that is not there yet. Raises InputError and EditError as `read_source` does."""
    return with_entries(read_source(path))


def with_entries(source: SourceFile) -> GoldenFile:
    """Return the items of a file that was read or saved; what the disk says is taken, as loading does."""
    if not source.items:  # nothing is there that loading could say anything about
        return GoldenFile(source, {})
    try:
        loaded = load_set([source.path])
        items: dict[str, Item] = {item.id: item for item in loaded}
        if tuple(items) == source.ids:
            return GoldenFile(source, {item_id: Entry(item_id, item) for item_id, item in items.items()})
        problems: dict[str, list[str]] = {}
    except InputError as error:
        problems = {}
        for problem in error.problems:
            problems.setdefault(problem.item_id or "", []).append(str(problem))
    twice = {item_id for item_id, count in Counter(source.ids).items() if count > 1}
    entries = {}
    for index, text in enumerate(source.items):
        if text.id is None or text.id in twice:  # an edit could not say which of them it means
            continue
        values = source.value_at(index)
        item = build(values) if isinstance(values, dict) else None
        entries[text.id] = Entry(text.id, item, tuple(problems.get(text.id, ())))
    return GoldenFile(source, entries, tuple(text for item_id in ("", *twice) for text in problems.get(item_id, ())))
