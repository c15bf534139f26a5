"""The subject: one gold with everything a check may look at, each part worked out once and only when asked for.

Rule: the golden SQL runs once. What else is run is a query of the check itself, and a failure of it says nothing about the gold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, TypeVar, overload

from sqlglot import exp

from goldenlib.gold.goldfindings import CODES, GoldFinding, Severity
from goldenlib.gold.keys import keys_of
from goldenlib.gold.otherways import OtherWays
from goldenlib.gold.sqlreading import SqlReading, why_no_select
from goldenlib.items import ExpectedResult, Item, Kind
from goldenlib.matching import ResultMatch, results_match, why_unreadable
from goldenlib.matching.differences import MatchOutcome
from goldenlib.matching.explaining import BOTH_EMPTY
from goldenlib.warehouse import FailureKind, QueryFailed, QueryResult, Warehouse
from goldenlib.warehouse.results import visible

Row = tuple[Any, ...]

MOST_ROWS = 5_000
LOOKED_AT = 1_000  # rows beyond a LIMIT that are looked at for ties and texts
_KEY = "golden_sort_key_"


T = TypeVar("T")


class worked_out(Generic[T]):
    """A property that is worked out once. Unlike `functools.cached_property` of Python 3.11, no lock makes all golds wait for one query."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work, self._name, self.__doc__ = work, work.__name__, work.__doc__

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> worked_out[T]: ...
    @overload
    def __get__(self, instance: object, owner: type[Any]) -> T: ...
    def __get__(self, instance: object | None, owner: type[Any]) -> T | worked_out[T]:
        if instance is None:
            return self
        value: T = self._work(instance)
        vars(instance)[self._name] = value
        return value


@dataclass(frozen=True)
class KeyedRows:
    """Rows in the order of their sort keys, beyond the gold's LIMIT too, each with the values of its keys."""

    rows: Sequence[Row]
    keys: Sequence[Row]
    sql: str


@dataclass(frozen=True)
class Gold:
    """A golden question with SQL, the warehouse it is asked of, and the day the check takes for today."""

    item: Item
    expected: ExpectedResult
    warehouse: Warehouse
    today: date
    others: OtherWays | None = None  # None where only the cheap checks are made

    @property
    def sql(self) -> str:
        """The golden SQL."""
        return self.expected.golden

    @property
    def is_answer(self) -> bool:
        """Whether answers are compared with it. The gold of a forbidden question only shows what must not be told."""
        return self.item.kind is Kind.ANSWER

    @property
    def order_matters(self) -> bool:
        """Whether an answer's rows have to come in its order."""
        return self.is_answer and self.expected.order_matters

    @property
    def question(self) -> str:
        """All that the user says."""
        return "\n".join(self.item.messages)

    @worked_out
    def no_select(self) -> str | None:
        """Why the golden SQL is not one SELECT; None when it is."""
        return why_no_select(self.sql, self.warehouse.dialect)

    @worked_out
    def outcome(self) -> QueryResult | QueryFailed:
        """What came of running the golden SQL; what is not one SELECT is not run."""
        if self.no_select is not None:
            return QueryFailed(FailureKind.REFUSED, self.no_select)
        return self._run(self.sql)

    @worked_out
    def check_outcome(self) -> QueryResult | QueryFailed | None:
        """What came of running the check query; None where there is none."""
        return None if self.expected.check is None else self._run(self.expected.check)

    def _run(self, sql: str) -> QueryResult | QueryFailed:
        """Return what came of a query; a result that no comparison could take is a failure too."""
        outcome = self.warehouse.run(sql, trusted=True)
        unreadable = why_unreadable(outcome.rows) if isinstance(outcome, QueryResult) else None
        return outcome if unreadable is None else QueryFailed(FailureKind.SQL_ERROR, visible(unreadable), outcome.seconds)

    @property
    def unavailable(self) -> str:
        """How the warehouse itself failed, where golden SQL or check query got no answer for that; else empty."""
        failed = [self.outcome] if self.result is None else [self.check_outcome]
        return next((part.reason for part in failed if isinstance(part, QueryFailed) and part.kind == FailureKind.UNAVAILABLE), "")

    @property
    def result(self) -> QueryResult | None:
        """The golden result; None where the SQL failed."""
        return self.outcome if isinstance(self.outcome, QueryResult) else None

    @worked_out
    def rows(self) -> list[Row]:
        """The rows of the golden result, to look at; none where the SQL failed."""
        return self.result.tuples() if self.result is not None else []

    @worked_out
    def first_rows(self) -> list[Row]:
        """As many of them as are looked at one by one."""
        return self.result.tuples(MOST_ROWS) if self.result is not None else []

    @worked_out
    def reading(self) -> SqlReading | None:
        """The golden SQL as it was read; None where sqlglot does not read it."""
        return SqlReading.of(self.sql, self.warehouse.dialect)

    @worked_out
    def sort_keys(self) -> tuple[int, ...] | None:
        """The golden columns the gold is sorted by; None when it is not, or when they cannot be told."""
        if self.reading is None or self.result is None:
            return None
        return keys_of(self.reading, self.result.columns)

    def compare(self, rows: Any, golden: Any = None) -> ResultMatch:
        """Compare a result with the golden one (or with `golden`) by the gold's own rule, as scoring does."""
        wanted = self.result.rows if golden is None and self.result is not None else golden
        tied_on = self.sort_keys if self.order_matters else None
        return results_match(rows, wanted, self.order_matters, *limits_of(self.expected, self.columns), tied_on=tied_on)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the golden columns; none where the SQL failed."""
        return self.result.columns if self.result is not None else ()

    def differs(self, other: QueryResult | QueryFailed) -> ResultMatch | None:
        """Return how another run's result differs from the golden one; None when it agrees, failed, or nobody can tell."""
        if isinstance(other, QueryFailed):
            return None
        match = self.compare(other.rows)
        return match if match.outcome is MatchOutcome.MISMATCH and match.reason != BOTH_EMPTY else None

    @worked_out
    def keyed(self) -> KeyedRows | None:
        """The rows with their sort keys; None when the gold is not sorted or its keys could not be had."""
        if self.reading is None or self.result is None or not self.reading.keys:
            return None
        width, limit = len(self.result.columns), self.reading.limit
        if self.sort_keys is not None and limit is None:
            return KeyedRows(self.rows, [tuple(row[key] for key in self.sort_keys) for row in self.rows], self.sql)
        places, sql = _with_keys(self.reading, self.sort_keys, width, None if limit is None else max(limit + 1, LOOKED_AT))
        if sql is None:
            return None
        wider = self.warehouse.run(sql, trusted=True)
        if isinstance(wider, QueryFailed) or len(wider.columns) < width or wider.row_count < self.result.row_count:
            return None
        rows = wider.tuples()
        return KeyedRows([row[:width] for row in rows], [tuple(row[place] for place in places) for row in rows], sql)

    def finding(
        self,
        code: str,
        message: str,
        suggestion: str,
        *,
        severity: Severity | None = None,
        sql: str | None = None,
        rows: Sequence[Row] = (),
    ) -> GoldFinding:
        """Return a finding about this gold. Without `severity` it has that of its code, without `sql` it shows the golden SQL."""
        shown = self.sql if sql is None else sql
        return GoldFinding(self.item.id, code, severity or CODES[code], message, shown.strip(), tuple(rows), suggestion)


def limits_of(rule: ExpectedResult, columns: Sequence[str]) -> tuple[Any, Any]:
    """Return the limits of a rule as `results_match` takes them: one for each column only where it has such."""
    return rule.limits(columns) if rule.tolerances or rule.absolutes else (rule.tolerance, rule.absolute)


def _with_keys(reading: SqlReading, found: tuple[int, ...] | None, width: int, limit: int | None) -> tuple[tuple[int, ...], str | None]:
    """Return where the keys stand, and SQL that gives them: behind the gold's columns those that are none of these."""
    tree = reading.tree.copy()
    places = found
    if places is None:
        if not isinstance(tree, exp.Select) or tree.args.get("distinct"):
            return (), None
        for number, key in enumerate(reading.keys):
            tree.select(exp.alias_(key.copy(), f"{_KEY}{number}"), copy=False)
        places = tuple(range(width, width + len(reading.keys)))
    if limit is not None:
        tree.set("limit", exp.Limit(expression=exp.Literal.number(limit)))
    return places, reading.sql(tree)
