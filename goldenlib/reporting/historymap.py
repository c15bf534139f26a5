"""The history of a series as a picture: items by runs, with what else happened on the axis of time, and the domains as lines below.

Rule: what a colour tells, a place or a word tells too: flaky items stand apart under a line of their own, and every picture has its table.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from goldenlib.comparing.timeline import ItemTimeline, Timeline
from goldenlib.errors import ReportError

MOST_ROWS = 80
_PASS, _FAIL, _GAP = "#cfe3d6", "#b3261e", "#ffffff"
_ROW, _WIDTH, _LINES = 0.14, 10.5, 2.2  # inches
_SIGNS = {"judge": "J", "contract": "C", "set": "S", "outage": "O", "partial": "p", "target": "T", "scorers": "V"}
_FEW_MARKS = 40


def history_figure(timeline: Timeline) -> Any:
    """Return a matplotlib figure of a timeline. Raises ReportError without the extra `frames`.

    Rows are the items that ever failed: the broken ones by the run in which that began, then those that passed again, then the flaky ones.
    Beyond MOST_ROWS the rest is named in the title. Letters above the map stand at runs where something else happened (`legend`).
    """
    try:
        from matplotlib.colors import ListedColormap
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ReportError(f"pictures need an extra: pip install 'goldenlib[frames]' ({error})") from None
    rows = shown_rows(timeline)
    height = max(len(rows), 4) * _ROW
    figure = Figure(figsize=(_WIDTH, height + _LINES + 1.6), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[height, _LINES])
    cells = [[2 if mark is None else int(mark) for mark in item.marks] for item in rows] or [[2] * len(timeline.runs)]
    colours = ListedColormap([_FAIL, _PASS, _GAP])
    above.imshow(cells, aspect="auto", interpolation="nearest", cmap=colours, vmin=0, vmax=2)
    above.set_yticks(range(len(rows)), [item.item_id[:40] for item in rows], fontsize=6)
    flaky = sum(item.is_flaky for item in rows)
    if flaky:
        line = len(rows) - flaky - 0.5
        above.axhline(line, color="black", linewidth=1)
        above.text(len(timeline.runs) - 0.4, line, " flaky below", fontsize=7, va="center", clip_on=False)
    _events(above, timeline)
    left_out = sum(item.ever_failed for item in timeline.items) - len(rows)
    more = f"; {left_out} more are in the table" if left_out else ""
    above.set_title(f"items that ever failed, by run: dark failed, light passed, white not scored{more}", fontsize=9, loc="left", pad=18)
    _domain_lines(below, timeline)
    return figure


def shown_rows(timeline: Timeline) -> tuple[ItemTimeline, ...]:
    """Return the items of the map in their order: broken ones by onset, those that came back, the flaky ones; at most MOST_ROWS."""
    ordered = _ordered(timeline)
    flaky = [item for item in ordered if item.is_flaky]
    steady = [item for item in ordered if not item.is_flaky]
    return (*steady[: max(MOST_ROWS - len(flaky), MOST_ROWS // 2)], *flaky[: MOST_ROWS // 2])


def legend(timeline: Timeline) -> tuple[tuple[str, str, str], ...]:
    """Return what happened besides answers: the sign on the picture, the run, and the words."""
    return tuple((_SIGNS[event.kind], timeline.runs[event.index].run_id, event.words) for event in timeline.events)


def history_as_html(timeline: Timeline) -> str:
    """Return the picture with its legend, the groups that broke together and, folded away, the table, as HTML for a notebook."""
    picture = io.BytesIO()
    history_figure(timeline).savefig(picture, format="png", dpi=110)
    encoded = base64.b64encode(picture.getvalue()).decode()
    alt = f"Map of {len(timeline.items)} items by {len(timeline.runs)} runs; its table stands below."
    image = Markup('<img alt="{}" style="max-width:100%" src="data:image/png;base64,{}">').format(alt, encoded)
    happened = _table(("sign", "run", "what happened"), legend(timeline)) if timeline.events else Markup("")
    groups = [(group.run.run_id, group.domain, str(len(group.items)), _named(group.items)) for group in timeline.groups]
    together = _table(("since run", "domain", "items", "which"), groups, "Broke together, and fail since") if groups else Markup("")
    ordered = _ordered(timeline)
    rows = [
        (item.item_id, item.domain, _since(timeline, item), str(item.changes), str(item.longest_failing), _signs(item)) for item in ordered
    ]
    head = ("item", "domain", "fails since", "changes", "longest row of fails", "runs, old to new")
    folded = Markup("<details><summary>the same as a table ({} items)</summary>{}</details>").format(len(rows), _table(head, rows))
    return str(image + happened + together + folded)


def _ordered(timeline: Timeline) -> list[ItemTimeline]:
    back = sorted((item for item in timeline.items if item.ever_failed and item.onset is None and not item.is_flaky), key=_by_name)
    return [*timeline.broken, *back, *timeline.flaky]


def _by_name(item: ItemTimeline) -> tuple[str, str]:
    return item.domain, item.item_id


def _events(axes: Any, timeline: Timeline) -> None:
    signs: dict[int, str] = {}
    for event in timeline.events:
        signs[event.index] = signs.get(event.index, "") + _SIGNS[event.kind]
    for index, sign in signs.items():
        axes.axvline(index - 0.5, color="#33507a", linewidth=0.8, linestyle=":")
        axes.annotate(
            sign, (index, 1), xycoords=("data", "axes fraction"), xytext=(0, 3), textcoords="offset points", ha="center", fontsize=8
        )


def _domain_lines(axes: Any, timeline: Timeline) -> None:
    """Pass rates by domain, with names at the ends of the lines, where they can be told apart without colour."""
    styles = ("-", "--", "-.", ":")
    out = {event.index for event in timeline.events if event.kind == "outage"}  # what is left of such a night says nothing of a domain
    for number, domain in enumerate(timeline.domains):
        rates = [
            float("nan") if index in out or not scored else 100 * passed / scored
            for index, (passed, scored) in enumerate(timeline.rates(domain))
        ]
        axes.plot(range(len(rates)), rates, linestyle=styles[number % len(styles)], linewidth=1.1, label=domain or "no domain")
    axes.set_ylabel("passed, %", fontsize=8)
    axes.set_ylim(-2, 102)
    step = max(1, len(timeline.runs) // 10)
    ticks = range(0, len(timeline.runs), step)
    axes.set_xticks(ticks, [f"{timeline.runs[index].run_at:%d %b}" for index in ticks], fontsize=7)
    axes.tick_params(axis="y", labelsize=7)
    axes.legend(fontsize=7, ncols=4, loc="lower left", frameon=False)
    axes.grid(axis="y", linewidth=0.3)


def _since(timeline: Timeline, item: ItemTimeline) -> str:
    return timeline.runs[item.onset].run_id if item.onset is not None else ""


def _signs(item: ItemTimeline) -> str:
    marks = item.marks[-_FEW_MARKS:]
    return ("…" if len(item.marks) > len(marks) else "") + "".join("·" if mark is None else "✓" if mark else "✗" for mark in marks)


def _named(items: Sequence[ItemTimeline]) -> str:
    return ", ".join(item.item_id for item in items)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> Markup:
    cells = Markup("").join(
        Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(cell) for cell in row)) for row in rows
    )
    names = Markup("").join(Markup("<th>{}</th>").format(name) for name in head)
    caption = Markup("<caption>{}</caption>").format(title) if title else Markup("")
    return Markup("<table>{}<tr>{}</tr>{}</table>").format(caption, names, cells)
