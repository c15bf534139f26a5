"""Small builders for the tests of editing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from goldenlib.editing import SourceFile
from goldenlib.editing.reading import parse_source


def a_source(text: str | bytes, name: str = "golden.yaml") -> SourceFile:
    """A file with this content, open for editing; nothing is on the disk."""
    return parse_source(Path(name), text.encode() if isinstance(text, str) else text)


def an_item(item_id: str = "a", **lines: str) -> str:
    """The lines of an item that loads: '- id: a', a question and a rubric; `lines` adds or replaces keys, as written."""
    keys = {"id": item_id, "question": '"Apa?"', "expected": "{rubric: x}"} | lines
    first, *rest = (f"{key}: {value}" for key, value in keys.items())
    return "".join([f"- {first}\n", *(f"  {line}\n" for line in rest)])


def changes(edited: SourceFile) -> list[str]:
    """The changed lines of the diff, in order."""
    return [line for line in edited.diff.splitlines()[2:] if line.startswith(("-", "+"))]


class CoreLoader(yaml.SafeLoader):
    """A reader of YAML 1.2 with its core schema, apart from the one under test."""


CoreLoader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("null", r"~|null|Null|NULL|", [*"~nN", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", list("-+0123456789.")),
):
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), _first)


def read_by_all(text: str) -> dict[str, Any]:
    """What each reader of YAML makes of a text; ruamel too, where it is installed."""
    found = {
        "PyYAML, C": yaml.load(text, yaml.CSafeLoader),
        "PyYAML, Python": yaml.load(text, yaml.SafeLoader),
        "YAML 1.2 core": yaml.load(text, CoreLoader),
    }
    try:
        from ruamel.yaml import YAML
    except ImportError:
        return found
    return found | {"ruamel": YAML(typ="safe", pure=True).load(text)}
