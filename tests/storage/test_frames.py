"""Frames of what the store holds: tidy, typed, and whole."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from typing import Any

import pandas as pd
import pytest

from goldenlib.comparing import compare_runs
from goldenlib.storage import Store
from tests.bench.quarter import OUTAGE_RUN, SERIES, Quarter
from tests.builders import a_result, an_error
from tests.comparing.test_runs import play

pytestmark = pytest.mark.xdist_group("quarter")


@pytest.fixture(scope="module")
def store(quarter: Quarter) -> Iterator[Store]:
    with Store.open_existing(str(quarter.path)) as opened:
        yield opened


def kinds(frame: pd.DataFrame, *names: str) -> list[str]:
    return [str(frame[name].dtype) for name in names]


def test_the_frame_of_runs_has_a_row_a_run_with_its_counts(store: Store) -> None:
    frame = store.runs_frame()
    assert len(frame) == 60
    assert kinds(frame, "run_at", "series", "passed", "pass_rate", "is_demo") == [
        "datetime64[us, UTC]",
        "category",
        "Int64",
        "Float64",
        "boolean",
    ]
    counts = frame[["scored", "errors", "skipped"]].sum(axis=1)
    assert (counts == frame["items"]).all()
    outage = frame.iloc[OUTAGE_RUN]
    assert outage["pass_rate"] == outage["passed"] / outage["scored"]


def test_the_frame_of_results_has_a_row_an_item_and_run(store: Store) -> None:
    frame = store.results_frame(SERIES)
    assert len(frame) == 12_000
    assert not frame.duplicated(["run_id", "item_id"]).any()
    assert kinds(frame, "run_id", "passed", "score", "attempts", "finished_at") == [
        "category",
        "boolean",
        "Float64",
        "Int64",
        "datetime64[us, UTC]",
    ]
    assert frame["run_at"].is_monotonic_increasing
    assert frame["run_at"].dt.tz == UTC


def test_what_was_not_scored_is_missing_and_not_false(store: Store) -> None:
    frame = store.results_frame(run_id=f"night-{OUTAGE_RUN}")
    assert (frame["passed"].isna() == (frame["status"] == "error")).all()
    assert frame["passed"].isna().sum() > 100


def test_chunks_hold_the_same_rows(store: Store) -> None:
    chunks = list(store.results_frames(rows=5_000))
    assert [len(chunk) for chunk in chunks] == [5_000, 5_000, 2_000]
    whole = store.results_frame()
    assert list(pd.concat([chunk["reason"] for chunk in chunks])) == list(whole["reason"])
    assert str(whole["item_id"].dtype) == "category"


def test_the_frame_of_answers_holds_them_in_full(store: Store) -> None:
    frame = store.answers_frame(run_id="night-00")
    results = {result.item_id: result.answer.text for result in store.results("night-00") if result.answer is not None}
    assert dict(zip(frame["item_id"], frame["answer"], strict=True)) == results


@pytest.mark.parametrize("make", [Store.runs_frame, Store.results_frame, Store.answers_frame])
def test_frames_of_nothing_have_their_columns(make: Any, quarter: Quarter, store: Store) -> None:
    frame = make(store, series="none")
    assert len(frame) == 0
    assert list(frame.columns) == list(make(store, SERIES).columns)
    assert list(map(str, frame.dtypes)) == list(map(str, make(store, SERIES).dtypes))


@pytest.mark.parametrize("engine", ["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres])])
def test_frames_are_the_same_on_both_engines(engine: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    url = request.getfixturevalue("postgres_store_url") if engine == "postgresql" else str(tmp_path_factory.mktemp("f") / "golden.db")
    with Store.open(url) as opened:
        play(opened, "r1", a_result("a", "WNI."), an_error("b"))
        play(opened, "r2", a_result("a", "WNA.", missing=["WNI"]), a_result("b"), hour=1)
        frame = opened.results_frame()
        assert [(row.run_id, row.item_id, row.passed) for row in frame.fillna({"passed": False}).itertuples()] == [
            ("r1", "a", True),
            ("r1", "b", False),
            ("r2", "a", False),
            ("r2", "b", True),
        ]
        assert list(opened.runs_frame()["errors"]) == [1, 0]
        flips = compare_runs(opened).to_frame()
        assert [(row.item_id, row.is_worse, row.causes) for row in flips.itertuples()] == [("a", True, "lacks 'WNI'")]
