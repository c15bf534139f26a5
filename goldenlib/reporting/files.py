"""Report files: one report in each form that was asked for.

Rule: written for every decision, ERROR too, and whatever stood at a path is as `outfiles` says.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from goldenlib.errors import ReportError, SettingsError
from goldenlib.files.outfiles import check_outfile, file_identity, write_outfile
from goldenlib.plugins import Choices
from goldenlib.reporting.report import Report


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


# By form, what writes a report as text; a package adds its own by an entry point of the group goldenlib.reports.
REPORTS: Choices[Callable[[Report], str]] = Choices("report", {"html": _html, "json": _json, "junit": _junit, "markdown": _markdown})
SET_SUFFIXES = (".yaml", ".yml", ".json", ".toml")


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """The paths of the reports to write; None for those not asked for. `others` are pairs of a form and a path, of any form."""

    html: Path | None = None
    json: Path | None = None
    junit: Path | None = None
    markdown: Path | None = None
    others: tuple[tuple[str, Path], ...] = ()

    @property
    def asked_for(self) -> tuple[tuple[str, Path], ...]:
        """The forms that were asked for, each with its path."""
        ours = (("html", self.html), ("json", self.json), ("junit", self.junit), ("markdown", self.markdown))
        return (*((form, path) for form, path in ours if path is not None), *self.others)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The paths that were asked for."""
        return tuple(path for _, path in self.asked_for)

    def check(self, in_use: Collection[Path] = ()) -> None:
        """Raise SettingsError, before anything is driven, when a report could not be written.

        `in_use` are the files of the run itself: a report must not take the place of one, nor of another report, nor stand
        in a folder of golden sets under a name that would be read as one.
        """
        for form, path in self.others:
            if form not in REPORTS:
                raise SettingsError(
                    f"{form}={path}: there is no report {form!r}; choose {', '.join(REPORTS)}, or install a package that has it"
                )
        taken = list(in_use)
        folders = {file_identity(path) for path in in_use if path.is_dir()}
        for path in self.paths:
            if path.suffix.lower() in SET_SUFFIXES and file_identity(Path(os.path.realpath(path)).parent) in folders:
                raise SettingsError(f"{path}: would be read as a golden set, since {path.parent} is one; choose another folder")
            check_outfile(path, in_use=taken)
            taken.append(path)

    def write(self, report: Report) -> tuple[Path, ...]:
        """Write the reports and return their paths. Raises ReportError naming those that cannot be written; the others are."""
        written, problems = [], []
        for form, path in self.asked_for:
            try:
                _write(path, _made(form, report))
                written.append(path)
            except ReportError as error:
                problems.append(str(error))
        if problems:
            raise ReportError("; ".join(problems))
        return tuple(written)


def _made(form: str, report: Report) -> str:
    """Return the report in a form. What a package's raises, or gives that is no text, is a ReportError."""
    if form in REPORTS.ours:
        return REPORTS[form](report)
    try:
        text = REPORTS[form](report)
    except Exception as error:
        raise ReportError(f"the report {form!r} cannot be made: {type(error).__name__}: {error}") from error
    if not isinstance(text, str):
        raise ReportError(f"the report {form!r} gave {type(text).__name__}, which is no text")
    return text


def _write(path: Path, text: str) -> None:
    try:
        write_outfile(path, text.encode())
    except OSError as error:
        raise ReportError(f"{path}: the report cannot be written ({error.strerror}); choose another place") from None
