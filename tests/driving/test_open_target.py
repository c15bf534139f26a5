"""Which target a surface gets, and with which token."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from goldenlib.answers import Answer
from goldenlib.driving import open_target
from goldenlib.driving.function import FunctionTarget
from goldenlib.driving.openai import OpenAITarget
from goldenlib.driving.orchestrate import OrchestrateTarget
from goldenlib.driving.recorded import RecordedTarget
from goldenlib.driving.target import Target
from goldenlib.errors import TargetError
from tests.builders import an_item
from tests.driving.asking import quick
from tests.servers import ScriptedServer, completion, content, reply, stream


def nothing_stored(run_id: str) -> Mapping[str, Answer]:
    raise AssertionError(f"asked for the stored run {run_id}")


def opened(surface: str, **settings: Any) -> Target | None:
    return open_target(surface, quick(**settings), stored_answers=nothing_stored)


def test_internal_items_have_no_target_unless_one_is_wired() -> None:
    assert opened("internal", chatbot_url="http://127.0.0.1:1") is None


def test_each_kind_gets_its_target(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"item_id": "a", "answer": "A"}')
    kinds: dict[type, dict[str, str]] = {
        OrchestrateTarget: {"kind": "orchestrate"},
        OpenAITarget: {"kind": "openai", "url": "http://127.0.0.1:1/v1"},
        FunctionTarget: {"kind": "function", "callable": "json:dumps"},
        RecordedTarget: {"kind": "recorded", "path": str(path)},
    }
    for kind, target in kinds.items():
        assert isinstance(opened("internal", chatbot_url="http://127.0.0.1:1", targets={"internal": target}), kind)


def test_the_answers_of_a_stored_run_are_a_target() -> None:
    settings = quick(targets={"public": {"kind": "recorded", "run_id": "run-1"}})
    target = open_target("public", settings, stored_answers=lambda run_id: {"pt-syarat": Answer(f"of {run_id}")})
    assert target is not None
    assert asyncio.run(target.ask(an_item(), "s")).text == "of run-1"


def test_public_items_are_sent_as_the_surface_that_is_set() -> None:
    async def main() -> list[str]:
        async with ScriptedServer(stream(content("Ya."))) as server:
            settings = quick(chatbot_url=server.url, chatbot_surface="web", targets={"internal": {"kind": "orchestrate"}})
            for surface in ("public", "internal"):
                target = open_target(surface, settings, stored_answers=nothing_stored)
                assert target is not None
                async with target:
                    await target.ask(an_item(), "s")
            return [request.json["surface"] for request in server.requests]

    assert asyncio.run(main()) == ["web", "internal"]


@pytest.mark.parametrize(
    ("surface", "kind", "own_variable", "sent"),
    [
        ("public", "openai", None, "Bearer chatbot-token"),
        ("internal", "openai", None, None),  # another host: the chatbot's token is not for it
        ("internal", "openai", "A_TOKEN", "Bearer own-token"),
        ("public", "openai", "A_TOKEN", "Bearer own-token"),
    ],
)
def test_the_chatbots_token_goes_to_the_chatbot_only(
    surface: str, kind: str, own_variable: str | None, sent: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_TOKEN", "own-token")

    async def main() -> str | None:
        async with ScriptedServer(completion("Ya.")) as server:
            own = {"kind": kind, "url": server.url, "stream": False, "token_variable": own_variable}
            settings = quick(chatbot_url="http://127.0.0.1:1", chatbot_token=SecretStr("chatbot-token"), targets={surface: own})
            target = open_target(surface, settings, stored_answers=nothing_stored)
            assert target is not None
            async with target:
                await target.ask(an_item(), "s")
            return server.requests[0].headers.get("authorization")

    assert asyncio.run(main()) == sent


def test_an_internal_target_at_the_chatbots_address_gets_its_token() -> None:
    async def main() -> str | None:
        async with ScriptedServer(reply("", 401)) as server:
            targets = {"internal": {"kind": "orchestrate"}}
            settings = quick(chatbot_url=server.url, chatbot_token=SecretStr("chatbot-token"), targets=targets)
            target = open_target("internal", settings, stored_answers=nothing_stored)
            assert target is not None
            async with target:
                await target.ask(an_item(), "s")
            return server.requests[0].headers.get("authorization")

    assert asyncio.run(main()) == "Bearer chatbot-token"


def test_a_token_variable_that_is_not_set_is_told_before_the_first_item(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_TOKEN", raising=False)
    target = {"kind": "openai", "url": "http://127.0.0.1:1/v1", "token_variable": "NO_SUCH_TOKEN"}
    with pytest.raises(TargetError, match="environment variable NO_SUCH_TOKEN is not set"):
        opened("public", targets={"public": target})


def test_a_token_that_cannot_be_sent_is_told_before_the_first_item(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_TOKEN", "own\ntoken")
    target = {"kind": "openai", "url": "http://127.0.0.1:1/v1", "token_variable": "A_TOKEN"}
    with pytest.raises(TargetError, match="cannot stand in an HTTP header"):
        opened("public", targets={"public": target})
