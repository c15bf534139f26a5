"""The commands about golden sets: validate, lint, schema, import, export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from goldenlib.cli.ending import say
from goldenlib.cli.shell import Files, Select, SplitName, StoreUrl, command, write_checked
from goldenlib.errors import SettingsError
from goldenlib.gating.lines import plural


@command
def validate(files: Files, select: Select = None, split: SplitName = None) -> int:
    """Check golden set files and say everything that is wrong with them, with file, line and column.

    Exit code: 0 when they can be run, 2 when not.
    """
    from goldenlib.files.loading import load_set
    from goldenlib.files.shipped import find

    golden_set = load_set([find(path) for path in files], select=select or (), split=split)
    verified = len(golden_set) - len(golden_set.unverified)
    for item in golden_set:
        if item.changed_note:
            say(f"item '{item.id}': {item.changed_note}")
    for warning in golden_set.warnings:
        say(f"warning: {warning}")
    say(f"{golden_set.name}: {plural(len(golden_set), 'item')}, {verified} verified by an expert, digest {golden_set.digest[:12]}")
    return 0


@command
def schema(
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it here.", show_default=False)] = None,
) -> int:
    """Print the JSON Schema of golden set files, with which editors complete and check them."""
    import json

    from goldenlib.files.schema import item_file_schema

    text = json.dumps(item_file_schema(), indent=2, ensure_ascii=False) + "\n"
    if output is None:
        say(text.rstrip("\n"))
    else:
        write_checked(output, text)
    return 0


@command
def lint(
    files: Files,
    json: Annotated[bool, typer.Option("--json", help="Print the findings for machines.")] = False,
    language: Annotated[str, typer.Option(help="Language of the findings: en or id (Indonesian).")] = "en",
    store: StoreUrl = None,
) -> int:
    """Warn of what will misfire in the contracts: phrases inside other words or their own denial, contradictions, weak items.

    With --store, stored answers are evidence too. Exit code: 0 without errors, 1 when an item can never pass or never fail.

    Example: golden lint golden/example.yaml --language id
    """
    from goldenlib.cli.lint import run_lint
    from goldenlib.files.shipped import find
    from goldenlib.languages import Language
    from goldenlib.storage import Store

    if language not in list(Language):
        raise SettingsError(f"--language {language!r}: take one of {', '.join(Language)}")
    paths = [find(path) for path in files]
    if store is None:
        text, code = run_lint(paths, as_json=json, language=Language(language))
    else:
        with Store.open_existing(store) as opened:
            text, code = run_lint(paths, as_json=json, language=Language(language), store=opened)
    say(text.rstrip("\n"))
    return code


@command
def import_set(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="Spreadsheet, or another tool's file.", show_default=False)],
    target: Annotated[Path | None, typer.Argument(metavar="[TARGET]", help="YAML file to write; printed when left out.")] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", help="csv, xlsx, promptfoo, deepeval, ragas or json. [default: by the file's name]", show_default=False),
    ] = None,
    sheet: Annotated[str | None, typer.Option(help="Sheet of the workbook, where it has several.", show_default=False)] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FIELD", help="What a column holds; NAME= leaves it out. Repeatable.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace TARGET if it exists.")] = False,
) -> int:
    """Make a golden set of a spreadsheet, or of another tool's questions. Nothing is guessed; what is not understood is named.

    Example: golden import questions.xlsx golden/new.yaml --column "Jawaban=answer"
    """
    from goldenlib.cli.exchanging import run_import

    columns = {}
    for given in column or ():
        name, separator, field = given.rpartition("=")
        if not separator or not name:
            raise SettingsError(f"--column {given!r}: write it as NAME=FIELD, such as 'Jawaban=answer', or NAME= to leave the column out")
        columns[name] = field
    text, code = run_import(source, target, format=form, sheet=sheet, columns=columns, force=force)
    say(text.rstrip("\n"))
    return code


@command
def export_set(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE... TARGET", help="Golden set files, then the file to write.", show_default=False)
    ],
    form: Annotated[
        str | None, typer.Option("--format", help="csv, xlsx or promptfoo. [default: by the name of TARGET]", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace TARGET if it exists.")] = False,
) -> int:
    """Write golden sets to a spreadsheet or a promptfoo configuration. What the form cannot carry is named.

    Example: golden export golden/example.yaml example.xlsx
    """
    from goldenlib.cli.exchanging import run_export
    from goldenlib.files.shipped import find

    if len(files) < 2:
        raise SettingsError("golden export needs golden set files and, last, the file to write")
    text, code = run_export([find(path) for path in files[:-1]], files[-1], format=form, force=force)
    say(text.rstrip("\n"))
    return code
