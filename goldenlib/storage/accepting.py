"""Accepting: somebody lets a regression stand, with name and reason (contract 6.2a).

Rule: it is recorded, shown in every report from then on, and never changed. It holds until the item next passes, and no longer; what was
decided of a run stays decided.
"""

from __future__ import annotations

from datetime import UTC, datetime

from goldenlib.errors import AcceptanceError
from goldenlib.storage import Acceptance, Store


def accept(store: Store, run_id: str, item_id: str, *, by: str, reason: str, at: datetime | None = None) -> Acceptance:
    """Record that `by` lets the failing of an item in a finished run stand, and return the record.

    Raises AcceptanceError without a name or a reason, for a run that did not finish, and for an item that did not fail in it,
    never passed before, or has passed since: of that there is nothing to accept. Raises RunNotFoundError for a run that is not there.
    """
    for given, what in ((by, "who accepts it (--by NAME)"), (reason, "why it may stand (--reason TEXT)")):
        if not given.strip():
            raise AcceptanceError(f"item {item_id!r} of run {run_id!r}: say {what}; without that nothing is accepted")
    run = store.run(run_id)
    if run.finished_at is None:
        raise AcceptanceError(f"run {run_id!r} did not finish, so nothing was decided that could stand; go on with it by --resume")
    result = next((result for result in store.results(run_id) if result.item_id == item_id), None)
    if result is None:
        raise AcceptanceError(f"run {run_id!r} has no item {item_id!r}; golden show {run_id} lists its items")
    if not (result.is_scored and result.passed is False):
        word = "passed" if result.passed else "was not scored"
        raise AcceptanceError(f"item {item_id!r} {word} in run {run_id!r}; only what failed there can be accepted")
    if (passed_in := store.passed_after(run_id, item_id)) is not None:
        raise AcceptanceError(
            f"item {item_id!r} has passed since run {run_id!r}, in run {passed_in}; accept it in a run in which it failed after that"
        )
    if not _regressed(store, run_id, item_id):
        raise AcceptanceError(f"item {item_id!r} never passed before run {run_id!r}, so it did not regress; there is nothing to accept")
    acceptance = Acceptance(run_id, item_id, " ".join(by.split()), " ".join(reason.split()), at or datetime.now(UTC))
    store.keep_acceptance(acceptance)
    return acceptance


def _regressed(store: Store, run_id: str, item_id: str) -> bool:
    """Whether the item passed before it failed in the run, whatever stands in between."""
    baseline = store.baselines(run_id, with_answers=False).get(item_id)
    if baseline is None:
        return False
    row = store.failing_rows(run_id, [item_id]).get(item_id)
    return baseline.result.passed is True or (row is not None and row.passed_in is not None)
