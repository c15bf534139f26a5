"""A comparison: both results made ready, and the search for a lining-up of their columns.

MatchRule: first as if numbers had to be equal, which is quick and settles most matches; then with the tolerance, which settles the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from goldenlib.matching.agreement import Agreement
from goldenlib.matching.budget import Budget
from goldenlib.matching.candidates import candidate_columns, injection, usable_pairs
from goldenlib.matching.columns import Column
from goldenlib.matching.encoding import encode
from goldenlib.matching.labels import Labels
from goldenlib.matching.lining import LiningUp, Search
from goldenlib.matching.resulttables import ResultTable
from goldenlib.matching.tolerances import EXACT, Flags, MatchRule, loosest

_EXACT_SHARE = 4  # one part in so many of the steps goes to the search among equal numbers
_ANOTHER_STEPS = 1_000_000
_MOST_OTHERS = 20  # other pairs of columns that are tried out


@dataclass(frozen=True)
class TableComparison:
    """Two results with equally many rows, or (then without `labels`) with different numbers of rows."""

    golden: ResultTable
    answer: ResultTable
    golden_columns: Sequence[Column]
    answer_columns: Sequence[Column]
    agreement: Agreement
    labels: Labels | None

    @classmethod
    def of(
        cls,
        golden: ResultTable,
        answer: ResultTable,
        rules: Sequence[MatchRule] | MatchRule,
        order_matters: bool,
        tied_on: Sequence[int] | None,
    ) -> TableComparison:
        """Return the comparison of two tables, by one rule, or by one for each golden column."""
        golden_columns, answer_columns, book = encode(golden, answer)
        labels = None
        if golden.rows == answer.rows:
            ties = [golden_columns[index] for index in tied_on] if tied_on is not None else None
            places = _places(golden.rows, ties, Agreement(EXACT, book)) if order_matters else np.zeros(golden.rows, np.uint64)
            labels = Labels.of(places, places)
        rule = rules if isinstance(rules, MatchRule) else loosest(rules)
        if not isinstance(rules, MatchRule):
            golden_columns = [replace(column, rule=own) for column, own in zip(golden_columns, rules, strict=True)]
        return cls(golden, answer, golden_columns, answer_columns, Agreement(rule, book), labels)

    def without_order(self) -> TableComparison:
        """Return the same comparison with rows in any order."""
        places = np.zeros(self.golden.rows, np.uint64)
        return replace(self, labels=Labels.of(places, places))

    def without_column(self, golden: int) -> TableComparison:
        """Return the comparison without one golden column."""
        return replace(self, golden_columns=[column for index, column in enumerate(self.golden_columns) if index != golden])

    def line_up(self, budget: Budget) -> tuple[LiningUp | None, bool]:
        """Return a lining-up, or None; and whether the search was given up before it was complete."""
        if not self.agreement.rule.is_exact and all(column.rule is None for column in self.golden_columns):
            with budget.share(_EXACT_SHARE) as part:
                found, _ = self._search(replace(self.agreement, rule=EXACT), part)
            if found is not None:
                return found, False
        return self._search(self.agreement, budget)

    def has_another(self, found: LiningUp) -> bool | None:
        """Return whether some other lining-up works too; None when that takes too long to find out."""
        assert self.labels is not None  # something was found, so there are equally many rows
        allowed = usable_pairs(candidate_columns(self.golden_columns, self.answer_columns, self.agreement, quick=True))
        chosen = np.zeros((len(self.golden_columns), len(self.answer_columns)), bool)
        chosen[np.arange(len(found.columns)), found.columns] = True
        if allowed is None or not (allowed & ~chosen).any():
            return False
        if found.golden_rows is None:
            return None
        if self._works_by_row(allowed, chosen, found):
            return True
        search = Search(self.golden_columns, self.answer_columns, self.agreement, allowed, Budget(_ANOTHER_STEPS))
        return search.finds_another(allowed, chosen, self.labels, _MOST_OTHERS)

    def _works_by_row(self, allowed: Flags, chosen: Flags, found: LiningUp) -> bool:
        works = chosen.copy()
        for j, k in np.argwhere(allowed & ~chosen).tolist():
            column, other = self.golden_columns[j], self.answer_columns[k]
            works[j, k] = self.agreement(column, other, found.golden_rows, found.answer_rows).all()
        usable = usable_pairs(works)
        return usable is not None and bool((usable & ~chosen).any())

    def _search(self, agreement: Agreement, budget: Budget) -> tuple[LiningUp | None, bool]:
        if self.labels is None or len(self.golden_columns) > len(self.answer_columns):
            return None, False
        allowed = candidate_columns(self.golden_columns, self.answer_columns, agreement)
        if injection(allowed) is None:
            return None, False
        search = Search(self.golden_columns, self.answer_columns, agreement, allowed, budget)
        found = search.find(allowed, self.labels)
        return found, search.undecided


def _places(rows: int, tied_on: Sequence[Column] | None, equal: Agreement) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Return where each row has to be; rows that follow one another and are equal in the columns `tied_on` share one place."""
    if tied_on is None:
        return np.arange(rows, dtype=np.uint64)
    new = np.zeros(rows, bool)
    earlier = np.arange(rows - 1)
    for column in tied_on:
        new[1:] |= ~equal(column, column, earlier, earlier + 1)
    return np.cumsum(new).astype(np.uint64)
