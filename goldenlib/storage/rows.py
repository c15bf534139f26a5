"""Rows: results and runs as the tables hold them, and back.

Rule: what comes back equals what was put in. What a column cannot hold truthfully - NaN, a time without a zone - is
refused; only NUL characters and lone surrogates are replaced, visibly (`tables.storable`).
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from goldenlib.answers import JUDGE_AXIS, Answer, Event, Evidence, EvidenceKind, JudgeStatus, Result, RunRecord, Score, Status
from goldenlib.config.settings import SECRET_VARIABLES, mask_url
from goldenlib.errors import StoreError
from goldenlib.storage.tables import storable, utc

PREVIEW_LENGTH = 200
_SELECTION_LENGTH = 64  # as many characters as the digest has that stands for a longer one
_NAME_LENGTH = 300  # PostgreSQL refuses index entries of more than about 2,700 bytes
_ENCODER = json.JSONEncoder(separators=(",", ":"), default=str, allow_nan=False)
_FOUR_PREVIEWS = 4 * PREVIEW_LENGTH


@dataclass(frozen=True, slots=True)
class RunPlace:
    """Where a run stands among the runs of its series: `run_seq` counts them in the order of their creation in the store.

    A clock that went back, or that of another machine, changes nothing about it.
    """

    run_id: str
    series: str
    run_at: datetime
    run_seq: int
    selection: str = ""


@dataclass(frozen=True, slots=True)
class StoredBaseline:
    """An earlier scored result of an item, and the judge of that run."""

    result: Result
    judge_model: str | None
    judge_prompt_digest: str | None


@dataclass(frozen=True, slots=True)
class FailingRow:
    """The row of failures that an item stands in: the run in which it began, and that in which the item passed last, if it ever did."""

    since: str
    passed_in: str | None


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A regression that somebody lets stand: until the item next passes."""

    run_id: str
    item_id: str
    by: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ResultMark:
    """What became of an item in one run. `passed` is None when it was not scored there."""

    run_id: str
    run_at: datetime
    passed: bool | None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run and how many of its items were stored, scored, passed, ended in an error, or were skipped."""

    run_id: str
    run_at: datetime
    set_name: str
    set_size: int
    series: str
    target: str
    judge_model: str | None
    selection: str
    is_demo: bool
    finished_at: datetime | None
    decision: str | None
    exit_code: int | None
    decision_line: str | None
    experiment: str | None
    arm: str | None
    repeat: int | None
    selected: int | None = None
    items: int = 0
    scored: int = 0
    passed: int = 0
    errors: int = 0
    skipped: int = 0

    @property
    def is_finished(self) -> bool:
        """Whether the run came to a decision."""
        return self.finished_at is not None

    @property
    def planned(self) -> int | None:
        """How many items the run is to have; None for a part of a set of which that was not kept."""
        return self.set_size if self.selected is None and not self.selection else self.selected


def check_name(name: str, what: str) -> str:
    """Return `name`, an id that rows are found by; raise StoreError for one that could not be kept as it is."""
    if not name or len(name) > _NAME_LENGTH or not name.isprintable():
        raise StoreError(f"{what} {name[:80]!r} cannot be stored: an id has 1 to {_NAME_LENGTH} printable characters; choose another one")
    return name


def baseline_for(selection: str) -> str:
    """Return what `golden_results.baseline_for` holds of a finished run: which runs it is a baseline for (contract 6.3).

    A short text, whatever was selected, since an index holds it.
    """
    text = storable(selection)
    return text if len(text) <= _SELECTION_LENGTH else hashlib.sha256(text.encode()).hexdigest()


def result_row(result: Result, place: RunPlace) -> dict[str, Any]:
    """Return the row of `golden_results`. Raises StoreError for numbers that are not finite and for times without zone."""
    if result.run_id != place.run_id:
        raise StoreError(f"result of item {result.item_id!r} belongs to run {result.run_id!r}, not to {place.run_id!r}; write it there")
    if result.status is Status.SCORED and result.passed is None:
        raise StoreError(f"result of item {result.item_id!r} is scored and neither passed nor failed; give it status error")
    answer = result.answer
    return {
        "run_id": place.run_id,
        "item_id": check_name(result.item_id, "item"),
        "run_at": place.run_at,
        "run_seq": place.run_seq,
        "series": place.series,
        "surface": storable(result.surface),
        "domain": storable(result.domain),
        "question_preview": preview(result.question),
        "answer_preview": preview(answer.text) if answer is not None else "",
        "score": _finite(result.score, result, "score"),
        "passed": result.passed,
        "reason": storable(result.reason),
        "status": result.status.value,
        "judge_status": result.judge_status.value,
        "verified": result.verified,
        "digest": storable(result.digest),
        "seconds": _finite(answer.seconds, result, "seconds") if answer is not None else None,
        "first_content_seconds": _finite(answer.first_content_seconds, result, "seconds") if answer is not None else None,
        "attempts": answer.attempts if answer is not None else None,
        "finished_at": utc(result.finished_at, "finished_at") if result.finished_at is not None else None,
        "split": storable(result.split),
        "kind": storable(result.kind),
        "word": storable(result.word),
        "fault": result.fault,
        "labels": _json(result.labels) if result.labels else None,
    }


def answer_row(result: Result) -> dict[str, Any]:
    """Return the row of `golden_answers`."""
    for score in result.scores:
        _finite(score.value, result, f"value of axis {score.axis!r}")
    answer = result.answer
    return {
        "run_id": result.run_id,
        "item_id": result.item_id,
        "question": storable(result.question),
        "answer": storable(answer.text) if answer is not None else None,
        "answer_error": storable(answer.error) if answer is not None and answer.error is not None else None,
        "scores": _json([_score_values(score) for score in result.scores]),
        "parts": _json([_event_values(event) for event in answer.events]) if answer is not None and answer.events else None,
    }


def result_from(row: Any, *, with_answer: bool = True) -> Result:
    """Return the result of a row of `golden_results`, joined with `golden_answers` when `with_answer`.

    Without it, `question` is the preview, and there are no `answer` and no `scores`.
    """
    answer = None
    if with_answer and row.answer is not None:
        events = tuple(Event(*values) for values in json.loads(row.parts or "[]"))
        answer = Answer(row.answer, row.answer_error, row.seconds, row.first_content_seconds, row.attempts, events)
    return Result(
        run_id=row.run_id,
        item_id=row.item_id,
        surface=row.surface,
        domain=row.domain,
        question=row.question if with_answer else row.question_preview,
        digest=row.digest,
        verified=row.verified,
        status=Status(row.status),
        judge_status=JudgeStatus(row.judge_status),
        passed=row.passed,
        score=row.score,
        reason=row.reason,
        answer=answer,
        scores=tuple(_score_from(values) for values in json.loads(row.scores)) if with_answer else (),
        finished_at=row.finished_at,
        split=row.split,
        kind=row.kind,
        word=row.word,
        fault=row.fault,
        labels=tuple((kind, name) for kind, name in json.loads(row.labels or "[]")),
    )


def run_row(run: RunRecord) -> dict[str, Any]:
    """Return the row of `golden_runs`, without `run_seq`. Secrets are left out even if the caller did not (contract 5.4)."""
    row = {name: storable(value) if isinstance(value, str) else value for name, value in _fields_of(run).items()}
    row["run_id"] = check_name(run.run_id, "run")
    row["series"] = check_name(run.series, "series")
    row["run_at"] = utc(run.run_at, "run_at")
    row["finished_at"] = utc(run.finished_at, "finished_at") if run.finished_at is not None else None
    row["target"] = mask_url(row["target"])
    row["settings"] = _json(storable_settings(run.settings))
    row["all_item_ids"] = _json([check_name(item_id, "item") for item_id in run.all_item_ids])
    row["reasons"] = json_list(run.reasons)
    return row


def run_from(row: Any) -> RunRecord:
    """Return the run of a row of `golden_runs`."""
    values = {name: getattr(row, name) for name in RunRecord.__dataclass_fields__}
    values["settings"] = json.loads(row.settings)
    values["all_item_ids"] = tuple(json.loads(row.all_item_ids))
    values["reasons"] = tuple(json.loads(row.reasons))
    return RunRecord(**values)


def storable_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as plain JSON values, without keys that are secrets and without passwords in URLs."""
    plain = {key: value for key, value in settings.items() if key not in SECRET_VARIABLES}
    masked: dict[str, Any] = json.loads(_json(plain))
    return {key: mask_url(value) if isinstance(value, str) else value for key, value in masked.items()}


def json_list(texts: Iterable[str]) -> str:
    """Return texts as a JSON list."""
    return _json(list(texts))


def preview(text: str) -> str:
    """Return the first characters of `text` with white space folded, for tables and lists."""
    return storable(" ".join(text[:_FOUR_PREVIEWS].split())[:PREVIEW_LENGTH])


def _fields_of(run: RunRecord) -> dict[str, Any]:
    return {name: getattr(run, name) for name in RunRecord.__dataclass_fields__}


def _finite(value: float | None, result: Result, what: str) -> float | None:
    if value is not None and not math.isfinite(value):  # SQLite would turn NaN into NULL without a word (case 223)
        raise StoreError(
            f"{what} of item {result.item_id!r} in run {result.run_id!r} is {value}; a score is a finite number, or None with status error"
        )
    return value


def _event_values(event: Event) -> list[Any]:
    """An event as it is kept: its kind, its content, and its turn where that is not the first."""
    return [event.kind, event.content, *([event.turn] if event.turn != 1 else [])]


def _score_values(score: Score) -> dict[str, Any]:
    values: dict[str, Any] = {
        "axis": score.axis,
        "value": score.value,
        "passed": score.passed,
        "reason": score.reason,
        "gates": score.gates,
    }
    if score.evidence:
        values["evidence"] = [
            {"kind": part.kind, "phrase": part.phrase, "passage": part.passage, "start": part.start, "end": part.end}
            for part in score.evidence
        ]
    if score.raw:
        values["raw"] = score.raw
    if score.word:
        values["word"] = score.word
    if score.details:
        values["details"] = score.details
    if score.given_up:
        values["given_up"] = True
    if score.by_judge and score.axis != JUDGE_AXIS:
        values["by_judge"] = True
    return values


def _score_from(values: dict[str, Any]) -> Score:
    evidence = tuple(
        Evidence(EvidenceKind(part["kind"]), part["phrase"], part["passage"], part["start"], part["end"])
        for part in values.get("evidence", ())
    )
    raw, word = tuple(values.get("raw", ())), values.get("word", "")
    details = tuple((title, text) for title, text in values.get("details", ()))
    given_up, by_judge = bool(values.get("given_up")), bool(values.get("by_judge"))
    found = (values["axis"], values["value"], values["passed"], values["reason"], values["gates"])
    return Score(*found, evidence, raw, word, details, given_up, by_judge)


def _json(value: Any) -> str:
    """Return JSON in ASCII: NUL characters and lone surrogates are escaped, so that any text comes back as it was."""
    return _ENCODER.encode(value)
