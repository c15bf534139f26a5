"""Drafts: changes that are not saved yet, kept in a small file so that a kernel may die.

Rule: a draft is on the disk before its edit is answered. A session writes its own file only, and what another takes over of it is
gone from there in the same step; so nobody's text is written over, and nobody's is lost.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

FOLDER = ".golden-drafts"
PATIENCE_S = 5.0  # for the lock that is held while a small file is written


@dataclass(frozen=True, slots=True)
class Draft:
    """An item as it would be saved.

    `key` is its id in the file, or a made-up one for a new item. `base` is what the file said when the draft was begun; None
    for a new item. `after` names the item that a new one goes behind. `withdrawn` is what is put on record of a signature that
    was taken back. `by` is the account that typed in it last.
    """

    key: str
    values: Mapping[str, Any]
    base: Mapping[str, Any] | None = None
    deleted: bool = False
    after: str | None = None
    auto_id: bool = False
    carry_history: bool = False
    withdrawn: Mapping[str, str] | None = None
    by: str = ""

    @property
    def is_new(self) -> bool:
        """Whether the file does not have the item yet."""
        return self.base is None

    @property
    def changes_something(self) -> bool:
        """Whether saving it would change the file."""
        return self.is_new or self.deleted or self.values != self.base


@dataclass(frozen=True, slots=True)
class Left:
    """The drafts of another session on the same set: whose, from when, and whether that session still has them open."""

    session: str
    who: str
    at: str
    drafts: tuple[Draft, ...]
    is_open: bool


class DraftFile:
    """The drafts of one session on one golden set.

    They lie beside the set, or in the user's state folder where that is not possible, in a file of the session's own that bears
    the name of `who` types. A session holds a lock while it has a page; so others know whether its drafts were left behind.
    """

    def __init__(self, golden_file: Path, state_folder: Path | None = None, who: str = "") -> None:
        self.session = secrets.token_hex(6)
        self.who = who
        self.taken_by: str | None = None
        self._left = False
        self._folder: Path | None = None
        self._name = ""
        self._lock: FileLock | None = None
        home = state_folder if state_folder is not None else _state_folder()
        mark = hashlib.sha256(os.path.realpath(golden_file).encode()).hexdigest()[:12]
        for folder, name in ((golden_file.parent / FOLDER, golden_file.name), (home, f"{golden_file.name}-{mark}")):
            if _is_usable(folder):
                self._folder, self._name = folder, name
                break

    @property
    def path(self) -> Path | None:
        """Where the drafts of this session are kept; None where there is no place."""
        return self._file(self.session, "json") if self._folder is not None else None

    # --- the drafts of this session ---

    def keep(self, drafts: Iterable[Draft]) -> None:
        """Write the drafts, or remove the file when there are none. Raises OSError when they cannot be kept."""
        path = self.path
        if path is None:
            raise PermissionError("neither beside the set nor in the user's state folder is there a place that can be written")
        kept = tuple(drafts)
        with self._alone():
            if self._file(self.session, "taken").exists():  # what lies here from now on is this session's anew
                self._move()
            _write(self._file(self.session, "json"), self.who, kept)

    def hold(self) -> None:
        """Have the drafts open, so that others leave them alone."""
        if self._folder is not None and self._lock is None:
            lock = FileLock(self._file(self.session, "lock"), thread_local=False)
            with contextlib.suppress(Timeout, OSError):
                lock.acquire(timeout=0)
                self._lock = lock
                if self._left and not self._file(self.session, "json").exists():
                    self.taken_by = ""  # by whom is not known any more
                self._left = False

    def let_go(self) -> None:
        """Leave the drafts to whoever comes next; the page is gone."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None
            self._left = self.path is not None and self.path.exists()
            if not self._left:
                self._clear(self.session)

    def look_whether_taken(self) -> None:
        """Find out whether another session took the drafts over, and who that was: `taken_by`."""
        if self._folder is not None and self._file(self.session, "taken").exists():
            with self._alone():
                self._move()

    def _move(self) -> None:
        """Go on under another name, where nothing was taken from."""
        self.taken_by = self._file(self.session, "taken").read_text(encoding="utf-8")
        was, lock = self.session, self._lock
        self.session, self._lock = secrets.token_hex(6), None
        if lock is not None:
            self.hold()
            lock.release()
        self._clear(was)

    def close(self) -> None:
        """Let another session have the drafts."""
        self.let_go()

    # --- those of others ---

    def others(self) -> tuple[Left, ...]:
        """Return the drafts of other sessions on this set, newest first."""
        if self._folder is None:
            return ()
        names = re.compile(rf"{re.escape(self._name)}\.([0-9a-f]+)\.(json|taken|lock)")
        matches = [match for file in self._folder.iterdir() if (match := names.fullmatch(file.name))]
        found = []
        for session in dict.fromkeys(match[1] for match in matches):
            if session == self.session:
                continue
            is_open = self._is_open(session)
            left = _read(self._file(session, "json"), session, is_open=is_open)
            if left is not None:
                found.append(left)
            elif not is_open and not self._file(session, "json").exists():
                self._clear(session)
        return tuple(sorted(found, key=lambda left: left.at, reverse=True))

    def take(self, session: str, keys: Iterable[str]) -> Left | None:
        """Take the drafts with these keys over from a session; None when they are no longer there.

        The others stay where they are, for whoever wants them. A session that is open finds out with its next step.
        """
        wanted = set(keys)
        with self._alone():
            path = self._file(session, "json")
            left = _read(path, session, is_open=self._is_open(session))
            if left is None:
                return None
            rest = [draft for draft in left.drafts if draft.key not in wanted]
            mine = tuple(draft for draft in left.drafts if draft.key in wanted)
            own = _read(self._file(self.session, "json"), self.session, is_open=True)
            _write(self._file(self.session, "json"), self.who, (*(own.drafts if own is not None else ()), *mine))
            if left.is_open:
                self._file(session, "taken").write_text(self.who, encoding="utf-8")
                _write(self._file(secrets.token_hex(6), "json"), left.who, rest)
                rest = []
            _write(path, left.who, rest)
            if not left.is_open and not rest:
                self._clear(session)
        return Left(session, left.who, left.at, mine, left.is_open)

    # --- steps ---

    def _file(self, session: str, kind: str) -> Path:
        if self._folder is None:
            raise PermissionError("there is no place for drafts")
        return self._folder / f"{self._name}.{session}.{kind}"

    def _is_open(self, session: str) -> bool:
        probe = FileLock(self._file(session, "lock"), thread_local=False)
        if session == self.session or not Path(probe.lock_file).exists():
            return session == self.session
        try:
            probe.acquire(timeout=0)
        except (Timeout, OSError):
            return True
        probe.release()
        return False

    def _clear(self, session: str) -> None:
        for kind in ("lock", "taken"):
            with contextlib.suppress(OSError):
                self._file(session, kind).unlink(missing_ok=True)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other sessions from the drafts of this set meanwhile. Raises OSError."""
        if self._folder is None:
            raise PermissionError("there is no place for drafts")
        whose = getattr(os, "geteuid", str)()  # others cannot read these files; Windows has no such number
        lock = FileLock(self._folder / f".{self._name}.{whose}.turn", thread_local=False)
        try:
            lock.acquire(timeout=PATIENCE_S)
        except Timeout:
            raise TimeoutError("another session does not let go of the drafts") from None
        try:
            yield
        finally:
            lock.release()


def _is_usable(folder: Path) -> bool:
    """Make the folder, hidden from git; False where nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_new(folder / ".gitignore", "*\n")
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _read(path: Path, session: str, *, is_open: bool) -> Left | None:
    """Return what a file of drafts holds; None when there is none, or it cannot be read as one."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        drafts = tuple(Draft(**draft) for draft in found["drafts"])
        return Left(session, str(found.get("who", "")), str(found.get("at", "")), drafts, is_open) if drafts else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _write(path: Path, who: str, drafts: Iterable[Draft]) -> None:
    """Put drafts into a file in one step, or remove it when there are none."""
    kept = [asdict(draft) for draft in drafts]
    if not kept:
        path.unlink(missing_ok=True)
        return
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump({"who": who, "at": datetime.now(UTC).isoformat(timespec="seconds"), "drafts": kept}, file, ensure_ascii=False)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet. A link of that name is left alone, wherever it leads."""
    with contextlib.suppress(FileExistsError):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o644)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)


def _state_folder() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "goldenlib" / "drafts"
