"""Rows: the items of a report as a page shows them, with their answers marked.

Rule: what is left out of a page for its size is said in the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from goldenlib.answers import Event, Evidence, EvidenceKind, Result, Score
from goldenlib.gating import Regression
from goldenlib.languages import Translate, translator
from goldenlib.reporting.changes import near_misses
from goldenlib.reporting.passages import Segment, excerpt, find_spans, marked, plain
from goldenlib.reporting.report import HistoryMark, Report, ResultState, state_of
from goldenlib.reporting.wording import MARKS_SHOWN, reason_text

PASSING_IN_FULL = 200
_ANSWER_CHARACTERS = 50_000
_ALL_ANSWERS_CHARACTERS = 4_000_000
_REASON_CHARACTERS = 600
_PART_CHARACTERS = 4_000
_ELSEWHERE = "it is in the store and in the JSON report"


@dataclass(frozen=True, slots=True)
class ShownFact:
    """One phrase of the contract and what the answer made of it; `near` is what the answer has instead.

    A fact of kind NEAR_MISS is a forbidden phrase that the answer nearly says.
    """

    kind: EvidenceKind
    phrase: str
    near: tuple[Segment, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One item as the page shows it.

    `answer` is empty when there is none or it was left out; `answer_note` says which. `is_full` is False for passing items
    beyond the first 200, which come without answer and scores.
    """

    result: Result
    state: ResultState
    reason: tuple[Segment, ...]
    regression: Regression | None = None
    history: tuple[HistoryMark, ...] = ()
    facts: tuple[ShownFact, ...] = ()
    answer: tuple[Segment, ...] = ()
    answer_note: str = ""
    events: tuple[Event, ...] = ()
    details: tuple[tuple[str, str], ...] = ()
    is_full: bool = True


def rows_of(report: Report) -> tuple[ReportRow, ...]:
    """Return the items in the order in which people read them: failed, errors, passed, skipped."""
    return tuple(_rows(report))


def _rows(report: Report) -> Iterator[ReportRow]:
    passing, room, said = 0, _ALL_ANSWERS_CHARACTERS, translator(report.language)
    for result in report.ordered:
        state = state_of(result)
        passing += state is ResultState.PASS
        is_full = state is not ResultState.PASS or passing <= PASSING_IN_FULL
        answer, note = _answer(result, room) if is_full else ((), f"left out here; {_ELSEWHERE}")
        room -= sum(len(segment.text) for segment in answer)
        yield ReportRow(
            result=result,
            state=state,
            reason=_reason(result, said),
            regression=report.regressions.get(result.item_id),
            history=tuple(report.history.get(result.item_id, ()))[-MARKS_SHOWN:],
            facts=tuple(_facts(result.scores)) if is_full else (),
            answer=answer,
            answer_note=note,
            events=_events(result) if is_full else (),
            details=tuple((title, _cut(text)) for score in result.scores for title, text in score.details) if is_full else (),
            is_full=is_full,
        )


def _reason(result: Result, said: Translate) -> tuple[Segment, ...]:
    reason = plain(said(reason_text(result)), _REASON_CHARACTERS)
    return marked(reason, find_spans(reason, forbidden=result.forbidden))


def _answer(result: Result, room: int) -> tuple[tuple[Segment, ...], str]:
    """The answer with its phrases marked, and what there is to say about it."""
    if result.answer is None:
        return (), "none: the item was not driven"
    if not result.answer.text and result.answer.events and result.answer.error is None:
        return (), "no words"
    if not result.answer.text:
        return (), f"none: {result.answer.error or 'the answer was empty'}"
    if room <= 0:
        return (), f"left out to keep this page readable; {_ELSEWHERE}"
    text = result.answer.text[:_ANSWER_CHARACTERS]
    cut = len(result.answer.text) - len(text)
    required = [part.phrase for part in _evidence(result.scores) if part.kind is EvidenceKind.PRESENT]
    spans = find_spans(text, required=required, forbidden=result.forbidden, near=near_misses(result))
    notes = [f"{cut} more characters left out here; {_ELSEWHERE}"] if cut else []
    if result.answer.error is not None:
        notes.append(f"incomplete: {result.answer.error}")
    return marked(text, spans), "; ".join(notes)


def _events(result: Result) -> tuple[Event, ...]:
    """What the answer holds besides text, each shortened."""
    events = result.answer.events if result.answer is not None else ()
    return tuple(replace(event, content=_cut(event.content)) for event in events)


def _cut(text: str) -> str:
    left_out = len(text) - _PART_CHARACTERS
    return text if left_out <= 0 else f"{text[:_PART_CHARACTERS]}… and {left_out} more characters; {_ELSEWHERE}"


def _facts(scores: Sequence[Score]) -> Iterator[ShownFact]:
    """The phrases that decided, what is wrong first; a near miss stands with the phrase that it misses."""
    evidence = _evidence(scores)
    near = {part.phrase: _near(part) for part in evidence if part.kind is EvidenceKind.NEAR_MISS}
    for kind in (EvidenceKind.FORBIDDEN, EvidenceKind.MISSING):
        for phrase in dict.fromkeys(part.phrase for part in evidence if part.kind is kind):
            yield ShownFact(kind, phrase, near.pop(phrase, ()))
    for phrase, passage in near.items():
        yield ShownFact(EvidenceKind.NEAR_MISS, phrase, passage)
    for phrase in dict.fromkeys(part.phrase for part in evidence if part.kind is EvidenceKind.PRESENT):
        yield ShownFact(EvidenceKind.PRESENT, phrase)


def _near(evidence: Evidence) -> tuple[Segment, ...]:
    hit = evidence.passage[evidence.start : evidence.end]
    return excerpt(evidence.passage, find_spans(evidence.passage, near=[hit]))


def _evidence(scores: Sequence[Score]) -> list[Evidence]:
    return [part for score in scores for part in score.evidence]
