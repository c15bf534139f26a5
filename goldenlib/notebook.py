"""The run notebook's door: its parameters, checked, and each of its steps as one call.

Rule: a notebook wires and explains; it computes nothing. A misspelt or mistyped parameter stops before anything is driven,
though papermill itself only warns about the one and guesses at the other.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from goldenlib.errors import GateFailed, RunConflictError, SettingsError, StoreError, TargetError
from goldenlib.history import stored_report
from goldenlib.items import GoldenSet
from goldenlib.kernels import one_kernel, private_sockets
from goldenlib.loading import load_set
from goldenlib.reporting.files import ReportFiles
from goldenlib.reporting.report import Report
from goldenlib.running import RunOptions, evaluate, new_run_id
from goldenlib.settings import SECRET_VARIABLES, Settings, load_settings, store_files
from goldenlib.shipped import enter_checkout, find, shipped
from goldenlib.storage import Store
from goldenlib.suggesting import did_you_mean

if TYPE_CHECKING:
    from rich.console import Console

INJECTED = "# Parameters"  # papermill begins the cell that it injects with this comment
_RAISED = {kind.__name__: kind for kind in (RunConflictError, SettingsError, TargetError)}  # wrong use, by the notebook's words
_LOOKS_SECRET = re.compile(r"(?i)token|secret|passw|api_?key|credential")


class RunParameters(BaseModel):
    """The parameters of the run notebook. None means: not given, so the environment, the file or the default decides."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    golden_set: str = Field("golden/example.yaml", description="file or folder; several separated by commas")
    config: str | None = Field(None, description="configuration file with a rag_quality: block")
    golden_store: str | None = Field(None, description="SQLite file or SQLAlchemy URL, never with a password")
    run_id: str | None = Field(None, description="id of this run; made when None")
    resume: bool = Field(False, description="go on with run_id: drive only what it has not scored")
    select: str = Field("", description="only items whose id, domain, tag or split matches; globs separated by commas")
    split: str = Field("", description="dev, test or all; where a set has both splits, dev when empty")
    label: str | None = Field(None, description="name of the target in the series; the host of its URL when None")
    allow_unverified: bool = Field(False, description="acknowledge that unverified items prove nothing")
    judge_url: str | None = Field(None, description="judge's base URL, or off")
    demo_degraded: bool | None = Field(None, description="run the demo chatbot with its documented loss of quality")
    golden_min_pass_rate: float | None = Field(None, description="BLOCK below this share of scored items")
    golden_pass_threshold: float | None = Field(None, description="least correctness for an item to pass")
    golden_min_scored_rate: float | None = Field(None, description="ERROR below this share of driven items scored")
    golden_concurrency: int | None = Field(None, description="calls at once, to chatbot and judge each")
    html: str | None = Field(None, description="write the report as one HTML file")
    json_report: str | None = Field(None, description="write the machine-readable report")
    junit: str | None = Field(None, description="write JUnit XML")
    markdown: str | None = Field(None, description="write a summary for a CI job or pull request")

    @field_validator("resume", "allow_unverified", "demo_degraded", mode="before")
    @classmethod
    def _flag(cls, value: object) -> object:
        """Read the texts true and false, as papermill's -p hands them over, as what they say."""
        if isinstance(value, str) and value.casefold() in ("true", "false"):
            return value.casefold() == "true"
        return value

    @field_validator("golden_min_pass_rate", "golden_pass_threshold", "golden_min_scored_rate", mode="before")
    @classmethod
    def _rate(cls, value: object) -> object:
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @classmethod
    def from_command_line(
        cls,
        *,
        files: Sequence[Path],
        config: Path | None,
        overrides: Mapping[str, Any],
        options: RunOptions,
        select: Sequence[str],
        split: str | None,
        reports: ReportFiles,
    ) -> Self:
        """Return the parameters that do in the notebook what was asked for on the command line."""
        return cls(
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

    @property
    def overrides(self) -> dict[str, Any]:
        """The parameters that are settings too. Rates are taken as they were written: 0.8 is four fifths."""
        values = {name: getattr(self, name) for name in type(self).model_fields if name in Settings.model_fields}
        return {name: Decimal(repr(value)) if isinstance(value, float) else value for name, value in values.items()}


def check_parameters(namespace: Mapping[str, Any]) -> RunParameters:
    """Return the run notebook's parameters out of its namespace.

    Raises SettingsError naming every parameter that is unknown, missing or of the wrong type, and what was allowed. What
    looks like a secret is refused without showing it.
    """
    known = RunParameters.model_fields
    problems = [_unknown(name) for name in injected_names(namespace) if name not in known]
    problems += [f"parameter {name}: was removed from the parameters cell; put it back" for name in known if name not in namespace]
    try:
        parameters = RunParameters.model_validate({name: namespace[name] for name in known if name in namespace})
    except ValidationError as error:
        problems += [_mistyped(str(detail["loc"][0]), detail["input"]) for detail in error.errors(include_url=False)]
    if problems:
        raise SettingsError("\n".join(problems))
    return parameters


def injected_names(namespace: Mapping[str, Any]) -> list[str]:
    """Return the names that papermill's injected cells assigned, from the kernel's record of the cells it ran."""
    names: list[str] = []
    for source in namespace.get("In", ()):
        if isinstance(source, str) and source.startswith(INJECTED):
            assigned = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
            names.extend(node.id for node in assigned)
    return list(dict.fromkeys(names))


class RunNotebook:
    """One execution of the run notebook. Each step of it is a method; what it shows is plain HTML that stays in the file."""

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        enter_checkout()
        self.parameters = check_parameters(namespace)
        self.settings, self.warnings = load_settings(self.parameters.config, self.parameters.overrides)
        self.reports = report_files(self.parameters)
        self._files = [find(part.strip()) for part in self.parameters.golden_set.split(",") if part.strip()]
        config = [Path(self.parameters.config)] if self.parameters.config else []
        self.reports.check([*self._files, *config, *store_files(self.settings.golden_store)])
        self._golden_set: GoldenSet | None = None
        self._report: Report | None = None

    def load(self) -> GoldenSet:
        """Load the golden set and say what it holds. Raises InputError with every problem of it."""
        parameters = self.parameters
        selection = [part.strip() for part in parameters.select.split(",") if part.strip()]
        self._golden_set = load_set(self._files, select=selection, split=parameters.split or None, hold_out=True)
        unverified = len(self._golden_set.unverified)
        print(f"{self._golden_set.name}: {len(self._golden_set)} items, {unverified} of them not verified by an expert")
        for warning in (*self.warnings, *self._golden_set.warnings):
            print(f"warning: {warning}")
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
            print(f"wrote {path}")
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
            print(f"- {reason}")
        if decision.exit_code:
            raise GateFailed(decision.line, decision.exit_code)
        print(decision.line)


def report_files(parameters: RunParameters) -> ReportFiles:
    """Return the report files that the parameters ask for."""
    paths = (parameters.html, parameters.json_report, parameters.junit, parameters.markdown)
    return ReportFiles(*(Path(path) if path else None for path in paths))


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
        with private_sockets() as sockets:
            papermill.execute_notebook(
                str(shipped("notebooks", "run.ipynb")),
                str(output),
                parameters=parameters.model_dump(exclude_defaults=True),
                progress_bar=False,
                log_output=False,
                cwd=None,
                config=Config({"KernelManager": one_kernel(sockets)}),
            )
    except papermill.exceptions.PapermillExecutionError as error:
        if error.ename != GateFailed.__name__:
            kind = _RAISED.get(error.ename, StoreError)
            raise kind(f"the run notebook failed: {error.ename}: {error.evalue}; see {output}") from None
    except Exception as error:  # a kernel that died, an output that cannot be written: told as what it is, the run is not over
        raise StoreError(f"the run notebook failed: {type(error).__name__}: {error}") from error
    with Store.open(settings.golden_store) as store:
        return stored_report(store, parameters.run_id or "")


def _papermill() -> Any:
    # nbformat loads jsonschema, and that a grammar which takes most of two seconds to build and is used by no notebook
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # None makes the import fail, as it may
    try:
        import papermill
    except ImportError as error:
        raise SettingsError(f"notebooks need an extra: pip install 'goldenlib[notebooks]' ({error})") from None
    return papermill


def _unknown(name: str) -> str:
    if _LOOKS_SECRET.search(name):
        variables = " and ".join(SECRET_VARIABLES.values())
        return (
            f"parameter {name}: secrets are no parameters, since papermill writes those into the output notebook in clear text;"
            f" delete that file, renew the secret, and use the environment ({variables})"
        )
    near = did_you_mean(name, RunParameters.model_fields)
    return f"unknown parameter {name}" + (f" (did you mean {near}?)" if near else f"; known are {', '.join(RunParameters.model_fields)}")


def _mistyped(name: str, value: object) -> str:
    wanted = str(RunParameters.model_fields[name].annotation).replace("<class '", "").replace("'>", "").replace(" | None", "")
    hint = ""
    if wanted == "str" and not isinstance(value, str):
        hint = "; papermill's -p turns 007 into a number, -r keeps it as text"
    return f"parameter {name}: {value!r} is of type {type(value).__name__}, expected {wanted}{hint}"


def _notebook_console() -> Console:
    from rich.console import Console

    return Console(highlight=False, force_terminal=False, force_jupyter=False, width=120)


def _text(path: Path | None) -> str | None:
    return str(path) if path is not None else None
