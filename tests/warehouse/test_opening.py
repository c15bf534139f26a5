"""Opening what a user names, and what is said when that cannot be."""

from __future__ import annotations

import pickle
import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import duckdb
import pyarrow as pa
import pyarrow.parquet
import pytest

from goldenlib.config.settings import load_settings
from goldenlib.warehouse import QueryResult, Refusal, WarehouseError, open_configured, open_warehouse
from goldenlib.warehouse.pipe import pack_rows, unpack_rows
from goldenlib.warehouse.refusing import check_golden
from goldenlib.warehouse.results import visible
from tests.warehouse.conftest import LIMITS


def tuples(source: str | Path, sql: str) -> list[tuple[object, ...]]:
    with open_warehouse(source, limits=LIMITS) as warehouse:
        outcome = warehouse.run(sql)
        assert isinstance(outcome, QueryResult), outcome
        return outcome.tuples()


def test_a_folder_of_csv_and_parquet_is_a_warehouse_of_their_names(tmp_path: Path) -> None:
    folder = tmp_path / "odd [name] *"
    folder.mkdir()
    (folder / "orders.csv").write_text("id,region,day,price\n1,ä,2025-01-31,1.50\n2,b,2025-02-01,\n")
    (folder / "notes.tsv").write_text("id\ttext\n1\tone, two\n")
    (folder / 'a "b" - c.CSV').write_text("x\n7\n")
    (folder / "README.md").write_text("# not a table")
    pyarrow.parquet.write_table(pa.table({"id": [1, 2], "weight": [0.5, None]}), folder / "items.parquet")
    joined = "orders AS o JOIN items AS i USING (id) LEFT JOIN notes AS n USING (id)"
    sql = f"SELECT o.id, o.region, o.day, i.weight, n.text FROM {joined} ORDER BY id"
    assert tuples(folder, sql) == [(1, "ä", date(2025, 1, 31), 0.5, "one, two"), (2, "b", date(2025, 2, 1), None, None)]
    assert tuples(folder, 'SELECT x FROM "a ""b"" - c"') == [(7,)]


def test_a_duckdb_file_is_opened_read_only_so_that_others_can_read_it_too(small_file: Path) -> None:
    with open_warehouse(small_file), open_warehouse(f"duckdb:///{small_file}") as other:
        assert isinstance(other.run("SELECT count(*) FROM sales"), QueryResult)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "holds no .csv, .tsv or .parquet file; give a folder of tables"),
        ({"a.csv": "x\n1\n", "A.tsv": "x\n1\n"}, "A.tsv and a.csv would both be the table a; rename one"),
        ({"a.parquet": "no parquet"}, r"a.parquet: cannot be loaded as a table: .*; correct the file, or move it elsewhere"),
    ],
)
def test_a_folder_that_is_no_warehouse_is_refused_with_the_way_out(tmp_path: Path, files: dict[str, str], message: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(WarehouseError, match=message):
        open_warehouse(tmp_path)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("/nowhere/at/all.duckdb", "there is no such file or folder"),
        ("sqlite:////nowhere/at/all.db", "there is no such SQLite file"),
        (
            "postgresql://user:hunter2@127.0.0.1:1/none",
            r"postgresql://user:\*\*\*@127.0.0.1:1/none: cannot be opened: .*; check the path or URL",
        ),
        ("nodatabase://x", "cannot be opened: Can't load plugin"),
        ("://", "is not a database URL"),
    ],
)
def test_what_cannot_be_opened_is_said_without_the_password(source: str, message: str) -> None:
    with pytest.raises(WarehouseError, match=message) as raised:
        open_warehouse(source, limits=LIMITS)
    assert "hunter2" not in str(raised.value)


class TestUnguarded:
    """fd-071: an engine that cannot be held to reading is used only after an opt-in that names what is not guaranteed (contract 9.5b)."""

    URL = "mssql+pymssql://reader:hunter2@127.0.0.1:1/shop"

    def test_it_is_refused_with_what_is_not_guaranteed(self) -> None:
        said = r"no read-only session there, no limit of time that the server keeps, .* set 'warehouse_unguarded: true'"
        with pytest.raises(WarehouseError, match=said) as raised:
            open_warehouse(self.URL, limits=LIMITS)
        assert "hunter2" not in str(raised.value)

    def test_it_is_tried_when_that_was_chosen(self) -> None:
        with pytest.raises(WarehouseError, match="cannot be opened: No module named 'pymssql'"):
            open_warehouse(self.URL, limits=LIMITS, unguarded=True)

    def test_the_commands_take_the_choice_from_the_settings_and_drive_nothing_without(self, tmp_path: Path) -> None:
        for chosen, said in ((False, "warehouse_unguarded: true"), (True, "No module named 'pymssql'")):
            settings, _ = load_settings(overrides={"warehouse_unguarded": chosen}, environ={"GOLDEN_WAREHOUSE": self.URL}, asks=False)
            with pytest.raises(WarehouseError, match=said):
                open_configured(settings)

    def test_golden_sql_that_is_not_read_does_not_go_there(self) -> None:
        sql = "SELECT 1 WHERE ARRAY[1]::regclass[] IS NULL"
        assert check_golden(sql, "postgres") == sql
        assert isinstance(check_golden(sql, "postgres", is_guarded=False), Refusal)


def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    """field/security 10: /etc/passwd became a table."""
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "a.csv").write_text("x\n1\n")
    (folder / "b.csv").symlink_to("a.csv")
    assert tuples(folder, "SELECT * FROM b") == [(1,)]
    (tmp_path / "secret").write_text("x\nsecret\n")
    (folder / "c.csv").symlink_to(tmp_path / "secret")
    with pytest.raises(WarehouseError, match=r"c\.csv: is a link that leads out of the folder; put the file itself there"):
        open_warehouse(folder)


def test_a_folder_may_be_a_link_itself(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "a.csv").write_text("x\n1\n")
    (tmp_path / "link").symlink_to(tmp_path / "tables")
    assert tuples(tmp_path / "link", "SELECT * FROM a") == [(1,)]


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.duckdb").write_text("hello " * 1000)
    with pytest.raises(WarehouseError, match="not a valid DuckDB database file"):
        open_warehouse(tmp_path / "x.duckdb")


def test_a_file_that_somebody_writes_to_is_refused(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / "busy.duckdb"), pytest.raises(WarehouseError, match="lock"):
        open_warehouse(tmp_path / "busy.duckdb")


def test_rows_of_a_driver_arrive_as_they_were_and_unknown_values_as_text() -> None:
    moment = datetime(2025, 1, 1, 7, tzinfo=timezone(timedelta(hours=7)))
    row = (
        None,
        True,
        1,
        1.5,
        "a",
        b"b",
        Decimal("1.10"),
        date(2025, 1, 1),
        moment,
        UUID(int=1),
        [1, [Decimal(2)]],
        {"k": (1,)},
        1j,
        Path("x"),
    )
    unpacked = unpack_rows(pack_rows([row]))
    assert unpacked == [(*row[:11], {"k": [1]}, "1j", "x")]
    assert unpacked[0][8] == moment
    assert str(unpacked[0][8]) == "2025-01-01 00:00:00+00:00"
    assert unpacked[0][8].tzinfo == UTC  # type: ignore[attr-defined]


def test_only_cells_are_unpacked() -> None:
    with pytest.raises(pickle.UnpicklingError, match="is no cell"):
        unpack_rows(pickle.dumps(print))


def test_a_reason_is_bounded_and_shows_control_characters() -> None:
    assert visible("a\n  b\x1b[0m\x00\ud800\u202e") == r"a b\x1b[0m\x00\ud800\u202e"
    assert len(visible("x" * 10_000)) == 500


def test_a_sqlite_file_is_told_how_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE loans AS SELECT 42 AS n")
        connection.commit()
    with pytest.raises(WarehouseError, match=f"it is a SQLite file; write it as sqlite:///{path}"):
        open_warehouse(path)
    assert tuples(f"sqlite:///{path}", "SELECT n FROM loans") == [(42,)]
