"""Replacing: a file gets new content in one step, with the owner and mode that it had.

Rule: at every moment, also when the power goes, the file is either the old or the new one, whole. By means of POSIX alone.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from goldenlib.editing.refusals import problem_of
from goldenlib.editing.source import SourceFile

assert sys.platform != "win32"  # what follows is not checked for Windows, and not imported there

# What file systems answer that have no hard links.
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
_USUAL_MODE = 0o666


def replace(source: SourceFile, target: Path) -> bytes | None:
    """Put the file in the place of the old one. When that is not as it was read, do nothing and return its bytes."""
    old = target.stat()
    _refuse_read_only(source, target, old)
    with _temporary(target, stat.S_IRUSR | stat.S_IWUSR) as (temporary, descriptor):
        _write(descriptor, source.data)
        _take_over(descriptor, target, old, source)
        os.fsync(descriptor)
        with _locked(target.parent):
            theirs = target.read_bytes()
            if hashlib.sha256(theirs).hexdigest() != source.as_read.digest:
                return theirs
            os.replace(temporary, target)
    return None


def create(source: SourceFile, target: Path) -> bytes | None:
    """Put the file where none is. When there is one by now, do nothing and return its bytes."""
    with _temporary(target, _USUAL_MODE) as (temporary, descriptor):
        _write(descriptor, source.data)
        os.fsync(descriptor)
        with _locked(target.parent):
            try:
                os.link(temporary, target)  # which, unlike a rename, never takes the place of a file
            except FileExistsError:
                return target.read_bytes()
            except OSError as error:
                if error.errno not in _NO_LINKS:
                    raise
                if os.path.lexists(target):
                    return target.read_bytes()
                os.replace(temporary, target)
    return None


def _refuse_read_only(source: SourceFile, target: Path, old: os.stat_result) -> None:
    if not old.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(target, os.W_OK):
        raise problem_of(source, "is read-only and was not overwritten", f"make it writable (chmod u+w {target}), and save again")


@contextlib.contextmanager
def _temporary(target: Path, mode: int) -> Iterator[tuple[Path, int]]:
    """Give a new file beside the target, which loading does not take for a set, and its descriptor. It does not stay."""
    name = target.parent / f".{target.name[:100]}.{secrets.token_hex(8)}.tmp"
    descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
    try:
        yield name, descriptor
    finally:
        os.close(descriptor)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)  # gone already when it was renamed


def _write(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _take_over(descriptor: int, target: Path, old: os.stat_result, source: SourceFile) -> None:
    """Give the new file the owner and mode of the old one, and on Linux its extended attributes."""
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        try:
            os.fchown(descriptor, old.st_uid, old.st_gid)
        except PermissionError:
            message = "belongs to another user or group, which would change by saving, and was not overwritten"
            raise problem_of(source, message, f"have its owner save it, or take it over first (chown {os.geteuid()} {target})") from None
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
    if sys.platform == "linux":  # elsewhere Python has no functions for them
        with contextlib.suppress(OSError):  # file systems without extended attributes
            for name in os.listxattr(target):
                with contextlib.suppress(OSError):
                    os.setxattr(descriptor, name, os.getxattr(target, name))


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other savers out of a folder, and force what was renamed in it to the disk."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with contextlib.suppress(OSError):  # where the file system has no locks, the gap is below 0.1 s
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
        with contextlib.suppress(OSError):  # some file systems cannot force a folder to the disk; the rename is done
            os.fsync(folder)
    finally:
        os.close(folder)
