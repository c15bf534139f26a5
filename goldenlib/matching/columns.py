"""Columns: the cells of a result as arrays, so that a million rows are compared without touching a Python value.

MatchRule: two cells are the same thing exactly when their class, value and offset are equal. The columns of both results share one `Book`,
so an index or an offset means the same on both sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from goldenlib.matching.cells import Cell, CellKind
from goldenlib.matching.tolerances import MatchRule, exact_value

Integers = npt.NDArray[np.signedinteger[Any]]  # 64 bits, or 32 in a column without numbers and moments
Kinds = npt.NDArray[np.uint8]

# What a kind is compared as: a boolean meets numbers, and a date its midnight and its ISO spelling.
CLASS = np.arange(len(CellKind), dtype=np.uint8)
CLASS[CellKind.BOOLEAN] = CellKind.NUMBER
CLASS[[CellKind.DATE_TEXT, CellKind.MIDNIGHT]] = CellKind.DATE


@dataclass(frozen=True)
class Column:
    """One column. `kinds[i]` is a CellKind. `values[i]` depends on it: the bits of the nearest float for numbers and booleans, a day for
    dates, microseconds for moments, an index into the book for everything else. `offsets[i]` orders what the value cannot hold (the
    rest of a number, nanoseconds); None when it is 0 throughout. `present` are the kinds there are (in a part of a column: there may be).
    """

    kinds: Kinds
    values: Integers
    offsets: Integers | None
    present: frozenset[int]
    rule: MatchRule | None = None  # of a golden column that has limits of its own

    @property
    def kind(self) -> int | None:
        """The kind of all cells, or None when there are several."""
        return next(iter(self.present)) if len(self.present) == 1 else None

    def taken(self, rows: Integers) -> Column:
        """Return the column with the cells of these rows."""
        offsets = None if self.offsets is None else self.offsets[rows]
        # Where all cells are of one kind, the kinds are not gathered but stretched.
        kinds = np.broadcast_to(np.uint8(self.kind), len(rows)) if self.kind is not None else self.kinds[rows]
        return Column(kinds, self.values[rows], offsets, self.present, self.rule)

    @property
    def floats(self) -> npt.NDArray[np.float64]:
        """The values as floats; meaningful where the cell is a number or boolean."""
        return self.values.astype(np.int64, copy=False).view(np.float64)


@dataclass(frozen=True)
class Book:
    """What the indices and offsets of columns stand for.

    `rests` are in ascending order, and offset 0 means the rest 0. `shapes` has the shape of each nested cell (`shape_of`);
    `has_loose_shapes` says whether two different nested cells share one, so that they might agree.
    """

    rests: list[Fraction | int]
    nested: list[Cell]
    shapes: Integers
    has_loose_shapes: bool

    @cached_property
    def _zero(self) -> int:
        return self.rests.index(0)

    def exact(self, number: float, offset: int) -> Fraction | int:
        """Return the exact value of a number."""
        rest = self.rests[self._zero + offset] if offset else 0
        return rest if np.isinf(number) else exact_value(number) + rest
