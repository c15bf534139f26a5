"""Codes: a number for each cell, equal for cells that may agree.

MatchRule: agreeing cells always have equal codes. Where the numbers of the columns at hand fall into clusters, all of which agree within
and none across, equal codes also mean agreement; the codes are then decisive, and tolerance is dealt with once and for all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from goldenlib.matching.agreement import Agreement
from goldenlib.matching.cells import CellKind
from goldenlib.matching.columns import CLASS, Column, Integers
from goldenlib.matching.labels import Hashes, cell_codes, salt
from goldenlib.matching.tolerances import Floats, MatchRule

_SAMPLE = 20_000
_KIND_WEIGHTS = np.array([int(salt(5, int(CLASS[kind]))) >> 2 for kind in range(len(CellKind))])
_OFFSET_WEIGHT = 1_000_003
_NUMBER_KINDS = frozenset({int(CellKind.NUMBER), int(CellKind.BOOLEAN)})


@dataclass(frozen=True)
class Coding:
    """How the cells of columns that could stand for each other are coded.

    `bounds` are where a new cluster of numbers begins; None when each number is told apart exactly. `decisive` says whether equal
    codes mean agreement.
    """

    agreement: Agreement
    bounds: Floats | None
    decisive: bool

    def codes(self, column: Column) -> Hashes:
        """Return the code of each cell."""
        return cell_codes(column, *_parts(column, self.agreement, self.bounds))


def rough_sum(column: Column, agreement: Agreement) -> np.uint64:
    """Return a number for a column, equal for columns whose cells may agree in some order; seldom equal by chance."""
    values, offsets = _parts(column, agreement, None if agreement.rule.is_exact else np.zeros(0))
    kinds = [column.kind] if column.kind is not None else column.kinds
    total = int(values.sum()) + len(values) // len(kinds) * int(_KIND_WEIGHTS[kinds].sum())
    if offsets is not None:
        total += int(offsets.sum()) * _OFFSET_WEIGHT
    return np.uint64(total % 2**64)


def coding_for(golden: list[Column], answer: list[Column], agreement: Agreement) -> Coding:
    """Return the coding of columns that could stand for each other."""
    rule = agreement.rule
    golden_kinds, answer_kinds = (frozenset().union(*(column.present for column in side)) for side in (golden, answer))
    kinds = golden_kinds | answer_kinds
    decisive = not (CellKind.NESTED in kinds and agreement.book.has_loose_shapes)
    for texts, moments in ((golden_kinds, answer_kinds), (answer_kinds, golden_kinds)):
        decisive = decisive and not (CellKind.DATE_TEXT in texts and CellKind.MIDNIGHT in moments)
    decisive = decisive and all(column.rule is None for column in golden)
    if rule.is_exact or CellKind.NUMBER not in golden_kinds or CellKind.NUMBER not in answer_kinds:
        return Coding(agreement, None, decisive)  # a boolean agrees with a number exactly or not at all
    if not rule.is_monotone:
        return Coding(agreement, np.zeros(0), decisive=False)
    columns = [*golden, *answer]
    clusters = _clusters(columns, rule)
    if clusters is None:
        return Coding(agreement, np.zeros(0), decisive=False)
    mutual = clusters.have_one_value_each or (clusters.are_mutual and CellKind.BOOLEAN not in kinds)
    are_floats = all(column.offsets is None for column in columns)  # the clusters are made from the nearest floats
    return Coding(agreement, clusters.bounds, decisive and mutual and are_floats)


def _parts(column: Column, agreement: Agreement, bounds: Floats | None) -> tuple[Integers, Integers | None]:
    """Return values and offsets that are equal for cells of one class that may agree: clusters for numbers, shapes for lists."""
    values, offsets = column.values, column.offsets
    if bounds is not None and column.present & _NUMBER_KINDS:
        is_number = True if column.kind is not None else CLASS[column.kinds] == CellKind.NUMBER
        cluster = np.searchsorted(bounds, column.floats, side="right") if len(bounds) else np.int64(0)
        values = np.broadcast_to(cluster, len(values)) if is_number is True else np.where(is_number, cluster, values)
        offsets = None if offsets is None or is_number is True else np.where(is_number, 0, offsets)
    if CellKind.NESTED in column.present:
        nested = column.kinds == CellKind.NESTED
        values = values.copy()
        values[nested] = agreement.book.shapes[column.values[nested]]
    return values, offsets


@dataclass(frozen=True)
class _Clusters:
    bounds: Floats
    are_mutual: bool  # every two numbers of a cluster agree
    have_one_value_each: bool


def _clusters(columns: list[Column], rule: MatchRule) -> _Clusters | None:
    """Return the clusters of the numbers of all columns, or None when there are no useful ones among very many numbers."""
    parts = [column.floats if column.present <= _NUMBER_KINDS else column.floats[_is_number(column)] for column in columns]
    size = sum(map(len, parts))
    if size > 10 * _SAMPLE:
        # If even some of the numbers run into one another, all of them do.
        some = _clusters_of(np.concatenate([part[:: max(1, size // _SAMPLE)] for part in parts]), rule)
        if not some.are_mutual:
            return None
        parts = [_distinct(part) for part in parts]
    return _clusters_of(np.concatenate(parts), rule)


def _distinct(numbers: Floats) -> Floats:
    some = numbers[:: max(1, len(numbers) // _SAMPLE)]
    # Integers are made distinct by a hash table, which is quick when there are few different ones.
    return np.unique(numbers.view(np.int64)).view(np.float64) if len(np.unique(some)) < len(some) // 2 else numbers


def _is_number(column: Column) -> npt.NDArray[np.bool_]:
    flags: npt.NDArray[np.bool_] = CLASS[column.kinds] == CellKind.NUMBER
    return flags


def _clusters_of(numbers: Floats, rule: MatchRule) -> _Clusters:
    distinct = np.unique(numbers)
    if not len(distinct):
        return _Clusters(distinct, are_mutual=True, have_one_value_each=True)
    low, high = rule.reach(distinct, outward=True)
    with np.errstate(invalid="ignore"):
        apart = (distinct[1:] > high[:-1]) & (distinct[:-1] < low[1:])
    first = np.concatenate([[0], np.flatnonzero(apart) + 1])
    last = np.concatenate([first[1:] - 1, [len(distinct) - 1]])
    low, high = rule.reach(distinct, outward=False)
    single = first == last
    mutual = single | ((high[first] >= distinct[last]) & (low[last] <= distinct[first]))
    return _Clusters(distinct[first[1:]], bool(mutual.all()), bool(single.all()))
