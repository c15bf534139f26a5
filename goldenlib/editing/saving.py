"""Saving: an edited file takes the place of the old one in one step, and only if nobody else changed that meanwhile.

Rule: at every moment, also when the power goes, the file is either the old or the new one, whole.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

from goldenlib.editing.reading import parse_source
from goldenlib.editing.refusals import ConflictError, EditError, problem_of
from goldenlib.editing.source import SourceFile
from goldenlib.errors import GoldenError

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


def save(source: SourceFile) -> SourceFile:
    """Write the edits to the file, and return it as it now is. Nothing is written when there are none.

    The text goes to a temporary file in the same folder, is forced to the disk, and then renamed over the old one, whose
    mode, owner and (on Linux) extended attributes it gets. Behind a symbolic link the target is replaced and the link stays. A new
    file gets its name in one step too, whole, with the mode that is usual here (umask).

    Raises ConflictError when the bytes of the file are not those that were read, whatever its date says, or when a new one is
    there by now, and EditError when it cannot be written. The file is then as it was, no temporary file is left, and `source` still
    holds the edits.
    """
    if not source.is_changed:
        return source
    if sys.platform == "win32":
        raise problem_of(source, "was not saved: that is built for Linux and macOS", "edit the set there, or in WSL")
    from goldenlib.editing import replacing  # which Windows cannot import

    try:
        target = Path(os.path.realpath(source.path))
        theirs = replacing.create(source, target) if source.is_new else replacing.replace(source, target)
    except OSError as error:
        raise _not_saved(source, error) from None
    if theirs is not None:
        raise _conflict(source, theirs)
    return source.saved()


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
    return problem_of(source, message, f"{way_out}; your changes are still here")
