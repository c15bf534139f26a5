"""Answers, scores and results: what a target gave back for an item, and what was made of it.

Rule: an error is a value of its own, never a pass, a fail or a missing number (contract 4.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

JUDGE_AXIS = "judge"  # of what a judge says of a whole answer
BROKEN_REPLY = "broken reply"  # the word for a reply that came and says nothing that can be scored


class Status(StrEnum):
    """What became of an item in a run."""

    SCORED = "scored"
    ERROR = "error"
    SKIPPED = "skipped"


class JudgeStatus(StrEnum):
    """What became of the judge's part."""

    OK = "ok"
    ERROR = "error"
    SKIPPED = "skipped"


class EvidenceKind(StrEnum):
    """What a piece of evidence shows."""

    PRESENT = "present"
    MISSING = "missing"
    FORBIDDEN = "forbidden"
    NEAR_MISS = "near_miss"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A phrase and the passage of the answer that speaks for the finding.

    `passage` is text of the answer as it stands there (empty for a phrase that is missing without a trace); `start` and
    `end` are the place of the hit within `passage`.
    """

    kind: EvidenceKind
    phrase: str
    passage: str = ""
    start: int = 0
    end: int = 0

    @property
    def as_remark(self) -> str:
        """What a near miss of a forbidden phrase comes to, in one line."""
        phrase, hit = (" ".join(text.split()) for text in (self.phrase, self.passage[self.start : self.end]))
        return f"nearly says '{phrase}' - the answer has '{hit}'"


class EventKind(StrEnum):
    """What an event of an answer is, besides its text: a query (its text), rows (JSON) or a signal that it declines (JSON).

    Targets may give events of other kinds, with names of their own; they are kept, shown, and left to the scorers that know them.
    """

    QUERY = "query"
    ROWS = "rows"
    DECLINE = "decline"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in an answer besides its text, as the target gave it. `content` is text or JSON, by the kind.

    `turn` counts from 1: which of the item's messages it belongs to.
    """

    kind: str
    content: str
    turn: int = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything a target gave back for an item.

    `error` is None for a complete answer, else a sentence saying why driving failed; `text` then holds what had come.
    Seconds are wall time; `first_content_seconds` is the wait for the first piece of text. `events` is what came besides text,
    in the order in which it came, any number of a kind.
    """

    text: str = ""
    error: str | None = None
    seconds: float = 0.0
    first_content_seconds: float | None = None
    attempts: int = 1
    events: tuple[Event, ...] = ()

    def of_kind(self, kind: str) -> tuple[str, ...]:
        """The contents of the events of a kind, in their order."""
        return tuple(event.content for event in self.events if event.kind == kind)

    @property
    def in_full(self) -> str:
        """Everything that the answer holds, for people to read: its text, and each event with its kind before it."""
        events = (f"[{event.kind}] {event.content}" for event in self.events)
        return "\n\n".join(piece for piece in (self.text, *events) if piece)

    @property
    def is_complete(self) -> bool:
        """Whether the target finished its answer, so that it may be scored."""
        return self.error is None


@dataclass(frozen=True, slots=True)
class Score:
    """One scorer's finding on one answer.

    `value` lies in [0, 1] or is None where the scorer has no number; `passed` is None where it could not tell, and then
    `reason` says why. `gates` says whether a failed score fails the item. `raw` keeps what a judge replied. `word` is the
    scorer's own word for its finding, where it has one, such as 'declined'. `details` are further texts for whoever looks into it,
    each with its title. `given_up` says that the scorer could not tell within its limits, which is its own shortcoming. `by_judge` says
    that a judge decided it, whatever the axis; of the axis `judge` it always did.
    """

    axis: str
    value: float | None
    passed: bool | None
    reason: str
    gates: bool = True
    evidence: tuple[Evidence, ...] = ()
    raw: tuple[str, ...] = ()
    word: str = ""
    details: tuple[tuple[str, str], ...] = ()
    given_up: bool = False
    by_judge: bool = False

    def __post_init__(self) -> None:
        if self.axis == JUDGE_AXIS:
            object.__setattr__(self, "by_judge", True)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is to be said of the answer although it decides nothing: what it nearly says, and that it looks like no answer."""
        missing = {part.phrase for part in self.evidence if part.kind is EvidenceKind.MISSING}
        near = (part for part in self.evidence if part.kind is EvidenceKind.NEAR_MISS and part.phrase not in missing)
        said = tuple(part.as_remark for part in near)
        return said if self.gates or self.value is not None or self.passed is not None else (*said, self.reason)


@dataclass(frozen=True, slots=True)
class Result:
    """One item in one run.

    `split` and `kind` are those of the item; `word` is the outcome in the words of its scorer, if it has some. `fault` says that an
    error is one of goldenlib's own, not of the target, the judge or the way to them. `labels` are what else results are counted by, as
    pairs of a kind and a name, such as ("role", "finance").
    """

    run_id: str
    item_id: str
    surface: str
    domain: str
    question: str
    digest: str
    verified: bool
    status: Status
    judge_status: JudgeStatus
    passed: bool | None
    score: float | None
    reason: str
    answer: Answer | None = None
    scores: tuple[Score, ...] = ()
    finished_at: datetime | None = None
    split: str = ""
    kind: str = "answer"
    word: str = ""
    fault: bool = False
    labels: tuple[tuple[str, str], ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """The required phrases that the answer lacks."""
        return self._phrases(EvidenceKind.MISSING)

    @property
    def forbidden(self) -> tuple[str, ...]:
        """The forbidden phrases that the answer holds."""
        return self._phrases(EvidenceKind.FORBIDDEN)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is to be said of the answer although it decides nothing."""
        return tuple(remark for score in self.scores for remark in score.remarks)

    @property
    def is_scored(self) -> bool:
        """Whether the item counts in the pass rate."""
        return self.status is Status.SCORED

    def _phrases(self, kind: EvidenceKind) -> tuple[str, ...]:
        found = (part.phrase for score in self.scores for part in score.evidence if part.kind is kind)
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class RunRecord:
    """The identity of a run: what was asked, of whom, with which configuration.

    Two runs are comparable when `series` is the same. `settings` never holds a secret. `run_at` is when the run started, in UTC;
    `started_by` is the user of that machine, or whom CI names. `decision` and `decision_line` are None until the run has finished.
    `selected` is how many items the run is to have; None where that was not kept.
    """

    run_id: str
    run_at: datetime
    set_name: str
    set_digest: str
    set_size: int
    series: str
    target: str
    judge_model: str | None
    judge_prompt_digest: str | None
    scorer_version: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    selection: str = ""
    all_item_ids: tuple[str, ...] = ()
    allow_unverified: bool = False
    is_demo: bool = False
    finished_at: datetime | None = None
    decision: str | None = None
    exit_code: int | None = None
    decision_line: str | None = None
    reasons: tuple[str, ...] = ()
    experiment: str | None = None
    arm: str | None = None
    repeat: int | None = None
    started_by: str = ""
    selected: int | None = None

    @property
    def planned(self) -> int | None:
        """How many items the run is to have; None for a part of a set of which that was not kept."""
        return self.set_size if self.selected is None and not self.selection else self.selected

    @property
    def judge_is_off(self) -> bool:
        """Whether the run was scored by the fact gate alone."""
        return self.judge_model is None

    @property
    def pass_threshold(self) -> Decimal | None:
        """The least correctness for a pass; None where that was not kept."""
        return self._kept("golden_pass_threshold")

    @property
    def min_pass_rate(self) -> Decimal | None:
        """The least share of passes that the run was held to; None where that was not kept."""
        return self._kept("golden_min_pass_rate")

    def _kept(self, name: str) -> Decimal | None:
        value = self.settings.get(name)
        return None if value is None else Decimal(str(value))


def series_of(set_name: str, label: str, *, judged: bool, experiment: str | None = None) -> str:
    """Return the series of the runs of a set against a target: those without a judge are one of their own, and so is an experiment."""
    return f"{set_name} @ {label}" + ("" if judged else " | facts only") + (f" | {experiment}" if experiment is not None else "")
