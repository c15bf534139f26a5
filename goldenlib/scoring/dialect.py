"""The dialect of a judge's gateway: which parts of a request it takes, found out by what it refuses.

Rule: a part is left out, or put weaker, because the gateway named it; a refusal that names nothing can only mean the response
format, where servers differ most, and a bare 500 is no refusal at all (contract 4.3).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from goldenlib.scoring.prompt import VERDICT_SCHEMA

# From the strictest to none; gateways differ in what they take.
FORMATS: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "json_schema",
        {"response_format": {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": VERDICT_SCHEMA}}},
    ),
    ("json_object with a schema", {"response_format": {"type": "json_object", "schema": VERDICT_SCHEMA}}),
    ("json_object", {"response_format": {"type": "json_object"}}),
    ("plain text", {}),
)
# What a server says that does not take a request as it is; 404 and 501 say so of a part only when they name it.
REFUSED = frozenset({400, 404, 422, 501})
UNNAMED = frozenset({400, 422})
BARE = 500

_THINKING = re.compile(r"chat_template_kwargs|enable_thinking", re.I)
_TOKENS = re.compile(r"\bmax_tokens\b", re.I)
_TEMPERATURE = re.compile(r"\btemperature\b", re.I)
_FORMAT = re.compile(r"response_?format|json_?(?:schema|object|mode)|structured.output|guided|grammar", re.I)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How requests are written: with which of FORMATS, and which other parts."""

    level: int = 0
    thinking_off: bool = True
    tokens: str = "max_tokens"
    temperature: bool = True

    def body(self, max_tokens: int) -> dict[str, Any]:
        """Return the parts of a request that are written by the dialect."""
        parts: dict[str, Any] = {"temperature": 0} if self.temperature else {}
        if self.thinking_off:
            parts["chat_template_kwargs"] = {"enable_thinking": False}
        return {**parts, self.tokens: max_tokens, **FORMATS[self.level][1]}

    def without_what_is_named(self, refusal: str) -> Dialect | None:
        """Return the dialect without the first part that a refusal names; None when it names none that is sent."""
        if self.thinking_off and _THINKING.search(refusal):
            return replace(self, thinking_off=False)
        if self.tokens == "max_tokens" and _TOKENS.search(refusal):
            return replace(self, tokens="max_completion_tokens")
        if self.temperature and _TEMPERATURE.search(refusal):
            return replace(self, temperature=False)
        return self.with_weaker_format() if _FORMAT.search(refusal) else None

    def with_weaker_format(self) -> Dialect | None:
        """Return the dialect with the next format; None after the last."""
        return replace(self, level=self.level + 1) if self.level + 1 < len(FORMATS) else None

    def fuller_of(self, other: Dialect) -> Dialect:
        """Return what both together were found to take."""
        return Dialect(
            min(self.level, other.level),
            self.thinking_off or other.thinking_off,
            min(self.tokens, other.tokens, key=len),  # max_tokens is the shorter name, and the first that is tried
            self.temperature or other.temperature,
        )

    def remarks(self, wished: Dialect) -> tuple[str, ...]:
        """Return what a reader of verdicts should know about the requests: what was wished and not taken."""
        found = []
        if self.level != wished.level:
            found.append(f"its gateway refuses stricter response formats than {FORMATS[self.level][0]}")
        if self.temperature != wished.temperature:
            found.append("its gateway takes no temperature, so that the same answer may get another verdict another time")
        if self.thinking_off != wished.thinking_off:
            found.append(
                "its gateway cannot be told to leave out thinking (chat_template_kwargs); judge_disable_thinking: false says so beforehand"
            )
        if self.tokens != wished.tokens:
            found.append(f"its gateway wants {self.tokens} for {wished.tokens}")
        return tuple(f"the judge: {remark}" for remark in found)
