"""The workbench: where an expert writes items, tries them on the chatbot, and signs them, without code or YAML.

    from goldenlib.workbench import AuthorPanel

    AuthorPanel("golden/example.yaml")

Where to read on: `state.Workbench` is all of it without widgets; `actions` what a message from the page does, `view` what the
page is told; `panel` the widget, and `panel.js` the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldenlib.workbench.panel import AuthorPanel

__all__ = ["AuthorPanel"]


def __getattr__(name: str) -> Any:
    if name == "AuthorPanel":
        try:
            from goldenlib.workbench.panel import AuthorPanel  # widgets are an extra; the state needs none of them
        except ModuleNotFoundError as error:
            raise ImportError(f"the panel needs {error.name}; install it with pip install 'goldenlib[notebooks]'") from None
        return AuthorPanel
    raise AttributeError(f"module 'goldenlib.workbench' has no attribute {name!r}")
