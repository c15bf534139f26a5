"""Nearness: questions of different splits that ask almost the same, so that tuning on one tunes on the other.

Rule: two questions are near when nearly all their words are the same, in any order; figures count as one word, whatever they are.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from goldenlib.folding import fold
from goldenlib.items import Item

NEAR = 0.8  # of the words of both together
_WORD = re.compile(r"\w+")
_FIGURE = re.compile(r"\d+\w*")


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """Two questions of different splits that are near one another; `share` of their words is common, 1.0 for the same words."""

    first: str
    second: str
    first_split: str
    second_split: str
    share: float


def near_duplicates(items: Sequence[Item]) -> tuple[NearDuplicate, ...]:
    """Return the pairs of items in different splits that ask almost the same, the nearest first."""
    words = [_words(item) for item in items]
    found = [
        NearDuplicate(items[one].id, items[other].id, str(items[one].split), str(items[other].split), share)
        for one, other in _candidates(items, words)
        if (share := _share(words[one], words[other])) >= NEAR
    ]
    return tuple(sorted(found, key=lambda pair: (-pair.share, pair.first, pair.second)))


def _words(item: Item) -> Counter[str]:
    return Counter("#" if _FIGURE.fullmatch(word) else word for word in _WORD.findall(fold(" ".join(item.messages))))


def _share(one: Counter[str], other: Counter[str]) -> float:
    return (one & other).total() / max(1, (one | other).total())


def _candidates(items: Sequence[Item], words: Sequence[Counter[str]]) -> Iterator[tuple[int, int]]:
    """Give the pairs of different splits that share one of the rarest words of either, as near ones must.

    Of n words at least 80 % are shared, so that among any n // 5 + 1 of them one is.
    """
    having: defaultdict[str, list[int]] = defaultdict(list)
    for number, counted in enumerate(words):
        for word in counted:
            having[word].append(number)
    seen: set[tuple[int, int]] = set()
    for number, counted in enumerate(words):
        if items[number].split is None:
            continue
        rarest = sorted(counted, key=lambda word: len(having[word]))[: len(counted) // 5 + 1]
        for other in {other for word in rarest for other in having[word]}:
            pair = (min(number, other), max(number, other))
            if items[other].split not in (None, items[number].split) and pair not in seen:
                seen.add(pair)
                yield pair
