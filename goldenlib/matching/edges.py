"""Edges: which golden rows agree with which answer rows, found without looking at every pair of rows.

MatchRule: every edge is checked on the cells of all columns, and no edge is missed. Numbers are put on a scale on which the tolerance is
one step everywhere; rows that agree are then in the same or in neighbouring boxes of a grid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from goldenlib.matching.agreement import Agreement
from goldenlib.matching.budget import Budget
from goldenlib.matching.cells import CellKind
from goldenlib.matching.columns import CLASS, Column, Integers
from goldenlib.matching.labels import Hashes, Labels, mix, salt
from goldenlib.matching.tolerances import Floats, MatchRule

_WIDTHS = (64.0, 16.0, 5.0)  # of a box, in steps of the scale; wide boxes put few rows into two of them, narrow ones part more
_FEW = 4  # possible partners a row, on average, that are not worth narrower boxes
_FREE = 8  # pairs a row that cost no steps
_CHUNK = 500_000  # pairs checked at once
_GRIDDED_TOLERANCE = 0.5  # above, the scale would need steps of very different size
_MOST_DIMENSIONS = 4
_ROW = np.int32  # rows are counted in 32 bits: a grid of a million rows is the largest thing a comparison makes

Rows = npt.NDArray[np.int32]


@dataclass(frozen=True)
class ColumnPair:
    """A golden column and the answer's column that stands for it. `decisive`: equal codes already mean agreement."""

    golden: Column
    answer: Column
    decisive: bool


@dataclass(frozen=True)
class Edges:
    """golden[i] and answer[i] are rows that agree in every column."""

    golden: Integers
    answer: Integers


@dataclass(frozen=True)
class Grid:
    """golden_rows[i] is in a box with answer_rows[first[i]:last[i]]."""

    golden_rows: Rows
    answer_rows: Rows
    first: Rows
    last: Rows

    @property
    def size(self) -> int:
        """How many pairs of rows share a box."""
        return int((self.last - self.first).sum(dtype=np.int64))


def find_edges(pairs: Sequence[ColumnPair], labels: Labels, agreement: Agreement, budget: Budget) -> Edges:
    """Return all edges between rows of equal label. Raises BudgetSpent when there are too many pairs to look at."""
    return check_edges(lay_grid(pairs, labels, agreement.rule), pairs, agreement, budget)


def check_edges(grid: Grid, pairs: Sequence[ColumnPair], agreement: Agreement, budget: Budget) -> Edges:
    """Return the pairs of rows sharing a box that agree in every column."""
    budget.spend(max(0, grid.size - _FREE * len(grid.golden_rows)) * max(1, len(pairs)))
    golden_parts, answer_parts = [np.zeros(0, _ROW)], [np.zeros(0, _ROW)]
    for start, end in _chunks(grid.last - grid.first):
        golden, answer = _expanded(grid, start, end)
        for pair in sorted(pairs, key=lambda pair: pair.decisive):
            agree = agreement(pair.golden, pair.answer, golden, answer)
            golden, answer = golden[agree], answer[agree]
        golden_parts.append(golden)
        answer_parts.append(answer)
    return Edges(np.concatenate(golden_parts), np.concatenate(answer_parts))


def lay_grid(pairs: Sequence[ColumnPair], labels: Labels, rule: MatchRule) -> Grid:
    """Return the rows of both sides by the boxes they are in; rows that agree share one."""
    scale = _ColumnScale.of(rule)
    numbers = [pair for pair in pairs if not pair.decisive and _has_numbers(pair)] if scale is not None else []
    numbers = sorted(numbers, key=lambda pair: -_spread(pair.golden))[:_MOST_DIMENSIONS]
    for width in _WIDTHS:
        golden_boxes = _boxes(labels.golden, [pair.golden for pair in numbers], scale, width)
        rows, answer_boxes = _all_boxes(labels.answer, [pair.answer for pair in numbers], scale, width)
        if width == _WIDTHS[-1] or not numbers or _sampled_pairs(golden_boxes, answer_boxes) <= _FEW * len(golden_boxes):
            break
    order = np.argsort(answer_boxes)
    answer_boxes, answer_rows = answer_boxes[order], rows[order]
    del order, rows  # of a million rows, every array counts
    golden_rows = np.argsort(golden_boxes).astype(_ROW)
    golden_boxes = golden_boxes[golden_rows]
    first = np.searchsorted(answer_boxes, golden_boxes, "left").astype(_ROW)
    return Grid(golden_rows, answer_rows, first, np.searchsorted(answer_boxes, golden_boxes, "right").astype(_ROW))


def _has_numbers(pair: ColumnPair) -> bool:
    return all(CellKind.NUMBER in CLASS[list(column.present)] for column in (pair.golden, pair.answer))


@dataclass(frozen=True)
class _ColumnScale:
    """Maps a number x to sign(x) * log(1 + t|x|/a) / t, on which [g - (t|g| + a), g + (t|g| + a)] reaches about one step each way."""

    tolerance: float
    absolute: float
    reach: float

    @classmethod
    def of(cls, rule: MatchRule) -> _ColumnScale | None:
        if rule.tolerance > _GRIDDED_TOLERANCE:
            return None
        # Larger limits than the rule's only draw the numbers together; these keep the floats away from their ends.
        tolerance, absolute = max(float(rule.tolerance), 1e-9), max(float(rule.absolute), 1e-150)
        reach = max(math.log1p(tolerance), -math.log1p(-tolerance)) / tolerance
        return cls(tolerance, absolute, reach + 0.01)  # the hundredth covers the rounding of the logarithms

    def places(self, column: Column) -> Floats:
        """Return where the numbers of a column are on the scale, and 0 for everything else."""
        places = np.nan_to_num(column.floats, nan=0.0)
        is_negative = places < 0
        np.abs(places, out=places)
        places *= self.tolerance
        places += self.absolute
        np.log(places, out=places)
        places -= math.log(self.absolute)
        places /= self.tolerance
        np.negative(places, out=places, where=is_negative)
        if column.kind is None:
            places[CLASS[column.kinds] != CellKind.NUMBER] = 0.0
        return places


def _spread(column: Column) -> float:
    numbers = column.floats[:: max(1, len(column.values) // 1000)]
    with np.errstate(over="ignore", invalid="ignore"):
        size = np.log1p(np.abs(np.nan_to_num(numbers, nan=0.0))) * np.sign(numbers)
    return float(np.nan_to_num(np.std(size)))


def _boxes(labels: Hashes, columns: list[Column], scale: _ColumnScale | None, width: float) -> Hashes:
    boxes = labels
    for dimension, column in enumerate(columns):
        assert scale is not None  # without a scale there are no columns either
        boxes = _boxed(boxes, _steps(scale.places(column), 0.0, width), dimension)
    return boxes


def _all_boxes(labels: Hashes, columns: list[Column], scale: _ColumnScale | None, width: float) -> tuple[Rows, Hashes]:
    """Return (row, box) for every box that a golden row which agrees with the row may be in."""
    rows, boxes = np.arange(len(labels), dtype=_ROW), labels
    for dimension, column in enumerate(columns):
        assert scale is not None
        places = scale.places(column)
        low = _steps(places, -scale.reach, width)
        crosses = _steps(places, scale.reach, width) != low
        del places
        second = np.flatnonzero(crosses[rows])
        more = _boxed(boxes[second], low[rows[second]] + 1, dimension)  # a box is wider than two reaches
        boxes = np.concatenate([_boxed(boxes, low[rows] if dimension else low, dimension), more])
        rows = np.concatenate([rows, rows[second]])
    return rows, boxes


def _steps(places: Floats, shift: float, width: float) -> Integers:
    steps = places + shift
    steps /= width
    np.floor(steps, out=steps)
    return steps.astype(np.int64)


def _boxed(boxes: Hashes, steps: Integers, dimension: int) -> Hashes:
    hashes = steps.view(np.uint64)
    hashes ^= salt(3, dimension)
    mix(hashes)
    hashes ^= boxes
    return mix(hashes)


def _sampled_pairs(golden: Hashes, answer: Hashes) -> int:
    """Return about how many pairs of rows share a box, by looking at every 64th box of large results."""
    if len(golden) > 100_000:
        some = np.uint64(63)
        return 64 * _sampled_pairs(golden[golden & some == 0], answer[answer & some == 0])
    ordered = np.sort(answer)
    return int((np.searchsorted(ordered, golden, "right") - np.searchsorted(ordered, golden, "left")).sum())


def _chunks(counts: Rows) -> list[tuple[int, int]]:
    ends = np.cumsum(counts, dtype=np.int64)
    bounds = [0]
    while bounds[-1] < len(counts):
        done = int(ends[bounds[-1] - 1]) if bounds[-1] else 0
        bounds.append(max(bounds[-1] + 1, int(np.searchsorted(ends, done + _CHUNK, "right"))))
    return list(pairwise(bounds))


def _expanded(grid: Grid, start: int, end: int) -> tuple[Rows, Rows]:
    counts = grid.last[start:end] - grid.first[start:end]
    ends = np.cumsum(counts, dtype=np.int64)
    within = np.arange(int(ends[-1])) - np.repeat(ends - counts, counts)
    return (
        np.repeat(grid.golden_rows[start:end], counts),
        grid.answer_rows[np.repeat(grid.first[start:end], counts) + within],
    )
