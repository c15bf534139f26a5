"""Reading: the bytes of a golden set file -> SourceFile.

Rule: any file that is YAML and has a list of items, or room for one, can be opened for editing, however wrong its items are.
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from goldenlib.editing.beginning import newline_of, opening_of
from goldenlib.editing.pieces import Piece, block_extents, flow_extents, pieces_at
from goldenlib.editing.refusals import EditError
from goldenlib.editing.rewriting import Shared
from goldenlib.editing.source import ItemText, Layout, SourceFile
from goldenlib.editing.surroundings import DEFAULT_STEP
from goldenlib.editing.syntax import ListSpan, MappingSpan, Pair, ScalarSpan, Span, Syntax, column_of, head_end, key_text, next_line, parse
from goldenlib.editing.values import keys_of, resolved
from goldenlib.errors import InputError, Problem
from goldenlib.files.blanks import odd_blanks, with_odd_blanks
from goldenlib.files.documents import MAX_BYTES, Document, collector_paused, read_document
from goldenlib.files.yamltext import compose_yaml


def read_source(path: str | Path) -> SourceFile:
    """Read a YAML golden set file for editing.

    A file without items can be begun: one that is empty, holds comments only, or an `items:` with nothing or `[]` behind it; and
    one that does not exist, in a folder that does (`SourceFile.is_new`). `load_set` takes it once it has an item.

    Raises InputError when it cannot be read or is no YAML, and EditError when it can, but not be edited: it is JSON, or its
    items are not a list below `items:`. What else is wrong with its items does not matter here.
    """
    path = Path(path)
    if path.suffix.lower() not in (".yaml", ".yml", ""):
        what = "JSON sets are" if path.suffix.lower() == ".json" else f"'{path.suffix}' files are"
        message = f"{what} not edited here, since that would rewrite the whole file"
        raise EditError([Problem(str(path), message, way_out="keep the items in a .yaml file, or use a text editor")])
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        source = parse_source(path, data)
    except InputError as error:
        raise InputError(with_odd_blanks(error.problems)) from None
    except FileNotFoundError:
        return _new_source(path)
    except (OSError, ValueError):  # ValueError: not UTF-8, or a path with a NUL in it
        read_document(path)  # says what is wrong
        raise
    if not source.items and (problems := odd_blanks(str(path))):  # items that stand behind one are none
        raise InputError(problems)
    return source


def parse_source(path: Path, data: bytes) -> SourceFile:
    """Return the file of these bytes, open for editing. Raises as `read_source` does, and UnicodeDecodeError."""
    if len(data) > MAX_BYTES:
        raise InputError([Problem(str(path), f"is larger than {MAX_BYTES // 1_000_000} MB", way_out="split it into one file per topic")])
    text = data.decode("utf-8-sig")
    with collector_paused():
        root = compose_yaml(text, str(path))
        syntax = parse(text)
        if syntax.uses and (problems := Document(str(path), text, root).problems):
            raise InputError(problems)  # aliases that contain themselves or grow without bound are among them
        shared, has_bom = Shared(syntax.anchors, syntax.uses), data.startswith(codecs.BOM_UTF8)
        if opening := opening_of(text, syntax.root):
            layout = Layout(flow=False, column=opening.column, offset=DEFAULT_STEP, newline=newline_of(text))
            return SourceFile(path, text, (), "", layout, shared, has_bom)
        pair, listed = _item_list(path, syntax)
        layout, head, pieces, tail = _cut(text, pair, listed)
        items = [ItemText(_id_of(entry.value, syntax.anchors), piece) for entry, piece in zip(listed.entries, pieces, strict=True)]
        return SourceFile(path, head, tuple(items), tail, layout, shared, has_bom)


def _new_source(path: Path) -> SourceFile:
    """Return the file that is not there yet. Raises InputError where it could not be made, or would not be taken for a set."""
    if not path.parent.is_dir():
        message, way_out = "does not exist, and its folder does not either", f"make the folder {path.parent}, or correct the path"
        raise InputError([Problem(str(path), message, way_out=way_out)])
    if not path.suffix:
        raise InputError([Problem(str(path), "does not exist", way_out="correct the path, or give a new file a name that ends in .yaml")])
    return replace(parse_source(path, b""), is_new=True)


def _item_list(path: Path, syntax: Syntax) -> tuple[Pair, ListSpan]:
    pairs = syntax.root.pairs if isinstance(syntax.root, MappingSpan) else ()
    found = [pair for pair in pairs if key_text(pair) == "items"]
    listed = found[0].value if len(found) == 1 and found[0].mark is not None else None
    if isinstance(listed, ListSpan) and listed.entries:
        return found[0], listed
    message = "holds no list of items that could be edited"
    raise EditError([Problem(str(path), message, way_out="write 'items:' once, and below it a list of questions")])


def _cut(text: str, pair: Pair, listed: ListSpan) -> tuple[Layout, str, list[Piece], str]:
    """Return the layout of the list, the text before it, its pieces, and the text behind it."""
    column = column_of(text, listed.body)
    layout = Layout(listed.flow, column, column - column_of(text, pair.key.start), newline_of(text))
    if listed.flow:
        bounds = [(entry.value.start, entry.value.end) for entry in listed.entries]
        extents = flow_extents(text, listed.body + 1, bounds, listed.end - 1)
        layout = layout._replace(ends_with_comma=text.startswith(",", extents[-1].end))
    else:
        zone = next_line(text, head_end(text, listed, pair.mark or 0))
        ends = [max(entry.mark, entry.value.end) for entry in listed.entries]
        extents = block_extents(text, zone, [entry.mark - 1 for entry in listed.entries], ends, column)
    return layout, text[: extents[0].start], pieces_at(text, extents), text[extents[-1].aside :]


def _id_of(item: Span, anchors: Mapping[str, Span]) -> str | None:
    item = resolved(item, anchors)
    if not isinstance(item, MappingSpan):
        return None
    written = resolved(keys_of(item, anchors).get("id", item), anchors)
    return written.text if isinstance(written, ScalarSpan) and not written.is_null else None
