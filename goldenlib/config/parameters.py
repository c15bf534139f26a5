"""The parameters of the notebooks, checked: names, types, no secrets, and that what was given is what is in force.

Rule: a misspelt, mistyped or overwritten parameter stops before anything is asked or read, though papermill itself only warns about the
first, guesses at the second, and does not look for the third.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, ClassVar, TypeVar, overload

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from goldenlib.config.settings import SECRET_VARIABLES, Settings
from goldenlib.errors import SettingsError
from goldenlib.files.suggesting import did_you_mean

INJECTED = "# Parameters"  # papermill begins the cell that it injects with this comment
_LOOKS_SECRET = re.compile(r"(?i)token|secret|passw|api_?key|credential")
_SHOWN = 80


class Parameters(BaseModel):
    """What every notebook's parameters are. None means: not given, so the environment, the file or the default decides."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    may_be_empty: ClassVar[frozenset[str]] = frozenset()

    @property
    def overrides(self) -> dict[str, Any]:
        """The parameters that are settings too. Rates are taken as they were written: 0.8 is four fifths."""
        values = {name: getattr(self, name) for name in type(self).model_fields if name in Settings.model_fields}
        return {name: Decimal(repr(value)) if isinstance(value, float) else value for name, value in values.items()}


Checked = TypeVar("Checked", bound=Parameters)


class RunParameters(Parameters):
    """The parameters of the run notebook."""

    may_be_empty = frozenset({"select", "split"})

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
    golden_hold_regressions: bool | None = Field(None, description="a verified item that regressed blocks until it passes or is accepted")
    golden_concurrency: int | None = Field(None, description="calls at once, to chatbot and judge each")
    html: str | None = Field(None, description="write the report as one HTML file")
    json_report: str | None = Field(None, description="write the machine-readable report")
    junit: str | None = Field(None, description="write JUnit XML")
    markdown: str | None = Field(None, description="write a summary for a CI job or pull request")

    @field_validator("resume", "allow_unverified", "demo_degraded", "golden_hold_regressions", mode="before")
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


class GoldParameters(Parameters):
    """The parameters of the notebook that checks golds."""

    may_be_empty = frozenset({"select", "split"})

    files: str = Field("golden/shop/questions.toml", description="golden set files or folders, separated by commas")
    warehouse: str | None = Field(None, description="DuckDB file, folder of CSV or Parquet files, shop, or URL; GOLDEN_WAREHOUSE, or shop")
    select: str = Field("", description="only items whose id, domain, tag or split matches; globs separated by commas")
    split: str = Field("", description="only items of this split: dev or test")


class InvestigateParameters(Parameters):
    """The parameters of the notebook that investigates runs."""

    may_be_empty = frozenset({"against", "golden_set", "note", "ask"})

    golden_store: str | None = Field(None, description="SQLite file or SQLAlchemy URL, never with a password; GOLDEN_STORE, or golden.db")
    run_id: str = Field("latest", description="the run to look at")
    against: str = Field("", description="another run to hold it against; empty: none")
    golden_set: str = Field("", description="golden set files or folders, separated by commas")
    dialect: str = Field("duckdb", description="what sqlglot calls the SQL of the warehouse")
    note: str = Field("", description="Markdown file for the note on the incident; empty: none")
    ask: str = Field("", description="ids of items to ask again, separated by commas; empty: nobody is asked")
    config: str | None = Field(None, description="configuration file with a rag_quality: block, for asking again")


class AuthorParameters(Parameters):
    """The parameters of the authoring notebook."""

    golden_set: str = Field("golden/example.yaml", description="the YAML file to be written")
    config: str | None = Field(None, description="configuration file with a rag_quality: block; None asks the embedded demo chatbot")
    language: str = Field("id", description="id or en")


@overload
def check_parameters(namespace: Mapping[str, Any]) -> RunParameters: ...


@overload
def check_parameters(namespace: Mapping[str, Any], kind: type[Checked]) -> Checked: ...


def check_parameters(namespace: Mapping[str, Any], kind: type[Parameters] = RunParameters) -> Parameters:
    """Return a notebook's parameters out of its namespace, by default the run notebook's.

    Raises SettingsError naming every parameter that is unknown, missing, empty or of the wrong type, and what was allowed; and every
    one that was given and is not in force, since a cell assigned it again after the one that papermill injected. What looks like a
    secret is refused without showing it.
    """
    known = kind.model_fields
    given = given_parameters(namespace)
    problems = [_unknown(name, kind) for name in given if name not in known]
    problems += [f"parameter {name}: was removed from the parameters cell; put it back" for name in known if name not in namespace]
    overwritten = [name for name in given if name in known and name in namespace and not _same(given[name], namespace[name])]
    problems += [_overwritten(name, given[name], namespace[name]) for name in overwritten]
    try:
        parameters = kind.model_validate({name: namespace[name] for name in known if name in namespace})
    except ValidationError as error:
        details = error.errors(include_url=False)
        problems += [_mistyped(str(detail["loc"][0]), detail["input"], kind) for detail in details if detail["loc"][0] not in overwritten]
    else:
        empty = [name for name in _empty(parameters) if name not in overwritten]
        problems += [f"parameter {name} is empty; give it a value, or leave it out" for name in empty]
    if problems:
        raise SettingsError("\n".join(problems))
    return parameters


def given_parameters(namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Return what papermill's injected cells assigned, by name, from the kernel's record of the cells it ran; the latest wins.

    That record is kept in every Jupyter kernel, and says what was given also where the cell stands in the wrong place.
    """
    given: dict[str, Any] = {}
    for source in namespace.get("In", ()):
        if isinstance(source, str) and source.startswith(INJECTED):
            given |= _assigned(source)
    return given


class _Unreadable:
    """A value that is no literal, so that nothing can be compared with it."""


def _assigned(source: str) -> dict[str, Any]:
    try:
        statements = ast.parse(source).body
    except SyntaxError:  # the kernel refused that cell as well
        return {}
    assigned: dict[str, Any] = {}
    for statement in statements:
        if isinstance(statement, ast.Assign):
            assigned |= {target.id: _literal(statement.value) for target in statement.targets if isinstance(target, ast.Name)}
    return assigned


def _literal(value: ast.expr) -> Any:
    try:
        return ast.literal_eval(value)
    except ValueError:  # such as float('nan'), which papermill writes too
        return _Unreadable()


def _same(given: Any, now: Any) -> bool:
    return isinstance(given, _Unreadable) or (type(given) is type(now) and given == now)


def _overwritten(name: str, given: Any, now: Any) -> str:
    said, is_now = (str(given), str(now)) if type(given) is type(now) else (repr(given), repr(now))
    way_out = "the given parameters have to come after the defaults: put the tag 'parameters' on the cell with the defaults alone, and"
    return f"parameter {name} was given as {_shown(said)} and is now {_shown(is_now)}; {way_out} assign nothing again below it"


def _shown(text: str) -> str:
    """A value in a message; what may hold a secret is not shown."""
    return "(not shown)" if any(sign in text for sign in "@?=") else text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _empty(parameters: Parameters) -> list[str]:
    values = ((name, getattr(parameters, name)) for name in type(parameters).model_fields if name not in parameters.may_be_empty)
    return [name for name, value in values if isinstance(value, str) and not value.strip()]


def _unknown(name: str, kind: type[Parameters]) -> str:
    if _LOOKS_SECRET.search(name):
        variables = " and ".join(SECRET_VARIABLES.values())
        return (
            f"parameter {name}: secrets are no parameters, since papermill writes those into the output notebook in clear text;"
            f" delete that file, renew the secret, and use the environment ({variables})"
        )
    near = did_you_mean(name, kind.model_fields)
    return f"unknown parameter {name}" + (f" (did you mean {near}?)" if near else f"; known are {', '.join(kind.model_fields)}")


def _mistyped(name: str, value: object, kind: type[Parameters]) -> str:
    wanted = str(kind.model_fields[name].annotation).replace("<class '", "").replace("'>", "").replace(" | None", "")
    hint = ""
    if wanted == "str" and not isinstance(value, str):
        hint = (
            "; it was taken for something else than text: on papermill's command line -r keeps it as text (-p turns 007 into a number),"
            f" and in a parameter file (-f, -y) quotes do: {name}: '...'"
        )
    return f"parameter {name}: {_shown(repr(value))} is of type {type(value).__name__}, expected {wanted}{hint}"
