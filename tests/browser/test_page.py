"""The author panel's page on its own terms: its colours, and buttons that are pressed twice."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import TIMEOUT_MS, folder_of
from tests.browser.rig import Server, make_scene, open_lab, open_voila

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]
expect.set_options(timeout=TIMEOUT_MS)
Scheme = Literal["light", "dark"]


@pytest.mark.parametrize(("system", "then"), [("dark", "light"), ("light", "dark")])
def test_as_the_system_follows_the_system_and_when_it_changes(voila: Server, page: Page, name: str, system: Scheme, then: Scheme) -> None:
    """Voilà's page says that it is light, whatever the system is."""
    page.emulate_media(color_scheme=system)
    open_voila(page, voila, make_scene(folder_of(voila, name)))
    expect(page.locator(f".gw[data-theme={system}]")).to_have_count(1)
    page.emulate_media(color_scheme=then)
    expect(page.locator(f".gw[data-theme={then}]")).to_have_count(1)


def test_as_the_system_is_as_jupyterlab_is_where_it_is_shown_there(lab: Server, page: Page, name: str) -> None:
    page.emulate_media(color_scheme="dark")
    open_lab(page, lab, make_scene(folder_of(lab, name)))
    assert page.evaluate("() => document.body.dataset.jpThemeLight") == "true"
    expect(page.locator(".gw[data-theme=light]")).to_have_count(1)


@pytest.mark.parametrize("button", ["new", "duplicate"])
def test_a_button_that_begins_an_item_begins_one_when_it_is_pressed_twice(voila: Server, page: Page, name: str, button: str) -> None:
    open_voila(page, voila, make_scene(folder_of(voila, name)))
    items = page.evaluate("() => Number(document.querySelector('.gw-count').textContent.match(/\\d+/)[0])")
    page.locator(f'[data-k="{button}"]').first.dblclick()
    expect(page.locator(".gw-count")).to_contain_text(f"{items + 1} ")
    page.locator('[data-k="question"]').fill("Apa itu PT perorangan?")
    expect(page.locator(".gw-row.gw-on .gw-row-title")).to_have_text("Apa itu PT perorangan?")  # all that was sent before is done
    expect(page.locator(".gw-count")).to_contain_text(f"{items + 1} ")
