"""Nearest: how two results that do not match come closest, for explanations.

Rule: for explanations only. Nothing here decides whether an answer is right; large results are looked at less closely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from goldenlib.matching.agreement import Agreement
from goldenlib.matching.budget import Budget, BudgetSpent
from goldenlib.matching.cells import CellKind
from goldenlib.matching.codes import Coding, coding_for
from goldenlib.matching.columns import CLASS, Column, Integers
from goldenlib.matching.comparison import TableComparison
from goldenlib.matching.coupling import NOBODY, couple_rows
from goldenlib.matching.edges import ColumnPair, find_edges
from goldenlib.matching.labels import Hashes, Labels
from goldenlib.matching.tolerances import Flags

Shares = npt.NDArray[np.float64]

_SMALL = 200_000  # cells, of which all columns are looked at together
_SAMPLE = 20_000  # cells of a column, to see how well it fits another
_SAME_NAME, _SAME_KIND, _SAME_PLACE = 0.2, 0.1, 0.01  # worth of a fit, next to 1 for all cells
_CLOSELY = 500  # rows left over on either side that are still compared one by one
_STEPS = 20_000_000


@dataclass(frozen=True)
class Nearest:
    """The nearest lining-up and pairing.

    `columns` are (golden, answer) columns; `fits` says for each of them what share of cells could have a partner. `equal` rows
    agree in all columns, `changed` in some: arrays of golden and of answer rows. The rest have no partner: `missing` golden and
    `extra` answer rows. All of these are None when the results are too large to pair.
    """

    columns: tuple[tuple[int, int], ...]
    fits: tuple[float, ...]
    equal: tuple[Integers, Integers] | None = None
    changed: tuple[Integers, Integers] | None = None
    missing: Integers | None = None
    extra: Integers | None = None


def find_nearest(comparison: TableComparison, suspects: Sequence[int], by_place: bool) -> Nearest:
    """Return how the results come closest; `by_place` keeps the rows in their order, `suspects` are golden columns to trust least."""
    fits = _column_fits(comparison)
    golden, answer = linear_sum_assignment(fits + _likeness(comparison), maximize=True)
    columns = tuple(zip(golden.tolist(), answer.tolist(), strict=True))
    shares = tuple(float(fits[j, k]) for j, k in columns)
    pairs = [(comparison.golden_columns[j], comparison.answer_columns[k]) for j, k in columns]
    counts = comparison.golden.rows, comparison.answer.rows
    if not columns:
        none = np.zeros(0, np.int64), np.zeros(0, np.int64)
        return Nearest(columns, shares, none, none, np.arange(counts[0]), np.arange(counts[1]))
    if by_place:
        return _paired(columns, shares, pairs, comparison.agreement, *_by_place(*counts), counts)
    try:
        partner = _couple(pairs, np.arange(counts[0]), np.arange(counts[1]), comparison.agreement)
    except BudgetSpent:
        return Nearest(columns, shares)
    equal = np.flatnonzero(partner != NOBODY)
    left_golden = np.flatnonzero(partner == NOBODY)
    left_answer = _others(counts[1], partner[equal])
    worst_first = sorted(range(len(columns)), key=lambda place: (columns[place][0] not in suspects, shares[place]))
    near_golden, near_answer = _pair_left_over([pairs[place] for place in worst_first], left_golden, left_answer, comparison.agreement)
    rows = np.concatenate([equal, near_golden]), np.concatenate([partner[equal], near_answer])
    return _paired(columns, shares, pairs, comparison.agreement, *rows, counts)


def _others(count: int, rows: Integers) -> Integers:
    left = np.ones(count, bool)
    left[rows] = False
    return np.flatnonzero(left)


def _by_place(golden: int, answer: int) -> tuple[Integers, Integers]:
    both = np.arange(min(golden, answer))
    return both, both


def _paired(
    columns: tuple[tuple[int, int], ...],
    shares: tuple[float, ...],
    pairs: Sequence[tuple[Column, Column]],
    agreement: Agreement,
    golden: Integers,
    answer: Integers,
    counts: tuple[int, int],
) -> Nearest:
    equal = np.ones(len(golden), bool)
    for golden_column, answer_column in pairs:
        equal &= agreement(golden_column, answer_column, golden, answer)
    changed = np.flatnonzero(~equal)
    changed = changed[np.argsort(golden[changed], kind="stable")]
    return Nearest(
        columns,
        shares,
        (golden[equal], answer[equal]),
        (golden[changed], answer[changed]),
        _others(counts[0], golden),
        _others(counts[1], answer),
    )


def _column_fits(comparison: TableComparison) -> Shares:
    """Return the share of cells that could have a partner in the other column, for each golden and answer column."""
    golden, answer = comparison.golden_columns, comparison.answer_columns
    if not golden or not answer or not comparison.golden.rows or not comparison.answer.rows:
        return np.zeros((len(golden), len(answer)))
    if (comparison.golden.rows + comparison.answer.rows) * (len(golden) + len(answer)) <= _SMALL:
        return _fits_by_code(golden, answer, comparison.agreement)
    rough = Coding(comparison.agreement, np.zeros(0), decisive=False)
    golden_codes, answer_codes = ([rough.codes(column) for column in side] for side in (golden, answer))
    fits = np.zeros((len(golden), len(answer)))
    for j, k in np.ndindex(fits.shape):
        mine, theirs = (golden[j], golden_codes[j]), (answer[k], answer_codes[k])
        fits[j, k] = min(_share(*mine, *theirs, comparison.agreement), _share(*theirs, *mine, comparison.agreement))
    return fits


def _fits_by_code(golden: Sequence[Column], answer: Sequence[Column], agreement: Agreement) -> Shares:
    coding = coding_for(list(golden), list(answer), agreement)
    codes = [coding.codes(column) for column in (*golden, *answer)]
    distinct, places = np.unique(np.concatenate(codes), return_inverse=True)
    counts = np.zeros((len(codes), len(distinct)))
    np.add.at(counts, (np.repeat(np.arange(len(codes)), [len(each) for each in codes]), places), 1)
    mine, theirs = counts[: len(golden)], counts[len(golden) :]
    return np.minimum(mine @ (theirs > 0).T / len(codes[0]), (theirs @ (mine > 0).T / len(codes[-1])).T)


def _share(column: Column, codes: Hashes, other: Column, other_codes: Hashes, agreement: Agreement) -> float:
    """Return the share of cells that agree with at least one cell of another column; of large columns, of a sample of the cells."""
    some = slice(None, None, max(1, len(codes) // _SAMPLE))
    found = np.isin(codes[some], other_codes)
    numbers = CLASS[column.kinds[some]] == CellKind.NUMBER
    if numbers.any():
        theirs = np.sort(other.floats[CLASS[other.kinds] == CellKind.NUMBER])
        # Whichever side is the golden one: the reach of a number is about that of another of its size.
        low, high = agreement.rule.reach(column.floats[some][numbers], outward=True)
        found[numbers] = np.searchsorted(theirs, low, "left") < np.searchsorted(theirs, high, "right")
    return float(found.mean())


def _likeness(comparison: TableComparison) -> Shares:
    """Return how much columns look meant for each other, whatever their cells: by name, kind and place."""
    likeness = np.zeros((len(comparison.golden_columns), len(comparison.answer_columns)))
    for j, golden in enumerate(comparison.golden_columns):
        for k, answer in enumerate(comparison.answer_columns):
            name, other = comparison.golden.names[j], comparison.answer.names[k]
            likeness[j, k] += _SAME_NAME * (name is not None and other is not None and name.casefold() == other.casefold())
            likeness[j, k] += _SAME_KIND * (not set(CLASS[list(golden.present)]).isdisjoint(CLASS[list(answer.present)]))
            likeness[j, k] += _SAME_PLACE * (j == k)
    return likeness


def _couple(pairs: Sequence[tuple[Column, Column]], golden: Integers, answer: Integers, agreement: Agreement) -> Integers:
    """Return for each of the `golden` rows an index into the `answer` rows, or NOBODY, as many as can be that agree throughout."""
    labels = Labels.of(np.zeros(len(golden), np.uint64), np.zeros(len(answer), np.uint64))
    columns = []
    for golden_column, answer_column in pairs:
        taken = golden_column.taken(golden), answer_column.taken(answer)
        coding = coding_for([taken[0]], [taken[1]], agreement)
        labels = labels.refined(coding.codes(taken[0]), coding.codes(taken[1]))
        columns.append(ColumnPair(*taken, coding.decisive))
    edges = find_edges(columns, labels, agreement, Budget(_STEPS))
    return couple_rows(edges, len(golden), len(answer))


def _pair_left_over(
    pairs: Sequence[tuple[Column, Column]], golden: Integers, answer: Integers, agreement: Agreement
) -> tuple[Integers, Integers]:
    """Pair rows that agree in some cells, those that agree in more cells first. `pairs` come with the worst column first."""
    if len(golden) <= _CLOSELY and len(answer) <= _CLOSELY:
        return _pair_closely(pairs, golden, answer, agreement)
    found_golden, found_answer = [], []
    for dropped in range(1, len(pairs)):
        if not len(golden) or not len(answer):
            break
        try:
            partner = _couple(pairs[dropped:], golden, answer, agreement)
        except BudgetSpent:
            continue
        paired = partner != NOBODY
        found_golden.append(golden[paired])
        found_answer.append(answer[partner[paired]])
        golden, answer = golden[~paired], np.delete(answer, partner[paired])
    none = np.zeros(0, np.int64)
    return np.concatenate([none, *found_golden]), np.concatenate([none, *found_answer])


def _pair_closely(
    pairs: Sequence[tuple[Column, Column]], golden: Integers, answer: Integers, agreement: Agreement
) -> tuple[Integers, Integers]:
    if not len(golden) or not len(answer):
        return golden[:0], answer[:0]
    shape = len(golden), len(answer)
    golden_rows, answer_rows = np.repeat(golden, len(answer)), np.tile(answer, len(golden))
    agreeing, apart = np.zeros(shape), np.zeros(shape)
    for golden_column, answer_column in pairs:
        agreeing += agreement(golden_column, answer_column, golden_rows, answer_rows).reshape(shape)
        apart += _apart(golden_column, answer_column, golden_rows, answer_rows).reshape(shape)
    chosen = linear_sum_assignment(len(pairs) - agreeing + apart / (len(pairs) + 1))
    related = agreeing[chosen] > 0
    if len(pairs) == 1:  # there is no other cell that could tell who belongs to whom
        related |= apart[chosen] < 1
    if shape == (1, 1):
        related[:] = True
    return golden[chosen[0][related]], answer[chosen[1][related]]


def _apart(golden: Column, answer: Column, golden_rows: Integers, answer_rows: Integers) -> Shares:
    """Return how far cells are apart, from 0 to 1: numbers by their ratio, everything else all or nothing."""
    both: Flags = (CLASS[golden.kinds[golden_rows]] == CellKind.NUMBER) & (CLASS[answer.kinds[answer_rows]] == CellKind.NUMBER)
    apart = np.ones(len(both))
    with np.errstate(all="ignore"):
        one, other = golden.floats[golden_rows[both]], answer.floats[answer_rows[both]]
        apart[both] = np.nan_to_num(np.abs(one - other) / (np.abs(one) + np.abs(other)), nan=0.0) * 0.999
    return apart
