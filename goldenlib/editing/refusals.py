"""What can go wrong with an edit.

Rule: when one of these is raised, the file is as it was, and so is the edit: nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from goldenlib.errors import GoldenError, Problem

if TYPE_CHECKING:
    from goldenlib.editing.source import SourceFile


class EditError(GoldenError):
    """An edit cannot be made or saved. `problems` says what is in the way, and the way out."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class ConflictError(GoldenError):
    """The file changed since it was read, or was made meanwhile, so nothing was written.

    `base` is the file as it was read, `mine` the same with the edits, `theirs` the file as it is now, or None where that
    cannot be read as a set any more; `theirs_data` are its bytes. `merging.merge` puts the three together.
    """

    def __init__(self, mine: SourceFile, theirs: SourceFile | None, theirs_data: bytes) -> None:
        self.base = mine.as_read
        self.mine = mine
        self.theirs = theirs
        self.theirs_data = theirs_data
        way_out = "choose for each field which version to keep" if theirs is not None else "mend the file first; it is no golden set now"
        what = "was made by somebody else meanwhile" if mine.is_new else "changed since it was read"
        super().__init__(f"{mine.path}: {what}, and was not overwritten; {way_out}")


def problem_of(source: SourceFile, message: str, way_out: str) -> EditError:
    """Return the error that says what is in the way of saving a file, and the way out."""
    return EditError([Problem(str(source.path), message, way_out=way_out)])


class Unwanted(GoldenError):
    """A value that no item can have, or that cannot be put where it is asked for. The message ends with the way out."""


class Damaged(GoldenError):
    """An edited text does not say what was wanted. Never shown: the edit is tried in another form, or refused."""
