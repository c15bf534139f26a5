"""The LLM judge behind an OpenAI-compatible gateway: asks for a verdict and scores by it.

Rule: what the judge did not say clearly is an error of the judge, never a score (contract 4.3, 4.4, 4.7).
"""

from __future__ import annotations

import secrets
from functools import partial
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from goldenlib.answers import Score
from goldenlib.completions import PATH, read_completion, read_json
from goldenlib.items import Item
from goldenlib.scoring.prompt import VERDICT_SCHEMA, build_messages
from goldenlib.scoring.verdict import UnusableVerdict, Verdict, read_verdict
from goldenlib.settings import Settings
from goldenlib.transport import CallFailed, Endpoint, Pace, Retries, storable

AXIS = "judge"
MAX_REPLY_BYTES = 1_000_000
MAX_REASON = 2_000  # characters; the whole reply is kept as raw
ASKED_AT_MOST = 2  # once, and once more after a reply that could not be used
FORMAT_REFUSED = frozenset({400, 422, 500})

# From the strictest to none; gateways differ in what they take.
FORMATS: tuple[dict[str, Any], ...] = (
    {"response_format": {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": VERDICT_SCHEMA}}},
    {"response_format": {"type": "json_object", "schema": VERDICT_SCHEMA}},
    {"response_format": {"type": "json_object"}},
    {},
)


class Judge:
    """A judge for one run. Open it with `async with`; it remembers which response format its gateway takes."""

    def __init__(self, url: str, settings: Settings) -> None:
        key = settings.judge_api_key
        token = key.get_secret_value() if key is not None else None
        self._settings = settings
        self._endpoint = Endpoint(url + PATH, total_s=settings.judge_timeout_s, token=token)
        self._pace = Pace(settings.golden_concurrency)
        self._retries = Retries(settings.judge_retries, settings.golden_retry_wait_max_s)
        self._works_with: int | None = None

    async def __aenter__(self) -> Self:
        await self._endpoint.__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._endpoint.__aexit__()

    async def score(self, item: Item, answer: str, idempotency_key: str) -> Score:
        """Return the judge's score of the answer; `passed` is None, with the reason, when it gave no usable verdict."""
        messages = build_messages(item, answer)
        key = _header_safe(idempotency_key)
        raw: list[str] = []
        problem = ""
        for asked in range(1, ASKED_AT_MOST + 1):
            try:
                body = await self._ask(messages, key if asked == 1 else _fresh(key))
            except CallFailed as failure:
                return self._without_verdict(failure.message, raw)
            try:
                raw.append(body.decode("utf-8", "replace"))
                said = read_completion(read_json(body))
                raw[-1] = said.text
                return self._scored(read_verdict(said), raw)
            except (CallFailed, UnusableVerdict) as unusable:
                problem = str(unusable)
        return self._without_verdict(f"{problem} (asked {ASKED_AT_MOST} times)", raw)

    def _scored(self, verdict: Verdict, raw: list[str]) -> Score:
        threshold = self._settings.golden_pass_threshold
        passed = verdict.passed and verdict.correctness >= threshold
        reason = verdict.reason[:MAX_REASON].strip() or "the judge gave no reason"
        if verdict.passed and not passed:
            reason = f"{reason} [correctness {verdict.correctness} < {threshold}]"
        return self._score(float(verdict.correctness), passed, reason, raw)

    def _without_verdict(self, problem: str, raw: list[str]) -> Score:
        return self._score(None, None, f"judge error: {problem}", raw)

    def _score(self, value: float | None, passed: bool | None, reason: str, raw: list[str]) -> Score:
        """A score in which no key and no half character (which cannot be stored) is written down."""
        hide = self._endpoint.hide
        reason = self._endpoint.hide_in_message(storable(reason))
        return Score(AXIS, value, passed, reason, raw=tuple(hide(storable(reply)) for reply in raw))

    async def _ask(self, messages: list[dict[str, str]], key: str) -> bytes:
        """Return the reply in the strictest response format that the gateway takes; what worked once is kept for the run.

        A refusal of a format that works, by what another call found, is about something else, and final. A changed format
        goes out under a fresh key, for a gateway may replay its refusal to the same one.
        """
        level = self._works_with or 0
        refusal: CallFailed | None = None
        while True:
            sent_key = key if refusal is None else _fresh(key)
            try:
                reply = await self._retries.call(partial(self._post, messages, sent_key, level), self._pace)
            except CallFailed as failure:
                refusal = refusal or failure
                known = self._works_with
                level = level + 1 if known is None else known if known > level else len(FORMATS)
                if failure.status not in FORMAT_REFUSED or level == len(FORMATS):
                    raise (refusal if failure.status in FORMAT_REFUSED else failure) from None
            else:
                self._works_with = level if self._works_with is None else min(level, self._works_with)
                return reply

    async def _post(self, messages: list[dict[str, str]], key: str, level: int, _attempt: int) -> bytes:
        body: dict[str, Any] = {
            "model": self._settings.judge_model,
            "messages": messages,
            "temperature": 0,
            "max_tokens": self._settings.judge_max_tokens,
            **FORMATS[level],
        }
        if self._settings.judge_disable_thinking:
            body["chat_template_kwargs"] = {"enable_thinking": False}
        async with self._endpoint.post(body, {"X-Priority": "batch", "Idempotency-Key": key}) as response:
            return await response.read(MAX_REPLY_BYTES)


def _header_safe(key: str) -> str:
    """The key as an HTTP header can carry it: item ids may hold any letter, headers ASCII only."""
    return key if key.isascii() else quote(key)


def _fresh(key: str) -> str:
    """A new key that no item's own can equal, and that no earlier try of the same run has used."""
    return f"{key}-again-{secrets.token_hex(4)}"
