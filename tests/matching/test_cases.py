"""The cases from public bug reports (tests/cases/results.jsonl), each within its time."""

from __future__ import annotations

import json
import time
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from goldenlib.matching import MatchOutcome, lining, results_match

CASES = [json.loads(line) for line in (Path(__file__).parents[1] / "cases" / "results.jsonl").read_text(encoding="utf-8").splitlines()]
READERS: dict[str, Any] = {
    "$decimal": Decimal,
    "$date": date.fromisoformat,
    "$timestamp": datetime.fromisoformat,
    "$float": float,
    "$list": lambda cells: [a_cell(cell) for cell in cells],
}


def a_cell(written: Any) -> Any:
    if not isinstance(written, dict):
        return written
    ((kind, value),) = written.items()
    return READERS[kind](value)


def rows_of(case: dict[str, Any], side: str) -> list[tuple[Any, ...]]:
    return [tuple(map(a_cell, row)) for row in case[side]]


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']} {case['title']}" for case in CASES])
def test_case_has_its_outcome_and_says_why(case: dict[str, Any]) -> None:
    given = {name: case[name] for name in ("order_matters", "tolerance", "absolute") if name in case}
    started = time.perf_counter()
    match = results_match(rows_of(case, "answer"), rows_of(case, "golden"), **given)
    assert time.perf_counter() - started < case.get("max_seconds", 10)
    assert match.outcome is (MatchOutcome.MATCH if case["match"] else MatchOutcome.MISMATCH), case["why"]
    assert match.reason


def test_results_too_large_to_keep_their_codes_come_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """field/tests C6: of 2,000,000 cells and more, codes are made anew when they are needed."""
    monkeypatch.setattr(lining, "_KEPT_CELLS", 0)
    for case in CASES:
        given = {name: case[name] for name in ("order_matters", "tolerance", "absolute") if name in case}
        assert bool(results_match(rows_of(case, "answer"), rows_of(case, "golden"), **given)) is case["match"], case["why"]


def test_there_are_all_59_cases() -> None:
    assert len(CASES) == 59
