"""What a data agent's JSON reply holds."""

from __future__ import annotations

import json
import time
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.answers import EventKind
from goldenlib.wire.replies import UnreadableReply, extract_sql, load_json, read_decline, read_reply, read_rows, rows_content


def parts(value: dict[str, Any]) -> dict[EventKind, str]:
    return {part.kind: part.content for part in read_reply(value)[1]}


def test_a_reply_may_hold_everything_at_once() -> None:
    text, found = read_reply({"sql": "SELECT 1", "rows": [[1]], "columns": ["n"], "answer": "One.", "decline": False, "trace": {}})
    assert text == "One."
    assert [(part.kind, part.content) for part in found] == [
        (EventKind.QUERY, "SELECT 1"),
        (EventKind.ROWS, '{"columns":["n"],"rows":[[1]]}'),
    ]


@pytest.mark.parametrize(
    ("decline", "read"),
    [
        (True, ("", "")),
        ("ambiguous", ("ambiguous", "")),
        ("Which year?", ("", "Which year?")),
        ({"type": "Unanswerable"}, ("unanswerable", "")),
        ({"type": "forbidden", "message": "No."}, ("forbidden", "No.")),
        ({"message": None}, ("", "")),
    ],
)
def test_a_decline_is_read_in_each_of_its_forms(decline: Any, read: tuple[str, str]) -> None:
    assert read_decline(parts({"decline": decline})[EventKind.DECLINE]) == read


@pytest.mark.parametrize("decline", ["", "none", "No", "false", {"type": "none", "message": ""}, None, False])
def test_a_decline_that_is_empty_or_says_none_is_no_decline(decline: Any) -> None:
    assert parts({"answer": "42", "decline": decline}) == {}


def test_a_type_of_another_name_is_part_of_what_a_decline_says() -> None:
    read = read_decline(parts({"decline": {"type": "no_data", "message": "Nothing there."}})[EventKind.DECLINE])
    assert read == ("", "no_data\nNothing there.")


@pytest.mark.parametrize("number", ["1e99999999", "1e-99999999", "1e99999999999999999999", "9" * 5000])
def test_a_number_that_would_fill_the_memory_is_its_spelling(number: str) -> None:
    """fd-074: text agrees with no number, so that such rows do not match."""
    assert load_json(f'{{"rows": [[{number}]]}}') == {"rows": [[number[:400]]]}


def test_a_number_of_a_function_that_would_fill_the_memory_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 400 digits"):
        rows_content([[Decimal("1E+99999999")]])


def test_a_cell_nested_too_deeply_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 50 deep"):
        rows_content([[json.loads("[" * 200 + "]" * 200)]])


def test_a_text_of_many_selects_is_searched_in_no_time() -> None:
    started = time.perf_counter()
    extract_sql("select 1 " * 50_000 + ".")
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({}, "holds none of sql, rows"),
        ({"sql": ["SELECT 1"]}, "sql is a list, expected text"),
        ({"rows": "x"}, "rows is not a list of rows"),
        ({"rows": [[1], [1, 2]]}, "rows have 1 to 2 cells"),
        ({"rows": [[1]], "columns": ["a", "b"]}, "rows have 1 to 2 cells"),
        ({"rows": [[1]], "columns": [1]}, "columns is not a list of names"),
        ({"rows": [{"a": 1}, [2]]}, "rows are partly objects"),
        ({"answer": True}, "answer is true, expected text"),
        ({"decline": 3}, "decline is a number"),
        ({"decline": {"type": 3}}, "decline.type is a number"),
    ],
)
def test_what_cannot_be_read_is_said(value: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_reply(value)


def test_objects_become_rows_by_their_keys() -> None:
    assert read_rows(rows_content([{"a": 1, "b": 2}, {"b": 3}])) == (["a", "b"], [(1, 2), (None, 3)])


def test_cells_keep_what_they_are() -> None:
    row = (1, 10**30, Decimal("0.1000000000000000000001"), None, True, "x", [1, "y"])
    assert read_rows(rows_content([row]))[1] == [(*row[:-1], [1, "y"])]


def test_dates_become_the_text_that_agrees_with_them() -> None:
    assert read_rows(rows_content([(date(2026, 3, 1), datetime(2026, 3, 1, 9))]))[1] == [("2026-03-01", "2026-03-01T09:00:00")]


@given(st.lists(st.tuples(st.none() | st.booleans() | st.integers() | st.text(), st.decimals(allow_nan=False, allow_infinity=False))))
def test_rows_come_back_as_they_went_in(rows: list[tuple[Any, Decimal]]) -> None:
    assert [(first, Decimal(second)) for first, second in read_rows(rows_content(rows))[1]] == rows


@pytest.mark.parametrize(
    ("text", "sql"),
    [
        ("```sql\nSELECT 1\n```", "SELECT 1"),
        ("First:\n```sql\nSELECT 1\n```\nbetter:\n```SQL\nSELECT 2;\n```\nDone.", "SELECT 2;"),
        ("```\nSELECT 1\n```", "SELECT 1"),
        ("```duckdb\nFROM t\n```", "FROM t"),
        ("SELECT 1", "SELECT 1"),
        ("  with a as (select 1) select * from a", "with a as (select 1) select * from a"),
        ("-- net\nSELECT sum(x) FROM t", "-- net\nSELECT sum(x) FROM t"),
        ("```python\nprint(1)\n```", None),
        ("With regret, there is no such data.", None),
        ("From 2025 on, sales grew.", None),
        ("Select the year first. Which one do you mean?", None),
        ("42", None),
        ("", None),
    ],
)
def test_the_query_of_a_text_is_found(text: str, sql: str | None) -> None:
    assert extract_sql(text) == sql


@given(st.text(max_size=200))
def test_any_text_may_be_searched_for_a_query(text: str) -> None:
    assert extract_sql(text) is None or extract_sql(text)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"error": "upstream reset"}, "it says that it failed: upstream reset"),
        ({"error": {"error": {"message": "no  tables"}}, "status": 500}, "it says that it failed: no tables"),
        ({"sql": ""}, "sql is empty, and there is nothing beside it"),
        ({"sql": "  ", "answer": ""}, "sql is empty, and there is nothing beside it"),
    ],
)
def test_a_reply_that_only_says_it_failed_is_the_agents_failure(value: dict[str, Any], said: str) -> None:
    """field/analyst 13: it was not counted, so that breakage raised the pass rate (contract 9.6)."""
    with pytest.raises(UnreadableReply, match=said):
        read_reply(value)


@pytest.mark.parametrize("value", [{"error": None, "sql": "SELECT 1"}, {"error": "slow", "answer": "42"}, {"sql": "", "answer": "No."}])
def test_a_reply_that_says_something_beside_is_read(value: dict[str, Any]) -> None:
    assert read_reply(value)


@pytest.mark.parametrize("text", ['{"sql": "a", "answer": "b", "sql": "c"}', '{"rows": [{"sql": 1, "sql": 2}]}'])
def test_an_object_with_a_key_twice_cannot_be_read_and_the_key_is_named(text: str) -> None:
    """The last one won, and nobody saw the other."""
    with pytest.raises(UnreadableReply, match="has the key 'sql' twice"):
        load_json(text)
