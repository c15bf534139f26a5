"""The JSON Schema for editors: shipped as it is made, and of one mind with loading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from goldenlib.files.schema import item_file_schema
from goldenlib.items import Item
from tests.golden_files import an_item_text, loaded, problems_in

GOLDEN = Path(__file__).parents[2] / "golden"


def accepts(text: str) -> bool:
    """Whether an editor would leave the text unmarked. PyYAML guesses types, as editors do."""
    validator = Draft202012Validator(item_file_schema())
    return validator.is_valid(json.loads(json.dumps(yaml.safe_load(text), default=str)))


def test_the_shipped_schema_is_the_one_that_is_made() -> None:
    """After a change: golden schema --output golden/item.schema.json"""
    shipped = (GOLDEN / "item.schema.json").read_text(encoding="utf-8")
    assert shipped == json.dumps(item_file_schema(), indent=2, ensure_ascii=False) + "\n"


def test_the_schema_is_valid_draft_2020_12() -> None:
    schema = item_file_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


def test_the_shipped_example_fits_the_schema() -> None:
    assert accepts((GOLDEN / "example.yaml").read_text(encoding="utf-8"))


def test_every_key_is_described() -> None:
    for name, part in item_file_schema()["$defs"].items():
        assert part["description"], name
        for key, value in part.get("properties", {}).items():
            assert value["description"], f"{name}.{key}"
    assert item_file_schema()["$defs"]["Item"]["properties"].keys() == Item.model_fields.keys()


def every_object(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for part in schema for found in every_object(part)]
    if not isinstance(schema, dict):
        return []
    return [schema] * ("properties" in schema) + [found for part in schema.values() for found in every_object(part)]


def test_no_object_takes_unknown_keys() -> None:
    assert all(part["additionalProperties"] is False for part in every_object(item_file_schema()))


R = "expected: {rubric: r}"


@pytest.mark.parametrize(
    "keys",
    [
        "expected: {must_include: [no, 12:30, 012, 1e3, 50.000, 2026-07-10, yes]}",
        "expected: {must_include: , rubric: 17, must_not_include: ~}",
        f"{R}\nverified: TRUE",
        f"{R}\nverified:",
        f"{R}\nreview: {{by: 5, at: 2026-07-10}}\nsplit: dev\nkind: decline\ndecline_type: ambiguous\ntags: [1, a]",
        "expected: {sql: {golden: select 1, tolerance: 0, order_matters: true}}",
    ],
)
def test_what_loads_is_accepted_whatever_it_looks_like(tmp_path: Path, keys: str) -> None:
    text = f"x-note: 1\n{an_item_text(keys)}"
    assert accepts(text)
    loaded(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "items: []",
        "{}",
        "item:\n- id: a",
        an_item_text(f"{R}\nverified: ya"),
        an_item_text(f"{R}\nsurface: publik"),
        an_item_text(f"{R}\nmust_include: [a]"),
        an_item_text("expected: {must_inlcude: [a]}"),
        an_item_text("expected: {must_include: a}"),
        an_item_text("expected: {must_include: [[a]]}"),
        an_item_text("expected: {must_include: [a: b]}"),
        an_item_text(f"{R}\nreview: {{at: 2026-07-10}}"),
        an_item_text("expected: {sql: {golden: x, tolerance: -1}}"),
        "items:\n- question: q\n  expected: {rubric: r}\n",
        "items:\n- id: a\n  expected: {rubric: r}\n",
        "items:\n- id: a\n  question: q\n",
    ],
)
def test_what_is_marked_does_not_load(tmp_path: Path, text: str) -> None:
    assert not accepts(text)
    assert problems_in(tmp_path, text)
