"""Driving: asking the system under test. One module per kind of target.

Rule: targets differ only here; what comes after sees an Item go in and an Answer come out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from goldenlib.answers import Answer
from goldenlib.config.settings import Settings, TargetSettings
from goldenlib.driving.function import FunctionTarget, load_function
from goldenlib.driving.jsonhttp import JsonTarget
from goldenlib.driving.openai import OpenAITarget
from goldenlib.driving.orchestrate import OrchestrateTarget
from goldenlib.driving.recorded import RecordedTarget, read_recording
from goldenlib.driving.target import OnText, Target, why_no_answer
from goldenlib.errors import TargetError
from goldenlib.files.shipped import find
from goldenlib.items import Item, Surface
from goldenlib.plugins import Choices

if TYPE_CHECKING:
    from goldenlib.warehouse import Warehouse

__all__ = ["TARGETS", "Target", "Wiring", "naming_own", "open_target"]

MOST_OF_AN_ERROR = 1_000  # characters
StoredAnswers = Callable[[str], Mapping[str, Answer]]


@dataclass(frozen=True, slots=True)
class Wiring:
    """What a target is made from: the surface that it answers for, its own settings, those of the run, and what is open for it.

    `stored_answers` gives the answers of a stored run by its id; `warehouse` is open where the run has one. `brought` is the function or
    target that the caller of the run gave in place of the configured one.
    """

    surface: str
    target: TargetSettings
    settings: Settings
    stored_answers: StoredAnswers
    warehouse: Warehouse | None = None
    brought: Any = None

    @property
    def token(self) -> str | None:
        """The target's own token, or the chatbot's where the target is the chatbot. Nobody else gets to see that one."""
        if self.target.token_variable is not None:
            token = os.environ.get(self.target.token_variable, "").strip()
            if not token:
                name = self.target.token_variable
                raise TargetError(f"environment variable {name} is not set or empty, and a target takes its token from it")
            return token
        is_chatbot = self.surface == "public" or self.target.url == self.settings.chatbot_url
        key = self.settings.chatbot_token
        return key.get_secret_value() if is_chatbot and key is not None else None


def _orchestrate(wiring: Wiring) -> Target:
    settings = wiring.settings
    sent_as = settings.chatbot_surface if wiring.surface == "public" else wiring.surface
    return OrchestrateTarget(wiring.target.url or settings.chatbot_url, settings, surface=sent_as, token=wiring.token)


def _is_target(brought: Any) -> bool:
    return hasattr(brought, "ask")


def _function(wiring: Wiring) -> Target:
    brought, name = wiring.brought, wiring.target.callable or ""
    if _is_target(brought):
        return Guarded(brought, name)
    return FunctionTarget(load_function(name) if brought is None else brought, wiring.settings)


def _recorded(wiring: Wiring) -> Target:
    target = wiring.target
    return RecordedTarget(read_recording(find(target.path)) if target.path else wiring.stored_answers(target.run_id or ""))


def _schema_only(wiring: Wiring) -> Target:
    from goldenlib.driving.schema_only import open_schema_only  # needs the data extra

    return open_schema_only(wiring.target, wiring.settings, wiring.warehouse, token=wiring.token)


# By kind, what makes a target; a package adds its own by an entry point of the group goldenlib.targets.
TARGETS: Choices[Callable[[Wiring], Target]] = Choices(
    "target",
    {
        "orchestrate": _orchestrate,
        "openai": lambda wiring: OpenAITarget(wiring.target, wiring.settings, token=wiring.token),
        "function": _function,
        "recorded": _recorded,
        "json": lambda wiring: JsonTarget(wiring.target.url or "", wiring.settings, surface=wiring.surface, token=wiring.token),
        "schema-only": _schema_only,
    },
)


class Guarded:
    """A target of somebody else's: what it raises, or gives that is no Answer, is the item's error and ends no run."""

    def __init__(self, target: Target, name: str) -> None:
        self._target = target
        self._name = name

    async def __aenter__(self) -> Self:
        try:
            await self._target.__aenter__()
        except Exception as error:
            raise TargetError(f"the target {self._name} cannot be opened: {type(error).__name__}: {error}") from error
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._target.__aexit__(kind, error, trace)

    async def ask(self, item: Item, session_id: str, on_text: OnText | None = None) -> Answer:
        """Return its answer, or one that says what went wrong."""
        try:
            answer: object = await self._target.ask(item, session_id, on_text)
        except Exception as error:
            return Answer(error=f"the target {self._name} raised {type(error).__name__}: {error}"[:MOST_OF_AN_ERROR])
        if not isinstance(answer, Answer) or not isinstance(answer.text, str):
            given = answer.text if isinstance(answer, Answer) else answer
            return Answer(error=f"the target {self._name} gave {type(given).__name__}, which is no answer")
        if answer.error is None and not answer.events and (problem := why_no_answer(answer.text)):
            return replace(answer, error=problem)
        return answer


def naming_own(target: Any, settings: Settings) -> Settings:
    """Return settings that say in the name of a caller's own target whom public items are asked of.

    It is a Target, or a function from question to answer (`FunctionTarget`). Raises TargetError for anything else.
    """
    is_target = _is_target(target)
    if not (is_target or callable(target)):
        raise TargetError(f"target is {type(target).__name__}; give a function from question to answer, or an object with `ask` (Target)")
    named = type(target) if is_target else target
    name = f"{getattr(named, '__module__', '')}:{getattr(named, '__qualname__', type(target).__qualname__)}"
    wired = {**settings.targets, Surface.PUBLIC: TargetSettings(kind="function", callable=name)}
    return settings.model_copy(update={"targets": wired})


def open_target(
    surface: str,
    settings: Settings,
    *,
    stored_answers: StoredAnswers,
    warehouse: Warehouse | None = None,
    brought: Any = None,
) -> Target | None:
    """Return the target that items of `surface` are driven against, or None where that surface is not wired. `brought` is a caller's own.

    Raises TargetError for a target that cannot be set up.
    """
    target = settings.target_for(surface)
    if target is None:
        return None
    made = TARGETS[target.kind](Wiring(surface, target, settings, stored_answers, warehouse, brought))
    return made if target.kind in TARGETS.ours else Guarded(made, f"of kind {target.kind}")
