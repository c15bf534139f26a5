from __future__ import annotations

from dataclasses import replace

from goldenlib.gating import Baseline
from goldenlib.reporting.changes import changes
from goldenlib.reporting.passages import Segment
from tests.builders import a_report, a_result


def _read(segments: tuple[Segment, ...]) -> str:
    return "".join(f"[{segment.text}]" if segment.kind else segment.text for segment in segments)


def test_then_shows_the_phrase_that_is_missing_now_and_now_what_stands_there() -> None:
    then = a_result("a", "Biaya apostille adalah Rp150.000 per dokumen.")
    now = a_result("a", "Biaya apostille adalah Rp100.000 per dokumen.", missing=["Rp150.000"])
    (change,) = changes(a_report(now, baselines={"a": then}))
    assert _read(change.then) == "Biaya apostille adalah [Rp150.000] per dokumen."
    assert _read(change.now) == "Biaya apostille adalah Rp100.000 per dokumen."


def test_now_shows_the_forbidden_phrase_and_then_what_stood_there() -> None:
    then = a_result("a", "PT perorangan tidak memerlukan akta notaris.")
    now = a_result("a", "PT perorangan wajib akta notaris.", forbidden=["wajib akta notaris"])
    (change,) = changes(a_report(now, baselines={"a": then}))
    assert _read(change.now) == "PT perorangan [wajib akta notaris]."
    assert _read(change.then).startswith("PT perorangan tidak memerlukan")


def test_a_flip_of_the_judge_alone_shows_the_scores() -> None:
    now = a_result("a", judge=0.6)
    (change,) = changes(a_report(now, baselines={"a": Baseline(a_result("a", judge=0.8), "another", "0")}))
    assert (_read(change.then), _read(change.now)) == ("passed, judge 0.80", "failed, judge 0.60")


def test_a_baseline_without_its_answer_shows_its_outcome() -> None:
    then = replace(a_result("a"), answer=None)
    (change,) = changes(a_report(a_result("a", missing=["x"]), baselines={"a": then}))
    assert _read(change.then) == "passed, judge 0.90"


def test_what_blocks_comes_first() -> None:
    results = [a_result("a", missing=["x"], verified=False), a_result("b", missing=["x"])]
    report = a_report(*results, baselines={"a": a_result("a", verified=False), "b": a_result("b")})
    assert [change.regression.item_id for change in changes(report)] == ["b", "a"]


def test_overlapping_places_are_shown_once() -> None:
    then = a_result("a", "harus WNI dan satu orang saja, titik")
    now = a_result("a", "harus WNA saja, titik", missing=["WNI dan satu", "satu orang"])
    (change,) = changes(a_report(now, baselines={"a": then}))
    assert _read(change.now) == "harus WNA saja, titik"
