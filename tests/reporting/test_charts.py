from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from goldenlib.reporting.charts import MOST_RUNS, Chart, sparkline, trend_chart
from tests.builders import a_trend

LIMIT = Decimal("0.8")
RUNS = st.lists(st.integers(0, 40).flatmap(lambda scored: st.tuples(st.integers(0, scored), st.just(scored))), min_size=1, max_size=60)


def test_a_run_below_the_limit_is_marked_and_one_at_the_limit_is_not() -> None:
    chart = trend_chart(a_trend((79, 100), (80, 100)), LIMIT)
    assert [point.is_below for point in chart.points] == [True, False]


def test_a_higher_rate_is_drawn_higher() -> None:
    low, high = trend_chart(a_trend((8, 10), (9, 10)), LIMIT).points
    assert high.y < low.y


def test_a_run_that_was_not_measured_is_a_gap_and_not_a_zero() -> None:
    chart = trend_chart(a_trend((9, 10), (9, 10), (0, 0), (9, 10), (9, 10)), LIMIT)
    assert len(chart.lines) == 2
    assert not chart.points[2].is_measured
    assert chart.points[2].words.endswith("not measured (run-2)")


def test_the_sparkline_shows_the_last_eight_runs() -> None:
    assert len(sparkline(a_trend(*[(9, 10)] * 20), LIMIT).points) == 8


def test_a_long_trend_labels_the_ends_and_the_extremes_only() -> None:
    chart = trend_chart(a_trend(*[(90, 100)] * 10, (50, 100), *[(90, 100)] * 5, (99, 100), *[(90, 100)] * 4), LIMIT)
    assert [point.label for point in chart.points if point.label] == ["90 %", "50 %", "99 %", "90 %"]


def test_older_runs_are_counted_when_they_are_not_shown() -> None:
    assert trend_chart(a_trend(*[(9, 10)] * (MOST_RUNS + 3)), LIMIT).left_out == 3


def test_the_description_tells_the_rates_and_the_limit() -> None:
    chart = trend_chart(a_trend((8, 10), (9, 10)), LIMIT)
    assert chart.description == "Oldest first: 80 %, 90 %. The limit is 80 %."


@given(RUNS, st.sampled_from(["0", "0.05", "0.8", "1"]))
def test_every_point_lies_within_the_drawing(runs: list[tuple[int, int]], limit: str) -> None:
    for chart in (sparkline(a_trend(*runs), Decimal(limit)), trend_chart(a_trend(*runs), Decimal(limit))):
        assert all(0 <= point.x <= chart.width and 0 <= point.y <= chart.height for point in chart.points)
        assert _within(chart)


def _within(chart: Chart) -> bool:
    return all(0 <= tick.y <= chart.height for tick in (chart.limit, *chart.ticks))
