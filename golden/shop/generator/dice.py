"""Dice: whole numbers that look random and are the same on every machine, for ever.

Rule: integer arithmetic only (SplitMix64). numpy's and Python's generators may change their distributions between versions;
this one is fifteen lines and cannot.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from itertools import accumulate
from typing import TypeVar

_MASK = (1 << 64) - 1
_SEED = "rautan 1"  # another seed is another shop: the golden results and the baseline would have to be made anew

Thing = TypeVar("Thing")


class Dice:
    """A stream of draws that depends on nothing but its name, such as `Dice("order", 17)`.

    Each thing of the shop has dice of its own, so that one more draw for one of them changes no other.
    """

    def __init__(self, *name: str | int) -> None:
        text = "/".join((_SEED, *map(str, name)))
        self._state = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to `limit` - 1.

        >>> dice = Dice("example")
        >>> [dice.below(6) for _ in range(5)]
        [2, 2, 2, 2, 3]
        """
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((mixed ^ (mixed >> 31)) * limit) >> 64

    def percent(self, chance: int) -> bool:
        """Return True in `chance` of a hundred draws."""
        return self.below(100) < chance

    def between(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def one_of(self, things: Sequence[Thing]) -> Thing:
        """Return one of the things, each as likely as any other."""
        return things[self.below(len(things))]

    def weighted(self, weights: tuple[int, ...]) -> int:
        """Return a place in `weights`, drawn in proportion to them; a tuple, since its running sums are kept."""
        sums = _running_sums(weights)
        return bisect_right(sums, self.below(sums[-1]))


@cache
def _running_sums(weights: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(accumulate(weights))
