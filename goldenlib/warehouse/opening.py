"""Opening: from what a user names - a file, a folder, the shop, a URL - to a warehouse that answers.

Rule: what cannot be opened is an error before the first query, and names the way out.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import SQLAlchemyError

from goldenlib.errors import SettingsError
from goldenlib.settings import mask_url
from goldenlib.shipped import find
from goldenlib.warehouse.folders import WarehouseError, load_folder
from goldenlib.warehouse.process import Place
from goldenlib.warehouse.querying import Warehouse
from goldenlib.warehouse.results import Limits, QueryStopped

__all__ = ["WarehouseError", "open_warehouse"]

SHOP = "shop"
# What SQLAlchemy calls a database, and what sqlglot calls its SQL; other names are the same.
_DIALECTS = {"postgresql": "postgres", "mssql": "tsql", "mariadb": "mysql", "awsathena": "athena"}


def open_warehouse(source: str | Path, *, limits: Limits | None = None, allow_functions: Collection[str] = ()) -> Warehouse:
    """Return the warehouse at `source`, started and closed to everything but reading its tables.

    `source` is the path of a DuckDB file, a folder of CSV and Parquet files, "shop", or a SQLAlchemy URL. `allow_functions` names
    functions of the warehouse's own that an agent's SQL may call. Raises WarehouseError when it cannot be opened.
    """
    limits, allowed, named = limits or Limits(), tuple(allow_functions), str(source)
    if "://" in named:
        return _open_url(named, limits, allowed)
    if named == SHOP:
        return _open_made(_build_shop, SHOP, limits, allowed)
    path = find(Path(source).expanduser()).absolute()
    if path.is_dir():
        return _open_made(lambda made: load_folder(path, made), str(path), limits, allowed)
    if not path.is_file():
        raise WarehouseError(
            f"{path}: there is no such file or folder (names without a folder are looked for in the current one);"
            " give a DuckDB file, a folder of CSV or Parquet files, 'shop' or a URL"
        )
    return _start(Place("duckdb", str(path), "duckdb", allowed), limits, str(path))


def _open_made(make: Callable[[Path], None], shown: str, limits: Limits, allowed: tuple[str, ...]) -> Warehouse:
    """Open a DuckDB file that is made for this warehouse alone and goes with it."""
    folder = tempfile.TemporaryDirectory(prefix="golden-warehouse-")
    try:
        made = Path(folder.name) / "warehouse.duckdb"
        try:
            make(made)
        except ImportError as error:
            raise WarehouseError(f"{shown}: needs an extra: pip install 'goldenlib[data]' ({error})") from None
        return _start(Place("duckdb", str(made), "duckdb", allowed), limits, shown, folder.cleanup)
    except BaseException:
        folder.cleanup()
        raise


def _build_shop(made: Path) -> None:
    from goldenlib.shop import build_shop  # only who asks for the shop builds it

    try:
        build_shop(made).close()
    except SettingsError as error:
        raise WarehouseError(f"{SHOP}: {error}") from None


def _open_url(named: str, limits: Limits, allowed: tuple[str, ...]) -> Warehouse:
    shown = mask_url(named)
    try:
        url = make_url(named)
    except (SQLAlchemyError, ValueError):
        raise WarehouseError(f"{shown}: is not a database URL; write it as postgresql://user@host:5432/name") from None
    backend = url.get_backend_name()
    if backend == "duckdb":
        return open_warehouse(url.database or "", limits=limits, allow_functions=allowed)
    if url.drivername in ("postgres", "postgresql"):
        url, backend = url.set(drivername="postgresql+psycopg"), "postgresql"
    if backend == "sqlite":
        url = _whole_path(url, shown)
    return _start(Place("server", url.render_as_string(hide_password=False), _DIALECTS.get(backend, backend), allowed), limits, shown)


def _whole_path(url: URL, shown: str) -> URL:
    path = Path(str(url.database or "").removeprefix("file:").partition("?")[0])
    if not path.is_file():
        raise WarehouseError(f"{shown}: there is no such SQLite file; give sqlite:////path/to/file.db")
    return url.set(database=str(path.absolute()))


def _start(place: Place, limits: Limits, shown: str, clean_up: Callable[[], None] | None = None) -> Warehouse:
    try:
        return Warehouse(place, limits, shown=shown, clean_up=clean_up)
    except QueryStopped as stopped:
        raise WarehouseError(f"{shown}: cannot be opened: {stopped.reason}; check the path or URL, and that it can be read") from None
