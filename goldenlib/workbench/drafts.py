"""Drafts: changes that are not saved yet, kept in a small file so that a kernel may die.

Rule: a draft is on the disk before its edit is answered. The file of drafts is replaced in one step, and gone when nothing is
left to save.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

FOLDER = ".golden-drafts"
MOST_SESSIONS = 32


@dataclass(frozen=True, slots=True)
class Draft:
    """An item as it would be saved.

    `key` is its id in the file, or a made-up one for a new item. `base` is what the file said when the draft was begun; None
    for a new item. `after` names the item that a new one goes behind.
    """

    key: str
    values: Mapping[str, Any]
    base: Mapping[str, Any] | None = None
    deleted: bool = False
    after: str | None = None
    auto_id: bool = False
    carry_history: bool = False

    @property
    def is_new(self) -> bool:
        """Whether the file does not have the item yet."""
        return self.base is None

    @property
    def changes_something(self) -> bool:
        """Whether saving it would change the file."""
        return self.is_new or self.deleted or self.values != self.base


class DraftFile:
    """The drafts of one session on one golden set.

    They lie beside the set, or in the user's state folder where that is not possible. Sessions that are open at the same time
    have a file each; the first to come back takes over what an ended one left.
    """

    def __init__(self, golden_file: Path, state_folder: Path | None = None) -> None:
        self.path: Path | None = None
        self._lock: FileLock | None = None
        home = state_folder if state_folder is not None else _state_folder()
        mark = hashlib.sha256(os.path.realpath(golden_file).encode()).hexdigest()[:12]
        places = [(golden_file.parent / FOLDER, golden_file.name), (home, f"{golden_file.name}-{mark}")]
        for folder, name in places:
            if self._take(folder, name):
                break

    def _take(self, folder: Path, name: str) -> bool:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _write_new(folder / ".gitignore", "*\n")
            for number in range(1, MOST_SESSIONS + 1):
                lock = FileLock(folder / f"{name}.{number}.lock")
                try:
                    lock.acquire(timeout=0)
                except Timeout:
                    continue
                self._lock, self.path = lock, folder / f"{name}.{number}.json"
                return True
        except OSError:
            return False
        return False

    def load(self) -> tuple[Draft, ...]:
        """Return the drafts that were left; none when there is no file, or it cannot be read as one."""
        if self.path is None or not self.path.exists():
            return ()
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
            return tuple(Draft(**draft) for draft in found["drafts"])
        except (OSError, ValueError, TypeError, KeyError):
            return ()

    def keep(self, drafts: Iterable[Draft]) -> None:
        """Write the drafts, or remove the file when there are none. Raises OSError when they cannot be kept."""
        if self.path is None:
            raise PermissionError("neither beside the set nor in the user's state folder is there a place that can be written")
        kept = [asdict(draft) for draft in drafts]
        if not kept:
            self.path.unlink(missing_ok=True)
            return
        descriptor, name = tempfile.mkstemp(prefix=f".{self.path.name}.", dir=self.path.parent)
        try:
            with open(descriptor, "w", encoding="utf-8") as file:
                json.dump({"drafts": kept}, file, ensure_ascii=False)
            os.replace(name, self.path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise

    def close(self) -> None:
        """Let another session have the file."""
        if self._lock is not None:
            self._lock.release()
            if self.path is not None and not self.path.exists():
                with contextlib.suppress(OSError):
                    Path(self._lock.lock_file).unlink(missing_ok=True)


def _write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet. A link of that name is left alone, wherever it leads."""
    with contextlib.suppress(FileExistsError):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o644)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)


def _state_folder() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "goldenlib" / "drafts"
