"""Folders: CSV and Parquet files as the tables of one DuckDB file, which is then opened like any other.

Rule: files are read once, by us, before any query; a query meets tables and no files.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldenlib.errors import GoldenError
from goldenlib.warehouse.results import visible

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_READERS = {".csv": "read_csv", ".tsv": "read_csv", ".parquet": "read_parquet"}


class WarehouseError(GoldenError):
    """A warehouse cannot be opened. Raised before the first query."""


def load_folder(folder: Path, made: Path) -> None:
    """Make a DuckDB file at `made` with one table for each CSV, TSV and Parquet file of the folder, named by the file's stem.

    Files in folders below it, and files of other kinds, are left out. Raises WarehouseError when there are none, when two have
    one name, or when one cannot be read.
    """
    import duckdb

    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in _READERS and path.is_file())
    for path in files:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise WarehouseError(f"{path}: is a link that leads out of the folder; put the file itself there")
    if not files:
        raise WarehouseError(f"{folder}: holds no .csv, .tsv or .parquet file; give a folder of tables, or a DuckDB file")
    by_name: dict[str, Path] = {}
    for path in files:
        other = by_name.setdefault(path.stem.casefold(), path)
        if other is not path:
            raise WarehouseError(f"{folder}: {other.name} and {path.name} would both be the table {path.stem}; rename one")
    config: dict[str, str | bool | int | float | list[str]] = {
        "TimeZone": "UTC",
        "autoinstall_known_extensions": "false",
        "python_enable_replacements": "false",
    }
    with duckdb.connect(made, config=config) as connection:
        for path in files:
            _load(connection, path, made.parent / f"source{path.suffix.lower()}")


def _load(connection: DuckDBPyConnection, path: Path, link: Path) -> None:
    import duckdb

    link.symlink_to(path.resolve())  # DuckDB would take * and [ in a path for a pattern
    name = path.stem.replace('"', '""')
    try:
        connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM {_READERS[link.suffix]}(?)', [str(link)])
    except duckdb.Error as error:
        told = visible(str(error).replace(str(link), path.name))
        raise WarehouseError(f"{path}: cannot be loaded as a table: {told}; correct the file, or move it elsewhere") from None
    finally:
        link.unlink()
