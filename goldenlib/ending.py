"""How a command deals with the process it is: signals that ask it to end, a terminal that lacks letters, a reader that left.

Rule: none of these changes what was decided, and none of them makes a mess.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import time
from types import FrameType

INTERRUPTED = 130
ASKED_AGAIN_S = 2.0


def interrupt_when_asked_to_end() -> None:
    """Treat a polite request to end, as CI systems send it, like Ctrl-C: rows are kept and the store is closed.

    Asked again at once, as wrappers do that pass signals on, it is one request. Asked again later, it ends there and then,
    as by kill -9, and that loses no stored row either.
    """
    asked: list[float] = []

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        if not asked:
            asked.append(time.monotonic())
            raise KeyboardInterrupt
        if time.monotonic() - asked[0] > ASKED_AGAIN_S:
            os._exit(INTERRUPTED)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)


def speak_to_any_terminal() -> None:
    """Let standard output show the number of a letter that it lacks, instead of refusing the text."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def end_in_peace() -> None:
    """Let no further request to end disturb the last moments of a process that is ending already."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def say(line: str) -> None:
    """Print a line at once, whether or not anybody reads it."""
    try:
        print(line, flush=True)
    except BrokenPipeError:
        _speak_to_nobody()


def finish_output() -> None:
    """Send off what was printed. A reader that went away, as in `golden runs | head -1`, is no error."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _speak_to_nobody()


def _speak_to_nobody() -> None:
    """Let what is still to be said go nowhere, so that neither we nor Python at its end run into the broken pipe again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
