"""Golden set files for tests, and what loading says about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldenlib.errors import InputError, Problem
from goldenlib.files.loading import load_set
from goldenlib.golden_set import GoldenSet


def an_item_text(keys: str = "expected: {rubric: r}", item_id: str = "a") -> str:
    """A set of one item, as YAML: an id and a question in lines 2 and 3, then `keys` from line 4."""
    indented = "".join(f"  {line}\n" for line in keys.splitlines())
    return f"items:\n- id: {item_id}\n  question: Apa?\n{indented}"


def write(folder: Path, content: str | bytes, name: str = "set.yaml") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def loaded(folder: Path, content: str | bytes, name: str = "set.yaml") -> GoldenSet:
    return load_set([write(folder, content, name)])


def problems_in(folder: Path, content: str | bytes, name: str = "set.yaml") -> tuple[Problem, ...]:
    """What loading refuses in the file, with its path cut to the name."""
    path = write(folder, content, name)
    with pytest.raises(InputError) as caught:
        load_set([path])
    assert all(problem.path == str(path) for problem in caught.value.problems)
    return caught.value.problems


def told(problems: tuple[Problem, ...]) -> list[str]:
    """The problems as people read them, without the folder."""
    return [str(problem).replace(problem.path, Path(problem.path).name) for problem in problems]
