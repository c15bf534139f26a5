"""Drafts of several sessions: found again by whose they are, offered to others, and taken over without loss."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from goldenlib.workbench.actions import handler_of
from goldenlib.workbench.drafts import DraftFile
from goldenlib.workbench.state import Workbench
from tests.workbench.scenes import BUDI, SARI, SET, a_bench, a_set

ASKED = "Perlu notaris?"


def edited(folder: Path, key: str = "pt-akta", text: str = ASKED, account: str = SARI) -> Workbench:
    bench = a_bench(folder, account=account)
    bench.set_field(key, "question", text)
    return bench


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / ".golden-drafts").iterdir() if path.suffix == ".json")


def test_a_session_finds_the_drafts_whatever_slot_they_were_left_in(tmp_path: Path) -> None:
    """fd-059: a session took the lowest free slot, not the one with drafts."""
    benches = [edited(tmp_path, key) for key in ("pt-akta", "apostille-biaya", "int-jumlah")]
    for bench in benches[1:]:
        bench.close()
    again = a_bench(tmp_path)
    assert set(again.drafts) == {"apostille-biaya", "int-jumlah"}
    assert [(left.session, left.is_open) for left in again.offered] == [(benches[0].draft_file.session, True)]


def test_a_kernel_that_was_killed_leaves_its_drafts_to_be_found(tmp_path: Path) -> None:
    """fd-059: a killed kernel."""
    a_set(tmp_path)
    code = (
        "import os, signal, sys; from pathlib import Path; from tests.workbench.scenes import a_bench\n"
        "bench = a_bench(Path(sys.argv[1])); bench.set_field('pt-akta', 'question', sys.argv[2])\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path), ASKED], cwd=Path(__file__).parents[2], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    again = a_bench(tmp_path)
    assert again.restored == 1
    assert again.values("pt-akta")["question"] == ASKED


def test_an_old_kernel_that_lives_on_gives_its_drafts_to_the_page_that_came_from_it(tmp_path: Path) -> None:
    """fd-059: a reloaded page whose kernel could not be shut down."""
    old = edited(tmp_path)
    new = handler_of(a_bench(tmp_path))
    assert not new.bench.unsaved()
    patch = new.handle({"action": "ready", "view": "b", "left": [old.draft_file.session]})
    assert patch["head"]["restored"] == 1
    assert new.bench.values("pt-akta")["question"] == ASKED


def test_a_page_that_goes_leaves_its_drafts_in_the_same_kernel(tmp_path: Path) -> None:
    """fd-059: the cell is run again, and the closed tab."""
    old = handler_of(edited(tmp_path))
    old.handle({"action": "ready", "view": "a"})
    old.handle({"action": "ready", "view": "b"})
    old.handle({"action": "leave", "view": "a"})
    assert a_bench(tmp_path).offered[0].is_open
    old.handle({"action": "leave", "view": "b"})
    assert a_bench(tmp_path).restored == 1


def test_drafts_open_in_another_window_are_offered_with_whose_they_are(tmp_path: Path) -> None:
    old = edited(tmp_path)
    new = handler_of(a_bench(tmp_path))
    (offered,) = new.handle({"action": "ready"})["head"]["offered"]
    assert (offered["who"], offered["names"], offered["open"]) == (SARI, ["pt-akta"], True)
    patch = new.handle({"action": "take_over", "session": old.draft_file.session})
    assert patch["head"]["offered"] == []
    assert patch["editor"]["form"]["question"] == ASKED


def test_the_drafts_of_somebody_else_are_offered_and_never_shown_as_ones_own(tmp_path: Path) -> None:
    edited(tmp_path, account=BUDI).close()
    new = handler_of(a_bench(tmp_path))
    head = new.handle({"action": "ready"})["head"]
    assert not head["unsaved"]
    assert [(one["who"], one["open"]) for one in head["offered"]] == [(BUDI, False)]
    new.handle({"action": "let_be", "session": head["offered"][0]["session"]})
    assert new.handle({"action": "ready"})["head"]["offered"] == []
    assert a_bench(tmp_path, account=BUDI).restored == 1


def test_a_window_whose_drafts_were_taken_is_told_and_writes_on_beside_them(tmp_path: Path) -> None:
    old = handler_of(edited(tmp_path))
    new = a_bench(tmp_path, account=BUDI)
    assert new.take_over(old.bench.draft_file.session)
    new.set_field("pt-akta", "question", "Diteruskan Budi?")
    patch = old.handle({"action": "edit", "key": "pt-akta", "path": "note", "value": "diteruskan Sari"})
    assert patch["head"]["taken_by"] == BUDI
    kept = [json.loads((tmp_path / ".golden-drafts" / name).read_text()) for name in files(tmp_path)]
    assert {one["who"]: one["drafts"][0]["values"]["question"] for one in kept} == {SARI: ASKED, BUDI: "Diteruskan Budi?"}


def test_what_both_changed_is_not_taken_over_but_stays_offered(tmp_path: Path) -> None:
    old = edited(tmp_path)
    old.set_field("int-jumlah", "note", "angka beku")
    new = edited(tmp_path, text="Lain?", account=BUDI)
    new.take_over(old.draft_file.session)
    assert new.values("pt-akta")["question"] == "Lain?"
    assert new.values("int-jumlah")["note"] == "angka beku"
    (rest,) = [left for left in new.offered if left.drafts[0].key == "pt-akta"]
    assert (rest.who, rest.drafts[0].values["question"]) == (SARI, ASKED)


def test_new_items_of_two_sessions_are_both_kept(tmp_path: Path) -> None:
    for text in ("Siapa pendirinya?", "Berapa modalnya?"):
        bench = a_bench(tmp_path, account=f"{text} (x)")
        bench.set_field(bench.add_item(), "question", text)
        bench.close()
    new = a_bench(tmp_path)
    for left in new.offered:
        new.take_over(left.session)
    assert sorted(str(draft.values["question"]) for draft in new.drafts.values()) == ["Berapa modalnya?", "Siapa pendirinya?"]


def test_drafts_are_taken_once_when_two_sessions_begin(tmp_path: Path) -> None:
    edited(tmp_path).close()
    first, second = DraftFile(tmp_path / "ahu.yaml", who="a"), DraftFile(tmp_path / "ahu.yaml", who="b")
    (left,) = first.others()
    assert first.take(left.session, ["pt-akta"]) is not None
    assert second.take(left.session, ["pt-akta"]) is None


def test_drafts_of_the_form_before_are_found(tmp_path: Path) -> None:
    path = a_set(tmp_path)
    folder = tmp_path / ".golden-drafts"
    folder.mkdir()
    values = {"id": "pt-akta", "question": ASKED, "expected": {"rubric": "x"}}
    draft = {"key": "pt-akta", "values": values, "base": values | {"question": "?"}, "deleted": False, "after": None, "auto_id": False}
    (folder / f"{path.name}.3.json").write_text(json.dumps({"drafts": [draft]}))
    assert a_bench(tmp_path).restored == 1


def test_a_restored_draft_of_a_verified_item_never_stays_verified(tmp_path: Path) -> None:
    """fd-057: as drafts were kept before, with the signature untouched."""
    bench = edited(tmp_path, "apostille-biaya")
    assert bench.draft_file.path is not None
    kept = json.loads(bench.draft_file.path.read_text())
    kept["drafts"][0]["values"]["verified"] = True
    bench.draft_file.path.write_text(json.dumps(kept))
    bench.close()
    assert a_bench(tmp_path).values("apostille-biaya")["verified"] is False


@pytest.mark.parametrize("text", ["", "[", '{"drafts": [{"nope": 1}]}', '{"drafts": 5}', "[]"])
def test_a_file_of_drafts_that_cannot_be_read_is_left_alone(tmp_path: Path, text: str) -> None:
    path = a_set(tmp_path)
    (tmp_path / ".golden-drafts").mkdir()
    broken = tmp_path / ".golden-drafts" / f"{path.name}.abc.json"
    broken.write_text(text)
    assert a_bench(tmp_path).restored == 0
    assert broken.exists()


def test_sets_with_like_names_do_not_share_drafts(tmp_path: Path) -> None:
    edited(tmp_path).close()
    (tmp_path / "ahu.yaml.2").write_text(SET)
    assert DraftFile(tmp_path / "ahu.yaml.2").others() == ()


def test_nothing_is_left_behind_when_everything_was_saved(tmp_path: Path) -> None:
    bench = edited(tmp_path)
    bench.save(["pt-akta"])
    bench.close()
    a_bench(tmp_path).close()
    assert [name for name in os.listdir(tmp_path / ".golden-drafts") if not name.startswith(".")] == []


def test_what_could_not_be_sent_is_put_back_where_nobody_wrote_since(tmp_path: Path) -> None:
    """field/workbench 8: what is typed while the kernel is dead."""
    handler = handler_of(a_bench(tmp_path))
    was = "Apakah PT perorangan wajib akta notaris?"
    typed = [
        {"key": "pt-akta", "path": "question", "value": ASKED, "was": was},
        {"key": "pt-akta", "path": "expected.must_include", "add": "tanpa notaris"},
        {"key": "int-jumlah", "path": "question", "value": "Berapa?", "was": "yang lain"},
        {"key": "tidak-ada", "path": "question", "value": "?", "was": ""},
    ]
    patch = handler.handle({"action": "recover", "typed": typed})
    assert patch["notice"]["text"].startswith("2 isian")
    assert handler.bench.values("pt-akta")["question"] == ASKED
    assert handler.bench.values("pt-akta")["expected"]["must_include"][-1] == "tanpa notaris"
    assert [draft.key for draft in handler.bench.unsaved()] == ["pt-akta"]


def test_a_draft_keeps_the_name_of_who_typed_it_when_others_take_it_over(tmp_path: Path) -> None:
    edited(tmp_path, account=BUDI).close()
    second = a_bench(tmp_path)
    second.take_over(second.offered[0].session)
    second.close()
    head = handler_of(a_bench(tmp_path)).handle({"action": "ready"})["head"]
    assert [one["who"] for one in head["restored_from"]] == [BUDI]


def test_a_page_that_comes_back_is_told_that_its_drafts_were_taken(tmp_path: Path) -> None:
    old = handler_of(edited(tmp_path))
    old.handle({"action": "ready", "view": "a"})
    old.handle({"action": "leave", "view": "a"})
    assert a_bench(tmp_path).restored == 1
    assert old.handle({"action": "ready", "view": "a"})["head"]["taken_by"] == ""


def test_a_restored_draft_says_whose_it_is(tmp_path: Path) -> None:
    edited(tmp_path).close()
    head = handler_of(a_bench(tmp_path)).handle({"action": "ready"})["head"]
    assert [(one["who"], one["count"]) for one in head["restored_from"]] == [(SARI, 1)]
    assert handler_of(a_bench(tmp_path)).handle({"action": "dismiss"})["head"]["restored"] == 0
