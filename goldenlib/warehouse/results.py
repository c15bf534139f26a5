"""Results: what a query gives, why it gave nothing, and what it may cost.

Rule: a query that fails is data, with a kind that scoring can tell apart and a reason that a reader can act on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from goldenlib.errors import SettingsError

if TYPE_CHECKING:
    import pyarrow

Rows: TypeAlias = "pyarrow.Table | list[tuple[object, ...]]"
MAX_REASON = 500


class FailureKind(StrEnum):
    """Why a query gave no rows. `unavailable` is our failure or the server's; all others are the query's."""

    REFUSED = "refused"
    SQL_ERROR = "sql_error"
    TIMEOUT = "timeout"
    TOO_MANY_ROWS = "too_many_rows"
    TOO_MUCH_MEMORY = "too_much_memory"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may cost: wall time, rows and bytes of its result, memory of the process that runs it, threads of DuckDB.

    One thread is the default because sums of floating-point numbers then come out the same every time.
    """

    seconds: float = 30.0
    rows: int = 1_000_000
    bytes: int = 256 * 2**20
    memory_mb: int = 1024
    threads: int = 1

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value <= 0:
                raise SettingsError(f"limit {field.name} is {value!r}; give a number above 0")
            if field.name != "seconds" and not isinstance(value, int):
                raise SettingsError(f"limit {field.name} is {value!r}; give a whole number")


@dataclass(frozen=True)
class QueryResult:
    """The rows of a query. `rows` is what `results_match` takes: an Arrow table from DuckDB, a list of tuples from a server.

    `columns` are the names in order, which may repeat; `seconds` is wall time as the caller saw it.
    """

    columns: tuple[str, ...]
    rows: Rows
    row_count: int
    seconds: float

    def tuples(self, at_most: int | None = None) -> list[tuple[object, ...]]:
        """Return the first rows, or all, as tuples of Python values: to show them, not to compare them."""
        if isinstance(self.rows, list):
            return self.rows[:at_most]
        from goldenlib.matching.arrowvalues import python_rows  # needs pyarrow, an extra, and a quarter of a second

        return python_rows(self.rows, at_most)


@dataclass(frozen=True, slots=True)
class QueryFailed:
    """A query without rows: the kind of failure, and the reason in a sentence, bounded and with control characters visible."""

    kind: FailureKind
    reason: str
    seconds: float = 0.0


class QueryStopped(Exception):
    """A query ended without rows, inside the worker."""

    def __init__(self, kind: FailureKind, reason: str) -> None:
        self.kind, self.reason = kind, reason
        super().__init__(kind, reason)


def visible(text: str, at_most: int = MAX_REASON) -> str:
    """Return an engine's message on one line, cut where it is long, with characters that would not show written as escapes."""
    line = " ".join(text[: 4 * at_most].split())
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in line)
    return shown if len(shown) <= at_most else f"{shown[: at_most - 3]}..."
