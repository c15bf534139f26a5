"""Loops: an event loop in a thread of its own, so that asynchronous work can be waited for in a script, a notebook and a test alike."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

_Returned = TypeVar("_Returned")


def run_in_own_loop(main: Coroutine[Any, Any, _Returned]) -> _Returned:
    """Run a coroutine to its end on a loop in a thread of its own and return what it returns; KeyboardInterrupt here cancels it there.

    An event tells of the end. Thread.join does not: interrupted, it takes the thread for ended (Python 3.11 and 3.12, bpo-45274).
    """
    loop = asyncio.new_event_loop()
    ended = threading.Event()
    failure: list[BaseException] = []
    task = loop.create_task(main)

    def run() -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_until_complete(task)
        except BaseException as error:  # handed to the caller's thread, below
            failure.append(error)
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
            ended.set()

    thread = threading.Thread(target=run, name="golden-run")
    try:
        thread.start()
        ended.wait()
    except KeyboardInterrupt:
        with suppress(RuntimeError):  # the loop ended at this very moment
            loop.call_soon_threadsafe(task.cancel)
        while thread.is_alive() and not ended.is_set():
            with suppress(KeyboardInterrupt):  # asked again while rows are still being stored, which ends by itself
                ended.wait()
        raise
    thread.join()
    if failure:
        raise _single(failure[0])
    return task.result()


def _single(error: BaseException) -> BaseException:
    """Unwrap a group that holds one exception, as a TaskGroup makes of the one that ended it."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
