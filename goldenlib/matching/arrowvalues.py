"""Arrow values as Python values: what a result holds, one value at a time, to be shown or compared.

Rule: every value can be told. A moment that Python has no type for (infinity, years before 1 and after 9999) is told in SQL's spelling,
the same wherever it stands.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import types

FOREVER = 2**31 - 1  # the day that DuckDB's dates call infinity
MICROSECONDS_A_DAY = 86_400_000_000
ENDLESS = 2**63 - 1  # the count that DuckDB's timestamps call infinity, in every unit
UNREADABLE = (ValueError, OverflowError, TypeError, KeyError, pa.ArrowException)  # what Arrow raises where Python cannot hold a value
_PER_DAY = {"s": 86_400, "ms": 86_400_000, "us": MICROSECONDS_A_DAY, "ns": MICROSECONDS_A_DAY * 1_000}


def python_values(array: pa.Array | pa.ChunkedArray) -> list[Any]:
    """Return the values of an array as `python_value` does, in one go where Python can hold them all."""
    try:
        values: list[Any] = array.to_pylist(maps_as_pydicts="lossy")  # of a key given twice, the last value counts
    except UNREADABLE:
        return [python_value(scalar) for scalar in array]
    return values


def python_rows(table: pa.Table, at_most: int | None = None) -> list[tuple[Any, ...]]:
    """Return the first rows of a table, or all, as tuples of Python values."""
    return list(zip(*(python_values(column) for column in table.slice(0, at_most).columns), strict=True))


def python_value(scalar: pa.Scalar) -> Any:
    """Return an Arrow value as a Python value: a map as a dict where its keys can be that, else as a list of keys and values.

    A timestamp with nanoseconds is numpy's; any other moment that Python cannot hold is text.
    """
    try:
        return scalar.as_py(maps_as_pydicts="lossy")
    except UNREADABLE:
        pass
    kind = scalar.type
    if types.is_timestamp(kind) or types.is_date(kind):
        return _moment(scalar)
    if types.is_map(kind):
        return sorted(([python_value(entry["key"]), python_value(entry["value"])] for entry in scalar.values), key=repr)
    if types.is_struct(kind):
        return {kind.field(place).name: python_value(scalar[place]) for place in range(kind.num_fields)}
    if hasattr(scalar, "values"):
        return [python_value(part) for part in scalar.values]
    if isinstance(scalar, pa.UnionScalar | pa.DictionaryScalar | pa.ExtensionScalar):
        return python_value(scalar.value)
    return f"{kind} that cannot be read"


def _moment(scalar: pa.Scalar) -> Any:
    """Return a moment that is no Python one."""
    kind, count = scalar.type, scalar.value
    if types.is_timestamp(kind) and kind.unit == "ns" and kind.tz is None and abs(count) != ENDLESS:
        return np.datetime64(count, "ns")
    unit: Any = "ms" if types.is_date64(kind) else getattr(kind, "unit", "D")
    if unit == "D":
        return "infinity" if count == FOREVER else "-infinity" if count == -FOREVER else day_text(count)
    if abs(count) == ENDLESS:
        return "infinity" if count > 0 else "-infinity"
    day, rest = divmod(count, _PER_DAY[unit])
    clock = str(np.datetime64(rest, unit)).partition("T")[2]
    zone = "+00" if getattr(kind, "tz", None) is not None else ""
    return day_text(day) if rest == 0 and not zone else f"{day_text(day)} {clock}{zone}"


def day_text(day: int) -> str:
    """Return a day, counted from 1970, in SQL's spelling.

    >>> day_text(-735_000), day_text(90_580_000)
    ('0044-08-22 (BC)', '249969-08-14')
    """
    year, month_and_day = str(np.datetime64(day, "D")).rsplit("-", 2)[0], str(np.datetime64(day, "D"))[-6:]
    return f"{1 - int(year):04}{month_and_day} (BC)" if int(year) <= 0 else f"{int(year):04}{month_and_day}"
