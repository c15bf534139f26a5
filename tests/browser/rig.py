"""The rig of the browser tests and of docs/pictures.py: golden sets with a past, JupyterLab and Voilà on loopback ports, Chromium."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Playwright

from goldenlib.answers import Answer
from goldenlib.files.loading import load_set
from goldenlib.files.shipped import shipped
from goldenlib.items import Item
from goldenlib.scoring.facts import check_facts
from goldenlib.storage import Store
from tests.builders import RUN_AT, a_result, a_run
from tests.storage.scenes import decided, write

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--disable-lcd-text",
]
BIN = Path(sys.executable).parent
TEMPLATES = Path(__file__).parents[2] / "goldenlib" / "workbench" / "voila_templates"
TOKEN = "for-tests-only"
START_S = 60
PANEL = ".gw-form .gw-field, .gw-welcome"  # what the panel shows once it is there: an item, or the first step


@dataclass(frozen=True)
class Scene:
    """A folder with a golden set, a store and a copy of the author notebook."""

    folder: Path
    set_path: Path
    store_path: Path

    @property
    def notebook(self) -> Path:
        return self.folder / "author.ipynb"


def make_scene(folder: Path, *, config: str = "", language: str = "id", text: str | None = None, past: bool = False) -> Scene:
    """Make a scene: the example set or another `text`, `config` as lines of a rag_quality block, and stored answers with `past`."""
    folder.mkdir(parents=True, exist_ok=True)
    set_path = folder / "ahu.yaml"
    if text is None:
        shutil.copy(shipped("golden", "example.yaml"), set_path)
    else:
        set_path.write_text(text, encoding="utf-8")
    store_path = folder / "golden.db"
    asked = [f"{key}: demo" for key in ("chatbot_url", "judge_url") if f"{key}:" not in config]
    lines = ["rag_quality:", f"  golden_store: sqlite:///{store_path}", *(f"  {line}" for line in (*asked, *config.splitlines()))]
    (folder / "config.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    notebook = json.loads(shipped("notebooks", "author.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if "parameters" in cell["metadata"].get("tags", []):
            given = {"golden_set": str(set_path), "config": str(folder / "config.yaml"), "language": language}
            cell["source"] = ["\n".join(f"{name} = {value!r}" for name, value in given.items())]
    (folder / "author.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    if past:
        write_past(set_path, store_path)
    return Scene(folder, set_path, store_path)


def write_past(set_path: Path, store_path: Path, runs: int = 20, series: str | None = None) -> None:
    """Store answers of so many weekly runs to every public item: mostly right, now and then not."""
    golden_set = load_set([set_path])
    items = [item for item in golden_set if item.surface == "public"]
    with Store.open(str(store_path)) as store:
        for week in range(runs):
            run_id = f"2026-week-{week:02d}"
            at = RUN_AT - timedelta(weeks=runs - week)
            run = a_run(
                run_id=run_id,
                run_at=at,
                finished_at=None,
                set_name=set_path.stem,
                series=series or f"{set_path.stem} @ demo",
                all_item_ids=golden_set.all_ids,
                is_demo=True,
            )
            store.create_run(run)
            results = []
            for number, item in enumerate(items):
                text = _answer_of(item, week, wrong=(week + number) % 7 == 0)
                facts = check_facts(item.expected, text)
                passed = facts is None or facts.passed is True
                result = a_result(item.id, text, run_id=run_id, domain=item.domain, question=item.title, digest=item.digest)
                scores = tuple(score for score in (facts, result.scores[1]) if score is not None)
                results.append(
                    replace(
                        result,
                        scores=scores,
                        passed=passed,
                        reason=facts.reason if facts is not None else "",
                        answer=Answer(text, seconds=1.5),
                        finished_at=at + timedelta(seconds=number),
                    )
                )
            write(store, run, results)
            store.finish_run(run_id, finished_at=at + timedelta(minutes=1), decision=decided(run, results))


def _answer_of(item: Item, week: int, *, wrong: bool) -> str:
    if item.id == "pt-perorangan-akta":
        step = f" (langkah {week})" if week % 2 else ""
        denial = " Jadi tidak wajib akta notaris sama sekali." if week % 6 == 2 else ""
        return f"PT perorangan didirikan tanpa akta notaris. Cukup dengan pernyataan pendirian{step} yang diisi secara elektronik.{denial}"
    if wrong:
        return "Silakan hubungi loket layanan untuk keterangan lebih lanjut."
    good = ". ".join(item.expected.must_include) or item.expected.rubric
    return f"Menurut ketentuan, {good[:1].lower()}{good[1:]}."


@dataclass(frozen=True)
class Server:
    """A server that runs: its address and the folder it serves."""

    url: str
    folder: Path
    log: Path

    def lab(self, scene: Scene) -> str:
        """The address of a scene's notebook in JupyterLab, in a workspace of its own."""
        name = scene.notebook.relative_to(self.folder)
        return f"{self.url}/lab/workspaces/{scene.folder.name}/tree/{name}?token={TOKEN}"

    def voila(self, scene: Scene) -> str:
        """The address of a scene's notebook in Voilà."""
        return f"{self.url}/voila/render/{scene.notebook.relative_to(self.folder)}?token={TOKEN}"


@contextlib.contextmanager
def voila_server(folder: Path) -> Iterator[Server]:
    """Serve the notebooks below a folder by Voilà, in our template, as `make author` does."""
    command = [str(BIN / "voila"), str(folder), "--no-browser", "--Voila.ip=127.0.0.1", f"--token={TOKEN}", "--template=golden"]
    with _server(folder, [*command, "--show_tracebacks=True", "--port={port}"], JUPYTER_PATH=str(TEMPLATES)) as server:
        yield server


@contextlib.contextmanager
def lab_server(folder: Path) -> Iterator[Server]:
    """Serve a folder by JupyterLab."""
    command = [str(BIN / "jupyter-lab"), "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--IdentityProvider.token={TOKEN}"]
    command += [f"--ServerApp.root_dir={folder}", "--LabApp.extension_manager=readonly", "--LabApp.expose_app_in_browser=True"]
    with _server(folder, [*command, "--port={port}"]) as server:
        yield server


@contextlib.contextmanager
def _server(folder: Path, command: list[str], **environment: str) -> Iterator[Server]:
    home = folder / f".home-{Path(command[0]).name}"
    settings = home / "settings"
    news = settings / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    news.parent.mkdir(parents=True)
    news.write_text('{"fetchNews":"false","checkForUpdates":false}', encoding="utf-8")
    folders = {f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    folders |= {"IPYTHONDIR": str(home / "ipython"), "JUPYTERLAB_SETTINGS_DIR": str(settings)}
    folders |= {"JUPYTERLAB_WORKSPACES_DIR": str(home / "ws"), "XDG_STATE_HOME": str(home / "state")}
    unwanted = ("GOLDEN_", "JUPYTER", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = home / "log"
    with log.open("wb") as out:
        words = [word.replace("{port}", str(port)) for word in command]
        process = subprocess.Popen(words, cwd=folder, env=kept | folders | environment, stdout=out, stderr=out)
    try:
        _wait_for(f"http://127.0.0.1:{port}/?token={TOKEN}", process, log)
        yield Server(f"http://127.0.0.1:{port}", folder, log)
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=2):  # loopback
                return
        except urllib.error.HTTPError as error:
            error.close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the server did not start: {log.read_text(errors='replace')[-3000:]}")


def launch(playwright: Playwright) -> Browser:
    """Start Chromium."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)


def open_voila(page: Page, server: Server, scene: Scene) -> None:
    """Open a scene in Voilà and wait for the panel."""
    page.goto(server.voila(scene))
    page.wait_for_selector(PANEL)
    page.wait_for_function("() => !document.querySelector('.gw-dirty')?.textContent.includes('…')")


CONNECTED = """() => { const k = window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel;
    return k && k.connectionStatus === 'connected' && k.status === 'idle' }"""


def open_lab(page: Page, server: Server, scene: Scene) -> None:
    """Open a scene in JupyterLab, wait for the kernel, run all cells, and wait for the panel."""
    page.goto(server.lab(scene))
    run_all(page)


def run_all(page: Page) -> None:
    """Run all cells of the notebook that is open, once its kernel listens."""
    page.wait_for_function(CONNECTED)
    page.evaluate("() => { jupyterapp.commands.execute('notebook:run-all-cells'); return 1 }")
    page.wait_for_selector(PANEL)
    page.wait_for_function("() => !document.querySelector('.gw-dirty')?.textContent.includes('…')")
    page.locator(".gw").scroll_into_view_if_needed()


def add_phrase(page: Page, field: str, *phrases: str) -> None:
    """Type phrases into a field of chips."""
    box = page.locator(f'[data-field="expected.{field}"] .gw-add')
    for phrase in phrases:
        box.fill(phrase)
        box.press("Enter")
        page.locator(f'[data-field="expected.{field}"] .gw-chip', has_text=phrase).first.wait_for()


def notebook_errors(scene: Scene) -> list[Any]:
    """The error outputs in the saved notebook."""
    cells = json.loads(scene.notebook.read_text(encoding="utf-8"))["cells"]
    return [output for cell in cells for output in cell.get("outputs", []) if output["output_type"] == "error"]
