"""Encoding: both results into columns that can be compared, in one go, so that texts and nested values get the same indices.

Rule: Arrow arrays are filled whole; only what Arrow cannot hold exactly, or nests, is read value by value.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from goldenlib.matching.arrowvalues import python_values
from goldenlib.matching.cells import ENDLESS_DAYS, Cell, CellKind, iso_day, read_cell, shape_of
from goldenlib.matching.columns import CLASS, Book, Column, Integers
from goldenlib.matching.filling import Filling, fill
from goldenlib.matching.resulttables import Piece, ResultTable

_NO_DAY = np.iinfo(np.int64).min


def encode(golden: ResultTable, answer: ResultTable) -> tuple[list[Column], list[Column], Book]:
    """Return the columns of both results, and the book that both refer to."""
    encoder = _Encoder()
    drafts = [[encoder.draft(pieces, table.rows) for pieces in table.columns] for table in (golden, answer)]
    book = encoder.settle([draft for side in drafts for draft in side])
    golden_columns, answer_columns = ([_finished(side.pop(0)) for _ in range(len(side))] for side in drafts)
    return golden_columns, answer_columns, book


def _finished(draft: Filling) -> Column:
    low, high = (int(draft.kinds.min()), int(draft.kinds.max())) if len(draft.kinds) else (0, 0)
    offsets = draft.offsets if draft.offsets is not None and draft.offsets.any() else None
    if low == high:
        return Column(np.broadcast_to(np.uint8(low), len(draft.kinds)), draft.values, offsets, frozenset({low}))
    return Column(draft.kinds, draft.values, offsets, frozenset(np.flatnonzero(np.bincount(draft.kinds)).tolist()))


class _Encoder:
    """Fills drafts piece by piece, and settles at the end what needs the whole of both results."""

    def __init__(self) -> None:
        self._texts = _TextCodes()
        self._blobs = _TextCodes()
        self._nested: dict[Cell, int] = {}
        self._others: dict[Cell, int] = {}

    def draft(self, pieces: Sequence[Piece], rows: int) -> Filling:
        """Return the draft of one column."""
        if len(pieces) == 1 and (floats := _plain_floats(pieces[0])) is not None:
            return Filling(np.full(rows, CellKind.NUMBER, np.uint8), floats)
        draft, at = Filling.of(rows, is_narrow=all(not isinstance(piece, list) and _is_narrow(piece.type) for piece in pieces)), 0
        for piece in pieces:
            if isinstance(piece, list):
                self._fill_cells(draft, at, piece)
            elif len(piece):
                self._fill_array(draft, at, _plain(piece))
            at += len(piece)
        return draft

    def settle(self, drafts: Sequence[Filling]) -> Book:
        """Give texts, bytes and the rests of numbers their values in all drafts."""
        words = self._texts.settle()
        self._blobs.settle()
        if words is not None and any((CLASS[draft.kinds] == CellKind.DATE).any() for draft in drafts):
            _mark_dates(drafts, words)
        nested = list(self._nested)
        shapes: dict[Any, int] = {}
        shape_indices = [shapes.setdefault(shape_of(cell), len(shapes)) for cell in nested]
        return Book(_rank_rests(drafts), nested, np.array(shape_indices, np.int64), has_loose_shapes=len(shapes) < len(nested))

    def _fill_array(self, draft: Filling, at: int, array: pa.Array) -> None:
        here = slice(at, at + len(array))
        if _is_text(array.type) or _is_bytes(array.type):
            draft.kinds[here] = CellKind.TEXT if _is_text(array.type) else CellKind.BYTES
            (self._texts if _is_text(array.type) else self._blobs).add(array, draft.values[here])
        elif not fill(draft, at, array):
            self._fill_cells(draft, at, python_values(array))
            return
        if array.null_count:
            null = array.is_null().to_numpy(zero_copy_only=False)
            draft.kinds[here][null] = CellKind.NULL
            draft.values[here][null] = 0
            if draft.offsets is not None:
                draft.offsets[here][null] = 0

    def _fill_cells(self, draft: Filling, at: int, values: list[Any]) -> None:
        words: dict[CellKind, list[tuple[int, bytes]]] = {CellKind.TEXT: [], CellKind.BYTES: []}
        for place, value in enumerate(values, at):
            cell = read_cell(value)
            draft.kinds[place] = cell.kind
            key: Any = cell.key
            if cell.kind in (CellKind.NUMBER, CellKind.BOOLEAN):
                draft.values[place] = np.float64(key[0]).view(np.int64)
                if key[1]:
                    draft.rests.append((place, key[1]))
            elif cell.kind in words:
                words[cell.kind].append((place, key.encode("utf-8", "surrogatepass") if cell.kind is CellKind.TEXT else key))
            elif cell.kind is CellKind.NESTED:
                draft.values[place] = self._nested.setdefault(cell, len(self._nested))
            elif cell.kind is CellKind.OTHER or (isinstance(key, tuple) and not -(2**63) <= key[0] < 2**63):
                draft.kinds[place] = CellKind.OTHER
                draft.values[place] = self._others.setdefault(cell, len(self._others))
            elif isinstance(key, tuple):  # a moment: microseconds and nanoseconds
                draft.values[place] = key[0]
                if key[1]:
                    draft.made_offsets()[place] = key[1]
            else:
                draft.values[place] = key
        for kind, collected in ((self._texts, words[CellKind.TEXT]), (self._blobs, words[CellKind.BYTES])):
            if collected:
                places = np.array([place for place, _ in collected])
                kind.add(pa.array([word for _, word in collected], pa.large_binary()), draft.values, places)


class _TextCodes:
    """Texts or bytes of both results, each of which gets the same index wherever it stands."""

    def __init__(self) -> None:
        self._arrays: list[pa.Array] = []
        self._targets: list[tuple[Integers, Integers | None]] = []

    def add(self, array: pa.Array, values: Integers, places: Integers | None = None) -> None:
        """Note that the words of `array` belong into `values` (at `places`, or throughout)."""
        self._arrays.append(array)
        self._targets.append((values, places))

    def settle(self) -> pa.Array | None:
        """Write the indices, and return the words they stand for. NULL gets the index 0."""
        if not self._arrays:
            return None
        are_short = all(types.is_string(array.type) or types.is_binary(array.type) for array in self._arrays)
        plain = pa.binary() if are_short else pa.large_binary()  # the offsets of short arrays are not copied
        encoded = pa.chunked_array([array.cast(plain) for array in self._arrays]).dictionary_encode()
        self._arrays.clear()
        for chunk, (values, places) in zip(encoded.chunks, self._targets, strict=True):
            indices = chunk.indices.fill_null(0).to_numpy(zero_copy_only=False)
            values[slice(None) if places is None else places] = indices
        return encoded.chunks[-1].dictionary


def _mark_dates(drafts: Sequence[Filling], words: pa.Array) -> None:
    """Turn texts that spell a date exactly into the day they spell."""
    places = np.flatnonzero(pc.equal(pc.binary_length(words), 10).to_numpy(zero_copy_only=False))
    days = np.full(len(words), _NO_DAY)
    for place, word in zip(places.tolist(), words.take(pa.array(places)).to_pylist(), strict=True):
        if word.isascii() and (day := iso_day(word.decode("ascii"))) is not None:
            days[place] = day
    for endless, day in ENDLESS_DAYS.items():
        if (place := pc.index(words, pa.scalar(endless.encode(), words.type)).as_py()) >= 0:
            days[place] = day
    for draft in drafts:
        texts = np.flatnonzero(draft.kinds == CellKind.TEXT)
        spelled = days[draft.values[texts]]
        dated = texts[spelled != _NO_DAY]
        if len(dated):
            draft.kinds[dated] = CellKind.DATE_TEXT
            draft.values[dated] = spelled[spelled != _NO_DAY]


def _rank_rests(drafts: Sequence[Filling]) -> list[Fraction | int]:
    """Replace the rests of numbers by offsets in their order, 0 for no rest, and return the rests in that order."""
    ordered = sorted({rest for draft in drafts for _, rest in draft.rests} | {0})
    zero = ordered.index(0)
    offset_of = {rest: index - zero for index, rest in enumerate(ordered)}
    for draft in drafts:
        if draft.rests:
            offsets = draft.made_offsets()
            offsets[[place for place, _ in draft.rests]] = [offset_of[rest] for _, rest in draft.rests]
            draft.rests.clear()
    return ordered


def _plain(array: pa.Array) -> pa.Array:
    """Return `array` without the wrapping of dictionaries, runs and extension types (but a UUID stays one)."""
    while True:
        if isinstance(array, pa.DictionaryArray):
            array = array.dictionary_decode()
        elif types.is_run_end_encoded(array.type):
            array = pc.run_end_decode(array)
        elif isinstance(array, pa.ExtensionArray) and array.type.extension_name != "arrow.uuid":
            array = array.storage
        else:
            return array


def _plain_floats(piece: Piece) -> Integers | None:
    """Return the bits of an array of finite floats as they lie in memory, or None when they cannot be taken as they are."""
    if isinstance(piece, list) or not types.is_float64(piece.type) or piece.null_count:
        return None
    floats = piece.to_numpy()
    bits: Integers = floats.view(np.int64)
    has_minus_zero = (bits == np.iinfo(np.int64).min).any()
    return bits if np.isfinite(floats).all() and not has_minus_zero else None


def _is_narrow(arrow_type: pa.DataType) -> bool:
    return _is_text(arrow_type) or _is_bytes(arrow_type) or bool(types.is_date32(arrow_type) or types.is_null(arrow_type))


def _is_text(arrow_type: pa.DataType) -> bool:
    return any(is_type(arrow_type) for is_type in (types.is_string, types.is_large_string, types.is_string_view))


def _is_bytes(arrow_type: pa.DataType) -> bool:
    kinds = (types.is_binary, types.is_large_binary, types.is_fixed_size_binary, types.is_binary_view)
    return any(is_type(arrow_type) for is_type in kinds)
