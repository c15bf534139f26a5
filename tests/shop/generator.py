"""The program that made the shop's tables, as it lies beside them."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

from goldenlib.files.shipped import shipped

FOLDER = shipped("golden", "shop", "generator")


def module(name: str) -> ModuleType:
    """One of its modules, which import one another by their bare names."""
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))
    return importlib.import_module(name)


TABLES: tuple[Any, ...] = module("tables").TABLES
