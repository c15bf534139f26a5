"""Data agents as targets: plain JSON over HTTP, events beside the text, functions, recordings, and a model that sees only the schema."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from goldenlib.answers import Answer, Event, EventKind
from goldenlib.config.settings import load_settings
from goldenlib.driving import open_target
from goldenlib.driving.function import FunctionTarget
from goldenlib.driving.jsonhttp import JsonTarget
from goldenlib.driving.orchestrate import OrchestrateTarget
from goldenlib.driving.recorded import read_recording
from goldenlib.driving.schema_only import schema_only_messages
from goldenlib.errors import TargetError
from goldenlib.items import Item
from goldenlib.scoring.data.agentreplies import read_agent_reply
from goldenlib.warehouse import Warehouse, describe_schema, open_warehouse
from goldenlib.wire.replies import UnreadableReply, read_rows
from tests.driving.asking import SESSION, quick
from tests.servers import Script, ScriptedServer, completion, content, reply, stream

QUESTION = "How much did we sell net in 2025?"
SQL = "SELECT sum(net) FROM sales"


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    path = tmp_path_factory.mktemp("warehouse") / "w.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE sales (net INTEGER)")
    with open_warehouse(path) as opened:
        yield opened


def a_question(**more: Any) -> Item:
    return Item.model_validate({"id": "q", "question": QUESTION, "expected": {"sql": {"golden": SQL}}} | more)


def ask_json(*scripts: Script, item: Item | None = None, **changes: Any) -> tuple[Answer, ScriptedServer]:
    async def main() -> tuple[Answer, ScriptedServer]:
        async with ScriptedServer(*scripts) as server, JsonTarget(f"{server.url}/ask", quick(**changes), surface="public") as target:
            return await target.ask(item or a_question(), SESSION), server

    return asyncio.run(main())


def ask_orchestrate(*scripts: Script, item: Item | None = None) -> tuple[Answer, ScriptedServer]:
    async def main() -> tuple[Answer, ScriptedServer]:
        async with ScriptedServer(*scripts) as server, OrchestrateTarget(server.url, quick(), surface="public") as target:
            return await target.ask(item or a_question(), SESSION), server

    return asyncio.run(main())


def ask_function(function: Any, item: Item | None = None) -> Answer:
    async def main() -> Answer:
        async with FunctionTarget(function, quick()) as target:
            return await target.ask(item or a_question(), SESSION)

    return asyncio.run(main())


def event(name: str, data: str) -> bytes:
    return f"event: {name}\ndata: {data}\n\n".encode()


class TestPlainJson:
    """One POST, one JSON reply."""

    def test_the_question_goes_out_with_who_asks(self) -> None:
        item = a_question(role="regional_lead", region="oseania")
        answer, server = ask_json(reply(json.dumps({"sql": SQL})), item=item)
        (request,) = server.requests
        assert request.target == "/ask"
        assert request.json == {
            "surface": "public",
            "sessionId": SESSION,
            "question": QUESTION,
            "role": "regional_lead",
            "region": "oseania",
        }
        assert (answer.text, answer.error, answer.events) == ("", None, (Event(EventKind.QUERY, SQL),))

    @pytest.mark.parametrize(("body", "text"), [({"answer": "12"}, "12"), ("Ya.", "Ya."), ({"text": "Ya.", "id": 7}, "Ya.")])
    def test_text_is_an_answer_too(self, body: Any, text: str) -> None:
        answer, _ = ask_json(reply(json.dumps(body)))
        assert (answer.text, answer.error, answer.events) == (text, None, ())

    def test_numbers_in_rows_keep_their_digits(self) -> None:
        answer, _ = ask_json(reply('{"rows": [[0.10000000000000000001, 123456789012345678901234567890]]}'))
        assert answer.of_kind(EventKind.ROWS) == ('{"columns":null,"rows":[[0.10000000000000000001,123456789012345678901234567890]]}',)

    @pytest.mark.parametrize(
        ("body", "error"),
        [
            ("{", "the reply is not JSON"),
            ("[1]", "neither text nor an object"),
            ("{}", "holds none of"),
            ('{"error": "no such table"}', "the agent reported an error: no such table"),
            ('{"sql": ""}', "sql is empty"),
            ('{"sql": "SELECT 1", "sql": "SELECT 2"}', "has the key 'sql' twice"),
            ('{"answer": ""}', "the answer is empty"),
            ('""', "the answer is empty"),
            ("\xff", "bad UTF-8"),
        ],
    )
    def test_what_says_nothing_is_a_broken_reply_and_of_an_ordinary_question_an_error(self, body: str, error: str) -> None:
        """It was not counted, so that breakage raised the pass rate (contract 9.6)."""
        answer, _ = ask_json(reply(body.encode("latin-1")))
        assert (answer.error, answer.text) == (None, "")
        with pytest.raises(UnreadableReply, match=re.escape(error)):
            read_rows(*answer.of_kind(EventKind.ROWS))
        item = Item.model_validate({"id": "x", "question": "?", "expected": {"must_include": ["Ya"]}})
        answer, _ = ask_json(reply(body.encode("latin-1")), item=item)
        assert error in (answer.error or "")

    @pytest.mark.parametrize(
        ("body", "problem"),
        [
            ('{"rows": 3}', "rows is not a list of rows"),
            ('{"rows": [[1], [1, 2]]}', "rows have 1 to 2 cells"),
            ('{"sql": ["SELECT 1"]}', "sql is a list, expected text"),
            ('{"decline": 3}', "decline is a number"),
            ("[" * 100_000, "nested too deeply"),
            (f'{{"rows": [[{"[" * 200 + "]" * 200}]]}}', "more than 50 deep"),
        ],
    )
    def test_a_reply_that_cannot_be_read_is_an_answer_that_says_why(self, body: str, problem: str) -> None:
        """fd-074, field/security 1: it came, so that it is scored, and fails (contract 9.6)."""
        answer, _ = ask_json(reply(body))
        assert (answer.error, answer.text) == (None, "")
        with pytest.raises(UnreadableReply, match=problem):
            read_rows(*answer.of_kind(EventKind.ROWS))

    def test_of_an_ordinary_question_it_stays_an_error(self) -> None:
        item = Item.model_validate({"id": "x", "question": "?", "expected": {"must_include": ["Ya"]}})
        answer, _ = ask_json(reply('{"rows": 3}'), item=item)
        assert answer.error == "the reply cannot be read: rows is not a list of rows"

    @pytest.mark.parametrize("number", ["1e999", "-1e99999999", "9" * 5000])
    def test_a_number_that_nothing_holds_is_its_spelling(self, number: str) -> None:
        answer, _ = ask_json(reply(f'{{"rows": [[{number}]]}}'))
        assert read_rows(*answer.of_kind(EventKind.ROWS))[1] == [(number[:400],)]

    def test_a_reply_past_the_size_of_an_answer_is_an_error(self) -> None:
        answer, _ = ask_json(reply(json.dumps({"sql": "S" * 2000})), chatbot_max_answer_bytes=1000)
        assert "more than 1,000 bytes" in (answer.error or "")


class TestOrchestrate:
    """Events named sql, rows and decline, beside the content."""

    def test_each_becomes_a_part(self) -> None:
        frames = (event("sql", SQL), event("rows", "[[1.50]]"), content("Rp1,5."), event("decline", '{"decline": {"type": "ambiguous"}}'))
        answer, server = ask_orchestrate(stream(*frames), item=a_question(role="finance"))
        assert answer.text == "Rp1,5."
        assert [part.kind for part in answer.events] == [EventKind.QUERY, EventKind.ROWS, EventKind.DECLINE]
        assert answer.of_kind(EventKind.ROWS) == ('{"columns":null,"rows":[[1.50]]}',)
        assert server.requests[0].json["role"] == "finance"

    def test_parts_alone_are_an_answer(self) -> None:
        answer, _ = ask_orchestrate(stream(event("sql", json.dumps({"sql": SQL}))))
        assert (answer.text, answer.error, answer.of_kind(EventKind.QUERY)) == ("", None, (SQL,))

    @pytest.mark.parametrize(
        ("frames", "problem"),
        [
            ([event("rows", "3")], "rows is not a list of rows"),
            ([event("rows", "[[1")], "the data of an event 'rows' is not JSON"),
            ([event("rows", "[" * 100_000)], "it is nested too deeply"),
            ([event("decline", "no")], "the data of an event 'decline' is not JSON"),
            ([event("sql", "SELECT 1"), event("sql", "SELECT 2")], "the answer has two parts of kind 'query'"),
            ([event("rows", "[[1]]"), event("rows", "[[2]]")], "the answer has two parts of kind 'rows'"),
            ([event("rows", "[[1]]"), event("rows", "3")], "rows is not a list of rows"),
            ([event("rows", "3"), event("rows", "[[1]]")], "the answer has two parts of kind 'rows'"),
        ],
    )
    def test_events_that_cannot_be_read_are_an_answer_that_says_why(self, frames: list[bytes], problem: str) -> None:
        """fd-074, field/security 1."""
        answer, _ = ask_orchestrate(stream(*frames))
        assert answer.error is None
        with pytest.raises(UnreadableReply, match=problem):
            read_agent_reply(answer)

    def test_such_events_are_none_of_an_ordinary_questions_business(self) -> None:
        item = Item.model_validate({"id": "x", "question": "?", "role": "notaris", "expected": {"must_include": ["Ya"]}})
        answer, server = ask_orchestrate(stream(event("rows", "3"), content("Ya.")), item=item)
        assert (answer.text, answer.error, answer.events) == ("Ya.", None, ())
        assert "role" not in server.requests[0].json


class TestFunctions:
    """A function from question to reply."""

    @pytest.mark.parametrize(
        ("value", "kind"), [({"sql": SQL}, EventKind.QUERY), ([(1,)], EventKind.ROWS), ({"decline": "ambiguous"}, EventKind.DECLINE)]
    )
    def test_may_give_more_than_text(self, value: Any, kind: EventKind) -> None:
        answer = ask_function(lambda _question: value)
        assert (answer.error, [part.kind for part in answer.events]) == (None, [kind])

    def test_are_told_who_asks_when_they_take_it(self) -> None:
        seen: list[tuple[str, str]] = []

        def agent(_question: str, *, role: str, region: str = "") -> str:
            seen.append((role, region))
            return "1"

        ask_function(agent, a_question(role="finance", region="oseania"))
        assert seen == [("finance", "oseania")]

    def test_parameters_of_these_names_are_left_alone_for_an_ordinary_question(self) -> None:
        item = Item.model_validate({"id": "x", "question": "?", "role": "notaris", "expected": {"must_include": ["Ya"]}})
        assert ask_function(lambda _question, role="its own": role, item).text == "its own"

    @pytest.mark.parametrize("value", [[(1,), (1, 2)], [(10**5000,)], {"rows": [({"a": object},), (1, 2)]}, {"sql": 1.5j}])
    def test_that_give_what_cannot_be_read_answer_with_why(self, value: Any) -> None:
        """fd-074, field/security 1."""
        answer = ask_function(lambda _question: value)
        assert answer.error is None
        with pytest.raises(UnreadableReply, match="the agent's reply cannot be read: "):
            read_rows(*answer.of_kind(EventKind.ROWS))


def test_a_recording_holds_queries_rows_and_declines(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    lines = [{"question_id": "a", "sql": SQL}, {"item_id": "b", "rows": [[1]], "answer": "One."}, {"item_id": "c", "decline": True}]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    answers = read_recording(path)
    assert {name: [part.kind for part in answer.events] for name, answer in answers.items()} == {
        "a": [EventKind.QUERY],
        "b": [EventKind.ROWS],
        "c": [EventKind.DECLINE],
    }
    assert answers["b"].text == "One."


class TestSchemaOnly:
    """A model that sees the schema and the question, and nothing of the contract."""

    def ask(self, warehouse: Warehouse | None, script: Script, item: Item | None = None, **target: Any) -> tuple[Answer, ScriptedServer]:
        async def main() -> tuple[Answer, ScriptedServer]:
            async with ScriptedServer(script) as server:
                url = {} if target.get("path") and not target.get("record") else {"url": f"{server.url}/v1", "stream": False}
                wired = {"public": {"kind": "schema-only", **url, **target}}
                settings, _ = load_settings(overrides={"targets": wired, "judge_url": "off"}, environ={})
                opened = open_target("public", settings, stored_answers=lambda _run: {}, warehouse=warehouse)
                assert opened is not None
                async with opened:
                    return await opened.ask(item or a_question(), SESSION), server

        return asyncio.run(main())

    def test_its_sql_becomes_the_query_of_the_answer(self, warehouse: Warehouse) -> None:
        answer, server = self.ask(warehouse, completion(f"```sql\n{SQL}\n```"))
        assert answer.of_kind(EventKind.QUERY) == (SQL,)
        messages = server.requests[0].json["messages"]
        assert messages == schema_only_messages(describe_schema(warehouse), QUESTION)
        assert "sales\n  net INTEGER" in messages[1]["content"]

    def test_a_reply_without_a_query_stays_text(self, warehouse: Warehouse) -> None:
        answer, _ = self.ask(warehouse, completion("Which year do you mean?"))
        assert (answer.text, answer.events) == ("Which year do you mean?", ())

    def test_a_recording_replays_what_was_recorded_without_asking(self, warehouse: Warehouse, tmp_path: Path) -> None:
        path = tmp_path / "replies.jsonl"
        recorded, _ = self.ask(warehouse, completion(SQL), path=str(path), record=True)
        again, server = self.ask(warehouse, completion("SELECT 2"), path=str(path), record=True)
        replayed, _ = self.ask(warehouse, completion("SELECT 3"), path=str(path))
        assert recorded.events == again.events == replayed.events == (Event(EventKind.QUERY, SQL),)
        assert server.requests == []

    def test_another_question_is_not_answered_from_a_recording(self, warehouse: Warehouse, tmp_path: Path) -> None:
        path = tmp_path / "replies.jsonl"
        self.ask(warehouse, completion(SQL), path=str(path), record=True)
        answer, _ = self.ask(warehouse, completion(SQL), a_question(question=f"{QUESTION} Net."), path=str(path))
        assert "no reply to this prompt is recorded" in (answer.error or "")

    def test_another_schema_is_not_answered_from_a_recording(self, warehouse: Warehouse) -> None:
        assert schema_only_messages("a", "q") != schema_only_messages("b", "q")

    def test_without_a_warehouse_it_cannot_be_set_up(self) -> None:
        with pytest.raises(TargetError, match="set warehouse"):
            self.ask(None, completion(SQL))

    def test_a_recording_that_cannot_be_read_is_refused_with_its_lines(self, warehouse: Warehouse, tmp_path: Path) -> None:
        path = tmp_path / "replies.jsonl"
        path.write_text('{"prompt": "x", "reply": "y"}\n{"prompt": 3}\nnonsense\n', encoding="utf-8")
        with pytest.raises(TargetError, match=r"replies.jsonl:2: .*\n.*replies.jsonl:3: "):
            self.ask(warehouse, completion(SQL), path=str(path))
