"""Where goldenlib runs besides the machine that its tests run on: what other systems and smaller installations lack is taken away here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# Python's own modules and the libraries ask for the system while they are imported; goldenlib is imported after that.
AS_ON = """
import sys, os
import aiohttp.web, asyncio, filelock, getpass, jinja2, pydantic, rich.console, rich.progress, rich.table, sqlalchemy.dialects.sqlite
import concurrent.futures.thread, platform, shutil, subprocess, tempfile, typer.main, typer.rich_utils, uuid, yaml
sys.platform = {platform!r}
for name in {missing!r}:
    sys.modules[name] = None
for name in ("listxattr", "getxattr", "setxattr"):
    delattr(os, name)
"""
WINDOWS = AS_ON.format(platform="win32", missing=["fcntl", "resource", "pwd", "grp"])
MACOS = AS_ON.format(platform="darwin", missing=[])
SAVE = """
from goldenlib.editing import read_source, save, set_values
save(set_values(read_source("s.yaml"), "a", {"question": "Dua?"}))
"""
A_SET = "items:\n  - id: a\n    question: Satu?\n    expected: {must_include: [satu]}\n"


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.mark.skipif(sys.platform != "linux", reason="takes away what only Linux has")
class TestOtherSystems:
    """Linux's own functions are missing on macOS, POSIX's on Windows."""

    def test_a_set_is_saved_without_extended_attributes(self, tmp_path: Path) -> None:
        (tmp_path / "s.yaml").write_text(A_SET, encoding="utf-8")
        done = run(MACOS + SAVE, tmp_path)
        assert done.returncode == 0, done.stderr
        assert "question: Dua?" in (tmp_path / "s.yaml").read_text(encoding="utf-8")

    @pytest.mark.parametrize(
        "arguments",
        [
            ["validate", "golden/example.yaml"],
            ["lint", "golden/example.yaml"],
            ["run", "golden/example.yaml", "--allow-unverified", "--judge", "off", "--json", "report.json"],
            ["export", "golden/example.yaml", "example.csv"],
        ],
        ids=lambda arguments: arguments[0],
    )
    def test_windows_validates_lints_runs_and_exports(self, tmp_path: Path, arguments: list[str]) -> None:
        done = run(f"{WINDOWS}\nsys.argv = {['golden', *arguments]!r}\nfrom goldenlib.cli import main\nmain()", tmp_path)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr

    def test_windows_is_told_that_it_cannot_save(self, tmp_path: Path) -> None:
        (tmp_path / "s.yaml").write_text(A_SET, encoding="utf-8")
        done = run(WINDOWS + SAVE, tmp_path)
        assert "s.yaml: was not saved: that is built for Linux and macOS; edit the set there, or in WSL" in done.stderr
        assert (tmp_path / "s.yaml").read_text(encoding="utf-8") == A_SET


def test_a_panel_without_its_extra_names_the_extra(tmp_path: Path) -> None:
    done = run("import sys; sys.modules['anywidget'] = None\nfrom goldenlib.workbench import AuthorPanel", tmp_path)
    assert done.stderr.rstrip().endswith("ImportError: the panel needs anywidget; install it with pip install 'goldenlib[notebooks]'")
