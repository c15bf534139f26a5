from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from goldenlib.reporting.fragments import render_fragments
from goldenlib.reporting.passages import visible
from goldenlib.reporting.report import Report
from tests.builders import a_report, a_result, an_error
from tests.reporting.html_reading import Document
from tests.reporting.samples import error_report, hostile_report, mixed_report, pass_report

SAMPLES = [mixed_report, pass_report, error_report, hostile_report]


def _styleless(fragment: str) -> Document:
    return Document(re.sub(r"<style>.*?</style>", "", fragment, flags=re.DOTALL))


def test_the_fragments_have_the_names_that_the_notebook_asks_for() -> None:
    assert list(render_fragments(mixed_report())) == ["summary", "regressions", "results", "trend"]


@pytest.mark.parametrize("make", SAMPLES)
def test_a_fragment_is_well_formed_and_has_no_script(make: Callable[[], Report]) -> None:
    for fragment in render_fragments(make()).values():
        document = Document(fragment)
        assert not document.tags & {"script", "iframe", "img", "link", "form", "input", "a"}
        assert not [element for element in document.elements if "id" in element.attributes]
        assert visible(fragment) == fragment


def test_every_style_rule_stays_within_the_fragment() -> None:
    style = Document(render_fragments(pass_report())["summary"]).one("style").text
    selectors = re.findall(r"(?:^|[{}])\s*([^{}@]+?)\s*\{", style)
    parts = [part for selector in selectors for part in re.split(r",(?![^(]*\))", selector)]
    assert len(parts) > 50
    assert [part for part in parts if ".golden" not in part] == []


def test_the_summary_holds_banner_decision_and_totals() -> None:
    text = _styleless(render_fragments(mixed_report())["summary"]).elements[0].text
    for part in ("Not a quality verdict: 8 of 42", "BLOCK", "29 / 37 passed of scored"):
        assert part in text


def test_the_results_read_well_without_style() -> None:
    row = _styleless(render_fragments(a_report(a_result("a", "Pendiri WNI", present=["WNI"], domain="pt")))["results"]).all("tr")[1]
    assert row.text.startswith("✓ pass a ✓ verified pt 0.90 all facts present Question")
    assert "Pendiri ✓ required: WNI" in row.text


def test_results_are_a_table_row_each() -> None:
    results = _styleless(render_fragments(a_report(a_result("a"), an_error("b")))["results"])
    assert len(results.all("tr")) == 3


def test_without_a_trend_the_fragment_says_what_it_takes() -> None:
    assert "it needs two finished runs" in render_fragments(a_report(a_result()))["trend"]


def test_the_summary_of_a_set_with_roles_tells_their_rates() -> None:
    summary = _styleless(render_fragments(a_report(a_result("a", labels=(("role", "finance"),))))["summary"])
    assert "finance 1 / 1 100 %" in summary.one("table", "domains").text
