"""Signatures and unsaved work by habit: no Enter, reload, closed tab, two tabs, two servers, a killed kernel."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from goldenlib.files.loading import load_set
from tests.browser.conftest import TIMEOUT_MS, folder_of
from tests.browser.rig import PANEL, Scene, Server, make_scene, open_lab, open_voila, run_all
from tests.workbench.scenes import SET

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]
expect.set_options(timeout=TIMEOUT_MS)
RUBRIC = "Jawaban menyebut pernyataan pendirian, tanpa akta notaris."
RINA = SET.replace("verified: true", 'verified: true\n    review: {by: Rina Wati, at: "2026-10-01"}')


def field(page: Page, name: str) -> str:
    return f'[data-field="expected.{name}"]'


def type_rubric(page: Page, text: str = RUBRIC) -> None:
    """Type without leaving the field, and wait until the kernel has it."""
    page.locator('[data-k="expected.rubric"]').press_sequentially(text)
    expect(page.locator(".gw-diffbox")).to_contain_text(text.split(",")[0])


def asked(page: Page) -> list[str]:
    """Let the page be left, and note what it asked before."""
    kinds: list[str] = []
    page.on("dialog", lambda dialog: (kinds.append(dialog.type), dialog.accept()))
    return kinds


def open_again(page: Page, server: Server, scene: Scene) -> None:
    page.goto(server.voila(scene))
    page.wait_for_selector(PANEL)


def kernels(scene: Scene) -> list[int]:
    """The processes of the kernels that run in a scene's folder."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if b"ipykernel" in (process / "cmdline").read_bytes() and (process / "cwd").resolve() == scene.folder.resolve():
                found.append(int(process.name))
        except OSError:
            continue
    return found


def test_fd_056_what_is_being_typed_stands_in_the_dialog_that_signs_or_saves_it(voila: Server, page: Page, name: str) -> None:
    scene = make_scene(folder_of(voila, name), text=SET)
    open_voila(page, voila, scene)
    dialog = page.locator("dialog")
    page.locator(f"{field(page, 'must_include')} .gw-add").press_sequentially("FRASA TAK TERLIHAT")
    page.keyboard.press("Control+s")
    expect(dialog.locator(".gw-diff")).to_contain_text("FRASA TAK TERLIHAT")
    expect(dialog).to_contain_text("1 butir diubah")
    page.keyboard.press("Escape")
    page.locator(f"{field(page, 'must_include')} .gw-chip .gw-plain").last.click()
    page.locator(".gw-chipedit").fill("Rp1")
    page.keyboard.press("Alt+v")
    expect(dialog.locator(".gw-chip-good")).to_have_text(["✓ pernyataan pendirian", "✓ satu orang", "✓ Rp1"])
    dialog.locator("[name=by]").fill("Direktur Jenderal")
    expect(dialog.locator(".gw-account")).to_contain_text("bukan nama akun")
    page.keyboard.press("Enter")
    expect(page.locator(".gw-title .gw-badge")).to_contain_text("Terverifikasi")
    item = next(iter(load_set(scene.set_path)))
    assert item.expected.must_include == ("pernyataan pendirian", "satu orang", "Rp1")
    assert item.is_verified
    expect(page.locator(".gw-review")).to_contain_text("bukan nama itu")


def test_fd_057_an_edit_says_that_the_signature_lapses_before_it_is_saved(voila: Server, page: Page, name: str) -> None:
    scene = make_scene(folder_of(voila, name), text=RINA)
    open_voila(page, voila, scene)
    page.locator(".gw-row", has_text="apostille-biaya").click()
    expect(page.locator(".gw-title h2")).to_have_text("apostille-biaya")
    page.locator('[data-k="question"]').fill("Berapa tarif apostille?")
    expect(page.locator(".gw-loss")).to_contain_text("oleh Rina Wati (2026-10-01) gugur")
    page.keyboard.press("Control+s")
    expect(page.locator("dialog .gw-summary")).to_have_text("1 butir diubah · 1 verifikasi gugur")
    page.keyboard.press("Enter")
    expect(page.locator(".gw-foot")).to_contain_text("Tersimpan di")
    assert not load_set(scene.set_path).items[1].verified
    page.get_by_role("button", name="Urungkan").click()
    expect(page.locator(".gw-title .gw-badge")).to_contain_text("Terverifikasi")
    page.get_by_role("button", name="Ulangi").click()
    expect(page.locator('[data-k="question"]')).to_have_value("Berapa tarif apostille?")


def test_a_signature_is_withdrawn_and_that_is_undone(voila: Server, page: Page, name: str) -> None:
    scene = make_scene(folder_of(voila, name), text=RINA)
    open_voila(page, voila, scene)
    page.locator(".gw-row", has_text="apostille-biaya").click()
    expect(page.locator(".gw-title h2")).to_have_text("apostille-biaya")
    page.get_by_role("button", name="Cabut tanda tangan…").click()
    page.locator("dialog [data-k=w-reason]").fill("salah pasal")
    page.keyboard.press("Enter")
    expect(page.locator(".gw-loss")).to_contain_text("Tanda tangan Rina Wati (2026-10-01) pada apostille-biaya dicabut")
    page.keyboard.press("Alt+z")
    expect(page.locator(".gw-title .gw-badge")).to_contain_text("Terverifikasi")
    page.keyboard.press("Alt+Shift+z")
    expect(page.locator(".gw-title .gw-badge")).to_contain_text("Belum diverifikasi")
    page.keyboard.press("Control+s")
    page.locator("dialog .gw-diff").wait_for()
    page.keyboard.press("Enter")
    expect(page.locator(".gw-foot")).to_contain_text("Tersimpan di")
    expect(page.locator(".gw-review")).to_contain_text("dicabut pada")
    assert not load_set(scene.set_path).items[1].verified


def test_fd_059_a_draft_is_found_after_a_reload_and_in_a_new_tab(voila: Server, page: Page, name: str) -> None:
    scene = make_scene(folder_of(voila, name), text=SET)
    open_voila(page, voila, scene)
    kinds = asked(page)
    page.locator('[data-k="expected.rubric"]').fill("")
    type_rubric(page)
    page.reload()
    page.wait_for_selector(PANEL)
    expect(page.locator(".gw-banner")).to_contain_text("1 draf yang ditulis")
    expect(page.locator('[data-k="expected.rubric"]')).to_have_value(RUBRIC)
    expect(page.locator(".gw-dirty")).to_contain_text("belum disimpan")
    assert kinds == ["beforeunload"]
    page.locator(f"{field(page, 'must_include')} .gw-add").press_sequentially("tanpa Enter")
    again = page.context.new_page()
    page.close(run_before_unload=False)
    again.set_default_timeout(TIMEOUT_MS)
    open_again(again, voila, scene)
    expect(again.locator(".gw-banner")).to_contain_text("1 draf yang ditulis")
    expect(again.locator('[data-k="expected.rubric"]')).to_have_value(RUBRIC)
    expect(again.locator(f"{field(again, 'must_include')} .gw-chip").last).to_contain_text("tanpa Enter")


def test_who_stays_when_the_page_asks_can_go_on(voila: Server, page: Page, name: str) -> None:
    """Voilà ends the kernel when a page is about to be left, also when it is not."""
    open_voila(page, voila, make_scene(folder_of(voila, name), text=SET))
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.locator('[data-k="expected.rubric"]').fill("")
    type_rubric(page)
    page.evaluate("() => { location.reload(); }")
    page.wait_for_timeout(300)
    page.locator(f"{field(page, 'must_include')} .gw-add").press_sequentially("masih di sini")
    page.keyboard.press("Enter")
    expect(page.locator(".gw-diffbox")).to_contain_text("masih di sini")


def test_fd_059_a_killed_kernel_is_told_truly_and_nothing_that_was_typed_is_lost(voila: Server, page: Page, name: str) -> None:
    scene = make_scene(folder_of(voila, name), text=SET)
    open_voila(page, voila, scene)
    asked(page)
    page.locator('[data-k="question"]').fill("Perlu notaris?")
    expect(page.locator(".gw-row.gw-on .gw-row-title")).to_have_text("Perlu notaris?")
    for kernel in kernels(scene):
        os.kill(kernel, signal.SIGKILL)
    page.locator('[data-k="expected.rubric"]').fill(RUBRIC)
    page.locator(f"{field(page, 'must_include')} .gw-add").press_sequentially("tanpa Enter")
    expect(page.locator(".gw-banner")).to_contain_text("Muat ulang halaman")
    open_again(page, voila, scene)
    expect(page.locator('[data-k="question"]')).to_have_value("Perlu notaris?")
    expect(page.locator('[data-k="expected.rubric"]')).to_have_value(RUBRIC)
    expect(page.locator(f"{field(page, 'must_include')} .gw-chip").last).to_contain_text("tanpa Enter")
    expect(page.locator(".gw-foot")).to_contain_text("belum sempat terkirim dipulihkan")


def test_fd_059_the_cell_run_again_and_another_server_find_the_draft(lab: Server, voila: Server, page: Page, name: str) -> None:
    scene = make_scene(folder_of(lab, name), text=SET)
    open_lab(page, lab, scene)
    asked(page)
    page.locator('[data-k="expected.rubric"]').fill("")
    type_rubric(page)
    run_all(page)
    expect(page.locator(".gw-banner")).to_contain_text("1 draf yang ditulis")
    expect(page.locator('[data-k="expected.rubric"]')).to_have_value(RUBRIC)
    other = make_scene(folder_of(voila, name), text=SET)
    other.notebook.write_text(other.notebook.read_text().replace(str(other.set_path), str(scene.set_path)))
    page.goto("about:blank")
    open_again(page, voila, other)
    expect(page.locator(".gw-banner")).to_contain_text("1 draf")


def test_two_windows_know_of_one_another_and_lose_nothing(voila: Server, page: Page, browser: Browser, name: str) -> None:
    scene = make_scene(folder_of(voila, name), text=SET)
    open_voila(page, voila, scene)
    page.locator('[data-k="expected.rubric"]').fill("")
    type_rubric(page)
    other = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    other.set_default_timeout(TIMEOUT_MS)
    open_voila(other, voila, scene)
    expect(other.locator(".gw-banner")).to_contain_text("terbuka di jendela lain")
    expect(other.locator('[data-k="expected.rubric"]')).not_to_have_value(RUBRIC)
    other.get_by_role("button", name="Ambil alih").click()
    expect(other.locator('[data-k="expected.rubric"]')).to_have_value(RUBRIC)
    page.locator('[data-k="question"]').fill("Perlu notaris?")
    expect(page.locator(".gw-banner")).to_contain_text("diambil alih di jendela lain")
    expect(page.locator('[data-k="expected.rubric"]')).to_have_value(RUBRIC)
    other.context.close()


def test_the_keys_work_wherever_the_focus_is_and_tab_goes_from_field_to_field(voila: Server, page: Page, name: str) -> None:
    """field/workbench 9."""
    open_voila(page, voila, make_scene(folder_of(voila, name), text=SET))
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Alt+n")
    expect(page.locator(".gw-title h2")).to_have_text("int-jumlah")
    page.keyboard.press("/")
    expect(page.locator(".gw-search")).to_be_focused()
    page.locator(".gw-bar").click(position={"x": 400, "y": 10})
    page.keyboard.press("Alt+v")
    expect(page.locator("dialog[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.locator(f"{field(page, 'must_not_include')} .gw-add").press_sequentially("PT")
    page.keyboard.press("Enter")
    expect(page.locator(".gw-hazard.gw-error").first).to_contain_text("“PT”")
    page.keyboard.press("Tab")
    expect(page.locator('[data-k="expected.rubric"]')).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.locator(f"{field(page, 'must_not_include')} .gw-add")).to_be_focused()
    page.keyboard.press("Alt+w")
    expect(page.locator(f"{field(page, 'must_not_include')} .gw-hazard .gw-link").first).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(f"{field(page, 'must_not_include')} .gw-chip")).to_have_count(0)
    page.keyboard.press("Alt+z")
    expect(page.locator(f"{field(page, 'must_not_include')} .gw-chip")).to_have_count(1)


def test_the_keys_of_two_panels_do_not_meet(voila: Server, page: Page, name: str) -> None:
    scene = make_scene(folder_of(voila, name), text=SET)
    book = json.loads(scene.notebook.read_text())
    book["cells"].append(book["cells"][-1] | {"id": "second"})
    scene.notebook.write_text(json.dumps(book))
    page.goto(voila.voila(scene))
    expect(page.locator(".gw-form .gw-field").first).to_be_visible()
    expect(page.locator(".gw")).to_have_count(2)
    expect(page.locator(".gw-title h2")).to_have_text(["pt-akta", "pt-akta"])
    second = page.locator(".gw").nth(1)
    second.locator(".gw-search").focus()
    page.keyboard.press("Alt+n")
    expect(page.locator(".gw-title h2")).to_have_text(["pt-akta", "int-jumlah"])
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Alt+n")
    expect(page.locator(".gw-title h2")).to_have_text(["pt-akta", "pt-akta"])
