"""How a command deals with the process it is: signals that ask it to end, outputs that lack letters, are full, closed or left alone.

Rule: none of these changes what was decided, none makes a mess, and none ends like a decision that was not said (contract 6.7).
"""

from __future__ import annotations

import io
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any, NoReturn

from goldenlib.cilogs import LineWatch

ERROR, INTERRUPTED = 3, 130
ASKED_AGAIN_S = 2.0
_DECIDED = (0, 1)
_SHOW_TRACEBACK = "GOLDEN_TRACEBACK"
_MOST_SAID = 500


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


def end_in_peace() -> None:
    """Let no further request to end disturb the last moments of a process that is ending already."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def say(line: str) -> None:
    """Print a line at once, whether or not anybody reads it."""
    print(line, flush=True)


class Output:
    """Standard output or error, as commands write to it: nothing in it is a command to a CI runner, and writing never raises.

    A letter that the terminal lacks is shown by its number. What cannot be written is dropped; `failure` says why. A reader that
    went away, as in `golden runs | head -1`, is no failure.
    """

    def __init__(self, stream: Any) -> None:
        self.failure: Exception | None = None
        self._stream = stream
        self._watch = LineWatch()
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text; click asks in this way whether a stream takes bytes, and this one does not."""
        if not isinstance(text, str):
            raise TypeError(f"text is written here, not {type(text).__name__}")
        self._try(self._stream.write, self._watch.piece(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after the other."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Send off what was written."""
        self._try(self._stream.flush)

    def _try(self, function: Callable[..., object], *arguments: str) -> None:
        try:
            function(*arguments)
        except (OSError, ValueError) as error:  # ValueError: the stream was closed
            if self.failure is None and not isinstance(error, BrokenPipeError):
                self.failure = error
            self._speak_to_nobody()

    def _speak_to_nobody(self) -> None:
        """Let what is still to be said go nowhere, so that neither we nor Python at its end run into the broken output again."""
        try:
            number = self._stream.fileno()
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, number)
            os.close(nowhere)
        except (OSError, ValueError):
            self._stream = io.StringIO()


def run_to_end(program: Callable[[], object]) -> NoReturn:
    """Run a command line program and leave the process with its exit code; a crash, or an output that cannot be written, is 3.

    Python itself ends with 1 for these, and that means BLOCK.
    """
    was_closed = _open_outputs()
    output, errors = Output(sys.stdout), Output(sys.stderr)
    sys.stdout, sys.stderr = output, errors
    if was_closed:
        code = _tell(ERROR, "standard output is closed, so that nothing could be said; send it to a file or to /dev/null")
    else:
        code = _code_of(program)
        output.flush()
        if output.failure is not None:
            said = f"standard output cannot be written ({getattr(output.failure, 'strerror', None) or output.failure})"
            code = _tell(ERROR if code in _DECIDED else code, f"{said}; what was stored is kept")
    errors.flush()
    sys.exit(code)


def _code_of(program: Callable[[], object]) -> int:
    try:
        program()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else _tell(ERROR, str(end.code))
    except KeyboardInterrupt:
        end_in_peace()
        return _tell(INTERRUPTED, "interrupted")
    except BaseException as error:  # whatever it is: told in a line, and never taken for a decision
        if os.environ.get(_SHOW_TRACEBACK):
            traceback.print_exc()
        said = " ".join(f"{type(error).__name__}: {error}".split())[:_MOST_SAID]
        return _tell(ERROR, f"internal error: {said}; {_SHOW_TRACEBACK}=1 shows where, please report it")
    return 0


def _tell(code: int, line: str) -> int:
    print(line, file=sys.stderr)
    return code


def _open_outputs() -> bool:
    """Open what was closed when the process began, and return whether that is standard output.

    Otherwise the next file that is opened, the store maybe, takes the number, and is written to as if it were the output.
    """
    was_closed = sys.stdout is None
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # both live as long as the process
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    return was_closed
