from __future__ import annotations

import doctest
import importlib
import io
import pkgutil
from datetime import datetime
from decimal import Decimal

import pytest
from rich.console import Console

import goldenlib.reporting
from goldenlib.reporting.junit import render_junit
from goldenlib.reporting.markdown import render_markdown
from goldenlib.reporting.page import render_html
from goldenlib.reporting.report import ResultState, state_of
from goldenlib.reporting.terminal import print_report
from goldenlib.reporting.wording import duration, fingerprints, identity, judge_text, moment, number, reason_text
from tests.builders import a_report, a_result, a_run, a_skip, an_error


def test_failed_items_come_first_then_errors_then_passed_then_skipped() -> None:
    report = a_report(a_skip("s"), a_result("p"), an_error("e"), a_result("f", missing=["x"]))
    assert [result.item_id for result in report.ordered] == ["f", "e", "p", "s"]


def test_what_blocks_comes_before_other_failed_items() -> None:
    failed = [a_result("a", missing=["x"], verified=False), a_result("b", missing=["x"]), a_result("c", missing=["x"])]
    report = a_report(*failed, baselines={"c": a_result("c")})
    assert [result.item_id for result in report.ordered] == ["c", "b", "a"]


def test_items_of_one_state_keep_the_order_of_the_set() -> None:
    assert [result.item_id for result in a_report(*(a_result(name) for name in "zay")).ordered] == ["z", "a", "y"]


def test_scored_without_a_verdict_counts_as_failed_as_in_the_gate() -> None:
    result = a_result(passed=None)
    assert state_of(result) is ResultState.FAIL
    assert a_report(result).decision.totals.failed == 1


def test_domains_are_counted_apart() -> None:
    report = a_report(a_result("a", domain="pt"), a_result("b", domain="yayasan", missing=["x"]), a_result("c", domain="pt"))
    assert [(each.name, each.totals.passed, each.totals.scored) for each in report.domains] == [("pt", 2, 2), ("yayasan", 0, 1)]


def test_each_kind_of_label_is_counted_apart_and_an_item_under_each_of_its_traps() -> None:
    report = a_report(
        a_result("a", labels=(("role", "finance"), ("trap", "vat"), ("trap", "fiscal-year"))),
        a_result("b", labels=(("role", "support"), ("trap", "vat")), missing=["x"]),
        a_result("c"),
    )
    counted = {kind: [(each.name, each.totals.passed, each.totals.scored) for each in groups] for kind, groups in report.labelled.items()}
    assert counted == {"role": [("finance", 1, 1), ("support", 0, 1)], "trap": [("vat", 1, 2), ("fiscal-year", 1, 1)]}


@pytest.mark.parametrize("selection", ["", "--select pt-*: 1 of 9"])
def test_the_verdict_is_the_line_without_its_outcome(selection: str) -> None:
    report = a_report(a_result(), run=a_run(selection=selection))
    assert report.verdict.startswith("1 of 1 scored item passed")
    assert report.decision.line.endswith(report.verdict)


def test_every_banner_that_applies_is_there() -> None:
    report = a_report(a_result(verified=False), run=a_run(judge_model=None, is_demo=True))
    assert [banner.split(" ")[0] for banner in report.banners] == ["Not", "Nothing", "Demo"]


def test_a_verified_judged_run_has_no_banner() -> None:
    assert a_report(a_result()).banners == ()


def test_the_judge_column_tells_a_number_from_no_verdict_and_not_asked() -> None:
    assert [judge_text(result) for result in (a_result(judge=0.9), a_result(judge=None), a_skip())] == ["0.90", "no verdict", "–"]


def test_an_error_says_that_it_is_not_counted() -> None:
    assert reason_text(an_error(reason="stream broke")) == "stream broke (not counted)"


def test_times_are_told_in_utc() -> None:
    assert moment(datetime.fromisoformat("2026-11-29T15:14:00+07:00")) == "2026-11-29 08:14 UTC"


def test_a_time_span_that_is_no_number_is_a_dash() -> None:
    assert duration(float("nan")) == "–"


def test_the_title_says_what_was_asked_of_whom_and_by_which_judge() -> None:
    report = a_report(a_result())
    assert identity(report) == (
        "1 question of 'ahu'",
        "chatbot chatbot.staging",
        "judge qwen3-32b",
        "1 min 12 s",
    )
    assert fingerprints(report) == "Digests: set 9c1e9c1e…, judge's prompt 4b7d4b7d…"


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(goldenlib.reporting.__path__)])
def test_examples_in_docstrings_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"goldenlib.reporting.{name}")).failed == 0


@pytest.mark.parametrize(
    ("score", "threshold", "shown"),
    [(0.8496, "0.85", "0.8496"), (0.6999999, "0.7", "0.699999"), (0.996, "1", "0.996"), (0.85, "0.85", "0.85")],
)
def test_a_score_stands_on_its_own_side_of_the_threshold_in_every_report(score: float, threshold: str, shown: str) -> None:
    """fd-020: 0.85 beside a fail, with a threshold of 0.85."""
    passed = Decimal(repr(score)) >= Decimal(threshold)
    result = a_result(judge=score, passed=passed, reason="judge: as the judge said")
    report = a_report(result, run=a_run(settings={"golden_pass_threshold": threshold}))
    terminal = io.StringIO()
    print_report(report, Console(file=terminal, width=160))
    for text in (terminal.getvalue(), render_markdown(report), render_html(report), render_junit(report)):
        assert shown in text
    assert (Decimal(number(score)) >= Decimal(threshold)) is passed
