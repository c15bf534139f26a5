"""Nearness: questions of different splits that ask almost the same, so that tuning on one tunes on the other.

Rule: two questions are near when nearly all their words are the same, in any order; figures count as one word, whatever they are.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from goldenlib.folding import fold
from goldenlib.items import Item

NEAR = 0.8  # of the words of both together
MOST_PAIRS = 1_000  # that are told; who has more has one question many times over
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
    """Return the pairs of items in different splits that ask almost the same, the nearest first, and not more than MOST_PAIRS."""
    asked: defaultdict[frozenset[tuple[str, int]], list[Item]] = defaultdict(list)  # the questions of the same words, by these
    for item in items:
        if item.split is not None:
            asked[_words(item)].append(item)
    groups = list(asked.items())
    near = [(1.0, group, group) for _, group in groups]
    near += [
        (share, groups[one][1], groups[other][1])
        for one, other in _candidates([words for words, _ in groups])
        if (share := _share(groups[one][0], groups[other][0])) >= NEAR
    ]
    order = {item.id: place for place, item in enumerate(items)}
    pairs = (pair for share, one, other in sorted(near, key=lambda found: -found[0]) for pair in _pairs(share, one, other, order))
    return tuple(sorted(islice(pairs, MOST_PAIRS), key=lambda pair: (-pair.share, pair.first, pair.second)))


def _words(item: Item) -> frozenset[tuple[str, int]]:
    """Return the words of an item; one that stands there twice is two."""
    counts = Counter("#" if _FIGURE.fullmatch(word) else word for word in _WORD.findall(fold(" ".join(item.messages))))
    return frozenset((word, number) for word, count in counts.items() for number in range(count))


def _share(one: frozenset[tuple[str, int]], other: frozenset[tuple[str, int]]) -> float:
    common = len(one & other)
    return common / max(1, len(one) + len(other) - common)


def _pairs(share: float, one: Sequence[Item], other: Sequence[Item], order: Mapping[str, int]) -> Iterator[NearDuplicate]:
    """Give the pairs of different splits, each once: the item that stands first in the set comes first."""
    for first, second in product(one, other):
        if first.split != second.split and (one is not other or order[first.id] < order[second.id]):
            before, after = sorted((first, second), key=lambda item: order[item.id])
            yield NearDuplicate(before.id, after.id, str(before.split), str(after.split), share)


def _candidates(asked: Sequence[frozenset[tuple[str, int]]]) -> Iterator[tuple[int, int]]:
    """Give the pairs that have one of their rarest words in common, as near ones must.

    Of n words at least 80 % are shared, so that of the n // 5 + 1 that are rarest in the set one is, on both sides.
    """
    having = Counter(word for words in asked for word in words)
    by_rare_word: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for number, words in enumerate(asked):
        rarest = sorted(words, key=lambda word: (having[word], word))[: len(words) // 5 + 1]
        for other in {other for word in rarest for other in by_rare_word[word]}:
            if NEAR * len(words) <= len(asked[other]) and NEAR * len(asked[other]) <= len(words):
                yield other, number
        for word in rarest:
            by_rare_word[word].append(number)
