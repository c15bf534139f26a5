from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldenlib.answers import Evidence, EvidenceKind, Score
from goldenlib.reporting.itemrows import PASSING_IN_FULL
from goldenlib.reporting.page import render_html
from goldenlib.reporting.passages import visible
from goldenlib.reporting.report import Report
from tests.builders import a_history, a_report, a_result, a_run, a_skip, a_trend, an_error
from tests.reporting.html_reading import Document
from tests.reporting.samples import big_report, error_report, hostile_report, mixed_report, pass_report

ANY_TEXT = st.text(st.characters(categories=None), max_size=40)
SAMPLES = [mixed_report, pass_report, error_report, hostile_report]
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
HOLDING_URLS = {"src", "href", "action", "data", "poster", "background", "srcset", "xlink:href", "formaction"}


def _page(*results: object, **report: object) -> Document:
    return Document(render_html(a_report(*results, **report)))  # type: ignore[arg-type]  # handed on as they are


@pytest.mark.parametrize("make", SAMPLES)
def test_the_page_is_well_formed_and_has_no_script_and_no_address(make: Callable[[], Report]) -> None:
    page = Document(render_html(make()))
    assert not page.tags & {"script", "iframe", "object", "embed", "img", "form", "base", "a"}
    assert [element.attributes["href"] for element in page.elements if HOLDING_URLS & set(element.attributes)] == ["data:,"]
    assert not [name for element in page.elements for name in element.attributes if name.startswith("on")]


@pytest.mark.parametrize("make", SAMPLES)
def test_the_content_security_policy_allows_no_request_and_no_script(make: Callable[[], Report]) -> None:
    page = Document(render_html(make()))
    policies = [meta for meta in page.all("meta") if meta.attributes.get("http-equiv") == "Content-Security-Policy"]
    assert [policy.attributes["content"] for policy in policies] == [POLICY]


def test_nothing_active_is_left_in_the_page() -> None:
    html = render_html(hostile_report())
    assert visible(html) == html
    html.encode("utf-8")


@cache
def _tags(name: str, why: str, said: str) -> list[str]:
    results = [a_result("a" + name, "x" + said, missing=["z" + why], question=said, domain=why, reason="y" + why), an_error("e", "y" + why)]
    run = a_run(run_id=name, set_name=said, settings={why: name})
    return [element.tag for element in _page(*results, run=run, warnings=[why]).elements]


@settings(max_examples=30, deadline=None)
@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_any_text_adds_no_element(item_id: str, reason: str, answer: str) -> None:
    assert _tags(item_id, reason, answer) == _tags("one", "two", "three")


def test_the_decision_and_its_reasons_are_told() -> None:
    report = mixed_report()
    decision = Document(render_html(report)).one("section", "decision")
    assert decision.text.startswith("BLOCK The release should wait.")
    assert all(reason[1:] in decision.text for reason in report.decision.reasons)


def test_a_pass_of_a_part_of_what_was_driven_says_so_beside_the_word() -> None:  # field/ci-owner A7
    part = _page(a_result("a"), an_error("b"), an_error("c")).one("section", "decision")
    assert part.text.startswith("PASS but only 1 of 3 driven items were scored The gate is open, with the reservations stated here.")
    assert "but only" not in _page(a_result("a")).one("section", "decision").text


def test_a_partial_run_says_what_was_selected() -> None:
    page = _page(a_result(), run=a_run(selection="--select pt-*, 1 of 9 items"))
    assert "Partial run: --select pt-*, 1 of 9 items" in page.one("section", "decision").text


def test_banners_and_warnings_stand_above_the_decision() -> None:
    report = a_report(a_result(verified=False), run=a_run(judge_model=None, is_demo=True), warnings=["careful"])
    html = render_html(report)
    banners = [banner.text.removeprefix("⚠ ") for banner in Document(html).all("p", "banner")]
    assert banners == [*report.banners, "Warning: careful"]
    assert html.index("careful") < html.index('class="decision')


def test_tiles_tell_the_counts() -> None:
    tiles = [tile.text for tile in Document(render_html(mixed_report())).all("div", "tile")]
    assert tiles[0] == "29 / 37 passed of scored · 78.4 % 37 of 40 driven were scored"
    assert tiles[1:3] == ["8 failed 3 regressions", "3 errors (not counted)"]
    assert tiles[3] == "2 skipped internal items skipped (drive not wired)"
    assert tiles[4].endswith("last 8 runs, limit 80 %")


def test_rows_are_in_reading_order_with_sign_and_word() -> None:
    page = _page(a_skip("s"), a_result("p"), an_error("e"), a_result("f", missing=["x"]))
    states = [element.text for element in page.all("span", "state")]
    assert states == ["✗ fail", "! error", "✓ pass", "– skip"]


def test_a_verified_item_has_a_tick_with_a_word_and_another_says_that_it_is_not() -> None:
    page = _page(a_result("a"), a_result("b", verified=False))
    assert [name.text for name in page.all("span", "name")] == ["a ✓ verified", "b not verified"]


def test_required_and_forbidden_phrases_are_marked_with_words() -> None:
    page = _page(a_result("a", "WNI wajib akta notaris", present=["WNI"], forbidden=["wajib akta notaris"], reason="no"))
    answer = page.one("div", "answer")
    assert answer.text == "✓ required: WNI ✗ forbidden: wajib akta notaris"


def test_what_is_missing_is_listed_with_what_the_answer_has_instead() -> None:
    near = Evidence(EvidenceKind.NEAR_MISS, "17 tahun", "usia **17** tahun ke atas", 5, 17)
    facts = Score("facts", 0.0, False, "missing", evidence=(Evidence(EvidenceKind.MISSING, "17 tahun"), near))
    page = _page(a_result("a", "Pendiri berusia **17** tahun", passed=False, scores=(facts,)))
    assert page.one("ul", "facts").text == "✗ missing 17 tahun the answer has: usia ≈ nearly: **17** tahun ke atas"
    assert page.one("div", "answer").text == "Pendiri berusia ≈ nearly: **17** tahun"


def test_a_forbidden_phrase_that_is_nearly_said_is_told_of_a_passed_item() -> None:
    near = Evidence(EvidenceKind.NEAR_MISS, "wajib notaris", "**wajib** notaris", 0, 17)
    page = _page(a_result("a", "**wajib** notaris", scores=(Score("facts", 1.0, True, "fine", evidence=(near,)),)))
    assert page.one("ul", "facts").text.startswith("≈ nearly says, and must not: wajib notaris")


def test_a_broken_answer_is_shown_with_its_error() -> None:
    page = _page(an_error("a", "stream broke"))
    assert page.one("div", "answer").text == "Untuk mengubah alamat"
    assert any("incomplete: stream broke" in heading.text for heading in page.all("h4"))


def test_history_is_told_in_words_too() -> None:
    history = _page(a_result("a"), history={"a": a_history("pp?f")}).all("span", "history")[-1]
    assert history.attributes["aria-label"] == "history, oldest first: passed 2 times, not scored, failed"
    assert history.attributes["title"].splitlines()[-1] == "29 Nov failed"


def test_a_regression_shows_the_passages_of_then_and_now() -> None:
    then, now = a_result("a", "biaya Rp150.000 per dokumen"), a_result("a", "biaya Rp100.000 per dokumen", missing=["Rp150.000"])
    table = _page(now, baselines={"a": then}).one("table", "regressions")
    assert "a yes, verified biaya ✓ required: Rp150.000 per dokumen biaya Rp100.000 per dokumen" in table.text


def test_without_regressions_the_page_says_so() -> None:
    assert "No item that passed before fails now: there are no earlier results" in render_html(a_report(a_result()))


def test_a_trend_of_two_runs_is_a_chart_with_title_and_description() -> None:
    page = _page(a_result(), trend=a_trend((8, 10), (9, 10)))
    titles = [element.text for element in page.all("title")]
    assert "Pass rate of the last 2 runs of this series" in titles
    assert page.all("desc")[-1].text == "Oldest first: 80 %, 90 %. The limit is 80 %."


def test_one_run_has_no_trend() -> None:
    assert "svg" not in _page(a_result(), trend=a_trend((9, 10))).tags


def test_domains_are_told_with_passed_of_scored() -> None:
    table = _page(a_result("a", domain="pt"), a_result("b", domain="pt", missing=["x"]), an_error("c", domain="pt")).one("table", "domains")
    assert "pt 1 / 2 50 % 1 –" in table.text


def test_roles_and_traps_are_told_with_passed_of_scored() -> None:
    labels = (("role", "finance"), ("trap", "vat"))
    page = _page(a_result("a", labels=labels), a_result("b", labels=labels, missing=["x"]))
    role, trap = page.all("table", "domains")[-2:]
    assert (role.text, trap.text) == (
        "rolepassed / scoredrateerrorsskipped finance 1 / 2 50 % – –",
        "trappassed / scoredrateerrorsskipped vat 1 / 2 50 % – –",
    )


def test_the_footer_names_what_it_takes_to_run_again() -> None:
    footer = _page(a_result(), run=a_run(allow_unverified=True, settings={"judge_url": "off"})).one("footer").text
    for part in (
        "9c1e" * 16,
        "4b7d" * 16,
        "ahu @ chatbot.staging",
        "golden gate run-1",
        "golden run FILE... --config FILE --allow-unverified",
        "judge_url off",
    ):
        assert part in footer


def test_a_run_id_in_a_command_is_quoted_for_the_shell() -> None:
    assert "golden gate 'a; rm -rf x'" in _page(a_result(), run=a_run(run_id="a; rm -rf x")).one("footer").text


def test_passed_items_beyond_the_first_two_hundred_come_without_answers_and_the_page_says_so() -> None:
    page = _page(*(a_result(f"item-{number}", "Pendiri harus WNI.") for number in range(PASSING_IN_FULL + 5)))
    assert len(page.all("div", "answer")) == PASSING_IN_FULL
    assert any(
        "the first 200 that passed; those of the other 5 items that passed are in the store" in p.text for p in page.all("p", "muted")
    )


def test_a_very_long_answer_is_cut_and_the_page_says_so() -> None:
    page = _page(a_result("a", "kata " * 20_000, missing=["x"]))
    assert any("50000 more characters left out here" in heading.text for heading in page.all("h4"))


def test_five_thousand_items_take_less_than_three_seconds_and_ten_megabytes() -> None:
    report = big_report()
    start = time.process_time()
    html = render_html(report)
    assert time.process_time() - start < 3
    assert len(html.encode()) < 10_000_000
