"""The demo chatbot: an HTTP server speaking the orchestrate protocol, answering out of the demo's knowledge base.

Rule: a real server on a real socket, streaming as the office's chatbot does, so that what is shown on it is true of others.
"""

from __future__ import annotations

import asyncio
import json

from aiohttp import web

from goldenlib.demo.knowledge import KnowledgeBase

WORDS_PER_DELTA = 6
NOTHING_FOUND = "Maaf, saya tidak menemukan keterangan tentang hal itu dalam bahan peragaan."
KNOWLEDGE: web.AppKey[KnowledgeBase] = web.AppKey("knowledge", KnowledgeBase)
DELAY: web.AppKey[float] = web.AppKey("delay", float)


def chatbot_app(*, degraded: bool = False, delay_s: float = 0.0) -> web.Application:
    """Return the chatbot as an aiohttp application. `delay_s` is waited before each delta, to look like a model typing."""
    app = web.Application()
    app[KNOWLEDGE] = KnowledgeBase.shipped(degraded=degraded)
    app[DELAY] = delay_s
    app.router.add_post("/api/orchestrate", _orchestrate)
    app.router.add_get("/", _about)

    async def close(_: web.Application) -> None:
        app[KNOWLEDGE].close()

    app.on_cleanup.append(close)
    return app


async def _about(_: web.Request) -> web.Response:
    return web.Response(text="goldenlib demo chatbot: POST /api/orchestrate {surface, sessionId, message}\n")


async def _orchestrate(request: web.Request) -> web.StreamResponse:
    try:
        body = await request.json()
    except (ValueError, RecursionError):
        body = None
    message = body.get("message") if isinstance(body, dict) else None
    if not isinstance(message, str):
        return web.json_response({"error": "expected JSON with surface, sessionId and message"}, status=400)
    knowledge = request.app[KNOWLEDGE]
    sections = knowledge.find(message)
    text = "\n\n".join(knowledge.passage(section) for section in sections) or NOTHING_FOUND
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache"})
    await response.prepare(request)
    await response.write(b": demo chatbot\n\n")
    for delta in _deltas(text):
        if request.app[DELAY]:
            await asyncio.sleep(request.app[DELAY])
        await response.write(_frame("content", {"delta": delta}))
    await response.write(_frame("sources", [{"title": section.title, "section": section.heading} for section in sections]))
    await response.write(_frame("done", {"finish": "stop"}))
    await response.write_eof()
    return response


def _deltas(text: str) -> list[str]:
    words = text.split(" ")
    pieces = [" ".join(words[at : at + WORDS_PER_DELTA]) for at in range(0, len(words), WORDS_PER_DELTA)]
    return [pieces[0], *(f" {piece}" for piece in pieces[1:])]


def _frame(event: str, data: object) -> bytes:
    return f"event: {event}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
