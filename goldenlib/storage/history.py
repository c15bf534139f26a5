"""History: what earlier runs of a series say about the items of a run.

Rule: runs are in the order of (run_at, run_seq), and every question walks an index from the run at hand backwards, so that
the answer takes as long after ten million rows as after a thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import CTE, ColumnElement, Connection, Select, and_, false, literal, literal_column, or_, select, tuple_

from goldenlib.answers import Result, Status
from goldenlib.storage.rows import Place, ResultMark, StoredBaseline, result_from
from goldenlib.storage.tables import UTCTime, golden_answers, golden_results, golden_runs, storable

_IDS_AT_ONCE = 5000  # PostgreSQL takes at most 65,535 parameters in a statement


def baselines(connection: Connection, place: Place, *, with_answers: bool) -> dict[str, StoredBaseline]:
    """Return, for each item of the run, its most recent earlier scored result in the series (contract 1)."""
    found = connection.execute(baselines_query(place, with_answers=with_answers))
    return {
        row.item_id: StoredBaseline(result_from(row, with_answer=with_answers), row.judge_model, row.judge_prompt_digest) for row in found
    }


def baselines_query(place: Place, *, with_answers: bool) -> Select[Any]:
    """Return the one statement behind `baselines`."""
    now, then = golden_results.alias("now"), golden_results.alias("then_")
    columns: list[Any] = [then, golden_runs.c.judge_model, golden_runs.c.judge_prompt_digest]
    joined = now.join(then, _is_previous(then, now, place, scored_only=True)).join(golden_runs, golden_runs.c.run_id == then.c.run_id)
    if with_answers:
        joined = joined.join(golden_answers, _same_row(golden_answers, then))
        columns += _answer_columns()
    return select(*columns).select_from(joined).where(now.c.run_id == place.run_id)


def history(connection: Connection, place: Place, limit: int) -> dict[str, tuple[ResultMark, ...]]:
    """Return, for each item of the run, its last `limit` results in the series, old to new, ending with this run."""
    marks: dict[str, list[ResultMark]] = {}
    for row in connection.execute(history_query(place, limit)):
        passed = row.passed if row.status == Status.SCORED else None
        marks.setdefault(row.item_id, []).append(ResultMark(row.run_id, row.run_at, passed))
    return {item_id: tuple(reversed(found)) for item_id, found in marks.items()}


def history_query(place: Place, limit: int) -> Select[Any]:
    """Return the statement behind `history`, newest first."""
    now = golden_results.alias("now")
    start = select(*_mark_columns(now), literal(1).label("step")).where(now.c.run_id == place.run_id)
    steps = _backwards(start, place, scored_only=False, while_=lambda step: step.c.step < limit)
    return select(steps).order_by(steps.c.step)


def failing_since(connection: Connection, place: Place, item_ids: Sequence[str]) -> dict[str, str]:
    """Return, for those of the items whose baseline failed, the first run of the unbroken row of failures.

    Errors and skips do not break the row.
    """
    since: dict[str, str] = {}
    for first in range(0, len(item_ids), _IDS_AT_ONCE):
        some = [storable(item_id) for item_id in item_ids[first : first + _IDS_AT_ONCE]]
        since.update((row.item_id, row.run_id) for row in connection.execute(failures_query(place, some)))  # the oldest comes last
    return since


def failures_query(place: Place, item_ids: Sequence[str]) -> Select[Any]:
    """Return the statement behind `failing_since`: the failures before this run, up to the first pass; newest first."""
    now = golden_results.alias("now")
    start = select(*_mark_columns(now), literal(0).label("step")).where(now.c.run_id == place.run_id, now.c.item_id.in_(item_ids))
    steps = _backwards(start, place, scored_only=True, while_=lambda step: or_(step.c.step == 0, step.c.passed == false()))
    failures = and_(steps.c.step > 0, steps.c.passed == false())
    return select(steps.c.item_id, steps.c.run_id).where(failures).order_by(steps.c.step)


def vanished(connection: Connection, place: Place, all_item_ids: Sequence[str]) -> dict[str, str]:
    """Return the items scored in the latest earlier finished whole run that are not among `all_item_ids`, and that run."""
    runs, results = golden_runs.c, golden_results.c
    last = (
        select(runs.run_id)
        .where(runs.series == place.series, runs.selection == "", runs.finished_at.is_not(None), before(golden_runs, place))
        .order_by(runs.run_at.desc(), runs.run_seq.desc())
        .limit(1)
    )
    run_id = connection.scalar(last)
    scored = select(results.item_id).where(results.run_id == run_id, results.status == Status.SCORED.value)
    there = set(all_item_ids)
    return {item_id: str(run_id) for item_id in sorted(connection.scalars(scored)) if item_id not in there}


def item_answers(connection: Connection, item_id: str, *, limit: int, series: str | None) -> tuple[Result, ...]:
    """Return the last results of an item that have an answer, newest first, in one series or in all.

    Each series is asked on its own, since within one the index has the rows in this order and the rest is never read.
    """
    wanted = connection.scalars(select(golden_runs.c.series).distinct()).all() if series is None else [storable(series)]
    rows = [row for name in wanted for row in connection.execute(_answers_query(name, storable(item_id), limit))]
    rows.sort(key=lambda row: (row.run_at, row.run_seq), reverse=True)
    return tuple(result_from(row) for row in rows[:limit])


def _answers_query(series: str, item_id: str, limit: int) -> Select[Any]:
    results = golden_results.c
    return (
        select(golden_results, *_answer_columns())
        .join(golden_answers, _same_row(golden_answers, golden_results))
        .where(results.series == series, results.item_id == item_id, golden_answers.c.answer.is_not(None))
        .order_by(results.run_at.desc(), results.run_seq.desc())
        .limit(limit)
    )


def results_query(run_id: str) -> Select[Any]:
    """Return the statement that reads a run's results with their answers."""
    return (
        select(golden_results, *_answer_columns())
        .join(golden_answers, _same_row(golden_answers, golden_results))
        .where(golden_results.c.run_id == run_id)
    )


def _backwards(start: Select[Any], place: Place, *, scored_only: bool, while_: Callable[[Any], ColumnElement[bool]]) -> CTE:
    """Return the results of `start` and, from each, those before it one by one, as long as `while_` holds of the last."""
    steps = start.cte("steps", recursive=True)
    then = golden_results.alias("then_")
    following = (
        select(*_mark_columns(then), steps.c.step + 1)
        .select_from(steps.join(then, _is_previous(then, steps, place, scored_only=scored_only)))
        .where(while_(steps))
    )
    return steps.union_all(following)


def _is_previous(then: Any, now: Any, place: Place, *, scored_only: bool) -> ColumnElement[bool]:
    """The row of `then` is the result before that of `now`, of the same item in the same series.

    The inner query asks for one entry of an index; the status stands there as a literal, without which neither engine
    would take the partial index.
    """
    earlier = golden_results.alias("earlier")
    query = (
        select(earlier.c.run_id)
        .where(
            earlier.c.series == place.series,
            earlier.c.item_id == now.c.item_id,
            tuple_(earlier.c.run_at, earlier.c.run_seq) < tuple_(now.c.run_at, now.c.run_seq),
        )
        .order_by(earlier.c.run_at.desc(), earlier.c.run_seq.desc())
        .limit(1)
    )
    if scored_only:
        query = query.where(earlier.c.status == literal_column("'scored'"))
    return and_(then.c.item_id == now.c.item_id, then.c.run_id == query.correlate(now).scalar_subquery())


def before(table: Any, place: Place) -> ColumnElement[bool]:
    """The row of `table` belongs to a run before that at `place`."""
    moment = literal(place.run_at, UTCTime)
    return or_(table.c.run_at < moment, and_(table.c.run_at == moment, table.c.run_seq < place.run_seq))


def _same_row(answers: Any, results: Any) -> ColumnElement[bool]:
    return and_(answers.c.run_id == results.c.run_id, answers.c.item_id == results.c.item_id)


def _mark_columns(table: Any) -> list[Any]:
    return [table.c[name] for name in ("item_id", "run_id", "run_at", "run_seq", "status", "passed")]


def _answer_columns() -> list[Any]:
    return [golden_answers.c[name] for name in ("question", "answer", "answer_error", "scores", "parts")]
