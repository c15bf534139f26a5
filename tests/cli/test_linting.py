"""`golden lint`: text and JSON, exit codes, stores."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from goldenlib.answers import Answer, Result
from goldenlib.cli.lint import run_lint
from goldenlib.errors import InputError
from goldenlib.hazards import WordList
from tests.builders import a_result
from tests.golden_files import an_item_text, write

EXAMPLE = Path(__file__).parents[2] / "golden" / "example.yaml"
QUESTION = "Apa?"  # of an item of `an_item_text`
NEVER = "expected: {must_include: [tidak wajib akta], must_not_include: [wajib akta], rubric: r}"


class Answers:
    """Stored answers to every item."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    def item_answers(self, item_id: str, limit: int = 20, *, series: str | None = None) -> tuple[Result, ...]:
        return tuple(a_result(item_id, text, question=QUESTION) for text in self.texts[:limit])


def test_without_errors_the_exit_code_is_0(tmp_path: Path) -> None:
    assert run_lint([write(tmp_path, an_item_text())]).exit_code == 0


def test_an_item_that_can_never_pass_makes_it_1(tmp_path: Path) -> None:
    assert run_lint([write(tmp_path, an_item_text(NEVER))]).exit_code == 1


def test_files_that_do_not_load_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        run_lint([write(tmp_path, "items: []")])


def test_the_text_names_item_place_code_and_way_out(tmp_path: Path) -> None:
    path = write(tmp_path, an_item_text(NEVER))
    text = run_lint([path], language="en").text
    assert f"a  ({path}:2)" in text
    assert "✗ error, forbidden-in-required, must_not_include:" in text
    assert "→ Remove the forbidden phrase" in text
    assert text.endswith("errors: 1, warnings: 1, notes: 0; items: 1")


def test_the_text_is_indonesian_unless_asked_otherwise(tmp_path: Path) -> None:
    assert run_lint([write(tmp_path, an_item_text(NEVER))]).text.endswith("1 kesalahan, 1 peringatan, 0 catatan dalam 1 butir")


def test_nothing_to_say_is_said(tmp_path: Path) -> None:
    assert run_lint([write(tmp_path, an_item_text())], language="en").text == "nothing to look at"


def test_json_holds_the_findings(tmp_path: Path) -> None:
    output = run_lint([write(tmp_path, an_item_text(NEVER))], as_json=True, language="en")
    content = json.loads(output.text)
    assert list(content) == ["findings"]
    assert content["findings"][0]["code"] == "forbidden-in-required"
    assert content["findings"][0]["severity"] == "error"
    assert isinstance(content["findings"][0]["evidence"], list)


def test_what_only_the_raw_text_shows_is_among_them(tmp_path: Path) -> None:
    path = write(tmp_path, "items:\n- id: a\n  question: Apa formulir nomor #2?\n  expected: {rubric: r}\n")
    assert "cut-by-yaml" in run_lint([path]).text


def test_acceptances_of_the_raw_text_are_looked_at_too(tmp_path: Path) -> None:
    accepted = "  accepted:\n  - {code: cut-by-yaml, phrase: Apa formulir nomor, reason: r}\n  - {code: comma-in-list, reason: r}\n"
    path = write(tmp_path, "items:\n- id: a\n  question: Apa formulir nomor #2?\n  expected: {rubric: r}\n" + accepted)
    codes = [finding["code"] for finding in json.loads(run_lint([path], as_json=True).text)["findings"]]
    assert codes == ["looks-cut", "unneeded-acceptance"]


def test_a_json_set_is_linted_too(tmp_path: Path) -> None:
    text = '{"role": "r", "cases": [{"question": "Apa?", "must_include": ["5 tahun"]}]}'
    assert "edge-digits" in run_lint([write(tmp_path, text, "set.json")]).text


def test_folders_are_linted(tmp_path: Path) -> None:
    write(tmp_path, an_item_text(NEVER))
    write(tmp_path, an_item_text(NEVER, "b"), "other.yaml")
    found = json.loads(run_lint([tmp_path], as_json=True).text)["findings"]
    assert [finding["item_id"] for finding in found if finding["code"] == "forbidden-in-required"] == ["b", "a"]


def test_a_store_adds_what_answers_say(tmp_path: Path) -> None:
    path = write(tmp_path, an_item_text("expected: {must_include: [pernyataan pendirian], rubric: r}"))
    text = run_lint([path], language="en", store=Answers(["Isi formulir."] * 5)).text
    assert "“pernyataan pendirian” is in none of the last 5 answers" in text


def test_a_broken_answer_is_no_evidence(tmp_path: Path) -> None:
    class Broken(Answers):
        def item_answers(self, item_id: str, limit: int = 20, *, series: str | None = None) -> tuple[Result, ...]:
            return (a_result(item_id, answer=Answer("Isi", error="broke off"), question=QUESTION),) * 5

    path = write(tmp_path, an_item_text("expected: {must_include: [pernyataan pendirian], rubric: r}"))
    assert "never-present" not in run_lint([path], store=Broken([])).text


def test_a_missing_word_list_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WordList, "load", lambda: WordList({"id": {}, "en": {}}, is_complete=False))
    path = write(tmp_path, an_item_text())
    assert "wordfreq is not installed" in run_lint([path], language="en").text
    assert "wordfreq is not installed" in json.loads(run_lint([path], as_json=True, language="en").text)["notes"][0]


def test_the_shipped_set_lints_clean() -> None:
    assert run_lint([EXAMPLE]).exit_code == 0
