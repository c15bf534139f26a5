"""Beginning: the workbench on a file that has no items yet, or does not exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldenlib.editing import ConflictError, EditError
from goldenlib.errors import GoldenError
from goldenlib.files.loading import load_set
from goldenlib.workbench import view
from goldenlib.workbench.actions import handler_of
from goldenlib.workbench.drafts import DraftFile
from goldenlib.workbench.panel import AuthorPanel
from goldenlib.workbench.reviewing import Signature
from goldenlib.workbench.state import Workbench
from tests.workbench.scenes import SET, TODAY, a_bench, a_set, demo_settings

QUESTION = "Siapa yang boleh mendirikan PT perorangan?"


def a_new_bench(folder: Path) -> Workbench:
    """A workbench on a file that is not there."""
    path = folder / "ahu.yaml"
    return Workbench(path, demo_settings(), draft_file=DraftFile(path, folder / "state"), today=lambda: TODAY)


def first_item(bench: Workbench, question: str = QUESTION) -> str:
    key = bench.add_item()
    bench.set_field(key, "question", question)
    bench.set_field(key, "expected.must_include", ["warga negara Indonesia"])
    return key


def test_a_file_that_does_not_exist_opens_with_the_first_step(tmp_path: Path) -> None:
    bench = a_new_bench(tmp_path)
    head = view.head(bench)
    assert (head["new_file"], head["first_step"], head["items"], head["open"], head["problems"]) == (True, True, 0, None, [])
    assert view.editor(bench) == {"key": None}
    assert not bench.path.exists()


@pytest.mark.parametrize("text", ["", "# Kontrak PT\n", "items:\n", "items: []\n"])
def test_a_file_without_items_opens_with_the_first_step_and_is_not_called_new(tmp_path: Path, text: str) -> None:
    head = view.head(a_bench(tmp_path, text))
    assert (head["new_file"], head["first_step"], head["problems"]) == (False, True, [])


def test_the_first_step_is_over_once_an_item_is_begun_and_back_when_it_is_discarded(tmp_path: Path) -> None:
    bench = a_new_bench(tmp_path)
    key = first_item(bench)
    assert not view.head(bench)["first_step"]
    bench.discard(key)
    assert view.head(bench)["first_step"]
    assert bench.open_key is None
    bench.undo()
    assert bench.open_key == key
    assert not bench.path.exists()


def test_items_without_an_id_are_no_first_step(tmp_path: Path) -> None:
    head = view.head(a_bench(tmp_path, "items:\n- question: Apa?\n"))
    assert not head["first_step"]
    assert head["problems"]


def test_hazards_are_told_while_the_first_item_is_written(tmp_path: Path) -> None:
    bench = a_new_bench(tmp_path)
    key = first_item(bench)
    bench.learn()
    bench.set_field(key, "expected.must_not_include", ["PT"])
    assert "PT" in {finding.phrase for finding in bench.hazards(key)}


def test_the_first_item_is_saved_into_a_file_that_loads(tmp_path: Path) -> None:
    bench = a_new_bench(tmp_path)
    key = first_item(bench)
    assert view.diff_of(bench, [key])["text"].startswith("--- /dev/null\n")
    bench.save([key])
    assert [item.question for item in load_set(bench.path)] == [QUESTION]
    assert bench.open_key == "mendirikan-pt-perorangan"
    assert (view.head(bench)["new_file"], view.head(bench)["items"]) == (False, 1)
    assert not bench.unsaved()


def test_several_items_are_saved_into_a_new_file_at_once(tmp_path: Path) -> None:
    bench = a_new_bench(tmp_path)
    keys = [first_item(bench), first_item(bench, "Berapa lama pengesahan yayasan?")]
    bench.save(keys)
    assert len(load_set(bench.path)) == 2


def test_what_stands_in_a_file_without_items_stays(tmp_path: Path) -> None:
    bench = a_bench(tmp_path, "# Kontrak PT\nitems: []  # menyusul\n")
    bench.save([first_item(bench)])
    assert bench.path.read_text(encoding="utf-8").startswith("# Kontrak PT\nitems:   # menyusul\n  - id: mendirikan-pt-perorangan\n")


def test_signing_the_first_item_makes_the_file(tmp_path: Path) -> None:
    bench = a_new_bench(tmp_path)
    bench.sign(first_item(bench), Signature("Ibu Sari", "PP 8/2021 Pasal 6", ""))
    assert [item.is_verified for item in load_set(bench.path)] == [True]


def test_a_first_item_that_was_not_saved_is_there_again_after_a_restart(tmp_path: Path) -> None:
    bench = a_new_bench(tmp_path)
    key = first_item(bench)
    bench.close()
    again = a_new_bench(tmp_path)
    assert again.restored == 1
    assert again.values(key)["question"] == QUESTION
    assert view.head(again)["new_file"]


def test_a_file_that_somebody_made_meanwhile_is_opened_with_the_draft_on_top(tmp_path: Path) -> None:
    bench = a_new_bench(tmp_path)
    key = first_item(bench)
    a_set(tmp_path)
    with pytest.raises(ConflictError):
        bench.save([key])
    assert bench.path.read_text(encoding="utf-8") == SET
    assert bench.keys() == ["pt-akta", "apostille-biaya", "int-jumlah", key]
    bench.save([key])
    assert len(load_set(bench.path)) == 4


@pytest.mark.parametrize("text", [SET, ""])
def test_a_file_that_somebody_made_meanwhile_is_noticed_when_looking(tmp_path: Path, text: str) -> None:
    bench = a_new_bench(tmp_path)
    assert not bench.reload()
    a_set(tmp_path, text)
    assert bench.reload()
    assert not view.head(bench)["new_file"]


def test_a_file_that_lost_its_items_is_told_and_what_was_read_stays_open(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    bench.path.write_text("", encoding="utf-8")
    with pytest.raises(EditError, match="holds no items any more; put them back, or open this page again"):
        bench.reload()
    assert len(bench.keys()) == 3


def test_no_message_of_the_page_fails_while_there_is_no_item(tmp_path: Path) -> None:
    handler = handler_of(a_new_bench(tmp_path))
    for action in ("ready", "look", "next", "undo", "dismiss"):
        handler.handle({"action": action})
    handler.handle({"action": "narrow", "text": "apa"})
    handler.handle({"action": "language", "language": "en"})
    assert handler.faults == []
    handler.handle({"action": "new"})
    handler.handle({"action": "delete"})
    assert handler.handle({"action": "ready"})["head"]["first_step"]
    assert handler.faults == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tiada/ahu.yaml", "its folder does not either"),
        ("ahu.json", "JSON sets are not edited here"),
        ("ahu.toml", "'.toml' files are not edited here"),
        (".", "is a folder"),
    ],
)
def test_a_path_at_which_no_set_can_begin_is_told(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(GoldenError, match=message):
        AuthorPanel(tmp_path / name, store=str(tmp_path / "none.db"))
    assert list(tmp_path.iterdir()) == []
