"""What the tests of golds share: the tables of docs/gold-checks.md as a DuckDB file, opened once, and the same as SQLite."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from goldenlib.warehouse import Warehouse, open_warehouse
from tests.gold.golds import shared

PAGE = Path(__file__).parents[2] / "docs" / "gold-checks.md"


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the tables of the page: `sales` of six rows, and `ledger` of a million."""
    path = tmp_path_factory.mktemp("golds") / "sales.duckdb"
    (setup,) = re.findall(r"^```sql\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    with duckdb.connect(path) as connection:
        connection.execute(setup)
    return path


@pytest.fixture(scope="module")
def warehouse(tables: Path) -> Iterator[Warehouse]:
    with open_warehouse(tables) as opened, shared(opened):
        yield opened


@pytest.fixture(scope="module")
def sqlite_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """`sales` without its discounts, in SQLite, whose days are texts."""
    path = tmp_path_factory.mktemp("golds") / "sales.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE sales (sold_on TEXT, region TEXT, product TEXT, units INTEGER, amount REAL)")
        rows = [
            ("2026-07-10", "north", "pens", 3, 30.0),
            ("2026-07-22", "north", "ink", 5, 50.0),
            ("2026-08-14", "south", "pens", 4, 40.0),
            ("2026-08-30", "south", "paper", 2, 50.0),
            ("2026-11-28", "south", "ink", 6, 60.0),
        ]
        connection.executemany("INSERT INTO sales VALUES (?, ?, ?, ?, ?)", rows)
    connection.close()
    with open_warehouse(f"sqlite:///{path}") as opened:
        yield opened
