"""An index over many texts that answers, in about a millisecond, which of them contain a phrase.

Rule: exactly the texts that the fact gate would find the phrase in; the index only leaves out those that cannot hold it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import methodcaller

CACHED_PHRASES = 4096
_LONG = 10_000
_START = methodcaller("start")


class TextIndex:
    """Folded texts, and for each of their words the numbers of the texts with it."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts: Sequence[str] = tuple(texts)
        postings: defaultdict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(self.texts):
            for word in set(text.split(" ")):
                postings[word].append(number)
        self._postings = dict(postings)
        self._vocabulary = Lines(self._postings)
        self.containing = lru_cache(CACHED_PHRASES)(self._containing)

    def _containing(self, phrase: str) -> tuple[int, ...]:
        """Return the numbers of the texts that contain a folded phrase, in order."""
        words = phrase.split(" ")
        if len(words) == 1:
            return tuple(sorted(self._with_any(phrase)))
        candidates = self._with_whole(words[1:-1]) if len(words) > 2 else self._with_edges(*words)
        return tuple(number for number in candidates if phrase in self.texts[number])

    def _with_whole(self, words: Sequence[str]) -> Sequence[int]:
        """The texts with the rarest of the words; the inner words of a phrase stand in a text as whole words."""
        return min((self._postings.get(word, []) for word in words), key=len)

    def _with_edges(self, first: str, last: str) -> Sequence[int]:
        """The texts with a word that ends in `first` and one that begins with `last`."""
        ending = self._with_any(first + "\n")
        return sorted(ending & self._with_any("\n" + last)) if ending else ()

    def _with_any(self, part: str) -> set[int]:
        """The texts with a word that holds `part`; a line break stands for the edge of a word."""
        found: set[int] = set()
        for number in self._vocabulary.holding(part):
            found.update(self._postings[self._vocabulary.lines[number]])
        return found


class Lines:
    """Texts without line breaks, in a given order, that are searched as one string."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines: Sequence[str] = tuple(lines)
        self._joined = "\n" + "\n".join(self.lines) + "\n"
        self._starts = list(accumulate((len(line) + 1 for line in self.lines), initial=1))

    def holding(self, part: str) -> Iterator[int]:
        """Give the number of each line with `part` in it, in order. A line break in `part` stands for the edge of a line."""
        starts, last, edge = self._starts, -1, part.startswith("\n")
        # On a long text each call of str.find prepares anew, on a short one an expression does.
        is_long = len(self._joined) > _LONG
        places = map(_START, re.finditer(re.escape(part), self._joined)) if is_long else _places(part, self._joined)
        for found in places:
            number = bisect_right(starts, found + edge) - 1
            if number > last:
                last = number
                yield number


def _places(part: str, text: str) -> Iterator[int]:
    """Give where `part` stands in the text."""
    found = text.find(part)
    while found >= 0:
        yield found
        found = text.find(part, found + max(1, len(part)))
