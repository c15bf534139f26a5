"""Pages that are held to the code: the tables of the store, the glossary in both languages, and files that are found from anywhere."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldenlib.languages import sentences, texts
from goldenlib.storage import Store
from goldenlib.storage.tables import metadata

DOCS = Path(__file__).parents[1] / "docs"
STORE_PAGE = (DOCS / "store.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"```sql\n(.*?)```", STORE_PAGE, re.DOTALL)


def _glossary() -> Iterator[tuple[str, str]]:
    for line in (DOCS / "glossary.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and cells[0].startswith("**"):
            yield cells[0], cells[1]


def _said_in_indonesian() -> str:
    told = texts("hazards", "id")
    hazards = [text for variants in told["codes"].values() for said in variants.values() for text in said.values()]
    pages = [path.read_text(encoding="utf-8") for path in (*DOCS.glob("*.id.md"), *DOCS.glob("hazards/*.md"))]
    said = [*texts("workbench", "id").values(), *hazards, *told["severities"].values(), *sentences("id").values(), *pages]
    return "\n".join(said).casefold()


SAID = _said_in_indonesian()


@pytest.mark.parametrize(("english", "indonesian"), list(_glossary()))
def test_the_glossary_names_the_words_that_the_screens_use(english: str, indonesian: str) -> None:
    """field/docs "Language": the glossary had no Indonesian column."""
    absent = [word for word in indonesian.split(", ") if not re.search(rf"\b{re.escape(word.casefold())}", SAID)]
    not_told_yet = {"**leak**", "**data question**"}  # only in pages that are English
    assert english in not_told_yet or absent == []


def test_every_table_and_column_of_the_store_is_described() -> None:
    """field/docs 6: golden_results stood nowhere in README or docs."""
    described = STORE_PAGE[STORE_PAGE.index("tables: begin") : STORE_PAGE.index("tables: end")]
    sections = dict(re.findall(r"## (golden_\w+)\n(.*?)(?=\n## |\Z)", described, re.DOTALL))
    assert set(sections) == set(metadata.tables)
    for name, table in metadata.tables.items():
        told = set(re.findall(r"`(\w+)`", sections[name]))
        assert {column.name for column in table.columns} - told == set(), name


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.split("\n")[0][:40])
def test_a_query_of_the_page_runs_on_a_store(query: str, tmp_path: Path) -> None:
    path = tmp_path / "golden.db"
    Store.open(f"sqlite:///{path}").close()
    with sqlite3.connect(path) as connection:
        assert connection.execute(query).fetchall() == []
    connection.close()


@pytest.mark.parametrize(
    "code",
    [
        "from goldenlib import load_set; assert len(load_set('golden/example.yaml')) > 9",
        "from goldenlib import load_settings; assert load_settings('golden/shop/config.yaml')[0].warehouse == 'shop'",
    ],
)
def test_shipped_files_are_found_from_anywhere(code: str, tmp_path: Path) -> None:
    """field/docs 5: true of sets on the command line only."""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=60)


def test_a_file_that_is_there_wins_over_a_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "golden").mkdir()
    (tmp_path / "golden" / "example.yaml").write_text("items:\n  - id: mine\n    question: q\n    expected: {rubric: r}\n")
    code = "from goldenlib import load_set; assert [item.id for item in load_set('golden/example.yaml')] == ['mine']"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=60)


def test_a_shipped_configuration_serves_the_command_from_anywhere(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "goldenlib", "run", "golden/shop/questions.toml", "--config", "golden/shop/config.yaml"]
    done = subprocess.run([*command, "--select", "shop-001"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stderr
    assert "1 of 1 driven item scored" in done.stdout


@pytest.mark.parametrize("page", ["investigating.md", "store.md", "glossary.md", "ci-guide.md", "author-guide.id.md"])
def test_the_readme_leads_to_every_door(page: str) -> None:
    assert f"(docs/{page})" in (DOCS.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("guide", ["author-guide.id.md", "author-guide.en.md"])
def test_a_guide_begins_with_a_link_and_says_what_enter_does(guide: str) -> None:
    """field/workbench "Guides": it opened with `make author` for a woman who got a link."""
    text = (DOCS / guide).read_text(encoding="utf-8")
    before, after = text.split("## 1.", 1)
    assert "make author" not in before
    assert re.search(r"\*\*(Buka tautan|Open the link)", before)
    assert "**Enter**" in after


IMAGES = DOCS / "images"
GUIDES = sorted(path for path in (*DOCS.glob("*.md"), DOCS.parent / "README.md"))
SHOWN: dict[str, dict[str, str]] = json.loads((IMAGES / "author.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_a_picture_of_the_workbench_shows_todays_sentences(name: str) -> None:
    """A picture is stale when a sentence that it shows reads otherwise today; make it anew: python docs/pictures.py NAME."""
    today = texts("workbench", name.rpartition(".")[2])
    assert len(SHOWN[name]) > 20
    assert {key: today.get(key) for key in SHOWN[name]} == SHOWN[name]


def test_every_picture_is_shown_by_a_page_and_every_author_picture_is_watched() -> None:
    linked = {image for page in GUIDES for image in re.findall(r"images/([\w.-]+\.png)", page.read_text(encoding="utf-8"))}
    assert {path.name for path in IMAGES.glob("*.png")} == linked
    assert {path.stem for path in IMAGES.glob("author-*.png")} == set(SHOWN)


@pytest.mark.parametrize("language", ["id", "en"])
def test_a_guide_shows_the_page_in_its_own_language(language: str) -> None:
    """field/docs 7: each guide showed half its screens in the other language."""
    shown = re.findall(r"images/author-\w+\.(\w+)\.png", (DOCS / f"author-guide.{language}.md").read_text(encoding="utf-8"))
    assert shown
    assert set(shown) == {language}
