"""Denials: phrases that a denial of them contains.

Rule: a denial stands right before what it denies. So "wajib akta notaris" is part of "tidak wajib akta notaris", and a phrase
that names who must do it first ("PT perorangan wajib akta notaris") is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from itertools import pairwise

from goldenlib.folding import fold
from goldenlib.hazards.findings import Fact, Hit, Severity
from goldenlib.hazards.stored import denials_in
from goldenlib.hazards.subject import Context, Phrase, Subject, words_of
from goldenlib.hazards.textindex import CACHED_PHRASES
from goldenlib.hazards.vocabulary import (
    ADVERBS,
    ARTICLES,
    ASKED_OF_SOMEBODY,
    ASPECTS,
    BASE_VERBS_EN,
    COME_ABOUT,
    COMPARISONS,
    COPULAS,
    ENGLISH,
    ENGLISH_TOO,
    MODALS_EN,
    MODALS_ID,
    NEGATORS,
    NO_PREDICATES,
    NO_VERBS,
    NOUNS,
    NUMBER_WORDS,
    POLAR_STARTS,
    PREPOSITIONS_EN,
    PREPOSITIONS_ID,
    PRONOUNS,
    QUANTITIES,
    STATES,
    STATUSES,
    SUBJECTS,
    THINGS,
    VERBS_EN,
)

PREDICATES = MODALS_ID | MODALS_EN | BASE_VERBS_EN | VERBS_EN
_SUBJECTS = tuple((name, fold(name).split()) for name in SUBJECTS)
_OPENINGS = POLAR_STARTS | {"kalau", "bila", "jika", "apabila", "apa", "kapan", "kenapa", "mengapa"}  # before the subject of a question
ENGLISH_PREDICATES = (MODALS_EN | BASE_VERBS_EN | VERBS_EN) - {"legal", "valid"}  # which are Indonesian words too

MODAL_WORDS, FEW_WORDS = 8, 3  # a longer phrase is hardly ever denied word by word
KIND_WORDS = 2  # of what something is: pejabat umum
SHORTEST_VERB, SHORTEST_PARTICIPLE = 6, 7
_BREAKING = ASPECTS | PRONOUNS | (COPULAS - {"merupakan", "menjadi", "be"} - BASE_VERBS_EN)
_NUMBER_SIGN = re.compile(r"\bno(?:\.| (?=\d))")  # "No. 40" denies nothing
_VERB_STARTS = ("mem", "men", "mel", "mer", "me", "di", "ber", "ter")


class DenialShape(Enum):
    """What a phrase begins with, which decides how it is denied."""

    MODAL = "wajib akta notaris"
    VERB = "diubah menjadi firma"
    NOUN = "akta notaris"
    CLAUSE = "PT perorangan wajib akta notaris"
    NEGATIVE = "tidak dapat dikuasakan"
    AMOUNT = "paling banyak Rp5 miliar"
    UNKNOWN = "Jawa Barat"


def own_denial(subject: Subject, context: Context) -> Iterator[Hit]:
    """A forbidden phrase that a right answer contains when it denies it."""
    answers = context.answers_to(subject)
    for phrase in subject.forbidden:
        count, passage = denials_in(answers, phrase.folded)
        severity = Severity.WARNING if count else _likely(phrase)
        if severity is not None:
            yield phrase.hit(
                severity,
                *_seen(count, len(answers), passage),
                variant="named" if (subject_named := _named(phrase, subject)) else "",
                denial=denials(phrase.folded, subject.language)[0],
                better=f"{subject_named} {phrase.text}",
            )


def required_denied(subject: Subject, context: Context) -> Iterator[Hit]:
    """A required phrase that an answer contains when it says the opposite."""
    answers = context.answers_to(subject)
    for phrase in subject.required:
        count, passage = denials_in(answers, phrase.folded)
        shape = shape_of(phrase.folded)
        if shape is DenialShape.NEGATIVE or not (count or _deniable(phrase, subject)):
            continue
        is_short = len(phrase.words) <= FEW_WORDS
        is_denied = (shape is DenialShape.MODAL and (subject.is_polar or is_short)) or (
            shape is DenialShape.VERB and is_short and subject.is_polar
        )
        sure = count or is_denied or (subject.asks_what_it_is and not subject.is_polar and _is_status(phrase.folded))
        yield phrase.hit(
            subject.weak() if sure else Severity.NOTE,
            *_seen(count, len(answers), passage),
            variant="named" if (subject_named := _named(phrase, subject)) else "",
            denial=denials(phrase.folded, subject.language)[0],
            better=f"{subject_named} {phrase.text}",
        )


def denials(folded: str, language: str = "id") -> tuple[str, ...]:
    """Return natural denials that hold a folded phrase whole, the likeliest first; `language` is that of the question."""
    shape, words = shape_of(folded), words_of(folded)
    if words and (language == "en" or _is_english(words)):
        starts = {
            DenialShape.MODAL: ("not", "no longer"),
            DenialShape.VERB: ("not", "no longer"),
            DenialShape.NOUN: ("no", "without", "not"),
        }
        if words[0] in VERBS_EN:
            return (f"no longer {folded}",)
        if words[0] in BASE_VERBS_EN:
            return (f"do not {folded}", f"don't {folded}")
        if words[0] in ARTICLES:
            return (f"without {folded}", f"not {folded}")
        rest: tuple[str, ...] = ("not",)
    else:
        starts = {
            DenialShape.MODAL: ("tidak", "tidak lagi", "belum"),
            DenialShape.VERB: ("tidak", "tidak lagi", "belum"),
            DenialShape.NOUN: ("tanpa", "bukan", "tidak perlu"),
        }
        rest = ("bukan", "tidak")
        if _is_state(words):
            starts |= dict.fromkeys(DenialShape, ("belum tentu",) if words[0] in COME_ABOUT else ("belum", "tidak"))
        elif _is_status(folded):
            starts[DenialShape.NOUN] = ("bukan", "bukan merupakan", "belum menjadi")
    return tuple(f"{start} {folded}" for start in starts.get(shape, rest))


@lru_cache(CACHED_PHRASES)
def shape_of(folded: str) -> DenialShape:
    """Return what a folded phrase begins with.

    >>> shape_of("wajib akta notaris"), shape_of("pt perorangan wajib akta notaris")
    (<DenialShape.MODAL: 'wajib akta notaris'>, <DenialShape.CLAUSE: 'PT perorangan wajib akta notaris'>)
    """
    words = words_of(folded)
    if not words:
        return DenialShape.UNKNOWN
    if not NEGATORS.isdisjoint(words_of(_NUMBER_SIGN.sub("nomor", folded))) or "n't" in folded or "n\u2019t" in folded:
        return DenialShape.NEGATIVE
    if folded.startswith(COMPARISONS):
        return DenialShape.VERB
    while len(words) > 1 and words[0] in ADVERBS:
        words = words[1:]
    first = words[0]
    if first in _BREAKING or re.split("['\u2019]", first)[0] in PRONOUNS:
        return DenialShape.CLAUSE  # "must use" becomes "must not use"
    if first in PREDICATES and not folded.startswith(NO_PREDICATES):
        return DenialShape.MODAL
    if first in ("minimum", "maximum") and len(words) > 1 and words[1] not in NUMBER_WORDS and not words[1][0].isdigit():
        return DenialShape.NOUN
    if first in QUANTITIES or first[0].isdigit() or (first.startswith("rp") and first[2:3].isdigit()):
        return DenialShape.AMOUNT
    if _is_participle(words):
        return DenialShape.MODAL
    if _is_verb(first) or (first in PREPOSITIONS_ID and len(words) > 1):
        return DenialShape.AMOUNT if any(char.isdigit() for char in folded) else DenialShape.VERB
    is_english = _is_english(words)
    if any(_is_predicate(before, word) for before, word in pairwise(words)):
        return DenialShape.NOUN if is_english and first in NOUNS else DenialShape.CLAUSE  # "no notary is required"
    return DenialShape.NOUN if is_noun(first) or (is_english and len(words) > 1 and first not in PREPOSITIONS_EN) else DenialShape.UNKNOWN


def _likely(phrase: Phrase) -> Severity | None:
    """How likely right answers deny a forbidden phrase in these very words."""
    shape, length = shape_of(phrase.folded), len(phrase.words)
    if phrase.folded in STATUSES:
        return Severity.WARNING
    if shape is DenialShape.MODAL:
        return Severity.WARNING if length <= MODAL_WORDS else Severity.NOTE
    if shape in (DenialShape.VERB, DenialShape.NOUN):
        return Severity.WARNING if length <= FEW_WORDS else Severity.NOTE
    if shape is DenialShape.UNKNOWN and 0 < length <= FEW_WORDS < len(phrase.folded):
        return Severity.WARNING if length == 1 else Severity.NOTE
    return None


def _deniable(phrase: Phrase, subject: Subject) -> bool:
    """Whether a wrong answer would plausibly say the opposite in the words of a required phrase."""
    shape = shape_of(phrase.folded)
    length = len(phrase.words) if shape in (DenialShape.NOUN, DenialShape.UNKNOWN) else 0
    if shape is DenialShape.MODAL or _is_state(phrase.words):
        return True
    if _is_status(phrase.folded) and (subject.asks_what_it_is or subject.compares):
        return True
    if subject.asks_what_it_is and 0 < length <= KIND_WORDS:
        return True
    return subject.is_polar and (shape is DenialShape.VERB or 0 < length <= FEW_WORDS)


def _seen(count: int, total: int, passage: str) -> Iterator[Fact]:
    if count:
        yield Fact("denied-in-answers", {"count": count, "total": total})
        yield Fact("passage", {"passage": passage})


def _named(phrase: Phrase, subject: Subject) -> str:
    """Who the question is about, to be put in front of what is asked of them; empty when that would make no sentence.

    They have to be the subject of the question, not a word in it: of "Perlu ke notaris?" and "Biaya apostille bisa dikembalikan?"
    nobody is.
    """
    if shape_of(phrase.folded) is not DenialShape.MODAL or phrase.words[0] not in ASKED_OF_SOMEBODY or _is_english(phrase.words):
        return ""
    asked = (words_of(message) for message in subject.messages)
    return next((name for words in asked for name, parts in _SUBJECTS if _fits(phrase.words, name, _asked_of(parts, words))), "")


def _asked_of(parts: list[str], words: list[str]) -> list[str]:
    """What a question asks of a subject at its beginning; nothing where the subject stands elsewhere."""
    start = 1 if words[:1] and words[0] in _OPENINGS and words[: len(parts)] != parts else 0
    rest = words[start + len(parts) :] if words[start : start + len(parts)] == parts else []
    rest = rest[1:] if rest[:1] in (["itu"], ["ini"]) else rest
    return rest if rest and (rest[0] in PREDICATES | ADVERBS | NEGATORS or _is_verb(rest[0])) else []


def _fits(words: list[str], name: str, asked: list[str]) -> bool:
    """Whether a phrase can be said of a subject of whom something is asked. What is done to it has to be what was asked."""
    verbs = [word for word in words[1:FEW_WORDS] if word.startswith("di") and _is_verb(word)]
    is_done_to_it = bool(verbs) or name in THINGS
    return bool(asked) and not set(fold(name).split()) & set(words) and (not is_done_to_it or bool(set(verbs or words[:1]) & set(asked)))


def _is_state(words: list[str]) -> bool:
    """Whether a phrase is a state that something gets into: disahkan, telah disahkan Menteri."""
    if words[:1] and words[0] in COME_ABOUT:
        return 1 < len(words) <= FEW_WORDS and (words[1] in STATES | PREDICATES or _is_verb(words[1]))
    return 0 < len(words) <= FEW_WORDS and words[0] in STATES


def _is_status(folded: str) -> bool:
    """Whether a phrase begins with what somebody or something is by law: badan hukum."""
    return folded.startswith(STATUSES)


def _is_predicate(before: str, word: str) -> bool:
    """Whether a word inside a phrase is its predicate, so that a denial would be put before it and break the phrase."""
    if before in ("yang", "untuk", "cara", "dengan", "that", "which", "to", "for", *ARTICLES):
        return False
    return word in COPULAS or word in PREDICATES - BASE_VERBS_EN or _is_verb(word)


def _is_verb(word: str) -> bool:
    """Whether a word looks like an Indonesian verb with its affix."""
    return len(word) >= SHORTEST_VERB and word.startswith(_VERB_STARTS) and word not in NO_VERBS and word.isalpha()


def _is_participle(words: list[str]) -> bool:
    """Whether a phrase begins with an English participle or the like that stands for itself: notarized, payable to the state."""
    return len(words[0]) >= SHORTEST_PARTICIPLE and words[0].endswith(("ed", "able", "ible")) and PREPOSITIONS_EN.issuperset(words[1:2])


def is_noun(word: str) -> bool:
    """Whether a word is a known noun, or formed like one: pe-...-an, ke-...-an."""
    derived = len(word) > 7 and word.startswith(("pe", "ke")) and word.endswith("an")
    return word in NOUNS or derived


def _is_english(words: list[str]) -> bool:
    return (
        not (ENGLISH - ENGLISH_TOO).isdisjoint(words)
        or not ENGLISH_PREDICATES.isdisjoint(words)
        or words[0] == "a"
        or _is_participle(words)
    )
