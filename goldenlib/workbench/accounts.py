"""Accounts: who uses the workbench, as far as the server knows, beside the name that is typed.

Rule: it is a witness and no lock: nobody is kept out, and a name that is not the account's is said to be so.
"""

from __future__ import annotations

import getpass
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from goldenlib.config.sources import ACCOUNT_FROM
from goldenlib.folding import fold
from goldenlib.reporting.passages import plain

PATIENCE_S = 2.0
MOST = 120


def account_of(folder: Path, environ: Mapping[str, str] | None = None) -> str:
    """Return the account, with where it is known from in brackets: "sari (JupyterHub)"; empty where nothing is known.

    The first that is there: what a proxy says, in the variable that GOLDEN_ACCOUNT_FROM names; the user of JupyterHub; who git
    commits as in the set's folder; the user of the system.
    """
    variables = os.environ if environ is None else environ
    named = variables.get(ACCOUNT_FROM, "").strip()
    found = {
        "proxy": variables.get(named, "") if named else "",
        "JupyterHub": variables.get("JUPYTERHUB_USER", ""),
    }
    for source, name in found.items():
        if fold(name):
            return f"{plain(fold_blanks(name), MOST)} ({source})"
    if name := _of_git(folder):
        return f"{plain(name, MOST)} (git)"
    return f"{plain(system, MOST)} (system)" if (system := _of_system()) else ""


def name_in(account: str) -> str:
    """Return the name of a person to propose for a signature: only git knows one; empty otherwise.

    >>> name_in("Rina Wati <rina@example.org> (git)")
    'Rina Wati'
    """
    return account.partition(" <")[0] if account.endswith("> (git)") else ""


def fold_blanks(name: str) -> str:
    """Return a name on one line."""
    return " ".join(name.split())


def _of_git(folder: Path) -> str:
    name, email = (_git(folder, key) for key in ("user.name", "user.email"))
    return f"{name} <{email}>" if name and email else name or email


def _git(folder: Path, key: str) -> str:
    command = ["git", "-c", "core.fsmonitor=false", "config", "--get", key]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=PATIENCE_S, check=True, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return ""
    return fold_blanks(done.stdout.decode("utf-8", "replace"))


def _of_system() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
