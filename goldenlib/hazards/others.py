"""The other items of a set: whether a good answer to one of them would pass this one, and who asks the same.

Rule: a good answer to an item is its own required phrases, one after the other, and its expected answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice

from goldenlib.folding import fold
from goldenlib.hazards.textindex import TextIndex
from goldenlib.items import Item, Kind

MOST_COMPARED = 2000
MOST_FOUND = 100
Key = tuple[tuple[str, ...], str, str, str]


class OtherItems:
    """The items of a set, to be asked about one of them. Make it once for a set; an item does not count as its own other."""

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._items: Sequence[Item] = tuple(items)
        self._keys = [_question(item) for item in self._items]
        self._asking: defaultdict[Key, list[str]] = defaultdict(list)
        for item, key in zip(self._items, self._keys, strict=True):
            self._asking[key].append(item.id)
        self._index = TextIndex(good_answer(item) for item in self._items)

    def __len__(self) -> int:
        return len(self._items)

    def same_question(self, item: Item) -> tuple[str, ...]:
        """Return the ids of other items that ask the same, in the same role, region and surface."""
        return tuple(item_id for item_id in self._asking.get(_question(item), ()) if item_id != item.id)

    def answered_by(self, item: Item, required: Sequence[str], forbidden: Sequence[str]) -> tuple[str, ...]:
        """Return the ids of the items with another question whose good answer holds all `required` and no `forbidden` phrases.

        Phrases are folded. Only items that want an answer are compared. The first hundred are enough (MOST_FOUND).
        """
        question = _question(item)
        found: list[str] = []
        for number in islice(self._candidates(required), MOST_COMPARED):
            other, answer = self._items[number], self._index.texts[number]
            if (
                other.id != item.id
                and other.kind is Kind.ANSWER
                and all(phrase in answer for phrase in required)
                and not any(phrase in answer for phrase in forbidden)
                and self._keys[number] != question
            ):
                found.append(other.id)
                if len(found) == MOST_FOUND:
                    break
        return tuple(found)

    def _candidates(self, required: Sequence[str]) -> Sequence[int]:
        """The items whose good answer holds the phrase that tells most; mostly the longest."""
        if not required:
            return range(len(self))
        with_longest = self._index.containing(max(required, key=len))
        if len(with_longest) <= MOST_FOUND:
            return with_longest
        return min((self._index.containing(phrase) for phrase in required), key=len)


def good_answer(item: Item) -> str:
    """Return a right answer to an item as far as it is written down, folded."""
    return fold(". ".join([*item.expected.must_include, item.expected.answer]))


def _question(item: Item) -> Key:
    return tuple(fold(message) for message in item.messages), item.role, item.region, str(item.surface)
