"""Writing a golden set file: items as YAML in the form in which experts write it.

Rule: what is put in place has been read again and says the same, item by item; a file that is there is never lost.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from goldenlib.editing.rendering import Renderer
from goldenlib.editing.surroundings import Surroundings
from goldenlib.editing.values import as_wanted
from goldenlib.errors import GoldenError, InputError, Problem
from goldenlib.files.documents import MAX_BYTES
from goldenlib.files.loading import load_set
from goldenlib.files.outfiles import check_outfile, current_umask, write_outfile
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Item


def set_text(items: Sequence[Item], head: Sequence[str] = ()) -> str:
    """Return the YAML of a golden set, below comments with the lines of `head`. What it says is verified. Raises GoldenError."""
    text = _whole([_item_text(item, may_block=True) for item in items], head)
    if len(text.encode()) > MAX_BYTES:
        raise GoldenError(
            f"the set would be larger than the {MAX_BYTES // 1_000_000} MB of a golden set file; split it into one file per topic"
        )
    with tempfile.TemporaryDirectory() as folder:
        read = _read_again(Path(folder) / "set.yaml", text)
        if read is None or read.items != tuple(items):
            text = _whole([_item_text(item, may_block=False) for item in items], head)
            read = _read_again(Path(folder) / "set.yaml", text)
    if read is None or read.items != tuple(items):
        raise GoldenError("a text of the set cannot be written as YAML so that it is read as the same text again; nothing was written")
    return text


def write_file(path: Path, data: bytes, *, force: bool, in_use: Sequence[Path] = ()) -> None:
    """Put a file in its place in one step. Raises InputError when there is one already and `force` is off, or it cannot be written.

    Raises SettingsError for what no file can take the place of, also of those `in_use` (`outfiles.check_outfile`).
    """
    try:
        if not force and os.path.lexists(path):
            raise FileExistsError
        check_outfile(path, in_use=in_use)
        if force:
            write_outfile(path, data)
        else:
            target = Path(os.path.realpath(path))
            with _temporary(target, data) as temporary:
                _place_beside(temporary, target)
    except FileExistsError:
        raise InputError(
            [Problem(str(path), "exists already and was not overwritten", way_out="choose another name, or give --force")]
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        way_out = "choose a folder that exists and that you may write to"
        raise InputError([Problem(str(path), f"cannot be written ({why})", way_out=way_out)]) from None


def _item_text(item: Item, *, may_block: bool) -> str:
    values: dict[str, Any] = {"id": item.id, "surface": item.surface, **item.model_dump(exclude_defaults=True), "verified": item.verified}
    lines = Renderer(Surroundings((), "\n"), may_block=may_block).entry(as_wanted(values), (), 2)
    return "".join(f"{line}\n" for line in lines)


def _whole(parts: Sequence[str], head: Sequence[str]) -> str:
    comments = "".join(f"# {line}\n" if line else "#\n" for line in map(printable, head))
    return f"{comments}{'' if not head else chr(10)}items:\n" + "\n".join(parts)


def printable(line: str) -> str:
    """Return a line for a comment or a terminal: what is no printable character is shown as an escape."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)


def _read_again(path: Path, text: str) -> GoldenSet | None:
    path.write_text(text, encoding="utf-8", newline="")
    try:
        return load_set(path)
    except InputError:
        return None


@contextlib.contextmanager
def _temporary(target: Path, data: bytes) -> Any:
    """Give a file beside the target that holds the data, on the disk. It does not stay."""
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if sys.platform != "win32":
                os.fchmod(file.fileno(), 0o666 & ~current_umask())
            os.fsync(file.fileno())
        yield name
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)  # gone already when it was renamed


def _place_beside(temporary: str, target: Path) -> None:
    """Give the temporary file the name of the target, unless somebody made such a file meanwhile."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if target.exists():
            raise FileExistsError from None
        os.replace(temporary, target)
