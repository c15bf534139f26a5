"""Doubts: what keeps a figure that is the golden number from being what the answer says: "more than 42", "not 42", "42 hours".

Rule: a doubt leaves the answer open, it decides nothing. Words that the question itself uses raise none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from goldenlib.folding import fold
from goldenlib.scoring.data.numbers import Figure
from goldenlib.scoring.data.short_answers import currencies_in
from goldenlib.wordlists import WordLists

_BOUND = re.compile(
    r"(?:\b(?:(?:more|less|fewer|greater|higher|lower|larger|smaller) than|over|under|above|below|at (?:least|most)|up to|nearly|almost|"
    r"close to|beyond|exceed(?:s|ed|ing)?|minimum of|maximum of|down(?: by)?|lebih (?:besar |banyak |kecil |sedikit )?dari|kurang dari|"
    r"di ?atas|di ?bawah|setidaknya|sekurang-kurangnya|paling (?:sedikit|banyak|kecil|besar|tidak)|minimal|maksimal|hingga|sampai|hampir|"
    r"mendekati|melebihi)|(?:[<>≤≥≠]|!=)=?)\W*$"
)
_BEYOND = re.compile(
    r"^(?:\s?\+|[½¼¾⅓⅔²³^\N{MULTIPLICATION SIGN}]|\s(?:or|and|atau|dan) (?:more|less|fewer|above|below|over|under|lebih|kurang)\b|"
    r"\s(?:dozens?|lusin|kodi|gross|hundreds?|thousands?|millions?|ribu|juta)\b|\s(?:basis points?|bps|percentage points?|poin)\b|\s?‰)"
)
_IN_SCALE = re.compile(r"\b(?:in|dalam) (?:hundreds|thousands|millions|billions|ratusan|ribuan|jutaan|miliaran|k|ribu|juta|miliar)\b")
_NEGATION = re.compile(r"\b(?:not(?! only)|\w+n't|cannot|never|bukan\w*|tidak|tak|belum|nor)\b")
_WRONG = re.compile(r"\b(?:wrong|incorrect|not (?:right|correct|true)|salah(?! satu)|keliru|tidak (?:benar|tepat))\b")
_FALLING = re.compile(
    r"\b(?:fell|falls?|fallen|dropp?(?:s|ed)?|decreas\w+|declin\w+|shr[aiu]nk\w*|loss(?:es)?|deficit|turun|menurun|penurunan|berkurang|"
    r"rugi|kerugian|merugi|defisit)\b"
)
_LABEL = re.compile(
    r"\b(row|baris|page|halaman|table|tabel|section|bagian|step|langkah|version|versi|id|nomor|no\.?|order|pesanan|item|column|kolom|line)"
    r"\s?#?$"
)
_UNITS = [WordLists.of(__package__, "numbers").groups("units", kind) for kind in ("time", "weight", "length")]
_REACH = 300  # characters
_SENTENCE_ENDS = re.compile(r"[.!?](?=\s|$)|[;\n]")
_CLAUSE_ENDS = re.compile(r"[,;:()]\s|\b(?:but|tetapi|tapi|namun|melainkan)\b")


def doubt_about(figure: Figure, value: Decimal, text: str, question: str) -> str:
    """Return the words that leave open whether `figure` of a text is said as the answer `value` to a question; "" when none do."""
    asked = fold(question)
    before, after = _around(figure, text)
    sentence = f"{before} {after}"
    clause = _CLAUSE_ENDS.split(before)[-1]
    unit = re.match(r"\s?([^\W\d]+)", after)
    searched: Iterable[re.Match[str] | None] = (
        _BOUND.search(before[-60:]),
        _BEYOND.search(after),
        _IN_SCALE.search(fold(text)),
        _NEGATION.search(clause),
        _WRONG.search(sentence),
        _FALLING.search(f"{clause} {_CLAUSE_ENDS.split(after)[0]}") if value > 0 and not _FALLING.search(asked) else None,
        _LABEL.search(before),
    )
    for found in searched:
        if found is not None and found[0].strip(" *_`\"'(") and not _is_asked(found[0], asked):
            return found[0].strip()
    if after.rstrip().endswith("?"):
        return "?"
    if unit is not None and _is_other_unit(unit[1], asked):
        return unit[1]
    beside = re.sub(r"(?<=[^\W\d])(?=\d)", " ", f"{fold(figure.text)}{after[:8]}")
    theirs, ours = currencies_in(beside), currencies_in(asked)
    return sorted(theirs)[0] if theirs and ours and not theirs & ours else ""


def _around(figure: Figure, text: str) -> tuple[str, str]:
    """Return what stands before and after a figure in its sentence, as far as it matters."""
    end = figure.start + len(figure.text)
    before, after = text[max(0, figure.start - _REACH) : figure.start], text[end : end + _REACH]
    begins = [found.end() for found in _SENTENCE_ENDS.finditer(before)]
    ends = _SENTENCE_ENDS.search(after)
    before = before[begins[-1] :] if begins else before
    after = after[: ends.end()] if ends else after
    return _folded(before), _folded(after)


def _folded(text: str) -> str:
    """Fold, but keep whether a blank stands at either end."""
    folded = fold(text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return f"{' ' if text[:1].isspace() else ''}{folded}{' ' if folded and text[-1:].isspace() else ''}"


def _is_asked(words: str, asked: str) -> bool:
    bare = words.strip(" *_`\"'(")
    return any(char.isalpha() for char in bare) and re.search(rf"(?<!\w){re.escape(bare)}", asked) is not None


def _is_other_unit(unit: str, asked: str) -> bool:
    """Whether a unit is one of a kind of which the question names another and not this one."""
    for kind in _UNITS:
        mine = next((names for names in kind if _names(names, unit)), None)
        if mine is not None:
            words = re.findall(r"[^\W\d]+", asked)
            named = [names for names in kind if any(_names(names, word) for word in words)]
            return bool(named) and mine not in named
    return False


def _names(names: tuple[str, ...], word: str) -> bool:
    return word in names or (word.endswith("s") and word[:-1] in names)
