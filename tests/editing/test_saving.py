"""Saving: the file is the old or the new one at every moment, and nobody's change is overwritten."""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from goldenlib.editing import ConflictError, EditError, SourceFile, read_source, save, set_values
from goldenlib.errors import InputError
from goldenlib.files.loading import load_set
from tests.editing.builders import an_item
from tests.editing.racing import winners

TEXT = f"# kepala\nitems:\n{an_item('a')}{an_item('b')}"
NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A golden set file on the disk."""
    file = tmp_path / "golden.yaml"
    file.write_text(TEXT, encoding="utf-8")
    return file


def _edited(path: Path, question: str = "Siapa?") -> SourceFile:
    return set_values(read_source(path), "a", {"question": question})


def _names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_the_saved_file_holds_the_edit_and_can_be_edited_on(path: Path) -> None:
    source = save(_edited(path))
    assert path.read_text(encoding="utf-8") == TEXT.replace("Apa?", "Siapa?", 1)
    assert not source.is_changed
    assert source.diff == ""
    save(set_values(source, "b", {"question": "Kapan?"}))
    assert [item.question for item in load_set(path)] == ["Siapa?", "Kapan?"]
    assert _names(path.parent) == ["golden.yaml"]


def test_nothing_is_written_when_nothing_changed(path: Path) -> None:
    before = path.stat()
    source = read_source(path)
    assert save(source) is source
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_the_text_is_on_the_disk_before_the_file_is_renamed(path: Path) -> None:
    edited = _edited(path)
    calls: list[str] = []

    def note(_frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and called.__name__ in ("write", "fsync", "replace"):
            calls.append(called.__name__)

    sys.setprofile(note)
    try:
        save(edited)
    finally:
        sys.setprofile(None)
    assert calls == ["write", "fsync", "replace", "fsync"]


def test_mode_and_owner_stay(path: Path) -> None:
    path.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(path, NOBODY, NOBODY)
    before = path.stat()
    save(_edited(path))
    after = path.stat()
    assert after.st_ino != before.st_ino
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a file to a group that it is not in")
def test_the_group_alone_stays_too(path: Path) -> None:
    """field/tests C17."""
    os.chown(path, -1, NOBODY)
    save(_edited(path))
    assert (path.stat().st_uid, path.stat().st_gid) == (0, NOBODY)


@pytest.mark.skipif(sys.platform != "linux", reason="Python has no functions for them elsewhere")
def test_extended_attributes_stay(path: Path) -> None:
    """field/tests C17."""
    try:
        os.setxattr(path, "user.origin", b"form 7")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    save(_edited(path))
    assert os.getxattr(path, "user.origin") == b"form 7"


def test_behind_a_link_the_target_is_replaced(path: Path) -> None:
    (path.parent / "folder").mkdir()
    link = path.parent / "folder" / "link.yaml"
    link.symlink_to("../golden.yaml")
    save(_edited(link))
    assert link.is_symlink()
    assert "Siapa?" in path.read_text(encoding="utf-8")
    assert _names(link.parent) == ["link.yaml"]


# --- conflicts ---


def test_a_file_that_changed_is_not_overwritten(path: Path) -> None:
    edited = _edited(path)
    theirs = TEXT.replace("rubric: x", "rubric: y", 1)
    path.write_text(theirs, encoding="utf-8")
    with pytest.raises(
        ConflictError, match=r"golden\.yaml: changed since it was read, and was not overwritten; choose for each field"
    ) as caught:
        save(edited)
    assert path.read_text(encoding="utf-8") == theirs
    assert caught.value.base.text == TEXT
    assert caught.value.mine is edited
    assert caught.value.theirs is not None
    assert caught.value.theirs.text == theirs
    assert _names(path.parent) == ["golden.yaml"]


def test_a_new_date_alone_is_no_conflict(path: Path) -> None:
    edited = _edited(path)
    path.write_text(TEXT, encoding="utf-8")
    os.utime(path, (0, 0))
    save(edited)


@pytest.mark.parametrize("theirs", [b"items: [", b"\xff\xfe", b""])
def test_a_file_that_is_no_set_any_more_is_not_overwritten_either(path: Path, theirs: bytes) -> None:
    edited = _edited(path)
    path.write_bytes(theirs)
    with pytest.raises(ConflictError, match="mend the file first") as caught:
        save(edited)
    assert caught.value.theirs is None
    assert caught.value.theirs_data == path.read_bytes() == theirs


def test_of_many_who_save_at_once_one_wins_and_the_others_are_told(path: Path) -> None:
    edits = [_edited(path, f"Nomor {number}?") for number in range(8)]

    won = winners(edits)
    assert won.count(True) == 1
    assert path.read_bytes() == edits[won.index(True)].data


# --- failures ---


@contextmanager
def _as_nobody() -> Iterator[None]:
    """Take away the rights of root, where the tests run as that."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody can reach, which those of pytest are not."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_read_only_file_is_refused(path: Path) -> None:
    edited = _edited(path)
    path.chmod(0o444)
    with pytest.raises(
        EditError, match=r"is read-only and was not overwritten; make it writable \(chmod u\+w .*golden.yaml\), and save again"
    ):
        save(edited)
    path.chmod(0o644)
    save(edited)


def test_a_folder_without_the_right_to_write_is_refused(open_folder: Path) -> None:
    path = open_folder / "golden.yaml"
    path.write_text(TEXT, encoding="utf-8")
    path.chmod(0o666)
    edited = _edited(path)
    open_folder.chmod(0o555)
    with (
        _as_nobody(),
        pytest.raises(EditError, match=r"could not be saved \(Permission denied\), and is as it was; have the rights .* still here"),
    ):
        save(edited)
    open_folder.chmod(0o755)
    assert _names(open_folder) == ["golden.yaml"]
    assert path.read_text(encoding="utf-8") == TEXT


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a file that belongs to somebody else")
def test_a_file_whose_owner_would_change_is_refused(open_folder: Path) -> None:
    path = open_folder / "golden.yaml"
    path.write_text(TEXT, encoding="utf-8")
    path.chmod(0o666)
    open_folder.chmod(0o777)
    edited = _edited(path)
    with _as_nobody(), pytest.raises(EditError, match="belongs to another user or group, which would change by saving"):
        save(edited)
    assert _names(open_folder) == ["golden.yaml"]


def test_a_full_disk_leaves_the_file_and_no_temporary_one(path: Path) -> None:
    edited = _edited(path, "panjang " * 2000)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(EditError, match=r"could not be saved \(File too large\), and is as it was; .*your changes are still here"):
            save(edited)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_text(encoding="utf-8") == TEXT
    assert _names(path.parent) == ["golden.yaml"]
    save(edited)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_file_or_folder_that_is_gone_is_told(tmp_path: Path, what: str) -> None:
    path = tmp_path / "folder" / "golden.yaml"
    path.parent.mkdir()
    path.write_text(TEXT, encoding="utf-8")
    edited = _edited(path)
    path.unlink()
    if what == "folder":
        path.parent.rmdir()
    with pytest.raises(EditError, match=r"golden\.yaml: is no longer there; put the file or its folder back, and save again; your changes"):
        save(edited)
    path.parent.mkdir(exist_ok=True)
    path.write_text(TEXT, encoding="utf-8")
    save(edited)


SAVE_FOR_EVER = """
import sys
from goldenlib.editing import read_source, save, set_values
source = read_source(sys.argv[1])
while True:
    for question in ("Satu?", "Dua?"):
        print(question, flush=True)
        source = save(set_values(source, "item-0", {"question": question}))
"""


def test_a_kill_at_any_moment_leaves_one_version_whole(tmp_path: Path) -> None:
    path = tmp_path / "golden.yaml"
    text = "items:\n" + "".join(an_item(f"item-{number}", note="x" * 2000) for number in range(300))
    path.write_text(text, encoding="utf-8")
    versions = {text.replace("Apa?", question, 1).encode() for question in ("Apa?", "Satu?", "Dua?")}
    for attempt in range(6):
        with subprocess.Popen([sys.executable, "-c", SAVE_FOR_EVER, str(path)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            for _ in range(attempt + 2):
                process.stdout.readline()  # while the next one is being saved
            process.send_signal(signal.SIGKILL)
        assert path.read_bytes() in versions
    load_set(tmp_path)  # temporary files that a kill leaves are not taken for sets
    assert stat.S_ISREG(path.stat().st_mode)


# --- opening ---


def test_a_json_set_is_not_edited(tmp_path: Path) -> None:
    path = tmp_path / "golden.json"
    path.write_text('{"items": []}', encoding="utf-8")
    with pytest.raises(
        EditError, match=r"golden\.json: JSON sets are not edited here, since .* whole file; keep the items in a \.yaml file"
    ):
        read_source(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"items:\n- id: \x93a\x94\n", "golden.yaml:2:7: is not UTF-8: byte 0x93"),
        (b"items: [\n", "golden.yaml:1:8: the list that opens in line 1|golden.yaml:2"),
        (b"rag_quality:\n  judge_url: off\n", "golden.yaml: holds no list of items that could be edited; write 'items:' once"),
        (b"{items: []}\n", "holds no list of items"),
        (b"items: &a []\n", "holds no list of items"),
        (b"- id: a\n", "holds no list of items"),
        (b"items: a\n", "holds no list of items"),
        (b"items:\n- id: a\nitems:\n- id: b\n", "holds no list of items"),
    ],
)
def test_a_file_that_cannot_be_edited_says_why(path: Path, content: bytes, message: str) -> None:
    path.write_bytes(content)
    with pytest.raises((EditError, InputError), match=message):
        read_source(path)


def test_a_missing_file_in_a_missing_folder_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.yaml: does not exist, and its folder does not either; make the folder .*/none, or"):
        read_source(tmp_path / "none" / "nothing.yaml")


def test_a_missing_file_that_would_be_no_golden_set_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ahu: does not exist; correct the path, or give a new file a name that ends in \.yaml"):
        read_source(tmp_path / "ahu")
