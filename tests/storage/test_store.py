"""Runs and results in the store: what is put in comes back, and ids mean one run."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from goldenlib.answers import RunRecord
from goldenlib.errors import RunConflictError, RunNotFoundError, StoreError
from goldenlib.gating import Decision, Flip, Outcome, Regression, Totals
from goldenlib.storage import Store
from tests.builders import RUN_AT, a_result
from tests.storage.scenes import a_new_run, child, decided, ended, line, outcome, play, write

A_DECISION = Decision(
    outcome=Outcome.BLOCK,
    line="BLOCK: pass rate 50 % (1/2) < 80 %",
    reasons=("pass rate 50 % (1/2) < 80 %", "1 verified item regressed: pt-syarat"),
    totals=Totals(items=3, driven=2, scored=2, passed=1, errors=0, skipped=1),
    regressions=(Regression("pt-syarat", Flip.JUDGE_CHANGED, "run-0", "the judge's prompt differs"),),
    unverified=("pt-syarat",),
    compared=1,
    notes=("1 of 2 scored items compared with an earlier run",),
)


def test_a_run_comes_back_as_it_was(store: Store) -> None:
    run = a_new_run(
        settings={"golden_min_pass_rate": "0.8", "targets": {"public": {"kind": "openai", "url": "http://x/v1"}}, "judge_retries": 3},
        selection="id pt-*",
        all_item_ids=("b", "a"),
        allow_unverified=True,
        is_demo=True,
        experiment="prompt-7",
        arm="candidate",
        repeat=2,
        judge_model=None,
        judge_prompt_digest=None,
    )
    store.create_run(run)
    assert store.run("run-1") == run


def test_every_field_of_a_run_is_kept(store: Store) -> None:
    values = {"str": "x", "datetime": RUN_AT, "int": 7, "bool": True, "Mapping[str, Any]": {"k": 1}, "tuple[str, ...]": ("x", "y")}
    full = RunRecord(**{field.name: values[str(field.type).removesuffix(" | None")] for field in fields(RunRecord)})
    store.create_run(full)
    assert store.run("x") == full


def test_a_run_id_is_taken_once(store: Store) -> None:
    play(store, "run-1", {"a": "pass"}, hour=0)
    with pytest.raises(RunConflictError, match=r"run 'run-1' exists already; go on with it by --resume, or choose another --run-id"):
        store.create_run(a_new_run("run-1", hour=1))
    assert store.run("run-1").run_at == RUN_AT


@pytest.mark.parametrize("run_id", ["", "a\x00b", "a\nb", "\ud800", "x" * 301])
def test_an_id_that_could_not_be_found_again_is_refused(store: Store, run_id: str) -> None:
    with pytest.raises(StoreError, match="printable characters; choose another one"):
        store.create_run(a_new_run(run_id))
    with pytest.raises(StoreError, match="printable characters; choose another one"):
        store.create_run(a_new_run(all_item_ids=("fine", run_id)))


def test_a_missing_run_names_the_latest(store: Store) -> None:
    with pytest.raises(RunNotFoundError, match=r"no run 'run-9'; it holds no runs yet"):
        store.run("run-9")
    for hour in range(7):
        play(store, f"run-{hour}", {"a": "pass"}, hour=hour)
    with pytest.raises(RunNotFoundError, match=r"no run 'run-9'; the latest are run-6, run-5, run-4, run-3, run-2$"):
        store.run("run-9")


@pytest.mark.parametrize("ask", ["results", "baselines", "history", "vanished", "trend", "decision"])
def test_a_question_about_a_missing_run_is_an_error_and_not_empty(store: Store, ask: str) -> None:
    with pytest.raises(RunNotFoundError):
        getattr(store, ask)("no\x00\ud800run")


def test_secrets_do_not_reach_the_store(store: Store) -> None:
    settings = {"judge_api_key": "hunter2", "golden_store": "postgresql://u:hunter2@h/n", "chatbot_url": "http://x"}
    store.create_run(a_new_run(settings=settings, target="https://u:hunter2@host"))
    with store._database.reads() as connection:
        row = connection.execute(text("SELECT * FROM golden_runs")).one()
    assert "hunter2" not in str(row)
    assert store.run("run-1").settings == {"golden_store": "postgresql://u:***@h/n", "chatbot_url": "http://x"}


def test_a_finished_run_gives_its_decision_as_it_was(store: Store) -> None:
    store.create_run(a_new_run())
    assert store.decision("run-1") is None
    store.finish_run("run-1", finished_at=RUN_AT + timedelta(minutes=2), decision=A_DECISION)
    run = store.run("run-1")
    assert store.decision("run-1") == A_DECISION
    assert (run.decision, run.exit_code, run.decision_line, run.reasons) == ("BLOCK", 1, A_DECISION.line, A_DECISION.reasons)
    assert run.finished_at == RUN_AT + timedelta(minutes=2)


def test_finishing_a_missing_run_is_an_error(store: Store) -> None:
    with pytest.raises(RunNotFoundError):
        store.finish_run("run-9", finished_at=RUN_AT, decision=A_DECISION)


@pytest.mark.parametrize("changed", ["run_at", "finished_at"])
def test_a_time_without_zone_is_refused(store: Store, changed: str) -> None:
    naive: dict[str, Any] = {changed: datetime(2026, 7, 10, 16)}
    with pytest.raises(StoreError, match=rf"{changed} 2026-07-10T16:00:00 has no time zone; give one"):
        store.create_run(replace(a_new_run(), **naive))


def test_times_come_back_in_utc(store: Store) -> None:
    jakarta = timezone(timedelta(hours=7))
    store.create_run(replace(a_new_run(), run_at=datetime(2026, 7, 10, 16, 0, 0, 5, tzinfo=jakarta)))
    assert store.run("run-1").run_at.isoformat() == "2026-07-10T09:00:00.000005+00:00"


def test_results_come_in_the_order_of_the_set(store: Store) -> None:
    run = a_new_run(all_item_ids=("c", "a", "b"))
    store.create_run(run)
    write(store, run, [outcome("run-1", item_id, "pass") for item_id in ("z", "b", "a", "y", "c")])
    assert [result.item_id for result in store.results("run-1")] == ["c", "a", "b", "y", "z"]


def test_the_latest_run_is_the_one_that_was_created_last(store: Store) -> None:
    with pytest.raises(RunNotFoundError, match="holds no runs yet; make one with golden run"):
        store.latest_run()
    play(store, "first", {"a": "pass"}, hour=5, finish=False)
    with pytest.raises(RunNotFoundError, match="holds no finished runs yet"):
        store.latest_run(finished_only=True)
    play(store, "second", {"a": "pass"}, hour=1)  # on a machine whose clock is slow
    play(store, "third", {"a": "pass"}, hour=2, finish=False)
    assert store.latest_run().run_id == "third"
    assert store.latest_run(finished_only=True).run_id == "second"


def test_runs_are_listed_with_their_counts(store: Store) -> None:
    play(store, "run-1", {"a": "pass", "b": "fail", "c": "error", "d": "skip", "e": "pass"}, hour=0)
    play(store, "run-2", {}, hour=1, finish=False, series="other")
    second, first = store.runs()
    assert (first.run_id, first.items, first.scored, first.passed, first.errors, first.skipped) == ("run-1", 5, 3, 2, 1, 1)
    assert (second.run_id, second.items, second.scored, second.passed) == ("run-2", 0, 0, 0)
    assert (first.is_finished, second.is_finished) == (True, False)
    assert [run.run_id for run in store.runs(limit=1)] == ["run-2"]
    assert [run.run_id for run in store.runs(series="ahu @ chatbot.staging")] == ["run-1"]


class TestResuming:
    """`resume_run` takes a run up where it was left, with the same parameters (contract 5.3)."""

    def test_gives_what_is_scored_already(self, store: Store) -> None:
        play(store, "run-1", {"a": "pass", "b": "fail", "c": "error", "d": "skip"}, hour=0, finish=False)
        assert store.resume_run(a_new_run(all_item_ids=("a", "b", "c", "d"))) == {"a", "b"}

    def test_keeps_when_the_run_started(self, store: Store) -> None:
        play(store, "run-1", {"a": "pass"}, hour=0, finish=False)
        store.resume_run(a_new_run(hour=9))
        assert store.run("run-1").run_at == RUN_AT

    def test_clears_the_decision_until_the_run_finishes_again(self, store: Store) -> None:
        run = play(store, "run-1", {"a": "pass"}, hour=0)
        store.resume_run(run)
        assert store.run("run-1") == run
        assert store.decision("run-1") is None

    def test_of_a_missing_run_is_an_error(self, store: Store) -> None:
        with pytest.raises(RunNotFoundError):
            store.resume_run(a_new_run())

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"set_digest": "f" * 64}, "set_digest was '9c1e"),
            ({"selection": "id pt-*"}, "selection was '' and is 'id pt-*'"),
            ({"series": "ahu @ elsewhere"}, "series was 'ahu @ chatbot.staging' and is 'ahu @ elsewhere'"),
            ({"target": "elsewhere"}, "target was 'chatbot.staging' and is 'elsewhere'"),
            ({"judge_model": None}, "judge_model was 'qwen3-32b' and is None"),
            ({"judge_prompt_digest": "0"}, "judge_prompt_digest was"),
            ({"scorer_version": "2"}, "scorer_version was '1' and is '2'"),
            ({"allow_unverified": True}, "allow_unverified was False and is True"),
            ({"settings": {"golden_pass_threshold": "0.9"}}, "setting golden_pass_threshold was '0.7' and is '0.9'"),
        ],
    )
    def test_with_other_parameters_is_refused(self, store: Store, changes: dict[str, Any], said: str) -> None:
        run = play(store, "run-1", {"a": "pass"}, hour=0)
        with pytest.raises(RunConflictError) as refused:
            store.resume_run(replace(run, **changes))
        assert said in str(refused.value)
        assert str(refused.value).endswith("resume it with the same ones, or choose another --run-id")
        assert store.decision("run-1") is not None

    def test_names_all_that_differs(self, store: Store) -> None:
        run = play(store, "run-1", {"a": "pass"}, hour=0)
        said = r"target was .*; scorer_version was .*; setting golden_min_pass_rate was '0.8' and is None"
        with pytest.raises(RunConflictError, match=said):
            store.resume_run(replace(run, target="t", scorer_version="2", settings={}))

    def test_may_be_faster_or_more_patient(self, store: Store) -> None:
        run = a_new_run(settings={"golden_concurrency": 16, "judge_timeout_s": 60.0, "golden_store": "a.db", "judge_model": "m"})
        store.create_run(run)
        other = {"golden_concurrency": 64, "judge_timeout_s": 5.0, "golden_store": "./a.db", "chatbot_retries": 9, "judge_model": "m"}
        assert store.resume_run(replace(run, settings=other)) == frozenset()

    def test_knows_no_settings_that_there_were_none_of_then(self, store: Store) -> None:
        run = a_new_run(settings={"judge_model": "qwen"})
        store.create_run(run)
        later = {"judge_model": "qwen", "golden_hold_regressions": False}
        assert store.resume_run(replace(run, settings=later)) == frozenset()
        with pytest.raises(RunConflictError, match="setting golden_hold_regressions was False and is True"):
            store.resume_run(replace(run, settings=later | {"golden_hold_regressions": True}))


class TestLocking:
    """One process drives a run at a time (contract 5.3)."""

    def test_a_second_taker_is_told_at_once(self, store: Store, store_url: str) -> None:
        with child("hold_run", store_url, "run 1/ü") as other:
            assert line(other) == "locked"
            with pytest.raises(RunConflictError, match=r"^run 'run 1/ü' is being driven by another process; wait .* another --run-id$"):
                store.lock_run("run 1/ü").__enter__()
            with store.lock_run("run-2"):
                pass
            assert ended(other) == 0
        with store.lock_run("run 1/ü"):
            pass

    def test_two_stores_of_one_process_exclude_each_other_too(self, store: Store, store_url: str) -> None:
        with Store.open(store_url) as second, store.lock_run("run-1"), pytest.raises(RunConflictError), second.lock_run("run-1"):
            pass

    def test_a_link_to_the_file_leads_to_the_same_lock(self, tmp_path: Path) -> None:
        (tmp_path / "link.db").symlink_to(tmp_path / "golden.db")
        paths = [str(tmp_path / name) for name in ("golden.db", "link.db")]
        with Store.open(paths[0]) as store, store.lock_run("run-1"), Store.open(paths[1]) as second, pytest.raises(RunConflictError):
            second.lock_run("run-1").__enter__()

    def test_what_cannot_be_locked_is_refused(self, tmp_path: Path) -> None:
        with Store.open(str(tmp_path / "golden.db")) as store:
            with store.lock_run("run-1"):
                (lock,) = tmp_path.glob("*.lock")
            lock.mkdir()
            with pytest.raises(StoreError, match=r"\.lock: the run cannot be locked \(.*\); give yourself write permission"):
                store.lock_run("run-1").__enter__()

    def test_leaves_no_file_behind(self, tmp_path: Any) -> None:
        with Store.open(str(tmp_path / "golden.db")) as store, store.lock_run("run-1"):
            assert len(list(tmp_path.glob("*.lock"))) == 1
        assert [path.name for path in tmp_path.iterdir()] == ["golden.db"]

    def test_is_freed_when_the_work_fails(self, store: Store) -> None:
        with pytest.raises(ValueError, match="the work failed"), store.lock_run("run-1"):
            raise ValueError("the work failed")
        with store.lock_run("run-1"):
            pass


def test_a_store_says_its_name_without_the_password(tmp_path: Any) -> None:
    with Store.open(str(tmp_path / "golden.db")) as store:
        assert store.name == str(tmp_path / "golden.db")
        assert store.warnings == ()


def test_a_deleted_run_takes_its_rows_with_it(store: Store) -> None:
    play(store, "run-1", {"a": "pass"}, hour=0)
    with store._database.writes() as connection:
        connection.execute(text("DELETE FROM golden_runs"))
    with store._database.reads() as connection:
        assert [connection.scalar(text(f"SELECT count(*) FROM {table}")) for table in ("golden_results", "golden_answers")] == [0, 0]


def test_stored_answers_of_an_item_come_newest_first(store: Store) -> None:
    for hour, (word, series) in enumerate([("pass", "x"), ("fail", "y"), ("skip", "x"), ("error", "x"), ("pass", "x")]):
        play(store, f"run-{hour}", {"a": word, "b": "pass"}, hour=hour, series=series)
    assert [result.run_id for result in store.item_answers("a")] == ["run-4", "run-3", "run-1", "run-0"]
    assert [result.run_id for result in store.item_answers("a", 2)] == ["run-4", "run-3"]
    assert [result.run_id for result in store.item_answers("a", series="y")] == ["run-1"]
    assert store.item_answers("unknown") == ()
    newest = store.item_answers("a")[0]
    assert newest.answer == a_result().answer
    assert newest.scores == a_result().scores


def test_the_gate_of_a_stored_run_decides_the_same(store: Store) -> None:
    run = play(store, "run-1", {"a": "pass", "b": "fail", "c": "error", "d": "skip"}, hour=0)
    assert decided(run, store.results("run-1")) == store.decision("run-1")


def test_the_run_sequence_is_never_given_twice(store: Store) -> None:
    play(store, "run-1", {"a": "pass"}, hour=0)
    with store._database.writes() as connection:
        first = connection.scalar(text("SELECT run_seq FROM golden_runs"))
        connection.execute(text("DELETE FROM golden_runs"))
    store.create_run(a_new_run("run-2"))
    with store._database.reads() as connection:
        assert connection.scalar(text("SELECT run_seq FROM golden_runs")) > first


def test_now_is_a_time_that_can_be_stored(store: Store) -> None:
    now = datetime.now(UTC)
    store.create_run(replace(a_new_run(), run_at=now))
    assert store.run("run-1").run_at == now
