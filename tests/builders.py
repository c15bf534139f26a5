"""Small builders for tests: a valid value with what the test is about changed.

`a_report` decides the run by the real gate, so that a test cannot show a report that could not happen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from goldenlib.answers import Answer, Evidence, EvidenceKind, JudgeStatus, Result, RunRecord, Score, Status
from goldenlib.folding import hidden_text
from goldenlib.gating import Baseline, Comparison, Policy, decide
from goldenlib.items import Item
from goldenlib.reporting.report import HistoryMark, Report, TrendPoint

RUN_AT = datetime(2026, 11, 29, 8, 14, 3, tzinfo=UTC)


def an_item(item_id: str = "pt-syarat", **changes: Any) -> Item:
    """An item with a question and one required phrase; must_include, must_not_include and rubric go under `expected`."""
    expected = {key: changes.pop(key) for key in ("must_include", "must_not_include", "rubric") if key in changes}
    question = {} if "turns" in changes else {"question": "Apa saja syarat mendirikan PT perorangan?"}
    written = {"id": item_id, "domain": "badan-hukum-pt", "expected": expected or {"must_include": ("WNI",)}}
    return Item.model_validate(written | question | changes)


def a_result(
    item_id: str = "pt-syarat",
    text: str = "Pendiri harus WNI.",
    *,
    present: Sequence[str] = (),
    missing: Sequence[str] = (),
    forbidden: Sequence[str] = (),
    judge: float | None = 0.9,
    **changes: Any,
) -> Result:
    """A scored result whose outcome follows from the phrases and the judge's number, unless `changes` says otherwise."""
    violations = [f"missing '{phrase}'" for phrase in missing] + [f"says '{phrase}'" for phrase in forbidden]
    passed = not violations and judge is not None and judge >= 0.7
    facts = Score(
        "facts", None, not violations, "; ".join(violations) or "all facts present", evidence=_evidence(present, missing, forbidden)
    )
    verdict = Score("judge", judge, judge is not None and judge >= 0.7, "the judge's reason", raw=("{}",))
    result = Result(
        run_id="run-1",
        item_id=item_id,
        surface="public",
        domain="badan-hukum-pt",
        question="Apa saja syarat mendirikan PT perorangan?",
        digest="d" * 64,
        verified=True,
        status=Status.SCORED,
        judge_status=JudgeStatus.OK if judge is not None else JudgeStatus.ERROR,
        passed=passed,
        score=judge,
        reason="; ".join(violations) or ("all facts present" if passed else "judge: below 0.7"),
        answer=Answer(text, seconds=1.5, first_content_seconds=0.4),
        scores=(facts, verdict),
        finished_at=RUN_AT,
    )
    return replace(result, **changes)


def an_error(item_id: str = "pt-alamat", reason: str = "stream broke after 212 characters", **changes: Any) -> Result:
    """A result whose target broke off, with the partial text kept."""
    answer = Answer("Untuk mengubah alamat", error=reason, seconds=3.0)
    error = replace(_not_scored(item_id, Status.ERROR), reason=reason, answer=answer)
    return replace(error, **changes)


def a_skip(item_id: str = "int-jumlah-pt", **changes: Any) -> Result:
    """An internal item that was not driven."""
    reason = "internal items skipped (drive not wired)"
    skip = replace(_not_scored(item_id, Status.SKIPPED), surface="internal", domain="internal", reason=reason, answer=None)
    return replace(skip, **changes)


def _not_scored(item_id: str, status: Status) -> Result:
    return replace(a_result(item_id), status=status, judge_status=JudgeStatus.SKIPPED, passed=None, score=None, scores=())


def a_run(**changes: Any) -> RunRecord:
    """The identity of a finished run."""
    run = RunRecord(
        run_id="run-1",
        run_at=RUN_AT,
        set_name="ahu",
        set_digest="9c1e" * 16,
        set_size=1,
        series="ahu @ chatbot.staging",
        target="chatbot.staging",
        judge_model="qwen3-32b",
        judge_prompt_digest="4b7d" * 16,
        scorer_version="1",
        settings={"chatbot_url": "https://chatbot.staging", "golden_min_pass_rate": "0.8", "golden_pass_threshold": "0.7"},
        finished_at=RUN_AT + timedelta(seconds=72),
    )
    return replace(run, **changes)


def a_report(
    *results: Result,
    run: RunRecord | None = None,
    baselines: Mapping[str, Result | Baseline] | None = None,
    allow_unverified: bool = True,
    min_pass_rate: str = "0.8",
    warnings: Sequence[str] = (),
    trend: Sequence[TrendPoint] = (),
    history: Mapping[str, Sequence[HistoryMark]] | None = None,
) -> Report:
    """The report of a run with these results, decided by the gate; a plain result as baseline was judged by the same judge."""
    run = run or a_run(set_size=len(results))
    policy = Policy(Decimal(min_pass_rate), allow_unverified=allow_unverified)
    earlier = {
        item_id: then if isinstance(then, Baseline) else Baseline(then, run.judge_model, run.judge_prompt_digest)
        for item_id, then in (baselines or {}).items()
    }
    decision = decide(run, results, Comparison(earlier), policy)
    return Report(
        run=run,
        results=results,
        decision=decision,
        min_pass_rate=policy.min_pass_rate,
        baselines=earlier,
        history={item_id: tuple(marks) for item_id, marks in (history or {}).items()},
        trend=tuple(trend),
        warnings=tuple(warnings),
    )


def a_history(outcomes: str) -> tuple[HistoryMark, ...]:
    """Marks of weekly runs, oldest first, from letters: p passed, f failed, anything else not scored."""
    meaning = {"p": True, "f": False}
    weeks = len(outcomes)
    return tuple(
        HistoryMark(f"run-{week}", RUN_AT - timedelta(weeks=weeks - week - 1), meaning.get(letter)) for week, letter in enumerate(outcomes)
    )


def a_trend(*passed_of_scored: tuple[int, int]) -> tuple[TrendPoint, ...]:
    """Weekly runs of a series, oldest first."""
    weeks = len(passed_of_scored)
    return tuple(
        TrendPoint(f"run-{week}", RUN_AT - timedelta(weeks=weeks - week - 1), passed, scored)
        for week, (passed, scored) in enumerate(passed_of_scored)
    )


def _evidence(present: Sequence[str], missing: Sequence[str], forbidden: Sequence[str]) -> tuple[Evidence, ...]:
    kinds = ((EvidenceKind.PRESENT, present), (EvidenceKind.MISSING, missing), (EvidenceKind.FORBIDDEN, forbidden))
    return tuple(
        Evidence(kind, phrase, "" if kind is EvidenceKind.MISSING else phrase, 0, len(phrase))
        for kind, phrases in kinds
        for phrase in phrases
    )


def hides_nothing(text: str) -> bool:
    """Whether an item may hold the text: nothing in it is written so that nobody can see it."""
    return not hidden_text(text)
