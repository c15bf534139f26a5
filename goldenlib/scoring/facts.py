"""The fact gate: which required phrases an answer lacks, and which forbidden ones it holds (seed 000; contract 4.1, 4.2).

Rule: plain substring search after folding. Near misses explain; they never turn a fail into a pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from goldenlib.answers import Evidence, EvidenceKind, Score
from goldenlib.folding import fold, fold_with_offsets
from goldenlib.items import Expected
from goldenlib.scoring.nearness import Loosened, bare, join, loosen
from goldenlib.wire.reasoning import draft_mark, without_drafts

AXIS = "facts"
PASSAGE_MARGIN = 40  # characters shown on either side of a hit


def check_facts(expected: Expected, answer: str) -> Score | None:
    """Return the fact gate's score of an answer, or None when the item has no phrases.

    `passed` is True when every required phrase and no forbidden one is present, and the answer says anything at all. What stands in
    a draft (reasoning markup) is shown, so that it can be forbidden, and is not the answer, so that it satisfies nothing.
    `value` is the share of phrases that hold. Evidence names every violated phrase once, with the passage for those
    present and for near misses, and every required phrase that was found.
    """
    required = {phrase: fold(phrase) for phrase in expected.must_include}
    banned = {phrase: fold(phrase) for phrase in expected.must_not_include}
    if not required and not banned:
        return None
    folded = fold(answer)
    said = without_drafts(answer)
    folded_said = folded if said == answer else fold(said)
    missing = {phrase: wanted for phrase, wanted in required.items() if wanted not in folded_said}
    forbidden = {phrase: wanted for phrase, wanted in banned.items() if wanted in folded or wanted in folded_said}
    evidence = [Evidence(EvidenceKind.PRESENT, phrase) for phrase in required if phrase not in missing]
    reasons: list[str] = []
    if missing or banned:
        avoided = {phrase: wanted for phrase, wanted in banned.items() if phrase not in forbidden}
        shown_passages = _Passages(answer, folded)
        said_passages = shown_passages if said == answer else _Passages(said, folded_said)
        for finding in _look_closer(shown_passages, said_passages, missing, forbidden, avoided):
            reasons.append(finding.reason)
            evidence += finding.evidence
    violated = len(missing) + len(forbidden)
    if not folded_said:
        reasons.insert(0, "the answer is empty" if not folded else f"the answer is nothing but a draft ({draft_mark(answer)})")
    elif not violated:
        reasons.insert(0, _all_well(len(required), len(banned)))
    phrases = len(required) + len(banned)
    value = (phrases - violated) / phrases if folded_said else 0.0
    return Score(AXIS, value, not violated and bool(folded_said), "; ".join(reasons), evidence=tuple(evidence))


def shown(evidence: Evidence) -> str:
    """Return the passage on one line with the hit in square brackets: '…tidak [wajib akta notaris]…'."""
    passage = evidence.passage
    return _one_line(f"{passage[: evidence.start]}[{passage[evidence.start : evidence.end]}]{passage[evidence.end :]}")


class _PhraseFinding(NamedTuple):
    reason: str
    evidence: tuple[Evidence, ...]


def _look_closer(
    passages: _Passages, said: _Passages, missing: Mapping[str, str], forbidden: Mapping[str, str], avoided: Mapping[str, str]
) -> Iterator[_PhraseFinding]:
    """Give what is to be said of phrases, given with their folded forms, that are violated or nearly so.

    `passages` are those of all that is shown, `said` those of the answer without its drafts.
    """
    for phrase, folded in missing.items():
        near, but = passages.drafted(phrase, folded)
        if not near:
            near = said.near_miss(phrase, folded)
            but = _but_has(near)
        yield _PhraseFinding(f"missing '{_one_line(phrase)}'{but}", (Evidence(EvidenceKind.MISSING, phrase), *near))
    for phrase, folded in forbidden.items():
        hit = (passages if passages.has(folded) else said).hit(phrase, folded)
        yield _PhraseFinding(f"says '{_one_line(phrase)}': {shown(hit)}", (hit,))
    for phrase, folded in avoided.items():
        if near := passages.near_miss(phrase, folded):
            yield _PhraseFinding(near[0].as_remark, near)


def _but_has(near: Iterable[Evidence]) -> str:
    return "".join(f" - the answer has '{_one_line(part.passage[part.start : part.end])}'" for part in near)


def _all_well(required: int, banned: int) -> str:
    if not required:
        return f"no forbidden phrase ({banned} looked for)"
    return "the fact is present" if required == 1 else f"all {required} facts are present"


def _one_line(text: str) -> str:
    return " ".join(text.split())


class _Passages:
    """Places in one answer. The costly forms of the text are made once, and only for answers that need them."""

    def __init__(self, answer: str, folded: str) -> None:
        self._answer = answer
        self._folded = folded

    def has(self, folded: str) -> bool:
        """Whether a folded phrase is there."""
        return folded in self._folded

    def hit(self, phrase: str, folded: str) -> Evidence:
        """The first place that holds the phrase, which must be there."""
        start = self._folded.index(folded)
        return self._evidence(EvidenceKind.FORBIDDEN, phrase, start, start + len(folded))

    def drafted(self, phrase: str, folded: str) -> tuple[tuple[Evidence, ...], str]:
        """The first place that holds a phrase that is missing, which is then one in a draft, and what is said of it."""
        start = self._folded.find(folded)
        if start < 0:
            return (), ""
        found = self._evidence(EvidenceKind.NEAR_MISS, phrase, start, start + len(folded))
        return (found,), f" - only a draft has it, in reasoning markup ({draft_mark(self._answer)})"

    def near_miss(self, phrase: str, folded: str) -> tuple[Evidence, ...]:
        """The first place that says the phrase but for its marks, if there is one."""
        letters = bare(folded)
        if self._bare is not None and letters is not None and letters not in self._bare:
            return ()
        wanted = loosen(folded)
        span = self._loosened.find(wanted) or self._joined.find(join(wanted))
        return (self._evidence(EvidenceKind.NEAR_MISS, phrase, *span),) if span else ()

    @cached_property
    def _loosened(self) -> Loosened:
        return loosen(self._folded)

    @cached_property
    def _bare(self) -> str | None:
        return bare(self._folded)

    @cached_property
    def _joined(self) -> Loosened:
        return join(self._loosened)

    @cached_property
    def _offsets(self) -> list[int]:
        return fold_with_offsets(self._answer)[1]

    def _evidence(self, kind: EvidenceKind, phrase: str, folded_start: int, folded_end: int) -> Evidence:
        """The evidence for a place, given in the folded answer, in the words of the answer itself."""
        answer, start, end = self._answer, self._offsets[folded_start], self._end(folded_end)
        first, last = max(0, start - PASSAGE_MARGIN), min(len(answer), end + PASSAGE_MARGIN)
        before = ("…" if first else "") + answer[first:start]
        passage = before + answer[start:last] + ("…" if last < len(answer) else "")
        return Evidence(kind, phrase, passage, len(before), len(before) + end - start)

    def _end(self, folded_end: int) -> int:
        """Where the piece of the answer ends that the last folded character came from; 'ß' gives two and is one piece."""
        offsets = self._offsets
        for following in range(folded_end, len(offsets)):
            if offsets[following] > offsets[folded_end - 1]:
                return offsets[following]
        return len(self._answer.rstrip())
