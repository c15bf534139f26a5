"""Fragments: phrases that the fact gate finds inside other words, numbers and codes.

Rule: only hits inside something longer count; that 'optik' is found in 'optik' is what its author wants.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from goldenlib.hazards.findings import Fact, Hit, Severity
from goldenlib.hazards.subject import Context, Phrase, Subject, words_of
from goldenlib.hazards.vocabulary import (
    ABBREVIATIONS,
    LETTERED,
    LETTERS_GO_ON,
    MONTHS_EN,
    MONTHS_ID,
    MONTHS_SHORT,
    NUMBERED,
    OPPOSITES,
    ROMAN,
)
from goldenlib.hazards.words import WordHits, WordList

SHORT = 3  # letters: a fragment whatever the word list says
LONGEST_FRAGMENT = 12  # longer words are hardly ever part of others
# Shares of running text: at 2e-5 one answer of 100 words in 500 is hit by chance.
FORBIDDEN_SHARE, REQUIRED_SHARE, SHORT_REQUIRED_SHARE = 1e-5, 5e-5, 1e-5
COMMON_FORBIDDEN, COMMON_REQUIRED = 2e-4, 2e-3
COMMON_ALONE = 5e-5  # where nothing else is required
ALWAYS_SHARE = 0.03  # 95 of 100 answers of 100 words
SHOWN_CODES = 4

_TOKEN = re.compile(r"([-'\"(]*)([^\W\d_]+)([-.,:;'\")]*)")
_PREFIXES = re.compile(r"(?:di|ke|se|ter|be[rl]?|me(?:ng|ny|[nmlrw])?|pe(?:ng|ny|[nmlrw])?){0,2}")
_SUFFIXES = ("", "kan", "i", "an", "nya", "lah", "kah", "pun", "ku", "mu", "kannya", "annya", "inya", "s", "es", "ed", "ly")

_YEAR_AT_END = re.compile(r"(?:^|.*[\s/(-])(?:19|20)\d\d")
_AGE_AT_END = re.compile(r"\b(?:ber)?(?:umur|usia) (?:\w+ )?$|\bage (?:of )?$")  # of two figures: none has three that begin so
_NUMBER_AT_START = re.compile(r"\d[\d.,]*")
_NUMBER_AT_END = re.compile(r"\d[\d.,]*$")
_SPELLED_OUT = re.compile(r"\d[\d.,]* ?\([^\W\d]")
_ONLY_A_NUMBER = re.compile(r"[.,]*\d[\d.,]*")
_ONLY_SIGNS = re.compile(r"[^\w\s]{1,3}")
_ONLY_A_DATE = re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}")
_GROUPED = re.compile(r"\d{1,3}([.,])\d{3}(?:\1\d{3})*")
_MONTHS = (*MONTHS_ID, *MONTHS_EN, *(f"{short}{end}" for short in MONTHS_SHORT for end in " ."))
_AMOUNT = re.compile(
    r"(?:rp|idr|usd|us\$|\$)?\.? ?\d[\d.,]*-? ?(?:%|persen|percent|ribu|juta|miliar|triliun|thousand|million|billion)?"
    r" ?(?:rupiah|dollars|tahun|bulan|hari|hari kerja|jam|orang|years?|months?|days?|working days|hours?|people)?"
)


# --- words ---


def short_fragment(subject: Subject, context: Context) -> Iterator[Hit]:
    """A word of a few letters, or one that is part of common longer words."""
    for phrase in subject.phrases:
        hits = hits_inside(phrase, subject, context.words)
        if hits is None:
            continue
        severity = _fragment_severity(phrase, hits, subject)
        if opposites := _opposites(phrase, context.words):
            severity = Severity.WARNING
            hits = replace(hits, words=(*opposites, *(word for word in hits.words if word not in opposites)))
        if severity is not None:
            yield phrase.hit(
                severity,
                *_word_facts(phrase, hits, context.words),
                variant=_fragment_variant(phrase, severity, hits),
                words=", ".join(hits.words[:4]),
                letters=len(phrase.folded),
            )


def common_word(subject: Subject, context: Context) -> Iterator[Hit]:
    """A single everyday word."""
    if context.words is None:
        return
    for phrase in subject.phrases:
        core = _core(phrase.folded)
        share = context.words.frequency(core) if len(core) > SHORT else 0.0
        if share >= (COMMON_REQUIRED if phrase.is_required else COMMON_FORBIDDEN):
            never_passes = not phrase.is_required and share >= ALWAYS_SHARE
            chance = WordHits(share=share).chance()
            yield phrase.hit(Severity.ERROR if never_passes else Severity.WARNING, Fact("chance", {"percent": _percent(chance)}))
        elif phrase.is_required and len(subject.required) == 1 and share >= COMMON_ALONE:
            yield phrase.hit(subject.weak(), variant="alone")


def hits_inside(phrase: Phrase, subject: Subject, words: WordList | None) -> WordHits | None:
    """Return the longer words around a phrase that is one word, or None for any other phrase."""
    parts = _TOKEN.fullmatch(phrase.folded)
    if parts is None or len(parts[2]) > LONGEST_FRAGMENT:
        return WordHits() if _ONLY_SIGNS.fullmatch(phrase.folded) else None
    if words is None:
        return WordHits()
    before, core, after = parts.groups()
    # The affixed forms of a required word say the same thing; a shorter one is too easily part of a word by chance.
    kin = tuple(_own_forms(core, words)) if phrase.is_required and len(core) > SHORT + 1 else ()
    return words.inside(core, "start" if before else "end" if after else "", kin, subject.language)


def _is_fragment(phrase: Phrase, subject: Subject, words: WordList | None) -> bool:
    hits = hits_inside(phrase, subject, words)
    return hits is not None and _fragment_severity(phrase, hits, subject) is not None


def _fragment_severity(phrase: Phrase, hits: WordHits, subject: Subject) -> Severity | None:
    letters = len(_core(phrase.folded))
    if phrase.is_required:
        if letters <= SHORT:
            return Severity.WARNING if hits.share >= SHORT_REQUIRED_SHARE else Severity.NOTE
        return Severity.WARNING if hits.share >= REQUIRED_SHARE else None
    if hits.share >= ALWAYS_SHARE:
        return Severity.ERROR
    if letters <= SHORT and any(_core(phrase.folded) in words_of(message) for message in subject.messages):
        return Severity.ERROR  # what the question is about: no answer to it does without
    return Severity.WARNING if letters <= SHORT or hits.share >= FORBIDDEN_SHARE else None


def _fragment_variant(phrase: Phrase, severity: Severity, hits: WordHits) -> str:
    if severity is Severity.ERROR:
        return "always"
    kind = "required" if phrase.is_required else "forbidden"
    return kind if hits.words else f"{kind}-short"


def _word_facts(phrase: Phrase, hits: WordHits, words: WordList | None) -> Iterator[Fact]:
    if hits.words:
        yield Fact("inside-words", {"words": ", ".join(hits.words), "count": hits.count})
        if (chance := hits.chance()) >= 0.01:
            yield Fact("chance", {"percent": _percent(chance)})
    if longer := longer_codes(_core(phrase.folded)):
        yield Fact("inside-codes", {"codes": ", ".join(code.upper() for code in longer[:SHOWN_CODES])})
    if words is None or not words.is_complete:
        yield Fact("no-word-list")


def _core(folded: str) -> str:
    """The letters of a phrase that is one word; empty for any other."""
    parts = _TOKEN.fullmatch(folded)
    return parts[2] if parts else ""


def _own_forms(core: str, words: WordList) -> Iterator[str]:
    """The words that are `core` with Indonesian affixes or English endings on it."""
    for word in words.around(core):
        before, _, after = word.partition(core)
        if after in _SUFFIXES and _PREFIXES.fullmatch(before):
            yield word


def _opposites(phrase: Phrase, words: WordList | None) -> tuple[str, ...]:
    """The words that a required word is the end of and that say the opposite, however rare: unofficial, ilegal."""
    core = _core(phrase.folded)
    if words is None or not phrase.is_required or len(core) <= SHORT:
        return ()
    return tuple(prefix + core for prefix in OPPOSITES if prefix + core in words)


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else f"{share:.1%}"


# --- numbers ---


def edge_digits(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A phrase that begins or ends with a figure: it is found in longer figures too."""
    for phrase in subject.phrases:
        folded = phrase.folded
        if _ONLY_A_NUMBER.fullmatch(folded):
            if not _is_long_code(folded):
                is_year = _YEAR_AT_END.fullmatch(folded)
                yield _edge_hit(phrase, Severity.NOTE if is_year else Severity.WARNING, "only-number", _longer_numbers(folded))
            continue
        if (severity := _left_edge(folded)) is not None:
            yield _edge_hit(phrase, severity, "left", [f"{digit}{_line(phrase)}" for digit in "12"])
        if (severity := _right_edge(folded)) is not None:
            yield _edge_hit(phrase, severity, "right", _longer_at_end(_line(phrase)))


def forbidden_number(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A forbidden phrase that is nothing but an amount: right answers name it too, to say that it no longer holds."""
    for phrase in subject.forbidden:
        if _ONLY_A_NUMBER.fullmatch(phrase.folded):
            if not _is_long_code(phrase.folded):
                yield phrase.hit(Severity.WARNING)
        elif _AMOUNT.fullmatch(phrase.folded):
            yield phrase.hit(Severity.NOTE)


def _line(phrase: Phrase) -> str:
    """The phrase as written, on one line."""
    return " ".join(phrase.text.split())


def _edge_hit(phrase: Phrase, severity: Severity, side: str, longer: list[str]) -> Hit:
    return phrase.hit(severity, Fact("also-found-in", {"texts": ", ".join(longer)}), variant=side, example=longer[0])


def _left_edge(folded: str) -> Severity | None:
    found = _NUMBER_AT_START.match(folded)
    if found is None or _SPELLED_OUT.match(folded):
        return None
    number = found[0].rstrip(".,")
    digits = [char for char in number if char.isdigit()]
    if number.startswith("0") and number[1:2].isdigit():
        return None  # a code such as 021 or 0812
    following = folded[found.end() :]
    if following.startswith(":") or following.strip().startswith(_MONTHS):
        return Severity.WARNING if len(digits) == 1 else None  # "1 Januari" is in "11 Januari"; no date begins with three digits
    if len(digits) > SHORT or following.startswith(("/", "-", "(")):
        return None  # long numbers are rare inside longer ones, and codes have a form
    return Severity.WARNING if len(digits) <= 2 else Severity.NOTE


def _right_edge(folded: str) -> Severity | None:
    found = _NUMBER_AT_END.search(folded)
    if found is None or found.start() == 0 or _YEAR_AT_END.fullmatch(folded):
        return None
    number, before = found[0], folded[: found.start()]
    if "." in number or "," in number:
        return None if re.search(r"[.,]\d\d$", number) else Severity.NOTE  # Rp50.000 in Rp50.000.000; not a time, nor cents
    if before.endswith(("rp", "rp.", "rp ", "rp. ", "$", "$ ")):
        return Severity.WARNING
    if len(number) == 2 and _AGE_AT_END.search(before):
        return Severity.NOTE
    if (before[-1] in "-/.:" and not before.endswith("ke-")) or len(number) > SHORT:
        return None  # the end of a code, a date or a time
    return Severity.WARNING if len(number) <= 2 else Severity.NOTE


def _longer_at_end(text: str) -> list[str]:
    number = _NUMBER_AT_END.search(text)
    grouped = _GROUPED.fullmatch(number[0]) if number else None
    return [f"{text}{grouped[1]}000"] if grouped else [f"{text}0", f"{text}5"]


def _longer_numbers(number: str) -> list[str]:
    if re.fullmatch(r"\d+[.,]\d", number):
        return [f"{number}00", f"1{number}"]  # 1.5 begins 1.500
    if grouped := _GROUPED.fullmatch(number):
        return [f"{number}{grouped[1]}000", f"1{number}"]
    return [f"{number}0", f"20{number}" if len(number) == 2 else f"1{number}"]


def _is_long_code(folded: str) -> bool:
    """Whether a number is hardly ever part of another: a code, or a date."""
    return (folded.isdigit() and len(folded) >= 8) or _ONLY_A_DATE.fullmatch(folded) is not None


# --- codes ---


def edge_code(subject: Subject, context: Context) -> Iterator[Hit]:
    """An abbreviation at the end of a phrase that another abbreviation begins with: PKWT in PKWTT; and Kelas II in Kelas III."""
    for phrase in subject.phrases:
        last = phrase.words[-1] if phrase.words else ""
        if numerals := _longer_numerals(phrase):
            longer_ones = [_line(phrase) + numeral[len(last) :].upper() for numeral in numerals[:SHOWN_CODES]]
            yield phrase.hit(Severity.WARNING, variant="numeral", code=last.upper(), longer=", ".join(longer_ones))
            continue
        if last in LETTERS_GO_ON and _before_letter(phrase) not in LETTERED:
            yield phrase.hit(Severity.WARNING, variant="letter", code=last.upper(), longer=_line(phrase) + LETTERS_GO_ON[last])
            continue
        if not phrase.folded.endswith(last) or last not in ABBREVIATIONS or len(last) <= SHORT:
            continue
        longer = [code for code in longer_codes(last) if code.startswith(last) and not _is_a_kind_of(code, last)][:SHOWN_CODES]
        if longer and not _is_fragment(phrase, subject, context.words):
            meanings = "; ".join(f"{code.upper()} = {ABBREVIATIONS[code]}" for code in (last, *longer))
            shown = ", ".join(code.upper() for code in longer)
            severity = Severity.NOTE if any(char.isdigit() for char in phrase.folded) else Severity.WARNING  # a number tells them apart
            yield phrase.hit(severity, Fact("code-meanings", {"codes": meanings}), code=last.upper(), longer=shown)


def _before_letter(phrase: Phrase) -> str:
    """The word right before the letter that a phrase ends with; "letter" where there is none."""
    found = re.search(r"([^\W\d_]{2,}) \w$", phrase.folded)
    return found[1] if found else "letter"


def _longer_numerals(phrase: Phrase) -> tuple[str, ...]:
    """The Roman numerals that the one at the end of a phrase begins; one letter is a numeral only behind what is numbered so."""
    *before, last = phrase.words or ("",)
    if last not in ROMAN or not phrase.folded.endswith(f" {last}") or not (len(last) > 1 or NUMBERED.intersection(before[-1:])):
        return ()
    return tuple(numeral for numeral in ROMAN if numeral.startswith(last) and numeral != last)


def _is_a_kind_of(longer: str, code: str) -> bool:
    """Whether the longer abbreviation means a kind of the shorter: RUPSLB is a RUPS, PKWTT is no PKWT."""
    return ABBREVIATIONS[longer].startswith(ABBREVIATIONS[code])


def longer_codes(folded: str) -> tuple[str, ...]:
    """Return the known abbreviations that contain a shorter text, those that begin with it first."""
    if not folded:
        return ()
    longer = [code for code in ABBREVIATIONS if folded in code and code != folded]
    return tuple(sorted(longer, key=lambda code: (not code.startswith(folded), len(code), code)))
