"""Documents: a YAML, JSON or TOML file as plain dicts, lists and texts, and where each of them stands.

Rule: every scalar of a YAML file is the text that its author typed (contract 2.3); only an empty value and a plain null
are None. Whatever is wrong with the file becomes a Problem with its place.
"""

from __future__ import annotations

import codecs
import gc
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from goldenlib.errors import InputError, Problem
from goldenlib.files.jsontext import compose_json
from goldenlib.files.tomltext import compose_toml
from goldenlib.files.yamltext import PLAIN, UNPRINTABLE, code, compose_yaml

MAX_BYTES = 20_000_000
# How many values the aliases and merge keys of a file may add, all together, to those that are written out.
MAX_ALIASED = 1_000_000
_LONE_TAG = re.compile(r"(^|[ \t\n\r,\[{])! ")
_ANCHOR = re.compile(r"(![^ \t\r\n]*[ \t\r\n]+)?&")
NULLS = frozenset(("", "~", "null", "Null", "NULL", None))
MERGE = "<<"
_FEW_KEYS = 16
_COMPOSERS: Mapping[str, Callable[[str, str], Node | None]] = {".json": compose_json, ".toml": compose_toml}
Step = str | int
TEXT_TAG = "tag:yaml.org,2002:str"
_CORE_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "seq", "map"))


class Document:
    """A file that has been read.

    `value` is its content as dicts, lists, texts and None (numbers and booleans too, when it is JSON or TOML); lists and dicts that
    came by an alias are shared, so it is not to be changed. `root` is the node of `value`. `problems` holds what is wrong
    with the file itself; the value then lacks the parts concerned.
    """

    def __init__(self, path: str, text: str, root: Node | None, *, is_json: bool = False) -> None:
        reading = _DocumentReading(path, text)
        self.path = path
        self.root = root
        self.is_json = is_json
        self.value = reading.value_of(root)
        self.problems: Sequence[Problem] = tuple(reading.problems)
        self._text = text

    def problem(
        self, node: Node | None, message: str, way_out: str | None = None, *, where: Sequence[Step] = (), key: bool = False
    ) -> Problem:
        """Return a problem at the value that `where` leads to from `node`, or with `key` at that value's key.

        Where the path ends early, because the part is missing, the place is that of the last part that exists.
        """
        line, column = self.place(node, where, key=key)
        return Problem(self.path, message, line, column, way_out=way_out)

    def place(self, node: Node | None, where: Sequence[Step] = (), *, key: bool = False) -> tuple[int, int]:
        """Return line and column, from 1, of the value that `where` leads to from `node`, or of its key."""
        for number, step in enumerate(where, start=1):
            pair = _pair(node, step)
            if pair is None:
                break
            node = pair[0] if key and number == len(where) else pair[1]
        return (node.start_mark.line + 1, node.start_mark.column + 1) if node is not None else (1, 1)

    def holds_anchors(self, node: Node | None) -> bool:
        """Whether the value is there to be repeated: it, or each of its entries, has an anchor (`&name`)."""
        if node is None or _ANCHOR.match(self._text, node.start_mark.index):
            return node is not None
        parts = (
            node.value if isinstance(node, SequenceNode) else [value for _, value in node.value] if isinstance(node, MappingNode) else []
        )
        return bool(parts) and all(_ANCHOR.match(self._text, part.start_mark.index) for part in parts)


def read_document(path: Path) -> Document:
    """Read a .json file as JSON, a .toml file as TOML and any other as YAML; a file may be 20 MB long (MAX_BYTES).

    Raises InputError when the file cannot be read, is too large, is not UTF-8, or where the parser had to stop. Whatever is
    wrong beyond that stands in `Document.problems`. YAML that another reader would not take is refused too: text with a
    question mark inside brackets without quotes stops PyYAML's Python parser.
    """
    text, suffix = _read_text(path), path.suffix.lower()
    compose = _COMPOSERS.get(suffix, compose_yaml)
    return Document(str(path), text, compose(text, str(path)), is_json=suffix == ".json")


def find(node: Node | None, *where: Step) -> Node | None:
    """Return the node of the value that the keys and indexes of `where` lead to, or None where there is none."""
    for step in where:
        pair = _pair(node, step)
        if pair is None:
            return None
        node = pair[1]
    return node


def _pair(node: Node | None, step: Step) -> tuple[Node, Node] | None:
    """Return the key and value nodes of a mapping (of one merged into it too), or an entry of a list twice."""
    if isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    waiting, seen = [node], set()
    while waiting:
        mapping = waiting.pop()
        if not isinstance(mapping, MappingNode) or id(mapping) in seen:
            continue
        seen.add(id(mapping))
        if (pair := _first(mapping, step)) is not None:
            return pair
        merged = [source for key, value in mapping.value if _is_merge(key) for source in _sources(value)]
        waiting.extend(reversed(merged))
    return None


def _first(mapping: MappingNode, step: Step) -> tuple[Node, Node] | None:
    """Return the first pair of a key. Of many keys they are kept with the node: a file with thousands of unknown ones asks for each."""
    if len(mapping.value) <= _FEW_KEYS:
        return next((pair for pair in mapping.value if pair[0].value == step and not _is_merge(pair[0])), None)
    if "pairs" not in vars(mapping):
        named = [(key.value, (key, value)) for key, value in mapping.value if isinstance(key, ScalarNode) and not _is_merge(key)]
        vars(mapping)["pairs"] = dict(reversed(named))
    pairs: Mapping[Step, tuple[Node, Node]] = vars(mapping)["pairs"]
    return pairs.get(step)


def _is_merge(key: Node) -> bool:
    return isinstance(key, ScalarNode) and key.value == MERGE and key.style == PLAIN


def _sources(node: Node) -> Sequence[Node]:
    return node.value if isinstance(node, SequenceNode) else [node]


def _is_inside(part: Node, node: Node) -> bool:
    """Whether `part` is written within `node`, and did not come there by an alias."""
    return node.start_mark.index < part.start_mark.index < node.end_mark.index


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        raise InputError(
            [Problem(str(path), f"cannot be read ({getattr(error, 'strerror', error)})", way_out="give the path of a golden set file")]
        ) from None
    if len(data) > MAX_BYTES:
        raise InputError([Problem(str(path), f"is larger than {MAX_BYTES // 1_000_000} MB", way_out="split it into one file per topic")])
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in data[:4]:
        raise InputError([Problem(str(path), "is not UTF-8 (it looks like UTF-16)", 1, 1, way_out="save it as UTF-8")])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError([_not_utf8(error, str(path))]) from None


def _not_utf8(error: UnicodeDecodeError, path: str) -> Problem:
    before = error.object[: error.start].decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    byte = error.object[error.start : error.start + 1]
    meant = byte.decode("cp1252", errors="ignore")
    guess = f"; in the Windows code page it is {meant}" if meant.isprintable() and meant else ""
    message = f"is not UTF-8: byte 0x{byte.hex().upper()}{guess}"
    return Problem(path, message, before.count("\n") + 1, len(before) - before.rfind("\n"), way_out="save the file as UTF-8")


class _TooManyAliases(Exception):
    pass


class _DocumentReading:
    """One walk over the nodes of a file. A node that aliases repeat is walked once and its value shared."""

    def __init__(self, path: str, text: str) -> None:
        self.problems: list[Problem] = []
        self._path = path
        self._text = text
        # A lone `!` is a tag that the parser swallows in silence, and with it a character that the author typed.
        self._has_lone_tags = "! " in text and _LONE_TAG.search(text) is not None
        self._done: dict[int, tuple[Any, int]] = {}
        self._walking: set[int] = set()
        self._count = 0
        self._aliased = 0

    def value_of(self, root: Node | None) -> Any:
        """Return the value of the whole document; None when aliases make it too large."""
        if root is None:
            return None
        try:
            return self._value(root, root)
        except _TooManyAliases as error:
            self._add(error.args[0], f"aliases (*name) add more than {MAX_ALIASED:,} values to the file", "write the values out")
            return None

    def _add(self, node: Node, message: str, way_out: str) -> None:
        self.problems.append(Problem(self._path, message, node.start_mark.line + 1, node.start_mark.column + 1, way_out=way_out))

    def _value(self, node: Node, near: Node) -> Any:
        """Return the value of `node`; `near` is a node beside it, to show the place when `node` stands for an alias."""
        if node.__class__ is ScalarNode:
            return self._scalar(node)
        known = self._done.get(id(node))
        if known is not None:
            self._add_aliased(known[1], near)
            return known[0]
        if id(node) in self._walking:
            self._add(near, "an alias (*name) stands inside the very value it repeats", "write the value out")
            return None
        if node.tag:
            self._check_tag(node)
        self._walking.add(id(node))
        before = self._count
        value: Any = self._mapping(node) if isinstance(node, MappingNode) else self._sequence(node)
        self._count += 1
        self._walking.discard(id(node))
        self._done[id(node)] = value, self._count - before
        return value

    def _add_aliased(self, size: int, near: Node) -> None:
        self._count += size
        self._aliased += size
        if self._aliased > MAX_ALIASED:
            raise _TooManyAliases(near)

    def _scalar(self, node: Any) -> Any:
        value = node.value
        style = node.style
        if node.tag or (self._has_lone_tags and style == PLAIN and self._text.startswith("!", node.start_mark.index)):
            self._check_tag(node)
        if style == PLAIN and value in NULLS and node.tag != TEXT_TAG:
            return None
        if style == '"' and not value.isprintable() and (found := UNPRINTABLE.search(value)):
            self._add(node, f"an escape stands for {code(found[0])}, which cannot be stored or shown", "remove it")
        return value

    def _sequence(self, node: Node) -> list[Any]:
        if node.flow_style:  # type: ignore[attr-defined]  # a SequenceNode
            self._check_flow(node, node.value)
        self._count += len(node.value)
        return [self._value(part, node) for part in node.value]

    def _mapping(self, node: MappingNode) -> dict[str, Any]:
        if node.flow_style:
            self._check_flow(node, [part for pair in node.value for part in pair])
        self._count += len(node.value)
        values: dict[str, Any] = {}
        merges: list[tuple[Node, Node]] = []
        for key, value in node.value:
            if key.__class__ is not ScalarNode:
                self._add(key, "a key that is a list or a mapping", "a key is a word; put text with [ ] { } in quotes")
                self._value(value, key)
                continue
            if key.tag:
                self._check_tag(key)
            name = key.value
            if name in values or (merges and _is_merge(key)):
                self._add(key, f"duplicate key '{name}'", "write <<: [*one, *two]" if _is_merge(key) else "keep one of them")
            elif name == MERGE and key.style == PLAIN:
                merges.append((key, value))
            else:
                values[name] = self._value(value, key)
        return self._merged(merges, values) if merges else values

    def _merged(self, merges: Sequence[tuple[Node, Node]], values: dict[str, Any]) -> dict[str, Any]:
        """Return `values` over what '<<' brings in; of several sources the first that has a key counts."""
        result: dict[str, Any] = {}
        for key, merged in merges:
            for source in _sources(merged):
                content = self._value(source, key)
                if isinstance(content, Mapping):
                    for name, value in content.items():
                        result.setdefault(name, value)
                else:
                    self._add(key, "'<<' takes over the keys of an anchored mapping, and this is none", "write <<: *name")
        return {**result, **values}

    def _check_flow(self, node: Node, parts: Sequence[Any]) -> None:
        for part in parts:
            if part.__class__ is ScalarNode and part.style == PLAIN and "?" in part.value and _is_inside(part, node):
                verb = "ends in" if part.value.endswith("?") else "holds"
                self._add(part, f"put text that {verb} ? in quotes", "other YAML readers stop at a question mark inside [ ] or { }")

    def _check_tag(self, node: Node) -> None:
        if node.tag not in _CORE_TAGS:
            shown = (node.tag or "!").replace("tag:yaml.org,2002:", "!!")
            way_out = "remove it, or put text that starts with '!' in quotes"
            self._add(node, f"the tag '{shown}' is not allowed; a file holds only text, lists and keys", way_out)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause garbage collection: a parser makes a million objects that all stay, and looking through them takes most of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
