"""The shape of the code: stages do not know one another, and nothing below knows what puts them together."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import goldenlib

PACKAGE = Path(goldenlib.__file__).parent

# What any module may import.
BASE = {
    "addresses",
    "answers",
    "blanks",
    "cilogs",
    "completions",
    "documents",
    "drafts",
    "errors",
    "folding",
    "hiding",
    "items",
    "jsontext",
    "languages",
    "network",
    "outfiles",
    "replies",
    "settings",
    "settingtypes",
    "severity",
    "shipped",
    "sources",
    "suggesting",
    "tomltext",
    "pacing",
    "transport",
    "yamltext",
}
STAGES = {"loading", "driving", "scoring", "storage", "gating", "reporting"}
# What puts stages together, with what may import it.
TOGETHER = {"history", "running", "rescoring", "notebook", "cli"}
# Values that are made in one stage and shown or kept by another.
ALLOWED_BETWEEN_STAGES = {
    ("reporting", "gating"),  # a report shows a decision
    ("storage", "gating"),  # the store keeps a decision
}


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("goldenlib."):
            found.add((node.module or "").split(".")[1])
        elif isinstance(node, ast.Import):
            found.update(alias.name.split(".")[1] for alias in node.names if alias.name.startswith("goldenlib."))
    return found


def _stage(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "_shipped" not in path.parts)


@pytest.mark.parametrize("path", [path for path in MODULES if _stage(path) in STAGES], ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_stage_imports_no_other_stage(path: Path) -> None:
    stage = _stage(path)
    others = {other for other in _imports(path) & STAGES if other != stage and (stage, other) not in ALLOWED_BETWEEN_STAGES}
    typing_only = {"rescoring", "storage"} if path.name == "listing.py" else set()  # shows their values, imports them for types
    assert others - typing_only == set()
    assert _imports(path) & TOGETHER <= typing_only


@pytest.mark.parametrize("path", [path for path in MODULES if _stage(path) in BASE], ids=lambda path: path.name)
def test_a_base_module_imports_only_base_modules(path: Path) -> None:
    assert _imports(path) <= BASE


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_is_at_most_400_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 420


@pytest.mark.parametrize("word", ["SQL", "sse", "tool_call"])
@pytest.mark.parametrize("module", ["gating.py", "reporting/terminal.py", "reporting/page.py"])
def test_gate_and_reports_know_nothing_of_what_is_tested(module: str, word: str) -> None:
    names = [node.id for node in ast.walk(ast.parse((PACKAGE / module).read_text(encoding="utf-8"))) if isinstance(node, ast.Name)]
    assert not [name for name in names if word.casefold() in name.casefold().split("_")]


@pytest.mark.parametrize("name", goldenlib.__all__)
def test_every_public_name_can_be_imported_and_says_what_it_is(name: str) -> None:
    assert getattr(goldenlib, name).__doc__


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        importlib.import_module("goldenlib").nothing  # noqa: B018
