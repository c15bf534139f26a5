"""Labels: a number for each row, equal for rows that may still be the same row.

Rule: rows that agree always have equal labels, so unequal labels prove that rows differ. Equal labels prove nothing (they are 64-bit
hashes): whatever is concluded from them is checked on the cells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from goldenlib.matching.cells import CellKind
from goldenlib.matching.columns import CLASS, Column, Integers

Hashes = npt.NDArray[np.uint64]

_MULTIPLIERS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)
_BLOCK = 32_768
_GOLDEN_RATIO = 0x9E3779B97F4A7C15


def mix(numbers: Hashes) -> Hashes:
    """Mix numbers well, in place, and return them: different for different input (the finalizer of splitmix64)."""
    for start in range(0, len(numbers), _BLOCK):  # a block stays in the processor's cache for all the steps
        block = numbers[start : start + _BLOCK]
        block ^= block >> _SHIFTS[0]
        block *= _MULTIPLIERS[0]
        block ^= block >> _SHIFTS[1]
        block *= _MULTIPLIERS[1]
        block ^= block >> _SHIFTS[2]
    return numbers


def salt(*numbers: int) -> np.uint64:
    """Return a number that keeps apart hashes of different things."""
    state = 0
    for number in numbers:
        state = (state * 31 + number + 1) * _GOLDEN_RATIO & 0xFFFFFFFFFFFFFFFF
    return np.uint64(state)


_CLASS_SALTS: Hashes = np.array([salt(1, int(CLASS[kind])) for kind in range(len(CellKind))], np.uint64)
_OFFSET_SALT = salt(2)
_START = salt(6)
_SEEDS = salt(7), salt(8)


def cell_codes(column: Column, values: Integers, offsets: Integers | None) -> Hashes:
    """Return a number for each cell by its class, with `values` and `offsets` in place of the column's own. Not mixed yet."""
    salts = _CLASS_SALTS[column.kind] if column.kind is not None else _CLASS_SALTS[column.kinds]
    codes = values.astype(np.int64, copy=False).view(np.uint64) ^ salts
    if offsets is not None:
        codes ^= mix(offsets.view(np.uint64) ^ _OFFSET_SALT) * (offsets != 0)
    return codes


def exact_codes(column: Column) -> Hashes:
    """Return a number for each cell that is equal for cells that are the same thing."""
    return cell_codes(column, column.values, column.offsets)


@dataclass(frozen=True)
class Labels:
    """The labels of the golden rows and of the answer's rows. They are well mixed, so codes can be laid over them."""

    golden: Hashes
    answer: Hashes

    @classmethod
    def of(cls, golden: Hashes, answer: Hashes) -> Labels:
        """Return labels that are equal where the given numbers are."""
        return cls(mix(golden ^ _START), mix(answer ^ _START))

    def refined(self, golden: Hashes, answer: Hashes) -> Labels:
        """Return labels that also tell apart what the given codes tell apart."""
        return Labels(mix(self.golden ^ golden), mix(self.answer ^ answer))

    def are_same(self) -> bool:
        """Return whether the same labels are there equally often on both sides, but for a chance of one in 10**18."""
        sums = [[mix(side ^ seed).sum() for seed in _SEEDS] for side in (self.golden, self.answer)]
        return sums[0] == sums[1]


@dataclass(frozen=True)
class RowOrder:
    """Rows of both results sorted by label: the rows in the same place have the same label."""

    golden: Integers
    answer: Integers
    labels: Hashes

    @property
    def groups(self) -> int:
        """How many different labels there are."""
        return int(np.count_nonzero(self.labels[1:] != self.labels[:-1])) + bool(len(self.labels))


def order_rows(labels: Labels) -> RowOrder | None:
    """Return the rows of both sides by label, or None when some label is not there equally often on both sides."""
    golden, answer = np.argsort(labels.golden), np.argsort(labels.answer)
    ordered = labels.golden[golden]
    return RowOrder(golden, answer, ordered) if np.array_equal(ordered, labels.answer[answer]) else None
