"""The rule two numbers are compared by: |a - g| <= tolerance * |g| + absolute (contract 9.1, 9.4).

MatchRule: decided exactly. A float stands for the decimal it prints as (0.1 is one tenth), whole floats for their integer, and the limits
are read the same way; floating point only sorts out the clear cases.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from numbers import Rational
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.int64]

DEFAULT_TOLERANCE = 0.0005
DEFAULT_ABSOLUTE = 0.005  # half a cent: half a unit in the last place of money
_ROUNDING = 2.0**-50  # bounds the relative error of every float step below, eight times over
_SMALLEST = 1e-320  # and the absolute error near zero


@dataclass(frozen=True)
class MatchRule:
    """How far a number may be from the golden one. Both zero means exact."""

    tolerance: Fraction
    absolute: Fraction

    @classmethod
    def read(cls, tolerance: Any, absolute: Any) -> MatchRule:
        """Return the rule of two numbers as people write them. Raises ValueError unless both are finite and at least 0."""
        return cls(
            _limit(tolerance, "tolerance", "a share of the golden number such as 0.0005"),
            _limit(absolute, "absolute", "a slack in the unit of the numbers such as 0.005"),
        )

    @cached_property
    def is_exact(self) -> bool:
        """Whether only equal numbers agree."""
        return self.tolerance == 0 and self.absolute == 0

    @cached_property
    def is_monotone(self) -> bool:
        """Whether a larger golden number never allows smaller answers. Then sorted columns pair up best in order.

        g - (t|g| + a) and g + (t|g| + a) both grow with g as long as t <= 1; above, the lower end falls while g grows.
        """
        return self.tolerance <= 1

    def within(self, answer: Fraction | int, golden: Fraction | int) -> bool:
        """Return whether two exact numbers agree."""
        apart, size = Fraction(answer) - golden, Fraction(golden)
        return abs(apart) <= self.tolerance * abs(size) + self.absolute

    def agree(self, golden: Floats, answer: Floats, exactly: Callable[[int], tuple[Fraction | int, Fraction | int]]) -> Flags:
        """Return where two arrays of numbers agree, each given as the nearest floats.

        `exactly` gives the exact (golden, answer) of a place; it is asked only for places too near the limit for floats.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            apart = np.abs(answer - golden)
            limit = np.abs(golden)
            doubt = limit + np.abs(answer)
            limit *= float(self.tolerance)
            limit += float(self.absolute)
            doubt += limit
            doubt += apart
            doubt *= _ROUNDING
            doubt += _SMALLEST
            agree: Flags = apart <= limit - doubt
            unclear = ~(agree | (apart > limit + doubt))
        for place in np.flatnonzero(unclear).tolist():
            exact_golden, exact_answer = exactly(place)
            agree[place] = self.within(exact_answer, exact_golden)
        return agree

    def reach(self, golden: Floats, outward: bool) -> tuple[Floats, Floats]:
        """Return the lowest and highest answers that agree with each golden number, rounded outward or inward."""
        with np.errstate(over="ignore", invalid="ignore"):
            size = np.abs(golden)
            limit = float(self.tolerance) * size + float(self.absolute)
            doubt = (size + limit) * (4 * _ROUNDING) + _SMALLEST
            limit = limit + doubt if outward else limit - doubt
            return golden - limit, golden + limit


def loosest(rules: Sequence[MatchRule]) -> MatchRule:
    """Return the rule that lets through whatever one of several does."""
    return MatchRule(
        max((rule.tolerance for rule in rules), default=Fraction(0)), max((rule.absolute for rule in rules), default=Fraction(0))
    )


EXACT = MatchRule(Fraction(0), Fraction(0))


def exact_value(number: float) -> Fraction | int:
    """Return the number that a finite float stands for: a whole float its integer, any other the decimal it prints as.

    >>> exact_value(0.1)
    Fraction(1, 10)
    """
    return int(number) if number.is_integer() else Fraction(repr(number))


def _limit(value: Any, name: str, example: str) -> Fraction:
    problem = f"{name} must be a finite number of 0 or more, not {value!r}; give {example}, or 0 for none"
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal, Rational, np.number)):
        raise ValueError(problem)
    if isinstance(value, np.number):
        value = value.item()
    if not math.isfinite(value) or value < 0:
        raise ValueError(problem)
    return Fraction(exact_value(value)) if isinstance(value, float) else Fraction(value)
