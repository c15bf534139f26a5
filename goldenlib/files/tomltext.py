"""TOML as the same nodes as YAML, with positions.

Rule: what is TOML, and what its values are, is decided by the tomllib module; this module only adds where each value stands.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from yaml.error import Mark
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from goldenlib.errors import InputError, Problem
from goldenlib.files.yamltext import MAX_DEPTH, PLAIN

# What can hide a table header or a key: comments and the four forms of text. It is only used on text that tomllib has accepted.
_TOKEN = re.compile(
    r'(?P<text>"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\')|(?P<comment>\#[^\n]*)|(?P<line>\n)|(?P<other>[^"\'\#\n]+)',
    re.DOTALL,
)
_HEADER = re.compile(r"\s*\[\[\s*([A-Za-z0-9_-]+)\s*\]\]\s*$")
_KEY = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$| \(at end of document\)$")


def compose_toml(text: str, path: str) -> Node:
    """Return the root node of the TOML document in `text`, in the shape of `jsontext.compose_json`.

    Tables of a list (`[[questions]]`) and their keys have their places; what stands deeper has that of the key above it. Numbers and
    booleans are values in style PLAIN, dates and times are text as TOML spells them. Raises InputError where tomllib had to stop.
    """
    too_deep = Problem(path, "lists and tables inside one another, too deep to read", way_out="write them flat")
    try:
        value = tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise InputError([_retell(error, path)]) from None
    except ValueError as error:  # Python reads no integer of more than 4,300 digits
        said = f"holds a value that cannot be read ({str(error)[:60]})"
        raise InputError([Problem(path, said, way_out="write a shorter number")]) from None
    except RecursionError:
        raise InputError([too_deep]) from None
    if _is_deep(value):
        raise InputError([too_deep])
    places = _places(text.replace("\r\n", "\n"))
    top = _mark(0, 0)
    pairs: list[tuple[Node, Node]] = []
    for name, part in value.items():
        mark = places.get((name,), top)
        if isinstance(part, list) and part and all(isinstance(entry, dict) for entry in part):
            entries = [_table(entry, (name, number), places) for number, entry in enumerate(part)]
            pairs.append((_key(name, mark), SequenceNode("", entries, mark, mark, flow_style=False)))
        else:
            pairs.append((_key(name, mark), _node(part, mark)))
    return MappingNode("", pairs, top, top, flow_style=False)


def _is_deep(value: Any) -> bool:
    """Whether lists and tables stand in one another more than MAX_DEPTH deep."""
    level = [value]
    for _ in range(MAX_DEPTH):
        parts = [part for whole in level for part in (whole.values() if isinstance(whole, dict) else whole)]
        level = [part for part in parts if isinstance(part, dict | list)]
        if not level:
            return False
    return True


def _table(values: dict[str, Any], where: tuple[Any, ...], places: dict[tuple[Any, ...], Mark]) -> Node:
    start = places.get(where, _mark(0, 0))
    marks = {name: places.get((*where, name), start) for name in values}
    last = max(marks.values(), key=lambda mark: mark.line, default=start)
    end = places.get((*where, None), _mark(last.line + 1, 0))
    pairs: list[tuple[Node, Node]] = [(_key(name, marks[name]), _node(part, marks[name])) for name, part in values.items()]
    return MappingNode("", pairs, start, end, flow_style=False)


def _node(value: Any, mark: Mark) -> Node:
    if isinstance(value, dict):
        return MappingNode("", [(_key(name, mark), _node(part, mark)) for name, part in value.items()], mark, mark, flow_style=False)
    if isinstance(value, list):
        return SequenceNode("", [_node(part, mark) for part in value], mark, mark, flow_style=False)
    if isinstance(value, bool | int | float):
        return ScalarNode("", value, mark, mark, style=PLAIN)  # a value, as in compose_json
    return ScalarNode("", value if isinstance(value, str) else value.isoformat(), mark, mark, style='"')


def _key(name: str, mark: Mark) -> Node:
    return ScalarNode("", name, mark, mark, style='"')


def _places(text: str) -> dict[tuple[Any, ...], Mark]:
    """Return where tables of lists and keys begin: (list, number, key), and with None for the key, where a table ends."""
    places: dict[tuple[Any, ...], Mark] = {}
    counts: dict[str, int] = {}
    table: tuple[Any, ...] = ()
    depth = 0
    for number, line in enumerate(_plain_lines(text)):
        header = _HEADER.match(line) if depth == 0 else None
        if header:
            if table:
                places[(*table, None)] = _mark(number, 0)
            name = header[1]
            counts[name] = counts.get(name, -1) + 1
            table = (name, counts[name])
            places[table] = _mark(number, line.index("["))
            places.setdefault((name,), places[table])
            continue
        key = _KEY.match(line) if depth == 0 else None
        if key:
            places.setdefault((*table, key[1]), _mark(number, key.start(1)))
        depth = max(0, depth + line.count("[") + line.count("{") - line.count("]") - line.count("}"))
    if table:
        places[(*table, None)] = _mark(text.count("\n") + 1, 0)
    return places


def _plain_lines(text: str) -> list[str]:
    """Return the lines with texts and comments blanked, so that only what TOML itself says is left."""
    plain = _TOKEN.sub(lambda found: found[0] if found["line"] or found["other"] else _blanked(found[0]), text)
    return plain.split("\n")


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _mark(line: int, column: int) -> Mark:
    return Mark("", 0, line, column, None, 0)


def _retell(error: tomllib.TOMLDecodeError, path: str) -> Problem:
    message = str(error)
    place = _PLACE.search(message)
    line, column = (int(place[1]), int(place[2])) if place and place[1] else (None, None)
    said = _PLACE.sub("", message)
    return Problem(path, f"is not TOML here ({said})", line, column, way_out="check quotes, brackets and double keys around this line")
