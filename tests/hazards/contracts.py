"""Contracts for hazard tests: an item with some phrases, linted with the word list, and what was found in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from goldenlib.hazards import Finding, OtherItems, Severity, StoredAnswer, StoredEvidence, WordList, lint_item
from goldenlib.items import Item

QUESTION = "Bagaimana ketentuannya menurut peraturan?"
RUBRIC = "Jawaban menyebut ketentuannya."
# A required phrase that no rule minds, so that an item that is about its forbidden phrases requires something.
CLEAN = "pernyataan pendirian secara elektronik"


def a_contract(
    required: Iterable[str] = (),
    forbidden: Iterable[str] = (),
    *,
    question: str = QUESTION,
    rubric: str = RUBRIC,
    answer: str = "",
    **changes: Any,
) -> Item:
    """An item with these phrases; with forbidden ones only, it requires CLEAN too."""
    forbidden = tuple(forbidden)
    must_include = tuple(required) or ((CLEAN,) if forbidden else ())
    expected = {"must_include": must_include, "must_not_include": forbidden, "rubric": rubric, "answer": answer}
    return Item.model_validate({"id": "a", "question": question, "expected": expected} | changes)


def lint(
    item: Item,
    *,
    words: WordList | str | None = "all",
    evidence: StoredEvidence | None = None,
    others: Sequence[Item] | OtherItems = (),
    language: str = "en",
) -> tuple[Finding, ...]:
    """Lint an item with the full word list, unless `words` says otherwise."""
    known = WordList.load() if isinstance(words, str) else words
    return lint_item(item, words=known, evidence=evidence, others=others, language=language)


def codes(item: Item, **known: Any) -> set[str]:
    return {finding.code for finding in lint(item, **known)}


def found(item: Item, code: str, **known: Any) -> dict[str, Finding]:
    """The findings of one code, by phrase."""
    return {finding.phrase: finding for finding in lint(item, **known) if finding.code == code}


def severity_of(item: Item, code: str, **known: Any) -> Severity | None:
    """The worst severity of a code, or None when it was not found."""
    return next((finding.severity for finding in lint(item, **known) if finding.code == code), None)


def stored(*texts: str, item_id: str = "a", passed: bool | None = True) -> list[StoredAnswer]:
    return [StoredAnswer(item_id, text, passed) for text in texts]


def good_items(name: str, rubric: str = RUBRIC) -> list[Item]:
    """The items of a file of good phrases: '? ' a question, '+ ' required, '- ' forbidden."""
    items: list[tuple[str, list[str], list[str]]] = []
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines():
        mark, text = line[:2], line[2:]
        if mark == "? ":
            items.append((text, [], []))
        elif mark in ("+ ", "- "):
            items[-1][1 if mark == "+ " else 2].append(text)
    return [
        a_contract(required, forbidden, question=question, rubric=rubric, id=f"good-{number}")
        for number, (question, required, forbidden) in enumerate(items)
    ]
