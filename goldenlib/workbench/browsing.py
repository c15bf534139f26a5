"""Looking: what the page asks for without changing an item: opening, searching, history, the chatbot's answers.

Rule: a handler answers with the parts that the page has to show anew.
"""

from __future__ import annotations

from goldenlib.languages import Language
from goldenlib.workbench import view
from goldenlib.workbench.deciding import conflict_dialog
from goldenlib.workbench.fields import askable
from goldenlib.workbench.handling import Handler, Message, Patch


def ready(handler: Handler, message: Message) -> Patch:
    """A page has begun."""
    bench = handler.bench
    handler.views.add(str(message.get("view", "")))
    left, before = message.get("left"), set(bench.drafts)
    bench.restore([str(session) for session in left] if isinstance(left, list) else ())
    bench.open_key = next((key for key in bench.drafts if key not in before), bench.open_key)
    if bench.conflicts and handler.dialog is None:
        handler.dialog = conflict_dialog(handler, "restored")
    return handler.everything()


def narrow(handler: Handler, message: Message) -> Patch:
    """Search and filter."""
    fields = {name: str(message[name]) for name in ("text", "domain", "surface", "state") if name in message}
    handler.bench.filter = handler.bench.filter.changed(**fields)
    return {"list": view.shown(handler.bench)}


def open_item(handler: Handler, message: Message) -> Patch:
    """Open an item."""
    key = str(message["key"])
    if key in handler.bench.all_keys:
        handler.bench.open_key = key
    return handler.opened()


def next_unverified(handler: Handler, message: Message) -> Patch:
    """Open the next item that nobody has signed."""
    bench = handler.bench
    if bench.next_unverified() is None:
        is_filtered = len(bench.shown_rows()) < len(bench.rows())
        handler.say("all_verified_here" if is_filtered else "all_verified")
    return handler.opened()


def language(handler: Handler, message: Message) -> Patch:
    """Speak another language."""
    handler.bench.language = Language(str(message["language"]))
    return handler.everything()


def look_again(handler: Handler, message: Message) -> Patch:
    """Look whether the file changed on the disk; the page asks when it gets the focus."""
    handler.bench.look_for_others()
    if not handler.bench.reload():
        return {"head": view.head(handler.bench)}
    if handler.bench.conflicts:
        handler.dialog = conflict_dialog(handler, "changed")
    handler.say("file_reloaded", "warn")
    return handler.after_change()


def stored(handler: Handler, message: Message) -> Patch:
    """Show one stored answer."""
    return {"answer": view.stored_answer(handler.bench, str(message["run_id"]))}


def dismiss(handler: Handler, message: Message) -> Patch:
    """Close a dialog or a message."""
    handler.dialog = None
    handler.bench.restored_from = ()
    handler.bench.draft_file.taken_by = None
    return {"dialog": None, "head": view.head(handler.bench)}


def ask(handler: Handler, message: Message) -> Patch:
    """Ask the chatbot the question of the open item; it need not say yet what a right answer is."""
    bench = handler.bench
    item = askable(bench.values(handler.key))
    if item is None:
        handler.say("problem_no_question", "error", "preview")
        return {}
    bench.preview.ask(handler.key, item, int(message.get("times", 1)))
    return {"preview": view.preview(bench)}


def cancel(handler: Handler, message: Message) -> Patch:
    """Break off one answer, or all."""
    number = message.get("number")
    handler.bench.preview.cancel(handler.key, int(number) if number is not None else None)
    return {"preview": view.preview(handler.bench)}


def judge(handler: Handler, message: Message) -> Patch:
    """Ask the judge about an answer."""
    bench = handler.bench
    item = bench.shown_item(handler.key)
    if bench.settings.judge_is_off:
        handler.say("judge_off", "warn", "preview")
    elif item is None:
        handler.say("problem_nothing_to_check", "warn", "preview")
    else:
        bench.preview.judge(handler.key, int(message["number"]), item)
    return {"preview": view.preview(bench)}
