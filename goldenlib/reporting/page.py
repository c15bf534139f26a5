"""The report as one HTML file.

Rule: the page asks nobody for anything (no script, no request). Every text from outside is escaped by the template engine
and made visible by `_shown`, which every printed value passes.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from goldenlib.gating import percent
from goldenlib.languages import Language, date_in_words, translator
from goldenlib.reporting import wording
from goldenlib.reporting.changes import Change, changes
from goldenlib.reporting.charts import Chart, sparkline, trend_chart
from goldenlib.reporting.itemrows import ReportRow, rows_of
from goldenlib.reporting.passages import plain, visible
from goldenlib.reporting.report import Report, ResultState


@dataclass(frozen=True, slots=True)
class Page:
    """What the templates show."""

    report: Report
    rows: tuple[ReportRow, ...]
    changes: tuple[Change, ...]
    sparkline: Chart | None
    chart: Chart | None

    @classmethod
    def of(cls, report: Report) -> Page:
        """Prepare a report for the templates; a trend takes two runs."""
        has_trend = len(report.trend) > 1
        return cls(
            report=report,
            rows=rows_of(report),
            changes=changes(report),
            sparkline=sparkline(report.trend, report.min_pass_rate) if has_trend else None,
            chart=trend_chart(report.trend, report.min_pass_rate) if has_trend else None,
        )

    @property
    def states(self) -> Mapping[ResultState, int]:
        """How many items came to each state."""
        return {state: sum(row.state is state for row in self.rows) for state in ResultState}

    @property
    def left_out(self) -> int:
        """How many passing items are shown without their answers."""
        return sum(not row.is_full for row in self.rows)

    @property
    def commands(self) -> tuple[str, str]:
        """How to see the decision again, and how to ask again."""
        run = self.report.run
        again = "golden run FILE..." + ("" if run.is_demo else " --config FILE") + self._selection
        again += " --allow-unverified" if run.allow_unverified else ""
        return f"golden gate {shlex.quote(plain(run.run_id))}", again

    @property
    def _selection(self) -> str:
        """The options that select the same items; a whole set with splits has to be asked for as a whole."""
        selection = self.report.run.selection
        if not selection:
            return " --split all" if self.report.splits else ""
        parts = [part.split(" ", 1) for part in selection.split(", ")]
        options = [f" --{name} {shlex.quote(plain(glob))}" for name, globs in parts for glob in globs.split(" or ")]
        return "".join(options)


def render_html(report: Report) -> str:
    """Return the report as one self-contained HTML file.

    Full answers are there for failed and errored items and for the first 200 that passed; the page says so.
    """
    return open_templates(report.language).get_template("report.html.jinja").render(page=Page.of(report), version=_version())


def open_templates(language: Language) -> Environment:
    """Return the template engine with escaping on, missing names refused, and the words that all reports share.

    `t` puts a sentence into the language. It is given what goldenlib says, never a text from outside alone.
    """
    templates = Environment(
        loader=PackageLoader("goldenlib.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals.update({name: getattr(wording, name) for name in _WORDS})
    templates.globals.update(percent=percent, plain=plain, State=ResultState, t=translator(language), date_in_words=date_in_words)
    return templates


_WORDS = (
    "advice",
    "day",
    "group_rate",
    "duration",
    "gates_text",
    "held_out_text",
    "history_words",
    "identity",
    "judge_text",
    "limit_text",
    "mark_word",
    "moment",
    "number",
    "one_question",
    "plural",
    "rate_text",
    "short_digest",
    "skip_reason",
    "split_passed",
    "split_rate",
    "split_source",
    "split_words",
)


def _shown(value: Any) -> Any:
    """What the templates print: text made visible. Markup is what a template made itself."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _version() -> str:
    try:
        return version("goldenlib")
    except PackageNotFoundError:
        return "unknown"
