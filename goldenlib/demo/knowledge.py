"""The demo's knowledge base: markdown pages cut into sections, found by full-text search (SQLite FTS5, BM25).

Rule: it answers with the pages' own words and nothing else, the same way every time.
"""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from goldenlib.files.shipped import shipped

TITLE_WEIGHT, HEADING_WEIGHT, BODY_WEIGHT = 2.0, 3.0, 1.0
SECOND_SECTION_SHARE = 0.85  # of the best section's rank, on the same page
MOST_WORDS = 100  # of a question; each further one costs time and tells nothing
WORDS_PER_SECTION = 120
WORDS_WHEN_DEGRADED = 45

# Words that a question holds whatever it is about.
_WORD = re.compile(r"\w+")
_STOP_WORDS = frozenset(
    _WORD.findall("apa saja yang di ke dari dan atau untuk bisa itu ini saya berapa bagaimana apakah kalau nggak gak ya sih dengan pada")
)


@dataclass(frozen=True, slots=True)
class Section:
    """One section of one page."""

    page: str
    title: str
    heading: str
    text: str


def read_sections(folder: Path, overlay: Path | None = None) -> list[Section]:
    """Return the sections of all pages in `folder`, in order; a page of the same name in `overlay` takes its place."""
    sections = []
    for path in sorted(folder.glob("*.md")):
        replaced = overlay / path.name if overlay is not None else path
        head, *parts = re.split(r"^## ", (replaced if replaced.is_file() else path).read_text(encoding="utf-8"), flags=re.MULTILINE)
        title = next((line[2:].strip() for line in head.splitlines() if line.startswith("# ")), path.stem)
        for part in parts:
            heading, _, body = part.partition("\n")
            sections.append(Section(path.stem, title, heading.strip(), " ".join(body.split())))
    return sections


class KnowledgeBase:
    """Sections that can be searched. `degraded` answers with shorter passages, from pages of which one is outdated."""

    def __init__(self, sections: list[Section], *, words_per_section: int = WORDS_PER_SECTION) -> None:
        self._sections = sections
        self._words = words_per_section
        self._index = sqlite3.connect(":memory:", check_same_thread=False)
        self._index.execute("CREATE VIRTUAL TABLE pages USING fts5(title, heading, body, tokenize='unicode61 remove_diacritics 2')")
        rows = [(number, s.title, s.heading, s.text) for number, s in enumerate(sections)]
        self._index.executemany("INSERT INTO pages(rowid, title, heading, body) VALUES (?, ?, ?, ?)", rows)

    @classmethod
    def shipped(cls, *, degraded: bool = False) -> Self:
        """Return the knowledge base that comes with goldenlib, healthy or with its documented quality loss."""
        overlay = shipped("golden", "demo", "kb-degraded") if degraded else None
        sections = read_sections(shipped("golden", "demo", "kb"), overlay)
        return cls(sections, words_per_section=WORDS_WHEN_DEGRADED if degraded else WORDS_PER_SECTION)

    def close(self) -> None:
        """Let go of the index."""
        self._index.close()

    def find(self, question: str) -> list[Section]:
        """Return the best section, and the next best when it is of the same page and nearly as good; none if nothing fits."""
        words = dict.fromkeys(_WORD.findall(question.casefold()))
        telling = [word for word in words if word not in _STOP_WORDS][:MOST_WORDS]
        if not telling:
            return []
        query = " OR ".join(f'"{word}"' for word in telling)
        ranked = self._index.execute(
            "SELECT rowid, -bm25(pages, ?, ?, ?) AS rank FROM pages WHERE pages MATCH ? ORDER BY rank DESC, rowid LIMIT 2",
            (TITLE_WEIGHT, HEADING_WEIGHT, BODY_WEIGHT, query),
        ).fetchall()
        sections = [self._sections[number] for number, _ in ranked]
        if len(sections) == 2 and (sections[0].page != sections[1].page or ranked[1][1] < SECOND_SECTION_SHARE * ranked[0][1]):
            sections.pop()
        return sections

    def passage(self, section: Section) -> str:
        """Return the section's text as the chatbot says it, cut at its number of words."""
        words = section.text.split()
        return section.text if len(words) <= self._words else " ".join(words[: self._words]) + " …"
