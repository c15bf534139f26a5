"""Files that commands write: whether they can stand at their path, and putting them there.

Rule: a link stays a link and its target is written; a pipe or a device is written into and never replaced; a regular file is replaced in
one step, so that no half-written one is ever read. What cannot be written is refused before anything is asked.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from goldenlib.errors import SettingsError

_READER_S = 10.0  # how long a pipe is waited for that nobody reads from


def check_outfile(path: Path, *, in_use: Iterable[Path] = (), only_regular: bool = False) -> None:
    """Raise SettingsError when no file can be written at `path`, or when it is one of those `in_use`, or in such a folder.

    `only_regular` refuses pipes and devices too, for a file that is written again and again.
    """
    if str(path) == "-":
        raise SettingsError("-: would be a file of that name; standard output is for the text for people, give the name of a file")
    try:
        found = path.stat()
    except FileNotFoundError:
        _check_new(path)
        found = None
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        raise SettingsError(f"{path}: cannot be written to ({getattr(error, 'strerror', error)}); give the name of a file") from None
    _check_kind(path, found, only_regular=only_regular)
    for other in (file for used in in_use for file in files_of(used)):
        if file_identity(other) == file_identity(path):
            raise SettingsError(f"{path}: is {other}, which this command uses already; give it a name of its own")
    folder = Path(os.path.realpath(path)).parent
    if (found is None or stat.S_ISREG(found.st_mode)) and not os.access(folder, os.W_OK | os.X_OK):
        raise SettingsError(f"{path}: the folder {folder} may not be written to; choose another place")


def file_identity(path: Path) -> object:
    """What two names of one file have in common, links and hard links too.

    Of a file that is not there yet: its folder and its name, which some systems take to be the same in other case or composition.
    """
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    place = Path(os.path.realpath(path))
    name = unicodedata.normalize("NFC", place.name.casefold())
    with suppress(OSError):
        folder = place.parent.stat()
        return folder.st_dev, folder.st_ino, name
    return str(place.parent), name


def files_of(path: Path) -> list[Path]:
    """Return the path itself, or what stands directly in the folder that it is."""
    with suppress(OSError):
        return list(path.iterdir()) if path.is_dir() else [path]
    return [path]


def write_outfile(path: Path, data: bytes) -> None:
    """Put a file at its path, or into what stands there. Raises OSError when that fails; a file that was there is then as it was."""
    try:
        found = path.stat()
        mode, names = found.st_mode, found.st_nlink
    except FileNotFoundError:
        mode, names = stat.S_IFREG | 0o666 & ~current_umask(), 1
    if stat.S_ISREG(mode) and names > 1:  # a file of several names stays one file
        path.write_bytes(data)
    elif stat.S_ISREG(mode):
        _replace(Path(os.path.realpath(path)), data, stat.S_IMODE(mode))
    else:
        _pour(path, data)


def _check_new(path: Path) -> None:
    """Refuse a name at which nothing can be made."""
    if path.is_symlink():
        raise SettingsError(f"{path}: is a link to {os.readlink(path)}, which does not exist; make that, or remove the link")
    if not path.absolute().parent.is_dir():
        raise SettingsError(f"{path}: the folder {path.parent} does not exist; create it first (mkdir -p {path.parent})")


def _check_kind(path: Path, found: os.stat_result | None, *, only_regular: bool) -> None:
    if found is None:
        return
    if stat.S_ISDIR(found.st_mode):
        raise SettingsError(f"{path}: is a folder; give the name of a file")
    if stat.S_ISBLK(found.st_mode) or stat.S_ISSOCK(found.st_mode):
        raise SettingsError(f"{path}: is a device or a socket, into which no file can be written; give the name of a file")
    is_regular = stat.S_ISREG(found.st_mode)
    if not is_regular and only_regular:
        raise SettingsError(f"{path}: is a pipe or a device, and this file is written again and again; give the name of a file")
    if not is_regular and not os.access(path, os.W_OK):
        raise SettingsError(f"{path}: may not be written to; choose another place")
    if _is_output(found):
        raise SettingsError(f"{path}: is standard output or error, where the text for people goes; give a file, or a pipe of its own")


def _is_output(found: os.stat_result) -> bool:
    """Whether a file is where the command's own text goes. /dev/null mixes nothing up."""
    with suppress(OSError):
        if os.path.samestat(found, os.stat(os.devnull)):
            return False
    for number in (1, 2):
        with suppress(OSError):
            if os.path.samestat(found, os.fstat(number)):
                return True
    return False


def _replace(target: Path, data: bytes, mode: int) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException as error:
        os.unlink(name)
        if isinstance(error, OSError) and error.errno == errno.EBUSY:  # a file that a container was given by itself
            target.write_bytes(data)
            return
        raise


def _pour(path: Path, data: bytes) -> None:
    """Write into a pipe or a device. One that nobody reads from is waited for, and not for ever."""
    if sys.platform == "win32":
        path.write_bytes(data)
        return
    deadline = time.monotonic() + _READER_S
    while True:
        try:
            number = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
            break
        except OSError as error:
            if error.errno != errno.ENXIO or time.monotonic() > deadline:
                raise OSError(error.errno, "nobody reads from it") if error.errno == errno.ENXIO else error from None
            time.sleep(0.05)
    os.set_blocking(number, True)
    with os.fdopen(number, "wb", buffering=0) as file:
        left = memoryview(data)
        while left:
            left = left[file.write(left) :]


def current_umask() -> int:
    """Return what new files of this process lack, without changing it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
