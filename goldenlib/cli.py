"""The command line: `golden` and the alias `goldeneval`. A thin shell around the library.

Rule: exit codes are those of contract 6.7, and the last line states the decision. Imports that cost time stand inside the
commands that need them, so that `golden --help` is quick.
"""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec

import typer

from goldenlib.ending import INTERRUPTED, end_in_peace, finish_output, interrupt_when_asked_to_end, say, speak_to_any_terminal
from goldenlib.errors import GoldenError, InputError, ReportError, RunConflictError, RunNotFoundError, StoreError

if TYPE_CHECKING:
    from rich.console import Console

    from goldenlib.answers import RunRecord
    from goldenlib.items import GoldenSet
    from goldenlib.reporting.files import ReportFiles
    from goldenlib.running import RunOptions
    from goldenlib.settings import Settings
    from goldenlib.storage import Store

WRONG_USE, ERROR = 2, 3
LATEST = "latest"

app = typer.Typer(
    name="golden",
    help="Golden questions for chatbots: ask, check, compare with earlier runs, and decide whether a release may ship.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
demo_app = typer.Typer(help="The embedded demo: a chatbot and a judge to play with.", no_args_is_help=True)
app.add_typer(demo_app, name="demo")

P = ParamSpec("P")


def _command(function: Callable[P, int | None]) -> Callable[P, None]:
    """Make a command of a function that returns an exit code: errors are told on standard error, not as a traceback."""

    @functools.wraps(function)
    def command(*args: P.args, **kwargs: P.kwargs) -> None:
        raise typer.Exit(_exit_code(functools.partial(function, *args, **kwargs)))

    return command


def _exit_code(function: Callable[[], int | None]) -> int:
    speak_to_any_terminal()
    try:
        return function() or 0
    except KeyboardInterrupt:
        end_in_peace()
        print("interrupted; what was scored is kept, go on with --run-id and --resume", file=sys.stderr)
        return INTERRUPTED
    except (StoreError, GoldenError) as error:
        print(error, file=sys.stderr)
        broken = isinstance(error, StoreError) and not isinstance(error, RunConflictError)
        if isinstance(error, InputError):
            print(f"{len(error.problems)} problem{'s' if len(error.problems) != 1 else ''} found; nothing was driven", file=sys.stderr)
        return ERROR if broken else WRONG_USE
    finally:
        finish_output()


Files = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help="Golden set files (YAML, JSON) or folders of them.", show_default=False)
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
    str | None, typer.Option("--split", metavar="NAME", help="Only items of this split: dev or test.", show_default=False)
]
JsonFile = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the machine-readable report.", show_default=False)]
HtmlFile = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write the report as one HTML file.", show_default=False)]
JunitFile = Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML.", show_default=False)]
MarkdownFile = Annotated[
    Path | None, typer.Option("--markdown", metavar="FILE", help="Write a summary for a CI job or pull request.", show_default=False)
]


@app.command()
@_command
def run(
    files: Files,
    config: Config = None,
    store: StoreUrl = None,
    run_id: Annotated[str | None, typer.Option(help="Id of this run; made when not given.", show_default=False)] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with --run-id: drive only what it has not scored.")] = False,
    select: Select = None,
    split: SplitName = None,
    judge: Annotated[
        str | None, typer.Option(metavar="URL|off", help="Judge's base URL, or off: fact gate alone.", show_default=False)
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(help="Calls at once, to chatbot and judge each. [default: 16]", show_default=False)
    ] = None,
    allow_unverified: Annotated[bool, typer.Option("--allow-unverified", help="Acknowledge that unverified items prove nothing.")] = False,
    label: Annotated[
        str | None, typer.Option(help="Name of the target in the series. [default: host of its URL]", show_default=False)
    ] = None,
    demo_degraded: Annotated[
        bool, typer.Option("--demo-degraded", help="Run the demo chatbot with its documented loss of quality.")
    ] = False,
    json: JsonFile = None,
    html: HtmlFile = None,
    junit: JunitFile = None,
    markdown: MarkdownFile = None,
    notebook: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Run the run notebook instead, and keep it with its outputs here.", show_default=False),
    ] = None,
) -> int:
    """Ask every question, check the answers, store them, compare, and decide.

    Without --config it runs the embedded demo chatbot and judge. Exit code: 0 PASS, 1 BLOCK, 2 wrong use or input,
    3 ERROR, 130 interrupted (what was scored is kept; go on with --resume). The last line states the decision.

    Example: golden run golden/example.yaml --allow-unverified --html report.html
    """
    from goldenlib.reporting.files import ReportFiles
    from goldenlib.running import RunOptions

    if resume and run_id is None:
        raise typer.BadParameter("--resume needs --run-id: which run is to go on?")
    plan = _Plan(
        files=files,
        config=config,
        overrides={"golden_store": store, "judge_url": judge, "golden_concurrency": concurrency, "demo_degraded": demo_degraded or None},
        options=RunOptions(run_id, resume, label, allow_unverified),
        select=tuple(select or ()),
        split=split,
        reports=ReportFiles(html=html, json=json, junit=junit, markdown=markdown),
    )
    return plan.run() if notebook is None else plan.run_notebook(notebook)


@app.command()
@_command
def gate(
    run_id: Annotated[str, typer.Argument(metavar="RUN_ID|latest", help="The run to answer for.", show_default=False)],
    store: StoreUrl = None,
    config: Config = None,
) -> int:
    """Answer with the stored decision of a run: for a pipeline that runs the notebook and gates in a step of its own.

    Exit code as of golden run. A run that is missing or did not finish is 3.
    """
    with _open_store(config, store) as opened:
        run = _stored_run(opened, run_id)
        for reason in run.reasons:
            say(f"- {reason}")
        if run.decision_line is None or run.exit_code is None:
            say(f"ERROR: run {run.run_id} did not finish, so nothing was decided")
            return ERROR
        say(run.decision_line)
        return run.exit_code


@app.command()
@_command
def show(
    run_id: Annotated[str, typer.Argument(metavar="[RUN_ID|latest]", help="The run to show.")] = LATEST,
    store: StoreUrl = None,
    config: Config = None,
    json: JsonFile = None,
    html: HtmlFile = None,
    junit: JunitFile = None,
    markdown: MarkdownFile = None,
) -> int:
    """Show the report of a stored run, or write it to files. Nothing is asked or decided anew."""
    from goldenlib.history import stored_report
    from goldenlib.reporting.files import ReportFiles
    from goldenlib.reporting.terminal import print_report

    with _open_store(config, store) as opened:
        report = stored_report(opened, _stored_run(opened, run_id).run_id)
    print_report(report, _console(), ReportFiles(html=html, json=json, junit=junit, markdown=markdown).write(report))
    return 0


@app.command()
@_command
def runs(
    store: StoreUrl = None,
    config: Config = None,
    limit: Annotated[int, typer.Option(min=1, help="How many to list.")] = 20,
    series: Annotated[str | None, typer.Option(help="Only runs of this series.", show_default=False)] = None,
) -> int:
    """List stored runs, newest first."""
    from goldenlib.reporting.listing import print_runs

    with _open_store(config, store) as opened:
        print_runs(opened.runs(limit=limit, series=series), _console())
    return 0


@app.command()
@_command
def rescore(
    run_id: Annotated[str, typer.Argument(metavar="RUN_ID|latest", help="The run whose answers are scored again.", show_default=False)],
    files: Annotated[list[Path], typer.Option("--set", metavar="FILE", help="Golden set file or folder; repeatable.", show_default=False)],
    store: StoreUrl = None,
    config: Config = None,
    json: JsonFile = None,
) -> int:
    """Score stored answers under today's contracts: what would an edited golden set have decided?

    Nothing is driven, judged or stored. Phrases are searched anew; the judge's stored verdicts stand as they were given.
    """
    from goldenlib.loading import load_set
    from goldenlib.reporting.listing import print_rescored
    from goldenlib.rescoring import as_json, rescore_run
    from goldenlib.shipped import find

    golden_set = load_set([find(path) for path in files])
    with _open_store(config, store) as opened:
        rescored = rescore_run(opened, _stored_run(opened, run_id).run_id, golden_set)
    if json is not None:
        json.write_text(as_json(rescored), encoding="utf-8")
    print_rescored(rescored, _console())
    return 0


@app.command()
@_command
def validate(files: Files, select: Select = None, split: SplitName = None) -> int:
    """Check golden set files and say everything that is wrong with them, with file, line and column.

    Exit code: 0 when they can be run, 2 when not.
    """
    from goldenlib.loading import load_set
    from goldenlib.shipped import find

    golden_set = load_set([find(path) for path in files], select=select or (), split=split)
    verified = len(golden_set) - len(golden_set.unverified)
    for item in golden_set:
        if item.changed_note:
            say(f"item '{item.id}': {item.changed_note}")
    for warning in golden_set.warnings:
        say(f"warning: {warning}")
    say(f"{golden_set.name}: {len(golden_set)} items, {verified} verified by an expert, digest {golden_set.digest[:12]}")
    return 0


@app.command()
@_command
def schema(
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it here.", show_default=False)] = None,
) -> int:
    """Print the JSON Schema of golden set files, with which editors complete and check them."""
    import json

    from goldenlib.schema import item_file_schema

    text = json.dumps(item_file_schema(), indent=2, ensure_ascii=False) + "\n"
    if output is None:
        say(text.rstrip("\n"))
    else:
        output.write_text(text, encoding="utf-8")
    return 0


@demo_app.command("serve")
@_command
def demo_serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the chatbot; 0 takes a free one.")] = 8765,
    judge_port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the judge; 0 takes a free one.")] = 8766,
    degraded: Annotated[bool, typer.Option("--degraded", help="One page outdated, passages cut: real regressions to look at.")] = False,
    delay: Annotated[float, typer.Option(min=0, max=60, help="Seconds before each piece of an answer, as if typed.")] = 0.05,
) -> int:
    """Serve the demo chatbot and the demo judge on the loopback interface, until Ctrl-C."""
    from goldenlib.demo.serving import serve_until_interrupted

    serve_until_interrupted(port=port, judge_port=judge_port, degraded=degraded, delay_s=delay, say=say)
    return 0


class _Plan:
    """One `golden run`: what was asked for on the command line, put to work."""

    def __init__(
        self,
        *,
        files: Sequence[Path],
        config: Path | None,
        overrides: dict[str, Any],
        options: RunOptions,
        select: Sequence[str],
        split: str | None,
        reports: ReportFiles,
    ) -> None:
        self.files = files
        self.config = config
        self.overrides = overrides
        self.options = options
        self.select = select
        self.split = split
        self.reports = reports

    def run(self) -> int:
        from goldenlib.reporting.progress import RunProgress
        from goldenlib.reporting.terminal import print_report
        from goldenlib.running import evaluate, failed_report
        from goldenlib.storage import Store

        settings, golden_set = self._prepare()
        console = _console()
        interrupt_when_asked_to_end()
        try:
            with Store.open(settings.golden_store) as store, RunProgress(console, len(golden_set)) as progress:
                report = evaluate(golden_set, settings, store, self.options, progress.advance)
        except RunConflictError:
            raise
        except RunNotFoundError as error:
            raise RunConflictError(f"{error}; leave --resume out to start a run of that id") from None
        except StoreError as error:
            report = failed_report(golden_set, settings, self.options, str(error))
        try:
            print_report(report, console, self.reports.write(report))
        except ReportError as error:  # what follows would go on without it, or with an old one: never green
            print_report(report, console)
            say(f"ERROR: {error}; the run itself was decided {report.decision.outcome}")
            return ERROR
        return report.decision.exit_code

    def run_notebook(self, output: Path) -> int:
        from goldenlib.notebook import RunParameters, execute_run_notebook
        from goldenlib.reporting.terminal import print_report

        self._prepare()
        interrupt_when_asked_to_end()
        parameters = RunParameters.from_command_line(
            files=self.files,
            config=self.config,
            overrides=self.overrides,
            options=self.options,
            select=self.select,
            split=self.split,
            reports=self.reports,
        )
        report = execute_run_notebook(output, parameters)
        print_report(report, _console(), (*self.reports.paths, output))
        return report.decision.exit_code

    def _prepare(self) -> tuple[Settings, GoldenSet]:
        """Check all that can be checked before anything is driven."""
        from goldenlib.loading import load_set
        from goldenlib.settings import load_settings
        from goldenlib.shipped import find

        self.reports.check()
        settings, warnings = load_settings(self.config, self.overrides)
        for warning in warnings:
            print(f"warning: {warning}", file=sys.stderr)
        return settings, load_set([find(path) for path in self.files], select=self.select, split=self.split)


def _open_store(config: Path | None, url: str | None) -> Store:
    from goldenlib.settings import load_settings
    from goldenlib.storage import Store

    settings, _ = load_settings(config, {"golden_store": url})
    return Store.open_existing(settings.golden_store)


def _stored_run(store: Store, run_id: str) -> RunRecord:
    return store.latest_run() if run_id == LATEST else store.run(run_id)


def _console() -> Console:
    from goldenlib.reporting.terminal import PatientConsole

    return PatientConsole(highlight=False)


def main() -> None:
    """Run the `golden` command."""
    app()


def goldeneval() -> None:
    """Run the alias of the seeds: goldeneval -set FILE -config FILE [-allow-unverified]."""
    parser = argparse.ArgumentParser(prog="goldeneval", description="Alias of golden run, with the flags of the original guide.")
    parser.add_argument("-set", "--set", dest="files", action="append", required=True, type=Path, metavar="FILE", help="golden set file")
    parser.add_argument("-config", "--config", type=Path, metavar="FILE", help="configuration with a rag_quality: block")
    parser.add_argument("-allow-unverified", "--allow-unverified", action="store_true", help="acknowledge unverified items")
    given = parser.parse_args()

    from goldenlib.reporting.files import ReportFiles
    from goldenlib.running import RunOptions

    plan = _Plan(
        files=given.files,
        config=given.config,
        overrides={},
        options=RunOptions(allow_unverified=given.allow_unverified),
        select=(),
        split=None,
        reports=ReportFiles(),
    )
    sys.exit(_exit_code(plan.run))
