"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import goldenlib.editing

MODULES = [info.name for info in pkgutil.iter_modules(goldenlib.editing.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"goldenlib.editing.{name}")).failed == 0


def test_every_public_name_says_what_it_is() -> None:
    assert all(getattr(goldenlib.editing, name).__doc__ for name in goldenlib.editing.__all__ if name != "DELETE")
