"""Kernels: where they listen. On Unix in a folder that only their owner may open, not on ports that everybody here can reach."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# What a path of a socket may be long (104 on macOS), less what Jupyter appends: a folder, kernel-, its id and -ipc-5.
_LONGEST_FOLDER = 104 - 75


@dataclass(frozen=True, slots=True)
class Sockets:
    """A folder for connection files and sockets, and the settings of Jupyter's KernelManager for it."""

    folder: str
    settings: Mapping[str, Any]


@contextlib.contextmanager
def private_sockets() -> Iterator[Sockets]:
    """Give a folder for the sockets of kernels; where there are none, ports are used as ever. The folder is gone at the end."""
    base = tempfile.gettempdir()
    if os.name == "posix" and len(base) > _LONGEST_FOLDER - len("/golden-12345678"):
        base = "/tmp"
    with tempfile.TemporaryDirectory(prefix="golden-", dir=base, ignore_cleanup_errors=True) as folder:
        yield Sockets(folder, {"transport": "ipc"} if os.name == "posix" else {})


def one_kernel(sockets: Sockets) -> Mapping[str, Any]:
    """Return the settings for a single kernel, whose connection file lies in the folder too."""
    return {**sockets.settings, "connection_file": str(Path(sockets.folder) / "kernel.json")}
