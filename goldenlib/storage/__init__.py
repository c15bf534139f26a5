"""Storage: remembers every run, result and answer, in a SQLite file or in PostgreSQL. Start reading at `store`."""

from goldenlib.storage.rows import Acceptance, FailingRow, ResultMark, RunSummary, StoredBaseline
from goldenlib.storage.splits import SplitScoring
from goldenlib.storage.store import Store
from goldenlib.storage.tabular import ASKED, AskedMark, SeriesMark, SeriesRun
from goldenlib.storage.writer import ResultWriter

__all__ = [
    "ASKED",
    "Acceptance",
    "AskedMark",
    "FailingRow",
    "ResultMark",
    "ResultWriter",
    "RunSummary",
    "SeriesMark",
    "SeriesRun",
    "SplitScoring",
    "Store",
    "StoredBaseline",
]
