"""Which columns stand for which: complete, within a budget, and told when there is a choice."""

from __future__ import annotations

import itertools
import random
import time
from typing import Any

import numpy as np
import pytest

from goldenlib.matching import MatchOutcome, results_match

Grid = np.ndarray[tuple[int, int], np.dtype[Any]]


def mixed(table: Grid, seed: int = 1) -> list[list[Any]]:
    """The rows of a table with rows and columns in another order."""
    rng = np.random.default_rng(seed)
    return [list(row) for row in table[rng.permutation(len(table))][:, rng.permutation(table.shape[1])].tolist()]


def a_plane(order: int) -> Grid:
    """Points and lines of a projective plane: every row and every column looks like every other."""
    points = [(1, a, b) for a, b in itertools.product(range(order), repeat=2)]
    points += [(0, 1, a) for a in range(order)] + [(0, 0, 1)]
    return np.array([[int(sum(a * b for a, b in zip(p, q, strict=True)) % order == 0) for q in points] for p in points])


def exchanged(table: Grid) -> Grid:
    """A table with four cells changed such that all sums of rows and columns stay."""
    changed = table.copy()
    columns = np.flatnonzero(changed[0] != changed[1])
    one, other = columns[changed[0, columns] == 1][0], columns[changed[0, columns] == 0][0]
    changed[:2, [one, other]] = 1 - changed[:2, [one, other]]
    return changed


def test_columns_are_lined_up_by_their_cells_and_named() -> None:
    match = results_match([{"total": 5, "land": "NL", "n": 9}], [{"country": "NL", "revenue": 5}])
    assert [(c.golden, c.answer, c.golden_name, c.answer_name) for c in match.columns] == [
        (0, 1, "country", "land"),
        (1, 0, "revenue", "total"),
    ]
    assert match.extra_columns == 1


def test_more_golden_columns_than_answer_columns_cannot_match() -> None:
    match = results_match([("NL",)], [("NL", 5)])
    assert match.outcome is MatchOutcome.MISMATCH
    assert "the answer has 1 column, the golden result 2 columns" in match.reason


def test_one_answer_column_does_not_stand_for_two() -> None:
    assert not results_match([(5, 7)], [(5, 5)])


@pytest.mark.parametrize("wrong", [False, True])
def test_many_alike_columns_are_decided_quickly(wrong: bool) -> None:
    rng = np.random.default_rng(3)
    numbers, flags = np.round(rng.uniform(10, 1000, (200, 20)), 2), rng.integers(0, 2, (8, 26))
    for golden in (numbers, flags):
        answer = golden.copy()
        if wrong:
            order = np.argsort(answer[:, 0])
            answer[order[[0, -1]], 0] = answer[order[[-1, 0]], 0]
        results_match(mixed(answer), golden.tolist())
        started = time.process_time()
        assert bool(results_match(mixed(answer), golden.tolist())) is not wrong
        assert time.process_time() - started < 0.3  # 0.03 s on a quiet machine


def test_flags_with_extra_columns_are_lined_up() -> None:
    flags = np.random.default_rng(4).integers(0, 2, (10, 26))
    assert results_match(mixed(flags), flags[:, :18].tolist())
    assert not results_match(mixed(1 - flags[:9]), flags[:9, :18].tolist())


@pytest.mark.parametrize("order", [2, 3])
def test_perfectly_regular_tables_are_decided(order: int) -> None:
    plane = a_plane(order)
    assert results_match(mixed(plane), plane.tolist())
    assert results_match(mixed(exchanged(plane)), plane.tolist()).outcome is MatchOutcome.MISMATCH


def test_a_spent_budget_is_undecided_and_says_nothing_about_the_answer() -> None:
    plane = a_plane(7)
    match = results_match(mixed(exchanged(plane)), plane.tolist(), budget=2_000_000)
    assert match.outcome is MatchOutcome.UNDECIDED
    assert not match
    assert "2,000,000 steps were not enough" in match.reason
    assert "may be right or wrong" in match.reason
    assert match.first_difference is None


def test_a_search_that_is_given_up_proves_nothing_wherever_it_was() -> None:
    """field/tests C6: also among the rows, once the columns are certain."""
    rng = np.random.default_rng(5)
    golden = np.column_stack([100 + rng.integers(-8, 8, 300) * 0.02, 2000 + rng.integers(-8, 8, 300) * 0.4])
    answer = (golden + rng.integers(-2, 3, golden.shape) * [0.02, 0.4])[rng.permutation(300)]
    outcomes = {results_match(answer.tolist(), golden.tolist(), budget=2**steps).outcome for steps in range(8, 24)}
    assert outcomes == {MatchOutcome.UNDECIDED, MatchOutcome.MATCH}


def test_the_budget_counts_steps_so_the_outcome_is_the_same_every_time() -> None:
    plane = a_plane(5)
    outcomes = {results_match(mixed(plane), plane.tolist(), budget=steps).outcome for steps in (0, 10**3, 10**8) for _ in range(2)}
    assert outcomes == {MatchOutcome.UNDECIDED, MatchOutcome.MATCH}


@pytest.mark.parametrize("budget", [-1, 0.5, "many", True, None])
def test_a_budget_that_is_no_number_of_steps_is_refused(budget: Any) -> None:
    with pytest.raises(ValueError, match="budget must be a number of steps"):
        results_match([], [], budget=budget)


def test_dense_numbers_are_lined_up_by_rows_when_all_columns_hold_the_same() -> None:
    # Each column holds the same 400 numbers, closer together than the tolerance: only whole rows tell the columns apart.
    rng = np.random.default_rng(5)
    golden = np.array([rng.permutation(400) * 7 + 100_000.0 for _ in range(5)]).T
    answer = golden * (1 + rng.uniform(-4e-4, 4e-4, golden.shape))
    assert results_match(mixed(answer), golden.tolist())
    answer[:2, 0] = answer[1::-1, 0] * [1.01, 1]
    assert results_match(mixed(answer), golden.tolist()).outcome is MatchOutcome.MISMATCH


@pytest.mark.parametrize(
    ("answer", "golden", "another"),
    [
        ([("a", 1), ("b", 2)], [("a", 1), ("b", 2)], False),
        ([(5, 7, 5)], [(5, 5)], True),
        ([(5, 5.001, "x")], [(5, "x")], True),
        ([(1, 2), (2, 1)], [(1, 2), (2, 1)], True),  # with the rows the other way round
        ([(1, 2), (3, 4)], [(1, 2), (3, 4)], False),
        ([("a", 1, 100), ("b", 2, 300)], [("a", 1), ("b", 2)], False),
    ],
)
def test_a_match_says_whether_another_lining_up_works(answer: Any, golden: Any, another: bool) -> None:
    match = results_match(answer, golden)
    assert match.another_lining_up is another
    assert ("may be chance" in match.reason) is another


def test_ordered_rows_must_be_in_place() -> None:
    golden = [("a", 3), ("b", 2), ("c", 1)]
    assert results_match([(3.001, "a"), (2, "b"), (1, "c")], golden, True)
    assert not results_match([(2, "b"), (3, "a"), (1, "c")], golden, True)
    assert not results_match(golden[:2], golden, True)


def test_ordered_rows_that_tie_may_come_in_any_order() -> None:
    golden = [("a", 3), ("b", 2), ("c", 2), ("d", 1)]
    assert results_match([("a", 3), ("c", 2), ("b", 2), ("d", 1)], golden, True, tied_on=[1])
    assert not results_match([("c", 2), ("a", 3), ("b", 2), ("d", 1)], golden, True, tied_on=[1])
    assert not results_match([("a", 3), ("c", 2), ("b", 2), ("d", 1)], golden, True)
    assert not results_match([("a", 3), ("c", 2), ("b", 2), ("d", 1)], golden, True, tied_on=[0, 1])


def test_rows_tie_only_when_their_keys_are_the_same_thing() -> None:
    golden = [("a", 100.0), ("b", 99.99), ("c", None), ("d", None)]
    assert results_match([("a", 100), ("b", 99.99), ("d", None), ("c", None)], golden, True, tied_on=[1])
    assert not results_match([("b", 99.99), ("a", 100), ("c", None), ("d", None)], golden, True, tied_on=[1])


def test_columns_of_tied_rows_are_lined_up_within_the_ties() -> None:
    golden = [(1, "x", 10), (1, "y", 20), (2, "x", 30)]
    assert results_match([(20, 1, "y"), (10, 1, "x"), (30, 2, "x")], golden, True, tied_on=[0])
    assert not results_match([(10, 1, "y"), (20, 1, "x"), (30, 2, "x")], golden, True, tied_on=[0])


@pytest.mark.parametrize("tied_on", [[2], [-1], ["revenue"], [True]])
def test_a_tie_on_a_column_that_is_not_there_is_refused(tied_on: Any) -> None:
    with pytest.raises(ValueError, match="the golden columns are 0 to 1"):
        results_match([(1, 2)], [(1, 2)], True, tied_on=tied_on)


def test_wide_results_are_lined_up() -> None:
    rows = [[random.Random(row).random() + column for column in range(300)] for row in range(3)]
    assert results_match([row[::-1] for row in rows], rows)
