"""Random golden set files in all the ways people write YAML, and random edits of them.

The writer here is not the one under test, and knows nothing of it: it writes each value in a style drawn at random.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.builders import hides_nothing

# Texts that some reader of YAML takes for something else, or that cannot stand without quotes (case 159 and its kin).
TRICKY = (
    *("no", "yes", "y", "On", "true", "False", "null", "~", "08063075", "1e3", "12:30", "012", "0x1F", "0o17", "1_000", ".5", "+1", "-1"),
    *("2026-07-10", "2001-12-14 21:59:43.10 -5", ".inf", ".NaN", "=", "<<", "!x", "&a", "*a", "@a", "`a", "%a", "- a", "? a", "a:", "a: b"),
    *(" spasi ", "#2", "a #b", "a#b", "'", '"', "'a'", '"a"', "it's", 'say "hi"', """both ' and " """, "\\", "\\n", "a\\", "[a]", "{a}"),
    *(
        "a, b",
        "a]",
        "---",
        "...",
        "--- a",
        "|",
        ">",
        "key: |",
        "a\nb",
        "a\nb\n",
        "a\n\nb",
        "a\n\n\nb\n\n",
        "\na",
        " a\nb",
        "a\n b\nc",
        "a \nb",
    ),
    *(
        "a\tb",
        "\ta",
        "a\n\tb",
        "a\t",
        "a\r\nb",
        "a\rb",
        "a\x85b",
        "a\u2028b",
        "a\u2029b",
        "a\ufeffb",
        "\ufeff",
        "\u00a0a",
        "a\u200bb",
        "😀 ya",
    ),
    *("17 tahun", "50.000", "Rp1 miliar", "Apa syaratnya?", "?", "-", ":", ",", "a" * 300, "kata " * 60 + "akhir", "http://x.id/a?b=c#d"),
    *(
        "# judul\n- butir\n- lain",
        "satu  dua   tiga",
        "x" * 90 + " " + "y" * 90,
        "a\n" * 20,
        "é",
        "e\u0301",
        "中文",
        "١٢",
        "0",
        "00",
        "1",
        "1.0",
    ),
)
WORDS = ("satu", "dua", "WNI", "berusia", "17 tahun", "akta notaris", "PT", "wajib", "tidak", "Rp50.000", "(1)", "dan/atau")

plain_texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)
any_texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"]), min_size=1, max_size=30)
texts = st.one_of(plain_texts, st.sampled_from(TRICKY), any_texts.filter(hides_nothing))
# What the models take as a text: not blank.
full_texts = texts.filter(lambda text: text.strip(" \t\r\n\ufeff\u200b\u00a0\x85\u2028\u2029\u3000") != "" and _has_content(text))


def _has_content(text: str) -> bool:
    from goldenlib.folding import fold

    return bool(fold(text)) and all(char not in "\ufffe\uffff" for char in text)


@dataclass(frozen=True)
class Writing:
    """How one file is written."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    newline: str
    dash: int
    gap: int
    offset: int
    step: int
    has_anchors: bool
    anchored: list[str]  # the texts with an anchor so far: that of number n is &an

    def chance(self, of: int) -> bool:
        return bool(self.draw(st.integers(0, of - 1)) == 0)

    def one_of(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))


# --- scalars ---


def _is_tame(text: str) -> bool:
    """Whether the text may stand without quotes to PyYAML, whatever other readers make of it."""
    return (
        bool(text)
        and text.isprintable()
        and text == text.strip()
        and text[0] not in "!&*@`%-?:#|>{}[],'\"=<~"
        and text.casefold() != "null"
        and not any(part in text for part in (": ", " #", ", ", "[", "]", "{", "}", ",", "?"))
        and not text.endswith(":")
        and not text.startswith(("---", "..."))
    )


def _quoted(text: str, writing: Writing) -> str:
    if writing.chance(2) and not any(char in text for char in "\n\r\t\x85\u2028\u2029\ufeff") and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\x85": "\\N", "\u2028": "\\L", "\u2029": "\\P"}
    escapes["\ufeff"] = "\\uFEFF"
    return '"' + "".join(escapes.get(char, char) for char in text) + '"'


def _block(text: str, indent: int, writing: Writing) -> str | None:
    """Return a literal block behind its key, or None where the text does not fit."""
    lines = text.rstrip("\n").split("\n")
    fits = text.strip() and not any(char in text for char in "\r\x85\u2028\u2029\ufeff") and not text.startswith(("\n", " ", "\t"))
    if not fits or any(line != line.rstrip() or "\t" in line for line in lines):
        return None
    ends = len(text) - len(text.rstrip("\n"))
    header = "|" + ("-", "", "+")[min(ends, 2)] + writing.one_of("", "", "   # komentar")
    shown = [" " * indent + line if line else "" for line in lines] + [""] * max(ends - 1, 0)
    return writing.newline.join([header, *shown])


def _folded(text: str, indent: int, writing: Writing) -> str | None:
    words = text.split(" ")
    if not all(words) or any(not word.isprintable() for word in words) or len(words) < 2:
        return None
    cut = writing.draw(st.integers(1, len(words) - 1))
    lines = [" ".join(words[:cut]), " ".join(words[cut:])]
    return writing.newline.join([">-", *(" " * indent + line for line in lines)])


def scalar(text: str, column: int, writing: Writing, *, flow: bool) -> str:
    """Return a text as YAML, in any style that can hold it; or, where the file has anchors, an alias of another text."""
    if writing.has_anchors and writing.chance(6) and _has_content(text):
        if writing.anchored and writing.chance(2):
            return f"*a{writing.draw(st.integers(0, len(writing.anchored) - 1))}"
        writing.anchored.append(text)
        return f"&a{len(writing.anchored) - 1} {_quoted(text, writing)}"
    style = writing.one_of("plain", "quoted", "quoted", "block", "folded")
    if style == "plain" and _is_tame(text):
        return text
    if not flow and style in ("block", "folded"):
        indent = column + writing.one_of(1, 2, 4)
        written = _block(text, indent, writing) if style == "block" else _folded(text, indent, writing)
        if written is not None:
            return written
    return _quoted(text, writing)


# --- lists and mappings ---


def _comment(column: int, writing: Writing) -> str:
    return " " * column + "#" + writing.one_of(" komentar", "", "\ttab", " - bukan butir", " id: x") + writing.newline


def _aside(writing: Writing) -> str:
    return writing.one_of("", "", "", "   # catatan", " #", "  ")


def flow_list(values: list[str], column: int, writing: Writing) -> str:
    if not values:
        return writing.one_of("[]", "[ ]")
    parts = [scalar(value, 0, writing, flow=True) for value in values]
    if writing.chance(3):
        pad = writing.newline + " " * (column + 2)
        lines = [part + "," + writing.one_of("", "  # catatan") for part in parts[:-1]] + [parts[-1] + writing.one_of("", ",")]
        return "[" + "".join(pad + line for line in lines) + writing.newline + " " * column + "  ]"
    return "[" + writing.one_of(", ", ",  ").join(parts) + writing.one_of("", " ", ",") + "]"


def block_list(values: list[str], column: int, writing: Writing) -> str:
    """Return the lines of a list below its key, whose column is given."""
    dash = column + writing.offset
    lines = ""
    for value in values:
        lines += _comment(dash, writing) if writing.chance(6) else ""
        lines += writing.newline if writing.chance(12) else ""
        lines += " " * dash + "- " + scalar(value, dash + 1, writing, flow=False)
        lines += (_aside(writing) if lines[-1] in "'\"" else "") + writing.newline
    return lines


def pair(key: str, value: Any, column: int, writing: Writing) -> str:
    """Return the lines of a key outside braces."""
    start = " " * column + key + ":"
    if value is ...:
        return f"{start} *base{writing.newline}"
    if isinstance(value, dict):
        if writing.chance(4):
            return f"{start} {flow_mapping(value, writing)}{_aside(writing)}{writing.newline}"
        inner = "".join(_lead(column + writing.step, writing) + pair(k, v, column + writing.step, writing) for k, v in value.items())
        return start + _aside(writing) + writing.newline + inner
    if isinstance(value, list):
        if not value or writing.chance(2):
            return f"{start} {flow_list(value, column, writing)}{_aside(writing)}{writing.newline}"
        return start + _aside(writing) + writing.newline + block_list(value, column, writing)
    if isinstance(value, bool):
        return f"{start} {writing.one_of(str(value), str(value).lower())}{_aside(writing)}{writing.newline}"
    is_word = key in ("id", "surface")  # an alias would be another word, and a comment below a block a part of it
    written = _quoted(value, writing) if is_word else scalar(value, column, writing, flow=False)
    aside = _aside(writing) if written[-1] in "'\"" else ""
    return f"{start} {written}{aside}{writing.newline}"


def _lead(column: int, writing: Writing) -> str:
    return _comment(column, writing) if writing.chance(10) else ""


def flow_mapping(values: dict[str, Any], writing: Writing) -> str:
    parts = []
    for key, value in values.items():
        if isinstance(value, dict):
            written = flow_mapping(value, writing)
        elif isinstance(value, list):
            written = "[" + ", ".join(scalar(part, 0, writing, flow=True) for part in value) + "]"
        elif isinstance(value, bool):
            written = str(value).lower()
        else:
            written = value if key in ("id", "surface") else scalar(value, 0, writing, flow=True)
        parts.append(f"{key}: {written}")
    return "{" + writing.one_of("", " ") + ", ".join(parts) + writing.one_of("", " ") + "}"


# --- items and files ---


@st.composite
def item_values(draw: Callable[[st.SearchStrategy[Any]], Any], item_id: str) -> dict[str, Any]:
    """What an item says, its keys in an order drawn at random."""
    expected: dict[str, Any] = {"must_include": draw(st.lists(full_texts, min_size=1, max_size=4))}
    if draw(st.booleans()):
        expected["must_not_include"] = draw(st.lists(full_texts, max_size=2))
    if draw(st.booleans()):
        expected["rubric"] = draw(texts)
    values: dict[str, Any] = {"surface": draw(st.sampled_from(["public", "internal"])), "expected": expected}
    if draw(st.integers(0, 4)):
        values["question"] = draw(full_texts)
    else:
        values["turns"] = draw(st.lists(full_texts, min_size=1, max_size=3))
    for key, strategy in (("domain", texts), ("verified", st.booleans()), ("note", texts), ("tags", st.lists(full_texts, max_size=2))):
        if draw(st.booleans()):
            values[key] = draw(strategy)
    keys = draw(st.permutations(list(values)))
    first = {"id": item_id} if draw(st.integers(0, 3)) else {}
    return first | {key: values[key] for key in keys} | {"id": item_id}


def _item(values: dict[str, Any], writing: Writing) -> str:
    dash = " " * writing.dash + "-"
    if writing.chance(8):
        return f"{dash} {flow_mapping(values, writing)}{_aside(writing)}{writing.newline}"
    if writing.has_anchors and writing.chance(2):
        values = {"<<": ..., **{key: value for key, value in values.items() if key != "surface"}}
    column = writing.dash + 1 + writing.gap
    lines = "".join(
        (_lead(column, writing) if number else "") + pair(key, value, column, writing) for number, (key, value) in enumerate(values.items())
    )
    if writing.chance(12):
        return dash + writing.one_of("", "  # komentar") + writing.newline + lines
    return dash + lines[writing.dash + 1 :]


def _between(writing: Writing, *, first: bool) -> str:
    blank = "" if first else writing.one_of("", writing.newline, writing.newline, writing.newline * 2)
    kinds = {
        "none": "",
        "comment": _comment(writing.dash, writing) * writing.one_of(1, 2),
        "heading": _comment(writing.dash, writing) + writing.newline,
        "deeper": _comment(writing.dash + writing.one_of(1, 2, 5), writing),
        "flush": _comment(0, writing),
    }
    return str(blank + kinds[writing.one_of("none", "none", "none", "comment", "comment", "heading", "deeper", "flush")])


@st.composite
def files(draw: Callable[[st.SearchStrategy[Any]], Any], *, anchors: bool = False) -> bytes:
    """The bytes of a golden set file; with `anchors`, some have anchors, aliases and merge keys."""
    newline = draw(st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"]))
    dash, gap, step = draw(st.sampled_from([0, 2, 4])), draw(st.sampled_from([1, 1, 3])), draw(st.sampled_from([2, 2, 4]))
    has_anchors = anchors and draw(st.booleans())
    writing = Writing(draw, newline, dash, gap, draw(st.sampled_from([0, 2])), step, has_anchors, [])
    ids = draw(st.lists(st.sampled_from([f"item-{number}" for number in range(9)]), min_size=1, max_size=4, unique=True))
    values = [draw(item_values(item_id)) for item_id in ids]
    head = draw(st.sampled_from(["", "# kepala" + newline, "---" + newline, "# kepala" + newline * 2, "x-nama: satu" + newline]))
    if has_anchors:
        head += "x-base: &base {surface: internal, domain: pt}" + newline
    tail = draw(st.sampled_from(["", "", "# akhir" + newline, newline, newline + "# akhir", "..." + newline, "x-akhir: [1]" + newline]))
    if draw(st.integers(0, 9)) == 0:
        separator = draw(st.sampled_from([", ", "," + newline + "  ", ", # catatan" + newline]))
        items = separator.join(flow_mapping(value, writing) for value in values)
        body = f"items: [{items}{draw(st.sampled_from(['', ',']))}]{newline}"
    else:
        parts = [_between(writing, first=number == 0) + _item(value, writing) for number, value in enumerate(values)]
        body = "items:" + _aside(writing) + newline + "".join(parts)
    text = head + body + tail
    if draw(st.integers(0, 4)) == 0:
        text = text.removesuffix("\n").removesuffix("\r")
    if draw(st.integers(0, 5)) == 0:
        text = text.replace(newline, "\r\n", draw(st.integers(0, 6)))
    return ("\ufeff" * draw(st.booleans()) + text).encode()
