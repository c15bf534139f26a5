"""The demo judge: an OpenAI-compatible HTTP server whose verdicts follow a rule, and say so.

Rule: no verdict of it may be taken for a language model's. It counts required facts; without any, words of the rubric.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from aiohttp import web

from goldenlib.folding import fold
from goldenlib.scoring.nearness import loosen

SIGNATURE = "demo judge, a rule and no language model"
PASSES_FROM = 0.7
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_FENCE = re.compile(r"<<<(ANSWER-[0-9a-f]+)>>>\n(.*)\n<<<\1>>>\s*\Z", re.DOTALL)  # the last: a question may hold one
_WORD = re.compile(r"\w{5,}")
_DENIALS = ("tidak ", "bukan ", "tanpa ", "not ", "no ")


@dataclass
class _Case:
    sections: dict[str, str] = field(default_factory=dict)
    answer: str = ""


def judge_app() -> web.Application:
    """Return the judge as an aiohttp application, at /v1/chat/completions."""
    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.router.add_post("/v1/chat/completions", _complete)
    app.router.add_get("/v1/models", _models)
    return app


async def _models(_: web.Request) -> web.Response:
    return web.json_response({"object": "list", "data": [{"id": "demo", "object": "model", "owned_by": "goldenlib"}]})


async def _complete(request: web.Request) -> web.Response:
    try:
        body = await request.json()
        prompt = str(body["messages"][-1]["content"])
    except (ValueError, LookupError, TypeError, RecursionError):
        return web.json_response({"error": {"message": "expected an OpenAI chat completion request"}}, status=400)
    verdict = json.dumps(judge_by_rule(prompt), ensure_ascii=False)
    message = {"role": "assistant", "content": verdict}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return web.json_response({"id": "demo", "object": "chat.completion", "model": "demo", "choices": [choice]})


def judge_by_rule(prompt: str) -> dict[str, object]:
    """Return the verdict on a prompt of goldenlib's judge: the share of required facts that the answer states.

    A claim that must not appear and stands in the answer without a denial before it makes it 0. An item without
    required facts is graded by the share of the rubric's longer words that the answer uses, at 0.7 or above from half of them.
    """
    case = _read(prompt)
    answer = _loose(case.answer)
    asserted = [claim for claim in _bullets(case, "Claims that must not appear") if _asserts(answer, _loose(claim))]
    if asserted:
        return _verdict(0.0, f"the answer claims '{asserted[0]}'")
    facts = _bullets(case, "Required facts")
    if facts:
        stated = sum(_loose(fact) in answer for fact in facts)
        return _verdict(stated / len(facts), f"{stated} of {len(facts)} required facts are stated")
    wanted = set(_WORD.findall(fold(case.sections.get("Rubric", "") + " " + case.sections.get("An ideal answer", ""))))
    if not wanted:
        return _verdict(1.0, "the answer makes no claim that must not appear")
    used = sum(word in answer for word in wanted)
    return _verdict(min(1.0, used / len(wanted) * 1.4), f"the answer uses {used} of the {len(wanted)} longer words of the rubric")


def _verdict(correctness: float, why: str) -> dict[str, object]:
    return {"correctness": round(correctness, 2), "passed": correctness >= PASSES_FROM, "reason": f"{SIGNATURE}: {why}"}


def _read(prompt: str) -> _Case:
    fence = _FENCE.search(prompt)
    case = _Case(answer=fence[2] if fence else "")
    parts = _SECTION.split(prompt[: fence.start()] if fence else prompt)
    case.sections.update(zip(parts[1::2], (text.strip() for text in parts[2::2]), strict=True))
    return case


def _bullets(case: _Case, title: str) -> list[str]:
    return [line[2:] for line in case.sections.get(title, "").splitlines() if line.startswith("- ")]


def _loose(text: str) -> str:
    return loosen(fold(text)).text


def _asserts(answer: str, claim: str) -> bool:
    at = answer.find(claim)
    while at >= 0:
        if not answer[:at].endswith(_DENIALS):
            return True
        at = answer.find(claim, at + 1)
    return False
