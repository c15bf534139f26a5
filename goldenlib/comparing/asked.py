"""Asked again: what items came to that were asked again outside their series."""

from __future__ import annotations

from dataclasses import dataclass

from goldenlib.answers import Result
from goldenlib.storage import AskedMark


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """An item that was asked again: what it came to now, each time, and all the times that it was asked again before, old to new."""

    item_id: str
    now: tuple[Result, ...]
    before: tuple[AskedMark, ...]

    @property
    def words(self) -> str:
        """How often it passed."""
        verdicts = [result.passed for result in self.now if result.is_scored]
        told = f"{sum(map(bool, verdicts))} of {len(verdicts)} passed" if verdicts else "not scored"
        unscored = len(self.now) - len(verdicts)
        return told + (f", {unscored} not scored" if unscored and verdicts else "")
