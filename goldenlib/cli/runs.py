"""The commands about runs: run, gate, accept, show, runs, rescore."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from goldenlib.cli.ending import ERROR, interrupt_when_asked_to_end, say
from goldenlib.cli.shell import (
    LATEST,
    Config,
    Files,
    HtmlFile,
    JsonFile,
    JunitFile,
    MarkdownFile,
    OtherReports,
    Select,
    SplitName,
    StoreUrl,
    command,
    console,
    open_store,
    read_moment,
    report_files,
    stored_run,
    write_checked,
)
from goldenlib.errors import ReportError, RunConflictError, RunNotFoundError, StoreError

if TYPE_CHECKING:
    from goldenlib.config.identity import RunOptions
    from goldenlib.config.settings import Settings
    from goldenlib.golden_set import GoldenSet
    from goldenlib.reporting.files import ReportFiles


@command
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
    report: OtherReports = None,
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
    from goldenlib.config.identity import RunOptions

    if resume and run_id is None:
        raise typer.BadParameter("--resume needs --run-id: which run is to go on?")
    plan = Plan(
        files=files,
        config=config,
        overrides={"golden_store": store, "judge_url": judge, "golden_concurrency": concurrency, "demo_degraded": demo_degraded or None},
        options=RunOptions(run_id, resume, label, allow_unverified),
        select=tuple(select or ()),
        split=split,
        reports=report_files(html, json, junit, markdown, report),
    )
    return plan.run() if notebook is None else plan.run_notebook(notebook)


@command
def gate(
    run_id: Annotated[str, typer.Argument(metavar="RUN_ID|latest", help="The run to answer for.", show_default=False)],
    store: StoreUrl = None,
    config: Config = None,
    started_after: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="ERROR for a run that began earlier: ISO 8601 with its offset, or seconds since 1970.", show_default=False
        ),
    ] = None,
) -> int:
    """Answer with the stored decision of a run: for a pipeline that runs the notebook and gates in a step of its own.

    Exit code as of golden run. A run that is missing or did not finish is 3, and so is one that began before --started-after: its
    decision is about another attempt. A resumed run began when its first attempt did.

    Example: golden gate build-4711 --started-after 2026-11-29T08:14:00+07:00
    """
    earliest = read_moment("--started-after", started_after) if started_after is not None else None
    try:
        with open_store(config, store) as opened:
            run = stored_run(opened, run_id)
    except StoreError as error:
        say(f"ERROR: {' '.join(str(error).split())}")
        return ERROR
    if earliest is not None and run.run_at < earliest:
        began, wanted = run.run_at.isoformat(timespec="seconds"), earliest.isoformat(timespec="seconds")
        say(f"ERROR: run {run.run_id} began at {began}, before {wanted}: what it decided is about an earlier attempt or release")
        return ERROR
    for reason in run.reasons:
        say(f"- {reason}")
    if run.decision_line is None or run.exit_code is None:
        say(f"ERROR: run {run.run_id} did not finish, so nothing was decided")
        return ERROR
    say(run.decision_line)
    return run.exit_code


@command
def accept(
    run_id: Annotated[str, typer.Argument(metavar="RUN_ID", help="A finished run in which the item failed.", show_default=False)],
    item: Annotated[str, typer.Argument(metavar="ITEM", help="The item that is let stand.", show_default=False)],
    by: Annotated[str, typer.Option(help="Who lets it stand.", show_default=False)],
    reason: Annotated[str, typer.Option(help="Why it may stand.", show_default=False)],
    store: StoreUrl = None,
    config: Config = None,
) -> int:
    """Let a regression stand, with name and reason: it does not block again until the item has passed once more.

    What was decided of the run stays decided; the next run counts it. Recorded for good, and shown in every report from then on.
    """
    from goldenlib.storage.accepting import accept as record

    with open_store(config, store, to_write=True) as opened:
        kept = record(opened, run_id, item, by=by, reason=reason)
    say(f"accepted: {kept.by} lets '{kept.item_id}' fail, as in run {kept.run_id}, until it next passes: {kept.reason}")
    return 0


@command
def show(
    run_id: Annotated[str, typer.Argument(metavar="[RUN_ID|latest]", help="The run to show.")] = LATEST,
    store: StoreUrl = None,
    config: Config = None,
    json: JsonFile = None,
    html: HtmlFile = None,
    junit: JunitFile = None,
    markdown: MarkdownFile = None,
    report: OtherReports = None,
) -> int:
    """Show the report of a stored run, or write it to files. Nothing is asked or decided anew."""
    from goldenlib.reporting.gathering import stored_report
    from goldenlib.reporting.terminal import print_report

    files = report_files(html, json, junit, markdown, report)
    with open_store(config, store, files) as opened:
        shown = stored_report(opened, stored_run(opened, run_id).run_id)
    print_report(shown, console(), files.write(shown))
    return 0


@command
def runs(
    store: StoreUrl = None,
    config: Config = None,
    limit: Annotated[int, typer.Option(min=1, help="How many to list.")] = 20,
    series: Annotated[str | None, typer.Option(help="Only runs of this series.", show_default=False)] = None,
) -> int:
    """List stored runs, newest first."""
    from goldenlib.reporting.runlists import print_runs

    with open_store(config, store) as opened:
        found = opened.runs(limit=limit + 1, series=series)
    print_runs(found[:limit], console())
    if len(found) > limit:
        say(f"... and older ones; --limit shows more than {limit}")
    return 0


@command
def rescore(
    run_id: Annotated[str, typer.Argument(metavar="RUN_ID|latest", help="The run whose answers are scored again.", show_default=False)],
    files: Annotated[list[Path], typer.Option("--set", metavar="FILE", help="Golden set file or folder; repeatable.", show_default=False)],
    store: StoreUrl = None,
    config: Config = None,
    json: JsonFile = None,
) -> int:
    """Score stored answers under today's contracts: which items of an edited set would get another verdict?

    Nothing is driven, judged or stored. Phrases are searched anew; the judge's stored verdicts stand as they were given. Data questions
    are scored again on the warehouse of --config.
    """
    from goldenlib.comparing import rescoring
    from goldenlib.config.settings import load_settings
    from goldenlib.files.loading import load_set
    from goldenlib.files.shipped import find
    from goldenlib.reporting.files import ReportFiles
    from goldenlib.reporting.runlists import print_rescored

    paths = [find(path) for path in files]
    written = ReportFiles(json=json)
    written.check(paths)
    golden_set = load_set(paths)
    with open_store(config, store, written) as opened:
        settings, _ = load_settings(config, asks=False)
        rescored = rescoring.rescore(opened, stored_run(opened, run_id).run_id, golden_set, settings)
    if json is not None:
        write_checked(json, rescoring.as_json(rescored))
    print_rescored(rescored, console())
    return 0


@contextmanager
def _named(run_id: str | None, *, made: bool) -> Iterator[None]:
    """Say which run it is before anybody is asked, if its id was made, and when it is interrupted: whoever goes on needs the id."""
    if made:
        say(f"run {run_id}")
    try:
        yield
    except KeyboardInterrupt:
        told = f"interrupted; what was scored is kept, go on with the same command and --run-id {run_id} --resume"
        raise KeyboardInterrupt(told) from None


class Plan:
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
        settings, golden_set = self._prepare()
        # Once the set is loaded: these take the room that its reading has left.
        from goldenlib.config.identity import new_run_id
        from goldenlib.reporting.progress import RunProgress
        from goldenlib.reporting.terminal import print_report
        from goldenlib.running import evaluate, failed_report
        from goldenlib.storage import Store

        options = replace(self.options, run_id=self.options.run_id or new_run_id())  # one id, also for the report of a failure
        terminal = console()
        interrupt_when_asked_to_end()
        try:
            with (
                _named(options.run_id, made=self.options.run_id is None),
                Store.open(settings.golden_store) as store,
                RunProgress(terminal, len(golden_set)) as progress,
            ):
                report = evaluate(golden_set, settings, store, options, progress.advance)
        except RunConflictError:
            raise
        except RunNotFoundError as error:
            raise RunConflictError(f"{error}; leave --resume out to start a run of that id") from None
        except StoreError as error:
            report = failed_report(golden_set, settings, options, str(error))
        try:
            print_report(report, terminal, self.reports.write(report))
        except ReportError as error:  # what follows would go on without it, or with an old one: never green
            print_report(report, terminal)
            say(f"ERROR: {error}; the run itself was decided {report.decision.outcome}")
            return ERROR
        return report.decision.exit_code

    def run_notebook(self, output: Path) -> int:
        from goldenlib.notebook import execute_run_notebook, parameters_of
        from goldenlib.reporting.files import ReportFiles
        from goldenlib.reporting.terminal import print_report

        self._prepare(output)
        interrupt_when_asked_to_end()
        parameters = parameters_of(
            self.files,
            self.options,
            config=self.config,
            overrides=self.overrides,
            select=self.select,
            split=self.split,
            reports=self.reports,
        )
        with _named(parameters.run_id, made=self.options.run_id is None):
            report = execute_run_notebook(output, parameters)
            ReportFiles(others=self.reports.others).write(report)
        print_report(report, console(), (*self.reports.paths, output))
        return report.decision.exit_code

    def _prepare(self, notebook: Path | None = None) -> tuple[Settings, GoldenSet]:
        """Check all that can be checked before anything is driven; `notebook` is the output notebook, where there is one."""
        from goldenlib.config.inuse import files_in_use
        from goldenlib.config.settings import load_settings
        from goldenlib.files.loading import load_set
        from goldenlib.files.outfiles import check_outfile
        from goldenlib.files.shipped import find, shipped

        settings, warnings = load_settings(self.config, self.overrides)
        files = [find(path) for path in self.files]
        used = [*files, *files_in_use(settings, self.config)]
        if notebook is not None:
            check_outfile(notebook, in_use=[*used, shipped("notebooks", "run.ipynb")], only_regular=True)
            used.append(notebook)
        self.reports.check(used)
        for warning in warnings:
            print(f"warning: {warning}", file=sys.stderr)
        return settings, load_set(files, select=self.select, split=self.split, hold_out=True)
