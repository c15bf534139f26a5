"""Mutants: would the tests notice a small change to the code that decides?

    python -m tests.bench.mutants --sample 10 --draw 1 goldenlib/gating/decision.py ...

A module (all of MODULES when none is named) is changed in one place in a copy of the project, and its own tests are run against that.
The sample is the same for the same draw. Mutants that change nothing that anybody could see stand in equivalent.jsonl with the reason.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent.jsonl")
COPIED = ("goldenlib", "tests", "golden", "notebooks", "docs", "pyproject.toml", "README.md", "Makefile", "CHANGELOG.md")
RESULTS = " ".join(f"tests/matching/test_{name}.py" for name in ("cells", "cases", "lining", "properties", "pairing"))
CHECKING = " ".join(f"tests/warehouse/test_{name}.py" for name in ("hostile", "legitimate", "functions", "postgresql"))
MODULES = {
    "goldenlib/scoring/facts.py": "tests/scoring/test_facts.py",
    "goldenlib/scoring/outcome.py": "tests/scoring/test_outcome.py",
    "goldenlib/scoring/verdict.py": "tests/scoring/test_verdict.py",
    "goldenlib/scoring/examining.py": "tests/scoring/test_examining.py",
    "goldenlib/scoring/data/leaks.py": "tests/scoring/data/test_leaks.py tests/scoring/data/test_declines.py",
    "goldenlib/matching/lining.py": RESULTS,
    "goldenlib/matching/pairing.py": RESULTS,
    "goldenlib/matching/cells.py": RESULTS,
    "goldenlib/folding.py": "tests/test_folding.py",
    "goldenlib/gating/decision.py": "tests/gating/test_decision.py",
    "goldenlib/items.py": "tests/test_items.py tests/files/test_loading.py tests/workbench/test_accounts.py",
    "goldenlib/comparing/earlier.py": "tests/comparing/test_earlier.py tests/comparing/test_runs.py",
    "goldenlib/running.py": "tests/test_running.py tests/test_data_runs.py",
    "goldenlib/wire/transport.py": "tests/wire/test_transport.py tests/wire/test_network.py",
    "goldenlib/driving/orchestrate.py": "tests/driving/test_orchestrate.py tests/driving/test_data_agents.py",
    "goldenlib/wire/sse.py": "tests/wire/test_sse.py tests/driving/test_orchestrate.py",
    "goldenlib/editing/rewriting.py": "tests/editing",
    "goldenlib/editing/merging.py": "tests/editing/test_merging.py",
    "goldenlib/editing/saving.py": "tests/editing/test_saving.py tests/editing/test_beginning.py tests/test_elsewhere.py",
    "goldenlib/editing/replacing.py": "tests/editing/test_saving.py tests/editing/test_beginning.py",
    "goldenlib/storage/writer.py": "tests/storage/test_writer.py tests/storage/test_store.py",
    "goldenlib/storage/resuming.py": "tests/storage/test_store.py",
    "goldenlib/storage/locking.py": "tests/storage/test_locking.py tests/storage/test_store.py",
    "goldenlib/storage/history.py": "tests/storage/test_history.py tests/storage/test_cases.py tests/storage/test_accepting.py",
    "goldenlib/warehouse/refusing.py": CHECKING,
    "goldenlib/workbench/signing.py": "tests/workbench/test_signing.py tests/workbench/test_handling.py",
}
SWAPPED = [(ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot), (ast.And, ast.Or)]
SWAPPED += [(ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv)]
OTHER = dict(SWAPPED) | {there: here for here, there in SWAPPED} | {ast.Div: ast.Mult, ast.Mod: ast.Mult}


@dataclass(frozen=True)
class Mutant:
    """A module with one change; `start` and `end` are byte offsets."""

    module: str
    line: int
    start: int
    end: int
    old: str
    new: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.module, self.old, self.new

    def applied_to(self, source: bytes) -> bytes:
        return source[: self.start] + self.new.encode() + source[self.end :]


def mutants_of(module: str) -> list[Mutant]:
    """Return all mutants of a module, in the order of the text."""
    source = (PROJECT / module).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node in _walked(ast.parse(source)):
        start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        found += [Mutant(module, node.lineno, start, end, source[start:end].decode(), new) for new in _changes(node)]
    return found


def _walked(node: ast.AST) -> Iterator[ast.AST]:
    """Give what runs: no docstring, no annotation, no part of an f-string (whose places Python does not tell)."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            is_text = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.AST) and name not in ("annotation", "returns", "decorator_list") and not is_text:
                if hasattr(child, "lineno"):
                    yield child
                if not isinstance(child, ast.JoinedStr):
                    yield from _walked(child)


def _changes(node: ast.AST) -> Iterator[str]:
    """Give what may stand in the place of a part of the code."""
    match node:
        case ast.Compare(ops=[operator, *rest]) if type(operator) in OTHER:
            yield f"({ast.unparse(ast.Compare(node.left, [OTHER[type(operator)](), *rest], node.comparators))})"
        case ast.BoolOp(op=operator, values=[first, *rest]):
            yield f"({ast.unparse(ast.BoolOp(OTHER[type(operator)](), node.values))})"
            yield f"({ast.unparse(first)})"
            yield f"({ast.unparse(rest[-1])})"
        case ast.BinOp(op=operator) if type(operator) in OTHER:
            yield f"({ast.unparse(ast.BinOp(node.left, OTHER[type(operator)](), node.right))})"
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield f"({ast.unparse(node.operand)})"
        case ast.Constant(value=bool(value)):
            yield repr(not value)
        case ast.Constant(value=int(value)):
            yield repr(value + 1)
        case ast.Return(value=ast.AST() as value) if not (isinstance(value, ast.Constant) and not value.value):
            yield "return None"
        case ast.IfExp():
            yield f"({ast.unparse(node.body)})"
            yield f"({ast.unparse(node.orelse)})"
        case ast.Expr() | ast.Assign() | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            yield "pass"


def equivalents() -> dict[tuple[str, str, str], str]:
    """Return the mutants that were looked at and change nothing that anybody could see, each with the reason."""
    lines = [json.loads(line) for line in EQUIVALENT.read_text(encoding="utf-8").splitlines()]
    return {(line["module"], line["old"], line["new"]): line["reason"] for line in lines}


def _is_noticed(copy: Path, tests: str, timeout: float) -> bool:
    options = ["-q", "-x", "-n0", "-p", "no:cacheprovider", "--hypothesis-seed=1", f"--timeout={timeout:.0f}"]
    command = [sys.executable, "-m", "pytest", *options, *tests.split()]
    environ = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        return subprocess.run(command, cwd=copy, env=environ, capture_output=True, timeout=timeout, check=False).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def measure(module: str, sample: int, draw: int, copy: Path) -> str:
    """Try a sample of the mutants of a module, say what became of each, and return the figures in a line."""
    tests, original = MODULES[module], (PROJECT / module).read_bytes()
    known = equivalents()
    candidates = [mutant for mutant in mutants_of(module) if mutant.key not in known]
    chosen = random.Random(f"{draw} {module}").sample(candidates, min(sample, len(candidates)))
    started = time.monotonic()
    if _is_noticed(copy, tests, 600):
        return f"{module}: its tests fail as it is"
    timeout, killed = 30 + 3 * (time.monotonic() - started), 0
    for mutant in chosen:
        (copy / module).write_bytes(mutant.applied_to(original))
        is_noticed = _is_noticed(copy, tests, timeout)
        killed += is_noticed
        print(f"{'killed' if is_noticed else 'SURVIVED'} {module}:{mutant.line}: {mutant.old!r} -> {mutant.new!r}", flush=True)
    (copy / module).write_bytes(original)
    return f"{module}: {killed} of {len(chosen)} noticed, of {len(candidates)} there are"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", choices=[[], *MODULES], help="default: all")
    parser.add_argument("--sample", type=int, default=10)
    parser.add_argument("--draw", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in COPIED:
            (shutil.copytree if (PROJECT / name).is_dir() else shutil.copy)(PROJECT / name, Path(folder) / name)
        for line in [measure(module, arguments.sample, arguments.draw, Path(folder)) for module in arguments.modules or MODULES]:
            print(line)


if __name__ == "__main__":
    main()
