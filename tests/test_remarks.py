"""What an answer nearly says, and that it looks like no answer, in every report of a run (contract 4.1; fd-028, fd-042)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

ANSWERS = {
    "sound": "Tidak perlu akta apa pun.",
    "near": "Anda wajib akta <b>notaris</b>.",
    "page": "<html><body>Service Unavailable</body></html>",
    "null": "null",
    "shown": "Terjadi kesalahan pada server",
}
GOLDEN_SET = """\
items:
  - {id: sound, question: a, expected: {must_include: [tidak perlu]}, verified: true}
  - {id: near, question: b, expected: {must_not_include: [akta notaris]}, verified: true}
  - {id: page, question: c, expected: {must_not_include: [Rp75.000]}, verified: true}
  - {id: "null", question: d, expected: {must_not_include: [Rp75.000]}, verified: true}
  - {id: shown, question: e, expected: {must_include: [kesalahan]}, verified: true}
"""
REMARKS = {
    "near": "nearly says 'akta notaris' - the answer has 'akta <b>notaris</b>'",
    "page": "looks like an error message, not an answer: '<html><body>Service Unavailable</body></html>'",
    "null": "looks like an error message, not an answer: 'null'",
    "shown": "looks like an error message, not an answer: 'Terjadi kesalahan pada server'",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of recorded answers, without a judge, and all its reports."""
    made = tmp_path_factory.mktemp("remarks")
    (made / "set.yaml").write_text(GOLDEN_SET, encoding="utf-8")
    lines = [json.dumps({"item_id": item_id, "answer": text}) for item_id, text in ANSWERS.items()]
    (made / "answers.jsonl").write_text("\n".join(lines), encoding="utf-8")
    config = "rag_quality:\n  judge_url: off\n  targets:\n    public:\n      kind: recorded\n      path: answers.jsonl\n"
    (made / "config.yaml").write_text(config, encoding="utf-8")
    reports = [word for kind in ("json", "html", "junit", "markdown") for word in (f"--{kind}", f"report.{kind}")]
    command = [sys.executable, "-m", "goldenlib", "run", "set.yaml", "--config", "config.yaml", "--run-id", "r1", *reports]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GOLDEN_")} | {"COLUMNS": "200"}
    done = subprocess.run(command, cwd=made, env=clean, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    (made / "report.terminal").write_text(done.stdout, encoding="utf-8")
    return made


def results(folder: Path) -> dict[str, dict[str, object]]:
    return {result["item_id"]: result for result in json.loads((folder / "report.json").read_text(encoding="utf-8"))["results"]}


def test_an_error_message_with_phrases_to_forbid_only_is_no_pass(folder: Path) -> None:
    found = {item_id: (result["status"], result["passed"]) for item_id, result in results(folder).items()}
    assert found == {
        "sound": ("scored", True),
        "near": ("scored", True),
        "page": ("error", None),
        "null": ("error", None),
        "shown": ("scored", True),
    }


@pytest.mark.parametrize(("item_id", "remark"), REMARKS.items())
def test_a_remark_stands_at_its_item(folder: Path, item_id: str, remark: str) -> None:
    assert remark in str(results(folder)[item_id]["reason"])
    cases = {case.get("name"): case for case in ElementTree.parse(folder / "report.junit").iter("testcase")}
    assert remark in "".join(cases[item_id].itertext())


@pytest.mark.parametrize("report", ["terminal", "json", "html", "junit", "markdown"])
@pytest.mark.parametrize(("item_id", "remark"), REMARKS.items())
def test_a_remark_stands_in_every_report(folder: Path, report: str, item_id: str, remark: str) -> None:
    text = (folder / f"report.{report}").read_text(encoding="utf-8")
    words = "".join(char for char in unescape(text) if char.isalnum())
    assert "".join(char for char in remark if char.isalnum()) in words


def test_a_sound_answer_has_no_remark(folder: Path) -> None:
    warnings = json.loads((folder / "report.json").read_text(encoding="utf-8"))["warnings"]
    assert [warning for warning in warnings if "sound" in warning] == []
    assert sorted(warning.partition(":")[0] for warning in warnings) == ["near", "null", "page", "shown"]
