"""Answers given before, as a target."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from goldenlib.answers import Answer
from goldenlib.driving.recorded import RecordedTarget, question_key, read_recording
from goldenlib.errors import TargetError
from goldenlib.items import Item
from tests.builders import an_item


def recorded(answers: dict[str, Answer], item: Item | None = None, seen: list[str] | None = None) -> Answer:
    async def main() -> Answer:
        async with RecordedTarget(answers) as target:
            return await target.ask(item or an_item(), "s", seen.append if seen is not None else None)

    return asyncio.run(main())


def a_file(folder: Path, *lines: object) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return path


def problems_of(folder: Path, *lines: object) -> list[str]:
    with pytest.raises(TargetError) as caught:
        read_recording(a_file(folder, *lines))
    return str(caught.value).replace(f"{folder}/", "").split("\n")


def test_a_recorded_answer_comes_back_as_it_was() -> None:
    seen: list[str] = []
    answer = Answer("Ya.", seconds=1.5, first_content_seconds=0.5, attempts=2)
    assert recorded({"pt-syarat": answer}, seen=seen) is answer
    assert seen == ["Ya."]


def test_a_recorded_error_comes_back_as_it_was() -> None:
    answer = Answer("Bia", "the stream broke")
    assert recorded({"pt-syarat": answer}) is answer


def test_an_item_without_an_answer_is_an_error() -> None:
    assert recorded({"other": Answer("Ya.")}) == Answer(error="no recorded answer for this item", attempts=0)


@pytest.mark.parametrize("text", ["", "  ", "\u200b"])
def test_an_empty_recorded_answer_is_an_error(text: str) -> None:
    assert recorded({"pt-syarat": Answer(text)}).error == "the answer is empty"


def test_half_a_character_in_a_recording_is_an_error_that_can_be_stored(tmp_path: Path) -> None:
    answer = recorded(read_recording(a_file(tmp_path, '{"item_id": "pt-syarat", "answer": "a\\ud83d"}')))
    assert (answer.text, answer.error) == ("a?", "the answer holds half a character (a lone surrogate)")


def test_a_recording_is_read_by_id_or_by_question(tmp_path: Path) -> None:
    answers = read_recording(
        a_file(
            tmp_path,
            {"item_id": "a", "answer": "A"},
            {"id": "b", "text": "B"},
            "",
            {"question": "Apa  SAJA syarat mendirikan PT perorangan?", "answer": "C"},
            {"item_id": "d", "error": "broke", "answer": "D"},
            {"item_id": "e", "error": "broke"},
            {"item_id": "f", "error": None, "answer": "F"},
            {"item_id": "g", "error": "", "answer": "G"},
        )
    )
    assert {key: (answer.text, answer.error) for key, answer in answers.items()} == {
        "a": ("A", None),
        "b": ("B", None),
        question_key("apa saja syarat mendirikan pt perorangan?"): ("C", None),
        "d": ("D", "broke"),
        "e": ("", "broke"),
        "f": ("F", None),
        "g": ("G", None),
    }
    assert recorded(answers).text == "C"
    assert recorded(answers, an_item("a")).text == "A"  # the id goes before the question


def test_lines_end_at_line_feeds_only(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes('\ufeff{"item_id": "a", "answer": "x\u2028y\u0085z"}\r\n\r\n{"item_id": "b", "answer": "B"}\r\n'.encode())
    assert {key: answer.text for key, answer in read_recording(path).items()} == {"a": "x\u2028y\u0085z", "b": "B"}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "is not JSON: "),
        ("[" * 100_000, "is not JSON: "),
        ("[]", "expected an object with item_id and answer"),
        ({"answer": "A"}, "needs item_id or question, as text"),
        ({"item_id": 7, "answer": "A"}, "needs item_id or question, as text"),
        ({"item_id": "a"}, "needs answer, as text"),
        ({"item_id": "a", "answer": None}, "needs answer, as text"),
        ({"item_id": "a", "answer": 17}, "needs answer, as text"),
        ({"item_id": "ok", "answer": "twice"}, "a second answer for 'ok'; keep one"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(line: Any, problem: str, tmp_path: Path) -> None:
    (said,) = problems_of(tmp_path, {"item_id": "ok", "answer": "A"}, "", line)
    assert said.startswith(f"answers.jsonl:3: {problem}")


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    assert [said.split(": ")[0] for said in problems_of(tmp_path, "{", {"item_id": "a", "answer": "A"}, "[]")] == [
        "answers.jsonl:1",
        "answers.jsonl:3",
    ]


def test_bad_utf8_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(b'{"item_id": "a", "answer": "A"}\n{"item_id": "b", "answer": "\xff"}\n')
    with pytest.raises(TargetError, match=r"answers\.jsonl:2: is not UTF-8"):
        read_recording(path)


def test_a_file_without_answers_or_no_file_at_all_is_told(tmp_path: Path) -> None:
    assert problems_of(tmp_path, "", "") == ["answers.jsonl: holds no answers; expected one JSON object a line, with item_id and answer"]
    with pytest.raises(TargetError, match="cannot be read as a recording: No such file or directory"):
        read_recording(tmp_path / "none.jsonl")
    with pytest.raises(TargetError, match="cannot be read as a recording: Is a directory"):
        read_recording(tmp_path)


def test_a_recorded_answer_with_a_key_twice_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"item_id": "a", "answer": "Ya."}\n{"item_id": "b", "answer": "Ya.", "answer": "Tidak."}\n')
    with pytest.raises(TargetError, match=r"r\.jsonl:2: is not JSON: an object has the key 'answer' twice"):
        read_recording(tmp_path / "r.jsonl")
