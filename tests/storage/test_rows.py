"""What a row keeps: everything, exactly, and nothing that would be a lie."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from goldenlib.answers import Answer, Evidence, EvidenceKind, JudgeStatus, Result, Score, Status
from goldenlib.errors import StoreError
from goldenlib.storage import Store
from goldenlib.storage.rows import preview
from goldenlib.storage.tables import storable
from tests.builders import a_result, a_skip, an_error
from tests.storage.scenes import a_new_run, write

TEXTS = st.text(st.characters(exclude_categories=()), max_size=30)  # with NUL and lone surrogates
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
TIMES = st.datetimes(datetime(1970, 1, 2), datetime(2100, 1, 1), timezones=st.sampled_from([UTC, timezone(timedelta(hours=7))]))
ANSWERS = st.builds(
    Answer,
    text=TEXTS,
    error=st.none() | TEXTS,
    seconds=NUMBERS,
    first_content_seconds=st.none() | NUMBERS,
    attempts=st.integers(0, 2**31 - 1),
)
EVIDENCE = st.builds(Evidence, st.sampled_from(EvidenceKind), TEXTS, TEXTS, st.integers(0, 9), st.integers(0, 9))
SCORES = st.builds(
    Score,
    TEXTS,
    st.none() | NUMBERS,
    st.none() | st.booleans(),
    TEXTS,
    st.booleans(),
    st.lists(EVIDENCE, max_size=3).map(tuple),
    st.lists(TEXTS, max_size=2).map(tuple),
)
RESULTS = st.builds(
    Result,
    run_id=st.just("run-1"),
    item_id=st.just("a"),
    surface=TEXTS,
    domain=TEXTS,
    question=TEXTS,
    digest=TEXTS,
    verified=st.booleans(),
    status=st.sampled_from(Status),
    judge_status=st.sampled_from(JudgeStatus),
    passed=st.booleans(),
    score=st.none() | NUMBERS,
    reason=TEXTS,
    answer=st.none() | ANSWERS,
    scores=st.lists(SCORES, max_size=3).map(tuple),
    finished_at=st.none() | TIMES,
)


def stored(store: Store, result: Result) -> Result:
    """The result as it comes back from the store."""
    run = a_new_run()
    if not store.runs():
        store.create_run(run)
    write(store, run, [result])
    (back,) = store.results("run-1")
    return back


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(result=RESULTS)
def test_any_result_comes_back_exactly_but_for_what_no_database_holds(store: Store, result: Result) -> None:
    shown = {name: storable(getattr(result, name)) for name in ("surface", "domain", "question", "digest", "reason")}
    answer = result.answer
    if answer is not None:
        answer = replace(answer, text=storable(answer.text), error=None if answer.error is None else storable(answer.error))
    assert stored(store, result) == replace(result, answer=answer, **shown)


@pytest.mark.parametrize("result", [a_result(), an_error(), a_skip()], ids=lambda result: str(result.status))
def test_a_result_comes_back_as_it_was(store: Store, result: Result) -> None:
    assert stored(store, result) == result


def test_an_empty_answer_is_not_no_answer(store: Store) -> None:
    assert stored(store, a_result(answer=Answer(""))).answer == Answer("")


def test_nul_and_lone_surrogates_are_shown_and_lose_no_row(store: Store) -> None:
    back = stored(store, a_result(text="biaya\x00 \ud800Rp\udfff 50.000 🙂"))
    assert back.answer is not None
    assert back.answer.text == "biaya␀ \ufffdRp\ufffd 50.000 🙂"


def test_evidence_keeps_nul_and_surrogates_and_its_place(store: Store) -> None:
    evidence = (Evidence(EvidenceKind.FORBIDDEN, "x\x00y", "\ud800 x\x00y", 2, 5),)
    score = Score("facts", None, False, "says x", evidence=evidence, raw=('{"a": "\\u0000"}', "\x00"))
    assert stored(store, a_result(scores=(score,))).scores == (score,)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda value: {"score": value}, "score of item 'a' in run 'run-1' is"),
        (lambda value: {"scores": (Score("judge", value, True, "r"),)}, "value of axis 'judge' of item 'a'"),
        (lambda value: {"answer": Answer("x", seconds=value)}, "seconds of item 'a'"),
        (lambda value: {"answer": Answer("x", first_content_seconds=value)}, "seconds of item 'a'"),
    ],
)
def test_a_number_that_is_not_finite_is_refused(store: Store, value: float, change: Any, said: str) -> None:
    store.create_run(a_new_run())
    with store.writer(a_new_run()) as writer, pytest.raises(StoreError, match=said):
        writer.put(a_result("a", **change(value)))
    assert store.results("run-1") == ()


def test_a_scored_result_has_passed_or_failed(store: Store) -> None:
    store.create_run(a_new_run())
    with store.writer(a_new_run()) as writer, pytest.raises(StoreError, match="neither passed nor failed; give it status error"):
        writer.put(a_result("a", passed=None))


def test_a_result_of_another_run_is_refused(store: Store) -> None:
    store.create_run(a_new_run())
    with store.writer(a_new_run()) as writer, pytest.raises(StoreError, match="belongs to run 'run-2', not to 'run-1'"):
        writer.put(a_result("a", run_id="run-2"))


def test_a_result_without_zone_is_refused(store: Store) -> None:
    store.create_run(a_new_run())
    with store.writer(a_new_run()) as writer, pytest.raises(StoreError, match="finished_at 2026-07-10T16:00:00 has no time zone"):
        writer.put(a_result("a", finished_at=datetime(2026, 7, 10, 16)))


@pytest.mark.parametrize(
    ("full", "shown"),
    [
        ("", ""),
        ("  Syarat\n\n1. WNI\u00a0 17\ttahun ", "Syarat 1. WNI 17 tahun"),
        ("x" * 300, "x" * 200),
        ("a\x00\ud800b", "a␀\ufffdb"),
    ],
)
def test_a_preview_is_short_and_on_one_line(full: str, shown: str) -> None:
    assert preview(full) == shown


def test_the_columns_of_seed_001_are_there_to_be_read_by_others(store: Store) -> None:
    stored(store, a_result("a", text="Pendiri  harus\nWNI."))
    columns = "run_id, run_at, item_id, surface, domain, question_preview, answer_preview, score, passed, reason, judge_status"
    with store._database.reads() as connection:
        row = connection.execute(text(f"SELECT {columns} FROM golden_results")).one()
    assert (row.run_id, row.item_id, row.surface, row.domain) == ("run-1", "a", "public", "badan-hukum-pt")
    assert (row.question_preview, row.answer_preview) == ("Apa saja syarat mendirikan PT perorangan?", "Pendiri harus WNI.")
    assert (row.score, bool(row.passed), row.reason, row.judge_status) == (0.9, True, "all facts present", "ok")


@given(texts=st.lists(TIMES, min_size=2, max_size=2))
def test_in_sqlite_the_order_of_texts_is_the_order_of_times(texts: list[datetime]) -> None:
    from sqlalchemy.dialects import sqlite

    from goldenlib.storage.tables import UTCTime

    first, second = texts
    as_text = [UTCTime().process_bind_param(moment, sqlite.dialect()) for moment in texts]
    assert (as_text[0] < as_text[1]) == (first < second)
    assert UTCTime().process_result_value(as_text[0], sqlite.dialect()) == first
