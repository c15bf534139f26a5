"""Preview: the chatbot asked once or n times, its answers seen as they come, each with a cancel and a time-out.

Rule: asking returns at once. What happens to an attempt is kept in it, never raised; `on_change` is told at most ten times a second.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from goldenlib.config.settings import Settings
from goldenlib.errors import GoldenError
from goldenlib.items import Item
from goldenlib.running import why_not_driven
from goldenlib.storage import Store
from goldenlib.workbench.asking import Background, Endpoints

PULSE_S = 0.1
MOST_TIMES = 10


class Phase(StrEnum):
    """Where an attempt is."""

    WAITING = "waiting"
    ANSWERING = "answering"
    DONE = "done"
    ERROR = "error"
    CANCELLED = "cancelled"


@dataclass
class PreviewVerdict:
    """The judge's word on an attempt; `passed` None while asked, and when it gave none."""

    asking: bool = True
    passed: bool | None = None
    value: float | None = None
    reason: str = ""


@dataclass
class Attempt:
    """One question to the chatbot, and what came of it so far."""

    number: int
    question: str
    phase: Phase = Phase.WAITING
    pieces: list[str] = field(default_factory=list)
    error: str = ""
    seconds: float = 0.0
    started: float = field(default_factory=time.monotonic)
    verdict: PreviewVerdict | None = None
    task: asyncio.Task[None] | None = None

    @property
    def text(self) -> str:
        """What the chatbot said so far."""
        return "".join(self.pieces)

    @property
    def is_running(self) -> bool:
        """Whether it is still to come to an end."""
        return self.phase in (Phase.WAITING, Phase.ANSWERING)


class Preview:
    """Asks the configured chatbot for items, each under a key, in the background."""

    def __init__(self, settings: Settings, store: Store | None, on_change: Callable[[str], None] = lambda key: None) -> None:
        self.settings = settings
        self.on_change = on_change
        self._store = store
        self._background: Background | None = None
        self._endpoints: Endpoints | None = None
        self._attempts: dict[str, list[Attempt]] = {}

    def attempts(self, key: str) -> tuple[Attempt, ...]:
        """Return the attempts of the last time that was asked under a key."""
        return tuple(self._attempts.get(key, ()))

    def is_running(self, key: str) -> bool:
        """Whether an answer is still to come."""
        return any(attempt.is_running for attempt in self.attempts(key))

    def ask(self, key: str, item: Item, times: int = 1) -> None:
        """Ask the item's question so many times at once. Earlier attempts under the key are cancelled and forgotten."""
        self.cancel(key)
        attempts = [Attempt(number, item.title) for number in range(1, max(1, min(times, MOST_TIMES)) + 1)]
        self._attempts[key] = attempts
        self._loop().start(self._ask_all(item, attempts))

    def cancel(self, key: str, number: int | None = None) -> None:
        """Break off one attempt, or all that run; what has come of their answers stays."""
        for attempt in self.attempts(key):
            if attempt.is_running and number in (None, attempt.number):
                attempt.phase = Phase.CANCELLED
                attempt.seconds = time.monotonic() - attempt.started
                if attempt.task is not None:
                    self._loop().loop.call_soon_threadsafe(attempt.task.cancel)

    def judge(self, key: str, number: int, item: Item) -> None:
        """Ask the judge about an answer that has come."""
        attempt = next((attempt for attempt in self.attempts(key) if attempt.number == number), None)
        if attempt is not None and attempt.phase is Phase.DONE:
            attempt.verdict = PreviewVerdict()
            self._loop().start(self._judge(self._attempts[key], attempt, item))

    def move(self, key: str, new_key: str) -> None:
        """Let the attempts under a key be found under another, also those that still run."""
        if new_key != key and key in self._attempts:
            self._attempts[new_key] = self._attempts.pop(key)

    def close(self) -> None:
        """End everything that runs."""
        if self._background is not None:
            self._background.start(self._end()).result(timeout=10)
            self._background.close()
            self._background = None

    def _loop(self) -> Background:
        if self._background is None:
            self._background = Background("golden-preview")
        return self._background

    def _open(self) -> Endpoints:
        if self._endpoints is None:
            self._endpoints = Endpoints(self.settings, self._store)
        return self._endpoints

    async def _end(self) -> None:
        """Cancel all that runs before the connections are closed: what is being opened just now would stay open."""
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        if self._endpoints is not None:
            await self._endpoints.close()

    async def _ask_all(self, item: Item, attempts: list[Attempt]) -> None:
        for attempt in attempts:
            if attempt.is_running:
                attempt.task = asyncio.ensure_future(self._ask_once(item, attempt))
        tasks = [attempt.task for attempt in attempts if attempt.task is not None]
        while tasks:
            done, _ = await asyncio.wait(tasks, timeout=PULSE_S, return_when=asyncio.ALL_COMPLETED)
            self._tell(attempts)
            if len(done) == len(tasks):
                break

    def _tell(self, attempts: list[Attempt]) -> None:
        """Say that something came, under the key that the attempts have by now; nothing when they were asked for anew."""
        key = next((key for key, current in list(self._attempts.items()) if current is attempts), None)
        if key is not None:
            self.on_change(key)

    async def _ask_once(self, item: Item, attempt: Attempt) -> None:
        try:
            await self._drive(item, attempt)
        except asyncio.CancelledError:
            attempt.phase = Phase.CANCELLED
        except Exception as error:  # shown beside the attempt
            attempt.phase, attempt.error = Phase.ERROR, str(error) if isinstance(error, GoldenError) else f"{type(error).__name__}: {error}"
        attempt.seconds = time.monotonic() - attempt.started

    async def _drive(self, item: Item, attempt: Attempt) -> None:
        target = await self._open().target(item.surface)
        reason = why_not_driven(item, wired=target is not None)
        if target is None or reason is not None:
            attempt.phase, attempt.error = Phase.ERROR, reason or "not wired"
            return

        def take(piece: str) -> None:
            if attempt.phase is not Phase.CANCELLED:
                attempt.phase = Phase.ANSWERING
                attempt.pieces.append(piece)

        answer = await target.ask(item, f"golden-preview-{secrets.token_hex(4)}-{attempt.number}", take)
        if attempt.phase is Phase.CANCELLED:
            return
        attempt.pieces = [answer.in_full]
        attempt.error = answer.error or ""
        attempt.phase = Phase.DONE if answer.is_complete else Phase.ERROR

    async def _judge(self, attempts: list[Attempt], attempt: Attempt, item: Item) -> None:
        verdict = PreviewVerdict(asking=False)
        try:
            judge = await self._open().judge()
            if judge is not None:
                score = await judge.score(item, attempt.text, f"golden-preview-{secrets.token_hex(8)}")
                verdict = PreviewVerdict(False, score.passed, score.value, score.reason)
        except Exception as error:  # shown beside the attempt
            verdict.reason = str(error) if isinstance(error, GoldenError) else f"{type(error).__name__}: {error}"
        attempt.verdict = verdict
        self._tell(attempts)
