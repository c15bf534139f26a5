"""The report as Markdown, for the summary of a CI job or a comment on a pull or merge request.

Rule: text from outside stays text. It cannot start a block, open a tag, add a cell, link, or call anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from goldenlib.answers import EvidenceKind, Result
from goldenlib.gating import Outcome
from goldenlib.languages import Translate, date_in_words, translator
from goldenlib.reporting.changes import Change, changes
from goldenlib.reporting.passages import Segment, plain
from goldenlib.reporting.report import GroupTotals, Report, ResultState, state_of
from goldenlib.reporting.wording import (
    SPLIT_COLUMNS,
    advice,
    fingerprints,
    gates_text,
    group_rate,
    held_out_text,
    identity,
    judge_text,
    limit_text,
    plural,
    rate_text,
    reason_text,
    split_cells,
)

MOST_CHARACTERS = 60_000
FAILING_SHOWN = 50
_REGRESSIONS_SHOWN = 30
_LISTED = 20
_LONG, _SHORT = 300, 80
# Kept free for the titles of tables and what is said of rows left out.
_RESERVE = 2_000
_HEADLINES = {Outcome.PASS: "✅ PASS", Outcome.BLOCK: "❌ BLOCK", Outcome.ERROR: "⚠️ ERROR"}

_BREAK = "\u200b"
# What GitHub and GitLab look for in finished text: mentions, issues, merge requests, labels, milestones, snippets, alerts,
# epics, emoji, addresses, wiki links; issues of other trackers; commits. A zero-width space after the match breaks each.
_TRIGGERS = re.compile(
    r"[@#!$%&~^:\[](?=\S)"
    r"|\b[Ww]{3}(?=\.)"
    r"|\b[A-Z][A-Z0-9_]+-(?=\d)"
    r"|\b(?=[0-9]*[a-fA-F])(?=[a-fA-F]*[0-9])[0-9a-fA-F]{4}(?=[0-9a-fA-F]{3})"
)
# What Markdown or HTML gives a meaning to, anywhere or at the start of a line. As an entity it is only ever the character
# (CommonMark 2.5).
_SPECIAL = re.compile(r"[&<>|*_`~=#@\[\]\\!$^{}]")
_STARTS = re.compile(r"^(\d*)([-+.):/])")


def render_markdown(report: Report) -> str:
    """Return the report as GitHub- and GitLab-flavoured Markdown of less than 60,000 characters.

    What has no room is counted and left to the other reports; the decision, the banners and the totals always have it.
    """
    t = translator(report.language)
    paper = _MarkdownPaper(t)
    paper.add(*_head(report, t))
    paper.add_list("warning", [f"- ⚠️ {escape(t(warning))}" for warning in report.warnings], share=0.2)
    paper.add(*_decision(report, t))
    columns = ("item", "gates?", "then", "now", "why")
    regressions = (_regression_row(change, t) for change in changes(report))
    paper.add_table("Regressions", columns, regressions, most=_REGRESSIONS_SHOWN, share=0.4)
    by_state = {state: [result for result in report.ordered if state_of(result) is state] for state in ResultState}
    failing = (*by_state[ResultState.FAIL], *by_state[ResultState.ERROR])
    columns = ("result", "item", "domain", "judge", "reason")
    paper.add_table("Failed and errored", columns, (_row(result, t) for result in failing), most=FAILING_SHOWN, share=0.7)
    rows = [tuple(escape(t(cell)) for cell in split_cells(split)) for split in report.splits]
    paper.add_table("Splits", SPLIT_COLUMNS, rows, most=_LISTED, share=0.75)
    if told := held_out_text(report):
        paper.add(escape(t(told), 2 * _LONG))
    paper.add_list("note", [f"- {t('Note:')} {escape(t(note))}" for note in report.notes], share=0.8)
    paper.add(f"{escape(t(fingerprints(report)))}")
    rest = (*by_state[ResultState.PASS], *by_state[ResultState.SKIP])
    title = f"{plural(len(rest), 'item')} passed or skipped"
    paper.add_table(title, columns, (_row(result, t) for result in rest), most=len(rest), share=1.0, is_folded=True)
    return paper.text()


def escape(text: str, most: int = _LONG) -> str:
    """Return `text` as one line of Markdown that shows exactly that text, cut after `most` characters.

    Safe within a table cell, a list item, a heading and an HTML element. Zero-width spaces keep references from firing.

    >>> escape("| <b> #1")
    '&#124; &#60;b&#62; &#35;\\u200b1'
    """
    line = _TRIGGERS.sub(lambda match: match[0] + _BREAK, plain(text, most))
    return _STARTS.sub(lambda match: f"{match[1]}&#{ord(match[2])};", _SPECIAL.sub(_entity, line))


def code(text: str, most: int = _SHORT) -> str:
    """Return `text` as inline code that shows exactly that text. An element and not backticks, which a table cell can break."""
    return f"<code>{escape(text, most)}</code>"


@dataclass
class _MarkdownPaper:
    """The page as it grows, in the language of `t`, and the room that is left on it."""

    t: Translate
    blocks: list[str] = field(default_factory=list)
    used: int = 0

    def add(self, *lines: str) -> None:
        """Add a block that always has room; callers keep these short."""
        self._append("\n".join(lines))

    def add_list(self, noun: str, lines: Sequence[str], *, share: float) -> None:
        """Add up to twenty list items that leave the page filled to no more than `share`; the others are counted."""
        shown = self._fitting(lines, most=_LISTED, share=share)
        left_out = len(lines) - len(shown)
        if lines:
            self.add(*shown, *(["", self.t(f"… and {plural(left_out, f'more {noun}')} in the other reports.")] if left_out else []))

    def add_table(
        self, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, most: int, share: float, is_folded: bool = False
    ) -> None:
        """Add a table of up to `most` rows that leaves the page filled to no more than `share`; the other rows are counted."""
        lines = [f"| {' | '.join(row)} |" for row in rows]
        shown = self._fitting(lines, most=most, share=share)
        left_out = len(lines) - len(shown)
        if not lines:
            return
        table = [f"| {' | '.join(map(self.t, columns))} |", f"|{' --- |' * len(columns)}", *shown]
        if left_out:
            table += ["", self.t(f"… and {left_out} more; they are in the other reports.")]
        if is_folded:
            self.add(f"<details><summary>{self.t(title)}</summary>", "", *table, "", "</details>")
        else:
            self.add(f"### {self.t(title)}", "", *table)

    def text(self) -> str:
        return "\n\n".join(self.blocks) + "\n"

    def _append(self, block: str) -> None:
        self.blocks.append(block)
        self.used += len(block) + 2

    def _fitting(self, lines: Sequence[str], *, most: int, share: float) -> Sequence[str]:
        """The first lines that have room."""
        room = share * (MOST_CHARACTERS - _RESERVE) - self.used
        shown: list[str] = []
        for line in lines[:most]:
            room -= len(line) + 1
            if room < 0:
                break
            shown.append(line)
        return shown


def _head(report: Report, t: Translate) -> Iterator[str]:
    headline = f"⚠️ {report.decision.outcome}, {t(report.caveat)}" if report.caveat else _HEADLINES[report.decision.outcome]
    yield f"## {headline}: {t('golden run')} {code(report.run.run_id)}"
    yield from ("", escape(t(advice(report))))
    parts = (date_in_words(report.run.run_at, report.language), *map(t, identity(report)))
    yield from ("", " · ".join(escape(part, _SHORT) for part in parts))
    for banner in report.banners:
        yield from ("", f"> ⚠️ **{escape(t(banner))}**")


def _decision(report: Report, t: Translate) -> Iterator[str]:
    sign, _ = _HEADLINES[report.decision.outcome].split()
    for reason in report.decision.reasons or [report.verdict]:
        yield f"- {sign} {escape(t(reason))}"
    yield ""
    totals = report.decision.totals
    cells = {
        "passed of scored": f"**{t(f'{totals.passed} of {totals.scored}')}**",
        "rate": t(rate_text(report)),
        "limit": t(limit_text(report)),
        "failed": f"{totals.failed}",
        "errors (not counted)": f"{totals.errors}",
        "skipped": f"{totals.skipped}",
        "driven": f"{totals.driven}",
        "items": f"{totals.items}",
    }
    yield f"| {' | '.join(map(t, cells))} |"
    yield f"|{' --- |' * len(cells)}"
    yield f"| {' | '.join(cells.values())} |"
    domains = {"domain": report.domains} if len(report.domains) > 1 else {}
    for kind, groups in (domains | dict(report.labelled)).items():
        if len(groups) <= _LISTED:
            yield from ("", f"{t(f'By {kind}')}: {', '.join(_rate(group, t) for group in groups)}")


def _rate(group: GroupTotals, t: Translate) -> str:
    totals = group.totals
    return f"{escape(group.name or t('(none)'), 40)} {totals.passed}/{totals.scored} ({t(group_rate(group))})"


def _regression_row(change: Change, t: Translate) -> Sequence[str]:
    regression = change.regression
    gates = t(gates_text(regression))
    said = (_passage(change.then), _passage(change.now))
    return (code(regression.item_id), f"**{gates}**" if regression.gates else gates, *said, escape(t(regression.note)))


def _passage(segments: Sequence[Segment]) -> str:
    """A passage with what is marked in bold; a sign before it says what it is."""
    signs = {EvidenceKind.PRESENT: "✓", EvidenceKind.FORBIDDEN: "✗", EvidenceKind.NEAR_MISS: "≈"}
    pieces = (
        _spaced(segment.text) if segment.kind is None else f"<strong>{signs.get(segment.kind, '')}{escape(segment.text, _SHORT)}</strong>"
        for segment in segments
    )
    return "".join(pieces)


def _spaced(text: str) -> str:
    """Escaped text that keeps the space at its ends, which separates it from a mark."""
    before, after = " " * text.startswith(" "), " " * text.endswith(" ")
    return f"{before}{escape(text)}{after}" if text.strip() else " "


def _row(result: Result, t: Translate) -> Sequence[str]:
    state = state_of(result)
    name = code(result.item_id) + ("" if result.verified else f" {t('(not verified)')}")
    reason = escape(t(reason_text(result)))
    return (f"{state.sign} {t(str(state))}", name, escape(result.domain, _SHORT), t(judge_text(result)), reason)


def _entity(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"
