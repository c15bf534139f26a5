"""Asking: the configured chatbot and judge, kept open on an event loop in a thread of its own.

Rule: nothing here blocks the kernel. Without configuration the embedded demo is served on that loop, and labelled as one.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from contextlib import AsyncExitStack
from typing import Any

from goldenlib.answers import Answer
from goldenlib.config.settings import Settings
from goldenlib.driving import Target, open_target
from goldenlib.scoring.judge import Judge
from goldenlib.storage import Store

DEMO_DELAY_S = 0.08  # before each piece of the demo's answers, so that they are seen to stream


class Background:
    """An event loop in a daemon thread."""

    def __init__(self, name: str) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()

    def start(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        """Run a coroutine there; returns at once."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def close(self) -> None:
        """Stop the loop; what still runs is cancelled."""

        async def cancel_all() -> None:
            others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        if self._thread.is_alive():
            self.start(cancel_all()).result(timeout=10)
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join(timeout=10)
            self.loop.close()


class Endpoints:
    """The targets by surface and the judge, opened when first needed. Use it on one loop only."""

    def __init__(self, settings: Settings, store: Store | None) -> None:
        self._settings = settings
        self._store = store
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._targets: dict[str, Target | None] = {}
        self._judge: Judge | None = None
        self._served: Settings | None = None

    async def target(self, surface: str) -> Target | None:
        """Return the target of a surface, or None where it is not wired. Raises TargetError when it cannot be set up."""
        async with self._opening:
            if surface not in self._targets:
                target = open_target(surface, await self._addresses(), stored_answers=self._stored_answers)
                self._targets[surface] = await self._stack.enter_async_context(target) if target is not None else None
            return self._targets[surface]

    async def judge(self) -> Judge | None:
        """Return the judge, or None where it is off."""
        async with self._opening:
            if self._judge is None and not self._settings.judge_is_off:
                settings = await self._addresses()
                self._judge = await self._stack.enter_async_context(Judge(settings.judge_url, settings))
            return self._judge

    async def close(self) -> None:
        """Close every connection and the demo."""
        await self._stack.aclose()

    async def _addresses(self) -> Settings:
        """The settings with the addresses of the demo servers, which are started when first asked for."""
        if self._served is None:
            self._served = self._settings
            if self._settings.needs_demo:
                from goldenlib.demo.demoservers import serve_demo  # a web server, which real runs need not load

                self._served = await serve_demo(self._settings, self._stack, delay_s=DEMO_DELAY_S)
        return self._served

    def _stored_answers(self, run_id: str) -> Mapping[str, Answer]:
        return self._store.answers(run_id) if self._store is not None else {}
