from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.reporting.junit import render_junit
from goldenlib.reporting.report import Report
from tests.builders import a_report, a_result, a_run, a_skip, an_error
from tests.reporting.samples import error_report, hostile_report, mixed_report, pass_report

ANY_TEXT = st.text(st.characters(categories=None), max_size=60)


def _suite(report: Report) -> ET.Element:
    suite = ET.fromstring(render_junit(report).encode("utf-8")).find("testsuite")
    assert suite is not None
    return suite


def _case(report: Report, name: str) -> ET.Element:
    (case,) = (case for case in _suite(report).findall("testcase") if case.get("name") == name)
    return case


def _property(case: ET.Element, name: str) -> str | None:
    found = case.find(f"properties/property[@name='{name}']")
    return None if found is None else found.get("value")


def test_a_verified_fail_is_a_failure_with_its_reason() -> None:
    failure = _case(a_report(a_result("a", missing=["WNI"])), "a").find("failure")
    assert failure is not None
    assert failure.get("message") == "missing 'WNI'"
    assert failure.get("type") == "facts"


def test_an_unverified_fail_is_skipped_and_says_that_it_would_fail() -> None:
    case = _case(a_report(a_result("a", missing=["WNI"], verified=False)), "a")
    skipped = case.find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "not verified by an expert: would fail: missing 'WNI'"
    assert _property(case, "verified") == "false"
    assert case.find("failure") is None


def test_an_error_is_an_error_and_no_failure() -> None:
    case = _case(a_report(an_error("a", "stream broke")), "a")
    assert case.find("failure") is None
    error = case.find("error")
    assert error is not None
    assert error.get("message") == "stream broke"


def test_an_item_that_was_not_driven_is_skipped_with_the_reason() -> None:
    skipped = _case(a_report(a_skip("a"), a_result()), "a").find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "internal items skipped (drive not wired)"


def test_a_pass_has_no_outcome_element() -> None:
    case = _case(a_report(a_result("a")), "a")
    assert [child.tag for child in case] == ["properties"]


@pytest.mark.parametrize(("make", "tag"), [(mixed_report, "failure"), (error_report, "error"), (pass_report, None)])
def test_the_gate_case_holds_the_decision(make: Callable[[], Report], tag: str | None) -> None:
    report = make()
    gate = _case(report, "gate")
    assert [child.tag for child in gate] == ([tag] if tag else []) + ["system-out"]
    if tag:
        assert gate[0].get("message") == report.decision.line
        assert all(reason in (gate[0].text or "") for reason in report.decision.reasons)


def test_a_run_blocked_by_an_unverified_item_alone_is_red() -> None:
    suite = _suite(a_report(a_result("a", verified=False), allow_unverified=False))
    assert (suite.get("failures"), suite.get("errors"), suite.get("skipped")) == ("1", "0", "0")


@pytest.mark.parametrize("make", [mixed_report, error_report, pass_report, hostile_report])
def test_counts_are_those_of_the_elements(make: Callable[[], Report]) -> None:
    root = ET.fromstring(render_junit(make()).encode("utf-8"))
    for element in (root, *root.findall("testsuite")):
        assert element.get("tests") == str(len(element.findall(".//testcase")))
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert element.get(attribute) == str(len(element.findall(f".//testcase/{tag}")))


def test_a_case_is_named_by_set_domain_and_item_and_timed_in_seconds() -> None:
    case = _case(a_report(a_result("a", domain="apostille")), "a")
    assert (case.get("classname"), case.get("time")) == ("ahu.apostille", "1.500")


def test_an_item_called_gate_is_not_taken_for_the_gate() -> None:
    suite = _suite(a_report(a_result("gate", domain="")))
    assert [case.get("classname") for case in suite.findall("testcase[@name='gate']")] == ["ahu", "ahu.no-domain"]


def test_a_regression_is_noted_at_its_item() -> None:
    report = a_report(a_result("a", missing=["x"]), baselines={"a": a_result("a", "another answer")})
    assert _property(_case(report, "a"), "regression") == "gates: yes, verified; passed in run-1; missing 'x'"


def test_banners_warnings_and_notes_stand_in_the_gates_output() -> None:
    report = a_report(a_result(verified=False), warnings=["careful"])
    output = _case(report, "gate").findtext("system-out") or ""
    for line in (report.banner, "careful", *report.decision.notes):
        assert line in output


def test_characters_that_xml_forbids_are_made_visible() -> None:
    failure = _case(a_report(a_result("a", "x\x00\x1b[0m\ufffe\ud800]]>", missing=["y"])), "a").find("failure")
    assert failure is not None
    assert "x␀␛[0m⟦U+FFFE⟧⟦U+D800⟧]]>" in (failure.text or "")


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_any_text_gives_xml_that_can_be_read_back(item_id: str, reason: str, answer: str) -> None:
    results = [a_result(item_id, answer, missing=[reason], domain=reason), an_error("e", reason), a_skip("s", reason=reason)]
    suite = _suite(a_report(*results, run=a_run(run_id=reason, set_name=answer), warnings=[reason]))
    assert len(suite.findall("testcase")) == 4
