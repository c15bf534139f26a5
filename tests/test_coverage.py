"""What a set covers in each split, and what is missing there."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from goldenlib.coverage import Coverage, GapKind, coverage_of
from goldenlib.coverage.nearduplicates import MOST_PAIRS, near_duplicates
from goldenlib.files.loading import load_set
from goldenlib.files.shipped import shipped
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Item
from goldenlib.reporting.coverage import coverage_as_html, coverage_as_text


def a_question(item_id: str, split: str | None = "dev", question: str = "", kind: str = "answer", **more: Any) -> Item:
    expected = {"expected": {"sql": {"golden": "SELECT 1"}}} if kind == "answer" else {}
    asked = {"id": item_id, "question": question or f"question {item_id}", "kind": kind}
    return Item.model_validate(asked | ({"split": split} if split else {}) | expected | more)


def covered(*items: Item) -> Coverage:
    return coverage_of(GoldenSet("set", items, tuple(item.id for item in items)))


def gaps(coverage: Coverage) -> set[tuple[str, str]]:
    return {(str(gap.kind), gap.name) for gap in coverage.gaps}


def test_the_shop_is_balanced_as_it_says() -> None:
    coverage = coverage_of(load_set(shipped("golden", "shop", "questions.toml")))
    assert coverage.questions == {"dev": 24, "test": 24}
    assert coverage.kinds == {kind: {"dev": n, "test": n} for kind, n in (("answer", 17), ("decline", 4), ("forbidden", 3))}
    assert len(coverage.traps) == 14
    assert not [gap for gap in coverage.gaps if gap.kind in (GapKind.TRAP, GapKind.KIND, GapKind.NEAR)]


def test_a_trap_that_one_split_lacks_is_named() -> None:
    coverage = covered(a_question("a", traps=["vat", "fan-out"]), a_question("b", "test", traps=["vat"]))
    assert ("trap-missing", "fan-out") in gaps(coverage)
    assert "traps missing from a split: fan-out" in coverage_as_text(coverage)


def test_a_role_that_asks_answerable_questions_in_one_split_only_is_named() -> None:
    coverage = covered(
        a_question("a", role="finance"),
        a_question("b", "test", role="finance"),
        a_question("c", "test", role="marketing"),
        a_question("d", role="marketing", kind="decline"),
    )
    assert ("role-in-one-split", "marketing") in gaps(coverage)
    assert ("role-in-one-split", "finance") not in gaps(coverage)


def test_a_kind_that_one_split_lacks_is_named() -> None:
    assert ("kind-missing", "decline") in gaps(covered(a_question("a", kind="decline"), a_question("b"), a_question("c", "test")))


def test_a_set_without_splits_has_counts_and_no_gaps() -> None:
    coverage = covered(a_question("a", None, traps=["vat"]), a_question("b", None))
    assert (coverage.splits, coverage.gaps) == (("no split",), ())


def test_questions_of_both_splits_that_differ_by_a_figure_are_near() -> None:
    coverage = covered(
        a_question("a", question="How much did we sell net in March 2025?"),
        a_question("b", "test", "How much did we sell net in March 2026?"),
        a_question("c", "test", "Which countries buy the most brushes?"),
    )
    assert [(pair.first, pair.second, pair.share) for pair in coverage.near] == [("a", "b", 1.0)]


def test_near_questions_of_one_split_are_no_gap() -> None:
    assert covered(a_question("a", question="How much in 2025?"), a_question("b", question="How much in 2026?")).near == ()


def test_a_notebook_shows_tables_with_bars_and_escapes_what_it_shows() -> None:
    shown = coverage_as_html(covered(a_question("a", traps=["<script>x</script>"]), a_question("b", "test")))
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert 'class="bar s0" style="width:8.0em"' in shown


def test_the_counts_are_plain_json() -> None:
    assert json.loads(json.dumps(covered(a_question("a", traps=["vat"])).to_json()))["traps"] == {"vat": {"dev": 1}}


VOCABULARY = ("how", "much", "many", "net", "sales", "orders", "in", "march", "2025", "2026", "region", "of", "the", "each")
WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=12)


@given(st.lists(st.tuples(WORDS, st.sampled_from(["dev", "test"])), max_size=12))
def test_near_pairs_are_those_that_comparing_every_pair_finds(asked: list[tuple[list[str], str]]) -> None:
    items = [a_question(str(number), split, " ".join(words)) for number, (words, split) in enumerate(asked)]
    found = {(pair.first, pair.second) for pair in near_duplicates(items)}
    every = {
        (one.id, other.id)
        for n, one in enumerate(items)
        for other in items[n + 1 :]
        if one.split != other.split and near_duplicates([one, other])
    }
    assert found == every


def test_one_question_thousands_of_times_is_told_by_its_nearest_pairs() -> None:
    asked = [a_question(str(number), ("dev", "test")[number % 2], f"How much in week {number}?") for number in range(2_000)]
    coverage = covered(*asked)
    assert len(coverage.near) == MOST_PAIRS
    assert coverage.gaps[-1].message.startswith("only the 1,000 nearest pairs are listed")
