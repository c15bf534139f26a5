"""Signing: the steps before the file is written: what saving does, and the review that an expert signs or takes back.

Rule: only what the dialog shows is written (see `shown`). When the file cannot be written, nothing on the page says that it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from goldenlib.editing import ConflictError
from goldenlib.reporting.passages import plain, visible
from goldenlib.workbench import reviewing, view
from goldenlib.workbench.accounts import name_in
from goldenlib.workbench.deciding import conflict_dialog, met_conflict
from goldenlib.workbench.effects import effects, summary
from goldenlib.workbench.fields import value_at
from goldenlib.workbench.handling import Handler, Message, Patch
from goldenlib.workbench.savedialog import lines_of
from goldenlib.workbench.shown import as_dialog, close_done, is_done, is_shown
from goldenlib.workbench.standing import is_signed
from goldenlib.workbench.versions import last_change

FORM = ("by", "source", "due")


# --- saving ---


def ask_save(handler: Handler, message: Message) -> Patch:
    """Show what saving would write."""
    handler.bench.reload()
    if handler.bench.conflicts:
        handler.dialog = conflict_dialog(handler, "changed")
        return handler.after_change()
    keys = [draft.key for draft in handler.bench.unsaved()] if message.get("all") else [handler.key]
    handler.dialog = save_dialog(handler, keys)
    return handler.after_change()


def save_dialog(handler: Handler, keys: Sequence[str]) -> Patch:
    """What saving does in words, the exact lines that it writes, and who changed the item last."""
    bench = handler.bench
    drafts = [bench.drafts[key] for key in keys if key in bench.drafts]
    lines = lines_of(bench.source, keys[0]) if len(keys) == 1 else None
    change = last_change(bench.path, *lines) if lines is not None else None
    problems = {key: bench.problems(key) for key in keys if key in bench.all_keys}
    shown = {
        "names": view.draft_names(drafts),
        "others": len(bench.unsaved()) - len(drafts),
        **_in_words(handler, keys),
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
    return as_dialog(handler, "save", keys, shown)


def save(handler: Handler, message: Message) -> Patch:
    """Write drafts to the file."""
    if is_done(handler, message):
        return {}
    keys = _keys_of(handler, message)
    if not is_shown(handler, message, "save"):
        return _again(handler, save_dialog(handler, keys), "not_saved_shown")
    try:
        handler.bench.save(keys)
    except ConflictError as conflict:
        if met_conflict(handler, conflict, "not_saved_merged"):
            return handler.after_change()
        return _again(handler, save_dialog(handler, [key for key in keys if key in handler.bench.all_keys]), "not_saved_merged")
    close_done(handler)
    handler.say("saved_note", path=str(handler.bench.path))
    return handler.after_change()


# --- signing ---


def ask_verify(handler: Handler, message: Message) -> Patch:
    """Show what is to be signed."""
    bench, key = handler.bench, handler.key
    bench.reload()
    if bench.conflicts:
        handler.dialog = conflict_dialog(handler, "changed")
        return handler.after_change()
    if not _can_be_signed(handler, key):
        return handler.after_change()
    handler.dialog = verify_dialog(handler, key, {})
    return handler.after_change()


def verify_dialog(handler: Handler, key: str, form: Patch) -> Patch:
    """All that a signature is put under, and the form of the signature."""
    bench = handler.bench
    due = bench.today() + timedelta(days=reviewing.GOOD_FOR_DAYS)
    shown: Patch = {
        "by": bench.reviewer or name_in(bench.account),
        "source": str(value_at(bench.values(key), "review.source") or bench.legal_basis),
        "due": due.isoformat(),
        "account": bench.account,
        "bases": view.legal_bases(bench),
        "answer": view.latest_answer(bench, key),
        "more": view.reviewed(bench, key),
        "editor": view.editor(bench, key),
        **_in_words(handler, [key]),
    }
    return as_dialog(handler, "verify", [key], shown | form)


def verify(handler: Handler, message: Message) -> Patch:
    """Sign the item that is shown, and save it."""
    if is_done(handler, message):
        return {}
    bench, (key, *_) = handler.bench, _keys_of(handler, message)
    signature = reviewing.Signature(*(str(message.get(name, "")) for name in FORM))
    form: dict[str, Any] = {"by": signature.by, "source": signature.source, "due": signature.due}
    wrong = reviewing.problems_of(signature, bench.today())
    if handler.dialog is not None and handler.dialog.get("kind") == "verify":
        handler.dialog = handler.dialog | form | {"wrong": {name: handler.words.say(text) for name, text in wrong.items()}}
    if wrong and handler.dialog is not None:
        return {"dialog": handler.dialog}
    if not is_shown(handler, message, "verify"):
        return _sign_again(handler, key, form, "not_signed_shown")
    try:
        bench.sign(key, signature)
    except ConflictError as conflict:
        if met_conflict(handler, conflict, "not_signed_merged"):
            return handler.after_change()
        return _sign_again(handler, key, form, "not_signed_merged")
    close_done(handler)
    handler.say("verified_note", id=plain(key), by=bench.reviewer)
    return handler.after_change()


def _sign_again(handler: Handler, key: str, form: Patch, why: str) -> Patch:
    """Show the review again with what is there now; or say why there is nothing to sign any more."""
    handler.dialog = None
    if not _can_be_signed(handler, key):
        return handler.after_change()
    return _again(handler, verify_dialog(handler, key, form), why)


def _can_be_signed(handler: Handler, key: str) -> bool:
    bench = handler.bench
    draft = bench.drafts.get(key)
    if key not in bench.all_keys or (draft is not None and draft.deleted):
        handler.say("verify_gone", "error")
        return False
    problems = bench.problems(key)
    if problems:
        handler.say("verify_not_yet", "error", problem=handler.words.say(problems[0].name, message=problems[0].message))
    return not problems


# --- taking a signature back ---


def ask_withdraw(handler: Handler, message: Message) -> Patch:
    """Show whose signature is to be taken back."""
    key = handler.key
    if not is_signed(handler.bench.base_of(key)):
        handler.say("nothing_signed", "error")
        return handler.after_change()
    handler.dialog = _withdraw_dialog(handler, key)
    return {"dialog": handler.dialog}


def withdraw(handler: Handler, message: Message) -> Patch:
    """Take a signature back; it is a change like others, which undo takes back until it is saved."""
    if is_done(handler, message):
        return {}
    (key, *_) = _keys_of(handler, message)
    if not is_shown(handler, message, "withdraw"):
        handler.dialog = None
        return _again(handler, _withdraw_dialog(handler, key), "not_withdrawn_shown") if is_signed(handler.bench.base_of(key)) else {}
    handler.bench.withdraw(key, str(message.get("reason", "")))
    close_done(handler)
    handler.say("withdrawn_note", "warn")
    return handler.after_change()


def _withdraw_dialog(handler: Handler, key: str) -> Patch:
    review = view.review_of(handler.bench.base_of(key), handler.words)
    return as_dialog(handler, "withdraw", [key], {"id": plain(key), "review": review})


# --- steps ---


def _keys_of(handler: Handler, message: Message) -> list[str]:
    """The items that the open dialog is about; what the message says of them counts only where no dialog is open."""
    if handler.dialog is not None and handler.dialog.get("keys"):
        return [str(key) for key in handler.dialog["keys"]]
    return [str(key) for key in message.get("keys", ())] or [handler.key]


def _again(handler: Handler, dialog: Patch, why: str) -> Patch:
    """Show a dialog again, with why it did nothing."""
    handler.dialog = dialog | {"error": handler.words.say(why)}
    handler.say(why, "warn")
    return handler.after_change()


def _in_words(handler: Handler, keys: Sequence[str]) -> Patch:
    bench = handler.bench
    drafts = [bench.drafts[key] for key in keys if key in bench.drafts and bench.drafts[key].changes_something]
    told = [effect | {"text": visible(effect["text"])} for effect in effects(drafts, handler.words)]
    return {"summary": summary(drafts, handler.words), "effects": told, "diff": view.diff_of(bench, keys)}
