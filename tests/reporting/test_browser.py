"""The page in a real browser: it asks nobody for anything, runs nothing, and fits the screens it is read on."""

from __future__ import annotations

import os
import runpy
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from goldenlib.reporting.page import render_html
from goldenlib.reporting.report import Report
from tests.reporting.samples import big_report, hostile_report, mixed_report, pass_report

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(
        not CHROMIUM.exists() and not os.environ.get("GOLDEN_REQUIRE_SYSTEM"),
        reason=f"{CHROMIUM} is missing; install it with tests/system_packages.sh",
    ),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def _open(page: Page, report: Report, folder: Path) -> str:
    path = folder / "report.html"
    path.write_text(render_html(report), encoding="utf-8")
    page.goto(path.as_uri())
    return path.as_uri()


def test_a_hostile_report_requests_nothing_and_runs_nothing(page: Page, tmp_path: Path) -> None:
    requests: list[str] = []
    dialogs: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    address = _open(page, hostile_report(), tmp_path)
    for summary in page.locator("summary").all():
        summary.evaluate("element => element.parentElement.open = true")
    page.wait_for_load_state("networkidle")
    assert [url for url in requests if not url.startswith("data:")] == [address]
    assert dialogs == []
    assert page.title().startswith("BLOCK · golden run <script>document.title='owned'")
    assert page.locator("script, img, iframe, a, form").count() == 0
    assert page.evaluate("getComputedStyle(document.querySelector('.decision')).display") == "flex"


def test_hostile_answers_are_shown_as_they_are(page: Page, tmp_path: Path) -> None:
    _open(page, hostile_report(), tmp_path)
    page.locator("details.item > summary").first.click()
    answer = page.locator(".answer").first.inner_text()
    assert "</style></textarea></title><svg/onload=alert(2)>]]>{{7*7}}{%raw%}{#x#}" in answer
    assert "⟦U+202E⟧gpj.exe" in answer


@pytest.mark.parametrize("width", [360, 768, 1280, 1920])
@pytest.mark.parametrize("make", [mixed_report, hostile_report])
def test_the_page_never_scrolls_sideways(page: Page, tmp_path: Path, make: Callable[[], Report], width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    _open(page, make(), tmp_path)
    page.evaluate("document.querySelectorAll('details').forEach(element => element.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_rows_can_be_filtered_by_state_without_script(page: Page, tmp_path: Path) -> None:
    _open(page, mixed_report(), tmp_path)
    page.locator("#show-fail").check()
    assert page.locator("details.item:visible").count() == 8
    page.locator("#show-unverified").check()
    assert page.locator("details.item:visible").count() == 8
    page.locator("#show-all").check()
    assert page.locator("details.item:visible").count() == 42


def test_a_row_opens_by_keyboard(page: Page, tmp_path: Path) -> None:
    _open(page, mixed_report(), tmp_path)
    page.locator("details.item > summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator(".answer").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(page: Page, tmp_path: Path, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    _open(page, mixed_report(), tmp_path)
    page.evaluate("document.querySelectorAll('details').forEach(element => element.open = true)")
    assert page.evaluate(LOW_CONTRAST) == []


def test_print_shows_the_details_of_failed_items(page: Page, tmp_path: Path) -> None:
    _open(page, mixed_report(), tmp_path)
    page.emulate_media(media="print")
    assert page.locator("details.item.fail .answer").first.is_visible()
    assert not page.locator("details.item.pass .answer").first.is_visible()
    assert not page.locator(".filter").is_visible()


@pytest.mark.slow
def test_five_thousand_items_open_in_a_few_seconds(page: Page, tmp_path: Path) -> None:
    _open(page, big_report(), tmp_path)
    assert page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd") < 8000


# Texts whose colour against the nearest painted background falls short of WCAG AA (4.5 to 1).
LOW_CONTRAST = """
() => {
  const parse = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const element of document.querySelectorAll('body *')) {
    const said = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!said || element.closest('svg, .history') || !element.checkVisibility()) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) low.push(element.className + ' ' + element.textContent.slice(0, 40));
  }
  return [...new Set(low)];
}
"""


_CLIPPED = """() => [...document.querySelectorAll('.golden :not(.sr)')].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && !one.closest('.sr') && (box.right > innerWidth + 1 || box.left < -1);
}).map((one) => one.tagName + one.textContent.slice(0, 40))"""


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize("width", [360, 480, 600, 1000])
def test_nothing_is_clipped_on_a_narrow_screen(page: Page, tmp_path: Path, width: int, language: str) -> None:
    """field/ci-owner F: the chart of a narrow page cut '100 %' off; also with a limit of many digits."""
    report = replace(pass_report(), min_pass_rate=Decimal("0.79995"))
    report = replace(report, run=replace(report.run, settings={"report_language": language}))
    page.set_viewport_size({"width": width, "height": 900})
    _open(page, report, tmp_path)
    assert page.evaluate(_CLIPPED) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    chart = page.locator(".trend .scroll")
    above = chart.evaluate("""box => { const top = box.getBoundingClientRect().top;
        return Math.min(...[...box.querySelectorAll('text')].map((one) => one.getBoundingClientRect().top - top)); }""")
    assert above >= 0 or chart.evaluate("box => getComputedStyle(box).overflowX") == "visible"


def test_a_printed_report_does_not_end_in_a_dump_of_settings(page: Page, tmp_path: Path) -> None:
    _open(page, mixed_report(), tmp_path)
    page.locator("footer details").evaluate("one => { one.open = true; }")
    page.emulate_media(media="print")
    assert page.locator("footer details").is_hidden()
    assert page.locator("footer p.line").is_visible()


def test_the_picture_in_the_readme_shows_todays_report(page: Page, tmp_path: Path) -> None:
    """A picture is stale when the report's first screen says something else today; make it anew: python docs/report_picture.py."""
    picture = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "report_picture.py"))
    picture["open_report"](page, tmp_path)
    assert picture["said_on_screen"](page) == picture["SAID"].read_text(encoding="utf-8")
