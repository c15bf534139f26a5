"""DABstep: the three public tasks that need only the fee rules, from published file to scored answer."""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from goldenlib.answers import Status
from goldenlib.config.settings import load_settings
from goldenlib.files.loading import load_set
from goldenlib.files.shipped import shipped
from goldenlib.gold import check_golds
from goldenlib.items import Item
from goldenlib.reporting.report import Report
from goldenlib.running import RunOptions, evaluate
from goldenlib.scoring.data.short_answers import answers_match
from goldenlib.storage import Store
from goldenlib.warehouse import QueryResult, Warehouse, open_warehouse

DABSTEP = shipped("golden", "dabstep")
TASKS = {f"dabstep-{task['task_id']}": task for task in json.loads((DABSTEP / "published" / "dev_tasks.json").read_text(encoding="utf-8"))}
ITEMS = {item.id: item for item in load_set(DABSTEP / "questions.toml")}
IDS = TASKS["dabstep-1464"]["answer"]


@pytest.fixture(scope="module")
def warehouse() -> Iterator[Warehouse]:
    with open_warehouse(DABSTEP / "tables") as opened:
        yield opened


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_question_and_guidelines_are_as_published(item: Item) -> None:
    assert (item.question, item.context) == (TASKS[item.id]["question"], TASKS[item.id]["guidelines"])


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_the_golden_result_is_the_published_answer(item: Item, warehouse: Warehouse) -> None:
    assert item.expected.sql is not None
    outcome = warehouse.run(item.expected.sql.golden)
    assert isinstance(outcome, QueryResult)
    assert ", ".join(str(value) for (value,) in outcome.tuples()) == TASKS[item.id]["answer"]


def test_all_golds_can_score_and_their_check_queries_agree(warehouse: Warehouse) -> None:
    report = check_golds(ITEMS.values(), warehouse)
    assert [finding.code for check in report.checks for finding in check.findings] == []


@pytest.mark.parametrize("name", ["fees", "merchant_category_codes"])
def test_a_table_is_what_its_script_makes_of_the_published_file(name: str) -> None:
    made = runpy.run_path(str(DABSTEP / "make_tables.py"))[name]()
    assert pyarrow.parquet.read_table(DABSTEP / "tables" / f"{name}.parquet").equals(made)


def test_nothing_of_the_fee_rules_is_lost_in_the_table() -> None:
    rules = json.loads((DABSTEP / "published" / "fees.json").read_text(encoding="utf-8"))
    assert pyarrow.parquet.read_table(DABSTEP / "tables" / "fees.parquet").to_pylist() == rules


# --- scored ---


def run(tmp_path: Path, answers: dict[str, str] | None = None) -> Report:
    """A run of the example, with other recorded answers where they are given."""
    overrides: dict[str, Any] = {"warehouse": str(DABSTEP / "tables")}
    recording = DABSTEP / "answers.jsonl"
    if answers is not None:
        recording = tmp_path / "answers.jsonl"
        lines = [json.dumps({"question_id": name, "answer": answer}) for name, answer in answers.items()]
        recording.write_text("\n".join(lines), encoding="utf-8")
    overrides["targets"] = {"public": {"kind": "recorded", "path": str(recording)}}
    settings, _ = load_settings(DABSTEP / "config.yaml", overrides=overrides, environ={})
    with Store.open(str(tmp_path / "golden.db")) as store:
        return evaluate(load_set(DABSTEP / "questions.toml"), settings, store, RunOptions(run_id="dabstep"))


def test_the_published_answers_are_all_correct(tmp_path: Path) -> None:
    report = run(tmp_path)
    assert [(result.status, result.passed) for result in report.results] == [(Status.SCORED, True)] * 3


def test_the_recorded_answers_are_the_published_ones() -> None:
    recorded = [json.loads(line) for line in (DABSTEP / "answers.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {answer["question_id"]: answer["answer"] for answer in recorded} == {name: TASKS[name]["answer"] for name in ITEMS}


WRONG = {
    "sign": ("-0.120132", "-0.123217", IDS.replace("1, 2,", "1, -2,", 1)),
    "rounded further": ("0.1201", "0.12", IDS.removesuffix(", 1000")),
    "rounded the other way": ("0.120131", "0.123218", f"{IDS}, 1001"),
    "a value too many": ("0.120132, 0.123217", "0.123217, 0.12", f"{IDS}, 1000"),
    "percent and none": ("0.120132%", "", "Not Applicable"),
}


@pytest.mark.parametrize("wrong", [name for name in WRONG if name != "percent and none"])
def test_no_wrong_answer_is_correct(wrong: str, tmp_path: Path) -> None:
    report = run(tmp_path, dict(zip(ITEMS, WRONG[wrong], strict=True)))
    assert [(result.status, result.passed) for result in report.results] == [(Status.SCORED, False)] * 3


def test_the_list_in_another_order_and_by_lines_is_correct(tmp_path: Path) -> None:
    by_lines = "\n".join(f"- {fee}" for fee in reversed(IDS.split(", ")))
    result = next(result for result in run(tmp_path, {"dabstep-1464": by_lines}).results if result.item_id == "dabstep-1464")
    assert result.passed is True


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("number", range(3), ids=list(ITEMS))
def test_the_comparison_of_short_answers_says_so_too(number: int, wrong: str) -> None:
    task = TASKS[list(ITEMS)[number]]
    assert answers_match(task["answer"], task["answer"], task["question"])
    assert not answers_match(WRONG[wrong][number], task["answer"], task["question"])
