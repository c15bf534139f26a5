"""Verdicts: what a judge's reply says, or why it says nothing that may be used.

Rule: never a default, never a clamp, never a guess. A verdict is unambiguous or it is an error (contract 4.4).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from goldenlib.wire.completions import Completion
from goldenlib.wire.reasoning import THINK_TAG, without_drafts

_VERDICT_WORD = re.compile(r"\b(?:passed|correctness)\b", re.I)
_PROSE_BRACES = re.compile(r"""\{[^{}"':=]*\}""")  # such as the set notation {a, b}: no JSON, whole or broken
# Said before an object: that it is a draft, an example or a quotation, which follows the word for it.
_NOT_ITS_OWN = re.compile(
    r"\b(?:drafts?|draf|tentative\w*|examples?|contoh\w*|misal\w*|quot\w+|kutip\w*|inject\w*|injeksi)\b|^\s*>\s*\Z|"
    r"\b(?:writes|wrote|says|claims|contains|menulis|tertulis|berisi|berbunyi|memuat)\s*:?\s*(?:```\w*)?\s*\Z",
    re.I | re.M,
)
# Said after it: that something else holds, or is yet to come. Or the contrary of what stands in it.
_TAKEN_BACK = re.compile(
    r"\b(?:instead|actually|however|but|wait|tetapi|tapi|namun|tunggu|koreksi|ralat|correction|reflection|scores?|skor|nilai|verdict|putusan|"
    r"drafts?|draf|inject\w*|quot\w+|kutip\w*|examples?|contoh|final|akhirnya|refuse|still|masih|later|kemudian)\b",
    re.I,
)
_AGAINST = re.compile(
    r"\b(?:fail\w*|incorrect\w*|wrong|false|salah|gagal|keliru|tolak|menolak|(?:not|no|never|tidak|bukan|belum)\s+(?:my |a |the )?"
    r"(?:correct|pass|right|true|acceptable|verdict|benar|lulus|tepat|sesuai)\w*)\b",
    re.I,
)
_FOR = re.compile(r"\b(?:pass\w*|correct\w*|right|true|benar|lulus)\b", re.I)
_LIST_BEGINS, _MORE_CLOSES = re.compile(r"\[\s*\Z"), re.compile(r"\s*\}")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judge's verdict. `correctness` is the decimal as the judge wrote it, in [0, 1]."""

    correctness: Decimal
    passed: bool
    reason: str


class UnusableVerdict(Exception):  # named for the outcome that it is: caught, and turned into data
    """A reply that is no unambiguous verdict; the message says why."""


def read_verdict(said: Completion, answer: str = "") -> Verdict:
    """Return the verdict in a judge's reply about `answer`. Raises UnusableVerdict.

    Valid JSON is used as it is. Otherwise thinking is removed, fence and prose are left aside, and exactly one JSON object
    must remain, which the prose neither calls a draft, an example or a quotation nor takes back, and which does not stand in the
    answer. A reply that was cut off, filtered or refused is unusable whatever it holds.
    """
    if said.is_unfinished:
        hint = "; raise judge_max_tokens" if said.finish_reason == "length" else ""
        raise UnusableVerdict(f"the reply is not finished (finish_reason: {said.finish_reason}){hint}")
    if said.refusal:
        raise UnusableVerdict(f"the judge refused: {said.refusal[:200]}")
    if not said.text.strip():
        raise UnusableVerdict(_why_empty(said))
    try:
        return _checked(_only_object(said.text, answer))
    except RecursionError:
        raise UnusableVerdict("the reply is nested too deeply") from None


def _why_empty(said: Completion) -> str:
    if not said.reasoned_in:
        return "the reply is empty"
    return (
        f"the reply stands in {said.reasoned_in} and not in content; leave judge_disable_thinking on,"
        " or set the reasoning parser of the judge's server as its model needs it"
    )


def _only_object(content: str, answer: str) -> dict[str, Any]:
    try:
        value = _JSON.decode(content)
    except json.JSONDecodeError:
        return _object_in_prose(_without_draft(content), answer)
    if not isinstance(value, dict):
        raise UnusableVerdict(f"the reply is {_kind(value)}, not a JSON object: {content[:80]!r}")
    return value


def _without_draft(content: str) -> str:
    """Leave out the thinking before a verdict: a block at the very start, or, where only its closing tag came back, prose.

    A tag anywhere else is not thinking that came first. It may be quoted from the answer, or take back what was said, so
    that the reply is unusable; and so is an object before a lone closing tag.
    """
    first = THINK_TAG.search(content)
    if first is None:
        return content
    opens_at_start = not first[1] and not content[: first.start()].strip()
    closing = THINK_TAG.search(content, first.end()) if opens_at_start else first
    if closing is None or not closing[1] or THINK_TAG.search(content, closing.end()):
        raise UnusableVerdict("the reply has thinking tags where a verdict should be")
    if not opens_at_start and "{" in content[: closing.start()]:
        raise UnusableVerdict("the reply holds an object before its thinking ends")
    return content[closing.end() :]


def _object_in_prose(content: str, answer: str) -> dict[str, Any]:
    """Return the one object that stands in the text (or the same one several times), with nothing like another around it.

    What begins like an object and is none means that something is cut off or broken: a whole object within it or beside it
    may be a draft or a quotation.
    """
    if without_drafts(content).count("{") != content.count("{"):
        raise UnusableVerdict("the reply holds an object in its thinking")
    objects: list[dict[str, Any]] = []
    around: list[str] = []
    done, quoted = 0, ""
    at = content.find("{")
    while at >= 0:
        if braces := _PROSE_BRACES.match(content, at):
            after = braces.end()
        else:
            try:
                value, after = _JSON.raw_decode(content, at)
            except json.JSONDecodeError as error:
                raise UnusableVerdict(f"the reply holds broken JSON ({error.msg}): {content[at : at + 80]!r}") from None
            if _LIST_BEGINS.search(content, max(0, at - 20), at) or _MORE_CLOSES.match(content, after):
                raise UnusableVerdict(f"the reply holds a JSON object within something else: {content[:80]!r}")
            objects.append(value)
            around.append(content[done:at])
            done = after
            quoted = quoted or (content[at : at + 80] if _squeezed(content[at:after]) in _squeezed(answer) else "")
        at = content.find("{", after)
    if not objects:
        raise UnusableVerdict(f"the reply holds no JSON object: {content[:80]!r}")
    if any(other != objects[0] for other in objects):
        raise UnusableVerdict(f"the reply holds {len(objects)} JSON objects that differ")
    if quoted:
        raise UnusableVerdict(f"the reply quotes a JSON object of the answer: {quoted!r}")
    around.append(content[done:])
    if any(part.count("[") != part.count("]") or _VERDICT_WORD.search(part) for part in around):
        raise UnusableVerdict(f"the reply speaks of a verdict outside the JSON object too: {content[:80]!r}")
    if any(map(_NOT_ITS_OWN.search, around[:-1])) or _takes_back(around[-1], passed=objects[0].get("passed") is True):
        raise UnusableVerdict(f"the reply says of its JSON object that it is a draft or a quotation, or takes it back: {content[:80]!r}")
    return objects[0]


def _takes_back(after: str, *, passed: bool) -> bool:
    """Whether what is said after a verdict takes it back, or may: says that another holds, or the contrary."""
    against = _AGAINST.search(after) is not None
    return _TAKEN_BACK.search(after) is not None or (against if passed else not against and _FOR.search(after) is not None)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise UnusableVerdict("the verdict has a key twice")
    return value


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:  # an exponent beyond all bounds
        raise UnusableVerdict(f"the verdict holds the number {text[:40]}") from None


_JSON = json.JSONDecoder(strict=False, object_pairs_hook=_unique, parse_float=_number, parse_int=_number)


def _checked(value: dict[str, Any]) -> Verdict:
    if len({key.casefold() for key in value}) != len(value):
        raise UnusableVerdict("the verdict has a key twice, but for its capitals")
    absent = [key for key in ("correctness", "passed", "reason") if key not in value]
    if absent:
        raise UnusableVerdict(f"the verdict lacks {', '.join(absent)}")
    correctness, passed, reason = value["correctness"], value["passed"], value["reason"]
    if not isinstance(correctness, Decimal):  # NaN and Infinity come as floats, and are none
        raise UnusableVerdict(f"correctness is {_kind(correctness)}, not a number: {str(correctness)[:40]!r}")
    if not 0 <= correctness <= 1:
        raise UnusableVerdict(f"correctness {str(correctness)[:40]} is not within 0 and 1")
    if not isinstance(passed, bool):
        raise UnusableVerdict(f"passed is {_kind(passed)}, not true or false: {str(passed)[:40]!r}")
    if not isinstance(reason, str):
        raise UnusableVerdict(f"reason is {_kind(reason)}, not text")
    return Verdict(abs(correctness), passed, reason)  # -0 is 0


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "a boolean", str: "text", Decimal: "a number", float: "not finite", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)
