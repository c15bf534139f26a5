"""Opening: from what a user names - a file, a folder, the shop, a URL - to a warehouse that answers.

Rule: what cannot be opened is an error before the first query, and names the way out.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import SQLAlchemyError

from goldenlib.config.addresses import sqlite_path
from goldenlib.config.settings import Settings, mask_url
from goldenlib.errors import SettingsError
from goldenlib.files.shipped import find
from goldenlib.plugins import Choices
from goldenlib.warehouse.folders import WarehouseError, load_folder
from goldenlib.warehouse.process import WarehousePlace
from goldenlib.warehouse.querying import Warehouse
from goldenlib.warehouse.results import FailureKind, Limits, QueryStopped
from goldenlib.warehouse.zones import read_zone

__all__ = ["WarehouseError", "open_configured", "open_warehouse"]

SHOP = "shop"
# Engines that can be asked to only read and to stop in time (`guards`), and the drivers that are taken where a URL names none.
GUARDED = ("sqlite", "postgresql", "mysql", "mariadb")
_DRIVERS = {"postgresql": "postgresql+psycopg", "mysql": "mysql+pymysql", "mariadb": "mariadb+pymysql"}
_EXTRAS = {"psycopg": "postgres", "pymysql": "mysql"}
# What SQLAlchemy calls a database, and what sqlglot calls its SQL; other names are the same.
_DIALECTS = {"postgresql": "postgres", "mssql": "tsql", "mariadb": "mysql", "awsathena": "athena"}


def open_configured(settings: Settings) -> Warehouse:
    """Return the warehouse that the settings name. Raises SettingsError where they name none, else as `open_warehouse`."""
    if settings.warehouse is None:
        raise SettingsError("no warehouse is set; set warehouse in the configuration, or GOLDEN_WAREHOUSE")
    return open_warehouse(
        settings.warehouse,
        limits=Limits(seconds=settings.warehouse_timeout_s, rows=settings.warehouse_max_rows, memory_mb=settings.warehouse_memory_mb),
        allow_functions=settings.warehouse_functions,
        variables=settings.warehouse_environment,
        unguarded=settings.warehouse_unguarded,
        time_zone=settings.warehouse_time_zone or "",
        concurrency=settings.warehouse_concurrency,
    )


def open_warehouse(
    source: str | Path,
    *,
    limits: Limits | None = None,
    allow_functions: Collection[str] = (),
    variables: Collection[str] = (),
    unguarded: bool = False,
    time_zone: str = "",
    concurrency: int = 1,
) -> Warehouse:
    """Return the warehouse at `source`, started and closed to everything but reading its tables.

    `source` is the path of a DuckDB file, a folder of CSV and Parquet files, "shop" or the name of a warehouse that a package makes, or a
    SQLAlchemy URL. `allow_functions` names
    functions of the warehouse's own that an agent's SQL may call, `variables` those of the environment that a server's driver needs
    beside the usual ones. `unguarded` opens an engine that cannot be held to reading, or stopped in time. SQL runs in `time_zone`, a
    name or an offset such as +07:00; without one, in the warehouse's own (of a file: UTC). As many queries as `concurrency` run at
    once, each in a process with the memory of `limits` to itself. Raises WarehouseError when it cannot be opened.
    """
    if sys.platform == "win32":
        raise WarehouseError("SQL runs within limits that Windows does not have; use Linux, macOS or WSL for data questions")
    named, given = str(source), _Given(limits or Limits(), tuple(allow_functions), tuple(variables), unguarded, time_zone, concurrency)
    if time_zone and read_zone(time_zone) is None:
        raise WarehouseError(f"{time_zone!r} is not a time zone; write a name such as Asia/Jakarta, or an offset such as +07:00")
    if "://" in named:
        return _open_url(named, given)
    if named == SHOP:
        return _open_made(MADE[SHOP], SHOP, given)
    path = find(Path(source).expanduser()).absolute()
    if path.is_dir():
        return _open_made(lambda made: load_folder(path, made), str(path), given)
    if not path.is_file():
        if named in MADE:
            return _open_made(MADE[named], named, given)
        raise WarehouseError(
            f"{path}: there is no such file or folder (names without a folder are looked for in the current one);"
            " give a DuckDB file, a folder of CSV or Parquet files, 'shop' or a URL"
        )
    return _start(_file(path, given), given, str(path))


@dataclass(frozen=True, slots=True)
class _Given:
    """What `open_warehouse` is given beside the source."""

    limits: Limits
    allowed: tuple[str, ...]
    variables: tuple[str, ...]
    unguarded: bool
    time_zone: str
    concurrency: int


def _file(path: Path, given: _Given) -> WarehousePlace:
    return WarehousePlace("duckdb", str(path), "duckdb", given.allowed, time_zone=given.time_zone)


def _open_made(make: Callable[[Path], object], shown: str, given: _Given) -> Warehouse:
    """Open a DuckDB file that is made for this warehouse alone and goes with it."""
    folder = tempfile.TemporaryDirectory(prefix="golden-warehouse-")
    try:
        made = Path(folder.name) / "warehouse.duckdb"
        try:
            make(made)
        except ImportError as error:
            raise WarehouseError(f"{shown}: needs an extra: pip install 'goldenlib[data]' ({error})") from None
        return _start(_file(made, given), given, shown, folder.cleanup)
    except BaseException:
        folder.cleanup()
        raise


def _build_shop(made: Path) -> None:
    from goldenlib.warehouse.shop import build_shop  # only who asks for the shop builds it

    try:
        build_shop(made).close()
    except SettingsError as error:
        raise WarehouseError(f"{SHOP}: {error}") from None


# By name, what makes a DuckDB file at the path that it is given; a package adds its own by an entry point of goldenlib.warehouses.
MADE: Choices[Callable[[Path], object]] = Choices("warehouse", {SHOP: _build_shop})


def _open_url(named: str, given: _Given) -> Warehouse:
    shown = mask_url(named)
    try:
        url = make_url(named)
    except (SQLAlchemyError, ValueError):
        raise WarehouseError(f"{shown}: is not a database URL; write it as postgresql://user@host:5432/name") from None
    backend = url.get_backend_name()
    if backend == "duckdb":
        return open_warehouse(
            url.database or "",
            limits=given.limits,
            allow_functions=given.allowed,
            time_zone=given.time_zone,
            concurrency=given.concurrency,
        )
    if url.drivername == "postgres":
        url, backend = url.set(drivername="postgresql"), "postgresql"
    if backend not in GUARDED and not given.unguarded:
        raise WarehouseError(f"{shown}: {_not_guaranteed(url)}")
    if url.drivername in _DRIVERS:
        url = url.set(drivername=_DRIVERS[url.drivername])
    if backend == "sqlite":
        url = _whole_path(url, shown)
    place = WarehousePlace(
        "server",
        url.render_as_string(hide_password=False),
        _DIALECTS.get(backend, backend),
        given.allowed,
        given.variables,
        given.time_zone,
        backend not in GUARDED,
    )
    return _start(place, given, shown)


def _not_guaranteed(url: URL) -> str:
    """Say what nobody promises of an engine, and how to use it all the same."""
    backend = url.get_backend_name()
    try:
        url.get_dialect()
    except SQLAlchemyError as error:
        return f"cannot be opened: {error}; check the URL, or install the SQLAlchemy dialect of {backend}"
    return (
        f"{backend} is not known well enough to be held to reading: goldenlib has no read-only session there, no limit of time that the"
        " server keeps, and no way to keep a query from files or the network; only what is read from the SQL protects it. Log in as a user"
        " that may only read, limit its time on the server, and set 'warehouse_unguarded: true' to use it all the same"
    )


def _whole_path(url: URL, shown: str) -> URL:
    path = sqlite_path(url.database or "")
    if not path.is_file():
        raise WarehouseError(f"{shown}: there is no such SQLite file; give sqlite:////path/to/file.db")
    return url.set(database=str(path.absolute()))


def _start(place: WarehousePlace, given: _Given, shown: str, clean_up: Callable[[], None] | None = None) -> Warehouse:
    try:
        return Warehouse(place, given.limits, shown=shown, clean_up=clean_up, concurrency=given.concurrency)
    except QueryStopped as stopped:
        if stopped.kind is FailureKind.REFUSED:
            raise WarehouseError(f"{shown}: {stopped.reason}") from None
        missing = next((extra for module, extra in _EXTRAS.items() if f"No module named '{module}'" in stopped.reason), None)
        way_out = f"pip install 'goldenlib[{missing}]'" if missing else "check the path or URL, and that it can be read"
        raise WarehouseError(f"{shown}: cannot be opened: {stopped.reason}; {way_out}") from None
