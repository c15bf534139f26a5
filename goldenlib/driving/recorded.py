"""Answers given before, as a target: those of a stored run, or of a JSONL file.

Rule: nothing is asked of anybody, and an item without a recorded answer is an error, not an empty answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from goldenlib.answers import Answer, Event
from goldenlib.driving.target import OnText, why_no_answer
from goldenlib.errors import TargetError
from goldenlib.folding import fold
from goldenlib.items import Item
from goldenlib.wire.replies import UnreadableReply, load_json, read_reply, unreadable
from goldenlib.wire.transport import storable


class RecordedTarget:
    """Answers by item id, or by question where a recording has no ids."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self._answers = answers

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        return None

    async def ask(self, item: Item, session_id: str, on_text: OnText | None = None) -> Answer:
        """Return the recorded answer as it was, its error too."""
        answer = self._answers.get(item.id) or self._answers.get(question_key(item.title))
        if answer is None:
            return Answer(error="no recorded answer for this item", attempts=0)
        if answer.error is None and not (answer.events and not answer.text) and (problem := why_no_answer(answer.text)):
            return replace(answer, text=storable(answer.text), error=problem)
        if on_text is not None and answer.text:
            on_text(answer.text)
        return answer


def question_key(question: str) -> str:
    """The key under which an answer recorded by question is kept; it cannot be the id of an item."""
    return f"? {fold(question)}"


def read_recording(path: str | Path) -> dict[str, Answer]:
    """Return the answers in a JSONL file: one object a line, with `item_id` or `question`, and `answer` (or `error`).

    An answer of a data agent has `sql`, `rows` or `decline` with or without text (`replies.read_reply`).

    Raises TargetError naming file and line of everything that cannot be used, a repeated item included.
    """
    try:
        lines = Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    except OSError as error:
        raise TargetError(f"{path}: cannot be read as a recording: {error.strerror}") from None
    answers: dict[str, Answer] = {}
    problems: list[str] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            key, answer = _entry(line)
            if key in answers:
                raise ValueError(f"a second answer for {key!r}; keep one")
        except ValueError as error:
            problems.append(f"{path}:{number}: {error}")
        else:
            answers[key] = answer
    if problems:
        raise TargetError("\n".join(problems))
    if not answers:
        raise TargetError(f"{path}: holds no answers; expected one JSON object a line, with item_id and answer")
    return answers


def _entry(line: bytes) -> tuple[str, Answer]:
    """Return the key and the answer of one line. Raises ValueError saying what is wrong with it."""
    try:
        value: Any = load_json(line.decode())
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8") from None
    except ValueError as error:
        raise ValueError(f"is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ValueError("expected an object with item_id and answer")
    item_id, question = value.get("item_id", value.get("id", value.get("question_id"))), value.get("question")
    text, failure = value.get("answer", value.get("text")), value.get("error")
    if isinstance(item_id, str):
        key = item_id
    elif isinstance(question, str):
        key = question_key(question)
    else:
        raise ValueError("needs item_id or question, as text")
    if isinstance(failure, str) and failure:
        return key, Answer(storable(text) if isinstance(text, str) else "", storable(failure), attempts=0)
    events = _events(value)
    if not isinstance(text, str) and not (text is None and events):
        raise ValueError("needs answer, as text, or of a data agent sql, rows or decline")
    return key, Answer(text or "", attempts=0, events=events)


def _events(value: Mapping[str, Any]) -> tuple[Event, ...]:
    if all(value.get(name) is None for name in ("sql", "rows", "decline")):
        return ()
    try:
        return read_reply({name: value[name] for name in ("sql", "rows", "columns", "decline") if name in value})[1]
    except UnreadableReply as error:  # recorded as it came: the agent's failure, and no fault of the file
        return (unreadable(error),)
