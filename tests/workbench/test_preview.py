"""The live preview, against real servers on loopback: streaming, cancel, time-out, a chatbot that is down, the judge."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goldenlib.workbench import view
from goldenlib.workbench.preview import Phase
from goldenlib.workbench.state import Workbench
from tests.servers import Pause, ScriptedServer, closed_port, content, reply, serving, stream
from tests.workbench.scenes import a_bench, a_handler

PATIENCE_S = 20


@pytest.fixture(autouse=True)
def _the_demo_answers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pauses are for people, who are to see it stream."""
    monkeypatch.setattr("goldenlib.workbench.asking.DEMO_DELAY_S", 0.0)


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that happens in another thread."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


def ask(bench: Workbench, key: str = "pt-akta", times: int = 1) -> None:
    item = bench.item(key)
    assert item is not None
    bench.preview.ask(key, item, times)


def with_an_answered_new_item(folder: Path) -> tuple[Workbench, str]:
    """A workbench with a new item, not saved yet, that the chatbot has answered; and the item's key."""
    bench = a_bench(folder)
    key = bench.add_item()
    bench.set_field(key, "question", "Siapa yang boleh mendirikan PT?")
    bench.set_field(key, "expected.must_include", ["warga negara Indonesia"])
    ask(bench, key)
    until(lambda: not bench.preview.is_running(key))
    return bench, key


def test_the_demo_answers_three_times_without_any_configuration(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    ask(bench, times=3)
    until(lambda: not bench.preview.is_running("pt-akta"))
    shown = view.preview(bench)
    assert [one["phase"] for one in shown["attempts"]] == ["done"] * 3
    assert {"phrase": "pernyataan pendirian", "forbidden": False, "found": 3, "total": 3} in shown["table"]
    bench.close()


def test_asking_returns_at_once_and_the_answer_streams(tmp_path: Path) -> None:
    slow = stream(content("PT perorangan "), Pause(1.5), content("oleh satu orang."))
    with serving(ScriptedServer(slow)) as url:
        bench = a_bench(tmp_path, chatbot_url=url)
        seen: list[str] = []
        bench.preview.on_change = lambda key: seen.append(bench.preview.attempts(key)[0].text)
        started = time.monotonic()
        ask(bench)
        assert time.monotonic() - started < 0.5
        until(lambda: not bench.preview.is_running("pt-akta"))
        assert "PT perorangan " in seen
        assert bench.preview.attempts("pt-akta")[0].text == "PT perorangan oleh satu orang."
        bench.close()


def test_a_cancelled_answer_keeps_what_had_come_and_says_so(tmp_path: Path) -> None:
    with serving(ScriptedServer(stream(content("PT perorangan "), Pause(30)))) as url:
        bench = a_bench(tmp_path, chatbot_url=url)
        ask(bench)
        until(lambda: bench.preview.attempts("pt-akta")[0].text != "")
        bench.preview.cancel("pt-akta", 1)
        attempt = bench.preview.attempts("pt-akta")[0]
        assert (attempt.phase, attempt.text) == (Phase.CANCELLED, "PT perorangan ")
        until(lambda: attempt.task is not None and attempt.task.done())
        assert attempt.phase is Phase.CANCELLED
        bench.close()


def test_a_chatbot_that_is_down_is_an_error_of_the_attempt(tmp_path: Path) -> None:
    bench = a_bench(tmp_path, chatbot_url=f"http://127.0.0.1:{closed_port()}", chatbot_retries=0)
    ask(bench)
    until(lambda: not bench.preview.is_running("pt-akta"))
    (attempt,) = view.preview(bench)["attempts"]
    assert attempt["phase"] == "error"
    assert "tidak tersambung ke" in attempt["error"]
    bench.close()


def test_a_chatbot_that_is_too_slow_runs_into_the_time_limit(tmp_path: Path) -> None:
    with serving(ScriptedServer(stream(content("PT "), Pause(30)))) as url:
        bench = a_bench(tmp_path, chatbot_url=url, chatbot_timeout_s=0.3)
        ask(bench)
        until(lambda: not bench.preview.is_running("pt-akta"))
        assert "0,3 detik" in view.preview(bench)["attempts"][0]["error"]
        bench.close()


def test_a_near_miss_is_told_and_does_not_pass(tmp_path: Path) -> None:
    with serving(ScriptedServer(stream(content("oleh **satu** orang, pernyataan pendirian")))) as url:
        bench = a_bench(tmp_path, chatbot_url=url)
        ask(bench)
        until(lambda: not bench.preview.is_running("pt-akta"))
        (attempt,) = view.preview(bench)["attempts"]
        assert not attempt["ok"]
        assert attempt["findings"] == [{"kind": "missing", "phrase": "satu orang", "near": "**satu** orang"}]
        bench.close()


def test_marks_follow_the_contract_as_it_is_edited(tmp_path: Path) -> None:
    with serving(ScriptedServer(stream(content("pernyataan pendirian oleh satu orang")))) as url:
        bench = a_bench(tmp_path, chatbot_url=url)
        ask(bench)
        until(lambda: not bench.preview.is_running("pt-akta"))
        assert view.preview(bench)["attempts"][0]["ok"]
        bench.set_field("pt-akta", "expected.must_not_include", ["oleh satu orang"])
        assert not view.preview(bench)["attempts"][0]["ok"]
        bench.close()


def test_an_internal_item_says_that_nothing_is_wired(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    ask(bench, "int-jumlah")
    until(lambda: not bench.preview.is_running("int-jumlah"))
    assert "internal" in view.preview(bench, "int-jumlah")["attempts"][0]["error"]
    bench.close()


def test_the_judge_gives_a_verdict_with_its_reason_when_asked(tmp_path: Path) -> None:
    bench = a_bench(tmp_path)
    ask(bench)
    until(lambda: not bench.preview.is_running("pt-akta"))
    item = bench.item("pt-akta")
    assert item is not None
    bench.preview.judge("pt-akta", 1, item)
    until(lambda: (verdict := bench.preview.attempts("pt-akta")[0].verdict) is not None and not verdict.asking)
    verdict = view.preview(bench)["attempts"][0]["verdict"]
    assert verdict["passed"] is not None
    assert "sebuah aturan dan bukan model bahasa" in verdict["reason"]
    bench.close()


def test_answers_go_with_a_new_item_when_it_is_saved_and_never_to_the_next_new_one(tmp_path: Path) -> None:
    bench, key = with_an_answered_new_item(tmp_path)
    bench.save([key])
    assert len(bench.preview.attempts("mendirikan-pt")) == 1
    assert bench.preview.attempts(bench.add_item()) == ()
    bench.close()


def test_answers_of_a_new_item_that_was_dropped_are_not_shown_for_another(tmp_path: Path) -> None:
    bench, key = with_an_answered_new_item(tmp_path)
    bench.discard(key)
    assert bench.preview.attempts(bench.add_item()) == ()
    bench.close()


def test_a_data_agents_query_is_shown_as_its_answer(tmp_path: Path) -> None:
    with serving(ScriptedServer(reply(json.dumps({"sql": "SELECT 42"})))) as url:
        bench = a_bench(tmp_path, targets={"public": {"kind": "json", "url": f"{url}/ask"}})
        bench.set_field("pt-akta", "expected.sql.golden", "SELECT 42")
        ask(bench)
        until(lambda: not bench.preview.is_running("pt-akta"))
        assert bench.preview.attempts("pt-akta")[0].text == "[query] SELECT 42"
        bench.close()


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"expected.must_include": ["x" * 100_000]},
        {"id": "dengan spasi"},
        {"kind": "decline", "decline_type": "?"},
        {"expected.sql.tolerance": "bukan angka"},
    ],
    ids=["nothing to check", "too long a phrase", "a bad id", "a bad choice", "a bad number"],
)
def test_a_question_is_asked_before_anything_says_what_a_right_answer_is(tmp_path: Path, fields: dict[str, Any]) -> None:
    """The guide's own way: ask first, then make phrases of what the chatbot said."""
    handler = a_handler(tmp_path)
    handler.handle({"action": "new"})
    key = handler.key
    handler.handle({"action": "edit", "key": key, "path": "question", "value": "Apakah PT perorangan wajib akta notaris?"})
    for path, value in fields.items():
        handler.handle({"action": "edit", "key": key, "path": path, "value": value})
    patch = handler.handle({"action": "ask"})
    assert "notice" not in patch
    until(lambda: not handler.bench.preview.is_running(key))
    shown = view.preview(handler.bench)["attempts"][0]
    assert (shown["phase"], shown["error"]) == ("done", "")
    assert "akta notaris" in handler.bench.preview.attempts(key)[0].text
    handler.bench.close()


def test_an_answer_to_an_item_with_nothing_to_check_is_neither_right_nor_judged(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "new"})
    handler.handle({"action": "edit", "key": handler.key, "path": "question", "value": "Apakah PT perorangan wajib akta notaris?"})
    assert handler.handle({"action": "ask"})["preview"]["unchecked"] is True
    until(lambda: not handler.bench.preview.is_running(handler.key))
    assert handler.handle({"action": "judge", "number": 1})["notice"]["text"].startswith("Belum ada yang dapat diperiksa")
    picked = handler.handle({"action": "pick", "to": "required", "text": "akta notaris", "key": handler.key})
    assert picked["preview"]["unchecked"] is False
    handler.bench.close()


def test_without_a_question_nobody_is_asked(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "new"})
    assert handler.handle({"action": "ask"})["notice"]["text"] == "Tulis pertanyaannya."
    assert handler.bench.preview.attempts(handler.key) == ()


def test_an_answer_that_was_asked_for_before_the_question_changed_is_not_shown_at_the_signature(tmp_path: Path) -> None:
    handler = a_handler(tmp_path)
    handler.handle({"action": "open", "key": "pt-akta"})
    handler.handle({"action": "ask"})
    until(lambda: not handler.bench.preview.is_running("pt-akta"))
    assert handler.handle({"action": "ask_verify"})["dialog"]["answer"]["from"] == "preview"
    handler.handle({"action": "dismiss"})
    handler.handle({"action": "edit", "key": "pt-akta", "path": "question", "value": "Berapa modal dasar PT?"})
    assert handler.handle({"action": "ask_verify"})["dialog"]["answer"] is None
    handler.bench.close()
