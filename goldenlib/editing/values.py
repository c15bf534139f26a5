"""Values: what a span of syntax says, what an edit wants it to say, and whether the two are the same.

Rule: text is text (contract 2.3). Only a bool or a number that is asked for is written as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from pydantic import BaseModel

from goldenlib.editing.refusals import Unwanted
from goldenlib.editing.scalars import AsTyped, unwritable
from goldenlib.editing.syntax import AliasSpan, ListSpan, MappingSpan, ScalarSpan, Span, is_merge, key_text
from goldenlib.files.documents import Step
from goldenlib.files.yamltext import PLAIN
from goldenlib.items import Expected, ExpectedResult, Item, Review

Path = tuple[Step, ...]
# The models behind the keys, for their order.
_MODELS: Mapping[Path, type[BaseModel]] = {(): Item, ("expected",): Expected, ("expected", "sql"): ExpectedResult, ("review",): Review}

_PATH = re.compile(r"[^.\[\]]+(?:\.[^.\[\]]+|\[\d+\])*")
_STEP = re.compile(r"([^.\[\]]+)(?=[.\[]|$)|\[(\d+)\]")
_SWITCHES = frozenset(name for model in _MODELS.values() for name, field in model.model_fields.items() if field.annotation is bool)


class Remove(Enum):
    """What an edit asks for where a key or entry is to go."""

    DELETE = "delete"

    def __repr__(self) -> str:
        return "DELETE"


DELETE = Remove.DELETE


def value_of(span: Span, anchors: Mapping[str, Span]) -> Any:
    """Return dicts, lists, texts and None: what the span says, aliases and merge keys resolved.

    A text that stands without quotes is an AsTyped, so that a copy of it can stand without them too.
    """
    if isinstance(span, ScalarSpan):
        if span.is_null:
            return None
        return AsTyped(span.text) if span.style == PLAIN else span.text
    if isinstance(span, AliasSpan):
        return value_of(anchors[span.name], anchors)
    if isinstance(span, ListSpan):
        return [value_of(entry.value, anchors) for entry in span.entries]
    return {key: value_of(value, anchors) for key, value in keys_of(span, anchors).items()}


def as_plain(value: Any, key: str = "") -> Any:
    """Return a value of `value_of` for those outside: plain texts, and booleans where the models want one."""
    if isinstance(value, dict):
        return {name: as_plain(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [as_plain(part) for part in value]
    if isinstance(value, AsTyped):
        is_flag = key in _SWITCHES and value.casefold() in ("true", "false")
        return value.casefold() == "true" if is_flag else str(value)
    return value


def keys_of(mapping: MappingSpan, anchors: Mapping[str, Span]) -> dict[str, Span]:
    """Return the values by key, with those that `<<` brings in, which stand behind the mapping's own."""
    own = own_keys(mapping)
    return own | {key: value for key, value in merged_keys(mapping, anchors).items() if key not in own}


def own_keys(mapping: MappingSpan) -> dict[str, Span]:
    """Return the values by key that stand in the mapping itself."""
    return {key: pair.value for pair in mapping.pairs if (key := key_text(pair)) is not None and not is_merge(pair)}


def merged_keys(mapping: MappingSpan, anchors: Mapping[str, Span]) -> dict[str, Span]:
    """Return the values by key that `<<` brings into the mapping; of several sources the first counts."""
    merged: dict[str, Span] = {}
    for pair in mapping.pairs:
        if is_merge(pair):
            for source in _sources(pair.value, anchors):
                for key, value in keys_of(source, anchors).items():
                    merged.setdefault(key, value)
    return merged


def _sources(span: Span, anchors: Mapping[str, Span]) -> Iterator[MappingSpan]:
    span = resolved(span, anchors)
    if isinstance(span, MappingSpan):
        yield span
    elif isinstance(span, ListSpan):
        for entry in span.entries:
            yield from _sources(entry.value, anchors)


def resolved(span: Span, anchors: Mapping[str, Span]) -> Span:
    """Return the span, or what it is an alias of."""
    while isinstance(span, AliasSpan):
        span = anchors[span.name]
    return span


def same(span: Span, wanted: Any, anchors: Mapping[str, Span]) -> bool:
    """Whether a span says what is wanted; for a bool and a number, whether it is read as that."""
    span = resolved(span, anchors)
    if isinstance(wanted, dict):
        if not isinstance(span, MappingSpan):
            return False
        keys = keys_of(span, anchors)
        return keys.keys() == wanted.keys() and all(same(keys[key], value, anchors) for key, value in wanted.items())
    if isinstance(wanted, list):
        if not isinstance(span, ListSpan) or len(span.entries) != len(wanted):
            return False
        return all(same(entry.value, value, anchors) for entry, value in zip(span.entries, wanted, strict=True))
    return isinstance(span, ScalarSpan) and _same_leaf(span, wanted)


def _same_leaf(span: ScalarSpan, wanted: Any) -> bool:
    if span.is_null or wanted is None:
        return span.is_null and wanted is None
    if isinstance(wanted, bool):
        return span.style == PLAIN and span.text.casefold() == str(wanted).casefold()
    if isinstance(wanted, int | float):
        try:
            return float(span.text) == wanted
        except ValueError:
            return False
    return bool(span.text == wanted)


# --- what is wanted ---


def path_of(where: str | Sequence[Step]) -> Path:
    """Return a path as keys and indexes. Raises Unwanted for what is none, so that no part of it is passed over.

    >>> path_of("expected.must_include[1]")
    ('expected', 'must_include', 1)
    """
    if isinstance(where, str) and not _PATH.fullmatch(where):
        raise Unwanted(f"'{where}' is no path to a value; write it like 'expected.must_include[0]'")
    path = tuple(int(index) if index else key for key, index in _STEP.findall(where)) if isinstance(where, str) else tuple(where)
    if not path:
        raise Unwanted("the path to the value is empty; write it like ('expected', 'must_include', 0)")
    return path


def as_wanted(value: Any) -> Any:
    """Return a value that was asked for as dicts, lists, texts, booleans and numbers; keys without a value are left out.

    Raises Unwanted for anything else.
    """
    if isinstance(value, BaseModel):
        value = value.model_dump(exclude_defaults=True)
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, AsTyped):
        return value
    if isinstance(value, str):
        if wrong := unwritable(value):
            raise Unwanted(f"the text {value[:60]!r} {wrong}; remove it")
        return str(value)
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): as_wanted(part) for key, part in value.items() if part is not None and part is not DELETE}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [as_wanted(part) for part in value]
    raise Unwanted(f"{value!r} is no text, list or mapping; give a text")


def changed(value: Any, path: Path, new: Any) -> Any:
    """Return a copy of `value` in which the part at `path` is `new`; DELETE and None take it away.

    Missing mappings on the way are made. Raises Unwanted where the path leads nowhere.
    """
    if not path:
        return as_wanted(new)
    step, rest = path[0], path[1:]
    gone = not rest and (new is DELETE or new is None)
    if isinstance(step, int):
        entries = list(value) if isinstance(value, list) else []
        if not 0 <= step < len(entries) + (not rest and not gone):
            raise Unwanted(f"there is no entry {step}; the list has {len(entries)}")
        entries[step : step + 1] = [] if gone else [changed(entries[step] if step < len(entries) else None, rest, new)]
        return entries
    if value is not None and not isinstance(value, dict):
        raise Unwanted(f"'{step}' cannot be set, since there are no keys; set the part above it")
    keys = dict(value or {})
    if gone:
        keys.pop(step, None)
    elif rest and (new is DELETE or new is None) and step not in keys:
        pass
    else:
        keys[step] = changed(keys.get(step), rest, new)
    return keys


def place_for(key: str, path: Path, present: Sequence[str]) -> int:
    """Return at which index a new key goes: behind the last of those that come before it in the order of the models."""
    model = _MODELS.get(path)
    order = list(model.model_fields) if model is not None else []
    rank = order.index(key) if key in order else len(order)
    earlier = [number for number, other in enumerate(present) if other not in order or order.index(other) < rank]
    return earlier[-1] + 1 if earlier else 0


def in_model_order(keys: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Return the keys in the order of the models; others behind, in the order given."""
    model = _MODELS.get(path)
    order = [key for key in (model.model_fields if model is not None else ()) if key in keys]
    return {key: keys[key] for key in (*order, *(key for key in keys if key not in order))}
