"""Telling: a comparison of results as lines for a terminal and as plain values for machines.

Rule: the verdict first, then what it rests on; rows and columns are counted from 1, as in every sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldenlib.matching.differences import LinedUpColumn, MatchOutcome, ResultMatch

EXIT_CODES: Mapping[MatchOutcome, int] = {MatchOutcome.MATCH: 0, MatchOutcome.MISMATCH: 1, MatchOutcome.UNDECIDED: 3}


def as_lines(found: ResultMatch) -> list[str]:
    """Return the comparison in lines: verdict and reason, the columns, and rows without partner."""
    lines = [found.reason, f"rows: golden {found.golden_rows:,}, answer {found.answer_rows:,}"]
    if found.columns:
        lines.append(
            f"columns: {', '.join(map(_lined_up, found.columns))}" + (f"; {found.extra_columns} more" if found.extra_columns else "")
        )
    if found.another_lining_up:
        lines.append("other columns would match as well, so that the match may be chance")
    lines += [f"missing: {row}" for row in found.missing]
    lines += [f"too many: {row}" for row in found.extra]
    return lines


def as_plain(found: ResultMatch) -> dict[str, Any]:
    """Return the comparison as plain values; cells that JSON does not know are left to its `default`."""
    different = found.first_difference
    return {
        "outcome": str(found.outcome),
        "reason": found.reason,
        "golden_rows": found.golden_rows,
        "answer_rows": found.answer_rows,
        "columns": [{"golden": column.golden + 1, "answer": column.answer + 1} for column in found.columns],
        "extra_columns": found.extra_columns,
        "another_lining_up": found.another_lining_up,
        "missing_rows": found.missing_rows,
        "extra_rows": found.extra_rows,
        "missing": [list(row) for row in found.missing],
        "extra": [list(row) for row in found.extra],
        "first_difference": None
        if different is None
        else {
            "row": different.golden_row + 1,
            "column": different.golden_column + 1,
            "golden": different.golden,
            "answer": different.answer,
        },
        "guess": found.guess,
    }


def _lined_up(column: LinedUpColumn) -> str:
    golden, answer = column.golden_name or f"column {column.golden + 1}", column.answer_name or f"column {column.answer + 1}"
    return golden if golden == answer else f"{golden} = {answer}"
