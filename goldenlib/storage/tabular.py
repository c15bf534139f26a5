"""The store read whole: the history of a series, and frames of everything for whoever goes on in pandas.

Rule: a frame is tidy and typed. One row is a run, or an item in a run; times are in UTC; what was not measured is missing, and neither
False nor 0. Frames need the extra `frames`, and nothing else here does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, case, func, select

from goldenlib.answers import Status
from goldenlib.errors import StoreError
from goldenlib.storage.connecting import Database
from goldenlib.storage.rows import RunPlace
from goldenlib.storage.tables import golden_answers, golden_results, golden_runs, storable

if TYPE_CHECKING:
    import pandas as pd

CHUNK = 100_000  # rows
ASKED = "asked again"  # the experiment of items that are asked outside their series
_MOMENT, _CATEGORY, _TEXT, _TRUTH, _COUNT, _NUMBER = "datetime64[us, UTC]", "category", "str", "boolean", "Int64", "Float64"
_RUNS: Mapping[str, str] = {
    "run_id": _TEXT,
    "run_at": _MOMENT,
    "finished_at": _MOMENT,
    "series": _CATEGORY,
    "set_name": _CATEGORY,
    "set_digest": _CATEGORY,
    "set_size": _COUNT,
    "target": _CATEGORY,
    "judge_model": _CATEGORY,
    "judge_prompt_digest": _CATEGORY,
    "scorer_version": _CATEGORY,
    "selection": _CATEGORY,
    "is_demo": _TRUTH,
    "started_by": _CATEGORY,
    "decision": _CATEGORY,
    "decision_line": _TEXT,
}
_COUNTS = ("items", "scored", "passed", "errors", "skipped")
_RESULTS: Mapping[str, str] = {
    "run_id": _CATEGORY,
    "run_at": _MOMENT,
    "series": _CATEGORY,
    "item_id": _CATEGORY,
    "domain": _CATEGORY,
    "surface": _CATEGORY,
    "split": _CATEGORY,
    "kind": _CATEGORY,
    "status": _CATEGORY,
    "passed": _TRUTH,
    "score": _NUMBER,
    "judge_status": _CATEGORY,
    "word": _CATEGORY,
    "reason": _TEXT,
    "verified": _TRUTH,
    "digest": _CATEGORY,
    "seconds": _NUMBER,
    "first_content_seconds": _NUMBER,
    "attempts": _COUNT,
    "finished_at": _MOMENT,
}
_ANSWERS: Mapping[str, str] = {"question": _TEXT, "answer": _TEXT, "answer_error": _TEXT, "scores": _TEXT, "parts": _TEXT}


@dataclass(frozen=True, slots=True)
class SeriesRun:
    """A finished run of a series: what it was asked with, and what was decided."""

    run_seq: int
    run_id: str
    run_at: datetime
    set_digest: str
    target: str
    judge_model: str | None
    judge_prompt_digest: str | None
    scorer_version: str
    selection: str
    decision: str


class SeriesMark(NamedTuple):
    """What became of an item in a run. `passed` is None where it was not scored."""

    item_id: str
    run_seq: int
    passed: bool | None
    digest: str
    domain: str


class AskedMark(NamedTuple):
    """One time that an item was asked again. `passed` is None where that was not scored."""

    run_id: str
    run_at: datetime
    passed: bool | None
    digest: str


class TabularReading:
    """What a store gives as whole tables."""

    _database: Database

    def _place_of(self, connection: Connection, run_id: str) -> RunPlace:
        raise NotImplementedError

    def series_history(self, run_id: str, limit: int) -> tuple[tuple[SeriesRun, ...], list[SeriesMark]]:
        """Return the last `limit` finished runs of the series up to a run, old to new, and what became of every item in them."""
        with self._database.reads() as connection:
            place = self._place_of(connection, run_id)
            runs = _series_runs(connection, place, limit)
            return runs, _series_marks(connection, place, runs[0].run_seq) if runs else []

    def asked_again(self, series: str, item_ids: Iterable[str]) -> dict[str, tuple[AskedMark, ...]]:
        """Return when items of a series were asked again outside of it, old to new, and what became of that, by item."""
        results, runs = golden_results.c, golden_runs.c
        query = (
            select(results.item_id, results.run_id, results.run_at, results.passed, results.status, results.digest)
            .join(golden_runs, runs.run_id == results.run_id)
            .where(results.series == storable(f"{series} | {ASKED}"), results.item_id.in_([storable(each) for each in item_ids]))
            .order_by(results.run_seq)
        )
        found: dict[str, list[AskedMark]] = {}
        with self._database.reads() as connection:
            for item_id, run_id, run_at, passed, status, digest in connection.execute(query):
                found.setdefault(item_id, []).append(AskedMark(run_id, run_at, passed if status == Status.SCORED else None, digest))
        return {item_id: tuple(asked) for item_id, asked in found.items()}

    def runs_frame(self, series: str | None = None) -> pd.DataFrame:
        """Return a frame of all runs, one row each, in the order in which they were created; of one series if it is given.

        Columns: `run_id`, `run_at`, `finished_at` (UTC), what the run was asked with (`series`, `set_name`, `target`, `judge_model`,
        `selection`, ...; categories), `decision`, `decision_line`, the counts `items`, `scored`, `passed`, `errors` and `skipped`, and
        `pass_rate`, which is missing where nothing was scored. Raises StoreError without the extra `frames`.
        """
        runs, results = golden_runs.c, golden_results.c
        counts = [func.count(results.item_id), *map(count_where, (results.status == Status.SCORED.value, results.passed.is_(True)))]
        counts += [count_where(results.status == status.value) for status in (Status.ERROR, Status.SKIPPED)]
        query = select(*(runs[name] for name in _RUNS), *counts).join_from(
            golden_runs, golden_results, runs.run_id == results.run_id, isouter=True
        )
        query = _of_series(query.group_by(runs.run_seq).order_by(runs.run_seq), runs.series, series)
        types = {**_RUNS, **dict.fromkeys(_COUNTS, _COUNT)}
        with self._database.reads() as connection:
            frame = _frame(connection.execute(query).all(), types)
        scored = frame["scored"].astype(_NUMBER)
        frame["pass_rate"] = frame["passed"].astype(_NUMBER) / scored.mask(scored == 0)
        return frame

    def results_frame(self, series: str | None = None, run_id: str | None = None) -> pd.DataFrame:
        """Return a frame of all results, one row an item and run, in the order of the runs; of a series or a run if it is given.

        `passed` and `score` are missing where nothing was scored. Columns are those of `golden_results` (docs/store.md), typed: `run_at`
        and `finished_at` in UTC, names as categories, numbers and truths nullable. For more rows than memory holds, see
        `results_frames`. Raises StoreError without the extra `frames`.
        """
        return _joined(list(self.results_frames(series, run_id)), _RESULTS)

    def results_frames(self, series: str | None = None, run_id: str | None = None, rows: int = CHUNK) -> Iterator[pd.DataFrame]:
        """Give what `results_frame` returns in frames of at most so many rows, one after the other, so that none has to hold them all."""
        query = select(*(golden_results.c[name] for name in _RESULTS))
        yield from self._frames(_ordered(query, series, run_id), _RESULTS, rows)

    def answers_frame(self, series: str | None = None, run_id: str | None = None) -> pd.DataFrame:
        """Return a frame of what was asked and answered in full, one row an item and run: `run_id`, `item_id`, `question`, `answer`,
        `answer_error`, and as JSON `scores` and `parts`. Raises StoreError without the extra `frames`.
        """
        types = {**{name: _RESULTS[name] for name in ("run_id", "run_at", "item_id")}, **_ANSWERS}
        answers = [golden_answers.c[name] for name in _ANSWERS]
        same = (golden_answers.c.run_id == golden_results.c.run_id) & (golden_answers.c.item_id == golden_results.c.item_id)
        query = select(*(golden_results.c[name] for name in ("run_id", "run_at", "item_id")), *answers).join(golden_answers, same)
        return _joined(list(self._frames(_ordered(query, series, run_id), types, CHUNK)), types)

    def _frames(self, query: Select[Any], types: Mapping[str, str], rows: int) -> Iterator[pd.DataFrame]:
        with self._database.reads() as connection:
            streamed = query.execution_options(stream_results=True, max_row_buffer=rows)  # or PostgreSQL's driver fetches all at once
            with connection.execute(streamed) as found:
                for some in found.partitions(rows):
                    yield _frame(some, types)


def pandas() -> Any:
    """Return the module pandas. Raises StoreError naming the extra where it is not installed."""
    try:
        import pandas as pd
    except ImportError as error:
        raise StoreError(f"frames need an extra: pip install 'goldenlib[frames]' ({error})") from None
    return pd


def frame_of(rows: Sequence[Mapping[str, Any]], types: Mapping[str, str]) -> pd.DataFrame:
    """Return a typed frame of rows that are mappings; `types` names its columns with their pandas types."""
    return _frame([tuple(row.get(name) for name in types) for row in rows], types)


def _frame(rows: Sequence[Any], types: Mapping[str, str]) -> pd.DataFrame:
    pd = pandas()
    columns = zip(*rows, strict=True) if rows else ([] for _ in types)
    made = {}
    for (name, kind), values in zip(types.items(), columns, strict=True):
        if kind == _MOMENT:
            made[name] = pd.Series(pd.to_datetime(list(values), utc=True)).astype(kind)
        else:
            made[name] = pd.Series(list(values), dtype=kind)
    return pd.DataFrame(made)


def _joined(frames: Sequence[pd.DataFrame], types: Mapping[str, str]) -> pd.DataFrame:
    if not frames:
        return _frame([], types)
    if len(frames) == 1:
        return frames[0]
    pd = pandas()
    made = {}
    for name, kind in types.items():
        columns = [frame[name] for frame in frames]
        made[name] = pd.Series(pd.api.types.union_categoricals(columns)) if kind == _CATEGORY else pd.concat(columns, ignore_index=True)
    return pd.DataFrame(made)


def _ordered(query: Select[Any], series: str | None, run_id: str | None) -> Select[Any]:
    query = _of_series(query, golden_results.c.series, series).order_by(golden_results.c.run_seq, golden_results.c.item_id)
    return query if run_id is None else query.where(golden_results.c.run_id == storable(run_id))


def _of_series(query: Select[Any], column: ColumnElement[str], series: str | None) -> Select[Any]:
    return query if series is None else query.where(column == storable(series))


def count_where(condition: ColumnElement[bool]) -> ColumnElement[int]:
    """Return an expression that counts the rows of which a condition holds; 0 where there are none."""
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)


def _series_runs(connection: Connection, place: RunPlace, limit: int) -> tuple[SeriesRun, ...]:
    runs = golden_runs.c
    query = (
        select(*(runs[name] for name in SeriesRun.__dataclass_fields__))
        .where(runs.series == place.series, runs.run_seq <= place.run_seq, runs.finished_at.is_not(None))
        .order_by(runs.run_seq.desc())
        .limit(limit)
    )
    return tuple(SeriesRun(*row) for row in reversed(connection.execute(query).all()))


def _series_marks(connection: Connection, place: RunPlace, first_seq: int) -> list[SeriesMark]:
    """Narrow rows in one statement, for five thousand runs of two hundred items are a million of them."""
    results, scored = golden_results.c, Status.SCORED.value
    query = select(results.item_id, results.run_seq, results.status, results.passed, results.digest, results.domain).where(
        results.series == place.series, results.run_seq >= first_seq, results.run_seq <= place.run_seq
    )
    return [
        SeriesMark(item_id, run_seq, passed if status == scored else None, digest, domain)
        for item_id, run_seq, status, passed, digest, domain in connection.execute(query)
    ]
