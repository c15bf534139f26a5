"""OpenAI-compatible chat completions: what a model says in a reply, or in one chunk of a streamed one.

Rule: only text that is meant for the reader counts. Private reasoning never does, and a reply that the model did not finish
is told from one that it did.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from goldenlib.wire.transport import CallFailed, message_of

PATH = "/chat/completions"
# Of vLLM and SGLang; of OpenRouter and newer vLLM; of OpenRouter as parts; of Ollama.
REASONING_KEYS = ("reasoning_content", "reasoning", "reasoning_details", "thinking")

# Parts of a message in which nothing is said to the reader: reasoning, calls of tools, pictures and sound.
_WITHOUT_TEXT = re.compile(
    r"(?:redacted_)?(?:thinking|reasoning)(?:[._](?:content|text|summary|encrypted|delta))?|(?:server_|mcp_)?tool_(?:use|calls?)|function_call"
    r"|(?:input_|output_)?(?:image|audio|file|video)(?:_url)?",
)
_OF_AN_EMPTY_PART = {"type", "text", "refusal", "index", "id", "annotations"}

_LENIENT = json.JSONDecoder(strict=False)  # a line break within a text is read as one
_BOM = "\ufeff"
# Gateways word it differently: length, max_tokens, MAX_TOKENS, model_length; content_filter, safety, refusal; tool_calls ...
_UNFINISHED = re.compile(r"length|max|limit|timeout|filter|safety|refus|recitation|tool|function|error|abort|cancel|incomplete|pause", re.I)


@dataclass(frozen=True, slots=True)
class Completion:
    """What one reply or chunk says. `finish_reason` is "" while there is none.

    `reasoned_in` is the key that holds the model's reasoning when there is nothing but that, else "".
    """

    text: str = ""
    finish_reason: str = ""
    refusal: str = ""
    reasoned_in: str = ""

    @property
    def is_unfinished(self) -> bool:
        """Whether the model was cut off, filtered, or wants something else first.

        Any reason that does not name such an end counts as an ordinary one: gateways say stop, eos, end_turn and more, and
        that must not cost an item its score.
        """
        return _UNFINISHED.search(self.finish_reason) is not None


def read_json(raw: str | bytes) -> Any:
    """Return the JSON value of a reply. Raises CallFailed when it is none, or not UTF-8."""
    try:
        return _LENIENT.decode(raw.decode().removeprefix(_BOM) if isinstance(raw, bytes) else raw)
    except UnicodeDecodeError:
        raise CallFailed("bad UTF-8 in the reply") from None
    except (ValueError, RecursionError):
        raise CallFailed(f"the reply is not JSON: {raw[:80]!r}") from None


def read_completion(value: Any, part: str = "message") -> Completion:
    """Return what the first choice of a completion says (`part` "message"), or that of a chunk ("delta").

    A chunk without choices says nothing; such carry usage. Raises CallFailed for an error object and for any other shape.
    """
    if isinstance(value, dict) and (value.get("error") or value.get("type") == "error"):
        raise CallFailed(f"the model reported an error: {message_of(value)[:300]}")
    choices = value.get("choices") if isinstance(value, dict) else None
    if not isinstance(choices, list) or not all(isinstance(choice, dict) for choice in choices):
        raise CallFailed(f"the reply is not a chat completion: {_shape(value)}")
    says_nothing: dict[str, Any] | None = {} if part == "delta" else None
    choice = next((choice for choice in choices if choice.get("index") in (None, 0)), says_nothing)
    if choice is None:
        raise CallFailed("the reply is a chat completion without choices")
    if part not in choice and isinstance(choice.get("text"), str):
        raise CallFailed(f"the reply is not a chat completion: its choice has 'text' and no '{part}'")
    message = choice.get(part) or {}
    if not isinstance(message, dict):
        raise CallFailed(f"the reply is not a chat completion: {part} is {_shape(message)}")
    text = message_text(message.get("content"))
    return Completion(
        text,
        str(choice.get("finish_reason") or ""),
        str(message.get("refusal") or ""),
        "" if text.strip() else next((key for key in REASONING_KEYS if message.get(key)), ""),
    )


def message_text(content: Any) -> str:
    """Return the text of a message: a string, or the text parts of a list. Parts that are known to hold none of it are left out.

    Raises CallFailed naming any other part: a text would be lost in it unseen.
    """
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(_part_text(part) for part in content)
    raise CallFailed(f"a message holds no text: its content is {_shape(content)}")


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    kind = part.get("type", "text") if isinstance(part, dict) else None
    if isinstance(kind, str) and _WITHOUT_TEXT.fullmatch(kind):
        return ""
    if kind in ("text", "output_text", "refusal"):
        text = part.get("refusal" if kind == "refusal" else "text")
        if isinstance(text, str):
            return text
        if text is None and part.keys() <= _OF_AN_EMPTY_PART and ("type" in part or "text" in part):
            return ""
    named = f" of type {kind[:40]!r}" if isinstance(kind, str) and "type" in part else ""
    raise CallFailed(f"a message holds no text: a part{named} of it is {_shape(part)}")


def _shape(value: Any) -> str:
    if isinstance(value, dict):
        return f"an object with {', '.join(map(repr, list(value)[:5])) or 'nothing in it'}"
    return f"a {type(value).__name__}, {str(value)[:60]!r}" if isinstance(value, str | int | float) else f"a {type(value).__name__}"
