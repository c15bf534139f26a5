"""The syntax of a piece of YAML: which value stands where, to the character.

Rule: positions index the very text that was parsed, and nothing is resolved: an alias is an alias, not what it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml
from yaml.events import AliasEvent, CollectionStartEvent, ScalarEvent, SequenceStartEvent

from goldenlib.files.documents import MERGE, NULLS
from goldenlib.files.yamltext import OLD_LINE_BREAKS, PLAIN

if TYPE_CHECKING or yaml.__with_libyaml__:
    from yaml._yaml import CParser
else:  # `compose_yaml` reads every file first and says so
    CParser = object

BLOCK_STYLES = ("|", ">")
# Tags that make a text of what would be empty.
_TEXT_TAGS = ("tag:yaml.org,2002:str", "!")
# Anchor and tag before a value, with the blanks and comments behind each.
_PROPERTIES = re.compile(r"(?:(?:&[^\s,\[\]{}]*|!<[^>]*>|![^\s,\[\]{}]*)(?:[ \t\r\n]|(?<=\s)#[^\r\n]*)*)+")
_PROPERTY = re.compile(r"&[^\s,\[\]{}]*|!<[^>]*>|![^\s,\[\]{}]*")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\r\n]*)*")
_SPACES = re.compile(r"[ \t]*")
_LINE_END = re.compile(r"\r\n|\n|\r|\Z")
_VALUES = (ScalarEvent, CollectionStartEvent, AliasEvent)
_HEADER = re.compile(r"[|>]([0-9+-]*)")


class ScalarSpan(NamedTuple):
    """A text. `start` is where its anchor or tag begins, `body` where the value itself does; `end` is behind its last character.

    The end of a block scalar is that of its last line, without the line break; blank lines below count when they are part
    of the text (`|+`). An empty value has no width and stands right behind its ':' or '-'.
    """

    start: int
    body: int
    end: int
    text: str
    style: str
    anchor: str | None
    tag: str | None

    @property
    def is_null(self) -> bool:
        """Whether the value is empty or a plain null, and no text."""
        return self.style == PLAIN and self.text in NULLS and self.tag not in _TEXT_TAGS


class AliasSpan(NamedTuple):
    """An alias (`*name`)."""

    start: int
    end: int
    name: str


class SyntaxEntry(NamedTuple):
    """An entry of a list; `mark` is right behind its '-', or in brackets where the value starts."""

    mark: int
    value: Span


class ListSpan(NamedTuple):
    """A list. `body` is its first '-' or its '['; `end` is behind its last entry or its ']'."""

    start: int
    body: int
    end: int
    flow: bool
    anchor: str | None
    tag: str | None
    entries: tuple[SyntaxEntry, ...]


class Pair(NamedTuple):
    """A key and its value; `mark` is right behind the ':', or None where there is none, or a '?' before the key."""

    key: Span
    mark: int | None
    value: Span


class MappingSpan(NamedTuple):
    """Keys with values. `body` is the first key or the '{'; `end` is behind the last value or the '}'."""

    start: int
    body: int
    end: int
    flow: bool
    anchor: str | None
    tag: str | None
    pairs: tuple[Pair, ...]


Span = ScalarSpan | AliasSpan | ListSpan | MappingSpan


class Syntax(NamedTuple):
    """A parsed text: its root (None when it holds nothing), its anchors by name, and how often each is used by an alias."""

    root: Span | None
    anchors: dict[str, Span]
    uses: dict[str, int]


def parse(text: str) -> Syntax:
    """Return the syntax of `text`. Raises yaml.YAMLError where PyYAML's parser stops, and for a second document."""
    return _Builder(text).parsed()


def after_blank(text: str, offset: int) -> int:
    """Return the offset of the first character from `offset` on that is neither blank nor in a comment."""
    found = _BLANK.match(text, offset)
    return found.end() if found else offset


def after_spaces(text: str, offset: int) -> int:
    """Return the offset of the first character from `offset` on that is no space or tab."""
    found = _SPACES.match(text, offset)
    return found.end() if found else offset


def line_start(text: str, offset: int) -> int:
    """Return where the line of `offset` starts."""
    line_feed = text.rfind("\n", 0, offset)
    return max(line_feed, text.rfind("\r", line_feed + 1, offset)) + 1


def line_end(text: str, offset: int) -> int:
    """Return where the line of `offset` ends, before its line break."""
    found = _LINE_END.search(text, offset)
    return found.start() if found else len(text)


def next_line(text: str, offset: int) -> int:
    """Return where the line below that of `offset` starts; the end of the text when there is none."""
    found = _LINE_END.search(text, offset)
    return found.end() if found else len(text)


def before_break(text: str, offset: int) -> int:
    """Return `offset`, or where the line break right before it starts."""
    return offset - 2 if text.endswith("\r\n", 0, offset) else offset - text.endswith(("\n", "\r"), 0, offset)


def column_of(text: str, offset: int) -> int:
    """Return the column of `offset`, from 0."""
    return offset - line_start(text, offset)


def head_end(text: str, span: ListSpan | MappingSpan, mark: int) -> int:
    """Return the end of what stands before a list or mapping without brackets: the ':' or '-', or its anchor and tag."""
    end = mark
    at = span.start
    while at < span.body and (found := _PROPERTY.match(text, at)):
        end = found.end()
        at = after_blank(text, end)
    return end


def is_block(span: Span) -> bool:
    """Whether the value is a list or mapping without brackets."""
    return isinstance(span, ListSpan | MappingSpan) and not span.flow


def is_merge(pair: Pair) -> bool:
    """Whether the pair takes over the keys of another mapping (`<<: *name`)."""
    return isinstance(pair.key, ScalarSpan) and pair.key.text == MERGE and pair.key.style == PLAIN


def key_text(pair: Pair) -> str | None:
    """Return the key as text; None where it is a list, a mapping or an alias."""
    return pair.key.text if isinstance(pair.key, ScalarSpan) else None


def children(span: Span) -> Iterator[Span]:
    """Give the keys and values of a list or mapping, in order."""
    if isinstance(span, ListSpan):
        yield from (entry.value for entry in span.entries)
    elif isinstance(span, MappingSpan):
        for pair in span.pairs:
            yield pair.key
            yield pair.value


def within(span: Span) -> Iterator[Span]:
    """Give a value and everything in it."""
    yield span
    for child in children(span):
        yield from within(child)


def last_scalar(span: Span) -> Span:
    """Return the value that stands last in `span`; itself when it is none of a list or mapping without brackets."""
    while is_block(span):
        *_, span = children(span)
    return span


class _Builder:
    def __init__(self, text: str) -> None:
        self.text = text
        self.anchors: dict[str, Span] = {}
        self.uses: dict[str, int] = {}
        there = _stand_ins(text)
        self._back = {ord(stand_in): char for char, stand_in in there.items()}
        self._parser = CParser(text.translate({ord(char): stand_in for char, stand_in in there.items()}) if there else text)

    def parsed(self) -> Syntax:
        root = None
        try:
            while (event := self._next()) is not None:
                if isinstance(event, _VALUES):
                    if root is not None:
                        raise yaml.YAMLError("a second document")
                    root = self._span(event)
        finally:
            self._parser.dispose()
        return Syntax(root, self.anchors, self.uses)

    def _next(self) -> Any:
        """Return the next event of libyaml; all of them have their marks, which the types of PyYAML do not tell."""
        return self._parser.get_event()

    def _span(self, event: Any) -> Span:
        start: int = event.start_mark.index
        kind = event.__class__
        if kind is ScalarEvent:
            span: Span = self._scalar(event, start)
        elif kind is AliasEvent:
            self.uses[event.anchor] = self.uses.get(event.anchor, 0) + 1
            return AliasSpan(start, event.end_mark.index, event.anchor)
        elif kind is SequenceStartEvent:
            span = self._list(event, start)
        else:
            span = self._mapping(event, start)
        if event.anchor is not None:
            self.anchors[event.anchor] = span
        return span

    def _body(self, event: Any, start: int) -> int:
        """Return where the value itself starts, behind its anchor and tag."""
        if event.anchor is None and event.tag is None:
            return start
        found = _PROPERTIES.match(self.text, start)
        return found.end() if found else start

    def _scalar(self, event: Any, start: int) -> ScalarSpan:
        end, style = event.end_mark.index, event.style or PLAIN
        body = min(self._body(event, start), end)
        if style in BLOCK_STYLES:
            end = _block_end(self.text, body, end)
        value = event.value.translate(self._back) if self._back else event.value
        return ScalarSpan(start, body, end, value, style, event.anchor, event.tag)

    def _list(self, first: Any, start: int) -> ListSpan:
        entries: list[SyntaxEntry] = []
        flow = bool(first.flow_style)
        end = body = self._body(first, start)
        while isinstance(event := self._next(), _VALUES):
            value = self._span(event)
            mark = value.start if flow else after_blank(self.text, end) + 1
            entries.append(SyntaxEntry(mark, value))
            end = max(value.end, mark)
        return ListSpan(start, body, event.end_mark.index if flow else end, flow, first.anchor, first.tag, tuple(entries))

    def _mapping(self, first: Any, start: int) -> MappingSpan:
        pairs: list[Pair] = []
        flow = bool(first.flow_style)
        end = body = self._body(first, start)
        while isinstance(event := self._next(), _VALUES):
            before = after_blank(self.text, end)
            key = self._span(event)
            value = self._span(self._next())
            colon = after_blank(self.text, key.end)
            is_explicit = key.start > before and self.text.startswith("?", before)
            mark = colon + 1 if not is_explicit and self.text.startswith(":", colon) else None
            pairs.append(Pair(key, mark, value))
            end = max(value.end, mark or key.end)
        if pairs and not flow:
            body = pairs[0].key.start  # the key may have an anchor of its own
        return MappingSpan(start, body, event.end_mark.index if flow else end, flow, first.anchor, first.tag, tuple(pairs))


def _stand_ins(text: str) -> dict[str, str]:
    """Return what stands for the line breaks of YAML 1.1 while libyaml parses, which takes them for line breaks."""
    used = [char for char in OLD_LINE_BREAKS if char in text]
    free = (chr(number) for number in range(0xE000, 0xF900) if chr(number) not in text) if used else iter(())
    return dict(zip(used, free, strict=False))


def _block_end(text: str, body: int, end: int) -> int:
    """Return the end of a block scalar without the blank lines below it, unless it keeps them; libyaml's is behind them."""
    header = _HEADER.match(text, body)
    end = before_break(text, end)
    lines = block_lines(text, body, end)
    if header and "+" in header[1]:
        return lines[-1].end if lines else line_end(text, body)
    indent = block_indent(text, body, end)
    kept = [line for line in lines if text[line.start : line.end].strip(" ") or line.end - line.start > indent]
    return kept[-1].end if kept else line_end(text, body)


class Line(NamedTuple):
    """Where a line starts and ends, without its line break."""

    start: int
    end: int


def block_lines(text: str, body: int, end: int) -> list[Line]:
    """Return the lines below the header of a block scalar; `end` is that of the last one."""
    lines = []
    at = next_line(text, body)
    while line_end(text, body) < at <= end:
        lines.append(Line(at, line_end(text, at)))
        if (at := next_line(text, at)) == lines[-1].end:
            break  # the end of the text
    return lines


def block_indent(text: str, body: int, end: int) -> int:
    """Return the column at which the lines of a block scalar start, or 0 when all are blank.

    With an indentation indicator it is that of the least indented line, which is the same or deeper.
    """
    header = _HEADER.match(text, body)
    widths = [
        line.end - line.start - len(text[line.start : line.end].lstrip(" "))
        for line in block_lines(text, body, end)
        if text[line.start : line.end].strip(" ")
    ]
    if not widths:
        return 0
    has_indicator = header is not None and any(char.isdigit() for char in header[1])
    return min(widths) if has_indicator else widths[0]
