"""What the worker takes from where it is started: no code from the working folder, and no secret from the environment."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import goldenlib
from goldenlib.files.shipped import shipped
from goldenlib.warehouse import Warehouse, open_warehouse
from goldenlib.warehouse.process import _import_path
from tests.warehouse.conftest import LIMITS

GOLDEN = Path(sysconfig.get_path("scripts")) / "golden"
PACKAGE = Path(goldenlib.__file__).parent
# Of the standard library, of what the worker needs, of what its libraries look for, and what Python itself imports when it starts.
PLANTED = (
    "json", "typing", "csv", "struct", "pickle", "signal", "decimal", "duckdb", "pyarrow", "pandas", "numpy", "sqlglot", "sqlalchemy",
    "psycopg", "pymysql", "goldenlib", "sitecustomize", "usercustomize", "polars",
)  # fmt: skip
SCRIPT = """
import sys
from goldenlib.warehouse import open_warehouse
with open_warehouse(sys.argv[1]) as warehouse:
    print(warehouse.run("SELECT 6 * 7 AS n").tuples())
"""


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A folder that somebody sent: each module in it tells that it ran."""
    folder = tmp_path / "sent"
    folder.mkdir()
    for name in PLANTED:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write({name!r} + ' ')\n")
    return folder


class TestTheWorkingFolder:
    """fd-075, field/security 2."""

    def test_nothing_of_it_is_imported_when_golds_are_checked(self, planted: Path, tmp_path: Path) -> None:
        command = [GOLDEN, "check", shipped("golden", "shop", "questions.toml"), "--warehouse", "shop", "--split", "test"]
        done = subprocess.run(command, cwd=planted, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr
        assert not (tmp_path / "ran").exists()

    def test_nor_when_this_process_looks_there_last(self, planted: Path, tmp_path: Path, small_file: Path) -> None:
        """As a notebook does. Arrow and others look for modules that need not be there."""
        script = f"import sys; sys.path.append(''); sys.path.append({str(planted)!r})\n{SCRIPT}"
        done = subprocess.run([sys.executable, "-P", "-c", script, small_file], cwd=planted, capture_output=True, text=True, timeout=100)
        assert done.stdout == "[(42,)]\n", done.stderr
        ran = (tmp_path / "ran").read_text().split() if (tmp_path / "ran").exists() else []
        assert len(ran) == len(set(ran)), "a module ran twice: in this process, and in the worker"

    def test_nor_over_sqlalchemy(self, planted: Path, tmp_path: Path) -> None:
        shutil.copy(_a_sqlite_file(tmp_path), planted / "o.db")
        done = subprocess.run(
            [sys.executable, "-P", "-c", SCRIPT, "sqlite:///o.db"], cwd=planted, capture_output=True, text=True, timeout=100
        )
        assert done.stdout == "[(42,)]\n", done.stderr
        assert not (tmp_path / "ran").exists()


class TestWhereGoldenlibLies:
    """The worker finds what its parent found: installed, in a checkout, in a zip."""

    def test_a_checkout_in_the_working_folder(self, tmp_path: Path, small_file: Path) -> None:
        shutil.copytree(PACKAGE, tmp_path / "goldenlib", ignore=shutil.ignore_patterns("__pycache__", "_shipped"))
        script = f"import sys; sys.path.insert(0, '')\nimport goldenlib; assert goldenlib.__file__.startswith({str(tmp_path)!r})\n{SCRIPT}"
        done = subprocess.run([sys.executable, "-P", "-c", script, small_file], cwd=tmp_path, capture_output=True, text=True, timeout=100)
        assert done.stdout == "[(42,)]\n", done.stderr

    def test_a_zip(self, tmp_path: Path, small_file: Path) -> None:
        with zipfile.ZipFile(tmp_path / "goldenlib.zip", "w") as packed:
            for path in (*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.yaml")):
                packed.write(path, path.relative_to(PACKAGE.parent))
        script = f"import sys; sys.path.insert(0, {str(tmp_path / 'goldenlib.zip')!r})\n{SCRIPT}"
        done = subprocess.run([sys.executable, "-P", "-c", script, small_file], cwd=tmp_path, capture_output=True, text=True, timeout=100)
        assert done.stdout == "[(42,)]\n", done.stderr

    def test_pythons_own_library_comes_first(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.syspath_prepend(str(tmp_path))
        found = _import_path()
        library = sysconfig.get_path("stdlib")
        assert found.index(library) < found.index(str(tmp_path))


def _a_sqlite_file(folder: Path) -> Path:
    import sqlite3

    path = folder / "made.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE o (a)")
    connection.close()
    return path


def _environment_of(warehouse: Warehouse) -> set[str]:
    pid = warehouse._idle[0].pid
    return {line.partition(b"=")[0].decode() for line in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0") if line}


def test_the_worker_of_a_server_sees_what_its_driver_needs_and_no_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """field/security 9."""
    needed = {"PGPASSFILE", "PGSSLMODE", "SSL_CERT_FILE", "HOME", "LANG", "PATH"}
    secret = {"GOLDEN_CHATBOT_TOKEN", "GOLDEN_JUDGE_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "PYTHONPATH", "PYTHONSTARTUP"}
    for name in needed | secret | {"GOOGLE_APPLICATION_CREDENTIALS"}:
        monkeypatch.setenv(name, "x")
    url = f"sqlite:///{_a_sqlite_file(tmp_path)}"
    with open_warehouse(url, limits=LIMITS) as warehouse:
        seen = _environment_of(warehouse)
    assert needed <= seen
    assert not (secret | {"GOOGLE_APPLICATION_CREDENTIALS"}) & seen
    with open_warehouse(url, limits=LIMITS, variables=["GOOGLE_APPLICATION_CREDENTIALS"]) as warehouse:
        assert "GOOGLE_APPLICATION_CREDENTIALS" in _environment_of(warehouse)
