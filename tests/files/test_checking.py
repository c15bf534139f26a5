"""What is wrong with an item, in plain words, at its place, with the way out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from goldenlib.items import Item
from tests.golden_files import an_item_text, loaded, problems_in, told

R = "expected: {rubric: r}\n"
BLANK = "is blank; write the text, or remove the entry"
NO_NUMBER = "and must be a number; write digits, such as 0.0005"
NOTHING = "2:3: has nothing to check; give it must_include, must_not_include or a rubric under 'expected'"
EXPECTED_KEYS = "and must hold keys; write them below it: must_include, must_not_include, rubric, answer, sql"


def said(folder: Path, keys: str) -> list[str]:
    """What is refused in an item with an id and a question and these keys, without file and item."""
    return [line.removeprefix("set.yaml:").replace("item 'a': ", "") for line in told(problems_in(folder, an_item_text(keys)))]


@pytest.mark.parametrize("word", ["true", "True", "TRUE", "tRUE"])
def test_verified_is_true_in_any_case(tmp_path: Path, word: str) -> None:
    assert loaded(tmp_path, an_item_text(f"{R}verified: {word}")).items[0].verified is True


@pytest.mark.parametrize("word", ["false", "False", "FALSE", "", "~"])
def test_verified_is_false_in_any_case_or_absent(tmp_path: Path, word: str) -> None:
    assert loaded(tmp_path, an_item_text(f"{R}verified: {word}")).items[0].verified is False


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ('"false"', "the text 'false'"),
        ("'true'", "the text 'true'"),
        ("ya", "the text 'ya'"),
        ("yes", "the text 'yes'"),
        ("no", "the text 'no'"),
        ("on", "the text 'on'"),
        ("1", "the text '1'"),
        ("0", "the text '0'"),
        ("|\n    true", "the text 'true'"),
        ("[true]", "a list"),
        ("{a: b}", "a mapping of keys to values"),
        ("2026-07-10", "the text '2026-07-10'"),
    ],
)
def test_verified_is_nothing_else(tmp_path: Path, word: str, shown: str) -> None:
    problem = said(tmp_path, f"{R}verified: {word}")
    assert problem == [f"5:13: verified is {shown}; write true or false, without quotes"]


def test_verified_may_come_from_an_anchor(tmp_path: Path) -> None:
    text = (
        "x-base: &b {verified: true}\nx-no: &n {verified: 'true'}\n"
        + an_item_text(f"{R}<<: *b")
        + "- {<<: *n, id: b, question: q, expected: {rubric: r}}\n"
    )
    assert told(problems_in(tmp_path, text)) == [
        "set.yaml:2:21: item 'b': verified is the text 'true'; write true or false, without quotes"
    ]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        # unknown and misplaced keys
        ("expected: {must_inlcude: [x]}", ["4:14: unknown key 'must_inlcude' (did you mean 'must_include'?)"]),
        ("expected: {Must-Include: [x]}", ["4:14: unknown key 'Must-Include' (did you mean 'must_include'?)"]),
        ("expected: {mustInclude: [x]}", ["4:14: unknown key 'mustInclude' (did you mean 'must_include'?)"]),
        ("expected: {rubrik: x}", ["4:14: unknown key 'rubrik' (did you mean 'rubric'?)"]),
        ("must_include: [x]", ["4:3: misplaced key: 'must_include' belongs under 'expected'"]),
        ("rubric: x\nexpected:", ["4:3: misplaced key: 'rubric' belongs under 'expected'"]),
        ("golden: x", ["4:3: misplaced key: 'golden' belongs under 'expected.sql'"]),
        (f"{R}source: x", ["5:3: misplaced key: 'source' belongs under 'review'"]),
        ("expected: {rubric: r, verified: true}", ["4:25: misplaced key: 'verified' belongs to the item itself, beside 'id'"]),
        ("expekted: {rubric: r}", ["4:3: unknown key 'expekted' (did you mean 'expected'?)"]),
        (f"{R}ID: b", ["5:3: unknown key 'ID' (did you mean 'id'?)"]),
        (f"{R}'tags ': [b]", ["5:3: unknown key 'tags ' (did you mean 'tags'?)"]),
        (f"{R}must_inlcude: [b]", ["5:3: unknown key 'must_inlcude' (did you mean 'must_include', which belongs under 'expected'?)"]),
        ("golden_answer: x", ["4:3: unknown key 'golden_answer'; it is written 'answer' under 'expected'"]),
        (f"{R}qestion:", ["5:3: unknown key 'qestion' (did you mean 'question'?)"]),
        (f"{R}1: x", [f"5:3: unknown key '1'; allowed here: {', '.join(sorted(Item.model_fields))}"]),
        (f"{R}~:", [f"5:3: unknown key '~'; allowed here: {', '.join(sorted(Item.model_fields))}"]),
        (f"{R}review: {{by: x, date: y}}", ["5:19: unknown key 'date'; allowed here: account"
        ", at, by, digest, due, lapsed, reason, source, withdrawn, withdrawn_by"]),
        # phrases
        (
            "expected: {must_include: WNI}",
            ["4:28: expected.must_include is the text 'WNI' and must be a list; "
             "write must_include: [\"WNI\"]"],
        ),
        (
            "expected: {must_include: {a: b}}",
            ["4:28: expected.must_include is a mapping of keys to values and must be a list; "
             "write must_include: [\"...\"]"],
        ),
        ("expected: {must_include: ['']}", [f"4:29: expected.must_include[0] {BLANK}"]),
        ("expected: {must_include: ['\u200b \u00ad']}", [f"4:29: expected.must_include[0] {BLANK}"]),
        ("expected: {must_not_include: [x, ~]}", ["4:36: expected.must_not_include[1] is empty; write the text, or remove the entry"]),
        ("expected:\n  must_include:\n  - x\n  -\n  - z", ["7:6: expected.must_include[1] is empty; write the text, or remove the entry"]),
        (
            "expected:\n  must_include:\n  - biaya: gratis",
            ["6:7: expected.must_include[0] is a mapping of keys to values and must be text; "
             "put text that holds ': ' in quotes"],
        ),
        # the rest of an item
        ("expected: r", [f"4:13: expected is the text 'r' {EXPECTED_KEYS}"]),
        ("expected: [must_include]", [f"4:13: expected is a list {EXPECTED_KEYS}"]),
        (
            "expected: {rubric: [a]}",
            ["4:22: expected.rubric is a list and must be text; "
             "write each text on its own; alternatives are not supported here"],
        ),
        ("expected: {must_include: []}", [NOTHING]),
        ("expected: {rubric: ' '}", [NOTHING]),
        ("expected:", [NOTHING]),
        (f"{R}turns: [x]", ["2:3: has both 'question' and 'turns'; keep one of them"]),
        (f"{R}decline_type: ambiguous", ["2:3: has a decline_type but is not of kind decline; set 'kind: decline' or remove decline_type"]),
        (
            f"{R}kind: forbiden\ndecline_type: ambiguous",
            ["5:9: kind is the text 'forbiden'; "
             "write 'answer', 'decline' or 'forbidden' (did you mean 'forbidden'?)"],
        ),
        (f"{R}surface: Public", ["5:12: surface is the text 'Public'; write 'public' or 'internal' (did you mean 'public'?)"]),
        (f"{R}split: [dev]", ["5:10: split is a list; write 'dev' or 'test'"]),
        (f"{R}tags: pt", ['5:9: tags is the text \'pt\' and must be a list; write tags: ["pt"]']),
        (f"{R}review: {{by: x, at: besok}}", ["5:23: review.at 'besok' is not a date; write it as 2026-11-29"]),
        (f"{R}review: {{at: 2026-07-10}}", ["5:11: has no 'review.by'; add 'by:' with a text"]),
        (f"{R}review: ya", ["5:11: review is the text 'ya' and must hold keys; write them below it: by"
        ", account, at, source, due, digest, lapsed, withdrawn, withdrawn_by, reason"]),
        ("expected: {sql: {check: x}}", ["4:19: has no 'expected.sql.golden'; add 'golden:' with a text"]),
        ("expected: {sql: {golden: x, tolerance: -1}}", ["4:42: expected.sql.tolerance is the text '-1'; write a number of at least 0"]),
        ("expected: {sql: {golden: x, tolerance: a}}", [f"4:42: expected.sql.tolerance is the text 'a' {NO_NUMBER}"]),
        ("expected: {sql: {golden: x, tolerance: .inf}}", [f"4:42: expected.sql.tolerance is the text '.inf' {NO_NUMBER}"]),
        ("expected: {sql: {golden: x, tolerance: inf}}", [f"4:42: expected.sql.tolerance is the text 'inf' {NO_NUMBER}"]),
        ("expected: {sql: {golden: x, absolute: [1]}}", [f"4:41: expected.sql.absolute is a list {NO_NUMBER}"]),
        (
            "expected: {sql: {golden: x, order_matters: yes}}",
            ["4:46: expected.sql.order_matters is the text 'yes'; "
             "write true or false, without quotes"],
        ),
    ],
)  # fmt: skip
def test_a_problem_is_told_with_its_place_and_the_way_out(tmp_path: Path, keys: str, expected: list[str]) -> None:
    assert said(tmp_path, keys) == expected


def test_all_problems_of_an_item_are_told_at_once_in_file_order(tmp_path: Path) -> None:
    text = "items:\n- verified: ya\n  expected: {must_include: [''], rubrics: x}\n  surface: publik\n  turns: []\n- id: b\n"
    assert told(problems_in(tmp_path, text)) == [
        "set.yaml:2:3: has no 'id'; add a short stable name, such as id: pt-pendirian-syarat",
        "set.yaml:2:3: has no question; add 'question:' with the text a citizen would type",
        "set.yaml:2:13: verified is the text 'ya'; write true or false, without quotes",
        "set.yaml:3:29: expected.must_include[0] is blank; write the text, or remove the entry",
        "set.yaml:3:34: unknown key 'rubrics' (did you mean 'rubric'?)",
        "set.yaml:4:12: surface is the text 'publik'; write 'public' or 'internal' (did you mean 'public'?)",
        "set.yaml:6:3: item 'b': has no question; add 'question:' with the text a citizen would type",
        "set.yaml:6:3: item 'b': has nothing to check; give it must_include, must_not_include or a rubric under 'expected'",
    ]


@pytest.mark.parametrize("item_id", ["'pt a'", "'pt-a '", '"pt\\ta"', "'pt\u00a0a'", "'pt\u200ba'", "'pt\u00ada'", "'pt\u202ea'"])
def test_an_id_holds_no_blanks_or_invisible_characters(tmp_path: Path, item_id: str) -> None:
    problem = problems_in(tmp_path, an_item_text(item_id=item_id))[0]
    assert problem.message == "id holds white space or control characters"
    assert (problem.line, problem.column) == (2, 7)


@pytest.mark.parametrize("item_id", ["07", "no", "12:30", "pt-pendirian-syarat", "é", "日本", "1e3", "a/b"])
def test_an_id_is_the_text_that_was_typed(tmp_path: Path, item_id: str) -> None:
    assert loaded(tmp_path, an_item_text(item_id=item_id)).all_ids == (item_id,)


@pytest.mark.parametrize(("written", "meant"), [("0.1", 0.1), ("'0.1'", 0.1), ("0", 0.0), (".5", 0.5), ("1e-3", 0.001), ("5", 5.0)])
def test_a_number_is_read_from_its_text(tmp_path: Path, written: str, meant: float) -> None:
    item = loaded(tmp_path, an_item_text(f"expected: {{sql: {{golden: x, tolerance: {written}, order_matters: TRUE}}}}")).items[0]
    assert item.expected.sql is not None
    assert (item.expected.sql.tolerance, item.expected.sql.order_matters) == (meant, True)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"question": 17}, "question is the number 17 and must be text"),
        ({"expected": {"must_include": [50.0]}}, "expected.must_include[0] is the number 50.0 and must be text"),
        ({"expected": {"must_include": [True]}}, "expected.must_include[0] is true and must be text"),
        ({"verified": 1}, "verified is the number 1"),
        ({"verified": "false"}, "verified is the text 'false'"),
        ({"expected": {"sql": {"golden": "x", "tolerance": True}}}, "expected.sql.tolerance is true and must be a number"),
        ({"expected": {"sql": {"golden": "x", "tolerance": 1e999}}}, "expected.sql.tolerance is the number inf and must be a number"),
        ({"expected": {"sql": {"golden": "x", "order_matters": 1}}}, "expected.sql.order_matters is the number 1"),
    ],
)
def test_in_json_a_value_of_the_wrong_type_is_refused(tmp_path: Path, part: dict[str, Any], message: str) -> None:
    item = {"id": "a", "question": "q", "expected": {"rubric": "r"}} | part
    text = json.dumps({"items": [item]}).replace("Infinity", "1e999")
    assert [problem.message for problem in problems_in(tmp_path, text, "set.json")] == [message]


def test_in_json_numbers_and_booleans_are_what_they_are(tmp_path: Path) -> None:
    sql = {"golden": "x", "tolerance": 0, "absolute": 1.5, "order_matters": True}
    item = {"id": "a", "question": "q", "expected": {"sql": sql}, "verified": True, "review": None}
    read = loaded(tmp_path, json.dumps({"items": [item]}), "set.json").items[0]
    assert read.verified
    assert read.expected.sql is not None
    assert read.expected.sql.model_dump(exclude={"check", "allow_empty", "allow_null"}) == sql


def test_no_message_speaks_the_language_of_pydantic(tmp_path: Path) -> None:
    values = [
        "",
        "~",
        "x",
        "'x'",
        "5",
        "-1",
        "[x]",
        "[[x]]",
        "[{a: b}]",
        "[~]",
        "[]",
        "{}",
        "{a: b}",
        "{by: [x]}",
        "{sql: x}",
        "{sql: {golden: [x]}}",
    ]
    keys = [f"{name}: {value}" for name in Item.model_fields for value in values if name not in ("id", "question")]
    text = "items:\n" + "".join(f"- id: i{number}\n  question: q\n  {key}\n" for number, key in enumerate(keys))
    problems = problems_in(tmp_path, text)
    assert {problem.item_id for problem in problems} <= {f"i{number}" for number in range(len(keys))}
    jargon = ("Input should", "valid", "type=", "Field required", "Extra inputs", "Value error", "tuple", "dictionary", "cannot be")
    assert not [str(problem) for problem in problems if any(word in str(problem) for word in jargon)]
    assert all(problem.way_out or "did you mean" in problem.message or "belongs" in problem.message for problem in problems)
