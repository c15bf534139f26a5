from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from goldenlib.reporting.report import Report
from goldenlib.reporting.terminal import BIG, print_report
from tests.builders import a_history, a_report, a_result, a_run, a_skip, an_error
from tests.reporting.samples import big_report, error_report, hostile_report, mixed_report, pass_report

ANY_TEXT = st.text(st.characters(categories=None), max_size=40)


def _printed(report: Report, width: int = 120, **options: object) -> str:
    file = io.StringIO()
    print_report(report, Console(file=file, width=width, **{"color_system": None} | options))  # type: ignore[arg-type]  # rich's own types
    return file.getvalue()


def _flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("width", [40, 80, 120, 200])
@pytest.mark.parametrize("make", [mixed_report, pass_report, error_report, hostile_report])
def test_the_last_line_is_the_decision_line_whole_and_plain(make: Callable[[], Report], width: int) -> None:
    report = make()
    last = _printed(report, width, force_terminal=True, color_system="truecolor").splitlines()[-1]
    assert last.startswith(str(report.decision.outcome))
    assert "\x1b" not in last
    assert last == " ".join(last.split())
    if make is not hostile_report:
        assert last == report.decision.line


@pytest.mark.parametrize("width", [80, 120, 200])
def test_no_line_but_the_last_is_wider_than_the_console(width: int) -> None:
    assert max(len(line) for line in _printed(mixed_report(), width).splitlines()[:-1]) <= width


def test_every_state_is_told_by_sign_and_word_without_colour() -> None:
    text = _printed(a_report(a_result("p"), a_result("f", missing=["x"]), an_error("e"), a_skip("s")))
    for shown in ("✓ pass", "✗ fail", "! error", "– skip"):
        assert shown in text


def test_failed_and_errored_items_stand_above_passed_and_skipped_ones() -> None:
    text = _printed(a_report(a_skip("item-s"), a_result("item-p"), an_error("item-e"), a_result("item-f", missing=["x"])))
    places = [text.index(name) for name in ("item-f", "item-e", "item-p", "item-s")]
    assert places == sorted(places)


def test_banners_and_warnings_are_loud() -> None:
    report = a_report(a_result(verified=False), run=a_run(is_demo=True, judge_model=None), warnings=["the store is slow"])
    text = _flat(_printed(report, 200))
    for banner in (*report.banners, "the store is slow"):
        assert f"⚠ {banner}" in text


def test_a_regression_says_whether_it_gates_and_what_was_said_then_and_now() -> None:
    then, now = a_result("a", "biaya Rp150.000 per dokumen"), a_result("a", "biaya Rp100.000 per dokumen", missing=["Rp150.000"])
    for width in (80, 200):
        text = _flat(_printed(a_report(now, baselines={"a": then}), width))
        assert "yes, verified" in text
        assert "biaya [Rp150.000] per dokumen" in text
        assert "biaya Rp100.000 per dokumen" in text


def test_history_marks_differ_without_colour() -> None:
    assert "▇▂·▇" in _printed(a_report(a_result("a"), history={"a": a_history("pf?p")}))


def test_only_the_last_eight_marks_are_shown() -> None:
    assert "▂▇▇▇▇▇▇▇ " in _printed(a_report(a_result("a"), history={"a": a_history("pppppfppppppp")}))


def test_passed_items_of_a_big_set_are_folded_into_one_line() -> None:
    results = [a_result(f"item-{number}") for number in range(BIG)]
    text = _printed(a_report(*results, a_result("bad", missing=["x"])))
    assert f"… {BIG} items passed" in text
    assert "item-7" not in text
    assert "bad" in text


def test_failing_items_beyond_the_limit_are_counted() -> None:
    report = big_report(items=3000)
    failing = report.decision.totals.failed + report.decision.totals.errors
    assert f"… {failing - BIG} more failed or errored items" in _printed(report)


def test_markup_is_shown_and_not_obeyed() -> None:
    assert "[bold red]x[/]" in _printed(a_report(a_result("[bold red]x[/]", reason=":smile: [link=http://x]y[/link]")), 200)


def test_escape_sequences_are_shown_and_not_obeyed() -> None:
    text = _printed(hostile_report())
    assert "\x1b" not in text
    assert "␛[2J" in text


def test_totals_name_scored_of_driven_errors_and_skips() -> None:
    text = _flat(_printed(mixed_report(), 200))
    assert "29 of 37 scored passed (78.4 %, limit 80 %) · 8 failed · 37 of 40 driven were scored" in text
    assert "3 errors (not counted) · 2 skipped" in text


def test_every_reason_has_a_line_of_its_own_above_the_last() -> None:
    report = mixed_report()
    lines = [line.strip() for line in _printed(report, 200).splitlines()]
    assert lines[-1 - len(report.decision.reasons) : -1] == [f"✗ {reason}" for reason in report.decision.reasons]


def test_a_console_without_unicode_gets_other_signs_and_no_error() -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    print_report(mixed_report(), Console(file=file, width=100, color_system=None))
    file.seek(0)
    text = file.read()
    assert "x fail" in text
    assert "+ pass" in text


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_any_text_can_be_printed(item_id: str, reason: str, answer: str) -> None:
    then = a_result(item_id, answer)
    report = a_report(a_result(item_id, answer, reason=reason, missing=[answer]), an_error("e", reason), baselines={item_id: then})
    _printed(report, 80).encode("utf-8")


def test_roles_and_traps_are_told_with_their_rates_the_worst_first() -> None:
    traps = [("trap", f"t{number}") for number in range(12)]
    results = [
        a_result("a", labels=(("role", "finance"), *traps)),
        a_result("b", labels=(("role", "support"), ("trap", "vat")), missing=["x"]),
    ]
    told = _flat(_printed(a_report(*results), width=200))
    assert "By role: support 0/1 (0 %), finance 1/1 (100 %)" in told
    assert "By trap: vat 0/1 (0 %), t0 1/1 (100 %)," in told
    assert "t6 1/1 (100 %), and 5 more" in told
    assert "By role" not in _printed(a_report(a_result("a")))
