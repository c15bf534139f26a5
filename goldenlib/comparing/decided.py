"""The decision of a run, item by item: what regressed against which baseline, whether it gates, since when, and for what reason.

Rule: what gates and what is excused is read from the stored decision. A reason is named only of what failed: of the phrases, of the
judge, of a result; never of the run as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from goldenlib.answers import Result, RunRecord
from goldenlib.comparing.causes import phrases_of, why_other
from goldenlib.comparing.noise import told
from goldenlib.comparing.runpairs import LATEST
from goldenlib.comparing.timeline import OnsetGroup, Timeline, shared_by, timeline_of
from goldenlib.errors import StoreError
from goldenlib.gating import Decision, Regression, Standing
from goldenlib.storage import AskedMark, Store, StoredBaseline


@dataclass(frozen=True, slots=True)
class DecidedItem:
    """One item that regressed, or fails since it did. `then` is the pass it is held against, `now` what failed.

    `since` says in words since when: new, flaky, or failing since a run. `why` names what fails it now, the telling things first.
    `asked` are the times that it was asked again outside its series, old to new.
    """

    item_id: str
    gates: bool
    flip: str
    since: str
    why: tuple[str, ...]
    then: Result
    now: Result
    asked: tuple[AskedMark, ...] = ()

    @property
    def asked_words(self) -> str:
        """What became of asking it again since the run, in words; empty where that was not done."""
        since = [each for each in self.asked if self.now.finished_at is None or each.run_at > self.now.finished_at]
        verdicts = [each.passed for each in since if each.passed is not None]
        return f"asked again since: {sum(verdicts)} of {len(verdicts)} passed" if verdicts else ""

    @property
    def phrases(self) -> tuple[str, ...]:
        """The phrases that the answer lacks or must not say, in words."""
        return tuple(phrases_of(self.now))


@dataclass(frozen=True, repr=False)
class DecidedRun:
    """A run as it was decided: the line of its decision, its items that regressed or stand failing, and its series."""

    run: RunRecord
    decision: Decision
    items: tuple[DecidedItem, ...]
    timeline: Timeline
    unscored: tuple[str, ...]

    @property
    def noise(self) -> str:
        """What the difference to the last whole run is worth; empty without one. A night on which most was not scored is passed over."""
        runs, out = self.timeline.runs[:-1], {event.index for event in self.timeline.events if event.kind in ("outage", "partial")}
        last = next((index for index in range(len(runs) - 1, -1, -1) if index not in out), None)
        if last is None:
            return ""
        pairs = [(item.marks[last], item.marks[-1]) for item in self.timeline.items]
        scored = [(then, now) for then, now in pairs if then is not None and now is not None]
        worse, better = sum(then and not now for then, now in scored), sum(now and not then for then, now in scored)
        passed = f"from {sum(then for then, _ in scored)} to {sum(now for _, now in scored)} of {len(scored)} items passed"
        return f"since {runs[last].run_id}, {passed}: {told(worse, better, len(scored))}"

    def shared(self, group: OnsetGroup) -> str:
        """What fails the items of a group that broke together, if it is the same for two and more of them."""
        phrases = {item.item_id: item.phrases for item in self.items}
        counted = shared_by([phrases.get(item.item_id, ()) for item in group.items])
        return "; ".join(f"{times} of {len(group.items)}: {phrase}" for phrase, times in counted)

    def __repr__(self) -> str:
        return f"<DecidedRun {self.decision.line}>"


def decided_run(store: Store, run_id: str = LATEST) -> DecidedRun:
    """Return a run as it was decided, with what explains it. Raises StoreError for a run that did not finish, and RunNotFoundError."""
    run = store.latest_run() if run_id == LATEST else store.run(run_id)
    decision = store.decision(run.run_id)
    if decision is None:
        raise StoreError(f"{store.name}: run {run.run_id} did not finish, so nothing was decided; go on with it by golden run --resume")
    results = {result.item_id: result for result in store.results(run.run_id)}
    regressed = {each.item_id: each.baseline_run_id for each in decision.regressions}
    standing = {each.item_id: each.passed_in for each in decision.standing if each.item_id not in regressed}
    passed = store.results_at(regressed | standing)
    contracts = store.contracts({found.result.digest for found in passed.values()} | {result.digest for result in results.values()})
    timeline = timeline_of(store, run.run_id)
    asked = store.asked_again(run.series, regressed | standing)
    explained = _Explained(run, results, passed, contracts, timeline, asked)
    named: tuple[Regression | Standing, ...] = (*decision.regressions, *decision.standing)
    items = [explained.item(each) for each in named if each.item_id in passed]
    return DecidedRun(
        run=run,
        decision=decision,
        items=tuple(sorted(items, key=lambda item: (not item.gates, item.since != "new", item.item_id))),
        timeline=timeline,
        unscored=tuple(item_id for item_id, result in results.items() if not result.is_scored),
    )


class _Explained:
    def __init__(
        self,
        run: RunRecord,
        results: Mapping[str, Result],
        passed: Mapping[str, StoredBaseline],
        contracts: Mapping[str, Any],
        timeline: Timeline,
        asked: Mapping[str, tuple[AskedMark, ...]],
    ) -> None:
        self._run, self._results, self._passed = run, results, passed
        self._contracts, self._timeline, self._asked = contracts, timeline, asked

    def item(self, decided: Regression | Standing) -> DecidedItem:
        """Return what is to be said of an item that the decision names."""
        now, then = self._results[decided.item_id], self._passed[decided.item_id]
        return DecidedItem(
            item_id=decided.item_id,
            gates=decided.gates,
            flip=str(decided.flip),
            since=self._since(decided),
            why=tuple(why_other(then.result, now, self._contracts, _judge(then), _judge(self._run))),
            then=then.result,
            now=now,
            asked=self._asked.get(decided.item_id, ()),
        )

    def _since(self, decided: Regression | Standing) -> str:
        item = self._timeline.by_id.get(decided.item_id)
        if item is not None and item.is_flaky:
            return f"flaky: {item.changes} changes in {len(item.verdicts)} verdicts"
        if isinstance(decided, Standing):
            return f"still failing since {decided.since}" + ("" if decided.is_scored else ", and not scored now")
        return "new"


def _judge(by: StoredBaseline | RunRecord) -> tuple[str | None, str | None]:
    return by.judge_model, by.judge_prompt_digest
