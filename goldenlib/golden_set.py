"""The golden set: items in their order, whole or a selection of them.

Rule: a set knows its items and where they were written, and nothing of files or runs.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from pydantic import ValidationError

from goldenlib.errors import InputError, Problem
from goldenlib.folding import fold
from goldenlib.items import Item


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an item was written: file, and the line and column (from 1) at which it starts."""

    path: str
    line: int
    column: int


@dataclass(frozen=True)
class GoldenSet:
    """A named, ordered list of items.

    `all_ids` holds the ids of the whole set; `items` only those selected. `selection` says in words what was selected,
    or is empty for the whole set.
    """

    name: str
    items: tuple[Item, ...]
    all_ids: tuple[str, ...]
    selection: str = ""
    origins: Mapping[str, Origin] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, items: Iterable[Item | Mapping[str, Any]], name: str = "questions") -> Self:
        """Return a set of items made in Python: `Item`s, or mappings with the keys of a golden file.

        Raises InputError with all problems, each under the number of its item.
        """
        found: list[Item] = []
        problems: list[Problem] = []
        for number, given in enumerate(items, start=1):
            try:
                found.append(given if isinstance(given, Item) else Item.model_validate(given))
            except ValidationError as error:
                for detail in error.errors(include_url=False, include_context=False):
                    where = "".join(f"{step}: " for step in detail["loc"])
                    problems.append(Problem(f"item {number}", where + detail["msg"].removeprefix("Value error, ")))
        times = Counter(item.id for item in found)
        problems += [Problem(name, f"{count} items have this id", item_id=item_id) for item_id, count in times.items() if count > 1]
        if problems or not found:
            raise InputError(problems or [Problem(name, "holds no items", way_out="give at least one")])
        return cls(name, tuple(found), tuple(times))

    def __getitem__(self, item_id: str) -> Item:
        """Return the selected item of that id. Raises KeyError."""
        return self._by_id[item_id]

    @cached_property
    def _by_id(self) -> dict[str, Item]:
        return {item.id: item for item in self.items}

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    @property
    def is_partial(self) -> bool:
        """Whether some items of the set were left out."""
        return len(self.items) < len(self.all_ids)

    @property
    def unverified(self) -> tuple[Item, ...]:
        """The selected items that no expert stands behind."""
        return tuple(item for item in self.items if not item.is_verified)

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hex, over the items in order: what is asked, of whom, by which contract, and who stands behind it.

        Wider than the items' own digests, which reviews are bound to: a run must not go on with another one.
        """
        parts = [[item.id, item.digest, item.surface, fold(item.context), item.is_verified] for item in self.items]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
