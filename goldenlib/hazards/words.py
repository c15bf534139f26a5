"""The word list: which real words a short phrase is part of, the most common first.

Rule: offline, and never shipped. The words come from the package `wordfreq`, whose data is CC BY-SA; without it a short list of
our own is used, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

from goldenlib.hazards.textindex import CACHED_PHRASES, Lines
from goldenlib.hazards.vocabulary import ABBREVIATIONS
from goldenlib.wordlists import WordLists

LANGUAGES = ("id", "en")
LEAST_FREQUENCY = 1e-7  # rarer words are mostly typing errors and names
SHARED = 3  # a word that is at most so many times more common in English is an Indonesian word too
OWN_FREQUENCY = 2e-5  # of a word of our own list
SHOWN_WORDS = 8
SHOWN_OTHER = 2  # of them from the other language
OTHER_WEIGHT = 0.02  # how much of a text is in the other language
MOST_HITS = 2000  # after so many of the most common words the rest weighs nothing


@dataclass(frozen=True, slots=True)
class WordHits:
    """The words around a fragment: some of the most common, how many there are, and what share of running text they make up."""

    words: tuple[str, ...] = ()
    count: int = 0
    share: float = 0.0

    def chance(self, words: int = 100) -> float:
        """How probable it is that a text of so many words contains one of them."""
        return 1 - (1 - min(self.share, 1.0)) ** words


class WordList:
    """Words of Indonesian and English with how often each occurs, as a share of all words."""

    def __init__(self, frequencies: Mapping[str, Mapping[str, float]], *, is_complete: bool) -> None:
        self.is_complete = is_complete
        self._frequencies = frequencies
        self._sorted = {language: Lines(sorted(words, key=words.__getitem__, reverse=True)) for language, words in frequencies.items()}
        self.inside = lru_cache(CACHED_PHRASES)(self._inside)
        self._hits = lru_cache(CACHED_PHRASES)(self._search)

    @staticmethod
    @cache
    def load() -> WordList:
        """Return the words of wordfreq with our own, or only our own where it is not installed. Read once per process."""
        try:
            from wordfreq import get_frequency_dict  # 0.2 s, and an extra: only when hazards are looked for
        except ImportError:
            own = WordLists.of(__package__, "common_words")
            frequencies = {language: dict.fromkeys(own.words(language), OWN_FREQUENCY) for language in LANGUAGES}
            frequencies["id"] |= dict.fromkeys(ABBREVIATIONS, OWN_FREQUENCY)
            return WordList(frequencies, is_complete=False)
        found = {language: get_frequency_dict(language) for language in LANGUAGES}
        codes = dict.fromkeys(ABBREVIATIONS, LEAST_FREQUENCY)
        indonesian = codes | _of_its_own(_common(found["id"]), found["en"])
        english = {word: frequency for word, frequency in _common(found["en"]).items() if word not in indonesian}
        return WordList({"id": indonesian, "en": english}, is_complete=True)

    def __contains__(self, word: object) -> bool:
        return any(word in words for words in self._frequencies.values())

    def frequency(self, word: str) -> float:
        """Return how often a folded word occurs as a whole word, in the language where it is more common; 0 when unknown."""
        return max(words.get(word, 0.0) for words in self._frequencies.values())

    def around(self, fragment: str) -> tuple[str, ...]:
        """Return the words that contain a folded fragment, most common first, both languages; at most MOST_HITS of each."""
        return tuple(word for language in self._sorted for word in self._hits(language, fragment, ""))

    def _inside(self, fragment: str, at: str = "", leave_out: tuple[str, ...] = (), language: str = "id") -> WordHits:
        """Return the words that contain a folded fragment and are longer than it, and their share of a text in `language`.

        `at` is "" for anywhere, "end" or "start" for words that end or begin with it. Words of the language come first.
        `leave_out` names words that do not count.
        """
        other_language = next(name for name in LANGUAGES if name != language)
        own, other = ([word for word in self._hits(name, fragment, at) if word not in leave_out] for name in (language, other_language))
        own_shown = own[: SHOWN_WORDS - min(SHOWN_OTHER, len(other))]
        shown = (*own_shown, *other[: SHOWN_WORDS - len(own_shown)])
        share = self._share(language, own) + OTHER_WEIGHT * self._share(other_language, other)
        return WordHits(shown, len(own) + len(other), share)

    def _share(self, language: str, words: Iterable[str]) -> float:
        return sum(map(self._frequencies[language].__getitem__, words))

    def _search(self, language: str, fragment: str, at: str) -> tuple[str, ...]:
        words = self._sorted[language]
        part = {"": fragment, "end": fragment + "\n", "start": "\n" + fragment}[at]
        hits = (words.lines[number] for number in words.holding(part))
        return tuple(islice((word for word in hits if word != fragment), MOST_HITS))


def _common(words: Mapping[str, float]) -> dict[str, float]:
    """Return the words worth knowing: no rare ones, and none with digits or signs in them."""
    return {word: frequency for word, frequency in words.items() if frequency >= LEAST_FREQUENCY and word.isalpha()}


def _of_its_own(words: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    """Return the words that belong to a language: a list of one holds many words of the other, such as names of firms."""
    return {word: frequency for word, frequency in words.items() if frequency * SHARED >= other.get(word, 0.0)}
