"""Short answers: what is spelled differently and says the same, and what is not the same however near it looks."""

from __future__ import annotations

import doctest
import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.files.shipped import shipped
from goldenlib.scoring.data import enumerations, short_answers
from goldenlib.scoring.data.enumerations import listed
from goldenlib.scoring.data.short_answers import answers_match

TASKS = json.loads(shipped("golden", "dabstep", "published", "dev_tasks.json").read_text(encoding="utf-8"))
OPTIONS = "What is the top country (ip_country) for fraud? A. NL, B. BE, C. ES, D. FR"
EUR = "What would be the average fee in EUR?"
PERCENT = "What percentage of transactions is fraudulent?"

SAME = [
    ("Yes.", "yes", ""),
    ("**NL**", "nl", ""),
    ("`0.94`", "0.94", ""),
    ("```\n0.94\n```", "0.94", ""),
    ('"NL"', "NL", ""),
    ("not applicable", "Not Applicable", ""),
    ("Not Applicable.", "Not Applicable", ""),
    ("", "", ""),
    ("[]", "", ""),
    ("\N{MINUS SIGN}0.94", "-0.94", ""),
    ("- 0.94", "-0.94", ""),
    ("minus 0.94", "-0.94", ""),
    ("+0.94", "0.94", ""),
    ("-0.94000000000005", "-0.94000000000005", ""),
    ("0.940", "0.94", ""),
    ("0.1201319", "0.120132", ""),
    ("13.571", "13.57", ""),
    ("1e-3", "0.001", ""),
    ("1,234.50", "1234.5", ""),
    ("1.234,50", "1234.5", ""),
    ("1 234.5", "1234.5", ""),
    ("0,94", "0.94", ""),
    ("1.2 million", "1200000", ""),
    ("0.120132 EUR", "0.120132", EUR),
    ("€0.120132", "0.120132", EUR),
    ("EUR 0.120132", "0.120132", ""),
    ("42 transactions", "42", "How many transactions?"),
    ("42 days", "42 days", ""),
    ("12%", "12", PERCENT),
    ("12 percent", "12%", ""),
    ("12%", "0.12", ""),
    ("B. BE", "B. BE", ""),
    ("b) be", "B. BE", ""),
    ("(B) BE", "B. BE", OPTIONS),
    ("B", "B. BE", OPTIONS),
    ("BE", "B. BE", OPTIONS),
    ("Option B", "B. BE", OPTIONS),
    ("B. BE", "BE", OPTIONS),
    ("36, 5, 12", "5, 12, 36", ""),
    ("36,5,12", "5, 12, 36", ""),
    ("384,394,276", "276, 384, 394", ""),
    ("5\n12\n36", "5, 12, 36", ""),
    ("- 5\n- 12\n- 36", "36, 12, 5", ""),
    ("1. NL\n2. BE", "BE, NL", ""),
    ("5; 12; 36", "5, 12, 36", ""),
    ("5, 12 and 36", "5, 12, 36", ""),
    ("5, 12, dan 36", "5, 12, 36", ""),
    ("[5, 12, 36]", "5, 12, 36", ""),
    ('["NL", "BE"]', "BE, NL", ""),
    ("5.0, 12.00", "12, 5", ""),
    ("Pens and Ink, Paper", "paper, pens and ink", ""),
    ("E: 13.57", "E:13.57", ""),
    ("F:1.5, E:13.57", "E:13.570, F:1.50", ""),
]

DIFFERENT = [
    ("-0.94", "0.94", ""),
    ("0.94", "-0.94000000000005", ""),
    ("(0.94)", "0.94", ""),
    ("A. BE", "B. BE", ""),
    ("A. BE", "B. BE", OPTIONS),
    ("B. NL", "B. BE", OPTIONS),
    ("A", "B. BE", OPTIONS),
    ("NL", "B. BE", OPTIONS),
    ("BE", "B. BE", ""),
    ("B", "B. BE", ""),
    ("A. BE, B. BE", "B. BE", OPTIONS),
    ("yes or no", "yes", ""),
    ("yes/no", "yes", ""),
    ("yes, no", "yes", ""),
    ("no", "yes", ""),
    ("yes", "Not Applicable", ""),
    ("N/A", "Not Applicable", ""),
    ("not", "Not Applicable", ""),
    ("Not Applicable", "", ""),
    ("", "0", ""),
    ("", "Not Applicable", ""),
    ("0.12", "0.120132", ""),
    ("0.120133", "0.120132", ""),
    ("0.1202", "0.120132", ""),
    ("0.120132 USD", "0.120132", EUR),
    ("42 refunds", "42", "How many transactions?"),
    ("12%", "12", ""),
    ("0.12%", "0.12", ""),
    ("0.12", "12", PERCENT),
    ("1234", "1.234", ""),
    ("1.2 million", "1.2", ""),
    ("5, 12", "5, 12, 36", ""),
    ("5, 12, 36, 37", "5, 12, 36", ""),
    ("5, 5, 12", "5, 12, 12", ""),
    ("5, 5, 12", "5, 12", ""),
    ("5, -12, 36", "5, 12, 36", ""),
    ("5, 12, 36 and more", "5, 12, 36", ""),
    ("13.57", "E:13.57", ""),
    ("F:13.57", "E:13.57", ""),
    ("E:-13.57", "E:13.57", ""),
    ("Visa Card", "Visa", ""),
    ("option 1: Visa", "option 1: Mastercard", ""),
    ("The answer is 42", "42", ""),
    ("5 hours, 3 days", "5 days, 3 hours", ""),
]


@pytest.mark.parametrize(("answer", "golden", "question"), SAME)
def test_the_same_in_another_spelling_matches(answer: str, golden: str, question: str) -> None:
    found = answers_match(answer, golden, question)
    assert found.matches, found.reason


@pytest.mark.parametrize(("answer", "golden", "question"), DIFFERENT)
def test_what_is_not_the_same_does_not_match(answer: str, golden: str, question: str) -> None:
    found = answers_match(answer, golden, question)
    assert not found.matches
    assert found.reason


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["task_id"])
def test_each_published_answer_matches_itself_and_no_other(task: dict[str, str]) -> None:
    matching = [other["task_id"] for other in TASKS if answers_match(other["answer"], task["answer"], task["question"])]
    assert matching == [task["task_id"]]


def test_a_mismatch_says_what_is_missing() -> None:
    assert answers_match("5, 12", "5, 12, 36").reason == "2 given where 3 are right"
    assert answers_match("5, 12, 37", "5, 12, 36").reason == "1 of 3 values are missing: 36"
    assert answers_match("B. NL", "B. BE", OPTIONS).reason == "names no one option; B is right"


def test_numbers_of_different_places_are_paired_as_well_as_they_can_be() -> None:
    assert answers_match("1.2, 1.4", "1, 1.2")
    assert not answers_match("1.3, 1.4", "1, 1.2")


@given(st.text(max_size=60), st.sampled_from(["", OPTIONS, PERCENT]))
def test_every_text_matches_itself(text: str, question: str) -> None:
    assert answers_match(text, text, question)


NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, min_value=Decimal(-(10**9)), max_value=Decimal(10**9), places=4).map(str)
VALUES = st.one_of(NUMBERS, st.text("abcdeFGH", min_size=1, max_size=6))


@given(st.lists(VALUES, min_size=1, max_size=8), st.randoms(use_true_random=False), st.sampled_from([", ", "; ", "\n", ","]))
def test_the_order_of_a_list_and_what_separates_it_do_not_matter(values: list[str], random: object, separator: str) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined] # hypothesis types its Random as an object
    assert answers_match(separator.join(shuffled), ", ".join(values))


@given(st.lists(VALUES, min_size=2, max_size=8), st.data())
def test_a_list_without_one_of_its_values_or_with_one_twice_does_not_match(values: list[str], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(values) - 1))
    assert not answers_match(", ".join(values[:index] + values[index + 1 :]), ", ".join(values))
    assert not answers_match(", ".join([*values, values[index]]), ", ".join(values))


@given(
    st.decimals(allow_nan=False, allow_infinity=False, min_value=Decimal("0"), max_value=Decimal(10**12)), st.sampled_from(["", PERCENT])
)
def test_a_flipped_sign_never_matches_except_at_zero(number: Decimal, question: str) -> None:
    written = f"{abs(number):f}"
    assert bool(answers_match(f"-{written}", written, question)) is (number == 0)
    assert bool(answers_match(written, f"-{written}", question)) is (number == 0)


@given(st.integers(1, 10**9), st.integers(0, 6), st.integers(-40, 40))
def test_a_number_matches_exactly_when_it_rounds_to_the_golden_one(whole: int, places: int, tenths: int) -> None:
    golden = Decimal(whole).scaleb(-places)
    answer = golden + Decimal(tenths).scaleb(-places - 1)
    assert bool(answers_match(f"{answer:f}", f"{golden:f}")) is (abs(tenths) <= 5)


def test_a_long_answer_takes_no_time() -> None:
    assert not answers_match("*a " * 100_000, "42")
    assert not answers_match(" and " * 100_000, "42")
    assert not answers_match("1," * 100_000, "42")
    numbers = [str(number) for number in range(20_000)]
    assert answers_match(", ".join(reversed(numbers)), ", ".join(numbers))


def test_a_text_is_listed_in_each_way_it_can_be_read() -> None:
    assert listed("1,234, 5 and 6") == [["1,234", "5 and 6"], ["1,234", "5", "6"], ["1", "234", "5 and 6"], ["1", "234", "5", "6"]]
    assert listed("NL") == [["nl"]]
    assert listed(" [ ] ") == []


def test_the_examples_are_true() -> None:
    assert [doctest.testmod(module).failed for module in (enumerations, short_answers)] == [0, 0]
