"""Asking a target once in a test, over a real socket."""

from __future__ import annotations

import asyncio
from typing import Any

from goldenlib.answers import Answer
from goldenlib.config.settings import Settings, TargetSettings
from goldenlib.driving.openai import OpenAITarget
from goldenlib.driving.orchestrate import OrchestrateTarget
from tests.builders import an_item
from tests.servers import Script, ScriptedServer

SESSION = "golden-run-1-pt-syarat"


def quick(**changes: Any) -> Settings:
    """Settings under which nothing in a test waits for long."""
    return Settings(**{"chatbot_timeout_s": 5, "chatbot_idle_timeout_s": 2, "golden_retry_wait_max_s": 0.01} | changes)


def ask(*scripts: Script, token: str | None = None, **settings: Any) -> Answer:
    """The answer of a chatbot that replies by script."""
    return ask_and_look(*scripts, token=token, **settings)[0]


def ask_and_look(*scripts: Script, token: str | None = None, **settings: Any) -> tuple[Answer, ScriptedServer]:
    """The answer, and the server with the requests that it got."""

    async def main() -> tuple[Answer, ScriptedServer]:
        async with (
            ScriptedServer(*scripts) as server,
            OrchestrateTarget(server.url, quick(**settings), surface="public", token=token) as target,
        ):
            return await target.ask(an_item(), SESSION), server

    return asyncio.run(main())


def ask_model(
    *scripts: Script, streamed: bool = True, system_prompt: str = "", temperature: float | None = None, **settings: Any
) -> tuple[Answer, ScriptedServer]:
    """The answer of an OpenAI-compatible endpoint that replies by script, and the server."""

    async def main() -> tuple[Answer, ScriptedServer]:
        async with ScriptedServer(*scripts) as server:
            more = {"stream": streamed, "system_prompt": system_prompt, "temperature": temperature}
            endpoint = TargetSettings(kind="openai", url=f"{server.url}/v1", model="m", **more)
            async with OpenAITarget(endpoint, quick(**settings), token="sk-abcdefgh") as target:
                return await target.ask(an_item(), SESSION), server

    return asyncio.run(main())
