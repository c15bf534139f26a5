"""The shop's questions, run: outcomes, splits side by side, and who looked at the held-out one."""

from __future__ import annotations

import json
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from goldenlib.answers import Status
from goldenlib.config.identity import who_starts
from goldenlib.config.settings import load_settings
from goldenlib.files.loading import load_set
from goldenlib.files.shipped import shipped
from goldenlib.reporting.machine import report_as_dict
from goldenlib.reporting.markdown import render_markdown
from goldenlib.reporting.page import render_html
from goldenlib.reporting.report import Report
from goldenlib.running import RunOptions, evaluate
from goldenlib.storage import Store

QUESTIONS = shipped("golden", "shop", "questions.toml")
BASELINE = shipped("golden", "shop", "baseline.jsonl")


def run(shop_file: Path, store: Store, run_id: str, *, questions: Path = QUESTIONS, answers: Path = BASELINE, **selection: Any) -> Report:
    target = {"kind": "recorded", "path": str(answers)}
    overrides = {"targets": {"public": target}, "judge_url": "off", "warehouse": str(shop_file)}
    settings, _ = load_settings(overrides=overrides, environ={})
    golden_set = load_set(questions, hold_out=True, **selection)
    return evaluate(golden_set, settings, store, RunOptions(run_id=run_id, allow_unverified=True))


@pytest.fixture(scope="module")
def reports(shop_file: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    """The recorded baseline on dev, then on test, then on all."""
    with Store.open(str(tmp_path_factory.mktemp("store") / "golden.db")) as store:
        return {split: run(shop_file, store, f"run-{split}", split=split) for split in ("dev", "test", "all")}


def words(report: Report) -> dict[str, int]:
    return dict(Counter(result.word for result in report.results))


def test_the_baseline_comes_out_as_its_readme_says(reports: dict[str, Report]) -> None:
    assert words(reports["dev"]) == {"correct": 1, "wrong": 14, "error": 9}
    assert words(reports["test"]) == {"correct": 2, "wrong": 13, "error": 9}


def test_an_agents_failing_query_counts_as_failed_and_not_as_an_error_of_ours(reports: dict[str, Report]) -> None:
    failed = [result for result in reports["dev"].results if result.word == "error"]
    assert {(result.status, result.passed) for result in failed} == {(Status.SCORED, False)}
    assert all(result.reason.startswith("SQL error") for result in failed)


def test_a_baseline_that_shows_what_is_forbidden_leaks(reports: dict[str, Report]) -> None:
    leaked = {result.item_id for result in reports["all"].results if result.reason.startswith("leak: ")}
    assert leaked == {"shop-023", "shop-048"}


def test_both_splits_stand_side_by_side_also_when_one_was_run_before(reports: dict[str, Report]) -> None:
    splits = {split.split: (split.passed, split.scored, split.run_id) for split in reports["test"].splits}
    assert splits == {"dev": (1, 24, "run-dev"), "test": (2, 24, "")}


def test_a_run_of_everything_has_both_splits_itself(reports: dict[str, Report]) -> None:
    assert [(split.split, split.scored, split.run_id) for split in reports["all"].splits] == [("dev", 24, ""), ("test", 24, "")]


def test_every_scoring_of_the_held_out_split_is_shown_with_who_and_when(reports: dict[str, Report]) -> None:
    assert [past.run_id for past in reports["dev"].held_out] == []
    assert [past.run_id for past in reports["test"].held_out] == ["run-test"]
    assert [(past.run_id, past.started_by, past.passed) for past in reports["all"].held_out] == [
        ("run-test", who_starts(), 2),
        ("run-all", who_starts(), 2),
    ]


def test_every_report_says_how_often_the_held_out_split_was_scored_and_what_one_question_is(reports: dict[str, Report]) -> None:
    for text in (render_html(reports["all"]), render_markdown(reports["all"])):
        assert "The test split was scored 2 times" in text
        assert "4.2 points" in unescape(text)
    values = report_as_dict(reports["all"])
    assert [split["one_question"] for split in values["splits"]] == [1 / 24, 1 / 24]
    assert len(values["held_out"]) == 2


def test_the_machine_readable_report_has_outcome_split_and_parts(reports: dict[str, Report]) -> None:
    first = next(result for result in report_as_dict(reports["dev"])["results"] if result["item_id"] == "shop-001")
    assert (first["outcome"], first["split"], first["kind"], first["parts"][0]["kind"]) == ("error", "dev", "answer", "query")


def test_golden_answers_pass_and_right_declines_too(shop_file: Path, tmp_path: Path) -> None:
    lines = []
    for item in load_set(QUESTIONS):
        if item.kind == "answer" and item.expected.sql is not None:
            lines.append({"item_id": item.id, "sql": item.expected.sql.golden})
        else:
            lines.append({"item_id": item.id, "decline": {"type": item.decline_type or item.kind}})
    path = tmp_path / "right.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with Store.open(str(tmp_path / "golden.db")) as store:
        report = run(shop_file, store, "right", answers=path, split="all")
    assert words(report) == {"correct": 48}
    assert report.decision.exit_code == 0


def test_a_gold_that_fails_its_check_is_not_asked_and_not_counted(shop_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "questions.toml"
    gold = "SELECT 1 AS n WHERE false"
    path.write_text(f'[[questions]]\nquestion_id = "a"\nquestion = "How many?"\ngolden_sql = "{gold}"\n', encoding="utf-8")
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"item_id": "a", "rows": []}', encoding="utf-8")
    with Store.open(str(tmp_path / "golden.db")) as store:
        report = run(shop_file, store, "empty-gold", questions=path, answers=answers)
    (result,) = report.results
    assert (result.status, result.word, result.answer) == (Status.ERROR, "gold failed its check", None)
    assert report.decision.exit_code == 3  # nothing scored is never green
    assert any("1 of 1 questions could not be scored, for their gold failed its check" in warning for warning in report.warnings)


def test_parts_of_answers_are_kept_for_later(shop_file: Path, tmp_path: Path) -> None:
    with Store.open(str(tmp_path / "golden.db")) as store:
        run(shop_file, store, "first", select=["shop-001"])
        (answer,) = store.answers("first").values()
    assert answer.events[0].content.startswith("SELECT fiscal_period")


@pytest.mark.parametrize(
    ("environ", "who"), [({"GITHUB_ACTOR": "ana"}, "ana"), ({"GITLAB_USER_LOGIN": "budi", "GITHUB_ACTOR": "ana"}, "budi")]
)
def test_ci_says_who_starts_a_run(environ: dict[str, str], who: str) -> None:
    assert who_starts(environ) == who
