"""Memory: which stored answers count as answers to the question of an item: those of this set, this target and this question."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldenlib.workbench import view
from goldenlib.workbench.state import Workbench
from tests.workbench.scenes import a_bench, a_handler, answers

SURE, UNSURE = ("Cukup pernyataan pendirian oleh satu orang.", True), ("Silakan ke loket.", False)
CHATBOT = "http://chatbot.example/"
FOREIGN = (
    "lain @ demo",
    "lain @ chatbot.example",
    "ahu @ lain.example",
    "ahu @ chatbot.example:8080",
    "ahu @ demo",
    "ahu-lama @ chatbot.example",
)


def evidence(bench: Workbench) -> tuple[int, int, object, list[str], str | None]:
    """All that the page tells of stored answers to pt-akta: history, answers scored again, latest answer, warnings, marks."""
    bench.learn()
    bench.open_key = "pt-akta"
    codes = [hazard.code for hazard in bench.hazards("pt-akta") if hazard.code in ("flaky-phrase", "fails-passed-answers")]
    told = view.history(bench)["results"], view.derived(bench)["flips"]["total"], view.latest_answer(bench, "pt-akta")
    return len(told[0]), told[1], told[2], codes, bench.rows_by_key("pt-akta").marks


@pytest.mark.parametrize("series", FOREIGN)
def test_answers_in_runs_of_another_set_or_of_another_target_are_none_of_the_item(tmp_path: Path, series: str) -> None:
    """The same id in another set, or asked of another chatbot or of the demo, says nothing of what is signed here."""
    store = answers(tmp_path, "pt-akta", SURE, UNSURE, SURE, UNSURE, SURE, UNSURE, series=series)
    assert evidence(a_bench(tmp_path, store=store, chatbot_url=CHATBOT)) == (0, 0, None, [], "")


def test_answers_of_a_chatbot_are_none_of_the_demo(tmp_path: Path) -> None:
    store = answers(tmp_path, "pt-akta", SURE, UNSURE, SURE, series="ahu @ chatbot.example")
    assert evidence(a_bench(tmp_path, store=store)) == (0, 0, None, [], "")


def test_runs_with_and_without_a_judge_are_of_the_same_target(tmp_path: Path) -> None:
    answers(tmp_path, "pt-akta", SURE, UNSURE, SURE, UNSURE, series="ahu @ chatbot.example")
    store = answers(tmp_path, "pt-akta", SURE, UNSURE, series="ahu @ chatbot.example | facts only", prefix="unjudged")
    store = answers(tmp_path, "pt-akta", UNSURE, series="ahu @ lain.example", prefix="foreign")
    results, total, latest, codes, marks = evidence(a_bench(tmp_path, store=store, chatbot_url=CHATBOT))
    assert (results, total, marks) == (6, 6, "pfpfpf")
    assert latest is not None
    assert codes == ["flaky-phrase", "flaky-phrase"]


def test_an_answer_to_another_question_under_this_id_does_not_count(tmp_path: Path) -> None:
    answers(tmp_path, "pt-akta", *[SURE, UNSURE] * 3, question="Apa itu PT?", prefix="before")
    store = answers(tmp_path, "pt-akta", SURE, question="  apakah PT perorangan WAJIB akta notaris? ")
    results, total, _, codes, marks = evidence(a_bench(tmp_path, store=store))
    assert (results, total, codes, marks) == (1, 1, [], "p")


def test_answers_stop_counting_while_the_question_is_another_and_count_again_when_it_is_back(tmp_path: Path) -> None:
    store = answers(tmp_path, "pt-akta", *[SURE, UNSURE] * 3)
    bench = a_bench(tmp_path, store=store)
    before = evidence(bench)
    assert (before[0], before[3]) == (6, ["flaky-phrase", "flaky-phrase"])
    bench.set_field("pt-akta", "question", "Berapa modal PT perorangan?")
    assert evidence(bench) == (0, 0, None, [], "")
    bench.undo()
    assert evidence(bench) == before


def test_the_signature_is_put_under_no_answer_of_another_target(tmp_path: Path) -> None:
    store = answers(tmp_path, "pt-akta", SURE, series="lain @ demo")
    handler = a_handler(tmp_path, store=store)
    handler.handle({"action": "open", "key": "pt-akta"})
    dialog = handler.handle({"action": "ask_verify"})["dialog"]
    assert dialog["kind"] == "verify"
    assert dialog["answer"] is None


def test_a_renamed_item_keeps_its_history(tmp_path: Path) -> None:
    bench = a_bench(tmp_path, store=answers(tmp_path, "pt-akta", SURE, UNSURE))
    bench.rename("pt-akta", "pt-notaris", carry_history=True)
    bench.save(["pt-akta"])
    assert len(bench.answers("pt-notaris")) == 2
    assert bench.rows_by_key("pt-notaris").marks == "pf"
