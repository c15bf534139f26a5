"""The judge's prompt: fixed part first, the item next, the answer last and fenced.

Rule: the answer is data. Its fence is made from its own SHA-256, so that it cannot occur in it, and the same answer
gives the same prompt (contract 4.5). A change of wording here is a new VERSION, and old and new verdicts do not compare.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from string import Template
from typing import Any, Self

from goldenlib.config.settings import Settings
from goldenlib.folding import without_hidden_text
from goldenlib.items import Expected, Item, Kind
from goldenlib.wordlists import WordLists

VERSION = "1"

_TOLD = WordLists.of(__package__, "prompt")
_INSTRUCTIONS: str = _TOLD.raw("instructions")
VERDICT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "correctness": {"type": "number", "minimum": 0, "maximum": 1},
        "passed": {"type": "boolean"},
        "reason": {"type": "string"},
    },
    "required": ["correctness", "passed", "reason"],
    "additionalProperties": False,
}

_KINDS = {Kind(kind): told for kind, told in _TOLD.table("kinds").items()}


@dataclass(frozen=True, slots=True)
class Framing:
    """What the judge is told of the system whose answers it grades, who asks it, and in which language."""

    system: str = Settings.model_fields["judge_system"].default
    asker: str = Settings.model_fields["judge_asker"].default
    language: str = Settings.model_fields["judge_language"].default

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Take the framing out of a run's settings."""
        return cls(settings.judge_system, settings.judge_asker, settings.judge_language)

    def instructions(self) -> str:
        """Return the fixed part of the prompt."""
        return _instructions(_INSTRUCTIONS, self)


@lru_cache(8)  # a run has one framing, and a prompt for each item
def _instructions(template: str, framing: Framing) -> str:
    other = "Indonesian" if framing.language.casefold() == "english" else "English"
    return Template(template).substitute(system=framing.system, asker=framing.asker, language=framing.language, other=other)


USUAL = Framing()


def build_messages(item: Item, answer: str, framing: Framing = USUAL) -> list[dict[str, str]]:
    """Return the chat messages that ask for a verdict on `answer`. The same input always gives the same messages."""
    return [{"role": "system", "content": framing.instructions()}, {"role": "user", "content": _case(item, answer)}]


def prompt_digest(framing: Framing = USUAL) -> str:
    """SHA-256, in hex, of all fixed wording, the framing with it: two verdicts compare only under the same one."""
    example = Item(
        id="x",
        question="?",
        context="c",
        expected=Expected(must_include=("+",), must_not_include=("-",), rubric="r", answer="a"),
    )
    fixed = "\x1e".join([VERSION, framing.instructions(), *_KINDS.values(), _case(example, ""), json.dumps(VERDICT_SCHEMA)])
    return hashlib.sha256(fixed.encode()).hexdigest()


def fence_marker(answer: str) -> str:
    """Return the marker that stands before and after the answer. An answer that held its own would be a hash collision."""
    return f"ANSWER-{hashlib.sha256(answer.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def _case(item: Item, answer: str) -> str:
    marker = fence_marker(answer)
    expected = item.expected
    sections = [
        ("Question", "\n".join(item.messages)),
        ("Background", item.context),
        ("What a right answer does", _KINDS[item.kind]),
        ("Required facts", _bullets(expected.must_include)),
        ("Claims that must not appear", _bullets(expected.must_not_include)),
        ("Rubric", expected.rubric),
        ("An ideal answer", expected.answer),
    ]
    written = [f"## {title}\n{without_hidden_text(text).strip()}" for title, text in sections if without_hidden_text(text).strip()]
    return "\n\n".join([*written, f"## Answer to be graded\n<<<{marker}>>>\n{without_hidden_text(answer)}\n<<<{marker}>>>"])


def _bullets(phrases: tuple[str, ...]) -> str:
    return "\n".join(f"- {phrase}" for phrase in phrases)
