"""The table of checks: one small function for each thing that a gold is asked.

Rule: to add one, write its function, a row here, its code in `goldfindings`, and its section in docs/gold-checks.md; tests look for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from goldenlib.gold import askedtimes, authoring, exactness, ordering, periods, pitfalls, queries, rounding, stability
from goldenlib.gold.goldfindings import GoldFinding
from goldenlib.gold.goldsubject import Gold

Rule: TypeAlias = Callable[[Gold], Iterator[GoldFinding]]

# What decides whether a gold may score: made before every run too. These, and no others, find errors.
BLOCKING: tuple[Rule, ...] = (
    queries.golden_sql_runs,
    queries.has_rows,
    queries.has_no_null,
    queries.limits_name_columns,
    queries.check_query_agrees,
    ordering.order_has_order_by,
)
# What a person should look at, once the gold runs and has rows.
ADVISORY: tuple[Rule, ...] = (
    ordering.order_by_matters,
    ordering.asked_order_is_there,
    ordering.no_tied_rows,
    ordering.limit_cuts_no_tie,
    ordering.texts_sort_as_numbers,
    pitfalls.limit_has_order,
    pitfalls.takes_nothing_at_random,
    stability.same_in_any_row_order,
    stability.same_with_any_threads,
    exactness.rows_are_distinct,
    exactness.whole_numbers_are_exact,
    rounding.absolute_fits_rounding,
    periods.does_not_ask_for_today,
    periods.period_is_over,
    askedtimes.asked_time_is_there,
    pitfalls.same_in_any_time_zone,
    pitfalls.last_day_is_whole,
    pitfalls.filters_find_something,
    pitfalls.counts_what_it_says,
    pitfalls.tables_are_joined,
    authoring.decline_has_no_gold,
    authoring.note_names_definition,
    authoring.has_check_query,
)
_CHANCE = {"limit-through-tie", "order-matters-without-order-by", "ordered-with-tied-keys"}
# The same thing seen twice: the second is not told where the first is.
IMPLIED = {
    "limit-without-order": {"changes-with-row-order", "changes-between-runs"},
    "changes-with-row-order": _CHANCE | {"changes-between-runs"},
    "changes-with-threads": _CHANCE | {"changes-with-row-order", "changes-between-runs"},
    "depends-on-time-zone": {"changes-between-runs", "changes-with-threads", "changes-with-row-order", "depends-on-today"},
    "whole-numbers-with-tolerance": {"rows-indistinct"},
    "open-period": {"depends-on-today"},
    "gold-has-null": {"gold-empty"},
}
