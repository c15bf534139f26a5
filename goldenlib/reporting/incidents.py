"""The note on an incident: what, since when, which items and why, and what is not known, to be sent as it is.

Rule: it says what the store holds and nothing more; what nobody has looked into stands under what is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from goldenlib.comparing.decided import DecidedItem, DecidedRun
from goldenlib.comparing.timeline import OnsetGroup
from goldenlib.errors import ReportError
from goldenlib.files.outfiles import check_outfile, write_outfile
from goldenlib.reporting.markdown import code, escape
from goldenlib.reporting.wording import moment

_LISTED = 30
_LINE = 5_000  # characters


def incident_note(decided: DecidedRun) -> str:
    """Return the note as Markdown: the decision, the items by since when, what broke together, what is known of causes, and what is not."""
    run = decided.run
    lines = [f"# {escape(decided.decision.outcome)}: {escape(run.set_name)}, {escape(moment(run.run_at))}", ""]
    lines += [f"Run {code(run.run_id)} of {escape(run.target)}. {escape(decided.decision.line, _LINE)}", ""]
    lines += [escape(decided.noise), ""] if decided.noise else []
    kinds: tuple[tuple[str, Callable[[DecidedItem], bool]], ...] = (
        ("New", lambda item: item.since == "new"),
        ("Flaky: they changed their verdict often before", lambda item: item.since.startswith("flaky")),
        ("Still failing", lambda item: item.since.startswith("still")),
    )
    for title, belongs in kinds:
        lines += _items(title, [item for item in decided.items if belongs(item)])
    groups = decided.timeline.groups
    if groups:
        lines += ["## Broke together", ""]
        lines += [*(_together(decided, group) for group in groups), ""]
    events = decided.timeline.events[-_LISTED:]
    if events:
        runs = decided.timeline.runs
        lines += ["## What else happened in the series", ""]
        lines += [f"- {code(runs[event.index].run_id)}: {escape(event.words)}" for event in events] + [""]
    return "\n".join([*lines, "## Not known", "", *_unknown(decided), ""])


def write_note(note: str, path: str = "") -> str:
    """Write a note to a file, if one is named, and return it as HTML. Raises ReportError when it cannot be written."""
    from markdown_it import MarkdownIt  # what Rich reads Markdown with

    if path:
        try:
            check_outfile(Path(path))
            write_outfile(Path(path), note.encode())
        except OSError as error:
            raise ReportError(f"{path}: the note cannot be written ({error.strerror}); choose another place") from None
    return str(MarkdownIt("commonmark", {"html": True}).render(note))  # every text in it is escaped; <code> is ours


def _together(decided: DecidedRun, group: OnsetGroup) -> str:
    shared = decided.shared(group)
    named = f"- since {code(group.run.run_id)}, {escape(group.domain)}: {_named([item.item_id for item in group.items])}"
    return named + (f" ({escape(shared)})" if shared else "")


def _items(title: str, items: Sequence[DecidedItem]) -> list[str]:
    if not items:
        return []
    lines = [f"## {title} ({len(items)})", ""]
    for item in items[:_LISTED]:
        told = ("" if item.since == "new" else item.since, item.asked_words)
        since = "".join(f", {escape(words)}" for words in told if words)
        lines.append(f"- {code(item.item_id)}{' (blocks)' if item.gates else ''}{since}: {escape('; '.join(item.why) or item.now.reason)}")
    if len(items) > _LISTED:
        lines.append(f"- and {len(items) - _LISTED} more: {_named([item.item_id for item in items[_LISTED:]])}")
    return [*lines, ""]


def _unknown(decided: DecidedRun) -> Iterator[str]:
    if decided.unscored:
        yield f"- What became of {len(decided.unscored)} items that were not scored: {_named(decided.unscored)}"
    if not any(item.asked_words for item in decided.items):
        yield "- Nobody has been asked again; whether an answer is wrong for good or by chance is not known from one run."
    yield "- Why the chatbot answers otherwise: its pages, its index and its model are not seen from here."


def _named(ids: Sequence[str]) -> str:
    return ", ".join(map(code, ids))
