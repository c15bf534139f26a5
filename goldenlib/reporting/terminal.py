"""The report in a terminal and in CI logs, and the progress of a run.

Rule: signs and words tell everything that colours tell, no text is read as markup, and the last line is the decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from goldenlib.answers import EvidenceKind, Result
from goldenlib.gating import Outcome
from goldenlib.languages import Translate, date_in_words, translator
from goldenlib.reporting.changes import Change, changes
from goldenlib.reporting.passages import Segment, plain
from goldenlib.reporting.report import HistoryMark, Report, ResultState, state_of
from goldenlib.reporting.wording import (
    MARKS_SHOWN,
    SPLIT_COLUMNS,
    advice,
    fingerprints,
    gates_text,
    group_rate,
    held_out_text,
    identity,
    judge_text,
    plural,
    reason_text,
    split_cells,
    totals_text,
)

BIG = 200
_NAME_CHARACTERS = 120
_GROUPS = 8  # of a kind that are told by name
_TEXT_CHARACTERS = 600
_WIDE = 110
_STATE_STYLES = {ResultState.FAIL: "bold red", ResultState.ERROR: "bold yellow", ResultState.PASS: "green", ResultState.SKIP: "dim"}
_IN_ASCII = str.maketrans({"✗": "x", "✓": "+", "\N{EN DASH}": "-", "…": "...", "·": ".", "▇": "+", "▂": "x", "⚠": "!"})
_OUTCOMES = {Outcome.PASS: ("✓", "bold green"), Outcome.BLOCK: ("✗", "bold red"), Outcome.ERROR: ("!", "bold yellow")}
_MARK_STYLES = {EvidenceKind.PRESENT: "green", EvidenceKind.FORBIDDEN: "bold red", EvidenceKind.NEAR_MISS: "yellow"}


class PatientConsole(Console):
    """A console that goes on in silence when its reader went away, as in `golden run ... | head -1`: no run ends by that."""

    def on_broken_pipe(self) -> None:
        self.quiet = True


def print_report(report: Report, console: Console, written: Sequence[Path] = ()) -> None:
    """Print the report and the files it was `written` to.

    The last line is the decision line, unstyled and unwrapped, so that logs can be searched for it.
    """
    paper = _TerminalPaper(console, translator(report.language))
    _print_head(report, paper)
    _print_items(report, paper)
    _print_regressions(report, paper)
    _print_splits(report, paper)
    _print_groups(report, paper)
    paper.line(paper.t(totals_text(report)), "bold")
    for note in report.notes:
        paper.line(f"- {paper.t(note)}", "dim")
    paper.line(paper.t(fingerprints(report)), "dim")
    paper.gap()
    sign, style = _OUTCOMES[report.decision.outcome]
    for path in written:
        console.print(paper.text(f"{paper.t('wrote')} {path}"), soft_wrap=True)
    paper.line(paper.t(advice(report)), style)
    for reason in report.decision.reasons:
        paper.line(f"{sign} {paper.t(reason)}", style)
    console.print(paper.text(report.decision.line), soft_wrap=True)


@dataclass(frozen=True)
class _TerminalPaper:
    """Where the report is printed: makes texts that the console can show, in the language of `t`, and knows the signs it has."""

    console: Console
    t: Translate

    @property
    def is_wide(self) -> bool:
        return self.console.width >= _WIDE

    @property
    def has_unicode(self) -> bool:
        return self.console.encoding.lower().startswith("utf")

    def text(self, text: str, style: str = "", most: int | None = None) -> Text:
        """One line of text that is shown as it is, never as markup."""
        return self.visible_text(plain(text, most), style)

    def visible_text(self, line: str, style: str = "") -> Text:
        """A text that is visible already, in characters that the console has."""
        if not self.has_unicode:
            line = line.translate(_IN_ASCII).encode(self.console.encoding, "backslashreplace").decode(self.console.encoding)
        return Text(line, style)

    def line(self, text: str, style: str = "") -> None:
        self.console.print(self.text(text, style))

    def gap(self) -> None:
        self.console.print()

    def table(self, *columns: Column, title: str) -> Table:
        lines = box.SIMPLE_HEAD if self.has_unicode else box.ASCII2
        heading = self.text(self.t(title), "bold")
        for column in columns:
            column.header = self.t(str(column.header))
        return Table(*columns, box=lines, title=heading, title_justify="left", header_style="dim", show_edge=False, padding=(0, 1, 0, 0))


def _print_head(report: Report, paper: _TerminalPaper) -> None:
    title = paper.text(paper.t(f"Golden run {report.run.run_id}"), "bold")
    for part in (date_in_words(report.run.run_at, report.language), *identity(report)):
        title.append_text(paper.visible_text(f" · {paper.t(part)}", "not bold"))
    paper.console.print(title)
    for banner in report.banners:
        paper.console.print(Padding(paper.text(f"⚠ {paper.t(banner)}", "bold black on yellow"), (1, 0, 0, 0)))
    if report.warnings:
        paper.gap()
    for warning in report.warnings:
        paper.line(f"⚠ {paper.t(warning)}", "yellow")
    paper.gap()


def _print_items(report: Report, paper: _TerminalPaper) -> None:
    if not report.results:
        return
    table = paper.table(*_item_columns(report, paper), title="Items")
    shown = _Shown.of(report)
    for result in shown.results:
        table.add_row(*_item_cells(report, result, paper))
    paper.console.print(table)
    paper.gap()
    for line in shown.left_out:
        paper.line(paper.t(line), "dim")
    if report.history:
        paper.line(paper.t("history, newest last: ▇ passed ▂ failed · not scored"), "dim")
    paper.gap()


@dataclass(frozen=True, slots=True)
class _Shown:
    """The results that get a row, and what is said of the others."""

    results: tuple[Result, ...]
    left_out: tuple[str, ...] = ()

    @classmethod
    def of(cls, report: Report) -> _Shown:
        if len(report.results) <= BIG:
            return cls(report.ordered)
        by_state = {state: [r for r in report.ordered if state_of(r) is state] for state in ResultState}
        failing = [*by_state[ResultState.FAIL], *by_state[ResultState.ERROR]]
        left_out = [f"… {len(failing) - BIG} more failed or errored items: they are in the other reports"] if len(failing) > BIG else []
        if by_state[ResultState.PASS]:
            left_out.append(f"… {plural(len(by_state[ResultState.PASS]), 'item')} passed")
        if by_state[ResultState.SKIP]:
            left_out.append(f"… {plural(len(by_state[ResultState.SKIP]), 'item')} skipped")
        return cls(tuple(failing[:BIG]), tuple(left_out))


def _item_columns(report: Report, paper: _TerminalPaper) -> Iterator[Column]:
    yield Column("", no_wrap=True, width=2 + max(len(paper.t(str(state))) for state in ResultState))
    yield Column("item", overflow="fold", min_width=14, max_width=max(24, paper.console.width // 4))
    if paper.is_wide:
        yield Column("domain", overflow="fold", max_width=paper.console.width // 7)
    yield Column("judge", overflow="fold", max_width=10 if paper.is_wide else 7)
    if report.history:
        yield Column("history", no_wrap=True, width=MARKS_SHOWN)
    yield Column("reason", overflow="fold", ratio=1)


def _item_cells(report: Report, result: Result, paper: _TerminalPaper) -> Iterator[Text]:
    state = state_of(result)
    yield paper.text(f"{state.sign} {paper.t(str(state))}", _STATE_STYLES[state])
    yield paper.text(result.item_id, most=_NAME_CHARACTERS)
    if paper.is_wide:
        yield paper.text(result.domain, most=_NAME_CHARACTERS)
    yield paper.text(paper.t(judge_text(result)))
    if report.history:
        yield _history(report.history.get(result.item_id, ()), paper)
    reason = paper.text(paper.t(reason_text(result)), "dim" if state in (ResultState.PASS, ResultState.SKIP) else "", most=_TEXT_CHARACTERS)
    yield reason if result.verified else reason.append_text(paper.visible_text(f" · {paper.t('not verified')}", "dim"))


def _history(marks: Sequence[HistoryMark], paper: _TerminalPaper) -> Text:
    styles = {True: ("▇", "green"), False: ("▂", "red"), None: ("·", "dim")}
    return Text.assemble(*(paper.text(*styles[mark.passed]) for mark in marks[-MARKS_SHOWN:]))


def _print_regressions(report: Report, paper: _TerminalPaper) -> None:
    found = changes(report)
    if not found:
        return
    table = paper.table(*_regression_columns(paper), title=f"Regressions ({len(found)})")
    for change in found[:BIG]:
        table.add_row(*_regression_cells(change, paper))
    paper.console.print(table)
    paper.gap()
    if len(found) > BIG:
        paper.line(paper.t(f"… {len(found) - BIG} more regressions: they are in the other reports"), "dim")


def _regression_columns(paper: _TerminalPaper) -> Iterator[Column]:
    yield Column("item", overflow="fold", min_width=14, max_width=max(20, paper.console.width // 6))
    yield Column("gates?", overflow="fold", max_width=20 if paper.is_wide else 13)
    if paper.is_wide:
        yield Column("then", overflow="fold", ratio=2)
        yield Column("now", overflow="fold", ratio=2)
        yield Column("why", overflow="fold", ratio=2)
    else:
        yield Column("then, now, why", overflow="fold", ratio=1)


def _regression_cells(change: Change, paper: _TerminalPaper) -> Iterator[Text]:
    regression = change.regression
    yield paper.text(regression.item_id, most=_NAME_CHARACTERS)
    yield paper.text(paper.t(gates_text(regression)), "bold red" if regression.gates else "dim")
    then, now = _passage(change.then, paper), _passage(change.now, paper)
    why = paper.text(paper.t(regression.note), most=_TEXT_CHARACTERS)
    if paper.is_wide:
        yield from (then, now, why)
    else:
        labelled = (("then", then), ("now ", now), ("why ", why))
        yield Text("\n").join(Text.assemble((f"{paper.t(label)} ", "dim"), said) for label, said in labelled)


def _print_splits(report: Report, paper: _TerminalPaper) -> None:
    if not report.splits:
        return
    table = paper.table(*(Column(name, overflow="fold") for name in SPLIT_COLUMNS), title="Splits")
    for split in report.splits:
        table.add_row(*(paper.text(paper.t(cell), most=_NAME_CHARACTERS) for cell in split_cells(split)))
    paper.console.print(table)
    if told := held_out_text(report):
        paper.line(paper.t(told), "dim")
    paper.gap()


def _print_groups(report: Report, paper: _TerminalPaper) -> None:
    """The rates by who asks, from where, and by trap: the worst of each, for the others are in the other reports."""
    for kind, groups in report.labelled.items():
        worst = sorted(groups, key=lambda group: (group.totals.pass_rate is None, group.totals.pass_rate or 0))
        told = [f"{group.name} {group.totals.passed}/{group.totals.scored} ({paper.t(group_rate(group))})" for group in worst[:_GROUPS]]
        more = [paper.t(f"and {len(groups) - _GROUPS} more")] if len(groups) > _GROUPS else []
        paper.line(f"{paper.t(f'By {kind}')}: {', '.join([*told, *more])}", "dim")
    if report.labelled:
        paper.gap()


def _passage(segments: Iterable[Segment], paper: _TerminalPaper) -> Text:
    """The passage with its marked places in brackets."""
    passage = Text()
    for segment in segments:
        shown = f"[{segment.text}]" if segment.kind is not None else segment.text
        passage.append_text(paper.visible_text(shown, "" if segment.kind is None else _MARK_STYLES.get(segment.kind, "")))
    return passage
