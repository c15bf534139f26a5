"""The report for machines: the JSON of contract section 7.

Rule: texts are given as they are; only what a terminal or an encoder would choke on is written as a JSON escape.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from goldenlib.answers import Event, Result, Score
from goldenlib.cilogs import json_text
from goldenlib.gating import Regression, Standing, Totals
from goldenlib.reporting.report import Report, SplitTotals

# Lone surrogates cannot be encoded in UTF-8; C1 controls, bidi controls and line separators act in terminals and old parsers.
_ESCAPED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff\ufff9-\ufffb\ufffe\uffff]")


def render_json(report: Report) -> str:
    """Return the report as JSON text that can be encoded in UTF-8, with a line feed at the end."""
    text = json_text(report_as_dict(report), allow_nan=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def report_as_dict(report: Report) -> dict[str, Any]:
    """Return the report in the shape of contract section 7, as plain JSON values; further keys stand at the end."""
    run, decision = report.run, report.decision
    return {
        "run_id": run.run_id,
        "run_at": run.run_at.isoformat(),
        "set": {"name": run.set_name, "digest": run.set_digest, "items": run.set_size},
        "series": run.series,
        "decision": str(decision.outcome),
        "exit_code": decision.exit_code,
        "reasons": list(decision.reasons),
        "totals": _counts(decision.totals),
        "unverified": list(decision.unverified),
        "regressions": [_regression(regression) for regression in decision.regressions],
        "results": [_result(result) for result in report.results],
        "warnings": list(report.warnings),
        "notes": list(report.notes),
        "banners": list(report.banners),
        "demo": run.is_demo,
        "target": run.target,
        "judge": None if run.judge_model is None else {"model": run.judge_model, "prompt_digest": run.judge_prompt_digest},
        "started_by": run.started_by,
        "splits": [_split(split) for split in report.splits],
        "held_out": [
            {
                "run_id": past.run_id,
                "run_at": past.run_at.isoformat(),
                "started_by": past.started_by,
                "passed": past.passed,
                "scored": past.scored,
            }
            for past in report.held_out
        ],
        "standing": [_standing(item) for item in decision.standing],
        "compared": decision.compared,
        "rates": {
            kind: {group.name: _counts(group.totals) for group in groups}
            for kind, groups in ({"domain": report.domains} | dict(report.labelled)).items()
        },
    }


def _counts(totals: Totals) -> dict[str, Any]:
    return {
        "items": totals.items,
        "driven": totals.driven,
        "scored": totals.scored,
        "passed": totals.passed,
        "failed": totals.failed,
        "errors": totals.errors,
        "skipped": totals.skipped,
        "pass_rate": None if totals.pass_rate is None else float(totals.pass_rate),
    }


def _split(split: SplitTotals) -> dict[str, Any]:
    return {
        "split": split.split,
        "run_id": split.run_id or None,
        "items": split.items,
        "scored": split.scored,
        "passed": split.passed,
        "pass_rate": None if split.rate is None else float(split.rate),
        "one_question": None if split.one_question is None else float(split.one_question),
        "words": dict(split.words),
    }


def _regression(regression: Regression) -> dict[str, Any]:
    return {
        "item_id": regression.item_id,
        "gates": regression.gates,
        "baseline_run_id": regression.baseline_run_id,
        "note": regression.note,
    }


def _standing(item: Standing) -> dict[str, Any]:
    return {
        "item_id": item.item_id,
        "gates": item.gates,
        "failing_since_run_id": item.since,
        "passed_in_run_id": item.passed_in,
        "flip": str(item.flip),
        "scored": item.is_scored,
    }


def _result(result: Result) -> dict[str, Any]:
    answer = result.answer
    return {
        "item_id": result.item_id,
        "surface": result.surface,
        "domain": result.domain,
        "verified": result.verified,
        "status": str(result.status),
        "judge_status": str(result.judge_status),
        "passed": result.passed,
        "score": _number(result.score),
        "reason": result.reason,
        "missing": list(result.missing),
        "forbidden": list(result.forbidden),
        "scores": _scores(result.scores),
        "answer": None if answer is None else answer.text,
        "seconds": None if answer is None else _number(answer.seconds),
        **_more(result),
    }


def _more(result: Result) -> dict[str, Any]:
    """What only some results have: those of data questions, and of sets with splits."""
    events = [] if result.answer is None else [_event_values(event) for event in result.answer.events]
    kind = {} if result.kind == "answer" and not result.word else {"kind": result.kind}
    values = {"split": result.split, "outcome": result.word, "parts": events}
    return kind | {key: value for key, value in values.items() if value}


def _event_values(event: Event) -> dict[str, Any]:
    return {"kind": str(event.kind), "content": event.content} | ({"turn": event.turn} if event.turn != 1 else {})


def _scores(scores: Sequence[Score]) -> list[dict[str, Any]]:
    return [{"axis": score.axis, "value": _number(score.value), "passed": score.passed, "reason": score.reason} for score in scores]


def _number(value: float | None) -> float | None:
    """JSON has no NaN and no infinity; a report must be written whatever a scorer made of a number."""
    return value if value is None or math.isfinite(value) else None
