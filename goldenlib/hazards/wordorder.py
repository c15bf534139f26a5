"""Word order: a phrase that is nearly what stands elsewhere in its item, with a word left out or in another order.

Rule: the passage is shown and nothing is corrected; the author knows which of the two people write.
"""

from __future__ import annotations

from collections.abc import Sequence

from goldenlib.hazards.denials import DenialShape, is_noun, shape_of
from goldenlib.hazards.vocabulary import ADVERBS, BASE_VERBS_EN, MODALS_EN, MODALS_ID, NEGATORS, NOUNS, SMALL, VERBS_EN

SHORTEST, LONGEST = 2, 6  # words of a phrase that is compared
MOST_LEFT_OUT = 2
LONG_WORD = 5
# People put these first or last as they like: "bisa didirikan satu orang", "didirikan satu orang bisa".
_MOVING = MODALS_ID | MODALS_EN | BASE_VERBS_EN | VERBS_EN | ADVERBS | NEGATORS


def unlike(words: Sequence[str], others: Sequence[str]) -> str:
    """Return the passage of `others` that the words are nearly, or nothing where they stand there or are far from it.

    >>> unlike(["wajib", "notaris"], ["apakah", "wajib", "akta", "notaris"])
    'wajib akta notaris'
    """
    if not all(word in others for word in words) or _stands_in(words, others):
        return ""
    return _with_a_word_more(words, others) or _in_another_order(words, others)


def _stands_in(words: Sequence[str], others: Sequence[str]) -> bool:
    return any(list(others[at : at + len(words)]) == list(words) for at in range(len(others) - len(words) + 1))


def _with_a_word_more(words: Sequence[str], others: Sequence[str]) -> str:
    """The passage with a word more inside, or with a verb and its object: "wajib (membuat) akta notaris" for "wajib notaris"."""
    for more in range(1, MOST_LEFT_OUT + 1):
        for at in range(len(others) - len(words) - more + 1):
            passage = others[at : at + len(words) + more]
            if passage[0] == words[0] and passage[-1] == words[-1]:
                for gap in range(1, len(words)):
                    if _is_missed(passage[gap + more - 1]) and [*passage[:gap], *passage[gap + more :]] == list(words):
                        return " ".join(passage)
    return ""


def _is_missed(word: str) -> bool:
    """Whether a phrase without this word says something else: a noun or the like, no verb and no small word."""
    return word in NOUNS or is_noun(word) or (len(word) >= LONG_WORD and word not in SMALL and shape_of(word) is DenialShape.UNKNOWN)


def _in_another_order(words: Sequence[str], others: Sequence[str]) -> str:
    """The passage of the same words: "akta notaris" for "notaris akta"."""
    if words[0] in _MOVING:
        return ""
    wanted = sorted(words)
    passages = (others[at : at + len(words)] for at in range(len(others) - len(words) + 1))
    return next((" ".join(passage) for passage in passages if sorted(passage) == wanted), "")
