"""Filling: Arrow arrays into kinds, values and offsets, a whole array at a time.

Rule: every value arrives exactly. What an array operation would round (integers beyond the floats, long decimals) is put right one
by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import types

from goldenlib.matching.arrowvalues import ENDLESS, FOREVER, MICROSECONDS_A_DAY
from goldenlib.matching.cells import DECIMAL_DIGITS, WHOLE_FLOATS, CellKind, number_key
from goldenlib.matching.columns import Integers, Kinds

_EXACT_POWERS = 22  # 10**22 is the last power of ten that is a float
_PER_MICROSECOND = {"s": 1_000_000, "ms": 1_000, "us": 1}


@dataclass
class Filling:
    """A column being filled. `rests` are (place, rest) of the numbers that floats do not hold; `offsets` are nanoseconds."""

    kinds: Kinds
    values: Integers
    offsets: Integers | None = None
    rests: list[tuple[int, Fraction | int]] = field(default_factory=list)

    @classmethod
    def of(cls, rows: int, *, is_narrow: bool = False) -> Filling:
        """Return a draft of NULLs; a narrow one holds no numbers and no moments, which takes half the memory."""
        return cls(np.zeros(rows, np.uint8), np.zeros(rows, np.int32 if is_narrow else np.int64))

    def made_offsets(self) -> Integers:
        """Return the offsets, made where there are none yet."""
        if self.offsets is None:
            self.offsets = np.zeros(len(self.values), np.int64)
        return self.offsets


def fill(draft: Filling, at: int, array: pa.Array) -> bool:
    """Fill the cells of `array` into `draft` from place `at`; return False for a type that has to go value by value.

    The places of NULLs may hold anything afterwards.
    """
    for is_type, filler in _FILLERS:
        if is_type(array.type):
            return filler(draft, at, array)
    return False


def _fill_nothing(draft: Filling, at: int, array: pa.Array) -> bool:
    return True  # a draft starts as NULLs


def _fill_booleans(draft: Filling, at: int, array: pa.Array) -> bool:
    flags = array.fill_null(False).to_numpy(zero_copy_only=False)
    draft.kinds[at : at + len(array)] = CellKind.BOOLEAN
    draft.values[at : at + len(array)] = flags.astype(np.float64).view(np.int64)
    return True


def _fill_integers(draft: Filling, at: int, array: pa.Array) -> bool:
    integers = _numpy(array)
    draft.kinds[at : at + len(array)] = CellKind.NUMBER
    draft.values[at : at + len(array)] = integers.astype(np.float64).view(np.int64)
    if integers.dtype.itemsize == 8:
        places = np.flatnonzero((integers > WHOLE_FLOATS) | (integers < -WHOLE_FLOATS))
        _put_exact(draft, at, places, integers[places].tolist())
    return True


def _fill_floats(draft: Filling, at: int, array: pa.Array) -> bool:
    floats = _numpy(array).astype(np.float64) + 0.0  # + 0.0 makes -0.0 zero
    draft.kinds[at : at + len(array)] = CellKind.NUMBER
    values = draft.values[at : at + len(array)]
    values[:] = floats.view(np.int64)
    if not (finite := np.isfinite(floats)).all():
        kinds = draft.kinds[at : at + len(array)]
        kinds[~finite] = CellKind.INFINITY
        kinds[np.isnan(floats)] = CellKind.NAN
        values[~finite] = np.where(np.isnan(floats), 0, np.sign(floats))[~finite].astype(np.int64)
    return True


def _fill_decimals(draft: Filling, at: int, array: pa.Array) -> bool:
    scale = array.type.scale
    if array.type.bit_width != 128 or not 0 <= scale <= _EXACT_POWERS:
        return False
    words = np.frombuffer(array.buffers()[1], np.int64).reshape(-1, 2)[array.offset : array.offset + len(array)]
    low, high = words[:, 0], words[:, 1]
    if array.null_count:
        present = ~_nulls(array)
        low, high = low * present, high * present
    # A decimal of at most 15 digits is what its nearest float prints as, and dividing two exact floats gives the nearest.
    small = (high == low >> 63) & (low < 10**DECIMAL_DIGITS) & (low > -(10**DECIMAL_DIGITS))
    draft.kinds[at : at + len(array)] = CellKind.NUMBER
    draft.values[at : at + len(array)] = (low / 10.0**scale + 0.0).view(np.int64)
    places = np.flatnonzero(~small)
    _put_exact(draft, at, places, array.take(pa.array(places)).to_pylist())
    return True


def _fill_days(draft: Filling, at: int, array: pa.Array) -> bool:
    days = _numpy(array.view(pa.int32() if types.is_date32(array.type) else pa.int64())).astype(np.int64)
    draft.kinds[at : at + len(array)] = CellKind.DATE
    draft.values[at : at + len(array)] = days if types.is_date32(array.type) else days // 86_400_000
    return True


def _fill_timestamps(draft: Filling, at: int, array: pa.Array) -> bool:
    counts, endless = _counts(array), None
    if len(counts) and (counts.max() == ENDLESS or counts.min() == -ENDLESS):  # infinity is one, with a zone and without
        endless = np.where(counts == ENDLESS, FOREVER, np.where(counts == -ENDLESS, -FOREVER, 0))
        counts = np.where(endless, 0, counts)
    if not _fill_moments(draft, at, counts, array.type.unit, CellKind.TIMESTAMP if array.type.tz is None else CellKind.INSTANT):
        return False
    values, kinds = draft.values[at : at + len(array)], draft.kinds[at : at + len(array)]
    if array.type.tz is None:
        midnight = values % MICROSECONDS_A_DAY == 0
        if draft.offsets is not None:
            midnight &= draft.offsets[at : at + len(array)] == 0
        kinds[midnight] = CellKind.MIDNIGHT
        values[midnight] //= MICROSECONDS_A_DAY
    if endless is not None:
        kinds[endless != 0] = CellKind.MIDNIGHT
        values[endless != 0] = endless[endless != 0]
    return True


def _fill_times(draft: Filling, at: int, array: pa.Array) -> bool:
    return _fill_moments(draft, at, _counts(array), array.type.unit, CellKind.TIME)


def _fill_durations(draft: Filling, at: int, array: pa.Array) -> bool:
    return _fill_moments(draft, at, _counts(array), array.type.unit, CellKind.DURATION)


def _counts(array: pa.Array) -> npt.NDArray[np.int64]:
    return _numpy(array.view(pa.int32() if types.is_time32(array.type) else pa.int64())).astype(np.int64)


def _fill_moments(draft: Filling, at: int, counts: npt.NDArray[np.int64], unit: str, kind: CellKind) -> bool:
    here = slice(at, at + len(counts))
    if unit == "ns":
        nanoseconds = counts % 1000
        if nanoseconds.any():
            draft.made_offsets()[here] = nanoseconds
        microseconds = counts // 1000
    else:
        factor = _PER_MICROSECOND[unit]
        if len(counts) and max(int(counts.max()), -int(counts.min())) * factor >= 2**63:
            return False
        microseconds = counts * factor
    draft.kinds[here] = kind
    draft.values[here] = microseconds
    return True


def _numpy(array: pa.Array) -> npt.NDArray[Any]:
    values: npt.NDArray[Any] = (array.fill_null(0) if array.null_count else array).to_numpy(zero_copy_only=False)
    return values


def _nulls(array: pa.Array) -> npt.NDArray[np.bool_]:
    flags: npt.NDArray[np.bool_] = array.is_null().to_numpy(zero_copy_only=False)
    return flags


def _put_exact(draft: Filling, at: int, places: npt.NDArray[np.int64], numbers: Iterable[Any]) -> None:
    """Put exact numbers to their places (counted from `at`); None is left as it is."""
    for place, number in zip((places + at).tolist(), numbers, strict=True):
        if number is not None:
            nearest, rest = number_key(number)
            draft.values[place] = np.float64(nearest).view(np.int64)
            if rest:
                draft.rests.append((place, rest))


_FILLERS: tuple[tuple[Callable[[Any], bool], Callable[[Filling, int, Any], bool]], ...] = (
    (types.is_null, _fill_nothing),
    (types.is_boolean, _fill_booleans),
    (types.is_integer, _fill_integers),
    (types.is_floating, _fill_floats),
    (types.is_decimal, _fill_decimals),
    (types.is_date, _fill_days),
    (types.is_timestamp, _fill_timestamps),
    (types.is_time, _fill_times),
    (types.is_duration, _fill_durations),
)
