"""The report in pieces, for a notebook.

Rule: a piece changes nothing else on the page it is shown in, and reads well without any style: JupyterLab takes the style
away from a notebook that it does not trust.
"""

from __future__ import annotations

from typing import Any

from goldenlib.reporting.page import Page, open_templates
from goldenlib.reporting.report import Report


def render_fragments(report: Report) -> dict[str, str]:
    """Return HTML for the summary, the regressions, the results and the trend, by these names.

    Each brings its own style and follows JupyterLab's light and dark theme.
    """
    templates = open_templates(report.language)
    style = templates.get_template("report.css").render()
    parts: Any = templates.get_template("parts.html.jinja").module  # its macros are attributes
    page = Page.of(report)
    pieces = {
        "summary": parts.banners(page) + parts.decision(page) + parts.tiles(page) + parts.splits(page) + parts.labelled(report),
        "regressions": parts.regressions(page),
        "results": parts.results_table(page),
        "trend": parts.trend(page),
    }
    return {name: f'<style>{style}</style>\n<div class="golden fragment">{piece}</div>' for name, piece in pieces.items()}
