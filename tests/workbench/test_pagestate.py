"""What goes to the page and what `panel.js` reads of it: each key that the page reads is declared, and goes out as declared."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import goldenlib.workbench
from goldenlib.workbench import pagestate, view
from tests.workbench.scenes import a_bench

PAGE = (Path(goldenlib.workbench.__file__).parent / "panel.js").read_text(encoding="utf-8")
# What the page calls the parts, and their shapes.
SHAPES: dict[str, tuple[Any, ...]] = {
    "head": (pagestate.Head,),
    "editor": (pagestate.Editor,),
    "list": (pagestate.AllRows, pagestate.ChangedRows),
    "row": (pagestate.ShownRow,),
    "preview": (pagestate.ShownPreview,),
    "history": (pagestate.ItemHistory,),
    "answer": (pagestate.StoredAnswerShown, pagestate.LatestAnswer),
    "flips": (pagestate.ShownFlips,),
    "verdict": (pagestate.ShownVerdict,),
    "diff": (pagestate.FileDiff,),
}
OF_THE_BROWSER = {"append"}  # an element of the page that is called head too


@pytest.mark.parametrize("part", SHAPES)
def test_what_the_page_reads_of_a_part_is_declared(part: str) -> None:
    read = set(re.findall(rf"(?<![\w.]){part}\.([a-z_]+)(?![\w(])", PAGE))
    declared = set().union(*(shape.__annotations__ for shape in SHAPES[part]))
    assert read
    assert read - declared - OF_THE_BROWSER == set()


def test_what_goes_out_has_the_keys_that_are_declared_and_is_json(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    shown = {
        pagestate.Head: view.head(bench),
        pagestate.AllRows: view.rows(bench),
        pagestate.ShownPreview: view.preview(bench),
        pagestate.ItemHistory: view.history(bench),
        pagestate.Editor: view.editor(bench),
    }
    for shape, part in shown.items():
        assert set(part) == set(shape.__annotations__), shape.__name__
    assert json.loads(json.dumps(list(shown.values())))
