"""Rounding: whether `absolute` is half a unit of the last place that the gold rounds to (seed 002, "Order, rounding and column names").

Rule: told only where it decides something: where a wrong number would pass, or the right number that is not rounded would fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from sqlglot import exp

from goldenlib.gold.exactness import decimals_of
from goldenlib.gold.goldfindings import GoldFinding
from goldenlib.gold.goldsubject import Gold

# Of a number: less slack than that is no danger. More is let pass where only the values look rounded.
_MATTERS_WRITTEN, _MATTERS_SEEN = 0.001, 0.01
_MOST_PLACES = 6  # a number with more decimals is not rounded, and no slack fits it
_NEARLY = 1 + 1e-9


def absolute_fits_rounding(gold: Gold) -> Iterator[GoldFinding]:
    """Each rounded column of the gold fits `absolute`."""
    if not gold.is_answer or gold.result is None:
        return
    width = len(gold.result.columns)
    for index, name in enumerate(gold.result.columns):
        numbers = [float(row[index]) for row in gold.first_rows if decimals_of(row[index]) is not None]
        output = gold.reading.output_at(index, width) if gold.reading is not None else None
        places = _places_in_sql(output)
        is_written = places is not None
        if places is None:
            places = _places_of_values([row[index] for row in gold.first_rows])
        if places is None or not numbers:
            continue
        message = _too_large(gold, name, numbers, places, is_written) or (_too_small(gold, name, numbers, places) if is_written else None)
        if message is not None:
            half = f"{Decimal(5).scaleb(-places - 1):f}"
            is_rounded = is_written or places < _MOST_PLACES
            way_out = f"set absolute = {half}, half a unit of the last place" if is_rounded else "round it to a place that the note states"
            way_out += ", or round to another place" if is_rounded else ", and set absolute to half a unit of that place"
            yield gold.finding("rounding-disagrees-with-absolute", message, way_out, rows=gold.first_rows[:2])
            return


def _too_large(gold: Gold, name: str, numbers: Sequence[float], places: int, is_written: bool) -> str | None:
    """A slack of more than half the last place, that is a good part of the number."""
    rule = gold.expected.loosest([name])
    absolute, tolerance = rule.absolute, rule.tolerance
    smallest = min((abs(number) for number in numbers if number), default=None)
    matters = max(_MATTERS_WRITTEN if is_written else _MATTERS_SEEN, tolerance)
    if smallest is None or absolute <= _half(places) * _NEARLY or absolute <= matters * smallest:
        return None
    what = f"rounds {name} to {_told(places)}" if is_written else f"gives {name} with {_told(places)}"
    return f"the golden SQL {what}, and absolute = {absolute:g} lets it be off by {absolute / smallest:.1%} of {smallest:g}"


def _too_small(gold: Gold, name: str, numbers: Sequence[float], places: int) -> str | None:
    """A slack so small that the same number, not rounded, may fail."""
    rule = gold.expected.loosest([name])
    absolute, tolerance = rule.absolute, rule.tolerance
    smallest = min(abs(number) for number in numbers)
    slack = tolerance * smallest + absolute
    if slack * _NEARLY >= _half(places):
        return None
    return (
        f"the golden SQL rounds {name} to {_told(places)}, and a right answer that is not rounded may fail: "
        f"it may be off by {_half(places):g} and only {slack:g} is let pass"
    )


def _half(places: int) -> float:
    return 0.5 * 10.0**-places


def _told(places: int) -> str:
    if places > 0:
        return f"{places} decimal{'s' if places > 1 else ''}"
    return "whole numbers" if places == 0 else f"units of {10**-places:,}"


def _places_in_sql(output: exp.Expr | None) -> int | None:
    """The places that the SQL rounds an output to, as its last step; None when it does not."""
    places = None
    while output is not None:
        if isinstance(output, exp.Round):
            decimals = output.args.get("decimals")
            return 0 if decimals is None else _whole(decimals)
        if isinstance(output, exp.Cast):
            if output.to.is_type("decimal") and len(output.to.expressions) == 2:
                places = _whole(output.to.expressions[1].this)
            output = output.this
        elif isinstance(output, exp.Paren | exp.Alias):
            output = output.this
        else:
            return places
    return places


def _whole(number: exp.Expr) -> int | None:
    sign = -1 if isinstance(number, exp.Neg) else 1
    literal = number.this if isinstance(number, exp.Neg) else number
    is_number = isinstance(literal, exp.Literal) and not literal.is_string and literal.name.isdigit()
    return sign * int(literal.name) if is_number else None


def _places_of_values(values: Sequence[object]) -> int | None:
    """The most decimals that fractions show, at most six; None when they are whole or no numbers."""
    found = [decimals_of(value) for value in values if value is not None]
    if not found or any(decimals is None for decimals in found):
        return None
    most = max(decimals for decimals in found if decimals is not None)
    return min(most, _MOST_PLACES) if most > 0 else None
