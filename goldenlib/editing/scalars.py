"""Texts as YAML: plain, in quotes, or as a block, so that every reader of YAML gets back the very same text.

Rule: a text stands without quotes only where readers of YAML 1.1 and 1.2 agree that it is text, and that text (contract 2.3).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from goldenlib.files.yamltext import PLAIN, UNPRINTABLE, code

SINGLE, DOUBLE, LITERAL, FOLDED = "'", '"', "|", ">"
# A text of one line that is longer becomes a block, where nothing around it speaks for another form.
LONG = 120
# What some reader takes for a boolean, a null or a number, in any case.
_WORDS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nil", "nan", "inf", "infinity"))
# What starts with a digit is text to everybody when a word follows the number.
_STARTS_WELL = re.compile(r"[^\W\d_]|[0-9][0-9.,]* [^\W\d_]{2}")
_ENDS_PLAIN = re.compile(r":(?=\s|$)|\s#|\s$")
_ENDS_PLAIN_IN_FLOW = re.compile(r"[:,?\[\]{}]")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
# Line breaks of YAML 1.1, and the byte order mark: no reader can be trusted with them as they are.
_ONLY_ESCAPED = "\x85\u2028\u2029\ufeff"
_NEEDS_DOUBLE = re.compile(f"[\n\r\t{_ONLY_ESCAPED}]")
_NO_BLOCK = re.compile(f"[\r{_ONLY_ESCAPED}]|[ \t](?:\n|$)|(?:^|\n)[ \t]*\t|^\n")
_NO_FOLD = re.compile(r"(?:^|\n) ")


class AsTyped(str):
    """A text that the author typed without quotes, such as true: it is written without quotes again."""

    __slots__ = ()


Leaf = str | bool | int | float | None


@dataclass(frozen=True, slots=True)
class Wish:
    """How a text should look: the style around it, and the room there is.

    `quote` is taken where `style` is plain and the text cannot be. `indent` is the column of a block's lines and `parent` that
    of the key or '-' before it; `width` is the column at which folded lines end. `had_breaks`: the value that is replaced is a
    quoted text of several lines. `old_lines` are those of the block that is replaced: what stays is not folded anew.
    """

    style: str = PLAIN
    quote: str = DOUBLE
    in_flow: bool = False
    may_block: bool = True
    indent: int = 2
    parent: int = 0
    width: int = 100
    had_breaks: bool = False
    old_lines: tuple[str, ...] = ()


class WrittenScalar(NamedTuple):
    """A value as it stands in a file: `inline` behind the key or '-', and `lines` below, each without its line break."""

    inline: str
    lines: tuple[str, ...] = ()


def unwritable(text: str) -> str | None:
    """Return what is wrong with a text that no file can hold: control characters and halves of characters; else None."""
    found = UNPRINTABLE.search(text)
    return f"holds the control character {code(found[0])}" if found else None


def write(value: Leaf, wish: Wish) -> WrittenScalar:
    """Return a text, number or boolean as YAML, as near to the wish as the text allows."""
    if value is None:
        return WrittenScalar("null")
    if isinstance(value, bool | int | float):
        return WrittenScalar(_number(value))
    if isinstance(value, AsTyped) and _is_one_plain(value, wish.in_flow):
        return WrittenScalar(str(value))
    text = str(value)
    style = _style(text, wish)
    if style in (LITERAL, FOLDED):
        return _block(text, style, wish)
    return WrittenScalar(text if style == PLAIN else _single(text) if style == SINGLE else _double(text))


def can_be_plain(text: str, *, in_flow: bool = False) -> bool:
    """Whether every reader takes the text without quotes for that text; unusual ones are quoted for safety.

    >>> [can_be_plain(text) for text in ("satu orang", "17 tahun", "no", "1e3", "12:30", "a: b", "2026-07-10")]
    [True, True, False, False, False, False, False]
    """
    return (
        _STARTS_WELL.match(text) is not None
        and text.isprintable()
        and text.casefold() not in _WORDS
        and not _ENDS_PLAIN.search(text)
        and not (in_flow and _ENDS_PLAIN_IN_FLOW.search(text))
    )


def _number(value: bool | int | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return format(Decimal(repr(value)), "f")


def _is_one_plain(text: str, in_flow: bool) -> bool:
    """Whether a text that stood without quotes can do so here."""
    return re.fullmatch(r"[\w.+<=][\w.+/=<\- ]*(?<! )", text) is not None or can_be_plain(text, in_flow=in_flow)


def _style(text: str, wish: Wish) -> str:
    """Return the style: the wished one if it can hold the text, else the next that does."""
    if wish.may_block and not wish.in_flow:
        wants_lines = wish.style in (LITERAL, FOLDED) or ("\n" in text and not wish.had_breaks)
        is_long = wish.style == PLAIN and len(text) > LONG
        if (wants_lines or is_long) and _can_be_block(text, wish):
            folds = wish.style == FOLDED or (is_long and "\n" not in text)
            return FOLDED if folds and not _NO_FOLD.search(text) else LITERAL
    plain = wish.style in (PLAIN, LITERAL, FOLDED)
    if wish.style == PLAIN and can_be_plain(text, in_flow=wish.in_flow):
        return PLAIN
    quote = wish.quote if plain else wish.style
    return DOUBLE if quote == DOUBLE or _NEEDS_DOUBLE.search(text) else SINGLE


def _can_be_block(text: str, wish: Wish) -> bool:
    has_room = not text.startswith(" ") or 1 <= wish.indent - wish.parent <= 9  # an indentation indicator is one digit
    return bool(text) and has_room and not _NO_BLOCK.search(text)


def _single(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _double(text: str) -> str:
    escaped = "".join(_ESCAPES.get(char) or (f"\\u{ord(char):04X}" if char in _ONLY_ESCAPED else char) for char in text)
    return f'"{escaped}"'


# --- blocks ---


def _block(text: str, style: str, wish: Wish) -> WrittenScalar:
    content = text.rstrip("\n")
    breaks = len(text) - len(content)
    chomping = ("-", "", "+")[min(breaks, 2)]
    indicator = str(wish.indent - wish.parent) if content.startswith(" ") else ""
    lines = fold(content, wish.width - wish.indent, wish.old_lines) if style == FOLDED else content.split("\n")
    lines += [""] * (breaks - 1)
    return WrittenScalar(style + indicator + chomping, tuple(" " * wish.indent + line if line else "" for line in lines))


def fold(text: str, width: int, old_lines: tuple[str, ...] = ()) -> list[str]:
    """Return the lines of a folded block that holds `text`, which has no line that starts or ends with a blank.

    Each line break of the text is a blank line more. Of the old lines, those at the start and end of each paragraph that
    still fit are kept as they are.

    >>> fold("satu dua tiga empat lima\\nenam", 20)
    ['satu dua tiga empat', 'lima', '', 'enam']
    """
    paragraphs = text.split("\n")
    old = _old_paragraphs(old_lines)
    same = common(paragraphs, [" ".join(lines) for lines in old])
    lines: list[str] = []
    for number, paragraph in enumerate(paragraphs):
        at = number if number <= same else len(old) - (len(paragraphs) - number)
        kept = old[at] if 0 <= at < len(old) else []
        lines += ([""] if number else []) + (_fold_paragraph(paragraph, max(width, 20), kept) if paragraph else [])
    return lines


def _old_paragraphs(lines: tuple[str, ...]) -> list[list[str]]:
    paragraphs: list[list[str]] = [[]]
    for number, line in enumerate(lines):
        if line:
            paragraphs[-1].append(line)
        elif number:
            paragraphs.append([])
    return paragraphs


def common(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """Return how many entries at the start are the same."""
    number = 0
    while number < min(len(ours), len(theirs)) and ours[number] == theirs[number]:
        number += 1
    return number


def _fold_paragraph(text: str, width: int, old: list[str]) -> list[str]:
    head: list[str] = []
    for line in old:
        if text == line:
            return [*head, line]
        rest = text.removeprefix(line + " ")
        if rest == text or rest[:1].isspace():
            break
        head.append(line)
        text = rest
    tail: list[str] = []
    for line in reversed(old[len(head) :]):
        rest = text.removesuffix(" " + line)
        if rest == text or not rest or rest[-1:].isspace():
            break
        tail.insert(0, line)
        text = rest
    return [*head, *_wrapped(text, width), *tail]


def _wrapped(text: str, width: int) -> list[str]:
    """Return the text in lines, broken at single blanks only: several in a row would not come back."""
    words = re.split(r"(?<![ \t]) (?![ \t])", text)
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
