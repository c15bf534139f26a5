"""A Python function as a target: `module:callable`, sync or async, from question to answer.

Rule: what the function raises is the item's error, with its type named; it never ends the run.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import os
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, Self

from goldenlib.answers import Answer, Event
from goldenlib.config.settings import Settings
from goldenlib.driving.target import OnText, Reply, ask_with_retries
from goldenlib.errors import TargetError
from goldenlib.items import Item
from goldenlib.wire.pacing import Pace, Retries
from goldenlib.wire.replies import UnreadableReply, read_reply
from goldenlib.wire.transport import CallFailed


class FunctionTarget:
    """A callable of one argument, the question, that returns the answer (or an awaitable of it).

    The answer is text; from a data agent also a mapping (`replies.read_reply`) or a list of rows. A function with parameters
    `role` and `region` is told who asks a data question.
    """

    def __init__(self, function: Callable[..., Any], settings: Settings) -> None:
        self._function = function
        self._settings = settings
        self._takes = _parameters(function) & {"role", "region"}
        self._pace = Pace(settings.golden_concurrency)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        return None

    async def ask(self, item: Item, session_id: str, on_text: OnText | None = None) -> Answer:
        """Call the function with the question; a sync one runs in a thread of its own."""

        async def attempt(reply: Reply) -> None:
            told = {"role": item.role, "region": item.region}
            takes = self._takes if item.is_data_question else ()
            value = await self._call(item.title, {name: told[name] for name in takes})
            try:
                text, events = _read(value, item)
            except UnreadableReply as error:
                return reply.add_unreadable(error, item)
            reply.add(text)
            reply.add_events(events)
            return None

        return await ask_with_retries(
            attempt,
            retries=Retries(0),
            pace=self._pace,
            new_reply=lambda: Reply(self._settings.chatbot_max_answer_bytes, on_text),
        )

    async def _call(self, question: str, told: Mapping[str, str]) -> Any:
        timeout_s = self._settings.chatbot_timeout_s
        limit = asyncio.timeout(timeout_s)
        try:
            async with limit:
                if inspect.iscoroutinefunction(self._function):
                    return await self._function(question, **told)
                value = await _in_thread(partial(self._function, **told), question)
                return await value if inspect.isawaitable(value) else value
        except (Exception, SystemExit, asyncio.CancelledError) as error:  # it belongs to the item, and is kept there
            if _is_cancelled(error):
                raise
            if limit.expired() and isinstance(error, TimeoutError):
                raise CallFailed(f"the function did not return within {timeout_s:g} s") from None
            raise CallFailed(f"the function raised {type(error).__name__}: {error}") from error


def _read(value: Any, item: Item) -> tuple[str, tuple[Event, ...]]:
    if isinstance(value, str):
        return value, ()
    if item.is_data_question and isinstance(value, Mapping | list | tuple):
        try:
            return read_reply(value if isinstance(value, Mapping) else {"rows": value})
        except UnreadableReply:
            raise
        except ValueError as error:
            raise UnreadableReply(f"what the function returned cannot be read: {error}") from None
    raise CallFailed(f"the function returned {type(value).__name__}, expected text")


def _parameters(function: Callable[..., Any]) -> set[str]:
    """The names that may be given as keywords; none where a callable does not say."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return set()
    return {parameter.name for parameter in parameters if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)}


def _is_cancelled(error: BaseException) -> bool:
    """Whether the run itself is being ended, rather than something within the function."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0


def load_function(reference: str) -> Callable[..., Any]:
    """Return the callable that `module:name` refers to; modules in the working folder are found too.

    Raises TargetError naming what is missing.
    """
    module_name, _, name = reference.partition(":")
    if not module_name or not name:
        raise TargetError(f"target function {reference!r}: write it as module:callable, such as mybot.answers:ask")
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # as `python -m` does; the `golden` command does not have it
    try:
        function: Any = importlib.import_module(module_name)
    except Exception as error:  # a module may raise anything while it is imported
        raise TargetError(f"target function {reference!r}: cannot import {module_name}: {type(error).__name__}: {error}") from error
    for part in name.split("."):
        if not hasattr(function, part):
            raise TargetError(f"target function {reference!r}: {module_name} has no {name}")
        function = getattr(function, part)
    if not callable(function):
        raise TargetError(f"target function {reference!r}: is a {type(function).__name__}, not callable")
    return function  # type: ignore[no-any-return]  # checked above to be callable


async def _in_thread(function: Callable[[str], Any], question: str) -> Any:
    """Run in a daemon thread: unlike an executor's, it does not hold up the end of the process when it hangs."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()

    def settle(outcome: tuple[Any, BaseException | None]) -> None:
        if not done.done():
            done.set_result(outcome)

    def work() -> None:
        outcome: tuple[Any, BaseException | None]
        try:
            outcome = function(question), None
        except BaseException as error:  # handed over to the caller, below
            outcome = None, error
        with suppress(RuntimeError):  # the run ended without waiting: nobody wants the answer any more
            loop.call_soon_threadsafe(settle, outcome)

    threading.Thread(target=work, name="golden-target", daemon=True).start()
    value, error = await done
    if error is not None:
        raise RuntimeError(f"{type(error).__name__}: {error}") if isinstance(error, StopIteration) else error
    return value
