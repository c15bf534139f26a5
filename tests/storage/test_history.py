"""What earlier runs of a series say about the items of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event

from goldenlib.storage import FailingRow, ResultMark, Store
from tests.builders import RUN_AT, a_result
from tests.storage.scenes import baseline_runs, decided, outcome, play, write


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

    def test_are_of_finished_runs_only(self, store: Store) -> None:
        """fd-004: a run that was killed consumed a regression."""
        play(store, "r1", {"a": "pass"}, hour=0)
        play(store, "r2", {"a": "fail"}, hour=1, finish=False)
        play(store, "r3", {"a": "fail"}, hour=2)
        assert baseline_runs(store, "r3") == {"a": "r1"}

    def test_are_of_a_run_as_soon_as_it_finishes_and_at_the_place_of_its_creation(self, store: Store) -> None:
        play(store, "r1", {"a": "pass"}, hour=0)
        cut_off = play(store, "r2", {"a": "fail"}, hour=1, finish=False)
        play(store, "r3", {"a": "pass"}, hour=2)
        play(store, "r4", {"a": "fail"}, hour=3)
        store.finish_run("r2", finished_at=RUN_AT + timedelta(hours=4), decision=decided(cut_off, []))
        assert [baseline_runs(store, run_id) for run_id in ("r2", "r3", "r4")] == [{"a": "r1"}, {"a": "r2"}, {"a": "r3"}]

    def test_stay_while_their_run_is_taken_up_again_for_what_it_had_not_scored(self, store: Store) -> None:
        """What was finished stays a baseline: a run taken up again and killed must not let a later one pass with nothing to compare."""
        play(store, "r1", {"a": "pass", "b": "fail"}, hour=0)
        taken_up = play(store, "r2", {"a": "pass", "b": "error"}, hour=1)
        play(store, "r3", {"a": "fail", "b": "fail"}, hour=2)
        assert store.resume_run(taken_up) == {"a"}
        write(store, taken_up, [outcome("r2", "b", "pass")])
        assert baseline_runs(store, "r3") == {"a": "r2", "b": "r1"}  # and what it scores now is none before it finishes
        store.finish_run("r2", finished_at=RUN_AT + timedelta(hours=3), decision=decided(taken_up, []))
        assert baseline_runs(store, "r3") == {"a": "r2", "b": "r2"}

    def test_are_in_order_of_creation_whatever_the_clock_said(self, store: Store) -> None:
        """fd-007: a clock that went back left nothing to compare with."""
        play(store, "r1", {"a": "pass"}, hour=2)
        play(store, "r2", {"a": "fail"}, hour=0)
        play(store, "r3", {"a": "fail"}, hour=1)
        assert [baseline_runs(store, run_id) for run_id in ("r1", "r2", "r3")] == [{}, {"a": "r1"}, {"a": "r2"}]
        assert store.latest_run().run_id == "r3"
        assert [run.run_id for run in store.runs()] == ["r3", "r2", "r1"]
        assert [mark.run_id for mark in store.history("r3")["a"]] == ["r1", "r2", "r3"]
        assert [run.run_id for run in store.trend("r3")] == ["r1", "r2", "r3"]

    def test_of_a_part_are_for_the_same_part_only(self, store: Store) -> None:
        """fd-081: a partial run of the failed items disarmed the next full run."""
        play(store, "whole-1", {"a": "pass", "b": "pass"}, hour=0)
        play(store, "part-1", {"a": "fail"}, hour=1, selection="select a")
        play(store, "other", {"a": "fail"}, hour=2, selection="select a*")
        play(store, "part-2", {"a": "fail"}, hour=3, selection="select a")
        play(store, "whole-2", {"a": "fail", "b": "pass"}, hour=4)
        play(store, "part-3", {"a": "fail"}, hour=5, selection="select a")
        assert baseline_runs(store, "part-1") == {"a": "whole-1"}
        assert baseline_runs(store, "part-2") == {"a": "part-1"}
        assert baseline_runs(store, "whole-2") == {"a": "whole-1", "b": "whole-1"}
        assert baseline_runs(store, "part-3") == {"a": "whole-2"}

    def test_tell_long_selections_apart(self, store: Store) -> None:
        many = "select " + " or ".join(f"item-{number:04d}" for number in range(1000))
        play(store, "r1", {"a": "pass"}, hour=0, selection=many)
        play(store, "r2", {"a": "pass"}, hour=1, selection=f"{many} or b")
        play(store, "r3", {"a": "fail"}, hour=2, selection=many)
        assert baseline_runs(store, "r3") == {"a": "r1"}

    def test_are_for_the_items_of_the_run_only(self, store: Store) -> None:
        play(store, "r1", {"a": "pass", "b": "pass"}, hour=0)
        play(store, "r2", {"b": "error"}, hour=1)
        assert baseline_runs(store, "r2") == {"b": "r1"}

    def test_are_found_by_the_partial_index(self, store: Store) -> None:
        plan = the_plan(store, store.baselines)
        assert "golden_results_baseline" in plan
        assert "SCAN" not in plan
        assert "Seq Scan on golden_results" not in plan

    def test_of_a_part_are_found_by_the_partial_index_too(self, store: Store) -> None:
        plan = the_plan(store, store.baselines, selection="select item-*")
        assert plan.count("golden_results_baseline") == 2
        assert "SCAN golden_results" not in plan
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


class TestFailingRows:
    """The unbroken row of failures before a run: where it began, and where the item passed last."""

    @pytest.mark.parametrize(
        ("before", "since", "passed_in"),
        [
            ("fail", "r0", None),
            ("pass", None, None),
            ("pass fail fail", "r1", "r0"),
            ("fail pass fail", "r2", "r1"),
            ("pass error fail error skip fail", "r2", "r0"),
            ("pass fail error", "r1", "r0"),
            ("fail fail fail fail fail fail fail fail fail fail fail fail", "r0", None),
            ("error skip", None, None),
        ],
    )
    def test_are_told_with_where_they_began_and_the_pass_before(
        self, store: Store, before: str, since: str | None, passed_in: str | None
    ) -> None:
        hours = list(enumerate(before.split()))
        for hour, word in hours:
            play(store, f"r{hour}", {"a": word}, hour=hour)
        play(store, "now", {"a": "fail"}, hour=len(hours))
        assert store.failing_rows("now", ["a"]) == ({"a": FailingRow(since, passed_in)} if since else {})

    def test_leave_out_runs_that_did_not_finish_and_other_parts(self, store: Store) -> None:
        play(store, "r1", {"a": "pass"}, hour=0)
        play(store, "r2", {"a": "fail"}, hour=1)
        play(store, "killed", {"a": "pass"}, hour=2, finish=False)
        play(store, "part", {"a": "pass"}, hour=3, selection="select a")
        play(store, "now", {"a": "fail"}, hour=4)
        assert store.failing_rows("now", ["a"]) == {"a": FailingRow("r2", "r1")}

    def test_are_only_told_of_the_items_asked_for(self, store: Store) -> None:
        play(store, "r1", {"a": "fail", "b": "fail"}, hour=0)
        play(store, "r2", {"a": "fail", "b": "fail"}, hour=1)
        assert store.failing_rows("r2", ["b", "unknown"]) == {"b": FailingRow("r1", None)}
        assert store.failing_rows("r2", []) == {}

    def test_take_any_number_of_items(self, store: Store) -> None:
        play(store, "r1", {"item-00000": "fail", "item-06000": "fail"}, hour=0)
        play(store, "r2", {"item-00000": "fail", "item-06000": "fail"}, hour=1)
        many = [f"item-{number:05d}" for number in range(6001)]
        assert store.failing_rows("r2", many) == dict.fromkeys(("item-00000", "item-06000"), FailingRow("r1", None))

    def test_are_found_by_the_partial_index(self, store: Store) -> None:
        plan = the_plan(store, lambda run_id: store.failing_rows(run_id, [f"item-{number:03d}" for number in range(100)]))
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
        assert baseline_runs(store, "r3") == {"a": "r1", "b": "r1"}

    def test_case_197_a_standing_failure_says_since_when(self, store: Store) -> None:
        for hour, word in enumerate(("pass", "fail", "fail")):
            play(store, f"r{hour + 1}", {"a": word}, hour=hour)
        assert baseline_runs(store, "r3") == {"a": "r2"}
        assert store.failing_rows("r3", ["a"]) == {"a": FailingRow("r2", "r1")}

    def test_case_199_a_new_store_compares_nothing(self, store: Store) -> None:
        play(store, "r1", {"a": "fail"}, hour=0)
        assert store.baselines("r1") == {}
        assert store.failing_rows("r1", ["a"]) == {}

    def test_case_203_history_hangs_on_the_id(self, store: Store) -> None:
        for hour, (run_id, word, question) in enumerate([("r1", "pass", "Apa syarat PT?"), ("r2", "fail", "Apa syarat PT? ")]):
            run = play(store, run_id, {}, hour=hour, finish=False)
            result = outcome(run_id, "a", word, question=question, digest=run_id)
            write(store, run, [result])
            store.finish_run(run_id, finished_at=run.run_at, decision=decided(run, [result]))
        assert baseline_runs(store, "r2") == {"a": "r1"}

    def test_case_209_an_item_that_left_the_set_is_told(self, store: Store) -> None:
        play(store, "r1", {"a": "pass", "b": "pass"}, hour=0)
        play(store, "r2", {"a": "pass"}, hour=1)
        assert store.vanished("r2") == {"b": "r1"}


def the_plan(store: Store, ask: Callable[[str], object], **changes: Any) -> str:
    """How the engine finds what is asked of the last run, in a store with 2,000 rows of history."""
    for hour in range(20):
        play(store, f"h{hour}", {f"item-{number:03d}": "fail" for number in range(100)}, hour=hour, **changes)
    statements: list[tuple[str, Any]] = []
    event.listen(store._database.engine, "before_cursor_execute", lambda _c, _cursor, text, values, *_: statements.append((text, values)))
    ask("h19")
    statement, values = statements[-1]
    with store._database.reads() as connection:
        explain = "EXPLAIN QUERY PLAN" if connection.dialect.name == "sqlite" else "EXPLAIN"
        return "\n".join(row[-1] for row in connection.exec_driver_sql(f"{explain} {statement}", values))
