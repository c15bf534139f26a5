"""Declines: whether an agent declined, why, and how one can tell.

Rule: the target's own signal first, then wording in Indonesian and English; a judge is asked only where both leave it open, or where
words that decline stand beside a figure that may be an answer. What was recognised by is part of every reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from goldenlib.folding import fold
from goldenlib.scoring.data.agentreplies import AgentReply
from goldenlib.scoring.data.declinewords import AMBIGUOUS, FORBIDDEN, MONTHS, OFFERS, PATTERNS, UNANSWERABLE
from goldenlib.scoring.data.numbers import Figure, figures

TYPES = {AMBIGUOUS: "asks what is meant", UNANSWERABLE: "says that the data is not there", FORBIDDEN: "refuses to show it"}
_SHOWN = 3
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
# "There are 42 orders with missing data" counts; what the tables are is no answer.
_COUNT = re.compile(r"^\W*(?:there (?:are|were|is|was)|ada|terdapat) (?:only |hanya )?\d[\d.,]*(?! (?:tables?|columns?|tabel|kolom))\b")
_CHOICE = re.compile(r"\b(?:or|atau)\b")
_CLAUSE = re.compile(r"[.!;:](?:\s|$)|[()\[\]]|,\s|\b(?:but|however|although|though|so|namun|tetapi|tapi|meskipun|walaupun|jadi)\b")
# Numbers that are no answer: of a list's lines, of dates, and how many readings there are.
_NUMBER_OF_A_LINE = re.compile(r"^\s*\(?\d{1,2}[.)]\s+", re.MULTILINE)
_READINGS = (
    "(?:readings|ways|meanings|definitions|interpretations|options|choices|possibilities|cara|arti|makna|definisi|pilihan|kemungkinan)"
)
_DATE_OR_COUNT = re.compile(
    rf"\b\d{{1,2}} (?:possible |different )?{_READINGS}\b|"
    rf"\b\d{{4}}-\d\d(?:-\d\d)?\b|\b\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}}\b|\b\d{{1,2}}(?:st|nd|rd|th)? {MONTHS}|\b{MONTHS} \d{{1,2}}\b"
)


@dataclass(frozen=True, slots=True)
class Decline:
    """A decline that was recognised: of which types (none when it gives no reason), by what, and which figure is said beside it."""

    types: frozenset[str]
    by: str
    beside: str = ""


def recognise_decline(reply: AgentReply, question: str = "") -> Decline | None:
    """Return the decline in a reply, or None. A query or rows are an answer, whatever is said beside them, unless the target signals.

    Figures of the `question` are no answer.
    """
    if reply.signal is not None:
        if reply.signal.type:
            return Decline(frozenset((reply.signal.type,)), f"by the agent's own signal of type {reply.signal.type}")
        worded = _by_wording(reply.words)
        by = "by the agent's own signal" + (f" and its words {worded.by}" if worded and worded.types else "")
        return Decline(worded.types if worded else frozenset(), by)
    if reply.sql is not None or reply.rows is not None:
        return None
    worded = _by_wording(reply.words)
    return None if worded is None else Decline(worded.types, f"by its words {worded.by}", _figure_beside(reply.words, question))


def _by_wording(text: str) -> Decline | None:
    folded = _plain(text)
    sentences = _SENTENCE.split(folded)
    asking = " ".join(sentence for sentence in sentences if not any(offer.search(sentence) for offer in OFFERS))
    searched = ((kind, pattern.search(asking if kind == AMBIGUOUS else folded)) for kind, pattern in PATTERNS)
    hits = [(kind, found[0].strip()) for kind, found in searched if found]
    if len(sentences) == 1 and asking.endswith("?") and _CHOICE.search(asking):  # nothing but a question with a choice
        hits.append((AMBIGUOUS, asking[:60]))
    if not hits:
        return None
    shown = ", ".join(f"'{words}'" for words in list(dict.fromkeys(words for _, words in hits))[:_SHOWN])
    return Decline(frozenset(kind for kind, _ in hits if kind), shown)


def _figure_beside(text: str, question: str) -> str:
    """Return the first figure that is said outside of questions and of the clauses that decline, or "".

    "I have no current data, but sales were 42" answers. Years, dates, the numbers of a list and what was asked do not.
    """
    told = {value for figure in figures(question) for value, _ in figure.readings}
    for sentence in _SENTENCE.split(_DATE_OR_COUNT.sub(" ", _plain(_NUMBER_OF_A_LINE.sub("", text)))):
        if sentence.endswith("?"):
            continue
        clauses = [clause for clause in _CLAUSE.split(sentence) if clause.strip()]
        for clause in clauses:
            is_last = clause is clauses[-1] and len(clauses) > 1  # "refunds without a reason: 42"
            found = [
                figure
                for figure in figures(clause)
                if not _is_harmless(figure, "" if is_last else clause) and told.isdisjoint(_values(figure))
            ]
            if found and (_COUNT.search(clause) or not any(pattern.search(clause) for _, pattern in PATTERNS)):
                return found[0].text
    return ""


def _is_harmless(figure: Figure, clause: str) -> bool:
    is_number_of_a_list = figure.text == clause.strip() and len(figure.text) <= 2
    is_year = re.fullmatch(r"(19|20)\d\d", figure.text) is not None
    return is_number_of_a_list or is_year


def _values(figure: Figure) -> set[Decimal]:
    return {value for value, _ in figure.readings}


def _plain(text: str) -> str:
    return fold(text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
