"""The documentation: its code blocks run, its tables are those of the code, and nothing public is missing from it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer
import yaml
from typer.core import TyperGroup

import goldenlib
from goldenlib.cli import app
from goldenlib.config.settings import SECRET_VARIABLES, Settings, TargetSettings, load_settings
from goldenlib.files.loading import load_set
from goldenlib.items import Expected, ExpectedResult, Item, Review
from goldenlib.notebook import RunParameters

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_KEYS = re.compile(r"(<!-- keys: begin[^\n]*-->\n)(.*?)(<!-- keys: end -->)", re.DOTALL)


@dataclass(frozen=True)
class Block:
    page: Path
    language: str
    text: str
    line: int


def blocks() -> Iterator[Block]:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in _BLOCK.finditer(text):
            yield Block(page, match[1], match[2], text.count("\n", 0, match.start()) + 1)


def name_of(block: Block) -> str:
    return f"{block.page.relative_to(ROOT)}:{block.line}"


BLOCKS = list(blocks())
PAGES_WITH_COMMANDS = sorted({block.page for block in BLOCKS if block.language == "bash"})


@pytest.mark.parametrize("page", PAGES_WITH_COMMANDS, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_of_a_page_run_in_order(page: Path, tmp_path: Path) -> None:
    for folder in ("golden", "notebooks"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GOLDEN_")}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    for block in BLOCKS:
        if block.page == page and block.language == "bash" and "make " not in block.text:
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", block.text], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
            )
            assert done.returncode == 0, f"{name_of(block)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language == "python"], ids=name_of)
def test_python_blocks_run(block: Block, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "golden", tmp_path / "golden")
    done = subprocess.run([sys.executable, "-W", "error", "-c", block.text], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language == "yaml"], ids=name_of)
def test_yaml_blocks_load(block: Block, tmp_path: Path) -> None:
    path = tmp_path / "block.yaml"
    path.write_text(block.text, encoding="utf-8")
    keys = set(yaml.safe_load(block.text))
    if "items" in keys:
        assert len(load_set([path])) > 0
    elif "rag_quality" in keys:
        _, warnings = load_settings(path, environ={})
        assert warnings == ()
    else:
        pytest.fail(f"{name_of(block)}: neither a golden set nor a configuration")


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "ci").glob("*.yml")), ids=lambda path: path.name)
def test_ci_files_are_yaml_and_call_golden_with_known_options(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert yaml.safe_load(text)
    used = set(re.findall(r"(?<![\w-])(--[a-z-]+)", text))
    offered = subprocess.run(
        [sys.executable, "-m", "goldenlib", "run", "--help"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"COLUMNS": "200"},
    )
    assert used <= set(re.findall(r"--[a-z-]+", offered.stdout))


CI_FILES = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "ci").glob("*.yml")}
GITHUB, GITLAB = (yaml.safe_load(CI_FILES[name]) for name in ("github-actions.yml", "gitlab-ci.yml"))
STEPS = GITHUB["jobs"]["gate"]["steps"]
(ASKS,) = [step for step in STEPS if "golden run" in step.get("run", "")]
TOKENS = {"GOLDEN_CHATBOT_TOKEN", "GOLDEN_JUDGE_API_KEY"}
SCRIPTS = {"github": [step["run"] for step in STEPS if "run" in step], "gitlab": GITLAB["golden-questions"]["script"]}
VARIABLES = {"github": ASKS["env"], "gitlab": GITLAB["golden-questions"]["variables"]}


@pytest.mark.parametrize("host", ["github", "gitlab"])
def test_the_ready_ci_files_hold_regressions_and_want_most_items_scored(host: str) -> None:  # field/ci-owner A3, A7
    variables = VARIABLES[host]
    assert variables["GOLDEN_HOLD_REGRESSIONS"] == "true"
    assert float(variables["GOLDEN_MIN_SCORED_RATE"]) >= 0.5


def test_the_ready_ci_files_keep_the_whole_store() -> None:  # field/ci-owner B1
    caches = [step for step in STEPS if step.get("uses", "").startswith("actions/cache/")]
    assert [step["with"]["path"] for step in caches] == ["golden.db*", "golden.db*"]
    assert caches[1]["if"] == "always()"
    assert GITLAB["golden-questions"]["cache"]["paths"] == ["golden.db*"]
    assert GITLAB["golden-questions"]["cache"]["when"] == "always"
    assert ASKS["timeout-minutes"] < GITHUB["jobs"]["gate"]["timeout-minutes"]


@pytest.mark.parametrize("host", ["github", "gitlab"])
def test_the_ready_ci_files_make_an_id_per_attempt_and_go_on_with_what_failed(host: str) -> None:  # field/ci-owner A2
    script = "\n".join(SCRIPTS[host])
    said = script + str(VARIABLES[host])
    assert "github.run_id }}-${{ github.run_attempt" in said if host == "github" else "$CI_JOB_ID" in said
    assert "ask --resume" in script
    assert '--label "$LABEL"' in script
    assert "LABEL" in VARIABLES[host]
    assert "|| true" not in script
    assert script.rstrip().endswith('exit "$code"')


@pytest.mark.parametrize("host", ["github", "gitlab"])
@pytest.mark.parametrize(("codes", "ends"), [("0", 0), ("1", 1), ("2", 2), ("3 0", 0), ("3 1", 1), ("3 3", 3), ("130", 130)])
def test_the_script_of_a_ready_ci_file_ends_with_the_decision(host: str, codes: str, ends: int, tmp_path: Path) -> None:
    """Run with a command in the place of `golden` that ends with one code after the other."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    command = tmp_path / ".venv" / "bin" / "golden"
    command.write_text('#!/bin/sh\necho "$@" >> asked\nread code < codes; sed -i "1d" codes; exit "$code"\n', encoding="utf-8")
    command.chmod(0o755)
    (tmp_path / "codes").write_text("\n".join(codes.split()) + "\n", encoding="utf-8")
    environment = os.environ | {"LABEL": "staging", "RUN_ID": "gh-1-1", "CI_JOB_ID": "7", "GITHUB_STEP_SUMMARY": "s.md"}
    (script,) = [script for script in SCRIPTS[host] if "golden run" in script]
    assert subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, env=environment, timeout=30, check=False).returncode == ends
    asked = (tmp_path / "asked").read_text(encoding="utf-8").splitlines()
    assert len(asked) == len(codes.split())
    assert ["--resume" in line for line in asked] == [False, True][: len(asked)]
    ids = {re.findall(r"--run-id (\S+)", line)[0] for line in asked}
    assert len(ids) == 1


def test_the_ready_ci_files_take_nothing_that_could_be_exchanged() -> None:  # field/security 7
    actions = re.findall(r"uses: (\S+)(.*)", CI_FILES["github-actions.yml"])
    assert len(actions) == 5
    for action, comment in actions:
        assert re.fullmatch(r"actions/[a-z/-]+@[0-9a-f]{40}", action)
        assert re.match(r" # v\d+\.\d+\.\d+", comment)
    for text in CI_FILES.values():
        assert "pip install" not in text
    assert GITHUB["jobs"]["gate"]["runs-on"] != "ubuntu-latest"
    assert re.fullmatch(r"python:\d+\.\d+\.\d+-\w+(@sha256:[0-9a-f]{64})?", GITLAB["golden-questions"]["image"])
    assert "--require-hashes" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_ready_ci_files_ask_a_finished_deployment_only() -> None:  # field/ci-owner C
    condition = GITHUB["jobs"]["gate"]["if"]
    assert "github.event.deployment_status.state == 'success'" in condition
    assert "deployment_status" not in condition.replace("github.event.deployment_status.state == 'success'", "")
    assert GITLAB["golden-questions"]["needs"] == ["deploy"]


def test_the_ready_ci_files_give_tokens_to_one_step() -> None:  # field/security 7
    job = GITHUB["jobs"]["gate"]
    assert not {*GITHUB.get("env", {}), *job.get("env", {})} & TOKENS
    assert [step for step in STEPS if TOKENS & set(step.get("env", {}))] == [ASKS]
    assert "secrets." not in str([step for step in STEPS if step is not ASKS])
    assert GITHUB["permissions"] == {"contents": "read"}
    assert STEPS[0]["with"]["persist-credentials"] is False
    assert not TOKENS & set(GITLAB["golden-questions"]["variables"])
    others = [line for line in SCRIPTS["gitlab"] if "golden run" not in line]
    assert all(f"-u {token}" in line for line in others for token in TOKENS)


def settings_table() -> str:
    lines = ["| key | default | meaning |", "| --- | --- | --- |"]
    for key, field in Settings.model_fields.items():
        if key in SECRET_VARIABLES:
            continue
        default = field.get_default(call_default_factory=True)
        shown = ", ".join(default) or "none" if isinstance(default, tuple) else "none" if default in (None, {}) else str(default)
        lines.append(f"| `{key}` | {shown} | {field.description} |")
    return "\n".join(lines) + "\n"


def table_of_names() -> str:
    """Return the front door as a table: every public name, in the order of `__init__.pyi`, with the first line of its docstring."""
    lines = ["| name | what it is | where it lives |", "| --- | --- | --- |"]
    for name, (module, _) in goldenlib._homes().items():
        told = (getattr(goldenlib, name).__doc__ or "").splitlines()[0].replace("|", "\\|")
        lines.append(f"| `{name}` | {told} | `goldenlib.{module}` |")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("page", "table"), [("configuration.md", settings_table), ("library.md", table_of_names)])
def test_a_table_of_the_docs_is_that_of_the_code(page: str, table: Callable[[], str]) -> None:
    path = ROOT / "docs" / page
    text, made = path.read_text(encoding="utf-8"), table()
    match = _KEYS.search(text)
    assert match is not None
    if os.environ.get("GOLDEN_UPDATE_DOCS"):
        path.write_text(_KEYS.sub(lambda found: found[1] + made + found[3], text), encoding="utf-8")
    else:
        assert match[2] == made, "make it anew: GOLDEN_UPDATE_DOCS=1 pytest tests/test_docs.py"


def commands(app: TyperGroup, before: str = "") -> Iterator[str]:
    for name, command in app.commands.items():
        yield from commands(command, f"{before}{name} ") if isinstance(command, TyperGroup) else [before + name]


def public_words() -> list[str]:
    words = list(goldenlib.__all__)
    words += [f"golden {command}" for command in commands(typer.main.get_command(app))]
    for model in (Settings, TargetSettings, Item, Expected, ExpectedResult, Review, RunParameters):
        words += list(model.model_fields)
    return sorted(set(words))


ALL_DOCS = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


@pytest.mark.parametrize("word", public_words())
def test_everything_public_stands_in_the_docs(word: str) -> None:
    assert re.search(rf"(?<!\w){re.escape(word)}(?!\w)", ALL_DOCS), f"{word} is not in the docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    targets = [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)]
    assert [target for target in targets if target and "://" not in target and not (page.parent / target).exists()] == []
