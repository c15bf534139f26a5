"""One item as its author wrote it -> Item, or every problem with it in plain words.

Rule: what an item may hold is said once, by the models of `items`; this module says what is wrong, where, and the way out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from yaml.nodes import Node, ScalarNode

from goldenlib.errors import Problem
from goldenlib.files.documents import Document, Step, find
from goldenlib.files.suggesting import did_you_mean
from goldenlib.files.yamltext import PLAIN
from goldenlib.items import WRITTEN_AS, Expected, ExpectedResult, Item


@dataclass(frozen=True, slots=True)
class RawItem:
    """An item as it was written: `values` in the shape of `Item`, at `node` of `document`.

    `lifted` is for files that write parts of `expected` beside the question, or call a key differently (seeds 002 and 004):
    their key -> the path in `Item`.
    """

    document: Document
    node: Node
    values: Mapping[str, Any]
    lifted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def id(self) -> str | None:
        """The id as written, or None where there is none that is text."""
        written = self.values.get("id")
        return written if isinstance(written, str) and written else None

    def problem(self, message: str, way_out: str | None = None, *, where: Sequence[Step] = (), key: bool = False) -> Problem:
        """Return a problem with this item at the part of it that `where` names in the shape of `Item`."""
        found = self.document.problem(self.node, message, way_out, where=self.path_in_file(where), key=key)
        return replace(found, item_id=self.id)

    def path_in_file(self, where: Sequence[Step]) -> tuple[Step, ...]:
        """Return the path of a part as the file has it."""
        for key, path in self.lifted.items():
            if tuple(where[: len(path)]) == path:
                return (key, *where[len(path) :])
        return tuple(where)


def check_item(raw: RawItem, problems: list[Problem]) -> Item | None:
    """Return the item, or None with every problem of it added to `problems`."""
    before = len(problems)
    values = _Cleaning(raw, problems).cleaned()
    try:
        item = Item.model_validate(values)
    except ValidationError as error:
        details = error.errors(include_url=False)
        problems.extend(_explained(raw, details))
        problems.extend(_explained(raw, _gaps(values, details)))
        return None
    return item if len(problems) == before else None


def label(where: Iterable[Step]) -> str:
    """Return a path as people write it.

    >>> label(("expected", "must_include", 1))
    'expected.must_include[1]'
    """
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in where).removeprefix(".")


def kind_of(value: object) -> str:
    """Return in words what a value is, shortened.

    >>> kind_of(50.0), kind_of([1]), kind_of("WNI")
    ('the number 50.0', 'a list', "the text 'WNI'")
    """
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "a mapping of keys to values"
    if isinstance(value, list):
        return "a list"
    return f"the text '{shorten(value)}'" if isinstance(value, str) else f"the number {shorten(str(value))}"


def shorten(text: str, length: int = 60) -> str:
    """Return `text` in one line, cut after `length` characters."""
    line = " ".join(text.splitlines())
    return line if len(line) <= length else line[: length - 1] + "…"


# --- keys ---


@dataclass(frozen=True, slots=True)
class _KeyShape:
    """What the fields of a model are: all, the booleans, the numbers, and those that are models, or lists of models, themselves."""

    names: frozenset[str]
    switches: frozenset[str]
    numbers: frozenset[str]
    parts: Mapping[str, type[BaseModel]]
    lists: Mapping[str, type[BaseModel]]


def _shapes(model: type[BaseModel]) -> dict[type[BaseModel], _KeyShape]:
    """Return the shapes of a model and of all that it is made of."""
    types = {name: _without_none(part.annotation) for name, part in model.model_fields.items()}
    entries = {name: get_args(kind)[0] for name, kind in types.items() if get_origin(kind) is tuple}
    shape = _KeyShape(
        names=frozenset(types) - WRITTEN_AS.keys(),
        switches=frozenset(name for name, kind in types.items() if kind is bool),
        numbers=frozenset(name for name, kind in types.items() if kind in (int, float)),
        parts={name: kind for name, kind in types.items() if _is_model(kind)},
        lists={name: kind for name, kind in entries.items() if _is_model(kind)},
    )
    inner = [_shapes(part) for part in (*shape.parts.values(), *shape.lists.values())]
    return {model: shape} | {part: found for shapes in inner for part, found in shapes.items()}


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _without_none(annotation: Any) -> Any:
    options = [option for option in get_args(annotation) if option is not NoneType]
    return options[0] if len(options) == 1 and NoneType in get_args(annotation) else annotation


def _homes(model: type[BaseModel], path: str) -> dict[str, str]:
    """Return where each key of a model, and of what it is made of, belongs; a key of two models belongs to the outer one."""
    shape = _SHAPES[model]
    homes: dict[str, str] = {}
    for name, part in {**shape.parts, **shape.lists}.items():
        homes |= _homes(part, f"{path}.{name}".removeprefix("."))
    return homes | dict.fromkeys(shape.names, f"under '{path}'" if path else "to the item itself, beside 'id'")


_SHAPES = _shapes(Item)
_HOMES = _homes(Item, "") | {"items": "at the top of the file"}
# What the other file formats of the seeds call the same thing.
_OTHER_NAMES = {
    "golden_answer": "'answer' under 'expected'",
    "question_id": "'id'",
    "golden_sql": "'golden' under 'expected.sql'",
    "check_sql": "'check' under 'expected.sql'",
    "rag_quality": "in a configuration file, given with --config",
}


# After so many unknown keys in one place nobody reads what they were probably meant to be.
MOST_GUESSED = 100


class Unknown(NamedTuple):
    """What is wrong with a key that does not belong where it stands; `meant` is the known key it was probably to be."""

    message: str
    way_out: str | None = None
    meant: str | None = None


def explain_unknown(key: str, known: Iterable[str], homes: Mapping[str, str] = _HOMES, *, guess: bool = True) -> Unknown:
    """Return what is wrong with a key that is not among the `known` ones of its place; `homes` says where others belong.

    Without `guess`, it is not compared with names that it resembles, which takes the longest.
    """
    allowed = sorted(known)
    shown = shorten(key)
    if home := homes.get(key):
        return Unknown(f"misplaced key: '{key}' belongs {home}", meant=key)
    if near := near_name(key, allowed) if guess else None:
        return Unknown(f"unknown key '{shown}' (did you mean '{near}'?)", meant=near)
    if other := _OTHER_NAMES.get(key):
        return Unknown(f"unknown key '{key}'", f"it is written {other}", meant=other.split("'")[1] if "'" in other else None)
    if near := near_name(key, homes) if guess else None:
        return Unknown(f"unknown key '{shown}' (did you mean '{near}', which belongs {homes[near]}?)", meant=near)
    return Unknown(f"unknown key '{shown}'", f"allowed here: {', '.join(allowed)}")


def near_name(key: str, known: Iterable[str]) -> str | None:
    """Return the known name that `key` was probably meant to be, apart from how words are joined too.

    >>> near_name("mustInlcude", ["must_include", "rubric"])
    'must_include'
    """
    return _near_name(key, tuple(known))


@lru_cache(maxsize=256)  # a generated file has the same slip in thousands of items
def _near_name(key: str, known: tuple[str, ...]) -> str | None:
    return did_you_mean(re.sub("(?<=[a-z])(?=[A-Z])", "_", key), known, 0.75)


class _Cleaning:
    """What is left of an item for the models to check: no unknown keys, no empty values, booleans for true and false.

    `meant` collects the keys that unknown ones were probably to be, so that they are not called missing as well.
    """

    def __init__(self, raw: RawItem, problems: list[Problem]) -> None:
        self._raw = raw
        self._problems = problems
        self._meant: set[str] = set()

    def cleaned(self) -> dict[str, Any]:
        values = self._part(self._raw.values, Item, ())
        for key in self._meant & _STAND_INS.keys():
            values.setdefault(key, _STAND_INS[key])
        in_expected = any(_HOMES.get(key, "").startswith("under 'expected") for key in self._meant)
        if in_expected and isinstance(values.get("expected", {}), dict):
            values["expected"] = _STAND_INS["expected"] | values.get("expected", {})
        return values

    def _part(self, written: Mapping[str, Any], model: type[BaseModel], where: tuple[Step, ...]) -> dict[str, Any]:
        shape = _SHAPES[model]
        kept: dict[str, Any] = {}
        unknown = 0
        for key, value in written.items():
            if key not in shape.names:
                unknown += 1
                self._refuse(key, shape, where, guess=unknown <= MOST_GUESSED)
            elif value is None:
                continue
            elif key in shape.switches:
                kept[key] = self._switch(value, (*where, key))
            elif isinstance(value, dict) and key in shape.parts:
                kept[key] = self._part(value, shape.parts[key], (*where, key))
            elif isinstance(value, list) and key in shape.lists:
                entries = enumerate(value)
                kept[key] = [self._entry(entry, shape.lists[key], (*where, key, number)) for number, entry in entries]
            elif isinstance(value, bool) and key in shape.numbers:
                name = label(self._raw.path_in_file((*where, key)))  # pydantic would take true for 1
                message = f"{name} is {kind_of(value)} and must be a number"
                self._problems.append(self._raw.problem(message, "write digits, such as 0.0005", where=(*where, key)))
            else:
                kept[key] = value
        return kept

    def _entry(self, entry: object, model: type[BaseModel], where: tuple[Step, ...]) -> object:
        return self._part(entry, model, where) if isinstance(entry, dict) else entry

    def _refuse(self, key: str, shape: _KeyShape, where: tuple[Step, ...], *, guess: bool) -> None:
        known, homes = shape.names, _HOMES
        if lifted := self._raw.lifted:
            renamed = {path[0] for other, path in lifted.items() if path[-1] != other and len(path) == 1}
            known = known - {"expected"} - renamed | (lifted.keys() if not where else set())
            inner = _SHAPES[Expected].names | _SHAPES[ExpectedResult].names
            homes = {name: home for name, home in _HOMES.items() if name not in inner}
            homes |= {path[-1]: f"to the case, as '{other}'" for other, path in lifted.items() if other != path[-1]}
        unknown = explain_unknown(key, known, homes, guess=guess)
        self._problems.append(self._raw.problem(unknown.message, unknown.way_out, where=(*where, key), key=True))
        if unknown.meant:
            self._meant.add(self._raw.lifted.get(unknown.meant, (unknown.meant,))[-1])

    def _switch(self, value: object, where: tuple[Step, ...]) -> bool:
        """Return a boolean that is written as plain true or false, in any case; nothing else is one (contract 2.3)."""
        if isinstance(value, bool):
            return value
        path = self._raw.path_in_file(where)
        node = find(self._raw.node, *path)
        if isinstance(value, str) and isinstance(node, ScalarNode) and node.style == PLAIN and value.casefold() in ("true", "false"):
            return value.casefold() == "true"
        way_out = "write true or false, without quotes"
        self._problems.append(self._raw.problem(f"{label(path)} is {kind_of(value)}", way_out, where=where))
        return False


# --- values ---

# A value that the model takes, to find out what else is wrong with an item whose own value is refused.
_STAND_INS: Mapping[str, Any] = {"id": "x", "question": "x", "turns": ["x"], "expected": {"rubric": "x"}, "kind": "decline"}


def _gaps(values: Mapping[str, Any], details: Sequence[ErrorDetails]) -> list[ErrorDetails]:
    """Return what is wrong with the item as a whole, which the model only looks at when every part is right."""
    refused = {str(detail["loc"][0]) for detail in details if detail["loc"]}
    if not refused:
        return []
    kept = {key: value for key, value in values.items() if key not in refused}
    try:
        Item.model_validate(kept | {key: value for key, value in _STAND_INS.items() if key in refused})
    except ValidationError as error:
        return error.errors(include_url=False)
    return []


def _explained(raw: RawItem, details: Sequence[ErrorDetails]) -> list[Problem]:
    problems = []
    for detail in details:
        where = _as_written(detail["loc"])
        name = label(raw.path_in_file(where))
        explain = _EXPLANATIONS.get(detail["type"], _explain_other)
        for line in explain(name, detail).split("\n"):
            message, _, way_out = (_in_toml(line) if raw.document.path.lower().endswith(".toml") else line).partition("; ")
            if raw.lifted:
                way_out = way_out.removesuffix(" under 'expected'")
            problems.append(raw.problem(message, way_out or None, where=where))
    return problems


def _as_written(where: Sequence[Step]) -> tuple[Step, ...]:
    """Return where a part of the model stands in a file: an alternative of the golden SQL in its list, a limit below its key."""
    written = [WRITTEN_AS.get(step, step) if isinstance(step, str) else step for step in where]
    for place, step in enumerate(where):
        if step == "others" and place + 1 < len(where) and isinstance(where[place + 1], int):
            written[place + 1] = int(where[place + 1]) + 1
    return tuple(written)


def _in_toml(line: str) -> str:
    """Return a sentence with the keys that it tells to write as TOML writes them.

    >>> print(_in_toml("set 'kind: decline', or add 'question:' with a text; write tags: [1]"))
    set 'kind = "decline"', or add 'question = "..."' with a text; write tags = [1]
    """
    line = re.sub(r"'(\w+): ([^'\n]+)'", r"""'\1 = "\2"'""", line)
    line = re.sub(r"'(\w+):'", r"""'\1 = "..."'""", line)
    return re.sub(r"(; write \w+): \[", r"\1 = [", line)


def _explain_missing(name: str, _detail: ErrorDetails) -> str:
    key = name.rpartition(".")[2]
    example = "a short stable name, such as id: pt-pendirian-syarat" if key == "id" else f"'{key}:' with a text"
    return f"has no '{name}'; add {example}"


def _explain_not_text(name: str, detail: ErrorDetails) -> str:
    value = detail["input"]
    if value is None:
        return f"{name} is empty; write the text, or remove the entry"
    if isinstance(value, Mapping):
        way_out = "put text that holds ': ' in quotes"
    elif isinstance(value, list):
        way_out = "write each text on its own; alternatives are not supported here"
    else:
        way_out = "put it in quotes"
    return f"{name} is {kind_of(value)} and must be text; {way_out}"


def _explain_not_list(name: str, detail: ErrorDetails) -> str:
    value = detail["input"]
    example = json.dumps([shorten(value) if isinstance(value, str) else "..."], ensure_ascii=False)
    return f"{name} is {kind_of(value)} and must be a list; write {name.rpartition('.')[2]}: {example}"


def _explain_not_mapping(name: str, detail: ErrorDetails) -> str:
    models = {part: model for shape in _SHAPES.values() for part, model in (*shape.parts.items(), *shape.lists.items())}
    model = models.get(re.sub(r"^.*\.|\[\d+\]$", "", name))
    keys = f": {', '.join(model.model_fields)}" if model is not None else ""
    return f"{name} is {kind_of(detail['input'])} and must hold keys; write them below it{keys}"


def _explain_choice(name: str, detail: ErrorDetails) -> str:
    value, choices = detail["input"], detail.get("ctx", {}).get("expected", "")
    near = near_name(value, re.findall("'([^']*)'", choices)) if isinstance(value, str) else None
    return f"{name} is {kind_of(value)}; write {choices}" + (f" (did you mean '{near}'?)" if near else "")


def _explain_number(name: str, detail: ErrorDetails) -> str:
    return f"{name} is {kind_of(detail['input'])} and must be a number; write digits, such as 0.0005"


def _explain_range(name: str, detail: ErrorDetails) -> str:
    limits = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    wanted = " and ".join(f"{limits[key]} {value:g}" for key, value in detail.get("ctx", {}).items() if key in limits)
    return f"{name} is {kind_of(detail['input'])}; write a number of {wanted}"


def _explain_rule(name: str, detail: ErrorDetails) -> str:
    """Say what a rule of the models says; each of its lines is 'what is wrong; the way out'."""
    return "\n".join(f"{name} {line}".strip() for line in str(detail.get("ctx", {}).get("error", "")).split("\n"))


def _explain_other(name: str, detail: ErrorDetails) -> str:
    return f"{name} cannot be {kind_of(detail['input'])}; see the description of '{name}' in the documentation"


_EXPLANATIONS: Mapping[str, Callable[[str, ErrorDetails], str]] = {
    "missing": _explain_missing,
    "string_type": _explain_not_text,
    "tuple_type": _explain_not_list,
    "model_type": _explain_not_mapping,
    "enum": _explain_choice,
    "float_parsing": _explain_number,
    "float_type": _explain_number,
    "finite_number": _explain_number,
    "greater_than_equal": _explain_range,
    "value_error": _explain_rule,
}
