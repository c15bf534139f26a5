"""The traps are real: whoever falls into one gets a result that does not agree with the golden one."""

from __future__ import annotations

import duckdb
import pytest

from tests.shop.falls import FALLS, Fall, naive_query
from tests.shop.questions import ANSWERS, QUESTIONS, Question, name_of

pytestmark = pytest.mark.xdist_group("shop")

TRAPS = {
    *("cancelled-orders", "currency", "definition", "duplicate-customers", "fan-out", "fiscal-calendar", "late-refunds"),
    *("legacy-table", "local-business-day", "net-vs-gross", "null-channel", "role-scope", "test-orders", "vat"),
}
CLAIMS = [(question, trap, FALLS[question.question_id][trap]) for question in ANSWERS for trap in question.traps]


@pytest.mark.parametrize(("question", "trap", "fall"), CLAIMS, ids=name_of)
def test_falling_into_a_trap_gives_another_result(question: Question, trap: str, fall: Fall, shop: duckdb.DuckDBPyConnection) -> None:
    golden = shop.execute(question.golden_sql).fetchall()
    naive = shop.execute(naive_query(question.golden_sql, fall)).fetchall()
    assert not question.agrees(naive, golden), f"{question.question_id} does not test {trap}: {naive[:3]} agrees with {golden[:3]}"


def test_there_is_a_fall_for_every_claim_and_no_other() -> None:
    assert {question_id: set(falls) for question_id, falls in FALLS.items()} == {q.question_id: set(q.traps) for q in ANSWERS}


@pytest.mark.parametrize("split", ["dev", "test"])
def test_every_trap_is_in_both_splits_and_with_a_question_to_answer(split: str) -> None:
    assert {trap for question in QUESTIONS if question.split == split for trap in question.traps} == TRAPS
    assert {trap for question in ANSWERS if question.split == split for trap in question.traps} == TRAPS


def test_forbidden_questions_test_the_scope_of_roles_and_declines_no_trap() -> None:
    assert {(question.kind, *question.traps) for question in QUESTIONS if question.kind != "answer"} == {
        ("forbidden", "role-scope"),
        ("decline",),
    }
