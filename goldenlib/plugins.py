"""Plugins: tables of what can be chosen by name - targets, scorers, reports, importers, warehouses - ours and those of installed packages.

Rule: a package offers its own by an entry point of the table's group, and is imported only when its name is chosen. Ours cannot be
replaced. What cannot be loaded is told with the package that it came with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from goldenlib.errors import SettingsError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUPS = {
    "target": "goldenlib.targets",
    "scorer": "goldenlib.scorers",
    "report": "goldenlib.reports",
    "importer": "goldenlib.importers",
    "warehouse": "goldenlib.warehouses",
}
_T = TypeVar("_T")


class Choices(Mapping[str, _T], Generic[_T]):
    """What can be chosen by name: ours first, in their order, then those of installed packages by entry points of `goldenlib.<what>s`."""

    def __init__(self, what: str, ours: Mapping[str, _T]) -> None:
        self._what = what
        self.ours = ours

    def __getitem__(self, name: str) -> _T:
        """Return what has that name. Raises KeyError where nothing has, and SettingsError where it cannot be loaded."""
        if name in self.ours:
            return self.ours[name]
        entry = _installed(self._what)[name]
        try:
            found: _T = entry.load()
        except Exception as error:
            package = entry.dist.name if entry.dist is not None else "a package"
            told = f"{type(error).__name__}: {error}"
            raise SettingsError(f"the {self._what} {name!r} of {package} ({entry.value}) cannot be loaded: {told}") from error
        return found

    def __contains__(self, name: object) -> bool:
        return name in self.ours or name in _installed(self._what)

    def __iter__(self) -> Iterator[str]:
        yield from self.ours
        yield from (name for name in _installed(self._what) if name not in self.ours)

    def __len__(self) -> int:
        return len(list(iter(self)))


def installed(what: str) -> tuple[str, ...]:
    """Return the names that installed packages offer of something, in order, such as `installed("target")`."""
    return tuple(_installed(what))


def _installed(what: str) -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # only who names what is not ours looks at what is installed

    return {entry.name: entry for entry in sorted(entry_points(group=GROUPS[what]), key=lambda entry: entry.name)}
