"""Gold: whether a golden result can be trusted to score anything (seed 002, "Check the gold before you trust it").

Where to read on: `golds` is the check as a story, `rulebook` the table of what is looked for, `sqlreading` what is read from the SQL.
"""

from __future__ import annotations

try:
    from goldenlib.gold.goldfindings import CODES, GoldCheck, GoldFinding, Severity
    from goldenlib.gold.goldreport import GoldReport
    from goldenlib.gold.golds import blocking_check, check_gold, check_golds
    from goldenlib.gold.keys import sort_keys
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] not in ("numpy", "pyarrow", "scipy", "sqlglot"):
        raise
    raise ModuleNotFoundError(f"checking golds needs {error.name}; install goldenlib[data]", name=error.name) from error

__all__ = [
    "CODES",
    "GoldCheck",
    "GoldFinding",
    "GoldReport",
    "Severity",
    "blocking_check",
    "check_gold",
    "check_golds",
    "sort_keys",
]
