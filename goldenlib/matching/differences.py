"""Findings: what a comparison of two results came to, for people to read.

Rule: rows and columns are counted from 0 in the fields and from 1 in sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class MatchOutcome(StrEnum):
    """What a comparison came to. UNDECIDED is an error of the comparison: the answer may be right or wrong."""

    MATCH = "match"
    MISMATCH = "mismatch"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class LinedUpColumn:
    """A golden column and the answer's column that stands for it. Names are None where the rows carry none."""

    golden: int
    answer: int
    golden_name: str | None = None
    answer_name: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell of the answer that does not agree with its golden cell, in the nearest pairing of rows."""

    golden_row: int
    answer_row: int
    golden_column: int
    answer_column: int
    golden: Any
    answer: Any


@dataclass(frozen=True, slots=True)
class ResultMatch:
    """What came of comparing an answer's rows with the golden rows; true only when they match.

    Ask `outcome`, not the truth, before calling an answer wrong: an undecided comparison is false too. `reason` says all of it in
    a sentence. `columns` is the lining-up that works, or for a mismatch the nearest one. `another_lining_up` says whether other
    columns would match as well, so that the match may be chance; None when that was not found out. For a mismatch, with rows
    paired as near as possible: `missing_rows` golden and `extra_rows` answer rows have no partner at all (None when not worked
    out), the first few of them in `missing` and `extra`; `first_difference` is the first cell off among the rows that have one;
    `guess` says in words what may have gone wrong.
    """

    outcome: MatchOutcome
    reason: str
    golden_rows: int
    answer_rows: int
    columns: tuple[LinedUpColumn, ...] = ()
    extra_columns: int = 0
    another_lining_up: bool | None = None
    missing_rows: int | None = None
    extra_rows: int | None = None
    missing: tuple[tuple[Any, ...], ...] = ()
    extra: tuple[tuple[Any, ...], ...] = ()
    first_difference: Difference | None = None
    guess: str | None = None

    def __bool__(self) -> bool:
        return self.outcome is MatchOutcome.MATCH
