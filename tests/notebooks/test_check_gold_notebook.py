"""The notebook that checks golds, executed by papermill in a real kernel."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from tests.notebooks.executing import papermill, shown

NOTEBOOK = "check_gold.ipynb"
HOSTILE = """
[[questions]]
question_id = "<img-src=x>"
question = "What <script>alert(1)</script> did we sell?"
golden_sql = "SELECT '<script>alert(2)</script>' AS a, NULL AS b"
"""


@pytest.mark.notebook
def test_the_shop_s_golds_can_all_score(tmp_path: Path) -> None:
    done = papermill(NOTEBOOK, tmp_path)
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
    done = papermill(NOTEBOOK, tmp_path, "-p", "files", "hostile.toml", "-p", "warehouse", "empty.duckdb")
    assert done.returncode == 0, done.stderr
    cells = shown(tmp_path)
    assert "&lt;script&gt;alert(2)" in cells["findings"]
    assert "1 cannot score" in cells["summary"]
    html = cells["findings"].split('"text/html"')[1].split('"text/plain"')[0]
    assert "<script>" not in html
    assert "<img" not in html
