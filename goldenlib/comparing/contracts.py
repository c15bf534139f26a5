"""Contracts: what changed in an item's contract since an earlier result, and what of today's failing that does not explain.

Rule: a change excuses only what it touches. What stands in both contracts, held in the earlier answer and is violated now is the
answer's doing (contract 6.5).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from goldenlib.answers import EvidenceKind, Result, Score
from goldenlib.folding import fold
from goldenlib.items import Item, Kind
from goldenlib.scoring.facts import AXIS as FACTS

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


class ContractChange(NamedTuple):
    """What became of a contract since an earlier result: the parts that are others now, and what is lost nevertheless.

    `lost` is what stands in both contracts, held in the answer of then and is violated now.
    """

    parts: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


def change_since(then: Result, was: Contract | None, now: Result, item: Item, again: Iterable[Score]) -> ContractChange:
    """Return how the contract of `item` differs from `was`, that of an earlier result; None where it was not kept.

    `again` are the scores of the answer of then under today's contract. Lost are phrases, each by itself, and whatever a scorer checked
    that neither phrases nor a judge's rubric touch. Where the earlier contract was not kept, the evidence tells which required phrases
    it had, and a forbidden one counts as having stood there: an excuse needs proof.
    """
    if then.digest == item.digest:
        return ContractChange()
    before, today = _parts(was) if was is not None else None, _parts(read_contract(item))
    elsewhere = _lost_elsewhere(then, before, now, today)
    lost = (*_lost_phrases(then, before, now, again), *elsewhere) if then.answer is not None else ()
    return ContractChange(_changed_parts(then, before, item, today), lost)


def _changed_parts(then: Result, before: Contract | None, item: Item, today: Contract) -> tuple[str, ...]:
    """What differs, in words. Of a contract that was not kept, question and kind are known, and the rest is named as one."""
    if before is not None:
        return _differing(before, today)
    asked = ["question"] * (fold(then.question) != fold(item.title))
    return tuple(asked + ["kind"] * (then.kind != item.kind)) or ("contract",)


def parts_changed(before: Contract, after: Contract) -> tuple[str, ...]:
    """Return in words which parts of two contracts, as they are kept, are not the same."""
    return _differing(_parts(before), _parts(after))


def _differing(before: Contract, after: Contract) -> tuple[str, ...]:
    differing = [key for key in dict.fromkeys((*after, *before)) if after.get(key) != before.get(key)]
    return tuple(dict.fromkeys(_WORDS.get(key, key.replace("_", " ")) for key in differing))


def _lost_phrases(then: Result, before: Contract | None, now: Result, again: Iterable[Score]) -> Iterator[str]:
    """The phrases of both contracts that are violated now, and are not by the answer of then."""
    violated_then = {(part.kind, fold(part.phrase)) for score in again for part in score.evidence}
    required, forbidden = (set(map(fold, _stood(key, then, before))) for key in _PHRASES)
    for kind, phrases, stood in ((EvidenceKind.MISSING, now.missing, required), (EvidenceKind.FORBIDDEN, now.forbidden, forbidden)):
        for phrase in phrases:
            was_there = fold(phrase) in stood or (kind is EvidenceKind.FORBIDDEN and before is None)
            if was_there and (kind, fold(phrase)) not in violated_then:
                yield f"'{phrase}'"


def _stood(key: str, then: Result, before: Contract | None) -> list[str]:
    """The phrases of the earlier contract."""
    if before is not None:
        return [phrase for phrase in before.get(key, ()) if isinstance(phrase, str)]
    return [part.phrase for score in then.scores for part in score.evidence if part.kind is EvidenceKind.PRESENT]


def _lost_elsewhere(then: Result, before: Contract | None, now: Result, today: Contract) -> list[str]:
    """The findings of other scorers that were good and are bad now, where nothing that they look at has changed."""
    if before is None or _without_words(before) != _without_words(today):
        return []
    passed = {score.axis for score in then.scores if score.passed}
    failed = (score.axis for score in now.scores if score.gates and score.passed is False and not score.by_judge)
    return [axis for axis in dict.fromkeys(failed) if axis != FACTS and axis in passed]


def _without_words(parts: Contract) -> dict[str, Any]:
    return {key: value for key, value in parts.items() if key not in (*_PHRASES, *_JUDGED)}


def _parts(contract: Contract) -> Contract:
    """The parts by their keys, those under `expected` beside the others."""
    parts = {key: value for key, value in contract.items() if key != "expected"} | dict(contract.get("expected", {}))
    return {"kind": str(Kind.ANSWER)} | parts
