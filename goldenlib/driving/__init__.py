"""Driving: asking the system under test. One module per kind of target.

Rule: targets differ only here; what comes after sees an Item go in and an Answer come out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from goldenlib.answers import Answer
from goldenlib.config.settings import Settings, TargetSettings
from goldenlib.driving.function import FunctionTarget, load_function
from goldenlib.driving.jsonhttp import JsonTarget
from goldenlib.driving.openai import OpenAITarget
from goldenlib.driving.orchestrate import OrchestrateTarget
from goldenlib.driving.recorded import RecordedTarget, read_recording
from goldenlib.driving.target import Target
from goldenlib.errors import TargetError
from goldenlib.files.shipped import find

if TYPE_CHECKING:
    from goldenlib.warehouse import Warehouse

__all__ = ["Target", "open_target"]

StoredAnswers = Callable[[str], Mapping[str, Answer]]


def open_target(surface: str, settings: Settings, *, stored_answers: StoredAnswers, warehouse: Warehouse | None = None) -> Target | None:
    """Return the target that items of `surface` are driven against, or None where that surface is not wired.

    `stored_answers` gives the answers of a stored run by its id; `warehouse` is what a schema-only target describes to its model.
    Raises TargetError for a target that cannot be set up.
    """
    target = settings.target_for(surface)
    if target is None:
        return None
    if target.kind == "function":
        return FunctionTarget(load_function(target.callable or ""), settings)
    if target.kind == "recorded":
        return RecordedTarget(read_recording(find(target.path)) if target.path else stored_answers(target.run_id or ""))
    token = _token(surface, target, settings)
    if target.kind == "openai":
        return OpenAITarget(target, settings, token=token)
    if target.kind == "json":
        return JsonTarget(target.url or "", settings, surface=surface, token=token)
    if target.kind == "schema-only":
        from goldenlib.driving.schema_only import open_schema_only  # needs the data extra

        return open_schema_only(target, settings, warehouse, token=token)
    sent_as = settings.chatbot_surface if surface == "public" else surface
    return OrchestrateTarget(target.url or settings.chatbot_url, settings, surface=sent_as, token=token)


def _token(surface: str, target: TargetSettings, settings: Settings) -> str | None:
    """The target's own token, or the chatbot's where the target is the chatbot. Nobody else gets to see that one."""
    if target.token_variable is not None:
        token = os.environ.get(target.token_variable, "").strip()
        if not token:
            raise TargetError(f"environment variable {target.token_variable} is not set or empty, and a target takes its token from it")
        return token
    is_chatbot = surface == "public" or target.url == settings.chatbot_url
    return settings.chatbot_token.get_secret_value() if is_chatbot and settings.chatbot_token is not None else None
