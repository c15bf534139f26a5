"""Saving: an edited file takes the place of the old one in one step, and only if nobody else changed that meanwhile.

Rule: at every moment, also when the power goes, the file is either the old or the new one, whole.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

from goldenlib.editing.errors import ConflictError, EditError
from goldenlib.editing.reading import parse_source
from goldenlib.editing.source import SourceFile
from goldenlib.errors import GoldenError, Problem

_WAYS_OUT = {
    errno.ENOSPC: "free some space on the disk, and save again",
    errno.EDQUOT: "your quota is used up: free some space, and save again",
    errno.EFBIG: "the file would be larger than is allowed here: split the set, or have the limit raised",
    errno.EROFS: "the file system is read-only: copy the file to a folder that you may write to, and edit that",
    errno.EACCES: "have the rights of the folder changed, or edit a copy in a folder that you may write to",
    errno.EPERM: "have the rights of the folder changed, or edit a copy in a folder that you may write to",
    errno.ENOENT: "put the file or its folder back, and save again",
    errno.ENOTDIR: "put the file or its folder back, and save again",
}
# What file systems answer that have no hard links.
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
_USUAL_MODE = 0o666


def save(source: SourceFile) -> SourceFile:
    """Write the edits to the file, and return it as it now is. Nothing is written when there are none.

    The text goes to a temporary file in the same folder, is forced to the disk, and then renamed over the old one, whose
    mode, owner and extended attributes it gets. Behind a symbolic link the target is replaced and the link stays. A new file gets
    its name in one step too, whole, with the mode that is usual here (umask).

    Raises ConflictError when the bytes of the file are not those that were read, whatever its date says, or when a new one is
    there by now, and EditError when it cannot be written. The file is then as it was, no temporary file is left, and `source` still
    holds the edits.
    """
    if not source.is_changed:
        return source
    try:
        target = Path(os.path.realpath(source.path))
        theirs = _create(source, target) if source.is_new else _replace(source, target)
    except OSError as error:
        raise _not_saved(source, error) from None
    if theirs is not None:
        raise _conflict(source, theirs)
    return source.saved()


def _replace(source: SourceFile, target: Path) -> bytes | None:
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


def _create(source: SourceFile, target: Path) -> bytes | None:
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
        raise _error(source, "is read-only and was not overwritten", f"make it writable (chmod u+w {target}), and save again")


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
    """Give the new file the owner, mode and extended attributes of the old one."""
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        try:
            os.fchown(descriptor, old.st_uid, old.st_gid)
        except PermissionError:
            message = "belongs to another user or group, which would change by saving, and was not overwritten"
            raise _error(source, message, f"have its owner save it, or take it over first (chown {os.geteuid()} {target})") from None
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
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


def _conflict(source: SourceFile, theirs: bytes) -> ConflictError:
    try:
        found = parse_source(source.path, theirs)
    except (GoldenError, UnicodeDecodeError):
        return ConflictError(source, None, theirs)
    is_emptied = source.as_read.items and not found.items  # cut off, more likely than meant
    return ConflictError(source, None if is_emptied else found, theirs)


def _not_saved(source: SourceFile, error: OSError) -> EditError:
    way_out = _WAYS_OUT.get(error.errno or 0, "see to the cause, and save again")
    gone = error.errno in (errno.ENOENT, errno.ENOTDIR)
    state = "is not there yet" if source.is_new else "is as it was"
    message = f"could not be saved ({error.strerror or error}), and {state}"
    if gone:
        message = "could not be saved, since its folder is no longer there" if source.is_new else "is no longer there"
    return _error(source, message, f"{way_out}; your changes are still here")


def _error(source: SourceFile, message: str, way_out: str) -> EditError:
    return EditError([Problem(str(source.path), message, way_out=way_out)])
