"""The report of a set, as a table, as JSON, and as `golden check` prints it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from goldenlib.cli.data import check
from goldenlib.cli.goldcheck import run_check
from goldenlib.files.loading import load_set
from goldenlib.files.shipped import shipped
from goldenlib.gold import GoldReport, Severity, check_golds
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Item
from goldenlib.warehouse import Warehouse, open_warehouse
from tests.gold.golds import TODAY, a_gold

GOOD = a_gold("SELECT sum(amount) FROM sales", "SELECT sum(amount) FROM sales WHERE units > 0", id="good")
BROKEN = a_gold("SELECT amount FROM sold", id="broken")
NULL = a_gold("SELECT NULL AS nothing, '<b>' AS label, DATE '2026-11-29' AS day", id="null", note="")
FORBIDDEN = a_gold("SELECT product, discount FROM sales", id="secret", kind="forbidden")
VAGUE = Item.model_validate({"id": "vague", "question": "Who are our best customers?", "kind": "decline", "decline_type": "ambiguous"})

QUESTIONS = """
[[questions]]
question_id = "sales-1"
question = "What did we sell?"
golden_sql = "SELECT sum(amount) FROM sales"
check_sql = "SELECT sum(amount) FROM sales WHERE units > 0"
note = "All sales."
split = "dev"

[[questions]]
question_id = "sales-2"
question = "What did the east sell?"
golden_sql = "SELECT amount FROM sales WHERE region = 'east'"
note = "Sales of the east."
split = "test"
"""


def a_set(*items: Item) -> GoldenSet:
    return GoldenSet("sales", items, tuple(item.id for item in items))


@pytest.fixture(scope="module")
def report(warehouse: Warehouse) -> GoldReport:
    return check_golds(a_set(GOOD, BROKEN, NULL, FORBIDDEN, VAGUE), warehouse, today=TODAY)


@pytest.fixture(scope="module")
def app() -> typer.Typer:
    app = typer.Typer()
    app.command()(check)
    return app


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.toml"
    path.write_text(QUESTIONS, encoding="utf-8")
    return path


def test_the_summary_counts_the_golds_and_those_that_cannot_score(report: GoldReport) -> None:
    assert report.summary.startswith("4 golds checked on ")
    assert report.summary.endswith(", 2 cannot score: 2 errors, 1 warning, 2 notes")
    assert report.cannot_score == ("broken", "null")


def test_findings_come_item_by_item_worst_first(report: GoldReport) -> None:
    assert [finding.item_id for finding in report.findings] == ["broken", "broken", "null", "null", "null"]
    severities = [finding.severity for finding in report.findings if finding.item_id == "null"]
    assert severities == [Severity.ERROR, Severity.WARNING, Severity.NOTE]


def test_every_text_of_the_table_is_escaped(report: GoldReport) -> None:
    html = report._repr_html_()
    assert "NULL | &lt;b&gt; | 2026-11-29" in html
    assert "<b>" not in html


def test_the_report_of_nothing_says_so(warehouse: Warehouse) -> None:
    empty = check_golds(a_set(VAGUE), warehouse)
    assert empty.summary.startswith("0 golds checked on ")
    assert "none has golden SQL" in empty.summary
    assert "Nothing was found" in empty._repr_html_()


def test_json_holds_every_finding_with_cells_that_json_can_hold(warehouse: Warehouse) -> None:
    text, code = run_check(a_set(GOOD, NULL), warehouse, as_json=True)
    content = json.loads(text)
    assert code == 1
    assert (content["checked"], content["cannot_score"]) == (2, ["null"])
    assert content["findings"][0]["rows"] == [[None, "<b>", "2026-11-29"]]
    assert content["findings"][0].keys() == {"item_id", "code", "severity", "message", "sql", "rows", "suggestion"}


def test_the_command_shows_sql_only_where_it_is_not_the_reader_s_own(warehouse: Warehouse) -> None:
    text, _ = run_check(a_set(a_gold("SELECT discount FROM sales"), a_gold("SELECT first(product) FROM sales", id="first")), warehouse)
    assert "SELECT discount" not in text
    assert "ROW_NUMBER() OVER () DESC" in text


def test_the_command_ends_with_1_when_a_gold_cannot_score(app: typer.Typer, tables: Path, questions: Path) -> None:
    done = CliRunner().invoke(app, [str(questions), "--warehouse", str(tables)])
    assert done.exit_code == 1
    assert f"sales-2  ({questions}:" in done.output
    assert "✗ error, gold-empty" in done.output
    assert done.output.rstrip().endswith("1 cannot score: 1 error, 0 warnings, 1 note")


def test_the_command_ends_with_0_when_all_can(app: typer.Typer, tables: Path, questions: Path) -> None:
    done = CliRunner().invoke(app, [str(questions), "--warehouse", str(tables), "--split", "dev"])
    assert done.exit_code == 0
    assert "1 gold checked" in done.output


def test_the_command_selects_items_and_prints_json(app: typer.Typer, tables: Path, questions: Path) -> None:
    done = CliRunner().invoke(app, [str(questions), "--warehouse", str(tables), "--select", "*-2", "--json"])
    assert json.loads(done.output)["cannot_score"] == ["sales-2"]


@pytest.mark.parametrize("words", [["--warehouse", "nowhere.duckdb"], []])
def test_the_command_ends_with_2_when_it_cannot_check(app: typer.Typer, questions: Path, words: list[str]) -> None:
    assert CliRunner().invoke(app, [str(questions), *words]).exit_code == 2


def test_no_gold_of_the_shop_is_in_doubt() -> None:
    with open_warehouse("shop") as shop:
        report = check_golds(load_set(shipped("golden", "shop", "questions.toml")), shop)
    assert len(report.checks) == 40
    assert {finding.code for finding in report.findings} <= {"check-missing"}
