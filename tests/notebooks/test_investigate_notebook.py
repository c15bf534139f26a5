"""The notebook that shows why a run was decided as it was, executed by papermill in a real kernel."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goldenlib.files.shipped import shipped
from tests.bench.quarter import Quarter
from tests.cli.test_runs import golden
from tests.notebooks.executing import papermill, shown

NOTEBOOK = "investigate.ipynb"


@pytest.mark.notebook
def test_flips_and_queries_stand_side_by_side(tmp_path: Path) -> None:
    (tmp_path / "q.toml").write_text(
        '[[questions]]\nquestion_id = "a"\nquestion = "How many?"\ngolden_sql = "SELECT 42 AS n"\nnote = "All."\n', encoding="utf-8"
    )
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "t.csv").write_text("x\n1\n", encoding="utf-8")
    for run_id, sql in (("r1", "SELECT 42"), ("r2", "SELECT 41 -- <script>alert(1)</script>")):
        (tmp_path / "answers.jsonl").write_text(json.dumps({"item_id": "a", "sql": sql}), encoding="utf-8")
        config = 'rag_quality:\n  warehouse: empty\n  judge_url: "off"\n  targets:\n    public: {kind: recorded, path: answers.jsonl}\n'
        (tmp_path / "c.yaml").write_text(config, encoding="utf-8")
        golden(tmp_path, "run", "q.toml", "--config", "c.yaml", "--allow-unverified", "--run-id", run_id)
    done = papermill(NOTEBOOK, tmp_path, "-p", "golden_set", "q.toml")
    assert done.returncode == 0, done.stderr
    cells = shown(tmp_path)
    assert "✗ blocks" not in cells["decided"]  # nobody verified it
    assert "excused: not verified" in cells["decided"]
    assert "same normalized text" in cells["texts"]
    assert "<script>alert" not in cells["decided"] + cells["texts"] + cells["note"]


@pytest.mark.notebook
@pytest.mark.xdist_group("quarter")
def test_of_a_quarter_of_a_year_it_shows_decision_map_and_note(tmp_path: Path, quarter: Quarter) -> None:
    done = papermill(NOTEBOOK, tmp_path, "-p", "golden_store", str(quarter.path), "-p", "note", "note.md", "-p", "against", "night-42")
    assert done.returncode == 0, done.stderr
    cells = shown(tmp_path)
    assert "<mark>Rp700.000</mark>" in cells["decided"]
    assert "data:image/png;base64" in cells["history"]
    assert "night-42 -&gt; night-59" in cells["flips"]
    assert "badan-hukum-pt" in cells["frames"]
    assert (tmp_path / "note.md").read_text(encoding="utf-8").startswith("# BLOCK: ahu")


@pytest.mark.notebook
def test_without_an_earlier_run_it_shows_the_run_all_the_same(tmp_path: Path) -> None:
    golden(tmp_path, "run", str(shipped("golden", "example.yaml")), "--allow-unverified", "--run-id", "r1")
    done = papermill(NOTEBOOK, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "No item regressed" in shown(tmp_path)["decided"]


@pytest.mark.notebook
def test_items_are_asked_again_when_they_are_named(tmp_path: Path) -> None:
    example = str(shipped("golden", "example.yaml"))
    golden(tmp_path, "run", example, "--allow-unverified", "--run-id", "r1")
    golden(tmp_path, "run", example, "--allow-unverified", "--demo-degraded", "--run-id", "r2")
    done = papermill(NOTEBOOK, tmp_path, "-p", "golden_set", example, "-p", "ask", "pt-perorangan-akta")
    assert done.returncode == 0, done.stderr
    assert "pt-perorangan-akta: 5 of 5 passed" in shown(tmp_path)["ask"]  # of the demo in health, which is what no configuration means
