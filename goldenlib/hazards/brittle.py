"""Brittle phrases: right answers that say the same thing in other characters fail them.

Rule: what a right answer may well write instead is given as evidence; where stored answers do write it, a note becomes a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile

from goldenlib.hazards import spellings, wordorder
from goldenlib.hazards.assertions import assertion_before
from goldenlib.hazards.findings import Fact, Hit, Severity
from goldenlib.hazards.lists import is_list
from goldenlib.hazards.stored import StoredAnswer
from goldenlib.hazards.subject import Context, Phrase, Subject, words_of
from goldenlib.hazards.vocabulary import ABBREVIATIONS, MONTHS_EN, MONTHS_ID, WRITTEN

SENTENCE_WORDS = 12
SENTENCE_END_WORDS = 4  # words before a full stop that make a sentence of a phrase
SHOWN_VARIANTS = 8

_SENTENCE_END = re.compile("[.!?\u2026][\"'\u201d\u2019)]*$")
_TWO_SENTENCES = re.compile(r"[^\W\d_]{4}[.!?] [^\W\d_]{2}")  # the last four letters tell as much as all of them, in linear time
_ABBREVIATED = re.compile(r"(?:^|.*\W)(?:(?:\w\.){2,}|tbk\.|dll\.|dsb\.|dkk\.|no\.|m\.kn\.|inc\.|ltd\.|etc\.)")
_LIST = re.compile(r"[^\W\d_], (?:.*[^\W\d_],? )?(?:dan|atau|serta|and|or) \w")
_CHOICE = re.compile(r"(?:[\w-]+ ){1,2}(?:(?:dan ?/ ?)?atau|(?:and ?/ ?)?or)(?: [\w-]+){1,2}")
_ALTERNATIVES = re.compile(
    r"(?<![\w/:.-])([\w.-]{2,}(?: [\w.-]{2,}){0,2}) ?(/) ?([\w.-]{2,})(?: ?/ ?[\w.-]{2,})*(?![\w/:.-])"
    r"|(?<![\w.-])([\w.-]+) ?(\|) ?([\w.-]+)"
)
_NO_ALTERNATIVES = re.compile(
    r"\b(?:dan|and) ?/ ?(?:atau|or)\b|\bnomor\b|\bno\b|\d/[a-z]|[a-z]/\d|\d/\d+/\d|\b\d{1,3}/(?:19|20)\d\d\b|https?:|www\."
)
_MARKDOWN = re.compile(
    r"\*\*|__|~~|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|`|\[[^\[\]]+\]\([^()]*\)"  # emphasis, code, links
    r"|^#{1,6} |^[-*+\u2022] |^\d{1,2}[.)] |^> |^\||\|$"  # headings, list marks, quotes, tables
    r"|</?[a-z][^<>]*>|&[a-z]+;|\\[nt]"  # HTML, escapes
)
_PICTURES = re.compile("[\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")  # arrows, ticks, emoji
_CUT_END = re.compile(
    r"[,:;(\[/]$|\s[-\u2013\u2014+&]$|(?:^|\s)(?:dan|atau|yang|dengan|untuk|dari|ke|di|oleh|pada|karena|nomor|sebesar|adalah|and|or|the|of|with|for|to|by|is|rp|pasal|ayat|no\.)$"
)
_SINGLE_QUOTED = re.compile(r"(?<!\w)'([^']+)'(?!\w)")
_IN_PARENTHESES = re.compile(r"(?<!\])\([^\W\d][^()]{2,}\)")
_OPENS = re.compile('[][()"\u201c\u201d\u00ab\u00bb]')
_RUPIAH = re.compile(r"\brp(?=[. \d])")
_CAPITAL = re.compile(rf"\b(?:{'|'.join((*MONTHS_ID, *MONTHS_EN))}|nomor|no|tahun)\b")
_NAMES = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, WRITTEN), key=len, reverse=True))})\b", re.IGNORECASE)
_PAIRS = (("(", ")"), ("[", "]"), ("\u201c", "\u201d"), ("\u00ab", "\u00bb"))


def sentence_not_fact(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A whole sentence: right answers word it differently."""
    for phrase in subject.phrases:
        words = len(phrase.words)
        ends = _SENTENCE_END.search(phrase.folded) and not _ABBREVIATED.fullmatch(phrase.folded) and words >= SENTENCE_END_WORDS
        if words >= SENTENCE_WORDS or ends or (_TWO_SENTENCES.search(phrase.folded) and not _ABBREVIATED.search(phrase.folded)):
            yield phrase.hit(Severity.WARNING, count=words)


def list_in_phrase(subject: Subject, _context: Context) -> Iterator[Hit]:
    """A list or a choice in one phrase: order, commas, "dan" and "atau" have to be the same."""
    for phrase in subject.required:
        if _CHOICE.fullmatch(phrase.folded):
            yield phrase.hit(Severity.NOTE, variant="choice")
        elif len(phrase.words) < SENTENCE_WORDS and (_LIST.search(phrase.folded) or is_list(phrase.folded)):
            yield phrase.hit(Severity.NOTE)


def alternatives(subject: Subject, _context: Context) -> Iterator[Hit]:
    """Alternatives with a slash: the gate looks for the slash too."""
    for phrase in subject.phrases:
        found = _ALTERNATIVES.search(phrase.folded) if "/" in phrase.folded or "|" in phrase.folded else None
        if found and not _NO_ALTERNATIVES.search(phrase.folded):
            first, sign, second = (phrase.written(*found.span(part)) for part in range(1, 7) if found[part] is not None)
            yield phrase.hit(Severity.WARNING, first=first, second=second, sign=sign)


def punctuation(subject: Subject, _context: Context) -> Iterator[Hit]:
    """Typographic quotes and dashes, quotes at all, or a sign at the end that a right answer need not have."""
    for phrase in subject.phrases:
        folded = phrase.folded
        typographic = [char for char in dict.fromkeys(folded) if spellings.plain(char) != char] if not folded.isascii() else []
        if typographic:
            yield phrase.hit(Severity.WARNING, variant="typographic", signs=" ".join(typographic), plain=spellings.plain(phrase.text))
        elif '"' in folded:
            yield phrase.hit(Severity.WARNING, variant="quotes", plain=phrase.text.replace('"', ""))
        elif _SINGLE_QUOTED.search(folded):
            yield phrase.hit(Severity.WARNING, variant="quotes", plain=_SINGLE_QUOTED.sub(r"\1", phrase.text))
        elif phrase.is_required and (found := _IN_PARENTHESES.search(folded)) and not spellings.is_doubled(folded):
            yield phrase.hit(Severity.NOTE, variant="parentheses", signs=found[0].strip())
        elif folded[-1] in ".!?;" and len(phrase.words) < SENTENCE_END_WORDS and not _ABBREVIATED.fullmatch(folded):
            yield phrase.hit(Severity.WARNING, variant="end", signs=folded[-1], plain=phrase.text.rstrip(" .!?;"))


def markdown_in_phrase(subject: Subject, _context: Context) -> Iterator[Hit]:
    """Markdown or HTML: whether an answer is formatted just so is chance. And promptfoo's names of checks, which none holds (fd-054)."""
    for phrase in subject.phrases:
        if name := assertion_before(phrase.folded):
            yield phrase.hit(Severity.WARNING, variant="assertion", signs=name, plain=phrase.text.partition(":")[2].strip())
            continue
        signs = found[0].strip() if (found := _MARKDOWN.search(phrase.folded)) else "".join(_PICTURES.findall(phrase.folded))
        if signs:
            yield phrase.hit(Severity.WARNING, signs=signs)


def looks_cut(subject: Subject, _context: Context) -> Iterator[Hit]:
    """Text that ends in mid-sentence, as YAML or a copy leaves it behind, or that lost a word or its order on the way from the question."""
    asked = [words_of(message) for message in subject.messages]
    for phrase in subject.phrases:
        if _is_cut(phrase.folded):
            yield phrase.hit(Severity.WARNING, variant="phrase")
        elif wordorder.SHORTEST <= len(phrase.words) <= wordorder.LONGEST and not any(phrase.folded in told for told in subject.messages):
            others = (*asked, *(other.words for other in subject.phrases if other is not phrase))
            if passage := next(filter(None, (wordorder.unlike(phrase.words, words) for words in others)), ""):
                yield phrase.hit(Severity.NOTE, variant="nearly", passage=_as_written(passage, subject))
    for written, folded in zip(subject.item.messages, subject.messages, strict=True):
        if _is_cut(folded) and len(folded.split()) > 1:
            yield Hit(Severity.WARNING, _question_field(subject), written, "question")


def currency_form(subject: Subject, context: Context) -> Iterator[Hit]:
    """An amount of money in one spelling."""
    yield from _spelled(subject, context, spellings.currency)


def digit_grouping(subject: Subject, context: Context) -> Iterator[Hit]:
    """A large number with dots, or without; a range with a hyphen, or without."""
    yield from _spelled(subject, context, lambda folded: spellings.grouped(folded) or spellings.ranged(folded))


def number_in_words(subject: Subject, context: Context) -> Iterator[Hit]:
    """A number given twice, as in deeds, 60 (enam puluh), or only in words."""
    yield from _spelled(subject, context, spellings.doubled)


def one_date_spelling(subject: Subject, context: Context) -> Iterator[Hit]:
    """A date in one spelling."""
    yield from _spelled(subject, context, spellings.dated)


def citation_form(subject: Subject, context: Context) -> Iterator[Hit]:
    """A regulation or a paragraph of one, cited in one way."""
    yield from _spelled(subject, context, spellings.cited)


def near_synonym(subject: Subject, context: Context) -> Iterator[Hit]:
    """A word for which there is another that means the same, an abbreviation that may be written out, an office of several names."""
    yield from _spelled(subject, context, _other_words)


def _other_words(folded: str) -> spellings.Variants:
    return spellings.Variants(tuple(dict.fromkeys(spellings.synonyms(folded).variants + spellings.offices(folded).variants)))


def affixed_form(subject: Subject, context: Context) -> Iterator[Hit]:
    """One Indonesian form of a word that answers use in several: mendirikan, didirikan, pendirian."""
    words = context.words
    if words is None or not words.is_complete:
        return
    yield from _spelled(subject, context, lambda folded: spellings.affixed(folded, words))


def _spelled(subject: Subject, context: Context, spell: spellings.Spelling) -> Iterator[Hit]:
    """Give a hit for each required phrase that can be spelled otherwise; stored answers that do so make it a warning."""
    answers = context.answers_to(subject)
    for phrase in subject.required:
        is_sentence = len(phrase.folded) > spellings.LONGEST_SPELLED or len(phrase.words) >= SENTENCE_WORDS
        found = spellings.Variants() if is_sentence else spell(phrase.folded)
        if found.variants:
            missed = _missed(phrase, found.variants, answers)
            shown = [_as_printed(phrase, variant) for variant in found.variants[:SHOWN_VARIANTS]]
            facts = [Fact("also-written", {"variants": "; ".join(shown)})]
            if missed:
                facts.append(Fact("written-otherwise", {"count": len(missed), "total": len(answers)}))
            yield phrase.hit(Severity.WARNING if missed or found.is_odd else Severity.NOTE, *facts, example=shown[0])


def _as_printed(phrase: Phrase, variant: str) -> str:
    """A variant of a phrase in the letters of the phrase where both begin and end alike, and signs as people write them."""
    if variant in ABBREVIATIONS:
        return variant.upper()
    folded = phrase.folded
    start = _alike(folded, variant)
    end = _alike(folded[start:][::-1], variant[start:][::-1])
    middle = _CAPITAL.sub(lambda word: word[0].capitalize(), _RUPIAH.sub("Rp", variant[start : len(variant) - end]))
    printed = phrase.written(0, start) + middle + phrase.written(len(folded) - end, len(folded))
    return _NAMES.sub(lambda name: name[0] if (term := name[0].casefold()) in folded else WRITTEN[term], printed)


def _alike(first: str, second: str) -> int:
    """How many characters two texts have in common at their start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _missed(phrase: Phrase, variants: Iterable[str], answers: Iterable[StoredAnswer]) -> list[StoredAnswer]:
    """The stored answers that hold a variant and not the phrase."""
    return [answer for answer in answers if phrase.folded not in answer.text and any(variant in answer.text for variant in variants)]


def _is_cut(folded: str) -> bool:
    if _CUT_END.search(folded):
        return True
    if not _OPENS.search(folded):
        return False
    return any(folded.count(opening) != folded.count(closing) for opening, closing in _PAIRS) or folded.count('"') % 2 == 1


def _as_written(passage: str, subject: Subject) -> str:
    """A folded passage of an item in the letters of its question or of the phrase it stands in."""
    for text in (*subject.item.messages, *(phrase.text for phrase in subject.phrases)):
        if (at := text.casefold().find(passage)) >= 0:
            return text[at : at + len(passage)]
    return passage


def _question_field(subject: Subject) -> str:
    return "question" if subject.item.question is not None else "turns"
