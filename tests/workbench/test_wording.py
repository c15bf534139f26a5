"""The words of the page: both languages have them all, and the page asks for none that is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import goldenlib.workbench
from goldenlib.items import Item
from goldenlib.languages import Language, texts
from goldenlib.workbench.actions import ACTIONS
from goldenlib.workbench.fields import EDITABLE
from goldenlib.workbench.itemlist import STATES, ItemState
from goldenlib.workbench.phrasing import Wording

FOLDER = Path(goldenlib.workbench.__file__).parent
PAGE = (FOLDER / "panel.js").read_text(encoding="utf-8")
CODE = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
GAP = re.compile(r"\{(\w+)\}")
INDONESIAN, ENGLISH = (texts("workbench", language) for language in Language)


def test_every_sentence_is_there_in_both_languages() -> None:
    assert list(INDONESIAN) == list(ENGLISH)


@pytest.mark.parametrize("name", INDONESIAN)
def test_both_languages_leave_the_same_gaps(name: str) -> None:
    assert set(GAP.findall(INDONESIAN[name])) == set(GAP.findall(ENGLISH[name]))


def test_the_page_asks_for_no_word_that_is_missing() -> None:
    asked = set(re.findall(r'\bt\("(\w+)"', PAGE)) | set(re.findall(r'"(problem_\w+|\w+_note)"', CODE))
    assert asked <= set(INDONESIAN)


def test_the_words_that_are_put_together_are_there() -> None:
    made = [f"state_{state}" for state in ItemState] + [f"short_{state}" for state in ItemState] + [f"filter_{name}" for name in STATES]
    made += [f"field_{path.removeprefix('expected.').replace('.', '_')}" for path in EDITABLE]
    made += [f"field_{name}" for name in Item.model_fields if name not in ("expected", "id")]
    made += [f"undo_{what}" for what in ("edit", "new", "delete", "discard", "rename", "accept")]
    made += [f"mutation_{kind}" for kind in ("empty", "refusal", "echo", "denial", "other")]
    assert set(made) <= set(INDONESIAN)


def test_the_page_sends_only_messages_that_are_handled() -> None:
    sent = set(re.findall(r'\b(?:this\.send|press)\("(\w+)"', PAGE))
    assert sent <= set(ACTIONS)
    assert set(ACTIONS) <= sent


def test_the_page_makes_no_markup_of_data_and_loads_nothing() -> None:
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(", "import(", "http://", "https://"):
        assert word not in PAGE
    assert "@import" not in (FOLDER / "panel.css").read_text()
    assert "url(" not in (FOLDER / "panel.css").read_text()


# What a lawyer would read otherwise, or a person who does not write YAML would not know (field/wording-id, field/workbench "Language").
NOT_FOR_EXPERTS = re.compile(
    r"\bkontrak|pertanyaan emas|\bputusan\b|\bpakar\b|\bpengecualian\b|gagal fakta|\bkena\b|cuma-cuma|\bmenua\b|\bgerbang\b|di-commit"
    r"|\bmust_|\breview\.|golden set|\bKernel\b|\bId\b|\bUTC\b",
    re.IGNORECASE,
)


def _sentences() -> list[str]:
    hazards = texts("hazards", "id")
    told = [text for variants in hazards["codes"].values() for said in variants.values() for text in said.values()]
    return [*told, *hazards["facts"].values(), *INDONESIAN.values()]


def test_the_indonesian_page_says_no_raw_key_and_no_word_that_means_something_else() -> None:
    found = {text: word for text in _sentences() for word in NOT_FOR_EXPERTS.findall(GAP.sub("", text)) if word != "ID"}
    assert found == {}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("HTTP 503: busy (after 3 attempts)", "layanan menjawab dengan kode kesalahan HTTP 503: busy (setelah 3 percobaan)"),
        ("Extra inputs are not permitted", "isian ini tidak dikenal"),
        ("ahu.yaml:3:1: duplicate key 'id'; keep one of them", "ahu.yaml:3:1: kunci ‘id’ ganda; simpan salah satu"),
        ("set.yaml: is read-only and was not overwritten", "set.yaml: tidak boleh ditulis, dan tidak diubah"),
        ("[Errno 28] No space left on device: '/x'", "disk penuh: '/x'"),
        ("ahu @ chatbot.example | facts only", "ahu @ chatbot.example | hanya fakta"),
        ("missing 'a'\nsomething else", "tidak menyebut ‘a’\nsomething else"),
    ],
)
def test_what_the_library_says_is_told_in_the_language_of_the_page(said: str, told: str) -> None:
    assert Wording.of("id").retell(said) == told
    assert Wording.of("en").retell(said) == said
