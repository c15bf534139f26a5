"""Fields: what an item holds, as the values of its form, and what an edit of one makes of them.

Rule: values have the form in which `editing.SourceFile.values` gives them. A field that is emptied goes back to how the file
had it empty, or is taken away; so an edit that is taken back leaves no trace in the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from goldenlib.editing import DELETE
from goldenlib.folding import fold
from goldenlib.items import MAX_PHRASE, Item

Values = Mapping[str, Any]
Path = tuple[str, ...]

TEXTS = (
    "id",
    "surface",
    "domain",
    "question",
    "context",
    "expected.rubric",
    "expected.answer",
    "expected.sql.golden",
    "expected.sql.check",
    "kind",
    "decline_type",
    "role",
    "region",
    "split",
    "note",
)
LISTS = ("expected.must_include", "expected.must_not_include", "turns", "traps", "tags")
FLAGS = ("expected.sql.order_matters",)
NUMBERS = ("expected.sql.tolerance", "expected.sql.absolute")
EDITABLE = frozenset((*TEXTS, *LISTS, *FLAGS, *NUMBERS))
REQUIRED, FORBIDDEN = "expected.must_include", "expected.must_not_include"


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """Why an item cannot be saved: the field, and the name of the wording, or a message of its own."""

    field: str
    name: str
    message: str = ""


def form_of(values: Values) -> dict[str, Any]:
    """Return the value of every field, by its path: a text, a list of texts, or a flag."""
    form: dict[str, Any] = {path: _shown(value_at(values, path)) for path in (*TEXTS, *NUMBERS)}
    form["surface"] = form["surface"] or "public"
    form["kind"] = form["kind"] or "answer"
    form |= {path: texts_at(values, path) for path in LISTS}
    form |= {path: _text(value_at(values, path)).casefold() == "true" for path in FLAGS}
    form["accepted"] = [{key: _text(one.get(key)) for key in ("code", "phrase", "reason")} for one in accepted_of(values)]
    return form


def several(values: Values) -> list[str]:
    """Return the paths of fields of one text that hold several values, such as golden SQL as a list: shown, and edited in the file."""
    return [path for path in (*TEXTS, *NUMBERS) if isinstance(value_at(values, path), list | tuple | Mapping)]


def title_of(values: Values) -> str:
    """Return what an item asks first, whether or not it is complete."""
    return next(iter(texts_at(values, "turns")), "") or _text(value_at(values, "question"))


def value_at(values: Values, path: str) -> Any:
    """Return what stands at a dotted path, or None."""
    found: Any = values
    for key in path.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def texts_at(values: Values, path: str) -> list[str]:
    """Return the texts of a list."""
    found = value_at(values, path)
    return [_text(part) for part in found] if isinstance(found, list | tuple) else [_text(found)] if found else []


def accepted_of(values: Values) -> list[Mapping[str, Any]]:
    """Return the hazards that the item accepts."""
    found = values.get("accepted")
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list | tuple) else []


def with_field(values: Values, base: Values | None, path: str, new: Any) -> dict[str, Any]:
    """Return the values with one field changed; one that holds several values is left as it is, since a text cannot hold them."""
    if path in several(values):
        return dict(values)
    was = value_at(base, path) if base is not None else None
    if isinstance(new, str) and isinstance(was, str) and was.endswith("\n") and new.strip():
        new = new.removesuffix("\n") + "\n"  # a block of lines ends with a break, which no form shows
    if is_empty(new) or _is_default(path, new):
        new = was if base is not None and _is_there(base, path) and (is_empty(was) or _is_default(path, _text(was))) else DELETE
    return _changed(values, tuple(path.split(".")), new)


def changes(base: Values, values: Values) -> dict[Path, Any]:
    """Return what has to be set, by path, to make `values` of `base`; DELETE takes a key away."""
    old, new = _leaves(base), _leaves(values)
    changed = {path: value for path, value in new.items() if path not in old or old[path] != value}
    gone = {path: DELETE for path in old if path not in new and not any(other[: len(path)] == path for other in new)}
    return {**gone, **changed}


def build(values: Values) -> Item | None:
    """Return the item that the values make, or None while something is missing or wrong."""
    try:
        return Item.model_validate(_cleaned(values))
    except ValidationError:
        return None


def provisional(values: Values) -> Item | None:
    """Return an item for looking at while it is being written: gaps filled, blank phrases left out. None with nothing to check."""
    kept: dict[str, Any] = dict(_cleaned(values))
    kept["id"] = "".join(_text(kept.get("id")).split()) or "-"
    expected = dict(kept["expected"]) if isinstance(kept.get("expected"), Mapping) else {}
    for name in ("must_include", "must_not_include"):
        expected[name] = [text for text in texts_at(values, f"expected.{name}") if fold(text)]
    kept["expected"] = expected
    if kept.get("turns"):
        kept.pop("question", None)
    elif not fold(_text(kept.get("question"))):
        kept["question"] = "…"
    if kept.get("kind") != "decline":
        kept.pop("decline_type", None)
    return build(kept)


def askable(values: Values) -> Item | None:
    """Return an item that can be asked, whatever else is still missing or wrong; None while there is no question."""
    turns, asks = [text for text in texts_at(values, "turns") if fold(text)], _text(values.get("question"))
    if not turns and not fold(asks):
        return None
    question: dict[str, Any] = {"turns": turns} if turns else {"question": asks}
    there = values.get("expected")
    gap = {**values, "turns": None, **question, "expected": {**(there if isinstance(there, Mapping) else {}), "rubric": "…"}}
    asked = {name: values[name] for name in ("surface", "role", "region") if name in values}
    return provisional(values) or provisional(gap) or build({**asked, **question, "id": "-", "expected": {"rubric": "…"}})


def problems_of(values: Values, taken: Iterable[str]) -> tuple[FieldProblem, ...]:
    """Return all that keeps the item from being saved. `taken` are the ids of the other items."""
    item_id, found = _text(values.get("id")), []
    if not item_id:
        found.append(FieldProblem("id", "problem_no_id"))
    elif any(char.isspace() or not char.isprintable() for char in item_id):
        found.append(FieldProblem("id", "problem_bad_id"))
    elif item_id.casefold() in {other.casefold() for other in taken}:
        found.append(FieldProblem("id", "problem_taken_id"))
    has_question, has_turns = bool(fold(_text(values.get("question")))), bool(texts_at(values, "turns"))
    if not has_question and not has_turns:
        found.append(FieldProblem("question", "problem_no_question"))
    if has_question and has_turns:
        found.append(FieldProblem("turns", "problem_question_and_turns"))
    checked = [value_at(values, f"expected.{name}") for name in ("must_include", "must_not_include", "rubric", "answer", "sql")]
    if all(is_empty(part) for part in checked) and _text(values.get("kind")) in ("", "answer"):
        found.append(FieldProblem(REQUIRED, "problem_nothing_to_check"))
    long = (name for name in (REQUIRED, FORBIDDEN) if any(len(text) > MAX_PHRASE for text in texts_at(values, name)))
    found += [FieldProblem(name, "problem_long_phrase", f"{MAX_PHRASE}") for name in long]
    if values.get("decline_type") and values.get("kind") != "decline":
        found.append(FieldProblem("decline_type", "problem_decline_type"))
    if not found:
        found += _what_the_model_says(values)
    return tuple(found)


def _what_the_model_says(values: Values) -> list[FieldProblem]:
    try:
        Item.model_validate(_cleaned(values))
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False)
        return [
            FieldProblem(
                ".".join(str(step) for step in detail["loc"] if not isinstance(step, int)),
                "problem_other",
                detail["msg"].removeprefix("Value error, "),
            )
            for detail in details
        ]
    return []


def is_empty(value: Any) -> bool:
    """Whether there is nothing: no text, no entry, or only blanks."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or value is DELETE or (isinstance(value, list | tuple | Mapping) and not value)


def _is_default(path: str, new: Any) -> bool:
    """Whether a choice is the one that counts when the key is left out."""
    return (path, new) in (("kind", "answer"), ("expected.sql.order_matters", False), ("expected.sql.order_matters", "false"))


def _is_there(values: Values, path: str) -> bool:
    *above, last = path.split(".")
    parent = value_at(values, ".".join(above)) if above else values
    return isinstance(parent, Mapping) and last in parent


def _changed(values: Values, path: Path, new: Any) -> dict[str, Any]:
    """Return a copy with the part at `path` changed; a mapping that loses its last key goes too."""
    copy, key = dict(values), path[0]
    if len(path) > 1:
        inner = copy.get(key)
        new = _changed(inner if isinstance(inner, Mapping) else {}, path[1:], new)
        new = new if new or key == "expected" else DELETE
    if new is DELETE:
        copy.pop(key, None)
    else:
        copy[key] = new
    return copy


def _leaves(values: Values, above: Path = ()) -> dict[Path, Any]:
    leaves: dict[Path, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            leaves |= _leaves(value, (*above, key))
        else:
            leaves[(*above, key)] = list(value) if isinstance(value, tuple) else value
    return leaves


def _cleaned(values: Values) -> dict[str, Any]:
    """Return the values without keys that say nothing."""
    kept = {key: _cleaned(value) if isinstance(value, Mapping) else value for key, value in values.items()}
    return {key: value for key, value in kept.items() if value is not None}


def _shown(value: Any) -> str:
    """What a field of one text shows: several values apart from one another."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_text(part)}" for name, part in value.items())
    parts = value if isinstance(value, list | tuple) else [value]
    return "\n\n".join(_text(part).removesuffix("\n") for part in parts)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
