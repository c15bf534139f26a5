"""Lines: how the gate writes rates, counts and ids, each in one line of visible text.

Rule: a rate is shown on its own side of its limit, whatever the number of decimals that takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

MOST_NAMED = 20  # ids in one reason; the reports list all


def meets(passed: int, scored: int, limit: Decimal) -> bool:
    """Whether passed / scored reaches the limit; equal passes. Exact on the counts, no binary noise."""
    return Fraction(passed, scored) >= Fraction(limit)


def percent(rate: Fraction, limit: Decimal | None = None) -> str:
    """Write a rate as '79.7 %', with as many decimals as it takes to stand on its own side of the limit, of 0 and of 100 %.

    >>> percent(Fraction(47, 59)), percent(Fraction(7999, 10000), Decimal("0.8")), percent(Fraction(9999, 10000))
    ('79.7 %', '79.99 %', '99.99 %')
    """
    borders = (Fraction(0), Fraction(1), *([Fraction(limit)] if limit is not None else []))
    decimals = 1
    while any(_side(round(rate * 100, decimals) / 100, border) != _side(rate, border) for border in borders):
        decimals += 1
    whole, rest = divmod(int(round(rate * 100, decimals) * 10**decimals), 10**decimals)
    return f"{whole}.{rest:0{decimals}}".rstrip("0").rstrip(".") + " %"


def _side(rate: Fraction, border: Fraction) -> int:
    return (rate > border) - (rate < border)


def exactly(limit: Decimal) -> str:
    """Write a limit with all its decimals."""
    return percent(Fraction(limit), limit)


def plural(number: int, noun: str) -> str:
    """Write a count with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def some(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """Write the first names, and how many more there are."""
    shown = ", ".join(map(one_line, names[:most]))
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def one_line(text: str) -> str:
    """Return the text with white space as single spaces, and what cannot be seen written as an escape."""
    line = " ".join(text.split())
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in line)


def number(value: float | None) -> str:
    """Write a score with all its digits."""
    return "none" if value is None else f"{value:.10g}"


def listed(words: Sequence[str]) -> str:
    """Write words as a sentence lists them.

    >>> listed(["question"]), listed(["question", "rubric", "phrases"])
    ('question', 'question, rubric and phrases')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
