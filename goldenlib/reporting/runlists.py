"""Lists for the terminal: stored runs, and a run scored again.

Rule: as everywhere, text from outside is shown as text and never as markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from goldenlib.reporting.passages import plain
from goldenlib.reporting.wording import moment, plural

if TYPE_CHECKING:
    from goldenlib.comparing import RunComparison
    from goldenlib.comparing.asked import AskedAgain
    from goldenlib.comparing.decided import DecidedRun
    from goldenlib.comparing.rescoring import Rescored, RescoredRun
    from goldenlib.storage import RunSummary


def print_runs(runs: Sequence[RunSummary], console: Console) -> None:
    """Print a table of runs, in the order given."""
    if not runs:
        console.print("no runs stored yet; make one with golden run")
        return
    table = _table("run", "when", "decision", "passed", "errors", "skipped", "series")
    for column in (table.columns[0], table.columns[2]):
        column.no_wrap = True  # an id that is broken cannot be copied, and a decision is searched for
    for run in runs:
        decision = run.decision or _unfinished(run)
        passed = "not measured" if not run.scored else f"{run.passed} of {run.scored}" if run.is_finished else f"{run.passed} so far"
        series = run.series + (f" · {run.selection}" if run.selection else "")
        _add(table, (run.run_id, moment(run.run_at), decision, passed, str(run.errors), str(run.skipped), series))
    console.print(table)


def print_decided(decided: DecidedRun, console: Console) -> None:
    """Print a run as it was decided: each item with since when and why, what broke together, and the line of the decision last."""
    if decided.items:
        table = _table("item", "", "since", "why")
        for item in decided.items:
            excused = "" if item.flip == "regressed" else f"excused: {item.flip}"
            since = "; ".join(filter(None, (item.since, item.asked_words)))
            _add(table, (item.item_id, "blocks" if item.gates else excused, since, "; ".join(item.why)))
        console.print(table)
    for group in decided.timeline.groups:
        ids = ", ".join(plain(item.item_id) for item in group.items)
        shared = f" ({plain(decided.shared(group))})" if decided.shared(group) else ""
        console.print(Text(f"broke together in {plain(group.run.run_id)}, {plain(group.domain)}: {ids}{shared}"))
    if decided.unscored:
        console.print(Text(f"not scored: {', '.join(map(plain, decided.unscored))}"))
    console.print(Text(decided.noise))
    console.print(Text(decided.decision.line))


def print_asked(asked: Sequence[AskedAgain], console: Console) -> None:
    """Print what items came to that were asked again: each time, and how often they passed."""
    table = _table("item", "time", "verdict", "reason")
    for each in asked:
        for time, result in enumerate(each.now, start=1):
            _add(table, (each.item_id, str(time), _word(result.passed), result.reason))
    console.print(table)
    for each in asked:
        before = [mark.passed for mark in each.before if mark.passed is not None]
        told = f"; {sum(before)} of {len(before)} when it was asked again before" if before else ""
        console.print(Text(f"{plain(each.item_id)}: {each.words}{told}"))


def print_comparison(comparison: RunComparison, console: Console) -> None:
    """Print the flips between two runs with why, what is not the same of the runs, and a summary last."""
    if comparison.flips:
        table = _table("item", "now", "why")
        for flip in comparison.flips:
            _add(table, (flip.item_id, "worse" if flip.is_worse else "better", "; ".join(flip.causes)))
        console.print(table)
    left_out = (("not scored in both", comparison.unscored), ("only then", comparison.only_then), ("only now", comparison.only_now))
    for title, ids in left_out:
        if ids:
            console.print(Text(f"{title}: {', '.join(map(plain, ids))}"))
    for line in (*comparison.differences, comparison.noise, comparison.summary):
        console.print(Text(plain(line)))


def _unfinished(run: RunSummary) -> str:
    """How far a run came that did not finish."""
    return f"unfinished, {run.items} of {run.planned}" if run.planned is not None else f"unfinished, {run.items} so far"


def print_rescored(rescored: RescoredRun, console: Console) -> None:
    """Print which items of a run would get another verdict, and a line of totals last."""
    if rescored.flipped:
        table = _table("item", "then", "now", "why")
        for item in rescored.flipped:
            _add(table, (item.item.id, _word(item.then.passed), _word(item.now.passed), _why(item)))
        console.print(table)
    left_out = (
        ("no stored answer", rescored.absent),
        ("not in the set any more", rescored.dropped),
        ("not scored again without a warehouse (give --config)", rescored.not_fetched),
    )
    for title, ids in left_out:
        if ids:
            console.print(Text(f"{title}: {', '.join(plain(item_id) for item_id in ids)}"))
    stale = sum(item.contract_changed for item in rescored.items)
    if stale:
        console.print(f"{plural(stale, 'contract')} changed since the run; the judge's verdicts there are of the earlier contract")
    flips = f"{len(rescored.flipped)} of {plural(len(rescored.items), 'stored answer')} would get another verdict"
    console.print(Text(f"{flips}; {rescored.passed} of {rescored.scored} scored would pass; nothing was driven"))


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _add(table: Table, cells: Iterable[str]) -> None:
    table.add_row(*(Text(plain(cell)) for cell in cells))


def _word(passed: bool | None) -> str:
    return {True: "pass", False: "fail", None: "no verdict"}[passed]


def _why(item: Rescored) -> str:
    return item.now.reason
