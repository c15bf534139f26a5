"""The JSON Schema of golden set files, with which editors complete keys and mark mistakes while one types.

Rule: it is made from the models of `items` and never written by hand; what it cannot say, loading says (contract 2.4).
"""

from __future__ import annotations

from typing import Any

from goldenlib.items import WRITTEN_AS, Item

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# What an editor takes a bare `no`, `012` or `1e3` for; loading reads each as the text that was typed (contract 2.3).
TEXT = ["string", "number", "boolean"]


def item_file_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a golden set file in its YAML form.

    Text may look like a number, a boolean or a date. A key without a value counts as absent, so null is allowed where a
    key may be left out. A top-level key that only holds an anchor has to start with `x-` to please an editor; loading is not
    as strict.
    """
    item = Item.model_json_schema()
    parts = {name: _loosened(part) for name, part in item.pop("$defs", {}).items()}
    parts["Item"] = _loosened(item) | {
        "required": ["id", "expected"],
        "anyOf": [{"required": ["question"]}, {"required": ["turns"]}],
    }
    return {
        "$schema": DIALECT,
        "title": "Golden set",
        "description": "A list of golden questions, each with its contract.",
        "type": "object",
        "properties": {
            "items": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/Item"}, "description": "The golden questions, in order"}
        },
        "patternProperties": {"^x-": {"description": "Free for anchors and notes; not read"}},
        "additionalProperties": False,
        "required": ["items"],
        "$defs": {name: parts[name] for name in sorted(parts)},
    }


def _loosened(model: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of one model, or enum, as it applies to what an author types."""
    if "properties" not in model:
        return _readable(model)
    required = set(model.get("required", ()))
    properties = {name: _typed(part, may_be_empty=name not in required) for name, part in model["properties"].items()}
    for name, written in WRITTEN_AS.items():
        if name in properties:
            kind = properties[name]["additionalProperties"] if "additionalProperties" in properties[name] else properties[name]["items"]
            several = "object" if "additionalProperties" in properties[name] else "array"
            inner = {"additionalProperties": kind} if several == "object" else {"items": kind, "minItems": 1}
            own = properties[written]
            types = own["type"] if isinstance(own["type"], list) else [own["type"]]
            properties[written] = own | {"type": [*types, several]} | inner
            del properties[name]
    return _readable(model) | {"properties": properties}


def _typed(part: dict[str, Any], *, may_be_empty: bool) -> dict[str, Any]:
    """Return the schema of one value: text in all its looks, and null where the key may be left out."""
    options = [option for option in part.get("anyOf", ()) if option.get("type") != "null"]
    typed = _readable(part)
    typed.pop("anyOf", None)
    if typed.get("default", ...) is None:
        del typed["default"]
    for option in options:  # one at most: a field is of one type, or absent
        typed |= _readable(option)
    if "$ref" in typed:
        return {"anyOf": [{"$ref": typed.pop("$ref")}, {"type": "null"}], **typed} if may_be_empty else typed
    if typed.get("type") == "string":
        typed["type"] = [*TEXT, "null"] if may_be_empty else TEXT
    elif typed.get("type") == "array":
        typed["items"] = _typed(typed["items"], may_be_empty=False)
        typed["type"] = ["array", "null"]
    elif may_be_empty:
        typed["type"] = [typed["type"], "null"]
    return typed


def _readable(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema without the titles that pydantic makes of names, and with descriptions in one line."""
    kept = {key: value for key, value in schema.items() if key != "title"}
    if "description" in kept:
        kept["description"] = " ".join(kept["description"].split())
    return kept
