"""Diffs: which lines an edit changed.

Rule: two texts are compared block by block first, so that a diff of one item among ten thousand is made at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

CONTEXT = 3
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_NO_BREAK = "\\ No newline at end of file"


class Hunk(NamedTuple):
    """A stretch of lines with changes: where it starts in both texts, counted from 0, and its lines, each behind ' ', '-' or '+'."""

    old_start: int
    new_start: int
    lines: tuple[str, ...]


class _LineChange(NamedTuple):
    old_start: int
    old_end: int
    new_start: int
    new_end: int


def hunks(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """Return the changes between two texts that are given in blocks of lines, none of them empty of lines in between."""
    head, tail = _same_ends(old, new)
    head, tail = max(head - CONTEXT, 0), max(tail - CONTEXT, 0)  # a block is a line at least: enough for the context
    skipped = _line_count("".join(old[:head]))
    old_lines = [_lines(block) for block in old[head : len(old) - tail]]
    new_lines = [_lines(block) for block in new[head : len(new) - tail]]
    changes = list(_changes(old[head : len(old) - tail], new[head : len(new) - tail], old_lines, new_lines))
    flat_old = [line for block in old_lines for line in block]
    flat_new = [line for block in new_lines for line in block]
    found = [_hunk(group, flat_old, flat_new) for group in _groups(changes)]
    return [hunk._replace(old_start=hunk.old_start + skipped, new_start=hunk.new_start + skipped) for hunk in found]


def _same_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Return how many blocks or lines are the same at the start, and how many of the others at the end."""
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, tail


def _line_count(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def unified(found: Sequence[Hunk], path: str, *, is_new: bool = False) -> str:
    """Return the hunks as a unified diff, with `is_new` that of a file that was not there before.

    Line breaks are not shown, so that a file with CRLF looks like any other.
    """
    if not found:
        return ""
    lines = [f"--- {'/dev/null' if is_new else path}", f"+++ {path}"]
    for hunk in found:
        old = sum(line[0] in " -" for line in hunk.lines if line != _NO_BREAK)
        new = sum(line[0] in " +" for line in hunk.lines if line != _NO_BREAK)
        lines += [f"@@ -{hunk.old_start + bool(old)},{old} +{hunk.new_start + bool(new)},{new} @@", *hunk.lines]
    return "\n".join(lines) + "\n"


def changed_lines(found: Sequence[Hunk]) -> tuple[int, int] | None:
    """Return the first and last changed line of the new text, from 1; where lines were only removed, the one above them."""
    changed: list[int] = []
    for hunk in found:
        number = hunk.new_start
        signs = [line[0] for line in hunk.lines if line != _NO_BREAK]
        for sign, following in zip(signs, [*signs[1:], " "], strict=True):
            number += sign != "-"
            if sign == "+" or (sign == "-" and following == " "):
                changed.append(max(number, 1))
    return (min(changed), max(changed)) if changed else None


def _lines(block: str) -> list[str]:
    return _LINE.findall(block)


def _changes(old: Sequence[str], new: Sequence[str], old_lines: list[list[str]], new_lines: list[list[str]]) -> Iterator[_LineChange]:
    """Give the changed stretches of lines, in order."""
    old_starts, new_starts = _starts(old_lines), _starts(new_lines)
    for tag, i1, i2, j1, j2 in _matched(old, new):
        if tag == "equal":
            continue
        ours = [line for block in old_lines[i1:i2] for line in block]
        theirs = [line for block in new_lines[j1:j2] for line in block]
        for inner, a1, a2, b1, b2 in _matched(ours, theirs):
            if inner != "equal":
                yield _LineChange(old_starts[i1] + a1, old_starts[i1] + a2, new_starts[j1] + b1, new_starts[j1] + b2)


def _matched(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """Return the opcodes of difflib; what is the same at both ends is set aside first, for speed."""
    head, tail = _same_ends(old, new)
    middle = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False).get_opcodes()
    return [(tag, i1 + head, i2 + head, j1 + head, j2 + head) for tag, i1, i2, j1, j2 in middle]


def _starts(blocks: list[list[str]]) -> list[int]:
    starts = [0]
    for block in blocks:
        starts.append(starts[-1] + len(block))
    return starts


def _groups(changes: Sequence[_LineChange]) -> list[list[_LineChange]]:
    """Return the changes in groups that are near enough to share their context."""
    groups: list[list[_LineChange]] = []
    for change in changes:
        if groups and change.old_start - groups[-1][-1].old_end <= 2 * CONTEXT:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def _hunk(group: Sequence[_LineChange], old: Sequence[str], new: Sequence[str]) -> Hunk:
    before = min(CONTEXT, group[0].old_start, group[0].new_start)
    lines: list[str] = []
    at = group[0].old_start - before
    for change in group:
        lines += _shown(" ", old[at : change.old_start])
        lines += _shown("-", old[change.old_start : change.old_end])
        lines += _shown("+", new[change.new_start : change.new_end])
        at = change.old_end
    lines += _shown(" ", old[at : at + CONTEXT])
    return Hunk(group[0].old_start - before, group[0].new_start - before, tuple(lines))


def _shown(sign: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        text = line.rstrip("\r\n")
        yield sign + text
        if text == line:
            yield _NO_BREAK
