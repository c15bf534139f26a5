"""The words that the rules know: denials, predicates, abbreviations, other words for the same, numbers, refusals.

Rule: lists of our own, folded, Indonesian and English side by side, short enough to be read and corrected by an expert; they stand in
the YAML files of this folder, each with what it is for.
"""

from __future__ import annotations

from itertools import product

from goldenlib.folding import fold
from goldenlib.wordlists import WordLists

# --- denials ---

_DENIALS = WordLists.of(__package__, "denials")
NEGATORS = _DENIALS.set("negators", "id") | _DENIALS.set("negators", "en")
OPPOSITES = _DENIALS.words("opposites")
AFTER_NEGATOR = _DENIALS.set("after_negator")
MODALS_ID, MODALS_EN = _DENIALS.set("modals", "id"), _DENIALS.set("modals", "en")
BASE_VERBS_EN, VERBS_EN = _DENIALS.set("verbs", "base"), _DENIALS.set("verbs", "third_person")
ENGLISH, ENGLISH_TOO = _DENIALS.set("english"), _DENIALS.set("english_too")
ARTICLES = _DENIALS.set("articles")
PREPOSITIONS_ID, PREPOSITIONS_EN = _DENIALS.set("prepositions", "id"), _DENIALS.set("prepositions", "en")
PRONOUNS = _DENIALS.set("pronouns")
ASKING_EN = _DENIALS.set("asking")
NO_PREDICATES = _DENIALS.words("no_predicates")
COPULAS = _DENIALS.set("copulas", "id") | _DENIALS.set("copulas", "en")
ADVERBS, ASPECTS = _DENIALS.set("adverbs"), _DENIALS.set("aspects")
COMPARISONS = tuple(f"{words} " for words in _DENIALS.words("comparisons"))
QUANTITIES = _DENIALS.set("quantities")
NOUNS = _DENIALS.set("nouns")
NO_VERBS = _DENIALS.set("no_verbs")
SMALL = _DENIALS.set("small")
POLAR_STARTS, POLAR_WORDS = _DENIALS.set("polar_starts"), _DENIALS.set("polar_words")
SUBJECTS, THINGS = _DENIALS.words("subjects"), _DENIALS.set("things")
ASKED_OF_SOMEBODY = _DENIALS.set("asked_of_somebody")
STATES, COME_ABOUT = _DENIALS.set("states"), _DENIALS.words("come_about")
STATUSES = _DENIALS.words("statuses")

# --- abbreviations and other words for the same ---

_TERMS = WordLists.of(__package__, "terms")
ABBREVIATIONS = _TERMS.table("abbreviations")
SAME_MEANING = _TERMS.groups("same_meaning")
TERMS = _TERMS.groups("terms")
WRITTEN = {fold(name): name for group in TERMS for name in group}
OTHER_TERMS = {fold(name): tuple(fold(other) for other in group if other != name) for group in TERMS for name in group}
LIMITS = {name: tuple(others) for name, others in _TERMS.raw("limits").items()}
LIMITS_OF_TIME = LIMITS | {name: tuple(others) for name, others in _TERMS.raw("limits_of_time").items()}
for limits in (LIMITS, LIMITS_OF_TIME):
    limits |= dict.fromkeys(("min", "min."), limits["minimum"]) | dict.fromkeys(("maks", "maks.", "max", "max."), limits["maksimum"])
TIMES = _TERMS.pattern("times")
LISTED = _TERMS.set("listed")
ROMAN, NUMBERED = _TERMS.words("roman"), _TERMS.set("numbered")
LETTERED, LETTERS_GO_ON = _TERMS.set("lettered"), _TERMS.table("letters_go_on")

# --- numbers in words, and time ---

_NUMBERS, _COUNTING = WordLists.of(__package__, "numbers"), WordLists.of("goldenlib.languages", "counting")
NUMBER_WORDS = {name: number for language in ("id", "en") for number, name in enumerate(_COUNTING.words("counting", language))} | {
    name: 10 * tens for tens, name in enumerate(_COUNTING.words("tens"), 2)
}
NUMBER_SCALES, NUMBER_ONES = _NUMBERS.numbers("scales"), _NUMBERS.numbers("ones")
COUNTED = _NUMBERS.words("counted", "id") + _NUMBERS.words("counted", "en")
COUNTED_EN = _NUMBERS.set("counted", "en")
COUNTED_IN_FIGURES = _NUMBERS.words("counted_in_figures")
MONTHS_ID, MONTHS_EN = _COUNTING.words("months", "id"), _COUNTING.words("months", "en")
MONTHS_SHORT = _NUMBERS.numbers("months_short")
NOWADAYS = _NUMBERS.words("nowadays")

# --- refusals ---

_REFUSALS = WordLists.of(__package__, "refusals")
REFUSALS = _REFUSALS.words("whole", "id") + _REFUSALS.words("whole", "en")
REFUSAL_SENTENCES = tuple(
    " ".join(part for part in parts if part)
    for options in _REFUSALS.groups("parts")
    for parts in product(*(option.split("|") for option in options))
)
ECHOES = tuple(_REFUSALS.table("echoes").values())
