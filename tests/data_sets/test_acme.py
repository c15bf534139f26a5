"""ACME Insurance: a public set as an example, and recorded verdicts of others that this comparison reproduces."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlglot

from goldenlib.answers import Status
from goldenlib.config.settings import load_settings
from goldenlib.files.loading import load_set
from goldenlib.files.shipped import shipped
from goldenlib.gating import Outcome
from goldenlib.gold import check_gold, check_golds
from goldenlib.hazards import lint_set
from goldenlib.items import Item
from goldenlib.matching import results_match
from goldenlib.running import RunOptions, evaluate
from goldenlib.storage import Store
from goldenlib.warehouse import QueryFailed, QueryResult, Warehouse, open_warehouse

ACME = shipped("golden", "acme")
PUBLISHED = Path(__file__).parent / "acme"
OTHER_DIALECT = "iq_6da3f7fc"  # average time to settle: DATE_DIFF(start, end, "day")
TWO_GOLDS = "iq_b4236934"  # stands twice in the published set


def published(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (PUBLISHED / name).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def warehouse() -> Iterator[Warehouse]:
    with open_warehouse(ACME / "tables") as opened:
        yield opened


@pytest.fixture(scope="module")
def items() -> dict[str, Item]:
    return {item.id: item for item in load_set(ACME / "questions.toml")}


def test_questions_and_golds_are_those_published(items: dict[str, Item]) -> None:
    for record in published("questions.jsonl"):
        item = items[record["question_id"]]
        assert item.question == record["question"].strip()
        assert item.domain == record["title"].partition(":")[0]
        if item.id != TWO_GOLDS:
            assert item.expected.sql is not None
            assert item.expected.sql.golden == record["golden_sql"]


def test_of_the_question_published_twice_the_gold_that_runs_is_kept(items: dict[str, Item], warehouse: Warehouse) -> None:
    golds = [record["golden_sql"] for record in published("questions.jsonl") if record["question_id"] == TWO_GOLDS]
    kept = items[TWO_GOLDS].expected.sql
    assert kept is not None
    assert [type(warehouse.run(sql, trusted=True)) for sql in golds] == [QueryFailed, QueryResult]
    assert golds[1] == kept.golden


def test_no_question_has_a_note_or_counts_as_verified(items: dict[str, Item]) -> None:
    assert {(item.note, item.is_verified) for item in items.values()} == {("", False)}


def test_the_gold_check_finds_the_one_gold_that_does_not_run(items: dict[str, Item], warehouse: Warehouse) -> None:
    report = check_golds(items.values(), warehouse)
    assert len(report.checks) == 44
    assert report.cannot_score == (OTHER_DIALECT,)
    errors = [finding for check in report.checks for finding in check.findings if finding.severity == "error"]
    assert [finding.code for finding in errors] == ["gold-fails-to-run"]
    assert "DATE_DIFF('day', claim_open_date, claim_close_date)" in errors[0].suggestion
    outcome = warehouse.run(errors[0].sql, trusted=True)
    assert isinstance(outcome, QueryResult)
    assert outcome.tuples() == [(31003000336, 20.5)]


def test_the_questions_hold_no_hazards(items: dict[str, Item]) -> None:
    assert lint_set(items.values(), language="en") == ()
    assert lint_set(items.values()) == ()


# --- the recorded verdicts ---


def for_duckdb(sql: str) -> str:
    """SQL that was written for Snowflake; only DATEDIFF is spelled differently there in what was recorded."""
    return sqlglot.transpile(sql, read="snowflake", write="duckdb")[0] if "DATEDIFF" in sql.upper() else sql


@pytest.fixture(scope="module")
def verdicts(items: dict[str, Item], warehouse: Warehouse) -> dict[int, bool | None]:
    """Verdict by run: equivalent or not, or None where the generated SQL does not run."""
    golds = {}
    for item in items.values():
        assert item.expected.sql is not None
        suggested = check_gold(item, warehouse).findings[0].sql if item.id == OTHER_DIALECT else None
        outcome = warehouse.run(suggested or item.expected.sql.golden, trusted=True)
        assert isinstance(outcome, QueryResult)
        golds[(item.question or "").strip()] = outcome
    verdicts: dict[int, bool | None] = {}
    for run in published("gpt4_runs.jsonl"):
        outcome = warehouse.run(for_duckdb(run["generated_sql"]))
        golden = golds[run["question"].strip()]
        verdicts[run["run"]] = bool(results_match(outcome.rows, golden.rows)) if isinstance(outcome, QueryResult) else None
    return verdicts


def test_every_recorded_verdict_is_reproduced(verdicts: dict[int, bool | None]) -> None:
    disagreeing = [
        (run["run"], run["recorded_equivalent"], verdicts[run["run"]])
        for run in published("gpt4_runs.jsonl")
        if (run["recorded_equivalent"] == "true") != (verdicts[run["run"]] is True)
    ]
    assert disagreeing == []


def test_of_220_recorded_answers_72_are_equivalent_92_are_not_and_56_do_not_run(verdicts: dict[int, bool | None]) -> None:
    assert Counter(verdicts.values()) == {True: 72, False: 92, None: 56}


# --- the example as it is shipped ---


def test_the_shipped_answers_are_the_first_recorded_of_each_question(items: dict[str, Item]) -> None:
    recorded = [json.loads(line) for line in (ACME / "gpt4.jsonl").read_text(encoding="utf-8").splitlines()]
    first: dict[str, str] = {}
    for run in published("gpt4_runs.jsonl"):
        first.setdefault(run["question"].strip(), run["generated_sql"])
    assert {items[answer["question_id"]].question: answer["sql"] for answer in recorded} == first
    assert len(recorded) == 11


def test_the_example_runs_as_its_configuration_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ACME.parent.parent)
    settings, warnings = load_settings(ACME / "config.yaml", environ={})
    with Store.open(str(tmp_path / "golden.db")) as store:
        report = evaluate(load_set(ACME / "questions.toml", select=["HQLS"]), settings, store, RunOptions(run_id="acme"))
    assert warnings == ()
    assert Counter((result.status, result.passed) for result in report.results) == {
        (Status.SCORED, True): 3,
        (Status.SCORED, False): 7,
        (Status.ERROR, None): 1,
    }
    assert sum(result.reason.startswith("SQL error") for result in report.results) == 2
    (error,) = [result for result in report.results if result.status is Status.ERROR]
    assert error.item_id == OTHER_DIALECT
    assert "[gold-fails-to-run]" in error.reason
    assert report.decision.outcome is Outcome.BLOCK
