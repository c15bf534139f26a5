"""Hiding: no secret of the run is written down, whoever said it (contract 5.4).

Rule: looked for in what goes into the store and the reports, in one place, whatever kind of target or judge it came from.
"""

from __future__ import annotations

import base64
import html
import json
import os
import re
from dataclasses import replace
from functools import lru_cache
from urllib.parse import quote, quote_plus

from goldenlib.answers import Answer, Result, Score
from goldenlib.config.addresses import passwords_in
from goldenlib.config.settings import Settings

HIDDEN = "***"
RECOGNISED_BY = 8  # characters
_A_WORD = 4  # below it, ordinary words and figures would be taken for it
_CALLED = r"authorization|[\w-]*(?:token|key|secret|password|passwd|pwd)"
_PERCENT_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")
_LOWER = str.maketrans({chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)})  # keeps the length, unlike lower()


def hide(text: str, secret: str) -> str:
    """Return an answer or reply without the secret, also where it stands in other case or as an encoding writes it.

    A secret of fewer than eight characters would be found within ordinary words, for which answers must not change: it is hidden
    where it stands by itself, as it was given, and one of fewer than four only where it is shown to be a secret, as in `Bearer x`,
    `token=x` and `://user:x@`.
    """
    if len(secret) < RECOGNISED_BY:
        return _by_itself(secret).sub(lambda found: found[0][: -len(secret)] + HIDDEN, text) if secret else text
    for form in _other_forms(secret):
        text = text.replace(form, HIDDEN)
    in_base64 = [form for form in _base64_of(secret) if form in text]
    if secret.lower() in text.lower() or _PERCENT_ENCODED.search(text):
        text = _spelt(secret).sub(HIDDEN, text)
    for form in in_base64:
        text = re.sub(f"[A-Za-z0-9+/_-]{{0,3}}{re.escape(form)}[A-Za-z0-9+/_-]{{0,4}}={{0,2}}", HIDDEN, text)
    return text


def hide_in_message(text: str, secret: str) -> str:
    """Return what is said about a failure without the secret, nor the beginning of one where the message was cut short."""
    text = hide(text, secret)
    wanted = secret.translate(_LOWER)
    beginning = wanted[:RECOGNISED_BY]
    at = text.translate(_LOWER).find(beginning) if beginning else -1
    while at >= 0:
        said = text.translate(_LOWER)
        end = at + next(size for size in range(len(wanted), 0, -1) if said.startswith(wanted[:size], at))
        text = f"{text[:at]}{HIDDEN}{text[end:]}"
        at = text.translate(_LOWER).find(beginning, at + len(HIDDEN))
    return text


@lru_cache(maxsize=64)
def _by_itself(secret: str) -> re.Pattern[str]:
    """A short secret as a word of its own, or behind what says that it is one."""
    told = rf"(?:(?i:bearer|basic)\s+|(?i:{_CALLED})\W{{0,4}}[=:]\W{{0,4}}|://[^\s/@:]*:)"
    before = rf"(?:{told}|(?<![^\W_]))" if len(secret) >= _A_WORD else told
    return re.compile(rf"{before}{re.escape(secret)}(?![^\W_])")


@lru_cache(maxsize=64)
def _spelt(secret: str) -> re.Pattern[str]:
    """The secret in any case, as headers come back, each character as it is or percent-encoded."""
    each = (f"(?:{re.escape(char)}|{''.join(f'%{byte:02x}' for byte in char.encode())})" for char in secret)
    return re.compile("".join(each), re.IGNORECASE)


@lru_cache(maxsize=64)
def _other_forms(secret: str) -> tuple[str, ...]:
    """The secret as HTML, JSON, a form and a dump of bytes write it; the longest first, where it is written otherwise there at all."""
    in_json = [json.dumps(secret, ensure_ascii=ascii)[1:-1] for ascii in (True, False)]
    forms = [html.escape(secret), html.escape(secret, quote=False), *in_json, quote_plus(secret), quote(quote(secret, safe=""))]
    forms += [secret.encode().hex(), secret.encode().hex().upper()]
    return tuple(sorted({form for form in forms if form != secret}, key=len, reverse=True))


@lru_cache(maxsize=64)
def _base64_of(secret: str) -> tuple[str, ...]:
    """What is always the same of a text in Base64 that holds the secret: for each of three places to begin in, and both alphabets."""
    forms = []
    for start in range(3):
        whole = bytes(start) + secret.encode()
        whole = whole[: len(whole) // 3 * 3]
        forms += [base64.b64encode(whole, alphabet).decode()[4 if start else 0 :] for alphabet in (b"+/", b"-_")]
    return tuple(dict.fromkeys(form for form in forms if len(form) >= RECOGNISED_BY))


class Hider:
    """Knows the secrets of a run and takes them out of results."""

    def __init__(self, settings: Settings) -> None:
        given = [settings.chatbot_token, settings.judge_api_key]
        secrets = [secret.get_secret_value() for secret in given if secret is not None]
        secrets += [os.environ.get(target.token_variable, "") for target in settings.targets.values() if target.token_variable]
        secrets += [*passwords_in(settings.golden_store), *passwords_in(settings.warehouse or "")]
        self._secrets = tuple(dict.fromkeys(stripped for secret in secrets if (stripped := secret.strip())))

    def hide(self, text: str) -> str:
        """Return `text` with every secret in it replaced by ***."""
        for secret in self._secrets:
            text = hide(text, secret)
        return text

    def hide_in(self, result: Result) -> Result:
        """Return the result without secrets in answer, reasons, evidence and raw replies."""
        if not self._secrets:
            return result
        answer = result.answer and self._in_answer(result.answer)
        scores = tuple(self._in_score(score) for score in result.scores)
        return replace(result, answer=answer, reason=self.hide(result.reason), scores=scores)

    def _in_answer(self, answer: Answer) -> Answer:
        error = answer.error if answer.error is None else self.hide(answer.error)
        events = tuple(replace(event, content=self.hide(event.content)) for event in answer.events)
        return replace(answer, text=self.hide(answer.text), error=error, events=events)

    def _in_score(self, score: Score) -> Score:
        evidence = tuple(
            part if self.hide(part.passage) == part.passage else replace(part, passage="", start=0, end=0) for part in score.evidence
        )
        details = tuple((title, self.hide(text)) for title, text in score.details)
        return replace(score, reason=self.hide(score.reason), raw=tuple(map(self.hide, score.raw)), evidence=evidence, details=details)
