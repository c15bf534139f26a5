"""What the browser tests share: one JupyterLab, one Voilà, one Chromium."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.rig import CHROMIUM, Server, lab_server, launch, voila_server

TIMEOUT_MS = 45_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists() and not os.environ.get("GOLDEN_REQUIRE_SYSTEM"):
        pytest.skip(f"{CHROMIUM} is missing; install it with tests/system_packages.sh")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Server]:
    with lab_server(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture(scope="module")
def voila(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Server]:
    with voila_server(tmp_path_factory.mktemp("voila")) as server:
        yield server


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of 1280 pixels. The test fails when anything in it raised, or asked for anything beyond loopback."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    raised: list[str] = []
    outside: list[str] = []
    page.on("pageerror", lambda error: raised.append(str(error)))
    page.on("request", lambda request: outside.append(request.url) if not _is_inside(request.url) else None)
    yield page
    context.close()
    assert raised == []
    assert outside == []


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """The test's own name, for its folder."""
    return re.sub(r"\W", "-", request.node.name)


def _is_inside(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:", "about:"))


def folder_of(server: Server, name: str) -> Path:
    """A folder below a server's for one test."""
    return server.folder / name
