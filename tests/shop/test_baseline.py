"""The recorded baseline is what the stand-in answers, and scores what the README says."""

from __future__ import annotations

import json
import re
from collections import Counter

import duckdb
import pytest

from goldenlib.files.shipped import shipped
from tests.shop.generator import module
from tests.shop.questions import QUESTIONS, Question

pytestmark = pytest.mark.xdist_group("shop")

baseline = module("baseline")

RECORDED = [json.loads(line) for line in shipped("golden", "shop", "baseline.jsonl").read_text(encoding="utf-8").splitlines()]
SQL = {answer["question_id"]: answer["sql"] for answer in RECORDED}


def outcome(question: Question, shop: duckdb.DuckDBPyConnection) -> str:
    """The outcome words of contract 9.6; a query in answer to what should be declined is wrong when it runs."""
    try:
        rows = shop.execute(SQL[question.question_id]).fetchall()
    except duckdb.Error:
        return "error"
    right = question.kind == "answer" and question.agrees(rows, shop.execute(question.golden_sql).fetchall())
    return "correct" if right else "wrong"


def test_the_recording_is_what_the_stand_in_answers_and_is_called_one() -> None:
    assert list(baseline.make_baseline()) == RECORDED
    assert [answer["question_id"] for answer in RECORDED] == [question.question_id for question in QUESTIONS]
    assert {answer["model"] for answer in RECORDED} == {baseline.MODEL} == {"rule-based stand-in"}


def test_recording_again_writes_the_same_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("baseline") / "baseline.jsonl"
    baseline.main(path)
    assert path.read_bytes() == shipped("golden", "shop", "baseline.jsonl").read_bytes()


def test_the_outcomes_are_those_of_the_readme(shop: duckdb.DuckDBPyConnection) -> None:
    readme = shipped("golden", "shop", "README.md").read_text(encoding="utf-8")
    told = {
        split: dict(zip(("correct", "wrong", "error", "declined"), map(int, numbers.split("|")), strict=True))
        for split, numbers in re.findall(r"^\| (dev|test) \| (\d+ \| \d+ \| \d+ \| \d+) \|$", readme, re.MULTILINE)
    }
    found = {split: Counter(outcome(q, shop) for q in QUESTIONS if q.split == split) for split in ("dev", "test")}
    assert told == {split: {word: counts[word] for word in ("correct", "wrong", "error", "declined")} for split, counts in found.items()}


def test_a_few_are_right_many_wrong_some_do_not_run(shop: duckdb.DuckDBPyConnection) -> None:
    counts = Counter(outcome(question, shop) for question in QUESTIONS)
    assert 0 < counts["correct"] <= 6
    assert counts["wrong"] > counts["error"] > counts["correct"]
