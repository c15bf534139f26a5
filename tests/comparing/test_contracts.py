"""What changed in a contract, and what of today's failing that does not explain."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from goldenlib.comparing.contracts import ContractChange, change_since, read_contract
from goldenlib.comparing.rescoring import examined_today
from goldenlib.items import Item
from goldenlib.scoring.examining import Examiner
from goldenlib.scoring.facts import check_facts
from goldenlib.scoring.scorer import Opened
from tests.builders import a_result, an_item


def result(item: Item, text: str) -> Any:
    """What came of an answer under the item's phrases."""
    facts = check_facts(item.expected, text)
    assert facts is not None
    return a_result(item.id, text, digest=item.digest, question=item.title, scores=(facts,), passed=facts.passed)


def change(then: Item, said_then: str, now: Item, said_now: str, *, kept: bool = True) -> ContractChange:
    again = check_facts(now.expected, said_then)
    was = read_contract(then) if kept else None
    return change_since(result(then, said_then), was, result(now, said_now), now, [again] if again is not None else [])


def a_contract(*required: str, forbidden: tuple[str, ...] = ()) -> Item:
    return an_item(must_include=required, must_not_include=forbidden)


@pytest.mark.parametrize(
    ("then", "said_then", "now", "said_now", "lost"),
    [
        (a_contract("x"), "x", a_contract("x", "y"), "z", ("'x'",)),
        (a_contract("X"), "x", a_contract("x ", "y"), "z", ("'x '",)),  # a blank and a capital are no other phrase
        (a_contract("x"), "x", a_contract("x", "y"), "x", ()),
        (a_contract("x"), "x y", a_contract("x", "y", "z"), "x", ()),  # y was not asked for then
        (a_contract("x", forbidden=("f",)), "x", a_contract("x", "y", forbidden=("f",)), "x f", ("'f'",)),
        (a_contract("x"), "x", a_contract("x", "y", forbidden=("f",)), "x f", ()),
        (a_contract("x"), "x f", a_contract("x", forbidden=("f",)), "x f", ()),
        (a_contract("x"), "x", a_contract("x", forbidden=("x",)), "z", ("'x'",)),  # required in both, and met then
    ],
)
def test_what_stood_in_both_contracts_and_held_is_lost(then: Item, said_then: str, now: Item, said_now: str, lost: tuple[str, ...]) -> None:
    assert change(then, said_then, now, said_now).lost == lost


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        ({"question": "Lain?"}, ("question",)),
        ({"must_include": ("WNI", "RI"), "rubric": "r"}, ("phrases", "rubric")),
        ({"role": "notaris", "kind": "decline"}, ("kind", "role")),
        ({"question": " Apa saja  syarat mendirikan PT perorangan? "}, ()),
    ],
)
def test_the_parts_that_changed_are_named(changes: dict[str, Any], parts: tuple[str, ...]) -> None:
    then, now = an_item(must_include=("WNI",)), an_item(**{"must_include": ("WNI",)} | changes)
    assert sorted(change(then, "WNI", now, "WNI").parts) == sorted(parts)


def test_of_a_contract_that_was_not_kept_the_question_is_known() -> None:
    for now, parts in ((an_item(question="Lain?"), ("question",)), (a_contract("RI"), ("contract",))):
        assert change(an_item(), "WNI", now, "WNI", kept=False).parts == parts


def test_only_another_contract_can_fail_an_answer_that_passed() -> None:
    then = a_contract("x")
    for now, said_then, fails in ((then, "y", None), (a_contract("x", "y"), "x", True), (a_contract("x", "y"), "x y", False)):
        passed = {now.id: result(then, said_then)}
        today = asyncio.run(examined_today([now], passed, Examiner([now], Opened())))
        assert [outcome.passed is False for outcome, _ in today.values()] == [fails] * (fails is not None)
