"""The author notebook, executed without a browser: what is left of it in an output notebook."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from goldenlib.files.shipped import shipped
from tests.notebooks.executing import papermill


def executed(folder: Path, *words: str) -> tuple[int, list[Any]]:
    done = papermill("author.ipynb", folder, *words)
    cells = json.loads((folder / "out.ipynb").read_text(encoding="utf-8"))["cells"]
    return done.returncode, [output for cell in cells for output in cell.get("outputs", [])]


def test_the_panel_is_one_line_of_code() -> None:
    cells = json.loads(shipped("notebooks", "author.ipynb").read_text(encoding="utf-8"))["cells"]
    (panel,) = [cell for cell in cells if cell["id"] == "panel"]
    assert "".join(panel["source"]).splitlines()[2:] == ["AuthorPanel(golden_set, config=config, language=language)"]


def test_an_executed_notebook_holds_the_items_as_a_plain_list(tmp_path: Path) -> None:
    code, outputs = executed(tmp_path)
    assert code == 0
    (shown,) = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert "pt-perorangan-syarat" in "".join(shown)


def test_a_set_that_is_not_there_fails_the_notebook_and_says_so_in_words(tmp_path: Path) -> None:
    code, outputs = executed(tmp_path, "-p", "golden_set", "none/none.yaml", "-p", "language", "en")
    (error,) = [output for output in outputs if output["output_type"] == "error"]
    assert code != 0
    assert error["ename"] == "InputError"
    assert "The golden set cannot be opened." in error["traceback"][0]
