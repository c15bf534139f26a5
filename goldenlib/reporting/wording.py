"""The short texts that all reports share: times, digests, rates and who was asked.

Rule: one thing is said the same way in every report.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction

from goldenlib.answers import JudgeStatus, Result, Status
from goldenlib.gating import Flip, Outcome, Regression, percent
from goldenlib.reporting.passages import plain
from goldenlib.reporting.report import GroupTotals, HistoryMark, Report, ResultState, SplitTotals, state_of

MARKS_SHOWN = 8
NO_NUMBER = "\N{EN DASH}"
_LONGEST_PART = 240
_MOST_DECIMALS = 6


def duration(seconds: float) -> str:
    """Write a time span as a person says it.

    >>> duration(0.2), duration(72), duration(7260)
    ('0.2 s', '1 min 12 s', '2 h 1 min')
    """
    if not math.isfinite(seconds):
        return NO_NUMBER
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def moment(when: datetime) -> str:
    """Write a time in UTC, to the minute."""
    return f"{_utc(when):%Y-%m-%d %H:%M} UTC"


def day(when: datetime) -> str:
    """Write the day and month, for charts."""
    return f"{_utc(when):%d %b}"


def short_digest(digest: str | None) -> str:
    """The first eight characters of a digest."""
    return f"{digest[:8]}…" if digest and len(digest) > 9 else digest or NO_NUMBER


def plural(number: int, noun: str) -> str:
    """Write a count with its noun.

    >>> plural(1, "run"), plural(12, "run")
    ('1 run', '12 runs')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def number(value: float | None) -> str:
    """Write a score with two decimals, or as many as it has; a dash where there is none.

    Never rounded up: a score just below a threshold must not be shown as the threshold, beside a fail.

    >>> number(0.9), number(0.8496), number(0.8499999999), number(1.0)
    ('0.90', '0.8496', '0.849999', '1.00')
    """
    if value is None or not math.isfinite(value):
        return NO_NUMBER
    exact = Decimal(repr(float(value)))
    shown = exact.quantize(Decimal(1).scaleb(-_MOST_DECIMALS), rounding=ROUND_FLOOR).normalize()
    return f"{shown:.2f}" if int(shown.as_tuple().exponent) > -2 else f"{shown:f}"


def judge_text(result: Result) -> str:
    """What the judge gave: its number, 'no verdict' when it failed, a dash when it was not asked.

    In brackets where it did not decide: a phrase had failed the item already, whatever the judge said of it.
    """
    if result.judge_status is JudgeStatus.OK:
        return f"({number(result.score)})" if result.missing or result.forbidden else number(result.score)
    return "no verdict" if result.judge_status is JudgeStatus.ERROR else NO_NUMBER


def gates_text(regression: Regression) -> str:
    """Whether a regression blocks, and why not."""
    return {
        Flip.REGRESSED: "yes, verified",
        Flip.UNVERIFIED: "no, not verified",
        Flip.CONTRACT_CHANGED: "no: contract changed",
        Flip.JUDGE_CHANGED: "no: judge changed",
        Flip.ACCEPTED: "no: accepted",
    }[regression.flip]


def rate_text(report: Report) -> str:
    """The run's pass rate, with as many decimals as it takes to tell it from the limit."""
    rate = report.decision.totals.pass_rate
    return "not measured" if rate is None else percent(rate, report.min_pass_rate)


def limit_text(report: Report) -> str:
    """The least pass rate that does not block."""
    return percent(Fraction(report.min_pass_rate), report.min_pass_rate)


def group_rate(group: GroupTotals) -> str:
    """The pass rate of a group."""
    return NO_NUMBER if group.totals.pass_rate is None else percent(group.totals.pass_rate)


def split_rate(split: SplitTotals) -> str:
    """The pass rate of a split."""
    return NO_NUMBER if split.rate is None else percent(split.rate)


def split_words(split: SplitTotals) -> str:
    """What came of the questions of a split, in words: those of their scorers, or passed and failed; and how many were not scored."""
    parts = [f"{split.passed} passed", f"{split.scored - split.passed} failed"]
    if split.words:
        parts = [f"{count} {word}" for word, count in split.words.items()]
    return ", ".join(parts + ([f"{split.items - split.scored} not scored"] if split.items > split.scored else []))


def split_passed(split: SplitTotals) -> str:
    """How many passed of how many scored, and of how many asked where those are more."""
    passed = f"{split.passed} of {split.scored}"
    return passed if split.items == split.scored else f"{passed} scored ({split.items} asked)"


def one_question(split: SplitTotals) -> str:
    """How many points of the rate one question is."""
    points = split.one_question
    return NO_NUMBER if points is None else f"{float(points * 100):.1f} points"


def split_source(split: SplitTotals) -> str:
    """Which run a split's figures come from."""
    return "this run" if not split.run_id else f"{split.run_id}" + (f", {moment(split.run_at)}" if split.run_at else "")


SPLIT_COLUMNS = ("split", "passed", "rate", "one question", "outcomes", "run")


def split_cells(split: SplitTotals) -> tuple[str, ...]:
    """The row of a split in a table with SPLIT_COLUMNS."""
    return (split.split, split_passed(split), split_rate(split), one_question(split), split_words(split), split_source(split))


def held_out_text(report: Report, most: int = 5) -> str:
    """How often the held-out split was scored, when and by whom; empty when it never was."""
    if not report.held_out:
        return ""
    latest = report.held_out[-most:]
    told = "; ".join(
        f"{moment(scoring.run_at)} by {scoring.started_by or 'somebody unknown'} ({scoring.passed} of {scoring.scored})"
        for scoring in latest
    )
    earlier = f"; the last {most}: " if len(report.held_out) > most else ": "
    return f"The test split was scored {plural(len(report.held_out), 'time')}{earlier}{told}. Every look at it wears it out."


def totals_text(report: Report) -> str:
    """The counts of a run in one line."""
    totals = report.decision.totals
    parts = [f"{totals.passed} of {totals.scored} scored passed ({rate_text(report)}, limit {limit_text(report)})"]
    parts.append(f"{totals.failed} failed")
    parts.append(f"{totals.scored} of {totals.driven} driven were scored")
    parts.append(f"{plural(totals.errors, 'error')} (not counted)")
    parts.append(f"{totals.skipped} skipped")
    return " · ".join(parts)


def advice(report: Report) -> str:
    """What the decision means for a release, in a sentence; for a pass with reservations it points to them (contract 6.8)."""
    if report.decision.outcome is Outcome.PASS:
        with_reservations = report.caveat or report.banners or report.run.selection
        return "The gate is open, with the reservations stated here." if with_reservations else "The release may go ahead."
    return {
        Outcome.BLOCK: "The release should wait.",
        Outcome.ERROR: "The test came to no result; the release should wait.",
    }[report.decision.outcome]


def identity(report: Report, *, with_chatbot: bool = True) -> tuple[str, ...]:
    """What was asked, of whom unless a title says so, and by which judge; each part one line of visible text."""
    run = report.run
    judge = "no judge" if run.judge_model is None else f"judge {run.judge_model}"
    parts = [f"{plural(run.set_size, 'question')} of '{run.set_name}'", *([f"chatbot {run.target}"] if with_chatbot else []), judge]
    if run.selection:
        parts.insert(1, f"partial run: {run.selection}")
    if run.settings.get("warehouse") and any(result.word for result in report.results):
        parts.insert(-1, f"warehouse {run.settings['warehouse']}")
    if report.seconds is not None:
        parts.append(duration(report.seconds))
    return tuple(plain(part, _LONGEST_PART) for part in parts)


def fingerprints(report: Report) -> str:
    """What set and prompt were used, to the letter: the beginnings of their digests."""
    prompt = f", judge's prompt {short_digest(report.run.judge_prompt_digest)}" if report.run.judge_model is not None else ""
    return plain(f"Digests: set {short_digest(report.run.set_digest)}{prompt}")


def reason_text(result: Result) -> str:
    """The reason of a result; errors say that they are not counted."""
    reason = (
        result.reason
        or {ResultState.PASS: "passed", ResultState.FAIL: "failed", ResultState.ERROR: "error", ResultState.SKIP: "skipped"}[
            state_of(result)
        ]
    )
    return f"{reason} (not counted)" if result.status is Status.ERROR else reason


def skip_reason(results: Sequence[Result]) -> str:
    """Why items were skipped, when all were for the same reason; else empty."""
    reasons = {result.reason for result in results if result.status is Status.SKIPPED}
    return reasons.pop() if len(reasons) == 1 else ""


def mark_word(mark: HistoryMark) -> str:
    """What became of an item in an earlier run."""
    return "not scored" if mark.passed is None else "passed" if mark.passed else "failed"


def history_words(marks: Sequence[HistoryMark]) -> str:
    """The history in words, oldest first; a row of the same is said once.

    >>> from datetime import datetime, timezone
    >>> at = datetime(2026, 11, 29, tzinfo=timezone.utc)
    >>> history_words([HistoryMark("a", at, True), HistoryMark("b", at, True), HistoryMark("c", at, None)])
    'passed 2 times, not scored'
    """
    runs: list[tuple[str, int]] = []
    for mark in marks:
        word = mark_word(mark)
        if runs and runs[-1][0] == word:
            runs[-1] = (word, runs[-1][1] + 1)
        else:
            runs.append((word, 1))
    return ", ".join(word if times == 1 else f"{word} {times} times" for word, times in runs)


def _utc(when: datetime) -> datetime:
    return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
