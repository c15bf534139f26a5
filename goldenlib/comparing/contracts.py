"""Contracts: what changed in an item's contract since an earlier result, and what of today's failing that does not explain.

Rule: a change excuses only what it touches. What stands in both contracts, held in the earlier answer and is violated now is the
answer's doing (contract 6.5).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from goldenlib.answers import EvidenceKind, Result
from goldenlib.folding import fold
from goldenlib.items import Item, Kind
from goldenlib.scoring.facts import AXIS as FACTS
from goldenlib.scoring.facts import check_facts

Contract = Mapping[str, Any]  # what `Item.contract` holds, read

_PHRASES = ("must_include", "must_not_include")
_JUDGED = ("rubric", "answer")
# What people call the parts; any other goes by its key.
_WORDS = {
    "messages": "question",
    "must_include": "phrases",
    "must_not_include": "phrases",
    "answer": "ideal answer",
    "sql": "golden result",
}


def read_contract(item: Item) -> Contract:
    """Return the contract of an item as it is kept."""
    contract: Contract = json.loads(item.contract)
    return contract


def changed_parts(then: Result, was: Contract | None, item: Item) -> tuple[str, ...]:
    """Return in words which parts of the contract are others than those of an earlier result.

    `was` is the contract of that time. Where it was not kept, question and kind are known from the result, and the rest is named as one.
    """
    if then.digest == item.digest:
        return ()
    now = _parts(read_contract(item))
    if was is not None:
        before = _parts(was)
        differing = [key for key in dict.fromkeys((*now, *before)) if now.get(key) != before.get(key)]
        return tuple(dict.fromkeys(_WORDS.get(key, key.replace("_", " ")) for key in differing))
    asked = ["question"] * (fold(then.question) != fold(item.title))
    return tuple(asked + ["kind"] * (then.kind != item.kind)) or ("contract",)


def lost_since(then: Result, was: Contract | None, now: Result, item: Item) -> tuple[str, ...]:
    """Return what stands in both contracts, held in the answer of `then`, and is violated by that of `now`.

    Phrases, each by itself, and whatever a scorer checked that neither phrases nor a judge's rubric touch. Where the earlier contract
    was not kept, the evidence tells which required phrases it had, and a forbidden one counts as having stood there: an excuse needs proof.
    """
    if then.answer is None:
        return ()
    found = check_facts(item.expected, then.answer.text)
    evidence = found.evidence if found is not None else ()
    violated_then = {(part.kind, fold(part.phrase)) for part in evidence}
    required, forbidden = _stood("must_include", then, was), _stood("must_not_include", then, was)
    violated = [(EvidenceKind.MISSING, phrase) for phrase in now.missing if fold(phrase) in required]
    violated += [(EvidenceKind.FORBIDDEN, phrase) for phrase in now.forbidden if was is None or fold(phrase) in forbidden]
    lost = [f"'{phrase}'" for kind, phrase in violated if (kind, fold(phrase)) not in violated_then]
    return (*lost, *_lost_elsewhere(then, was, now, item))


def _stood(key: str, then: Result, was: Contract | None) -> set[str]:
    """The phrases of the earlier contract, folded."""
    if was is not None:
        return {fold(phrase) for phrase in was.get("expected", {}).get(key, ()) if isinstance(phrase, str)}
    return {fold(part.phrase) for score in then.scores for part in score.evidence if part.kind is EvidenceKind.PRESENT}


def _lost_elsewhere(then: Result, was: Contract | None, now: Result, item: Item) -> list[str]:
    """The findings of other scorers that were good and are bad now, where nothing that they look at has changed."""
    if was is None or _without_words(was) != _without_words(read_contract(item)):
        return []
    passed = {score.axis for score in then.scores if score.passed}
    failed = (score.axis for score in now.scores if score.gates and score.passed is False and not score.by_judge)
    return [axis for axis in dict.fromkeys(failed) if axis != FACTS and axis in passed]


def _without_words(contract: Contract) -> dict[str, Any]:
    return {key: value for key, value in _parts(contract).items() if key not in (*_PHRASES, *_JUDGED)}


def _parts(contract: Contract) -> dict[str, Any]:
    """The parts by their keys, those under `expected` beside the others."""
    parts = {key: value for key, value in contract.items() if key != "expected"} | dict(contract.get("expected", {}))
    return {"kind": str(Kind.ANSWER)} | parts
