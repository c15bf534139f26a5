"""Identity of a run: what is asked of it, its id, who starts it, and the name of the target in its series."""

from __future__ import annotations

import getpass
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

from goldenlib.config.settings import Settings
from goldenlib.config.settingtypes import DEMO
from goldenlib.errors import SettingsError
from goldenlib.items import Surface

# Where CI systems name the person whose push or click it was: GitLab, GitHub, Jenkins, Azure.
_CI_USERS = ("GITLAB_USER_LOGIN", "GITHUB_ACTOR", "BUILD_USER_ID", "BUILD_REQUESTEDFOR")


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What is asked of one run beyond its settings.

    `run_id` is made when not given. `resume` drives only what that run has not scored yet. `label` names the target in
    the series (default: its URL's host). `allow_unverified` acknowledges that unverified items prove nothing. A run of an `experiment` is
    one of several (`repeat`), stands in a series of its own, and is nobody's latest.
    """

    run_id: str | None = None
    resume: bool = False
    label: str | None = None
    allow_unverified: bool = False
    experiment: str | None = None
    repeat: int | None = None


def who_starts(environ: Mapping[str, str] | None = None) -> str:
    """Return who starts a run: whom CI names, else the user of this machine, else an empty text."""
    variables = os.environ if environ is None else environ
    named = next((variables[name] for name in _CI_USERS if variables.get(name)), "")
    if named:
        return named
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container without an entry for its user, or Windows without a name for it
        return ""


def new_run_id(now: datetime | None = None) -> str:
    """Return a fresh run id that sorts by time, such as 2026-11-29T08-14-03Z-7f3a."""
    return f"{now or datetime.now(UTC):%Y-%m-%dT%H-%M-%SZ}-{secrets.token_hex(2)}"


def checked_run_id(run_id: str) -> str:
    """Return `run_id` if it can be one: it stands in session ids, HTTP headers and file names."""
    if run_id.casefold() == "latest":
        raise SettingsError("run id 'latest' cannot be used; `golden gate latest` means the run that started last")
    if not run_id or len(run_id) > 120 or not all(char.isascii() and (char.isalnum() or char in "-_.:") for char in run_id):
        raise SettingsError(f"run id {run_id!r} cannot be used; take up to 120 ASCII letters, digits and - _ . :")
    return run_id


def label_of(settings: Settings, label: str | None = None) -> str:
    """Return the name of the target within the series: `label`, else the host of its URL; `demo` for the demo alone."""
    if settings.is_demo:
        if label not in (None, DEMO):
            raise SettingsError(f"label {label!r}: a demo run is always labelled {DEMO!r}; leave the label out")
        return DEMO
    if label is not None:
        if label == DEMO or not label.strip() or not label.isprintable() or "|" in label or "@" in label:
            raise SettingsError(f"label {label!r} cannot be used; take plain words without | and @, and not {DEMO!r}")
        return label
    target = settings.target_for(Surface.PUBLIC)
    if target is None:
        return "none"
    if target.url is not None:
        host = urlsplit(target.url).hostname or target.url
        return f"host {host}" if host.casefold() == DEMO else host  # a real host may be called so; its runs are no demo runs
    return f"{target.kind}:{target.callable or target.path or target.run_id}"
