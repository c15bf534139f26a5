"""What the tests of the shop share: one shop, built once, and narrowed copies of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from goldenlib.warehouse.shop import build_shop, narrow_shop

Narrowed = Callable[[str, str | None], duckdb.DuckDBPyConnection]


@pytest.fixture(scope="session")
def shop_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop as a file; read it, or copy it."""
    path = tmp_path_factory.mktemp("shop") / "rautan.duckdb"
    build_shop(path).close()
    return path


@pytest.fixture(scope="session")
def shop(shop_file: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A read-only connection to the whole shop."""
    with duckdb.connect(shop_file, read_only=True) as connection:
        yield connection


@pytest.fixture(scope="session")
def narrowed(shop_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Narrowed]:
    """Gives the shop that a role, and its region, may see; each is made once."""
    made: dict[tuple[str, str | None], duckdb.DuckDBPyConnection] = {}

    def give(role: str, region: str | None) -> duckdb.DuckDBPyConnection:
        if (role, region) not in made:
            path = tmp_path_factory.mktemp(role) / "rautan.duckdb"
            shutil.copyfile(shop_file, path)
            made[role, region] = duckdb.connect(path)
            narrow_shop(made[role, region], role, region)
        return made[role, region]

    yield give
    for connection in made.values():
        connection.close()
