"""Rewriting: the smallest changes to a text after which an item says what is wanted.

Rule: what says the right thing already is not touched. Comments, order and style stay with what they belong to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from goldenlib.editing.pieces import (
    Extent,
    Piece,
    block_extents,
    flow_extents,
    in_order,
    join_block,
    join_flow,
    pieces_at,
    with_inserted,
    with_removed,
)
from goldenlib.editing.refusals import Unwanted
from goldenlib.editing.rendering import Renderer
from goldenlib.editing.samelines import match
from goldenlib.editing.scalars import DOUBLE, SINGLE, Wish, WrittenScalar, common, write
from goldenlib.editing.surroundings import width_of
from goldenlib.editing.syntax import (
    BLOCK_STYLES,
    AliasSpan,
    ListSpan,
    MappingSpan,
    Pair,
    ScalarSpan,
    Span,
    after_spaces,
    before_break,
    block_indent,
    block_lines,
    column_of,
    head_end,
    is_merge,
    key_text,
    line_end,
    line_start,
    next_line,
    within,
)
from goldenlib.editing.values import Path, in_model_order, merged_keys, own_keys, place_for, same, value_of
from goldenlib.files.checking import label
from goldenlib.files.yamltext import PLAIN


class Splice(NamedTuple):
    """Replace text[start:end] by `new`."""

    start: int
    end: int
    new: str


class TextPlace(NamedTuple):
    """Where a value stands: its path, the offset right behind its ':' or '-', the column of its key or '-', and whether that
    is in brackets. The entries of a list in brackets have no mark.
    """

    path: Path
    mark: int | None
    column: int
    in_flow: bool


@dataclass(frozen=True)
class Shared:
    """The anchors of a file, and how often each is used by an alias."""

    anchors: Mapping[str, Span]
    uses: Mapping[str, int]


def lost_anchor(span: Span, shared: Shared) -> str | None:
    """Return an anchor within `span` that an alias outside it repeats; None when it can be removed."""
    inside = list(within(span))
    for part in inside:
        if not isinstance(part, AliasSpan) and part.anchor is not None:
            own = sum(isinstance(other, AliasSpan) and other.name == part.anchor for other in inside)
            if shared.uses.get(part.anchor, 0) > own:
                return part.anchor
    return None


def apply(text: str, splices: Iterable[Splice]) -> str:
    """Return the text with the splices done; they do not overlap."""
    for splice in reversed(sorted(splices, key=lambda splice: (splice.start, splice.end))):  # noqa: C413 - keeps the order of equals
        text = text[: splice.start] + splice.new + text[splice.end :]
    return text


class Rewriting:
    """Finds the splices for one item of a text."""

    def __init__(self, text: str, renderer: Renderer, shared: Shared) -> None:
        self._text = text
        self._renderer = renderer
        self._newline = renderer.around.newline
        self._shared = shared

    def splices(self, span: Span, wanted: Any, place: TextPlace) -> list[Splice]:
        """Return what to change so that `span` says what is wanted. Raises Unwanted where that cannot be done safely."""
        if same(span, wanted, self._shared.anchors):
            return []
        if not isinstance(span, AliasSpan):
            self._refuse_shared(span, place)
        if isinstance(span, ScalarSpan) and not isinstance(wanted, dict | list):
            return self._scalar(span, wanted, place)
        if isinstance(span, ListSpan) and isinstance(wanted, list) and span.entries and wanted:
            return self._list(span, wanted, place)
        if isinstance(span, MappingSpan) and isinstance(wanted, dict) and span.pairs and wanted:
            return self._mapping(span, wanted, place)
        return self._other_kind(span, wanted, place)

    # --- one value for another ---

    def _scalar(self, span: ScalarSpan, wanted: Any, place: TextPlace) -> list[Splice]:
        wish = self._renderer.wish(wanted, place.path, place.column, in_flow=place.in_flow)
        written = write(wanted, wish if span.is_null else self._like(span, wish))
        if isinstance(wanted, bool) and span.style == PLAIN:
            written = WrittenScalar(_in_case_of(span.text, written.inline))
        start, anchor = span.body, ""
        if span.tag is not None and not (isinstance(wanted, str) and span.tag.endswith(("str", "!"))):
            start, anchor = span.start, f"&{span.anchor} " if span.anchor else ""  # the tag says what the old value was
        if span.style in BLOCK_STYLES and written.lines:
            return [Splice(start, self._header_end(span), anchor + written.inline), *self._lines(span, written)]
        return self._put(span, WrittenScalar(anchor + written.inline, written.lines), place, start)

    def _like(self, span: ScalarSpan, wish: Wish) -> Wish:
        """Return the wish to look like the value that is replaced."""
        is_quoted = span.style in (SINGLE, DOUBLE)
        wish = replace(wish, style=span.style, quote=span.style if is_quoted else wish.quote, had_breaks=is_quoted and "\n" in span.text)
        if span.style not in BLOCK_STYLES:
            return wish
        indent = block_indent(self._text, span.body, span.end) or wish.indent
        digits = [char for char in self._text[span.body : self._header_end(span)] if char.isdigit()]
        indent = wish.parent + int(digits[0]) if digits else indent
        lines = block_lines(self._text, span.body, span.end)
        return replace(
            wish,
            indent=indent,
            width=width_of(self._text, span) or wish.width,
            old_lines=tuple(self._text[line.start + indent : line.end] for line in lines),
        )

    def _other_kind(self, span: Span, wanted: Any, place: TextPlace) -> list[Splice]:
        """Put a value in place of one of another kind, or of an alias."""
        self._refuse_lost_anchors(span, place.path)
        if place.in_flow:
            return self._put(span, WrittenScalar(self._renderer.flow(wanted, place.path)), place, span.start)
        if not place.path or isinstance(place.path[-1], int):
            first, *rest = self._renderer.entry(wanted, place.path, place.column)
            return self._put(span, WrittenScalar(first[place.column + 2 :], tuple(rest)), place, span.start)
        return self._put(span, self._renderer.value(wanted, place.path, place.column), place, span.start)

    def _put(self, span: Span, written: WrittenScalar, place: TextPlace, start: int) -> list[Splice]:
        """Replace what stands from `start` to the end of `span`: the part on the line of the key, and the lines below it."""
        text, end = self._text, span.end
        below = (line_end(text, end), line_end(text, end))
        if isinstance(span, ScalarSpan) and span.style in BLOCK_STYLES:
            end, below = self._header_end(span), (line_end(text, span.body), span.end)
        elif isinstance(span, ListSpan | MappingSpan) and not span.flow and place.mark is not None:
            start, end = place.mark, head_end(text, span, place.mark)
            below = (line_end(text, end), before_break(text, self._extents(span, place)[-1].end))
        if not written.inline and place.mark is not None and not text[place.mark : start].strip(" "):
            start = place.mark  # no blank is left behind the ':'
        if start == end and text.startswith(" ", end) and after_spaces(text, end) == line_end(text, end) and not place.in_flow:
            start = end = end + 1  # the blank behind an empty value is used
        splices = [Splice(start, end, " " * self._needs_blank(start, end, written.inline) + written.inline)]
        if place.in_flow or (below[0] == below[1] and not written.lines):
            return splices
        return [*splices, Splice(*below, self._joined(written, below[1]))]

    def _needs_blank(self, start: int, end: int, inline: str) -> bool:
        """Whether a blank is missing: there was no value, or one in quotes or brackets, which needs none."""
        before = self._text[start - 1 : start]
        if not inline or not before or before.isspace() or before in "[{,":
            return False
        return start == end or (self._text[start] in "'\"[{" and inline[0] not in "'\"[{")

    def _lines(self, span: ScalarSpan, written: WrittenScalar) -> list[Splice]:
        """Replace the lines of a block scalar, apart from those at its start and end that stay."""
        old = block_lines(self._text, span.body, span.end)
        texts = [self._text[line.start : line.end] for line in old]
        new = list(written.lines)
        head = common(texts, new)
        tail = common(texts[head:][::-1], new[head:][::-1])
        ends = [line_end(self._text, span.body), *(line.end for line in old)]
        middle = WrittenScalar(written.inline, tuple(new[head : len(new) - tail]))
        end = ends[len(old) - tail]
        lines = self._joined(middle, end) if not tail else "".join(self._newline + line for line in middle.lines)
        return [Splice(ends[head], end, lines)]

    def _joined(self, written: WrittenScalar, end: int) -> str:
        """Return the lines, each behind a line break; a block scalar at the end of the file closes its last one too."""
        lines = "".join(self._newline + line for line in written.lines)
        header = written.inline.rpartition(" ")[2]
        is_clipped = bool(written.lines) and header.startswith(BLOCK_STYLES) and "-" not in header
        return lines + self._newline * (end == len(self._text) and is_clipped)

    def _header_end(self, span: ScalarSpan) -> int:
        at = span.body + 1
        while self._text[at : at + 1] in ("+", "-") or self._text[at : at + 1].isdigit():
            at += 1
        return at

    # --- lists ---

    def _list(self, span: ListSpan, wanted: list[Any], place: TextPlace) -> list[Splice]:
        found = match([value_of(entry.value, self._shared.anchors) for entry in span.entries], wanted)
        changes = {index: wanted[number] for number, index in enumerate(found) if index is not None}
        splices = {
            index: self.splices(span.entries[index].value, value, self._entry_place(span, index, place)) for index, value in changes.items()
        }
        if found == list(range(len(span.entries))):
            return [splice for entry in splices.values() for splice in entry]
        for index in set(range(len(span.entries))) - changes.keys():
            self._refuse_lost_anchors(span.entries[index].value, (*place.path, index))
        extents = self._extents(span, place)
        pieces = self._patched(span, extents, splices)
        kept = list(range(len(pieces)))
        for index in sorted(set(kept) - changes.keys(), reverse=True):
            pieces = with_removed(pieces, index)
            kept.remove(index)
        pieces = in_order(pieces, [kept.index(index) for index in found if index is not None])
        for number, old in enumerate(found):
            if old is None:
                new = Piece("", self._new_entry(span, wanted[number], number, place))
                pieces = with_inserted(pieces, number, new, self._default_gap(span, extents))
        return self._rebuilt(span, extents, pieces)

    def _entry_place(self, span: ListSpan, index: int, place: TextPlace) -> TextPlace:
        mark = None if span.flow else span.entries[index].mark
        return TextPlace((*place.path, index), mark, column_of(self._text, span.body), span.flow)

    def _new_entry(self, span: ListSpan, value: Any, number: int, place: TextPlace) -> str:
        path = (*place.path, number)
        if span.flow:
            return self._renderer.flow(value, path)
        return "".join(line + self._newline for line in self._renderer.entry(value, path, column_of(self._text, span.body)))

    # --- mappings ---

    def _mapping(self, span: MappingSpan, wanted: dict[str, Any], place: TextPlace) -> list[Splice]:
        self._refuse_unusual(span, place)
        own, merged = own_keys(span), merged_keys(span, self._shared.anchors)
        if lost := [key for key in merged if key not in wanted]:
            raise Unwanted(f"{label((*place.path, lost[0]))} comes from '<<' and cannot be removed here; change the mapping that is merged")
        numbers = {key: number for number, pair in enumerate(span.pairs) if (key := key_text(pair)) in own and not is_merge(pair)}
        removed = [key for key in own if key not in wanted]
        added = {key: value for key, value in wanted.items() if key not in own and not self._is_merged(merged.get(key), value)}
        splices = {
            numbers[key]: self.splices(value, wanted[key], self._pair_place(span, span.pairs[numbers[key]], place))
            for key, value in own.items()
            if key in wanted
        }
        if not removed and not added:
            return [splice for pair in splices.values() for splice in pair]
        for key in removed:
            self._refuse_lost_anchors(own[key], (*place.path, key))
        if len(removed) == len(span.pairs):
            return self._other_kind(span, wanted, place)
        extents = self._extents(span, place)
        pieces = self._patched(span, extents, splices)
        keys = [key_text(pair) or "" for pair in span.pairs]
        for key in removed:
            pieces = with_removed(pieces, keys.index(key))
            keys.remove(key)
        for key, value in in_model_order(added, place.path).items():
            number = place_for(key, place.path, keys)
            new = Piece("", self._new_pair(span, key, value, place))
            pieces = with_inserted(pieces, number, new, self._default_gap(span, extents))
            keys.insert(number, key)
        return self._rebuilt(span, extents, pieces)

    def _is_merged(self, there: Span | None, value: Any) -> bool:
        return there is not None and same(there, value, self._shared.anchors)

    def _pair_place(self, span: MappingSpan, pair: Pair, place: TextPlace) -> TextPlace:
        return TextPlace((*place.path, key_text(pair) or ""), pair.mark, column_of(self._text, pair.key.start), span.flow)

    def _new_pair(self, span: MappingSpan, key: str, value: Any, place: TextPlace) -> str:
        if span.flow:
            return self._renderer.flow_pair(key, value, place.path)
        return "".join(line + self._newline for line in self._renderer.pair(key, value, place.path, column_of(self._text, span.body)))

    # --- the pieces of both ---

    def _extents(self, span: ListSpan | MappingSpan, place: TextPlace) -> list[Extent]:
        starts, ends = zip(*_bounds(span), strict=True)
        if span.flow:
            return flow_extents(self._text, span.body + 1, list(zip(starts, ends, strict=True)), span.end - 1)
        zone = span.body if self._is_compact(span) else next_line(self._text, head_end(self._text, span, place.mark or 0))
        return block_extents(self._text, zone, starts, ends, column_of(self._text, span.body))

    def _is_compact(self, span: ListSpan | MappingSpan) -> bool:
        """Whether the first entry stands on the line of the '-' before it."""
        return bool(self._text[line_start(self._text, span.body) : span.body].strip(" \t"))

    def _patched(self, span: ListSpan | MappingSpan, extents: Sequence[Extent], splices: Mapping[int, Sequence[Splice]]) -> list[Piece]:
        """Return the pieces with the changes to their values done; all of them as whole lines."""
        pieces = pieces_at(self._text, extents)
        for index, changes in splices.items():
            start = extents[index].body
            moved = [Splice(splice.start - start, splice.end - start, splice.new) for splice in changes]
            pieces[index] = pieces[index]._replace(body=apply(pieces[index].body, moved))
        if not span.flow and self._is_compact(span):
            pieces[0] = pieces[0]._replace(body=" " * column_of(self._text, span.body) + pieces[0].body)
        return pieces

    def _default_gap(self, span: ListSpan | MappingSpan, extents: Sequence[Extent]) -> str:
        if not span.flow:
            return ""
        first = self._text[extents[0].start : extents[0].body]
        return first if "\n" in first or "\r" in first else " "

    def _rebuilt(self, span: ListSpan | MappingSpan, extents: Sequence[Extent], pieces: list[Piece]) -> list[Splice]:
        start, end = extents[0].start, extents[-1].end
        if span.flow:
            closing = self._text[extents[-1].aside : span.end - 1]
            ends_with_comma = self._text.startswith(",", end)
            return [Splice(start, span.end - 1, join_flow(pieces, closing, self._newline, ends_with_comma=ends_with_comma))]
        ends_open = end == len(self._text) and not self._text.endswith(("\n", "\r"))
        if not self._is_compact(span):
            return [Splice(start, end, join_block(pieces, self._newline, ends_open=ends_open))]
        pieces[0] = pieces[0]._replace(gap="")
        return [Splice(start, end, join_block(pieces, self._newline, ends_open=ends_open).lstrip(" "))]

    # --- refusals ---

    def _refuse_shared(self, span: ScalarSpan | ListSpan | MappingSpan, place: TextPlace) -> None:
        if span.anchor is not None and self._shared.uses.get(span.anchor, 0):
            raise Unwanted(_shared_message(span.anchor, place.path))

    def _refuse_lost_anchors(self, span: Span, path: Path) -> None:
        if name := lost_anchor(span, self._shared):
            raise Unwanted(_shared_message(name, path))

    def _refuse_unusual(self, span: MappingSpan, place: TextPlace) -> None:
        keys = [key_text(pair) for pair in span.pairs]
        where = f"{label(place.path)} is" if place.path else "the item is"
        if None in keys or any(pair.mark is None for pair in span.pairs) or (span.flow and not self._text.startswith("{", span.body)):
            raise Unwanted(f"{where} written in an unusual form of YAML; write it as 'key: value' lines first")
        if twice := [key for number, key in enumerate(keys) if key in keys[:number]]:
            raise Unwanted(f"{where} given the key '{twice[0]}' twice; remove one of them first")


def _bounds(span: ListSpan | MappingSpan) -> Iterator[tuple[int, int]]:
    """Give start and end of each entry or pair."""
    if isinstance(span, ListSpan):
        for entry in span.entries:
            yield (entry.value.start if span.flow else entry.mark - 1), max(entry.value.end, entry.mark)
    else:
        for pair in span.pairs:
            yield pair.key.start, max(pair.value.end, pair.mark or 0)


def _in_case_of(old: str, new: str) -> str:
    return new.upper() if old.isupper() else new.title() if old.istitle() else new


def _shared_message(anchor: str, path: Path) -> str:
    where = label(path) or "the item"
    return f"{where} holds the anchor '&{anchor}', and '*{anchor}' repeats it elsewhere; write the value out there first"
