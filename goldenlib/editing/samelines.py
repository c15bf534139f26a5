"""Matching: which entry of a new list is which of the old one.

Rule: an entry that says the same is the same entry, wherever it goes; one that stands where another stood is that one, changed.
Entries that say the same keep their order: the first of them may hold the anchor that the others repeat.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any


def match(old: Sequence[Any], wanted: Sequence[Any]) -> list[int | None]:
    """Return for each wanted value the index of the old one it comes from, or None for a new one. None is used twice.

    >>> match(["a", "b", "c"], ["a", "B", "c", "d"])
    [0, 1, 2, None]
    """
    olds, news = [_key(value) for value in old], [_key(value) for value in wanted]
    found: list[int | None] = [None] * len(news)
    for block in SequenceMatcher(None, olds, news, autojunk=False).get_matching_blocks():
        for step in range(block.size):
            found[block.b + step] = block.a + step
    unused = sorted(set(range(len(olds))) - set(found))
    for number, key in enumerate(news):
        if found[number] is None and (moved := next((index for index in unused if olds[index] == key), None)) is not None:
            found[number] = moved
            unused.remove(moved)
    found = _equals_in_order(found, news)
    for number in range(len(news)):
        if found[number] is None and (there := _in_its_place(number, found, unused)) is not None:
            found[number] = there
            unused.remove(there)
    return found


def _equals_in_order(found: Sequence[int | None], news: Sequence[str]) -> list[int | None]:
    """Return what was found with the old entries of each value in ascending order."""
    olds: dict[str, list[int]] = {}
    for old, key in zip(found, news, strict=True):
        if old is not None:
            olds.setdefault(key, []).append(old)
    in_order = {key: iter(sorted(indexes)) for key, indexes in olds.items()}
    return [old if old is None else next(in_order[key]) for old, key in zip(found, news, strict=True)]


def _in_its_place(number: int, found: Sequence[int | None], unused: Sequence[int]) -> int | None:
    """Return the unused old entry right behind that of the value above, or right before that of the value below."""
    above = found[number - 1] if number else -1
    if above is not None and above + 1 in unused:
        return above + 1
    below = found[number + 1] if number + 1 < len(found) else None
    return below - 1 if below is not None and below - 1 in unused else None


def _key(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
