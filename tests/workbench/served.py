"""The page as `make author` gives it: a server of our own, and a browser's cookies without a browser."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path

from tests.kernels import eventually, kernels_below
from tests.workbench.scenes import SET

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GOLDEN_")}
CONFIG = 'rag_quality:\n  chatbot_url: http://127.0.0.1:9\n  judge_url: "off"\n'  # no demo servers, which listen on ports
START_S = 60


@dataclass
class Server:
    """A server that runs, and a browser's cookies."""

    url: str
    process: subprocess.Popen[bytes]
    said: Path

    def __post_init__(self) -> None:
        self.cookies = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def page(self) -> tuple[str, str]:
        """Open the page; return its HTML and the id of its kernel."""
        try:
            html = self.opener.open(self.url, timeout=START_S).read().decode()
        except ConnectionResetError:  # by a server under load; a browser would load the page again too
            assert self.process.poll() is None, self.said.read_text()
            html = self.opener.open(self.url, timeout=START_S).read().decode()
        found = re.search(r'<script id="jupyter-config-data" type="application/json">(.*?)</script>', html, re.DOTALL)
        assert found, html[:2000]
        return html, json.loads(found[1])["kernelId"]

    def post(self, path: str, **fields: str) -> int:
        base = self.url.partition("/?")[0]
        request = urllib.request.Request(f"{base}{path}", data=urllib.parse.urlencode(fields).encode())
        try:
            with self.opener.open(request, timeout=20) as reply:
                return int(reply.status)
        except urllib.error.HTTPError as error:
            error.close()
            return error.code

    @property
    def kernels(self) -> list[int]:
        """The process ids of the kernels."""
        return kernels_below(self.process.pid)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def started(folder: Path, *words: str, environment: dict[str, str] | None = None, within: Path | None = None) -> Iterator[Server]:
    """A server started in the folder, or `within` another; what it says is kept in the folder."""
    said = folder / f"said-{len(list(folder.glob('said-*')))}"
    with said.open("wb") as out:
        process = subprocess.Popen(words, cwd=within or folder, env=ENVIRONMENT | (environment or {}), stdout=out, stderr=out)
    try:
        assert eventually(lambda: "Ctrl-C" in said.read_text() or process.poll() is not None, START_S)
        found = re.search(r"http://\S+", said.read_text())
        assert found, said.read_text()
        port = int(found[0].split(":")[2].split("/")[0])
        assert eventually(lambda: process.poll() is not None or answers(port), START_S)
        yield Server(found[0], process, said)
    finally:
        process.terminate()
        process.wait(timeout=30)


@contextlib.contextmanager
def serving(folder: Path, *words: str, name: str = "ahu.yaml") -> Iterator[Server]:
    (folder / name).write_text(SET, encoding="utf-8")
    (folder / "config.yaml").write_text(CONFIG, encoding="utf-8")
    command = [sys.executable, "-P", "-m", "goldenlib.workbench.serving", name, "--config", "config.yaml", *words]
    with started(folder, *command) as server:
        yield server
