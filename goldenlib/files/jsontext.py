"""JSON as the same nodes as YAML, with positions.

Rule: what is JSON, and what its texts say, is decided by the json module; this module only adds where each value stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from yaml.error import Mark
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from goldenlib.errors import InputError, Problem
from goldenlib.files.yamltext import MAX_DEPTH, PLAIN
from goldenlib.wordlists import WordLists

MAX_DIGITS = 1000
# Blanks, then one token. It is only used on text that the json module has accepted.
_TOKEN = re.compile(r'[ \t\n\r]*([{}\[\],:]|"(?:[^"\\]|\\.)*"|[^ \t\n\r{}\[\],:"]+)')
_NOT_JSON = {"NaN", "Infinity", "-Infinity"}


def compose_json(text: str, path: str) -> Node | None:
    """Return the root node of the JSON value in `text`, or None when there is only white space.

    The nodes are those of `yamltext.compose_yaml`, with one difference: the value of a scalar in style PLAIN is a number,
    a boolean or None, and not text. Duplicate keys are all kept, for the reader of the nodes to find.

    Raises InputError with the problem at which the json module had to stop.
    """
    if not text.strip(" \t\n\r"):
        return None
    try:
        json.loads(text, parse_int=str)  # Python refuses to turn thousands of digits into a number; that is told below, with its place
    except json.JSONDecodeError as error:
        raise InputError([_retell(error, path)]) from None
    except RecursionError:
        pass  # the composer stops, with the place, long before that depth
    return _Composer(path).compose(text)


class _Composer:
    def __init__(self, path: str) -> None:
        self._path = path
        self._open: list[tuple[MappingNode | SequenceNode, list[Node]]] = []

    def compose(self, text: str) -> Node:
        root: Node | None = None
        for token, mark in _tokens(text):
            if token in ",:":
                continue
            if token in "]}":
                self._close(mark)
                continue
            node = self._node(token, mark)
            if self._open:
                self._open[-1][1].append(node)
            root = root or node
            if isinstance(node, MappingNode | SequenceNode):
                self._open.append((node, []))
                if len(self._open) > MAX_DEPTH:
                    message = f"more than {MAX_DEPTH} levels of lists and keys inside one another"
                    raise InputError([self._problem(message, mark, "write it flat")])
        assert root is not None  # the json module has read a value
        return root

    def _problem(self, message: str, mark: Mark, way_out: str) -> Problem:
        return Problem(self._path, message, mark.line + 1, mark.column + 1, way_out=way_out)

    def _close(self, mark: Mark) -> None:
        node, parts = self._open.pop()
        node.end_mark = mark
        node.value = parts if isinstance(node, SequenceNode) else list(zip(parts[::2], parts[1::2], strict=True))

    def _node(self, token: str, mark: Mark) -> Node:
        if token == "{":
            return MappingNode("", [], mark, mark, flow_style=False)
        if token == "[":
            return SequenceNode("", [], mark, mark, flow_style=False)
        if token.startswith('"'):
            return ScalarNode("", json.loads(token) if "\\" in token else token[1:-1], mark, mark, style='"')
        if token in _NOT_JSON:
            raise InputError([self._problem(f"{token} is not JSON", mark, "write a number, or text in quotes")])
        if len(token) > MAX_DIGITS:
            raise InputError([self._problem(f"a number of more than {MAX_DIGITS} characters", mark, "put it in quotes if it is text")])
        return ScalarNode("", json.loads(token), mark, mark, style=PLAIN)


def _tokens(text: str) -> Iterator[tuple[str, Mark]]:
    line, line_start = 0, 0
    for found in _TOKEN.finditer(text):
        start = found.start(1)
        if start > found.start():
            blanks = text[found.start() : start]
            breaks = blanks.count("\n") + blanks.count("\r") - blanks.count("\r\n")
            if breaks:
                line += breaks
                line_start = found.start() + max(blanks.rfind("\n"), blanks.rfind("\r")) + 1
        yield found[1], Mark("", start, line, start - line_start, None, 0)


def _retell(error: json.JSONDecodeError, path: str) -> Problem:
    known = WordLists.of(__package__, "parsers").raw("json")
    unknown = {"means": f"is not JSON here ({error.msg})", "do": "check the brackets, commas and quotes around this line"}
    retold = next((told for words, told in known.items() if words in error.msg), unknown)
    before = error.doc[: error.pos].replace("\r\n", "\n").replace("\r", "\n")
    column = len(before) - before.rfind("\n")
    return Problem(path, retold["means"], before.count("\n") + 1, column, way_out=retold["do"])
