"""Candidates: which answer columns could stand for which golden columns, judged on each column alone.

MatchRule: only necessary conditions. A pair that is left out cannot be part of any match; a pair that is kept may still be none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from goldenlib.matching.agreement import Agreement
from goldenlib.matching.cells import CellKind
from goldenlib.matching.codes import rough_sum
from goldenlib.matching.columns import CLASS, Column, Integers
from goldenlib.matching.tolerances import EXACT, Flags, MatchRule

_PROBES = 33
_QUICK = 100_000  # numbers


def candidate_columns(golden: Sequence[Column], answer: Sequence[Column], agreement: Agreement, *, quick: bool = False) -> Flags:
    """Return allowed[j, k]: whether the cells of answer column k, in some order, could agree with those of golden column j.

    What takes long for large results is left out where a column has no choice, and with `quick` everywhere.
    """
    golden_sums, answer_sums = (np.array([rough_sum(column, agreement) for column in side], np.uint64) for side in (golden, answer))
    allowed: Flags = golden_sums[:, None] == answer_sums[None, :]
    if agreement.rule.is_exact or not agreement.rule.is_monotone:
        return allowed
    golden_numbers, answer_numbers = ({i: _NumberSums(side[i]) for i in _with_numbers(side)} for side in (golden, answer))
    _compare_ends(allowed, golden_numbers, answer_numbers, agreement.rule)
    usable = usable_pairs(allowed)
    if usable is None:
        return allowed
    allowed, choices = usable, usable.sum(axis=1) > 1
    known: dict[tuple[bytes, bytes, bool], bool] = {}
    for j, k in np.argwhere(allowed).tolist():
        if j not in golden_numbers or k not in answer_numbers:
            continue
        if golden_numbers[j].count <= _QUICK or (choices[j] and not quick):
            numbers = golden_numbers[j], answer_numbers[k]
            are_booleans = CellKind.NUMBER not in golden[j].present & answer[k].present  # on one side: agree exactly or not at all
            pair = (numbers[0].content, numbers[1].content, are_booleans)
            if pair not in known or not all(pair[:2]):
                known[pair] = _pair_up(*numbers, replace(agreement, rule=EXACT) if are_booleans else agreement)
            allowed[j, k] = known[pair]
    return allowed


def usable_pairs(allowed: Flags) -> Flags | None:
    """Return which allowed pairs take part in some injection of all golden columns, or None when there is no injection."""
    chosen = injection(allowed)
    if chosen is None:
        return None
    count = len(chosen)
    # displaces[j, i]: j may take the column of i. A pair is usable when i, having lost its column, can get another one, by a
    # chain of displacements that ends at j or at a free column.
    displaces = allowed[:, chosen]
    reaches: Flags = np.asarray(displaces | np.eye(count, dtype=bool))
    for _ in range(max(1, count).bit_length()):
        reaches = np.asarray(reaches @ reaches)
    free = np.ones(allowed.shape[1], bool)
    free[chosen] = False
    finds_free = np.asarray(reaches & (allowed & free).any(axis=1)).any(axis=1)
    usable = allowed.copy()
    usable[:, chosen] &= np.asarray(reaches.T | finds_free)
    return usable


def injection(allowed: Flags) -> Integers | None:
    """Return an answer column for each golden column, all different, among the allowed pairs; None when there is none."""
    if not allowed.any(axis=1).all():
        return None
    if not len(allowed):
        return np.zeros(0, np.int64)
    chosen: Integers = maximum_bipartite_matching(csr_matrix(allowed), perm_type="column").astype(np.int64)
    return chosen if (chosen >= 0).all() else None


def components(allowed: Flags) -> list[tuple[Integers, Integers]]:
    """Return the (golden, answer) columns that hang together by allowed pairs; answer columns that nothing allows are left out."""
    parts: list[tuple[list[int], set[int]]] = []
    for column, row in enumerate(allowed):
        joined: tuple[list[int], set[int]] = ([column], set(np.flatnonzero(row).tolist()))
        apart = []
        for part in parts:
            if joined[1].isdisjoint(part[1]):
                apart.append(part)
            else:
                joined = (part[0] + joined[0], joined[1] | part[1])
        parts = [*apart, joined]
    return [(np.array(sorted(golden)), np.array(sorted(answer), int)) for golden, answer in parts]


def _with_numbers(columns: Sequence[Column]) -> list[int]:
    return [
        index
        for index, column in enumerate(columns)
        if CellKind.NUMBER in CLASS[list(column.present)] and (CLASS[column.kinds] == CellKind.NUMBER).any()
    ]


class _NumberSums:
    """The numbers of a column (booleans counted in), by size."""

    def __init__(self, column: Column) -> None:
        is_number = CLASS[column.kinds] == CellKind.NUMBER
        self._values = column.values if is_number.all() else column.values[is_number]
        self._offsets = None if column.offsets is None else column.offsets[is_number]
        self.count = len(self._values)
        self.ends = (self._values.view(np.float64).min(), self._values.view(np.float64).max())

    @cached_property
    def sorted(self) -> Column:
        """All numbers in ascending order."""
        floats = self._values.view(np.float64)
        if self._offsets is None:
            return _as_numbers(np.sort(floats).view(np.int64), None)
        order = np.lexsort((self._offsets, floats))
        return _as_numbers(self._values[order], self._offsets[order])

    @cached_property
    def content(self) -> bytes:
        """The sorted numbers of a small column, to know it again; empty for others."""
        return self.sorted.values.tobytes() if self.count <= _PROBES * 100 and self._offsets is None else b""


def _compare_ends(allowed: Flags, golden: Mapping[int, _NumberSums], answer: Mapping[int, _NumberSums], rule: MatchRule) -> None:
    """Forbid pairs of columns whose smallest or largest numbers cannot agree."""
    rows, columns = np.array(list(golden), int), np.array(list(answer), int)
    for end in (0, 1):
        low, high = rule.reach(np.array([numbers.ends[end] for numbers in golden.values()]), outward=True)
        ends = np.array([numbers.ends[end] for numbers in answer.values()])
        with np.errstate(invalid="ignore"):
            apart = (ends[None, :] < low[:, None]) | (ends[None, :] > high[:, None])
        allowed[np.ix_(rows, columns)] &= ~apart


def _pair_up(golden: _NumberSums, answer: _NumberSums, agreement: Agreement) -> bool:
    """Return whether the numbers can be paired one to one, each pair agreeing: exactly when they do in ascending order."""
    if golden.count != answer.count:
        return False
    if golden.count > _PROBES:
        probes = np.linspace(0, golden.count - 1, _PROBES).astype(np.int64)
        if not agreement(golden.sorted, answer.sorted, probes, probes).all():
            return False
    return bool(agreement(golden.sorted, answer.sorted).all())


def _as_numbers(values: Integers, offsets: Integers | None) -> Column:
    return Column(np.full(len(values), CellKind.NUMBER, np.uint8), values, offsets, frozenset({int(CellKind.NUMBER)}))
