"""Earlier: what the store knows of earlier runs, put beside a run for the gate and the reports.

Rule: a stored answer is judged by today's contract only where the contract says so (6.5); otherwise it stands as it was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from goldenlib.answers import Result, RunRecord
from goldenlib.comparing.contracts import change_since
from goldenlib.gating import Baseline, Comparison
from goldenlib.items import Item
from goldenlib.scoring.examining import Examined
from goldenlib.storage import FailingRow, Store, StoredBaseline

Flipped = Mapping[str, tuple[Result, Result]]  # by item: its last pass, and the failing of now
Today = Mapping[str, Examined]


@dataclass(frozen=True)
class Earlier:
    """What the store has of the items of a run: their baselines, and where those failed, since when and the result before that.

    `renamed` gives the former ids of items that went on under another one.
    """

    baselines: Mapping[str, StoredBaseline]
    failing: Mapping[str, FailingRow]
    last_passes: Mapping[str, StoredBaseline]
    renamed: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, store: Store, run_id: str, digests: Mapping[str, str] | None = None) -> Earlier:
        """Look back from a run. `digests` are those of its items, by id: a contract that had another id before goes on from there."""
        baselines = store.baselines(run_id)
        failing = store.failing_rows(run_id, [item_id for item_id, then in baselines.items() if then.result.passed is False])
        passed_in = {item_id: row.passed_in for item_id, row in failing.items() if row.passed_in is not None}
        earlier = cls(baselines, failing, store.results_at(passed_in))
        digests = digests or {}
        for appeared, new in earlier._appeared(run_id, digests).items():
            of_runs: dict[str, dict[str, str]] = {}
            former = _former_ids(store, run_id, appeared, digests, set(new.values()))
            for item_id, digest in new.items():
                if digest in former:
                    last_run, former_id = former[digest]
                    of_runs.setdefault(last_run, {})[item_id] = former_id
            for last_run, ids in of_runs.items():
                then = store.results_at(dict.fromkeys(ids.values(), last_run))
                earlier = earlier._going_on(store, {item_id: then[former_id] for item_id, former_id in ids.items()})
        return earlier

    def _appeared(self, run_id: str, digests: Mapping[str, str]) -> dict[str, dict[str, str]]:
        """The items whose contract is not that of their last result, or pass, under their id: their digests, by the run to look back from.

        That is the run at hand, and for what has failed since, the one in which it began to.
        """
        found: dict[str, dict[str, str]] = {}
        for item_id, digest in digests.items():
            row, last, passed = self.failing.get(item_id), self.baselines.get(item_id), self.last_passes.get(item_id)
            if last is None or last.result.digest != digest:
                found.setdefault(run_id, {})[item_id] = digest
            elif row is not None and (passed is None or passed.result.digest != digest):
                found.setdefault(row.since, {})[item_id] = digest
        return found

    def _going_on(self, store: Store, renamed: Mapping[str, StoredBaseline]) -> Earlier:
        """Return this with what is known of renamed items under their former ids; `renamed` are their last results there, by the new id."""
        last_run = next(iter(renamed.values())).result.run_id  # of all of them
        past = Earlier.of(store, last_run)
        baselines, failing, passes = dict(self.baselines), dict(self.failing), dict(self.last_passes)
        for item_id, then in renamed.items():
            former, before = then.result.item_id, past.baselines.get(then.result.item_id)
            if item_id not in baselines or baselines[item_id].result.digest != then.result.digest:  # or else of what had this id before
                baselines[item_id] = _as(item_id, then)
                failing.pop(item_id, None)
                passes.pop(item_id, None)
            passed: StoredBaseline | None
            if then.result.passed:
                passed, since = then, failing[item_id].since if item_id in failing else None
            else:
                passed = before if before is not None and before.result.passed else past.last_passes.get(former)
                since = past.failing[former].since if former in past.failing else last_run
            if since is not None:
                failing[item_id] = FailingRow(since, passed.result.run_id if passed is not None else None)
                passes |= {item_id: _as(item_id, passed)} if passed is not None else {}
        return Earlier(baselines, failing, passes, {**self.renamed, **{item_id: then.result.item_id for item_id, then in renamed.items()}})

    def flipped(self, results: Iterable[Result]) -> dict[str, tuple[Result, Result]]:
        """Return, by item, the last pass and the failing of now to be held against it: the last one, where now nothing was scored."""
        found = {}
        for now in results:
            last = self.baselines.get(now.item_id)
            failing = now if now.is_scored or last is None else last.result
            passed = last if last is not None and last.result.passed else self.last_passes.get(now.item_id)
            if passed is not None and failing.passed is False:
                found[now.item_id] = passed.result, failing
        return found


def _former_ids(store: Store, run_id: str, before: str, digests: Mapping[str, str], wanted: Collection[str]) -> dict[str, tuple[str, str]]:
    """Return, by digest, where each wanted contract was scored last before a run, under an id that stands for another one now, or for none.

    `digests` are those of the items of `run_id`, by id; of what stands in the set and was not selected, the contract is not known.
    """
    found = store.scored_under(before, wanted)
    unknown = set(store.run(run_id).all_item_ids) - set(digests) if found else set()
    return {digest: (in_run, item_id) for item_id, in_run, digest in found if item_id not in unknown and digests.get(item_id) != digest}


def _as(item_id: str, stored: StoredBaseline) -> StoredBaseline:
    return replace(stored, result=replace(stored.result, item_id=item_id))


def compare(store: Store, run: RunRecord, items: Iterable[Item], earlier: Earlier, flipped: Flipped, today: Today) -> Comparison:
    """Return what earlier runs of the series say about the items of `run`.

    `items` hold today's contracts; `today` is what the answers of passes that `flipped` come to under them, where they have changed.
    """
    contracts = {item.id: item for item in items}
    then = _Then(store, run, contracts, earlier, flipped, today)
    return Comparison(
        baselines={item_id: then.baseline(stored) for item_id, stored in earlier.baselines.items()},
        failing_since={item_id: row.since for item_id, row in earlier.failing.items()},
        last_passes={item_id: then.baseline(stored) for item_id, stored in earlier.last_passes.items()},
        accepted=frozenset(_accepted(store, run, contracts, earlier.renamed)),
        vanished={item_id: last for item_id, last in store.vanished(run.run_id).items() if item_id not in earlier.renamed.values()},
        remarks=(*_rename_remarks(earlier), *_review_remarks(contracts.values(), run.run_at.date())),
    )


def _accepted(store: Store, run: RunRecord, today: Mapping[str, Item], renamed: Mapping[str, str]) -> Iterator[str]:
    """The items whose failing somebody lets stand. That goes along with a contract to its new id, and is not left to another at the old."""
    accepted = store.acceptances(run.run_id)
    given = store.results_at({item_id: accepted[item_id].run_id for item_id in renamed if item_id in accepted})
    for item_id in today:
        of_another = item_id in renamed and (item_id not in given or given[item_id].result.digest != today[item_id].digest)
        if (item_id in accepted and not of_another) or renamed.get(item_id) in accepted:
            yield item_id


class _Then:
    """Earlier results, put beside those of today where an item passed then and does not now."""

    def __init__(
        self, store: Store, run: RunRecord, contracts: Mapping[str, Item], earlier: Earlier, flipped: Flipped, today: Today
    ) -> None:
        self._items, self._flipped, self._today = contracts, flipped, today
        self._were = store.contracts({then.digest for then, _ in flipped.values()})
        self._runs = {run_id: store.run(run_id) for run_id in {then.run_id for then, _ in flipped.values()}}
        digests = {item_id: contracts[item_id].digest for item_id in flipped if item_id in contracts}
        passes = store.earlier_passes(run.run_id, digests) if flipped else []
        new_ids = {former: item_id for item_id, former in earlier.renamed.items() if item_id in digests}
        under_former = store.earlier_passes(run.run_id, {former: digests[new] for former, new in new_ids.items()}) if new_ids else []
        passes += [(new_ids[former], model, prompt) for former, model, prompt in under_former]
        self._passed_under_todays = {item_id for item_id, _, _ in passes}
        self._passed_by_todays_judge = {
            item_id for item_id, model, prompt in passes if (model, prompt) == (run.judge_model, run.judge_prompt_digest)
        }

    def baseline(self, stored: StoredBaseline) -> Baseline:
        then = stored.result
        plain = Baseline(then, stored.judge_model, stored.judge_prompt_digest)
        item, flip = self._items.get(then.item_id), self._flipped.get(then.item_id)
        if item is None or flip is None or not then.passed:
            return plain
        again = self._today.get(then.item_id)
        change = change_since(then, self._were.get(then.digest), flip[1], item, again[1] if again is not None else ())
        return replace(
            plain,
            fails_todays_facts=again is not None and again[0].passed is False,
            lost=change.lost,
            changed=change.parts,
            pass_threshold=self._runs[then.run_id].pass_threshold,
            passed_under_todays=then.item_id in self._passed_under_todays,
            passed_by_todays_judge=then.item_id in self._passed_by_todays_judge,
        )


def _rename_remarks(earlier: Earlier) -> Iterator[str]:
    return (f"{item_id}: was '{former}' before, with the same contract; its history goes on" for item_id, former in earlier.renamed.items())


def _review_remarks(items: Iterable[Item], today: date) -> Iterator[str]:
    for item in items:
        if item.changed_note:
            yield f"{item.id}: {item.changed_note}"
        elif item.review is not None and item.is_verified and item.review_is_due(today):
            yield f"{item.id}: its review was due on {item.review.due}"
