"""The shape of the code: rooms know only what tests/house.py allows, and what breaks that is told with the way out."""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import goldenlib
from goldenlib._moved import FORMER, today
from tests.house import ROOMS, files_of, violations

PACKAGE = Path(goldenlib.__file__).parent
HOMES = {name: module for name, (module, _) in goldenlib._homes().items()}


def test_every_room_knows_only_what_it_may() -> None:
    assert violations(PACKAGE, HOMES) == []


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    there = tmp_path_factory.mktemp("house") / "goldenlib"
    shutil.copytree(PACKAGE, there, ignore=shutil.ignore_patterns("__pycache__", "*.js", "*.css"))
    return there


PLANTED = {
    "a stage imports another": ("gating/flips.py", "from goldenlib.scoring.judge import Judge", "take what is needed as an argument"),
    "inside a function": ("gating/lines.py", "def f():\n    import goldenlib.storage.store", "storage stands on gating: hand over"),
    "for types only": ("files/loading.py", "if TYPE_CHECKING:\n    from goldenlib.running import RunOptions", "files imports"),
    "a room, from the package": ("gating/decision.py", "from goldenlib import scoring", "gating imports goldenlib.scoring"),
    "a name, from the package": ("scoring/facts.py", "from goldenlib import Store", "scoring imports goldenlib.Store"),
    "relative": ("matching/cells.py", "from ..warehouse import duck", "matching imports warehouse.duck"),
    "by import_module": ("wire/sse.py", "import importlib\nimportlib.import_module('goldenlib.driving')", "wire imports goldenlib.driving"),
    "the door itself": ("folding.py", "import goldenlib", "folding imports goldenlib"),
    "a room that was in no list": ("exchange/fields.py", "import goldenlib.workbench", "exchange imports goldenlib.workbench"),
    "what shows, below": ("storage/store.py", "from goldenlib.reporting import terminal", "reporting stands on storage"),
    "a file in no room": ("helpers.py", "", "no room 'helpers'"),
    "a folder in no room": ("common/things.py", "", "no room 'common'"),
    "a function of a kind": ("reporting/itemrows.py", "def sql_rows(): ...", "'sql_rows' speaks of sql"),
    "an argument of a kind": ("storage/rows.py", "def f(tool_call): ...", "'tool_call' speaks of tool"),
    "a class of a kind": ("gating/flips.py", "class RetrievalFlip: ...", "'RetrievalFlip' speaks of retrieval"),
    "an attribute of a kind": ("running.py", "run.sse.open()", "'sse' speaks of sse"),
}


@pytest.fixture
def planted(copy: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    name, line, _ = PLANTED[request.param]
    path, before = copy / name, (copy / name).read_bytes() if (copy / name).exists() else None
    path.parent.mkdir(exist_ok=True)
    path.write_bytes((before or b"") + f"\n{line}\n".encode())
    yield copy
    path.write_bytes(before) if before is not None else path.unlink()


@pytest.mark.parametrize("planted", PLANTED, indirect=True)
def test_what_breaks_the_rules_is_told_with_the_way_out(planted: Path, request: pytest.FixtureRequest) -> None:
    name, _, told = PLANTED[request.node.callspec.params["planted"]]
    assert [found for found in violations(planted, HOMES) if name in found and told in found]


def test_what_a_room_need_not_know_is_struck_from_its_row() -> None:
    assert "folding need not know errors" in "\n".join(violations(PACKAGE, HOMES, {**ROOMS, "folding": "errors"}))


def test_rooms_stand_above_what_they_know() -> None:
    turned = dict(reversed(ROOMS.items()))
    assert "gating stands above config" in "\n".join(violations(PACKAGE, HOMES, turned))


@pytest.mark.parametrize("path", files_of(PACKAGE), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_is_at_most_400_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 420


@pytest.mark.parametrize("name", sorted(HOMES))
def test_every_public_name_can_be_imported_and_says_what_it_is(name: str) -> None:
    assert getattr(goldenlib, name).__doc__


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        importlib.import_module("goldenlib").nothing  # noqa: B018


@pytest.mark.parametrize("former", [*sorted(FORMER), "scoring.gold.pitfalls", "scoring.results.cells"])
def test_a_module_is_found_under_its_former_path(former: str) -> None:
    name, now = f"goldenlib.{former}", today(f"goldenlib.{former}") or ""
    sys.modules.pop(name, None)
    with pytest.warns(DeprecationWarning, match=r"goldenlib\.[\w.]+ is now goldenlib\.") as told:  # of the package that it was in, too
        found = importlib.import_module(name)
    assert f"{name} is now {now}; public names are in goldenlib itself" in [str(warning.message) for warning in told]
    assert found is importlib.import_module(now)
    assert found.__spec__ is not None
    assert found.__spec__.name == now


def test_what_never_was_a_module_is_none() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"goldenlib\.nothing"):
        importlib.import_module("goldenlib.nothing")


@pytest.mark.parametrize(
    ("module", "name"),
    [("coverage.looking", "as_html"), ("shop", "describe_schema"), ("loading", "load_set")],
)
@pytest.mark.filterwarnings("ignore:goldenlib:DeprecationWarning")
def test_what_documents_once_imported_is_there_still(module: str, name: str) -> None:
    assert callable(getattr(importlib.import_module(f"goldenlib.{module}"), name))


def class_names() -> dict[str, list[str]]:
    """Every class, with the modules that define one of that name, private or not."""
    found: dict[str, list[str]] = {}
    for path in files_of(PACKAGE):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.name.lstrip("_") for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        for name in names:
            found.setdefault(name, []).append(str(path.relative_to(PACKAGE)))
    return found


def test_a_class_name_has_one_meaning() -> None:
    twice = {name: modules for name, modules in class_names().items() if len(modules) > 1}
    assert twice == {}, "call each by what it is of, as in ReportRow and TableRow"


def test_a_file_name_has_one_meaning() -> None:
    files: dict[str, list[str]] = {}
    for path in files_of(PACKAGE):
        if not path.name.startswith("__"):
            files.setdefault(path.name, []).append(str(path.relative_to(PACKAGE)))
    assert {name: places for name, places in files.items() if len(places) > 1} == {}, "say of what it is, as in goldfindings and findings"


# Words of the glossary that are classes, and the module in which the class of that name has that meaning.
CLASSES_OF_WORDS = {
    "item": "items.py",
    "golden set": "golden_set.py",
    "target": "driving/target.py",
    "expected": "items.py",
    "answer": "answers.py",
    "judge": "scoring/judge.py",
    "score": "answers.py",
    "scorer": "scoring/scorer.py",
    "result": "answers.py",
    "baseline": "gating/flips.py",
    "regression": "gating/flips.py",
    "decision": "gating/decision.py",
    "review": "items.py",
    "gold": "gold/goldsubject.py",
    "decline": "scoring/data/declines.py",
    "surface": "items.py",
    "split": "items.py",
    "warehouse": "warehouse/querying.py",
    "finding": "hazards/findings.py",
    "draft": "workbench/drafts.py",
    "workbench": "workbench/state.py",
}
GLOSSARY = (PACKAGE.parent / "docs" / "glossary.md").read_text(encoding="utf-8")
WORDS = {word for row in re.findall(r"^\| (\*\*.*?) \|", GLOSSARY, re.MULTILINE) for word in re.findall(r"\*\*(.+?)\*\*", row)}


def test_a_word_of_the_glossary_names_the_class_of_that_meaning() -> None:
    classes = class_names()
    as_class = {word: "".join(part.capitalize() for part in word.split()) for word in WORDS}
    named = {word: classes[name] for word, name in as_class.items() if name in classes}
    assert named == {word: [module] for word, module in CLASSES_OF_WORDS.items()}
