"""What holds for all results: found by hypothesis, checked against the rule written down as it stands (brute_force)."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from goldenlib.matching import MatchOutcome, results_match
from goldenlib.matching.agreement import Agreement
from goldenlib.matching.budget import Budget
from goldenlib.matching.edges import ColumnPair, find_edges
from goldenlib.matching.encoding import encode
from goldenlib.matching.labels import Labels
from goldenlib.matching.resulttables import read_table
from goldenlib.matching.tolerances import MatchRule
from tests.matching.brute_force import matches

Rows = list[list[Any]]
examples = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# Cells that nearly agree, so that lining up and pairing have choices to make.
POOLS: list[list[Any]] = [
    [100.0, 100.02, 100.04, 100.06, 100.08, 100.1, 100.12, 200.0, 200.08],
    [100.0, 100.03, 100.05, 100.055, 99.95, 99.945, None, Decimal("100.055"), Decimal("100.0551"), 100],
    [0, 1],
    [0, 1, True, False, 1.0, 1.004, Decimal("1.005")],
    ["a", "b", "2026-03-01", date(2026, 3, 1), datetime(2026, 3, 1), datetime(2026, 3, 1, 1), None],
    [2**53, 2**53 + 1, 2**53 + 2, float(2**53), Decimal(2**53 + 1), Decimal("9007199254740992.5")],
    [float("nan"), float("inf"), -float("inf"), None, 0.0, -0.0, 1e308, -1e308, 1e-320],
    [[1, 2], [1, 2.004], [1.0], [True, 2], ["2026-03-01"], [date(2026, 3, 1)], None],
    [-100.0, -100.04, -100.08, 0.004, -0.004, 0.009, 0],
]
LIMITS = [(0.0005, 0.005), (0, 0), (0, 0.005), (0.0005, 0), (0.1, 0), (1, 0), (1.5, 0), (0.7, 0.1), (0, 1), (0, 0.5)]


@st.composite
def two_results(draw: st.DrawFn) -> tuple[Rows, Rows]:
    """An answer, and a golden result made from it: fewer columns, other order, some cells near or off."""
    rows, columns, extra = draw(st.integers(1, 5)), draw(st.integers(1, 3)), draw(st.integers(0, 1))
    one_pool = draw(st.sampled_from(POOLS))
    pools = [one_pool if draw(st.booleans()) else draw(st.sampled_from(POOLS)) for _ in range(columns + extra)]
    answer = [[draw(st.sampled_from(pool)) for pool in pools] for _ in range(rows)]
    order = draw(st.permutations(range(columns + extra)))[:columns]
    golden = [[row[column] for column in order] for row in draw(st.permutations(answer))]
    for _ in range(draw(st.integers(0, 4))):
        row, column = draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1))
        golden[row][column] = draw(st.sampled_from(pools[order[column]]))
    return answer, golden


@examples
@given(two_results(), st.booleans(), st.sampled_from(LIMITS))
def test_small_results_match_exactly_when_the_rule_says_so(results: tuple[Rows, Rows], order_matters: bool, limits: Any) -> None:
    answer, golden = results
    match = results_match(answer, golden, order_matters, *limits)
    assert match.outcome is not MatchOutcome.UNDECIDED
    assert bool(match) is matches(answer, golden, order_matters, *limits)


DAYS = st.sampled_from([date(2026, 3, 1), datetime(2026, 3, 1), "2026-03-01", date(2026, 3, 2), datetime(2026, 3, 2)])


@examples
@given(st.lists(st.tuples(DAYS, DAYS), min_size=2, max_size=4))
@example([(date(2026, 3, 1), "2026-03-01"), (datetime(2026, 3, 1), date(2026, 3, 1))])
@example([(date(2026, 3, 1), date(2026, 3, 1)), (datetime(2026, 3, 1), "2026-03-01")])
def test_days_that_are_written_in_other_ways_on_either_side_are_paired_completely(days: list[tuple[Any, Any]]) -> None:
    """field/tests C8: a date agrees with its midnight and with its ISO text, and these two do not agree."""
    golden, answer = [[day] for day, _ in days], [[day] for _, day in days]
    for rows in (answer, answer[::-1]):
        assert bool(results_match(rows, golden)) is matches(rows, golden)


@st.composite
def near_numbers(draw: st.DrawFn) -> tuple[Rows, Rows]:
    """Two columns of numbers so close together that most rows have several possible partners."""
    rows = draw(st.integers(2, 14))
    step = st.integers(-8, 8)
    golden = [[100 + draw(step) * 0.02, 2000 + draw(step) * 0.4] for _ in range(rows)]
    answer = [[a + draw(st.integers(-3, 3)) * 0.02, b + draw(st.integers(-3, 3)) * 0.4] for a, b in draw(st.permutations(golden))]
    return answer, golden


@examples
@given(near_numbers())
def test_rows_that_may_change_partners_are_paired_completely(results: tuple[Rows, Rows]) -> None:
    assert bool(results_match(*results)) is matches(*results)


cells = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=True),
    st.decimals(allow_nan=False, places=3, min_value=-(10**20), max_value=10**20),
    st.text(max_size=3),
    st.dates(),
    st.datetimes(),
    st.binary(max_size=2),
    st.lists(st.integers(0, 3), max_size=2),
)


@examples
@given(st.data(), st.integers(1, 8), st.integers(1, 4), st.integers(0, 2))
def test_a_golden_result_matches_itself_shuffled_and_with_more_columns(data: st.DataObject, rows: int, columns: int, extra: int) -> None:
    golden = [[data.draw(cells) for _ in range(columns)] for _ in range(rows)]
    wide = [[*row, *(data.draw(cells) for _ in range(extra))] for row in data.draw(st.permutations(golden))]
    order = data.draw(st.permutations(range(columns + extra)))
    answer = [[row[column] for column in order] for row in wide]
    match = results_match(answer, golden)
    assert match
    assert match.extra_columns == extra


@examples
@given(st.data(), st.integers(1, 8), st.integers(1, 4))
def test_a_cell_moved_beyond_the_reach_of_every_number_does_not_match(data: st.DataObject, rows: int, columns: int) -> None:
    golden = [[data.draw(st.floats(-1e6, 1e6)) for _ in range(columns)] for _ in range(rows)]
    answer = [row[:] for row in data.draw(st.permutations(golden))]
    row, column = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))
    answer[row][column] = 1e7
    match = results_match(answer, golden)
    assert match.outcome is MatchOutcome.MISMATCH
    assert match.reason


@examples
@given(two_results(), st.randoms(use_true_random=False))
def test_the_order_of_rows_and_columns_never_changes_the_outcome(results: tuple[Rows, Rows], random: Any) -> None:
    answer, golden = results
    outcome = results_match(answer, golden).outcome
    turned = []
    for rows in (answer, golden):
        order = random.sample(range(len(rows[0])), len(rows[0]))
        turned.append([[row[column] for column in order] for row in random.sample(rows, len(rows))])
    assert results_match(*turned).outcome is outcome


@examples
@given(two_results())
def test_without_share_of_the_golden_number_both_sides_are_alike(results: tuple[Rows, Rows]) -> None:
    answer, golden = results
    if len(answer[0]) == len(golden[0]):
        assert results_match(answer, golden, tolerance=0).outcome is results_match(golden, answer, tolerance=0).outcome


@examples
@given(
    st.lists(st.tuples(st.floats(-1e4, 1e4), st.floats(-1, 1)), min_size=1, max_size=40),
    st.lists(st.tuples(st.floats(-1.1, 1.1), st.floats(-1.1, 1.1)), min_size=1, max_size=40),
    st.sampled_from([(0.0005, 0.005), (0.05, 0.0), (0.3, 0.01), (0.5, 1.0), (0.0, 0.5)]),
)
def test_the_grid_misses_no_pair_of_rows(golden: Any, moves: Any, limits: tuple[float, float]) -> None:
    answer = [
        tuple(number + move * (limits[0] * abs(number) + limits[1]) for number, move in zip(row, moved, strict=True))
        for row, moved in zip(golden, moves, strict=False)
    ]
    columns = encode(read_table(golden, "golden"), read_table(answer, "answer"))
    agreement = Agreement(MatchRule.read(*limits), columns[2])
    pairs = [ColumnPair(g, a, decisive=False) for g, a in zip(*columns[:2], strict=True)]
    labels = Labels.of(np.zeros(len(golden), np.uint64), np.zeros(len(answer), np.uint64))
    edges = find_edges(pairs, labels, agreement, Budget(10**9))
    every = np.divmod(np.arange(len(golden) * len(answer)), len(answer))
    agree = np.all([agreement(pair.golden, pair.answer, *every) for pair in pairs], axis=0)
    assert set(zip(edges.golden.tolist(), edges.answer.tolist(), strict=True)) == set(
        zip(every[0][agree].tolist(), every[1][agree].tolist(), strict=True)
    )
