"""The rows one to one, for results too long for looking at every pair."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from goldenlib.matching import MatchOutcome, results_match
from goldenlib.matching.coupling import NOBODY, couple_copies, couple_rows
from goldenlib.matching.edges import Edges

ROWS = 210_000  # more than what counts as large


def a_long_table(rng: np.random.Generator, rows: int = ROWS) -> pa.Table:
    return pa.table(
        {
            "region": np.array(["EMEA", "AMER", "APAC"])[rng.integers(0, 3, rows)],
            "revenue": np.round(rng.uniform(0, 10_000, rows), 2),
            "cost": np.round(rng.uniform(0, 10_000, rows), 2),
            "units": rng.integers(0, 50, rows),
        }
    )


def shuffled(table: pa.Table, rng: np.random.Generator) -> pa.Table:
    return table.take(pa.array(rng.permutation(table.num_rows))).select(["cost", "units", "region", "revenue"])


def with_column(table: pa.Table, name: str, values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> pa.Table:
    return table.set_column(table.column_names.index(name), name, pa.array(values))


def test_a_long_result_matches_itself_and_not_with_one_cell_changed() -> None:
    rng = np.random.default_rng(1)
    golden = a_long_table(rng)
    answer = shuffled(golden, rng)
    assert results_match(answer, golden)
    revenue = answer.column("revenue").to_numpy().copy()
    revenue[7] += 5_000
    match = results_match(with_column(answer, "revenue", revenue), golden)
    assert match.outcome is MatchOutcome.MISMATCH
    assert match.first_difference is not None
    assert match.first_difference.answer == revenue[7]
    assert match.guess == "only revenue is off"


def test_a_long_result_with_noise_matches_and_not_with_two_cells_exchanged() -> None:
    rng = np.random.default_rng(2)
    golden = a_long_table(rng)
    answer = shuffled(golden, rng)
    for name in ("revenue", "cost"):
        answer = with_column(answer, name, answer.column(name).to_numpy() * (1 + rng.uniform(-4e-4, 4e-4, ROWS)))
    assert results_match(answer, golden)
    cost = answer.column("cost").to_numpy().copy()
    low, high = cost.argmin(), cost.argmax()
    cost[[low, high]] = cost[[high, low]]
    assert results_match(with_column(answer, "cost", cost), golden).outcome is MatchOutcome.MISMATCH


def test_long_lists_of_the_same_rows_match_in_any_order() -> None:
    rows = [(number, str(number)) for number in range(60_000)]
    assert results_match(rows[::-1], rows)
    assert not results_match([*rows[1:], rows[1]], rows)
    assert not results_match(rows[::-1], rows, order_matters=True)


def test_long_results_that_differ_only_in_how_often_rows_come_do_not_match() -> None:
    rows = pa.table({"a": np.arange(ROWS) // 2 * 2})
    assert not results_match(rows, pa.table({"a": np.maximum(np.arange(ROWS) // 2 * 2, 2)}))


@pytest.mark.parametrize("moved", [0.0, 0.5])
def test_many_copies_of_near_rows_are_paired(moved: float) -> None:
    # 3,000 rows of few kinds, all within reach of many others: each kind of row is looked at once.
    rng = np.random.default_rng(3)
    kinds = np.array([[100 + a * 0.03, 2000 + b * 0.6] for a in range(5) for b in range(5)])
    golden = kinds[rng.integers(0, 25, 3000)]
    answer = golden + rng.choice([-0.03, 0, 0.03], (3000, 1)) * [1, 20]
    answer[0, 0] += moved
    assert bool(results_match(answer.tolist(), golden.tolist())) is (moved == 0)


def test_a_coupling_is_as_large_as_can_be() -> None:
    edges = Edges(np.array([0, 0, 1, 2, 2, 3]), np.array([0, 1, 0, 1, 2, 2]))
    partner = couple_rows(edges, 5, 4)
    assert sorted(partner.tolist()) == [NOBODY, NOBODY, 0, 1, 2]
    assert partner[4] == NOBODY


def test_a_coupling_of_circles_is_found_without_forced_rows() -> None:
    golden = np.repeat(np.arange(100), 2)
    answer = (golden + np.tile([0, 1], 100)) % 100
    assert sorted(couple_rows(Edges(golden, answer), 100, 100).tolist()) == list(range(100))


def test_copies_are_coupled_as_often_as_both_sides_have_them() -> None:
    edges = Edges(np.array([0, 0, 1]), np.array([0, 1, 1]))
    golden, answer, times = couple_copies(edges, np.array([3, 2]), np.array([1, 4]))
    assert dict(zip(zip(golden.tolist(), answer.tolist(), strict=True), times.tolist(), strict=True)) == {(0, 0): 1, (0, 1): 2, (1, 1): 2}
