"""Word lists: each file that words stand in has the shape that its readers want, the same keys in both languages, and is read late."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import goldenlib
from goldenlib.exchange.itemfields import FIELDS, plain
from goldenlib.languages import Language
from goldenlib.wordlists import WordLists

PACKAGE = Path(goldenlib.__file__).parent
SENTENCES = PACKAGE / "languages"  # which tests/test_languages.py looks at
FILES = sorted(
    path for path in PACKAGE.rglob("*.yaml") if "_shipped" not in path.parts and (path.parent != SENTENCES or path.stem == "counting")
)
LANGUAGES = set(Language)
SENTENCE = re.compile(r"[.,|()*]")  # what a sentence or an expression has, and words alone have not
by_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())


class _Once(yaml.CBaseLoader):
    """Reads a file as WordLists does, and refuses a key that is there twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"{node.start_mark}: a key stands here twice"
        return super().construct_mapping(node, deep)


def read(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), _Once)


def branches(node: Any, at: str) -> Iterator[tuple[str, Any]]:
    yield at, node
    if isinstance(node, dict | list):
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield from branches(value, f"{at}/{key}")


@by_file
def test_a_file_says_at_its_top_what_it_is_for(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("# ")


def test_every_file_of_words_is_on_the_page_for_those_who_open_it() -> None:
    told = set(re.findall(r"`([\w/.]+\.(?:yaml|sql))`", (PACKAGE.parent / "docs" / "words.md").read_text(encoding="utf-8")))
    there = [path for path in PACKAGE.rglob("*") if path.suffix in (".yaml", ".sql") and "_shipped" not in path.parts]
    assert told == {path.relative_to(PACKAGE).as_posix() for path in there}


@by_file
def test_a_file_holds_nothing_but_lists_and_texts_and_no_empty_one(path: Path) -> None:
    wrong = [at for at, node in branches(read(path), path.stem) if not isinstance(node, dict | list | str) or (not node and node != "")]
    assert wrong == []


@by_file
def test_no_word_stands_twice_in_a_list(path: Path) -> None:
    for at, node in branches(read(path), path.stem):
        is_words = isinstance(node, str) and not re.search(r"(\d|/means|/do)$", at) and not SENTENCE.search(node)
        entries = node.split() if is_words else list(map(str, node)) if isinstance(node, list) else []
        assert sorted(set(entries)) == sorted(entries), at


@by_file
def test_what_has_one_language_has_both(path: Path) -> None:
    for at, node in branches(read(path), path.stem):
        if isinstance(node, dict) and LANGUAGES & set(node) and all(len(key) == 2 for key in node):
            assert set(node) == LANGUAGES, at


@by_file
def test_every_list_is_read_by_a_module_and_none_is_wanted_in_vain(path: Path) -> None:
    sources = [source.read_text(encoding="utf-8") for source in PACKAGE.rglob("*.py")]
    readers = [source for source in sources if re.search(rf'WordLists\.of\(\S+, "{path.stem}"\)', source)]
    assert readers, f"nobody reads {path.name}"
    unread = [key for key in read(path) if key not in LANGUAGES and not any(re.search(rf"[\"']{key}[\"']", source) for source in readers)]
    assert unread == []


@pytest.mark.parametrize("parser", ["yaml", "json"])
def test_what_a_parser_says_is_told_with_what_it_means_and_the_way_out(parser: str) -> None:
    places = {"{char}", "{pair}", "{word}", "{start}", "{most}"} if parser == "yaml" else set()
    for words, told in WordLists.of("goldenlib.files", "parsers").raw(parser).items():
        assert {"means", "do"} <= set(told) <= {"means", "do", "at"}, words
        assert set(re.findall(r"\{\w+\}", told["means"] + told["do"])) <= places, words
        assert told.get("at", "start") == "start", words


def test_the_names_of_a_column_mean_one_field_only() -> None:
    names = [plain(name) for field in FIELDS for name in (field.name, *field.others)]
    assert sorted(set(names)) == sorted(names)


def test_a_column_says_nothing_but_its_path_form_and_names() -> None:
    for name, told in WordLists.of("goldenlib.exchange", "columns").raw("fields").items():
        assert set(told) <= {"path", "form", "names"}, name


def test_a_list_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError, match="negatrs"):
        WordLists.of("goldenlib.hazards", "denials").words("negatrs", "id")


def test_words_that_yaml_takes_for_something_else_stay_words() -> None:
    assert "no" in WordLists.of("goldenlib.hazards", "denials").set("negators", "en")


@pytest.mark.parametrize("command", [["--help"], ["validate", "golden/example.yaml"]])
def test_commands_that_look_for_no_words_read_no_list(command: list[str]) -> None:
    code = (
        "import sys\nopened = []\nsys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == 'open' else None)\n"
        f"from goldenlib.cli import main\nsys.argv = ['golden', *{command!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in opened if name.startswith({str(PACKAGE)!r}) and name.endswith('.yaml')], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert done.stderr.splitlines()[-1] == "[]"
