"""What a report is made of: one run, its results, its decision and where it stands among earlier runs.

Rule: a report shows, it does not decide. Every number and reason in it comes from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from goldenlib.answers import Result, RunRecord, Status
from goldenlib.gating import Baseline, Decision, Outcome, Regression, Totals, count, line_head
from goldenlib.languages import Language


class ResultState(StrEnum):
    """What became of an item, as the reports say it: a word, and a sign that stands beside it."""

    FAIL = "fail"
    ERROR = "error"
    PASS = "pass"
    SKIP = "skip"

    @property
    def sign(self) -> str:
        """One character that tells the state without colour."""
        return {ResultState.FAIL: "✗", ResultState.ERROR: "!", ResultState.PASS: "✓", ResultState.SKIP: "\N{EN DASH}"}[self]


@dataclass(frozen=True, slots=True)
class HistoryMark:
    """What became of an item in one run. `passed` is None when it was not scored there."""

    run_id: str
    run_at: datetime
    passed: bool | None


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """The pass rate of one finished run of the series; not measured when nothing was scored."""

    run_id: str
    run_at: datetime
    passed: int
    scored: int

    @property
    def rate(self) -> Fraction | None:
        """passed / scored, exactly, or None where it was not measured."""
        return Fraction(self.passed, self.scored) if self.scored else None


@dataclass(frozen=True, slots=True)
class GroupTotals:
    """The counts of the items of one group, such as those of a domain."""

    name: str
    totals: Totals


@dataclass(frozen=True, slots=True)
class SplitTotals:
    """The counts of the items of one split, in this run or in an earlier one of the series (then with its `run_id`).

    `words` counts the outcomes in the words of the items' scorers, where they have some.
    """

    split: str
    items: int
    scored: int
    passed: int
    words: Mapping[str, int] = field(default_factory=dict)
    run_id: str = ""
    run_at: datetime | None = None

    @property
    def rate(self) -> Fraction | None:
        """passed / scored, exactly, or None where nothing was scored."""
        return Fraction(self.passed, self.scored) if self.scored else None

    @property
    def one_question(self) -> Fraction | None:
        """What one question more or less moves the rate by."""
        return Fraction(1, self.scored) if self.scored else None


@dataclass(frozen=True, slots=True)
class HeldOutScoring:
    """One run that scored the held-out split: who, when, and how it came out."""

    run_id: str
    run_at: datetime
    started_by: str
    series: str
    passed: int
    scored: int


@dataclass(frozen=True)
class Report:
    """A finished run, ready to be shown. `history` and `trend` run from old to new and end with this run.

    `splits` are those of the set, side by side; `held_out` are all runs that scored its test split, this one included. `accepted` says
    in a sentence each which failures somebody lets stand.
    """

    run: RunRecord
    results: tuple[Result, ...]
    decision: Decision
    min_pass_rate: Decimal
    baselines: Mapping[str, Baseline] = field(default_factory=dict)
    history: Mapping[str, tuple[HistoryMark, ...]] = field(default_factory=dict)
    trend: tuple[TrendPoint, ...] = ()
    warnings: tuple[str, ...] = ()
    splits: tuple[SplitTotals, ...] = ()
    held_out: tuple[HeldOutScoring, ...] = ()
    accepted: tuple[str, ...] = ()

    @property
    def language(self) -> Language:
        """The language that people read the report in; the decision line is English in all, since machines read it (contract 6.6)."""
        return Language(self.run.settings.get("report_language", Language.ENGLISH))

    @property
    def notes(self) -> tuple[str, ...]:
        """What else there is to know: the notes of the decision, and who lets which failure stand."""
        return (*self.decision.notes, *self.accepted)

    @property
    def caveat(self) -> str:
        """What keeps a PASS from saying much about all items, in a few words; empty where nothing does."""
        totals = self.decision.totals
        if self.decision.outcome is not Outcome.PASS or totals.scored == totals.driven:
            return ""
        return f"but only {totals.scored} of {totals.driven} driven items were scored"

    @property
    def banner(self) -> str:
        """The warning that an unverified set carries in every report, or empty (contract 6.8)."""
        unverified = len(self.decision.unverified)
        if not unverified:
            return ""
        of_items = f"{unverified} of {self.decision.totals.items} items"
        return (
            f"Not a quality verdict: {of_items} are not verified by an expert. They count in the pass rate; their regressions never block."
        )

    @property
    def unjudged(self) -> str:
        """The sentence that a run without a judge carries in every report, or empty (contract 4.6)."""
        if not self.run.judge_is_off:
            return ""
        if any(result.word for result in self.results):
            return "Nothing was judged: answers were checked against golden results, declines and phrases only."
        return "Nothing was judged: answers were checked for required and forbidden phrases only."

    @property
    def demo(self) -> str:
        """The sentence that a demo run carries in every report, or empty."""
        return "Demo run: the answers come from the embedded demo chatbot, not from a real one." if self.run.is_demo else ""

    @property
    def banners(self) -> tuple[str, ...]:
        """The sentences that stand above the decision in every report."""
        return tuple(sentence for sentence in (self.banner, self.unjudged, self.demo) if sentence)

    @property
    def seconds(self) -> float | None:
        """Wall time of the run, or None when it has no end."""
        finished = self.run.finished_at
        return None if finished is None else max(0.0, (finished - self.run.run_at).total_seconds())

    @property
    def verdict(self) -> str:
        """What the decision line says after its outcome."""
        return self.decision.line.removeprefix(f"{line_head(self.run, self.decision.outcome)}: ")

    @cached_property
    def regressions(self) -> Mapping[str, Regression]:
        """The regressions by item id."""
        return {regression.item_id: regression for regression in self.decision.regressions}

    @cached_property
    def ordered(self) -> tuple[Result, ...]:
        """The results as people read them: failed, errors, passed, skipped; what blocks comes first, then the set's order."""
        return tuple(sorted(self.results, key=self._place))

    @cached_property
    def domains(self) -> tuple[GroupTotals, ...]:
        """The counts by domain, in the order in which the domains first occur."""
        return _grouped((result.domain, result) for result in self.results)

    @cached_property
    def labelled(self) -> Mapping[str, tuple[GroupTotals, ...]]:
        """The counts by each kind of label, such as role or trap; an item may stand in several."""
        pairs = [(kind, name, result) for result in self.results for kind, name in result.labels]
        kinds = sorted({kind for kind, _, _ in pairs})
        return {kind: _grouped((name, result) for of, name, result in pairs if of == kind) for kind in kinds}

    @cached_property
    def _blocking(self) -> frozenset[str]:
        """The items that block by themselves: those that regressed, and those held since they did."""
        regressed = {regression.item_id for regression in self.decision.regressions if regression.gates}
        return frozenset(regressed | {item.item_id for item in self.decision.standing if item.gates})

    def _place(self, result: Result) -> tuple[int, bool, bool]:
        regression = self.regressions.get(result.item_id)
        return list(ResultState).index(state_of(result)), result.item_id not in self._blocking, not (regression or result.verified)


def _grouped(results: Iterable[tuple[str, Result]]) -> tuple[GroupTotals, ...]:
    groups: dict[str, list[Result]] = {}
    for name, result in results:
        groups.setdefault(name, []).append(result)
    return tuple(GroupTotals(name, count(of)) for name, of in groups.items())


def state_of(result: Result) -> ResultState:
    """Return what became of an item. Scored without a pass is a fail, as in the gate's counts."""
    if result.status is Status.ERROR:
        return ResultState.ERROR
    if result.status is Status.SKIPPED:
        return ResultState.SKIP
    return ResultState.PASS if result.passed is True else ResultState.FAIL
