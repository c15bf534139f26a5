"""The author panel as experts meet it: JupyterLab and Voilà in a real browser, on the demo and on servers that misbehave."""

from __future__ import annotations

import re
import stat
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from goldenlib.files.loading import load_set
from goldenlib.workbench.asking import Background
from tests.browser.conftest import TIMEOUT_MS, folder_of
from tests.browser.rig import BIN, PANEL, Server, add_phrase, make_scene, notebook_errors, open_lab, open_voila, run_all
from tests.kernels import eventually
from tests.reporting.test_browser import LOW_CONTRAST
from tests.servers import Pause, ScriptedServer, closed_port, content, stream
from tests.workbench import served

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]
expect.set_options(timeout=TIMEOUT_MS)


@contextmanager
def serving(*scripts: object) -> Iterator[str]:
    """Run a scripted chatbot on a loop of its own."""
    server, background = ScriptedServer(*scripts), Background("scripted")  # type: ignore[arg-type]  # scripts, as the server takes them
    background.start(server.__aenter__()).result(timeout=10)
    try:
        yield server.url
    finally:
        background.start(server.__aexit__(None, None, None)).result(timeout=10)
        background.close()


def question(page: Page, text: str) -> None:
    page.locator('[data-k="question"]').fill(text)
    expect(page.locator(".gw-dirty")).to_contain_text("belum disimpan")
    expect(page.locator(".gw-row.gw-on .gw-row-title")).to_have_text(text)  # the kernel has it


def open_item(page: Page, item_id: str) -> None:
    page.locator(".gw-search").fill(item_id)
    page.locator(".gw-row", has=page.get_by_text(item_id, exact=True)).click()
    expect(page.locator(".gw-title h2")).to_have_text(item_id)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def test_a_new_item_is_written_mended_tried_signed_and_saved_in_jupyterlab(lab: Server, page: Page, name: str) -> None:
    scene = make_scene(folder_of(lab, name))
    before = scene.set_path.read_text(encoding="utf-8")
    open_lab(page, lab, scene)
    press(page, "+ Butir baru")
    expect(page.locator(".gw-title h2")).to_have_text("Butir baru")
    question(page, "Apakah PT perorangan perlu didaftarkan secara elektronik?")
    add_phrase(page, "must_include", "secara elektronik")
    add_phrase(page, "must_not_include", "PT")
    expect(page.locator(".gw-hazard.gw-error").first).to_contain_text("“PT”")
    press(page, "Hapus frasa “PT”")
    expect(page.locator(".gw-hazard.gw-error")).to_have_count(0)
    press(page, "▶ Tanya 3×")
    expect(page.locator(".gw-card .gw-t-ok", has_text="fakta terpenuhi")).to_have_count(3)
    expect(page.locator(".gw-phrases")).to_contain_text("3 dari 3")
    expect(page.locator("mark.gw-m-present").first).to_have_text("secara elektronik")
    press(page, "Tinjau & verifikasi")
    page.locator("dialog [name=by]").fill("Ibu Sari")
    page.locator("dialog [name=source]").fill("PP 8/2021 Pasal 6")
    press(page, "Tanda tangani & simpan")
    expect(page.locator(".gw-title .gw-badge")).to_contain_text("Terverifikasi")
    golden_set = {item.id: item for item in load_set(scene.set_path)}
    item = golden_set["pt-perorangan-didaftarkan-secara"]
    assert item.is_verified
    after = scene.set_path.read_text(encoding="utf-8")
    start = after.index("  - id: pt-perorangan-didaftarkan-secara")
    end = after.index("  - id: pt-perorangan-syarat")
    assert after[:start] + after[end:] == before
    assert notebook_errors(scene) == []


def test_a_set_begun_from_a_file_that_does_not_exist_ends_as_one_that_validates(lab: Server, page: Page, name: str) -> None:
    scene = make_scene(folder_of(lab, name))
    scene.set_path.unlink()
    open_lab(page, lab, scene)
    expect(page.locator(".gw-welcome")).to_contain_text("ahu.yaml belum ada")
    expect(page.locator(".gw-bar")).to_contain_text("berkas baru, belum disimpan")
    expect(page.locator(".gw-side")).to_be_hidden()
    press(page, "+ Butir baru")
    expect(page.locator('[data-k="question"]')).to_be_focused()
    question(page, "Apakah PT perorangan perlu didaftarkan secara elektronik?")
    add_phrase(page, "must_not_include", "PT")
    expect(page.locator(".gw-hazard.gw-error").first).to_contain_text("“PT”")
    press(page, "Hapus frasa “PT”")
    add_phrase(page, "must_include", "secara elektronik")
    press(page, "▶ Tanya 3×")
    expect(page.locator(".gw-card .gw-t-ok", has_text="fakta terpenuhi")).to_have_count(3)
    assert not scene.set_path.exists()
    press(page, "Simpan…")
    dialog = page.locator("dialog")
    expect(dialog.locator(".gw-diff .gw-plus").first).to_have_text("+items:\n")
    expect(dialog).to_contain_text("membuat berkas")
    dialog.get_by_role("button", name="Simpan", exact=True).click()
    expect(page.locator(".gw-foot")).to_contain_text("Tersimpan di")
    expect(page.locator(".gw-bar")).not_to_contain_text("berkas baru")
    press(page, "Tinjau & verifikasi")
    page.locator("dialog [name=by]").fill("Ibu Sari")
    page.locator("dialog [name=source]").fill("PP 8/2021 Pasal 6")
    press(page, "Tanda tangani & simpan")
    expect(page.locator(".gw-title .gw-badge")).to_contain_text("Terverifikasi")
    subprocess.run([BIN / "golden", "validate", scene.set_path], check=True, capture_output=True, timeout=60)
    assert [item.is_verified for item in load_set(scene.set_path)] == [True]
    assert notebook_errors(scene) == []


def test_unsaved_work_is_there_again_after_a_restart_of_the_kernel(lab: Server, page: Page, name: str) -> None:
    scene = make_scene(folder_of(lab, name))
    open_lab(page, lab, scene)
    question(page, "Bolehkah mendirikan PT seorang diri saja?")
    page.evaluate("async () => { await jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart(); return 1 }")
    page.evaluate("() => { jupyterapp.commands.execute('notebook:clear-all-cell-outputs'); return 1 }")
    expect(page.locator(".gw")).to_have_count(0)
    run_all(page)
    expect(page.locator(".gw-banner")).to_contain_text("dipulihkan")
    expect(page.locator('[data-k="question"]')).to_have_value("Bolehkah mendirikan PT seorang diri saja?")
    expect(page.locator(".gw-dirty")).to_contain_text("belum disimpan")


def test_voila_shows_nothing_without_the_token(voila: Server) -> None:
    with urllib.request.urlopen(f"{voila.url}/voila/render/author.ipynb", timeout=20) as reply:  # loopback
        assert "/login" in reply.url


def test_a_chatbot_that_is_down_is_told_and_the_page_goes_on(voila: Server, page: Page, name: str) -> None:
    config = f"chatbot_url: http://127.0.0.1:{closed_port()}\nchatbot_retries: 0"
    open_voila(page, voila, make_scene(folder_of(voila, name), config=config))
    press(page, "▶ Tanya 3×")
    expect(page.locator(".gw-card .gw-t-error", has_text="tidak tersambung")).to_have_count(3)
    question(page, "Masih bisa disunting?")


def test_a_slow_chatbot_streams_does_not_block_and_is_cancelled(voila: Server, page: Page, name: str) -> None:
    with serving(stream(content("PT perorangan didirikan "), Pause(60))) as url:
        open_voila(page, voila, make_scene(folder_of(voila, name), config=f"chatbot_url: {url}"))
        press(page, "▶ Tanya 3×")
        expect(page.locator(".gw-card .gw-answer", has_text="PT perorangan didirikan")).to_have_count(3)
        add_phrase(page, "must_include", "didirikan")
        expect(page.locator(".gw-card mark.gw-m-present")).to_have_count(3)
        page.locator(".gw-card").nth(0).get_by_role("button", name="Batal").click()
        expect(page.locator(".gw-card").nth(0)).to_contain_text("dibatalkan")
        press(page, "■ Batalkan semua")
        expect(page.locator(".gw-card", has_text="dibatalkan")).to_have_count(3)
        expect(page.get_by_role("button", name="▶ Tanya 3×")).to_be_enabled()


def test_a_file_that_changed_meanwhile_is_shown_in_both_versions(voila: Server, page: Page, name: str) -> None:
    scene = make_scene(folder_of(voila, name))
    open_voila(page, voila, scene)
    question(page, "Bisakah mendirikan PT seorang diri?")
    text = scene.set_path.read_text(encoding="utf-8").replace("Bisa nggak bikin PT sendirian?", "Boleh bikin PT sendiri?")
    scene.set_path.write_text(text.replace("2 (dua) orang", "dua orang"), encoding="utf-8")
    press(page, "Simpan…")
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("Boleh bikin PT sendiri?")
    expect(dialog).to_contain_text("Bisakah mendirikan PT seorang diri?")
    expect(dialog.get_by_role("button", name="Pakai pilihan ini")).to_be_disabled()
    dialog.locator(".gw-version", has_text="Versi saya").click()
    dialog.get_by_role("button", name="Pakai pilihan ini").click()
    press(page, "Simpan…")
    expect(dialog.locator(".gw-diff")).to_contain_text("Bisakah mendirikan PT seorang diri?")
    dialog.get_by_role("button", name="Simpan", exact=True).click()
    expect(page.locator(".gw-foot")).to_contain_text("Tersimpan di")
    saved = scene.set_path.read_text(encoding="utf-8")
    assert "Bisakah mendirikan PT seorang diri?" in saved
    assert "menyebut dua orang atau lebih" in saved


HOSTILE = (
    "<img src=http://outside.example/x.png onerror=alert(1)><script>window.hit = 1</script>"
    '<iframe src="http://outside.example"></iframe> [x](javascript:alert(1)) /etc/hostname \u202egnp'
)


def test_a_hostile_answer_is_text_and_nothing_else(voila: Server, page: Page, name: str) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    with serving(stream(content(HOSTILE))) as url:
        open_voila(page, voila, make_scene(folder_of(voila, name), config=f"chatbot_url: {url}"))
        press(page, "▶ Tanya 3×")
        card = page.locator(".gw-card .gw-answer").first
        expect(card).to_contain_text("<script>window.hit = 1</script>")
        expect(card).to_contain_text("⟦U+202E⟧")
        expect(card).to_contain_text("/etc/hostname")
        assert page.locator(".gw-side img, .gw-side script, .gw-side iframe, .gw-side a").count() == 0
        assert page.evaluate("() => window.hit") is None
        assert dialogs == []


def test_case_176_a_signature_that_cannot_be_saved_is_told_beside_the_button(voila: Server, page: Page, name: str) -> None:
    scene = make_scene(folder_of(voila, name))
    open_voila(page, voila, scene)
    scene.set_path.chmod(stat.S_IRUSR)
    press(page, "Tinjau & verifikasi")
    page.locator("dialog [name=by]").fill("Ibu Sari")
    press(page, "Tanda tangani & simpan")
    expect(page.locator("dialog .gw-dialog-foot [role=alert]")).to_contain_text("tidak boleh ditulis")
    press(page, "Batal")
    expect(page.locator(".gw-title .gw-badge")).to_contain_text("Belum diverifikasi")
    assert "Ibu Sari" not in scene.set_path.read_text(encoding="utf-8")


def test_a_phrase_is_picked_from_an_answer_and_history_and_flips_are_shown(voila: Server, page: Page, name: str) -> None:
    scene = make_scene(folder_of(voila, name), past=True)
    open_voila(page, voila, scene)
    open_item(page, "pt-perorangan-akta")
    page.locator(".gw-past-button").nth(1).click()
    answer = page.locator(".gw-past-answer .gw-answer")
    answer.evaluate(
        "node => { const text = [...node.childNodes].find(part => part.textContent.includes('Cukup dengan')); const range = new Range();"
        " const at = text.textContent.indexOf('Cukup dengan'); range.setStart(text, at); range.setEnd(text, at + 12);"
        " const s = getSelection(); s.removeAllRanges(); s.addRange(range); }"
    )
    page.locator(".gw-picker").get_by_role("button", name="Tidak boleh disebut").click()
    expect(page.locator('[data-field="expected.must_not_include"] .gw-chip').last).to_contain_text("Cukup dengan")
    expect(page.locator(".gw-flips")).to_contain_text("20 menjadi gagal")
    press(page, "Beda dari sebelumnya")
    expect(page.locator(".gw-past-answer ins, .gw-past-answer del").first).to_be_visible()
    press(page, "Urungkan")
    expect(page.locator(".gw-dirty")).to_contain_text("Semua tersimpan")


TOO_WIDE = """() => [...document.querySelectorAll('.gw-columns > *')].filter(box => box.scrollWidth > box.clientWidth + 1).flatMap(
    box => [...box.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > box.getBoundingClientRect().right + 1)
        .map(e => e.className + ' ' + e.textContent.slice(0, 30)))"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_its_screens_reads_well_and_every_control_has_a_name(voila: Server, page: Page, name: str, theme: str) -> None:
    open_voila(page, voila, make_scene(folder_of(voila, name), past=theme == "light"))
    page.locator('[data-k="theme"]').select_option(theme)
    add_phrase(page, "must_not_include", "PT")
    page.locator(".gw-more summary").click()
    for width in (1280, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(LOW_CONTRAST) == []
    unnamed = page.evaluate(
        "() => [...document.querySelectorAll('.gw input, .gw select, .gw textarea')].filter(e => !e.labels?.length && !e.ariaLabel)"
        ".concat([...document.querySelectorAll('.gw button')].filter(e => !e.textContent.trim() && !e.ariaLabel)).map(e => e.outerHTML)"
    )
    assert unnamed == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("language", "button"), [("id", "+ Butir baru"), ("en", "+ New item")])
def test_the_first_step_fits_is_legible_and_has_one_thing_to_press(
    voila: Server, page: Page, name: str, theme: str, language: str, button: str
) -> None:
    open_voila(page, voila, make_scene(folder_of(voila, name), language=language, text="# Kontrak\n"))
    page.locator('[data-k="theme"]').select_option(theme)
    expect(page.locator(f".gw[data-theme={theme}]")).to_have_count(1)
    for width in (1280, 760, 420):
        page.set_viewport_size({"width": width, "height": 900})
        enabled = page.get_by_role("button", disabled=False)
        expect(enabled).to_have_text([button])
        enabled.scroll_into_view_if_needed()
        expect(enabled).to_be_in_viewport(ratio=0.99)  # pixels may be cut in fractions
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(LOW_CONTRAST) == []


def test_it_is_used_by_keyboard_alone_and_the_focus_is_seen(voila: Server, page: Page, name: str) -> None:
    open_voila(page, voila, make_scene(folder_of(voila, name)))
    rows = page.locator(".gw-rows")
    rows.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".gw-title h2")).to_have_text("pt-perorangan-syarat")
    page.keyboard.press("Alt+n")
    expect(page.locator(".gw-title h2")).to_have_text("pt-perorangan-akta")
    page.locator('[data-k="question"]').focus()
    page.keyboard.type("X ")
    assert page.locator('[data-k="question"]').evaluate("node => getComputedStyle(node).outlineStyle") == "solid"
    page.keyboard.press("Control+s")
    expect(page.locator("dialog .gw-diff")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()
    expect(page.locator('[data-k="question"]')).to_be_focused()


def test_what_is_typed_stays_in_its_field_when_the_kernel_has_answered(voila: Server, page: Page, name: str) -> None:
    open_voila(page, voila, make_scene(folder_of(voila, name)))
    press(page, "+ Butir baru")
    expect(page.locator('[data-k="question"]')).to_be_focused()
    box = page.locator('[data-k="question"]')
    for words in ("Apakah PT perorangan ", "wajib akta ", "notaris?"):
        box.press_sequentially(words)
        expect(page.locator(".gw-row.gw-on .gw-row-title")).to_contain_text(words.strip())  # the kernel has answered
    expect(box).to_have_value("Apakah PT perorangan wajib akta notaris?")
    expect(page.locator('[data-k="id"]')).to_have_value("pt-perorangan-akta-notaris")


def test_the_focus_stays_with_a_phrase_that_is_changed_or_taken_away_by_keyboard(voila: Server, page: Page, name: str) -> None:
    open_voila(page, voila, make_scene(folder_of(voila, name)))
    field = page.locator('[data-field="expected.must_include"]')
    field.locator(".gw-chip .gw-plain").focus()
    page.keyboard.press("Enter")
    expect(field.locator(".gw-chipedit")).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.type(" saja")
    page.keyboard.press("Enter")
    expect(field.locator(".gw-chip .gw-plain")).to_have_text("usaha mikro dan kecil saja")
    expect(field.locator(".gw-chip .gw-plain")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(field.locator(".gw-chip")).to_have_count(0)
    expect(field.locator(".gw-add")).to_be_focused()


def test_what_a_notice_said_is_gone_when_it_no_longer_holds(voila: Server, page: Page, name: str) -> None:
    open_voila(page, voila, make_scene(folder_of(voila, name)))
    question(page, "Bisakah mendirikan PT seorang diri?")
    press(page, "Simpan…")
    page.locator("dialog").get_by_role("button", name="Simpan", exact=True).click()
    expect(page.locator(".gw-foot")).to_contain_text("Tersimpan di")
    question(page, "Bisakah mendirikan PT seorang diri saja?")
    expect(page.locator(".gw-foot")).not_to_contain_text("Tersimpan di")


def test_a_set_that_cannot_be_opened_is_told_in_words(voila: Server, page: Page, name: str) -> None:
    page.goto(voila.voila(make_scene(folder_of(voila, name), text="items:\n  - id: [\n")))
    expect(page.locator("body")).to_contain_text("Kumpulan pertanyaan acuan tidak dapat dibuka")
    assert "Traceback" not in page.locator("body").inner_text()
    message = page.get_by_text("ahu.yaml:3:1")
    expect(message).to_be_in_viewport()


def test_phrases_and_questions_cannot_turn_the_text_around_that_is_signed(voila: Server, page: Page, name: str) -> None:
    text = 'items:\n  - id: pt\n    question: "Wajib \\u202Enotaris?"\n    expected: {must_include: ["tidak\\u202E wajib notaris"]}\n'
    open_voila(page, voila, make_scene(folder_of(voila, name), text=text))
    expect(page.locator(".gw-chip .gw-plain")).to_have_text("tidak⟦U+202E⟧ wajib notaris")
    press(page, "Tinjau & verifikasi")
    expect(page.locator("dialog .gw-quote").first).to_have_text("Wajib ⟦U+202E⟧notaris?")
    expect(page.locator("dialog .gw-chip").first).to_contain_text("tidak⟦U+202E⟧ wajib notaris")


def test_a_search_that_finds_nothing_is_cleared_with_one_press(voila: Server, page: Page, name: str) -> None:
    open_voila(page, voila, make_scene(folder_of(voila, name)))
    page.locator(".gw-search").fill("tidak ada yang begini")
    expect(page.locator(".gw-row")).to_have_count(0)
    press(page, "Kosongkan pencarian dan saringan")
    expect(page.locator(".gw-row").first).to_be_visible()
    expect(page.locator(".gw-search")).to_be_focused()
    expect(page.locator(".gw-search")).to_have_value("")


def test_a_message_moves_nothing_on_the_page(voila: Server, page: Page, name: str) -> None:
    open_voila(page, voila, make_scene(folder_of(voila, name)))
    question(page, "Bisakah mendirikan PT seorang diri?")
    before = page.locator(".gw-foot").bounding_box()
    press(page, "Buang perubahan")
    expect(page.locator(".gw-foot .gw-notice")).to_contain_text("Perubahan dibuang")
    assert page.locator(".gw-foot").bounding_box() == before


def test_a_click_that_begins_while_the_kernel_answers_is_not_lost(voila: Server, page: Page, name: str) -> None:
    open_voila(page, voila, make_scene(folder_of(voila, name)))
    place = page.locator('[data-k="save"]').bounding_box()
    assert place is not None
    page.locator('[data-k="question"]').fill("Bisakah mendirikan PT seorang diri?")
    page.mouse.move(place["x"] + 10, place["y"] + 10)
    page.mouse.down()
    page.wait_for_timeout(800)  # the answer comes while the button is held down, as people do for a tenth of a second
    page.mouse.up()
    expect(page.locator("dialog .gw-diff")).to_contain_text("seorang diri")


def test_a_page_that_is_loaded_again_or_left_leaves_no_kernel_behind(page: Page, tmp_path: Path) -> None:
    """field/workbench 3: each reload left one of 150 MB, which kept the drafts to itself."""
    with served.serving(tmp_path) as server:
        page.goto(server.url)
        for _ in range(3):
            page.wait_for_selector(PANEL)
            page.reload()
        page.wait_for_selector(PANEL)
        assert eventually(lambda: len(server.kernels) == 1)
        page.goto("about:blank")
        assert eventually(lambda: not server.kernels)


def test_who_stays_after_being_asked_keeps_the_kernel(page: Page, tmp_path: Path) -> None:
    with served.serving(tmp_path) as server:
        page.goto(server.url)
        page.wait_for_selector(PANEL)
        assert page.title() == "ahu"
        page.evaluate("() => { window.dispatchEvent(new Event('beforeunload', { cancelable: true })) }")
        question(page, "Masih dijawab kernel?")
        assert len(server.kernels) == 1


def test_times_are_those_of_the_viewers_zone_and_days_are_in_words(voila: Server, page: Page, name: str) -> None:
    """field/workbench 13: unlabelled UTC, seven hours off in Jakarta."""
    scene = make_scene(folder_of(voila, name), past=True)
    browser = page.context.browser
    assert browser is not None
    shown = []
    for zone in ("UTC", "Asia/Jakarta"):
        context = browser.new_context(timezone_id=zone, viewport={"width": 1280, "height": 860})
        there = context.new_page()
        open_voila(there, voila, scene)
        open_item(there, "pt-perorangan-akta")
        shown.append(there.locator(".gw-past-button .gw-muted").first.inner_text())
        context.close()
    at = [re.fullmatch(r"(\d+) (\w+) (20\d\d),? (?:pukul )?(\d\d)\.(\d\d)", text) for text in shown]
    assert None not in at, shown
    hours = [int(found[4]) for found in at if found is not None]
    assert (hours[1] - hours[0]) % 24 == 7
