"""Steps: what undo takes back and redo does again, one edit at a time; saving does not empty them.

Rule: a step is what one edit changed, not what the set looked like. So it takes back that edit alone, also after the item was
saved, or somebody else changed another part of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from goldenlib.workbench.drafts import Draft
from goldenlib.workbench.fields import TEXTS, Values, changes
from goldenlib.workbench.rebasing import at_path, put
from goldenlib.workbench.standing import SIGNATURE

MOST_STEPS = 500
PAUSE_S = 1.5  # of silence after which typing in the same field is another step


@dataclass(frozen=True, slots=True)
class Step:
    """One edit of one item: its draft before and after, None where there was no item. `what` names it."""

    key: str
    before: Draft | None
    after: Draft | None
    what: str

    def turned(self) -> Step:
        """Return the step that takes this one back."""
        return Step(self.key, self.after, self.before, self.what)


class Steps:
    """What was done and what was undone, newest last."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.done: list[Step] = []
        self.undone: list[Step] = []
        self._clock = clock
        self._typed_at = float("-inf")

    def note(self, step: Step) -> None:
        """Note an edit. Letters that are typed into one text without a pause are one step."""
        now = self._clock()
        last = self.done[-1] if self.done else None
        is_typing = step.what.startswith("edit:") and step.what.split(":")[-1] in TEXTS
        if is_typing and last is not None and (last.key, last.what) == (step.key, step.what) and now - self._typed_at < PAUSE_S:
            self.done[-1] = replace(last, after=step.after)
        else:
            self.done.append(step)
            del self.done[:-MOST_STEPS]
        self._typed_at = now if is_typing else float("-inf")
        self.undone.clear()

    def moved(self, names: Mapping[str, str]) -> None:
        """Follow items that are found under another key."""
        for steps in (self.done, self.undone):
            steps[:] = [replace(step, key=names[step.key]) if step.key in names else step for step in steps]
        self._typed_at = float("-inf")


def replayed(values: Values, before: Values, after: Values) -> Values | None:
    """Return the values with what was changed from `before` to `after`, where nobody changed them since; None for nothing left."""
    found = changes(_unsigned(before), _unsigned(after))
    left = {path: new for path, new in found.items() if at_path(values, path) == at_path(before, path)}
    if found and not left:
        return None
    for path, new in left.items():
        values = put(values, path, new)
    return values


def _unsigned(values: Values) -> Values:
    return {name: value for name, value in values.items() if name not in SIGNATURE}
