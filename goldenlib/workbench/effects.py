"""Effects: what saving does, in words, before the lines of the file: which items change, and whose signature ends.

Rule: the loss of a signature is said first, and never left to be read out of a diff.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from goldenlib.reporting.passages import plain
from goldenlib.workbench.drafts import Draft
from goldenlib.workbench.fields import Values, changes, value_at
from goldenlib.workbench.pagestate import SaveEffect
from goldenlib.workbench.phrasing import Wording
from goldenlib.workbench.standing import SIGNATURE, is_signed

KINDS = ("new", "changed", "renamed", "deleted", "lapses", "withdrawn")


def summary(drafts: Iterable[Draft], words: Wording) -> str:
    """Return how many items are changed, deleted and so on, in one line."""
    counts = Counter(kind for draft in drafts for kind in _kinds(draft))
    told = (words.say(f"sum_{kind}" + ("_one" if counts[kind] == 1 else ""), count=counts[kind]) for kind in KINDS if counts[kind])
    return " · ".join(told)


def effects(drafts: Iterable[Draft], words: Wording) -> list[SaveEffect]:
    """Return a sentence for each thing that saving does; those with `lost` end a signature, and come first."""
    found = [effect for draft in drafts for effect in _of(draft, words)]
    return sorted(found, key=lambda effect: not effect["lost"])


def loss(draft: Draft | None, words: Wording) -> str:
    """Return the sentence that says whose signature a draft ends; empty when none."""
    return next((str(effect["text"]) for effect in effects([draft], words) if effect["lost"]), "") if draft is not None else ""


def _kinds(draft: Draft) -> list[str]:
    if draft.base is None:
        return ["new"]
    found = []
    if draft.deleted:
        found.append("deleted")
    else:
        found += ["renamed"] if draft.values.get("id") != draft.key else []
        found += ["changed"] if _fields(draft) else []
    if is_signed(draft.base) and (draft.deleted or not is_signed(draft.values)):
        found.append("withdrawn" if draft.withdrawn is not None and not draft.deleted else "lapses")
    return found


def _of(draft: Draft, words: Wording) -> Iterable[SaveEffect]:
    gaps = {"id": plain(str(draft.values.get("id") or draft.key)), "old": plain(draft.key)}
    gaps["by"] = _signer(draft.base or draft.values, words)
    gaps["fields"] = ", ".join(dict.fromkeys(_label(path, words) for path in _fields(draft)))
    kinds = _kinds(draft)
    for kind in kinds:
        name = "effect_deleted_signed" if kind == "lapses" and draft.deleted else f"effect_{kind}"
        yield {"lost": kind in ("lapses", "withdrawn"), "text": words.say(name, **gaps)}
    if "renamed" in kinds:
        yield {"lost": False, "text": words.say("effect_carried" if draft.carry_history else "effect_not_carried", **gaps)}
    if is_signed(draft.values) and not draft.deleted:
        yield {"lost": False, "text": words.say("effect_stands", **gaps)}


def _signer(values: Values, words: Wording) -> str:
    """Who signed, and when, for a sentence."""
    by, at = (plain(str(value_at(values, f"review.{name}") or "")) for name in ("by", "at"))
    return (f"{by} ({at})" if at else by) or words.say("nobody_named")


def _fields(draft: Draft) -> list[str]:
    """The fields that a draft changes, apart from the id and the signature."""
    found = changes(draft.base, draft.values) if draft.base is not None else {}
    return [".".join(path) for path in found if path[0] not in (*SIGNATURE, "id")]


def _label(path: str, words: Wording) -> str:
    name = path.removeprefix("expected.").replace(".", "_")
    return words.texts.get(f"field_{name}", plain(path))
