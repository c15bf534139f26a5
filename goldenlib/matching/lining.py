"""Lining up: an answer column for each golden column, such that the rows can be paired (contract 9.1).

Rule: complete. Columns and rows narrow each other down (a column's cells under the labels of the rows; a row's label under the columns
that are certain); where that leaves a choice, each candidate is tried. What is dropped was proven impossible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from goldenlib.matching.agreement import Agreement
from goldenlib.matching.budget import Budget, BudgetSpent
from goldenlib.matching.candidates import components, injection, usable_pairs
from goldenlib.matching.codes import Coding, coding_for
from goldenlib.matching.columns import Column, Integers
from goldenlib.matching.edges import ColumnPair
from goldenlib.matching.labels import Hashes, Labels, RowOrder, mix, order_rows, salt
from goldenlib.matching.pairing import pair_rows
from goldenlib.matching.tolerances import Flags

_KEPT_CELLS = 2_000_000  # codes of so many cells are kept; of more, they are made anew when needed
_LARGE = 200_000  # rows; from here on, rows are known to be the same by their hashes
_NODE_STEPS = 40_000  # what a choice costs whatever the size of the results


@dataclass(frozen=True)
class LiningUp:
    """columns[j] is the answer column of golden column j; golden_rows[i] is paired with answer_rows[i].

    The rows are None for large results that hold the same rows: that they do is certain, who is whose partner was not worked out.
    """

    columns: tuple[int, ...]
    golden_rows: Integers | None
    answer_rows: Integers | None


class Search:
    """Looks for a lining-up. `undecided` is set when some part of the search was given up for want of steps."""

    def __init__(self, golden: Sequence[Column], answer: Sequence[Column], agreement: Agreement, allowed: Flags, budget: Budget) -> None:
        self._golden, self._answer, self._agreement, self._budget = golden, answer, agreement, budget
        self.undecided = False
        self._rows = len(golden[0].values) if golden else 0
        self._codings: dict[int, Coding] = {}  # of each golden column
        self._answer_codings: dict[int, Coding] = {}
        for golden_members, answer_members in components(allowed):
            coding = coding_for([golden[j] for j in golden_members], [answer[k] for k in answer_members], agreement)
            self._codings |= dict.fromkeys(golden_members.tolist(), coding)
            self._answer_codings |= dict.fromkeys(answer_members.tolist(), coding)
        self._keep = self._rows * (len(golden) + len(answer)) <= _KEPT_CELLS
        self._kept: dict[int, Hashes] = {}

    def find(self, allowed: Flags, labels: Labels) -> LiningUp | None:
        """Return a lining-up among the allowed pairs of columns and rows of equal label, or None when none was found."""
        try:
            return self._explore(allowed, labels)
        except BudgetSpent:
            self.undecided = True
            return None

    def finds_another(self, allowed: Flags, chosen: Flags, labels: Labels, most: int) -> bool | None:
        """Return whether a lining-up other than `chosen` works; None when that takes too many steps, or tries of pairs of columns."""
        try:
            narrowed = self._narrow(allowed, labels)
        except BudgetSpent:
            return None
        others = np.argwhere(narrowed[0] & ~chosen).tolist() if narrowed is not None else []
        for j, k in others[:most]:
            if self.find(_settled(allowed, j, k), labels) is not None:
                return True
        return None if self.undecided or len(others) > most else False

    def _explore(self, allowed: Flags, labels: Labels) -> LiningUp | None:
        self._budget.spend(_NODE_STEPS)
        narrowed = (allowed, labels) if _is_certain(allowed) else self._narrow(allowed, labels)
        if narrowed is None:
            return None
        allowed, labels = narrowed
        if _is_certain(allowed):
            return self._conclude(allowed, labels)
        order = order_rows(labels)
        if order is not None and order.groups == self._rows:
            return self._by_position(allowed, order)
        for choice in self._choices(allowed):
            found = self._explore(choice, labels)
            if found is not None:
                return found
        return None

    def _conclude(self, allowed: Flags, labels: Labels) -> LiningUp | None:
        columns = tuple(allowed.argmax(axis=1).tolist()) if len(allowed) else ()
        for j, k in enumerate(columns):
            labels = labels.refined(self._codes(0, j), self._codes(1, k))
        pairs = [self._pair(j, k) for j, k in enumerate(columns)]
        if self._rows >= _LARGE and all(pair.decisive for pair in pairs):
            return LiningUp(columns, None, None) if labels.are_same() else None
        try:
            paired = pair_rows(pairs, labels, self._agreement, self._budget)
        except BudgetSpent:
            self.undecided = True
            return None
        return None if paired is None else LiningUp(columns, paired.golden, paired.answer)

    def _by_position(self, allowed: Flags, order: RowOrder) -> LiningUp | None:
        """Line up columns whose cells agree row by row, where every row has a label of its own."""
        agree = np.zeros_like(allowed)
        for j, k in np.argwhere(allowed).tolist():
            agree[j, k] = self._agreement(self._golden[j], self._answer[k], order.golden, order.answer).all()
        columns = injection(agree)
        return None if columns is None else LiningUp(tuple(columns.tolist()), order.golden, order.answer)

    def _narrow(self, allowed: Flags, labels: Labels) -> tuple[Flags, Labels] | None:
        """Let columns and rows narrow each other down until nothing changes; None when something has no counterpart left."""
        groups, known = 0, -1
        while True:
            self._budget.spend(self._rows * sum(allowed.shape))
            allowed = allowed & (self._signatures(0, labels.golden)[:, None] == self._signatures(1, labels.answer)[None, :])
            usable = usable_pairs(allowed)
            if usable is None:
                return None
            allowed = usable
            parts = [part for part in components(allowed) if len(part[0]) == len(part[1])]  # each column of the answer is used
            state = hash(allowed.tobytes())
            labels_now = labels
            for number, (golden, answer) in enumerate(parts):
                labels_now = labels_now.refined(self._row_sums(0, golden, number), self._row_sums(1, answer, number))
            certain = [self._pair(int(g[0]), int(a[0])) for g, a in parts if len(g) == 1]
            order = order_rows(labels_now)
            if order is None:
                return None
            if not all(pair.decisive for pair in certain):
                refined = self._refine_by_numbers(certain, labels_now)
                if refined is None:
                    return None
                labels_now, order = refined
            if (order.groups, state) == (groups, known):
                return allowed, labels
            groups, known, labels = order.groups, state, labels_now

    def _refine_by_numbers(self, certain: Sequence[ColumnPair], labels: Labels) -> tuple[Labels, RowOrder] | None:
        try:
            with self._budget.share(8) as budget:
                paired = pair_rows(certain, labels, self._agreement, budget, refine=True)
        except BudgetSpent:
            paired_labels = labels
        else:
            if paired is None:
                return None
            paired_labels = paired.labels
        order = order_rows(paired_labels)
        return None if order is None else (paired_labels, order)

    def _choices(self, allowed: Flags) -> Iterator[Flags]:
        """Yield what is allowed when the golden column with the fewest candidates takes each of them; equal candidates count once."""
        counts = allowed.sum(axis=1)
        column = int(np.where(counts > 1, counts, np.iinfo(counts.dtype).max).argmin())
        tried: list[int] = []
        for candidate in np.flatnonzero(allowed[column]).tolist():
            if any(self._are_alike(candidate, earlier) for earlier in tried):
                continue
            tried.append(candidate)
            yield _settled(allowed, column, candidate)

    def _are_alike(self, one: int, other: int) -> bool:
        if self._answer_codings[one].decisive:
            return np.array_equal(self._codes(1, one), self._codes(1, other))
        first, second = self._answer[one], self._answer[other]
        same = np.array_equal(first.values, second.values) and np.array_equal(first.kinds, second.kinds)
        return same and first.offsets is None and second.offsets is None

    def _signatures(self, side: int, labels: Hashes) -> Hashes:
        """Return a number for each column, equal for columns that hold the same codes under the same labels."""
        if self._keep:
            return np.asarray(mix(self._all_codes(side) ^ labels).sum(axis=1), np.uint64)
        count = len((self._golden, self._answer)[side])
        return np.array([mix(self._codes(side, index) ^ labels).sum() for index in range(count)], np.uint64)

    def _row_sums(self, side: int, columns: Integers, number: int) -> Hashes:
        """Return a number for each row, equal for rows that hold the same codes in `columns`, in any order."""
        if self._keep:
            return np.asarray(mix(self._all_codes(side)[columns] ^ salt(4, number)).sum(axis=0), np.uint64)
        total = np.zeros(self._rows, np.uint64)
        for index in columns.tolist():
            total += mix(self._codes(side, index) ^ salt(4, number))
        return total

    def _all_codes(self, side: int) -> Hashes:
        if side not in self._kept:
            count = len((self._golden, self._answer)[side])
            self._kept[side] = np.array([self._made_codes(side, index) for index in range(count)], np.uint64)
        return self._kept[side]

    def _codes(self, side: int, index: int) -> Hashes:
        return self._all_codes(side)[index] if self._keep else self._made_codes(side, index)

    def _made_codes(self, side: int, index: int) -> Hashes:
        coding = (self._codings, self._answer_codings)[side].get(index)
        column = (self._golden, self._answer)[side][index]
        return coding.codes(column) if coding is not None else np.zeros(self._rows, np.uint64)  # nothing allows this column

    def _pair(self, golden: int, answer: int) -> ColumnPair:
        return ColumnPair(self._golden[golden], self._answer[answer], self._codings[golden].decisive)


def _settled(allowed: Flags, golden: int, answer: int) -> Flags:
    """Return what is allowed once a golden column has taken an answer column."""
    settled = allowed.copy()
    settled[golden, :], settled[:, answer] = False, False
    settled[golden, answer] = True
    return settled


def _is_certain(allowed: Flags) -> bool:
    return bool((allowed.sum(axis=1) == 1).all() and (allowed.sum(axis=0) <= 1).all())
