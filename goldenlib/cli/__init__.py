"""The command line: `golden` and the alias `goldeneval`. A thin shell around the library.

Rule: exit codes are those of contract 6.7, and the last line states the decision. Imports that cost time stand inside the
commands that need them, so that `golden --help` is quick.
"""

from __future__ import annotations

import argparse
import gc
import sys
from pathlib import Path

import typer

from goldenlib.cli import data, investigating, runs, sets
from goldenlib.cli.demo import demo_serve
from goldenlib.cli.ending import run_to_end
from goldenlib.cli.shell import exit_code, refuse_empty

app = typer.Typer(
    name="golden",
    help="Golden questions for chatbots and data agents: ask, check, compare with earlier runs, and decide whether a release may ship.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
demo_app = typer.Typer(help="The embedded demo: a chatbot and a judge to play with.", no_args_is_help=True)

for function in (runs.run, runs.gate, runs.accept, runs.show, runs.runs, runs.rescore, sets.validate, sets.lint, sets.schema):
    app.command()(function)
app.command()(investigating.compare)
app.command()(investigating.ask)
app.command()(data.check)
app.command()(data.match)
app.command()(data.coverage)
app.command("import")(sets.import_set)
app.command("export")(sets.export_set)
app.add_typer(demo_app, name="demo")
demo_app.command("serve")(demo_serve)


def main() -> None:
    """Run the `golden` command."""
    _collect_seldom()
    run_to_end(_golden)


def _golden() -> None:
    refuse_empty(sys.argv[1:])
    app()


def goldeneval() -> None:
    """Run the alias of the seeds: goldeneval -set FILE -config FILE [-allow-unverified]."""
    _collect_seldom()
    run_to_end(_goldeneval)


def _collect_seldom() -> None:
    """Look for garbage seldom: sets, results and modules stay to the end of a command, and looking through them took a tenth of a run."""
    gc.set_threshold(50_000, 20, 20)


def _goldeneval() -> None:
    refuse_empty(sys.argv[1:])
    parser = argparse.ArgumentParser(prog="goldeneval", description="Alias of golden run, with the flags of the original guide.")
    parser.add_argument("-set", "--set", dest="files", action="append", required=True, type=Path, metavar="FILE", help="golden set file")
    parser.add_argument("-config", "--config", type=Path, metavar="FILE", help="configuration with a rag_quality: block")
    parser.add_argument("-allow-unverified", "--allow-unverified", action="store_true", help="acknowledge unverified items")
    given = parser.parse_args()

    from goldenlib.reporting.files import ReportFiles
    from goldenlib.running import RunOptions

    plan = runs.Plan(
        files=given.files,
        config=given.config,
        overrides={},
        options=RunOptions(allow_unverified=given.allow_unverified),
        select=(),
        split=None,
        reports=ReportFiles(),
    )
    sys.exit(exit_code(plan.run))
