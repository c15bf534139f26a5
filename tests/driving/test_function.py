"""A Python function as a target."""

from __future__ import annotations

import asyncio
import functools
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goldenlib.answers import Answer
from goldenlib.driving.function import FunctionTarget, load_function
from goldenlib.errors import TargetError
from tests.builders import an_item
from tests.driving.asking import quick

QUESTION = "Apa saja syarat mendirikan PT perorangan?"


def ask_function(function: Callable[..., Any], **settings: Any) -> Answer:
    async def main() -> Answer:
        async with FunctionTarget(function, quick(**settings)) as target:
            return await target.ask(an_item(), "golden-run-1-pt-syarat")

    return asyncio.run(main())


async def answers_async(question: str) -> str:
    await asyncio.sleep(0)
    return f"async: {question}"


class Bot:
    def __call__(self, question: str) -> str:
        return f"object: {question}"

    async def ask(self, question: str) -> str:
        return f"method: {question}"


def raising(error: BaseException) -> Callable[[str], str]:
    def function(_: str) -> str:
        raise error

    return function


def raising_async(error: BaseException) -> Callable[[str], Any]:
    async def function(_: str) -> str:
        raise error

    return function


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda question: f"sync: {question}", f"sync: {QUESTION}"),
        (answers_async, f"async: {QUESTION}"),
        (functools.partial(answers_async), f"async: {QUESTION}"),
        (lambda question: answers_async(question), f"async: {QUESTION}"),
        (Bot(), f"object: {QUESTION}"),
        (Bot().ask, f"method: {QUESTION}"),
        (lambda _: "0", "0"),
    ],
)
def test_a_function_of_any_kind_answers_the_question(function: Callable[[str], Any], text: str) -> None:
    answer = ask_function(function)
    assert (answer.text, answer.error, answer.attempts) == (text, None, 1)


def test_a_sync_function_runs_in_a_thread_so_that_others_go_on() -> None:
    both_are_here = threading.Barrier(2, timeout=5)

    def function(question: str) -> str:
        both_are_here.wait()
        return question

    async def main() -> list[Answer]:
        async with FunctionTarget(function, quick()) as target:
            return await asyncio.gather(*(target.ask(an_item(), "s") for _ in range(2)))

    assert [answer.error for answer in asyncio.run(main())] == [None, None]


def test_no_more_calls_run_at_once_than_the_settings_say() -> None:
    running, most = 0, 0

    async def function(question: str) -> str:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001)
        running -= 1
        return question

    async def main() -> None:
        async with FunctionTarget(function, quick(golden_concurrency=3)) as target:
            await asyncio.gather(*(target.ask(an_item(), "s") for _ in range(20)))

    asyncio.run(main())
    assert most == 3


@pytest.mark.parametrize("kind", [raising, raising_async])
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("no index"), "ValueError: no index"),
        (TimeoutError("upstream"), "TimeoutError: upstream"),
        (KeyError("x"), "KeyError: 'x'"),
        (StopIteration("over"), "StopIteration"),
        (SystemExit(3), "SystemExit: 3"),
        (asyncio.CancelledError("by itself"), "CancelledError: by itself"),
        (RecursionError("deep"), "RecursionError: deep"),
    ],
)
def test_what_the_function_raises_is_the_reason(
    kind: Callable[[BaseException], Callable[[str], Any]], error: BaseException, said: str
) -> None:
    answer = ask_function(kind(error))
    assert answer.text == ""
    assert (answer.error or "").startswith("the function raised ")
    assert said in (answer.error or "")


@pytest.mark.parametrize(
    ("value", "kind"), [(None, "NoneType"), (b"x", "bytes"), (1, "int"), (["x"], "list"), (iter("x"), "str_ascii_iterator")]
)
def test_what_is_no_text_is_named(value: object, kind: str) -> None:
    error = ask_function(lambda _: value).error or ""
    assert error.startswith("the function returned ")
    assert error.endswith(", expected text")
    assert kind[:3] in error


@pytest.mark.parametrize("text", ["", " \n", "\u200b"])
def test_a_text_that_shows_nothing_is_an_error(text: str) -> None:
    assert ask_function(lambda _: text).error == "the answer is empty"


def test_half_a_character_is_an_error_that_can_be_stored() -> None:
    answer = ask_function(lambda _: "a\ud83d")
    assert (answer.text, answer.error) == ("a?", "the answer holds half a character (a lone surrogate)")
    assert (ask_function(raising(ValueError("\ud83d"))).error or "").endswith("ValueError: ?")


def test_a_text_over_the_limit_is_an_error() -> None:
    told = "the answer has more than 20 bytes; chatbot_max_answer_bytes lets larger ones be read"
    assert ask_function(lambda _: "x" * 30, chatbot_max_answer_bytes=20).error == told


def test_a_function_that_hangs_is_cut_by_the_deadline() -> None:
    over = threading.Event()

    def hangs(_: str) -> str:
        over.wait(10)
        return "late"

    async def hangs_async(_: str) -> str:
        await asyncio.Event().wait()
        return "never"

    begun = time.monotonic()
    for function in (hangs, hangs_async):
        assert ask_function(function, chatbot_timeout_s=0.1).error == "the function did not return within 0.1 s"
    assert time.monotonic() - begun < 2
    over.set()  # the thread finds its loop closed, and ends quietly


def test_cancelling_a_run_cancels_the_call() -> None:
    async def main() -> None:
        async with FunctionTarget(raising_waits, quick()) as target:
            task = asyncio.create_task(target.ask(an_item(), "s"))
            await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    async def raising_waits(_: str) -> str:
        await asyncio.Event().wait()
        return "never"

    asyncio.run(main())


# --- finding the function ---


def test_a_function_is_found_by_module_and_name() -> None:
    assert load_function("json:dumps")("x") == '"x"'
    assert load_function("json:JSONDecoder.decode").__name__ == "decode"


def test_a_module_of_the_working_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_bot_of_ours.py").write_text("def ask(question):\n    return 'Ya.'\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["/nowhere"])
    assert load_function("a_bot_of_ours:ask")("?") == "Ya."


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("", "write it as module:callable"),
        ("json", "write it as module:callable"),
        ("json:", "write it as module:callable"),
        (":ask", "write it as module:callable"),
        ("no_such_module_here:ask", "cannot import no_such_module_here: ModuleNotFoundError"),
        ("json:no_such_function", "json has no no_such_function"),
        ("json:dumps.no_such_part", "json has no dumps.no_such_part"),
        ("json:__name__", "is a str, not callable"),
        (".json:dumps", "cannot import .json: TypeError"),
    ],
)
def test_a_reference_that_leads_nowhere_is_told_before_the_first_item(reference: str, said: str) -> None:
    with pytest.raises(TargetError) as caught:
        load_function(reference)
    assert f"target function {reference!r}: {said}" in str(caught.value)


@pytest.mark.parametrize("source", ["def ask(:\n", "1 / 0\n", "import sys; sys.nothing\n"])
def test_a_module_that_fails_on_import_is_told_with_its_reason(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"broken_bot_{abs(hash(source))}"
    (tmp_path / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(TargetError, match=f"cannot import {name}: (SyntaxError|ZeroDivisionError|AttributeError)"):
        load_function(f"{name}:ask")
