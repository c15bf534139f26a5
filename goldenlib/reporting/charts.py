"""The geometry of the charts: pass rates of a series as points in a drawing of fixed size.

Rule: a run that was not measured is a gap, never a zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from goldenlib.gating import percent
from goldenlib.reporting.passages import plain
from goldenlib.reporting.report import TrendPoint
from goldenlib.reporting.wording import NO_NUMBER, day, moment, plural

MOST_RUNS = 40
_LABELLED = 12


@dataclass(frozen=True, slots=True)
class Point:
    """One run in a chart. `label` and `date` are empty where there is no room for them; `is_key` ones stay on small screens."""

    x: float
    y: float
    is_measured: bool
    is_below: bool
    is_key: bool
    label: str
    date: str
    words: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A line across the chart with its value."""

    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing in units of its own; `lines` are point lists of unbroken rows of measured runs."""

    width: float
    height: float
    left: float
    right: float
    points: tuple[Point, ...]
    lines: tuple[str, ...]
    limit: Tick
    ticks: tuple[Tick, ...]
    title: str
    description: str
    left_out: int


def sparkline(trend: Sequence[TrendPoint], limit: Decimal) -> Chart:
    """Return the small chart of the last runs, eight at most."""
    rates = [point.rate for point in trend[-8:] if point.rate is not None] + [Fraction(limit)]
    scale = _ChartScale(min(rates) - Fraction(1, 50), max(rates) + Fraction(1, 50))
    return _chart(trend[-8:], limit, scale, _Frame(188, 44, left=2, right=186, top=4, bottom=40, inset=6))


def trend_chart(trend: Sequence[TrendPoint], limit: Decimal) -> Chart:
    """Return the large chart of the last runs, with dates and labels."""
    shown = trend[-MOST_RUNS:]
    scale = _scale(shown, limit)
    return _chart(shown, limit, scale, _Frame(690, 240, left=56, right=560, top=20, bottom=206, inset=22), left_out=len(trend) - len(shown))


@dataclass(frozen=True, slots=True)
class _ChartScale:
    """The rates at the bottom and the top of a chart, and the step between its ticks."""

    low: Fraction
    high: Fraction
    step: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a chart is drawn: its size, the edges of its plot, and how far from the sides the first and last run stand."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    inset: float

    def x(self, index: int, runs: int) -> float:
        share = index / (runs - 1) if runs > 1 else 0.5
        return round(self.left + self.inset + (self.right - self.left - 2 * self.inset) * share, 1)

    def y(self, rate: Fraction, scale: _ChartScale) -> float:
        share = float((rate - scale.low) / (scale.high - scale.low))
        return round(self.bottom - share * (self.bottom - self.top), 1)


def _chart(trend: Sequence[TrendPoint], limit: Decimal, scale: _ChartScale, frame: _Frame, left_out: int = 0) -> Chart:
    key = _key_runs(trend)
    labelled = key if len(trend) > _LABELLED else set(range(len(trend)))
    points = tuple(
        Point(
            x=frame.x(index, len(trend)),
            y=frame.bottom if point.rate is None else frame.y(point.rate, scale),
            is_measured=point.rate is not None,
            is_below=point.rate is not None and point.rate < Fraction(limit),
            is_key=index in key,
            label=_label(point) if index in labelled else "",
            date=day(point.run_at) if index in labelled else "",
            words=_words(point),
        )
        for index, point in enumerate(trend)
    )
    return Chart(
        width=frame.width,
        height=frame.height,
        left=frame.left,
        right=frame.right,
        points=points,
        lines=_lines(points),
        limit=Tick(frame.y(Fraction(limit), scale), f"limit {percent(Fraction(limit), limit)}"),
        ticks=tuple(Tick(frame.y(rate, scale), percent(rate)) for rate in _ticks(scale)),
        title=f"Pass rate of the last {plural(len(trend), 'run')} of this series",
        description=_description(trend, limit),
        left_out=left_out,
    )


def _scale(trend: Sequence[TrendPoint], limit: Decimal) -> _ChartScale:
    """From below the lowest rate up to 1 in tenths, or from 0 in quarters where that would be most of the way."""
    lowest = min([point.rate for point in trend if point.rate is not None] + [Fraction(limit)])
    low = Fraction(int(lowest * 10) - 1, 10)
    return (
        _ChartScale(low, Fraction(1), Fraction(1, 10)) if low >= Fraction(1, 2) else _ChartScale(Fraction(0), Fraction(1), Fraction(1, 4))
    )


def _ticks(scale: _ChartScale) -> list[Fraction]:
    return [scale.low + scale.step * index for index in range(int((scale.high - scale.low) / scale.step) + 1)]


def _key_runs(trend: Sequence[TrendPoint]) -> set[int]:
    """The first and the last run, the lowest and the highest."""
    measured = [(point.rate, index) for index, point in enumerate(trend) if point.rate is not None]
    return {0, len(trend) - 1, *([min(measured)[1], max(measured)[1]] if measured else [])}


def _lines(points: Sequence[Point]) -> tuple[str, ...]:
    lines: list[list[str]] = [[]]
    for point in points:
        if point.is_measured:
            lines[-1].append(f"{point.x},{point.y}")
        elif lines[-1]:
            lines.append([])
    return tuple(" ".join(line) for line in lines if len(line) > 1)


def _label(point: TrendPoint) -> str:
    return NO_NUMBER if point.rate is None else f"{float(point.rate * 100):.0f} %"


def _words(point: TrendPoint) -> str:
    outcome = "not measured" if point.rate is None else f"{point.passed} of {point.scored} passed, {percent(point.rate)}"
    return plain(f"{moment(point.run_at)}: {outcome} ({point.run_id})")


def _description(trend: Sequence[TrendPoint], limit: Decimal) -> str:
    rates = ", ".join(_label(point) for point in trend)
    return f"Oldest first: {rates}. The limit is {percent(Fraction(limit), limit)}."
