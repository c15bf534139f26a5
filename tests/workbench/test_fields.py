"""The fields of the form: all that an item can hold, and each with a control on the page."""

from __future__ import annotations

import re
from pathlib import Path

import goldenlib.workbench
from goldenlib.items import Expected, ExpectedResult, Item
from goldenlib.workbench.fields import EDITABLE

PAGE = (Path(goldenlib.workbench.__file__).parent / "panel.js").read_text(encoding="utf-8")
# What several golds and limits by column hold is written in the file, and kept as it is there.
IN_THE_FILE = {f"expected.sql.{name}" for name in ("others", "tolerances", "absolutes", "allow_empty", "allow_null")}
ELSEWHERE = {"expected", "verified", "review", "accepted"}  # signing writes the two, and letting a hazard stand the last


def test_everything_that_an_item_can_hold_can_be_edited() -> None:
    held = set(Item.model_fields) - ELSEWHERE
    held |= {f"expected.{name}" for name in Expected.model_fields if name != "sql"}
    held |= {f"expected.sql.{name}" for name in ExpectedResult.model_fields}
    assert held - IN_THE_FILE == EDITABLE


def test_every_field_has_a_control_on_the_page() -> None:
    more = re.findall(r'^  \["([\w.]+)", "(?:line|text|code|choice|chips|flag)"', PAGE, re.MULTILINE)
    first = re.findall(r'this\.field\("([\w.]+)"', PAGE)
    assert {*more, *first} == EDITABLE
