"""Tables: the rows a caller holds, whatever they are held in, as columns made of Arrow arrays where Arrow can hold them exactly.

Rule: nothing is converted that would lose something: what Arrow would change stays a list of Python values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from goldenlib.matching.arrowvalues import python_value

Piece: TypeAlias = "pa.Array | list[Any]"  # a run of cells of one column
Numbers: TypeAlias = "npt.NDArray[Any]"

_BLOCK = 1_024  # rows taken at once: their cells are still in the processor's cache when they are looked at again
_NUMPY_TYPES: dict[frozenset[type], type] = {frozenset({int}): np.int64, frozenset({float}): np.float64}
# Given to Arrow with the cells: it would find the types itself, but at the price of an import at every call.
_ARROW_TYPES: dict[frozenset[type], pa.DataType] = {
    frozenset({int}): pa.int64(),
    frozenset({float}): pa.float64(),
    frozenset({int, float}): pa.float64(),  # refuses an integer that is no float
    frozenset({bool}): pa.bool_(),
    frozenset({str}): pa.large_string(),
    frozenset({date}): pa.date32(),
}


@dataclass(frozen=True)
class ResultTable:
    """Rows as columns. `names` are None where the caller's rows carry none; `value` gives one cell as the caller wrote it."""

    names: tuple[str | None, ...]
    rows: int
    columns: tuple[tuple[Piece, ...], ...]
    value: Callable[[int, int], Any]

    def row(self, index: int) -> tuple[Any, ...]:
        """Return one row as the caller wrote it."""
        return tuple(self.value(index, column) for column in range(len(self.columns)))


def read_table(source: Any, role: str) -> ResultTable:
    """Return `source` as a table. `role` ("answer", "golden") is named in errors.

    Taken: rows as sequences or dicts (a list, cursor or other iterable of them), a pyarrow ResultTable, RecordBatch or reader, a DuckDB
    relation, a pandas DataFrame, and whatever else exports an Arrow stream. Raises TypeError for anything else, ValueError for
    rows of different lengths or keys.
    """
    if isinstance(source, pa.Table):
        return _arrow_table(source)
    if isinstance(source, pa.RecordBatch):
        return _arrow_table(pa.Table.from_batches([source]))
    if isinstance(source, pa.RecordBatchReader):
        return _arrow_table(source.read_all())
    for export in ("to_arrow_table", "fetch_arrow_table"):  # DuckDB
        if hasattr(source, export):
            return _arrow_table(getattr(source, export)())
    if hasattr(source, "iloc") and hasattr(source, "columns"):
        return _pandas_table(source)
    if hasattr(source, "__arrow_c_stream__"):
        return _arrow_table(pa.table(source))
    if isinstance(source, (str, bytes, Mapping)) or not isinstance(source, Iterable):
        raise TypeError(
            f"the {role} result is a {type(source).__name__}; give a list of rows (tuples, lists or dicts), an Arrow table, "
            "a DuckDB relation or a DataFrame"
        )
    return _row_table(source if isinstance(source, list) else list(source), role)


def _arrow_table(table: pa.Table) -> ResultTable:
    columns = table.columns
    return ResultTable(
        names=tuple(table.column_names),
        rows=table.num_rows,
        columns=tuple(tuple(column.chunks) for column in columns),
        value=lambda row, column: python_value(columns[column][row]),
    )


def _pandas_table(frame: Any) -> ResultTable:
    # One column at a time: names may repeat, and a column that Arrow refuses is kept as it is. pandas writes NULL as NaN.
    series = [frame.iloc[:, index] for index in range(frame.shape[1])]
    return ResultTable(
        names=tuple(str(name) for name in frame.columns),
        rows=len(frame),
        columns=tuple(_pandas_pieces(column) for column in series),
        value=lambda row, column: series[column].iloc[row],
    )


def _pandas_pieces(column: Any) -> tuple[Piece, ...]:
    if column.dtype == object:
        absent = column.isna().tolist()
        cells = [None if null else cell for cell, null in zip(column.tolist(), absent, strict=True)]
        return _joined([_piece(cells[start : start + _BLOCK]) for start in range(0, len(cells), _BLOCK)])
    array = pa.Array.from_pandas(column)
    return tuple(array.chunks) if isinstance(array, pa.ChunkedArray) else (array,)


def _row_table(rows: list[Any], role: str) -> ResultTable:
    keys, names = _keys(rows, role)
    pieces: list[list[Piece | Numbers]] = [[] for _ in keys]
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK]
        _check_rows(block, start, keys, role)
        for cells, column in zip(_turned(block, keys), pieces, strict=True):
            column.append(_piece(cells))
    return ResultTable(names, len(rows), tuple(map(_joined, pieces)), lambda row, column: rows[row][keys[column]])


def _keys(rows: list[Any], role: str) -> tuple[list[Any], tuple[str | None, ...]]:
    """Return what to look the columns up by, and their names, after the first row."""
    if not rows:
        return [], ()
    first = rows[0]
    if isinstance(first, Mapping):
        return list(first), tuple(map(str, first))
    if isinstance(first, (str, bytes)) or not (hasattr(first, "__len__") and hasattr(first, "__getitem__")):
        raise TypeError(f"row 1 of the {role} result is a {type(first).__name__}; give each row as a tuple, list or dict of its cells")
    names = getattr(first, "_fields", None) or (first.keys() if hasattr(first, "keys") else [None] * len(first))  # named rows
    return list(range(len(first))), tuple(names)


def _check_rows(block: list[Any], start: int, keys: list[Any], role: str) -> None:
    by_name = _is_by_name(keys)
    if not by_name and set(map(type, block)) <= {tuple, list} and set(map(len, block)) == {len(keys)}:
        return
    for number, row in enumerate(block, start + 1):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__len__") or (isinstance(row, Mapping) != by_name and keys):
            raise ValueError(f"row {number} of the {role} result is a {type(row).__name__}, unlike row 1; give all rows in one form")
        if by_name and set(row) != set(keys):
            raise ValueError(f"row {number} of the {role} result has the keys {list(row)}, row 1 has {keys}; fill up with None")
        if len(row) != len(keys):
            raise ValueError(f"row {number} of the {role} result has {len(row)} cells, row 1 has {len(keys)}; fill up with None")


def _is_by_name(keys: list[Any]) -> bool:
    return bool(keys) and keys != list(range(len(keys)))


def _turned(block: list[Any], keys: list[Any]) -> list[list[Any]]:
    """Return the columns of some rows."""
    if _is_by_name(keys):
        return [list(map(itemgetter(key), block)) for key in keys]
    cells = list(chain.from_iterable(block))  # touches each row once, which is what costs
    return [cells[place :: len(keys)] for place in range(len(keys))]


def _piece(cells: list[Any]) -> Piece | Numbers:
    """Return cells as an Arrow array (numbers without NULL: a numpy array) if it holds them exactly, else as they are."""
    found = frozenset(map(type, cells))
    if found in _NUMPY_TYPES:
        try:
            return np.fromiter(cells, _NUMPY_TYPES[found], len(cells))
        except OverflowError:
            return cells
    found -= {type(None)}
    if not found:
        return pa.nulls(len(cells))
    arrow_type = _ARROW_TYPES.get(found)
    if found == {datetime} and len({cell.tzinfo is None for cell in cells if cell is not None}) == 1:
        is_zoned = next(cell for cell in cells if cell is not None).tzinfo is not None
        arrow_type = pa.timestamp("us", "UTC" if is_zoned else None)
    return cells if arrow_type is None else _as_array(cells, arrow_type)


def _as_array(cells: list[Any], arrow_type: pa.DataType | None) -> Piece:
    try:
        return pa.array(cells, arrow_type)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        return cells


def _joined(pieces: list[Piece | Numbers]) -> tuple[Piece, ...]:
    """Return the same cells with neighbouring pieces of one type made one."""
    joined: list[Piece] = []
    for kind, group in groupby(pieces, key=_kind):
        run: list[Any] = list(group)
        if isinstance(kind, np.dtype):
            joined.append(pa.array(np.concatenate(run)))
        elif kind is not list:
            joined.append(pa.concat_arrays(run))
        else:
            cells = list(chain.from_iterable(run))
            is_decimal = set(map(type, cells)) <= {Decimal, int, type(None)}
            joined.append(_as_array(cells, None) if is_decimal else cells)  # Arrow finds the scale, and refuses what has no exact one
    pieces.clear()
    return tuple(joined)


def _kind(piece: Piece | Numbers) -> Any:
    if isinstance(piece, list):
        return list
    return piece.dtype if isinstance(piece, np.ndarray) else piece.type
