"""A chatbot and a judge that do to each question what its script says, over a real socket, while a run goes on elsewhere.

They are served from a thread of their own, so that `evaluate` and the `golden` command can be pointed at them as they are.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, repeat
from typing import Any, TypeVar

from tests.servers import Request, Script, ScriptedServer, Step, completion, content, stream, verdict

T = TypeVar("T")
Scripts = Mapping[str, Sequence[Script]]

RIGHT = "Pendiri harus WNI."
_QUESTION = re.compile(r"^## Question\n(.*)$", re.MULTILINE)


class _ByQuestion(ScriptedServer):
    """Gives each question its own scripts, the n-th time it is asked the n-th; all other questions get `usual`."""

    def __init__(self, scripts: Scripts, usual: Script) -> None:
        super().__init__(usual)
        self._by_question = scripts
        self._usual = usual
        self.asked: Counter[str] = Counter()

    def question_of(self, request: Request) -> str:
        raise NotImplementedError

    def script_for(self, request: Request) -> Script:
        question = self.question_of(request)
        self.asked[question] += 1
        scripts = self._by_question.get(question) or (self._usual,)
        return scripts[min(self.asked[question], len(scripts)) - 1]


class Chatbot(_ByQuestion):
    """A chatbot of the orchestrate protocol that answers rightly, the questions with a script apart."""

    def __init__(self, scripts: Scripts | None = None, *, usual: Script | None = None) -> None:
        super().__init__(scripts or {}, usual or stream(content(RIGHT)))

    def question_of(self, request: Request) -> str:
        return str(request.json["message"])


class JudgeServer(_ByQuestion):
    """A judge that passes every answer, the questions with a script apart. Its `url` ends in /v1 as settings want it."""

    def __init__(self, scripts: Scripts | None = None, *, usual: Script | None = None) -> None:
        super().__init__(scripts or {}, usual or completion(verdict()))

    @property
    def judge_url(self) -> str:
        return f"{self.url}/v1"

    def question_of(self, request: Request) -> str:
        found = _QUESTION.search(self.prompt(request))
        assert found is not None
        return found[1]

    @staticmethod
    def prompt(request: Request) -> str:
        return str(request.json["messages"][-1]["content"])


class MadeWhenAsked(Sequence[Step]):
    """A reply whose steps come out of a call of `make`, at the time that it is played."""

    def __init__(self, make: Callable[[], Iterable[Step]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[Step]:
        return iter(self._make())

    def __len__(self) -> int:
        raise TypeError("is only played")

    def __getitem__(self, index: Any) -> Any:
        raise TypeError("is only played")


def endless(steps: Script, last: bytes) -> Script:
    """A reply without an end: the steps, and then `last` for ever."""
    return MadeWhenAsked(lambda: chain(steps, repeat(last)))


@contextmanager
def on_stage(*servers: ScriptedServer) -> Iterator[None]:
    """Serve from a loop in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="golden-test-servers", daemon=True)
    thread.start()

    def wait_for(coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, loop).result(timeout=30)

    try:
        for server in servers:
            wait_for(server.__aenter__())
        yield
    finally:
        for server in servers:
            wait_for(server.__aexit__(None, None, None))
        wait_for(_end_the_others())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _end_the_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
