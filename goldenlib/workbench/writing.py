"""Writing: what edits of the open item do.

Rule: an edit changes the draft; nothing here touches the file.
"""

from __future__ import annotations

from collections.abc import Mapping

from goldenlib.folding import fold
from goldenlib.reporting.passages import plain
from goldenlib.workbench.fields import EDITABLE, FORBIDDEN, LISTS, REQUIRED, accepted_of, texts_at
from goldenlib.workbench.handling import Handler, Message, Patch
from goldenlib.workbench.shown import as_dialog


def edit(handler: Handler, message: Message) -> Patch:
    """Change a field of an item."""
    path = str(message["path"])
    if path not in EDITABLE:
        raise ValueError(f"there is no field {path}")
    key = _key(handler, message)
    handler.bench.set_field(key, path, message.get("value"))
    more: Patch = {}
    if path in ("question", "id") and key == handler.key:
        more["form"] = {"id": str(handler.bench.values(handler.key).get("id") or "")}
    return handler.after_edit(key, **more)


def add_phrases(handler: Handler, message: Message) -> Patch:
    """Add phrases, one a line; those that are there already are left out."""
    path = str(message["path"])
    return _add(handler, _key(handler, message), path, str(message.get("text", "")).splitlines())


def _key(handler: Handler, message: Message) -> str:
    """The item that a message was written for, which need not be the open one by now. Raises LookupError when it is gone."""
    key = handler.bench.key_now(str(message["key"])) if "key" in message else handler.key
    if key not in handler.bench.all_keys:
        raise LookupError(f"there is no item {key}")
    return key


def _add(handler: Handler, key: str, path: str, texts: list[str]) -> Patch:
    if path not in LISTS:
        raise ValueError(f"{path} holds no phrases")
    now = texts_at(handler.bench.values(key), path)
    for text in texts:
        phrase = text.strip().strip("•\u2013\t").strip()
        if fold(phrase) and (path == "turns" or fold(phrase) not in {fold(other) for other in now}):
            now.append(phrase)
    handler.bench.set_field(key, path, now)
    return handler.with_form(key)


def set_phrase(handler: Handler, message: Message) -> Patch:
    """Change a phrase, or take it away when nothing is left of it."""
    path, index, text = str(message["path"]), int(message["index"]), str(message.get("value", "")).strip()
    key = _key(handler, message)
    now = texts_at(handler.bench.values(key), path)
    was = str(message["was"]) if "was" in message else None
    if was is not None and (not 0 <= index < len(now) or now[index] != was):  # the list is not the one that was looked at
        index = now.index(was) if was in now else len(now)
    if 0 <= index < len(now):
        now[index : index + 1] = [text] if text else []
        handler.bench.set_field(key, path, now)
    elif text:
        return _add(handler, key, path, [text])
    return handler.with_form(key)


def to_rubric(handler: Handler, message: Message) -> Patch:
    """Move a phrase into the rubric, for the judge to look for."""
    path, phrase = str(message["path"]), str(message["phrase"])
    bench, key = handler.bench, _key(handler, message)
    left = [text for text in texts_at(bench.values(key), path) if text != phrase]
    sentence = handler.words.say("rubric_must_not" if path == FORBIDDEN else "rubric_must", phrase=phrase)
    bench.set_fields(key, {path: left, "expected.rubric": _with_sentence(handler, key, sentence)}, "move")
    return handler.with_form(key)


def _with_sentence(handler: Handler, key: str, sentence: str) -> str:
    expected = handler.bench.values(key).get("expected")
    rubric = str(expected.get("rubric") or "").rstrip() if isinstance(expected, Mapping) else ""
    return f"{rubric} {sentence}".strip()


def pick(handler: Handler, message: Message) -> Patch:
    """Take a passage of an answer into the contract."""
    text = " ".join(str(message["text"]).split())
    if not fold(text):
        return {}
    where = str(message["to"])
    key = _key(handler, message)
    if where == "rubric":
        handler.bench.set_field(key, "expected.rubric", _with_sentence(handler, key, handler.words.say("rubric_must", phrase=text)))
        return handler.with_form(key)
    return _add(handler, key, FORBIDDEN if where == "forbidden" else REQUIRED, [text])


def accept(handler: Handler, message: Message) -> Patch:
    """Let a hazard stand, with a reason."""
    reason = str(message.get("reason", "")).strip()
    if not reason:
        handler.say("problem_no_reason", "error", "editor")
        return {}
    key = _key(handler, message)
    values = handler.bench.values(key)
    entry = {"code": str(message["code"]), "phrase": str(message.get("phrase", "")), "reason": reason}
    new = [*accepted_of(values), {name: text for name, text in entry.items() if text}]
    handler.bench.put_values(key, {**values, "accepted": new}, "accept")
    return handler.with_form(key)


def unaccept(handler: Handler, message: Message) -> Patch:
    """Show an accepted hazard again."""
    key = _key(handler, message)
    values = dict(handler.bench.values(key))
    left = [one for number, one in enumerate(accepted_of(values)) if number != int(message["index"])]
    values = {**values, "accepted": left} if left else {name: value for name, value in values.items() if name != "accepted"}
    handler.bench.put_values(key, values, "accept")
    return handler.with_form(key)


def new_item(handler: Handler, message: Message) -> Patch:
    """Begin an item; one that was just begun, and holds nothing yet, is it already."""
    if not handler.bench.is_blank:
        handler.bench.add_item()
    return handler.after_change()


def duplicate(handler: Handler, message: Message) -> Patch:
    """Begin an item as a copy of the open one."""
    handler.bench.add_item(like=_key(handler, message))
    return handler.after_change()


def delete(handler: Handler, message: Message) -> Patch:
    """Mark the open item for deletion."""
    key = _key(handler, message)
    handler.bench.delete(key)
    if key not in handler.bench.all_keys:  # a new item is gone at once; of others the form says that they will be
        handler.say("discarded_note", "warn")
    return handler.after_change()


def undo(handler: Handler, message: Message) -> Patch:
    """Take the last edit back."""
    if not handler.bench.undo():
        _say_why(handler)
    return handler.after_change()


def redo(handler: Handler, message: Message) -> Patch:
    """Do again what was taken back."""
    if not handler.bench.redo():
        _say_why(handler)
    return handler.after_change()


def _say_why(handler: Handler) -> None:
    """Say why nothing was undone, or redone."""
    refused = handler.bench.refused
    handler.say("signature_not_undone" if refused else "nothing_to_undo", "warn", id=plain(refused))


def discard(handler: Handler, message: Message) -> Patch:
    """Give up the changes of the open item."""
    handler.bench.discard(_key(handler, message))
    handler.say("discarded_note", "warn")
    return handler.after_change()


def ask_rename(handler: Handler, message: Message) -> Patch:
    """Say what renaming loses."""
    memory, key = handler.bench.memory, handler.key
    results, runs = memory.store.history_size(key, of_sets=memory.names) if memory.store is not None else (0, 0)
    now = plain(str(handler.bench.values(key).get("id")))
    shown = {"id": now, "results": results, "runs": runs, "can_carry": bool(results)}
    handler.dialog = as_dialog(handler, "rename", [key], shown)
    return {"dialog": handler.dialog}


def rename(handler: Handler, message: Message) -> Patch:
    """Give the open item another id."""
    new_id, bench = str(message.get("id", "")).strip(), handler.bench
    key = str(handler.dialog["keys"][0]) if handler.dialog is not None and handler.dialog.get("kind") == "rename" else handler.key
    wrong = [problem for problem in bench.problems(key, {**bench.values(key), "id": new_id}) if problem.field == "id"]
    if wrong:
        handler.dialog = (handler.dialog or {}) | {"error": handler.words.say(wrong[0].name, message=wrong[0].message), "id": new_id}
        return {"dialog": handler.dialog}
    bench.rename(key, new_id, carry_history=bool(message.get("carry")))
    handler.dialog = None
    return handler.after_change()
