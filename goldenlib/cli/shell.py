"""What the commands share: options, the way errors are told, the console, the store that they look into."""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ParamSpec

import typer

from goldenlib.cli.ending import ERROR, INTERRUPTED, end_in_peace
from goldenlib.errors import GoldenError, InputError, ReportError, RunConflictError, SettingsError, StoreError

if TYPE_CHECKING:
    from rich.console import Console

    from goldenlib.answers import RunRecord
    from goldenlib.reporting.files import ReportFiles
    from goldenlib.storage import Store

WRONG_USE = 2
LATEST = "latest"
LOG_WIDTH = 160

Files = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help="Golden set files (YAML, JSON, TOML) or folders of them.", show_default=False)
]
Config = Annotated[Path | None, typer.Option(help="Configuration file with a rag_quality: block.", show_default=False)]
StoreUrl = Annotated[
    str | None, typer.Option("--store", metavar="URL", help="SQLite file or SQLAlchemy URL. [default: golden.db here]", show_default=False)
]
Select = Annotated[
    list[str] | None,
    typer.Option("--select", metavar="GLOB", help="Only items whose id, domain, tag or split matches; repeatable.", show_default=False),
]
SplitName = Annotated[
    str | None,
    typer.Option(
        "--split", metavar="NAME", help="dev, test or all. A run of a set with both takes dev, other commands all.", show_default=False
    ),
]
JsonFile = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the machine-readable report.", show_default=False)]
HtmlFile = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write the report as one HTML file.", show_default=False)]
JunitFile = Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML.", show_default=False)]
MarkdownFile = Annotated[
    Path | None, typer.Option("--markdown", metavar="FILE", help="Write a summary for a CI job or pull request.", show_default=False)
]

OtherReports = Annotated[
    list[str] | None,
    typer.Option(
        "--report", metavar="FORM=FILE", help="Write the report in a form of an installed package; repeatable.", show_default=False
    ),
]

P = ParamSpec("P")


def command(function: Callable[P, int | None]) -> Callable[P, None]:
    """Make a command of a function that returns an exit code: errors are told on standard error, not as a traceback."""

    @functools.wraps(function)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        raise typer.Exit(exit_code(functools.partial(function, *args, **kwargs)))

    return guarded


def exit_code(function: Callable[[], int | None]) -> int:
    try:
        return function() or 0
    except KeyboardInterrupt as interrupt:
        end_in_peace()
        print(str(interrupt) or "interrupted", file=sys.stderr)
        return INTERRUPTED
    except GoldenError as error:
        print(error, file=sys.stderr)
        broken = isinstance(error, StoreError | ReportError) and not isinstance(error, RunConflictError)
        if isinstance(error, InputError):
            print(f"{len(error.problems)} problem{'s' if len(error.problems) != 1 else ''} found; nothing was done", file=sys.stderr)
        return ERROR if broken else WRONG_USE


def refuse_empty(words: Sequence[str]) -> None:
    """End the process with 2 when a word of the command line is empty, as that of a variable is which is not set.

    An empty FILE would be the working folder, and an empty --config none.
    """
    for number, word in enumerate(words):
        name, equals, value = word.partition("=")
        if not word.strip() or (name.startswith("-") and equals and not value.strip()):
            before = word if equals else f"the word after '{words[number - 1]}'" if number else "the first word"
            print(f"{before} is empty: is a variable not set? Give it a value, or leave it out", file=sys.stderr)
            sys.exit(WRONG_USE)


def open_store(config: Path | None, url: str | None, written: ReportFiles | None = None, *, to_write: bool = False) -> Store:
    """Open the store that a command looks into, and check that what it writes does not take the place of that."""
    from goldenlib.config.inuse import files_in_use
    from goldenlib.config.settings import load_settings
    from goldenlib.storage import Store

    settings, _ = load_settings(config, {"golden_store": url}, asks=False)
    if written is not None:
        written.check(files_in_use(settings, config))
    return Store.open_existing(settings.golden_store, to_write=to_write)


def report_files(
    html: Path | None, json: Path | None, junit: Path | None, markdown: Path | None, others: Sequence[str] | None
) -> ReportFiles:
    """Return the files that the options of a command ask for."""
    from goldenlib.reporting.files import ReportFiles

    pairs = [other.partition("=") for other in others or ()]
    for form, _, path in pairs:
        if not form or not path:
            raise SettingsError(f"--report {form or path}: name the form and the file, as in --report html=report.html")
    return ReportFiles(html, json, junit, markdown, tuple((form, Path(path)) for form, _, path in pairs))


def write_checked(path: Path, text: str, *, in_use: Sequence[Path] = ()) -> None:
    """Write what a command was asked to write, not in the place of what it reads."""
    from goldenlib.files.outfiles import check_outfile, write_outfile

    check_outfile(path, in_use=in_use)
    try:
        write_outfile(path, text.encode())
    except OSError as error:
        raise ReportError(f"{path}: cannot be written ({error.strerror}); choose another place") from None


_SECONDS = re.compile(r"[0-9]{10}(\.[0-9]{1,9})?")  # from 2001 to 2286: 20261129 is a day and no number of seconds


def read_moment(option: str, text: str) -> datetime:
    """Return the time that an option names: ISO 8601 with its offset, or seconds since 1970 as `date +%s` prints them."""
    text = text.strip()
    if _SECONDS.fullmatch(text):
        return datetime.fromtimestamp(float(text), UTC)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        why = "is no time" if moment is None else "has no offset, so that nobody knows which hour is meant"
        raise SettingsError(f"{option} {text!r}: {why}; write it as 2026-11-29T08:14:00+07:00 or ...Z, or as seconds since 1970 (date +%s)")
    return moment


def stored_run(store: Store, run_id: str) -> RunRecord:
    return store.latest_run() if run_id == LATEST else store.run(run_id)


def console() -> Console:
    from goldenlib.reporting.terminal import PatientConsole

    # A pipe or a log has no width: tables there are not squeezed into the 80 columns that terminals begin with.
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else LOG_WIDTH
    return PatientConsole(highlight=False, width=width)
