"""Verifying: an edited text is parsed again before anybody gets it.

Rule: what an edit did not mean to change is the same text in the same surroundings, or the edit is refused. A whole file takes a
second to parse, so only the lines of the changed items are parsed, with what comes right behind them; that is enough, because a
parser that stands at the '-' of an item, at the same column, with nothing open, reads on as it did before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml
from yaml.error import Mark
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from goldenlib.editing.pieces import join_flow
from goldenlib.editing.reading import parse_source
from goldenlib.editing.refusals import Damaged
from goldenlib.editing.source import Region, SourceFile
from goldenlib.editing.syntax import AliasSpan, ListSpan, ScalarSpan, Span, after_blank, column_of, line_start, parse
from goldenlib.editing.values import same
from goldenlib.errors import GoldenError, Problem
from goldenlib.files.checking import RawItem, check_item
from goldenlib.files.documents import Document, find

_STAND_IN = "x"


def verify(source: SourceFile, expected: Mapping[int, Any], *, whole: bool) -> None:
    """Raise Damaged unless the items at the given indexes say what is expected, and nothing else does anything else.

    `whole` has the entire file read again; `expected` then holds every item.
    """
    if whole:
        _verify_whole(source, expected)
    else:
        for first, last in _stretches(sorted(expected)):
            values = [expected[index] for index in range(first, last)]
            _verify_stretch(source, first, last, values)


def _stretches(indexes: Sequence[int]) -> list[tuple[int, int]]:
    stretches: list[tuple[int, int]] = []
    for index in indexes:
        if stretches and stretches[-1][1] == index:
            stretches[-1] = (stretches[-1][0], index + 1)
        else:
            stretches.append((index, index + 1))
    return stretches


def _verify_stretch(source: SourceFile, first: int, last: int, expected: Sequence[Any]) -> None:
    lines = _flow_stretch(source, first, last) if source.layout.flow else _block_stretch(source, first, last)
    # Something at the column of the items has to end the last of them; at the end of the file, nothing does.
    stand_in = " " * source.layout.column + f"- {_STAND_IN}" if lines.endswith(("\n", "\r")) else ""
    try:
        syntax = parse(lines + stand_in)
    except yaml.YAMLError as error:
        raise Damaged(str(error)) from None
    root = syntax.root
    if not isinstance(root, ListSpan) or (not root.flow and column_of(lines, root.body) != source.layout.column):
        raise Damaged("the items are no list any more")
    values = [entry.value for entry in root.entries]
    if stand_in and not _is_stand_in(values.pop()):
        raise Damaged("an item runs into what is below it")
    anchors = {**source.shared.anchors, **syntax.anchors}
    if len(values) != len(expected) or not all(same(value, wanted, anchors) for value, wanted in zip(values, expected, strict=True)):
        raise Damaged("an item does not say what was wanted")


def _block_stretch(source: SourceFile, first: int, last: int) -> str:
    """Return the lines of the items, with the blank ones and comments below."""
    pieces = [item.piece for item in source.items[first:last]]
    below = source.items[last].piece.gap if last < len(source.items) else source.tail
    below = below[: line_start(below, after_blank(below, 0))]
    return "".join(part for piece in pieces for part in piece)[len(pieces[0].gap) :] + below


def _flow_stretch(source: SourceFile, first: int, last: int) -> str:
    pieces = [item.piece for item in source.items[first:last]]
    return "[" + join_flow(pieces, "", source.layout.newline, ends_with_comma=False) + source.layout.newline + "]"


def _is_stand_in(span: Span) -> bool:
    return isinstance(span, ScalarSpan) and span.text == _STAND_IN


def _verify_whole(source: SourceFile, expected: Mapping[int, Any]) -> None:
    try:
        again = parse_source(source.path, source.data)
    except GoldenError as error:
        raise Damaged(str(error)) from None
    same_frame = again.head == source.head and again.tail.lstrip("\r\n") == source.tail.lstrip("\r\n")
    if len(again.items) != len(expected) or not same_frame:
        raise Damaged("the file holds other items than before")
    if not all(same(again.region(index).item, wanted, again.shared.anchors) for index, wanted in expected.items()):
        raise Damaged("an item does not say what was wanted")


# --- what the models say ---


def problems_of(source: SourceFile, region: Region) -> list[Problem]:
    """Return what loading would say against an item; positions are within its piece."""
    nodes = _Nodes(region.text, {**source.shared.anchors, **region.syntax.anchors})
    root = nodes.node(region.syntax.root) if region.syntax.root is not None else None
    document = Document(str(source.path), region.text, root)
    item, values = (root, document.value) if source.layout.flow else (find(root, 0), document.value[0])
    problems = list(document.problems)
    if isinstance(values, dict) and item is not None:
        check_item(RawItem(document, item, values), problems)
    return problems


class _Nodes:
    """Makes the nodes of PyYAML from syntax, with aliases resolved."""

    def __init__(self, text: str, anchors: Mapping[str, Span]) -> None:
        self._text = text
        self._anchors = anchors
        self._known: dict[str, Node] = {}

    def node(self, span: Span) -> Node:
        if isinstance(span, AliasSpan):
            if span.name not in self._known:
                self._known[span.name] = self.node(self._anchors[span.name])
            return self._known[span.name]
        start, end = self._mark(span.start), self._mark(span.end)
        tag: Any = span.tag  # None for most, as in the nodes of `compose_yaml`
        if isinstance(span, ScalarSpan):
            return ScalarNode(tag, span.text, start, end, style=span.style)
        if isinstance(span, ListSpan):
            entries = [self.node(entry.value) for entry in span.entries]
            return SequenceNode(tag, entries, start, end, flow_style=span.flow)
        pairs = [(self.node(pair.key), self.node(pair.value)) for pair in span.pairs]
        return MappingNode(tag, pairs, start, end, flow_style=span.flow)

    def _mark(self, offset: int) -> Mark:
        line = self._text.count("\n", 0, offset)
        return Mark("", offset, line, column_of(self._text, offset), None, 0)
