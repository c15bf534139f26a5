"""Files that commands write: links, pipes and devices are never replaced, and what cannot be written is refused beforehand."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from goldenlib.errors import SettingsError
from goldenlib.files import outfiles
from goldenlib.files.outfiles import check_outfile, file_identity, write_outfile
from tests.cli.test_runs import EXAMPLE, GOLDEN, golden

RUN = ("run", EXAMPLE, "--select", "apostille-biaya", "--allow-unverified")


def read_from(pipe: Path) -> tuple[threading.Thread, list[bytes]]:
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    return reader, got


def test_a_new_file_is_written_with_the_usual_mode(tmp_path: Path) -> None:
    write_outfile(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o666 & ~outfiles.current_umask()
    assert list(tmp_path.iterdir()) == [tmp_path / "a"]


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o640)
    with path.open("rb") as reader:
        write_outfile(path, b"new")
        assert reader.read() == b"old"
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    real = tmp_path / "elsewhere" / "real.json"
    real.write_text("old")
    (tmp_path / "first").symlink_to(real)
    (tmp_path / "second").symlink_to("first")
    write_outfile(tmp_path / "second", b"new")
    assert real.read_bytes() == b"new"
    assert (tmp_path / "first").is_symlink()
    assert (tmp_path / "second").is_symlink()


def test_a_pipe_gives_its_reader_everything(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader, got = read_from(pipe)
    check_outfile(pipe)
    write_outfile(pipe, b"x" * 300_000)  # more than a pipe holds
    reader.join(10)
    assert got == [b"x" * 300_000]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_pipe_that_nobody_reads_from_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outfiles, "_READER_S", 0.1)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="nobody reads"):
        write_outfile(tmp_path / "pipe", b"x")


def a_dangling_link(folder: Path) -> Path:
    (folder / "a").symlink_to(folder / "nowhere.json")
    return folder / "a"


def a_link_to_a_folder(folder: Path) -> Path:
    (folder / "folder").mkdir()
    (folder / "a").symlink_to("folder")
    return folder / "a"


def a_loop(folder: Path) -> Path:
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")
    return folder / "a"


def a_socket(folder: Path) -> Path:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(folder / "a"))
    listener.close()
    return folder / "a"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (a_dangling_link, "is a link to .*nowhere.json, which does not exist"),
        (a_link_to_a_folder, "is a folder; give the name of a file"),
        (a_loop, "Too many levels of symbolic links"),
        (a_socket, "is a device or a socket"),
        (lambda folder: folder, "is a folder"),
        (lambda folder: folder / "no" / "a", "does not exist; create it first"),
        (lambda folder: folder / "a\0b", "null"),
    ],
)
def test_what_cannot_be_written_is_refused(make: Callable[[Path], Path], said: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=said):
        check_outfile(make(tmp_path))


def test_a_file_in_use_is_found_under_every_name(tmp_path: Path) -> None:
    used = tmp_path / "set.yaml"
    used.write_text("items: []")
    (tmp_path / "link").symlink_to(used)
    os.link(used, tmp_path / "hard")
    for name in ("set.yaml", "link", "hard"):
        with pytest.raises(SettingsError, match="uses already"):
            check_outfile(tmp_path / name, in_use=[used])
    (tmp_path / "folder").symlink_to(".")
    assert file_identity(tmp_path / "folder" / "new") == file_identity(tmp_path / "new")


def test_a_file_that_is_written_again_and_again_is_no_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SettingsError, match="again and again"):
        check_outfile(tmp_path / "pipe", only_regular=True)


# --- the commands ---


@pytest.mark.parametrize("kind", ["json", "html", "junit", "markdown"])
def test_a_report_follows_a_link(kind: str, tmp_path: Path) -> None:
    """fd-017"""
    (tmp_path / "elsewhere").mkdir()
    real = tmp_path / "elsewhere" / "real"
    real.write_text("old")
    (tmp_path / "link").symlink_to(real)
    assert golden(tmp_path, *RUN, f"--{kind}", "link").returncode == 0
    assert (tmp_path / "link").is_symlink()
    assert "apostille-biaya" in real.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["json", "html", "junit", "markdown"])
def test_a_report_goes_into_a_pipe(kind: str, tmp_path: Path) -> None:
    """fd-018"""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader, got = read_from(pipe)
    assert golden(tmp_path, *RUN, f"--{kind}", "pipe").returncode == 0
    reader.join(10)
    assert b"apostille-biaya" in got[0]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_report_goes_to_another_command_of_the_shell(tmp_path: Path) -> None:
    script = f"{' '.join(GOLDEN)} {' '.join(RUN)} --json >(cat > got.json); sleep 0.2; wait"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GOLDEN_")}
    assert subprocess.run(["bash", "-c", script], cwd=tmp_path, env=clean, capture_output=True, timeout=60).returncode == 0
    assert json.loads((tmp_path / "got.json").read_text())["decision"] == "PASS"


@pytest.mark.parametrize("path", ["/dev/stdout", "/dev/stderr", "/dev/fd/1", "out.txt"])
@pytest.mark.parametrize("words", [(*RUN, "--json"), ("export", EXAMPLE, "--format", "csv", "--force"), ("schema", "-o")])
def test_a_file_that_would_mix_with_the_text_for_people_is_refused(words: tuple[str, ...], path: str, tmp_path: Path) -> None:
    """fd-019"""
    script = f"{' '.join(GOLDEN)} {' '.join(words)} {path} > out.txt 2> err.txt"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GOLDEN_")}
    assert subprocess.run(["bash", "-c", script], cwd=tmp_path, env=clean, timeout=60, check=False).returncode == 2
    told = (tmp_path / "err.txt").read_text() + (tmp_path / "out.txt").read_text()
    assert "is standard output or error" in told
    assert not (tmp_path / "golden.db").exists()


def test_a_report_to_nowhere_is_written_there_and_nothing_is_replaced(tmp_path: Path) -> None:
    before = os.stat("/dev/null")
    assert golden(tmp_path, *RUN, "--json", "/dev/null").returncode == 0
    assert golden(tmp_path, *RUN, "--json", "/dev/full").returncode == 3  # the device says so itself, after the run
    assert os.path.samestat(before, os.stat("/dev/null"))
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@pytest.mark.parametrize("option", ["--json", "--notebook"])
@pytest.mark.parametrize(
    "path", ["missing/dir/out.ipynb", "dangling", "loop", "folder", "to-folder", "set.yaml", "hard", "to-config", "to-store"]
)
def test_what_a_report_could_not_be_is_refused_before_anything_is_asked(option: str, path: str, tmp_path: Path) -> None:
    """fd-024 for the output notebook: the same mistake has the same sentence and exit code."""
    (tmp_path / "set.yaml").write_bytes(Path(EXAMPLE).read_bytes())
    (tmp_path / "c.yaml").write_text("rag_quality:\n  chatbot_url: demo\n  judge_url: demo\n")
    (tmp_path / "golden.db").touch()
    (tmp_path / "folder").mkdir()
    os.link(tmp_path / "set.yaml", tmp_path / "hard")
    links = {"dangling": "nowhere", "loop": "loop", "to-folder": "folder", "to-config": "c.yaml", "to-store": "golden.db"}
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    done = golden(tmp_path, "run", "set.yaml", "--allow-unverified", "--config", "c.yaml", option, path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{path}: ")
    assert (tmp_path / "golden.db").stat().st_size == 0
    if path.startswith("missing"):
        assert done.stderr == "missing/dir/out.ipynb: the folder missing/dir does not exist; create it first (mkdir -p missing/dir)\n"


def test_two_options_do_not_write_to_one_file(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    (tmp_path / "link").symlink_to("a")
    os.link(tmp_path / "a", tmp_path / "hard")
    for other in ("link", "hard", "./a"):
        for option in ("--html", "--notebook"):
            done = golden(tmp_path, *RUN, "--json", "a", option, other)
            assert done.returncode == 2
            assert "uses already" in done.stderr


def test_a_report_takes_no_place_in_a_folder_of_sets(tmp_path: Path) -> None:
    folder = tmp_path / "sets"
    folder.mkdir()
    (folder / "a.yaml").write_bytes(Path(EXAMPLE).read_bytes())
    (tmp_path / "link").symlink_to(folder / "a.yaml")
    for path, said in (("sets/report.json", "would be read as a golden set"), ("sets/r.toml", "would be read"), ("link", "uses already")):
        done = golden(tmp_path, "run", "sets", "--allow-unverified", "--json", path)
        assert (done.returncode, said in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (["show", "r1", "--json", "golden.db"], "golden.db"),
        (["rescore", "r1", "--set", "set.yaml", "--json", "set.yaml"], "set.yaml"),
        (["rescore", "r1", "--set", "set.yaml", "--json", "golden.db"], "golden.db"),
        (["export", "set.yaml", "set.yaml", "--format", "promptfoo", "--force"], "set.yaml"),
        (["export", "set.yaml", "link.csv", "--force"], "set.yaml"),
        (["import", "q.csv", "to-q.yaml", "--force"], "q.csv"),
    ],
)
def test_no_command_writes_over_what_it_reads(words: list[str], kept: str, tmp_path: Path) -> None:
    (tmp_path / "set.yaml").write_bytes(Path(EXAMPLE).read_bytes())
    (tmp_path / "q.csv").write_text("question,must_include\nApa?,x y\n")
    (tmp_path / "link.csv").symlink_to("set.yaml")
    (tmp_path / "to-q.yaml").symlink_to("q.csv")
    golden(tmp_path, "run", "set.yaml", "--select", "apostille-biaya", "--allow-unverified", "--run-id", "r1")
    before = (tmp_path / kept).read_bytes()
    done = golden(tmp_path, *words)
    assert done.returncode == 2
    assert "uses already" in done.stderr + done.stdout
    assert (tmp_path / kept).read_bytes() == before


@pytest.mark.parametrize("words", [["export", EXAMPLE, "pipe", "--format", "csv", "--force"], ["schema", "-o", "pipe"]])
def test_other_files_go_into_a_pipe_too(words: list[str], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader, got = read_from(tmp_path / "pipe")
    assert golden(tmp_path, *words).returncode == 0
    reader.join(10)
    assert len(got[0]) > 1000
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_file_of_two_names_stays_one_file(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("old", encoding="utf-8")
    (tmp_path / "other").hardlink_to(tmp_path / "one")
    write_outfile(tmp_path / "other", b"new")
    assert (tmp_path / "one").read_bytes() == b"new"


def test_a_dash_is_no_name_of_a_file() -> None:
    with pytest.raises(SettingsError, match=r"^-: would be a file of that name; standard output is for"):
        check_outfile(Path("-"))
