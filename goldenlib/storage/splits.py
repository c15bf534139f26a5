"""Splits: how often, by whom and with what outcome a split of a set was scored (seed 002, "Hold out a test split").

Rule: every run that scored an item of the split counts, in whatever series and selection; nothing is counted that gave no score.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, case, func, select

from goldenlib.answers import Status
from goldenlib.storage.tables import golden_results, golden_runs, storable


@dataclass(frozen=True, slots=True)
class SplitScoring:
    """One run that scored items of a split: who started it and when, in which series, and what came of those items.

    `items` counts all of the split in that run; `words` how many of those scored came to each outcome word.
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


def split_scorings(connection: Connection, set_name: str, split: str) -> tuple[SplitScoring, ...]:
    """Return the runs of a set in which items of the split were scored, oldest first."""
    results, runs = golden_results.c, golden_runs.c
    is_scored = results.status == Status.SCORED.value
    counted = (
        select(
            results.run_id,
            results.word,
            func.count().label("items"),
            func.sum(case((is_scored, 1), else_=0)).label("scored"),
            func.sum(case((is_scored & results.passed, 1), else_=0)).label("passed"),
        )
        .where(results.split == storable(split), results.run_id.in_(select(runs.run_id).where(runs.set_name == storable(set_name))))
        .group_by(results.run_id, results.word)
    )
    groups: dict[str, list[tuple[str, int, int, int]]] = {}
    for row in connection.execute(counted):
        groups.setdefault(row.run_id, []).append((row.word, row.items, row.scored, row.passed))
    of_set = select(golden_runs).where(runs.set_name == storable(set_name)).order_by(runs.run_seq)
    found = []
    for run in connection.execute(of_set):
        rows = groups.get(run.run_id, [])
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
