from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from goldenlib.answers import Score
from goldenlib.reporting.machine import render_json, report_as_dict
from tests.builders import a_report, a_result, a_run, a_skip, an_error
from tests.reporting.samples import error_report, hostile_report, mixed_report

CONTRACT_KEYS = ["run_id", "run_at", "set", "series", "decision", "exit_code", "reasons", "totals", "unverified", "regressions", "results"]
ANY_TEXT = st.text(st.characters(categories=None), max_size=60)


FURTHER = ["started_by", "splits", "held_out", "standing", "compared", "rates"]


def test_the_keys_are_those_of_contract_7_and_further_ones_stand_at_the_end() -> None:
    assert list(report_as_dict(mixed_report())) == [*CONTRACT_KEYS, "warnings", "notes", "banners", "demo", "target", "judge", *FURTHER]


def test_a_result_has_the_keys_of_contract_7() -> None:
    (result,) = report_as_dict(a_report(a_result("a", "text", missing=["x"], forbidden=["y"])))["results"]
    assert result == {
        "item_id": "a",
        "surface": "public",
        "domain": "badan-hukum-pt",
        "verified": True,
        "status": "scored",
        "judge_status": "ok",
        "passed": False,
        "score": 0.9,
        "reason": "missing 'x'; says 'y'",
        "missing": ["x"],
        "forbidden": ["y"],
        "scores": [
            {"axis": "facts", "value": None, "passed": False, "reason": "missing 'x'; says 'y'"},
            {"axis": "judge", "value": 0.9, "passed": True, "reason": "the judge's reason"},
        ],
        "answer": "text",
        "seconds": 1.5,
    }


def test_totals_are_those_of_the_gate() -> None:
    assert report_as_dict(mixed_report())["totals"] == {
        "items": 42,
        "driven": 40,
        "scored": 37,
        "passed": 29,
        "failed": 8,
        "errors": 3,
        "skipped": 2,
        "pass_rate": 29 / 37,
    }


def test_a_pass_rate_that_was_not_measured_is_null() -> None:
    assert report_as_dict(error_report())["totals"]["pass_rate"] is None


def test_an_item_that_was_not_driven_has_neither_answer_nor_time() -> None:
    result = report_as_dict(a_report(a_result(), a_skip()))["results"][1]
    assert (result["answer"], result["seconds"], result["passed"], result["score"]) == (None, None, None, None)


def test_a_broken_answer_is_kept() -> None:
    assert report_as_dict(a_report(an_error()))["results"][0]["answer"] == "Untuk mengubah alamat"


def test_results_keep_the_order_of_the_set() -> None:
    results = report_as_dict(a_report(a_skip("s"), a_result("p"), a_result("f", missing=["x"])))["results"]
    assert [result["item_id"] for result in results] == ["s", "p", "f"]


def test_regressions_say_whether_they_gate() -> None:
    then = a_result("a", "another answer", verified=False)
    regressions = report_as_dict(a_report(a_result("a", missing=["x"], verified=False), baselines={"a": then}))["regressions"]
    assert regressions == [{"item_id": "a", "gates": False, "baseline_run_id": "run-1", "note": "missing 'x'"}]


def test_the_time_is_utc_with_offset() -> None:
    assert report_as_dict(a_report(a_result()))["run_at"] == "2026-11-29T08:14:03+00:00"


def test_a_run_without_a_judge_has_judge_null() -> None:
    assert report_as_dict(a_report(a_result(), run=a_run(judge_model=None)))["judge"] is None


def test_a_number_that_json_does_not_have_is_null() -> None:
    result = replace(a_result(score=float("nan")), scores=(Score("judge", float("inf"), None, "no verdict"),))
    read = json.loads(render_json(a_report(result)))
    assert read["results"][0]["score"] is None
    assert read["results"][0]["scores"][0]["value"] is None


def test_text_is_readable_and_what_acts_in_a_terminal_is_escaped() -> None:
    text = render_json(a_report(a_result("a", "é \u202e \x1b \u2028 \x9b")))
    assert "é \\u202e \\u001b \\u2028 \\u009b" in text


@given(ANY_TEXT)
def test_any_answer_survives_as_it_is(answer: str) -> None:
    encoded = render_json(a_report(a_result("a", answer))).encode("utf-8")
    assert json.loads(encoded)["results"][0]["answer"] == answer


def test_the_hostile_report_survives_as_it_is() -> None:
    report = hostile_report()
    assert json.loads(render_json(report).encode("utf-8")) == report_as_dict(report)
