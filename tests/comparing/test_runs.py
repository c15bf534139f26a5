"""Two stored runs beside one another, and queries as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.answers import Answer, Event, EventKind, Result
from goldenlib.comparing import compare_runs, compare_texts, same_query
from goldenlib.errors import RunNotFoundError
from goldenlib.gating import Comparison, Policy, decide
from goldenlib.items import Item
from goldenlib.reporting.sidebyside import flips_as_html, marked_difference, texts_as_html
from goldenlib.storage import Store
from tests.builders import RUN_AT, a_result, a_run, an_error, an_item


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(str(tmp_path / "golden.db")) as opened:
        yield opened


def play(store: Store, run_id: str, *results: Result, hour: int = 0, **changes: Any) -> None:
    """Store a finished run with these results."""
    ids = tuple(result.item_id for result in results)
    run = replace(a_run(), run_id=run_id, run_at=RUN_AT + timedelta(hours=hour), all_item_ids=ids, finished_at=None, **changes)
    store.create_run(run)
    with store.writer(run) as writer:
        for result in results:
            writer.put(replace(result, run_id=run_id))
    decision = decide(run, list(results), Comparison({}), Policy())
    store.finish_run(run_id, finished_at=run.run_at + timedelta(minutes=1), decision=decision)


def test_flips_are_found_with_what_fails_them(store: Store) -> None:
    play(store, "r1", a_result("a", "WNI."), a_result("b", "WNI."), a_result("c", "Tidak.", missing=["WNI"]), an_error("d"))
    changed = replace(a_result("b", "WNI.", missing=["17 tahun"]), digest="e" * 64)
    play(store, "r2", a_result("a", "WNA.", missing=["WNI"]), changed, a_result("c", "WNI."), a_result("d"), hour=1)
    comparison = compare_runs(store)
    assert [(flip.item_id, flip.is_worse, flip.causes) for flip in comparison.flips] == [
        ("a", True, ("lacks 'WNI'",)),
        ("b", True, ("lacks '17 tahun'", "changed since: contract", "the answer is the same to the letter")),
        ("c", False, ("before: lacks 'WNI'",)),
    ]
    assert comparison.unscored == ("d",)
    assert comparison.summary == "r1 -> r2: 2 worse, 1 better, 0 as before, 1 not scored in both"


def test_another_judge_is_a_cause_only_where_the_judge_alone_decided(store: Store) -> None:
    play(store, "r1", a_result("a"), a_result("b"))
    play(store, "r2", a_result("a", judge=0.2), a_result("b", "x", missing=["WNI"]), hour=1, judge_model="other", target="elsewhere")
    comparison = compare_runs(store, "r2", "r1")
    judge = f"the judge was {a_run().judge_model} and is other"
    assert comparison.differences == (judge, f"the target was {a_run().target} and is elsewhere")
    by_judge, by_phrase = comparison.flips
    assert by_judge.causes == ("the judge alone: the judge's reason", judge, "the answer is the same to the letter")
    assert by_phrase.causes == ("lacks 'WNI'",)


def test_what_was_changed_in_a_contract_is_named(store: Store) -> None:
    before, after = an_item("a"), an_item("a", must_include=("WNI", "RI"))
    store.keep_contracts({item.digest: item.contract for item in (before, after)})
    play(store, "r1", a_result("a", "WNI.", digest=before.digest))
    play(store, "r2", a_result("a", "WNI.", missing=["RI"], digest=after.digest), hour=1)
    (flip,) = compare_runs(store).flips
    assert "changed since: phrases" in flip.causes


def test_without_an_earlier_run_there_is_nothing_to_compare_with(store: Store) -> None:
    play(store, "r1", a_result("a"))
    with pytest.raises(RunNotFoundError, match="name one to compare with"):
        compare_runs(store)


def test_items_of_one_run_alone_are_told_apart(store: Store) -> None:
    play(store, "r1", a_result("a"), a_result("b"))
    play(store, "r2", a_result("b"), a_result("c"), hour=1)
    comparison = compare_runs(store, "r2", "r1")
    assert (comparison.only_then, comparison.only_now, comparison.unchanged) == (("a",), ("c",), 1)


def test_answers_are_shown_as_text_with_their_differences(store: Store) -> None:
    play(store, "r1", a_result("a", "Biaya Rp50.000 <b>saja</b>"))
    play(store, "r2", a_result("a", "Biaya Rp75.000 <b>saja</b>", missing=["50"]), hour=1)
    shown = flips_as_html(compare_runs(store))
    assert "<del>Rp50</del>" in shown
    assert "<ins>Rp75</ins>" in shown
    assert "<b>" not in shown


def test_of_a_text_too_long_to_compare_it_is_said_how_much_is_left_and_whether_it_is_the_same() -> None:
    words = "kata " * 5_000
    before, after = marked_difference(f"{words} lama", f"{words} baru")
    assert "5,005 characters more, which are another one in the other answer" in before
    assert "another one" in after
    assert "the same in both" in marked_difference(words, words)[0]


@given(st.text(), st.text())
def test_marking_loses_nothing_of_either_text(then: str, now: str) -> None:
    before, after = marked_difference(then, now)
    assert before.replace("<del>", "").replace("</del>", "").unescape() == then
    assert after.replace("<ins>", "").replace("</ins>", "").unescape() == now


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("SELECT a FROM t", "SELECT a FROM t", (True, True)),
        ("select A from t -- net", "SELECT a\nFROM t", (False, True)),
        ("SELECT a FROM t WHERE b", "SELECT a FROM t", (False, False)),
        ("SELECT sum(a) FROM t", "SELECT sum(a) FROM s", (False, False)),
        ("SELECT FROM WHERE", "SELECT 1", (False, None)),
    ],
)
def test_queries_are_compared_as_text_and_normalized(one: str, other: str, same: tuple[bool, bool | None]) -> None:
    assert same_query(one, other) == same


def a_data_result(item_id: str, sql: str, *, passed: bool) -> Result:
    answer = Answer(events=(Event(EventKind.QUERY, sql),))
    return replace(a_result(item_id), answer=answer, passed=passed, word="correct" if passed else "wrong")


def test_text_stands_beside_the_result_and_is_no_score() -> None:
    items = [Item.model_validate({"id": name, "question": "?", "expected": {"sql": {"golden": "SELECT sum(net) FROM t"}}}) for name in "ab"]
    results = [
        a_data_result("a", "SELECT sum(l.net) FROM lines AS l", passed=True),
        a_data_result("b", "SELECT sum(net) FROM t;", passed=False),
    ]
    found = compare_texts(items, results)
    assert [(one.same_text, one.same_normalized, one.same_result) for one in found] == [(False, False, True), (False, True, False)]
    assert "no score" in texts_as_html(found)
