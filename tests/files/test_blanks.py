"""Blanks that are none to YAML: named with their place where they break a file, and left alone in texts."""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

import pytest

from goldenlib.config.settings import load_settings
from goldenlib.editing import read_source
from goldenlib.errors import InputError, SettingsError
from goldenlib.files.loading import load_set

SPACES = [chr(number) for number in range(sys.maxunicode + 1) if unicodedata.category(chr(number)) == "Zs" and number != 0x20]
BLANKS = [*SPACES, "\u200b", "\u2060"]
GOOD = "items:\n  - id: a\n    question: Apa?\n    expected: {must_include: [x]}\n"
# Where a blank breaks the file, with its line and column.
PLACES = {
    "before a dash": (GOOD.replace("  - id", "@@- id"), 2, 1),
    "behind a dash": (GOOD.replace("- id", "-@id"), 2, 4),
    "before a key": (GOOD.replace("    question", "   @question"), 3, 4),
    "behind a key": (GOOD.replace("question:", "question@:"), 3, 13),
    "behind a colon": (GOOD.replace("id: a", "id:@a"), 2, 8),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("blank", BLANKS, ids=lambda blank: f"U+{ord(blank):04X}")
def test_a_blank_in_the_structure_is_named_with_its_place(blank: str, place: str, tmp_path: Path) -> None:
    """fd-051."""
    text, line, column = PLACES[place]
    path = tmp_path / "ahu.yaml"
    path.write_text(text.replace("@", blank), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_set(path)
    assert f"{path}:{line}:{column}: " in (told := str(caught.value))
    assert f"a blank that is no space to YAML: U+{ord(blank):04X} ({unicodedata.name(blank).lower()}); put an ordinary space there" in told


@pytest.mark.parametrize("place", ["before a dash", "behind a dash", "behind a colon"])
def test_such_a_file_is_not_opened_for_editing_as_if_it_were_empty(place: str, tmp_path: Path) -> None:
    text, line, column = PLACES[place]
    path = tmp_path / "ahu.yaml"
    path.write_text(text.replace("@", "\u00a0"), encoding="utf-8")
    with pytest.raises(InputError, match=rf"ahu\.yaml:{line}:{column}: a blank that is no space to YAML: U\+00A0"):
        read_source(path)


@pytest.mark.parametrize("blank", BLANKS, ids=lambda blank: f"U+{ord(blank):04X}")
def test_in_a_text_it_may_stand(blank: str, tmp_path: Path) -> None:
    path = tmp_path / "ahu.yaml"
    path.write_text(GOOD.replace("Apa?", f"Apa{blank}itu?") + f"    note: |\n      satu\n      {blank}dua\n", encoding="utf-8")
    (item,) = load_set(path)
    assert (item.question, item.note) == (f"Apa{blank}itu?", f"satu\n{blank}dua\n")


@pytest.mark.parametrize(
    "text", ["rag_quality:\n\u00a0\u00a0judge_model: qwen\n", "rag_quality:\n  judge_model:\u00a0qwen\n  judge_url: off\n"]
)
def test_a_configuration_names_it_too(text: str, tmp_path: Path) -> None:
    path = tmp_path / "golden.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=r"golden\.yaml:2:\d+: a blank that is no space to YAML: U\+00A0 \(no-break space\)"):
        load_settings(path, environ={}, asks=False)
