"""Moved: the former paths of modules, for scripts and notebooks that were written with them; each works on, with a DeprecationWarning."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

# What documentation and notebooks once named, and where it lives now.
FORMER = {
    "accepting": "storage.accepting",
    "coverage.looking": "reporting.coverage",
    "history": "reporting.gathering",
    "investigating": "comparing",
    "investigating.comparing": "comparing.runpairs",
    "investigating.looking": "reporting.sidebyside",
    "investigating.texts": "comparing.texts",
    "loading": "files.loading",
    "parameters": "config.parameters",
    "rescoring": "comparing.rescoring",
    "scoring.gold": "gold",
    "scoring.results": "matching",
    "settings": "config.settings",
    "shipped": "files.shipped",
    "shop": "warehouse.shop",
}


def today(name: str) -> str | None:
    """Return where a module that `name` once was is now, or None for what is no former path.

    >>> today("goldenlib.scoring.gold.pitfalls"), today("goldenlib.gold")
    ('goldenlib.gold.goldfindings', None)
    """
    package, *parts = name.split(".")
    for place in range(len(parts), 0, -1) if package == "goldenlib" else ():
        if (now := FORMER.get(".".join(parts[:place]))) is not None:
            return ".".join((package, now, *parts[place:]))
    return None


class FormerModules:
    """Finds a module under its former path: a finder and loader of the import system.

    Asked before all others: a package that is found under two paths would hold its modules twice.
    """

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return how to load what `name` was, or None for what never was."""
        return ModuleSpec(name, self) if name.startswith("goldenlib.") and today(name) is not None else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module of today, itself and no copy."""
        import warnings

        now = today(spec.name) or spec.name
        warnings.warn(f"{spec.name} is now {now}; public names are in goldenlib itself", DeprecationWarning, stacklevel=2)
        module = import_module(now)
        self._own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module as it is, with its own spec."""
        module.__spec__ = self._own


def find_former_modules() -> None:
    """Let the import system find modules under their former paths."""
    sys.meta_path.insert(0, FormerModules())
