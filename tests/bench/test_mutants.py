"""The mutants: each is one change that Python can read, and what is listed about them is still so."""

from __future__ import annotations

import ast

from tests.bench.mutants import EQUIVALENT, MODULES, PROJECT, equivalents, mutants_of


def test_every_mutant_is_another_program() -> None:
    module = "goldenlib/folding.py"
    source = (PROJECT / module).read_bytes()
    changed = [ast.unparse(ast.parse(mutant.applied_to(source))) for mutant in mutants_of(module)]
    assert len(changed) > 50
    assert ast.unparse(ast.parse(source)) not in changed


def test_every_module_and_its_tests_are_there() -> None:
    paths = [*MODULES, *(path for tests in MODULES.values() for path in tests.split())]
    assert [path for path in paths if not (PROJECT / path).exists()] == []


def test_every_mutant_that_is_listed_as_equivalent_is_still_one() -> None:
    known = equivalents()
    there = {mutant.key for module in {module for module, _, _ in known} for mutant in mutants_of(module)}
    assert [key for key in known if key not in there] == [], f"take these out of {EQUIVALENT.name}"
    assert all(known.values()), "each with its reason"
