"""What the tests of the warehouse share: a small DuckDB file, a folder that must stay as it is, and a canary in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import duckdb
import pytest

from goldenlib.warehouse import Limits, Warehouse, open_warehouse

# Short, so that an attack is stopped soon; a busy machine gets a margin beside it.
LIMITS = Limits(seconds=1.0, rows=20_000, bytes=8 * 2**20, memory_mb=256)
MARGIN_S = 12.0


@dataclass(frozen=True)
class Surroundings:
    """A folder with a file that nobody may read; nothing may be added to it."""

    folder: Path
    secret: str

    def fill(self, sql: str) -> str:
        """Put the paths into an attack."""
        return sql.replace("{canary}", str(self.folder / "canary.csv")).replace("{out}", str(self.folder / "out"))

    def check_untouched(self, told: str) -> None:
        """Assert that the canary was not read and nothing was written."""
        assert self.secret not in told
        assert sorted(path.name for path in self.folder.iterdir()) == ["canary.csv"]
        assert (self.folder / "canary.csv").read_text() == f"secret\n{self.secret}\n"


@pytest.fixture(scope="session")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Surroundings:
    found = Surroundings(tmp_path_factory.mktemp("surroundings"), f"CANARY{uuid4().hex}")
    (found.folder / "canary.csv").write_text(f"secret\n{found.secret}\n")
    return found


@pytest.fixture(scope="session")
def small_file(tmp_path_factory: pytest.TempPathFactory, surroundings: Surroundings) -> Path:
    """A table `sales` of six rows, a macro over it, and a view over a file that nobody may read."""
    path = tmp_path_factory.mktemp("small") / "small.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute(
            "CREATE TABLE sales AS SELECT i AS id, ['a', 'b', 'c'][i % 3 + 1] AS region, i * 10 AS amount,"
            " DATE '2025-01-30' + i::INTEGER AS day FROM range(6) AS r(i)"
        )
        connection.execute("CREATE MACRO doubled(x) AS x * 2")
        connection.execute(f"CREATE VIEW leak AS SELECT * FROM read_csv('{surroundings.folder / 'canary.csv'}')")
        connection.execute("CREATE SEQUENCE numbers")
    return path


@pytest.fixture(scope="module")
def small(small_file: Path) -> Iterator[Warehouse]:
    with open_warehouse(small_file, limits=LIMITS) as opened:
        yield opened
