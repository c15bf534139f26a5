"""TOML question files of seed 002: values, places, and what is told of what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.errors import InputError
from goldenlib.files.loading import load_set
from goldenlib.golden_set import GoldenSet, Origin
from goldenlib.items import DeclineType, Item, Kind, Split
from tests.builders import hides_nothing

SEED_002 = """\
# net revenue is the finance team's

[[questions]]
question_id = "gq-018"
question = "How much was refunded, in euros, on orders placed in March 2026?"
role = "finance"
kind = "answer"
golden_sql = '''
SELECT round(sum(r.amount_eur), 2) AS refunded
FROM analytics.fct_refunds AS r -- [[questions]] is no header here
WHERE r.order_month = DATE '2026-03-01''''
check_sql = "SELECT 1"
order_matters = false
tolerance = 0.0005
absolute = 0.005
note = "Refunds belong to the order's month here."
traps = ["late-refunds", "currency"]
split = "dev"

[[questions]]
question_id = "gq-040"
question = "Who are our best customers?"
role = "regional_lead"
region = "EMEA"
kind = "decline"
decline_type = "ambiguous"
golden_sql = ""
tolerance = 0.0005
split = "test"
"""


def write(folder: Path, text: str, name: str = "questions.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def loaded(folder: Path, text: str, **options: Any) -> GoldenSet:
    return load_set(write(folder, text), **options)


def problems(folder: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        loaded(folder, text)
    return [str(problem).replace(f"{folder}/", "") for problem in caught.value.problems]


def test_the_toml_of_seed_002_loads_as_it_is(tmp_path: Path) -> None:
    first, second = loaded(tmp_path, SEED_002)
    assert (first.id, first.role, first.split, first.traps) == ("gq-018", "finance", Split.DEV, ("late-refunds", "currency"))
    assert first.expected.sql is not None
    assert first.expected.sql.golden.startswith("SELECT round(")
    assert (first.expected.sql.check, first.expected.sql.order_matters, first.expected.sql.absolute) == ("SELECT 1", False, 0.005)
    assert (second.kind, second.decline_type, second.region, second.expected.sql) == (Kind.DECLINE, DeclineType.AMBIGUOUS, "EMEA", None)


def test_the_same_in_yaml_is_the_same_item(tmp_path: Path) -> None:
    text = """\
items:
  - id: gq-018
    question: "How much was refunded, in euros, on orders placed in March 2026?"
    role: finance
    note: "Refunds belong to the order's month here."
    traps: [late-refunds, currency]
    split: dev
    expected:
      sql:
        golden: |-
          SELECT round(sum(r.amount_eur), 2) AS refunded
          FROM analytics.fct_refunds AS r -- [[questions]] is no header here
          WHERE r.order_month = DATE '2026-03-01'
        check: SELECT 1
"""
    (item,) = load_set(write(tmp_path, text, "questions.yaml"))
    assert item == loaded(tmp_path, SEED_002).items[0]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_each_question_knows_its_line(tmp_path: Path, newline: str) -> None:
    golden_set = loaded(tmp_path, SEED_002.replace("\n", newline))
    path = str(tmp_path / "questions.toml")
    assert golden_set.origins == {"gq-018": Origin(path, 3, 1), "gq-040": Origin(path, 20, 1)}


def test_a_set_with_both_splits_is_held_out_to_dev_unless_more_is_asked_for(tmp_path: Path) -> None:
    def ids(**options: Any) -> list[str]:
        return [item.id for item in loaded(tmp_path, SEED_002, hold_out=True, **options)]

    assert (ids(), ids(split="test"), ids(split="all"), ids(select=["gq-*"])) == (
        ["gq-018"],
        ["gq-040"],
        ["gq-018", "gq-040"],
        ["gq-018", "gq-040"],
    )
    assert loaded(tmp_path, SEED_002, hold_out=True).selection == "split dev"
    assert len(loaded(tmp_path, SEED_002)) == 2


def test_a_set_with_one_split_is_not_cut(tmp_path: Path) -> None:
    assert len(loaded(tmp_path, SEED_002.replace('split = "dev"', 'split = "test"'), hold_out=True)) == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('question_id = "a"\nquestion = "q"', "2:1: item 'a': has no 'golden_sql'; add the SQL"),
        ('question_id = "a"\nquestion = "q"\ngolden_sq = "x"', "5:1: item 'a': unknown key 'golden_sq' (did you mean 'golden_sql'?)"),
        ('question_id = "a"\nquestion = ""\ngolden_sql = "x"', "4:1: item 'a': question is blank"),
        ('question_id = "a"\nid = "b"\nquestion = "q"\ngolden_sql = "x"', "item 'a': has both 'id' and 'question_id'; keep one of them"),
        ('question_id = "a"\nquestion = "q"\ngolden_sql = "x"\norder_matters = "yes"', "6:1: item 'a': order_matters is the text 'yes'"),
        ('question_id = "a"\nquestion = "q"\ngolden_sql = "x"\ntolerance = true', "6:1: item 'a': tolerance is true and must be a number"),
        ('question_id = "a"\nquestion = "q"\ngolden_sql = "x"\ntolerance = -1', "6:1: item 'a': tolerance is the number -1"),
        ('question_id = "a"\nquestion = "q"\nkind = "decline"\ncheck_sql = "x"', "has no 'golden_sql'"),
        (
            'question_id = "a"\nquestion = "q"\ngolden_sql = "x"\ndecline_type = "ambiguous"',
            "has a decline_type but is not of kind decline",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    assert any(told in problem for problem in problems(tmp_path, f"\n[[questions]]\n{text}\n")), problems(
        tmp_path, f"\n[[questions]]\n{text}\n"
    )


def test_two_questions_of_one_id_are_told(tmp_path: Path) -> None:
    one = '[[questions]]\nquestion_id = "a"\nquestion = "q"\ngolden_sql = "x"\n'
    assert "duplicate id 'a', used before at questions.toml:2:1" in problems(tmp_path, one + one)[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[questions]]\nquestion_id = \n", "questions.toml:2:15: is not TOML here (Invalid value)"),
        ("a = 1\na = 2\n", "questions.toml:2:6: is not TOML here (Cannot overwrite a value)"),
        ("[[question]]\nx = 1\n", "unknown key 'question' (did you mean 'questions'?)"),
        ("questions = 3\n", "'questions' is the number 3 and must be a list"),
        ("", "has no 'questions'"),
        ("questions = []\n", "'questions' holds nothing"),
    ],
)
def test_a_file_that_is_no_question_file_is_told_so(tmp_path: Path, text: str, told: str) -> None:
    assert any(told in problem for problem in problems(tmp_path, text)), problems(tmp_path, text)


def test_items_may_stand_in_toml_too(tmp_path: Path) -> None:
    (item,) = loaded(tmp_path, '[[items]]\nid = "a"\nquestion = "q"\n[items.expected]\nmust_include = ["WNI"]\n')
    assert item.expected.must_include == ("WNI",)


def test_a_decline_needs_nothing_to_check_it_by() -> None:
    assert Item.model_validate({"id": "a", "question": "q", "kind": "decline"}).is_data_question


@given(
    st.dictionaries(
        st.sampled_from(["note", "question"]),
        st.text(alphabet=st.characters(exclude_categories=["C"]), min_size=1).filter(hides_nothing),
        max_size=2,
    )
)
def test_text_comes_through_as_it_was_written(tmp_path_factory: pytest.TempPathFactory, texts: dict[str, str]) -> None:
    values = {"question": "q", **{key: value for key, value in texts.items() if value.strip()}}
    escaped = {key: value.replace("\\", "\\\\").replace('"', '\\"') for key, value in values.items()}
    lines = "\n".join(f'{key} = "{value}"' for key, value in escaped.items())
    folder = tmp_path_factory.mktemp("toml")
    (item,) = loaded(folder, f'[[questions]]\nquestion_id = "a"\ngolden_sql = "x"\n{lines}\n')
    assert (item.question, item.note) == (values["question"], values.get("note", ""))


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 350 + "]" * 350, "{a=" * 150 + "1" + "}" * 150])
def test_what_python_cannot_hold_is_a_problem_of_the_file(tmp_path: Path, value: str) -> None:
    (told,) = problems(tmp_path, f"x = {value}\n")
    assert "cannot be read" in told or "too deep to read" in told


def test_a_dotted_key_of_many_parts_is_too_deep(tmp_path: Path) -> None:
    (told,) = problems(tmp_path, "x" + ".a" * 500 + " = 1\n")
    assert "too deep to read" in told
