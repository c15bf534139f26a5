"""The state of the workbench: what edits, saving, signing and a change on the disk do to the file and to the drafts."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from goldenlib.editing import ConflictError, EditError
from goldenlib.files.loading import load_set
from goldenlib.workbench import view
from goldenlib.workbench.actions import handler_of
from goldenlib.workbench.drafts import DraftFile
from goldenlib.workbench.itemlist import ItemState
from goldenlib.workbench.reviewing import Signature
from goldenlib.workbench.versions import last_change
from tests.workbench.scenes import SET, TODAY, a_bench, a_set, answers

SARI = Signature("Ibu Sari", "PP 8/2021 Pasal 6", "2027-11-29")


def test_an_edit_touches_no_file_before_it_is_saved(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "question", "Perlu notaris?")
    assert bench.path.read_text() == SET
    assert [draft.key for draft in bench.unsaved()] == ["pt-akta"]


def test_saving_changes_exactly_the_lines_of_that_field(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "expected.must_include", ["pernyataan pendirian"])
    bench.save(["pt-akta"])
    assert bench.path.read_text() == SET.replace('["pernyataan pendirian", "satu orang"]', '["pernyataan pendirian"]')
    assert not bench.unsaved()


def test_an_edit_that_is_typed_back_leaves_nothing_to_save(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "expected.must_not_include", ["wajib"])
    bench.set_field("pt-akta", "expected.must_not_include", [])
    bench.set_field("pt-akta", "expected.rubric", "Jawaban menyebut pernyataan pendirian dan bahwa akta notaris tidak perlu.")
    assert not bench.unsaved()


def test_a_choice_that_counts_anyway_is_not_written(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "kind", "decline")
    bench.set_field("pt-akta", "kind", "answer")
    assert not bench.unsaved()


def test_a_new_item_stands_behind_the_open_one_and_nothing_else_moves(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    key = bench.add_item()
    bench.set_field(key, "question", "Siapa yang boleh mendirikan PT?")
    bench.set_field(key, "expected.must_include", ["warga negara Indonesia"])
    bench.save([key])
    text = bench.path.read_text()
    assert bench.open_key == "mendirikan-pt"
    assert [item.id for item in load_set(bench.path)] == ["pt-akta", "mendirikan-pt", "apostille-biaya", "int-jumlah"]
    kept = [line for line in text.splitlines() if line in SET.splitlines()]
    assert set(SET.splitlines()) <= set(kept)


def test_the_id_of_a_new_item_follows_its_question_until_it_is_set(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    key = bench.add_item()
    bench.set_field(key, "question", "Berapa lama pengesahan yayasan?")
    assert bench.values(key)["id"] == "pengesahan-yayasan"
    bench.set_field(key, "id", "yayasan-tenggat")
    bench.set_field(key, "question", "Berapa lama pengesahan yayasan sekarang?")
    assert bench.values(key)["id"] == "yayasan-tenggat"


def test_a_copy_has_an_id_of_its_own_and_no_signature(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    values = bench.values(bench.add_item(like="apostille-biaya"))
    assert values["id"] == "apostille-biaya-2"
    assert values["verified"] is False


def test_deleting_is_a_draft_that_undo_takes_back(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.delete("apostille-biaya")
    assert bench.rows_by_key("apostille-biaya").state is ItemState.DELETED
    bench.undo()
    assert not bench.unsaved()
    bench.delete("apostille-biaya")
    bench.save(["apostille-biaya"])
    assert [item.id for item in load_set(bench.path)] == ["pt-akta", "int-jumlah"]


def test_typing_in_a_field_is_one_step_of_undo(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    for text in ("P", "Pe", "Perlu?"):
        bench.set_field("pt-akta", "question", text)
    bench.undo()
    assert bench.values("pt-akta")["question"] == "Apakah PT perorangan wajib akta notaris?"


def test_drafts_survive_the_end_of_the_kernel(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "question", "Perlu notaris?")
    bench.close()
    again = a_bench(tmp_path)
    assert again.restored == 1
    assert again.open_key == "pt-akta"
    assert again.values("pt-akta")["question"] == "Perlu notaris?"
    again.undo()
    again.discard("pt-akta")
    again.close()
    assert a_bench(tmp_path).restored == 0


def test_sessions_at_the_same_time_keep_their_drafts_apart(tmp_path: Path) -> None:
    first, second = a_bench(tmp_path), a_bench(tmp_path)
    first.set_field("pt-akta", "question", "Satu?")
    second.set_field("pt-akta", "question", "Dua?")
    first.close()
    assert a_bench(tmp_path).values("pt-akta")["question"] == "Satu?"
    second.close()


def test_the_file_of_drafts_is_gone_when_all_is_saved(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "question", "Perlu notaris?")
    assert bench.draft_file.path is not None
    assert bench.draft_file.path.exists()
    bench.save(["pt-akta"])
    assert not bench.draft_file.path.exists()


def test_drafts_lie_where_git_does_not_see_them(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "question", "Perlu notaris?")
    said = subprocess.run(["git", "status", "--porcelain"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert "golden-drafts" not in said


def test_drafts_that_cannot_be_kept_are_said_so(tmp_path: Path) -> None:
    path = a_set(tmp_path)
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    (tmp_path / ".golden-drafts").write_text("the same")
    drafts = DraftFile(path, blocked / "state")
    with pytest.raises(OSError, match="neither beside the set"):
        drafts.keep([])


def test_a_signature_is_bound_to_the_digest_and_saved_at_once(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.sign("pt-akta", SARI)
    (item, *_) = load_set(bench.path)
    assert item.is_verified
    assert item.review is not None
    assert (item.review.by, item.review.source, item.review.due) == ("Ibu Sari", "PP 8/2021 Pasal 6", "2027-11-29")
    assert item.review.digest == item.digest


def test_an_edit_after_the_signature_shows_the_item_as_changed(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.sign("pt-akta", SARI)
    bench.set_field("pt-akta", "note", "hanya catatan")
    assert bench.rows_by_key("pt-akta").state is ItemState.VERIFIED
    bench.set_field("pt-akta", "expected.must_include", ["pernyataan pendirian"])
    assert bench.rows_by_key("pt-akta").state is ItemState.CHANGED
    bench.save(["pt-akta"])
    assert not next(iter(load_set(bench.path))).is_verified
    bench.sign("pt-akta", SARI)
    assert next(iter(load_set(bench.path))).is_verified


def test_case_176_a_signature_that_cannot_be_saved_is_no_signature(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.path.chmod(stat.S_IRUSR)
    with pytest.raises(EditError, match="read-only"):
        bench.sign("pt-akta", SARI)
    assert bench.rows_by_key("pt-akta").state is ItemState.UNVERIFIED
    assert bench.path.read_text() == SET
    assert not bench.unsaved()


def test_a_failed_signature_keeps_the_edits_that_came_before_it(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "question", "Perlu notaris?")
    bench.path.chmod(stat.S_IRUSR)
    with pytest.raises(EditError):
        bench.sign("pt-akta", SARI)
    assert bench.values("pt-akta")["question"] == "Perlu notaris?"
    assert bench.rows_by_key("pt-akta").state is ItemState.UNVERIFIED


def test_the_queue_goes_to_the_next_item_that_nobody_stands_behind(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    assert bench.next_unverified() == "int-jumlah"
    assert bench.next_unverified() == "pt-akta"
    bench.sign("pt-akta", SARI)
    bench.sign("int-jumlah", SARI)
    assert bench.next_unverified() is None


def changed_on_disk(bench_path: Path, old: str, new: str) -> None:
    bench_path.write_text(bench_path.read_text().replace(old, new))


def test_a_change_on_the_disk_elsewhere_is_taken_and_both_are_kept(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "question", "Perlu notaris?")
    changed_on_disk(bench.path, "Rp150.000", "Rp200.000")
    with pytest.raises(ConflictError):
        bench.save(["pt-akta"])
    assert not bench.conflicts
    bench.save(["pt-akta"])
    text = bench.path.read_text()
    assert "Rp200.000" in text
    assert "Perlu notaris?" in text


def test_a_field_that_both_changed_is_chosen_by_a_person(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "question", "Perlu notaris?")
    bench.set_field("pt-akta", "expected.must_include", ["satu orang"])
    changed_on_disk(bench.path, "wajib akta notaris?", "butuh akta?")
    assert bench.reload()
    (conflict,) = bench.conflicts
    assert (conflict.field, conflict.mine, conflict.theirs) == (("question",), "Perlu notaris?", "Apakah PT perorangan butuh akta?")
    bench.decide({0: False})
    bench.save(["pt-akta"])
    text = bench.path.read_text()
    assert "butuh akta?" in text
    assert 'must_include: ["satu orang"]' in text


def test_choosing_mine_writes_mine_over_theirs(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "question", "Perlu notaris?")
    changed_on_disk(bench.path, "wajib akta notaris?", "butuh akta?")
    bench.reload()
    bench.decide({0: True})
    bench.save(["pt-akta"])
    assert "Perlu notaris?" in bench.path.read_text()


def test_an_item_that_somebody_deleted_under_a_draft_can_be_kept(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("int-jumlah", "note", "angka beku")
    bench.path.write_text(SET[: SET.index("  - id: int-jumlah")])
    bench.reload()
    assert bench.conflicts[0].field == ()
    bench.decide({0: True})
    bench.save(["int-jumlah"])
    assert [item.id for item in load_set(bench.path)][-1] == "int-jumlah"


def test_a_draft_from_before_a_change_on_the_disk_asks_when_it_is_restored(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.set_field("pt-akta", "question", "Perlu notaris?")
    bench.close()
    changed_on_disk(bench.path, "wajib akta notaris?", "butuh akta?")
    assert [conflict.field for conflict in a_bench(tmp_path).conflicts] == [("question",)]


def test_renaming_carries_the_history_over_when_asked(tmp_path: Path) -> None:
    store = answers(tmp_path, "pt-akta", ("satu orang", True), ("dua", False))
    bench = a_bench(tmp_path, store=store)
    assert bench.has_history("pt-akta")
    bench.rename("pt-akta", "pt-notaris", carry_history=True)
    bench.save(["pt-akta"])
    assert "- id: pt-notaris  # jangan diganti" in bench.path.read_text()
    assert len(store.item_answers("pt-notaris")) == 2
    assert not store.item_answers("pt-akta")


def test_renaming_without_that_leaves_the_history_with_the_old_id(tmp_path: Path) -> None:
    store = answers(tmp_path, "pt-akta", ("satu orang", True))
    bench = a_bench(tmp_path, store=store)
    bench.rename("pt-akta", "pt-notaris", carry_history=False)
    bench.save(["pt-akta"])
    assert len(store.item_answers("pt-akta")) == 1
    assert not bench.has_history("pt-notaris")


def test_a_file_with_a_broken_item_opens_and_says_what_is_wrong(tmp_path: Path) -> None:
    bench = a_bench(tmp_path, SET.replace("    question: Berapa biaya apostille satu dokumen?\n", ""))
    assert bench.rows_by_key("apostille-biaya").state is ItemState.BROKEN
    assert "has no question" in bench.file.entries["apostille-biaya"].problems[0]
    bench.set_field("apostille-biaya", "question", "Berapa biaya apostille?")
    bench.save(["apostille-biaya"])
    assert bench.rows_by_key("apostille-biaya").state is ItemState.UNVERIFIED  # nobody signed the question that was written just now


def test_the_last_change_of_an_item_comes_from_git(tmp_path: Path) -> None:
    path = a_set(tmp_path)
    who = ["-c", "user.name=Pak Budi", "-c", "user.email=budi@example.org"]
    for words in (["init", "-q"], ["add", "ahu.yaml"], [*who, "commit", "-qm", "butir pertama"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, env=os.environ | {"GIT_CONFIG_GLOBAL": os.devnull})
    change = last_change(path, 3, 13)
    assert change is not None
    assert (change.author, change.summary, change.is_committed) == ("Pak Budi", "butir pertama", True)
    path.write_text(SET.replace("wajib akta", "perlu akta"))
    again = last_change(path, 3, 13)
    assert again is not None
    assert not again.is_committed


def test_outside_of_a_checkout_nobody_is_named(tmp_path: Path) -> None:
    assert last_change(a_set(tmp_path), 1, 3) is None


def test_today_is_given_and_not_taken_from_the_clock(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.sign("pt-akta", Signature("Ibu Sari"))
    assert f"at: {TODAY.isoformat()}" in bench.path.read_text().replace('"', "")


TWICE = SET.replace("int-jumlah", "pt-akta")


def test_a_file_with_an_id_twice_opens_without_those_items_and_says_so(tmp_path: Path) -> None:
    bench = a_bench(tmp_path, TWICE)
    assert bench.keys() == ["apostille-biaya"]
    assert "pt-akta" in bench.file.problems[0]


def test_an_item_whose_right_answer_declines_needs_nothing_else_to_be_checked(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    key = bench.add_item()
    bench.set_field(key, "question", "Berapa gaji direktur itu?")
    bench.set_field(key, "kind", "forbidden")
    assert bench.problems(key) == ()
    bench.save([key])
    assert "kind: forbidden" in bench.path.read_text()


def test_an_item_with_another_id_is_not_taken_for_a_copy_of_itself(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.rename("pt-akta", "pt-notaris", carry_history=False)
    assert "duplicate-question" not in [finding.code for finding in bench.hazards("pt-akta")]


def test_equal_messages_of_a_conversation_are_both_kept(tmp_path: Path) -> None:
    handler = handler_of(a_bench(tmp_path))
    handler.handle({"action": "edit", "key": "pt-akta", "path": "question", "value": ""})
    form = handler.handle({"action": "add", "path": "turns", "text": "Lanjut\nYa\nLanjut"})["editor"]["form"]
    assert form["turns"] == ["Lanjut", "Ya", "Lanjut"]


def test_a_long_phrase_is_never_cut_silently(tmp_path: Path) -> None:
    handler = handler_of(a_bench(tmp_path))
    phrase = "akta " * 200 + "notaris"
    form = handler.handle({"action": "add", "path": "expected.must_include", "text": phrase})["editor"]["form"]
    assert form["expected.must_include"][-1] == phrase


def test_a_history_that_was_carried_over_shows_at_once_in_the_list(tmp_path: Path) -> None:
    store = answers(tmp_path, "pt-akta", ("satu orang", True), ("dua", False))
    bench = a_bench(tmp_path, store=store)
    bench.learn()
    bench.rename("pt-akta", "pt-notaris", carry_history=True)
    bench.save(["pt-akta"])
    assert bench.rows_by_key("pt-notaris").marks == "pf"


def test_a_review_that_is_due_is_seen_in_the_list_and_can_be_filtered(tmp_path: Path) -> None:
    bench = a_bench(tmp_path, SET.replace("verified: true", "verified: true\n    review: {by: Ibu Sari, due: 2026-11-01}"))
    assert bench.rows_by_key("apostille-biaya").state is ItemState.DUE
    bench.filter = bench.filter.changed(state="due")
    assert [row.key for row in bench.shown_rows()] == ["apostille-biaya"]


def test_saving_commits_and_stages_nothing(tmp_path: Path) -> None:
    a_set(tmp_path)
    who = ["-c", "user.name=Pak Budi", "-c", "user.email=budi@example.org"]
    for words in (["init", "-q"], ["add", "ahu.yaml"], [*who, "commit", "-qm", "butir pertama"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, env=os.environ | {"GIT_CONFIG_GLOBAL": os.devnull})
    bench = a_bench(tmp_path)
    bench.sign("pt-akta", SARI)
    said = subprocess.run(["git", "status", "--porcelain", "ahu.yaml"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    log = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert (said, log.strip()) == (" M ahu.yaml\n", "1")


SEVERAL = """\
items:
  - id: a
    question: Sales?
    expected:
      sql:
        golden:
          - SELECT 1
          - SELECT 2   # as the old mart counts
        tolerance: {rate: 0.1, "*": 0.5}
    note: n
    verified: false
"""


def test_several_golds_are_shown_apart_kept_byte_for_byte_and_not_edited_as_one(tmp_path: Path) -> None:
    bench = a_bench(tmp_path, SEVERAL)
    (key,) = bench.file.entries
    shown = view.editor(bench, key)
    assert shown["several"] == ["expected.sql.golden", "expected.sql.tolerance"]
    assert (shown["form"]["expected.sql.golden"], shown["form"]["expected.sql.tolerance"]) == ("SELECT 1\n\nSELECT 2", "rate: 0.1; *: 0.5")
    bench.set_field(key, "expected.sql.golden", "SELECT 3")
    bench.set_field(key, "note", "Net sales.")
    bench.save([key])
    assert bench.path.read_text(encoding="utf-8") == SEVERAL.replace("note: n", "note: Net sales.")
