"""The words of the page: both languages have them all, and the page asks for none that is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import goldenlib.workbench
from goldenlib.items import Item
from goldenlib.workbench import wording_en, wording_id
from goldenlib.workbench.actions import ACTIONS
from goldenlib.workbench.fields import EDITABLE
from goldenlib.workbench.listing import STATES, State

FOLDER = Path(goldenlib.workbench.__file__).parent
PAGE = (FOLDER / "panel.js").read_text(encoding="utf-8")
CODE = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
GAP = re.compile(r"\{(\w+)\}")


def test_every_sentence_is_there_in_both_languages() -> None:
    assert list(wording_id.TEXTS) == list(wording_en.TEXTS)


@pytest.mark.parametrize("name", wording_id.TEXTS)
def test_both_languages_leave_the_same_gaps(name: str) -> None:
    assert set(GAP.findall(wording_id.TEXTS[name])) == set(GAP.findall(wording_en.TEXTS[name]))


def test_the_page_asks_for_no_word_that_is_missing() -> None:
    asked = set(re.findall(r'\bt\("(\w+)"', PAGE)) | set(re.findall(r'"(problem_\w+|\w+_note)"', CODE))
    assert asked <= set(wording_id.TEXTS)


def test_the_words_that_are_put_together_are_there() -> None:
    made = [f"state_{state}" for state in State] + [f"short_{state}" for state in State] + [f"filter_{name}" for name in STATES]
    made += [f"field_{path.removeprefix('expected.').replace('.', '_')}" for path in EDITABLE]
    made += [f"field_{name}" for name in Item.model_fields if name not in ("expected", "id")]
    made += [f"undo_{what}" for what in ("edit", "new", "delete", "discard", "rename", "accept")]
    made += [f"mutation_{kind}" for kind in ("empty", "refusal", "echo", "denial", "other")]
    assert set(made) <= set(wording_id.TEXTS)


def test_the_page_sends_only_messages_that_are_handled() -> None:
    sent = set(re.findall(r'\b(?:this\.send|press)\("(\w+)"', PAGE))
    assert sent <= set(ACTIONS)
    assert set(ACTIONS) <= sent


def test_the_page_makes_no_markup_of_data_and_loads_nothing() -> None:
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(", "import(", "http://", "https://"):
        assert word not in PAGE
    assert "@import" not in (FOLDER / "panel.css").read_text()
    assert "url(" not in (FOLDER / "panel.css").read_text()
