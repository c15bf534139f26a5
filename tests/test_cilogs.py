"""What a CI runner would take for a command, in every text that is printed."""

from __future__ import annotations

import json
import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.cilogs import LineWatch, escaped_json, json_text, without_commands, xml_text
from goldenlib.errors import GateFailed, SettingsError
from tests.cli.test_runs import golden

COMMANDS = [
    "##[warning]x",
    "##vso[task.complete result=Failed;]",
    "::warning::x",
    "##teamcity[buildStop]",
    "  ::add-mask::BLOCK",
    "\u00a0\u3000::stop-commands::abc",
    "\u200b::error::x",
    ":\u200b:error::x",
    "##\u00ad[error]x",
    "#\u2060#[error]x",
    "##VSO[task.setvariable variable=a]b",
    "first\n::error::second",
    "first\r::error::second",
    "first\u2028  ::error::second",
    "section_start:1560896352:x",
    "@@@STEP_FAILURE@@@",
]


def obeyed(text: str) -> list[str]:
    """The commands that runners find, in the manner of their own parsers, comparing by culture: what is unseen is passed over."""
    seen = re.sub(r"\x1b\[[0-9;]*m|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]", "", text)
    lines = re.split(r"[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", seen)
    found = [line for line in lines if line.lstrip().startswith("::")]
    return found + re.findall(r"(?i)##(?:vso|teamcity)?\[.*|section_(?:start|end):\d+.*|@@@[a-z].*", seen)


@pytest.mark.parametrize("text", COMMANDS, ids=ascii)
def test_a_command_is_broken_and_stays_readable(text: str) -> None:
    """fd-076, field/security 3."""
    assert obeyed(text)
    assert not obeyed(without_commands(text))
    assert without_commands(text).replace(" ", "") == text.replace(" ", "")
    assert without_commands(without_commands(text)) == without_commands(text)


@pytest.mark.parametrize(
    "text", ["a::b", "std::vector", "http://[::1]:8080", "# [x]", "#1 [x]", "x: y", "12:30", "\x1b[31m##\x1b[0m", "a ##"]
)
def test_a_text_that_is_no_command_is_left_alone(text: str) -> None:
    assert without_commands(text) == text


@pytest.mark.parametrize("text", COMMANDS, ids=ascii)
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_a_command_that_comes_in_pieces_is_broken_too(text: str, size: int) -> None:
    watch = LineWatch()
    given_on = "".join(watch.piece(text[at : at + size]) for at in range(0, len(text), size))
    assert given_on == without_commands(text)


PIECES = st.lists(
    st.sampled_from(["#", ":", "[", "]", " ", "\n", "\r", "\u200b", "\x1b[1m", "x", "vso", "teamcity", "section_start", "1"]), max_size=30
)


@given(st.lists(PIECES, max_size=5))
def test_whatever_is_written_nothing_in_it_is_obeyed(written: list[list[str]]) -> None:
    watch = LineWatch()
    assert not obeyed("".join(watch.piece("".join(pieces)) for pieces in written))


@pytest.mark.parametrize("text", [*COMMANDS, "##\\[x", '##"[', "\u200b::"], ids=ascii)
def test_json_keeps_its_values_and_holds_no_command(text: str) -> None:
    value = {"id": text, text: [text, 1, None]}
    written = json_text(value)
    assert json.loads(written) == value
    assert without_commands(written) == written
    assert not re.search(r"##[a-zA-Z]*\[", written)


@pytest.mark.parametrize("text", COMMANDS, ids=ascii)
def test_the_text_of_an_error_is_no_command_either(text: str) -> None:
    """A notebook's log shows errors as they are."""
    assert not obeyed(str(SettingsError(text)))
    assert not obeyed(str(GateFailed(text, 1)))


HOSTILE = ["##[set-output name=decision;]PASS", "##vso[task.complete result=Succeeded;]", "##teamcity[buildStop]"]


def a_hostile_set(folder: Path) -> None:
    items = [
        {
            "id": f"{command.replace(' ', '_')}-{number}",
            "domain": command,
            "question": f"{'x' * 95} ::add-mask::BLOCK {command}",
            "expected": {"must_include": [f"{'y ' * 40}::stop-commands::abc123 {command}"], "must_not_include": ["::error::z"]},
        }
        for number, command in enumerate([*HOSTILE, "::add-mask::BLOCK"])
    ]
    (folder / "set.yaml").write_text(json.dumps({"items": items}), encoding="utf-8")
    (folder / "bad.yaml").write_text(json.dumps({"items": [*items, {**items[0], "::error::key": 1, "##[group]x": 2}]}), encoding="utf-8")
    (folder / "bad.csv").write_text("::error::a,##[error]b\n1,2\n", encoding="utf-8")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A folder with a run of a hostile set, whose answers are hostile too."""
    folder = tmp_path_factory.mktemp("hostile")
    a_hostile_set(folder)
    answer = "\n".join([*HOSTILE, "::warning::answered", "##[section]x"])
    records = [json.dumps({"item_id": item, "answer": answer}) for item in ("##teamcity[buildStop]-2", "::add-mask::BLOCK-3")]
    (folder / "answers.jsonl").write_text("\n".join(records), encoding="utf-8")
    config = "rag_quality:\n  judge_url: off\n  targets: {public: {kind: recorded, path: answers.jsonl}}\n  '##[error]key': 1\n"
    (folder / "c.yaml").write_text(config, encoding="utf-8")
    words = ["run", "set.yaml", "--config", "c.yaml", "--run-id", "r1", "--allow-unverified", "--label", "##[error]label"]
    return folder, golden(folder, *words, COLUMNS="43")


def test_a_run_gives_no_commands_to_a_runner(hostile: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    """fd-076: ids, domains, phrases, answers."""
    assert "2 failed, 2 errors" in hostile[1].stdout
    assert "key" in hostile[1].stderr
    assert not obeyed(hostile[1].stdout)
    assert not obeyed(hostile[1].stderr)


@pytest.mark.parametrize("columns", ["20", "80", "160"])
def test_however_wide_the_log_is_no_line_of_it_is_a_command(columns: str, hostile: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    done = golden(hostile[0], "show", "r1", COLUMNS=columns, **({"FORCE_COLOR": "1"} if columns == "80" else {}))
    assert done.returncode == 0
    assert ("\x1b[" in done.stdout) is (columns == "80")  # colours do not hide a command
    assert not obeyed(done.stdout)


@pytest.mark.parametrize(
    "words",
    [
        ["gate", "r1"],
        ["gate", "::error::x"],
        ["runs"],
        ["rescore", "r1", "--set", "set.yaml"],
        ["validate", "set.yaml"],
        ["validate", "bad.yaml"],
        ["validate", "##[error]missing.yaml"],
        ["lint", "set.yaml"],
        ["lint", "set.yaml", "--json"],
        ["import", "bad.csv"],
        ["export", "set.yaml", "##[error]x.csv", "--force"],
        ["run", "set.yaml", "--select", "::error::x"],
        ["::error::command"],
        ["run", "--##[error]option"],
    ],
    ids=" ".join,
)
def test_no_command_of_ours_gives_commands_to_a_runner(words: list[str], hostile: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    """fd-076, field/security 3: problems of files too, on standard output and error."""
    done = golden(hostile[0], *words, COLUMNS="43")
    assert done.stdout or done.stderr
    assert not obeyed(done.stdout)
    assert not obeyed(done.stderr)
    assert "Traceback" not in done.stderr


def test_findings_for_machines_keep_their_ids(hostile: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    ids = [f"{command.replace(' ', '_')}-{number}" for number, command in enumerate([*HOSTILE, "::add-mask::BLOCK"])]
    found = json.loads(golden(hostile[0], "lint", "set.yaml", "--json").stdout)["findings"]
    assert {finding["item_id"] for finding in found} <= set(ids)


def test_a_set_that_would_be_printed_with_another_text_is_not_printed(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("question,must_include\n##[error]Apa?,x y\n", encoding="utf-8")
    done = golden(tmp_path, "import", "q.csv")
    assert done.returncode == 2
    assert "name the YAML file to write" in done.stdout + done.stderr
    assert golden(tmp_path, "import", "q.csv", "q.yaml").returncode == 0
    assert "##[error]Apa?" in (tmp_path / "q.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["##[group]x", "##vso[task.complete]", "##teamcity[buildStop]"])
def test_files_of_xml_and_json_say_the_same_without_a_command(command: str) -> None:
    """fd-076: a job that prints its report obeyed it."""
    xml, notebook = f'<case name="{command}">{command}</case>', json.dumps({"text": [f"{command}\n"]})
    assert "##[" not in xml_text(xml) + escaped_json(notebook)
    assert command not in xml_text(xml) + escaped_json(notebook)
    assert (ET.fromstring(xml_text(xml)).text, ET.fromstring(xml_text(xml)).get("name")) == (command, command)
    assert json.loads(escaped_json(notebook)) == json.loads(notebook)
