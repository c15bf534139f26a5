from __future__ import annotations

import io
import time

import pytest
from rich.console import Console

from goldenlib.reporting.progress import RunProgress
from tests.builders import a_result, a_skip, an_error


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _run(items: int, seconds_each: float, file: io.StringIO | None = None, **console: object) -> list[str]:
    file = file or io.StringIO()
    clock = Clock()
    with RunProgress(Console(file=file, width=100, **console), items, clock=clock) as progress:  # type: ignore[arg-type]  # rich's own types
        for _ in range(items):
            clock.now += seconds_each
            progress.advance(a_result())
    return file.getvalue().splitlines()


def test_a_log_gets_a_line_at_most_every_five_seconds() -> None:
    assert len(_run(items=100, seconds_each=0.2)) == 4  # 20 s: at 5, 10 and 15, and the end


def test_a_log_gets_a_line_at_most_every_tenth_of_the_items() -> None:
    assert len(_run(items=100, seconds_each=60.0)) == 10


def test_a_short_run_gets_one_line_at_its_end() -> None:
    assert _run(items=3, seconds_each=0.5) == ["golden: 3/3, 3 passed, 0 failed, 0 errors, 2.0/s, in 1.5 s"]


def test_a_line_says_how_far_the_run_is_and_how_long_it_takes() -> None:
    assert _run(items=100, seconds_each=1.0)[0] == "golden: 10/100, 10 passed, 0 failed, 0 errors, 1.0/s, about 1 min 30 s left"


def test_slow_runs_are_told_in_items_per_minute() -> None:
    assert "1.0/min" in _run(items=10, seconds_each=60.0)[0]


def test_errors_and_skips_are_not_counted_as_passed_or_failed() -> None:
    file = io.StringIO()
    with RunProgress(Console(file=file, width=100), 4) as progress:
        for result in (a_result(), a_result(missing=["x"]), an_error(), a_skip()):
            progress.advance(result)
    assert file.getvalue().startswith("golden: 4/4, 1 passed, 1 failed, 1 error,")


def test_a_file_gets_lines_even_when_colour_is_forced() -> None:
    lines = _run(items=3, seconds_each=0.5, force_terminal=True)
    assert len(lines) == 1
    assert "\x1b" not in lines[0]


def test_a_dumb_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    lines = _run(items=3, seconds_each=0.5, file=Terminal())
    assert len(lines) == 1
    assert "\x1b" not in lines[0]


def test_a_terminal_gets_a_bar_with_the_counts() -> None:
    text = "\n".join(_run(items=30, seconds_each=0.5, file=Terminal(), force_terminal=True))
    assert "30/30, 30 passed" in text
    assert "\x1b[" in text


def test_an_interrupted_run_says_how_far_it_came() -> None:
    def interrupted(progress: RunProgress) -> None:
        with progress:
            progress.advance(a_result())
            raise KeyboardInterrupt

    file = io.StringIO()
    with pytest.raises(KeyboardInterrupt):
        interrupted(RunProgress(Console(file=file, width=100), 10))
    assert file.getvalue().startswith("golden: 1/10, 1 passed")


def test_a_run_without_items_prints_nothing() -> None:
    assert _run(items=0, seconds_each=1.0) == []


def test_ten_thousand_items_cost_less_than_a_tenth_of_a_second() -> None:
    result = a_result()
    with RunProgress(Console(file=io.StringIO()), 10_000) as progress:
        start = time.process_time()
        for _ in range(10_000):
            progress.advance(result)
        assert time.process_time() - start < 0.1
