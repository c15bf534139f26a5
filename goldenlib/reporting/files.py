"""Report files: one report in each form that was asked for.

Rule: written for every decision, ERROR too, and each in one step, so that no half-written report is ever read.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from goldenlib.errors import ReportError, SettingsError
from goldenlib.reporting.report import Report


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """The paths of the reports to write; None for those not asked for."""

    html: Path | None = None
    json: Path | None = None
    junit: Path | None = None
    markdown: Path | None = None

    @property
    def paths(self) -> tuple[Path, ...]:
        """The paths that were asked for."""
        return tuple(path for path in (self.html, self.json, self.junit, self.markdown) if path is not None)

    def check(self, in_use: Iterable[Path] = ()) -> None:
        """Raise SettingsError, before anything is driven, when a report could not be written.

        `in_use` are the files of the run itself: a report must not take the place of one, nor of another report, nor stand
        in a folder of golden sets under a name that would be read as one.
        """
        taken = {path.resolve(): path for path in in_use}
        for path in self.paths:
            if (other := taken.get(path.resolve())) is not None and not other.is_dir():
                raise SettingsError(f"{path}: is {other}, which this run uses already; give the report a name of its own")
            if path.resolve().parent in taken and path.suffix in (".yaml", ".yml", ".json"):
                raise SettingsError(f"{path}: would be read as a golden set, since {path.parent} is one; choose another folder")
            taken[path.resolve()] = path
            folder = path.absolute().parent
            if path.is_dir():
                raise SettingsError(f"{path}: is a folder; give the name of a file")
            if not folder.is_dir():
                raise SettingsError(f"{path}: the folder {path.parent} does not exist; create it first (mkdir -p {path.parent})")
            if not os.access(folder, os.W_OK | os.X_OK):
                raise SettingsError(f"{path}: the folder {path.parent} may not be written to; choose another place")

    def write(self, report: Report) -> tuple[Path, ...]:
        """Write the reports and return their paths. Raises ReportError naming those that cannot be written; the others are."""
        written, problems = [], []
        for path, render in ((self.html, _html), (self.json, _json), (self.junit, _junit), (self.markdown, _markdown)):
            if path is not None:
                try:
                    _write(path, render(report))
                    written.append(path)
                except ReportError as error:
                    problems.append(str(error))
        if problems:
            raise ReportError("; ".join(problems))
        return tuple(written)


def _html(report: Report) -> str:
    from goldenlib.reporting.page import render_html  # jinja2 is only loaded for a page

    return render_html(report)


def _json(report: Report) -> str:
    from goldenlib.reporting.machine import render_json

    return render_json(report)


def _junit(report: Report) -> str:
    from goldenlib.reporting.junit import render_junit

    return render_junit(report)


def _markdown(report: Report) -> str:
    from goldenlib.reporting.markdown import render_markdown

    return render_markdown(report)


def _write(path: Path, text: str) -> None:
    try:
        handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise ReportError(f"{path}: the report cannot be written ({error.strerror}); choose another place") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
