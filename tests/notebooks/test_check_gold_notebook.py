"""The notebook that checks golds, executed by papermill in a real kernel."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from goldenlib.shipped import shipped

NOTEBOOK = str(shipped("notebooks", "check_gold.ipynb"))
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GOLDEN_")}
HOSTILE = """
[[questions]]
question_id = "<img-src=x>"
question = "What <script>alert(1)</script> did we sell?"
golden_sql = "SELECT '<script>alert(2)</script>' AS a, NULL AS b"
"""


def papermill(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "papermill", NOTEBOOK, "out.ipynb", *words]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=180)


def shown(folder: Path) -> dict[str, str]:
    """What each code cell shows, by its id."""
    cells = json.loads((folder / "out.ipynb").read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: json.dumps(cell["outputs"], ensure_ascii=False) for cell in cells if cell["cell_type"] == "code"}


@pytest.mark.notebook
def test_the_shop_s_golds_can_all_score(tmp_path: Path) -> None:
    done = papermill(tmp_path)
    assert done.returncode == 0, done.stderr
    cells = shown(tmp_path)
    assert "48 questions" in cells["load"]
    assert "text/html" in cells["findings"]
    assert "40 golds checked on shop, all can score: 0 errors, 0 warnings" in cells["summary"]
    assert "Traps missing from a split: none" in cells["coverage"]


@pytest.mark.notebook
def test_what_stands_in_a_set_is_shown_as_text(tmp_path: Path) -> None:
    (tmp_path / "hostile.toml").write_text(HOSTILE, encoding="utf-8")
    duckdb.connect(tmp_path / "empty.duckdb").close()
    done = papermill(tmp_path, "-p", "files", "hostile.toml", "-p", "warehouse", "empty.duckdb")
    assert done.returncode == 0, done.stderr
    cells = shown(tmp_path)
    assert "&lt;script&gt;alert(2)" in cells["findings"]
    assert "1 cannot score" in cells["summary"]
    html = cells["findings"].split('"text/html"')[1].split('"text/plain"')[0]
    assert "<script>" not in html
    assert "<img" not in html
