"""Examining: what an item's several scores come to, on a real warehouse and a judge behind a real gateway (field/tests C2 to C4)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from goldenlib.answers import Answer, Event, EventKind, JudgeStatus, Score, Status
from goldenlib.comparing.rescoring import examined_today
from goldenlib.config.settings import Settings
from goldenlib.items import Item
from goldenlib.scoring.data.questions import Word
from goldenlib.scoring.examining import Examiner
from goldenlib.scoring.judge import Judge
from goldenlib.scoring.outcome import ItemOutcome
from goldenlib.scoring.scorer import Opened
from goldenlib.warehouse import Warehouse, open_warehouse
from tests.builders import a_result
from tests.servers import Request, Script, ScriptedServer, completion, reply, verdict

RIGHT, REFUSED = completion(verdict()), completion(verdict(0.1, False))


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    path = tmp_path_factory.mktemp("warehouse") / "sales.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE sales AS SELECT * FROM (VALUES (3, 10), (4, 20)) AS t(month, net)")
    with open_warehouse(path) as opened:
        yield opened


def an_item(**expected: Any) -> Item:
    golden = {"sql": {"golden": "SELECT net FROM sales WHERE month = 3"}}
    return Item.model_validate({"id": "q", "question": "Net sales in March?", "note": "Net.", "expected": golden | expected})


def examine(warehouse: Warehouse, item: Item, text: str, *scripts: Script) -> tuple[ItemOutcome, tuple[Score, ...], list[Request]]:
    """What an answer comes to when the judge's gateway replies by script, and what the gateway was asked."""

    async def main() -> tuple[ItemOutcome, tuple[Score, ...], list[Request]]:
        settings = Settings(judge_model="qwen3", judge_retries=0, golden_retry_wait_max_s=0.01)
        async with ScriptedServer(*scripts) as server, Judge(f"{server.url}/v1", settings) as judge:
            examiner = Examiner([item], Opened(judge, warehouse))
            outcome, scores = await examiner.examine(item, Answer(text), "golden-run-1-q")
            return outcome, scores, server.requests

    return asyncio.run(main())


@pytest.mark.parametrize(("script", "passed", "value"), [(RIGHT, True, 1.0), (REFUSED, False, 0.1)])
@pytest.mark.parametrize("what", ["rubric", "answer"])
def test_the_rubric_of_a_data_question_is_put_to_the_judge_who_decides_with_the_result(
    warehouse: Warehouse, what: str, script: Script, passed: bool, value: float
) -> None:
    outcome, scores, requests = examine(warehouse, an_item(**{what: "Sebut satuannya."}), "It was 10.", script)
    assert (outcome.status, outcome.passed, outcome.judge_status) == (Status.SCORED, passed, JudgeStatus.OK)
    assert outcome.score == value
    assert [score.passed for score in scores if score.axis == "judge"] == [passed]
    (request,) = requests
    assert "Sebut satuannya." in str(request.json["messages"])


@pytest.mark.parametrize("expected", [{"must_not_include": ["rupiah"]}, {"must_include": ["dolar"]}])
def test_a_definite_fail_of_a_data_question_wins_over_a_verdict_that_is_missing(warehouse: Warehouse, expected: dict[str, Any]) -> None:
    """Contract 4.7."""
    outcome, _, _ = examine(warehouse, an_item(rubric="Sebut satuannya.", **expected), "It was 10 rupiah.", reply("no", 500))
    assert (outcome.status, outcome.passed, outcome.judge_status, outcome.word) == (Status.SCORED, False, JudgeStatus.ERROR, "wrong")


def test_a_verdict_that_is_missing_leaves_a_data_question_open(warehouse: Warehouse) -> None:
    outcome, _, _ = examine(warehouse, an_item(rubric="Sebut satuannya."), "It was 10.", reply("no", 500))
    assert (outcome.status, outcome.passed, outcome.score, outcome.judge_status) == (Status.ERROR, None, None, JudgeStatus.ERROR)
    assert outcome.word == "error"  # and not "correct", which the result alone would have been (contract 9.6)


def test_an_earlier_verdict_does_not_hide_that_a_later_one_is_missing(warehouse: Warehouse) -> None:
    outcome, _, requests = examine(warehouse, an_item(rubric="Sebut satuannya."), "More than 10.", RIGHT, reply("no", 500))
    assert len(requests) == 2
    assert (outcome.status, outcome.judge_status) == (Status.ERROR, JudgeStatus.ERROR)


def test_two_questions_about_one_item_have_keys_of_their_own(warehouse: Warehouse) -> None:
    """Contract 4.3: under one key a gateway gives the first verdict again."""
    outcome, _, requests = examine(warehouse, an_item(rubric="Sebut satuannya."), "More than 10.", RIGHT, REFUSED)
    assert [request.headers["idempotency-key"] for request in requests] == ["golden-run-1-q", "golden-run-1-q-2"]
    assert outcome.passed is False


def fails(warehouse: Warehouse, item: Item, answer: Answer | None) -> bool:
    then = a_result(item.id, answer=answer)
    today = asyncio.run(examined_today([item], {item.id: then}, Examiner([item], Opened(None, warehouse))))
    return any(outcome.passed is False for outcome, _ in today.values())


def test_a_stored_answer_fails_by_a_phrase_that_came_to_the_contract_since(warehouse: Warehouse) -> None:
    assert fails(warehouse, an_item(must_include=["rupiah"]), Answer("It was 10."))
    assert not fails(warehouse, an_item(), Answer("It was 10."))


def test_of_a_stored_answer_that_is_incomplete_or_missing_nothing_is_certain(warehouse: Warehouse) -> None:
    assert fails(warehouse, an_item(), Answer("It was 11."))
    assert not fails(warehouse, an_item(), Answer("It was 11.", error="the connection broke"))
    assert not fails(warehouse, an_item(), None)


# --- items of a chatbot ---


def a_chatbot_item(**expected: Any) -> Item:
    return Item.model_validate({"id": "q", "question": "Apa syaratnya?", "expected": expected})


def checked(item: Item, judge: Judge | None, warehouse: Warehouse | None = None) -> tuple[ItemOutcome, Score | None] | None:
    return asyncio.run(Examiner([item], Opened(judge, warehouse)).check(item))


def test_without_a_judge_only_an_item_of_a_rubric_alone_cannot_be_scored() -> None:
    """Contract 4.6."""
    skipped = checked(a_chatbot_item(rubric="Sebut usia."), None)
    assert skipped is not None
    assert (skipped[0].status, skipped[0].judge_status, skipped[0].passed, skipped[1]) == (Status.SKIPPED, JudgeStatus.SKIPPED, None, None)
    for expected in ({"must_include": ["WNI"]}, {"must_not_include": ["WNI"]}):
        assert checked(a_chatbot_item(rubric="Sebut usia.", **expected), None) is None
    assert checked(a_chatbot_item(rubric="Sebut usia."), Judge("http://127.0.0.1:1/v1", Settings(judge_model="qwen3"))) is None


def test_a_chatbot_item_among_data_questions_is_put_to_the_judge_like_any_other(warehouse: Warehouse) -> None:
    outcome, scores, requests = examine(warehouse, a_chatbot_item(must_include=["WNI"], rubric="Sebut usia."), "Harus WNI.", REFUSED)
    assert (outcome.passed, outcome.word) == (False, "")
    assert [score.axis for score in scores] == ["facts", "judge"]
    assert [request.headers["idempotency-key"] for request in requests] == ["golden-run-1-q"]


def test_the_judge_is_asked_about_the_answer_without_its_drafts(warehouse: Warehouse) -> None:
    for text, shown in (("<think>usia 21</think>Usia 17.", False), ("<think>usia 21</think>", True)):
        _, _, (request,) = examine(warehouse, a_chatbot_item(rubric="Sebut usia."), text, RIGHT)
        assert ("usia 21" in str(request.json["messages"])) is shown


@pytest.mark.parametrize("golden", ["SELECT nothing FROM sales", "SELECT net FROM sales WHERE month = 9"])
def test_a_gold_that_fails_its_check_scores_nobody(warehouse: Warehouse, golden: str) -> None:
    """Contract 9.3."""
    item = an_item(sql={"golden": golden})
    found = checked(item, None, warehouse)
    assert found is not None
    assert (found[0].status, found[0].passed, found[0].word) == (Status.ERROR, None, Word.UNSCORABLE)
    assert found[1] is not None
    assert not fails(warehouse, item, Answer("It was 11."))


def test_without_a_judge_the_phrases_alone_decide(warehouse: Warehouse) -> None:
    item = a_chatbot_item(must_include=["WNI"])
    outcome, scores = asyncio.run(
        Examiner([an_item(), item], Opened(None, warehouse)).examine(item, Answer("Harus WNI."), "golden-run-1-q")
    )
    assert (outcome.passed, outcome.judge_status, [score.axis for score in scores]) == (True, JudgeStatus.SKIPPED, ["facts"])


def test_an_error_message_beside_a_right_result_is_remarked_on(warehouse: Warehouse) -> None:
    answer = Answer("502 Bad Gateway", events=(Event(EventKind.QUERY, "SELECT net FROM sales WHERE month = 3"),))
    outcome, scores = asyncio.run(Examiner([an_item()], Opened(None, warehouse)).examine(an_item(), answer, "golden-run-1-q"))
    assert outcome.passed is True
    assert "looks like an error message, not an answer: '502 Bad Gateway'" in outcome.reason
    assert "mishap" in [score.axis for score in scores]
