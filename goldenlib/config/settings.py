"""Settings: the `rag_quality` block of a configuration file, the environment, and parameters, as one checked value.

Rule: everything is checked before anything is driven, and no default points at a host on a network (contract 8).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from goldenlib.config.addresses import mask_url as mask_url  # also read from here by what came before addresses
from goldenlib.config.settingtypes import (
    DEMO,
    OFF,
    Address,
    BaseUrl,
    Count,
    JudgeUrl,
    Names,
    OneLine,
    Rate,
    Retries,
    Seconds,
    Secret,
    TargetKind,
    Temperature,
    VariableName,
    VariableNames,
    Words,
    Zone,
)
from goldenlib.config.sources import Source, given, read_block, read_environment
from goldenlib.errors import SettingsError
from goldenlib.files.shipped import find
from goldenlib.files.suggesting import did_you_mean
from goldenlib.items import Surface
from goldenlib.languages import Language

BLOCK = "rag_quality"
DEFAULT_STORE = "sqlite:///golden.db"
SECRET_VARIABLES = {"chatbot_token": "GOLDEN_CHATBOT_TOKEN", "judge_api_key": "GOLDEN_JUDGE_API_KEY"}
_ADDRESSES = {"golden_store": "GOLDEN_STORE", "warehouse": "GOLDEN_WAREHOUSE"}  # which may hold a password

# The keys that a target of each kind may have, and those of which it needs exactly one.
_KEYS: Mapping[str, tuple[str, ...]] = {
    "orchestrate": ("url", "token_variable"),
    "openai": ("url", "model", "stream", "system_prompt", "temperature", "token_variable"),
    "function": ("callable",),
    "recorded": ("path", "run_id"),
    "json": ("url", "token_variable"),
    "schema-only": ("url", "model", "stream", "temperature", "path", "record", "token_variable"),
}
_NEEDS: Mapping[str, tuple[str, ...]] = {"openai": ("url",), "function": ("callable",), "recorded": ("path", "run_id"), "json": ("url",)}


class TargetSettings(BaseModel):
    """How one surface is driven.

    `kind` chooses the target; the other keys belong to some kinds only: `url` (orchestrate, openai, json, schema-only), `model`,
    `stream` and `temperature` (openai, schema-only), `system_prompt` (openai), `callable` as `module:name` (function), `path` of a
    JSONL file or `run_id` of a stored run (recorded), `path` of a recording of model replies and `record`, to make it (schema-only),
    `token_variable` names the environment variable with the bearer token (all with a `url`). A chatbot is asked as its users ask it:
    without `temperature` none is sent. A kind that an installed package brings takes any of them, and `options` of its own.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    kind: TargetKind
    url: BaseUrl | None = None
    model: Words = DEMO
    stream: bool = True
    system_prompt: str = ""
    temperature: Temperature | None = None
    callable: str | None = None
    path: str | None = None
    run_id: str | None = None
    record: bool = False
    token_variable: VariableName | None = None
    options: Mapping[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> TargetSettings:
        given = {name for name in self.model_fields_set if getattr(self, name) is not None}
        keys = _KEYS.get(self.kind, tuple(TargetSettings.model_fields))
        foreign = sorted(given - {"kind", *keys})
        if foreign:
            raise ValueError(f"a target of kind {self.kind} has no {' and no '.join(foreign)}, only {', '.join(keys)}")
        needs = _NEEDS.get(self.kind, ())
        if needs and len(given.intersection(needs)) != 1:
            raise ValueError(f"a target of kind {self.kind} needs {' or '.join(needs)}" + (", one of them" if len(needs) > 1 else ""))
        if self.kind == "schema-only" and (self.url is None if self.path is None or self.record else self.url is not None):
            raise ValueError("a target of kind schema-only needs url, or the path of a recording; with 'record: true' it needs both")
        if self.kind == "schema-only" and self.record and self.path is None:
            raise ValueError("a target of kind schema-only needs the path of the recording that 'record: true' makes")
        if self.kind not in ("orchestrate", "function", "recorded") and self.url == DEMO:
            raise ValueError(f"the demo chatbot cannot be driven as {self.kind}; give the url of a server that speaks it")
        return self


def _per_surface(value: object) -> object:
    """Read `public: orchestrate` as `public: {kind: orchestrate}`."""
    if not isinstance(value, Mapping):
        return value
    return {surface: {"kind": target} if isinstance(target, str) else target for surface, target in value.items()}


class Settings(BaseModel):
    """One run's configuration. Times are in seconds, sizes in bytes; rates are decimals in [0, 1] as written."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    chatbot_url: BaseUrl = Field(DEMO, description="Base URL; /api/orchestrate is appended")
    chatbot_timeout_s: Seconds = Field(120.0, description="Longest time for a whole answer")
    chatbot_idle_timeout_s: Seconds = Field(30.0, description="Longest silence within an answer")
    chatbot_max_answer_bytes: Count = Field(1_000_000, ge=1, le=1_000_000_000, description="A larger answer is an error")
    chatbot_retries: Retries = Field(2, description="Extra attempts per item, before any content has come")
    chatbot_retry_after_content: bool = Field(False, description="Ask again even when part of an answer had come")
    chatbot_done_event: str | None = Field(None, description="When set, only this event completes an answer")
    chatbot_text_key: Names = Field(
        ("delta", "content", "text"), min_length=1, description="Where the text is in a JSON frame, first match"
    )
    chatbot_surface: Words = Field("public", description="Sent as surface for public items")
    judge_url: JudgeUrl = Field(DEMO, description="OpenAI-compatible base URL; off = no judge")
    judge_model: Words = Field(DEMO, description="Sent as model")
    judge_timeout_s: Seconds = Field(60.0, description="Longest time for one judge call")
    judge_retries: Retries = Field(3, description="Extra attempts per judge call that failed on the way")
    judge_max_tokens: Count = Field(1024, ge=16, le=1_000_000, description="Longest verdict, in tokens")
    judge_disable_thinking: bool = Field(True, description="Send chat_template_kwargs.enable_thinking false")
    judge_system: OneLine = Field("a public chatbot on legal procedures", description="Whose answers the judge is told it grades")
    judge_asker: OneLine = Field("a citizen", description="Who asks, as the judge is told")
    judge_language: OneLine = Field("Indonesian", description="Language of questions and answers, as the judge is told")
    golden_min_pass_rate: Rate = Field(Decimal("0.8"), description="BLOCK below this share of scored items")
    golden_pass_threshold: Rate = Field(Decimal("0.7"), description="Least correctness for an item to pass")
    golden_min_scored_rate: Rate = Field(Decimal("0"), description="ERROR below this share of driven items scored")
    golden_hold_regressions: bool = Field(False, description="A verified item that regressed blocks until it passes or is accepted")
    trust_env: bool = Field(False, description="Reach chatbot and judge through the proxies that HTTPS_PROXY and NO_PROXY name")
    ca_file: Words | None = Field(None, description="PEM file of authorities that are trusted beside the usual ones")
    golden_concurrency: Count = Field(16, ge=1, le=4096, description="Calls at once, to chatbot and judge each")
    golden_scorers: Names = Field((), description="Scorers of installed packages that score beside goldenlib's own")
    golden_retry_wait_max_s: Seconds = Field(60.0, description="Longest wait between attempts, Retry-After included")
    golden_store: Address = Field(DEFAULT_STORE, repr=False, description="SQLAlchemy URL, or the path of a SQLite file")
    report_language: Language = Field(Language.ENGLISH, description="Language of the reports for people: en or id")
    warehouse: Address | None = Field(
        None, repr=False, description="Where golden SQL runs: a DuckDB file, a folder of CSV or Parquet files, shop, or a SQLAlchemy URL"
    )
    warehouse_timeout_s: Seconds = Field(30.0, description="Longest time for one query")
    warehouse_max_rows: Count = Field(1_000_000, ge=1, le=100_000_000, description="A larger result is refused")
    warehouse_memory_mb: Count = Field(1024, ge=16, le=1_000_000, description="Memory that one query may take, in MiB")
    warehouse_time_zone: Zone | None = Field(
        None, description="Time zone that SQL runs in, such as Asia/Jakarta or +07:00; without it, the warehouse's own"
    )
    warehouse_concurrency: Count = Field(4, ge=1, le=64, description="Queries run at once, each in a process of its own")
    warehouse_functions: Names = Field((), description="Functions of the warehouse's own that an agent's SQL may call")
    warehouse_environment: VariableNames = Field((), description="Environment variables that the driver of the warehouse needs")
    warehouse_unguarded: bool = Field(False, description="Use an engine that cannot be held to reading, or stopped in time")
    targets: Annotated[Mapping[Surface, TargetSettings], BeforeValidator(_per_surface)] = Field(
        default_factory=dict, description="Per surface: the kind of target and its settings"
    )
    demo_degraded: bool = Field(False, description="Run the demo chatbot with its documented loss of quality")
    chatbot_token: Secret | None = Field(None, description="Bearer token of the chatbot; from the environment only")
    judge_api_key: Secret | None = Field(None, description="Bearer token of the judge; from the environment only")

    @property
    def judge_is_off(self) -> bool:
        """Whether answers are scored by the fact gate alone."""
        return self.judge_url == OFF

    def target_for(self, surface: str) -> TargetSettings | None:
        """Return how items of `surface` are driven, or None where that surface is not wired.

        Without an entry under `targets`, public items go to `chatbot_url` and internal ones nowhere (seed 000).
        """
        target = next((target for wired, target in self.targets.items() if wired == surface), None)
        if target is None:
            return TargetSettings(kind="orchestrate", url=self.chatbot_url) if surface == Surface.PUBLIC else None
        if target.kind == "orchestrate" and target.url is None:
            return target.model_copy(update={"url": self.chatbot_url})
        return target

    def falls_to_chatbot_url(self, surface: str) -> bool:
        """Whether items of `surface` go to `chatbot_url`, since no target with an address of its own is wired for them."""
        target = next((target for wired, target in self.targets.items() if wired == surface), None)
        return surface == Surface.PUBLIC if target is None else target.kind == "orchestrate" and target.url is None

    @property
    def is_demo(self) -> bool:
        """Whether the embedded demo chatbot answers any items."""
        return any(target is not None and target.url == DEMO for target in map(self.target_for, Surface))

    @property
    def describes_warehouse(self) -> bool:
        """Whether a target shows the warehouse's schema to a model."""
        return any(target.kind == "schema-only" for target in self.targets.values())

    @property
    def needs_demo(self) -> bool:
        """Whether the demo chatbot or the demo judge is to be served for a run."""
        return self.is_demo or self.judge_url == DEMO

    def without_secrets(self) -> dict[str, Any]:
        """The settings as plain JSON values for the store and reports: no secret, no password in a URL."""
        values = self.model_dump(mode="json", exclude=set(SECRET_VARIABLES))
        values["golden_store"] = mask_url(self.golden_store)
        values["warehouse"] = mask_url(self.warehouse) if self.warehouse is not None else None
        return values


def load_settings(
    path: str | Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    *,
    asks: bool = True,
) -> tuple[Settings, tuple[str, ...]]:
    """Return the settings and warnings from a configuration file, the environment and `overrides`.

    Precedence: overrides (command line or notebook parameter), environment, file, default. Overrides that are None count
    as not given; an empty value is a mistake wherever it stands, since an unset variable of a CI system arrives as one. A key in
    the `rag_quality` block that is close to a known one is refused; others are named in a warning, since the block is shared with
    the live-quality judge (seed 001). `asks` says that questions are going to be asked: then a configuration has to name chatbot
    and judge, and the demo is asked by default only where nothing is configured (contract 8).

    Raises SettingsError naming every key that cannot be used, where it stands, and what is allowed.
    """
    parameters = given(overrides or {})
    file = read_block(find(path), BLOCK, Settings.model_fields) if path is not None else given({})
    variables = os.environ if environ is None else environ
    environment = read_environment(variables, _IN_ENVIRONMENT, _token_variables(file.values, parameters.values))
    sources = (parameters, environment, file)
    problems = [problem for source in (file, environment, parameters) for problem in source.problems]
    problems += [*_secrets_in(file), *_secrets_in(parameters), *_targets_in(variables)]
    try:
        settings = Settings.model_validate({**file.values, **environment.values, **parameters.values})
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False)
        problems += [_explain(detail["type"], detail["loc"], detail["input"], detail["msg"], sources) for detail in details]
    if not problems and asks:
        problems += _unnamed(settings, parameters, environment, file, None if path is None else str(path))
    if problems:
        raise SettingsError("\n".join(problems))
    warnings = (*file.warnings, *environment.warnings, *(_unnamed_model(settings, sources) if asks else ()))
    return _with_stronger_url(settings, parameters, environment, file), warnings


# What says how and where to work, and not what is gated: these alone do not make a configuration.
_NO_CONFIGURATION = {"golden_store", "golden_concurrency", "golden_retry_wait_max_s", "demo_degraded", "report_language"}
_ASKED = ("chatbot_url", "judge_url", "targets")


def _unnamed(settings: Settings, parameters: Source, environment: Source, file: Source, path: str | None) -> list[str]:
    """Say what a configuration does not name. Otherwise a variable that was forgotten would gate the demo, and end green."""
    meant = {key for key in _ASKED if parameters.values.get(key, DEMO) not in (DEMO, OFF, False)}
    if path is None and not meant and not environment.values.keys() - _NO_CONFIGURATION:
        return []
    named = {key for source in (parameters, environment, file) for key in source.values}
    where = path or ", ".join(dict.fromkeys(source.place([key], False) for source in (parameters, environment) for key in source.values))
    problems = []
    if "chatbot_url" not in named and any(map(settings.falls_to_chatbot_url, Surface)):
        ways = "set chatbot_url (GOLDEN_CHATBOT_URL) to its address, or wire 'targets'; 'chatbot_url: demo' asks the demo on purpose"
        problems.append(f"{where}: the configuration names no chatbot; {ways}")
    if "judge_url" not in named:
        ways = "judge_url (GOLDEN_JUDGE_URL) is a URL, off for the fact gate alone, or demo for the demo's rule"
        problems.append(f"{where}: the configuration names no judge; {ways}")
    without_block = file.warnings if problems and not file.values else ()
    return [*without_block, *problems]


def _unnamed_model(settings: Settings, sources: Iterable[Source]) -> list[str]:
    """Warn of a judge whose model nobody named: a server may take any name, and reports would say that the demo judged."""
    if settings.judge_url in (DEMO, OFF) or any("judge_model" in source.values for source in sources):
        return []
    way_out = "set judge_model (GOLDEN_JUDGE_MODEL)"
    return [f"judge_url is given and judge_model is not: the judge is asked for a model named {DEMO!r}; {way_out}"]


def _with_stronger_url(settings: Settings, parameters: Source, environment: Source, file: Source) -> Settings:
    """Let a chatbot_url from a parameter or the environment win over a target in the file (contract 8, precedence)."""
    public = settings.targets.get(Surface.PUBLIC)
    stronger = next((source for source in (parameters, environment) if "chatbot_url" in source.values), None)
    if public is None or stronger is None or "targets" in parameters.values or "targets" not in file.values:
        return settings
    if public.kind != "orchestrate":
        raise SettingsError(
            f"{stronger.place(['chatbot_url'], False)}: chatbot_url is given, but {file.place(['targets'], True)} sends public items to a"
            f" target of kind {public.kind}; remove one of them"
        )
    return settings.model_copy(update={"targets": {**settings.targets, Surface.PUBLIC: public.model_copy(update={"url": None})}})


_IN_ENVIRONMENT = [key for key in Settings.model_fields if key != "targets"]


def _token_variables(*sources: Mapping[str, Any]) -> set[str]:
    """The environment variables that targets take their tokens from; they may look much like one of ours."""
    targets = [target for values in sources if isinstance(values.get("targets"), Mapping) for target in values["targets"].values()]
    return {str(target["token_variable"]) for target in targets if isinstance(target, Mapping) and "token_variable" in target}


def _secrets_in(source: Source) -> list[str]:
    problems = [
        f"{source.place([key], True)}: '{key}' is a secret and comes from the environment only; set {variable}"
        for key, variable in SECRET_VARIABLES.items()
        if key in source.values
    ]
    for key, variable in _ADDRESSES.items():
        url = source.values.get(key)
        if isinstance(url, str) and mask_url(url) != url:
            place = source.place([key], False)
            problems.append(f"{place}: {key} holds a password; set {variable} in the environment instead")
    return problems


def _targets_in(environ: Mapping[str, str]) -> list[str]:
    given_there = "GOLDEN_TARGETS" in environ
    return ["environment variable GOLDEN_TARGETS: targets are written in a configuration file, not in a variable"] if given_there else []


def _explain(kind: str, loc: tuple[int | str, ...], value: object, message: str, sources: Sequence[Source]) -> str:
    """Say in one line what pydantic found at `loc`: where it stands, what it is, and what it should be."""
    is_key = kind == "extra_forbidden" or loc[-1:] == ("[key]",)
    where = [step for step in loc if step != "[key]"]
    source = next((source for source in sources if where and where[0] in source.values), sources[-1])
    place = f"{source.place(where, is_key)}: {'.'.join(map(str, where))}"
    if is_key:
        known = Surface if loc[-1] == "[key]" else TargetSettings.model_fields if len(where) > 1 else Settings.model_fields
        near = did_you_mean(str(where[-1]), known)
        return f"{place} is not a known key" + (f" (did you mean '{near}'?)" if near else "")
    if kind == "missing":
        return f"{place} is missing"
    said = message.removeprefix("Value error, ").removeprefix("Input ")
    return f"{place}:{_shown(where, value)} {said[:1].lower()}{said[1:]}"


def _shown(where: Sequence[int | str], value: object) -> str:
    """The value as a word of a message; empty when it is, or may hold, a secret."""
    text = str(value)
    may_be_secret = where[0] in (*SECRET_VARIABLES, *_ADDRESSES) or where[-1] == "token_variable" or any(sign in text for sign in "@?#")
    return "" if may_be_secret or isinstance(value, Mapping | list | tuple) else f" {text[:80]!r}"
