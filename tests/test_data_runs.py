"""Runs of data questions over time: a corrected gold, a changed query, stored answers scored again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from goldenlib.answers import JudgeStatus, Status
from goldenlib.comparing.rescoring import rescore
from goldenlib.config.settings import Settings, load_settings
from goldenlib.gating import Flip, Outcome
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Item
from goldenlib.matching import MatchOutcome, ResultMatch
from goldenlib.reporting.report import Report
from goldenlib.reporting.wording import split_passed, split_words
from goldenlib.running import RunOptions, evaluate
from goldenlib.storage import Store
from tests.servers import ScriptedServer, completion, reply, serving

MARCH, APRIL = "SELECT sum(net) AS net FROM sales WHERE month = 3", "SELECT sum(net) AS net FROM sales WHERE month = 4"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(str(tmp_path / "golden.db")) as opened:
        yield opened


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("warehouse") / "sales.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE sales AS SELECT * FROM (VALUES (3, 10), (4, 20)) AS t(month, net)")
    return path


def settings(folder: Path, warehouse: Path, **answers: dict[str, Any]) -> Settings:
    path = folder / "answers.jsonl"
    path.write_text("\n".join(json.dumps({"item_id": name, **answer}) for name, answer in answers.items()), encoding="utf-8")
    overrides = {"targets": {"public": {"kind": "recorded", "path": str(path)}}, "judge_url": "off", "warehouse": str(warehouse)}
    return load_settings(overrides=overrides, environ={})[0]


def a_set(golden: str = MARCH, **more: Any) -> GoldenSet:
    item = Item.model_validate(
        {"id": "a", "question": "Net sales in March?", "verified": True, "note": "Net.", "expected": {"sql": {"golden": golden}}} | more
    )
    return GoldenSet("sales", (item,), ("a",))


def run(store: Store, golden_set: GoldenSet, configuration: Settings, run_id: str) -> Report:
    return evaluate(golden_set, configuration, store, RunOptions(run_id=run_id, allow_unverified=True))


def test_a_corrected_gold_is_a_changed_contract_and_no_regression(store: Store, warehouse: Path, tmp_path: Path) -> None:
    recorded = settings(tmp_path, warehouse, a={"sql": MARCH})
    run(store, a_set(MARCH), recorded, "r1")
    report = run(store, a_set(APRIL), recorded, "r2")
    (regression,) = report.decision.regressions
    assert (regression.flip, regression.gates) == (Flip.CONTRACT_CHANGED, False)


def test_an_agent_that_got_worse_is_a_regression_though_the_gold_was_reworded(store: Store, warehouse: Path, tmp_path: Path) -> None:
    run(store, a_set(MARCH), settings(tmp_path, warehouse, a={"sql": MARCH}), "r1")
    report = run(store, a_set(f"{MARCH} AND true"), settings(tmp_path, warehouse, a={"sql": APRIL}), "r2")
    assert [regression.gates for regression in report.decision.regressions] == [True]


@pytest.mark.parametrize(("answer", "flip"), [("It was 20.", Flip.REGRESSED), ("It was 10.", Flip.CONTRACT_CHANGED)])
def test_a_phrase_that_was_added_excuses_no_wrong_result(store: Store, warehouse: Path, tmp_path: Path, answer: str, flip: Flip) -> None:
    """fd-008, of a data question: the golden result stands in both contracts."""
    run(store, a_set(), settings(tmp_path, warehouse, a={"answer": "It was 10."}), "r1")
    stricter = {"sql": {"golden": MARCH}, "must_include": ["rupiah"]}
    report = run(store, a_set(expected=stricter), settings(tmp_path, warehouse, a={"answer": answer}), "r2")
    (regression,) = report.decision.regressions
    assert regression.flip is flip
    assert "the phrases changed since the baseline" in regression.note


def test_a_regression_that_stands_is_measured_on_the_gold_of_today(store: Store, warehouse: Path, tmp_path: Path) -> None:
    run(store, a_set(MARCH), settings(tmp_path, warehouse, a={"sql": MARCH}), "r1")
    april = settings(tmp_path, warehouse, a={"sql": APRIL})
    run(store, a_set(MARCH), april, "r2")
    assert [item.flip for item in run(store, a_set(MARCH), april, "r3").decision.standing] == [Flip.REGRESSED]
    corrected = "SELECT 30 AS net"
    assert [item.flip for item in run(store, a_set(corrected), april, "r4").decision.standing] == [Flip.CONTRACT_CHANGED]


UNREADABLE: dict[str, dict[str, Any]] = {
    "a date without end": {"sql": "SELECT DATE 'infinity' AS net"},
    "a date before all": {"sql": "SELECT DATE '-infinity' AS net"},
    "a far date": {"sql": "SELECT DATE '5000000-01-01' AS net"},
    "a far timestamp": {"sql": "SELECT TIMESTAMP '250000-01-01' AS net"},
    "a date before Christ": {"sql": "SELECT DATE '0044-03-15 (BC)' AS net"},
    "a list of them": {"sql": "SELECT [DATE 'infinity'] AS net"},
    "a map by lists": {"sql": "SELECT MAP {[1]: 2} AS net"},
    "a map by dates": {"sql": "SELECT MAP {DATE 'infinity': 2} AS net"},
    "rows of a wrong shape": {"rows": [[1], [1, 2]]},
    "rows that are none": {"rows": 3},
    "half a character": {"sql": "SELECT '\ud800'"},
    "half a character in rows": {"rows": [["\ud800"]]},
    "a query that is a list": {"sql": ["SELECT 1"]},
}


@pytest.mark.parametrize("answer", UNREADABLE.values(), ids=list(UNREADABLE))
def test_what_cannot_be_read_in_the_agents_own_result_is_a_regression(
    store: Store, warehouse: Path, tmp_path: Path, answer: dict[str, Any]
) -> None:
    """fd-074, field/security 1: failed, and never an error that is not counted (contract 9.6)."""
    run(store, a_set(), settings(tmp_path, warehouse, a={"sql": MARCH}), "r1")
    report = run(store, a_set(), settings(tmp_path, warehouse, a=answer), "r2")
    (result,) = report.results
    assert (result.status, result.passed) == (Status.SCORED, False)
    assert [regression.gates for regression in report.decision.regressions] == [True]


@pytest.mark.parametrize("sql", ["SELECT DATE 'infinity' AS d", "SELECT TIMESTAMP '250000-01-01' AS d", "SELECT [DATE '-infinity'] AS d"])
def test_a_gold_beyond_pythons_years_scores_like_any_other(store: Store, warehouse: Path, tmp_path: Path, sql: str) -> None:
    """fd-074: an end that is open is an ordinary "valid until"."""
    (right,) = run(store, a_set(sql), settings(tmp_path, warehouse, a={"sql": sql}), "r1").results
    (wrong,) = run(store, a_set(sql), settings(tmp_path, warehouse, a={"sql": MARCH}), "r2").results
    assert (right.passed, wrong.passed) == (True, False)


def test_another_query_is_another_answer(store: Store, warehouse: Path, tmp_path: Path) -> None:
    run(store, a_set(), settings(tmp_path, warehouse, a={"sql": MARCH}), "r1")
    report = run(store, a_set(), settings(tmp_path, warehouse, a={"sql": APRIL}), "r2")
    (regression,) = report.decision.regressions
    assert "unchanged" not in regression.note
    assert not any("identical answers" in note for note in report.decision.notes)


def test_stored_answers_are_scored_again_on_the_warehouse(store: Store, warehouse: Path, tmp_path: Path) -> None:
    recorded = settings(tmp_path, warehouse, a={"sql": MARCH})
    run(store, a_set(), recorded, "r1")
    assert [item.item.id for item in rescore(store, "r1", a_set(APRIL), recorded).flipped] == ["a"]
    assert rescore(store, "r1", a_set(MARCH), recorded).flipped == ()


def test_without_a_warehouse_nothing_is_said_of_what_would_pass(store: Store, warehouse: Path, tmp_path: Path) -> None:
    run(store, a_set(), settings(tmp_path, warehouse, a={"sql": MARCH}), "r1")
    rescored = rescore(store, "r1", a_set(APRIL))
    assert (rescored.items, rescored.not_fetched, rescored.scored) == ((), ("a",), 0)


def test_declines_are_scored_again_without_a_warehouse(store: Store, warehouse: Path, tmp_path: Path) -> None:
    decline = {"kind": "decline", "decline_type": "ambiguous", "expected": {}}
    run(store, a_set(**decline), settings(tmp_path, warehouse, a={"answer": "Which March do you mean?"}), "r1")
    (again,) = rescore(store, "r1", a_set(**decline | {"decline_type": "unanswerable"})).items
    assert (again.then.passed, again.now.passed) == (True, False)


def test_what_could_not_be_scored_stands_in_the_splits(store: Store, warehouse: Path, tmp_path: Path) -> None:
    items = [a_set(id=name, split="dev").items[0] for name in "ab"]
    recorded = settings(tmp_path, warehouse, a={"sql": MARCH})
    report = run(store, GoldenSet("sales", tuple(items), ("a", "b")), recorded, "r1")
    (split,) = report.splits
    assert (split_passed(split), split_words(split)) == ("1 of 1 scored (2 asked)", "1 correct, 1 not scored")


def test_the_head_of_a_report_names_the_warehouse(store: Store, warehouse: Path, tmp_path: Path) -> None:
    from goldenlib.reporting.wording import identity

    report = run(store, a_set(), settings(tmp_path, warehouse, a={"sql": MARCH}), "r1")
    assert f"warehouse {warehouse}" in identity(report)


def judged(folder: Path, warehouse: Path, url: str, answer: str) -> Settings:
    path = folder / "answers.jsonl"
    path.write_text(json.dumps({"item_id": "a", "answer": answer}), encoding="utf-8")
    overrides = {"targets": {"public": {"kind": "recorded", "path": str(path)}}, "judge_url": f"{url}/v1", "warehouse": str(warehouse)}
    return load_settings(overrides={**overrides, "judge_retries": 0, "golden_retry_wait_max_s": 0.01}, environ={})[0]


VERDICT = json.dumps({"correctness": 0.9, "passed": True, "reason": "It says ten."})


def test_what_words_leave_open_is_decided_by_the_judge(store: Store, warehouse: Path, tmp_path: Path) -> None:
    with serving(ScriptedServer(completion(VERDICT))) as url:
        report = run(store, a_set(), judged(tmp_path, warehouse, url, "More than 10."), "r1")
    (result,) = report.results
    assert (result.passed, result.word, result.judge_status) == (True, "correct", JudgeStatus.OK)
    assert "by the judge" in result.reason


def test_a_judge_that_fails_leaves_open_what_only_it_could_tell(store: Store, warehouse: Path, tmp_path: Path) -> None:
    with serving(ScriptedServer(reply("no", 500))) as url:
        report = run(store, a_set(), judged(tmp_path, warehouse, url, "More than 10."), "r1")
    (result,) = report.results
    assert (result.status, result.passed, result.judge_status) == (Status.ERROR, None, JudgeStatus.ERROR)
    assert report.decision.exit_code == 3


def test_a_judge_is_not_asked_about_what_is_decided(store: Store, warehouse: Path, tmp_path: Path) -> None:
    server = ScriptedServer(completion(VERDICT))
    with serving(server) as url:
        report = run(store, a_set(), judged(tmp_path, warehouse, url, "It was 11."), "r1")
    assert [result.word for result in report.results] == ["wrong"]
    assert server.requests == []


def test_phrases_of_a_data_question_are_searched_too(store: Store, warehouse: Path, tmp_path: Path) -> None:
    expected = {"sql": {"golden": MARCH}, "must_include": ["rupiah"]}
    report = run(store, a_set(expected=expected), settings(tmp_path, warehouse, a={"answer": "It was 10."}), "r1")
    (result,) = report.results
    assert (result.passed, result.word) == (False, "wrong")
    assert "missing 'rupiah'" in result.reason


def test_a_baseline_that_cannot_be_scored_again_does_not_end_the_run(
    store: Store, warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = settings(tmp_path, warehouse, a={"sql": MARCH})
    run(store, a_set(MARCH), recorded, "r1")

    async def fail(*_arguments: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("goldenlib.scoring.data.DataScorer.score", fail)
    report = run(store, a_set(APRIL), recorded, "r2")
    assert "internal error: RuntimeError: a fault of ours" in report.results[0].reason
    assert report.decision.exit_code == 3


def test_a_comparison_that_was_given_up_at_a_verified_item_is_never_green(
    store: Store, warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """fd-074: rows made to exhaust the comparison turned a regression into "not counted"."""
    run(store, a_set(), settings(tmp_path, warehouse, a={"sql": MARCH}), "r1")
    gave_up = ResultMatch(MatchOutcome.UNDECIDED, "undecided: 100,000,000 steps were not enough", 1, 1)
    monkeypatch.setattr("goldenlib.scoring.data.questions.results_match", lambda *_, **__: gave_up)
    report = run(store, a_set(), settings(tmp_path, warehouse, a={"sql": APRIL}), "r2")
    assert report.decision.outcome is Outcome.ERROR
    assert [result.fault for result in report.results] == [True]
