"""goldenlib: golden questions for chatbots, and a gate that keeps a worse answer from being released.

    from goldenlib import RunOptions, Store, evaluate, load_set, load_settings

    golden_set = load_set(["golden/example.yaml"])
    settings, warnings = load_settings()
    with Store.open("golden.db") as store:
        report = evaluate(golden_set, settings, store, RunOptions(allow_unverified=True))
    print(report.decision.line)

Where to read on: `running.evaluate` is the loop; `items` what an expert writes, `answers` what comes back, `gating` how a run
is decided. Names are loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldenlib.answers import Answer, Evidence, Result, RunRecord, Score, Status
    from goldenlib.config.settings import Settings, load_settings
    from goldenlib.errors import AcceptanceError, GateFailed, GoldenError, InputError, SettingsError, StoreError, TargetError
    from goldenlib.files.loading import load_set
    from goldenlib.gating import Decision, Policy, decide
    from goldenlib.items import Expected, GoldenSet, Item, Review
    from goldenlib.matching import ResultMatch, results_match
    from goldenlib.reporting.report import Report
    from goldenlib.running import RunOptions, evaluate
    from goldenlib.storage import Store
    from goldenlib.storage.accepting import accept
    from goldenlib.warehouse import open_warehouse

__all__ = [
    "AcceptanceError",
    "Answer",
    "Decision",
    "Evidence",
    "Expected",
    "GateFailed",
    "GoldenError",
    "GoldenSet",
    "InputError",
    "Item",
    "Policy",
    "Report",
    "Result",
    "ResultMatch",
    "Review",
    "RunOptions",
    "RunRecord",
    "Score",
    "Settings",
    "SettingsError",
    "Status",
    "Store",
    "StoreError",
    "TargetError",
    "accept",
    "decide",
    "evaluate",
    "load_set",
    "load_settings",
    "open_warehouse",
    "results_match",
]

__version__ = "0.1.0"

_HOMES = {
    "storage.accepting": ("accept",),
    "answers": ("Answer", "Evidence", "Result", "RunRecord", "Score", "Status"),
    "errors": ("AcceptanceError", "GateFailed", "GoldenError", "InputError", "SettingsError", "StoreError", "TargetError"),
    "gating": ("Decision", "Policy", "decide"),
    "items": ("Expected", "GoldenSet", "Item", "Review"),
    "files.loading": ("load_set",),
    "reporting.report": ("Report",),
    "running": ("RunOptions", "evaluate"),
    "matching": ("ResultMatch", "results_match"),
    "config.settings": ("Settings", "load_settings"),
    "storage": ("Store",),
    "warehouse": ("open_warehouse",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'goldenlib' has no attribute {name!r}")
    return getattr(importlib.import_module(f"goldenlib.{_HOME[name]}"), name)
