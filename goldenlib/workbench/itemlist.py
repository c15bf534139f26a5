"""Listing: the items at a glance, and which of them a search and filters leave.

Rule: a row says what a draft would make of its item, since that is what its author is looking at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from goldenlib.folding import fold
from goldenlib.hazards import Finding, Severity
from goldenlib.items import Item
from goldenlib.reporting.passages import plain
from goldenlib.workbench.fields import Values, texts_at, value_at

MOST_TITLE = 160


class ItemState(StrEnum):
    """Whether an expert stands behind an item as it is now."""

    VERIFIED = "verified"
    DUE = "due"
    CHANGED = "changed"
    UNVERIFIED = "unverified"
    BROKEN = "broken"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class ListRow:
    """One line of the list. `marks` are the last results, old to new, as letters; None while they are not read yet."""

    key: str
    id: str
    title: str
    domain: str
    surface: str
    state: ItemState
    is_draft: bool = False
    is_new: bool = False
    errors: int = 0
    warnings: int = 0
    marks: str | None = None
    haystack: str = ""

    @property
    def last(self) -> str:
        """The last result: p, f, e, or empty."""
        return self.marks[-1] if self.marks else ""


@dataclass(frozen=True, slots=True)
class Filter:
    """What the list is narrowed to; empty fields narrow nothing."""

    text: str = ""
    domain: str = ""
    surface: str = ""
    state: str = ""

    def changed(self, **fields: str) -> Filter:
        """Return the filter with some fields set."""
        return replace(self, **fields)


# What the state filter offers, in this order.
STATES: Mapping[str, Callable[[ListRow], bool]] = {
    "unverified": lambda row: row.state not in (ItemState.VERIFIED, ItemState.DUE, ItemState.DELETED),
    "changed": lambda row: row.state is ItemState.CHANGED,
    "due": lambda row: row.state is ItemState.DUE,
    "verified": lambda row: row.state in (ItemState.VERIFIED, ItemState.DUE),
    "hazards": lambda row: bool(row.errors or row.warnings),
    "failed": lambda row: row.last == "f",
    "draft": lambda row: row.is_draft,
}


def state_of(item: Item | None, today: date) -> ItemState:
    """Return the state of an item as it is written; None stands for one that would not load."""
    if item is None:
        return ItemState.BROKEN
    if item.is_verified:
        return ItemState.DUE if item.review_is_due(today) else ItemState.VERIFIED
    is_withdrawn = item.review is not None and item.review.withdrawn is not None
    return ItemState.CHANGED if item.changed_note and not is_withdrawn else ItemState.UNVERIFIED


def row_of(key: str, values: Values, item: Item | None, today: date) -> ListRow:
    """Return the row of an item, without what is known of it elsewhere."""
    messages = texts_at(values, "turns") or [str(value_at(values, "question") or "")]
    phrases = [*texts_at(values, "expected.must_include"), *texts_at(values, "expected.must_not_include"), *texts_at(values, "tags")]
    item_id, domain = str(values.get("id") or ""), str(values.get("domain") or "")
    return ListRow(
        key=key,
        id=plain(item_id),
        title=plain(messages[0], MOST_TITLE),
        domain=plain(domain),
        surface=plain(str(values.get("surface") or "public")),
        state=state_of(item, today),
        haystack=fold("\n".join([item_id, domain, *messages, *phrases])),
    )


def row_of_item(item: Item, today: date) -> ListRow:
    """Return the row of an item that loads; quicker than by its values."""
    phrases = (*item.expected.must_include, *item.expected.must_not_include, *item.tags)
    return ListRow(
        key=item.id,
        id=plain(item.id),
        title=plain(item.title, MOST_TITLE),
        domain=plain(item.domain),
        surface=str(item.surface),
        state=state_of(item, today),
        haystack=fold("\n".join([item.id, item.domain, *item.messages, *phrases])),
    )


def with_hazards(row: ListRow, findings: Iterable[Finding]) -> ListRow:
    """Return the row with the number of its hazards."""
    severities = [finding.severity for finding in findings]
    return replace(row, errors=severities.count(Severity.ERROR), warnings=severities.count(Severity.WARNING))


def matching(rows: Iterable[ListRow], wanted: Filter) -> list[ListRow]:
    """Return the rows that the filter leaves. Every word of the text must be somewhere in an item."""
    words = fold(wanted.text).split()
    in_state = STATES.get(wanted.state)
    return [
        row
        for row in rows
        if wanted.domain in ("", row.domain)
        and wanted.surface in ("", row.surface)
        and (in_state is None or in_state(row))
        and all(word in row.haystack for word in words)
    ]


def counts(rows: Iterable[ListRow]) -> dict[str, int]:
    """Return how many rows each state of the filter would leave."""
    given = list(rows)
    return {name: sum(test(row) for row in given) for name, test in STATES.items()}
