"""Spellings: what else a right answer may write for an amount, a number, a date or a word.

Rule: all folded, for warnings only. Nothing here is ever searched in place of a phrase: "1,5" and "1.500" are not the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from goldenlib.hazards import dates
from goldenlib.hazards.numerals import SCALES, dotted, everyday, from_words, in_words, is_told, scaled
from goldenlib.hazards.textindex import CACHED_PHRASES
from goldenlib.hazards.vocabulary import (
    ABBREVIATIONS,
    COUNTED,
    COUNTED_EN,
    COUNTED_IN_FIGURES,
    LIMITS,
    LIMITS_OF_TIME,
    NUMBER_ONES,
    NUMBER_SCALES,
    NUMBER_WORDS,
    OTHER_TERMS,
    SAME_MEANING,
    TIMES,
)
from goldenlib.hazards.words import WordList

LONGEST_SPELLED = 200  # letters: what is longer is a sentence anyway
SHORT_PHRASE = 2  # words: in a longer phrase another word for one of them is a matter of style
LEAST_FORM = 1e-6  # forms of a word that are rarer do not count
LEAST_FORMS = 2
MOST_DIGITS = 15


@dataclass(frozen=True, slots=True)
class Variants:
    """Other spellings of a phrase. `is_odd` when the phrase itself is the unusual one."""

    variants: tuple[str, ...] = ()
    is_odd: bool = False

    def __bool__(self) -> bool:
        return bool(self.variants)


_SAME_WORDS = {word: tuple(other for other in group if other != word) for group in SAME_MEANING for word in group}
_OTHER_WORDS = (
    {short: (long,) for short, long in ABBREVIATIONS.items()} | {long: (short,) for short, long in ABBREVIATIONS.items()} | _SAME_WORDS
)

Spelling = Callable[[str], Variants]

_SCALES = {name: zeros for zeros, names in SCALES for name in names} | {"thousand": 3, "million": 6, "billion": 9}
_LETTERS = {"m": 9, "t": 12}  # behind Rp only: Rp5M
_SCALE = "|".join(_SCALES)
_MONEY = re.compile(
    rf"(?P<sign>rp\.? ?|idr ?|usd ?|us\$ ?|\$ ?)(?P<number>\d[\d.,]*?\d|\d)(?P<end>,-|,00)?(?![\d.,]*\d)(?: ?(?P<scale>{_SCALE}|m|t)\b)?"
    rf"|\b(?P<bare>\d[\d.,]*\d|\d) ?(?P<bare_scale>{_SCALE})\b(?: rupiah\b)?|\b(?P<rupiah>\d[\d.,]*\d) rupiah\b"
)
_ENGLISH_GROUPS = re.compile(r"\d{1,3}(?:,\d{3})+")
_CODE_BEFORE = re.compile(
    r"(?:nomor|no\.?|pasal|nik|npwp|nib|kode|telepon|telp\.?|wa|whatsapp|center|centre|hotline|tahun|number|article|section) ?$"
)
_LARGE = re.compile(r"(?<![\w.,/-])(\d{1,3}(?:[.,]\d{3})+|\d{5,6})(?![\w/-]|[.,]\d)")
_DOUBLED = re.compile(r"(?<![\d.,])(rp ?\d[\d.]*(?:,\d\d)?|\d{1,3}(?:\.\d{3})+|\d{1,15}(?:,\d{1,4})?%?) ?\(([a-z][a-z -]+)\)")
_IN_WORDS = rf"(?:{'|'.join((*NUMBER_WORDS, *NUMBER_SCALES, *NUMBER_ONES, 'belas'))})"
_WORDS_DOUBLED = re.compile(rf"\b({_IN_WORDS}(?:[ -]{_IN_WORDS})*) \((\d{{1,15}})\)")
_FIRST_WORD = rf"(?:{'|'.join((*NUMBER_WORDS, *NUMBER_ONES))})"
_WORDS_COUNTED = re.compile(rf"(?<!salah )(?<!koma )(?<![\w(-])({_FIRST_WORD}(?:[ -]{_IN_WORDS})*)(?= (?:{'|'.join(COUNTED)})\b)")
_UNITS = "|".join((*COUNTED, *COUNTED_IN_FIGURES))
_FIGURE_COUNTED = re.compile(rf"(?<![\w.,/%-])([1-9]\d{{0,3}})(?= ((?:{_UNITS})\b)(?! (?:19|20)\d\d\b))(?! rupiah)")
_FIGURE_PERCENT = re.compile(r"(?<![\w.,/-])(\d{1,3}(?:,\d{1,4})?)(?: ?%| persen\b)(?= [^\W_(])")
_SCALED_COUNTED = re.compile(rf"(?<![\w.,/-])(\d{{1,3}}(?:,\d{{1,3}})?) ?({_SCALE})(?= (?!rupiah)(?:{_UNITS})\b)")
_TERM = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(map(re.escape, OTHER_TERMS), key=len, reverse=True))})(?![\w-])")
_TERM_STARTS = frozenset(re.split("[ /]", name)[0] for name in (*OTHER_TERMS, *LIMITS))  # without which neither is looked for
_AMOUNT_WORDS = "senilai|sebesar|sebanyak|dalam|jangka|waktu|tanggal|akhir|rp"
_LIMIT = re.compile(
    rf"(?<![\w-])(?:{'|'.join(sorted(map(re.escape, LIMITS), key=len, reverse=True))})(?= (?:\d|(?:{_AMOUNT_WORDS}|{_IN_WORDS})(?![a-z])))"
)
_TIME = re.compile(rf"\b(?:{TIMES})\b")
_PERCENT = re.compile(r"(?<=\d)(?: ?%| persen\b| percent\b)")
_TO = r"(?: ?[-\u2013] ?| sampai(?: dengan)? | hingga | s\.?/?d\.? | to )"
_RANGE = re.compile(rf"(?<![\w.,/-])([1-9]\d{{0,3}}){_TO}([1-9]\d{{0,3}})(?![\w.,/-])")
_LAW = re.compile(
    r"(?:(?P<sign>nomor |no\. ?|no )?(?P<number>\b\d{1,3}) tahun |(?P<short>(?<![\w/.-])\d{1,3})/)(?P<year>(?:19|20)\d\d)\b(?!/)"
)
_PARAGRAPH = re.compile(r"\bayat (?:\((\d{1,2}[a-z]?)\)|(\d{1,2}[a-z]?)\b)")
_TYPOGRAPHIC = {
    **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2018\u2019\u201a", "'"),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    "\u2026": "...",
}
_KEPT = ("<super>", "<sub>", "<fraction>", "<noBreak>")  # 10\u00b2 is no other way to write 102


@lru_cache(CACHED_PHRASES)
def currency(folded: str) -> Variants:
    """Return other ways to write the first amount of money."""
    found = _MONEY.search(folded) if _has_digit(folded) else None
    if found is None or (found["bare_scale"] and _SCALED_COUNTED.match(folded, found.start())):
        return Variants()
    number = found["number"] or found["bare"] or found["rupiah"]
    scale = found["scale"] or found["bare_scale"] or ""
    sign = (found["sign"] or "rp").rstrip(" .")
    odd = bool(found["end"]) or (found["sign"] or "").strip() == "rp." or found["rupiah"] is not None
    forms = _amounts(number, scale, sign) if sign in ("rp", "idr") else _spaced(sign, number, scale)
    return Variants(tuple(_replaced(folded, found, forms)), odd or bool(re.fullmatch(r"\d{4,}", number)))


@lru_cache(CACHED_PHRASES)
def grouped(folded: str) -> Variants:
    """Return other ways to write the first large number that is not money: 1.000 orang, 1000 orang, seribu orang."""
    if not _has_digit(folded):
        return Variants()
    if found := _SCALED_COUNTED.search(folded):
        digits = _digits(found[1], found[2])
        return Variants(tuple(_replaced(folded, found, (dotted(digits), *everyday(digits))))) if digits else Variants()
    found = _LARGE.search(folded)
    if found is None or _MONEY.search(folded) or _CODE_BEFORE.search(folded[: found.start()]) or found[0].startswith("0"):
        return Variants()
    digits = re.sub("[.,]", "", found[0])
    if len(digits) > MOST_DIGITS:
        return Variants()
    twice = (f"{dotted(digits)} ({in_words(int(digits))})",) if is_told(digits) and not folded.endswith(found[0]) else ()
    forms = (dotted(digits), digits, dotted(digits).replace(".", ","), *everyday(digits), *twice)
    return Variants(tuple(_replaced(folded, found, forms)), found[0] == digits)


@lru_cache(CACHED_PHRASES)
def doubled(folded: str) -> Variants:
    """Return a phrase with its first number as figure or as word alone: 60 (enam puluh) hari, 60 hari, enam puluh hari.

    Where the number stands in words only, or in figures only before what is counted, both others: 17 tahun, tujuh belas tahun,
    17 (tujuh belas) tahun. Regulations write a number in both ways, a percentage and an amount too.
    """
    if found := _twice(folded):
        figure, words = found.groups()
        forms = (figure.removesuffix(",00"), words) if figure.startswith("rp") else (figure, words)
        return Variants(tuple(_replaced(folded, found, forms)))
    if found := _WORDS_COUNTED.search(folded):
        number = dotted(str(from_words(re.split("[ -]", found[1]))))
        variants = (*_replaced(folded, found, (number, f"{number} ({found[1]})")),)
        if folded[found.end() :].startswith(" rupiah"):
            variants += (f"{folded[: found.start()]}rp{number}{folded[found.end() :].removeprefix(' rupiah')}",)
        return Variants(variants)
    return Variants(tuple(_counted(folded))) if _has_digit(folded) else Variants()


def is_doubled(folded: str) -> bool:
    """Whether a phrase gives a number twice, as regulations do."""
    return _twice(folded) is not None


def ranged(folded: str) -> Variants:
    """Return other ways to write the first range: 3-5 hari, 3 sampai 5 hari."""
    found = _RANGE.search(folded) if _has_digit(folded) else None
    if found is None or int(found[1]) >= int(found[2]) or _CODE_BEFORE.search(folded[: found.start()]):
        return Variants()
    forms = (found[1] + between + found[2] for between in ("-", "\u2013", " - ", " sampai ", " hingga "))
    return Variants(tuple(_replaced(folded, found, forms)))


def cited(folded: str) -> Variants:
    """Return other ways to cite the first regulation by number and year, or its first paragraph: ayat (1), ayat 1."""
    if not _has_digit(folded):
        return Variants()
    if found := _LAW.search(folded):
        number, year = found["number"] or found["short"], found["year"]
        forms = (f"{sign}{number} tahun {year}" for sign in ("nomor ", "no. ", "no ", ""))
        return Variants(tuple(_replaced(folded, found, (*forms, f"{number}/{year}"))))
    if found := _PARAGRAPH.search(folded):
        number = found[1] or found[2]
        return Variants(tuple(_replaced(folded, found, (f"ayat {number}", f"ayat ({number})"))))
    return Variants()


def plain(text: str) -> str:
    """Return a text with plain signs: straight quotes, hyphens, and letters of ordinary form for ligatures and full-width ones."""
    return text if text.isascii() else "".join(map(_plain_sign, text))


def dated(folded: str) -> Variants:
    """Return other ways to write the first date, or the first day of a year."""
    if _has_digit(folded) and (date := dates.first_date(folded)):
        return Variants(tuple(_replaced(folded, date.found, date.forms)), date.is_odd)
    return Variants()


def offices(folded: str) -> Variants:
    """Return a phrase with the other names of its first office: a chatbot may know the ministry by its old name or by its new one.

    They are not the same word: an author may require the one and forbid the other.
    """
    if _begins_term(folded) and (found := _TERM.search(folded)):
        return Variants(tuple(_replaced(folded, found, OTHER_TERMS[found[0]])))
    return Variants()


@lru_cache(CACHED_PHRASES)
def synonyms(folded: str) -> Variants:
    """Return a phrase with other words for the same: for a limit before a number, or a percentage.

    Another word inside the phrase is given only in phrases of one or two words, where little else is said.
    """
    if folded in _OTHER_WORDS:
        return Variants(_OTHER_WORDS[folded])
    variants: list[str] = []
    if _begins_term(folded) and (found := _LIMIT.search(folded)):
        variants += _replaced(folded, found, (LIMITS_OF_TIME if _TIME.search(folded) else LIMITS)[found[0]])
    if _has_digit(folded) and (found := _PERCENT.search(folded)):
        variants += _replaced(folded, found, ("%", " persen", " %"))
    words = folded.split(" ")
    if not variants and len(words) <= SHORT_PHRASE:
        swapped = (" ".join([*words[:at], other, *words[at + 1 :]]) for at, word in enumerate(words) for other in _SAME_WORDS.get(word, ()))
        variants += (variant for variant in swapped if folded not in variant)
    return Variants(tuple(variants))


def _begins_term(folded: str) -> bool:
    """Whether a word of the phrase begins an office or a limit; a quick look before a long search."""
    return not _TERM_STARTS.isdisjoint(word.strip("(\"'") for word in folded.split(" "))


@lru_cache(CACHED_PHRASES)
def all_spellings(folded: str) -> tuple[str, ...]:
    """Return what says the very same in other characters: amounts, numbers, dates and other words, but no other form of a word."""
    if len(folded) > LONGEST_SPELLED:
        return ()
    return tuple(variant for spell in (currency, grouped, ranged, doubled, dated, cited, synonyms) for variant in spell(folded).variants)


@lru_cache(CACHED_PHRASES)
def affixed(folded: str, words: WordList) -> Variants:
    """Return other forms of a phrase that is one affixed Indonesian word, the most common first.

    Forms are made by putting affixes on and looking the result up; there is no stemming, since that makes ikan of memberikan.
    """
    if not folded.isalpha() or len(folded) < 6:
        return Variants()
    best: list[str] = []
    for root in _roots(folded):
        forms = [form for form in _forms(root) if folded not in form and words.frequency(form) >= LEAST_FORM]
        if len(forms) > len(best):
            best = forms
    if len(best) < LEAST_FORMS:
        return Variants()
    return Variants(tuple(sorted(best, key=words.frequency, reverse=True)))


_has_digit = re.compile(r"\d").search

# --- amounts ---


def _amounts(number: str, scale: str, sign: str) -> Iterator[str]:
    """Give the spellings of an amount of rupiah, what is written most first."""
    digits = _digits(number, scale)
    if digits is not None and int(digits):
        groups, words = dotted(digits), in_words(int(digits))
        short = list(scaled(digits))
        yield from (f"rp{groups}", f"rp {groups}", f"rp{groups},00 ({words} rupiah)")
        for figures, (name, other) in short:
            yield from (f"rp{figures} {name}", f"{figures} {name}", f"{figures} {other}", f"{figures} {name} rupiah")
        if is_told(digits):
            yield from (f"{told} rupiah" for told in everyday(digits) if not told[0].isdigit())
        yield from (f"{groups} rupiah", f"rp. {groups}")
        for figures, (name, other) in short:
            letter = name[0] if name[0] in _LETTERS else ""
            yield from (f"rp {figures} {name}", f"rp{figures} {other}", f"rp{figures}{other}", f"{figures}{other}")
            yield from (f"rp{figures} {letter}", f"rp{figures}{letter}") if letter else ()
    if scale or digits is None or _ENGLISH_GROUPS.fullmatch(number):
        yield from _spaced(sign, number, scale)


def _spaced(sign: str, number: str, scale: str) -> Iterator[str]:
    after = f" {scale}" if scale else ""
    yield from (f"{sign}{number}{after}", f"{sign} {number}{after}")


def _digits(number: str, scale: str) -> str | None:
    """Return an Indonesian amount in full digits, or None where it is not certain: 1,5 miliar has a decimal comma."""
    if not scale and _ENGLISH_GROUPS.fullmatch(number):
        number = number.replace(",", "")  # IDR 50,000
    whole, _, decimals = number.partition(",")
    plain = whole.replace(".", "")
    zeros = (_SCALES | _LETTERS).get(scale, 0)
    if not plain.isdigit() or len(plain) > MOST_DIGITS or len(decimals) > zeros or not (decimals or "0").isdigit():
        return None
    return plain + decimals + "0" * (zeros - len(decimals))


# --- numbers in words, and signs ---


def _twice(folded: str) -> re.Match[str] | None:
    """The first number that is given in figures and in words."""
    return (_DOUBLED.search(folded) if _has_digit(folded) and "(" in folded else None) or (
        _WORDS_DOUBLED.search(folded) if "(" in folded else None
    )


def _counted(folded: str) -> Iterator[str]:
    """Give the other ways to write the first small number before what is counted, or the first percentage before other words."""
    if (found := _FIGURE_COUNTED.search(folded)) and not _RANGE.search(folded) and not _CODE_BEFORE.search(folded[: found.start()]):
        words = in_words(int(found[1]), "en" if found[2] in COUNTED_EN else "id")
        yield from _replaced(folded, found, (dotted(found[1]), f"{found[1]} ({words})", words))
    elif found := _FIGURE_PERCENT.search(folded):
        yield from _replaced(folded, found, (f"{found[1]}% ({_decimal_in_words(found[1])} persen)",))


def _decimal_in_words(number: str) -> str:
    """A number with a decimal comma in words: 0,5 is nol koma lima."""
    whole, _, decimals = number.partition(",")
    return " ".join([in_words(int(whole)) or "nol", *(["koma"] if decimals else []), *(in_words(int(one)) or "nol" for one in decimals)])


def _plain_sign(char: str) -> str:
    """Return what is typed for a sign, and for a letter or figure in another form; none for what would say something else."""
    if char in _TYPOGRAPHIC:
        return _TYPOGRAPHIC[char]
    form = unicodedata.decomposition(char)
    return unicodedata.normalize("NFKC", char) if form.startswith("<") and not form.startswith(_KEPT) and not char.isspace() else char


# --- affixes ---

_ENDINGS = ("kannya", "annya", "kan", "nya", "an", "i")
# What a prefix swallows: me + tulis is menulis. Each prefix with the letters that may have stood there.
_PREFIXES = (
    ("menge", ("",)), ("meng", ("", "k")), ("meny", ("s",)), ("mem", ("", "p")), ("men", ("", "t")), ("me", ("",)),
    ("penge", ("",)), ("peng", ("", "k")), ("peny", ("s",)), ("pem", ("", "p")), ("pen", ("", "t")), ("per", ("",)), ("pe", ("",)),
    ("ber", ("",)), ("ter", ("",)), ("di", ("",)), ("ke", ("",)), ("memper", ("",)), ("diper", ("",)),
)  # fmt: skip
_DOUBLED_PREFIXES = ("kepe", "keter", "keber")  # ke-pemilik-an, ke-terlambat-an
_NASALS = {
    "k": "ng", "g": "ng", "h": "ng", "a": "ng", "i": "ng", "u": "ng", "e": "ng", "o": "ng",
    "s": "ny", "p": "m", "b": "m", "f": "m", "v": "m", "t": "n", "d": "n", "c": "n", "j": "n", "z": "n",
}  # fmt: skip
_SWALLOWED = "kspt"
SHORT_ROOT = 4  # sah, cat: roots of one syllable take menge-


def _roots(word: str) -> Iterator[str]:
    """Give what a word may have been made from: known prefixes and endings taken off."""
    for prefix, swallowed in _PREFIXES:
        if word.startswith(prefix):
            bare = word[len(prefix) :]
            for body in [bare, *(bare.removesuffix(ending) for ending in _ENDINGS if bare.endswith(ending))]:
                if len(body) >= 3:
                    yield from (letter + body for letter in swallowed)
    if word.startswith(_DOUBLED_PREFIXES):
        yield from _roots(word.removeprefix("ke"))


def _forms(root: str) -> Iterator[str]:
    """Give the verbs and nouns that the usual affixes make of a root."""
    nasal = _NASALS.get(root[0], "")
    body = root[1:] if root[0] in _SWALLOWED else root
    for ending in ("", "kan", "i"):
        yield f"me{nasal}{body}{ending}"
        yield f"di{root}{ending}"
        yield from (f"memper{root}{ending}", f"diper{root}{ending}")
    if len(root) <= SHORT_ROOT:
        yield from (f"menge{root}kan", f"penge{root}an")
    yield from (f"ber{root}", f"ter{root}", f"pe{nasal}{body}", f"pe{nasal}{body}an", f"per{root}an", f"ke{root}an")


def _replaced(folded: str, found: re.Match[str], forms: Iterable[str]) -> Iterator[str]:
    """Give the phrase with each form in place of what was found, without the phrase itself and without repeating one."""
    made = (folded[: found.start()] + form + folded[found.end() :] for form in forms)
    return (variant for variant in dict.fromkeys(made) if variant != folded and folded not in variant)
