"""Beginning: where the list of items of a file starts that has none yet: an empty one, one with comments only, `items:`, `items: []`.

Rule: all that stands in the file stays, to the byte; only the brackets, or the `null`, of an empty list go.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from goldenlib.editing.pieces import after_deeper_comments
from goldenlib.editing.surroundings import DEFAULT_STEP
from goldenlib.editing.syntax import ListSpan, MappingSpan, Pair, ScalarSpan, Span, column_of, key_text, line_end, next_line

_END_OF_DOCUMENT = re.compile(r"(?:\A|(?<=[\r\n]))\.\.\.(?=[ \t\r\n]|\Z)")


class Opening(NamedTuple):
    """What stands above the first item, `items:` included, what below, and at which column its '-' is to stand."""

    head: str
    tail: str
    column: int


def opening_of(text: str, root: Span | None) -> Opening | None:
    """Return where the items of a text without any begin; None where it has some, or is something else."""
    if root is None or (isinstance(root, ScalarSpan) and root.start == root.end):  # empty behind a '---'
        found = _END_OF_DOCUMENT.search(text, root.end) if root is not None else None
        end = found.start() if found else len(text)
        newline = newline_of(text)
        return Opening(_closed(text[:end], newline) + "items:" + newline, text[end:], DEFAULT_STEP)
    pairs = root.pairs if isinstance(root, MappingSpan) and not root.flow else ()
    found_pairs = [pair for pair in pairs if key_text(pair) == "items"]
    if len(found_pairs) == 1 and found_pairs[0].mark is not None and _is_empty(found_pairs[0].value):
        return _below(text, found_pairs[0])
    return None


def newline_of(text: str) -> str:
    """Return the line break that the text uses most."""
    windows = text.count("\r\n")
    counts = {"\n": text.count("\n") - windows, "\r\n": windows, "\r": text.count("\r") - windows}
    return max(counts, key=lambda newline: counts[newline])


def _is_empty(value: Span) -> bool:
    """Whether the value is a list without entries, or none, and nothing hangs on it."""
    is_list = isinstance(value, ListSpan) and not value.entries
    is_null = isinstance(value, ScalarSpan) and value.is_null
    return (is_list or is_null) and getattr(value, "anchor", None) is None and getattr(value, "tag", None) is None


def _below(text: str, pair: Pair) -> Opening:
    """Return the place below `items:`, and below the comments there that are indented."""
    value, column = pair.value, column_of(text, pair.key.start)
    inner = text[value.start + 1 : value.end - 1] if isinstance(value, ListSpan) else ""
    before, after = text[: value.start] + (inner if inner.strip() else ""), text[value.end :]
    if not after[: line_end(after, 0)].strip():
        before = before.rstrip(" \t")
    kept = before + after
    at = after_deeper_comments(kept, next_line(kept, len(before)), column)
    return Opening(_closed(kept[:at], newline_of(text)), kept[at:], column + DEFAULT_STEP)


def _closed(lines: str, newline: str) -> str:
    return lines if not lines or lines.endswith(("\n", "\r")) else lines + newline
