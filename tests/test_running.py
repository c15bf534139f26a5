"""The run, whole: from a golden set to a stored decision, over the parts that are used in earnest."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from goldenlib.answers import Answer, JudgeStatus, Status
from goldenlib.config.identity import checked_run_id, label_of, new_run_id
from goldenlib.config.settings import Settings, load_settings
from goldenlib.errors import RunConflictError, SettingsError, StoreError, TargetError
from goldenlib.files.loading import load_set
from goldenlib.files.shipped import shipped
from goldenlib.gating import Outcome
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Item
from goldenlib.reporting.report import Report
from goldenlib.running import RunOptions, describe_run, evaluate
from goldenlib.scoring.examining import Examiner
from goldenlib.storage import Store
from tests.builders import an_item
from tests.servers import ScriptedServer, completion, reply, serving, verdict

ANSWERS: dict[str, str] = {}
ASKED: list[str] = []


def ask_answers(question: str) -> str:
    """The target of these tests: what ANSWERS says, by question."""
    answer = ANSWERS[question]
    ASKED.append(question)
    if question.startswith("slow"):
        threading.Event().wait(0.05)  # as long as the writer takes to find out
    if answer == "(raises)":
        raise ConnectionResetError("peer closed")
    return answer


@pytest.fixture(autouse=True)
def _answers() -> Iterator[None]:
    ANSWERS.clear()
    ASKED.clear()
    yield
    ANSWERS.clear()


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(str(tmp_path / "golden.db")) as store:
        yield store


def settings_for(**changes: Any) -> Settings:
    target = {"kind": "function", "callable": f"{__name__}:ask_answers"}
    settings, _ = load_settings(overrides={"targets": {"public": target}, "judge_url": "off", **changes}, environ={})
    return settings


def a_set(*items: Item, name: str = "ahu") -> GoldenSet:
    return GoldenSet(name, items, tuple(item.id for item in items))


def asked(item_id: str, answer: str, **changes: Any) -> Item:
    """An item whose question is its id, with the answer that the target will give."""
    ANSWERS[item_id] = answer
    return an_item(item_id, question=item_id, verified=True, **changes)


def run(store: Store, golden_set: GoldenSet, run_id: str, settings: Settings | None = None, **options: Any) -> Report:
    return evaluate(golden_set, settings or settings_for(), store, RunOptions(run_id=run_id, **options))


def statuses(report: Report) -> Mapping[str, tuple[Status, bool | None]]:
    return {result.item_id: (result.status, result.passed) for result in report.results}


def test_one_items_failure_never_loses_the_others(sqlite_store: Store) -> None:
    golden_set = a_set(asked("a", "WNI"), asked("b", "(raises)"), asked("c", "WNI"))
    report = run(sqlite_store, golden_set, "r1")
    assert statuses(report) == {"a": (Status.SCORED, True), "b": (Status.ERROR, None), "c": (Status.SCORED, True)}
    assert "ConnectionResetError" in report.results[1].reason


def test_an_error_is_outside_the_pass_rate(sqlite_store: Store) -> None:
    totals = run(sqlite_store, a_set(asked("a", "WNI"), asked("b", "(raises)")), "r1").decision.totals
    assert (totals.scored, totals.passed, totals.errors) == (1, 1, 1)


def test_a_verified_item_that_passed_and_fails_now_blocks(sqlite_store: Store) -> None:
    golden_set = a_set(*(asked(name, "WNI") for name in "abcdefghij"))
    assert run(sqlite_store, golden_set, "r1").decision.outcome is Outcome.PASS
    ANSWERS["a"] = "siapa saja"
    decision = run(sqlite_store, golden_set, "r2").decision
    assert decision.line == "BLOCK: 1 verified item regressed: a [nothing was judged]"


def test_an_errored_run_in_between_is_no_baseline(sqlite_store: Store) -> None:
    golden_set = a_set(*(asked(name, "WNI") for name in "abcdefghij"))
    run(sqlite_store, golden_set, "r1")
    ANSWERS["a"] = "(raises)"
    run(sqlite_store, golden_set, "r2")
    ANSWERS["a"] = "siapa saja"
    (regression,) = run(sqlite_store, golden_set, "r3").decision.regressions
    assert regression.baseline_run_id == "r1"


def test_a_partial_run_leaves_the_baseline_of_what_it_left_out(sqlite_store: Store) -> None:
    items = [asked(name, "WNI") for name in "ab"]
    run(sqlite_store, a_set(*items), "r1")
    run(sqlite_store, GoldenSet("ahu", (items[0],), ("a", "b"), selection="select a"), "r2")
    ANSWERS["b"] = "siapa saja"
    regressions = run(sqlite_store, a_set(*items), "r3").decision.regressions
    assert [(regression.item_id, regression.baseline_run_id) for regression in regressions] == [("b", "r1")]


def test_an_item_that_left_the_set_is_named(sqlite_store: Store) -> None:
    first, second = asked("a", "WNI"), asked("b", "WNI")
    run(sqlite_store, a_set(first, second), "r1")
    assert "b: was scored in r1, not in this set any more" in run(sqlite_store, a_set(first), "r2").decision.notes


def test_a_failure_that_stays_is_named_with_the_run_it_began_in(sqlite_store: Store) -> None:
    golden_set = a_set(asked("a", "WNI"))
    run(sqlite_store, golden_set, "r1")
    ANSWERS["a"] = "siapa saja"
    run(sqlite_store, golden_set, "r2")
    decision = run(sqlite_store, golden_set, "r3").decision
    assert decision.regressions == ()
    assert "a: still failing since r2" in decision.notes


def test_a_stricter_contract_is_not_the_chatbots_regression(sqlite_store: Store) -> None:
    run(sqlite_store, a_set(asked("a", "WNI")), "r1")
    stricter = asked("a", "WNI", must_include=("WNI", "17 tahun"))
    (regression,) = run(sqlite_store, a_set(stricter), "r2").decision.regressions
    assert (regression.flip, regression.gates) == ("contract changed", False)


def test_a_changed_contract_that_the_old_answer_meets_does_not_hide_a_regression(sqlite_store: Store) -> None:
    run(sqlite_store, a_set(asked("a", "WNI, 17 tahun")), "r1")
    stricter = asked("a", "WNI", must_include=("WNI", "17 tahun"))
    (regression,) = run(sqlite_store, a_set(stricter), "r2").decision.regressions
    assert regression.gates


def test_with_the_judge_off_a_rubric_alone_is_skipped_and_nobody_is_asked(sqlite_store: Store) -> None:
    report = run(sqlite_store, a_set(an_item("a", question="never asked", rubric="jelas", verified=True)), "r1")
    (result,) = report.results
    assert (result.status, result.judge_status, result.answer) == (Status.SKIPPED, JudgeStatus.SKIPPED, None)
    assert report.decision.outcome is Outcome.ERROR


def test_runs_without_a_judge_are_a_series_of_their_own() -> None:
    golden_set = a_set(an_item("a"))
    judged = describe_run(golden_set, settings_for(judge_url="http://127.0.0.1:9/v1"), RunOptions())
    unjudged = describe_run(golden_set, settings_for(), RunOptions())
    assert judged.series != unjudged.series


def test_internal_items_are_skipped_until_their_surface_is_wired(sqlite_store: Store) -> None:
    golden_set = a_set(asked("a", "WNI"), asked("b", "WNI", surface="internal"))
    assert run(sqlite_store, golden_set, "r1").results[1].reason == "internal items skipped (drive not wired)"
    target = {"kind": "function", "callable": f"{__name__}:ask_answers"}
    wired = run(sqlite_store, golden_set, "r2", settings_for(targets={"public": target, "internal": target}))
    assert wired.results[1].passed is True


def test_items_that_the_target_cannot_be_asked_are_refused_before_anything_is_driven(sqlite_store: Store) -> None:
    """fd-013: they were skipped, and the rest was green."""
    items = [asked("a", "WNI"), an_item("b", turns=["satu", "dua"]), an_item("c", turns=["satu", "dua"])]
    with pytest.raises(TargetError, match="2 items of several turns cannot be asked of a target that takes one question: b, c; choose"):
        run(sqlite_store, a_set(*items), "r1", allow_unverified=True)
    assert sqlite_store.runs() == ()
    part = GoldenSet("ahu", (items[0],), ("a", "b", "c"), selection="select a")
    assert run(sqlite_store, part, "r1").decision.outcome is Outcome.PASS


def test_an_internal_scenario_is_skipped_as_long_as_its_surface_is_not_wired(sqlite_store: Store) -> None:  # contract 3.5
    items = [asked("a", "WNI"), an_item("b", turns=["satu", "dua"], surface="internal")]
    assert run(sqlite_store, a_set(*items), "r1", allow_unverified=True).results[1].reason == "internal items skipped (drive not wired)"


def test_a_fault_of_our_own_at_a_verified_item_makes_the_run_an_error(sqlite_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """field/security 1: what raises in us, in the middle of a run of verified items, is never green."""
    golden_set = a_set(*(asked(name, "WNI") for name in "abc"))
    examine = Examiner.examine

    async def faulty(self: Examiner, item: Item, answer: Answer, key: str) -> Any:
        if item.id == "b":
            raise KeyError(item.id)
        return await examine(self, item, answer, key)

    run(sqlite_store, golden_set, "r1")
    with monkeypatch.context() as patched:
        patched.setattr(Examiner, "examine", faulty)
        decision = run(sqlite_store, golden_set, "r2").decision
    assert (decision.outcome, decision.exit_code) == (Outcome.ERROR, 3)
    assert decision.reasons == ("1 verified item not examined, by a fault of goldenlib itself: b (internal error: KeyError: 'b')",)
    assert run(sqlite_store, golden_set, "r2", resume=True).decision.outcome is Outcome.PASS


def test_golden_results_without_a_warehouse_are_refused_before_anything_is_asked(sqlite_store: Store) -> None:
    data_question = an_item("a", expected={"sql": {"golden": "SELECT 1"}})
    with pytest.raises(SettingsError, match="set warehouse in the configuration"):
        run(sqlite_store, a_set(data_question), "r1", allow_unverified=True)
    assert sqlite_store.runs() == ()


def test_resuming_drives_only_what_is_not_scored(sqlite_store: Store) -> None:
    golden_set = a_set(asked("a", "WNI"), asked("b", "(raises)"))
    run(sqlite_store, golden_set, "r1")
    ANSWERS.update(a="(raises)", b="WNI")
    report = run(sqlite_store, golden_set, "r1", resume=True)
    assert statuses(report) == {"a": (Status.SCORED, True), "b": (Status.SCORED, True)}


def test_without_options_a_run_gets_an_id_of_its_own(sqlite_store: Store) -> None:
    report = evaluate(a_set(asked("a", "WNI")), settings_for(), sqlite_store)
    assert checked_run_id(report.run.run_id) == sqlite_store.latest_run().run_id


def test_a_run_id_is_taken_once(sqlite_store: Store) -> None:
    golden_set = a_set(asked("a", "WNI"))
    run(sqlite_store, golden_set, "r1")
    with pytest.raises(RunConflictError, match="--resume"):
        run(sqlite_store, golden_set, "r1")


def test_a_run_does_not_go_on_with_another_set(sqlite_store: Store) -> None:
    run(sqlite_store, a_set(asked("a", "WNI")), "r1")
    with pytest.raises(RunConflictError, match="set"):
        run(sqlite_store, a_set(asked("a", "WNI", must_include=("lain",))), "r1", resume=True)


def test_a_target_that_cannot_be_set_up_stops_before_the_run_is_stored(sqlite_store: Store) -> None:
    settings = settings_for(targets={"public": {"kind": "function", "callable": "goldenlib.nowhere:ask"}})
    with pytest.raises(TargetError, match=r"goldenlib\.nowhere"):
        run(sqlite_store, a_set(an_item("a")), "r1", settings)
    assert sqlite_store.runs() == ()


def test_a_stored_run_is_a_target(sqlite_store: Store) -> None:
    run(sqlite_store, a_set(asked("a", "WNI")), "r1")
    recorded = settings_for(targets={"public": {"kind": "recorded", "run_id": "r1"}})
    ANSWERS.clear()
    assert run(sqlite_store, a_set(an_item("a", question="a", verified=True)), "r2", recorded).results[0].passed is True


def test_every_result_is_handed_over_once_it_is_stored(sqlite_store: Store) -> None:
    seen: list[tuple[str, int]] = []

    def on_result(result: Any) -> None:
        seen.append((result.item_id, len(sqlite_store.results("r1"))))

    evaluate(a_set(asked("a", "WNI")), settings_for(), sqlite_store, RunOptions("r1"), on_result)
    assert seen == [("a", 1)]


def test_a_run_works_while_the_caller_has_a_loop_of_its_own(sqlite_store: Store) -> None:
    golden_set = a_set(asked("a", "WNI"))

    async def in_a_notebook() -> Report:
        return run(sqlite_store, golden_set, "r1")

    assert asyncio.run(in_a_notebook()).decision.outcome is Outcome.PASS


def test_no_thread_is_left_running(sqlite_store: Store) -> None:
    before = {thread.name for thread in threading.enumerate()}
    run(sqlite_store, a_set(asked("a", "WNI")), "r1")
    assert {thread.name for thread in threading.enumerate()} <= before | {"golden-target"}


def test_a_review_that_is_due_is_noted(sqlite_store: Store) -> None:
    item = asked("a", "WNI", review={"by": "Ahli", "due": "2020-01-01"})
    assert "a: its review was due on 2020-01-01" in run(sqlite_store, a_set(item), "r1").decision.notes


def test_an_item_changed_since_its_review_counts_as_unverified_and_says_so(sqlite_store: Store) -> None:
    item = asked("a", "WNI", review={"by": "Ahli", "at": "2026-01-02", "digest": "0" * 64})
    decision = run(sqlite_store, a_set(item), "r1").decision
    assert decision.outcome is Outcome.BLOCK
    assert "a: changed since verified on 2026-01-02 by Ahli" in decision.notes


@pytest.fixture(scope="module")
def demo_runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Report]:
    """The example set on the demo, healthy and then degraded."""
    golden_set = load_set([shipped("golden", "example.yaml")])
    with Store.open(str(tmp_path_factory.mktemp("demo") / "golden.db")) as store:
        reports = []
        for degraded in (False, True):
            settings, _ = load_settings(overrides={"demo_degraded": degraded}, environ={})
            reports.append(evaluate(golden_set, settings, store, RunOptions(allow_unverified=True)))
    return reports[0], reports[1]


def test_the_healthy_demo_passes_most_items_and_fails_some_honestly(demo_runs: tuple[Report, Report]) -> None:
    totals = demo_runs[0].decision.totals
    assert totals.scored == 34
    assert 2 <= totals.failed <= 4
    assert demo_runs[0].decision.outcome is Outcome.PASS


def test_the_degraded_demo_blocks_by_its_pass_rate_with_regressions_that_do_not_gate(demo_runs: tuple[Report, Report]) -> None:
    decision = demo_runs[1].decision
    assert decision.outcome is Outcome.BLOCK
    assert len(decision.reasons) == 1
    assert decision.reasons[0].startswith("pass rate")
    assert len(decision.regressions) >= 5
    assert not any(regression.gates for regression in decision.regressions)


def test_a_demo_run_says_everywhere_that_it_is_one(demo_runs: tuple[Report, Report]) -> None:
    report = demo_runs[0]
    assert report.run.is_demo
    assert "demo" in report.run.series
    assert report.demo
    assert "demo run" in report.decision.line
    assert all("demo judge" in score.reason for result in report.results for score in result.scores if score.axis == "judge")


def test_a_real_target_cannot_be_labelled_as_the_demo() -> None:
    with pytest.raises(SettingsError, match="demo"):
        label_of(settings_for(), "demo")


def test_the_default_label_is_the_targets_host() -> None:
    settings, _ = load_settings(overrides={"chatbot_url": "https://chatbot.example:8443/base", "judge_url": "off"}, environ={})
    assert label_of(settings) == "chatbot.example"


@pytest.mark.parametrize("run_id", ["", "a b", "a\nb", "é", "x" * 121, "a/b"])
def test_a_run_id_that_could_not_stand_in_names_is_refused(run_id: str) -> None:
    with pytest.raises(SettingsError, match="run id"):
        checked_run_id(run_id)


def test_a_new_run_id_can_be_used() -> None:
    assert checked_run_id(new_run_id())


def test_an_exit_in_the_callers_function_loses_no_row_and_decides_nothing(sqlite_store: Store) -> None:
    def leave(_: Any) -> None:
        raise SystemExit(1)  # as rich does, here on the writer's thread, when the reader of its output went away

    golden_set = a_set(*(asked(name, "WNI") for name in "abcdefghij"))
    with pytest.raises(StoreError, match="SystemExit"):
        evaluate(golden_set, settings_for(golden_concurrency=1), sqlite_store, RunOptions("r1"), leave)
    assert sqlite_store.run("r1").decision is None
    assert run(sqlite_store, golden_set, "r1", resume=True, settings=settings_for(golden_concurrency=1)).decision.totals.passed == 10


def test_a_run_is_never_decided_on_a_part_of_its_results(sqlite_store: Store, tmp_path: Path) -> None:
    def lose(result: Any) -> None:
        if result.item_id == "a":
            with closing(sqlite3.connect(tmp_path / "golden.db", isolation_level=None)) as connection:
                connection.execute("DELETE FROM golden_results WHERE item_id = 'a'")

    golden_set = a_set(*(asked(name, "WNI") for name in "abc"))
    with pytest.raises(StoreError, match="1 of 3 results were not stored; go on with --resume"):
        evaluate(golden_set, settings_for(), sqlite_store, RunOptions("r1"), lose)
    assert sqlite_store.run("r1").decision is None
    assert run(sqlite_store, golden_set, "r1", resume=True).decision.totals.passed == 3


def test_a_store_that_is_full_stops_the_asking(sqlite_store: Store, tmp_path: Path) -> None:
    """field/tests C15: answers that cannot be kept are not paid for."""
    golden_set = a_set(*(asked(f"slow-{number}", "WNI") for number in range(40)))
    with closing(sqlite3.connect(tmp_path / "golden.db", isolation_level=None)) as connection:
        connection.execute("CREATE TRIGGER full BEFORE INSERT ON golden_results BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END")
    with pytest.raises(StoreError, match="full"):
        run(sqlite_store, golden_set, "r1", settings_for(golden_concurrency=1))
    assert len(ASKED) < 20


def test_a_new_answer_of_a_resumed_item_is_judged_anew(sqlite_store: Store) -> None:
    """Contract 4.3, field/tests C11: under the same key a gateway gives the verdict on the old answer again."""
    server = ScriptedServer(*[reply("down", 503)] * 2, completion(verdict()))
    with serving(server) as url:
        settings = settings_for(judge_url=f"{url}/v1", judge_retries=0, golden_retry_wait_max_s=0.01)
        run(sqlite_store, a_set(asked("a", "WNI")), "r1", settings)
        for answer in ("juga WNI", "hanya WNI"):
            report = run(sqlite_store, a_set(asked("a", answer)), "r1", settings, resume=True)
    keys = [request.headers["idempotency-key"] for request in server.requests]
    assert keys[0] == "golden-r1-a"
    assert all(re.fullmatch("golden-r1-a-[0-9a-f]{12}", key) for key in keys[1:])
    assert len(set(keys)) == 3
    assert report.results[0].passed


def test_a_run_does_not_go_on_when_an_expert_has_withdrawn(sqlite_store: Store) -> None:
    run(sqlite_store, a_set(asked("a", "WNI")), "r1")
    with pytest.raises(RunConflictError, match="set"):
        run(sqlite_store, a_set(an_item("a", question="a", verified=False)), "r1", resume=True)


def test_a_run_cannot_be_called_latest() -> None:
    with pytest.raises(SettingsError, match="latest"):
        checked_run_id("Latest")


def test_a_real_host_called_demo_is_no_demo() -> None:
    settings, _ = load_settings(overrides={"chatbot_url": "http://demo:8080", "judge_url": "off"}, environ={})
    assert label_of(settings) != "demo"


def test_a_secret_that_a_function_says_is_nowhere(sqlite_store: Store) -> None:
    settings, _ = load_settings(
        overrides={"targets": {"public": {"kind": "function", "callable": f"{__name__}:ask_answers"}}, "judge_url": "off"},
        environ={"GOLDEN_CHATBOT_TOKEN": "tok-123456789"},
    )
    report = run(sqlite_store, a_set(asked("a", "WNI tok-123456789"), asked("b", "(raises)")), "r1", settings)
    assert "tok-123456789" not in repr(report)
    assert report.results[0].passed is True
