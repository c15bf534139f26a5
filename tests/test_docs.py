"""The documentation: its code blocks run, its tables are those of the code, and nothing public is missing from it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

import goldenlib
from goldenlib.items import Expected, ExpectedResult, Item, Review
from goldenlib.loading import load_set
from goldenlib.notebook import RunParameters
from goldenlib.settings import SECRET_VARIABLES, Settings, TargetSettings, load_settings

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


def settings_table() -> str:
    lines = ["| key | default | meaning |", "| --- | --- | --- |"]
    for key, field in Settings.model_fields.items():
        if key in SECRET_VARIABLES:
            continue
        default = field.get_default(call_default_factory=True)
        shown = ", ".join(default) or "none" if isinstance(default, tuple) else "none" if default in (None, {}) else str(default)
        lines.append(f"| `{key}` | {shown} | {field.description} |")
    return "\n".join(lines) + "\n"


def test_the_table_of_settings_is_that_of_the_code() -> None:
    page = ROOT / "docs" / "configuration.md"
    text = page.read_text(encoding="utf-8")
    match = _KEYS.search(text)
    assert match is not None
    if os.environ.get("GOLDEN_UPDATE_DOCS"):
        page.write_text(_KEYS.sub(lambda found: found[1] + settings_table() + found[3], text), encoding="utf-8")
    else:
        assert match[2] == settings_table(), "make it anew: GOLDEN_UPDATE_DOCS=1 pytest tests/test_docs.py"


COMMANDS = (
    *("run", "gate", "show", "runs", "rescore", "validate", "lint", "schema", "import", "export"),
    *("check", "match", "coverage", "demo serve"),
)


def public_words() -> list[str]:
    words = list(goldenlib.__all__)
    words += [f"golden {command}" for command in COMMANDS]
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
