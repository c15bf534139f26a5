"""Every error of goldenlib, under one base class.

Rule: an error names what is wrong, where, and the way out. What happens while a run is under way is data
(`answers.Answer.error`, `answers.Status.ERROR`), not an exception.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from goldenlib.cilogs import without_commands


class GoldenError(Exception):
    """Base of all errors that goldenlib raises on purpose. Its text is no command to a CI runner, also in a notebook's log."""

    def __str__(self) -> str:
        return without_commands(super().__str__())


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in an input file. Lines and columns count from 1; None where there is no position."""

    path: str
    message: str
    line: int | None = None
    column: int | None = None
    item_id: str | None = None
    way_out: str | None = None

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)
        item = f" item '{self.item_id}':" if self.item_id is not None else ""
        way_out = f"; {self.way_out}" if self.way_out else ""
        return f"{where}:{item} {self.message}{way_out}"


class InputError(GoldenError):
    """A golden set cannot be used. `problems` holds every problem found, in file order."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class SettingsError(GoldenError):
    """A configuration key, environment variable, parameter or argument cannot be used."""


class StoreError(GoldenError):
    """The store cannot be opened, is of a newer version, is locked by another process, or lost its place."""


class RunNotFoundError(StoreError):
    """The store holds no run of that id."""


class RunConflictError(StoreError):
    """A run id is taken, being driven by another process, or was started with other parameters: nothing was driven."""


class TargetError(GoldenError):
    """A target or judge cannot be set up. Raised before the first item is driven."""


class AcceptanceError(GoldenError):
    """A regression cannot be accepted: nobody is named, no reason is given, or there is nothing in that run to be accepted."""


class ReportError(GoldenError):
    """A report that was asked for cannot be written. The run itself stands as it was decided."""


class GateFailed(GoldenError):
    """A run was decided BLOCK or ERROR. The message is the decision line; `exit_code` is 1 or 3."""

    def __init__(self, line: str, exit_code: int) -> None:
        self.exit_code = exit_code
        super().__init__(line)
