"""Opening brings a store up to date, in one step or not at all."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from goldenlib.errors import StoreError
from goldenlib.storage import Store, migrations
from goldenlib.storage.tables import metadata
from tests.storage.scenes import baseline_runs, play

# How SQLAlchemy names what it finds, and what it would make; in SQLite both are a number of eight bytes.
TODAY = list(range(1, migrations.VERSION + 1))
SAME_TYPE = {"DOUBLE": "REAL", "TIMESTAMP": "TIMESTAMP WITH TIME ZONE"}


def set_version(store: Store, version: int) -> None:
    with store._database.writes() as connection:
        connection.execute(text(f"INSERT INTO golden_schema SELECT {version}, max(applied_at) FROM golden_schema"))


def versions(store: Store) -> list[int]:
    with store._database.reads() as connection:
        return list(connection.scalars(text("SELECT version FROM golden_schema ORDER BY version")))


def test_an_empty_store_gets_every_migration_once(store: Store, store_url: str) -> None:
    with Store.open(store_url) as again:
        assert versions(store) == versions(again) == [*range(1, migrations.VERSION + 1)]


def test_the_migrations_make_the_tables_that_the_code_reads(store: Store) -> None:
    with store._database.reads() as connection:
        found = inspect(connection)
        for table in metadata.tables.values():
            made = {column["name"]: column["nullable"] for column in found.get_columns(table.name)}
            keys = set(found.get_pk_constraint(table.name)["constrained_columns"])
            assert {name: nullable for name, nullable in made.items() if name not in keys} == {
                column.name: column.nullable for column in table.columns if not column.primary_key
            }
            assert keys == {column.name for column in table.primary_key}
            assert set(made) == set(table.columns.keys())


def test_the_migrations_make_the_types_that_the_code_reads(store: Store) -> None:
    with store._database.reads() as connection:
        for table in metadata.tables.values():
            for column in inspect(connection).get_columns(table.name):
                expected = table.c[column["name"]].type.compile(connection.dialect)
                assert SAME_TYPE.get(str(column["type"]), str(column["type"])) == SAME_TYPE.get(expected, expected), column["name"]


def test_a_store_of_a_newer_version_is_refused(store: Store, store_url: str) -> None:
    set_version(store, 99)
    with pytest.raises(StoreError) as refused:
        Store.open(store_url)
    assert f"is a store of version 99, and this goldenlib knows versions up to {migrations.VERSION}" in str(refused.value)
    assert str(refused.value).endswith("upgrade goldenlib (pip install --upgrade goldenlib), or choose another store with --store")
    assert versions(store) == [*TODAY, 99]


def test_a_file_of_a_newer_version_keeps_every_byte(tmp_path: Path) -> None:
    path = tmp_path / "golden.db"
    with closing(sqlite3.connect(path)) as connection:  # no WAL: opening must not switch it on either
        connection.execute("CREATE TABLE golden_schema (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL, by TEXT)")
        connection.execute("INSERT INTO golden_schema VALUES (99, 'later', 'somebody')")
        connection.commit()
    before = hashlib.sha256(path.read_bytes()).digest()
    with pytest.raises(StoreError, match="version 99"):
        Store.open(str(path))
    assert hashlib.sha256(path.read_bytes()).digest() == before
    assert [child.name for child in tmp_path.iterdir()] == ["golden.db"]


def test_a_store_of_version_2_gets_the_baselines_of_its_finished_runs(store: Store, store_url: str) -> None:
    """What version 3 adds is made of what is there: order of creation, finished runs, parts for themselves."""
    long = "select " + " or ".join(f"item-{number}" for number in range(40))
    play(store, "r1", {"a": "pass", "b": "error"}, hour=2)
    play(store, "part", {"a": "pass"}, hour=1, selection="select a")
    play(store, "long", {"a": "pass"}, hour=1, selection=long)
    play(store, "killed", {"a": "pass"}, hour=0, finish=False)
    back_to_version_2(store)
    with Store.open(store_url) as upgraded:
        with upgraded._database.reads() as connection:
            found = connection.execute(text("SELECT run_id, item_id, baseline_for FROM golden_results ORDER BY run_seq, item_id"))
            assert [tuple(row) for row in found] == [
                ("r1", "a", ""),
                ("r1", "b", None),
                ("part", "a", "select a"),
                ("long", "a", None),
                ("killed", "a", None),
            ]
        assert upgraded.decision("r1") == store.decision("r1")
        assert [run.planned for run in upgraded.runs()] == [1, None, None, 1]
        play(upgraded, "now", {"a": "fail"}, hour=0)
        play(upgraded, "part-2", {"a": "fail"}, hour=0, selection="select a")
        assert baseline_runs(upgraded, "now") == {"a": "r1"}
        assert baseline_runs(upgraded, "part-2") == {"a": "now"}
        assert baseline_runs(upgraded, "part") == {"a": "r1"}


def test_whoever_only_reads_leaves_a_store_of_an_older_version_as_it_is(tmp_path: Path) -> None:
    """field/investigating 6: a laptop with a newer goldenlib made the older one of CI refuse the store."""
    path = tmp_path / "golden.db"
    with Store.open(str(path)) as store:
        play(store, "r1", {"a": "pass"}, hour=0)
        back_to_version_2(store)
    before = hashlib.sha256(path.read_bytes()).digest()
    with Store.open_existing(str(path)) as opened:
        assert [result.passed for result in opened.results("r1")] == [True]
        assert "older version; it is left as it is" in opened.warnings[0]
        copy = opened._database.path
    assert hashlib.sha256(path.read_bytes()).digest() == before
    assert copy is not None
    assert not copy.exists()
    with Store.open_existing(str(path), to_write=True) as opened:
        assert versions(opened) == TODAY


def back_to_version_2(store: Store) -> None:
    """Take away what version 3 made."""
    with store._database.writes() as connection:
        for statement in (
            "DROP TABLE golden_contracts",
            "DROP TABLE golden_acceptances",
            "DROP INDEX golden_results_baseline",
            "DROP INDEX golden_results_history",
            "DROP INDEX golden_runs_series",
            "ALTER TABLE golden_runs DROP COLUMN selected",
            "ALTER TABLE golden_results DROP COLUMN baseline_for",
            "ALTER TABLE golden_results DROP COLUMN fault",
            "ALTER TABLE golden_results DROP COLUMN labels",
            "CREATE INDEX golden_results_history ON golden_results (series, item_id, run_at DESC, run_seq DESC)",
            "CREATE INDEX golden_results_baseline ON golden_results (series, item_id, run_at DESC, run_seq DESC) WHERE status = 'scored'",
            "CREATE INDEX golden_runs_series ON golden_runs (series, run_at DESC, run_seq DESC)",
            "CREATE INDEX golden_runs_latest ON golden_runs (run_at DESC, run_seq DESC)",
            "DELETE FROM golden_schema WHERE version > 2",
        ):
            connection.execute(text(statement))


class TestNextVersion:
    """A store of today under a goldenlib of tomorrow."""

    def test_is_made_of_a_store_that_has_runs(self, store: Store, store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        play(store, "run-1", {"a": "pass"}, hour=0)
        tomorrow(monkeypatch, "ALTER TABLE golden_runs ADD COLUMN colour TEXT", "UPDATE golden_runs SET colour = 'blue'")
        with Store.open(store_url) as upgraded:
            assert versions(upgraded) == [*TODAY, TODAY[-1] + 1]
            assert upgraded.run("run-1") == store.run("run-1")
            with upgraded._database.reads() as connection:
                assert connection.scalar(text("SELECT colour FROM golden_runs")) == "blue"

    def test_leaves_nothing_behind_when_it_fails(self, store: Store, store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        tomorrow(monkeypatch, "CREATE TABLE half_done (a INTEGER)", "NONSENSE")
        with pytest.raises(StoreError, match="the database refused"):
            Store.open(store_url)
        assert versions(store) == TODAY
        with store._database.reads() as connection:
            assert not inspect(connection).has_table("half_done")


def tomorrow(monkeypatch: pytest.MonkeyPatch, *statements: str) -> None:
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, statements))
    monkeypatch.setattr(migrations, "VERSION", len(migrations.MIGRATIONS))


def test_a_sqlite_file_of_another_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE orders (id INTEGER)")
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"is a database of another program \(it holds orders\)"):
        Store.open(str(path))
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["shop.db"]


def test_an_empty_sqlite_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    Store.open(str(tmp_path / "empty.db")).close()
    Store.open(str(tmp_path / "empty.db")).close()


def test_a_store_that_another_process_is_just_making_is_none_of_another_program(tmp_path: Path) -> None:
    """Its tables are there a moment before its version is."""
    path = tmp_path / "golden.db"
    with Store.open(str(path)) as store:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("DELETE FROM golden_schema")
            connection.commit()
        assert migrations.refuse_foreign(store._database) == 0
