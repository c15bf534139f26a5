"""Faults of a whole run, as processes meet them: what is printed last, the exit code, what is kept, and that nothing hangs.

Contract 5.2, 5.3, 6.4 and 6.7.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import pytest

from goldenlib.cli.ending import ASKED_AGAIN_S
from tests.faults.actors import Chatbot, JudgeServer, endless, on_stage
from tests.faults.processes import (
    CLEAN,
    GOLDEN,
    environment_for,
    gate,
    golden,
    last_line,
    most_memory,
    rows,
    running,
    wait_until,
    write_function,
    write_set,
)
from tests.faults.scenes import play
from tests.servers import Pause, chunk, closed_port, content, head, reply, stream

IDS = [f"i{number:02d}" for number in range(24)]
REPORTS = ("--html", "r.html", "--json", "r.json", "--junit", "r.xml", "--markdown", "r.md")
SLOW = stream(Pause(0.15), content("Pendiri harus WNI."))
SLOW_BOT = "import time\ndef ask(question):\n    time.sleep(0.1)\n    return 'Pendiri harus WNI.'\n"
BIG_BOT = "def ask(question):\n    return 'Pendiri harus WNI. ' + 'x' * 20_000\n"


def reports_say(folder: Path, decision: str, code: int) -> None:
    """All four reports are there, whole, and say the same."""
    report = json.loads((folder / "r.json").read_text(encoding="utf-8"))
    assert (report["decision"], report["exit_code"]) == (decision, code)
    suite = ElementTree.parse(folder / "r.xml").getroot()
    (gate,) = [case for case in suite.iter("testcase") if case.get("name") == "gate"]
    assert gate.find({"ERROR": "error", "BLOCK": "failure"}[decision]) is not None
    assert f"{decision}:" in (folder / "r.md").read_text(encoding="utf-8")
    page = (folder / "r.html").read_text(encoding="utf-8")
    assert decision in page
    assert page.rstrip().endswith("</html>")


# --- everything down ---


def test_with_everything_down_the_run_is_an_error_and_all_reports_are_written(tmp_path: Path) -> None:
    write_set(tmp_path, IDS)
    down = f"http://127.0.0.1:{closed_port()}"
    done = golden(tmp_path, "run", "set.yaml", "--run-id", "r1", *REPORTS, **environment_for(down, f"{down}/v1"))
    assert done.returncode == 3
    assert last_line(done.stdout) == "ERROR: nothing was scored: 24 errors and 0 skipped of 24 items"
    reports_say(tmp_path, "ERROR", 3)
    assert rows(tmp_path, "item_id, status, passed") == [(item_id, "error", None) for item_id in IDS]
    assert gate(tmp_path) == 3


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc, as Linux has it")
def test_what_floods_a_run_takes_neither_its_memory_nor_its_time(tmp_path: Path) -> None:
    """Gigabytes, were they taken: of each flood no more is read than an answer may have."""
    begin = [head(Transfer_Encoding="chunked")]
    bomb = gzip.compress(content("x" * 999) * 1000) * 1000
    floods = {
        "text": [endless(begin, chunk(content("x" * 99_999)))],
        "line": [endless([*begin, chunk(b"event: content\ndata: ")], chunk(b"x" * 99_999))],
        "bomb": [reply(bomb, content_type="text/event-stream", Content_Encoding="gzip")],
        "refusal": [endless([head(500, Transfer_Encoding="chunked")], chunk(b"x" * 99_999))],
    }
    write_set(tmp_path, ["fine", *floods, "verdict"])
    chatbot, judge = Chatbot(floods), JudgeServer({"verdict": [endless([head(200, Transfer_Encoding="chunked")], chunk(b" " * 99_999))]})
    with on_stage(chatbot, judge):
        begun = time.monotonic()
        with running(tmp_path, "run", "set.yaml", "--run-id", "r1", **environment_for(chatbot.url, judge.judge_url)) as process:
            memory = most_memory(process)
    assert process.returncode == 0
    states = {row[0]: row[1] for row in rows(tmp_path, "item_id, status")}
    assert states == dict.fromkeys([*floods, "verdict"], "error") | {"fine": "scored"}
    assert 0 < memory < 200_000_000  # a run of one item takes about half of it
    assert time.monotonic() - begun < 30


# --- the disk ---


def test_a_disk_that_fills_up_is_an_error_and_keeps_the_rows_before(tmp_path: Path) -> None:
    write_set(tmp_path, IDS)
    write_function(tmp_path, BIG_BOT)
    words = [*GOLDEN, "run", "set.yaml", "--config", "golden.yaml", "--run-id", "r1", "--concurrency", "2", *REPORTS]

    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

    full = subprocess.run(words, cwd=tmp_path, env=CLEAN, preexec_fn=small_disk, capture_output=True, text=True, timeout=60)
    assert full.returncode == 3, full.stderr
    assert last_line(full.stdout).startswith("ERROR: item 'i")
    assert "go on with --resume; what was stored is kept" in last_line(full.stdout)
    assert "Traceback" not in full.stderr
    reports_say(tmp_path, "ERROR", 3)
    kept = rows(tmp_path)
    assert 0 < len(kept) < len(IDS)
    assert gate(tmp_path) == 3
    done = golden(tmp_path, *words[3:], "--resume")
    assert done.returncode == 0, done.stderr
    assert rows(tmp_path) == IDS


@pytest.mark.parametrize("words", [[], ["--notebook", "out.ipynb"]], ids=["run", "notebook"])
def test_a_report_that_cannot_be_written_is_no_green_run(words: list[str], tmp_path: Path) -> None:
    write_set(tmp_path, ["a"])
    write_function(tmp_path)
    full = "/dev/full"  # a device that only writing shows to take nothing
    done = golden(tmp_path, "run", "set.yaml", "--config", "golden.yaml", "--run-id", "r1", "--html", full, "--json", "r.json", *words)
    assert done.returncode == 3, done.stderr
    assert last_line(done.stdout + done.stderr).startswith("ERROR: " if not words else "the run notebook failed: ReportError")
    assert "cannot be written" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads((tmp_path / "r.json").read_text())["decision"] == "PASS"  # the others are written
    assert gate(tmp_path) == 0  # the run itself was decided


def test_a_notebook_run_that_is_refused_does_not_answer_with_the_old_decision(tmp_path: Path) -> None:
    assert play(tmp_path, Chatbot(), JudgeServer()).report.decision.exit_code == 0  # r1
    write_set(tmp_path, ["a"])
    write_function(tmp_path)
    again = golden(tmp_path, "run", "set.yaml", "--config", "golden.yaml", "--run-id", "r1", "--notebook", "out.ipynb")
    assert again.returncode == 2
    assert "RunConflictError" in again.stderr
    assert "PASS" not in again.stdout


# --- the store ---


def test_a_store_that_is_locked_for_a_while_loses_no_row(tmp_path: Path) -> None:
    write_set(tmp_path, IDS)
    chatbot, judge = Chatbot(usual=SLOW), JudgeServer()
    with on_stage(chatbot, judge):
        words = ["run", "set.yaml", "--run-id", "r1", "--concurrency", "2"]
        with running(tmp_path, *words, **environment_for(chatbot.url, judge.judge_url)) as process:
            wait_until(lambda: len(rows(tmp_path)) > 2, process)
            with closing(sqlite3.connect(tmp_path / "golden.db", isolation_level=None, timeout=30)) as other:
                other.execute("BEGIN IMMEDIATE")
                before = len(rows(tmp_path))
                time.sleep(1)  # while it goes on asking
                assert len(rows(tmp_path)) == before
                assert process.poll() is None
                other.execute("COMMIT")
            output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    counts = "24 of 24 scored items passed (100 %), 24 of 24 driven items scored"
    assert last_line(output) == f"PASS: {counts}; 0 of 24 items compared: no earlier results"
    assert rows(tmp_path) == IDS
    assert chatbot.asked == dict.fromkeys(IDS, 1)
    assert judge.asked == dict.fromkeys(IDS, 1)


def test_a_store_that_may_only_be_read_is_an_error_before_anything_is_asked(tmp_path: Path) -> None:
    write_set(tmp_path, IDS)
    assert golden(tmp_path, "run", "set.yaml", "--config", str(write_function(tmp_path)), "--run-id", "r0").returncode == 0
    chatbot, judge = Chatbot(), JudgeServer()
    with on_stage(chatbot, judge):
        environment = environment_for(chatbot.url, judge.judge_url, store="sqlite:///file:golden.db?mode=ro&uri=true")
        done = golden(tmp_path, "run", "set.yaml", "--run-id", "r1", *REPORTS, **environment)
    assert done.returncode == 3
    assert last_line(done.stdout).startswith("ERROR: ")
    assert "may only be read" in last_line(done.stdout)
    assert not chatbot.asked
    reports_say(tmp_path, "ERROR", 3)
    assert gate(tmp_path, "r0") == 0


def test_a_working_folder_that_may_only_be_read_is_an_error_with_the_way_out(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "fixed", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    write_set(folder, ["a"])
    words = ["run", "set.yaml", "--config", str(write_function(folder)), "--json", str(elsewhere / "r.json")]
    folder.chmod(0o555)
    try:
        refused = golden_without_rights(folder, *words)
        assert refused.returncode == 3
        assert "or choose another store with --store" in last_line(refused.stdout)
        assert json.loads((elsewhere / "r.json").read_text())["decision"] == "ERROR"
        assert golden_without_rights(folder, *words, "--store", str(elsewhere / "golden.db")).returncode == 0
        unwritable = golden_without_rights(folder, *words, "--store", str(elsewhere / "other.db"), "--html", "r.html")
        assert unwritable.returncode == 2  # told before anything is asked
        assert "r.html" in unwritable.stderr
        assert not (elsewhere / "other.db").exists()
    finally:
        folder.chmod(0o755)


def golden_without_rights(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command for which the modes of files count, even when the tests are run by root."""
    without: list[str] = []
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root may write anywhere, and there is no setpriv here to lay that down")
        without = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
    return subprocess.run([*without, *GOLDEN, *words], cwd=folder, env=CLEAN, capture_output=True, text=True, timeout=60)


def test_a_store_that_is_removed_meanwhile_is_no_green_run(tmp_path: Path) -> None:
    write_set(tmp_path, IDS)
    write_function(tmp_path, SLOW_BOT)
    with running(tmp_path, "run", "set.yaml", "--config", "golden.yaml", "--run-id", "r1", "--concurrency", "2") as process:
        wait_until(lambda: len(rows(tmp_path)) > 2, process)
        for path in tmp_path.glob("golden.db*"):
            path.unlink()
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 3, errors
    assert last_line(output).startswith("ERROR: ")
    assert gate(tmp_path) == 3


# --- two at once ---


def test_of_two_processes_with_the_same_run_id_one_runs_and_the_other_is_told(tmp_path: Path) -> None:
    write_set(tmp_path, IDS)
    chatbot, judge = Chatbot(usual=SLOW), JudgeServer()
    words = ["run", "set.yaml", "--run-id", "r1", "--concurrency", "4"]
    with on_stage(chatbot, judge):
        environment = environment_for(chatbot.url, judge.judge_url)
        with running(tmp_path, *words, **environment) as one, running(tmp_path, *words, **environment) as other:
            outputs = {process: process.communicate(timeout=60) for process in (one, other)}
            winner, loser = sorted((one, other), key=lambda process: process.returncode)
    assert (winner.returncode, loser.returncode) == (0, 2)
    assert "is being driven by another process" in outputs[loser][1]
    assert "Traceback" not in outputs[loser][1]
    assert rows(tmp_path) == IDS
    assert chatbot.asked == dict.fromkeys(IDS, 1)


def test_two_processes_may_drive_different_runs_into_one_new_store(tmp_path: Path) -> None:
    write_set(tmp_path, IDS)
    write_function(tmp_path)
    words = ["run", "set.yaml", "--config", "golden.yaml", "--run-id"]
    with running(tmp_path, *words, "r1") as one, running(tmp_path, *words, "r2") as other:
        outputs = [process.communicate(timeout=60) for process in (one, other)]
    assert (one.returncode, other.returncode) == (0, 0), outputs
    assert rows(tmp_path, "item_id, run_id") == [(item_id, run_id) for item_id in IDS for run_id in ("r1", "r2")]


# --- signals ---


@pytest.mark.parametrize("names", ["SIGTERM", "SIGINT", "SIGINT SIGTERM SIGINT"])
def test_an_interrupted_run_keeps_its_rows_and_goes_on(names: str, tmp_path: Path) -> None:
    write_set(tmp_path, IDS)
    chatbot, judge = Chatbot(usual=SLOW), JudgeServer()
    words = ["run", "set.yaml", "--run-id", "r1", "--concurrency", "2"]
    with on_stage(chatbot, judge):
        environment = environment_for(chatbot.url, judge.judge_url)
        with running(tmp_path, *words, **environment) as process:
            wait_until(lambda: len(rows(tmp_path)) > 2, process)
            for name in names.split():
                process.send_signal(signal.Signals[name])
                time.sleep(0.02)
            output, errors = process.communicate(timeout=20)
        assert process.returncode == 130, errors
        assert "Traceback" not in errors
        assert errors.rstrip().endswith("go on with the same command and --run-id r1 --resume")
        assert "PASS" not in output
        kept = rows(tmp_path, "item_id, finished_at")
        assert 2 < len(kept) < len(IDS)
        assert gate(tmp_path) == 3
        assert golden(tmp_path, *words, "--resume", **environment).returncode == 0
    after = rows(tmp_path, "item_id, finished_at")
    assert set(kept) <= set(after)  # untouched
    assert [item_id for item_id, _ in after] == IDS


def test_a_row_in_hand_is_stored_before_an_interrupted_run_ends(tmp_path: Path) -> None:
    write_set(tmp_path, IDS)
    chatbot, judge = Chatbot(usual=SLOW), JudgeServer()
    words = ["run", "set.yaml", "--run-id", "r1", "--concurrency", "2"]
    with on_stage(chatbot, judge), running(tmp_path, *words, **environment_for(chatbot.url, judge.judge_url)) as process:
        wait_until(lambda: len(rows(tmp_path)) > 2, process)
        with closing(sqlite3.connect(tmp_path / "golden.db", isolation_level=None, timeout=30)) as other:
            other.execute("BEGIN IMMEDIATE")
            kept = rows(tmp_path)
            wait_until(lambda: judge.asked.total() > len(kept) + 2, process)
            process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            other.execute("COMMIT")
        assert process.wait(timeout=30) == 130
    assert len(rows(tmp_path)) > len(kept)


def test_a_run_that_cannot_store_what_it_has_ends_at_once_when_it_is_asked_again(tmp_path: Path) -> None:
    write_set(tmp_path, IDS)
    chatbot, judge = Chatbot(usual=SLOW), JudgeServer()
    words = ["run", "set.yaml", "--run-id", "r1", "--concurrency", "2"]
    with on_stage(chatbot, judge), running(tmp_path, *words, **environment_for(chatbot.url, judge.judge_url)) as process:
        wait_until(lambda: len(rows(tmp_path)) > 2, process)
        with closing(sqlite3.connect(tmp_path / "golden.db", isolation_level=None, timeout=30)) as other:
            other.execute("BEGIN IMMEDIATE")
            kept = rows(tmp_path)
            wait_until(lambda: judge.asked.total() > len(kept) + 2, process)  # two are judged at a time: a row is in hand
            process.send_signal(signal.SIGTERM)
            time.sleep(ASKED_AGAIN_S + 0.2)
            assert process.poll() is None  # it waits for the store, so as not to lose that row
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=5) == 130
            other.execute("COMMIT")
    assert rows(tmp_path) == kept
    assert gate(tmp_path) == 3


# --- where the output goes ---


@pytest.fixture(scope="module")
def passed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a set, and a run of it that passed."""
    folder = tmp_path_factory.mktemp("passed")
    write_set(folder, IDS)
    write_function(folder)
    assert golden(folder, "run", "set.yaml", "--config", "golden.yaml", "--run-id", "r1").returncode == 0
    return folder


RUN = ["run", "set.yaml", "--config", "golden.yaml", "--run-id", "r2"]


@pytest.mark.parametrize("words", [RUN, ["show", "r1"], ["gate", "r1"], ["runs"]], ids=lambda words: words[0])
@pytest.mark.parametrize("environment", [{}, {"PYTHONUNBUFFERED": "1"}], ids=["buffered", "unbuffered"])
def test_a_reader_that_goes_away_stops_nothing_and_is_no_mess(
    words: list[str], environment: dict[str, str], passed: Path, tmp_path: Path
) -> None:
    own = ["--store", str(tmp_path / "golden.db"), "--json", str(tmp_path / "r.json")] if words == RUN else []
    reader, writer = os.pipe()
    os.close(reader)
    try:
        command = [*GOLDEN, *words, *own]
        done = subprocess.run(command, cwd=passed, env=CLEAN | environment, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
    if own:
        assert json.loads((tmp_path / "r.json").read_text())["totals"]["scored"] == len(IDS)
        assert gate(tmp_path, "r2") == 0


def test_a_reader_that_goes_away_after_the_first_line_stops_nothing(tmp_path: Path) -> None:
    write_set(tmp_path, IDS)
    write_function(tmp_path, SLOW_BOT)
    command = f"{' '.join(GOLDEN)} run set.yaml --config golden.yaml --run-id r1 --concurrency 2 --json r.json | head -1"
    piped = ["bash", "-c", f"set -o pipefail; {command}"]
    done = subprocess.run(piped, cwd=tmp_path, env=CLEAN, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert rows(tmp_path) == IDS
    assert json.loads((tmp_path / "r.json").read_text())["decision"] == "PASS"


NARROW: dict[str, dict[str, str]] = {
    "LANG=C": {"LANG": "C", "LC_ALL": "C"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "a dumb terminal": {"TERM": "dumb", "COLUMNS": "40", "PYTHONIOENCODING": "latin-1"},
}
EVERYTHING_SAID = (["gate", "r1"], ["show", "r1"], ["runs"], ["rescore", "r1", "--set", "set.yaml"], ["validate", "set.yaml"])


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a set, and a run of it, whose names and answers few terminals can show."""
    folder = tmp_path_factory.mktemp("strange")
    write_set(folder, {"syarat-日本-é": {"question": "Apa syarat “PT”?", "domain": "hukum‑é", "verified": False}, "a": {}})
    write_function(folder, "def ask(question):\n    return 'keliru é 日本 ‑ \U0001f600'\n")
    assert golden(folder, "run", "set.yaml", "--config", "golden.yaml", "--run-id", "r1").returncode == 1
    return folder


@pytest.mark.parametrize("environment", NARROW.values(), ids=NARROW.keys())
def test_a_narrow_terminal_shows_what_it_can_and_stops_nothing(environment: dict[str, str], strange: Path, tmp_path: Path) -> None:
    store = str(tmp_path / "golden.db")
    words = ["run", "set.yaml", "--config", "golden.yaml", "--store", store]
    reports = [word if word.startswith("--") else str(tmp_path / word) for word in REPORTS]
    done = in_bytes(strange, *words, *reports, **environment)
    assert done.returncode == 1, done.stderr
    assert last_line(done.stdout.decode("utf-8", "replace")).startswith("BLOCK: pass rate 0 % (0/2)")
    reports_say(tmp_path, "BLOCK", 1)


@pytest.mark.parametrize("words", EVERYTHING_SAID, ids=lambda words: words[0])
def test_every_command_speaks_to_a_terminal_without_letters(words: list[str], strange: Path) -> None:
    done = in_bytes(strange, *words, PYTHONIOENCODING="ascii")
    assert done.returncode == (1 if words[0] == "gate" else 0), done.stderr
    assert done.stdout.isascii()
    assert done.stderr == b""
    if words[0] in ("gate", "show"):
        assert b"syarat-\\u65e5\\u672c-\\xe9" in done.stdout


def in_bytes(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*GOLDEN, *words], cwd=folder, env=CLEAN | environment, capture_output=True, timeout=60)


def test_without_a_home_it_runs(tmp_path: Path) -> None:
    write_set(tmp_path, ["a"])
    write_function(tmp_path)
    done = golden(tmp_path, "run", "set.yaml", "--config", "golden.yaml", unset=["HOME", "USER", "LOGNAME"])
    assert done.returncode == 0, done.stderr
