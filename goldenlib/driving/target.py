"""What every target offers, and the parts that HTTP targets share.

Rule: asking never raises for what the target did. A failure is an Answer with `error` set and the partial text kept.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from types import TracebackType
from typing import Protocol, Self

from goldenlib.answers import Answer, Event
from goldenlib.config.settings import Settings
from goldenlib.folding import fold
from goldenlib.items import Item
from goldenlib.wire.network import Network
from goldenlib.wire.pacing import Pace, Retries
from goldenlib.wire.replies import UnreadableReply, unreadable
from goldenlib.wire.transport import CallFailed, Endpoint, is_storable, storable

LARGER = "; chatbot_max_answer_bytes lets larger ones be read"
OnText = Callable[[str], None]


class Target(Protocol):
    """A system under test. Open it with `async with`; one target serves many items at once."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...

    async def ask(self, item: Item, session_id: str, on_text: OnText | None = None) -> Answer:
        """Return the answer to the item; pieces of text are handed to `on_text` as they come."""
        ...


class Reply:
    """An answer while it arrives: pieces of its text so far, what came besides text (`more`), and the limits it has to keep."""

    def __init__(self, max_bytes: int, on_text: OnText | None = None) -> None:
        self.parts: list[str] = []
        self.more: list[Event] = []
        self.complete = False
        self.first_content: float | None = None
        self._started = time.perf_counter()
        self._bytes_left = max_bytes
        self._max_bytes = max_bytes
        self._on_text = on_text

    def add(self, text: str) -> None:
        """Take a piece of text. Raises CallFailed when the answer grows past its limit; what goes beyond is not kept."""
        if not text:
            return
        if self.first_content is None:
            self.first_content = time.perf_counter() - self._started
        size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
        if size > self._bytes_left:
            self.parts.append(text[: self._bytes_left])
            raise CallFailed(f"the answer has more than {self._max_bytes:,} bytes{LARGER}")
        self._bytes_left -= size
        self.parts.append(text)
        if self._on_text is not None:
            self._on_text(text)

    def add_events(self, events: Iterable[Event]) -> None:
        """Take what came besides text.

        Raises CallFailed when the answer grows past its limit.
        """
        for event in events:
            self._bytes_left -= len(event.content.encode("utf-8", "surrogatepass"))
            if self._bytes_left < 0:
                raise CallFailed(f"the answer has more than {self._max_bytes:,} bytes{LARGER}")
            self.more.append(replace(event, content=storable(event.content)))

    def add_unreadable(self, problem: UnreadableReply, item: Item) -> None:
        """Take a reply that says something that cannot be read: to a data question an answer that fails (contract 9.6), else none."""
        if not item.is_data_question:
            raise CallFailed(f"the reply cannot be read: {problem}")
        told = unreadable(problem)
        self.more = [*(part for part in self.more if part.kind is not told.kind), told]  # whatever rows came before, these are the answer's

    @property
    def text(self) -> str:
        """The text so far; halves of a character that came in two pieces are joined (a lone half stays as it is)."""
        text = "".join(self.parts)
        return text if is_storable(text) else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class HttpTarget(ABC):
    """What targets behind a URL share: an endpoint, its pace, and when to try again. Below it, only the protocols differ."""

    def __init__(self, url: str, settings: Settings, *, token: str | None = None) -> None:
        idle_s = settings.chatbot_idle_timeout_s
        self._settings = settings
        self._max_frame_bytes = settings.chatbot_max_answer_bytes * 8 + 100_000  # an answer in one frame, with escapes and wrapping
        self._endpoint = Endpoint(
            url, total_s=settings.chatbot_timeout_s, idle_s=idle_s, token=token, network=Network.from_settings(settings)
        )
        self._pace = Pace(settings.golden_concurrency)
        self._retries = Retries(settings.chatbot_retries, settings.golden_retry_wait_max_s)

    async def __aenter__(self) -> Self:
        await self._endpoint.__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._endpoint.__aexit__()

    async def ask(self, item: Item, session_id: str, on_text: OnText | None = None) -> Answer:
        """Send the question and return the answer, or what had come of it with the reason why it is not one."""
        return await self._collect(lambda reply: self._attempt(item, session_id, reply), on_text)

    async def _collect(self, attempt: Callable[[Reply], Awaitable[None]], on_text: OnText | None = None) -> Answer:
        """Return the answer that `attempt` fills a reply with, tried again where that is allowed, without the token in it."""
        settings = self._settings
        answer = await ask_with_retries(
            attempt,
            retries=self._retries,
            pace=self._pace,
            new_reply=lambda: Reply(settings.chatbot_max_answer_bytes, on_text),
            after_content=settings.chatbot_retry_after_content,
        )
        error = None if answer.error is None else self._endpoint.hide_in_message(answer.error)
        events = tuple(replace(event, content=self._endpoint.hide(event.content)) for event in answer.events)
        return replace(answer, text=self._endpoint.hide(answer.text), error=error, events=events)

    @abstractmethod
    async def _attempt(self, item: Item, session_id: str, reply: Reply) -> None:
        """Ask once and fill `reply`; return only when the answer is complete, else raise CallFailed."""


async def ask_with_retries(
    attempt: Callable[[Reply], Awaitable[None]],
    *,
    retries: Retries,
    pace: Pace,
    new_reply: Callable[[], Reply],
    after_content: bool = False,
) -> Answer:
    """Return the answer that `attempt` collects into a Reply, trying again where contract 3.4 allows it.

    `attempt` is an async function of a Reply. After content has come there is no second attempt unless `after_content`:
    it would ask the target twice.
    """
    reply = new_reply()
    attempts = 0
    started = time.perf_counter()

    async def once(number: int) -> str:
        nonlocal reply, attempts
        reply, attempts = new_reply(), number
        try:
            await attempt(reply)
            text = reply.text
            if not (reply.more and not text) and (problem := why_no_answer(text)):
                raise CallFailed(problem)
        except CallFailed as failure:
            if (reply.parts or reply.more) and not after_content:
                failure.retryable = False
            raise
        return text

    error: str | None = None
    try:
        text = await retries.call(once, pace)
    except CallFailed as failure:
        text = storable(reply.text)
        error = storable(failure.message) + (f" (after {attempts} attempts)" if attempts > 1 else "")
    return Answer(text, error, time.perf_counter() - started, reply.first_content, attempts, tuple(reply.more))


def asker(item: Item) -> dict[str, str]:
    """Return who asks a data question, as it is sent along: what may be shown depends on it. Empty for other items."""
    if not item.is_data_question:
        return {}
    return {name: value for name, value in (("role", item.role), ("region", item.region)) if value}


def why_no_answer(text: str) -> str:
    """Return why a whole text is no answer, or "" when it is one. "0" and "false" are answers."""
    if not is_storable(text):
        return "the answer holds half a character (a lone surrogate)"
    return "" if fold(text) else "the answer is empty"
