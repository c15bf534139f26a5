"""Undo and redo: single edits, also after saving and signing, and never over what somebody else wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from goldenlib.files.loading import load_set
from goldenlib.workbench.actions import handler_of
from goldenlib.workbench.itemlist import ItemState
from goldenlib.workbench.reviewing import Signature
from goldenlib.workbench.state import Workbench
from goldenlib.workbench.steps import PAUSE_S, Steps
from tests.workbench.scenes import SET, a_bench, a_handler

MUST = "expected.must_not_include"
QUESTION = "Apakah PT perorangan wajib akta notaris?"


def phrases(bench: Workbench, key: str = "pt-akta") -> Any:
    return bench.values(key)["expected"]["must_not_include"]


def test_each_phrase_is_a_step_of_undo_and_of_redo(tmp_path: Path) -> None:
    """field/workbench 6: one undo took all three phrases of a field away."""
    handler = a_handler(tmp_path)
    for phrase in ("satu", "dua", "tiga"):
        handler.handle({"action": "add", "key": "pt-akta", "path": MUST, "text": phrase})
    handler.handle({"action": "undo"})
    assert phrases(handler.bench) == ["satu", "dua"]
    handler.handle({"action": "undo"})
    assert phrases(handler.bench) == ["satu"]
    handler.handle({"action": "redo"})
    handler.handle({"action": "redo"})
    assert phrases(handler.bench) == ["satu", "dua", "tiga"]
    assert handler.bench.can_redo == ""


def test_typing_after_a_pause_is_another_step(tmp_path: Path) -> None:
    now = [0.0]
    bench = a_bench(tmp_path)
    bench.steps = Steps(lambda: now[0])
    for at, text in ((0.0, "P"), (0.3, "Pe"), (0.3 + PAUSE_S, "Perlu?"), (0.4 + PAUSE_S, "Perlu akta?")):
        now[0] = at
        bench.set_field("pt-akta", "question", text)
    bench.undo()
    assert bench.values("pt-akta")["question"] == "Pe"
    bench.undo()
    assert bench.values("pt-akta")["question"] == QUESTION


def test_typing_in_a_field_again_after_another_edit_is_another_step(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "question", "Satu?")
    bench.set_field("pt-akta", "note", "catatan")
    bench.set_field("pt-akta", "question", "Dua?")
    bench.undo()
    assert bench.values("pt-akta")["question"] == "Satu?"


def test_an_edit_after_an_undo_leaves_nothing_to_redo(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "note", "satu")
    bench.undo()
    bench.set_field("pt-akta", "tags", ["dua"])
    assert not bench.redo()
    assert bench.values("pt-akta")["tags"] == ["dua"]


def test_a_phrase_moved_to_the_rubric_comes_back_in_one_step(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "to_rubric", "key": "pt-akta", "path": "expected.must_include", "phrase": "satu orang"})
    handler.handle({"action": "undo"})
    assert not handler.bench.unsaved()


def test_saving_does_not_empty_undo_which_then_is_an_unsaved_change(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "question", "Perlu notaris?")
    bench.save(["pt-akta"])
    assert bench.undo()
    assert [draft.key for draft in bench.unsaved()] == ["pt-akta"]
    bench.save(["pt-akta"])
    assert bench.path.read_text() == SET
    assert bench.redo()
    assert bench.values("pt-akta")["question"] == "Perlu notaris?"


def test_a_new_item_that_was_saved_is_undone_as_a_deletion(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    key = bench.add_item()
    bench.set_field(key, "question", "Siapa pendirinya?")
    bench.set_field(key, MUST, ["PT"])
    bench.save([key])
    for _ in range(3):
        assert bench.undo()
    assert bench.rows_by_key("pendirinya").state is ItemState.DELETED
    for _ in range(3):
        assert bench.redo()
    assert not bench.unsaved()


def test_an_item_that_was_deleted_and_saved_comes_back_as_it_was(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.delete("apostille-biaya")
    bench.save(["apostille-biaya"])
    assert bench.undo()
    bench.save([draft.key for draft in bench.unsaved()])
    items = list(load_set(bench.path))
    assert [item.id for item in items] == ["pt-akta", "apostille-biaya", "int-jumlah"]
    assert items[1].is_verified


def test_a_new_id_that_was_saved_is_taken_back(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "note", "catatan")
    bench.rename("pt-akta", "pt-notaris", carry_history=False)
    bench.save(["pt-akta"])
    assert bench.undo()
    assert bench.values("pt-notaris")["id"] == "pt-akta"
    assert bench.undo()
    bench.save(["pt-notaris"])
    assert bench.path.read_text() == SET


def test_undo_takes_nothing_of_a_colleague_back(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "question", "Perlu notaris?")
    bench.path.write_text(SET.replace('"satu orang"', '"dua orang"'))
    bench.reload()
    assert bench.undo()
    assert not bench.unsaved()
    assert bench.values("pt-akta")["expected"]["must_include"] == ["pernyataan pendirian", "dua orang"]


def test_what_a_colleague_changed_since_is_not_undone_and_that_is_said(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "edit", "key": "pt-akta", "path": "question", "value": "Perlu notaris?"})
    handler.bench.save(["pt-akta"])
    handler.bench.path.write_text(handler.bench.path.read_text().replace("Perlu notaris?", "Wajibkah notaris?"))
    handler.bench.reload()
    patch = handler.handle({"action": "undo"})
    assert patch["notice"]["tone"] == "warn"
    assert handler.bench.values("pt-akta")["question"] == "Wajibkah notaris?"
    assert not handler.bench.unsaved()


def test_undo_on_a_signed_item_makes_it_unverified_and_redo_verified_again(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "question", "Perlu notaris?")
    bench.sign("pt-akta", Signature("Ibu Sari"))
    assert bench.undo()
    assert bench.values("pt-akta")["question"] == QUESTION
    assert bench.rows_by_key("pt-akta").state is ItemState.CHANGED
    assert bench.values("pt-akta")["verified"] is False
    assert bench.redo()
    assert bench.rows_by_key("pt-akta").state is ItemState.VERIFIED
    assert not bench.unsaved()


def test_undo_of_a_saved_edit_gives_the_signature_of_that_text_back(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.sign("pt-akta", Signature("Ibu Sari"))
    signed = bench.path.read_text()
    bench.set_field("pt-akta", "question", "Perlu notaris?")
    bench.save(["pt-akta"])
    assert bench.undo()
    assert bench.rows_by_key("pt-akta").state is ItemState.VERIFIED
    bench.set_field("pt-akta", "expected.rubric", "lain")
    assert bench.values("pt-akta")["verified"] is False
    assert bench.undo()
    bench.save(["pt-akta"])
    assert bench.path.read_text() == signed


def test_a_discarded_new_item_and_a_discarded_edit_come_back(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "question", "Perlu notaris?")
    bench.discard("pt-akta")
    key = bench.add_item()
    bench.set_field(key, "question", "Siapa pendirinya?")
    bench.discard(key)
    bench.undo()
    assert bench.values(key)["question"] == "Siapa pendirinya?"
    for _ in range(3):
        bench.undo()
    assert bench.values("pt-akta")["question"] == "Perlu notaris?"


def test_a_key_of_a_new_item_is_never_used_for_another(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    first = bench.add_item()
    bench.discard(first)
    assert bench.add_item() != first


def test_a_list_that_changed_since_it_was_looked_at_loses_no_other_phrase(tmp_path: Path) -> None:
    handler = handler_of(a_bench(tmp_path))
    path = "expected.must_include"
    handler.handle({"action": "set", "key": "pt-akta", "path": path, "index": 0, "was": "satu orang", "value": "1 orang"})
    assert handler.bench.values("pt-akta")["expected"]["must_include"] == ["pernyataan pendirian", "1 orang"]
    handler.handle({"action": "set", "key": "pt-akta", "path": path, "index": 0, "was": "tidak ada lagi", "value": "dua orang"})
    assert handler.bench.values("pt-akta")["expected"]["must_include"] == ["pernyataan pendirian", "1 orang", "dua orang"]


def test_a_phrase_that_arrives_after_another_item_was_opened_goes_to_the_item_it_was_typed_into(tmp_path: Path) -> None:
    handler = handler_of(a_bench(tmp_path))
    handler.handle({"action": "open", "key": "int-jumlah"})
    handler.handle({"action": "add", "key": "pt-akta", "path": MUST, "text": "wajib"})
    assert phrases(handler.bench) == ["wajib"]
    assert [draft.key for draft in handler.bench.unsaved()] == ["pt-akta"]


def test_the_queue_stays_within_what_search_and_filters_leave(tmp_path: Path) -> None:
    """field/workbench 9."""
    bench = a_bench(tmp_path)
    bench.filter = bench.filter.changed(domain="data")
    assert bench.next_unverified() == "int-jumlah"
    assert bench.next_unverified() is None
    handler = handler_of(bench)
    assert handler.handle({"action": "next"})["notice"]["text"] == "Semua butir lain dalam saringan ini sudah diverifikasi."


def test_a_new_item_that_is_asked_for_twice_is_one_item(tmp_path: Path) -> None:
    """A double click on the button: the second press finds the item that the first began."""
    handler = a_handler(tmp_path)
    before = handler.bench.all_keys
    handler.handle({"action": "new"})
    first = handler.key
    handler.handle({"action": "new"})
    assert handler.bench.all_keys - before == {first}
    assert handler.key == first
    handler.handle({"action": "edit", "key": first, "path": "question", "value": "Apa itu PT?"})
    handler.handle({"action": "new"})
    assert handler.key != first
    handler.handle({"action": "undo"})
    assert handler.bench.all_keys - before == {first}
