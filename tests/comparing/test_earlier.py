"""What earlier runs say of a run: stories of several runs, played through `evaluate` into a real store of both engines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from goldenlib.answers import RunRecord
from goldenlib.comparing.earlier import Earlier, compare
from goldenlib.config.settings import Settings, load_settings
from goldenlib.errors import StoreError
from goldenlib.gating import Decision, Outcome, Policy, decide
from goldenlib.golden_set import GoldenSet
from goldenlib.reporting.gathering import stored_report
from goldenlib.reporting.report import Report
from goldenlib.running import RunOptions, describe_run, evaluate
from goldenlib.storage import Store
from goldenlib.storage.accepting import accept
from goldenlib.storage.tables import golden_results, golden_runs
from tests.builders import a_result, an_item
from tests.storage.scenes import a_new_run, write

RIGHT, WRONG = "Pendiri harus WNI.", "Siapa saja boleh."
ANSWERS: dict[str, str] = {}
HOLD = {"golden_hold_regressions": True}


def ask_answers(question: str) -> str:
    """The target of these tests: what ANSWERS says, by question."""
    if ANSWERS[question] == "(raises)":
        raise ConnectionResetError("peer closed")
    return ANSWERS[question]


@pytest.fixture(autouse=True)
def _answers() -> Iterator[None]:
    ANSWERS.clear()
    yield
    ANSWERS.clear()


def settings_for(**changes: Any) -> Settings:
    target = {"kind": "function", "callable": f"{__name__}:ask_answers"}
    overrides = {"targets": {"public": target}, "judge_url": "off", "golden_min_pass_rate": "0", **changes}
    return load_settings(overrides=overrides, environ={})[0]


def a_set(names: str = "ab", selected: str = "", **of_a: Any) -> GoldenSet:
    """A set of items that need the word WNI; `of_a` changes the contract of item a, and `selected` makes it a part."""
    items = [an_item(name, **{"question": name, "verified": True} | (of_a if name == "a" else {})) for name in names]
    kept = tuple(item for item in items if item.id in (selected or names))
    return GoldenSet("ahu", kept, tuple(names), selection=f"select {selected}" if selected else "")


def play(store: Store, run_id: str, answers: Mapping[str, str] | str, golden_set: GoldenSet | None = None, **changes: Any) -> Report:
    """Run the set; `answers` are those by item, or that of item a beside a right one of every other."""
    said = {"a": answers} if isinstance(answers, str) else answers
    golden_set = golden_set or a_set()
    ANSWERS.update({item.title: said.get(item.id, RIGHT) for item in golden_set})
    options = RunOptions(run_id=run_id, **{name: changes.pop(name) for name in ("resume", "allow_unverified", "label") if name in changes})
    return evaluate(golden_set, settings_for(**changes), store, options)


def killed(store: Store, run_id: str, answers: str, golden_set: GoldenSet | None = None) -> None:
    """A run that was killed after its rows were stored, before it was decided."""
    play(store, run_id, answers, golden_set)
    with store._database.writes() as connection:
        connection.execute(update(golden_runs).where(golden_runs.c.run_id == run_id).values(finished_at=None, decision_json=None))
        connection.execute(update(golden_results).where(golden_results.c.run_id == run_id).values(baseline_for=None))


def regressed(decision: Decision) -> list[tuple[str, str, bool]]:
    return [(regression.item_id, regression.baseline_run_id, regression.gates) for regression in decision.regressions]


class TestBaselines:
    """Finished runs, in the order of their creation, of the same part or the whole."""

    def test_a_run_that_was_killed_consumes_no_regression(self, store: Store) -> None:
        """fd-004"""
        play(store, "r1", RIGHT)
        killed(store, "r2", WRONG)
        decision = play(store, "r3", WRONG).decision
        assert (decision.outcome, regressed(decision)) == (Outcome.BLOCK, [("a", "r1", True)])

    def test_a_run_that_is_taken_up_again_stays_where_it_was_created(self, store: Store) -> None:
        play(store, "r1", RIGHT)
        killed(store, "r2", WRONG)
        play(store, "r3", RIGHT)
        assert regressed(play(store, "r2", WRONG, resume=True).decision) == [("a", "r1", True)]
        assert regressed(play(store, "r4", WRONG).decision) == [("a", "r3", True)]

    def test_a_stored_report_shows_the_baselines_that_it_was_decided_by(self, store: Store) -> None:
        play(store, "r1", RIGHT)
        killed(store, "r2", WRONG)
        play(store, "r3", WRONG)
        play(store, "r2", WRONG, resume=True)
        report = stored_report(store, "r3")
        assert regressed(report.decision) == [("a", "r1", True)]
        assert report.baselines["a"].result.run_id == "r1"

    def test_a_clock_that_went_back_is_warned_of_and_compares_all_the_same(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        """fd-007"""
        first = play(store, "r1", RIGHT).run
        with monkeypatch.context() as patched:
            patched.setattr("goldenlib.running.describe_run", slow_by(timedelta(minutes=3)))
            report = play(store, "r2", WRONG)
        assert report.run.run_at < first.run_at
        assert regressed(report.decision) == [("a", "r1", True)]
        (warning,) = report.warnings
        assert warning.startswith("The clock went back: this run began at ")
        assert "r1, which was created before it" in warning
        assert stored_report(store, "r2").warnings == report.warnings
        assert play(store, "r3", RIGHT).warnings == ()

    def test_a_partial_run_does_not_disarm_the_next_whole_one(self, store: Store) -> None:
        """fd-081"""
        play(store, "r1", RIGHT)
        part = play(store, "r2", WRONG, a_set(selected="a")).decision
        assert regressed(part) == [("a", "r1", True)]
        decision = play(store, "r3", WRONG).decision
        assert (decision.outcome, regressed(decision)) == (Outcome.BLOCK, [("a", "r1", True)])

    def test_the_same_part_compares_with_itself(self, store: Store) -> None:
        part = a_set(selected="a")
        play(store, "r1", RIGHT, part)
        assert regressed(play(store, "r2", WRONG, part).decision) == [("a", "r1", True)]
        assert play(store, "r3", WRONG).decision.compared == 0

    def test_runs_of_the_split_that_a_set_takes_by_itself_compare_with_one_another(self, store: Store) -> None:
        dev = GoldenSet("ahu", a_set("a").items, ("a", "b"), selection="split dev")  # as `golden run` loads a set with both splits
        play(store, "r1", RIGHT, dev)
        assert regressed(play(store, "r2", WRONG, dev).decision) == [("a", "r1", True)]


STRICTER = {"must_include": ("WNI", "17 tahun")}


class TestWhatCameBack:
    """A pass under today's very contract, by today's judge, leaves no excuse (contract 6.5)."""

    def test_a_contract_that_was_changed_and_changed_back_excuses_no_fail(self, store: Store) -> None:
        play(store, "r1", RIGHT)
        play(store, "r2", "Siapa saja, kata UU.", a_set(must_include=("UU",)))
        decision = play(store, "r3", WRONG).decision
        assert (decision.outcome, regressed(decision)) == (Outcome.BLOCK, [("a", "r2", True)])
        assert "it passed under this very contract before" in decision.regressions[0].note

    def test_a_contract_that_was_never_met_excuses_it(self, store: Store) -> None:
        play(store, "r1", RIGHT)
        play(store, "r2", WRONG, a_set(**STRICTER))
        assert regressed(play(store, "r3", RIGHT, a_set(**STRICTER)).decision) == []
        play(store, "r4", RIGHT)
        decision = play(store, "r5", RIGHT, a_set(**STRICTER)).decision
        assert regressed(decision) == [("a", "r4", False)]

    def test_it_holds_what_failed_before_too(self, store: Store) -> None:
        play(store, "r1", RIGHT, **HOLD)
        play(store, "r2", "Siapa saja, kata UU.", a_set(must_include=("UU",)), **HOLD)
        for run_id in ("r3", "r4"):
            assert play(store, run_id, WRONG, **HOLD).decision.outcome is Outcome.BLOCK


class TestRenamedItems:
    """An item that goes on under another id, with the same contract."""

    @staticmethod
    def renamed(**changes: Any) -> GoldenSet:
        return GoldenSet(
            "ahu", (an_item("z", question="a", verified=True, **changes), an_item("b", question="b", verified=True)), ("z", "b")
        )

    def test_go_on_with_their_history(self, store: Store) -> None:
        play(store, "r1", RIGHT)
        decision = play(store, "r2", {"z": WRONG}, self.renamed()).decision
        assert (decision.outcome, regressed(decision)) == (Outcome.BLOCK, [("z", "r1", True)])
        assert "z: was 'a' before, with the same contract; its history goes on" in str(decision.notes)
        assert "was scored in" not in str(decision.notes)

    def test_do_not_escape_the_hold(self, store: Store) -> None:
        play(store, "r1", RIGHT, **HOLD)
        play(store, "r2", WRONG, **HOLD)
        decision = play(store, "r3", {"z": WRONG}, self.renamed(), **HOLD).decision
        assert (decision.outcome, "z still failing since r2" in decision.line) == (Outcome.BLOCK, True)
        assert play(store, "r4", {"z": WRONG}, self.renamed(), **HOLD).decision.outcome is Outcome.BLOCK

    def test_with_another_contract_are_new_ones(self, store: Store) -> None:
        play(store, "r1", RIGHT)
        decision = play(store, "r2", {"z": WRONG}, self.renamed(**STRICTER)).decision
        assert (regressed(decision), decision.outcome) == ([], Outcome.PASS)
        assert "a: was scored in r1, not in this set any more" in str(decision.notes)


class TestContractsUnderOtherIds:
    """A contract is followed from id to id, whatever stood under them before or in between."""

    PHRASES = (("WNI", "WNI"), ("fee", "Rp50.000"))

    def set_of(self, **named: str) -> GoldenSet:
        needed = dict(self.PHRASES)
        items = tuple(an_item(item_id, question=name, verified=True, must_include=(needed[name],)) for item_id, name in named.items())
        return GoldenSet("ahu", items, tuple(named))

    def played(self, store: Store, run_id: str, wrong: str = "", *, changes: Mapping[str, Any] = HOLD, **named: str) -> Decision:
        answers = {item_id: WRONG if item_id == wrong else f"{dict(self.PHRASES)[name]}." for item_id, name in named.items()}
        return play(store, run_id, answers, self.set_of(**named), **changes).decision

    @pytest.mark.parametrize("named", [{"a": "fee", "b": "WNI"}, {"b": "WNI"}])
    def test_at_an_id_that_another_one_had_it_is_held_against_its_own_past(self, store: Store, named: dict[str, str]) -> None:
        self.played(store, "r1", a="WNI", b="fee")
        assert regressed(self.played(store, "r2", "b", **named)) == [("b", "r1", True)]
        assert "b still failing since r2" in self.played(store, "r3", "b", **named).line

    @pytest.mark.parametrize("named", [{"a": "fee", "b": "WNI"}, {"b": "WNI"}])
    def test_at_an_id_that_another_one_had_it_stays_held(self, store: Store, named: dict[str, str]) -> None:
        self.played(store, "r1", a="WNI", b="fee")
        self.played(store, "r2", "a", a="WNI", b="fee")
        for run_id in ("r3", "r4"):
            assert "b still failing since r2" in self.played(store, run_id, "b", **named).line

    def test_two_that_changed_ids_and_are_right_are_no_regressions(self, store: Store) -> None:
        self.played(store, "r1", a="WNI", b="fee")
        decision = self.played(store, "r2", a="fee", b="WNI")
        assert (decision.outcome, decision.regressions, decision.compared) == (Outcome.PASS, (), 2)

    def test_an_error_before_it_was_renamed_hides_nothing(self, store: Store) -> None:
        self.played(store, "r1", a="WNI", b="fee")
        play(store, "r2", {"a": "(raises)", "b": "Rp50.000."}, self.set_of(a="WNI", b="fee"))
        assert regressed(self.played(store, "r3", "z", z="WNI", b="fee")) == [("z", "r1", True)]

    def test_left_out_for_a_run_it_goes_on(self, store: Store) -> None:
        self.played(store, "r1", a="WNI", b="fee")
        self.played(store, "r2", b="fee")
        assert regressed(self.played(store, "r3", "z", z="WNI", b="fee")) == [("z", "r1", True)]

    def test_what_was_accepted_goes_along(self, store: Store) -> None:
        self.played(store, "r1", a="WNI", b="fee")
        self.played(store, "r2", "a", a="WNI", b="fee")
        accept(store, "r2", "a", by="Ani", reason="known")
        assert self.played(store, "r3", "z", z="WNI", b="fee").outcome is Outcome.PASS

    def test_what_was_accepted_is_not_left_to_another_one_at_the_old_id(self, store: Store) -> None:
        self.played(store, "r1", a="WNI", b="fee")
        self.played(store, "r2", "a", a="WNI", b="fee")
        accept(store, "r2", "a", by="Ani", reason="known")
        assert regressed(self.played(store, "r3", "a", a="fee")) == [("a", "r2", True)]

    def test_a_copy_of_an_item_that_stays_is_new(self, store: Store) -> None:
        self.played(store, "r1", a="WNI", b="fee")
        decision = self.played(store, "r2", "z", a="WNI", b="fee", z="WNI")  # of one question, so the answer is one
        assert regressed(decision) == [("a", "r1", True)]


@pytest.mark.parametrize(("first_judge", "flip"), [("judge one", "regressed"), ("judge two", "judge changed")])
def test_a_judge_that_came_back_excuses_nothing_of_a_renamed_item(store: Store, first_judge: str, flip: str) -> None:
    item = an_item("z", question="a", verified=True)
    runs = [("r1", "a", first_judge, 0.9), ("r2", "a", "judge two", 0.9), ("r3", "z", "judge one", 0.2)]
    for hour, (run_id, item_id, judge, correctness) in enumerate(runs):
        run = a_new_run(run_id, hour=hour, all_item_ids=(item_id,), judge_model=judge)
        results = [a_result(item_id, run_id=run_id, digest=item.digest, judge=correctness)]
        store.create_run(run)
        write(store, run, results)
        earlier = Earlier.of(store, run_id, {item.id: item.digest} if item_id == "z" else None)
        decision = decide(run, results, compare(store, run, [item], earlier, earlier.flipped(results), {}), Policy())
        store.finish_run(run_id, finished_at=run.run_at, decision=decision)
    assert [(found.item_id, found.flip) for found in decision.regressions] == [("z", flip)]


class TestHeldRegressions:
    """golden_hold_regressions (contract 6.2a)."""

    def test_block_until_they_pass_again(self, store: Store) -> None:
        """fd-005"""
        play(store, "r1", RIGHT, **HOLD)
        assert play(store, "r2", WRONG, **HOLD).decision.line.startswith("BLOCK: 1 verified item regressed: a")
        for run_id in ("r3", "r4"):
            decision = play(store, run_id, WRONG, **HOLD).decision
            assert decision.outcome is Outcome.BLOCK
            assert "a still failing since r2" in decision.line
        assert play(store, "r5", RIGHT, **HOLD).decision.outcome is Outcome.PASS
        assert regressed(play(store, "r6", WRONG, **HOLD).decision) == [("a", "r5", True)]

    def test_that_are_not_held_are_named_in_the_line(self, store: Store) -> None:
        """fd-006"""
        for run_id, answer in (("r1", RIGHT), ("r2", WRONG), ("r3", WRONG)):
            decision = play(store, run_id, answer).decision
        assert decision.outcome is Outcome.PASS
        assert "; 1 verified item still failing since r2: a" in decision.line

    def test_stand_through_errors_kills_partial_runs_and_a_slow_clock(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        play(store, "r1", RIGHT, **HOLD)
        play(store, "r2", WRONG, **HOLD)
        assert "a failing since r2, not scored now" in play(store, "errored", "(raises)", **HOLD).decision.line
        killed(store, "killed", RIGHT)
        monkeypatch.setattr("goldenlib.running.describe_run", slow_by(timedelta(hours=9)))
        play(store, "other", RIGHT, a_set(selected="b"), **HOLD)
        assert "a still failing since r2" in play(store, "part", WRONG, a_set(selected="a"), **HOLD).decision.line
        assert "a still failing since r2" in play(store, "r3", WRONG, **HOLD).decision.line

    def test_of_the_whole_are_not_cleared_by_a_part_that_passes(self, store: Store) -> None:
        play(store, "r1", RIGHT, **HOLD)
        play(store, "r2", WRONG, **HOLD)
        assert play(store, "part", RIGHT, a_set(selected="a"), **HOLD).decision.outcome is Outcome.PASS
        assert "a still failing since r2" in play(store, "r3", WRONG, **HOLD).decision.line

    def test_are_not_those_of_an_edited_contract(self, store: Store) -> None:
        stricter = {"must_include": ("WNI", "17 tahun")}
        play(store, "r1", RIGHT, **HOLD)
        for run_id in ("r2", "r3"):
            decision = play(store, run_id, RIGHT, a_set(**stricter), **HOLD).decision
            assert decision.outcome is Outcome.PASS
        assert "a: still failing since r2 (contract changed)" in decision.notes
        assert "a still failing since r2" in play(store, "r4", "Umur 17 tahun.", a_set(**stricter), **HOLD).decision.line

    def test_are_measured_by_the_contract_of_today(self, store: Store) -> None:
        play(store, "r1", RIGHT, **HOLD)
        play(store, "r2", WRONG, **HOLD)
        edited = a_set(must_include=("WNI", "17 tahun"))
        assert "a still failing since r2" in play(store, "r3", WRONG, edited, **HOLD).decision.line
        replaced = a_set(must_include=("17 tahun",))
        assert play(store, "r4", WRONG, replaced, **HOLD).decision.standing[0].flip == "contract changed"

    def test_block_no_more_once_accepted_until_they_pass(self, store: Store) -> None:
        for run_id, answer in (("r1", RIGHT), ("r2", WRONG)):
            play(store, run_id, answer, **HOLD)
        accept(store, "r2", "a", by="Ani", reason="the fee is being changed")
        report = play(store, "r3", WRONG, **HOLD)
        assert report.decision.outcome is Outcome.PASS
        assert any(note.startswith("a: failing, which Ani let stand in r2 on ") for note in report.notes)
        assert report.notes[-1].endswith(": the fee is being changed")
        assert play(store, "r4", RIGHT, **HOLD).notes[-1] == "a: newly passing"
        assert regressed(play(store, "r5", WRONG, **HOLD).decision) == [("a", "r4", True)]
        assert "a still failing since r5" in play(store, "r6", WRONG, **HOLD).decision.line

    def test_are_accepted_in_the_run_itself_when_it_is_decided_again(self, store: Store) -> None:
        play(store, "r1", RIGHT)
        play(store, "r2", WRONG)
        accept(store, "r2", "a", by="Ani", reason="known")
        stored = stored_report(store, "r2")
        assert stored.decision.outcome is Outcome.BLOCK  # what was decided stays decided
        assert stored.notes[-1].startswith("a: failing, which Ani let stand in r2 on ")
        again = play(store, "r2", WRONG, resume=True).decision
        assert (again.outcome, regressed(again)) == (Outcome.PASS, [("a", "r1", False)])


class TestChangedContracts:
    """Per phrase, and said with every flip (contract 6.5)."""

    @pytest.mark.parametrize(
        ("then", "said_then", "now", "said_now", "flip"),
        [
            # fd-008: what stood in both contracts was lost
            (["Rp200.000"], "Tarifnya Rp200.000.", ["Rp200.000", "sekali bayar"], "Tarifnya Rp250.000.", "regressed"),
            (["Rp200.000"], "Tarifnya Rp200.000.", ["rp200.000", "sekali bayar"], "Tarifnya Rp250.000.", "regressed"),
            # only what was added is missing
            (["Rp200.000"], "Tarifnya Rp200.000.", ["Rp200.000", "sekali bayar"], "Tarifnya Rp200.000", "contract changed"),
            (["Rp200.000"], "Tarifnya Rp200.000.", ["Rp250.000"], "Tarifnya Rp200.000", "contract changed"),
            # of two that were added, the old answer happened to have one: the old contract would pass both answers
            (["Rp200.000"], "Rp200.000, per akta.", ["Rp200.000", "per akta", "tunai"], "Rp200.000.", "contract changed"),
            # the old answer has all that was added
            (["Rp200.000"], "Rp200.000, per akta.", ["Rp200.000", "per akta"], "Rp200.000.", "regressed"),
        ],
    )
    def test_excuse_only_what_they_touch(
        self, store: Store, then: list[str], said_then: str, now: list[str], said_now: str, flip: str
    ) -> None:
        play(store, "r1", said_then, a_set("a", must_include=then))
        (regression,) = play(store, "r2", said_now, a_set("a", must_include=now)).decision.regressions
        assert regression.flip == flip
        assert "the phrases changed since the baseline" in regression.note

    @pytest.mark.parametrize(("was_forbidden", "flip"), [(("gratis",), "regressed"), ((), "contract changed")])
    def test_excuse_a_forbidden_phrase_only_where_it_was_not_forbidden(
        self, store: Store, was_forbidden: tuple[str, ...], flip: str
    ) -> None:
        then = a_set("a", must_include=("WNI",), must_not_include=was_forbidden)
        now = a_set("a", must_include=("WNI", "17 tahun"), must_not_include=("gratis",))
        play(store, "r1", "WNI.", then)
        (regression,) = play(store, "r2", "WNI, 17 tahun, gratis.", now).decision.regressions
        assert regression.flip == flip

    @pytest.mark.parametrize("word", ["WNI", "gratis"])
    def test_whose_earlier_form_was_not_kept_excuse_what_is_proven_alone(self, store: Store, word: str) -> None:
        """A store of an older version: the evidence tells the required phrases, and of a forbidden one nothing."""
        play(store, "r1", "WNI.", a_set("a", must_include=("WNI",), must_not_include=("gratis",)))
        with store._database.writes() as connection:
            connection.exec_driver_sql("DELETE FROM golden_contracts")
        now = a_set("a", must_include=("WNI", "17 tahun"), must_not_include=("gratis",))
        answer = {"WNI": "Siapa saja.", "gratis": "WNI, 17 tahun, gratis."}[word]
        (regression,) = play(store, "r2", answer, now).decision.regressions
        assert regression.flip == "regressed"
        assert "the contract changed since the baseline" in regression.note

    @pytest.mark.parametrize(
        ("then", "now", "said"),
        [
            ({}, {"question": "Berapa lama?"}, "the question changed since the baseline"),
            ({"rubric": "lama"}, {"rubric": "baru"}, "the rubric changed since the baseline"),
            ({"role": "warga"}, {"role": "notaris"}, "the role changed since the baseline"),
            ({}, {"kind": "decline"}, "the kind changed since the baseline"),
            ({}, {"question": "Apa?", "must_include": ("WNI", "RI")}, "the question and phrases changed since the baseline"),
        ],
    )
    def test_are_said_with_the_flip(self, store: Store, then: dict[str, Any], now: dict[str, Any], said: str) -> None:
        """fd-009"""
        phrases = {"must_include": ("WNI",)}
        play(store, "r1", RIGHT, a_set("a", **phrases | then))
        (regression,) = play(store, "r2", WRONG, a_set("a", **phrases | now)).decision.regressions
        assert said in regression.note

    def test_of_which_only_blanks_are_others_are_none(self, store: Store) -> None:
        play(store, "r1", RIGHT, a_set("a", must_include=("WNI",)))
        (regression,) = play(store, "r2", WRONG, a_set("a", must_include=("WNI ",))).decision.regressions
        assert regression.note == "missing 'WNI '"

    def test_are_kept_once(self, store: Store) -> None:
        for run_id in ("r1", "r2", "r3"):
            play(store, run_id, RIGHT)
        with store._database.reads() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM golden_contracts").scalar() == 2


def slow_by(late: timedelta) -> Any:
    """`describe_run` on a machine whose clock is late."""

    def described(*given: Any) -> RunRecord:
        run = describe_run(*given)
        return replace(run, run_at=run.run_at - late)

    return described


def test_a_split_that_was_left_out_shows_the_last_figures_of_its_own_series(store: Store) -> None:
    """field/tests, misleading: a split's figures from another series."""
    whole = GoldenSet("ahu", (an_item("a", question="a", split="dev"), an_item("b", question="b", split="test")), ("a", "b"))
    test = GoldenSet("ahu", whole.items[1:], ("a", "b"), selection="split test")
    for run_id, label, answer in (("r1", "one", RIGHT), ("r2", "two", WRONG)):
        play(store, run_id, answer, whole, label=label, allow_unverified=True)
    store.resume_run(play(store, "r3", WRONG, whole, label="one", allow_unverified=True).run)
    report = play(store, "r4", RIGHT, test, label="one", allow_unverified=True)
    shown = [(split.split, split.passed, split.scored, split.run_id) for split in report.splits]
    assert shown == [("dev", 1, 1, "r1"), ("test", 1, 1, "")]


def test_a_question_that_was_held_out_and_is_tuned_on_now_is_named(store: Store) -> None:
    play(store, "r1", RIGHT, a_set("a", split="test"), allow_unverified=True)
    report = play(store, "r2", RIGHT, a_set("a", split="dev"), allow_unverified=True)
    (told,) = [warning for warning in report.warnings if "test split" in warning]
    assert re.fullmatch(r"1 item of the test split is in it no more: a \(scored 1 time since \d{4}-\d\d-\d\d\)\.", told)
    assert [past.run_id for past in report.held_out] == ["r1"]


def test_the_report_of_an_unfinished_run_says_how_far_it_came(store: Store) -> None:
    """fd-021"""
    report = play(store, "r1", RIGHT, a_set("abc"))
    store.resume_run(report.run)
    with pytest.raises(StoreError, match=r"run r1 did not finish, so there is no report \(unfinished, 3 of 3\)"):
        stored_report(store, "r1")


def test_of_an_unfinished_part_whose_size_was_not_kept_it_says_what_came(store: Store) -> None:
    report = play(store, "r1", RIGHT, a_set("abc", selected="ab"))
    with store._database.writes() as connection:  # as a store of version 2 was brought up
        connection.execute(update(golden_runs).values(selected=None))
    store.resume_run(replace(report.run, selected=None))
    with pytest.raises(StoreError, match=r"run r1 did not finish, so there is no report \(unfinished, 2 so far\)"):
        stored_report(store, "r1")
