"""Files in use: what a run reads and keeps, and what nothing that is written may take the place of.

Rule: found from the settings alone, by every name that a driver would take for the file; nothing is opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from goldenlib.config.addresses import database_files
from goldenlib.config.settings import Settings
from goldenlib.files.shipped import find


def files_in_use(settings: Settings, config: str | Path | None = None) -> list[Path]:
    """Return the files of the store, the warehouse, the targets and the configuration; of a folder of tables, what stands in it."""
    return list(dict.fromkeys([*database_files(settings.golden_store), *_warehouse(settings), *_targets(settings), *_found(config)]))


def _warehouse(settings: Settings) -> Iterator[Path]:
    for path in database_files(settings.warehouse) if settings.warehouse else ():
        for found in (path, find(path)):
            yield from found.iterdir() if found.is_dir() else [found]


def _targets(settings: Settings) -> Iterator[Path]:
    for target in settings.targets.values():
        yield from _found(target.path)
        if target.callable:
            module = Path(*target.callable.partition(":")[0].split("."))
            yield from (module.with_suffix(".py"), module / "__init__.py")


def _found(path: str | Path | None) -> Iterator[Path]:
    if path is not None:
        yield from (Path(path), find(path))
