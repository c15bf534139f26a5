"""Make the picture of a report from the real thing: python docs/report_picture.py

Runs the example set on the demo, three times healthy and once degraded, and takes a picture of the last report.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = "/usr/bin/chromium"
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "goldenlib", "run", str(ROOT / "golden" / "example.yaml"), "--allow-unverified"]
        for words in ([], [], [], ["--demo-degraded", "--html", "report.html"]):
            subprocess.run([*command, *words], cwd=folder, stdout=subprocess.DEVNULL, check=False)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(Path(folder, "report.html").as_uri())
            page.screenshot(path=ROOT / "docs" / "images" / "report.png")
            browser.close()


if __name__ == "__main__":
    main()
