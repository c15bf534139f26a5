"""Make the pictures of the guides from the real thing: python docs/pictures.py [NAME...]

Starts Voilà on a golden set with a past, drives them in Chromium, and writes docs/images/author-*.png.
"""

from __future__ import annotations

import base64
import json
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402 - the project's folder comes first

from goldenlib.config.settings import load_settings  # noqa: E402
from goldenlib.languages import texts  # noqa: E402
from goldenlib.storage import Store  # noqa: E402
from goldenlib.workbench.reviewing import Signature  # noqa: E402
from goldenlib.workbench.state import Workbench  # noqa: E402
from tests.browser.rig import Scene, Server, add_phrase, launch, make_scene, open_voila, voila_server  # noqa: E402

IMAGES = ROOT / "docs" / "images"
SHOWN = IMAGES / "author.json"
MOST_BYTES = 250_000
HEIGHTS = {1280: 860, 1920: 1080}
Picture = Callable[[Page, Scene], None]


def choose(page: Page, item_id: str) -> None:
    page.locator(".gw-search").fill(item_id)
    page.locator(".gw-row", has=page.get_by_text(item_id, exact=True)).click()
    page.locator(".gw-title h2", has_text=item_id).wait_for()
    page.locator(".gw-search").fill("")
    page.wait_for_timeout(700)


def items(page: Page, scene: Scene) -> None:
    """The list at a glance, with states, trends and hazards."""
    choose(page, "pt-modal-dasar")


def fresh(page: Page, scene: Scene) -> None:
    """A new item, with what it still needs."""
    page.locator('[data-k="new"]').click()
    page.locator('[data-k="question"]').wait_for()
    page.locator('[data-k="question"]').fill("Siapa yang mengesahkan perubahan PT perorangan?")
    page.wait_for_timeout(900)


def hazards(page: Page, scene: Scene) -> None:
    """A forbidden phrase that stands in its own denial, what it would flip, and an answer that streams in."""
    choose(page, "pt-perorangan-akta")
    add_phrase(page, "must_not_include", "wajib akta notaris", "PT")
    page.keyboard.press("Tab")
    page.locator('[data-k="ask"]').click()
    page.locator(".gw-card mark.gw-m-present").first.wait_for()


def tried(page: Page, scene: Scene) -> None:
    """Three answers with their phrases, and the judge's word."""
    choose(page, "pt-perorangan-akta")
    add_phrase(page, "must_include", "17 tahun")
    page.locator('[data-k="ask"]').click()
    page.locator('[data-k="judge-3"]').wait_for()
    page.locator('[data-k="judge-1"]').click()
    page.locator(".gw-verdict strong.gw-t-ok, .gw-verdict strong.gw-t-error").first.wait_for()


def flips(page: Page, scene: Scene) -> None:
    """What the edit would have done to stored answers."""
    choose(page, "pt-perorangan-akta")
    add_phrase(page, "must_not_include", "wajib akta notaris")
    page.locator(".gw-flipped summary").click()
    page.locator(".gw-flips").scroll_into_view_if_needed()


def verify(page: Page, scene: Scene) -> None:
    """The review before the signature."""
    choose(page, "pt-perorangan-laporan-keuangan")
    page.locator('[data-k="verify"]').click()
    page.locator("dialog [name=by]").fill("Ibu Sari")
    page.locator("dialog [name=source]").fill("PP 8/2021 Pasal 10")


def save(page: Page, scene: Scene) -> None:
    """The exact lines that saving writes, and who changed the item last."""
    choose(page, "pt-perorangan-akta")
    add_phrase(page, "must_not_include", "PT perorangan harus memakai akta notaris")
    page.locator('[data-k="save"]').click()
    page.locator("dialog .gw-diff").wait_for()


def conflict(page: Page, scene: Scene) -> None:
    """The file was changed by somebody else: both versions."""
    choose(page, "pt-perorangan-akta")
    page.locator('[data-k="question"]').fill("Apakah PT perorangan wajib memakai akta notaris?")
    add_phrase(page, "must_include", "satu orang")
    text = scene.set_path.read_text(encoding="utf-8")
    text = text.replace("Apakah perlu ke notaris untuk membuat akta PT perorangan?", "Perlukah akta notaris untuk PT perorangan?")
    scene.set_path.write_text(text.replace('- "pernyataan pendirian"', '- "surat pernyataan pendirian"'), encoding="utf-8")
    page.locator('[data-k="save"]').click()
    page.locator("dialog .gw-version").first.click()


SCENES: dict[str, tuple[Picture, int, str]] = {
    "author-list": (items, 1280, "light"),
    "author-new": (fresh, 1280, "light"),
    "author-hazards": (hazards, 1920, "light"),
    "author-preview": (tried, 1280, "light"),
    "author-flips": (flips, 1280, "dark"),
    "author-verify": (verify, 1280, "light"),
    "author-save": (save, 1280, "dark"),
    "author-conflict": (conflict, 1280, "light"),
}
# Each guide shows the page in its own language.
PICTURES = {f"{name}.{language}": (*scene, language) for name, scene in SCENES.items() for language in ("id", "en")}


def prepare(folder: Path, language: str) -> Scene:
    """A set in a git checkout, some of it signed, with twenty runs behind it."""
    scene = make_scene(folder, language=language, past=True)
    git = ["git", "-c", "user.name=Pak Budi", "-c", "user.email=budi@example.org"]
    with Store.open(str(scene.store_path)) as store:
        bench = Workbench(scene.set_path, load_settings(environ={})[0], store=store, account="Ibu Sari <sari@example.org> (git)")
        for key in ("pt-perorangan-sendirian", "pt-perorangan-laporan-keuangan", "pt-jumlah-pendiri", "yayasan-organ"):
            bench.sign(key, Signature("Ibu Sari", "PP 8/2021", "2027-11-29"))
        bench.set_field("pt-perorangan-laporan-keuangan", "expected.must_not_include", [])
        bench.save(["pt-perorangan-laporan-keuangan"])
        bench.close()
    who = (["config", "user.name", "Ibu Sari"], ["config", "user.email", "sari@example.org"])
    for words in (["init", "-q"], ["add", "ahu.yaml"], ["commit", "-qm", "Butir PT perorangan ditinjau"], *who):
        subprocess.run([*git, *words], cwd=folder, check=True)
    return scene


def take(browser: Browser, server: Server, name: str) -> Path:
    """Make one picture and return its path. Raises when it is larger than pictures may be."""
    picture, width, theme, language = PICTURES[name]
    scene = prepare(server.folder / name, language)
    context = browser.new_context(viewport={"width": width, "height": HEIGHTS[width]}, color_scheme="dark" if theme == "dark" else "light")
    page = context.new_page()
    page.set_default_timeout(45_000)
    open_voila(page, server, scene)
    page.locator('[data-k="theme"]').select_option(theme)
    picture(page, scene)
    page.wait_for_timeout(400)
    path = IMAGES / f"{name}.png"
    path.write_bytes(small(page, page.screenshot(animations="disabled")))
    remember(name, language, page.locator("body").inner_text())
    context.close()
    if path.stat().st_size > MOST_BYTES:
        raise RuntimeError(f"{path} has {path.stat().st_size:,} bytes, more than {MOST_BYTES:,}")
    return path


def remember(name: str, language: str, shown: str) -> None:
    """Keep which sentences of the page a picture shows: a test compares them with today's, and so finds pictures that are stale."""
    kept = json.loads(SHOWN.read_text(encoding="utf-8")) if SHOWN.exists() else {}
    one_line = " ".join(shown.split())
    whole = {key: text for key, text in texts("workbench", language).items() if "{" not in text and len(text) > 3}
    kept[name] = {key: text for key, text in whole.items() if text in one_line}
    SHOWN.write_text(json.dumps(dict(sorted(kept.items())), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


PIXELS = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, image.height);
  let text = "";
  for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
  return [image.width, image.height, btoa(text)];
}"""


def small(page: Page, png: bytes) -> bytes:
    """Return a picture with at most 256 colours: a third of the size, and no difference that is seen. The browser decodes it."""
    width, height, encoded = page.evaluate(PIXELS, base64.b64encode(png).decode())
    pixels = np.frombuffer(base64.b64decode(encoded), np.uint8).reshape(-1, 4)[:, :3].astype(np.int32) & 0xFC
    codes, which, counts = np.unique(pixels @ (1 << 16, 1 << 8, 1), return_inverse=True, return_counts=True)
    colours = np.stack([codes >> 16, codes >> 8 & 0xFF, codes & 0xFF], axis=1)
    palette = colours[np.argsort(-counts)[:256]]
    nearest = np.array([np.argmin(((palette - colour) ** 2).sum(axis=1)) for colour in colours], np.uint8)
    lines = np.hstack([np.zeros((height, 1), np.uint8), nearest[which.reshape(height, width)]])
    shown = (palette + 3 * (palette >= 0xF8)).astype(np.uint8)  # white stays white
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = [(b"IHDR", head), (b"PLTE", shown.tobytes()), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b"")]
    return png[:8] + b"".join(chunk(name, body) for name, body in parts)


def chunk(name: bytes, body: bytes) -> bytes:
    """A part of a PNG file."""
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def main(names: list[str]) -> None:
    IMAGES.mkdir(exist_ok=True)
    wanted = names or list(PICTURES)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright, voila_server(Path(folder)) as voila:
        browser = launch(playwright)
        for name in wanted:
            path = take(browser, voila, name)
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB", flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
