"""Kernels as other accounts of the machine see them: processes and their command lines."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path


def eventually(holds: Callable[[], object], patience: float = 20) -> bool:
    deadline = time.monotonic() + patience
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def processes() -> list[tuple[int, int, str]]:
    """Id, parent and command line of each process, as any user of the machine sees them."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with contextlib.suppress(OSError):
                words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
                found.append((int(folder.name), int(parent), words))
    return found


def descendants(pid: int) -> set[int]:
    family, known = {pid}, processes()
    while more := {child for child, parent, _ in known if parent in family} - family:
        family |= more
    return family


def kernels_below(pid: int) -> list[int]:
    """The process ids of the kernels that a process has started."""
    return [child for child, _, words in processes() if "ipykernel_launcher" in words and child in descendants(pid)]


def connection_file(pid: int) -> Path:
    """The file that says where a kernel listens."""
    (words,) = [words for other, _, words in processes() if other == pid]
    found = words.split()
    return Path(found[found.index("-f") + 1])
