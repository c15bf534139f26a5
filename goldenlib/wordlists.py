"""Word lists: what rules know by heart, in YAML files beside the modules that use it, for people who know words and no Python.

Rule: all in such a file is text ("no" is a word there, and 12 two figures); its order is kept, and each file is read once, when the
first module that uses it is imported.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import yaml


class WordLists:
    """The lists of one file. A list is asked for by its keys, from the outermost; one that is not there raises KeyError."""

    def __init__(self, package: str, topic: str) -> None:
        self._lists = yaml.load(files(package).joinpath(f"{topic}.yaml").read_text(encoding="utf-8"), yaml.CBaseLoader)

    @staticmethod
    @cache
    def of(package: str, topic: str) -> WordLists:
        """Return the lists on a topic: those of the file of that name in a package."""
        return WordLists(package, topic)

    def raw(self, *keys: str) -> Any:
        """Return what stands under the keys, as lists, mappings and texts."""
        found = self._lists
        for key in keys:
            found = found[key]
        return found

    def words(self, *keys: str) -> tuple[str, ...]:
        """Return the words of a text, which stand with blanks between them, or the entries of a list, or the names in a mapping."""
        found = self.raw(*keys)
        return tuple(found.split() if isinstance(found, str) else found)

    def set(self, *keys: str) -> frozenset[str]:
        """Return the words without their order."""
        return frozenset(self.words(*keys))

    def groups(self, *keys: str) -> tuple[tuple[str, ...], ...]:
        """Return a list of lists."""
        return tuple(map(tuple, self.raw(*keys)))

    def table(self, *keys: str) -> dict[str, str]:
        """Return a mapping of texts."""
        return dict(self.raw(*keys))

    def numbers(self, *keys: str) -> dict[str, int]:
        """Return a mapping of texts to whole numbers."""
        return {name: int(number) for name, number in self.raw(*keys).items()}

    def pattern(self, *keys: str) -> str:
        """Return the words or expressions as alternatives of a regular expression, in their order."""
        return "|".join(self.words(*keys))
