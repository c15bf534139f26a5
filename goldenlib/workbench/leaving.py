"""Leaving: a page that goes, drafts that are found again, and what was typed when nobody listened any more.

Rule: nothing that somebody typed is dropped without being offered, and nothing is put over what somebody else wrote meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldenlib.folding import fold
from goldenlib.workbench import view
from goldenlib.workbench.fields import EDITABLE, LISTS, form_of, texts_at
from goldenlib.workbench.handling import Handler, Message, Patch


def leave(handler: Handler, message: Message) -> Patch:
    """A page goes. When it was the last, the drafts are for whoever comes next."""
    handler.views.discard(str(message.get("view", "")))
    if not handler.views:
        handler.bench.draft_file.let_go()
    return {}


def take_over(handler: Handler, message: Message) -> Patch:
    """Take over the drafts of another session."""
    bench = handler.bench
    if not bench.take_over(str(message["session"])):
        handler.say("draft_gone", "warn")
    elif bench.restored_from:
        keys = {draft.key for draft in bench.restored_from[-1].drafts}
        bench.open_key = next((key for key in bench.drafts if key in keys), next(iter(bench.drafts), bench.open_key))
    return handler.after_change()


def let_be(handler: Handler, message: Message) -> Patch:
    """Do not offer the drafts of a session again; they stay where they are."""
    handler.bench.hidden.add(str(message["session"]))
    return {"head": view.head(handler.bench)}


def recover(handler: Handler, message: Message) -> Patch:
    """Put what a page had typed and could not send any more into its fields, where those are as they were."""
    done = left = 0
    for one in message["typed"]:
        if _put_back(handler, one):
            done += 1
        else:
            left += 1
    if done or left:
        handler.say("recovered_note" if not left else "recovered_part", "warn", count=done, left=left)
    return handler.after_change()


def _put_back(handler: Handler, typed: Mapping[str, Any]) -> bool:
    bench, path = handler.bench, str(typed.get("path"))
    key = bench.key_now(str(typed.get("key")))
    if key not in bench.all_keys or path not in EDITABLE:
        return False
    if "add" in typed and path in LISTS:
        now = texts_at(bench.values(key), path)
        new = [text.strip() for text in str(typed["add"]).splitlines() if fold(text) and text.strip() not in now]
        bench.set_field(key, path, [*now, *new])
        return True
    now_there, value = form_of(bench.values(key))[path], typed.get("value")
    if now_there != value and now_there != typed.get("was"):
        return False
    bench.set_field(key, path, value)
    return True
