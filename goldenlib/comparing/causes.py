"""Causes: why an item's verdict is another one, as far as it can be seen in what both runs stored.

Rule: a cause is named of the axis that flipped - phrases, a result, the judge where it alone decided -, never of the run as a whole. That
an answer was worded otherwise is no cause: a model rewords each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldenlib.answers import EvidenceKind, Result
from goldenlib.comparing.contracts import parts_changed

JudgeKey = tuple[str | None, str | None]  # model, and digest of the prompt
_REASON = 300  # characters


def why_other(then: Result, now: Result, contracts: Mapping[str, Any], judge_then: JudgeKey, judge_now: JudgeKey) -> Iterator[str]:
    """Give what is behind another verdict, of the axis that flipped: phrases, a result, a contract, or the judge where it alone decided.

    `contracts` are by digest, as far as they are kept.
    """
    if now.passed:
        yield from (f"before: {cause}" for cause in _failing_by(then, judge_then, judge_now))
    else:
        yield from _failing_by(now, judge_then, judge_now)
    if then.digest != now.digest:
        before, after = contracts.get(then.digest), contracts.get(now.digest)
        parts = parts_changed(before, after) if before is not None and after is not None else ("contract",)
        yield f"changed since: {', '.join(parts)}"
    if then.answer is not None and now.answer is not None and then.answer.in_full == now.answer.in_full:
        yield "the answer is the same to the letter"


def _failing_by(failed: Result, judge_then: JudgeKey, judge_now: JudgeKey) -> Iterator[str]:
    """What fails a result: its phrases, other findings, and the judge where nothing else does."""
    yield from phrases_of(failed)
    by_others = [score for score in failed.scores if score.gates and score.passed is False]
    yield from (f"{score.axis}: {score.reason[:_REASON]}" for score in by_others if not score.by_judge and not score.evidence)
    judged_alone = bool(by_others) and all(score.by_judge for score in by_others)
    if judged_alone:
        yield f"the judge alone: {by_others[0].reason[:_REASON]}"
        yield from _of_judge(judge_then, judge_now)


def phrases_of(result: Result) -> Iterator[str]:
    """Give the phrases that a result's answer must not say and says, then those that it lacks, in words."""
    yield from (f"says '{phrase}'" for phrase in result.forbidden)
    missing = (
        part.phrase for score in result.scores if score.passed is False for part in score.evidence if part.kind is EvidenceKind.MISSING
    )
    yield from (f"lacks '{phrase}'" for phrase in dict.fromkeys(missing))


def _of_judge(then: JudgeKey, now: JudgeKey) -> Iterator[str]:
    if then[0] != now[0]:
        yield f"the judge was {then[0] or 'off'} and is {now[0] or 'off'}"
    elif then != now:
        yield "the judge's prompt was changed"
