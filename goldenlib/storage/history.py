"""History: what earlier runs of a series say about the items of a run.

Rule: runs are in the order of their creation in the store, whatever any clock says, and what a run is compared with has finished. Every
question walks an index from the run at hand backwards, so that the answer takes as long after ten million rows as after a thousand, and
as long whether or not a thousand unfinished runs stand in between.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import CTE, ColumnElement, Connection, Select, and_, exists, false, literal, or_, select, true, tuple_, union_all

from goldenlib.answers import Result, Status
from goldenlib.storage.rows import Acceptance, FailingRow, ResultMark, RunPlace, StoredBaseline, baseline_for, result_from
from goldenlib.storage.tables import golden_acceptances, golden_answers, golden_contracts, golden_results, golden_runs, storable

RUNS_BACK = 20  # in so many whole runs a contract is looked for under another id
_IDS_AT_ONCE = 5000  # PostgreSQL takes at most 65,535 parameters in a statement


def baselines(connection: Connection, place: RunPlace, *, with_answers: bool) -> dict[str, StoredBaseline]:
    """Return, for each item of the run, its most recent earlier scored result in the finished runs it compares with (contract 1, 6.3)."""
    found = connection.execute(baselines_query(place, with_answers=with_answers))
    return {row.item_id: _baseline_from(row, with_answers) for row in found}


def baselines_query(place: RunPlace, *, with_answers: bool) -> Select[Any]:
    """Return the one statement behind `baselines`."""
    now, then = golden_results.alias("now"), golden_results.alias("then_")
    joined = now.join(then, _is_previous(then, now, place, comparable_only=True))
    return _with_judge(then, joined, with_answers=with_answers).where(now.c.run_id == place.run_id)


def results_at(connection: Connection, places: Sequence[tuple[str, str]]) -> dict[str, StoredBaseline]:
    """Return the results of items in given runs, by item; `places` are pairs of run and item, each item once."""
    found: dict[str, StoredBaseline] = {}
    for first in range(0, len(places), _IDS_AT_ONCE):
        some = [(storable(run_id), storable(item_id)) for run_id, item_id in places[first : first + _IDS_AT_ONCE]]
        then = golden_results.alias("then_")
        query = _with_judge(then, then, with_answers=True).where(tuple_(then.c.run_id, then.c.item_id).in_(some))
        found.update((row.item_id, _baseline_from(row, True)) for row in connection.execute(query))
    return found


def _with_judge(then: Any, source: Any, *, with_answers: bool) -> Select[Any]:
    """Select the results `then` of a source with the judge of their run, and with their answers if wanted."""
    joined = source.join(golden_runs, golden_runs.c.run_id == then.c.run_id)
    columns: list[Any] = [then, golden_runs.c.judge_model, golden_runs.c.judge_prompt_digest]
    if with_answers:
        joined = joined.join(golden_answers, _same_row(golden_answers, then))
        columns += _answer_columns()
    return select(*columns).select_from(joined)


def _baseline_from(row: Any, with_answers: bool) -> StoredBaseline:
    return StoredBaseline(result_from(row, with_answer=with_answers), row.judge_model, row.judge_prompt_digest)


def history(connection: Connection, place: RunPlace, limit: int) -> dict[str, tuple[ResultMark, ...]]:
    """Return, for each item of the run, its last `limit` results in the series, old to new, ending with this run."""
    marks: dict[str, list[ResultMark]] = {}
    for row in connection.execute(history_query(place, limit)):
        passed = row.passed if row.status == Status.SCORED else None
        marks.setdefault(row.item_id, []).append(ResultMark(row.run_id, row.run_at, passed))
    return {item_id: tuple(reversed(found)) for item_id, found in marks.items()}


def history_query(place: RunPlace, limit: int) -> Select[Any]:
    """Return the statement behind `history`, newest first."""
    now = golden_results.alias("now")
    start = select(*_mark_columns(now), literal(1).label("step")).where(now.c.run_id == place.run_id)
    steps = _backwards(start, place, comparable_only=False, while_=lambda step: step.c.step < limit)
    return select(steps).order_by(steps.c.step)


def failing_rows(connection: Connection, place: RunPlace, item_ids: Sequence[str]) -> dict[str, FailingRow]:
    """Return, for those of the items whose baseline failed, the unbroken row of failures before this run.

    Errors and skips do not break the row, nor does a run that did not finish.
    """
    rows: dict[str, FailingRow] = {}
    for first in range(0, len(item_ids), _IDS_AT_ONCE):
        some = [storable(item_id) for item_id in item_ids[first : first + _IDS_AT_ONCE]]
        for row in connection.execute(failures_query(place, some)):  # the oldest comes last
            if not row.passed:
                rows[row.item_id] = FailingRow(row.run_id, None)
            elif row.item_id in rows:
                rows[row.item_id] = FailingRow(rows[row.item_id].since, row.run_id)
    return rows


def failures_query(place: RunPlace, item_ids: Sequence[str]) -> Select[Any]:
    """Return the statement behind `failing_rows`: the failures before this run, then the pass before them; newest first."""
    now = golden_results.alias("now")
    start = select(*_mark_columns(now), literal(0).label("step")).where(now.c.run_id == place.run_id, now.c.item_id.in_(item_ids))
    steps = _backwards(start, place, comparable_only=True, while_=lambda step: or_(step.c.step == 0, step.c.passed == false()))
    return select(steps.c.item_id, steps.c.run_id, steps.c.passed).where(steps.c.step > 0).order_by(steps.c.step)


def acceptances(connection: Connection, place: RunPlace) -> dict[str, Acceptance]:
    """Return which failures of the series somebody lets stand in this run, by item: those it has not passed since in a finished run."""
    accepted, runs, passed = golden_acceptances.c, golden_runs.c, golden_results.alias("passed")
    passed_since = exists().where(
        passed.c.series == place.series,
        passed.c.item_id == accepted.item_id,
        passed.c.run_seq > runs.run_seq,
        passed.c.run_seq < place.run_seq,
        passed.c.baseline_for.is_not(None),
        passed.c.passed == true(),
    )
    query = (
        select(golden_acceptances)
        .join(golden_runs, runs.run_id == accepted.run_id)
        .where(runs.series == place.series, runs.run_seq <= place.run_seq, ~passed_since)
        .order_by(runs.run_seq)
    )
    return {
        row.item_id: Acceptance(row.run_id, row.item_id, row.accepted_by, row.reason, row.accepted_at) for row in connection.execute(query)
    }


def passed_after(connection: Connection, place: RunPlace, item_id: str) -> str | None:
    """Return the first finished run of the series after this one in which the item passed; None when there is none."""
    results = golden_results.c
    query = (
        select(results.run_id)
        .where(results.series == place.series, results.item_id == storable(item_id), results.run_seq > place.run_seq)
        .where(results.baseline_for.is_not(None), results.passed == true())
        .order_by(results.run_seq)
        .limit(1)
    )
    return connection.scalar(query)


def earlier_passes(connection: Connection, place: RunPlace, digests: Mapping[str, str]) -> Iterator[tuple[str, str | None, str | None]]:
    """Give who judged the passes of items under contracts of these digests, in earlier runs that this one compares with.

    `digests` are by item; given are the item, and model and prompt digest of the judge, of each pair once.
    """
    results, runs = golden_results.c, golden_runs.c
    wanted = [(storable(item_id), storable(digest)) for item_id, digest in digests.items()]
    for first in range(0, len(wanted), _IDS_AT_ONCE):
        query = (
            select(results.item_id, runs.judge_model, runs.judge_prompt_digest)
            .join(golden_runs, runs.run_id == results.run_id)
            .where(results.series == place.series, tuple_(results.item_id, results.digest).in_(wanted[first : first + _IDS_AT_ONCE]))
            .where(results.passed == true(), results.run_seq < place.run_seq)
            .where(results.baseline_for.in_({"", baseline_for(place.selection)}))
            .distinct()
        )
        yield from ((row.item_id, row.judge_model, row.judge_prompt_digest) for row in connection.execute(query))


def scored_under(connection: Connection, place: RunPlace, digests: Collection[str]) -> list[tuple[str, str, str]]:
    """Return what was scored under contracts of these digests in the last whole runs before this one: item, run and digest, old to new."""
    runs, results = golden_runs.c, golden_results.c
    last = (
        select(runs.run_id)
        .where(runs.series == place.series, runs.selection == "", runs.finished_at.is_not(None), before(golden_runs, place))
        .order_by(runs.run_seq.desc())
        .limit(RUNS_BACK)
    )
    wanted = set(map(storable, digests))
    in_these = results.run_id.in_(connection.scalars(last).all())
    query = select(results.item_id, results.run_id, results.digest).where(in_these, results.status == Status.SCORED.value)
    if len(wanted) <= _IDS_AT_ONCE:  # of more, the rows themselves are fewer than the parameters would be
        query = query.where(results.digest.in_(wanted))
    return [(row.item_id, row.run_id, row.digest) for row in connection.execute(query.order_by(results.run_seq)) if row.digest in wanted]


def contracts(connection: Connection, digests: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Give the digests of which the contract is kept, each with its JSON."""
    found = golden_contracts.c
    for first in range(0, len(digests), _IDS_AT_ONCE):
        some = [storable(digest) for digest in digests[first : first + _IDS_AT_ONCE]]
        for row in connection.execute(select(found.digest, found.contract).where(found.digest.in_(some))):
            yield row.digest, row.contract


def created_before(connection: Connection, place: RunPlace) -> tuple[str, Any] | None:
    """Return id and `run_at` of the run of the series that was created last before this one; None for the first."""
    runs = golden_runs.c
    query = select(runs.run_id, runs.run_at).where(runs.series == place.series, before(golden_runs, place))
    row = connection.execute(query.order_by(runs.run_seq.desc()).limit(1)).first()
    return (row.run_id, row.run_at) if row is not None else None


def vanished(connection: Connection, place: RunPlace, all_item_ids: Sequence[str]) -> dict[str, str]:
    """Return the items scored in the latest earlier finished whole run that are not among `all_item_ids`, and that run."""
    runs, results = golden_runs.c, golden_results.c
    last = (
        select(runs.run_id)
        .where(runs.series == place.series, runs.selection == "", runs.finished_at.is_not(None), before(golden_runs, place))
        .order_by(runs.run_seq.desc())
        .limit(1)
    )
    run_id = connection.scalar(last)
    scored = select(results.item_id).where(results.run_id == run_id, results.status == Status.SCORED.value)
    there = set(all_item_ids)
    return {item_id: str(run_id) for item_id in sorted(connection.scalars(scored)) if item_id not in there}


def item_answers(connection: Connection, item_id: str, *, limit: int, series: Collection[str] | None) -> tuple[Result, ...]:
    """Return the last results of an item that have an answer, newest first, in some series or in all.

    Each series is asked on its own, since within one the index has the rows in this order and the rest is never read.
    """
    wanted = connection.scalars(select(golden_runs.c.series).distinct()).all() if series is None else [storable(name) for name in series]
    rows = [row for name in wanted for row in connection.execute(_answers_query(name, storable(item_id), limit))]
    rows.sort(key=lambda row: row.run_seq, reverse=True)
    return tuple(result_from(row) for row in rows[:limit])


def _answers_query(series: str, item_id: str, limit: int) -> Select[Any]:
    results = golden_results.c
    return (
        select(golden_results, *_answer_columns())
        .join(golden_answers, _same_row(golden_answers, golden_results))
        .where(results.series == series, results.item_id == item_id, golden_answers.c.answer.is_not(None))
        .order_by(results.run_seq.desc())
        .limit(limit)
    )


def results_query(run_id: str) -> Select[Any]:
    """Return the statement that reads a run's results with their answers."""
    return (
        select(golden_results, *_answer_columns())
        .join(golden_answers, _same_row(golden_answers, golden_results))
        .where(golden_results.c.run_id == run_id)
    )


def _backwards(start: Select[Any], place: RunPlace, *, comparable_only: bool, while_: Callable[[Any], ColumnElement[bool]]) -> CTE:
    """Return the results of `start` and, from each, those before it one by one, as long as `while_` holds of the last."""
    steps = start.cte("steps", recursive=True)
    then = golden_results.alias("then_")
    following = (
        select(*_mark_columns(then), steps.c.step + 1)
        .select_from(steps.join(then, _is_previous(then, steps, place, comparable_only=comparable_only)))
        .where(while_(steps))
    )
    return steps.union_all(following)


def _is_previous(then: Any, now: Any, place: RunPlace, *, comparable_only: bool) -> ColumnElement[bool]:
    """The row of `then` is the result before that of `now`, of the same item in the same series.

    With `comparable_only`, the one that a run of this selection compares with. Each inner query asks for one entry of an index.
    """
    of_baselines_for = dict.fromkeys(("", baseline_for(place.selection))) if comparable_only else (None,)
    found = [_one_before(now, place, which) for which in of_baselines_for]
    if len(found) > 1:
        each = [one.correlate(now).subquery() for one in found]
        either = union_all(*(select(one.c.run_id, one.c.run_seq) for one in each)).subquery()
        previous = select(either.c.run_id).order_by(either.c.run_seq.desc()).limit(1)
    else:
        previous = found[0].with_only_columns(found[0].selected_columns.run_id)
    return and_(then.c.item_id == now.c.item_id, then.c.run_id == previous.correlate(now).scalar_subquery())


def _one_before(now: Any, place: RunPlace, of_baselines_for: str | None) -> Select[Any]:
    """Select the result before `now`: of all results, or of those that are baselines for the given runs."""
    earlier = golden_results.alias("earlier").c
    query = (
        select(earlier.run_id, earlier.run_seq)
        .where(earlier.series == place.series, earlier.item_id == now.c.item_id, earlier.run_seq < now.c.run_seq)
        .order_by(earlier.run_seq.desc())
        .limit(1)
    )
    return query if of_baselines_for is None else query.where(earlier.baseline_for == of_baselines_for)


def before(table: Any, place: RunPlace) -> ColumnElement[bool]:
    """The row of `table` belongs to a run that was created before that at `place`."""
    return table.c.run_seq < place.run_seq  # type: ignore[no-any-return]  # a column of a table that is Any


def _same_row(answers: Any, results: Any) -> ColumnElement[bool]:
    return and_(answers.c.run_id == results.c.run_id, answers.c.item_id == results.c.item_id)


def _mark_columns(table: Any) -> list[Any]:
    return [table.c[name] for name in ("item_id", "run_id", "run_at", "run_seq", "status", "passed")]


def _answer_columns() -> list[Any]:
    return [golden_answers.c[name] for name in ("question", "answer", "answer_error", "scores", "parts")]
