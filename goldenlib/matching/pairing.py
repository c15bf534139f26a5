"""Pairing: the rows of both results one to one, for columns that are already lined up.

Rule: complete. A pairing is returned only after every cell was checked, and None only when there is none. The cheap ways are tried
first: by codes where they are decisive, in order of size for a single column of numbers, and edges and coupling for the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from goldenlib.matching.agreement import Agreement
from goldenlib.matching.budget import Budget
from goldenlib.matching.cells import CellKind
from goldenlib.matching.columns import Column, Integers
from goldenlib.matching.coupling import NOBODY, couple_copies, couple_rows
from goldenlib.matching.edges import ColumnPair, Edges, Rows, check_edges, find_edges, lay_grid
from goldenlib.matching.labels import Hashes, Labels, RowOrder, exact_codes, mix, order_rows
from goldenlib.matching.tolerances import Flags

_FEW_EDGES = 8  # a row; with more, rows that are the same are taken together
_LARGE = 200_000  # rows
_WORTH_COPIES = 0.7  # of the rows are different, at most, for taking them together to be worth it


@dataclass(frozen=True)
class RowPairing:
    """golden[i] is paired with answer[i]. `labels` tell apart rows that no pairing could put together."""

    golden: Integers
    answer: Integers
    labels: Labels


def pair_rows(
    pairs: Sequence[ColumnPair], labels: Labels, agreement: Agreement, budget: Budget, *, refine: bool = False
) -> RowPairing | None:
    """Return a pairing of all rows in which every cell of `pairs` agrees, or None when there is none.

    `labels` already tell apart what the codes of the columns tell apart. With `refine`, the labels of the pairing also tell apart
    rows that the numbers keep apart. Raises BudgetSpent when it cannot be decided with the steps left.
    """
    task = _Task(pairs, labels, agreement, budget, refine)
    loose = [pair for pair in pairs if not pair.decisive]
    if len(loose) > 1 and len(labels.golden) >= _LARGE:
        return task.pair_by_edges(loose)  # which sorts the rows once, by label and numbers
    order = order_rows(labels)
    if order is None:
        return None
    if not loose or order.groups == len(order.golden):
        if task.agree(pairs, order):
            return RowPairing(order.golden, order.answer, labels)
        if order.groups == len(order.golden):
            return None
        loose = list(pairs)  # two different cells had one code: happens once in billions, but then codes decide nothing
    if len(loose) == 1 and _is_one_run(loose[0], agreement):
        found = task.pair_by_size(loose, order)
        if not isinstance(found, _Open):
            return found
    del order
    return task.pair_by_edges(loose)


class _Open:
    """Not decided yet."""


@dataclass(frozen=True)
class _Task:
    pairs: Sequence[ColumnPair]
    labels: Labels
    agreement: Agreement
    budget: Budget
    refine: bool

    def agree(self, pairs: Sequence[ColumnPair], order: RowOrder) -> bool:
        return all(self.agreement(pair.golden, pair.answer, order.golden, order.answer).all() for pair in pairs)

    def pair_by_size(self, loose: Sequence[ColumnPair], order: RowOrder) -> RowPairing | _Open | None:
        """Pair the rows of a label by the size of one number. That a column fails in this order proves that there is no pairing."""
        decisive = [pair for pair in self.pairs if pair.decisive]
        for pair in loose:
            by_size = replace(
                order,
                golden=_by_size(pair.golden, self.labels.golden, order),
                answer=_by_size(pair.answer, self.labels.answer, order),
            )
            if not self.agree([pair], by_size):
                return None if self.agree(decisive, by_size) else _Open()
            if (len(loose) == 1 or not self.refine) and self.agree([other for other in self.pairs if other is not pair], by_size):
                labels = self._split_at_gaps(pair, by_size) if self.refine else self.labels
                return RowPairing(by_size.golden, by_size.answer, labels)
        return _Open()

    def pair_by_edges(self, loose: Sequence[ColumnPair]) -> RowPairing | None:
        count = len(self.labels.golden)
        grid = lay_grid(self.pairs, self.labels, self.agreement.rule)
        if grid.size > _FEW_EDGES * count:
            order = order_rows(self.labels)
            if order is not None and len(loose) > 1 and all(_is_one_run(pair, self.agreement) for pair in loose):
                found = self.pair_by_size(loose, order)
                if not isinstance(found, _Open):
                    return found
            if (copies := _same_rows(self.pairs, self.labels)) is not None:
                return self._pair_copies(*copies)
        edges = check_edges(grid, self.pairs, self.agreement, self.budget)
        del grid
        if not (_takes_part(edges.golden, count).all() and _takes_part(edges.answer, count).all()):
            return None
        partner = couple_rows(edges, count, count)
        if (partner == NOBODY).any():
            return None
        return RowPairing(np.arange(count), partner, _hang_together(edges, self.labels) if self.refine else self.labels)

    def _split_at_gaps(self, pair: ColumnPair, order: RowOrder) -> Labels:
        """Return labels that part rows where, in order of size, nothing before a place agrees with anything after it."""
        before, after = slice(None, -1), slice(1, None)
        joined = self.agreement(pair.golden, pair.answer, order.golden[before], order.answer[after])
        joined |= self.agreement(pair.golden, pair.answer, order.golden[after], order.answer[before])
        joined &= order.labels[after] == order.labels[before]
        runs = np.concatenate([[0], np.cumsum(~joined)])
        golden, answer = np.empty(len(runs), np.int64), np.empty(len(runs), np.int64)
        golden[order.golden], answer[order.answer] = runs, runs
        return self.labels.refined(mix(golden.view(np.uint64)), mix(answer.view(np.uint64)))

    def _pair_copies(self, golden: _Copies, answer: _Copies) -> RowPairing | None:
        few = [replace(pair, golden=pair.golden.taken(golden.first), answer=pair.answer.taken(answer.first)) for pair in self.pairs]
        labels = Labels(self.labels.golden[golden.first], self.labels.answer[answer.first])
        edges = find_edges(few, labels, self.agreement, self.budget)
        golden_kind, answer_kind, times = couple_copies(edges, golden.times, answer.times)
        if int(times.sum()) < len(self.labels.golden):
            return None
        golden_rows = _dealt(np.repeat(golden_kind, times), golden.kind)
        return RowPairing(golden_rows, _dealt(np.repeat(answer_kind, times), answer.kind), self.labels)


def _is_one_run(pair: ColumnPair, agreement: Agreement) -> bool:
    """Return whether each golden cell agrees with an unbroken run of the answer's cells, sorted, and the runs ascend."""
    kinds = pair.golden.present | pair.answer.present
    mixes = CellKind.NESTED in kinds or CellKind.BOOLEAN in kinds or {CellKind.DATE_TEXT, CellKind.MIDNIGHT} <= kinds
    return agreement.rule.is_monotone and not mixes


def _by_size(column: Column, labels: Hashes, order: RowOrder) -> Integers:
    if column.offsets is not None:
        return np.lexsort((column.offsets, column.floats, labels))
    rows = np.argsort(column.floats)
    return rows if order.groups == 1 else rows[np.argsort(labels[rows], kind="stable")]


def _takes_part(rows: Rows, count: int) -> Flags:
    flags = np.zeros(count, bool)
    flags[rows] = True
    return flags


def _hang_together(edges: Edges, labels: Labels) -> Labels:
    """Return labels that tell apart rows which are not connected by edges."""
    count = len(labels.golden)
    graph = csr_matrix((np.ones(len(edges.golden), np.int8), (edges.golden, edges.answer + count)), shape=(2 * count,) * 2)
    component = connected_components(graph, directed=False)[1].astype(np.uint64)
    return labels.refined(mix(component[:count]), mix(component[count:]))


@dataclass(frozen=True)
class _Copies:
    """Equal rows of one side: `first` of each kind of row, the kind of every row, and how many rows are of the kind."""

    first: Integers
    kind: Integers
    times: Integers


def _same_rows(pairs: Sequence[ColumnPair], labels: Labels) -> tuple[_Copies, _Copies] | None:
    """Return the copies on both sides, or None when there are too few to matter."""
    golden = _copies([pair.golden for pair in pairs], labels.golden)
    answer = _copies([pair.answer for pair in pairs], labels.answer)
    if golden is None or answer is None or len(golden.first) + len(answer.first) > _WORTH_COPIES * 2 * len(labels.golden):
        return None
    return golden, answer


def _copies(columns: Sequence[Column], labels: Hashes) -> _Copies | None:
    for column in columns:
        labels = mix(labels ^ exact_codes(column))
    _, first, kind, times = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    for column in columns:  # a hash says that they are equal; make sure
        if not all(np.array_equal(part, part[first][kind]) for part in (column.kinds, column.values, column.offsets) if part is not None):
            return None
    return _Copies(first, kind, times)


def _dealt(wanted: Integers, kind: Integers) -> Integers:
    """Return a row of each wanted kind, every row once."""
    rows = np.empty(len(wanted), np.int64)
    rows[np.argsort(wanted, kind="stable")] = np.argsort(kind, kind="stable")
    return rows
