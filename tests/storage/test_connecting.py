"""Stores that cannot be used: each error names the store, what is wrong, and the way out."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from goldenlib.errors import StoreError
from goldenlib.storage import Store
from goldenlib.storage.connecting import connect
from goldenlib.storage.failures import is_transient
from tests.storage.scenes import a_new_run, play


def refusal(url: str) -> str:
    with pytest.raises(StoreError) as refused:
        Store.open(url)
    assert refused.value.__cause__ is None
    return str(refused.value)


class TestSqlite:
    """A file of its own, opened by path or URL."""

    def test_a_path_and_its_url_are_the_same_store(self, tmp_path: Path) -> None:
        with Store.open(str(tmp_path / "golden.db")) as by_path, Store.open(f"sqlite:///{tmp_path}/golden.db") as by_url:
            play(by_path, "run-1", {"a": "pass"}, hour=0)
            assert by_url.run("run-1").run_id == "run-1"

    @pytest.mark.parametrize("name", ["golden set?.db", "100%.db", "ü.sqlite", "no-suffix"])
    def test_any_file_name_is_taken_as_it_is(self, tmp_path: Path, name: str) -> None:
        Store.open(str(tmp_path / name)).close()
        assert [path.name for path in tmp_path.iterdir()] == [name]

    def test_a_relative_path_stays_that_file_when_the_folder_changes(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path)
        with Store.open("golden.db") as store:
            store._database.engine.dispose()
            monkeypatch.chdir(tmp_path / "elsewhere")
            store.create_run(a_new_run())
        assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["golden.db"]

    def test_a_home_folder_in_a_path_is_found(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        Store.open("~/golden.db").close()
        assert (tmp_path / "golden.db").is_file()

    @pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", ":memory:", "", "sqlite:///file:x?mode=memory&uri=true"])
    def test_in_memory_is_refused_with_a_reason(self, url: str) -> None:
        assert "an in-memory database is gone when the process ends" in refusal(url)
        assert refusal(url).endswith("give a file, such as golden.db")

    def test_a_missing_folder_is_named(self, tmp_path: Path) -> None:
        assert f"the folder {tmp_path}/no does not exist; create it (mkdir -p {tmp_path}/no)" in refusal(str(tmp_path / "no" / "golden.db"))

    def test_a_folder_is_not_a_store(self, tmp_path: Path) -> None:
        assert refusal(str(tmp_path)).endswith(f"is a folder; give a file in it, such as {tmp_path}/golden.db")

    def test_another_kind_of_file_is_not_a_store_and_keeps_its_bytes(self, tmp_path: Path) -> None:
        path = tmp_path / "notes.txt"
        path.write_text("items:\n" * 400)
        assert "is not a SQLite database (file is not a database); give the path of a golden store" in refusal(str(path))
        assert path.read_text() == "items:\n" * 400

    def test_a_damaged_file_is_told(self, tmp_path: Path) -> None:
        path = tmp_path / "golden.db"
        with Store.open(str(path)) as store:
            play(store, "run-1", {"a": "pass"}, hour=0)
        content = path.read_bytes()
        path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
        assert "is damaged" in refusal(str(path))

    def test_a_store_that_may_only_be_read_can_be_read(self, tmp_path: Path) -> None:
        with Store.open(str(tmp_path / "golden.db")) as store:
            run = play(store, "run-1", {"a": "pass"}, hour=0)
        with Store.open(f"sqlite:///file:{tmp_path}/golden.db?mode=ro&uri=true") as store:
            assert store.run("run-1").run_id == "run-1"
            with pytest.raises(StoreError, match=r"may only be read \(attempt to write .*\); give yourself write permission"):
                store.create_run(a_new_run("run-2"))
            with pytest.raises(StoreError, match="may only be read"):
                store.resume_run(run)

    def test_an_empty_file_that_may_only_be_read_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "golden.db").touch()
        assert "may only be read" in refusal(f"sqlite:///file:{tmp_path}/golden.db?mode=ro&uri=true")

    def test_write_ahead_logging_is_on_and_syncs_at_checkpoints(self, tmp_path: Path) -> None:
        with Store.open(str(tmp_path / "golden.db")) as store, store._database.reads() as connection:
            asked = ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
            assert [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in asked] == ["wal", 1, 30000, 1]
            assert store.warnings == ()

    def test_a_new_store_is_for_its_owner_alone(self, tmp_path: Path) -> None:
        """It holds every answer; the usual umask would let everybody on the machine read them."""
        with Store.open(str(tmp_path / "golden.db")) as store:
            play(store, "run-1", {"a": "pass"}, hour=0)
            modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
        assert modes == dict.fromkeys(["golden.db", "golden.db-shm", "golden.db-wal"], 0o600)

    def test_a_store_that_its_owner_shares_stays_shared(self, tmp_path: Path) -> None:
        path = tmp_path / "golden.db"
        Store.open(str(path)).close()
        path.chmod(0o660)
        Store.open(str(path)).close()
        assert path.stat().st_mode & 0o777 == 0o660

    def test_a_file_that_appears_later_is_found_by_those_who_only_read(self, tmp_path: Path) -> None:
        path = tmp_path / "golden.db"
        with pytest.raises(StoreError, match=r"golden.db: does not exist; correct --store, or make a first run with golden run"):
            Store.open_existing(str(path))
        assert not path.exists()
        Store.open(str(path)).close()
        Store.open_existing(str(path)).close()

    def test_those_who_only_read_make_no_store_of_another_database(self, tmp_path: Path) -> None:
        path = tmp_path / "other.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE invoices (a)")
        before = path.read_bytes()
        with pytest.raises(StoreError, match="holds no golden runs; correct --store"):
            Store.open_existing(str(path))
        assert path.read_bytes() == before

    @pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
    def test_words_of_a_full_disk_say_that_rows_are_kept(self, tmp_path: Path) -> None:
        with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
            connection.execute("PRAGMA max_page_count = 2")
            connection.execute("CREATE TABLE t (a)")
            with pytest.raises(sqlite3.OperationalError) as full:
                connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
        database = connect(str(tmp_path / "x.db"))
        told = str(database.explain(DBAPIError("INSERT", None, full.value)))
        assert told.endswith("the disk is full (database or disk is full); make room and go on with --resume; what was stored is kept")


class TestPostgresql:
    """A server, by URL."""

    def test_another_database_or_driver_is_refused(self) -> None:
        for url in ("mysql://u:secret@h/n", "postgresql+psycopg2://u:secret@h/n", "nonsense://u:secret@h", "sqlite+aiosqlite:///x.db"):
            said = refusal(url)
            assert "goldenlib does not store in" in said
            assert said.endswith("use the path of a SQLite file (golden.db) or a PostgreSQL URL (postgresql://user@host/name)")
            assert "secret" not in said

    @pytest.mark.parametrize("url", ["postgresql://u:secret@h:port/n", "://u:secret@h"])
    def test_what_is_no_url_is_refused(self, url: str) -> None:
        said = refusal(url)
        assert "is not a database URL; write it as postgresql://user@host:5432/name" in said
        assert "secret" not in said

    def test_a_missing_driver_names_what_to_install(self) -> None:
        code = (
            "import sys; sys.modules['psycopg'] = None\n"
            "from goldenlib.storage import Store\nfrom goldenlib.errors import StoreError\n"
            "try: Store.open('postgresql://u:secret@h/n')\nexcept StoreError as error: print(error)"
        )
        said = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True).stdout
        assert said == "postgresql://u:***@h/n: needs the PostgreSQL driver; install it with pip install 'goldenlib[postgres]'\n"

    def test_an_unreachable_server_is_told_without_the_password(self) -> None:
        said = refusal("postgresql://golden:hunter2@127.0.0.1:1/golden")
        assert said.startswith("postgresql://golden:***@127.0.0.1:1/golden: there is no connection to the server (connection failed: ")
        assert said.endswith("; check host, port, name, password and database in the URL, and that the server runs")
        assert "hunter2" not in said

    @pytest.mark.postgres
    @pytest.mark.xdist_group("postgres")
    def test_a_missing_database_is_told(self, postgres_url: str) -> None:
        said = refusal(make_url(postgres_url).set(database="nowhere").render_as_string(hide_password=False))
        assert 'database "nowhere" does not exist' in said

    @pytest.mark.postgres
    @pytest.mark.xdist_group("postgres")
    def test_a_missing_schema_is_told(self, postgres_url: str) -> None:
        said = refusal(make_url(postgres_url).update_query_dict({"options": "-csearch_path=nowhere"}).render_as_string(hide_password=False))
        assert "there is no such schema" in said
        assert "CREATE SCHEMA" in said

    @pytest.mark.postgres
    @pytest.mark.xdist_group("postgres")
    @pytest.mark.parametrize("scheme", ["postgresql", "postgresql+psycopg", "postgres"])
    def test_every_way_to_write_the_url_means_psycopg(self, postgres_store_url: str, scheme: str) -> None:
        with Store.open(postgres_store_url.replace("postgresql", scheme, 1)) as store:
            assert store._database.engine.driver == "psycopg"

    @pytest.mark.postgres
    @pytest.mark.xdist_group("postgres")
    def test_those_who_only_read_make_no_store(self, postgres_store_url: str) -> None:
        with pytest.raises(StoreError, match="holds no golden runs; correct --store"):
            Store.open_existing(postgres_store_url)


def test_what_is_no_database_error_does_not_call_for_waiting() -> None:
    assert not is_transient(OverflowError())
