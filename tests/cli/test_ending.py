"""How commands end when something hinders them: exit codes, and one line on standard error."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_runs import EXAMPLE, GOLDEN, golden, last_line

ALIAS = f"{sys.executable} -c 'from goldenlib.cli import goldeneval; goldeneval()'"


def shell(folder: Path, command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command line as a shell runs it, with `golden` and `goldeneval` in it."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GOLDEN_")}
    script = f'golden() {{ {" ".join(GOLDEN)} "$@"; }}; goldeneval() {{ {ALIAS} "$@"; }}; {command}'
    return subprocess.run(["bash", "-c", script], cwd=folder, env=clean | environment, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run that passed (good) and one that was blocked (bad)."""
    folder = tmp_path_factory.mktemp("decided")
    words = ["run", EXAMPLE, "--select", "apostille-*", "--run-id"]
    assert golden(folder, *words, "good", "--allow-unverified").returncode == 0
    assert golden(folder, *words, "bad").returncode == 1
    return folder


COMMANDS = [
    "golden gate good",
    "golden gate bad",
    "golden show bad",
    "golden runs",
    f"golden rescore good --set {EXAMPLE}",
    f"golden validate {EXAMPLE}",
    f"golden lint {EXAMPLE}",
    f"golden lint {EXAMPLE} --json",
    "golden schema",
    f"golden coverage {EXAMPLE}",
    "golden --help",
    f"golden run {EXAMPLE} --select apostille-biaya --allow-unverified",
    f"goldeneval -set {EXAMPLE} -allow-unverified",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_an_output_that_is_full_or_closed_ends_with_3_and_one_line(command: str, decided: Path) -> None:
    """fd-014, fd-015: Python's own exit code for it is 1, which means BLOCK."""
    for redirected, said in ((">/dev/full", "standard output cannot be written (No space left on device)"), (">&-", "is closed")):
        done = shell(decided, f"{command} {redirected}")
        assert done.returncode == 3
        assert said in done.stderr
        warnings = [line for line in done.stderr.splitlines() if not line.startswith("warning: ")]
        assert len(warnings) == 1


def test_a_run_whose_report_could_not_be_printed_is_decided_all_the_same(decided: Path) -> None:
    run = f"golden run {EXAMPLE} --select apostille-* --allow-unverified --json full.json"
    assert shell(decided, f"{run} --run-id full > /dev/full").returncode == 3
    assert golden(decided, "gate", "full").returncode == 0
    assert (decided / "full.json").exists()


def test_a_closed_output_stops_a_run_before_anything_is_asked(decided: Path) -> None:
    assert shell(decided, f"golden run {EXAMPLE} --run-id closed >&-").returncode == 3
    assert golden(decided, "gate", "closed").returncode == 3


@pytest.mark.parametrize(("run", "code"), [("good", 0), ("bad", 1), ("missing", 3)])
@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full", "<&-"])
def test_a_decision_that_is_said_keeps_its_code_whatever_becomes_of_the_rest(run: str, code: int, redirected: str, decided: Path) -> None:
    done = shell(decided, f"golden gate {run} {redirected}")
    assert done.returncode == code
    assert last_line(done).startswith(("PASS", "BLOCK", "ERROR")[0 if code == 0 else code if code == 1 else 2])


@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full", "2>&- >&-", "2>/dev/full >/dev/full", "<&- >&- 2>&-"])
def test_wrong_use_and_errors_never_end_like_a_decision(redirected: str, decided: Path) -> None:
    for command in ("golden show missing", "golden run nowhere.yaml", "golden gate", "golden validate nowhere.yaml"):
        assert shell(decided, f"{command} {redirected}").returncode in (2, 3)


def test_a_reader_that_goes_away_is_no_error(decided: Path) -> None:
    done = shell(decided, "golden show bad | head -1; echo ${PIPESTATUS[0]}; golden gate bad | true; echo ${PIPESTATUS[0]}")
    assert done.stdout.splitlines()[1:] == ["0", "1"]
    assert done.stderr == ""


@pytest.mark.parametrize("entry", ["main", "goldeneval"])
def test_a_crash_ends_with_3_and_one_line(entry: str, tmp_path: Path) -> None:
    """A fault of our own, put into the loading of sets: told in a line, and with its place on demand."""
    code = (
        "import sys, goldenlib.files.loading as m\ndef load_set(*a, **k): raise RuntimeError('no\\n##[error]way')\nm.load_set = load_set\n"
    )
    words = ["validate", EXAMPLE] if entry == "main" else ["-set", EXAMPLE]
    code += f"from goldenlib.cli import {entry}; sys.argv = ['golden', *{words!r}]; {entry}()"
    for shown in ("", "1"):
        environment = os.environ | ({"GOLDEN_TRACEBACK": shown} if shown else {})
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 3
        assert done.stderr.splitlines()[-1].startswith("internal error: RuntimeError: no ## [error]way; GOLDEN_TRACEBACK=1 shows where")
        assert ("Traceback" in done.stderr) is bool(shown)
        assert len(done.stderr.splitlines()) == 1 or shown
        assert "##[" not in done.stderr


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("golden run '' --allow-unverified", "the word after 'run' is empty"),
        (f"golden run {EXAMPLE} --config '' --allow-unverified", "the word after '--config' is empty"),
        (f"golden run {EXAMPLE} --store ' '", "the word after '--store' is empty"),
        (f"golden run {EXAMPLE} --judge=", "--judge= is empty"),
        ("golden gate good --config=''", "--config= is empty"),
        ("golden gate ''", "the word after 'gate' is empty"),
        ("golden schema -o ''", "the word after '-o' is empty"),
        ("goldeneval -set ''", "the word after '-set' is empty"),
        (f"goldeneval -set {EXAMPLE} -config ''", "the word after '-config' is empty"),
    ],
)
def test_an_empty_word_of_the_command_line_is_wrong_use(command: str, said: str, decided: Path) -> None:
    """fd-001: an unset variable is an empty word; an empty FILE was the working folder."""
    done = shell(decided, command)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_a_column_may_be_left_out_by_an_empty_field(tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_text("question,must_include,Rahasia\nApa itu apostille?,Pengesahan tanda tangan,x\n", encoding="utf-8")
    assert golden(tmp_path, "import", "set.csv", "a.yaml", "--column", "Rahasia=").returncode == 0


@pytest.mark.parametrize("variable", ["GOLDEN_CHATBOT_URL", "GOLDEN_JUDGE_URL", "GOLDEN_CHATBOT_TOKEN", "GOLDEN_STORE"])
@pytest.mark.parametrize(
    "command", ["golden run SET --config c.yaml", "goldeneval -set SET -config c.yaml", "golden gate good --config c.yaml"]
)
def test_an_empty_variable_stops_every_command_before_anything_is_asked(variable: str, command: str, decided: Path) -> None:
    """fd-001"""
    (decided / "c.yaml").write_text("rag_quality:\n  judge_model: qwen3-32b\n", encoding="utf-8")
    done = shell(decided, command.replace("SET", EXAMPLE), **{variable: ""})
    assert done.returncode == 2
    assert f"environment variable {variable} is empty" in done.stderr
    assert done.stdout == ""
