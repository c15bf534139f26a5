"""Signing and saving: only what was shown, and what that does to a signature that is there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goldenlib.files.loading import load_set
from goldenlib.workbench.handling import Handler
from goldenlib.workbench.itemlist import ItemState
from goldenlib.workbench.reviewing import Signature
from tests.workbench.scenes import BUDI, SET, a_bench, a_handler, a_set, confirm

SIGNATURE = {"by": "Ibu Sari", "source": "PP 8/2021 Pasal 6", "due": "2027-11-29"}
DIGESTLESS = SET.replace("verified: true", 'verified: true\n    review: {by: Rina Wati, at: "2026-10-01", source: PMK 6/2022}')


def on_disk(handler: Handler, item_id: str) -> Any:
    return {item.id: item for item in load_set([handler.bench.path])}[item_id]


def edit(handler: Handler, key: str, path: str, value: object) -> dict[str, Any]:
    return handler.handle({"action": "edit", "key": key, "path": path, "value": value})


def signed(folder: Path, **changes: Any) -> Handler:
    """The first item signed, and the file as it is then."""
    handler = a_handler(folder, **changes)
    handler.handle({"action": "ask_verify"})
    confirm(handler, "verify", **SIGNATURE)
    return handler


# --- only what was shown ---


def test_what_is_shown_is_signed_and_saved(tmp_path: Path) -> None:
    """field/tests C13: success."""
    handler = a_handler(tmp_path)
    handler.handle({"action": "ask_verify"})
    patch = confirm(handler, "verify", **SIGNATURE)
    assert patch["dialog"] is None
    assert patch["notice"]["tone"] == "ok"
    assert patch["editor"]["state"] == "verified"
    assert on_disk(handler, "pt-akta").review.digest == on_disk(handler, "pt-akta").digest


def an_edit(handler: Handler) -> None:
    edit(handler, "pt-akta", "expected.must_include", ["pernyataan pendirian", "Rp1"])


def a_phrase(handler: Handler) -> None:
    handler.handle({"action": "add", "key": "pt-akta", "path": "expected.must_not_include", "text": "FRASA TAK TERLIHAT"})


def a_note(handler: Handler) -> None:
    edit(handler, "pt-akta", "note", "catatan yang tidak tampil")


def a_tag(handler: Handler) -> None:
    edit(handler, "pt-akta", "tags", ["baru"])


def a_renaming(handler: Handler) -> None:
    handler.bench.rename("pt-akta", "pt-lain", carry_history=False)


def a_deletion(handler: Handler) -> None:
    handler.bench.delete("pt-akta")


def an_undoing(handler: Handler) -> None:
    handler.handle({"action": "undo"})


def a_look_at_the_disk(handler: Handler) -> None:
    handler.bench.path.write_text(handler.bench.path.read_text().replace("satu orang", "dua orang"))
    handler.bench.reload()


MEANWHILE = [an_edit, a_phrase, a_note, a_tag, a_renaming, a_deletion, an_undoing, a_look_at_the_disk]


@pytest.mark.parametrize("change", MEANWHILE)
@pytest.mark.parametrize("action", ["verify", "save"])
def test_what_changed_since_it_was_shown_is_neither_signed_nor_saved(
    tmp_path: Path, action: str, change: Callable[[Handler], None]
) -> None:
    """fd-056."""
    handler = a_handler(tmp_path)
    edit(handler, "pt-akta", "question", "Perlu notaris?")
    handler.handle({"action": f"ask_{action}"})
    assert handler.dialog is not None
    change(handler)
    before = handler.bench.path.read_text()
    patch = confirm(handler, action, **SIGNATURE)
    assert handler.bench.path.read_text() == before
    assert patch["notice"]["tone"] != "ok"
    assert patch["editor"]["state"] != "verified"


@pytest.mark.parametrize("digest", [None, "", "0" * 64, 5])
@pytest.mark.parametrize("action", ["verify", "save"])
def test_a_message_that_does_not_say_what_was_shown_is_refused_and_shown(tmp_path: Path, action: str, digest: object) -> None:
    """fd-056: the kernel decides, whatever the page says."""
    handler = a_handler(tmp_path)
    edit(handler, "pt-akta", "question", "Perlu notaris?")
    patch = handler.handle({"action": action, "keys": ["pt-akta"], "digest": digest, "where": "dialog", **SIGNATURE})
    assert handler.bench.path.read_text() == SET
    assert patch["dialog"]["kind"] == action
    assert patch["dialog"]["error"].startswith("Belum")


def test_what_is_shown_again_holds_what_changed_and_what_was_typed_and_can_be_signed(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "ask_verify"})
    a_phrase(handler)
    dialog = confirm(handler, "verify", **SIGNATURE)["dialog"]
    assert dialog["editor"]["form"]["expected.must_not_include"] == ["FRASA TAK TERLIHAT"]
    assert dialog["by"] == "Ibu Sari"
    confirm(handler, "verify", **SIGNATURE)
    assert on_disk(handler, "pt-akta").is_verified


def test_the_dialog_signs_its_own_item_whichever_is_open_by_now(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "ask_verify"})
    handler.bench.open_key = "int-jumlah"
    confirm(handler, "verify", **SIGNATURE)
    assert on_disk(handler, "pt-akta").is_verified
    assert not on_disk(handler, "int-jumlah").is_verified


def test_a_dialog_that_was_closed_signs_nothing_any_more(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    digest = handler.handle({"action": "ask_verify"})["dialog"]["digest"]
    handler.handle({"action": "dismiss"})
    patch = handler.handle({"action": "verify", "digest": digest, **SIGNATURE})
    assert patch["dialog"]["kind"] == "verify"
    assert handler.bench.path.read_text() == SET


def test_a_button_pressed_twice_does_its_work_once(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    digest = handler.handle({"action": "ask_verify"})["dialog"]["digest"]
    confirm(handler, "verify", **SIGNATURE)
    before = handler.bench.path.read_text()
    handler.handle({"action": "verify", "digest": digest, **SIGNATURE})
    assert handler.dialog is None
    assert handler.bench.path.read_text() == before


def test_hazards_that_came_after_the_dialog_are_seen_before_it_is_signed(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    edit(handler, "pt-akta", "expected.must_not_include", ["orang"])
    before = handler.handle({"action": "ask_verify"})["dialog"]["editor"]["hazards"]
    handler.bench.learn()
    dialog = confirm(handler, "verify", **SIGNATURE)["dialog"]
    assert len(dialog["editor"]["hazards"]) > len(before)
    assert not on_disk(handler, "pt-akta").verified


def test_a_colleague_who_saved_meanwhile_leaves_the_item_not_signed_yet(tmp_path: Path) -> None:
    """field/tests C13: a conflict while signing; field/workbench 13."""
    handler = a_handler(tmp_path)
    handler.handle({"action": "ask_verify"})
    handler.bench.path.write_text(SET.replace("Rp150.000", "Rp200.000"))
    patch = confirm(handler, "verify", **SIGNATURE)
    assert patch["notice"]["text"].startswith("Belum ditandatangani")
    assert patch["dialog"]["kind"] == "verify"
    assert patch["editor"]["state"] == "unverified"
    assert not on_disk(handler, "pt-akta").verified
    confirm(handler, "verify", **SIGNATURE)
    assert on_disk(handler, "pt-akta").is_verified
    assert "Rp200.000" in handler.bench.path.read_text()


def test_a_colleague_who_changed_the_same_field_is_chosen_from_before_anything_is_signed(tmp_path: Path) -> None:
    """field/tests C13."""
    handler = a_handler(tmp_path)
    edit(handler, "pt-akta", "question", "Perlu notaris?")
    handler.handle({"action": "ask_verify"})
    handler.bench.path.write_text(SET.replace("wajib akta notaris?", "butuh akta?"))
    patch = confirm(handler, "verify", **SIGNATURE)
    assert patch["dialog"]["kind"] == "conflict"
    assert patch["notice"]["text"].startswith("Belum ditandatangani")
    assert not on_disk(handler, "pt-akta").verified


def test_a_review_is_not_begun_on_a_conflict(tmp_path: Path) -> None:
    """field/tests C13: a conflict in ask_verify."""
    handler = a_handler(tmp_path)
    edit(handler, "pt-akta", "question", "Perlu notaris?")
    handler.bench.path.write_text(SET.replace("wajib akta notaris?", "butuh akta?"))
    assert handler.handle({"action": "ask_verify"})["dialog"]["kind"] == "conflict"


def test_conflicts_that_changed_since_they_were_shown_are_not_settled(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    edit(handler, "pt-akta", "question", "Perlu notaris?")
    handler.bench.path.write_text(SET.replace("wajib akta notaris?", "butuh akta?"))
    handler.handle({"action": "ask_save"})
    handler.bench.path.write_text(SET.replace("wajib akta notaris?", "memakai akta?"))
    handler.bench.reload()
    patch = confirm(handler, "decide", choices={"0": "theirs"})
    assert patch["dialog"]["conflicts"][0]["theirs"] == ["Apakah PT perorangan memakai akta?"]


def test_all_that_is_written_with_a_signature_is_shown(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    edit(handler, "pt-akta", "tags", ["notaris"])
    edit(handler, "pt-akta", "domain", "pt")
    dialog = handler.handle({"action": "ask_verify"})["dialog"]
    assert [effect["text"] for effect in dialog["effects"]] == ["Butir diubah: pt-akta (Domain, Label)."]
    assert "+    domain: pt\n" in dialog["diff"]["text"]


# --- an edit ends a signature ---


@pytest.mark.parametrize("text", [SET, DIGESTLESS], ids=["without a review", "without a digest"])
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("question", "Berapa tarif apostille?"),
        ("expected.must_include", ["Rp150.000"]),
        ("expected.must_not_include", ["Rp1"]),
        ("expected.rubric", "Jawaban menyebut PNBP."),
        ("expected.answer", "Rp150.000"),
        ("kind", "forbidden"),
        ("role", "notaris"),
        ("expected.sql.golden", "SELECT 1"),
    ],
)
def test_an_edit_of_what_decides_makes_a_verified_item_unverified(tmp_path: Path, text: str, path: str, value: object) -> None:
    """fd-057: digest or not; said before it is saved."""
    handler = a_handler(tmp_path, text)
    handler.handle({"action": "open", "key": "apostille-biaya"})
    patch = edit(handler, "apostille-biaya", path, value)
    assert "gugur" in patch["derived"]["loss"]
    assert handler.bench.rows_by_key("apostille-biaya").state in (ItemState.CHANGED, ItemState.UNVERIFIED)
    dialog = handler.handle({"action": "ask_save"})["dialog"]
    assert dialog["summary"] == "1 butir diubah · 1 verifikasi gugur"
    assert dialog["effects"][0]["lost"]
    confirm(handler, "save")
    item = on_disk(handler, "apostille-biaya")
    assert not item.verified
    assert not item.is_verified
    assert (item.review is None) is (text is SET)


@pytest.mark.parametrize(("path", "value"), [("note", "menurut PMK"), ("tags", ["pnbp"]), ("domain", "layanan"), ("traps", ["tarif lama"])])
@pytest.mark.parametrize("text", [SET, DIGESTLESS], ids=["without a review", "without a digest"])
def test_an_edit_of_what_decides_nothing_leaves_the_signature(tmp_path: Path, text: str, path: str, value: object) -> None:
    handler = a_handler(tmp_path, text)
    handler.handle({"action": "open", "key": "apostille-biaya"})
    edit(handler, "apostille-biaya", path, value)
    dialog = handler.handle({"action": "ask_save"})["dialog"]
    assert dialog["summary"] == "1 butir diubah"
    confirm(handler, "save")
    assert on_disk(handler, "apostille-biaya").is_verified


def test_a_review_that_lapsed_stays_on_record_and_says_so(tmp_path: Path) -> None:
    handler = a_handler(tmp_path, DIGESTLESS, language="en")
    handler.handle({"action": "open", "key": "apostille-biaya"})
    edit(handler, "apostille-biaya", "question", "Berapa tarif apostille?")
    dialog = handler.handle({"action": "ask_save"})["dialog"]
    assert dialog["effects"][0]["text"] == "The verification of apostille-biaya by Rina Wati (2026-10-01) lapses, since its text changes."
    confirm(handler, "save")
    item = on_disk(handler, "apostille-biaya")
    assert (item.review.by, item.review.lapsed) == ("Rina Wati", "2026-11-29")
    assert item.changed_note == "changed since verified on 2026-10-01 by Rina Wati"
    assert handler.bench.rows_by_key("apostille-biaya").state is ItemState.CHANGED


def test_a_text_that_is_the_signed_one_again_is_signed_again(tmp_path: Path) -> None:
    handler = signed(tmp_path)
    before = handler.bench.values("pt-akta")
    edit(handler, "pt-akta", "question", "Perlu notaris?")
    edit(handler, "pt-akta", "question", before["question"])
    assert not handler.bench.unsaved()
    assert handler.bench.rows_by_key("pt-akta").state is ItemState.VERIFIED


def test_a_signature_ends_when_a_colleague_signed_what_is_being_changed_here(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    edit(handler, "pt-akta", "question", "Perlu notaris?")
    a_bench(tmp_path, account=BUDI).sign("pt-akta", Signature("Pak Budi"))
    dialog = handler.handle({"action": "ask_save"})["dialog"]
    assert "Pak Budi" in dialog["effects"][0]["text"]
    confirm(handler, "save")
    item = on_disk(handler, "pt-akta")
    assert not item.verified
    assert (item.review.by, item.review.lapsed) == ("Pak Budi", "2026-11-29")


def test_a_deleted_signed_item_and_a_new_id_are_told_in_words_first(tmp_path: Path) -> None:
    """field/workbench 10: rename, duplicate and delete read as what they are."""
    handler = a_handler(tmp_path, language="en")
    handler.bench.delete("apostille-biaya")
    handler.bench.rename("int-jumlah", "int-total", carry_history=False)
    handler.bench.open_key = "pt-akta"
    handler.handle({"action": "duplicate"})
    dialog = handler.handle({"action": "ask_save", "all": True})["dialog"]
    assert dialog["summary"] == "1 new item · 1 id changed · 1 item deleted · 1 verification lapses"
    assert dialog["effects"][0]["text"] == "The verification of apostille-biaya by a reviewer who is not named is deleted with it."
    assert [effect["lost"] for effect in dialog["effects"]] == [True, False, False, False, False]


# --- withdrawing ---


def test_a_signature_is_withdrawn_with_a_reason_and_undone_before_saving(tmp_path: Path) -> None:
    handler = signed(tmp_path)
    handler.handle({"action": "ask_withdraw"})
    patch = confirm(handler, "withdraw", reason="salah pasal")
    assert patch["editor"]["state"] == "unverified"
    assert on_disk(handler, "pt-akta").is_verified
    handler.handle({"action": "undo"})
    assert not handler.bench.unsaved()
    handler.handle({"action": "redo"})
    dialog = handler.handle({"action": "ask_save"})["dialog"]
    assert dialog["summary"] == "1 tanda tangan dicabut"
    confirm(handler, "save")
    item = on_disk(handler, "pt-akta")
    assert not item.verified
    assert (item.review.by, item.review.withdrawn, item.review.reason) == ("Ibu Sari", "2026-11-29", "salah pasal")
    assert item.review.withdrawn_by == "sari (JupyterHub)"
    assert item.changed_note == "signature of Ibu Sari withdrawn on 2026-11-29: salah pasal"


def test_a_withdrawal_that_is_pressed_twice_does_its_work_once(tmp_path: Path) -> None:
    handler = signed(tmp_path)
    digest = handler.handle({"action": "ask_withdraw"})["dialog"]["digest"]
    confirm(handler, "withdraw", reason="salah pasal")
    patch = handler.handle({"action": "withdraw", "digest": digest, "where": "dialog", "reason": "lain"})
    assert (handler.dialog, handler.faults) == (None, [])
    assert patch.get("notice") is None
    assert handler.bench.values("pt-akta")["review"]["reason"] == "salah pasal"


def test_a_withdrawn_signature_does_not_come_back_by_an_edit_or_by_undo_after_saving(tmp_path: Path) -> None:
    handler = signed(tmp_path)
    handler.handle({"action": "ask_withdraw"})
    confirm(handler, "withdraw")
    edit(handler, "pt-akta", "note", "catatan")
    assert handler.bench.values("pt-akta")["verified"] is False
    handler.handle({"action": "ask_save"})
    confirm(handler, "save")
    handler.handle({"action": "undo"})
    handler.handle({"action": "undo"})
    assert not handler.bench.unsaved() or handler.bench.values("pt-akta")["verified"] is False
    assert handler.bench.rows_by_key("pt-akta").state is ItemState.UNVERIFIED


@pytest.mark.parametrize(
    ("language", "why"), [("id", "pencabutan tanda tangan di bawah pt-akta sudah disimpan"), ("en", "withdrawal of the")]
)
def test_undo_after_a_withdrawal_was_saved_says_why_it_does_nothing(tmp_path: Path, language: str, why: str) -> None:
    handler = signed(tmp_path)
    handler.handle({"action": "language", "language": language})
    edit(handler, "apostille-biaya", "note", "catatan")
    handler.handle({"action": "open", "key": "pt-akta"})
    handler.handle({"action": "ask_withdraw"})
    confirm(handler, "withdraw")
    handler.handle({"action": "ask_save"})
    confirm(handler, "save")
    notice = handler.handle({"action": "undo"})["notice"]
    assert notice["tone"] == "warn"
    assert why in notice["text"]
    assert [draft.key for draft in handler.bench.unsaved()] == ["apostille-biaya"]  # nor is an older edit taken back unasked
    assert "notice" not in handler.handle({"action": "undo"})
    assert handler.bench.unsaved() == []


def test_redo_of_a_withdrawal_says_why_it_does_nothing_where_the_signature_is_another(tmp_path: Path) -> None:
    handler = signed(tmp_path)
    handler.handle({"action": "ask_withdraw"})
    confirm(handler, "withdraw")
    assert "notice" not in handler.handle({"action": "undo"})
    handler.bench.path.write_text(handler.bench.path.read_text().replace("Ibu Sari", "Pak Budi"))
    handler.bench.reload()
    assert "ditandatangani lagi" in handler.handle({"action": "redo"})["notice"]["text"]
    assert handler.bench.rows_by_key("pt-akta").state is ItemState.VERIFIED


def test_a_signature_without_a_review_can_be_withdrawn_too(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "open", "key": "apostille-biaya"})
    handler.handle({"action": "ask_withdraw"})
    confirm(handler, "withdraw")
    edit(handler, "apostille-biaya", "note", "catatan")
    handler.handle({"action": "ask_save"})
    confirm(handler, "save")
    assert not on_disk(handler, "apostille-biaya").verified


def test_a_withdrawal_is_not_of_a_signature_that_came_later(tmp_path: Path) -> None:
    handler = signed(tmp_path)
    handler.handle({"action": "ask_withdraw"})
    confirm(handler, "withdraw")
    handler.bench.path.write_text(handler.bench.path.read_text().replace("Ibu Sari", "Pak Budi"))
    handler.bench.reload()
    assert handler.bench.rows_by_key("pt-akta").state is ItemState.VERIFIED
    assert not handler.bench.unsaved()


def test_a_withdrawal_that_was_not_shown_is_refused(tmp_path: Path) -> None:
    handler = signed(tmp_path)
    handler.handle({"action": "ask_withdraw"})
    edit(handler, "pt-akta", "note", "catatan")
    assert confirm(handler, "withdraw")["dialog"]["error"].startswith("Belum dicabut")
    assert handler.handle({"action": "withdraw", "digest": None})["dialog"]["kind"] == "withdraw"


def test_nothing_is_withdrawn_where_nobody_signed(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    assert handler.handle({"action": "ask_withdraw"})["notice"]["tone"] == "error"


# --- who signs ---


def test_the_account_stands_beside_the_name_and_another_name_is_marked(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "ask_verify"})
    patch = confirm(handler, "verify", by="Direktur Jenderal AHU", source="", due="")
    review = on_disk(handler, "pt-akta").review
    assert review.account == "sari (JupyterHub)"
    assert review.is_of_another_name
    assert patch["editor"]["review"]["other"] == "akun sari (JupyterHub), bukan nama itu"


def test_the_name_is_proposed_to_its_account_and_the_legal_basis_is_remembered(tmp_path: Path) -> None:
    """field/workbench 7."""
    handler = signed(tmp_path)
    handler.handle({"action": "open", "key": "int-jumlah"})
    dialog = handler.handle({"action": "ask_verify"})["dialog"]
    assert (dialog["by"], dialog["source"]) == ("Ibu Sari", "PP 8/2021 Pasal 6")
    confirm(handler, "verify", by="Ibu Sari", source="UU 40/2007 Pasal 1", due="")
    handler.handle({"action": "open", "key": "pt-akta"})
    assert handler.handle({"action": "ask_verify"})["dialog"]["source"] == "PP 8/2021 Pasal 6"  # its own comes first
    other = a_handler(tmp_path, account=BUDI)
    dialog = other.handle({"action": "ask_verify"})["dialog"]
    assert dialog["by"] == ""
    assert set(dialog["bases"]) == {"PP 8/2021 Pasal 6", "UU 40/2007 Pasal 1"}


def test_an_item_that_is_gone_is_not_signed(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "ask_verify"})
    a_set(tmp_path, SET[SET.index("  # catatan milik") :].replace("  # catatan", "items:\n  # catatan", 1))
    handler.bench.reload()
    patch = confirm(handler, "verify", **SIGNATURE)
    assert patch["dialog"] is None
    assert patch["notice"]["tone"] == "error"
