"""Results of SQL: whether an answer's rows are the golden rows, and why not (contract 9).

Where to read on: `match` is the comparison as a story; `lining` finds the columns, `pairing` the rows, `explaining` the words.
"""

from __future__ import annotations

try:
    from goldenlib.matching.csvfile import read_csv_result
    from goldenlib.matching.differences import Difference, LinedUpColumn, MatchOutcome, ResultMatch
    from goldenlib.matching.match import results_match, why_unreadable
    from goldenlib.matching.score import score_result
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] not in ("numpy", "pyarrow", "scipy"):
        raise
    raise ModuleNotFoundError(f"comparing results needs {error.name}; install goldenlib[data]", name=error.name) from error

__all__ = [
    "Difference",
    "LinedUpColumn",
    "MatchOutcome",
    "ResultMatch",
    "read_csv_result",
    "results_match",
    "score_result",
    "why_unreadable",
]
