"""The house: which rooms goldenlib has, and which of them may know which others. `violations` says what breaks that, with the way out.

A room is a folder or a module directly under goldenlib. Anything that is not allowed here is denied.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

DOOR = "goldenlib"  # the package itself: `from goldenlib import x` counts as an import of where x lives

# From the ground up: a room may import what its row names, and a row may name only rooms above it.
ROOMS: Mapping[str, str] = {
    "_moved": "",
    DOOR: "_moved",
    "folding": "",
    "severity": "",
    "wordlists": "",
    "languages": "wordlists",
    "kernels": "",
    "loops": "",
    "answers": "",
    "cilogs": "folding",
    "errors": "cilogs",
    "plugins": "errors",
    "items": "folding",
    "golden_set": "errors folding items",
    "files": "errors folding golden_set items wordlists",
    "config": "answers errors files folding items languages plugins",
    "wire": "answers config errors",
    "matching": "answers errors",
    "warehouse": "config errors files matching plugins wordlists",
    "gold": "folding golden_set items matching severity warehouse wordlists",
    "coverage": "folding golden_set items",
    "driving": "answers config errors files folding items plugins warehouse wire",
    "scoring": "answers config errors folding gold items matching plugins warehouse wire wordlists",
    "demo": "config errors files folding items scoring",
    "gating": "answers config",
    "storage": "answers config errors gating",
    "resources": "config demo driving errors items scoring storage warehouse",
    "comparing": "answers cilogs config errors folding gating golden_set items resources scoring storage",
    "reporting": "answers cilogs comparing config coverage errors files folding gating items languages matching plugins storage",
    "running": "answers comparing config driving errors gating golden_set items loops reporting resources scoring storage",
    "askagain": "answers comparing config errors golden_set running storage",
    "notebook": "cilogs config errors files gating golden_set kernels reporting running storage",
    "hazards": "answers errors files folding items languages severity wordlists",
    "editing": "errors files items",
    "exchange": "editing errors files folding golden_set hazards items plugins wordlists",
    "workbench": "answers config demo driving editing errors files folding hazards items kernels languages reporting running"
    " scoring storage wordlists",
    "cli": "answers askagain cilogs comparing config coverage demo editing errors exchange files gating gold golden_set hazards"
    " items languages matching notebook reporting running severity storage warehouse",
    "__main__": "cli",
}

# What some rooms must not speak of, in any name in any of their files: they handle every kind of item alike.
GENERAL = ("running", "storage", "gating", "reporting")
WORDS_OF_KINDS = frozenset(("sql", "warehouse", "tool", "tools", "retrieval", "sse"))
_ALLOWED_NAMES: Mapping[str, frozenset[str]] = {
    "storage": frozenset(("SQLAlchemyError", "exec_driver_sql")),  # of the library that the store itself stands on
}
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def room_of(path: Path, package: Path) -> str:
    """Return the room that a file of the package lies in."""
    first = path.relative_to(package).parts[0].removesuffix(".py")
    return DOOR if first == "__init__" else first


def files_of(package: Path) -> list[Path]:
    """Return the modules of a package, without what is shipped in it."""
    return sorted(path for path in package.rglob("*.py") if "_shipped" not in path.parts)


@cache  # a test that changes one file reads the others once
def _read(text: str) -> tuple[tuple[tuple[int, int, str], ...], tuple[tuple[int, str], ...]]:
    """Return what a module imports - line, level of a relative import, dotted name - and the names in it with their lines."""
    imported, names = [], []
    for node in ast.walk(ast.parse(text)):
        line = getattr(node, "lineno", 1)
        imported += [(line, level, name) for level, name in _imported(node)]
        names += [(line, name) for name in _names(node)]
    return tuple(imported), tuple(dict.fromkeys(names))


def _imported(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Import):
        yield from ((0, alias.name) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from ((node.level, f"{node.module or ''}.{alias.name}".lstrip(".")) for alias in node.names)
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in ("import_module", "__import__"):
        yield from ((0, arg.value) for arg in node.args[:1] if isinstance(arg, ast.Constant) and isinstance(arg.value, str))


def _room_reached(level: int, name: str, inside: tuple[str, ...], package: Path, homes: Mapping[str, str]) -> str | None:
    """Return the room that an import reaches into, or None where it is none of ours. `homes` says where a name of the door lives."""
    parts = [*inside[: len(inside) - level], *name.split(".")] if level else name.split(".")
    if parts[0] != DOOR:
        return None
    first = parts[1] if len(parts) > 1 else DOOR
    if (package / first).is_dir() or (package / f"{first}.py").is_file():
        return first
    return homes.get(first, DOOR).split(".")[0]


def violations(package: Path, homes: Mapping[str, str], rooms: Mapping[str, str] = ROOMS) -> list[str]:
    """Return what in a package breaks the rules, each with the way out: what to change instead of the rule."""
    found = []
    used = {room: set[str]() for room in rooms}
    for path in files_of(package):
        room, where = room_of(path, package), path.relative_to(package.parent)
        if room not in rooms:
            found.append(f"{where}: there is no room {room!r} in tests/house.py; put the file into the room of its subject, or plan a room")
            continue
        imported, names = _read(path.read_text(encoding="utf-8"))
        inside = (DOOR, *path.relative_to(package).with_suffix("").parts)
        for line, level, name in imported:
            other = _room_reached(level, name, inside, package, homes)
            if other is None or other == room:
                continue
            used[room].add(other)
            if other not in rooms[room].split():
                found.append(f"{where}:{line}: {room} imports {name}, and {_way_out(room, other, rooms)}")
        if room in GENERAL:
            found += [f"{where}:{line}: {problem}" for line, problem in _words_of_kinds(names, room)]
    found += [
        f"tests/house.py: {room} need not know {extra} any more; strike it"
        for room in rooms
        for extra in rooms[room].split()
        if extra not in used[room]
    ]
    return found + list(_out_of_order(rooms))


def _way_out(room: str, other: str, rooms: Mapping[str, str]) -> str:
    if room in rooms.get(other, "").split():
        return f"{other} stands on {room}: hand over what is needed as a value, or move what both need to a room below"
    return f"may know only {rooms[room] or 'nothing'}: take what is needed as an argument from the room that puts both together"


def _out_of_order(rooms: Mapping[str, str]) -> Iterator[str]:
    order = list(rooms)
    for place, (room, known) in enumerate(rooms.items()):
        for other in known.split():
            if other not in order[:place]:
                yield f"tests/house.py: {room} stands above {other}, which it knows; so there may be a circle"


def _words_of_kinds(names: tuple[tuple[int, str], ...], room: str) -> Iterator[tuple[int, str]]:
    for line, name in names:
        words = WORDS_OF_KINDS & {part.lower() for part in _PARTS.findall(name)}
        if words and name not in _ALLOWED_NAMES.get(room, ()):
            yield (
                line,
                f"{room} handles every kind of item alike, and {name!r} speaks of {min(words)}; let the scorer or target say it",
            )


def _names(node: ast.AST) -> Iterator[str]:
    """Give the names that a node introduces or uses."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.arg) or (isinstance(node, ast.keyword) and node.arg is not None):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield node.asname or node.name.rpartition(".")[2]
