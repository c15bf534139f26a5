"""Spellings: what else a right answer may write for an amount, a number, a date or a word.

Rule: all folded, for warnings only. Nothing here is ever searched in place of a phrase: "1,5" and "1.500" are not the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from goldenlib.hazards.textindex import CACHED_PHRASES
from goldenlib.hazards.vocabulary import (
    ABBREVIATIONS,
    COUNTED,
    MONTHS_EN,
    MONTHS_ID,
    MONTHS_SHORT,
    NUMBER_ONES,
    NUMBER_SCALES,
    NUMBER_WORDS,
    SAME_MEANING,
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

_SCALES = {"ribu": 3, "rb": 3, "juta": 6, "jt": 6, "miliar": 9, "milyar": 9, "triliun": 12, "thousand": 3, "million": 6, "billion": 9}
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
_DOUBLED = re.compile(r"(?<!\d)(\d{1,15}) ?\(([a-z][a-z -]+)\)")
_IN_WORDS = rf"(?:{'|'.join((*NUMBER_WORDS, *NUMBER_SCALES, *NUMBER_ONES, 'belas'))})"
_WORDS_DOUBLED = re.compile(rf"\b({_IN_WORDS}(?:[ -]{_IN_WORDS})*) \((\d{{1,15}})\)")
_FIRST_WORD = rf"(?:{'|'.join((*NUMBER_WORDS, *NUMBER_ONES))})"
_WORDS_COUNTED = re.compile(rf"(?<!salah )(?<!koma )(?<![\w(-])({_FIRST_WORD}(?:[ -]{_IN_WORDS})*)(?= (?:{'|'.join(COUNTED)})\b)")
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
_MONTH = "|".join((*MONTHS_ID, *MONTHS_EN, *(rf"{short}\.?" for short in MONTHS_SHORT)))
_SPELLED_DATE = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)? ({_MONTH}) (\d{{4}})\b")
_ENGLISH_DATE = re.compile(rf"\b({_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b")
_ISO_DATE = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
_NUMERIC_DATE = re.compile(r"\b(\d{1,2})([/.-])(\d{1,2})\2(\d{4})\b")


def currency(folded: str) -> Variants:
    """Return other ways to write the first amount of money."""
    found = _MONEY.search(folded) if _has_digit(folded) else None
    if found is None:
        return Variants()
    number = found["number"] or found["bare"] or found["rupiah"]
    scale = found["scale"] or found["bare_scale"] or ""
    sign = (found["sign"] or "rp").rstrip(" .")
    odd = bool(found["end"]) or (found["sign"] or "").strip() == "rp." or found["rupiah"] is not None
    forms = _amounts(number, scale, sign) if sign in ("rp", "idr") else _spaced(sign, number, scale)
    return Variants(tuple(_replaced(folded, found, forms)), odd or bool(re.fullmatch(r"\d{4,}", number)))


def grouped(folded: str) -> Variants:
    """Return other ways to write the first large number that is not money."""
    found = _LARGE.search(folded) if _has_digit(folded) else None
    if found is None or _MONEY.search(folded) or _CODE_BEFORE.search(folded[: found.start()]) or found[0].startswith("0"):
        return Variants()
    digits = re.sub("[.,]", "", found[0])
    if len(digits) > MOST_DIGITS:
        return Variants()
    forms = (_dotted(digits), digits, _dotted(digits).replace(".", ","))
    return Variants(tuple(_replaced(folded, found, forms)), found[0] == digits)


def doubled(folded: str) -> Variants:
    """Return a phrase with its first number as figure or as word alone: 60 (enam puluh) hari, 60 hari, enam puluh hari.

    Where the number stands in words only, both others: tujuh belas tahun, 17 tahun, 17 (tujuh belas) tahun.
    """
    if found := _DOUBLED.search(folded) or _WORDS_DOUBLED.search(folded):
        return Variants(tuple(_replaced(folded, found, found.groups())))
    if found := _WORDS_COUNTED.search(folded):
        number = f"{_number(re.split('[ -]', found[1])):,}".replace(",", ".")
        variants = (*_replaced(folded, found, (number, f"{number} ({found[1]})")),)
        if folded[found.end() :].startswith(" rupiah"):
            variants += (f"{folded[: found.start()]}rp{number}{folded[found.end() :].removeprefix(' rupiah')}",)
        return Variants(variants)
    return Variants()


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
    """Return other ways to write the first date."""
    for pattern, read in _DATES if _has_digit(folded) else ():
        if found := pattern.search(folded):
            year, month, day = read(found)
            if 1 <= month <= 12 and 1 <= day <= 31:
                forms = (
                    f"{day} {MONTHS_ID[month - 1]} {year}",
                    f"{day:02}/{month:02}/{year}",
                    f"{day:02}-{month:02}-{year}",
                    f"{year}-{month:02}-{day:02}",
                    f"{MONTHS_EN[month - 1]} {day}, {year}",
                )
                is_odd = pattern in (_ISO_DATE, _NUMERIC_DATE) or not set(MONTHS_ID + MONTHS_EN).intersection(found.groups())
                return Variants(tuple(_replaced(folded, found, forms)), is_odd)
    return Variants()


def synonyms(folded: str) -> Variants:
    """Return a phrase with other words for the same; a word inside it only in phrases of one or two words, where little else is said."""
    if folded in _OTHER_WORDS:
        return Variants(_OTHER_WORDS[folded])
    if found := _PERCENT.search(folded):
        return Variants(tuple(_replaced(folded, found, ("%", " persen", " %"))))
    words = folded.split(" ")
    if len(words) > SHORT_PHRASE:
        return Variants()
    swapped = (" ".join([*words[:at], other, *words[at + 1 :]]) for at, word in enumerate(words) for other in _SAME_WORDS.get(word, ()))
    return Variants(tuple(variant for variant in swapped if folded not in variant))


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
    """Give the spellings of an amount of rupiah."""
    digits = _digits(number, scale)
    if digits is not None:
        grouped_digits = _dotted(digits)
        yield from (f"rp{grouped_digits}", f"rp {grouped_digits}", f"rp. {grouped_digits}", f"{grouped_digits} rupiah")
        for name, zeros in (("ribu", 3), ("juta", 6), ("miliar", 9), ("triliun", 12)):
            head = digits[:-zeros]
            if digits.endswith("0" * zeros) and 1 <= len(head) <= 3:
                yield from (f"rp{head} {name}", f"rp {head} {name}", f"{head} {name} rupiah", f"{head} {name}")
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


def _dotted(digits: str) -> str:
    return f"{int(digits):,}".replace(",", ".")


# --- numbers in words, and signs ---


def _number(words: Iterable[str]) -> int:
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


def _plain_sign(char: str) -> str:
    """Return what is typed for a sign, and for a letter or figure in another form; none for what would say something else."""
    if char in _TYPOGRAPHIC:
        return _TYPOGRAPHIC[char]
    form = unicodedata.decomposition(char)
    return unicodedata.normalize("NFKC", char) if form.startswith("<") and not form.startswith(_KEPT) and not char.isspace() else char


# --- dates ---


def _month(name: str) -> int:
    short = MONTHS_SHORT.get(name.rstrip("."))
    return short if short is not None else (MONTHS_ID.index(name) if name in MONTHS_ID else MONTHS_EN.index(name)) + 1


def _spelled_date(found: re.Match[str]) -> tuple[int, int, int]:
    return int(found[3]), _month(found[2]), int(found[1])


def _english_date(found: re.Match[str]) -> tuple[int, int, int]:
    return int(found[3]), _month(found[1]), int(found[2])


def _iso_date(found: re.Match[str]) -> tuple[int, int, int]:
    return int(found[1]), int(found[2]), int(found[3])


def _numeric_date(found: re.Match[str]) -> tuple[int, int, int]:
    return int(found[4]), int(found[3]), int(found[1])


_DATES = ((_SPELLED_DATE, _spelled_date), (_ENGLISH_DATE, _english_date), (_ISO_DATE, _iso_date), (_NUMERIC_DATE, _numeric_date))


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
