"""Items that are asked again, and how little that moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldenlib import GoldenSet, RunOptions, Settings, Store, ask_again, decided_run, evaluate
from goldenlib.answers import Status
from goldenlib.errors import RunNotFoundError, SettingsError
from goldenlib.gating import Outcome

ANSWERS: dict[str, list[str]] = {}
SET = GoldenSet.of(
    [{"id": name, "question": name, "expected": {"must_include": ["WNI"]}, "verified": True} for name in ("a", "b")],
    "ahu",
)


def answer(question: str) -> str:
    """The chatbot: what is to be said next, the last for ever."""
    said = ANSWERS[question]
    text = said.pop(0) if len(said) > 1 else said[0]
    if text == "broken":
        raise OSError("down")
    return text


@pytest.fixture
def settings() -> Settings:
    targets = {"public": {"kind": "function", "callable": "tests.test_askagain:answer"}}
    return Settings(targets=targets, judge_url="off", golden_min_pass_rate="0", golden_concurrency=1)


def run(store: Store, settings: Settings, run_id: str) -> Outcome:
    return evaluate(SET, settings, store, RunOptions(run_id, label="staging")).decision.outcome


def test_asking_again_moves_no_baseline(tmp_path: Path, settings: Settings) -> None:
    """field/investigating 1: items asked between a good and a bad run turned the BLOCK into a PASS."""
    with Store.open(str(tmp_path / "golden.db")) as store:
        ANSWERS.update(a=["WNI"], b=["WNI"])
        assert run(store, settings, "r1") is Outcome.PASS
        ANSWERS.update(a=["WNA"])
        (asked,) = ask_again(SET, settings, store, ["a"], 2, label="staging")
        assert [result.passed for result in asked.now] == [False, False]
        assert run(store, settings, "r2") is Outcome.BLOCK


def test_what_is_asked_again_is_nobodys_latest_run(tmp_path: Path, settings: Settings) -> None:
    with Store.open(str(tmp_path / "golden.db")) as store:
        ANSWERS.update(a=["WNI"], b=["WNI"])
        ask_again(SET, settings, store, ["a"], 1)
        with pytest.raises(RunNotFoundError, match="holds no runs"):
            store.latest_run()
        assert store.runs() == ()


def test_it_is_told_beside_the_item_since_the_run_that_failed_it(tmp_path: Path, settings: Settings) -> None:
    with Store.open(str(tmp_path / "golden.db")) as store:
        ANSWERS.update(a=["WNI"], b=["WNI"])
        run(store, settings, "r1")
        ask_again(SET, settings, store, ["a"], 1, label="staging")
        ANSWERS.update(a=["WNA", "WNI", "WNA", "broken"])
        run(store, settings, "r2")
        (asked,) = ask_again(SET, settings, store, ["a"], 3, label="staging")
        assert asked.words == "1 of 2 passed, 1 not scored"
        assert [mark.passed for mark in asked.before] == [True]
        (item,) = decided_run(store).items
        assert item.asked_words == "asked again since: 1 of 2 passed"


def test_each_time_is_stored_with_its_answer(tmp_path: Path, settings: Settings) -> None:
    with Store.open(str(tmp_path / "golden.db")) as store:
        ANSWERS.update(a=["WNI", "WNA"], b=["WNI"])
        (asked,) = ask_again(SET, settings, store, ["a"], 2)
        stored = [store.results(result.run_id) for result in asked.now]
        assert [(result.answer.text, result.status) for (result,) in stored if result.answer is not None] == [
            ("WNI", Status.SCORED),
            ("WNA", Status.SCORED),
        ]
        assert [store.run(result.run_id).repeat for result in asked.now] == [1, 2]


@pytest.mark.parametrize(("items", "times", "told"), [(["z"], 1, "has no item 'z'"), ([], 1, "at least one item"), (["a"], 0, "1 to 100")])
def test_what_cannot_be_asked_is_refused_before_anybody_is(
    tmp_path: Path, settings: Settings, items: list[str], times: int, told: str
) -> None:
    ANSWERS.clear()
    with Store.open(str(tmp_path / "golden.db")) as store, pytest.raises(SettingsError, match=told):
        ask_again(SET, settings, store, items, times)
