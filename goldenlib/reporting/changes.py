"""Changes: for each regression, what the answer said then and what it says now.

Rule: the words are the answers' own; where the answers say nothing (a flip of the judge alone), the scores speak.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from goldenlib.answers import EvidenceKind, Result
from goldenlib.gating import Regression
from goldenlib.languages import Translate, translator
from goldenlib.reporting.passages import Segment, Span, counterpart, excerpt, find_spans
from goldenlib.reporting.report import Report
from goldenlib.reporting.wording import judge_text


@dataclass(frozen=True, slots=True)
class Change:
    """A regression with the passages that show it."""

    regression: Regression
    then: tuple[Segment, ...]
    now: tuple[Segment, ...]


def changes(report: Report) -> tuple[Change, ...]:
    """Return the regressions, those that block first, with short passages of both answers."""
    results = {result.item_id: result for result in report.results}
    ordered = sorted(report.decision.regressions, key=lambda regression: not regression.gates)
    return tuple(_change(report, regression, results.get(regression.item_id)) for regression in ordered)


def _change(report: Report, regression: Regression, now: Result | None) -> Change:
    baseline = report.baselines.get(regression.item_id)
    then = baseline.result if baseline is not None else None
    said = translator(report.language)
    said_then, said_now = _text(then), _text(now)
    if now is None or not (now.missing or now.forbidden) or not said_now:
        return Change(regression, _outcome(then, said), _outcome(now, said))
    found_then = find_spans(said_then, required=now.missing, forbidden=now.forbidden)
    found_now = find_spans(said_now, forbidden=now.forbidden, near=near_misses(now))
    return Change(
        regression,
        then=excerpt(said_then, found_then or _facing(said_now, found_now, said_then)) if said_then else _outcome(then, said),
        now=excerpt(said_now, found_now or _facing(said_then, found_then, said_now)),
    )


def near_misses(result: Result) -> Iterable[str]:
    """Return the words of the answer that come close to a missing phrase."""
    evidence = (part for score in result.scores for part in score.evidence if part.kind is EvidenceKind.NEAR_MISS)
    return [part.passage[part.start : part.end] or part.passage for part in evidence]


def _text(result: Result | None) -> str:
    return result.answer.text if result is not None and result.answer is not None else ""


def _facing(text: str, spans: Iterable[Span], other: str) -> list[Span]:
    """The places of `other` that face the spans of `text`, without a mark: nobody has checked that they say the same thing."""
    places = (counterpart(text, span.start, span.end, other) for span in spans)
    facing: list[Span] = []
    for start, end in sorted({place for place in places if place is not None}):
        if not facing or start >= facing[-1].end:
            facing.append(Span(start, end, None))
    return facing


def _outcome(result: Result | None, said: Translate) -> tuple[Segment, ...]:
    if result is None:
        return (Segment(said("not stored")),)
    word = "passed" if result.passed else "failed"
    return (Segment(said(f"{word}, judge {judge_text(result)}" if result.score is not None else word)),)
