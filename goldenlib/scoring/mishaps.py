"""Mishaps: answers that are error messages of a server, or what a program makes of nothing, such as `null`.

Rule: only the shape of the whole answer counts. An answer that explains an error in its sentences is an answer.
"""

from __future__ import annotations

import json
import re

from goldenlib.answers import Score
from goldenlib.folding import fold
from goldenlib.wordlists import WordLists

AXIS = "mishap"
MOST_CHARACTERS = 400  # of an error message; one that begins with its mark may be longer
_SHOWN = 60

# What a program writes where it has nothing to say, once or several times.
_NOTHING = re.compile(r"(?:(?:null|undefined|none|nil|nan|nonetype|\[object \w+\]|<nil>|<null>|\{\}|\[\]|\[done\])[\s,;.!]*)+")
_WORDS = WordLists.of(__package__, "mishaps")
_CODED, _PLAIN, _AROUND = _WORDS.pattern("coded"), _WORDS.pattern("plain"), _WORDS.pattern("around")
_STATUS = re.compile(
    rf"\W*(?:(?:{_AROUND})\b\W*)*?(?:[45]\d\d\W+(?:{_CODED})|(?:error|http|galat)\W*(?:(?:code|kode|status)\W*)?[45]\d\d|{_PLAIN})\b\W*(?:(?:{_AROUND}|{_PLAIN}|{_CODED})\b\W*)*"
)
_BARE = re.compile(rf"\W*(?:{_WORDS.pattern('bare')})\W*")
_BEGINS_WITH_TAG = re.compile(r"<[a-z][^<>]{0,200}>")
_TAG = re.compile(r"<[^<>]{0,200}>")
_BEGINS = re.compile(_WORDS.pattern("begins"))
_SORRY = rf"(?:(?:{_WORDS.pattern('sorry')})\W+(?:but )?)?"
_EXCUSES = _WORDS.pattern("excuses")
_ADVICE = rf"(?:(?:{_WORDS.pattern('advice')})[^.!?]{{0,100}})"
_EXCUSE = re.compile(
    rf"{_SORRY}(?:{_EXCUSES}|{_PLAIN})(?:\s*[:(,;\u2013-]?\s*(?:kode|code|error|http)?\W*[45]\d\d\W*)?(?:[\s.,!;]+{_ADVICE})*[\s.!]*"
)
_ERROR_KEYS, _STATUS_KEYS = _WORDS.set("error_keys"), _WORDS.set("status_keys")


def check_shape(answer: str) -> Score | None:
    """Return the finding that an answer looks like an error message and not like an answer, or None. It decides nothing by itself."""
    if not looks_like_mishap(answer):
        return None
    shown = " ".join(answer.split())
    quoted = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
    return Score(AXIS, None, None, f"looks like an error message, not an answer: '{quoted}'", gates=False)


def looks_like_mishap(answer: str) -> bool:
    """Whether the whole text is an error message, an error page, or what a program writes for nothing.

    >>> looks_like_mishap("502 Bad Gateway"), looks_like_mishap("Galat 502 Bad Gateway berarti server AHU tidak menjawab.")
    (True, False)
    """
    text = fold(answer[: 4 * MOST_CHARACTERS]).strip("`*_#\"' \u201c\u201d")
    if _BEGINS.match(text):
        return True
    if len(answer) > MOST_CHARACTERS:
        return _is_error_object(answer)
    text = " ".join(_TAG.sub(" ", text).split()) if _BEGINS_WITH_TAG.match(text) else text
    return any(pattern.fullmatch(text) is not None for pattern in (_NOTHING, _STATUS, _EXCUSE, _BARE)) or _is_error_object(answer)


def _is_error_object(answer: str) -> bool:
    """Whether the text is a JSON object that reports an error."""
    stripped = answer.strip().removeprefix("```json").strip("`").strip()
    if not (stripped.startswith("{") and stripped.endswith("}")):
        return False
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        return False
    given = {key.casefold() for key, part in value.items() if part not in (None, False, "", 0, [], {})}
    failed = value.get("type") == "error" or value.get("success") is False or value.get("ok") is False
    return bool(
        failed or given & _ERROR_KEYS or (given & {"message", "detail", "msg", "title"} and given & _STATUS_KEYS) or given == {"detail"}
    )
