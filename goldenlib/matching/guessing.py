"""Guessing: what may have gone wrong, told from the nearest lining-up and pairing (seed 002, order-rounding-names).

Rule: a guess needs every cell in question to bear it out; otherwise there is none. Guesses help people, they never decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from goldenlib.matching.budget import Budget
from goldenlib.matching.candidates import candidate_columns
from goldenlib.matching.cells import CellKind
from goldenlib.matching.columns import Column, Integers
from goldenlib.matching.comparison import TableComparison
from goldenlib.matching.labels import exact_codes, mix
from goldenlib.matching.nearest import Nearest
from goldenlib.matching.tolerances import Flags, Floats

_STEPS, _LOOKS = 1_000_000, 16  # of a search for an explanation: so many, and so many looks at every cell
_MOST_CELLS = 20_000  # shown to people as Python values, to compare them in other ways
_SCALES = (
    (1_000, "in thousands"),
    (1_000_000, "in millions"),
    (1_000_000_000, "in billions"),
    (100, "a hundred times too small, as a fraction for a percentage"),
    (0.01, "a hundred times too large, as a percentage for a fraction"),
    (0.001, "a thousand times too large"),
    (0.000_001, "a million times too large"),
)
_SCALE_SLACK = 0.02  # a number in thousands is often rounded as well
_PLACES = (
    *((10**power, f"{10**power:,}") for power in range(9, 3, -1)),
    (1_000, "thousands"),
    (100, "hundreds"),
    (10, "tens"),
    (1, "whole numbers"),
    (0.1, "one decimal"),
    (0.01, "two decimals"),
    (0.001, "three decimals"),
    (0.0001, "four decimals"),
)
_MOST_COLUMNS = 12  # of a golden result, for trying which of them is to blame


def guess_reason(
    comparison: TableComparison, nearest: Nearest, blamed: Sequence[int], order_matters: bool, name: Callable[[int], str]
) -> str | None:
    """Return what may have gone wrong, in words; None when nothing common fits. `name` names a golden column."""
    return next(_guesses(comparison, nearest, blamed, order_matters, name), None)


def columns_to_blame(comparison: TableComparison) -> list[int]:
    """Return the golden columns each of which, left out, lets everything else match; none when that takes too long to find out."""
    if comparison.labels is None or not 2 <= len(comparison.golden_columns) <= _MOST_COLUMNS:
        return []
    blamed = []
    for j in range(len(comparison.golden_columns)):
        found, is_undecided = comparison.without_column(j).line_up(_budget(comparison))
        if is_undecided:
            return []
        blamed += [j] if found is not None else []
    return blamed


def _budget(comparison: TableComparison) -> Budget:
    cells = comparison.golden.rows * (len(comparison.golden_columns) + len(comparison.answer_columns))
    return Budget(_STEPS + _LOOKS * cells)


def _guesses(
    comparison: TableComparison, nearest: Nearest, blamed: Sequence[int], order_matters: bool, name: Callable[[int], str]
) -> Iterator[str]:
    golden, answer = comparison.golden, comparison.answer
    if not answer.rows:
        yield "the answer is empty: a filter or a join may leave nothing"
        return
    if len(golden.columns) > len(answer.columns):
        left_out = sorted(set(range(len(golden.columns))) - {j for j, _ in nearest.columns})
        yield f"{_columns([name(j) for j in left_out])} may be left out"
        return
    if golden.rows != answer.rows:
        yield from _about_row_counts(comparison, nearest)
        return
    if order_matters and comparison.without_order().line_up(_budget(comparison))[0] is not None:
        yield "the rows are right, but in another order"
    if _is_about_copies(comparison, nearest):
        yield "the same rows, but not equally often: duplicates come from a join that multiplies rows or a missing DISTINCT"
    yield from _about_swaps(comparison, nearest, name)
    yield from _about_cells(comparison, nearest, name)
    yield from _about_blamed(comparison, nearest, blamed, [name(j) for j in blamed])


def _about_row_counts(comparison: TableComparison, nearest: Nearest) -> Iterator[str]:
    if nearest.missing is None or nearest.extra is None or nearest.changed is None or len(nearest.changed[0]):
        return
    if not comparison.golden.rows:
        return
    if len(nearest.extra) and not len(nearest.missing):
        if _are_copies(comparison, nearest, nearest.extra, of_golden=False):
            yield "rows come several times: a join that multiplies rows, or a missing DISTINCT"
        else:
            yield "all golden rows are there, with others: a filter may be missing"
    elif len(nearest.missing) and not len(nearest.extra):
        if _are_copies(comparison, nearest, nearest.missing, of_golden=True):
            yield "rows that should come several times come once: a DISTINCT or GROUP BY too many"
        else:
            yield "what is there is right: a filter or an inner join may drop rows, or a LIMIT cuts them off"


def _is_about_copies(comparison: TableComparison, nearest: Nearest) -> bool:
    """Return whether the rows that have no equal on the other side are only copies of rows that have one."""
    if nearest.equal is None or nearest.changed is None or nearest.missing is None or nearest.extra is None:
        return False
    golden = np.concatenate([nearest.changed[0], nearest.missing])
    answer = np.concatenate([nearest.changed[1], nearest.extra])
    if not len(golden) or not len(nearest.equal[0]):
        return False
    return _are_copies(comparison, nearest, golden, of_golden=True) and _are_copies(comparison, nearest, answer, of_golden=False)


def _are_copies(comparison: TableComparison, nearest: Nearest, rows: Integers, of_golden: bool) -> bool:
    """Return whether each of the rows is the same, cell by cell, as a row of its side that has its equal on the other side."""
    assert nearest.equal is not None  # the callers looked
    side, place = (comparison.golden_columns, 0) if of_golden else (comparison.answer_columns, 1)
    hashes = np.zeros(len(side[0].values), np.uint64)
    for pair in nearest.columns:
        hashes = mix(hashes ^ exact_codes(side[pair[place]]))
    return bool(np.isin(hashes[rows], hashes[nearest.equal[place]]).all())


def _about_cells(comparison: TableComparison, nearest: Nearest, name: Callable[[int], str]) -> Iterator[str]:
    """Yield what the columns with differing cells have in common with their golden columns."""
    for j, k in nearest.columns:
        golden, answer = comparison.golden_columns[j], comparison.answer_columns[k]
        for rows in _pairings(comparison, nearest, golden, answer):
            differ = ~comparison.agreement(golden, answer, *rows)
            if not differ.any():
                continue
            g_rows, a_rows = rows[0][differ], rows[1][differ]
            if (golden.kinds[g_rows] == CellKind.NUMBER).all() and (answer.kinds[a_rows] == CellKind.NUMBER).all():
                about = _about_numbers(golden.floats[g_rows], answer.floats[a_rows], answer.floats[rows[1]])
            else:
                about = _about_kinds(comparison, (j, k), g_rows, a_rows)
            if about is not None:
                yield f"{name(j)} {about}"


def _pairings(comparison: TableComparison, nearest: Nearest, golden: Column, answer: Column) -> Iterator[tuple[Integers, Integers]]:
    """Yield the rows to compare a column by: as paired, and, where rows found no partner, in order of size."""
    if nearest.equal is not None and nearest.changed is not None and len(nearest.changed[0]):
        yield (
            np.concatenate([nearest.equal[0], nearest.changed[0]]),
            np.concatenate([nearest.equal[1], nearest.changed[1]]),
        )
    if golden.present == answer.present == {CellKind.NUMBER} and comparison.golden.rows == comparison.answer.rows:
        yield np.argsort(golden.floats), np.argsort(answer.floats)


def _about_numbers(golden: Floats, answer: Floats, column: Floats) -> str | None:
    """Return what makes the answer's numbers differ; `column` are all numbers of the answer's column."""
    with np.errstate(all="ignore"):
        for scale, words in _SCALES:
            if golden.all() and (np.abs(answer * scale - golden) <= _SCALE_SLACK * np.abs(golden)).all():
                return f"looks {words}"
        if golden.any() and (np.abs(answer + golden) <= 1e-9 * np.abs(golden)).all():
            return "has the opposite sign"
        for place, words in _PLACES:
            if _are_multiples(column, place) and not _are_multiples(golden, place):
                if (np.abs(answer - golden) <= place / 2 * 1.000_001).all():
                    return f"looks rounded to {words}"
                if (np.abs(answer - golden) < place).all() and (np.abs(answer) <= np.abs(golden)).all():
                    return f"looks cut off to {words}"
                return None
    return None


def _are_multiples(numbers: Floats, place: float) -> bool:
    steps = numbers / place
    are: Flags = np.abs(steps - np.rint(steps)) <= np.minimum(0.001, 1e-9 * np.abs(np.rint(steps)))
    return bool(are.all() and numbers.any())


def _about_kinds(comparison: TableComparison, columns: tuple[int, int], golden_rows: Integers, answer_rows: Integers) -> str | None:
    """Return what makes values of other kinds differ."""
    if len(golden_rows) > _MOST_CELLS:
        return None
    golden = [comparison.golden.value(row, columns[0]) for row in golden_rows.tolist()]
    answer = [comparison.answer.value(row, columns[1]) for row in answer_rows.tolist()]
    for words, is_so in _KINDS:
        if all(is_so(a, g) for a, g in zip(answer, golden, strict=True)):
            return words
    return None


_KINDS: tuple[tuple[str, Callable[[object, object], bool]], ...] = (
    ("is NULL", lambda a, g: a is None and g is not None),
    ("should be NULL and is not", lambda a, g: a is not None and g is None),
    ("differs only by blanks", lambda a, g: isinstance(a, str) and isinstance(g, str) and a.split() == g.split()),
    (
        "differs only by upper and lower case or blanks",
        lambda a, g: isinstance(a, str) and isinstance(g, str) and a.casefold().split() == g.casefold().split(),
    ),
    ("is text where the golden result has another type", lambda a, g: isinstance(a, str) and g is not None and not isinstance(g, str)),
    ("should be text", lambda a, g: isinstance(g, str) and a is not None and not isinstance(a, str)),
)


def _about_swaps(comparison: TableComparison, nearest: Nearest, name: Callable[[int], str]) -> Iterator[str]:
    """Yield two columns whose values have changed places in every row that differs."""
    if nearest.changed is None or not len(nearest.changed[0]) or len(nearest.changed[0]) == comparison.golden.rows:
        return
    agree = {
        (j, k): comparison.agreement(comparison.golden_columns[j], comparison.answer_columns[k], *nearest.changed).all()
        for j, _ in nearest.columns
        for _, k in nearest.columns
    }
    off = [(j, k) for j, k in nearest.columns if not agree[j, k]]
    if len(off) == 2 and agree[off[0][0], off[1][1]] and agree[off[1][0], off[0][1]]:
        yield f"the values of {_columns([name(j) for j, _ in off])} are swapped in {_rows(len(nearest.changed[0]))}"


def _about_blamed(comparison: TableComparison, nearest: Nearest, blamed: Sequence[int], names: Sequence[str]) -> Iterator[str]:
    have_right_values = all(_are_same_values(comparison, nearest, j, k) for j, k in nearest.columns if j in blamed)
    if len(blamed) == 1:
        yield f"{names[0]} holds the right values, but in other rows" if have_right_values else f"only {names[0]} is off"
    elif len(blamed) > 1 and have_right_values:
        yield f"{_columns(names)} hold the right values, but not in the same rows"
    elif len(blamed) > 1:
        yield f"either of {_columns(names)} matches together with the rest, but not both"


def _are_same_values(comparison: TableComparison, nearest: Nearest, j: int, k: int) -> bool:
    """Return whether two columns hold the same values in the rows that differ, in some order."""
    golden, answer = comparison.golden_columns[j], comparison.answer_columns[k]
    if nearest.changed is not None and len(nearest.changed[0]):
        golden, answer = golden.taken(nearest.changed[0]), answer.taken(nearest.changed[1])
    return bool(candidate_columns([golden], [answer], comparison.agreement).all())


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def _columns(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
