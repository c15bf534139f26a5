"""The timeline of a series: items by runs, since when each fails, which only flicker, and what else happened on the way.

Rule: only verdicts count. An error is a gap in a row, and neither ends it nor begins one (contract 6.2).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from goldenlib.storage import SeriesMark, SeriesRun, Store

FLAKY_CHANGES = 4  # so often the verdict has changed before an item counts as flaky: once broken and once mended is two
FEWEST_OF_A_GROUP = 3
MOST_RUNS = 200
_OUTAGE = 2  # a run is told as an outage where fewer than one in so many of its items were scored


@dataclass(frozen=True, slots=True)
class ItemTimeline:
    """One item: what became of it in each run of the timeline, None where it was not scored there, or was not asked."""

    item_id: str
    domain: str
    marks: tuple[bool | None, ...]

    @property
    def verdicts(self) -> tuple[bool, ...]:
        """Its verdicts alone, old to new."""
        return tuple(mark for mark in self.marks if mark is not None)

    @property
    def changes(self) -> int:
        """How often its verdict was another one than the verdict before."""
        verdicts = self.verdicts
        return sum(one != other for one, other in pairwise(verdicts))

    @property
    def is_flaky(self) -> bool:
        """Whether it changes its mind so often that one more failure says little."""
        return self.changes >= FLAKY_CHANGES

    @property
    def ever_failed(self) -> bool:
        """Whether it failed in any of the runs."""
        return False in self.verdicts

    @property
    def onset(self) -> int | None:
        """The index of the run in which its present row of failures began; None where its last verdict is a pass, or there is none."""
        began = None
        for index, mark in enumerate(self.marks):
            if mark is not None:
                began = None if mark else index if began is None else began
        return began

    @property
    def longest_failing(self) -> int:
        """How many verdicts its longest row of failures has."""
        longest = now = 0
        for verdict in self.verdicts:
            now = 0 if verdict else now + 1
            longest = max(longest, now)
        return longest


@dataclass(frozen=True, slots=True)
class RunEvent:
    """Something that happened between the run before and this one, other than answers; `index` is that of the run in the timeline."""

    index: int
    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class OnsetGroup:
    """Items of one domain that began to fail in one run and have failed since."""

    run: SeriesRun
    domain: str
    items: tuple[ItemTimeline, ...]


@dataclass(frozen=True)
class Timeline:
    """The last finished runs of a series, old to new, and its items."""

    runs: tuple[SeriesRun, ...]
    items: tuple[ItemTimeline, ...]
    events: tuple[RunEvent, ...]

    @cached_property
    def by_id(self) -> Mapping[str, ItemTimeline]:
        """The items by their ids."""
        return {item.item_id: item for item in self.items}

    @property
    def flaky(self) -> tuple[ItemTimeline, ...]:
        """The items that change their mind, the most restless first."""
        return tuple(sorted((item for item in self.items if item.is_flaky), key=lambda item: (-item.changes, item.item_id)))

    @property
    def broken(self) -> tuple[ItemTimeline, ...]:
        """The items that fail now and are not flaky, by the run in which that began, oldest first, then by domain."""
        failing = [(item.onset, item.domain, item.item_id, item) for item in self.items if item.onset is not None and not item.is_flaky]
        return tuple(item for *_, item in sorted(failing, key=lambda found: found[:3]))

    @property
    def groups(self) -> tuple[OnsetGroup, ...]:
        """The items that broke together, in one run and one domain, newest first; of three and more."""
        found: dict[tuple[int, str], list[ItemTimeline]] = defaultdict(list)
        for item in self.broken:
            if item.onset:  # those that fail from the first run on broke before it
                found[item.onset, item.domain].append(item)
        large = {key: items for key, items in found.items() if len(items) >= FEWEST_OF_A_GROUP}
        return tuple(OnsetGroup(self.runs[key[0]], key[1], tuple(large[key])) for key in sorted(large, key=lambda key: (-key[0], key[1])))

    def rates(self, domain: str | None = None) -> tuple[tuple[int, int], ...]:
        """Return, for each run, how many items passed and how many were scored; of one domain if it is given."""
        items = [item for item in self.items if domain is None or item.domain == domain]
        columns = zip(*(item.marks for item in items), strict=True) if items else ((),) * len(self.runs)
        return tuple((marks.count(True), marks.count(True) + marks.count(False)) for marks in columns)

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains of the items, by name."""
        return tuple(sorted({item.domain for item in self.items}))


def timeline_of(store: Store, run_id: str, limit: int = MOST_RUNS) -> Timeline:
    """Return the timeline of the series of a run, its last `limit` runs up to this one. Raises RunNotFoundError."""
    runs, marks = store.series_history(run_id, limit)
    index = {run.run_seq: number for number, run in enumerate(runs)}
    known = [mark for mark in marks if mark.run_seq in index]
    rows: dict[str, list[bool | None]] = defaultdict(lambda: [None] * len(runs))
    domains: dict[str, tuple[int, str]] = {}
    for mark in known:
        rows[mark.item_id][index[mark.run_seq]] = mark.passed
        domains[mark.item_id] = max(domains.get(mark.item_id, (0, "")), (mark.run_seq, mark.domain))
    items = (ItemTimeline(item_id, domains[item_id][1], tuple(found)) for item_id, found in rows.items())
    return Timeline(runs, tuple(sorted(items, key=lambda item: item.item_id)), tuple(_events(runs, known)))


def _events(runs: Sequence[SeriesRun], marks: Sequence[SeriesMark]) -> Iterator[RunEvent]:
    """What happened in each run besides answers, in their order."""
    by_run: dict[int, list[SeriesMark]] = defaultdict(list)
    for mark in marks:
        by_run[mark.run_seq].append(mark)
    digests: dict[str, str] = {}
    before: SeriesRun | None = None
    for index, run in enumerate(runs):
        of_run = by_run[run.run_seq]
        edited = sum(digests.get(mark.item_id, mark.digest) != mark.digest for mark in of_run)
        new = sum(mark.item_id not in digests for mark in of_run)
        digests.update((mark.item_id, mark.digest) for mark in of_run)
        scored = sum(mark.passed is not None for mark in of_run)
        if run.selection:
            yield RunEvent(index, "partial", f"partial run: {run.selection}, {len(of_run)} items")
        if scored * _OUTAGE < len(of_run):
            yield RunEvent(index, "outage", f"only {scored} of {len(of_run)} items scored")
        if before is not None:
            yield from _changed(index, before, run)
            if edited:
                yield RunEvent(index, "contract", f"the contracts of {edited} items were edited")
            if new:
                yield RunEvent(index, "set", f"{new} items were added")
        before = run


def _changed(index: int, before: SeriesRun, run: SeriesRun) -> Iterator[RunEvent]:
    if before.judge_model != run.judge_model:
        yield RunEvent(index, "judge", f"the judge was {before.judge_model or 'off'} and is {run.judge_model or 'off'}")
    elif before.judge_prompt_digest != run.judge_prompt_digest:
        yield RunEvent(index, "judge", "the judge's prompt was changed")
    if before.target != run.target:
        yield RunEvent(index, "target", f"the target was {before.target} and is {run.target}")
    if before.scorer_version != run.scorer_version:
        yield RunEvent(index, "scorers", f"the scorers were version {before.scorer_version} and are {run.scorer_version}")


def shared_by(values: Sequence[Sequence[str]]) -> tuple[tuple[str, int], ...]:
    """Return what at least two of the sequences hold, the most frequent first, each with the number of those that hold it."""
    counted = Counter(value for each in values for value in dict.fromkeys(each))
    return tuple((value, times) for value, times in counted.most_common() if times > 1)
