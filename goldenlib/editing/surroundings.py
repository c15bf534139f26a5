"""Surroundings: in what style the items around an edit are written.

Rule: the nearest example decides; only where there is none does this module have a taste of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from goldenlib.editing.scalars import DOUBLE, SINGLE
from goldenlib.editing.syntax import (
    BLOCK_STYLES,
    ListSpan,
    MappingSpan,
    Pair,
    ScalarSpan,
    Span,
    block_indent,
    block_lines,
    column_of,
    key_text,
    within,
)
from goldenlib.editing.values import Path, own_keys

DEFAULT_STEP = 2
DEFAULT_WIDTH = 100
_QUOTES = (SINGLE, DOUBLE)


@dataclass(frozen=True)
class Example:
    """An item that stands near: its text and its syntax."""

    text: str
    item: MappingSpan


@dataclass(frozen=True)
class Surroundings:
    """The items near an edit, nearest first, the edited one before all others; and how lines end here."""

    examples: tuple[Example, ...]
    newline: str
    dash_default: int = DEFAULT_STEP

    def style_of(self, path: Path) -> str | None:
        """Return the style in which the text at a path is written nearby; None where there is no example."""
        for example in self.examples:
            styles = [span.style for span in _alike(example.item, path) if isinstance(span, ScalarSpan) and not span.is_null]
            if styles:
                return Counter(reversed(styles)).most_common(1)[0][0]
        return None

    def list_is_flow(self, path: Path) -> bool:
        """Whether a list at a path would stand in brackets."""
        for example in self.examples:
            parent = _find(example.item, path[:-1])
            siblings = own_keys(parent) if isinstance(parent, MappingSpan) else {}
            lists = [span for key, span in sorted(siblings.items(), key=lambda pair: pair[0] != path[-1]) if _is_full_list(span)]
            if lists:
                return isinstance(lists[0], ListSpan) and lists[0].flow
        every = [span for example in self.examples for span in within(example.item) if _is_full_list(span)]
        return bool(every) and isinstance(every[0], ListSpan) and every[0].flow

    def mapping_is_flow(self, path: Path) -> bool:
        """Whether a mapping at a path would stand in braces."""
        found = (_find(example.item, path) for example in self.examples)
        return next((span.flow for span in found if isinstance(span, MappingSpan) and span.pairs), False)

    @cached_property
    def quote(self) -> str:
        """The quote that is used most nearby."""
        for example in self.examples:
            used = [span.style for span in within(example.item) if isinstance(span, ScalarSpan) and span.style in _QUOTES]
            if used:
                return Counter(used).most_common(1)[0][0]
        return DOUBLE

    @cached_property
    def dash_offset(self) -> int:
        """How much deeper than its key a list without brackets stands."""
        steps = (
            column_of(text, pair.value.body) - column_of(text, pair.key.start)
            for text, pair in self._block_pairs()
            if isinstance(pair.value, ListSpan) and not pair.value.flow
        )
        return next(steps, self.dash_default)

    @cached_property
    def step(self) -> int:
        """How much deeper than its key a mapping without braces stands."""
        steps = (
            column_of(text, pair.value.body) - column_of(text, pair.key.start)
            for text, pair in self._block_pairs()
            if isinstance(pair.value, MappingSpan) and not pair.value.flow
        )
        return next((step for step in steps if step > 0), DEFAULT_STEP)

    @cached_property
    def block_step(self) -> int:
        """How much deeper than its key the lines of a block scalar stand."""
        steps = (
            block_indent(text, span.body, span.end) - column_of(text, pair.key.start)
            for text, pair in self._block_pairs()
            if isinstance(span := pair.value, ScalarSpan) and span.style in BLOCK_STYLES
        )
        return next((step for step in steps if step > 0), self.step)

    @cached_property
    def width(self) -> int:
        """The column up to which folded text reaches."""
        widths = (width_of(text, pair.value) for text, pair in self._block_pairs() if isinstance(pair.value, ScalarSpan))
        return max(widths, default=0) or DEFAULT_WIDTH

    def _block_pairs(self) -> Iterator[tuple[str, Pair]]:
        for example in self.examples:
            for span in within(example.item):
                if isinstance(span, MappingSpan) and not span.flow:
                    yield from ((example.text, pair) for pair in span.pairs)


def width_of(text: str, span: ScalarSpan) -> int:
    """Return the width of the longest line of a folded block of several lines; 0 for anything else."""
    if span.style != ">":
        return 0
    lines = block_lines(text, span.body, span.end)
    return max((line.end - line.start for line in lines), default=0) if len(lines) > 1 else 0


def _find(span: Span | None, path: Path) -> Span | None:
    for step in path:
        if isinstance(span, MappingSpan):
            span = next((pair.value for pair in span.pairs if key_text(pair) == step), None)
        elif isinstance(span, ListSpan) and isinstance(step, int) and step < len(span.entries):
            span = span.entries[step].value
        else:
            return None
    return span


def _alike(item: MappingSpan, path: Path) -> list[Span]:
    """Return what is written in the same role: the value of that key, or the entries of that list, else of its siblings."""
    if not isinstance(path[-1], int):
        found = _find(item, path)
        return [found] if found is not None else []
    listed, parent = _find(item, path[:-1]), _find(item, path[:-2])
    if isinstance(listed, ListSpan) and listed.entries:
        return [entry.value for entry in listed.entries]
    siblings = own_keys(parent).values() if isinstance(parent, MappingSpan) else ()
    return [entry.value for sibling in siblings if isinstance(sibling, ListSpan) for entry in sibling.entries]


def _is_full_list(span: Span) -> bool:
    return isinstance(span, ListSpan) and bool(span.entries)
