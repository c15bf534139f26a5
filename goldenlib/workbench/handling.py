"""Handling: one message from the page, done through one guard.

Rule: a handler never ends in an exception that nobody sees. What went wrong is shown where the expert is looking, and kept.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from typing import Any

from goldenlib.errors import GoldenError
from goldenlib.reporting.passages import visible
from goldenlib.workbench import view
from goldenlib.workbench.phrasing import Wording
from goldenlib.workbench.state import Workbench

Message = Mapping[str, Any]
Patch = dict[str, Any]
MOST_FAULTS = 20


class Handler:
    """Turns messages from the page into changes of the workbench, and answers with what the page has to show anew."""

    def __init__(self, bench: Workbench, actions: Mapping[str, Callable[[Handler, Message], Patch]]) -> None:
        self.bench = bench
        self._actions = actions
        self.dialog: Patch | None = None
        self.notice: Patch | None = None
        self.done: str | None = None  # the digest of the dialog whose button did its work last
        self.views: set[str] = set()
        self.faults: list[str] = []

    def handle(self, message: Message) -> Patch:
        """Do what a message asks and return the parts that changed. Never raises: what went wrong is the answer's `notice`."""
        with self.bench.lock:
            patch = self._guarded(message)
            return patch | ({"notice": self.notice} if self.notice is not None else {}) | {"ack": message.get("seq")}

    def _guarded(self, message: Message) -> Patch:
        """The guard: an exception is shown beside the control it belongs to, and kept."""
        self.notice = None
        try:
            if message.get("action") != "leave":  # whoever speaks is still there
                self.bench.draft_file.hold()
                self.bench.draft_file.look_whether_taken()
            return self._actions[str(message.get("action"))](self, message)
        except Exception as error:
            self.fail(str(message.get("where") or "footer"), error)
        try:
            return self.after_change()
        except Exception as error:  # not even the state can be shown; the page stays as it is, with the message
            self.faults.append("".join(traceback.format_exception(error)))
            return {"dialog": self.dialog}

    def fail(self, where: str, error: Exception) -> None:
        """Show an error beside the control it belongs to, and keep it."""
        words = self.words
        told = visible(words.retell(str(error))) if isinstance(error, GoldenError | OSError) else f"{type(error).__name__}: {error}"
        expected = isinstance(error, GoldenError | OSError)
        text = words.say("failed_note" if expected else "unexpected", error=told)
        self.faults = [*self.faults, "".join(traceback.format_exception(error))][-MOST_FAULTS:]
        self.notice = {"tone": "error", "where": where, "text": text}
        if self.dialog is not None and where == "dialog":
            self.dialog = self.dialog | {"error": text}

    def say(self, name: str, tone: str = "ok", where: str = "footer", **values: object) -> None:
        """Show a message."""
        self.notice = {"tone": tone, "where": where, "text": self.words.say(name, **values)}

    @property
    def words(self) -> Wording:
        """The wording of the page."""
        return Wording.of(self.bench.language)

    @property
    def key(self) -> str:
        """The open item. Raises LookupError when there is none."""
        if self.bench.open_key is None:
            raise LookupError("no item is open")
        return self.bench.open_key

    # --- answers ---

    def everything(self) -> Patch:
        """All parts, for a page that begins."""
        bench = self.bench
        words = self.words
        return {
            "words": dict(words.texts),
            "head": view.head(bench),
            "list": view.rows(bench),
            "editor": view.editor(bench),
            "preview": view.preview(bench),
            "history": view.history(bench),
            "dialog": self.dialog,
        }

    def after_edit(self, *keys: str, **more: Any) -> Patch:
        """The parts that an edit of the open item changes; `keys` name other items that it changed, typed just before."""
        bench = self.bench
        return {
            "head": view.head(bench),
            "list": view.row(bench, [self.key, *keys]),
            "derived": view.derived(bench),
            "preview": view.preview(bench) if bench.preview.attempts(self.key) else None,
            **more,
        }

    def after_change(self) -> Patch:
        """All but the words."""
        patch = self.everything()
        del patch["words"]
        return patch

    def opened(self) -> Patch:
        """The parts that follow the open item."""
        bench = self.bench
        keys = [bench.open_key] if bench.open_key is not None else []
        return {
            "head": view.head(bench),
            "list": view.row(bench, keys),
            "editor": view.editor(bench),
            "preview": view.preview(bench),
            "history": view.history(bench),
        }

    def with_form(self, *keys: str) -> Patch:
        """An edit that did not come from a field: the form is to show it."""
        return self.after_edit(*keys, editor=view.editor(self.bench))
