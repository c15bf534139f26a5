"""The LLM judge behind an OpenAI-compatible gateway: asks for a verdict and scores by it.

Rule: what the judge did not say clearly is an error of the judge, never a score (contract 4.3, 4.4, 4.7).
"""

from __future__ import annotations

import secrets
from functools import partial
from types import TracebackType
from typing import Self
from urllib.parse import quote

from goldenlib.answers import JUDGE_AXIS, Score
from goldenlib.config.settings import Settings
from goldenlib.items import Item
from goldenlib.scoring.dialect import BARE, REFUSED, UNNAMED, Dialect
from goldenlib.scoring.prompt import Framing, build_messages
from goldenlib.scoring.verdict import UnusableVerdict, Verdict, read_verdict
from goldenlib.wire.completions import PATH, read_completion, read_json
from goldenlib.wire.network import Network
from goldenlib.wire.pacing import Pace, Retries
from goldenlib.wire.transport import CallFailed, Endpoint, storable

MAX_REPLY_BYTES = 1_000_000
MAX_REASON = 2_000  # characters; the whole reply is kept as raw
ASKED_AT_MOST = 2  # once, and once more after a reply that could not be used


class Judge:
    """A judge for one run. Open it with `async with`; it remembers which parts of a request its gateway takes."""

    def __init__(self, url: str, settings: Settings) -> None:
        key = settings.judge_api_key
        token = key.get_secret_value() if key is not None else None
        self._settings = settings
        self._endpoint = Endpoint(url + PATH, total_s=settings.judge_timeout_s, token=token, network=Network.from_settings(settings))
        self._pace = Pace(settings.golden_concurrency)
        self._retries = Retries(settings.judge_retries, settings.golden_retry_wait_max_s)
        self._framing = Framing.from_settings(settings)
        self._wished = Dialect(thinking_off=settings.judge_disable_thinking)
        self._works_with: Dialect | None = None

    async def __aenter__(self) -> Self:
        await self._endpoint.__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._endpoint.__aexit__()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader of the verdicts should know about how they were asked for; nothing when all was taken as it was wished."""
        return self._works_with.remarks(self._wished) if self._works_with is not None else ()

    async def score(self, item: Item, answer: str, idempotency_key: str) -> Score:
        """Return the judge's score of the answer; `passed` is None, with the reason, when it gave no usable verdict."""
        messages = build_messages(item, answer, self._framing)
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
                return self._scored(read_verdict(said, answer), raw)
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
        return Score(JUDGE_AXIS, value, passed, reason, raw=tuple(hide(storable(reply)) for reply in raw))

    async def _ask(self, messages: list[dict[str, str]], key: str) -> bytes:
        """Return the reply to the fullest request that the gateway takes; what worked once is kept for the run.

        A refusal that names nothing, of a request like one that worked, is about something else, and final. A changed request
        goes out under a fresh key, for a gateway may replay its refusal to the same one.
        """
        dialect = self._works_with or self._wished
        refusal: CallFailed | None = None
        strayed = False
        while True:
            sent_key = key if refusal is None else _fresh(key)
            try:
                reply = await self._retries.call(partial(self._post, messages, sent_key, dialect), self._pace)
            except CallFailed as failure:
                following = self._after(failure, dialect)
                if following is None:
                    raise (refusal or failure) if failure.status in (*REFUSED, BARE) else failure from None
                refusal = refusal or failure
                strayed = strayed or _is_stray(failure, dialect)
                dialect = following
            else:
                if not strayed:  # what followed from a bare 500 holds for this call alone
                    self._works_with = dialect if self._works_with is None else dialect.fuller_of(self._works_with)
                return reply

    def _after(self, failure: CallFailed, dialect: Dialect) -> Dialect | None:
        """Return how to write the request after a failure; None when that would not help."""
        named = dialect.without_what_is_named(failure.message) if failure.status in (*REFUSED, BARE) else None
        if named is not None or failure.status not in (*UNNAMED, BARE):
            return named
        known = self._works_with
        if known is None:
            return dialect.with_weaker_format()
        return known if known.level > dialect.level else None

    async def _post(self, messages: list[dict[str, str]], key: str, dialect: Dialect, _attempt: int) -> bytes:
        body = {"model": self._settings.judge_model, "messages": messages, **dialect.body(self._settings.judge_max_tokens)}
        try:
            async with self._endpoint.post(body, {"X-Priority": "batch", "Idempotency-Key": key}) as response:
                return await response.read(MAX_REPLY_BYTES)
        except CallFailed as failure:
            if _is_stray(failure, dialect):
                failure.retryable = True  # a judge answers again without harm, unlike a chatbot under test (contract 3.4)
            raise


def _is_stray(failure: CallFailed, dialect: Dialect) -> bool:
    """Whether a failure is a 500 that names nothing of what was sent."""
    return failure.status == BARE and dialect.without_what_is_named(failure.message) is None


def _header_safe(key: str) -> str:
    """The key as an HTTP header can carry it: item ids may hold any letter, headers ASCII only."""
    return key if key.isascii() else quote(key)


def _fresh(key: str) -> str:
    """A new key that no item's own can equal, and that no earlier try of the same run has used."""
    return f"{key}-again-{secrets.token_hex(4)}"
