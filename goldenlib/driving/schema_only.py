"""Schema-only as a target: a model is shown the schema and the question, and what it writes is the agent's SQL (seed 002).

Rule: nothing of the contract reaches the model. A recording replays a reply only to the very same prompt, so that it never answers
for a changed question or a changed schema.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from goldenlib.answers import Answer, Event, EventKind
from goldenlib.config.settings import Settings, TargetSettings
from goldenlib.driving.openai import Message, OpenAITarget
from goldenlib.driving.target import OnText
from goldenlib.errors import TargetError
from goldenlib.items import Item
from goldenlib.warehouse import Warehouse, describe_schema
from goldenlib.wire.reasoning import without_drafts
from goldenlib.wire.replies import UnreadableReply, extract_sql, load_json
from goldenlib.wire.transport import storable

INSTRUCTIONS = """\
You answer questions about a database with one {dialect} query. Reply with a single SELECT in a ```sql block and nothing else. The \
schema is all you know about the data."""


class Model(Protocol):
    """What completes messages: a served model, or a recording of one."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...

    async def complete(self, messages: Sequence[Message], session_id: str, on_text: OnText | None = None) -> Answer:
        """Return what the model says, or why it says nothing."""
        ...


class SchemaOnlyTarget:
    """A model that sees a schema and a question. Its SQL becomes a part of the answer; its whole reply is the text."""

    def __init__(self, model: Model, schema: str, dialect: str) -> None:
        self._model = model
        self._schema = schema
        self._dialect = dialect

    async def __aenter__(self) -> Self:
        await self._model.__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._model.__aexit__(kind, error, trace)

    async def ask(self, item: Item, session_id: str, on_text: OnText | None = None) -> Answer:
        """Show the model schema and question, and take the SQL out of what it replies."""
        answer = await self._model.complete(schema_only_messages(self._schema, item.title, self._dialect), session_id, on_text)
        sql = extract_sql(without_drafts(answer.text)) if answer.error is None else None
        return answer if sql is None else replace(answer, events=(Event(EventKind.QUERY, sql),))


def schema_only_messages(schema: str, question: str, dialect: str = "duckdb") -> list[Message]:
    """Return the prompt. The same input always gives the same messages: recordings hang on it."""
    return [
        {"role": "system", "content": INSTRUCTIONS.format(dialect=dialect)},
        {"role": "user", "content": f"Schema:\n\n{schema.strip()}\n\nQuestion: {question.strip()}"},
    ]


class RecordedModel:
    """Replies recorded in a JSONL file, {"prompt": hash, "reply": text} a line, keyed by the exact prompt."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._replies = _read_replies(self._path)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        return None

    async def complete(self, messages: Sequence[Message], session_id: str, on_text: OnText | None = None) -> Answer:
        """Return the recorded reply to these very messages; an error where there is none."""
        reply = self._replies.get(prompt_key(messages))
        if reply is None:
            return Answer(error=f"no reply to this prompt is recorded in {self._path.name}; record it with 'record: true'", attempts=0)
        if on_text is not None:
            on_text(reply)
        return Answer(reply, attempts=0)


class RecordingModel:
    """A served model whose replies are written to a recording as they come; prompts that are recorded already are not asked again."""

    def __init__(self, served: Model, path: str | Path) -> None:
        self._served = served
        self._path = Path(path)
        self._recorded = RecordedModel(path) if self._path.exists() else None

    async def __aenter__(self) -> Self:
        await self._served.__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._served.__aexit__(kind, error, trace)

    async def complete(self, messages: Sequence[Message], session_id: str, on_text: OnText | None = None) -> Answer:
        """Return the recorded reply, or ask the model and record what it says. A failed call is not recorded."""
        if self._recorded is not None:
            answer = await self._recorded.complete(messages, session_id, on_text)
            if answer.error is None:
                return answer
        answer = await self._served.complete(messages, session_id, on_text)
        if answer.error is None:
            line = json.dumps({"prompt": prompt_key(messages), "question": messages[-1]["content"][-200:], "reply": answer.text})
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        return answer


def prompt_key(messages: Sequence[Message]) -> str:
    """Return the key of a prompt: SHA-256, in hex, of its messages to the letter."""
    canonical = json.dumps([[message["role"], message["content"]] for message in messages], ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def open_schema_only(target: TargetSettings, settings: Settings, warehouse: Warehouse | None, *, token: str | None) -> SchemaOnlyTarget:
    """Return the target. Raises TargetError without a warehouse to describe, and for a recording that cannot be used."""
    if warehouse is None:
        raise TargetError("a target of kind schema-only describes a warehouse; set warehouse in the configuration")
    schema = describe_schema(warehouse)
    if not target.record and target.path is not None:
        return SchemaOnlyTarget(RecordedModel(target.path), schema, warehouse.dialect)
    if "temperature" not in target.model_fields_set:  # a measure of the model, which should come out the same again
        target = target.model_copy(update={"temperature": 0})
    served = OpenAITarget(target, settings, token=token)
    model: Model = RecordingModel(served, target.path) if target.record and target.path is not None else served
    return SchemaOnlyTarget(model, schema, warehouse.dialect)


def _read_replies(path: Path) -> dict[str, str]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise TargetError(f"{path}: cannot be read as a recording: {error.strerror}; make it with 'record: true'") from None
    replies: dict[str, str] = {}
    problems = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = load_json(line.decode())
            key, reply = value["prompt"], value["reply"]
            if not isinstance(key, str) or not isinstance(reply, str):
                raise TypeError
        except UnreadableReply as error:
            problems.append(f"{path}:{number}: {error}")
        except (ValueError, KeyError, TypeError):
            problems.append(f"{path}:{number}: is no recorded reply; expected an object with prompt and reply, as text")
        else:
            replies[key] = storable(reply)
    if problems:
        raise TargetError("\n".join(problems))
    return replies
