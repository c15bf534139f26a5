"""Counting: kinds, roles and traps of a set by split, and the gaps between the splits.

Rule: counts first, before anything is scored: a gap is closed by new questions, not by moving those that were scored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from goldenlib.coverage.nearduplicates import MOST_PAIRS, NearDuplicate, near_duplicates
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Item, Kind, Split

UNSPLIT = "no split"


class GapKind(StrEnum):
    """What is missing: a trap or a kind in one split, or a role that asks answerable questions in one split alone."""

    TRAP = "trap-missing"
    KIND = "kind-missing"
    ROLE = "role-in-one-split"
    NEAR = "near-duplicate"


@dataclass(frozen=True, slots=True)
class Gap:
    """One gap: the trap, kind, role or pair it is about, and a sentence about it."""

    kind: GapKind
    name: str
    message: str


@dataclass(frozen=True, repr=False)
class Coverage:
    """What a set covers. Counts are by split, in the order of `splits`; a question with two traps counts in both.

    `roles` counts answerable questions only: what a role may be told is tuned on those.
    """

    name: str
    splits: tuple[str, ...]
    questions: Mapping[str, int]
    kinds: Mapping[str, Mapping[str, int]]
    roles: Mapping[str, Mapping[str, int]]
    traps: Mapping[str, Mapping[str, int]]
    near: tuple[NearDuplicate, ...]

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Everything that is missing from a split, and questions that stand in both; empty for a set without splits."""
        return tuple(self._gaps()) if len(self.splits) > 1 else ()

    def to_json(self) -> dict[str, Any]:
        """Return the counts and gaps as plain values."""
        return {
            "set": self.name,
            "splits": list(self.splits),
            "questions": dict(self.questions),
            "kinds": _plain(self.kinds),
            "roles": _plain(self.roles),
            "traps": _plain(self.traps),
            "gaps": [{"kind": str(gap.kind), "name": gap.name, "message": gap.message} for gap in self.gaps],
        }

    def __repr__(self) -> str:
        return f"<Coverage of {self.name}: {', '.join(f'{self.questions[split]} {split}' for split in self.splits)}>"

    def _gaps(self) -> Iterator[Gap]:
        for trap, counts in self.traps.items():
            for split in _missing(counts, self.splits):
                yield Gap(GapKind.TRAP, trap, f"no question in {split} tests the trap '{trap}'; write one for it")
        for kind, counts in self.kinds.items():
            for split in _missing(counts, self.splits):
                yield Gap(GapKind.KIND, kind, f"no question in {split} is of kind {kind}; write one for it")
        for role, counts in self.roles.items():
            for split in _missing(counts, self.splits):
                there = " and ".join(other for other in self.splits if counts.get(other))
                message = (
                    f"'{role}' asks what can be answered in {there} only, so that nothing in {split} is about that role; write one for it"
                )
                yield Gap(GapKind.ROLE, role, message)
        for pair in self.near:
            message = (
                f"{pair.first} ({pair.first_split}) and {pair.second} ({pair.second_split}) have {pair.share:.0%} of their words in common:"
                " tuning on one tunes on the other; reword or replace one of them"
            )
            yield Gap(GapKind.NEAR, f"{pair.first}, {pair.second}", message)
        if len(self.near) == MOST_PAIRS:
            yield Gap(GapKind.NEAR, "...", f"only the {MOST_PAIRS:,} nearest pairs are listed; mend these and count again")


def coverage_of(golden_set: GoldenSet) -> Coverage:
    """Return what a set covers in each of its splits."""
    items = golden_set.items
    splits = tuple(split for split in (*map(str, Split), UNSPLIT) if any(_split(item) == split for item in items))
    return Coverage(
        name=golden_set.name,
        splits=splits,
        questions=Counter(map(_split, items)),
        kinds=_count((str(item.kind), _split(item)) for item in sorted(items, key=lambda item: list(Kind).index(item.kind))),
        roles=_count((item.role or "(none)", _split(item)) for item in _by_name(items, "role") if item.kind is Kind.ANSWER),
        traps=_count(sorted((trap, _split(item)) for item in items for trap in dict.fromkeys(item.traps))),
        near=near_duplicates(items),
    )


def _split(item: Item) -> str:
    return str(item.split) if item.split is not None else UNSPLIT


def _by_name(items: Sequence[Item], name: str) -> list[Item]:
    return sorted(items, key=lambda item: str(getattr(item, name)))


def _count(pairs: Any) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for name, split in pairs:
        row = counts.setdefault(name, {})
        row[split] = row.get(split, 0) + 1
    return counts


def _missing(counts: Mapping[str, int], splits: Sequence[str]) -> list[str]:
    return [split for split in splits if not counts.get(split) and split != UNSPLIT]


def _plain(counts: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    return {name: dict(row) for name, row in counts.items()}
