"""What earlier runs of a series say about the items of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event

from goldenlib.storage import ResultMark, Store
from tests.builders import RUN_AT, a_result
from tests.storage.scenes import a_new_run, baseline_runs, outcome, play, write


class TestBaselines:
    """The baseline of an item is its most recent earlier scored result in the series (contract 1)."""

    def test_of_the_first_run_there_are_none(self, store: Store) -> None:
        play(store, "r1", {"a": "pass"}, hour=0)
        assert store.baselines("r1") == {}

    def test_hold_the_whole_result_and_its_judge(self, store: Store) -> None:
        play(store, "r1", {"a": "pass"}, hour=0, judge_model="old", judge_prompt_digest="p1")
        play(store, "r2", {"a": "fail"}, hour=1)
        (baseline,) = store.baselines("r2").values()
        assert baseline.result == a_result("a", run_id="r1")
        assert (baseline.judge_model, baseline.judge_prompt_digest) == ("old", "p1")

    def test_without_answers_say_what_gates(self, store: Store) -> None:
        play(store, "r1", {"a": "fail"}, hour=0)
        play(store, "r2", {"a": "fail"}, hour=1)
        result = store.baselines("r2", with_answers=False)["a"].result
        assert result == replace(store.baselines("r2")["a"].result, answer=None, scores=())

    @pytest.mark.parametrize("word", ["error", "skip"])
    def test_skip_what_was_not_scored(self, store: Store, word: str) -> None:
        play(store, "r1", {"a": "pass"}, hour=0)
        play(store, "r2", {"a": word}, hour=1)
        play(store, "r3", {"a": "fail"}, hour=2)
        assert baseline_runs(store, "r3") == {"a": "r1"}

    def test_are_of_the_same_series(self, store: Store) -> None:
        play(store, "r1", {"a": "pass"}, hour=0)
        play(store, "r2", {"a": "pass"}, hour=1, series="ahu @ elsewhere")
        play(store, "r3", {"a": "fail"}, hour=2)
        assert baseline_runs(store, "r3") == {"a": "r1"}

    def test_are_earlier_than_the_run_however_late_it_is_asked(self, store: Store) -> None:
        play(store, "r1", {"a": "pass"}, hour=0)
        play(store, "r2", {"a": "fail"}, hour=1)
        play(store, "r3", {"a": "pass"}, hour=2)
        assert baseline_runs(store, "r2") == {"a": "r1"}

    def test_count_rows_of_a_run_that_crashed(self, store: Store) -> None:
        play(store, "r1", {"a": "pass"}, hour=0, finish=False)
        play(store, "r2", {"a": "fail"}, hour=1)
        assert baseline_runs(store, "r2") == {"a": "r1"}

    def test_are_for_the_items_of_the_run_only(self, store: Store) -> None:
        play(store, "r1", {"a": "pass", "b": "pass"}, hour=0)
        play(store, "r2", {"b": "error"}, hour=1)
        assert baseline_runs(store, "r2") == {"b": "r1"}

    def test_are_found_by_the_partial_index(self, store: Store) -> None:
        plan = the_plan(store, store.baselines)
        assert "golden_results_baseline" in plan
        assert "SCAN" not in plan
        assert "Seq Scan on golden_results" not in plan


class TestHistory:
    """The last results of each item, old to new, ending with the run."""

    def test_ends_with_the_run_and_says_what_became_of_each(self, store: Store) -> None:
        for hour, word in enumerate(("pass", "fail", "error", "skip", "pass", "fail")):
            play(store, f"r{hour}", {"a": word}, hour=hour)
        marks = store.history("r4", limit=4)["a"]
        assert marks == (
            ResultMark("r1", RUN_AT + timedelta(hours=1), False),
            ResultMark("r2", RUN_AT + timedelta(hours=2), None),
            ResultMark("r3", RUN_AT + timedelta(hours=3), None),
            ResultMark("r4", RUN_AT + timedelta(hours=4), True),
        )

    def test_has_one_entry_for_each_item_of_the_run(self, store: Store) -> None:
        play(store, "r1", {"a": "pass", "b": "pass"}, hour=0)
        play(store, "r2", {"b": "pass", "c": "pass"}, hour=1)
        runs = {item_id: [mark.run_id for mark in marks] for item_id, marks in store.history("r2").items()}
        assert runs == {"b": ["r1", "r2"], "c": ["r2"]}

    def test_is_of_the_same_series(self, store: Store) -> None:
        play(store, "r1", {"a": "pass"}, hour=0, series="ahu @ elsewhere")
        play(store, "r2", {"a": "pass"}, hour=1)
        assert [mark.run_id for mark in store.history("r2")["a"]] == ["r2"]

    def test_is_found_by_its_index(self, store: Store) -> None:
        plan = the_plan(store, store.history)
        assert "golden_results_history" in plan
        assert "SCAN golden_results" not in plan
        assert "Seq Scan on golden_results" not in plan


class TestFailingSince:
    """The first run of the unbroken row of failures before a run."""

    @pytest.mark.parametrize(
        ("before", "since"),
        [
            ("fail", "r0"),
            ("pass", None),
            ("pass fail fail", "r1"),
            ("fail pass fail", "r2"),
            ("pass fail error skip fail", "r1"),
            ("pass fail error", "r1"),
            ("fail fail fail fail fail fail fail fail fail fail fail fail", "r0"),
            ("error skip", None),
        ],
    )
    def test_is_where_the_row_began(self, store: Store, before: str, since: str | None) -> None:
        hours = list(enumerate(before.split()))
        for hour, word in hours:
            play(store, f"r{hour}", {"a": word}, hour=hour)
        play(store, "now", {"a": "fail"}, hour=len(hours))
        assert store.failing_since("now", ["a"]) == ({"a": since} if since else {})

    def test_is_only_told_of_the_items_asked_for(self, store: Store) -> None:
        play(store, "r1", {"a": "fail", "b": "fail"}, hour=0)
        play(store, "r2", {"a": "fail", "b": "fail"}, hour=1)
        assert store.failing_since("r2", ["b", "unknown"]) == {"b": "r1"}
        assert store.failing_since("r2", []) == {}

    def test_takes_any_number_of_items(self, store: Store) -> None:
        play(store, "r1", {"item-00000": "fail", "item-06000": "fail"}, hour=0)
        play(store, "r2", {"item-00000": "fail", "item-06000": "fail"}, hour=1)
        many = [f"item-{number:05d}" for number in range(6001)]
        assert store.failing_since("r2", many) == {"item-00000": "r1", "item-06000": "r1"}


    def test_is_found_by_the_partial_index(self, store: Store) -> None:
        plan = the_plan(store, lambda run_id: store.failing_since(run_id, [f"item-{number:03d}" for number in range(100)]))
        assert "golden_results_baseline" in plan
        assert "SCAN golden_results" not in plan
        assert "Seq Scan on golden_results" not in plan


class TestVanished:
    """Items that the last whole run scored and that are no longer in the set."""

    def test_are_told_with_the_run_that_scored_them(self, store: Store) -> None:
        play(store, "r1", {"z": "pass", "a": "pass", "b": "fail", "e": "error"}, hour=0)
        play(store, "r2", {"a": "pass"}, hour=1)
        assert store.vanished("r2") == {"b": "r1", "z": "r1"}

    def test_are_not_those_that_were_only_not_selected(self, store: Store) -> None:
        play(store, "r1", {"a": "pass", "b": "pass"}, hour=0)
        play(store, "r2", {"a": "pass"}, hour=1, selection="id a", all_item_ids=("a", "b"))
        assert store.vanished("r2") == {}

    def test_are_measured_against_a_whole_and_finished_run(self, store: Store) -> None:
        play(store, "r1", {"a": "pass", "b": "pass"}, hour=0)
        play(store, "r2", {"a": "pass"}, hour=1, selection="id a", all_item_ids=("a", "b"))
        play(store, "r3", {"a": "pass"}, hour=2, finish=False)
        play(store, "r4", {"a": "pass"}, hour=3)
        assert store.vanished("r4") == {"b": "r1"}

    def test_of_the_first_run_there_are_none(self, store: Store) -> None:
        play(store, "r1", {"a": "pass"}, hour=0)
        assert store.vanished("r1") == {}


class TestTrend:
    """The finished runs of a series over the same selection."""

    def test_runs_from_old_to_new_and_ends_with_the_run(self, store: Store) -> None:
        for hour in range(6):
            play(store, f"r{hour}", {"a": "pass", "b": "fail" if hour % 2 else "pass"}, hour=hour)
        assert [(run.run_id, run.passed, run.scored) for run in store.trend("r4", limit=3)] == [("r2", 2, 2), ("r3", 1, 2), ("r4", 2, 2)]
        assert [run.run_id for run in store.trend("r4", limit=1)] == ["r4"]

    def test_leaves_out_other_selections_series_and_runs_that_did_not_finish(self, store: Store) -> None:
        play(store, "whole", {"a": "pass"}, hour=0)
        play(store, "partial", {"a": "pass"}, hour=1, selection="id a")
        play(store, "crashed", {"a": "pass"}, hour=2, finish=False)
        play(store, "elsewhere", {"a": "pass"}, hour=3, series="ahu @ elsewhere")
        play(store, "partial-2", {"a": "pass"}, hour=4, selection="id a")
        play(store, "now", {"a": "pass"}, hour=5, finish=False)
        assert [run.run_id for run in store.trend("now")] == ["whole", "now"]
        assert [run.run_id for run in store.trend("partial-2")] == ["partial", "partial-2"]


class TestHistoryCases:
    """Histories from public bug reports (cases/gate.jsonl)."""

    def test_case_195_a_filtered_run_does_not_wipe_out_a_baseline(self, store: Store) -> None:
        play(store, "r1", {"a": "pass", "b": "pass"}, hour=0)
        play(store, "r2", {"a": "pass"}, hour=1, selection="id a", all_item_ids=("a", "b"))
        play(store, "r3", {"a": "pass", "b": "fail"}, hour=2)
        assert baseline_runs(store, "r3") == {"a": "r2", "b": "r1"}

    def test_case_197_a_standing_failure_says_since_when(self, store: Store) -> None:
        for hour, word in enumerate(("pass", "fail", "fail")):
            play(store, f"r{hour + 1}", {"a": word}, hour=hour)
        assert baseline_runs(store, "r3") == {"a": "r2"}
        assert store.failing_since("r3", ["a"]) == {"a": "r2"}

    def test_case_199_a_new_store_compares_nothing(self, store: Store) -> None:
        play(store, "r1", {"a": "fail"}, hour=0)
        assert store.baselines("r1") == {}
        assert store.failing_since("r1", ["a"]) == {}

    def test_case_203_history_hangs_on_the_id(self, store: Store) -> None:
        play(store, "r1", {}, hour=0)
        write(store, a_new_run("r1"), [outcome("r1", "a", "pass", question="Apa syarat PT?", digest="1")])
        play(store, "r2", {}, hour=1)
        write(store, a_new_run("r2"), [outcome("r2", "a", "fail", question="Apa syarat PT? ", digest="2")])
        assert baseline_runs(store, "r2") == {"a": "r1"}

    def test_case_209_an_item_that_left_the_set_is_told(self, store: Store) -> None:
        play(store, "r1", {"a": "pass", "b": "pass"}, hour=0)
        play(store, "r2", {"a": "pass"}, hour=1)
        assert store.vanished("r2") == {"b": "r1"}


def the_plan(store: Store, ask: Callable[[str], object]) -> str:
    """How the engine finds what is asked of the last run, in a store with 2,000 rows of history."""
    for hour in range(20):
        play(store, f"h{hour}", {f"item-{number:03d}": "fail" for number in range(100)}, hour=hour)
    statements: list[tuple[str, Any]] = []
    event.listen(store._database.engine, "before_cursor_execute", lambda _c, _cursor, text, values, *_: statements.append((text, values)))
    ask("h19")
    statement, values = statements[-1]
    with store._database.reads() as connection:
        explain = "EXPLAIN QUERY PLAN" if connection.dialect.name == "sqlite" else "EXPLAIN"
        return "\n".join(row[-1] for row in connection.exec_driver_sql(f"{explain} {statement}", values))
