"""The README of the shop says what is in the files."""

from __future__ import annotations

import re

import duckdb
import pytest

from goldenlib.files.shipped import shipped
from tests.shop.generator import TABLES
from tests.shop.questions import QUESTIONS

pytestmark = pytest.mark.xdist_group("shop")

README = shipped("golden", "shop", "README.md").read_text(encoding="utf-8")


def test_the_traps_are_listed_with_the_questions_that_test_them() -> None:
    told = {
        trap: re.findall(r"\d{3}", ids)
        for trap, ids in re.findall(r"^\| `([a-z-]+)` \| [^|]+ \| ((?:\d{3},? ?)+)\|$", README, re.MULTILINE)
    }
    traps = {trap for question in QUESTIONS for trap in question.traps}
    assert told == {trap: [q.question_id.removeprefix("shop-") for q in QUESTIONS if trap in q.traps] for trap in traps}


def test_every_table_is_listed_with_its_rows(shop: duckdb.DuckDBPyConnection) -> None:
    told = {name: int(rows.replace(",", "")) for name, rows in re.findall(r"^\| `([a-z_.]+)` \| ([\d,]+) \|", README, re.MULTILINE)}
    counted = {table.name: shop.execute(f"SELECT count(*) FROM {table.name}").fetchall()[0][0] for table in TABLES}
    assert told == counted


def test_it_says_that_it_is_illustrative_and_under_which_licence() -> None:
    assert "illustrative" in README
    assert "MIT" in README


def test_its_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    found = re.search(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found
    exec(found[1], {})
    assert "analytics.fct_orders  -- One row per order." in capsys.readouterr().out
