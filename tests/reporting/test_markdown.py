from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from goldenlib.reporting.markdown import FAILING_SHOWN, MOST_CHARACTERS, code, escape, render_markdown
from goldenlib.reporting.passages import plain
from goldenlib.reporting.report import Report
from tests.builders import a_report, a_result, a_run, a_skip, a_trend, an_error
from tests.reporting.samples import HOSTILE, big_report, error_report, hostile_report, mixed_report, pass_report

# Signs that mean something to Markdown, HTML, GitHub or GitLab come often.
ANY_TEXT = st.text(st.one_of(st.characters(categories=None), st.sampled_from("|`<>&\\[]()!#@*_~-+.:/\n\r\"'$%^w1a")), max_size=40)
SAMPLES = [mixed_report, pass_report, error_report, big_report, hostile_report]
# Elements that the report makes itself.
OWN_TAGS = {"h2", "h3", "p", "blockquote", "strong", "ul", "li", "code", "table", "thead", "tbody", "tr", "th", "td", "details", "summary"}


class Rendered(HTMLParser):
    """The HTML that a Markdown renderer makes of a text."""

    def __init__(self, markdown: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attributes

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


def _without_breaks(text: str) -> str:
    return text.replace("\u200b", "")


@given(ANY_TEXT)
def test_escaped_text_shows_exactly_the_text(text: str) -> None:
    rendered = Rendered(f"- Note: {escape(text)}")
    assert rendered.tags == ["ul", "li"]
    assert _without_breaks(rendered.text.strip()) == _without_breaks(f"Note: {plain(text, 300)}".strip())


@given(ANY_TEXT)
def test_escaped_text_starts_no_block_of_its_own(text: str) -> None:
    assert Rendered(escape(text)).tags in ([], ["p"])


@given(ANY_TEXT, ANY_TEXT)
def test_escaped_text_never_adds_a_table_cell(text: str, other: str) -> None:
    table = Rendered(f"| a | b |\n| --- | --- |\n| {escape(text)} | {code(other)} |\n")
    assert table.tags.count("td") == 2
    assert set(table.tags) <= {"table", "thead", "tbody", "tr", "th", "td", "code"}


@given(ANY_TEXT)
def test_escaped_text_never_opens_a_tag(text: str) -> None:
    assert not re.search(r"[<>|`\n\\]", escape(text))


@pytest.mark.parametrize(
    "trigger",
    ["@everyone", "#123", "!45", "GH-7", "ABC-12", "http://evil.example", "www.evil.example", "a@evil.example", "$9", "%3", "~bug",
     "&4", "^alert#5", ":tada:", "[[page]]", "mailto:a", "7fd1a60b01f91b314f59955a4e4d4e80d8edf11d", "owner/name#4", "/close"],
)  # fmt: skip
def test_nothing_that_a_forge_looks_for_is_left_whole(trigger: str) -> None:
    shown = Rendered(f"x {escape(trigger)}").text if trigger != "/close" else escape(trigger)
    assert trigger not in shown
    assert trigger in _without_breaks(Rendered(escape(trigger)).text)


def test_numbers_and_words_stay_whole() -> None:
    for text in ("Rp150.000 per dokumen, 25 %", "2026-11-29", "pt-pendirian-syarat", "29/37 = 78.4 %", "1500000"):
        assert "\u200b" not in escape(text)


@pytest.mark.parametrize("make", SAMPLES)
def test_it_stays_under_60000_characters(make: Callable[[], Report]) -> None:
    assert len(render_markdown(make())) < MOST_CHARACTERS


def test_it_stays_under_60000_characters_when_every_text_is_long() -> None:
    worst = "|#" * 500
    results = [a_result(f"{worst}{number}", worst, missing=[worst], domain=f"{worst}{number % 19}", reason=worst) for number in range(300)]
    results += [an_error(f"e{worst}{number}", worst) for number in range(100)]
    then = {result.item_id: a_result(result.item_id, worst) for result in results[:300]}
    run = a_run(run_id=worst, set_name=worst, target=worst, judge_model=worst, selection=worst, is_demo=True)
    text = render_markdown(a_report(*results, run=run, baselines=then, warnings=[worst] * 300))
    assert len(text) < MOST_CHARACTERS
    assert "### Regressions" in text
    assert "### Failed and errored" in text


@pytest.mark.parametrize("make", SAMPLES)
def test_only_our_own_elements_are_rendered(make: Callable[[], Report]) -> None:
    rendered = Rendered(render_markdown(make()))
    assert set(rendered.tags) <= OWN_TAGS
    assert rendered.attributes == []


def test_the_headline_is_the_decision() -> None:
    for make, headline in ((mixed_report, "## ❌ BLOCK"), (pass_report, "## ✅ PASS"), (error_report, "## ⚠️ ERROR")):
        assert render_markdown(make()).startswith(headline)


def test_reasons_banners_warnings_and_notes_are_told() -> None:
    report = mixed_report()
    text = _without_breaks(Rendered(render_markdown(report)).text)
    for line in (*report.banners, *report.warnings, *report.decision.reasons, *report.decision.notes):
        assert line in text


def test_the_totals_table_tells_the_counts() -> None:
    assert "| **29 of 37** | 78.4 % | 80 % | 8 | 3 | 2 | 40 | 42 |" in render_markdown(mixed_report())


def test_a_regression_shows_what_was_said_then_in_bold() -> None:
    then, now = a_result("a", "biaya Rp150.000 per dokumen"), a_result("a", "biaya Rp100.000 per dokumen", missing=["Rp150.000"])
    text = render_markdown(a_report(now, baselines={"a": then}))
    assert "| <code>a</code> | **yes, verified** | biaya <strong>✓Rp150.000</strong> per dokumen | biaya Rp100.000 per dokumen |" in text


def test_failing_items_beyond_fifty_are_counted() -> None:
    report = a_report(*(a_result(f"item-{number}", missing=["x"]) for number in range(FAILING_SHOWN + 7)))
    text = render_markdown(report)
    assert text.count("| ✗ fail |") == FAILING_SHOWN
    assert "… and 7 more" in text


def test_passed_and_skipped_items_are_folded_away() -> None:
    text = render_markdown(a_report(a_result("fine"), a_skip("left")))
    head, _, folded = text.partition("<details><summary>2 items passed or skipped</summary>")
    assert "fine" not in head
    assert "fine" in folded
    assert folded.rstrip().endswith("</details>")


def test_an_unverified_item_says_so() -> None:
    assert "<code>a</code> (not verified)" in render_markdown(a_report(a_result("a", verified=False)))


def test_the_hostile_text_is_shown_in_full_where_it_is_short_enough() -> None:
    assert plain(HOSTILE, 80)[:79] in _without_breaks(Rendered(render_markdown(hostile_report())).text)


def test_a_run_without_trend_or_domains_renders() -> None:
    assert render_markdown(a_report(a_result(domain=""), trend=a_trend((1, 1)))).startswith("## ✅ PASS")


def test_a_pass_of_a_part_of_what_was_driven_says_so_in_the_headline() -> None:  # field/ci-owner A7
    part = render_markdown(a_report(a_result("a"), an_error("b"), an_error("c")))
    assert part.startswith("## ⚠️ PASS, but only 1 of 3 driven items were scored: golden run ")
    assert render_markdown(a_report(a_result("a"))).startswith("## ✅ PASS: golden run ")
