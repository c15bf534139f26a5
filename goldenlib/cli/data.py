"""The commands about data questions, whose answers are results of SQL: check, match, coverage."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from goldenlib.cilogs import json_text
from goldenlib.cli.ending import say
from goldenlib.cli.shell import Config, Files, Select, SplitName, command
from goldenlib.errors import SettingsError
from goldenlib.severity import Severity

WarehouseSource = Annotated[
    str | None,
    typer.Option(
        "--warehouse", metavar="SOURCE", help="DuckDB file, folder of CSV or Parquet files, shop, or SQLAlchemy URL.", show_default=False
    ),
]


@command
def check(
    files: Files,
    warehouse: WarehouseSource = None,
    config: Config = None,
    json: Annotated[bool, typer.Option("--json", help="Print the findings for machines.")] = False,
    select: Select = None,
    split: SplitName = None,
    code: Annotated[list[str] | None, typer.Option("--code", metavar="CODE", help="Only findings of this code; repeatable.")] = None,
    severity: Annotated[Severity, typer.Option("--severity", help="Only findings that are at least so bad.")] = Severity.NOTE,
    notes: Annotated[bool, typer.Option("--notes", help="Show each note, and not only how many there are.")] = False,
) -> int:
    """Check the golden SQL of data questions: that it runs, gives rows without NULL, agrees with its check query, and gives
    the same result every time.

    Exit code: 0 when all golds can score, 1 when one cannot, 2 when they could not be checked.

    Example: golden check golden/shop/questions.toml --warehouse shop
    """
    from goldenlib.config.settings import load_settings
    from goldenlib.files.loading import load_set
    from goldenlib.files.shipped import find

    settings, _ = load_settings(config, {"warehouse": warehouse}, asks=False)
    if settings.warehouse is None:
        raise SettingsError("golden check needs a warehouse: give --warehouse SOURCE, or --config FILE with 'warehouse:' under rag_quality")
    golden_set = load_set([find(path) for path in files], select=select or (), split=split)
    try:
        from goldenlib.cli.goldcheck import Wanted, run_check
    except ModuleNotFoundError as error:
        raise SettingsError(f"golden check needs an extra: pip install 'goldenlib[data]' ({error})") from None
    from goldenlib.warehouse import open_configured

    wanted = Wanted(tuple(code or ()), severity, notes)
    with open_configured(settings) as opened:
        text, exit_code = run_check(golden_set, opened, as_json=json, wanted=wanted)
    say(text)
    return exit_code


@command
def match(
    golden: Annotated[Path, typer.Argument(metavar="GOLD.csv", help="The golden result.", show_default=False)],
    answer: Annotated[Path, typer.Argument(metavar="ANSWER.csv", help="The result to compare with it.", show_default=False)],
    order_matters: Annotated[bool, typer.Option("--order-matters", help="Rows must come in the golden order.")] = False,
    tolerance: Annotated[float, typer.Option(help="Relative tolerance of numbers.")] = 0.0005,
    absolute: Annotated[float, typer.Option(help="Absolute slack of numbers.")] = 0.005,
    json: Annotated[bool, typer.Option("--json", help="Print the comparison for machines.")] = False,
) -> int:
    """Compare two results in CSV files: rows in any order, column names and order ignored, extra columns allowed, numbers within tolerance.

    Exit code: 0 when they match, 1 when not, 2 when they cannot be read, 3 when the comparison was given up undecided.

    Example: golden match gold.csv answer.csv --tolerance 0.001
    """
    try:
        from goldenlib.matching import read_csv_result, results_match
        from goldenlib.reporting.matches import EXIT_CODES, as_lines, as_plain
    except ModuleNotFoundError as error:
        raise SettingsError(f"golden match needs an extra: pip install 'goldenlib[data]' ({error})") from None

    rows, wanted = read_csv_result(answer), read_csv_result(golden)
    try:
        found = results_match(rows, wanted, order_matters, tolerance, absolute)
    except ValueError as error:
        raise SettingsError(str(error)) from None
    say(json_text(as_plain(found), default=str) if json else "\n".join(as_lines(found)))
    return EXIT_CODES[found.outcome]


@command
def coverage(
    files: Files,
    json: Annotated[bool, typer.Option("--json", help="Print the counts for machines.")] = False,
) -> int:
    """Count kinds, roles and traps by split, and name what a split lacks: traps, kinds, roles, and questions that appear in both splits.

    Exit code: 0 without gaps, 1 with gaps, 2 when the files cannot be used.

    Example: golden coverage golden/shop/questions.toml
    """
    from goldenlib.coverage import coverage_of
    from goldenlib.files.loading import load_set
    from goldenlib.files.shipped import find
    from goldenlib.reporting.coverage import coverage_as_text

    found = coverage_of(load_set([find(path) for path in files]))
    say(json_text(found.to_json()) if json else coverage_as_text(found))
    return 1 if found.gaps else 0
