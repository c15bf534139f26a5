"""Periods: whether a gold will be another one tomorrow, because it asks for today or for a time that is not over.

Rule: an open period is told only with the newest day that its table holds: in a warehouse that stands still, nothing is open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from goldenlib.gold.goldfindings import GoldFinding
from goldenlib.gold.goldsubject import Gold
from goldenlib.gold.sqlreading import SqlReading
from goldenlib.warehouse import QueryResult
from goldenlib.wordlists import WordLists

_LIVE = timedelta(days=31)  # a table whose newest day is older stands still; one that goes further ahead is a calendar or a plan
# By name: a class that a release of sqlglot lacks is no loss.
_NOW_CLASSES = "CurrentDate CurrentDatetime CurrentTime CurrentTimestamp CurrentTimestampLTZ Localtime Localtimestamp Systimestamp"
_DATE_CLASSES = "Date Datetime Time Timestamp TsOrDsToDate TsOrDsToDatetime TsOrDsToTimestamp"
_NOW_NODES = tuple(getattr(exp, name) for name in _NOW_CLASSES.split() if hasattr(exp, name))
_DATE_NODES = tuple(getattr(exp, name) for name in _DATE_CLASSES.split() if hasattr(exp, name))
_NOW_NAMES = WordLists.of(__package__, "names").set("now")
_NOW_TEXTS = {"now", "today", "tomorrow", "yesterday"}  # what SQLite's functions and PostgreSQL's casts take for a date
_DATE_NAMES = {"date", "datetime", "julianday", "strftime", "time", "unixepoch"}
_LOWER, _UPPER = (exp.GT, exp.GTE), (exp.LT, exp.LTE)
_TURNED: Mapping[type[exp.Expr], type[exp.Expr]] = {exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE, exp.EQ: exp.EQ}


def does_not_ask_for_today(gold: Gold) -> Iterator[GoldFinding]:
    """Neither the golden SQL nor the check query asks what day it is."""
    check = SqlReading.of(gold.expected.check, gold.warehouse.dialect) if gold.expected.check is not None else None
    for what, reading in (("golden SQL", gold.reading), ("check query", check)):
        now = next((node for node in reading.tree.walk() if _is_now(node)), None) if reading is not None else None
        if now is not None and reading is not None:
            shown = now.parent if isinstance(now, exp.Literal) and now.parent is not None else now
            message = f"the {what} asks for today: {reading.sql(shown)}; its result is another one every day"
            way_out = "name the period with fixed dates, in the question and in the SQL"
            sql = gold.sql if what == "golden SQL" else gold.expected.check
            yield gold.finding("depends-on-today", message, way_out, sql=sql)
            return


def period_is_over(gold: Gold) -> Iterator[GoldFinding]:
    """The time a gold asks about is over: nothing that arrives later falls into it."""
    if gold.reading is None or gold.result is None:
        return
    for scope in gold.reading.scopes:
        for period in _periods(scope):
            newest = _newest(gold, scope, period.column) if period.is_open(gold.today) else None
            if newest is None or not gold.today - _LIVE <= newest <= gold.today + _LIVE:
                continue
            name = gold.reading.sql(period.column)
            asked = f"up to {period.end}" if period.end is not None else "without an end"
            message = (
                f"the golden SQL asks for {name} from {period.start} {asked}, and the newest there is {newest}: its result still changes"
            )
            way_out = "ask for a period that is over, with its last day in the question and in the SQL"
            yield gold.finding("open-period", message, way_out)
            return


@dataclass
class _Period:
    """What the conditions on one column leave of time. `has_end` without `end`, or unclear: it ends, nobody can read when."""

    column: exp.Column
    start: date | None = None
    end: date | None = None
    has_end: bool = False
    is_unclear: bool = False

    def is_open(self, today: date) -> bool:
        """Whether it is known to start and not to be over before today."""
        if self.start is None or self.is_unclear:
            return False
        return not self.has_end or (self.end is not None and self.end >= today)

    def end_on(self, day: date | None) -> None:
        """Bound it from above."""
        self.has_end = True
        self.end = day if self.end is None or (day is not None and day < self.end) else self.end


def _is_now(node: exp.Expr) -> bool:
    if isinstance(node, _NOW_NODES):
        return True
    if isinstance(node, exp.Anonymous):
        name = node.name.casefold()
        return name in _NOW_NAMES or (name == "age" and len(node.expressions) == 1)
    if isinstance(node, exp.Literal) and node.is_string and node.name.strip().casefold() in _NOW_TEXTS:
        parent = node.parent
        if isinstance(parent, exp.Cast):
            return parent.to.this in exp.DataType.TEMPORAL_TYPES
        return isinstance(parent, _DATE_NODES) or (isinstance(parent, exp.Anonymous) and parent.name.casefold() in _DATE_NAMES)
    return False


def _periods(scope: Scope) -> list[_Period]:
    """The time that each column is kept within, by conditions that must all hold."""
    where = scope.expression.args.get("where") if isinstance(scope.expression, exp.Select) else None
    periods: dict[str, _Period] = {}
    conditions = _conditions(where.this) if where is not None else []
    for condition in conditions:
        column, start, end = _bounds(condition)
        if column is None:
            continue
        period = periods.setdefault(column.sql().casefold(), _Period(column))
        if start is not None:
            period.start = start
        if end is not _NO_END:
            period.end_on(end if isinstance(end, date) else None)
    for condition in conditions:
        if _bounds(condition)[0] is None:  # such as month(day) = 3, with which a year ends in March
            for name in _calculated_with(condition) & periods.keys():
                periods[name].is_unclear = True
    return list(periods.values())


_NO_END = object()


def _conditions(condition: exp.Expr) -> list[exp.Expr]:
    return list(condition.flatten()) if isinstance(condition, exp.And) else [condition]


def _calculated_with(condition: exp.Expr) -> set[str]:
    """The columns that functions of a condition take. AND and OR are functions to sqlglot."""
    functions = (function for function in condition.find_all(exp.Func) if not isinstance(function, exp.Connector))
    return {column.sql().casefold() for function in functions for column in function.find_all(exp.Column)}


def _bounds(condition: exp.Expr) -> tuple[exp.Column | None, date | None, object]:
    """Return the column, first day and last day of a condition; the last is _NO_END where it has none, None where it cannot be read."""
    if isinstance(condition, exp.Paren):
        return _bounds(condition.this)
    if isinstance(condition, exp.Between):
        return _dated(condition.this), _day(condition.args["low"]), _day(condition.args["high"])
    if not isinstance(condition, (*_LOWER, *_UPPER, exp.EQ)):
        return _dated(condition.this) if isinstance(condition, exp.In) else None, None, None
    left, right = condition.this, condition.expression
    kind: type[exp.Expr] = type(condition)
    if _dated(left) is None and _year_of(left) is None:
        left, right, kind = right, left, _TURNED[kind]
    year = _year_of(left)
    if year is not None:
        return _bounds_of_year(year, right, kind)
    column, day = _dated(left), _day(right)
    if column is None:
        return None, None, None
    if kind in _LOWER:
        return column, day, _NO_END
    if kind is exp.LT and day is not None:
        return column, None, day - timedelta(days=1)
    return column, day if kind is exp.EQ else None, day


def _bounds_of_year(column: exp.Column, number: exp.Expr, kind: type[exp.Expr]) -> tuple[exp.Column | None, date | None, object]:
    text = number.name if isinstance(number, exp.Literal) else ""
    if kind is not exp.EQ or not text.isdigit() or not 1 <= int(text) <= 9999:
        return column, None, None
    return column, date(int(text), 1, 1), date(int(text), 12, 31)


def _dated(node: exp.Expr | None) -> exp.Column | None:
    """The column that is compared, through casts to a date."""
    while isinstance(node, exp.Cast | exp.Date | exp.TsOrDsToDate | exp.Paren):
        node = node.this
    return node if isinstance(node, exp.Column) else None


def _year_of(node: exp.Expr) -> exp.Column | None:
    """The column whose year is taken."""
    if isinstance(node, exp.Extract) and node.name.upper() == "YEAR":
        return _dated(node.expression)
    return _dated(node.this) if isinstance(node, exp.Year) else None


def _day(node: exp.Expr | None) -> date | None:
    """The day that a constant says, or None."""
    while isinstance(node, exp.Cast | exp.Date | exp.TsOrDsToDate | exp.Paren):
        node = node.this
    if not isinstance(node, exp.Literal) or not node.is_string:
        return None
    try:
        return datetime.fromisoformat(node.name).date()
    except ValueError:
        return None


def _newest(gold: Gold, scope: Scope, column: exp.Column) -> date | None:
    """The newest day in a column of a table; None where it is none of a table, or holds no days."""
    tables = {name.casefold(): source for name, source in scope.sources.items()}
    source = tables.get(column.table.casefold()) if column.table else (next(iter(tables.values())) if len(tables) == 1 else None)
    if not isinstance(source, exp.Table) or gold.reading is None:
        return None
    plain = exp.to_table(gold.reading.sql(exp.table_(source.this.copy(), source.args.get("db"), source.args.get("catalog"))))
    newest = exp.select(exp.Max(this=exp.Column(this=column.this.copy()))).from_(plain)
    outcome = gold.warehouse.run(gold.reading.sql(newest), trusted=True)
    if not isinstance(outcome, QueryResult) or outcome.row_count != 1:
        return None
    value = outcome.tuples()[0][0]
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, str):  # SQLite has no dates
        try:
            return datetime.fromisoformat(value).date()
        except ValueError:
            return None
    return value if isinstance(value, date) else None
