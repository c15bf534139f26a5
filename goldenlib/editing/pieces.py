"""Pieces: the entries of a list, or the pairs of a mapping, with the blanks and comments that go with each.

Rule: a comment belongs to the entry right below it, or, when it is indented deeper than the entries, to the one above. What a
blank line keeps apart from the entry below is a heading: it keeps its place when entries are moved or removed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from goldenlib.editing.syntax import (
    BLOCK_STYLES,
    ScalarSpan,
    after_blank,
    after_spaces,
    last_scalar,
    line_end,
    line_start,
    next_line,
    parse,
)

_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_COMMENT = re.compile(r"[ \t]*#[^\r\n]*")
_KEEP = re.compile(r"[|>][1-9]?\+")
_ENDS_BLANK = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)\Z")
_BLANK_LINES_FIRST = re.compile(r"\A(?:[ \t]*(?:\r\n|\n|\r))+")


class Extent(NamedTuple):
    """Where a piece stands: `start`, `body` and `end` of the body, and `aside`, the end of a comment behind its comma."""

    start: int
    body: int
    end: int
    aside: int


class Piece(NamedTuple):
    """An entry with what belongs to it.

    Without brackets `body` holds whole lines: the comments above, the entry, comments below that are indented deeper. In
    brackets it is the entry without its comma, and `aside` the comment behind that. `gap` is what stands before: blank lines
    and headings, or blanks behind the comma above; it belongs to the place and not to the entry.
    """

    gap: str
    body: str
    aside: str = ""


# --- finding pieces ---


def block_extents(text: str, zone: int, starts: Sequence[int], ends: Sequence[int], column: int) -> list[Extent]:
    """Return the pieces of entries without brackets.

    `zone` is where their lines begin, `starts` hold each '-' or key, `ends` the end of each value, `column` is theirs.
    """
    extents: list[Extent] = []
    for start, end in zip(starts, ends, strict=True):
        top = max(line_start(text, start), zone)
        body = _first_comment_above(text, top, zone)
        below = after_deeper_comments(text, next_line(text, end), column)
        extents.append(Extent(zone, body, below, below))
        zone = below
    return extents


def flow_extents(text: str, zone: int, spans: Sequence[tuple[int, int]], close: int) -> list[Extent]:
    """Return the pieces of entries in brackets: `zone` is behind the opening bracket, `close` is where the closing one stands."""
    extents: list[Extent] = []
    comment = _COMMENT.match(text, zone)  # behind the bracket: it speaks of the whole list
    zone = comment.end() if comment else zone
    for start, end in spans:
        comma = after_blank(text, end)
        is_last = comma == close
        top = line_start(text, start)
        above = _first_comment_above(text, top, zone) if top > zone else top
        body = after_spaces(text, above) if above < top else start
        behind = end if is_last else comma + 1
        comment = _COMMENT.match(text, behind)
        aside = comment.end() if comment else behind
        extents.append(Extent(zone, body, end if is_last else comma, aside))
        zone = aside
    return extents


def pieces_at(text: str, extents: Sequence[Extent]) -> list[Piece]:
    """Return the pieces as they stand in `text`."""
    return [Piece(text[at.start : at.body], text[at.body : at.end], text[at.end : at.aside].removeprefix(",")) for at in extents]


def _first_comment_above(text: str, top: int, zone: int) -> int:
    """Return the start of the first of the comment lines right above the line that starts at `top`, or `top` itself."""
    while top > zone:
        above = max(line_start(text, top - (2 if text.endswith("\r\n", 0, top) else 1)), zone)
        if not text[above:top].lstrip(" \t").startswith("#"):
            break
        top = above
    return top


def after_deeper_comments(text: str, below: int, column: int) -> int:
    """Return the end of the comment lines from `below` on that are indented deeper than `column`."""
    at = end = below
    while at < len(text):
        line = text[at : line_end(text, at)]
        content = line.lstrip(" \t")
        if content and (not content.startswith("#") or len(line) - len(content) <= column):
            break
        at = next_line(text, at)
        end = at if content else end
    return end


# --- arranging pieces ---


def with_removed(pieces: Sequence[Piece], index: int) -> list[Piece]:
    """Return the pieces without one; of the gaps above and below it that with more in it stays, or both headings."""
    kept = [*pieces[:index], *pieces[index + 1 :]]
    if index < len(kept):
        above, below = pieces[index].gap, kept[index].gap
        kept[index] = kept[index]._replace(gap=_joined_gap(above, below, is_first=index == 0))
    elif "#" in pieces[index].gap and kept:
        kept[-1] = kept[-1]._replace(aside=kept[-1].aside + pieces[index].gap)
    return kept


def _joined_gap(above: str, below: str, *, is_first: bool) -> str:
    if "#" in above and "#" in below:
        return above + (_BLANK_LINES_FIRST.sub("", below) if _ENDS_BLANK.search(above) else below)
    if "#" in above or "#" in below:
        return above if "#" in above else below
    return above if is_first or len(above) >= len(below) else below


def with_inserted(pieces: Sequence[Piece], index: int, new: Piece, default_gap: str) -> list[Piece]:
    """Return the pieces with a new one at `index`, kept apart from its neighbours as they are from one another."""
    if not pieces:
        return [new._replace(gap="")]
    gap = usual_gap(pieces, index, default_gap)
    if index == 0:
        return [new._replace(gap=pieces[0].gap), pieces[0]._replace(gap=gap), *pieces[1:]]
    return [*pieces[:index], new._replace(gap=gap), *pieces[index:]]


def usual_gap(pieces: Sequence[Piece], index: int, default: str) -> str:
    """Return the gap at `index`, or the one nearest to it, that holds blanks only."""
    near = sorted(range(1, len(pieces)), key=lambda other: abs(other - index))
    return next((pieces[other].gap for other in near if "#" not in pieces[other].gap), default)


def in_order(pieces: Sequence[Piece], order: Sequence[int]) -> list[Piece]:
    """Return the pieces in another order; gaps keep their places. For short lists: headings are not looked at."""
    return [pieces[old]._replace(gap=place.gap) for old, place in zip(order, pieces, strict=True)]


# --- joining pieces ---


def join_block(pieces: Sequence[Piece], newline: str, *, ends_open: bool) -> str:
    """Return the lines of pieces without brackets. With `ends_open` the last line gets no line break, where that is harmless."""
    return "".join(piece.gap + piece.body + piece.aside for piece in settled(pieces, newline, ends_open=ends_open))


def settled(pieces: Sequence[Piece], newline: str, *, ends_open: bool) -> list[Piece]:
    """Return pieces without brackets that were arranged anew, in such a form that they can be put together as they are."""
    done: list[Piece] = []
    for piece in pieces:
        gap = piece.gap
        if done and _keeps_blanks(done[-1].body):
            gap = _BLANK_LINES_FIRST.sub("", gap)
        done.append(Piece(gap, closed_line(piece.body, newline), piece.aside))
    if ends_open and done and not done[-1].aside:
        done[-1] = done[-1]._replace(body=_opened_line(done[-1].body))
    return done


def join_flow(pieces: Sequence[Piece], closing: str, newline: str, *, ends_with_comma: bool) -> str:
    """Return the text between brackets; `closing` is what stands before the closing one."""
    text = ""
    for number, piece in enumerate(pieces):
        text += _apart(pieces[number - 1] if number else None, piece.gap, newline) + piece.body
        text += ("," if ends_with_comma or number < len(pieces) - 1 else "") + piece.aside
    return text + _apart(pieces[-1] if pieces else None, closing, newline)


def _apart(above: Piece | None, gap: str, newline: str) -> str:
    """Return a gap that starts with a line break where a comment stands before it."""
    needs_break = above is not None and "#" in above.aside and not _LINE_BREAK.match(gap.lstrip(" \t"))
    return newline + gap if needs_break else gap


def closed_line(body: str, newline: str) -> str:
    """Return the lines with a line break at the end. A block scalar that ends with the file must not gain one by that."""
    if not body or _LINE_BREAK.match(body[-1]):
        return body
    last = _last_of(body)
    if isinstance(last, ScalarSpan) and last.style in BLOCK_STYLES and not last.text.endswith("\n"):
        header = body[last.body : line_end(body, last.body)]
        if "-" not in header:
            body = body[: last.body] + header[0] + "-" + header[1:].replace("+", "", 1) + body[last.body + len(header) :]
    return body + newline


def _opened_line(body: str) -> str:
    """Return the lines without the last line break, unless a block scalar stands there and has it in its text."""
    last = _last_of(body)
    if isinstance(last, ScalarSpan) and last.style in BLOCK_STYLES:
        return body
    return body.removesuffix("\n").removesuffix("\r")


def _keeps_blanks(body: str) -> bool:
    """Whether blank lines below would become part of the text that stands last (`|+`)."""
    if not _KEEP.search(body):
        return False
    last = _last_of(body)
    return isinstance(last, ScalarSpan) and last.style in BLOCK_STYLES and "+" in body[last.body : line_end(body, last.body)]


def _last_of(body: str) -> object:
    """Return the value that stands last in the lines of entries or pairs."""
    root = parse(body).root
    return last_scalar(root) if root is not None else None
