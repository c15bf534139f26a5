"""Versions: who changed an item last, where the file lies in a git checkout.

Rule: git is only ever asked, and not waited for long; nothing is committed for anybody.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

PATIENCE_S = 4.0


@dataclass(frozen=True, slots=True)
class LastChange:
    """The newest commit among the lines of an item; `is_committed` is False when some of them are not committed yet."""

    author: str
    at: datetime
    summary: str
    is_committed: bool


def last_change(path: Path, first: int, last: int) -> LastChange | None:
    """Return who changed the lines `first` to `last` of a file last; None outside of a checkout, or where git cannot say."""
    command = ["git", "-c", "core.fsmonitor=false", "blame", "--line-porcelain", "-L", f"{first},{last}", "--", path.name]
    environment = os.environ | {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(
            command, cwd=path.parent, env=environment, capture_output=True, timeout=PATIENCE_S, check=True, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return _newest(done.stdout.decode("utf-8", "replace"))


def _newest(porcelain: str) -> LastChange | None:
    commits, committed, fields = [], True, dict[str, str]()
    for line in porcelain.splitlines():
        if line.startswith("\t"):
            if fields.get("author") == "Not Committed Yet":
                committed = False
            elif fields.get("author-time", "").isdigit():
                commits.append((int(fields["author-time"]), fields.get("author", ""), fields.get("summary", "")))
            fields = {}
        else:
            key, _, value = line.partition(" ")
            fields[key] = value
    if not commits:
        return None
    at, author, summary = max(commits)
    return LastChange(author, datetime.fromtimestamp(at, UTC), summary, committed)
