"""Beginning: a golden set is written from nothing, and what stood in the file stays, to the byte."""

from __future__ import annotations

import errno
import os
import resource
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldenlib.editing import (
    Choice,
    ConflictError,
    EditError,
    SourceFile,
    add_item,
    apply_choices,
    delete_item,
    merge,
    read_source,
    save,
)
from goldenlib.errors import InputError
from goldenlib.files.loading import load_set
from goldenlib.items import Item
from tests.editing.builders import a_source
from tests.editing.racing import winners
from tests.editing.strategies import item_values

MANY = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
ITEM = {"id": "a", "question": "Apa?", "expected": {"rubric": "x"}}
LINES = ("  - id: a", "    question: Apa?", "    expected:", "      rubric: x")


def _lines(newline: str = "\n", indent: str = "") -> str:
    return "".join(indent + line + newline for line in LINES)


def _loaded(data: bytes) -> list[Item]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "golden.yaml"
        path.write_bytes(data)
        return list(load_set(path))


# --- any beginning ---


@st.composite
def beginnings(draw: Callable[[st.SearchStrategy[Any]], Any]) -> tuple[str, str, str, str]:
    """A text without items: what stands above the place of the first one, `items:` as it is and as it will be, and what is below."""
    newline = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    blanks = st.sampled_from(["", newline, "# kepala" + newline, "#" + newline + newline, "  # masuk" + newline])
    above = "".join(draw(st.lists(blanks, max_size=3)))
    below = "".join(draw(st.lists(st.sampled_from(["", newline, "# akhir" + newline]), max_size=3)))
    if draw(st.booleans()):
        start = draw(st.sampled_from(["", "---" + newline, "--- # satu" + newline, "%YAML 1.1" + newline + "---" + newline]))
        end = draw(st.sampled_from(["", "..." + newline])) if start else ""
        text = above + start + below
        return text, "", "items:" + (newline if newline in text + end else "\n"), end
    above += draw(st.sampled_from(["", "x-nama: satu" + newline]))
    below = newline + below + draw(st.sampled_from(["", "x-akhir: [1]" + newline])) if below or draw(st.booleans()) else ""
    aside = draw(st.sampled_from(["", "  ", "  # catatan"])) + newline + draw(st.sampled_from(["", "  # tulis di sini" + newline]))
    value = draw(st.sampled_from(["", " []", " [ ]", "  null", " ~"]))
    spaces = value[: len(value) - len(value.lstrip())] if aside.strip(" ").startswith("#") else ""
    return above, "items:" + value + aside, "items:" + spaces + aside, below


@MANY
@given(st.data())
def test_items_added_to_nothing_load_as_they_are_and_every_other_byte_stays(data: st.DataObject) -> None:
    above, was, becomes, below = data.draw(beginnings())
    bom = "\ufeff" * data.draw(st.booleans())
    source = a_source((bom + above + was + below).encode())
    assert source.ids == ()
    assert source.data == (bom + above + was + below).encode()
    wanted = [data.draw(item_values(f"item-{number}")) for number in range(data.draw(st.integers(1, 3)))]
    edited = source
    for values in wanted:
        edited = add_item(edited, values)
    assert _loaded(edited.data) == [Item.model_validate(values) for values in wanted]
    text = edited.data.decode()
    assert text.startswith(bom + above + becomes)
    assert text.endswith(below)
    assert edited.as_read is source
    assert a_source(edited.data).data == edited.data


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "items:\n" + _lines()),
        ("# kepala", "# kepala\nitems:\n" + _lines()),
        ("# kepala\r\n", "# kepala\r\nitems:\r\n" + _lines("\r\n")),
        ("---\n# kepala\n...\n", "---\n# kepala\nitems:\n" + _lines() + "...\n"),
        ("items:", "items:\n" + _lines()),
        ("items:  # nanti\n\n# akhir\n", "items:  # nanti\n" + _lines() + "\n# akhir\n"),
        ("items:\n  # tulis di sini\nx-a: 1\n", "items:\n  # tulis di sini\n" + _lines() + "x-a: 1\n"),
        ("items: []", "items:\n" + _lines()),
        ("items: []  # nanti\nx-a: 1\n", "items:   # nanti\n" + _lines() + "x-a: 1\n"),
        ("items: [ # satu\n  # dua\n]\nx-a: 1\n", "items:  # satu\n  # dua\n\n" + _lines() + "x-a: 1\n"),
        ("  items: []\n  x-a: 1\n", "  items:\n" + _lines(indent="  ") + "  x-a: 1\n"),
    ],
)
def test_the_first_item_stands_below_items_and_nothing_else_moves(text: str, expected: str) -> None:
    assert add_item(a_source(text), ITEM).text == expected


def test_an_item_that_would_not_load_begins_no_set() -> None:
    with pytest.raises(EditError, match="question"):
        add_item(a_source(""), {"id": "a", "expected": {"rubric": "x"}})


def test_the_only_item_stays_also_where_it_was_added_to_nothing() -> None:
    with pytest.raises(EditError, match="item 'a': is the only item, and a set needs one"):
        delete_item(add_item(a_source("# kepala\n"), ITEM), "a")


def test_a_set_without_items_can_be_edited_but_not_run(tmp_path: Path) -> None:
    path = tmp_path / "golden.yaml"
    path.write_text("items: []\n", encoding="utf-8")
    assert read_source(path).ids == ()
    with pytest.raises(InputError):
        load_set(path)


def test_two_who_began_the_same_file_are_put_together() -> None:
    base = a_source("# kepala\n")
    mine, theirs = add_item(base, ITEM), add_item(base, {**ITEM, "id": "b"})
    merged = apply_choices(merge(base, mine, theirs.saved()))
    assert sorted(item.id for item in _loaded(merged.data)) == ["a", "b"]
    both = merge(base, mine, add_item(base, {**ITEM, "question": "Siapa?"}).saved())
    chosen = apply_choices(both, {conflict.key: Choice.MINE for conflict in both.conflicts})
    assert [item.question for item in _loaded(chosen.data)] == ["Apa?"]


def test_mine_goes_into_a_file_that_still_has_no_items() -> None:
    base = a_source("")
    merged = apply_choices(merge(base, add_item(base, ITEM), a_source("# baru\n")))
    assert merged.text == "# baru\nitems:\n" + _lines()


# --- a file that does not exist ---


@pytest.fixture
def begun(tmp_path: Path) -> SourceFile:
    """A file that is not there yet, with its first item."""
    return add_item(read_source(tmp_path / "golden.yaml"), ITEM)


def _names(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.parent.iterdir())


def test_a_file_that_does_not_exist_is_made_by_saving(begun: SourceFile) -> None:
    assert begun.is_new
    saved = save(begun)
    assert begun.path.read_text(encoding="utf-8") == "items:\n" + _lines()
    assert _names(begun.path) == ["golden.yaml"]
    assert not saved.is_new
    assert not saved.is_changed
    save(add_item(saved, {**ITEM, "id": "b"}))
    assert [item.id for item in load_set(begun.path)] == ["a", "b"]


def test_a_new_file_is_on_the_disk_before_it_gets_its_name(begun: SourceFile) -> None:
    calls: list[str] = []

    def note(_frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and called.__name__ in ("write", "fsync", "link"):
            calls.append(called.__name__)

    sys.setprofile(note)
    try:
        save(begun)
    finally:
        sys.setprofile(None)
    assert calls[:3] == ["write", "fsync", "link"]


def test_opening_and_saving_without_an_item_makes_no_file(tmp_path: Path) -> None:
    save(read_source(tmp_path / "golden.yaml"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("umask", "mode"), [(0o027, 0o640), (0o022, 0o644)])
def test_a_new_file_has_the_mode_that_is_usual_here(begun: SourceFile, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        save(begun)
    finally:
        os.umask(before)
    assert stat.S_IMODE(begun.path.stat().st_mode) == mode


def test_a_new_file_that_cannot_be_written_is_told_not_to_be_there(tmp_path: Path) -> None:
    begun = add_item(read_source(tmp_path / "golden.yaml"), {**ITEM, "note": "panjang " * 2000})
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(EditError, match=r"could not be saved \(File too large\), and is not there yet; .*your changes are still here"):
            save(begun)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


def test_the_diff_shows_the_whole_new_file(begun: SourceFile) -> None:
    lines = begun.diff.splitlines()
    assert lines[:3] == ["--- /dev/null", f"+++ {begun.path}", "@@ -0,0 +1,5 @@"]
    assert lines[3:] == ["+items:", *(f"+{line}" for line in LINES)]


@pytest.mark.parametrize("theirs", ["items:\n" + _lines(), "# kepala\n", ""])
def test_a_file_that_somebody_made_meanwhile_is_not_overwritten(begun: SourceFile, theirs: str) -> None:
    begun.path.write_text(theirs, encoding="utf-8")
    with pytest.raises(ConflictError, match="was made by somebody else meanwhile, and was not overwritten; choose") as caught:
        save(begun)
    assert begun.path.read_text(encoding="utf-8") == theirs
    assert _names(begun.path) == ["golden.yaml"]
    assert caught.value.theirs is not None
    assert caught.value.theirs.text == theirs
    assert not caught.value.theirs.is_new


def test_of_many_who_make_a_file_at_once_one_wins(tmp_path: Path) -> None:
    sources = [add_item(read_source(tmp_path / "golden.yaml"), {**ITEM, "id": f"item-{number}"}) for number in range(8)]

    won = winners(sources)
    assert won.count(True) == 1
    assert (tmp_path / "golden.yaml").read_bytes() == sources[won.index(True)].data


@pytest.mark.parametrize("is_taken", [False, True])
def test_where_there_are_no_hard_links_a_new_file_is_renamed(begun: SourceFile, monkeypatch: pytest.MonkeyPatch, is_taken: bool) -> None:
    def refused(*_: object) -> None:  # as a memory stick or a network share answers
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    if is_taken:
        begun.path.write_text("# milik orang lain\n", encoding="utf-8")
        with pytest.raises(ConflictError):
            save(begun)
    else:
        save(begun)
    assert begun.path.read_bytes() == (b"# milik orang lain\n" if is_taken else begun.data)
    assert _names(begun.path) == ["golden.yaml"]


def test_behind_a_link_that_leads_nowhere_yet_its_target_is_made(tmp_path: Path) -> None:
    link = tmp_path / "link.yaml"
    link.symlink_to("golden.yaml")
    save(add_item(read_source(link), ITEM))
    assert link.is_symlink()
    assert [item.id for item in load_set(tmp_path / "golden.yaml")] == ["a"]


def test_a_folder_that_went_meanwhile_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "golden"
    folder.mkdir()
    begun = add_item(read_source(folder / "pt.yaml"), ITEM)
    folder.rmdir()
    with pytest.raises(EditError, match=r"could not be saved, since its folder is no longer there; put .*your changes are still here"):
        save(begun)
    folder.mkdir()
    save(begun)
