"""Messages from the page: what they do, what they answer, and that nothing that goes wrong goes unseen."""

from __future__ import annotations

import stat
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from goldenlib.workbench.actions import ACTIONS
from tests.builders import RUN_AT, a_result, a_run
from tests.storage.scenes import write
from tests.workbench.scenes import QUESTION, SET, a_bench, a_handler, answers, confirm


def test_a_page_that_begins_gets_every_part(tmp_path: Path) -> None:
    patch = a_handler(tmp_path).handle({"action": "ready", "seq": 1})
    assert patch["ack"] == 1
    assert set(patch["list"]["rows"]) == {"pt-akta", "apostille-biaya", "int-jumlah"}
    assert patch["editor"]["form"]["expected.must_include"] == ["pernyataan pendirian", "satu orang"]
    assert patch["head"]["demo"] is True


@pytest.mark.parametrize("action", sorted(ACTIONS))
def test_no_message_ends_in_an_exception_however_it_is_made(tmp_path: Path, action: str) -> None:
    handler = a_handler(tmp_path)
    nonsense = {"key": 5, "path": "nope", "index": "x", "number": "x", "choices": 3, "language": "xx"}
    patch = handler.handle({"action": action, "seq": 7, **nonsense})
    assert patch["ack"] == 7
    handler.bench.close()


def test_an_unknown_message_is_shown_as_an_error_and_kept(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    patch = handler.handle({"action": "explode"})
    assert patch["notice"]["tone"] == "error"
    assert "KeyError" in handler.faults[0]


def test_case_176_a_refused_signature_is_told_beside_the_button(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "ask_verify"})
    handler.bench.path.chmod(stat.S_IRUSR)
    patch = confirm(handler, "verify", by="Ibu Sari", source="", due="")
    assert "tidak boleh ditulis" in patch["dialog"]["error"]
    assert patch["dialog"]["by"] == "Ibu Sari"
    assert patch["editor"]["state"] == "unverified"
    assert handler.bench.path.read_text() == SET


def test_a_signature_needs_a_name_and_a_date_to_come(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "ask_verify"})
    patch = confirm(handler, "verify", by=" ", due="2020-01-01")
    assert set(patch["dialog"]["wrong"]) == {"by", "due"}


def test_the_review_shows_contract_hazards_and_a_recent_answer(tmp_path: Path) -> None:
    store = answers(tmp_path, "pt-akta", ("Cukup pernyataan pendirian oleh satu orang.", True))
    dialog = a_handler(tmp_path, store=store).handle({"action": "ask_verify"})["dialog"]
    assert ["pernyataan pendirian", "present"] in dialog["answer"]["segments"]
    assert dialog["editor"]["form"]["question"].startswith("Apakah PT")
    assert "hazards" in dialog["editor"]


def test_an_incomplete_item_is_not_offered_for_signing(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "new"})
    patch = handler.handle({"action": "ask_verify"})
    assert patch["dialog"] is None
    assert patch["notice"]["tone"] == "error"


def test_several_lines_become_several_phrases_and_doubles_are_left_out(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    lines = "• akta notaris wajib\n\n  SATU ORANG \nakta notaris wajib\n"
    form = handler.handle({"action": "add", "path": "expected.must_include", "text": lines})["editor"]["form"]
    assert form["expected.must_include"] == ["pernyataan pendirian", "satu orang", "akta notaris wajib"]


def test_hazards_come_with_the_edit_beside_the_phrase(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.bench.learn()
    patch = handler.handle({"action": "edit", "key": "pt-akta", "path": "expected.must_not_include", "value": ["PT"]})
    (worst, *_) = patch["derived"]["hazards"]
    assert (worst["severity"], worst["field"], worst["phrase"]) == ("error", "expected.must_not_include", "PT")
    assert patch["list"]["changed"]["pt-akta"]["errors"] == 1


def test_a_hazard_let_stand_is_silent_and_its_reason_is_in_the_file(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "edit", "key": "pt-akta", "path": "expected.must_not_include", "value": ["PT"]})
    found = [one["code"] for one in handler.handle({"action": "open", "key": "pt-akta"})["editor"]["hazards"] if one["phrase"] == "PT"]
    for code in found:
        patch = handler.handle({"action": "accept", "code": code, "phrase": "PT", "reason": "disepakati"})
    assert not [one for one in patch["derived"]["hazards"] if one["phrase"] == "PT"]
    handler.handle({"action": "ask_save"})
    confirm(handler, "save")
    assert "reason: disepakati" in handler.bench.path.read_text().replace('"', "")


def test_a_phrase_moved_to_the_rubric_leaves_the_list(tmp_path: Path) -> None:
    form = a_handler(tmp_path).handle({"action": "to_rubric", "path": "expected.must_include", "phrase": "satu orang"})["editor"]["form"]
    assert form["expected.must_include"] == ["pernyataan pendirian"]
    assert "“satu orang”" in form["expected.rubric"]


def test_a_passage_of_an_answer_goes_into_the_rubric(tmp_path: Path) -> None:
    form = a_handler(tmp_path).handle({"action": "pick", "to": "rubric", "text": "secara elektronik"})["editor"]["form"]
    assert form["expected.rubric"].endswith("Jawaban menyebut “secara elektronik”.")


@pytest.mark.parametrize(("to", "path"), [("required", "expected.must_include"), ("forbidden", "expected.must_not_include")])
def test_a_passage_of_an_answer_becomes_a_phrase(tmp_path: Path, to: str, path: str) -> None:
    form = a_handler(tmp_path).handle({"action": "pick", "to": to, "text": " secara\n elektronik "})["editor"]["form"]
    assert form[path][-1] == "secara elektronik"


def test_an_edit_says_which_stored_answers_it_would_flip(tmp_path: Path) -> None:
    good, denying = "Cukup pernyataan pendirian oleh satu orang.", "Pernyataan pendirian oleh satu orang, jadi tidak wajib akta notaris."
    store = answers(tmp_path, "pt-akta", (good, True), (denying, True), (denying, True))
    handler = a_handler(tmp_path, store=store)
    edit = {"action": "edit", "key": "pt-akta", "path": "expected.must_not_include", "value": ["wajib akta notaris"]}
    flips = handler.handle(edit)["derived"]["flips"]
    assert (flips["total"], flips["to_pass"], flips["to_fail"]) == (3, 0, 2)
    assert ["wajib akta notaris", "forbidden"] in flips["shown"][0]["segments"]


def test_history_shows_an_answer_against_the_one_before(tmp_path: Path) -> None:
    store = answers(tmp_path, "pt-akta", ("oleh satu orang", True), ("oleh dua orang", False))
    handler = a_handler(tmp_path, store=store)
    results = handler.handle({"action": "open", "key": "pt-akta"})["history"]["results"]
    assert [one["passed"] for one in results] == [False, True]
    answer = handler.handle({"action": "stored", "run_id": "run-1"})["answer"]
    assert ["satu", "-"] in answer["diff"]
    assert ["dua", "+"] in answer["diff"]


def test_a_hostile_text_is_shown_with_its_active_characters_visible(tmp_path: Path) -> None:
    store = answers(tmp_path, "pt-akta", ("\x1b[31m<script>alert(1)</script>\u202eevil", False))
    answer = a_handler(tmp_path, store=store).handle({"action": "stored", "run_id": "run-0"})["answer"]
    assert "".join(text for text, _ in answer["segments"]) == "␛[31m<script>alert(1)</script>⟦U+202E⟧evil"


def test_search_and_filters_narrow_the_list(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)

    def shown(**fields: str) -> Any:
        clear = {"text": "", "domain": "", "surface": "", "state": ""}
        return handler.handle({"action": "narrow", **clear, **fields})["list"]["keys"]

    assert shown(text="NOTARIS pernyataan") == ["pt-akta"]
    assert shown(domain="apostille") == ["apostille-biaya"]
    assert shown(surface="internal") == ["int-jumlah"]
    assert shown(state="verified") == ["apostille-biaya"]


def test_saving_shows_the_exact_lines_first(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "edit", "key": "pt-akta", "path": "question", "value": "Perlu notaris?"})
    dialog = handler.handle({"action": "ask_save"})["dialog"]
    changed = [line for line in dialog["diff"]["text"].splitlines()[2:] if line[0] in "+-"]
    assert changed == ['-    question: "Apakah PT perorangan wajib akta notaris?"', '+    question: "Perlu notaris?"']
    assert handler.bench.path.read_text() == SET


def test_what_cannot_be_saved_yet_is_told_with_the_way_out(tmp_path: Path) -> None:
    handler = a_handler(tmp_path, language="en")
    handler.handle({"action": "edit", "key": "pt-akta", "path": "question", "value": ""})
    assert handler.handle({"action": "ask_save"})["dialog"]["problems"] == ["Write the question."]


def test_a_taken_id_is_refused_before_anything_is_renamed(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "ask_rename"})
    patch = handler.handle({"action": "rename", "id": "apostille-biaya", "carry": False})
    assert patch["dialog"]["error"] == "ID ini sudah dipakai butir lain."
    assert not handler.bench.unsaved()


def test_renaming_says_what_is_lost(tmp_path: Path) -> None:
    store = answers(tmp_path, "pt-akta", ("a", True), ("b", True))
    dialog = a_handler(tmp_path, store=store).handle({"action": "ask_rename"})["dialog"]
    assert (dialog["results"], dialog["runs"], dialog["can_carry"]) == (2, 2, True)


def test_a_change_on_the_disk_is_shown_with_both_versions(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "edit", "key": "pt-akta", "path": "question", "value": "Perlu notaris?"})
    handler.bench.path.write_text(SET.replace("wajib akta notaris?", "butuh akta?"))
    dialog = handler.handle({"action": "ask_save"})["dialog"]
    assert dialog["kind"] == "conflict"
    assert dialog["conflicts"][0]["mine"] == ["Perlu notaris?"]
    assert dialog["conflicts"][0]["theirs"] == ["Apakah PT perorangan butuh akta?"]
    assert handler.handle({"action": "decide", "choices": {"0": "mine"}})["dialog"] is None


def test_the_language_changes_words_and_hazards(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "edit", "key": "pt-akta", "path": "expected.must_not_include", "value": ["PT"]})
    patch = handler.handle({"action": "language", "language": "en"})
    assert patch["words"]["verify"] == "Review & verify"
    assert "forbidden" in " ".join(one["message"] for one in patch["editor"]["hazards"])


def test_a_field_that_does_not_exist_cannot_be_written(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "edit", "key": "pt-akta", "path": "verified", "value": True})
    assert not handler.bench.unsaved()


def test_a_store_that_cannot_be_read_leaves_the_panel_at_work(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.learn()
    assert bench.memory.evidence is None
    assert bench.rows_by_key("pt-akta").marks is None


def test_typing_that_arrives_after_another_item_was_opened_goes_to_the_item_it_was_typed_into(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "open", "key": "apostille-biaya"})
    patch = handler.handle({"action": "edit", "key": "pt-akta", "path": "question", "value": "Perlu notaris?"})
    assert patch["list"]["changed"]["pt-akta"]["title"] == "Perlu notaris?"
    assert patch["derived"]["for"] == "apostille-biaya"
    assert "form" not in patch


def test_a_file_broken_while_its_diff_was_looked_at_is_told_as_that(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "edit", "key": "pt-akta", "path": "question", "value": "Perlu notaris?"})
    handler.handle({"action": "ask_save"})
    handler.bench.path.write_text("items:\n  - id: [\n")
    patch = confirm(handler, "save")
    assert patch["notice"]["tone"] == "error"
    assert "mend the file first" in patch["dialog"]["error"]
    assert handler.bench.values("pt-akta")["question"] == "Perlu notaris?"


def test_an_item_that_is_not_complete_shows_no_lines_and_no_error_of_the_file(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "new"})
    derived = handler.handle({"action": "edit", "key": "new:1", "path": "question", "value": "Siapa pendirinya?"})["derived"]
    assert derived["problems"]
    assert derived["diff"] == {"text": "", "error": ""}


def test_history_says_why_in_the_language_of_the_page(tmp_path: Path) -> None:
    store = answers(tmp_path, "pt-akta", ("oleh satu orang", True))
    run = a_run(run_id="later", run_at=RUN_AT + timedelta(days=9), finished_at=None, set_name="ahu", series="ahu @ demo", is_demo=True)
    store.create_run(run)
    phrases = {"missing": ["pernyataan pendirian"], "forbidden": ["dua orang"]}
    write(store, run, [a_result("pt-akta", "oleh dua orang", run_id="later", question=QUESTION, finished_at=run.run_at, **phrases)])
    results = a_handler(tmp_path, store=store).handle({"action": "open", "key": "pt-akta"})["history"]["results"]
    assert [one["reason"] for one in results] == [
        "Tidak disebut: “pernyataan pendirian” · Tidak boleh disebut, tetapi ada: “dua orang”",
        "",
    ]


CONTRACT = """items:
  - id: data
    question: "Berapa PT?"
    kind: answer
    role: notaris
    context: latar
    expected:
      answer: dua belas ribu
      sql: {golden: SELECT 12408, tolerance: 0}
"""


def test_the_review_shows_every_part_that_is_signed(tmp_path: Path) -> None:
    dialog = a_handler(tmp_path, CONTRACT).handle({"action": "ask_verify"})["dialog"]
    shown = {one["label"]: one["text"] for one in dialog["more"]}
    assert shown == {
        "Peran penanya": "notaris",
        "Latar untuk juri": "latar",
        "Jawaban ideal": "dua belas ribu",
        "SQL acuan": "SELECT 12408",
        "Toleransi relatif": "0",
    }


def test_the_review_of_an_item_that_declines_says_so(tmp_path: Path) -> None:
    text = "items:\n  - id: gaji\n    question: Berapa?\n    kind: decline\n    decline_type: ambiguous\n"
    dialog = a_handler(tmp_path, text).handle({"action": "ask_verify"})["dialog"]
    assert [one["text"] for one in dialog["more"]] == [
        "tidak menjawab: pertanyaan tidak jelas atau datanya tidak ada",
        "pertanyaan bermakna ganda",
    ]


def test_a_deleted_item_says_nothing_of_stored_answers(tmp_path: Path) -> None:
    handler = a_handler(tmp_path, store=answers(tmp_path, "pt-akta", ("a", True)))
    assert handler.handle({"action": "delete"})["editor"]["flips"]["total"] == 0
