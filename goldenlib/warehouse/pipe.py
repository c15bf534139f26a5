"""Frames: what the worker and its parent say to one another, over two pipes.

Rule: a frame is a letter, a length and that many bytes. Rows of a server are pickled, and unpickled by a reader that knows eight types.
"""

from __future__ import annotations

import io
import json
import pickle
import struct
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any, BinaryIO
from uuid import UUID

HEADER = struct.Struct(">cQ")
QUESTION, DATA, END = b"Q", b"D", b"E"

_PLAIN = (type(None), bool, int, float, str, bytes)
_KNOWN = (Decimal, date, datetime, time, timedelta, UUID)
_LOADABLE: dict[tuple[str, str], type] = {(kind.__module__, kind.__name__): kind for kind in (*_KNOWN, timezone)}
_LOADABLE["uuid", "SafeUUID"] = type(UUID(int=0).is_safe)  # what a UUID is pickled with


def write_frame(pipe: BinaryIO, kind: bytes, payload: bytes | memoryview) -> None:
    """Write one frame and let it go."""
    pipe.write(HEADER.pack(kind, len(payload)))
    pipe.write(payload)
    pipe.flush()


def write_message(pipe: BinaryIO, kind: bytes, message: dict[str, Any]) -> None:
    """Write one frame of JSON."""
    write_frame(pipe, kind, json.dumps(message).encode())


def pack_rows(rows: Iterable[Iterable[object]]) -> bytes:
    """Return rows of a database driver as bytes; a value of a type that is not known here becomes its text."""
    return pickle.dumps([tuple(map(_known, row)) for row in rows], protocol=pickle.HIGHEST_PROTOCOL)


def unpack_rows(packed: bytes) -> list[tuple[object, ...]]:
    """Return the rows of `pack_rows`; raises UnpicklingError for anything but the known types."""
    rows: list[tuple[object, ...]] = _Unpickler(io.BytesIO(packed)).load()
    return rows


def _known(value: object) -> object:
    """A cell as one of the types that the reader knows; moments with a time zone are told in UTC."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, datetime):
        return value if value.tzinfo is None else value.astimezone(UTC)
    if isinstance(value, list | tuple):
        return [_known(part) for part in value]
    if isinstance(value, dict):
        return {str(key): _known(part) for key, part in value.items()}
    if isinstance(value, memoryview | bytearray):
        return bytes(value)
    return value if type(value) in _KNOWN else str(value)


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> type:
        if (module, name) not in _LOADABLE:
            raise pickle.UnpicklingError(f"{module}.{name} is no cell")
        return _LOADABLE[module, name]
