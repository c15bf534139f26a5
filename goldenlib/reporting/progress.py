"""The progress of a run, as a bar in a terminal and as plain lines in a log.

Rule: an item costs next to nothing here, however many there are.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID
from rich.table import Column
from rich.text import Text

from goldenlib.answers import Result
from goldenlib.reporting.report import ResultState, state_of
from goldenlib.reporting.wording import duration, plural

_REFRESHES_PER_SECOND = 8
_LINE_SECONDS = 5.0
_LINE_SHARE = 0.1


class RunProgress:
    """Shows how far a run is; a context manager, told of each result by `advance`.

    In a terminal a bar is redrawn at most ten times a second. Elsewhere (a pipe, a CI log, a notebook, a dumb terminal) a
    plain line is printed when both five seconds and a tenth of the items have passed since the last one, and at the end.
    `advance` may be called from another thread than the one that opened it, one call at a time.
    """

    def __init__(self, console: Console, total: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.total = total
        self._console = console
        self._clock = clock
        self._counts = dict.fromkeys(ResultState, 0)
        self._done = 0
        self._bar: Progress | None = None
        self._task = TaskID(0)

    def __enter__(self) -> Self:
        self._started = self._shown_at = self._clock()
        self._shown = 0
        # A file that is no terminal gets lines even when FORCE_COLOR makes rich think otherwise.
        if self._console.is_interactive and not self._console.is_dumb_terminal and self._console.file.isatty():
            self._bar = self._open_bar()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._show_bar(self._bar)
            self._bar.stop()
            self._bar = None
        elif self._shown < self._done:
            self._print_line()

    def advance(self, result: Result) -> None:
        """Count one more finished item."""
        self._done += 1
        self._counts[state_of(result)] += 1
        now = self._clock()
        if self._bar is not None:
            if now - self._shown_at >= 1 / _REFRESHES_PER_SECOND:
                self._shown_at = now
                self._show_bar(self._bar)
        elif now - self._shown_at >= _LINE_SECONDS and self._done - self._shown >= self.total * _LINE_SHARE and self._done < self.total:
            self._print_line()

    def _open_bar(self) -> Progress:
        columns = (_ProgressWords(self._words), BarColumn(bar_width=None, table_column=Column(ratio=1, min_width=4)))
        bar = Progress(*columns, console=self._console, refresh_per_second=_REFRESHES_PER_SECOND, expand=True)
        self._task = bar.add_task("", total=self.total)
        bar.start()
        return bar

    def _show_bar(self, bar: Progress) -> None:
        bar.update(self._task, completed=self._done)

    def _print_line(self) -> None:
        self._shown, self._shown_at = self._done, self._clock()
        self._console.print(f"golden: {self._words()}", markup=False, highlight=False, soft_wrap=True)

    def _words(self) -> str:
        counts = self._counts
        parts = [
            f"{self._done}/{self.total}",
            f"{counts[ResultState.PASS]} passed",
            f"{counts[ResultState.FAIL]} failed",
            plural(counts[ResultState.ERROR], "error"),
        ]
        elapsed = self._clock() - self._started
        if self._done and elapsed > 0:
            speed = self._done / elapsed
            parts.append(f"{speed:.1f}/s" if speed >= 1 else f"{speed * 60:.1f}/min")
            left = self.total - self._done
            parts.append(f"about {duration(left / speed)} left" if left else f"in {duration(elapsed)}")
        return ", ".join(parts)


class _ProgressWords(ProgressColumn):
    """The words beside the bar, said anew at each refresh, so that the time left moves while nothing finishes."""

    max_refresh = None

    def __init__(self, words: Callable[[], str]) -> None:
        super().__init__(Column(no_wrap=True))
        self._words = words

    def render(self, task: Task) -> Text:
        return Text(self._words(), no_wrap=True)
