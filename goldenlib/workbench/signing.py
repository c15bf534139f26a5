"""Signing: the steps before the file is written: the exact diff, and the review that an expert signs.

Rule: when the file cannot be written, nothing on the page says that it was.
"""

from __future__ import annotations

from datetime import timedelta

from goldenlib.editing import ConflictError
from goldenlib.reporting.passages import plain
from goldenlib.workbench import reviewing, view
from goldenlib.workbench.deciding import conflict_dialog, met_conflict
from goldenlib.workbench.handling import Handler, Message, Patch
from goldenlib.workbench.saving import lines_of
from goldenlib.workbench.versions import last_change


def ask_save(handler: Handler, message: Message) -> Patch:
    """Show what saving would write."""
    handler.bench.reload()
    if handler.bench.conflicts:
        handler.dialog = conflict_dialog(handler, "changed")
        return handler.after_change()
    keys = [draft.key for draft in handler.bench.unsaved()] if message.get("all") else [handler.key]
    handler.dialog = save_dialog(handler, keys)
    return handler.after_change()


def save_dialog(handler: Handler, keys: list[str]) -> Patch:
    """The exact lines that saving writes, and who changed the item last."""
    bench = handler.bench
    drafts = [bench.drafts[key] for key in keys if key in bench.drafts]
    lines = lines_of(bench.source, keys[0]) if len(keys) == 1 else None
    change = last_change(bench.path, *lines) if lines is not None else None
    problems = {key: bench.problems(key) for key in keys}
    return {
        "kind": "save",
        "keys": keys,
        "names": view.draft_names(drafts),
        "others": len(bench.unsaved()) - len(drafts),
        "diff": view.diff_of(bench, keys),
        "problems": [handler.words.say(one.name, message=one.message) for found in problems.values() for one in found],
        "last": {
            "author": plain(change.author),
            "at": f"{change.at:%Y-%m-%d}",
            "summary": plain(change.summary, 100),
            "committed": change.is_committed,
        }
        if change is not None
        else None,
    }


def save(handler: Handler, message: Message) -> Patch:
    """Write drafts to the file."""
    keys = [str(key) for key in message.get("keys", [handler.key])]
    try:
        handler.bench.save(keys)
    except ConflictError as conflict:
        return met_conflict(handler, conflict)
    handler.dialog = None
    handler.say("saved_note", path=str(handler.bench.path))
    return handler.after_change()


def ask_verify(handler: Handler, message: Message) -> Patch:
    """Show what is to be signed."""
    bench, key = handler.bench, handler.key
    bench.reload()
    if bench.conflicts:
        handler.dialog = conflict_dialog(handler, "changed")
        return handler.after_change()
    problems = bench.problems(key)
    if problems:
        handler.say("verify_not_yet", "error", problem=handler.words.say(problems[0].name, message=problems[0].message))
        return handler.after_change()
    handler.dialog = {
        "kind": "verify",
        "by": bench.reviewer,
        "source": "",
        "due": (bench.today() + timedelta(days=reviewing.GOOD_FOR_DAYS)).isoformat(),
        "answer": view.latest_answer(bench, key),
        "more": view.reviewed(bench, key),
        "editor": view.editor(bench),
    }
    return handler.after_change()


def verify(handler: Handler, message: Message) -> Patch:
    """Sign the open item and save it."""
    bench = handler.bench
    signature = reviewing.Signature(*(str(message.get(name, "")) for name in ("by", "source", "due")))
    wrong = reviewing.problems_of(signature, bench.today())
    form = {"by": signature.by, "source": signature.source, "due": signature.due}
    if wrong:
        handler.dialog = (handler.dialog or {}) | form | {"wrong": {name: handler.words.say(text) for name, text in wrong.items()}}
        return {"dialog": handler.dialog}
    handler.dialog = (handler.dialog or {}) | form | {"wrong": {}}
    try:
        bench.sign(handler.key, signature)
    except ConflictError as conflict:
        return met_conflict(handler, conflict)
    handler.dialog = None
    handler.say("verified_note", id=plain(handler.key), by=bench.reviewer)
    return handler.after_change()
