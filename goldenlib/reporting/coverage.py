"""Looking: a set's coverage as text for a terminal, and as tables with a chart for a notebook.

Rule: the numbers stand beside the bars, and every text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from goldenlib.coverage.counting import UNSPLIT, Coverage

_BAR = 8  # em
_STYLE = Markup(
    "<style>.coverage table{border-collapse:collapse;margin:.6em 0}"
    ".coverage.coverage :is(td,th){text-align:left;padding:.15em .7em .15em 0}"
    ".coverage.coverage td.n{text-align:right;font-variant-numeric:tabular-nums}"
    ".coverage .bar{display:inline-block;height:.7em;min-width:1px}"
    ".coverage .s0{background:#1f6feb}.coverage .s1{background:#8250df}.coverage .s2{background:#6e7781}"
    ".coverage .none{color:#b3261e;font-weight:600}</style>"
)


def coverage_as_text(coverage: Coverage) -> str:
    """Return the counts by split as a table, with what is missing below."""
    told = ", ".join(f"{coverage.questions[split]} {split}" for split in coverage.splits)
    if coverage.splits == (UNSPLIT,):
        told = f"{coverage.questions[UNSPLIT]} questions without a split; write split = dev or test to hold some out"
    lines = [f"{coverage.name}: {told or 'no questions'}"]
    for title, counts in _parts(coverage):
        if counts:
            width = max(len(title), *(len(name) for name in counts))
            lines += ["", f"{title:<{width}}  {'  '.join(f'{split:>8}' for split in coverage.splits)}"]
            lines += [
                f"{name:<{width}}  {'  '.join(f'{row.get(split, 0):>8}' for split in coverage.splits)}" for name, row in counts.items()
            ]
    lines += ["", f"traps missing from a split: {', '.join(_missing_traps(coverage)) or 'none'}"]
    lines += [f"- {gap.message}" for gap in coverage.gaps]
    if len(coverage.splits) > 1 and not coverage.gaps:
        lines += ["no gaps between the splits"]
    return "\n".join(lines)


def coverage_as_html(coverage: Coverage) -> str:
    """Return the counts as tables with bars, one colour a split, and what is missing below."""
    tables = Markup("").join(_table(coverage, title, counts) for title, counts in _parts(coverage) if counts)
    gaps = Markup("").join(Markup("<li>{}</li>").format(gap.message) for gap in coverage.gaps)
    head = Markup("<p><strong>{}</strong>: {}</p>").format(
        coverage.name, ", ".join(f"{coverage.questions[split]} questions in {split}" for split in coverage.splits)
    )
    missing = Markup("<p>Traps missing from a split: {}</p>").format(", ".join(_missing_traps(coverage)) or "none")
    tail = Markup("<ul>{}</ul>").format(gaps) if gaps else Markup("")
    return str(_STYLE + Markup('<div class="coverage">{}{}{}{}</div>').format(head, tables, missing, tail))


def _table(coverage: Coverage, title: str, counts: Mapping[str, Mapping[str, int]]) -> Markup:
    most = max(max(row.values()) for row in counts.values())
    heads = Markup("").join(Markup('<th scope="col" colspan="2">{}</th>').format(split) for split in coverage.splits)
    rows = Markup("").join(_row(coverage, name, row, most) for name, row in counts.items())
    return Markup('<table><thead><tr><th scope="col">{}</th>{}</tr></thead><tbody>{}</tbody></table>').format(title, heads, rows)


def _row(coverage: Coverage, name: str, row: Mapping[str, int], most: int) -> Markup:
    cells = Markup("").join(
        Markup('<td class="n{}">{}</td><td><span class="bar s{}" style="width:{}em"></span></td>').format(
            "" if row.get(split) else " none", row.get(split, 0), number, round(_BAR * row.get(split, 0) / most, 2)
        )
        for number, split in enumerate(coverage.splits)
    )
    return Markup('<tr><th scope="row">{}</th>{}</tr>').format(name, cells)


def _parts(coverage: Coverage) -> Iterator[tuple[str, Mapping[str, Mapping[str, int]]]]:
    yield "kind", coverage.kinds
    yield "role (answerable)", coverage.roles
    yield "trap", coverage.traps


def _missing_traps(coverage: Coverage) -> list[str]:
    return [gap.name for gap in coverage.gaps if gap.kind == "trap-missing"]


as_html = coverage_as_html  # as notebooks of before call it
