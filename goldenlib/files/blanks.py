"""Blanks that look like a space and are none to YAML: where they stand in the structure of a file, they explain what is wrong with it.

Rule: looked for only where something is wrong, since in a text every one of them may stand.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from goldenlib.errors import Problem

# White space beyond ASCII (Unicode category Zs), and what shows as nothing at all.
ODD = "\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff"
# At the beginning of a line, behind a dash, and on either side of the colon behind a key.
_IN_STRUCTURE = re.compile(
    rf"""^[ ]*(?:-[ ]+)*                                  # indentation, and the dashes of lists
         (?:-|["']?[\w.-]+["']?[ ]*:|["']?[\w.-]+["']?[ ]*(?=[{ODD}][ {ODD}]*:(?:\s|$)))?
         ([{ODD}])""",
    re.VERBOSE,
)
_MOST = 20


def with_odd_blanks(problems: Sequence[Problem]) -> list[Problem]:
    """Return problems of YAML files, with the odd blanks in the structure of those files in place of what follows from them."""
    found: dict[tuple[str, int | None], Problem] = {}
    for path in dict.fromkeys(problem.path for problem in problems):
        found |= {(problem.path, problem.line): problem for problem in odd_blanks(path)}
    return [*found.values(), *(problem for problem in problems if (problem.path, problem.line) not in found)]


def odd_blanks(path: str) -> list[Problem]:
    """Return a problem for the first odd blank in the structure of each line of a YAML file, for the first twenty such lines."""
    if Path(path).suffix.lower() in (".json", ".toml") or not Path(path).is_file():
        return []
    problems = []
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        return []
    for number, line in enumerate(re.split("\r\n|\n|\r", text), start=1):
        if not line.isascii() and (match := _IN_STRUCTURE.match(line)):
            name = unicodedata.name(match[1], "a blank").lower()
            way_out = "put an ordinary space there; such blanks come with text from a page or a word processor"
            what = f"a blank that is no space to YAML: U+{ord(match[1]):04X} ({name})"
            problems.append(Problem(path, what, number, match.start(1) + 1, way_out=way_out))
    return problems[:_MOST]
