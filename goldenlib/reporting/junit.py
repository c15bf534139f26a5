"""The report as JUnit XML, for CI systems that read nothing else.

Rule: only what counts is red. A failed item that no expert has verified is "skipped" with its reason, and the test case
`gate` carries the decision.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Any

from goldenlib.answers import Result
from goldenlib.cilogs import xml_text
from goldenlib.gating import Outcome
from goldenlib.reporting.passages import plain, visible
from goldenlib.reporting.report import Report, ResultState, state_of
from goldenlib.reporting.wording import gates_text, judge_text, totals_text

GATE = "gate"
_MESSAGE = 1_000
_ANSWER = 20_000


def render_junit(report: Report) -> str:
    """Return one test suite: a test case per item, and one named "gate" that fails on BLOCK and errs on ERROR.

    Items: a verified fail is a failure, an error an error, an item that was not driven is skipped, and so is an unverified
    one that fails, since it never gates. Text that XML 1.0 does not allow is made visible.
    """
    suite = _element("testsuite", name=report.run.set_name, timestamp=report.run.run_at.isoformat(timespec="seconds"))
    _properties(suite, _run_properties(report))
    suite.append(_gate_case(report))
    for result in report.results:
        suite.append(_item_case(report, result))
    root = _element("testsuites", name=f"golden run {report.run.run_id}")
    root.append(suite)
    for element in (root, suite):
        _set_counts(element, suite, report.seconds)
    ET.indent(root)
    return xml_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n')


def _gate_case(report: Report) -> ET.Element:
    decision = report.decision
    case = _element("testcase", classname=report.run.set_name, name=GATE, time="0.000")
    body = "\n".join([decision.line, *(f"- {reason}" for reason in decision.reasons)])
    if decision.outcome is not Outcome.PASS:
        _child(case, "failure" if decision.outcome is Outcome.BLOCK else "error", body, message=decision.line, type=str(decision.outcome))
    lines = [*report.banners, *report.warnings, totals_text(report), *report.notes, decision.line]
    _child(case, "system-out", "\n".join(lines))
    return case


def _item_case(report: Report, result: Result) -> ET.Element:
    seconds = result.answer.seconds if result.answer is not None else 0.0
    classname = f"{report.run.set_name}.{result.domain or 'no-domain'}"
    case = _element("testcase", classname=classname, name=result.item_id, time=_seconds(seconds))
    _properties(case, _item_properties(report, result))
    state = state_of(result)
    if state is ResultState.ERROR:
        _child(case, "error", _body(report, result), message=result.reason or "error", type="error")
    elif state is ResultState.SKIP:
        _child(case, "skipped", message=result.reason or "skipped")
    elif state is ResultState.FAIL and result.verified:
        kind = "facts" if result.missing or result.forbidden else "judge"
        _child(case, "failure", _body(report, result), message=result.reason or "failed", type=kind)
    elif state is ResultState.FAIL:
        _child(case, "skipped", _body(report, result), message=f"not verified by an expert: would fail: {result.reason or 'failed'}")
    if result.remarks:
        _child(case, "system-out", "\n".join(result.remarks))
    return case


def _item_properties(report: Report, result: Result) -> dict[str, str]:
    regression = report.regressions.get(result.item_id)
    properties = {
        "verified": "true" if result.verified else "false",
        "judge": judge_text(result),
        "surface": result.surface,
        "digest": result.digest,
    }
    if regression is not None:
        properties["regression"] = f"gates: {gates_text(regression)}; passed in {regression.baseline_run_id}; {regression.note}"
    return properties


def _run_properties(report: Report) -> dict[str, str]:
    run = report.run
    return {
        "run_id": run.run_id,
        "decision": str(report.decision.outcome),
        "exit_code": str(report.decision.exit_code),
        "set_digest": run.set_digest,
        "series": run.series,
        "target": run.target,
        "judge_model": run.judge_model or "off",
        "demo": "true" if run.is_demo else "false",
        "unverified": str(len(report.decision.unverified)),
    }


def _body(report: Report, result: Result) -> str:
    parts = [f"reason: {result.reason}", f"question: {result.question}"]
    regression = report.regressions.get(result.item_id)
    if regression is not None:
        parts.append(f"regression: gates: {gates_text(regression)}; passed in {regression.baseline_run_id}; {regression.note}")
    parts += [f"missing: {phrase}" for phrase in result.missing] + [f"must not say: {phrase}" for phrase in result.forbidden]
    parts += [f"{score.axis}: {score.reason}" for score in result.scores if score.reason]
    if result.answer is not None:
        cut = " (cut)" if len(result.answer.text) > _ANSWER else ""
        parts.append(f"answer{cut}: {result.answer.text[:_ANSWER]}")
    return "\n".join(parts)


def _set_counts(element: ET.Element, suite: ET.Element, seconds: float | None) -> None:
    element.set("tests", str(len(suite.findall("testcase"))))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(len(suite.findall(f"testcase/{tag}"))))
    element.set("time", _seconds(seconds or 0.0))


def _seconds(seconds: float) -> str:
    return f"{seconds if math.isfinite(seconds) else 0.0:.3f}"


def _properties(parent: ET.Element, values: Mapping[str, str]) -> None:
    properties = ET.SubElement(parent, "properties")
    for name, value in values.items():
        properties.append(_element("property", name=name, value=value))


def _child(parent: ET.Element, tag: str, text: str = "", **attributes: Any) -> None:
    child = _element(tag, **attributes)
    child.text = visible(text) or None
    parent.append(child)


def _element(tag: str, **attributes: str) -> ET.Element:
    """Every attribute is one visible line of bounded length, so that no reader has to cope with more."""
    return ET.Element(tag, {name: plain(value, _MESSAGE) for name, value in attributes.items()})
