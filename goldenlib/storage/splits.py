"""Splits: how often, by whom and with what outcome a split of a set was scored (seed 002, "Hold out a test split").

Rule: every run that scored an item of the split counts, in whatever series and selection; nothing is counted that gave no score.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, Select, case, func, or_, select, text

from goldenlib.answers import Status
from goldenlib.storage.tables import golden_results, golden_runs, storable

_NOT_EMPTY = text("golden_results.split <> ''")  # as the index says it, which is not used for a parameter alone


@dataclass(frozen=True, slots=True)
class SplitScoring:
    """One run that scored items of a split: who started it and when, in which series, and what came of those items.

    `items` counts all of the split in that run; `words` how many of those scored came to each outcome word, those of a pass first.
    """

    run_id: str
    run_at: datetime
    started_by: str
    series: str
    is_finished: bool
    items: int
    scored: int
    passed: int
    words: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MovedItem:
    """An item that was scored in a split and stands there no more: in how many runs, and when first."""

    item_id: str
    runs: int
    since: datetime


def split_scorings(connection: Connection, run_id: str, set_name: str, split: str) -> tuple[SplitScoring, ...]:
    """Return the runs in which items of the split were scored, oldest first: those of the set by its name, and those of its questions.

    A set of another name is the same one as far as it asks what the run asks: another name for the file wipes nothing out.
    """
    results, runs = golden_results.c, golden_runs.c
    of_name = select(runs.run_id).where(runs.set_name == storable(set_name))
    of_questions = select(results.run_id).where(_NOT_EMPTY, results.split == storable(split), results.digest.in_(_asked_in(run_id)))
    is_of_set = or_(results.run_id.in_(of_name), results.run_id.in_(of_questions))
    is_scored = results.status == Status.SCORED.value
    counted = (
        select(
            results.run_id,
            results.word,
            func.count().label("items"),
            func.sum(case((is_scored, 1), else_=0)).label("scored"),
            func.sum(case((is_scored & results.passed, 1), else_=0)).label("passed"),
        )
        .where(_NOT_EMPTY, results.split == storable(split), is_of_set)
        .group_by(results.run_id, results.word)
    )
    groups: dict[str, list[tuple[str, int, int, int]]] = {}
    for row in connection.execute(counted):
        groups.setdefault(row.run_id, []).append((row.word, row.items, row.scored, row.passed))
    of_set = select(golden_runs).where(runs.run_id.in_(of_name) | runs.run_id.in_(of_questions)).order_by(runs.run_seq)
    found = []
    for run in connection.execute(of_set):
        rows = sorted(groups.get(run.run_id, []), key=lambda row: (not row[3], -row[2], row[0]))
        if sum(scored for _, _, scored, _ in rows):
            found.append(
                SplitScoring(
                    run_id=run.run_id,
                    run_at=run.run_at,
                    started_by=run.started_by,
                    series=run.series,
                    is_finished=run.finished_at is not None,
                    items=sum(items for _, items, _, _ in rows),
                    scored=sum(scored for _, _, scored, _ in rows),
                    passed=sum(passed for _, _, _, passed in rows),
                    words={word: scored for word, _, scored, _ in rows if word and scored},
                )
            )
    return tuple(found)


def moved_out(connection: Connection, run_id: str, set_name: str, split: str) -> tuple[MovedItem, ...]:
    """Return the items of a run that were scored in the split by earlier runs, and are in another one or none now.

    The same question is the same one under another id, and an edited one under its own in a set of the same name.
    """
    results, runs = golden_results.c, golden_runs.c
    scored_there = (
        select(results.run_id, results.run_at, results.item_id, results.digest, runs.set_name)
        .join(golden_runs, runs.run_id == results.run_id)
        .where(_NOT_EMPTY, results.split == storable(split), results.status == Status.SCORED.value, results.run_id != run_id)
    )
    known: dict[str, dict[str, datetime]] = {}  # by digest, and by id in sets of this name: the runs, each with its time
    for row in connection.execute(scored_there):
        keys = [row.digest, f"id {row.item_id}"] if row.set_name == storable(set_name) else [row.digest]
        for key in keys:
            known.setdefault(key, {})[row.run_id] = row.run_at
    if not known:
        return ()
    elsewhere = select(results.item_id, results.digest).where(results.run_id == run_id, results.split != storable(split))
    moved = []
    for item_id, digest in connection.execute(elsewhere.order_by(results.item_id)):
        found = known.get(digest, {}) | known.get(f"id {item_id}", {})
        if found:
            moved.append(MovedItem(item_id, len(found), min(found.values())))
    return tuple(moved)


def _asked_in(run_id: str) -> Select[tuple[str]]:
    return select(golden_results.c.digest).where(golden_results.c.run_id == run_id)
