"""The run notebook's door: its parameters, checked, and each of its steps as one call.

Rule: a notebook wires and explains; it computes nothing. What it prints is no command to the CI runner that shows papermill's log.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from goldenlib.cilogs import escaped_json, without_commands
from goldenlib.config.identity import new_run_id
from goldenlib.config.inuse import files_in_use
from goldenlib.config.parameters import GoldParameters, InvestigateParameters, Parameters, RunParameters, check_parameters
from goldenlib.config.settings import load_settings
from goldenlib.errors import GateFailed, RunConflictError, SettingsError, StoreError, TargetError
from goldenlib.files.loading import load_set
from goldenlib.files.outfiles import write_outfile
from goldenlib.files.shipped import enter_checkout, find, shipped
from goldenlib.gating.lines import plural
from goldenlib.golden_set import GoldenSet
from goldenlib.kernels import one_kernel, private_sockets
from goldenlib.reporting.files import ReportFiles
from goldenlib.reporting.gathering import stored_report
from goldenlib.reporting.report import Report
from goldenlib.running import RunOptions, evaluate
from goldenlib.storage import Store

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "GoldParameters",
    "InvestigateParameters",
    "RunNotebook",
    "RunParameters",
    "check_parameters",
    "execute_run_notebook",
    "parameters_of",
    "show_html",
    "store_of",
    "tell",
    "warehouse_of",
]
SHOP = "shop"
_RAISED = {kind.__name__: kind for kind in (RunConflictError, SettingsError, TargetError)}  # wrong use, by the notebook's words


class RunNotebook:
    """One execution of the run notebook. Each step of it is a method; what it shows is plain HTML that stays in the file."""

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        enter_checkout()
        self.parameters = check_parameters(namespace)
        self.settings, self.warnings = load_settings(self.parameters.config, self.parameters.overrides)
        self.reports = report_files(self.parameters)
        self._files = [find(part.strip()) for part in self.parameters.golden_set.split(",") if part.strip()]
        self.reports.check([*self._files, *files_in_use(self.settings, self.parameters.config or None)])
        self._golden_set: GoldenSet | None = None
        self._report: Report | None = None

    def load(self) -> GoldenSet:
        """Load the golden set and say what it holds. Raises InputError with every problem of it."""
        parameters = self.parameters
        selection = [part.strip() for part in parameters.select.split(",") if part.strip()]
        self._golden_set = load_set(self._files, select=selection, split=parameters.split or None, hold_out=True)
        unverified = len(self._golden_set.unverified)
        tell(f"{self._golden_set.name}: {plural(len(self._golden_set), 'item')}, {unverified} of them not verified by an expert")
        for warning in (*self.warnings, *self._golden_set.warnings):
            tell(f"warning: {warning}")
        return self._golden_set

    def run(self) -> Report:
        """Ask every item, score, store and decide, with progress as it goes; then write the report files."""
        from goldenlib.reporting.progress import RunProgress

        golden_set = self._golden_set if self._golden_set is not None else self.load()
        parameters = self.parameters
        options = RunOptions(parameters.run_id, parameters.resume, parameters.label, parameters.allow_unverified)
        with Store.open(self.settings.golden_store) as store, RunProgress(_notebook_console(), len(golden_set)) as progress:
            self._report = evaluate(golden_set, self.settings, store, options, progress.advance)
        for path in self.reports.write(self._report):
            tell(f"wrote {path}")
        return self._report

    @property
    def report(self) -> Report:
        """The report of the run. Raises SettingsError before there is one."""
        if self._report is None:
            raise SettingsError("there is no run yet; execute the cell with notebook.run() first")
        return self._report

    def show(self, part: str) -> None:
        """Show a part of the report: summary, results, regressions or trend."""
        from goldenlib.reporting.fragments import render_fragments

        show_html(render_fragments(self.report)[part])

    def gate(self) -> None:
        """Print the decision; raise GateFailed with all reasons when it is BLOCK or ERROR, so that papermill fails."""
        decision = self.report.decision
        for reason in decision.reasons:
            tell(f"- {reason}")
        if decision.exit_code:
            raise GateFailed(decision.line, decision.exit_code)
        tell(decision.line)


def parameters_of(
    files: Sequence[Path],
    options: RunOptions,
    *,
    config: Path | None,
    overrides: Mapping[str, Any],
    select: Sequence[str],
    split: str | None,
    reports: ReportFiles,
) -> RunParameters:
    """Return the parameters that do in the run notebook what was asked for on the command line."""
    return RunParameters(
        golden_set=",".join(str(path) for path in files),
        config=_text(config),
        run_id=options.run_id or new_run_id(),
        resume=options.resume,
        select=",".join(select),
        split=split or "",
        label=options.label,
        allow_unverified=options.allow_unverified,
        html=_text(reports.html),
        json_report=_text(reports.json),
        junit=_text(reports.junit),
        markdown=_text(reports.markdown),
        **overrides,
    )


def store_of(parameters: Parameters) -> str:
    """Return the store that a notebook looks into: the one it was given, else GOLDEN_STORE, else golden.db."""
    return load_settings(None, parameters.overrides, asks=False)[0].golden_store


def warehouse_of(parameters: Parameters) -> str:
    """Return the warehouse of a notebook: the one it was given, else GOLDEN_WAREHOUSE, else the shop."""
    return load_settings(None, parameters.overrides, asks=False)[0].warehouse or SHOP


def tell(line: str) -> None:
    """Print a line that a CI runner takes for no command when papermill shows it in its log."""
    print(without_commands(line))


def report_files(parameters: RunParameters) -> ReportFiles:
    """Return the report files that the parameters ask for."""
    paths = (parameters.html, parameters.json_report, parameters.junit, parameters.markdown)
    html, json, junit, markdown = (Path(path) if path else None for path in paths)
    return ReportFiles(html, json, junit, markdown)


def show_html(html: str) -> None:
    """Display HTML as it is. The data goes out by its type: IPython's display classes would open text that looks like a path."""
    from IPython.display import display  # only there inside a kernel

    display({"text/html": html, "text/plain": "(shown as HTML)"}, raw=True)  # type: ignore[no-untyped-call]  # IPython is untyped


def execute_run_notebook(output: Path, parameters: RunParameters) -> Report:
    """Execute the run notebook with papermill, keep it with its outputs at `output`, and return the report of its run.

    The notebook is complete up to its gate, which raises on BLOCK and ERROR. Whatever else it raises is raised here too, in
    a line: the run may not have come to a decision, or not to its reports.
    """
    papermill = _papermill()
    from traitlets.config import Config  # comes with papermill

    settings, _ = load_settings(parameters.config, parameters.overrides)
    try:
        with private_sockets() as sockets, tempfile.TemporaryFile() as kernel_log:
            papermill.execute_notebook(
                str(shipped("notebooks", "run.ipynb")),
                str(output),
                parameters=parameters.model_dump(exclude_defaults=True),
                progress_bar=False,
                log_output=False,
                cwd=None,
                config=Config({"KernelManager": one_kernel(sockets)}),
                kernel_manager_class=_kernel_manager(kernel_log),
            )
    except papermill.exceptions.PapermillExecutionError as error:
        if error.ename != GateFailed.__name__:
            kind = _RAISED.get(error.ename, StoreError)
            raise kind(f"the run notebook failed: {error.ename}: {error.evalue}; see {output}") from None
    except Exception as error:  # a kernel that died, an output that cannot be written: told as what it is, the run is not over
        raise StoreError(f"the run notebook failed: {type(error).__name__}: {error}") from error
    finally:
        _without_commands(output)
    with Store.open(settings.golden_store) as store:
        return stored_report(store, parameters.run_id or "")


def _without_commands(notebook: Path) -> None:
    """Have no command to a CI runner in a notebook's outputs, in the spelling of JSON: a job may print the file."""
    with suppress(OSError, UnicodeDecodeError):  # it may never have been written
        text = notebook.read_text(encoding="utf-8")
        if (escaped := escaped_json(text)) != text:
            write_outfile(notebook, escaped.encode())


def _kernel_manager(log: IO[bytes]) -> type:
    """Return papermill's manager of kernels, for one that logs into a file, and takes no module from the folder it works in.

    What Jupyter says of its sockets is nobody's error message; and a folder may hold somebody else's json.py.
    """
    from jupyter_client.manager import AsyncKernelManager  # comes with papermill

    class LoggingKernelManager(AsyncKernelManager):
        async def start_kernel(self, **options: Any) -> None:  # type: ignore[override]  # Jupyter's own is a wrapped coroutine function
            environment = {**(options.get("env") or os.environ), "PYTHONSAFEPATH": "1"}
            arguments = [*options.get("extra_arguments", ()), "--InteractiveShellApp.ignore_cwd=True"]
            await super().start_kernel(**options | {"stderr": log, "env": environment, "extra_arguments": arguments})

    return LoggingKernelManager


def _papermill() -> Any:
    # nbformat loads jsonschema, and that a grammar which takes most of two seconds to build and is used by no notebook
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # None makes the import fail, as it may
    try:
        import papermill
    except ImportError as error:
        raise SettingsError(f"notebooks need an extra: pip install 'goldenlib[notebooks]' ({error})") from None
    return papermill


def _notebook_console() -> Console:
    from rich.console import Console

    return Console(highlight=False, force_terminal=False, force_jupyter=False, width=120)


def _text(path: Path | None) -> str | None:
    return str(path) if path is not None else None
