"""Pairs of runs: two stored runs, item by item: which verdicts flipped, and what changed with them.

Rule: a cause is named only where it can be seen: another answer, another contract, another judge, another target. An error is no flip.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from goldenlib.answers import Result, RunRecord
from goldenlib.errors import RunNotFoundError
from goldenlib.storage import Store

LATEST = "latest"


@dataclass(frozen=True, slots=True)
class RunFlip:
    """An item whose verdict is another one; `causes` says what else is different, in words."""

    then: Result
    now: Result
    causes: tuple[str, ...]

    @property
    def item_id(self) -> str:
        """The item."""
        return self.now.item_id

    @property
    def is_worse(self) -> bool:
        """Whether it passed then and fails now."""
        return self.then.passed is True


@dataclass(frozen=True, repr=False)
class RunComparison:
    """Two runs beside one another. `unscored` are items that one of them did not score; `only_then` and `only_now` are in one alone."""

    then: RunRecord
    now: RunRecord
    flips: tuple[RunFlip, ...]
    unchanged: int
    unscored: tuple[str, ...]
    only_then: tuple[str, ...]
    only_now: tuple[str, ...]

    @property
    def summary(self) -> str:
        """What is different, in a line."""
        worse = sum(flip.is_worse for flip in self.flips)
        parts = [f"{worse} worse, {len(self.flips) - worse} better, {self.unchanged} as before"]
        parts += [f"{len(self.unscored)} not scored in both"] if self.unscored else []
        parts += [f"{len(self.only_then)} only then"] if self.only_then else []
        parts += [f"{len(self.only_now)} only now"] if self.only_now else []
        return f"{self.then.run_id} -> {self.now.run_id}: {', '.join(parts)}"

    def __repr__(self) -> str:
        return f"<RunComparison {self.summary}>"


def compare_runs(store: Store, now: str = LATEST, then: str | None = None) -> RunComparison:
    """Return what flipped in run `now` since run `then`; without `then`, since the run before it in its series.

    `now` may be "latest". Raises RunNotFoundError for a run that is not stored, and where there is no earlier one to compare with.
    """
    run = store.latest_run() if now == LATEST else store.run(now)
    earlier = store.run(then) if then else _run_before(store, run)
    before = {result.item_id: result for result in store.results(earlier.run_id)}
    after = {result.item_id: result for result in store.results(run.run_id)}
    both = [(before[item_id], result) for item_id, result in after.items() if item_id in before]
    scored = [(old, new) for old, new in both if old.is_scored and new.is_scored]
    flipped = [(old, new) for old, new in scored if old.passed != new.passed]
    flips = [RunFlip(old, new, tuple(_causes(earlier, run, old, new))) for old, new in flipped]
    return RunComparison(
        then=earlier,
        now=run,
        flips=tuple(sorted(flips, key=lambda flip: (not flip.is_worse, flip.item_id))),
        unchanged=len(scored) - len(flips),
        unscored=tuple(new.item_id for old, new in both if not (old.is_scored and new.is_scored)),
        only_then=tuple(item_id for item_id in before if item_id not in after),
        only_now=tuple(item_id for item_id in after if item_id not in before),
    )


def _run_before(store: Store, run: RunRecord) -> RunRecord:
    earlier = [past for past in store.trend(run.run_id, limit=2) if past.run_id != run.run_id]
    if not earlier:
        raise RunNotFoundError(
            f"{store.name}: there is no finished run before {run.run_id} in its series with the same selection; name one to compare with"
        )
    return store.run(earlier[-1].run_id)


def _causes(then: RunRecord, now: RunRecord, old: Result, new: Result) -> Iterator[str]:
    if old.answer is not None and new.answer is not None:
        same = (old.answer.text, old.answer.events) == (new.answer.text, new.answer.events)
        yield "the answer is the same to the letter" if same else "the answer is another"
    if old.digest != new.digest:
        yield "the contract was changed"
    if (then.judge_model, then.judge_prompt_digest) != (now.judge_model, now.judge_prompt_digest):
        yield (
            f"the judge was {then.judge_model or 'off'} and is {now.judge_model or 'off'}"
            if then.judge_model != now.judge_model
            else ("the judge's prompt was changed")
        )
    if then.target != now.target:
        yield f"the target was {then.target} and is {now.target}"
    if then.scorer_version != now.scorer_version:
        yield f"the scorers were version {then.scorer_version} and are {now.scorer_version}"
