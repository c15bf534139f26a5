"""Results of SQL: whether an answer's rows are the golden rows, and why not (contract 9)."""

from __future__ import annotations

from goldenlib.scoring.results.csvfile import read_csv_result
from goldenlib.scoring.results.findings import Difference, LinedUpColumn, MatchOutcome, ResultMatch
from goldenlib.scoring.results.matching import results_match
from goldenlib.scoring.results.score import score_result

__all__ = ["Difference", "LinedUpColumn", "MatchOutcome", "ResultMatch", "read_csv_result", "results_match", "score_result"]
