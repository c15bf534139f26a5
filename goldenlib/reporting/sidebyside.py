"""Looking: flips and queries side by side, as HTML for a notebook.

Rule: every text comes from answers and golden sets, so all of it is escaped; what is different is marked by more than colour.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from markupsafe import Markup

from goldenlib.answers import Result
from goldenlib.comparing.runpairs import RunComparison, RunFlip
from goldenlib.comparing.texts import TextComparison

_PIECES = re.compile(r"\s+|\w+|[^\w\s]")
_MOST = 20_000  # characters of a text that are compared
_STYLE = Markup(
    "<style>.flips{--del:#ffebe9;--ins:#dafbe1;color-scheme:light dark}.flips table{border-collapse:collapse;width:100%}"
    ".flips.flips :is(td,th){text-align:left;vertical-align:top;padding:.4em .6em;border-top:1px solid #8884}"
    ".flips .side{width:42%;white-space:pre-wrap;overflow-wrap:anywhere}.flips del{background:var(--del);color:#82071e}"
    ".flips ins{background:var(--ins);color:#116329;text-decoration:underline}.flips .worse{color:#b3261e;font-weight:600}"
    ".flips .better{color:#116329;font-weight:600}.flips.flips .queries td{border-top:0;padding-top:0}"
    ".flips small{color:#6e7781}.flips pre{white-space:pre-wrap;margin:.3em 0}</style>"
)


def flips_as_html(comparison: RunComparison) -> str:
    """Return the flips with both answers side by side, their differences marked."""
    rows = Markup("").join(map(_flip, comparison.flips))
    head = Markup("<tr><th>item</th><th>then: {}</th><th>now: {}</th></tr>").format(comparison.then.run_id, comparison.now.run_id)
    table = Markup("<table>{}{}</table>").format(head, rows) if rows else Markup("<p>No verdict flipped.</p>")
    return str(_STYLE + Markup('<div class="flips"><p>{}</p>{}</div>').format(comparison.summary, table))


def texts_as_html(comparisons: Iterable[TextComparison]) -> str:
    """Return the comparisons as a table; the queries themselves, with their differences marked, are folded away."""
    rows = Markup("").join(
        Markup(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>"
            '<tr class="queries"><td colspan="4"><details><summary>queries</summary>{}</details></td></tr>'
        ).format(found.item_id, _yes(found.same_text), _yes(found.same_normalized), _yes(found.same_result), _queries(found))
        for found in comparisons
    )
    head = Markup("<tr><th>question</th><th>same text</th><th>same normalized text</th><th>same result</th></tr>")
    note = Markup("<p>Only the last column says whether the agent was right. The texts are shown to be read, and are no score.</p>")
    table = Markup("<table>{}{}</table>").format(head, rows) if rows else Markup("<p>No question was answered with SQL.</p>")
    return str(_STYLE + Markup('<div class="flips">{}{}</div>').format(note, table))


def marked_difference(then: str, now: str) -> tuple[Markup, Markup]:
    """Return both texts with the words that the other does not have marked, as <del> and <ins>."""
    old, new = _PIECES.findall(then[:_MOST]), _PIECES.findall(now[:_MOST])
    before, after = Markup(""), Markup("")
    for what, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = "".join(old[i:j]), "".join(new[k:m])
        before += Markup("{}").format(gone) if what == "equal" else Markup("<del>{}</del>").format(gone) if gone else ""
        after += Markup("{}").format(come) if what == "equal" else Markup("<ins>{}</ins>").format(come) if come else ""
    return before, after


def _flip(flip: RunFlip) -> Markup:
    before, after = marked_difference(_said(flip.then), _said(flip.now))
    direction = Markup('<span class="{}">{}</span>').format(*(("worse", "✗ worse") if flip.is_worse else ("better", "✓ better")))
    causes = Markup("<br>").join(Markup("<small>{}</small>").format(cause) for cause in flip.causes)
    name = Markup("<code>{}</code><br>{}<br>{}<br><small>{}</small>").format(flip.item_id, direction, causes, flip.now.question[:300])
    sides = (_side(before, flip.then), _side(after, flip.now))
    return Markup('<tr><td>{}</td><td class="side">{}</td><td class="side">{}</td></tr>').format(name, *sides)


def _side(text: Markup, result: Result) -> Markup:
    word = "passed" if result.passed else "failed"
    outcome = f"{word}, {result.word}" if result.word and not result.passed else word
    return Markup("<small>{}: {}</small><br>{}").format(outcome, result.reason[:600], text)


def _said(result: Result) -> str:
    """Everything that an answer holds, one after the other."""
    return result.answer.in_full if result.answer is not None else ""


def _queries(found: TextComparison) -> Markup:
    golden, answer = marked_difference(found.golden, found.answer)
    return Markup("<b>golden</b><pre>{}</pre><b>agent</b><pre>{}</pre>").format(golden, answer)


def _yes(value: bool | None) -> str:
    return "cannot be told" if value is None else "✓ yes" if value else "✗ no"
