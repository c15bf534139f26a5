"""Numerals: a whole number as people write it: in words, with dots, and with the scale words of everyday, 2,5 juta and 100 rb.

Rule: other writings of the very same number, and no rounding: what does not come out even has no such writing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from goldenlib.hazards.vocabulary import NUMBER_ONES, NUMBER_SCALES, NUMBER_WORDS

MOST_TOLD = 3  # digits before the noughts: nobody says 12.408 as "12,408 ribu"
# Zeros behind a number, with the words for them; the first is the usual one.
SCALES = ((12, ("triliun", "trilyun")), (9, ("miliar", "milyar")), (6, ("juta", "jt")), (3, ("ribu", "rb")))
_ID, _EN = ({number: name for name, number in words} for words in (list(NUMBER_WORDS.items())[:12], list(NUMBER_WORDS.items())[12:]))


def from_words(words: Iterable[str]) -> int:
    """Return the number that Indonesian or English words name: seratus dua puluh lima is 125."""
    total = group = ones = 0  # what is settled, below a thousand, and the last figure, which a scale may follow
    for word in words:
        if word in NUMBER_WORDS:
            group, ones = group + ones, NUMBER_WORDS[word]
        elif word == "belas":
            group, ones = group + ones + 10, 0
        elif (scale := NUMBER_ONES.get(word) or NUMBER_SCALES[word]) < 1000:
            group, ones = group + (ones or 1) * scale, 0
        else:
            total, group, ones = total + (group + ones or 1) * scale, 0, 0
    return total + group + ones


def in_words(number: int, language: str = "id") -> str:
    """Return a number in words, in Indonesian, or below a thousand in English ("en"); empty for what nobody counts up to.

    >>> in_words(17), in_words(1500), in_words(30, "en")
    ('tujuh belas', 'seribu lima ratus', 'thirty')
    """
    if not 0 < number < 10**15:
        return ""
    if language == "en":
        return " ".join(_english(number)) if number < 1000 else ""
    return " ".join(_indonesian(number))


def dotted(digits: str) -> str:
    """Return digits in groups of three."""
    return f"{int(digits):,}".replace(",", ".")


def is_told(digits: str) -> bool:
    """Whether people say a number of these digits in words or with a scale: 2.500.000, but not 12.408."""
    return len(digits) > MOST_TOLD and 0 < len(digits.rstrip("0")) <= MOST_TOLD


def scaled(digits: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give a number with each scale that tells it shortly, as figures and the words for the scale: 2,5 and (juta, jt)."""
    for zeros, names in SCALES:
        head, rest = digits[:-zeros], digits[-zeros:].rstrip("0")
        if 1 <= len(head) <= MOST_TOLD and len(head + rest) <= MOST_TOLD:
            yield (f"{head},{rest}" if rest else head), names


def everyday(digits: str) -> tuple[str, ...]:
    """Return how a number is said from day to day, the usual first: 2,5 juta; 2,5 jt; dua juta lima ratus ribu.

    >>> everyday("1000000")
    ('1 juta', '1 jt', 'sejuta', 'satu juta', '1jt')
    """
    if not is_told(digits):
        return ()
    short = list(scaled(digits))
    spaced = [f"{figures} {name}" for figures, names in short for name in names]
    words = in_words(int(digits))
    one = ("se" + words.removeprefix("satu "),) if words.startswith("satu juta") else ()
    joined = [f"{figures}{name}" for figures, names in short for name in names[1:] if len(name) < MOST_TOLD]
    return (*spaced, *one, words, *joined)


def _indonesian(number: int) -> Iterator[str]:
    for zeros, (name, *_) in SCALES:
        head, number = divmod(number, 10**zeros)
        if head == 1 and zeros == 3:
            yield "seribu"
        elif head:
            yield from (*_below_thousand(head), name)
    yield from _below_thousand(number)


def _below_thousand(number: int) -> Iterator[str]:
    hundreds, rest = divmod(number, 100)
    if hundreds:
        yield from ("seratus",) if hundreds == 1 else (_ID[hundreds], "ratus")
    if 0 < rest < 12:
        yield _ID[rest]
    elif rest:
        tens, ones = divmod(rest, 10)
        yield from (_ID[ones], "belas") if tens == 1 else (_ID[tens], "puluh", *([_ID[ones]] if ones else []))


def _english(number: int) -> Iterator[str]:
    hundreds, rest = divmod(number, 100)
    if hundreds:
        yield from (_EN[hundreds], "hundred")
    if 0 < rest <= 20:
        yield _EN[rest]
    elif rest:
        tens, ones = divmod(rest, 10)
        yield f"{_EN[10 * tens]}-{_EN[ones]}" if ones else _EN[10 * tens]
