"""Sources: where settings come from, with what is wrong there and where each value stands.

Rule: a source says what it holds; which source wins and what a value may be is decided in `settings`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goldenlib.errors import InputError, SettingsError
from goldenlib.files.blanks import odd_blanks, with_odd_blanks
from goldenlib.files.documents import Document, Step, find, read_document
from goldenlib.files.suggesting import did_you_mean

PREFIX = "GOLDEN_"
SHORT = "golden_"  # what people leave out of a key, since variables do
OF_THE_TESTS = ("GOLDEN_TEST_", "GOLDEN_REQUIRE_", "GOLDEN_UPDATE_")
OF_THE_COMMAND = ("GOLDEN_TRACEBACK",)  # shows where the command failed; no setting of a run
MAY_BE_BLANK = ("system_prompt",)  # where an empty text says something: that there is none
ACCOUNT_FROM = "GOLDEN_ACCOUNT_FROM"  # of the workbench: the name of the variable that holds who uses it
TYPO_IN_BLOCK, TYPO_IN_VARIABLE = 0.85, 0.9  # how alike names have to be; a block is shared, and so is an environment

Where = Sequence[Step]


@dataclass(frozen=True, slots=True)
class Source:
    """Settings from one place.

    `place(where, key)` says where in the source the value stands that the keys of `where` lead to, or its key. `problems`
    and `warnings` are whole messages.
    """

    values: Mapping[str, Any]
    place: Callable[[Where, bool], str]
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def given(values: Mapping[str, Any]) -> Source:
    """Return parameters of a call, a command line or a notebook as a source; None counts as not given, and an empty one is a problem."""
    present = {key: value for key, value in values.items() if value is not None}
    empty = list(_empty(present))
    problems = tuple(f"parameter: {'.'.join(map(str, where))} is empty; give it a value, or leave it out" for where in empty)
    return Source(_without(present, empty), lambda where, key: "parameter", problems)


def read_block(path: Path, block: str, known: Collection[str]) -> Source:
    """Return the known keys in one top-level block of a YAML (or JSON) file.

    What stands in other blocks is not looked at. A known key without a value is a problem: it was meant to say something. Unknown
    keys are a problem when they are close to a known one, else a warning. Raises SettingsError when the file cannot be read or parsed.
    """
    document = _read_document(path)
    content = document.value.get(block) if isinstance(document.value, Mapping) else None
    problems = _problems_in_block(document, block)
    if problems or not content:
        problems += map(str, odd_blanks(str(path)))
    if not isinstance(content, Mapping):
        return _without_block(document, block, content, problems)

    def place(where: Where, key: bool) -> str:
        line, column = document.place(document.root, (block, *where), key=key)
        return f"{path}:{line}:{column}"

    warnings = []
    for name in content:
        if name in known:
            continue
        if near := f"{SHORT}{name}" if f"{SHORT}{name}" in known else did_you_mean(name, known, TYPO_IN_BLOCK):
            problems.append(f"{place([name], True)}: unknown key '{name}' in {block} (did you mean '{near}'?)")
        else:
            warnings.append(f"{place([name], True)}: '{name}' in {block} is not a key of golden runs and is ignored")
    values = {name: value for name, value in content.items() if name in known}
    empty = list(_empty(values))
    problems += [f"{place(where, False)}: {'.'.join(map(str, where))} is empty; give it a value, or remove the line" for where in empty]
    return Source(_without(values, empty), place, tuple(problems), tuple(warnings))


def read_environment(environ: Mapping[str, str], known: Collection[str], others: Collection[str] = ()) -> Source:
    """Return the settings in environment variables: GOLDEN_ and the key in capitals; a key that begins so is not doubled.

    A variable that is close to one of these and not among `others` is a problem, and so is an empty one of either: it is no absent one,
    but what a CI system makes of a variable that was renamed, or is not there for this branch or environment.
    """
    keys = {name: key for key in known for name in (f"{PREFIX}{key.upper()}", key.upper()) if name.startswith(PREFIX)}
    values: dict[str, str] = {}
    variables: dict[str, str] = {}
    problems: list[str] = []
    warnings: list[str] = []
    for name, text in environ.items():
        key, value = keys.get(name), text.strip()
        if not value and (key is not None or name in (*others, *OF_THE_COMMAND, ACCOUNT_FROM)):
            problems.append(
                f"environment variable {name} is empty; give it a value, or unset it (an unset variable of a CI system arrives empty)"
            )
        elif key is None:
            if not name.startswith(PREFIX) or name in (*others, *OF_THE_COMMAND, ACCOUNT_FROM) or name.startswith(OF_THE_TESTS):
                continue
            if near := did_you_mean(name, keys, TYPO_IN_VARIABLE):
                problems.append(f"environment: unknown variable {name} (did you mean {near}?)")
            else:
                warnings.append(f"environment: {name} is not a setting of golden runs and is ignored")
        else:
            if values.setdefault(key, value) != value:
                problems.append(f"environment: {variables[key]} and {name} differ; keep one")
            variables.setdefault(key, name)

    def place(where: Where, key: bool) -> str:
        return f"environment variable {variables[str(where[0])]}"

    return Source(values, place, tuple(problems), tuple(warnings))


def _empty(value: object, where: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """The places of values that are nothing, or a text of blanks."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _empty(inner, (*where, key))
    elif value is None or (isinstance(value, str) and not value.strip() and where[-1] not in MAY_BE_BLANK):
        yield where


def _without(values: Mapping[str, Any], empty: Iterable[tuple[Step, ...]]) -> dict[str, Any]:
    """The values without the keys that hold an empty one: what is said of those is said once."""
    return {key: value for key, value in values.items() if key not in {where[0] for where in empty}}


def _read_document(path: Path) -> Document:
    try:
        path.open("rb").close()
        return read_document(path)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        why = getattr(error, "strerror", None) or error
        raise SettingsError(f"{path}: cannot be read ({why}); give the path of a configuration file") from None
    except InputError as error:
        raise SettingsError(str(InputError(with_odd_blanks(error.problems)))) from None


def _problems_in_block(document: Document, block: str) -> list[str]:
    """What is wrong with the document within the block, and with the block itself; the rest is not ours."""
    node = find(document.root, block)
    if node is None:
        return []
    top = document.place(document.root, (block,), key=True)[0]
    bottom = node.end_mark.line + (node.end_mark.column > 0)  # the end of a block is often the start of the next line
    inside = (problem for problem in document.problems if problem.line is not None and top <= problem.line <= bottom)
    twice = (problem for problem in document.problems if problem.message == f"duplicate key '{block}'")
    return list(dict.fromkeys(str(problem) for problem in (*inside, *twice)))


def _without_block(document: Document, block: str, content: object, problems: list[str]) -> Source:
    value = document.value
    others = [key for key in value if key != block] if isinstance(value, Mapping) else []
    warning = f"{document.path}: has no '{block}:' block, so every setting has its default"
    if content not in (None, ""):
        problems.append(str(document.problem(document.root, f"'{block}' must hold keys and values", where=[block])))
    elif isinstance(value, Mapping) and block in value:
        warning = f"{document.path}: '{block}:' is empty, so every setting has its default"
    elif stray := [key for key in others if key.startswith(SHORT)]:
        problems.append(str(document.problem(document.root, f"'{stray[0]}' belongs under '{block}:'", where=[stray[0]], key=True)))
    elif near := next((key for key in others if did_you_mean(key, [block])), None):
        problems.append(str(document.problem(document.root, f"unknown block '{near}' (did you mean '{block}'?)", where=[near], key=True)))
    elif value is not None and not isinstance(value, Mapping):
        problems.append(f"{document.path}: is not a configuration file; write a block '{block}:' with keys and values")
    return Source({}, lambda where, key: document.path, tuple(problems), (warning,))
