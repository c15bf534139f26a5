"""Pairs of runs: two stored runs, item by item: which verdicts flipped, and what changed with them.

Rule: an error is no flip. What is different of the runs as a whole is said once, of a flip only what it rests on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldenlib.answers import Result, RunRecord
from goldenlib.comparing.causes import why_other
from goldenlib.comparing.noise import told
from goldenlib.errors import RunNotFoundError
from goldenlib.storage import Store
from goldenlib.storage.tabular import frame_of

if TYPE_CHECKING:
    import pandas as pd

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
    """Two runs beside one another. `unscored` are items that one of them did not score; `only_then` and `only_now` are in one alone.

    `differences` says in words what else is not the same of the runs: judge, target, scorers, set.
    """

    then: RunRecord
    now: RunRecord
    flips: tuple[RunFlip, ...]
    unchanged: int
    unscored: tuple[str, ...]
    only_then: tuple[str, ...]
    only_now: tuple[str, ...]
    differences: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """What is different, in a line."""
        worse = sum(flip.is_worse for flip in self.flips)
        parts = [f"{worse} worse, {len(self.flips) - worse} better, {self.unchanged} as before"]
        parts += [f"{len(self.unscored)} not scored in both"] if self.unscored else []
        parts += [f"{len(self.only_then)} only then"] if self.only_then else []
        parts += [f"{len(self.only_now)} only now"] if self.only_now else []
        return f"{self.then.run_id} -> {self.now.run_id}: {', '.join(parts)}"

    @property
    def noise(self) -> str:
        """Whether the flips may be chance (`noise.told`)."""
        worse = sum(flip.is_worse for flip in self.flips)
        return told(worse, len(self.flips) - worse, self.unchanged + len(self.flips))

    def to_frame(self) -> pd.DataFrame:
        """Return the flips as a frame, one row each: `item_id`, `domain`, `passed_then`, `passed_now`, `is_worse`, `causes` in one text.

        Raises StoreError without the extra `frames`.
        """
        rows = [
            {
                "item_id": flip.item_id,
                "domain": flip.now.domain,
                "passed_then": flip.then.passed,
                "passed_now": flip.now.passed,
                "is_worse": flip.is_worse,
                "causes": "; ".join(flip.causes),
            }
            for flip in self.flips
        ]
        types = {"item_id": "str", "domain": "category", "passed_then": "boolean", "passed_now": "boolean"}
        return frame_of(rows, {**types, "is_worse": "boolean", "causes": "str"})

    def __repr__(self) -> str:
        return f"<RunComparison {self.summary}>"


def compare_runs(store: Store, now: str = LATEST, then: str | None = None) -> RunComparison:
    """Return what flipped in run `now` since run `then`; without `then`, since the run before it in its series.

    Both may be "latest". Raises RunNotFoundError for a run that is not stored, and where there is no earlier one to compare with.
    """
    run = store.latest_run() if now == LATEST else store.run(now)
    earlier = (store.latest_run() if then == LATEST else store.run(then)) if then else _run_before(store, run)
    before = {result.item_id: result for result in store.results(earlier.run_id)}
    after = {result.item_id: result for result in store.results(run.run_id)}
    both = [(before[item_id], result) for item_id, result in after.items() if item_id in before]
    scored = [(old, new) for old, new in both if old.is_scored and new.is_scored]
    flipped = [(old, new) for old, new in scored if old.passed != new.passed]
    contracts = store.contracts({result.digest for pair in flipped for result in pair})
    judges = [(each.judge_model, each.judge_prompt_digest) for each in (earlier, run)]
    flips = [RunFlip(old, new, tuple(why_other(old, new, contracts, *judges))) for old, new in flipped]
    return RunComparison(
        then=earlier,
        now=run,
        differences=tuple(_differences(earlier, run)),
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


def _differences(then: RunRecord, now: RunRecord) -> Iterator[str]:
    for what, was, is_ in (
        ("judge", then.judge_model or "off", now.judge_model or "off"),
        ("target", then.target, now.target),
        ("scorers' version", then.scorer_version, now.scorer_version),
        ("set", then.set_name, now.set_name),
    ):
        if was != is_:
            yield f"the {what} was {was} and is {is_}"
    if then.judge_model == now.judge_model and then.judge_prompt_digest != now.judge_prompt_digest:
        yield "the judge's prompt was changed"
