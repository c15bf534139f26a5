"""Actions: the messages that the page may send, and what does them.

Rule: what is not in this table cannot be asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from goldenlib.workbench import browsing, deciding, leaving, signing, writing
from goldenlib.workbench.handling import Handler, Message, Patch
from goldenlib.workbench.state import Workbench

ACTIONS: Mapping[str, Callable[[Handler, Message], Patch]] = {
    "ready": browsing.ready,
    "leave": leaving.leave,
    "recover": leaving.recover,
    "take_over": leaving.take_over,
    "let_be": leaving.let_be,
    "narrow": browsing.narrow,
    "open": browsing.open_item,
    "next": browsing.next_unverified,
    "language": browsing.language,
    "look": browsing.look_again,
    "stored": browsing.stored,
    "dismiss": browsing.dismiss,
    "edit": writing.edit,
    "add": writing.add_phrases,
    "set": writing.set_phrase,
    "to_rubric": writing.to_rubric,
    "pick": writing.pick,
    "accept": writing.accept,
    "unaccept": writing.unaccept,
    "new": writing.new_item,
    "duplicate": writing.duplicate,
    "delete": writing.delete,
    "undo": writing.undo,
    "redo": writing.redo,
    "discard": writing.discard,
    "ask_rename": writing.ask_rename,
    "rename": writing.rename,
    "ask": browsing.ask,
    "cancel": browsing.cancel,
    "judge": browsing.judge,
    "ask_save": signing.ask_save,
    "save": signing.save,
    "ask_verify": signing.ask_verify,
    "verify": signing.verify,
    "ask_withdraw": signing.ask_withdraw,
    "withdraw": signing.withdraw,
    "decide": deciding.decide,
}


def handler_of(bench: Workbench) -> Handler:
    """Return the handler of all actions on a workbench."""
    return Handler(bench, ACTIONS)
