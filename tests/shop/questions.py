"""The 48 questions as the tests read them, and the comparison of results that they are scored by."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import permutations
from typing import Any

from goldenlib.files.shipped import shipped

try:  # the comparison of goldenlib, once it is there
    from goldenlib.matching import results_match
except ImportError:
    results_match = None

Rows = Sequence[tuple[Any, ...]]


@dataclass(frozen=True)
class Question:
    """One question of questions.toml; every key has to be one of these."""

    question_id: str
    question: str
    role: str
    kind: str
    order_matters: bool
    tolerance: float
    absolute: float
    note: str
    traps: list[str]
    split: str
    region: str | None = None
    decline_type: str | None = None
    golden_sql: str = ""
    check_sql: str = ""

    def agrees(self, rows: Rows, golden: Rows) -> bool:
        """Whether a result agrees with the golden one under the question's rule (contract 9.1)."""
        if results_match is not None:
            return bool(results_match(rows, golden, self.order_matters, self.tolerance, self.absolute))
        if len(rows) != len(golden) or not golden or len(rows[0]) < len(golden[0]):
            return len(rows) == len(golden) == 0
        columns = permutations(range(len(rows[0])), len(golden[0]))
        return any(self._pairs([tuple(row[n] for n in chosen) for row in rows], golden) for chosen in columns)

    def _pairs(self, rows: Rows, golden: Rows) -> bool:
        """Whether the rows pair off; greedily, which is enough where golden rows are further apart than the tolerance."""
        if self.order_matters:
            return all(self._row_agrees(row, other) for row, other in zip(rows, golden, strict=True))
        left = list(rows)
        for wanted in golden:
            found = next((row for row in left if self._row_agrees(row, wanted)), None)
            if found is None:
                return False
            left.remove(found)
        return True

    def _row_agrees(self, row: tuple[Any, ...], golden: tuple[Any, ...]) -> bool:
        return all(self._cell_agrees(cell, wanted) for cell, wanted in zip(row, golden, strict=True))

    def _cell_agrees(self, cell: object, golden: object) -> bool:
        if not isinstance(golden, int | float | Decimal) or not isinstance(cell, int | float | Decimal):
            return cell == golden
        apart = abs(Decimal(str(cell)) - Decimal(str(golden)))
        return apart <= Decimal(str(self.tolerance)) * abs(Decimal(str(golden))) + Decimal(str(self.absolute))


def read_questions() -> list[Question]:
    """Return the questions of golden/shop/questions.toml in order."""
    text = shipped("golden", "shop", "questions.toml").read_text(encoding="utf-8")
    return [Question(**asked) for asked in tomllib.loads(text)["questions"]]


QUESTIONS = read_questions()
ANSWERS = [question for question in QUESTIONS if question.kind == "answer"]
DECLINES = [question for question in QUESTIONS if question.kind == "decline"]
FORBIDDEN = [question for question in QUESTIONS if question.kind == "forbidden"]


def name_of(value: object) -> str:
    """Return the id of a question, for the names of tests."""
    return value.question_id if isinstance(value, Question) else str(value)
