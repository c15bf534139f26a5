"""The step budget: what a comparison may cost beyond its first look at every cell.

Rule: steps are counted, not seconds, so the outcome of a comparison does not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

DEFAULT_BUDGET = 100_000_000


class BudgetSpent(Exception):
    """The steps are used up before the question is decided."""


class Budget:
    """Steps that are left. A step is about one look at a cell, or at a pair of cells, beyond the first look at all of them."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Take steps off; raises BudgetSpent when there are not enough."""
        if steps > self.left:
            raise BudgetSpent
        self.left -= steps

    @contextmanager
    def share(self, parts: int) -> Iterator[Budget]:
        """Lend a budget with one of `parts` equal parts of what is left; what is not spent comes back."""
        lent = Budget(self.left // parts)
        self.left -= lent.left
        try:
            yield lent
        finally:
            self.left += lent.left
