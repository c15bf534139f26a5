"""YAML as nodes with positions, and the parser's complaints told again in plain words.

Rule: a YAML file is read as text. No value gets a type, no tag is obeyed, and nothing that the file says is ever run.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml
from yaml.nodes import Node
from yaml.reader import ReaderError

from goldenlib.errors import GoldenError, InputError, Problem
from goldenlib.wordlists import WordLists

if TYPE_CHECKING or yaml.__with_libyaml__:
    from yaml._yaml import CParser
else:  # `compose_yaml` refuses to work then; the import must not fail before it can say so
    CParser = object

MAX_DEPTH = 100
# What a reader of YAML 1.1 takes for the end of a line and everybody else for an ordinary character.
OLD_LINE_BREAKS = "\x85\u2028\u2029"
# What may not stand in a file or, written as an escape, in a text: stores, reports and browsers cannot carry it.
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
PLAIN = ""


class _TooDeep(Exception):
    pass


class _Parser(CParser):
    """PyYAML's C parser with what `get_single_node` asks of a loader: no types are guessed, and depth is bounded.

    The depth has to be bounded here: the C code recurses without a limit of its own.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text.encode())
        self._open: list[Node | None] = []

    def descend_resolver(self, parent: Node | None, _index: object) -> None:
        self._open.append(parent)
        if len(self._open) > MAX_DEPTH + 1:
            raise _TooDeep

    def ascend_resolver(self) -> None:
        self._open.pop()

    def resolve(self, _kind: type[Node], _value: object, _implicit: object) -> None:
        """Return the tag of a node that carries none: none, since nothing is guessed from how a text looks."""

    @property
    def deepest(self) -> Node | None:
        return self._open[-1]


def compose_yaml(text: str, path: str) -> Node | None:
    """Return the root node of the one YAML document in `text`, or None when it holds nothing.

    Marks count lines at LF, CR and CRLF, and columns in characters, both from 0. A node's `tag` is None where the author
    wrote none (or a lone `!`); a scalar's `style` is PLAIN, a quote, `|` or `>`, and its value is the text as typed. Nothing nests deeper
    than MAX_DEPTH. Aliases are the same node again, so that a node may even contain itself.

    Raises InputError with the problem at which the parser had to stop, and GoldenError where PyYAML has no C parser: its
    Python parser stops at other texts, and is thirty times slower.
    """
    if not yaml.__with_libyaml__:
        raise GoldenError("PyYAML is here without its C parser (libyaml); install it from a wheel: pip install --force-reinstall PyYAML")
    stand_ins = _stand_ins(text)
    readable = text.translate(stand_ins) if stand_ins else text
    parser = _Parser(readable)
    try:
        root = parser.get_single_node()
    except _TooDeep:
        raise InputError([_too_deep(path, parser.deepest)]) from None
    except ReaderError:
        raise InputError(control_characters(text, path)) from None
    except yaml.MarkedYAMLError as error:
        raise InputError([_retell(error, text, path)]) from None
    finally:
        parser.dispose()
    if stand_ins and root is not None:
        _put_back(root, {ord(after): chr(before) for before, after in stand_ins.items()})
    return root


def control_characters(text: str, path: str, at_most: int = 20) -> list[Problem]:
    """Return a problem for the first unprintable character of each line, for the first `at_most` such lines."""
    problems: list[Problem] = []
    for number, line in enumerate(re.split("\r\n|\n|\r", text), start=1):
        if found := UNPRINTABLE.search(line):
            way_out = "remove it; text copied from a terminal or a PDF often carries such characters"
            problems.append(Problem(path, f"control character {code(found[0])}", number, found.start() + 1, way_out=way_out))
            if len(problems) == at_most:
                break
    return problems


def code(char: str) -> str:
    """Return how Unicode writes a character's number.

    >>> code("A")
    'U+0041'
    """
    return f"U+{ord(char):04X}"


def _stand_ins(text: str) -> dict[int, str]:
    """Return what replaces the line breaks of YAML 1.1 in `text` while it is parsed: private characters not used in it."""
    used = [char for char in OLD_LINE_BREAKS if char in text]
    free = (chr(number) for number in range(0xE000, 0xF900) if chr(number) not in text) if used else iter(())
    return {ord(char): stand_in for char, stand_in in zip(used, free, strict=False)}


def _put_back(root: Node, originals: dict[int, str]) -> None:
    waiting, seen = [root], {id(root)}
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.ScalarNode):
            node.value = node.value.translate(originals)
            continue
        children = node.value if isinstance(node, yaml.SequenceNode) else [part for pair in node.value for part in pair]
        for child in children:
            if id(child) not in seen:
                seen.add(id(child))
                waiting.append(child)


def _too_deep(path: str, node: Node | None) -> Problem:
    line, column = (node.start_mark.line + 1, node.start_mark.column + 1) if node is not None else (1, 1)
    return Problem(path, f"more than {MAX_DEPTH} levels of lists and keys inside one another", line, column, way_out="write it flat")


_AFTER_QUOTE = "text after the closing quote"


def _retell(error: yaml.MarkedYAMLError, text: str, path: str) -> Problem:
    said = f"{error.context or ''} {error.problem or ''}"
    at, start = error.problem_mark or error.context_mark, error.context_mark or error.problem_mark
    if at is None or start is None:
        return Problem(path, f"is not YAML ({said.strip()})")
    before, here = text[at.index - at.column : at.index], text[at.index : at.index + 60]
    if here.startswith("\t"):
        said = "found a tab character"
    elif "\ufeff" in (before[-1:], here[:1]):
        message, way_out = "a byte order mark (U+FEFF) inside the file", "remove it; it comes from joining files"
        return Problem(path, message, at.line + 1, max(at.column, 1), way_out=way_out)
    elif "expected key" in said and before.rstrip()[-1:] in ("'", '"'):
        said = _AFTER_QUOTE
    known = WordLists.of(__package__, "parsers").raw("yaml")
    unknown = {"means": f"is not YAML here ({said.strip()})", "do": "check the indentation, quotes and brackets around this line"}
    retold = next((told for words, told in known.items() if words in said), unknown)
    shown = {"{char}": here[:1], "{pair}": here[:2], "{word}": (here.split() or [""])[0], "{start}": str(start.line + 1)}
    message = retold["means"]
    for name, value in {**shown, "{most}": str(MAX_DEPTH)}.items():
        message = message.replace(name, value)
    place = start if "at" in retold else at
    return Problem(path, message, place.line + 1, place.column + 1, way_out=retold["do"])
