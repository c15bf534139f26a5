"""The plain list: the items as static HTML, for output notebooks in which no widget lives (case 182).

Rule: everything that was written by somebody is escaped, and shown with its active characters visible.
"""

from __future__ import annotations

from html import escape

from goldenlib.workbench.phrasing import Wording
from goldenlib.workbench.state import Workbench

MOST_ROWS = 500


def items_html(bench: Workbench) -> str:
    """Return the list of items as an HTML table."""
    words = Wording.of(bench.language)
    rows = bench.rows()
    lines = [
        f"<tr><td><code>{escape(row.id)}</code></td><td>{escape(row.title)}</td><td>{escape(row.domain)}</td>"
        f"<td>{escape(words.say(f'state_{row.state}'))}</td></tr>"
        for row in rows[:MOST_ROWS]
    ]
    head = "".join(f"<th>{escape(words.say(name))}</th>" for name in ("field_id", "field_question", "field_domain", "state"))
    note = words.say("static_note", path=str(bench.path), items=len(rows))
    more = f"<p>… {len(rows) - MOST_ROWS}</p>" if len(rows) > MOST_ROWS else ""
    return f"<p>{escape(note)}</p><table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>{more}"
