"""Files in use: every output is kept from what a run reads or keeps, under every name of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goldenlib.config.addresses import database_files
from goldenlib.config.inuse import files_in_use
from goldenlib.config.parameters import RunParameters
from goldenlib.config.settings import Settings
from goldenlib.errors import SettingsError
from goldenlib.files.outfiles import file_identity
from goldenlib.notebook import RunNotebook
from goldenlib.reporting.files import ReportFiles
from tests.cli.test_runs import ONE_ITEM, golden

DATABASE = "a b.db"  # a blank, which a URI may write as %20


def spellings(folder: Path) -> list[str]:
    return [
        *(DATABASE, f"./{DATABASE}", str(folder / DATABASE), f"sqlite:///{DATABASE}", f"sqlite:///./{DATABASE}"),
        *(f"sqlite:///{folder / DATABASE}", f"sqlite:///{DATABASE}?timeout=3", f"sqlite+pysqlite:///{DATABASE}"),
        *(
            f"sqlite:///file:{DATABASE}?uri=true",
            "sqlite:///file:a%20b.db?mode=rw&uri=true",
            f"sqlite:///file://{folder}/a%20b.db?uri=true",
        ),
        *(f"sqlite:///file://localhost{folder}/a%20b.db?uri=true", f"duckdb:///{DATABASE}", "link.db", "sqlite:///hard.db"),
    ]


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("number", range(len(spellings(Path("/")))))
def test_a_database_is_known_by_every_spelling_of_its_address(
    number: int, there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    address = spellings(tmp_path)[number]
    Path("link.db").symlink_to(DATABASE)
    if there or "hard" in address:
        Path(DATABASE).touch()
        os.link(DATABASE, "hard.db")
    assert file_identity(Path(DATABASE)) in map(file_identity, database_files(address))
    for key in ("golden_store", "warehouse"):
        with pytest.raises(SettingsError, match="uses already"):
            ReportFiles(html=Path(DATABASE)).check(files_in_use(Settings(**{key: address})))


def test_the_address_of_a_server_names_no_file() -> None:
    assert database_files("postgresql://golden@db.example/golden.db") == []


def test_two_outputs_that_are_one_file_on_other_systems_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="uses already"):
        ReportFiles(html=tmp_path / "Bericht.x", json=tmp_path / "bericht.x").check()


OUTPUTS = ["--html", "--json", "--junit", "--markdown", "--notebook"]


def _prepared(folder: Path) -> dict[str, bytes]:
    """A folder with every file that a run may use; what each holds."""
    (folder / "tables").mkdir()
    (folder / "tables" / "t.csv").write_text("a\n1\n")
    (folder / "asked.py").write_text("def ask(question):\n    raise SystemExit\n")
    (folder / "answers.jsonl").write_text('{"item_id": "a", "answer": "pengesahan tanda tangan pejabat"}\n')
    (folder / "set.yaml").write_text(ONE_ITEM)
    for name in ("w.duckdb", "w.db", "golden.db-journal"):
        (folder / name).write_bytes(b"")
    (folder / "c.yaml").write_text(
        "rag_quality:\n  judge_url: 'off'\n  targets:\n    public: {kind: recorded, path: answers.jsonl}\n"
        "    internal: {kind: function, callable: 'asked:ask'}\n"
    )
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("option", "output", "warehouse"),
    [
        *((option, "w.duckdb", "duckdb:///w.duckdb") for option in OUTPUTS),
        ("--html", "./w.db", "sqlite:///w.db"),
        ("--html", "tables/t.csv", "tables"),
        *(("--notebook", name, "tables") for name in ("answers.jsonl", "asked.py", "c.yaml", "set.yaml", "golden.db-journal")),
    ],
)
def test_no_output_of_a_run_takes_the_place_of_an_input(option: str, output: str, warehouse: str, tmp_path: Path) -> None:
    before = _prepared(tmp_path)
    done = golden(tmp_path, "run", "set.yaml", "--config", "c.yaml", option, output, GOLDEN_WAREHOUSE=warehouse)
    assert (done.returncode, "uses already" in done.stderr) == (2, True), done.stdout + done.stderr
    after = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert after == before


@pytest.mark.parametrize("name", ["html", "json_report", "junit", "markdown"])
@pytest.mark.parametrize("output", ["answers.jsonl", "w.duckdb", "set.yaml", "c.yaml", "golden.db"])
def test_the_door_of_the_notebook_keeps_outputs_from_inputs_too(
    name: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _prepared(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOLDEN_WAREHOUSE", "duckdb:///w.duckdb")
    with pytest.raises(SettingsError, match="uses already"):
        RunNotebook({**RunParameters().model_dump(), "golden_set": "set.yaml", "config": "c.yaml", name: output})


def test_an_export_takes_no_place_in_the_folder_that_it_reads(tmp_path: Path) -> None:
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "a.yaml").write_text(ONE_ITEM)
    done = golden(tmp_path, "export", "sets", "sets/a.yaml", "--format", "promptfoo", "--force")
    assert done.returncode == 2
    assert (tmp_path / "sets" / "a.yaml").read_text() == ONE_ITEM
