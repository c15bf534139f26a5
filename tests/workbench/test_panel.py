"""The widget: thin, and in the right order."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from goldenlib.errors import InputError
from goldenlib.files.shipped import enter_checkout
from goldenlib.storage import Store
from goldenlib.workbench.panel import AuthorPanel
from tests.workbench.scenes import a_set


class _Recorded(AuthorPanel):
    """A panel that notes what it sends, and lets the background speak up just before it sends an answer."""

    def send(self, content: Any, buffers: Any = None) -> None:
        if "ack" in content and self.__dict__.get("speaking") is None:
            self.__dict__["speaking"] = threading.Thread(target=self._preview_changed, args=(self.bench.open_key,))
            self.__dict__["speaking"].start()
            self.__dict__["speaking"].join(timeout=0.3)
        self.__dict__.setdefault("sent", []).append(content)


def test_what_the_background_says_is_never_overwritten_by_an_older_answer(tmp_path: Path) -> None:
    panel = _Recorded(a_set(tmp_path), store=str(tmp_path / "none.db"))
    panel._message(None, {"action": "narrow", "text": "", "seq": 1}, [])
    panel.__dict__["speaking"].join(timeout=10)
    assert [("ack" in content) for content in panel.__dict__["sent"][:2]] == [True, False]
    panel.close_all()


@pytest.mark.parametrize("language", ["id", "en"])
def test_a_store_that_is_not_there_is_named(tmp_path: Path, language: str) -> None:
    """field/workbench 5: the panel was silent, and nobody knew where it had looked."""
    panel = AuthorPanel(a_set(tmp_path), store="sqlite:///" + str(tmp_path / "none.db"), language=language)
    notice = panel.handler.notice
    assert notice is not None
    assert (notice["tone"], str(tmp_path / "none.db") in notice["text"]) == ("note", True)
    panel.close_all()


def test_a_notebook_in_the_checkout_opens_the_store_and_the_files_of_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """fd-061, field/workbench 5: JupyterLab starts the kernel in notebooks/, and `golden run` wrote beside it."""
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "golden").mkdir()
    a_set(tmp_path / "golden")
    configuration = "rag_quality:\n  chatbot_url: demo\n  judge_url: demo\n  golden_store: sqlite:///runs.db\n"
    (tmp_path / "config.yaml").write_text(configuration, encoding="utf-8")
    Store.open(str(tmp_path / "runs.db")).close()
    monkeypatch.setattr("goldenlib.files.shipped._PACKAGE", tmp_path / "goldenlib")
    monkeypatch.chdir(tmp_path / "notebooks")
    panel = AuthorPanel("golden/ahu.yaml", config="config.yaml")
    assert panel.handler.notice is None
    assert panel.bench.memory.store is not None
    assert Path.cwd() == tmp_path
    panel.close_all()


def test_another_folder_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    enter_checkout()
    assert Path.cwd() == tmp_path


def test_case_182_the_output_holds_the_items_as_plain_html_too(tmp_path: Path) -> None:
    panel = AuthorPanel(a_set(tmp_path), store=str(tmp_path / "none.db"))
    data, _ = panel._repr_mimebundle_()
    assert "pt-akta" in data["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in data
    panel.close_all()


@pytest.mark.parametrize(
    ("language", "first"), [("id", "Kumpulan pertanyaan acuan tidak dapat dibuka."), ("en", "The golden set cannot be opened.")]
)
def test_a_set_that_cannot_be_opened_is_told_without_a_traceback(tmp_path: Path, language: str, first: str) -> None:
    path = a_set(tmp_path, "items:\n  - id: [\n")
    with pytest.raises(InputError) as raised:
        AuthorPanel(path, language=language)
    shown = raised.value._render_traceback_()
    assert first in shown[0]
    assert shown[-1] == str(raised.value)
