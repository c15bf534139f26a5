"""Starting the demo servers: for one run on free loopback ports, or to play with from the command line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from aiohttp import web

from goldenlib.config.settings import Settings
from goldenlib.config.settingtypes import DEMO
from goldenlib.demo.chatbot import chatbot_app
from goldenlib.demo.rulejudge import judge_app
from goldenlib.errors import TargetError
from goldenlib.items import Surface

LOOPBACK = "127.0.0.1"


@asynccontextmanager
async def serve(app: web.Application, port: int = 0) -> AsyncIterator[str]:
    """Serve `app` on the loopback interface and give its base URL; port 0 takes a free one.

    Raises TargetError when the port cannot be had.
    """
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, LOOPBACK, port)
        try:
            await site.start()
        except OSError as error:
            raise TargetError(f"the demo cannot serve on port {port}: {error.strerror}; take another port, or 0 for a free one") from None
        yield f"http://{LOOPBACK}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def demo_chatbot(*, degraded: bool = False, delay_s: float = 0.0, port: int = 0) -> AsyncIterator[str]:
    """Serve the demo chatbot and give the base URL for `chatbot_url`."""
    async with serve(chatbot_app(degraded=degraded, delay_s=delay_s), port) as url:
        yield url


@asynccontextmanager
async def demo_judge(*, port: int = 0) -> AsyncIterator[str]:
    """Serve the demo judge and give the base URL for `judge_url`, which ends in /v1."""
    async with serve(judge_app(), port) as url:
        yield f"{url}/v1"


async def serve_demo(settings: Settings, stack: AsyncExitStack, *, delay_s: float = 0.0) -> Settings:
    """Start the demo servers that the settings ask for, until the stack ends, and return the settings with their addresses."""
    changed: dict[str, Any] = {}
    if settings.is_demo:
        url = await stack.enter_async_context(demo_chatbot(degraded=settings.demo_degraded, delay_s=delay_s))
        changed["targets"] = {
            surface: target.model_copy(update={"url": url}) if target.url == DEMO else target
            for surface in Surface
            if (target := settings.target_for(surface)) is not None
        }
    if settings.judge_url == DEMO:
        changed["judge_url"] = await stack.enter_async_context(demo_judge())
    return settings.model_copy(update=changed)


def serve_until_interrupted(*, port: int, judge_port: int, degraded: bool, delay_s: float, say: Callable[[str], None]) -> None:
    """Serve both until KeyboardInterrupt; `say` is told the addresses."""

    async def main() -> None:
        async with demo_chatbot(degraded=degraded, delay_s=delay_s, port=port) as chatbot, demo_judge(port=judge_port) as judge:
            say(f"demo chatbot{' (degraded)' if degraded else ''}: {chatbot}")
            say(f"demo judge (a rule, not a language model): {judge}")
            say("Ctrl-C ends both.")
            await asyncio.Event().wait()

    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        say("ended")
