"""Noise: whether a difference between two runs of the same items may be chance.

Rule: the runs are paired, so only items whose verdict is another one say anything.
"""

from __future__ import annotations

from math import comb

SIGNIFICANT = 0.05


def paired_p(worse: int, better: int) -> float:
    """Return the two-sided p-value of the exact sign test on the items that flipped.

    It is the exact form of McNemar's test (Q. McNemar, Psychometrika 12, 1947): were up and down equally likely, how often would so
    uneven a split, or one more so, come out. 1 where nothing flipped.

    >>> round(paired_p(7, 3), 3), paired_p(0, 0)
    (0.344, 1.0)
    """
    flips, fewer = worse + better, min(worse, better)
    return min(1.0, sum(comb(flips, times) for times in range(fewer + 1)) / 2.0 ** (flips - 1))


def smallest_drop(items: int) -> int | None:
    """Return how many of `items` have to get worse, with none better, before it is hardly chance; None where the set is too small.

    >>> smallest_drop(200), smallest_drop(5)
    (6, None)
    """
    return next((worse for worse in range(1, items + 1) if paired_p(worse, 0) < SIGNIFICANT), None)


def told(worse: int, better: int, items: int) -> str:
    """Return in a line what the flips among `items` scored in both runs are worth."""
    least = smallest_drop(items)
    able = (
        f"the smallest drop that {items} items can show is {least} of them ({100 * least / items:.1f} points)"
        if least is not None
        else f"{items} items are too few to show any drop"
    )
    if not worse + better:
        return f"no verdict is another one; {able}"
    p = paired_p(worse, better)
    judged = "hardly chance" if p < SIGNIFICANT else "may be chance"
    return f"{worse} worse, {better} better: {judged} (p = {_p(p)}, exact paired test); {able}"


def _p(p: float) -> str:
    return f"{p:.2g}" if p >= 1e-15 else "less than 1e-15"
