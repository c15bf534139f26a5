"""The author panel: the workbench as one widget, for JupyterLab and Voilà.

Rule: thin. Messages go to `handling.Handler`, which never raises; what comes back goes to the page as it is.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from goldenlib.config.addresses import database_files
from goldenlib.config.settings import Settings, load_settings
from goldenlib.errors import GoldenError, InputError, Problem, StoreError
from goldenlib.files.shipped import enter_checkout, find
from goldenlib.languages import Language
from goldenlib.reporting.passages import visible
from goldenlib.storage import Store
from goldenlib.workbench import view
from goldenlib.workbench.actions import handler_of
from goldenlib.workbench.fallback import items_html
from goldenlib.workbench.phrasing import Wording
from goldenlib.workbench.state import Workbench

HERE = Path(__file__).parent
THEMES = ("auto", "light", "dark")


class AuthorPanel(anywidget.AnyWidget):
    """Write golden items, try them on the live chatbot, and sign them.

    `path` is a YAML golden set, which may be empty or not there yet: saving makes it. `config` is a file with a `rag_quality:`
    block. Without one the embedded demo chatbot and judge answer, and the panel says so. `language` is "id" or "en", `store` the
    URL or path of a store with earlier runs (default: that of the settings). Raises InputError, EditError and SettingsError for
    what cannot be used.
    """

    _esm = HERE / "panel.js"
    _css = HERE / "panel.css"
    theme = traitlets.Unicode("auto").tag(sync=True)

    def __init__(
        self,
        path: str | Path = "golden/example.yaml",
        *,
        config: str | Path | None = None,
        language: str = "id",
        store: str | None = None,
        theme: str = "auto",
    ) -> None:
        super().__init__(theme=theme if theme in THEMES else "auto")
        enter_checkout()
        try:
            settings, self.warnings = load_settings(config, {"golden_store": store})
            opened, notice = _open_store(settings, language)
            self.bench = Workbench(_one_file(path), settings, store=opened, language=language)
        except GoldenError as error:
            vars(error)["_render_traceback_"] = partial(_plainly, error, language)
            raise
        self.bench.preview.on_change = self._preview_changed
        self.handler = handler_of(self.bench)
        if notice is not None and notice["tone"] == "note" and not self.bench.all_keys:
            notice = None  # of a set without items nobody expects a history
        self._notice = notice
        self.handler.notice = notice
        self.on_msg(self._message)
        atexit.register(self.close_all)
        self._learning: threading.Thread | None = None

    def close_all(self) -> None:
        """End what runs in the background. Called at the end of the kernel."""
        with contextlib.suppress(Exception):  # the process ends; there is nobody left to tell
            self.bench.close()

    def _message(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        with self.bench.lock:  # until it is sent: what the background has to say meanwhile is newer, and must come after it
            patch = self.handler.handle(content)
            if content.get("action") == "ready" and self._notice:
                patch["notice"] = self._notice
            self.send(patch)
        if self._learning is None:  # after the first answer, which it would slow down
            self._learning = threading.Thread(target=self._learn, name="golden-learn", daemon=True)
            self._learning.start()

    def _preview_changed(self, key: str) -> None:
        with self.bench.lock:
            if key == self.bench.open_key:
                self.send({"preview": view.preview(self.bench, key)})

    def _learn(self) -> None:
        try:
            self.bench.learn()
        except Exception as error:  # shown in the panel: hazards then lack what could not be read
            with self.bench.lock:
                self.handler.fail("footer", error)
                self.send({"notice": self.handler.notice, "head": view.head(self.bench)})
            return
        with self.bench.lock:
            self.send({"head": view.head(self.bench), "list": view.rows(self.bench), "derived": view.derived(self.bench)})

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget, and a plain list of the items for where the state of widgets is not kept."""
        bundle = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else ({}, {})
        return {**data, "text/html": items_html(self.bench)}, metadata


def _plainly(error: GoldenError, language: str) -> list[str]:
    """What IPython shows of an error instead of a traceback, which experts cannot read and in which the message is lost."""
    words = _words(language)
    return [f"✗ {words.say('not_opened')}", "", *visible(words.retell(str(error))).splitlines()]


def _words(language: str) -> Wording:
    return Wording.of(language if language in list(Language) else Language.INDONESIAN)


def _one_file(path: str | Path) -> Path:
    found = find(path)
    if found.is_dir():
        names = ", ".join(sorted(file.name for file in found.iterdir() if file.suffix in (".yaml", ".yml"))) or "none"
        message, way_out = "is a folder, and one file is written at a time", f"choose one of its files: {names}"
        raise InputError([Problem(str(found), message, way_out=way_out)])
    return found


def _open_store(settings: Settings, language: str) -> tuple[Store | None, dict[str, str] | None]:
    """Return the store where there is one, and else a notice: which file was looked for, or why it cannot be used."""
    absent = [file for file in database_files(settings.golden_store)[:1] if not file.exists()]
    try:
        return Store.open_existing(settings.golden_store), None
    except StoreError as error:
        if absent and absent[0].absolute().parent.is_dir():
            text, tone = _words(language).say("no_store", file=visible(str(absent[0].absolute()))), "note"
        else:
            text, tone = str(error), "error"
        return None, {"tone": tone, "where": "footer", "text": text}
