"""Where the files that come with goldenlib are: golden sets, the demo's pages, notebooks."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def shipped(*parts: str) -> Path:
    """Return the path of a shipped file or folder, such as `shipped("golden", "example.yaml")`.

    In an installed wheel they lie inside the package, in a checkout beside it.
    """
    inside = _PACKAGE / "_shipped"
    return (inside if inside.is_dir() else _PACKAGE.parent).joinpath(*parts)


def enter_checkout() -> None:
    """Work in the checkout, in a notebook that was opened in its folder of notebooks.

    JupyterLab starts a kernel where the notebook lies; relative paths of stores, configurations and what these name then mean
    what they mean to `golden run`, which is started in the checkout.
    """
    notebooks = _PACKAGE.parent / "notebooks"
    if Path.cwd() == notebooks.resolve():
        os.chdir(notebooks.parent)


def find(path: str | Path) -> Path:
    """Return `path` where it exists, else the shipped file of that name, else `path`, for the error to name it.

    So `golden/example.yaml` means the shipped example also from a notebook's own folder and in an installed package.
    """
    given = Path(path)
    coming_along = shipped(*given.parts) if not given.is_absolute() else given
    return coming_along if not given.exists() and coming_along.exists() else given
