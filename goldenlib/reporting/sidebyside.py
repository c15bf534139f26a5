"""Side by side: a decision, flips and queries with what was answered then and now, as HTML for a notebook.

Rule: every text comes from answers and golden sets, so all of it is escaped; what is different is marked by more than colour, what was
merely said otherwise is folded away, and what is left out is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from markupsafe import Markup

from goldenlib.answers import Evidence, EvidenceKind, Result
from goldenlib.comparing.decided import DecidedItem, DecidedRun
from goldenlib.comparing.runpairs import RunComparison, RunFlip
from goldenlib.comparing.texts import TextComparison

_PIECES = re.compile(r"\s+|\w+|[^\w\s]")
_MOST = 20_000  # characters of a text that are compared
_STYLE = Markup(
    "<style>.flips{--del:#ffebe9;--ins:#dafbe1;color-scheme:light dark}.flips table{border-collapse:collapse;width:100%}"
    ".flips.flips :is(td,th){text-align:left;vertical-align:top;padding:.4em .6em;border-top:1px solid #8884}"
    ".flips .side{width:60%;overflow-wrap:anywhere}"
    ".flips .side div{white-space:pre-wrap}.flips ul{margin:0;padding-left:1.2em}.flips blockquote{margin:.4em 0}"
    ".flips mark{background:#ffd7d5;color:#82071e;text-decoration:underline}.flips del{background:var(--del);color:#82071e}"
    ".flips ins{background:var(--ins);color:#116329;text-decoration:underline}.flips .worse{color:#b3261e;font-weight:600}"
    ".flips .better{color:#116329;font-weight:600}.flips.flips .queries td{border-top:0;padding-top:0}"
    ".flips small{color:#6e7781}.flips pre{white-space:pre-wrap;margin:.3em 0}</style>"
)


def decided_as_html(decided: DecidedRun) -> str:
    """Return a run as it was decided: its line, and each item that regressed or stands failing, with since when and why."""
    head = _line("<p><b>{}</b></p>", decided.decision.line)
    head += _line("<p>{}</p>", decided.noise) if decided.noise else Markup("")
    head += _folded(f"{len(decided.unscored)} items were not scored", decided.unscored) if decided.unscored else Markup("")
    rows = Markup("").join(
        Markup('<tr><td><code>{}</code><br>{}<br><small>{}</small></td><td>{}<br>{}</td><td class="side">{}</td></tr>').format(
            item.item_id,
            _gating(item),
            item.now.question[:300],
            item.since,
            item.asked_words,
            _what_happened(item.then, item.now, item.why),
        )
        for item in decided.items
    )
    names = Markup("<tr><th>item</th><th>since</th><th>why, and what was answered</th></tr>")
    table = Markup("<table>{}{}</table>").format(names, rows) if rows else Markup("<p>No item regressed, and none stands failing.</p>")
    return str(_STYLE + Markup('<div class="flips">{}{}</div>').format(head, table))


def flips_as_html(comparison: RunComparison) -> str:
    """Return the flips between two runs, each with why, the phrase that is violated marked; what was said in full is folded away."""
    head = Markup("").join(_line("<p>{}</p>", line) for line in (comparison.summary, comparison.noise, *comparison.differences))
    left_out = (("not scored in both", comparison.unscored), ("only then", comparison.only_then), ("only now", comparison.only_now))
    head += Markup("").join(_folded(f"{len(ids)} {words}", ids) for words, ids in left_out if ids)
    rows = Markup("").join(
        Markup('<tr><td><code>{}</code><br>{}<br><small>{}</small></td><td class="side">{}</td></tr>').format(
            flip.item_id, _direction(flip), flip.now.question[:300], _what_happened(flip.then, flip.now, flip.causes)
        )
        for flip in comparison.flips
    )
    names = Markup("<tr><th>item</th><th>why, and what was answered</th></tr>")
    table = Markup("<table>{}{}</table>").format(names, rows) if rows else Markup("<p>No verdict flipped.</p>")
    return str(_STYLE + Markup('<div class="flips">{}{}</div>').format(head, table))


def page_of(fragment: str, title: str) -> str:
    """Return a whole page of what one of these functions gave."""
    head = Markup('<!doctype html><html lang="en"><meta charset="utf-8"><title>{}</title>').format(title)
    return str(
        head + Markup('<body style="font:16px/1.45 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em">') + Markup(fragment)
    )


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
    """Return both texts with the words that the other does not have marked, as <del> and <ins>.

    Of longer texts than 20,000 characters, the rest is told: how much of it there is, and whether it is the same.
    """
    old, new = _PIECES.findall(then[:_MOST]), _PIECES.findall(now[:_MOST])
    before, after = Markup(""), Markup("")
    for what, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = "".join(old[i:j]), "".join(new[k:m])
        before += Markup("{}").format(gone) if what == "equal" else Markup("<del>{}</del>").format(gone) if gone else ""
        after += Markup("{}").format(come) if what == "equal" else Markup("<ins>{}</ins>").format(come) if come else ""
    return before + _rest(then, now), after + _rest(now, then)


def _rest(text: str, other: str) -> Markup:
    if len(text) <= _MOST:
        return Markup("")
    same = "the same in both" if text[_MOST:] == other[_MOST:] else "another one in the other answer"
    return _line("<p><b>… and {}</b></p>", f"{len(text) - _MOST:,} characters more, which are {same}; golden show --json holds them")


def _what_happened(then: Result, now: Result, why: Sequence[str]) -> Markup:
    """The reasons, the passages that are meant, and folded away both answers with their differences."""
    reasons = Markup("").join(_line("<li>{}</li>", reason) for reason in why)
    passages = Markup("").join(map(_passage, _violations(now if now.passed is False else then)))
    before, after = marked_difference(_said(then), _said(now))
    sides = ((then, before), (now, after))
    answers = Markup("").join(_line("<h4>{}</h4>", _outcome(result)) + Markup("<div>{}</div>").format(text) for result, text in sides)
    return Markup("<ul>{}</ul>{}<details><summary>both answers in full</summary>{}</details>").format(reasons, passages, answers)


def _violations(failed: Result) -> Iterator[Evidence]:
    shown = (EvidenceKind.FORBIDDEN, EvidenceKind.NEAR_MISS)
    return (part for score in failed.scores if score.passed is False for part in score.evidence if part.kind in shown and part.passage)


def _passage(part: Evidence) -> Markup:
    text = part.passage
    pieces = (text[: part.start], text[part.start : part.end], text[part.end :])
    return Markup("<blockquote>{}<mark>{}</mark>{}</blockquote>").format(*pieces)


def _gating(item: DecidedItem) -> Markup:
    if item.gates:
        return Markup('<span class="worse">✗ blocks</span>')
    return _line("<span>{}</span>", "· told, does not block" if item.flip == "regressed" else f"· excused: {item.flip}")


def _direction(flip: RunFlip) -> Markup:
    return Markup('<span class="{}">{}</span>').format(*(("worse", "✗ worse") if flip.is_worse else ("better", "✓ better")))


def _outcome(result: Result) -> str:
    word = "passed" if result.passed else "failed"
    return f"{result.run_id}: {word}, {result.word or result.reason[:600]}"


def _folded(summary: str, names: Sequence[str]) -> Markup:
    return Markup("<details><summary>{}</summary>{}</details>").format(summary, ", ".join(names))


def _line(tags: str, text: str) -> Markup:
    return Markup(tags).format(text)


def _said(result: Result) -> str:
    """Everything that an answer holds, one after the other."""
    return result.answer.in_full if result.answer is not None else ""


def _queries(found: TextComparison) -> Markup:
    golden, answer = marked_difference(found.golden, found.answer)
    return Markup("<b>golden</b><pre>{}</pre><b>agent</b><pre>{}</pre>").format(golden, answer)


def _yes(value: bool | None) -> str:
    return "cannot be told" if value is None else "✓ yes" if value else "✗ no"
