"""Reports in the reader's language (field/ci-owner F): all but what machines read, and what others wrote, is Indonesian."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from goldenlib import reporting
from goldenlib.gating import Outcome
from goldenlib.languages import sentences
from goldenlib.reporting.fragments import render_fragments
from goldenlib.reporting.markdown import render_markdown
from goldenlib.reporting.page import render_html
from goldenlib.reporting.report import Report
from goldenlib.reporting.terminal import print_report
from goldenlib.reporting.wording import advice
from tests.builders import a_report, a_result, a_run, an_error
from tests.reporting.html_reading import Document
from tests.reporting.samples import error_report, mixed_report, pass_report

TEMPLATES = Path(reporting.__file__).parent / "templates"
# Words that no Indonesian sentence has. Ids, addresses and what a judge wrote are others' words and taken out before.
ENGLISH = re.compile(
    r"\b(the|of|and|was|were|is|are|items?|passed|failed|skipped|verified|scored|missing|says|answer|question|contract|run|runs|why|then|now)\b"
)

OF_THE_JUDGE = (
    "does not say that the old minimum is gone",
    "the answer lacks a fact of the rubric",
    "the fee is outdated",
    '{"correctness": 0.3, "passed": false}',
)


def _in_indonesian(report: Report) -> Report:
    return replace(report, run=replace(report.run, settings={**report.run.settings, "report_language": "id"}))


def _terminal(report: Report) -> str:
    file = io.StringIO()
    print_report(report, Console(file=file, width=400, color_system=None))
    return file.getvalue()


def _said(report: Report, text: str) -> str:
    """The text without the decision line, what the judge wrote, and what is a name or a command."""
    for written in (report.decision.line, *OF_THE_JUDGE):
        text = text.replace(written, "")
    return re.sub(r"run-\d|golden (run|gate) \S+( --config FILE)?( --allow-unverified)?|pt-perorangan\S*|could not connect.*", "", text)


@pytest.mark.parametrize("make", [mixed_report, pass_report, error_report])
def test_no_english_is_left_in_an_indonesian_report(make: Callable[[], Report]) -> None:
    report = _in_indonesian(make())
    page = re.sub(r"<style>.*?</style>", "", render_html(report), flags=re.DOTALL)
    for text in (Document(page).one("main").text, render_markdown(report), _terminal(report)):
        assert ENGLISH.findall(_said(report, text)) == [], text


@pytest.mark.parametrize("make", [mixed_report, pass_report, error_report])
def test_the_last_line_is_english_in_every_language_since_machines_read_it(make: Callable[[], Report]) -> None:
    report = _in_indonesian(make())
    assert _terminal(report).splitlines()[-1] == report.decision.line == make().decision.line
    assert report.decision.line in Document(render_html(report)).one("p", "line").text


def test_every_sentence_of_the_templates_is_in_the_list() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(TEMPLATES.glob("*.jinja")))
    literal = set(re.findall(r'\bt\("([^"%]+)"\)', text))
    assert len(literal) > 60
    assert literal - set(sentences("id")) == set()


def test_the_headline_is_for_a_head_of_office() -> None:
    """The chatbot, the day in words, the decision in a sentence; no exit code, digest or 'set set'."""
    report = _in_indonesian(mixed_report())
    report = replace(report, run=replace(report.run, set_name="set"))
    page = Document(render_html(report))
    assert page.one("h1").text == "Pertanyaan acuan untuk chatbot.staging"
    assert page.one("p", "identity").text.startswith("29 November 2026 · 42 pertanyaan dari ‘set’ · juri qwen3-32b")
    assert "Rilis sebaiknya ditunda." in page.one("section", "decision").text
    english = Document(render_html(mixed_report()))
    assert english.one("p", "identity").text.startswith("29 November 2026 · 42 questions of 'ahu'")
    for text in (english.one("header").text, english.one("section", "decision").text):
        assert not re.search(r"exit code|digest|prompt|set set", text)


def test_the_page_names_its_language() -> None:
    assert '<html lang="id">' in render_html(_in_indonesian(pass_report()))
    assert '<html lang="en">' in render_html(pass_report())


def test_the_pieces_of_a_notebook_speak_it_too() -> None:
    assert "Rilis sebaiknya ditunda." in render_fragments(_in_indonesian(mixed_report()))["summary"]


def test_a_pass_is_only_praised_where_nothing_speaks_against_it() -> None:  # contract 6.8
    assert advice(a_report(a_result())) == "The release may go ahead."
    with_reservations = (
        a_report(a_result(), an_error()),
        a_report(a_result(verified=False)),
        a_report(a_result(), run=a_run(is_demo=True)),
        a_report(a_result(), run=a_run(selection="--select pt-*, 1 of 9 items")),
    )
    for report in with_reservations:
        assert report.decision.outcome is Outcome.PASS
        assert advice(report) == "The gate is open, with the reservations stated here."


def test_a_judges_number_that_did_not_decide_stands_in_brackets() -> None:
    """field/ci-owner F: 'judge 0.95' beside a fail."""
    page = Document(render_html(a_report(a_result("a", judge=0.95, missing=["WNI"]), a_result("b", judge=0.9))))
    assert [cell.text for cell in page.all("span", "judge")] == ["judge (0.95)", "judge 0.90"]
