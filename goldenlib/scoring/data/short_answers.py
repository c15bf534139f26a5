"""Short answers: a final answer in words, compared with a golden one in words, as DABstep does ("quasi-exact"; arXiv 2506.23719).

Rule: what is spelled differently and says the same matches, and nothing else does. No sign, option letter, element or repetition is
dropped on the way, and nothing is nearly right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush

from goldenlib.folding import fold
from goldenlib.scoring.data.enumerations import bare, listed, plain
from goldenlib.scoring.data.numbers import SCALES
from goldenlib.wordlists import WordLists

NOT_APPLICABLE = "not applicable"

_OPTION_IN_QUESTION = re.compile(r"(?<!\w)([A-Z])[.)]\s+(.+?)(?=[,;]?\s+[A-Z][.)]\s|[.?!](?:\s|$)|\n|$)")
_LETTERED = re.compile(r"\(?([a-z])(?:\s?[.):]|\s-)\s*(.+)")
_PERCENT = re.compile(r"%|\bper ?cent\b|\bpercentages?\b|\bpersen\b|\bpersentase\b")
_CURRENCIES = {name: code for code, names in WordLists.of(__package__, "numbers").table("currencies").items() for name in names.split()}
_SYMBOLS = "|".join(re.escape(name) for name in sorted(_CURRENCIES, key=len, reverse=True))
_CURRENCY = re.compile(rf"(?<!\w)(?:{_SYMBOLS})(?!\w)|[€$£]")
_NUMBER = re.compile(
    rf"(?P<sign>[-+]\s?|(?:minus|negative|negatif)\s)?(?:(?P<before>{_SYMBOLS})\s?)?(?P<sign2>[-+])?"
    r"(?P<digits>\.\d+|\d+(?:[.,' ]\d+)*)(?P<exponent>e[-+]?\d{1,3})?(?P<after>\D.*)?",
    re.ASCII,
)
# How digits may be grouped, and which of the two marks is then the decimal one; the first that fits. A point alone is decimal.
_GROUPINGS = (
    (re.compile(r"\d*\.?\d+"), "."),
    (re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?"), "."),
    (re.compile(r"[1-9]\d{0,2}(?:[ ']\d{3})+(?:\.\d+)?"), "."),
    (re.compile(r"[1-9]\d{0,2}(?:[ ']\d{3})+,\d+"), ","),
    (re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+,\d+"), ","),
    (re.compile(r"[1-9]\d{0,2}(?:\.\d{3}){2,}"), ","),
    (re.compile(r"\d+,\d+"), ","),
)
_LONGEST = 100  # digits; what is longer is no number


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    """Whether an answer says what the golden one says, and why."""

    matches: bool
    reason: str

    def __bool__(self) -> bool:
        return self.matches


@dataclass(frozen=True, slots=True)
class _Value:
    """An element: text, or a number with its half unit in the last place, its unit, and what stands before a colon."""

    text: str
    name: str = ""
    number: Fraction | None = None
    half: Fraction = Fraction(0)
    unit: str = ""


def answers_match(answer: str, golden: str, question: str = "") -> ShortAnswer:
    """Return whether a final answer says the same as a golden one.

    Texts are compared folded, without Markdown emphasis, quotes around them and punctuation after them. Lists (commas, semicolons,
    lines, a last "and") hold the same elements equally often, in any order; "1,234" is a number or a list of two. A number
    matches when it rounds to the golden one in its last place. Thousands separators, words of scale, a currency, and a unit that
    question or golden name are understood. A percent sign means hundredths; where the question asks for a percentage, a figure
    without the sign is meant in percent.

    Where the question lists options (A. NL, B. BE), the letter, the text, or both name the option, and a letter with another
    option's text names none. Where it does not, letter and text are both needed. "Not Applicable" and the empty answer match
    only themselves.

    >>> answers_match("-0.94", "0.94").matches
    False
    >>> answers_match("36, 12 and 5", "5, 12, 36").matches
    True
    """
    said, right = bare(plain(answer)), bare(plain(golden))
    ways, golden_ways = listed(answer), listed(golden)
    if said == right or ways == golden_ways:
        return ShortAnswer(True, "the same text" if golden_ways else "both are empty")
    if NOT_APPLICABLE in (said, right) or not (ways and golden_ways):
        return ShortAnswer(False, f"{_shown(answer)} is not {_shown(golden)}")
    options = _options(question)
    wanted = _chosen(right, options)
    if wanted is not None:
        return _same_option(_chosen(said, options), wanted)
    if (lettered := _lettered(right)) is not None:
        same = _lettered(said) == lettered
        return ShortAnswer(same, "the same letter and text" if same else f"{_shown(answer)} is not the option {_shown(golden)}")
    return _compare(ways, golden_ways, fold(f"{question} {golden}"), fold(question))


def currencies_in(folded: str) -> set[str]:
    """Return the currencies that a folded text names, by their code.

    >>> sorted(currencies_in("€5 or 80000 rupiah"))
    ['eur', 'idr']
    """
    return {_CURRENCIES[name] for name in _CURRENCY.findall(folded)}


# --- options ---


def _options(question: str) -> dict[str, str]:
    """Return the options a question lists, text by letter; none unless the letters run from A."""
    found = {letter.lower(): bare(text) for letter, text in _OPTION_IN_QUESTION.findall(question)}
    run = "abcdefghijklmnopqrstuvwxyz"[: len(found)]
    return found if len(found) > 1 and "".join(found) == run else {}


def _chosen(text: str, options: Mapping[str, str]) -> str | None:
    """Return the letter of the one option that a text names."""
    text = re.sub(r"^(?:option|opsi|pilihan)\s+", "", text) if options else text
    both = _LETTERED.fullmatch(text)
    if both is not None and both[1] in options:
        return both[1] if bare(both[2]) == options[both[1]] else None
    letter = text.strip("().:")
    named = [*([letter] if letter in options else []), *(name for name, option in options.items() if option == text and name != letter)]
    return named[0] if len(named) == 1 else None


def _same_option(chosen: str | None, wanted: str) -> ShortAnswer:
    if chosen is None:
        return ShortAnswer(False, f"names no one option; {wanted.upper()} is right")
    return ShortAnswer(chosen == wanted, f"option {chosen.upper()}" + ("" if chosen == wanted else f"; {wanted.upper()} is right"))


def _lettered(text: str) -> tuple[str, str] | None:
    """Return letter and text of an option, where the question does not say that it is one."""
    found = _LETTERED.fullmatch(text)
    if found is None or re.search(r"[,;:]", text) or not re.match(r"\(?[a-z]\s?[.)]", text):
        return None
    return found[1], bare(found[2])


# --- elements ---


def _compare(ways: Sequence[Sequence[str]], golden_ways: Sequence[Sequence[str]], named: str, question: str) -> ShortAnswer:
    """Compare as lists, or as one element: some reading of the answer is to hold what some reading of the golden one holds."""
    words = set(re.findall(r"[^\W\d]+", named))
    in_percent = _PERCENT.search(question) is not None
    currencies = currencies_in(question)
    rights = [[_value(piece, words, in_percent) for piece in pieces] for pieces in golden_ways]
    reasons = []
    for pieces in ways:
        same_size = [right for right in rights if len(right) == len(pieces)]
        said = [_value(piece, words, in_percent) for piece in pieces] if same_size else []
        for right in same_size:
            reason = _difference(said, right, currencies)
            if not reason:
                return ShortAnswer(True, "the same value" if len(right) == 1 else f"the same {len(right)} values")
            reasons.append(reason)
    return ShortAnswer(False, reasons[0] if reasons else f"{len(ways[-1])} given where {len(rights[-1])} are right")


def _value(piece: str, words: set[str], in_percent: bool) -> _Value:
    number = _number(piece, words, in_percent)
    if number is not None:
        return number
    name, colon, rest = piece.partition(":")
    if colon and name and rest:
        named = _number(rest.strip(), words, in_percent)
        text = f"{name.strip()}:{rest.strip()}"
        return _Value(text, name.strip(), named.number, named.half, named.unit) if named is not None else _Value(text)
    return _Value(piece)


def _number(piece: str, words: set[str], in_percent: bool) -> _Value | None:
    """Return an element that is a number as a whole. With a unit that nobody named, it is text."""
    found = _NUMBER.fullmatch(piece)
    if found is None or len(found["digits"]) > _LONGEST:
        return None
    point = next((point for pattern, point in _GROUPINGS if pattern.fullmatch(found["digits"])), None)
    after = (found["after"] or "").split()
    if point is None or (found["sign"] and found["sign2"]):
        return None
    power = SCALES.get(after[0], 0) if after else 0
    unit = " ".join(after[1:] if power else after)
    if _PERCENT.fullmatch(unit) or (in_percent and not unit and not found["before"]):
        power, unit = power - 2, ""
    elif unit and unit not in _CURRENCIES and not set(after) - set(SCALES) <= words:
        return None
    whole, _, fraction = "".join(mark for mark in found["digits"] if mark.isdigit() or mark == point).partition(point)
    exponent = int((found["exponent"] or "e0")[1:]) + power
    sign = -1 if (found["sign"] or found["sign2"] or "+").strip() not in "+" else 1
    last_place = Fraction(10) ** (exponent - len(fraction))
    number = sign * int(whole + fraction) * last_place
    return _Value(piece, number=number, half=last_place / 2, unit=_CURRENCIES.get(found["before"] or unit, unit))


# --- comparing elements ---


def _difference(said: Sequence[_Value], right: Sequence[_Value], currencies: set[str]) -> str:
    """Return in words what keeps two lists of one length from being the same; nothing when they are."""
    units = {value.unit for value in right if value.unit} or currencies
    if units and (others := {value.unit for value in said if value.unit} - units):
        return f"the unit is {others.pop()} and not {min(units)}"
    tell_apart = all(value.unit for value in (*said, *right))
    missing = list((_texts(right) - _texts(said)).elements())
    for key in {_key(value, tell_apart) for value in right if value.number is not None}:
        missing += _unpaired(
            [value.number for value in said if value.number is not None and _key(value, tell_apart) == key],
            [value for value in right if value.number is not None and _key(value, tell_apart) == key],
        )
    if not missing:
        return ""
    return (
        f"{said[0].text!r} is not {missing[0]!r}" if len(right) == 1 else f"{len(missing)} of {len(right)} values are missing: {missing[0]}"
    )


def _key(value: _Value, with_unit: bool) -> tuple[str, str]:
    return value.name, value.unit if with_unit else ""


def _texts(values: Iterable[_Value]) -> Counter[str]:
    return Counter(value.text for value in values if value.number is None)


def _unpaired(numbers: Iterable[Fraction], golden: Iterable[_Value]) -> list[str]:
    """Return the golden numbers that find no partner of their own, when as many as possible do.

    Going up, each number takes, of the golden ones that it rounds to, the one whose reach ends first.
    """
    reaches = sorted(
        ((value.number or Fraction(0)) - value.half, (value.number or Fraction(0)) + value.half, value.text) for value in golden
    )
    waiting: list[tuple[Fraction, str]] = []
    unpaired: list[str] = []
    begun = 0
    for number in sorted(numbers):
        while begun < len(reaches) and reaches[begun][0] <= number:
            heappush(waiting, reaches[begun][1:])
            begun += 1
        while waiting and waiting[0][0] < number:
            unpaired.append(heappop(waiting)[1])
        if waiting:
            heappop(waiting)
    return [*unpaired, *(text for _, text in waiting), *(text for _, _, text in reaches[begun:])]


def _shown(text: str, most: int = 60) -> str:
    return repr(text if len(text) <= most else f"{text[: most - 1]}…")
