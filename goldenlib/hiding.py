"""Hiding: no secret of the run is written down, whoever said it (contract 5.4).

Rule: looked for in what goes into the store and the reports, in one place, whatever kind of target or judge it came from.
"""

from __future__ import annotations

import os
from dataclasses import replace

from goldenlib.addresses import password_in
from goldenlib.answers import Answer, Part, Result, Score
from goldenlib.settings import Settings

HIDDEN = "***"
RECOGNISED_BY = 8  # characters


def hide(text: str, secret: str) -> str:
    """Return an answer or reply without the secret.

    A secret of fewer than eight characters is left: it would be found in ordinary words, and answers must not change for it.
    """
    return text.replace(secret, HIDDEN) if len(secret) >= RECOGNISED_BY else text


def hide_in_message(text: str, secret: str) -> str:
    """Return what is said about a failure without the secret, nor the beginning of one where the message was cut short."""
    beginning = secret[:RECOGNISED_BY]
    at = text.find(beginning) if beginning else -1
    while at >= 0:
        end = at + next(size for size in range(len(secret), 0, -1) if text.startswith(secret[:size], at))
        text = f"{text[:at]}{HIDDEN}{text[end:]}"
        at = text.find(beginning, at + len(HIDDEN))
    return text


class Hider:
    """Knows the secrets of a run and takes them out of results."""

    def __init__(self, settings: Settings) -> None:
        given = [settings.chatbot_token, settings.judge_api_key]
        secrets = [secret.get_secret_value() for secret in given if secret is not None]
        secrets += [os.environ.get(target.token_variable, "") for target in settings.targets.values() if target.token_variable]
        secrets += [password_in(settings.warehouse)] if settings.warehouse else []
        self._secrets = tuple(dict.fromkeys(secret for secret in secrets if len(secret) >= RECOGNISED_BY))

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
        parts = tuple(Part(part.kind, self.hide(part.content)) for part in answer.parts)
        return replace(answer, text=self.hide(answer.text), error=error, parts=parts)

    def _in_score(self, score: Score) -> Score:
        evidence = tuple(
            part if self.hide(part.passage) == part.passage else replace(part, passage="", start=0, end=0) for part in score.evidence
        )
        details = tuple((title, self.hide(text)) for title, text in score.details)
        return replace(score, reason=self.hide(score.reason), raw=tuple(map(self.hide, score.raw)), evidence=evidence, details=details)
