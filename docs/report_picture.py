"""Make the picture of a report from the real thing: python docs/report_picture.py

Runs the example set on the demo, three times healthy and once degraded, and takes a picture of the last report. What it says is kept
beside it, without days and times: a test makes the report anew and compares, and so finds a picture that is stale.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "images" / "report.png"
SAID = PICTURE.with_suffix(".txt")
SIZE = {"width": 1280, "height": 900}
CHROMIUM = "/usr/bin/chromium"
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
_CHANGES_EACH_TIME = re.compile(r"\d{1,2} \w+ 20\d\d|\d{4}-\d\d-\d\dT[\w-]+|[\d.]+ s\b|\d+ min \d+ s")
_ON_SCREEN = """() => [...document.querySelectorAll("h1, h2, p, td, th, .tile, .outcome")]
    .filter((one) => one.getBoundingClientRect().bottom <= innerHeight && one.getBoundingClientRect().height)
    .map((one) => one.innerText.replace(/\\s+/g, " ")).join("\\n")"""


def open_report(page: Page, folder: Path) -> None:
    """Make the runs in `folder`, and open the report of the last."""
    command = [sys.executable, "-m", "goldenlib", "run", str(ROOT / "golden" / "example.yaml"), "--allow-unverified"]
    for words in ([], [], [], ["--demo-degraded", "--html", "report.html"]):
        subprocess.run([*command, *words], cwd=folder, stdout=subprocess.DEVNULL, check=False, timeout=120)
    page.set_viewport_size(SIZE)
    page.goto((folder / "report.html").as_uri())


def said_on_screen(page: Page) -> str:
    """Return what the picture says, with what is another one each time left out."""
    return _CHANGES_EACH_TIME.sub("…", page.evaluate(_ON_SCREEN)) + "\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        page = browser.new_page()
        open_report(page, Path(folder))
        page.screenshot(path=PICTURE)
        SAID.write_text(said_on_screen(page), encoding="utf-8")
        browser.close()


if __name__ == "__main__":
    main()
