"""Accepting: who lets which regression stand, and what is refused."""

from __future__ import annotations

from datetime import timedelta

import pytest

from goldenlib.errors import AcceptanceError, RunNotFoundError
from goldenlib.storage import Acceptance, Store
from goldenlib.storage.accepting import accept
from tests.builders import RUN_AT
from tests.storage.scenes import play


@pytest.fixture
def regressed(store: Store) -> Store:
    """A store in which a passed in r1 and failed in r2; n failed in both, e ended in an error, and r3 did not finish."""
    play(store, "r1", {"a": "pass", "p": "pass", "e": "pass", "n": "fail"}, hour=0)
    play(store, "r2", {"a": "fail", "p": "pass", "e": "error", "n": "fail"}, hour=1)
    play(store, "r3", {"a": "fail"}, hour=2, finish=False)
    return store


def test_what_was_accepted_is_kept_with_name_reason_and_time(regressed: Store) -> None:
    kept = accept(regressed, "r2", "a", by=" Ani ", reason="the fee\nis being changed", at=RUN_AT)
    assert kept == Acceptance("r2", "a", "Ani", "the fee is being changed", RUN_AT)
    assert regressed.acceptances("r2") == regressed.acceptances("r3") == {"a": kept}
    assert regressed.acceptances("r1") == {}


@pytest.mark.parametrize(
    ("run_id", "item_id", "by", "reason", "said"),
    [
        ("r2", "a", " ", "known", "say who accepts it"),
        ("r2", "a", "Ani", "", "say why it may stand"),
        ("r3", "a", "Ani", "known", "did not finish"),
        ("r2", "x", "Ani", "known", "run 'r2' has no item 'x'"),
        ("r2", "p", "Ani", "known", "item 'p' passed in run 'r2'"),
        ("r2", "e", "Ani", "known", "item 'e' was not scored in run 'r2'"),
        ("r2", "n", "Ani", "known", "never passed before run 'r2'"),
        ("r1", "n", "Ani", "known", "never passed before run 'r1'"),
    ],
)
def test_there_is_nothing_else_to_accept(regressed: Store, run_id: str, item_id: str, by: str, reason: str, said: str) -> None:
    with pytest.raises(AcceptanceError, match=said):
        accept(regressed, run_id, item_id, by=by, reason=reason)
    assert regressed.acceptances("r3") == {}


def test_a_run_that_is_not_there_is_told(regressed: Store) -> None:
    with pytest.raises(RunNotFoundError, match="there is no run 'r9'; the latest are r3, r2, r1"):
        accept(regressed, "r9", "a", by="Ani", reason="known")


def test_what_is_recorded_is_never_changed(regressed: Store) -> None:
    accept(regressed, "r2", "a", by="Ani", reason="known")
    with pytest.raises(AcceptanceError, match="was accepted already"):
        accept(regressed, "r2", "a", by="Budi", reason="other")
    assert regressed.acceptances("r2")["a"].by == "Ani"


def test_an_item_is_accepted_in_any_run_of_its_row_of_failures(store: Store) -> None:
    for hour, word in enumerate(("pass", "fail", "error", "fail")):
        play(store, f"r{hour}", {"a": word}, hour=hour)
    kept = accept(store, "r3", "a", by="Ani", reason="known")
    assert store.acceptances("r3") == {"a": kept}
    assert store.acceptances("r1") == {}


@pytest.mark.parametrize(("finish", "stands"), [(True, False), (False, True)])
def test_what_was_accepted_stands_until_the_item_passes_in_a_finished_run(regressed: Store, finish: bool, stands: bool) -> None:
    accept(regressed, "r2", "a", by="Ani", reason="known")
    play(regressed, "r4", {"a": "pass"}, hour=4, finish=finish)
    play(regressed, "r5", {"a": "fail"}, hour=5)
    assert bool(regressed.acceptances("r5")) is stands


def test_what_was_accepted_is_of_its_series_alone(regressed: Store) -> None:
    accept(regressed, "r2", "a", by="Ani", reason="known")
    play(regressed, "elsewhere", {"a": "fail"}, hour=4, series="ahu @ elsewhere")
    assert regressed.acceptances("elsewhere") == {}


def test_what_was_accepted_goes_along_when_the_item_is_renamed(regressed: Store) -> None:
    accept(regressed, "r2", "a", by="Ani", reason="known", at=RUN_AT + timedelta(hours=3))
    regressed.rename_item("a", "z", of_sets=["ahu"])
    assert list(regressed.acceptances("r2")) == ["z"]


def test_a_renamed_item_takes_no_other_sets_history_along(store: Store) -> None:
    play(store, "r1", {"a": "pass"}, hour=0)
    play(store, "other", {"a": "pass"}, hour=1, set_name="yayasan", series="yayasan @ host")
    play(store, "both", {"a": "pass"}, hour=2, set_name="ahu+pt", series="ahu+pt @ host")
    assert store.history_size("a", of_sets=["ahu", "golden"]) == (2, 2)
    assert store.rename_item("a", "z", of_sets=["ahu", "golden"]) == 2
    assert [result.item_id for run_id in ("r1", "other", "both") for result in store.results(run_id)] == ["z", "a", "z"]


def test_what_has_passed_since_is_nothing_to_accept(store: Store) -> None:
    """Somebody would believe a release freed that the next failure blocks."""
    for hour, word in enumerate(["pass", "fail", "pass", "fail"]):
        play(store, f"r{hour + 1}", {"a": word}, hour=hour)
    with pytest.raises(
        AcceptanceError, match=r"item 'a' has passed since run 'r2', in run r3; accept it in a run in which it failed after that"
    ):
        accept(store, "r2", "a", by="Ani", reason="known")
    assert accept(store, "r4", "a", by="Ani", reason="known").run_id == "r4"
